"""A column as colours: numbers on a scale, groups by colour and shape."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from gramian.clusters import Clusters
from gramian.errors import InputError
from gramian.plots.record import ColorScale
from gramian.plots.style import FAINT, INK, MARKERS, PALETTE, POINT_COLOR, text_color
from gramian.plots.text import shorten
from gramian.reading.columns import Factor, Numeric, columns

__all__ = ["Coloring", "Group", "coloring", "one_color"]

_MOST_GROUPS = 21  # more are not told apart: the smaller ones become "other"
_FEW_INTEGERS = 8  # whole numbers with so few different values are codes of groups


@dataclass(frozen=True, eq=False)
class Group:
    """Rows that share a colour."""

    name: str
    rows: np.ndarray  # (n,) bool
    color: str
    marker: str = "circle"


@dataclass(frozen=True, eq=False)
class Coloring:
    """How rows are coloured: in groups (one without a name when there is no column), by numbers."""

    title: str
    groups: tuple[Group, ...]
    numbers: np.ndarray | None = None
    scale: ColorScale | None = None

    def inks(self) -> np.ndarray:
        """Return a colour per row for texts, dark where the colours are numbers."""
        if self.numbers is not None:
            return np.full(len(self.numbers), INK, dtype=object)
        inks = np.full(len(self.groups[0].rows), INK, dtype=object)
        for group in self.groups:
            inks[group.rows] = text_color(group.color)
        return inks


def coloring(column: Any, index: pd.Index, name: str = "color") -> Coloring:
    """Return the colours of the rows of `index` from a column of values."""
    if column is None:
        return one_color(len(index), POINT_COLOR)
    if isinstance(column, Clusters):
        column = column.labels.astype("category")
    values = _column(column, index, name)
    title = shorten(getattr(column, "name", None) or "", 28)
    if isinstance(values, Factor):
        return _by_groups(values.codes, [shorten(label) for label in values.labels], title)
    distinct = np.unique(values.values[~np.isnan(values.values)])
    if distinct.size <= _FEW_INTEGERS and (distinct == np.round(distinct)).all():
        codes = np.where(np.isnan(values.values), -1, np.searchsorted(distinct, values.values))
        return _by_groups(codes, [f"{value:.0f}" for value in distinct], title)
    return _by_numbers(values.values, title)


def one_color(n: int, color: str) -> Coloring:
    """Return n rows in one colour, without an entry in the legend."""
    return Coloring("", (Group("", np.ones(n, dtype=bool), color),))


def _column(column: Any, index: pd.Index, name: str) -> Numeric | Factor:
    """Return one column, its rows in the order of `index`."""
    if isinstance(column, str):
        raise InputError(f"{name}={column!r} must be a column of values: give the column itself")
    try:
        sorts = columns(column, len(index), index)
    except InputError as error:
        raise InputError(str(error).replace("table", name)) from error
    parts: list[Numeric | Factor] = [*sorts.numeric, *sorts.factors]
    if len(parts) != 1:
        raise InputError(f"{name} has {len(parts)} columns: choose one")
    return parts[0]


def _by_numbers(numbers: np.ndarray, title: str) -> Coloring:
    known = np.isfinite(numbers)
    if not known.any():
        raise InputError("color has no finite value: give numbers or groups")
    low, high = float(numbers[known].min()), float(numbers[known].max())
    if low == high:
        low, high = low - 0.5, high + 0.5
    groups = [Group("", known, POINT_COLOR)]
    if not known.all():
        groups.insert(0, Group("missing", ~known, FAINT))
    return Coloring(title, tuple(groups), numbers, ColorScale(low, high, title=title))


def _by_groups(codes: np.ndarray, names: list[str], title: str) -> Coloring:
    sizes = np.bincount(codes[codes >= 0], minlength=len(names))
    used = np.flatnonzero(sizes)
    if used.size > _MOST_GROUPS:
        used = np.sort(np.argsort(-sizes, kind="stable")[: _MOST_GROUPS - 1])
    groups = [
        Group(names[code], codes == code, *_look(position)) for position, code in enumerate(used)
    ]
    other = (codes >= 0) & ~np.isin(codes, used)
    if other.any():
        count = np.unique(codes[other]).size
        groups.append(Group(f"{count} other groups", other, FAINT))
    if (codes < 0).any():
        groups.append(Group("missing", codes < 0, FAINT))
    return Coloring(title, tuple(groups))


def _look(position: int) -> tuple[str, str]:
    """Return the colour and the marker of a group: both change, so that either is enough."""
    return PALETTE[position % len(PALETTE)], MARKERS[
        (position + position // len(PALETTE)) % len(MARKERS)
    ]
