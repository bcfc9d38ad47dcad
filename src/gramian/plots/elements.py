"""What a map shows: rows or variables, their quality, and which of them are drawn and named."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import numpy as np
import pandas as pd

from gramian._core.array import to_numpy
from gramian._core.check import is_label, is_list, is_number, is_whole, one_of, short
from gramian._core.frames import is_dask, is_scan
from gramian._core.numbers import as_array
from gramian._core.types import TableLike
from gramian._estimators.fit import n_axes
from gramian._estimators.readings import Reading
from gramian.errors import InputError, InputTypeError
from gramian.plots.style import clean

_SCAN_SAMPLE = 2_000  # rows of a scan that are drawn
_PARTS = ("coordinates", "cos2", "contribution", "by_axis", "quality", "trust")
_MAX_ALL_LABELS = 40  # so many labels are all shown
_N_BEST_LABELS = 12  # of more, these


# Which elements are named: "auto", a flag, a number or their labels.
LabelChoice: TypeAlias = bool | int | str | Sequence[Hashable] | None
Ranking: TypeAlias = Literal["contribution", "cos2"]  # what makes an element one of the best
# Which elements are drawn in full: a number, a threshold, labels or a mask.
Selection: TypeAlias = float | str | Sequence[Hashable] | np.ndarray | None


@dataclass(frozen=True, eq=False)
class Elements:
    """Individuals or variables on a few axes."""

    index: pd.Index
    coordinates: np.ndarray  # (n, k)
    cos2: np.ndarray | None = None  # quality on the axes shown, (n,)
    contribution: np.ndarray | None = None  # to the inertia of the axes shown, (n,)
    by_axis: np.ndarray | None = None  # contributions, where each axis is to count alike, (n, k)
    quality: np.ndarray | None = None  # on all axes of the fit, (n,)
    trust: np.ndarray | None = None  # in the places of rows among their neighbours, (n,)

    @property
    def labels(self) -> list[str]:
        """The names, as one line each."""
        return [clean(label) for label in self.index]

    @property
    def has_names(self) -> bool:
        """Whether the labels are more than the row numbers."""
        if isinstance(self.index, pd.RangeIndex):
            return False
        names, n = list(map(str, self.index)), len(self.index)
        return names not in (list(map(str, range(n))), list(map(str, range(1, n + 1))))

    def take(self, rows: np.ndarray) -> Elements:
        """Return some of the elements, chosen by a mask or by positions."""
        parts = {name: getattr(self, name) for name in _PARTS}
        some = {name: part[rows] for name, part in parts.items() if part is not None}
        return replace(self, index=self.index[rows], **some)

    def measure_of(self, name: str) -> np.ndarray:
        """Return a measure that is to be shown, or say that the method has none."""
        values = getattr(self, name)
        if values is None:
            raise InputError(f"color={name!r}: the method has none for these elements")
        return np.asarray(values, dtype=float)

    def measure(self, by: str) -> np.ndarray:
        """Return what elements are ranked by; those without contributions go by their cos²."""
        one_of(by, "by", ("contribution", "cos2"))
        values = self.contribution if by == "contribution" else self.cos2
        if values is None:
            values = self.cos2
        if values is None:
            values = (self.coordinates**2).sum(axis=1)
        return np.nan_to_num(values, nan=0.0)

    def ranking(self, by: str) -> np.ndarray:
        """Return the positions of the elements, the best first, ties in their order.

        Where each axis is to count alike, the best on each axis come first, then the second best:
        on a first axis much longer than the second one, the best of the plane would all be its own.
        """
        measure = self.measure(by)
        if by != "contribution" or self.by_axis is None:
            return np.argsort(-measure, kind="stable")
        share = np.nan_to_num(self.by_axis, nan=0.0)
        place = np.argsort(np.argsort(-share, axis=0, kind="stable"), axis=0, kind="stable")
        return np.lexsort((-measure, place.min(axis=1)))

    def details(self) -> dict[str, np.ndarray]:
        """Return what stands beside an element when one points at it."""
        measures = {"cos²": self.cos2, "contribution": self.contribution, "trust": self.trust}
        return {title: values for title, values in measures.items() if values is not None}


def require_kind(known: bool, value: Any, name: str, expected: str) -> None:
    """Raise unless an argument is of the kind that a plot draws."""
    if not known:
        raise InputTypeError(f"{name} must be {expected}, got {type(value).__name__}")


def check_axes(fitted: Reading, axes: Sequence[int], count: int | None = None) -> tuple[int, ...]:
    """Return the axes as integers, or say which of them the fit does not have."""
    q = n_axes(fitted)
    if q is None:
        raise InputTypeError(
            f"fitted must be a fitted estimator, got {type(fitted).__name__}: call fit first"
        )
    if not is_list(axes) or len(axes) != (count or len(axes) or 1):
        raise InputError(f"axes={short(axes)} must name {count or 'some'} axes")
    axes = tuple(axes)
    for k in axes:
        if not is_whole(k) or not 1 <= k <= q:
            remedy = "fit with a larger n_components" if q < max(2, count or 1) else "choose others"
            found = f"axes={short(axes)}: axis {short(k)}"
            raise InputError(f"{found} is not between 1 and {q}: {remedy}")
    return tuple(int(k) for k in axes)


def column_positions(columns: Any, names: list[Any] | None, p: int) -> list[int]:
    """Return the positions of columns, given by their positions or names."""
    if not is_list(columns) and not isinstance(columns, range):
        raise InputTypeError(f"columns={short(columns)} must be columns of X")
    positions = []
    for name in columns:
        k = names.index(name) if names is not None and is_label(name) and name in names else name
        if not is_whole(k) or not 0 <= k < p:
            raise InputError(f"columns: {short(name)} is not one of the {p} columns of X")
        positions.append(int(k))
    return positions


def axis_title(fitted: Reading, axis: int) -> str:
    """Return "Axis 1 (47.7 %)", without the share where the method has none."""
    ratio = fitted.axis_shares
    if ratio is None:
        return f"Axis {axis}"
    of = " of the map" if fitted.is_map else ""  # shares of its own variance, not of the inertia
    return f"Axis {axis} ({100 * ratio[axis - 1]:.1f} %{of})"


def individuals_of(fitted: Any, axes: Sequence[int], X: Any = None) -> Elements:
    """Return the rows that were fitted, or new rows X (of a scan a random sample), on the axes."""
    if is_dask(X):
        raise InputTypeError(
            f"X is a dask {type(X).__name__}, whose rows are not in memory: give some of them, "
            "X[::100].compute() of an array or X.sample(frac=0.01).compute() of a DataFrame"
        )
    if is_scan(X):
        from gramian._core.chunked.blocks import Place
        from gramian.io.scan_table import LEAVE_OUT, REMEDY

        with Place(f"a sample of {X.name}", 0, REMEDY, LEAVE_OUT):
            return individuals_of(fitted, axes, X.sample(_SCAN_SAMPLE))
    # A block of a precomputed kernel does not hold k(x, x), without which there is no cos².
    bare = X is not None and str(getattr(fitted, "kernel", "")) == "precomputed"
    if hasattr(fitted, "individuals") and not bare:
        return elements_of(
            fitted, fitted.individuals() if X is None else fitted.individuals(X), axes
        )
    Z = to_numpy(fitted.coordinates_ if X is None else fitted.transform(X))
    index = getattr(X, "index", None)
    labels = index if isinstance(index, pd.Index) else pd.RangeIndex(len(Z))
    return Elements(labels, Z[:, [k - 1 for k in axes]])


def variables_of(
    fitted: Reading,
    axes: Sequence[int],
    table: TableLike | None = None,
    measure: str = "coordinate",
) -> Elements:
    """Return the variables of the fit, or the numeric columns of a table, on the axes."""
    readings = fitted.variables() if table is None else fitted.variables(table)
    shown = np.asarray(readings[measure][list(axes)].notna().to_numpy().all(axis=1))
    readings = readings.loc[shown]  # categories have no correlation
    elements = elements_of(fitted, readings, axes, measure)
    if elements.contribution is None:
        return elements
    return replace(elements, by_axis=readings["contribution"][list(axes)].to_numpy())


def elements_of(
    fitted: Reading, table: pd.DataFrame, axes: Sequence[int], measure: str = "coordinate"
) -> Elements:
    """Return one row per element, with quality and contribution of the axes taken together."""
    measures = set(table.columns.get_level_values(0))
    axes = list(axes)
    cos2 = contribution = quality = None
    if "cos2" in measures:
        cos2 = table["cos2"][axes].to_numpy().sum(axis=1)
        quality = table["cos2"].to_numpy().sum(axis=1)
    if "contribution" in measures:
        inertia = np.abs(np.asarray(fitted.eigenvalues_)[[k - 1 for k in axes]])
        contribution = table["contribution"][axes].to_numpy() @ (inertia / inertia.sum())
    at = table[measure][axes].to_numpy()
    return Elements(table.index, at, cos2, contribution, quality=quality)


def selection_mask(elements: Elements, select: Any, by: str) -> np.ndarray:
    """Return which are selected, (n,) bool: so many, above a threshold, labels or a mask."""
    n = len(elements.index)
    if select is None:
        return np.ones(n, dtype=bool)
    if is_number(select):
        if is_whole(select) and int(select) >= 1:
            return np.isin(np.arange(n), elements.ranking(by)[: int(select)])
        if 0.0 < float(select) < 1.0:
            return elements.measure(by) >= float(select)
        raise InputError(f"select={short(select)} must be a whole number ≥ 1 or a share in (0, 1)")
    if not isinstance(select, str) and not is_list(select):
        raise InputTypeError(f"select={short(select)} must be a number, labels or a mask")
    picked = np.array([select]) if isinstance(select, str) else as_array(select, "select")
    if picked.dtype == bool and picked.shape == (n,):
        return picked
    return _by_label(elements.index, list(picked), "select")


def positions_to_name(elements: Elements, labels: Any, by: str, among: np.ndarray) -> np.ndarray:
    """Return the positions of the elements that `labels` names, most important first."""
    ranked = elements.ranking(by)
    ranked = ranked[among[ranked]]
    if labels is None or labels is False:
        return ranked[:0]
    if labels is True:
        return ranked
    if isinstance(labels, str):
        if labels != "auto":
            raise InputError(f'labels={short(labels)} must be "auto", a flag, a number or labels')
        if not elements.has_names:
            return ranked[:0]  # numbers of rows say nothing
        return ranked if len(ranked) <= _MAX_ALL_LABELS else ranked[:_N_BEST_LABELS]
    if is_whole(labels):
        return ranked[: max(int(labels), 0)]
    if not is_list(labels):
        raise InputTypeError(f"labels={short(labels)} must be a number or a list of labels")
    mask = _by_label(elements.index, list(labels), "labels")
    return ranked[mask[ranked]]


def _by_label(index: pd.Index, labels: list[Any], name: str) -> np.ndarray:
    unknown = [k for k in labels if not is_label(k) or k not in index]
    if unknown:
        raise InputError(
            f"{name} has {str(unknown[0])[:40]!r}, which is not one of the labels "
            f"(the first is {str(index[0])[:40]!r})"
        )
    return np.asarray(index.isin(labels))
