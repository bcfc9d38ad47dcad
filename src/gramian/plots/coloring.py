"""A column as colours: numbers on a scale, groups by colour and shape."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, cast

import numpy as np
import pandas as pd

from gramian._core.check import one_of, short
from gramian._core.types import VectorLike
from gramian._reading.columns import Factor, Numeric, columns
from gramian.errors import InputError
from gramian.plots.elements import Elements
from gramian.plots.record import ColorScale
from gramian.plots.style import (
    FAINT,
    INK,
    PALE_SHARE,
    few_enough,
    look,
    look_of,
    n_looks,
    natural_order,
    shorten,
    text_color,
)

if TYPE_CHECKING:
    from gramian.clusters import Clusters

_MEASURES = {name: name for name in ("contribution", "quality", "trust")} | {"cos2": "cos²"}
_TOLERANCE = 1e-9  # of the size of numbers: smaller differences are rounding
_FEW_INTEGERS = 8  # whole numbers with so few different values are codes of groups


# What colours rows or variables: a column of values, classes, or the name of a measure.
ColorColumn: TypeAlias = "VectorLike | Clusters | None"
ColorReading: TypeAlias = Literal["groups", "values"] | None  # what numbers are


@dataclass(frozen=True, eq=False)
class Group:
    """Rows that share a colour."""

    name: str
    rows: np.ndarray  # (n,) bool
    color: str
    marker: str = "circle"
    filled: bool = True


@dataclass(frozen=True, eq=False)
class Coloring:
    """How rows are coloured: in groups (one without a name when there is no column), by numbers."""

    title: str
    groups: tuple[Group, ...]
    numbers: np.ndarray | None = None
    scale: ColorScale | None = None

    @property
    def is_crowded(self) -> bool:
        """Whether there are more groups than colours, so that names and marks must tell them."""
        return not few_enough(sum(bool(group.name) for group in self.groups))

    @property
    def legend_title(self) -> str:
        """The title of the legend, none where numbers have a key to their colours."""
        return "" if self.scale else self.title

    def inks(self) -> np.ndarray:
        """Return a colour per row for texts, dark where the colours are numbers."""
        if self.numbers is not None:
            return np.full(len(self.numbers), INK, dtype=object)
        inks = np.full(len(self.groups[0].rows), INK, dtype=object)
        for group in self.groups:
            inks[group.rows] = text_color(group.color)
        return inks


def coloring(
    column: ColorColumn, index: pd.Index, color_as: str | None = None, of: Elements | None = None
) -> Coloring:
    """Return the colours of elements from a column of values, or from a measure of theirs."""
    one_of(color_as, "color_as", ("groups", "values"), none=True)
    if column is None:
        return one_color(len(index), look().palette[0])
    if hasattr(column, "paragons"):
        column = cast("Clusters", column).labels.astype("category")
    if of is not None and isinstance(column, str) and column in _MEASURES:
        return _by_numbers(of.measure_of(column), _MEASURES[column])
    values = _column(column, index)
    title = shorten(getattr(column, "name", None) or "", 28)
    if isinstance(values, Factor):
        if color_as == "values":
            try:
                numbers = np.array([float(label) for label in values.labels])
            except (TypeError, ValueError) as error:
                label = short(values.labels[0])
                raise InputError(
                    f'color holds {label}, which is not a number: use color_as="groups"'
                ) from error
            return _by_numbers(np.where(values.codes < 0, np.nan, numbers[values.codes]), title)
        order = natural_order([str(label) for label in values.labels])
        place = np.append(np.argsort(order), -1)  # unknown values are coded −1
        names = [shorten(values.labels[k]) for k in order]
        return _by_groups(place[values.codes], names, title)
    distinct = np.unique(values.values[~np.isnan(values.values)])
    codes = distinct.size <= _FEW_INTEGERS and (distinct == np.round(distinct)).all()
    if color_as == "groups" or (codes and color_as is None):
        known = np.where(np.isnan(values.values), -1, np.searchsorted(distinct, values.values))
        return _by_groups(known, [f"{value:.6g}" for value in distinct], title)
    return _by_numbers(values.values, title)


def one_color(n: int, color: str) -> Coloring:
    """Return n rows in one colour, without an entry in the legend."""
    return Coloring("", (Group("", np.ones(n, dtype=bool), color),))


def _column(column: Any, index: pd.Index) -> Numeric | Factor:
    """Return one column, its rows in the order of `index`."""
    if isinstance(column, str):
        raise InputError(
            f"color={short(column)} must be a column of values, or one of "
            f"{', '.join(map(repr, _MEASURES))}: give the column itself"
        )
    try:
        sorts = columns(column, len(index), index, exact=False)
    except InputError as error:
        raise InputError(str(error).replace("table", "color")) from error
    parts: list[Numeric | Factor] = [*sorts.numeric, *sorts.factors]
    if len(parts) != 1:
        raise InputError(f"color has {len(parts)} columns: choose one")
    return parts[0]


def _by_numbers(numbers: np.ndarray, title: str) -> Coloring:
    known = np.isfinite(numbers)
    if not known.any():
        raise InputError("color has no finite value: give numbers or groups")
    low, high = float(numbers[known].min()), float(numbers[known].max())
    if high - low <= _TOLERANCE * max(abs(low), abs(high)):
        low, high = low - 0.5, high + 0.5
    groups = [Group("", known, look().palette[0])]
    if not known.all():
        groups.insert(0, Group("missing", ~known, FAINT))
    scale = ColorScale(low, high, title=title, start=PALE_SHARE)
    return Coloring(title, tuple(groups), numbers, scale)


def _by_groups(codes: np.ndarray, names: list[str], title: str) -> Coloring:
    sizes = np.bincount(codes[codes >= 0], minlength=len(names))
    used = np.flatnonzero(sizes)
    most = n_looks()  # more cannot be distinguished: the smaller ones become "other"
    if used.size > most:
        used = np.sort(np.argsort(-sizes, kind="stable")[: most - 1])
    groups = [
        Group(names[code], codes == code, *look_of(position)) for position, code in enumerate(used)
    ]
    other = (codes >= 0) & ~np.isin(codes, used)
    if other.any():
        count = np.unique(codes[other]).size
        groups.append(Group(f"{count} other groups", other, FAINT))
    if (codes < 0).any():
        groups.append(Group("missing", codes < 0, FAINT))
    return Coloring(title, tuple(groups))
