"""Gower's distance between rows whose columns are numbers and categories."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

import narwhals as nw
import numpy as np
import pandas as pd

from gramian._core.array import Array, is_sparse
from gramian._core.check import expect, is_label
from gramian._core.frames import collect, is_frame, refuse_same_names
from gramian._core.numbers import are_exact, cells, refuse_rounding
from gramian._core.types import TableLike
from gramian.errors import InputError, InputTypeError


@dataclass(frozen=True)
class _Column:
    """How a column is read: numbers, or categories with their codes (ranks, if ordered)."""

    codes: dict[Hashable, int] | None = None
    ordered: bool = False
    span: Annotated[float, "> 0"] = 1.0

    def check(self) -> None:
        """Refuse codes that are not 0, 1, …."""
        codes = [] if self.codes is None else sorted(self.codes.values())
        expect(codes == list(range(len(codes))), "codes from 0 on")

    def encode(self, values: pd.Series) -> np.ndarray:
        """Return numbers or codes, NaN where a value is missing."""
        if self.codes is None:
            return _numbers(values)
        numbers = values.astype(object).map(self.codes).to_numpy(float)
        unseen = np.isnan(numbers) & values.notna().to_numpy()
        if self.ordered and unseen.any():
            new = values.iloc[int(np.flatnonzero(unseen)[0])]
            raise InputError(f"X, column {values.name!r}: {new!r} has no rank among those seen")
        return np.where(unseen, -1.0, numbers)  # unlike every category seen before

    def differences(self, a: np.ndarray, b: np.ndarray) -> np.ndarray:
        """Return differences between 0 and 1, (m, n)."""
        if self.codes is None or self.ordered:
            with np.errstate(over="ignore"):  # new rows may lie anywhere
                return np.asarray(np.abs(a[:, None] - b[None, :]) / self.span)
        return np.asarray((a[:, None] != b[None, :]).astype(float))


@dataclass(frozen=True, repr=False)
class Gower:
    """Gower's distance, with the ranges and categories of the rows it was made from.

    The distance is the mean, over the columns known for both rows, of |x − y|/range for numbers
    and of 0 (same) or 1 (different) for categories. Ordered categories count as ranks.
    """

    columns: list[_Column]

    def __repr__(self) -> str:
        return f"Gower({len(self.columns)} columns, {int(self.is_category.sum())} of categories)"

    @classmethod
    def of(cls, X: TableLike) -> tuple[Gower, np.ndarray]:
        """Return the distance for the rows of X and the rows as codes, (n, p), NaN for missing."""
        columns, rows = [], []
        for values in _series(X):
            column = _read_column(values)
            codes = column.encode(values)
            known = codes[~np.isnan(codes)]
            with np.errstate(over="ignore"):
                span = float(np.ptp(known)) if known.size else 0.0
            if span == np.inf:
                raise InputError(
                    f"X, column {values.name!r}: its range overflows: divide the column by 16"
                )
            columns.append(replace(column, span=span if span > 0 else 1.0))
            rows.append(codes)
        return cls(columns), np.column_stack(rows)

    @property
    def is_category(self) -> np.ndarray:
        """Which columns hold categories, (p,)."""
        return np.array([column.codes is not None for column in self.columns])

    @property
    def spans(self) -> np.ndarray:
        """The range of each number and of ordered ranks, 0 for other categories, (p,)."""
        plain = [column.codes is not None and not column.ordered for column in self.columns]
        return np.where(plain, 0.0, [column.span for column in self.columns])

    def of_columns(self, columns: slice | Sequence[int]) -> tuple[Gower, list[int]]:
        """Return the same of some columns, given by positions or a slice, and their positions."""
        places = np.arange(len(self.columns))[columns].tolist()
        return Gower([self.columns[k] for k in places]), places

    def encode(self, X: TableLike) -> np.ndarray:
        """Return new rows as codes, (m, p); a new category is unlike all others."""
        series = _series(X)
        if len(series) != len(self.columns):
            raise InputError(
                f"X has {len(series)} features, but Gower's distance was made from "
                f"{len(self.columns)}: give the same columns"
            )
        pairs = zip(self.columns, series, strict=True)
        return np.column_stack([column.encode(values) for column, values in pairs])

    def between(self, A: np.ndarray, B: np.ndarray) -> np.ndarray:
        """Return the distances between rows given as codes, (m, n)."""
        total, known = np.zeros((len(A), len(B))), np.zeros((len(A), len(B)))
        for k, column in enumerate(self.columns):
            a, b = A[:, k], B[:, k]
            there = ~np.isnan(a)[:, None] & ~np.isnan(b)[None, :]
            total += np.where(there, column.differences(a, b), 0.0)
            known += there
        if not known.all():
            i, j = (int(k[0]) for k in np.nonzero(known == 0))
            raise InputError(
                f"X: rows {i} and {j} have no column known for both, so that they have no "
                "Gower distance: fill in values or drop one of the rows"
            )
        return total / known


def reader_of(X: TableLike) -> Gower | None:
    """Return how a table that holds categories is read, None for one of numbers."""
    rows: Array = collect(X)
    texts = isinstance(rows, np.ndarray) and rows.dtype.kind in "OUS"
    if not (is_frame(rows) or texts or isinstance(rows, list | tuple)):
        return None
    if isinstance(rows, list | tuple) and np.asarray(rows, dtype=object).ndim != 2:
        return None  # no table: validation refuses it
    if all(_read_column(values).codes is None for values in _series(rows)):
        return None
    return Gower.of(rows)[0]


def _series(X: TableLike) -> list[pd.Series]:
    """Return the columns as pandas series, whatever the table."""
    rows: Array = collect(X)
    if is_frame(rows):
        refuse_same_names(rows, "X")
        # Numbers kept as objects are numbers.
        frame = nw.from_native(rows, eager_only=True).to_pandas().infer_objects()
    else:
        if is_sparse(rows):
            raise InputError("X is sparse, which Gower's distance does not take: use X.toarray()")
        values = cells(rows, "X")
        if values.ndim != 2:
            raise InputError(
                f"Expected 2D array for X, got {values.ndim}D array instead. Reshape your data: "
                "X.reshape(-1, 1) for one column, X.reshape(1, -1) for one row"
            )
        frame = pd.DataFrame(values).infer_objects()
    if 0 in frame.shape:
        raise InputError(f"X has shape {frame.shape}: at least one row and one column are required")
    return [frame.iloc[:, k] for k in range(frame.shape[1])]


def _read_column(values: pd.Series) -> _Column:
    """Return how a column is read, from its type."""
    kind = values.dtype
    if isinstance(kind, pd.CategoricalDtype):
        return _Column({c: k for k, c in enumerate(kind.categories)}, bool(kind.ordered))
    if pd.api.types.is_datetime64_any_dtype(kind) or pd.api.types.is_complex_dtype(kind):
        raise InputTypeError(
            f"X, column {values.name!r} holds {kind}: convert it to real numbers (days since the "
            "first, for instance)"
        )
    if pd.api.types.is_numeric_dtype(kind) and not pd.api.types.is_bool_dtype(kind):
        return _Column()
    if are_exact(values.dropna()):
        return _Column()
    return _Column({c: k for k, c in enumerate(_categories(values))})


def _categories(values: pd.Series) -> list[Hashable]:
    """Return what a column of texts or other labels holds, in an order that repeats."""
    known = values.dropna()
    for row, value in known.items():
        if not is_label(value):
            raise InputTypeError(
                f"X has {type(value).__name__} at row {row!r}, column {values.name!r}: give "
                "numbers, texts or other labels"
            )
    return sorted(known.unique(), key=str)


def _numbers(values: pd.Series) -> np.ndarray:
    """Return a column of numbers, NaN for missing ones."""
    if isinstance(values.dtype, np.dtype):
        refuse_rounding(values.to_numpy(), f"X, column {values.name!r}")
    try:
        numbers = values.to_numpy(dtype=float, na_value=np.nan)
    except (TypeError, ValueError) as error:
        raise InputTypeError(
            f"X, column {values.name!r} held numbers and now holds {values.dtype}"
        ) from error
    if np.isinf(numbers).any():
        row = int(np.flatnonzero(np.isinf(numbers))[0])
        raise InputError(f"X contains inf at row {row}, column {values.name!r}: drop or fill it")
    return numbers
