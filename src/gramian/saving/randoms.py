"""The states of random generators: every number is looked at before NumPy gets it.

NumPy does not: a position beyond the end of a key is read from memory that is not the generator's,
and a key of zeros makes some draws go on for ever.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gramian._check import is_number
from gramian.saving.nodes import refusal, whole

__all__ = ["GENERATORS", "generator_of", "random_state_of"]

State = dict[str, Any]
_KEY = 624  # words of the Mersenne twister


def generator_of(state: Any) -> np.random.Generator:
    """Return the generator with a state that `bit_generator.state` gave."""
    return np.random.Generator(_bits(state))


def random_state_of(state: Any) -> np.random.RandomState:
    """Return the old generator with a state that `get_state` gave."""
    if isinstance(state, tuple):
        if len(state) != 5 or state[0] != "MT19937":
            raise refusal("has a random state that is not NumPy's")
        words, gauss = {"key": state[1], "pos": state[2]}, state[3:]
        bits: State = {"bit_generator": "MT19937", "state": words}
    else:
        rest = _named(state, "random state")
        gauss = tuple(rest.pop(name, None) for name in ("has_gauss", "gauss"))
        bits = rest
    drawn = _gauss(*gauss)
    legacy = np.random.RandomState(_bits(bits))
    legacy.set_state(legacy.get_state(legacy=False) | drawn)
    return legacy


def _gauss(has_gauss: Any, gauss: Any) -> State:
    """Return the half of a pair of normal numbers that is kept for the next draw."""
    whole(has_gauss, "has_gauss", 0, 1)
    if not is_number(gauss) or not math.isfinite(gauss):
        raise refusal("has a random state whose next normal number is none")
    return {"has_gauss": has_gauss, "gauss": float(gauss)}


def _bits(state: Any) -> Any:
    name = _named(state, "random state").get("bit_generator")
    if not isinstance(name, str) or name not in GENERATORS:
        raise refusal("holds a random generator that is not known")
    bits = getattr(np.random, name)()
    bits.state = {"bit_generator": name} | GENERATORS[name](state)
    return bits


def _named(value: Any, what: str, *names: str) -> State:
    """Return a dict, with these names and no others where there are any."""
    if not isinstance(value, dict) or (names and set(value) != set(names)):
        raise refusal(f"has a {what} whose parts are not those of NumPy's")
    return dict(value)


def _words(value: Any, what: str, count: int, kind: type) -> np.ndarray:
    if not isinstance(value, np.ndarray) or value.shape != (count,) or value.dtype != kind:
        raise refusal(f"has a random state whose {what} is not {count} words of {kind.__name__}")
    return value


def _spare(state: State) -> State:
    """Return the half of a 64-bit draw that is kept for the next one of 32 bits."""
    half = whole(state["uinteger"], "uinteger", 0, 2**32 - 1)
    return {"has_uint32": whole(state["has_uint32"], "has_uint32", 0, 1), "uinteger": half}


_SPARE = ("has_uint32", "uinteger")


def _twister(state: State) -> State:
    own = _named(_named(state, "state", "bit_generator", "state")["state"], "state", "key", "pos")
    key = _words(own["key"], "key", _KEY, np.uint32)
    if not key.any():
        raise refusal("has a random state of zeros, which never ends a draw")
    return {"state": {"key": key, "pos": whole(own["pos"], "pos", 0, _KEY)}}


def _congruential(state: State) -> State:
    whole_state = _named(state, "state", "bit_generator", "state", *_SPARE)
    own = _named(whole_state["state"], "state", "state", "inc")
    numbers = {name: whole(own[name], name, 0, 2**128 - 1) for name in ("state", "inc")}
    if numbers["inc"] % 2 == 0:
        raise refusal("has a random state with an even increment")
    return {"state": numbers} | _spare(whole_state)


def _philox(state: State) -> State:
    names = ("bit_generator", "state", "buffer", "buffer_pos", *_SPARE)
    whole_state = _named(state, "state", *names)
    own = _named(whole_state["state"], "state", "counter", "key")
    counter = _words(own["counter"], "counter", 4, np.uint64)
    words = {"counter": counter, "key": _words(own["key"], "key", 2, np.uint64)}
    buffer = _words(whole_state["buffer"], "buffer", 4, np.uint64)
    at = whole(whole_state["buffer_pos"], "buffer_pos", 0, 4)
    return {"state": words, "buffer": buffer, "buffer_pos": at} | _spare(whole_state)


def _chaotic(state: State) -> State:
    whole_state = _named(state, "state", "bit_generator", "state", *_SPARE)
    words = _words(_named(whole_state["state"], "state", "state")["state"], "state", 4, np.uint64)
    return {"state": {"state": words}} | _spare(whole_state)


# The generators that a parameter `random_state` may be, and how a state of each is looked at.
GENERATORS: dict[str, Callable[[State], State]] = {
    "MT19937": _twister,
    "PCG64": _congruential,
    "PCG64DXSM": _congruential,
    "Philox": _philox,
    "SFC64": _chaotic,
}
