"""Random generators, back from the states that a model file holds.

NumPy does not look at the state of a generator: a position beyond the end of a key is read from
memory that is not the generator's, and a key of zeros makes some draws never end. So every
number is looked at before.
"""

import math
from typing import Any

import numpy as np

from gramian._core.check import is_number
from gramian.saving.check import FieldError, describe

State = dict[str, Any]
_SPARE = {"has_uint32": 1, "uinteger": 2**32 - 1}  # half of a 64-bit draw, for the next of 32 bits
_WORD = 2**128 - 1

# generator → its state: a number is the largest a whole number may be, a pair is an array of words
GENERATORS: dict[str, State] = {
    "MT19937": {"state": {"key": (624, np.uint32), "pos": 624}},
    "PCG64": {"state": {"state": _WORD, "inc": _WORD}, **_SPARE},
    "PCG64DXSM": {"state": {"state": _WORD, "inc": _WORD}, **_SPARE},
    "Philox": {
        "state": {"counter": (4, np.uint64), "key": (2, np.uint64)},
        "buffer": (4, np.uint64),
        "buffer_pos": 4,
        **_SPARE,
    },
    "SFC64": {"state": {"state": (4, np.uint64)}, **_SPARE},
}


def generator_of(state: object, path: str) -> np.random.Generator:
    """Return the generator with a state that `bit_generator.state` gave."""
    return np.random.Generator(_bits(state, path))


def random_state_of(state: object, path: str) -> np.random.RandomState:
    """Return the old generator with a state that `get_state(legacy=False)` gave."""
    rest = dict(state) if isinstance(state, dict) else {}
    # Half of a pair of normal numbers is kept for the next draw.
    kept = {name: rest.pop(name, None) for name in ("has_gauss", "gauss")}
    good = type(kept["has_gauss"]) is int and kept["has_gauss"] in (0, 1)
    if not good or not is_number(kept["gauss"]) or not math.isfinite(kept["gauss"]):
        raise FieldError(
            path, "a random state with its next normal number", describe(kept["gauss"])
        )
    legacy = np.random.RandomState(_bits(rest, path))
    legacy.set_state(legacy.get_state(legacy=False) | kept)
    return legacy


def _bits(state: object, path: str) -> np.random.BitGenerator:
    name = state.get("bit_generator") if isinstance(state, dict) else None
    if not isinstance(state, dict) or not isinstance(name, str) or name not in GENERATORS:
        raise FieldError(path, "a random generator of NumPy", describe(name))
    own = {key: value for key, value in state.items() if key != "bit_generator"}
    _check_state(own, GENERATORS[name], path)
    if name == "MT19937" and not own["state"]["key"].any():
        raise FieldError(path, "a random state that ends a draw", "zeros alone")
    if name.startswith("PCG64") and own["state"]["inc"] % 2 == 0:
        raise FieldError(path, "a random state with an odd increment", "an even one")
    bits: np.random.BitGenerator = getattr(np.random, name)()
    bits.state = {"bit_generator": name} | own
    return bits


def _check_state(state: object, form: State, path: str) -> None:
    """Refuse a state whose parts are not those of its form."""
    if not isinstance(state, dict) or set(state) != set(form):
        raise FieldError(path, f"a random state of {', '.join(form)}", describe(state))
    for name, limit in form.items():
        value = state[name]
        if isinstance(limit, dict):
            _check_state(value, limit, f"{path}.{name}")
        elif isinstance(limit, tuple):
            size, kind = limit
            good = isinstance(value, np.ndarray) and value.shape == (size,) and value.dtype == kind
            if not good:
                expected = f"{size} words of {np.dtype(kind)}"
                raise FieldError(f"{path}.{name}", expected, describe(value))
        elif type(value) is not int or not 0 <= value <= limit:
            shown = "a number out of range" if type(value) is int else describe(value)
            raise FieldError(f"{path}.{name}", f"a whole number from 0 to {limit}", shown)
