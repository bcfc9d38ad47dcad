"""Row labels, frames and series of pandas, back from the tree of a model file."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from gramian.saving.check import FieldError, describe

Node = dict[str, Any]
_FARTHEST = 2**62
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


def _column(d: Any, node: Any, path: str) -> np.ndarray:
    """Return a vector of any type, counted: pandas makes a copy of it."""
    values = d.array(node, path, 1, "fiubOUSmM")
    d.spend(values.nbytes, path)
    return values


def _named(d: Any, index: Any, node: Node, path: str) -> Any:
    return index.set_names(d.items(node, "names", path))


def _index(d: Any, node: Node, path: str) -> pd.Index:
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
    return _named(d, index, node, path)


def _labels(d: Any, node: Any, path: str) -> pd.Index:
    index = d.decode(node, path)
    if not isinstance(index, pd.Index):
        raise FieldError(path, "labels", describe(index))
    return index


def _categories(d: Any, node: Node, path: str) -> pd.Index:
    codes = d.array(node.get("codes"), path, 1, "i")
    d.spend(codes.nbytes, path)
    levels, ordered = _labels(d, node.get("levels"), path), d.part(node, "ordered", bool, path)
    index = pd.CategoricalIndex(pd.Categorical.from_codes(codes, levels, ordered))
    return _named(d, index, node, path)


def _levels(d: Any, node: Node, path: str) -> pd.MultiIndex:
    rows, names = d.items(node, "rows", path), d.items(node, "names", path)
    if not all(isinstance(row, tuple) and len(row) == len(names) for row in rows):
        raise FieldError(path, f"labels of {len(names)} levels", "others")
    d.spend(64 * len(rows) * len(names), path)
    return pd.MultiIndex.from_tuples(rows, names=names)


def _range(d: Any, node: Node, path: str) -> pd.RangeIndex:
    parts = d.part(node, "parts", list, path)
    parts = [d.whole(part, path, -_FARTHEST, _FARTHEST) for part in parts]
    if len(parts) != 3 or parts[2] == 0:
        raise FieldError(path, "a range of row numbers", describe(parts))
    # Two numbers that anything which shows the labels will write out.
    d.spend(8 * len(range(*parts)), path)
    return _named(d, pd.RangeIndex(*parts), node, path)


def _frame(d: Any, node: Node, path: str) -> pd.DataFrame:
    nodes = d.part(node, "columns", list, path)
    columns = {k: _column(d, column, path) for k, column in enumerate(nodes)}
    index, names = _labels(d, node.get("index"), path), _labels(d, node.get("labels"), path)
    if any(len(column) != len(index) for column in columns.values()):
        raise FieldError(path, f"columns of {len(index)} rows", "others")
    return pd.DataFrame(columns, index=index).set_axis(names, axis=1)


def _series(d: Any, node: Node, path: str) -> pd.Series:
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
