"""Labels, frames and random generators, back from the tree of a model file.

NumPy does not look at the state of a generator: a position beyond the end of a key is read from
memory that is not the generator's, and a key of zeros makes some draws go on for ever. So every
number is looked at before.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from gramian.saving.check import FieldError, describe

if TYPE_CHECKING:
    from gramian.saving.decode import Decoder
import math

from gramian._core.check import is_number

Node = dict[str, Any]
_MAX_LABEL = 2**62
# A name of the time zone data base, or a fixed offset. pandas would open a file for "dateutil/…".
_ZONE = re.compile(r"(?!dateutil)[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*|UTC[+-]\d\d:\d\d")
_DEVICE = re.compile(r"(cpu|cuda|mps|xpu)(:\d{1,3})?")


def device(word: str, path: str) -> str:
    """Return the name of a device of torch.

    >>> device("cuda:0", "PCA.mean_")
    'cuda:0'
    """
    if not _DEVICE.fullmatch(word):
        raise FieldError(path, "a device", repr(word[:20]))
    return word


def _column(d: Decoder, node: object, path: str) -> np.ndarray:
    """Return a vector of any type, counted: pandas makes a copy of it."""
    values = d.array(node, path, 1, "fiubOUSmM")
    d.spend(values.nbytes, path)
    return values


def _index(d: Decoder, node: Node, path: str) -> pd.Index:
    values = _column(d, node.get("values"), path)
    if values.dtype == object:
        hash(tuple(values))  # a TypeError where a label could not be looked up
    kind = node.get("dtype")
    if node.get("zone") is not None:
        zone = d.part(node, "zone", str, path)
        if not _ZONE.fullmatch(zone):
            raise FieldError(path, "a time zone", repr(zone[:30]))
        index: Any = pd.DatetimeIndex(values).tz_localize("UTC").tz_convert(zone)
    elif kind in (None, "str"):
        index = pd.Index(values, dtype="str" if kind == "str" else values.dtype)
    else:
        raise FieldError(path, "labels of a type that is known", describe(kind))
    return index.set_names(d.items(node, "names", path))


def _labels(d: Decoder, node: object, path: str) -> pd.Index:
    index = d.decode(node, path)
    if not isinstance(index, pd.Index):
        raise FieldError(path, "labels", describe(index))
    return index


def _categories(d: Decoder, node: Node, path: str) -> pd.Index:
    codes = d.array(node.get("codes"), path, 1, "i")
    d.spend(codes.nbytes, path)
    levels, ordered = _labels(d, node.get("levels"), path), d.part(node, "ordered", bool, path)
    index = pd.CategoricalIndex(pd.Categorical.from_codes(codes, levels, ordered))
    return index.set_names(d.items(node, "names", path))


def _levels(d: Decoder, node: Node, path: str) -> pd.MultiIndex:
    rows, names = d.items(node, "rows", path), d.items(node, "names", path)
    if not all(isinstance(row, tuple) and len(row) == len(names) for row in rows):
        raise FieldError(path, f"labels of {len(names)} levels", "others")
    d.spend(64 * len(rows) * len(names), path)
    return pd.MultiIndex.from_tuples(rows, names=names)


def _range(d: Decoder, node: Node, path: str) -> pd.RangeIndex:
    parts = d.part(node, "parts", list, path)
    parts = [d.whole(part, path, -_MAX_LABEL, _MAX_LABEL) for part in parts]
    if len(parts) != 3 or parts[2] == 0:
        raise FieldError(path, "a range of row numbers", describe(parts))
    # Two numbers that anything which shows the labels will write out.
    d.spend(8 * len(range(*parts)), path)
    return pd.RangeIndex(*parts).set_names(d.items(node, "names", path))


def _frame(d: Decoder, node: Node, path: str) -> pd.DataFrame:
    nodes = d.part(node, "columns", list, path)
    columns = {k: _column(d, column, path) for k, column in enumerate(nodes)}
    index, names = _labels(d, node.get("index"), path), _labels(d, node.get("labels"), path)
    if any(len(column) != len(index) for column in columns.values()):
        raise FieldError(path, f"columns of {len(index)} rows", "others")
    return pd.DataFrame(columns, index=index).set_axis(names, axis=1)


def _series(d: Decoder, node: Node, path: str) -> pd.Series:
    values, index = _column(d, node.get("values"), path), _labels(d, node.get("index"), path)
    return pd.Series(values, index=index, name=d.decode(node.get("name"), path))


READERS: dict[str, Callable[[Any, Node, str], Any]] = {
    "index": _index,
    "categories": _categories,
    "levels": _levels,
    "range": _range,
    "frame": _frame,
    "series": _series,
}


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
