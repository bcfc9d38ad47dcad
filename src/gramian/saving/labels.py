"""Row labels, frames and series of pandas, back from the tree of a model file."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import pandas as pd

from gramian.saving.nodes import Node, listed, refusal, text, whole

__all__ = ["READERS", "device"]

_MOST = 2**62
# A name of the time zone data base, or a fixed offset. pandas would open a file for "dateutil/…".
_ZONE = re.compile(r"(?!dateutil)[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*|UTC[+-]\d\d:\d\d")
_DEVICE = re.compile(r"(cpu|cuda|mps|xpu)(:\d{1,3})?")


class Values(Protocol):
    """What labels need of a decoder."""

    def decode(self, node: Any) -> Any:
        """Return the value that a node stands for."""

    def array(self, node: Any, *, ndim: int | None = None, kinds: str = "fiub") -> np.ndarray:
        """Return the array that a node stands for."""

    def spend(self, size: float) -> None:
        """Count bytes that are about to be made."""


def device(word: str) -> str:
    """Return the name of a device of torch.

    >>> device("cuda:0")
    'cuda:0'
    """
    if not _DEVICE.fullmatch(word):
        raise refusal(f"names the device {word[:20]!r}, which is none")
    return word


def _column(d: Values, node: Any) -> np.ndarray:
    """Return a vector of any type, counted: pandas makes a copy of it."""
    values = d.array(node, ndim=1, kinds="fiubOUSmM")
    d.spend(values.nbytes)
    return values


def _named(d: Values, index: Any, node: Node) -> Any:
    names = [d.decode(name) for name in listed(node, "names")]
    return index.set_names(names)


def _index(d: Values, node: Node) -> pd.Index:
    values = _column(d, node.get("values"))
    if values.dtype == object:
        hash(tuple(values))  # a TypeError where a label could not be looked up
    if node.get("zone") is not None:
        index: Any = pd.DatetimeIndex(values).tz_localize("UTC").tz_convert(_zone(node))
    elif node.get("dtype") in (None, "str"):
        index = pd.Index(values, dtype="str" if node.get("dtype") == "str" else values.dtype)
    else:
        raise refusal("has labels of a type that is not known")
    return _named(d, index, node)


def _zone(node: Node) -> str:
    if not _ZONE.fullmatch(zone := text(node, "zone")):
        raise refusal(f"names the time zone {zone[:30]!r}, which is none")
    return zone


def _labels(d: Values, node: Any) -> pd.Index:
    index = d.decode(node)
    if not isinstance(index, pd.Index):
        raise refusal(f"has a {type(index).__name__} where labels belong")
    return index


def _categories(d: Values, node: Node) -> pd.Index:
    codes = d.array(node.get("codes"), ndim=1, kinds="i")
    d.spend(codes.nbytes)
    if not isinstance(node.get("ordered"), bool):
        raise refusal("has categories of which nobody knows whether they are ordered")
    levels = _labels(d, node.get("levels"))
    return _named(
        d, pd.CategoricalIndex(pd.Categorical.from_codes(codes, levels, node["ordered"])), node
    )


def _levels(d: Values, node: Node) -> pd.MultiIndex:
    rows = [d.decode(row) for row in listed(node, "rows")]
    names = [d.decode(name) for name in listed(node, "names")]
    if not all(isinstance(row, tuple) and len(row) == len(names) for row in rows):
        raise refusal("has labels of several levels that are not all there")
    d.spend(64 * len(rows) * len(names))
    return pd.MultiIndex.from_tuples(rows, names=names)


def _range(d: Values, node: Node) -> pd.RangeIndex:
    parts = [whole(part, "range", -_MOST, _MOST) for part in listed(node, "parts")]
    if len(parts) != 3 or parts[2] == 0:
        raise refusal("has a range of row numbers that is none")
    # Two numbers that anything which shows the labels will write out.
    d.spend(8 * len(range(*parts)))
    start, stop, step = parts
    return _named(d, pd.RangeIndex(start, stop, step), node)


def _frame(d: Values, node: Node) -> pd.DataFrame:
    columns = {k: _column(d, column) for k, column in enumerate(listed(node, "columns"))}
    index, labels = _labels(d, node.get("index")), _labels(d, node.get("labels"))
    if any(len(column) != len(index) for column in columns.values()):
        raise refusal("has a table whose columns are not of one length")
    return pd.DataFrame(columns, index=index).set_axis(labels, axis=1)


def _series(d: Values, node: Node) -> pd.Series:
    values, index = _column(d, node.get("values")), _labels(d, node.get("index"))
    return pd.Series(values, index=index, name=d.decode(node.get("name")))


READERS: dict[str, Callable[[Any, Node], Any]] = {
    "index": _index,
    "categories": _categories,
    "levels": _levels,
    "range": _range,
    "frame": _frame,
    "series": _series,
}
