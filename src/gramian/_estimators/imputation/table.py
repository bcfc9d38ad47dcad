"""Tables with missing values as numbers and back: only what is missing changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd

from gramian._core.array import is_sparse, to_numpy
from gramian._core.check import short, warn
from gramian._core.frames import collect, is_frame, refuse_same_names
from gramian._core.table import table
from gramian._core.types import TableLike
from gramian._reading.coding import Coding, Variable, has_text, variables_and_index
from gramian._reading.columns import Factor, Numeric, frame_of
from gramian.distances.square import fill_gaps
from gramian.errors import InputError, NearlyEmptyWarning

_MIN_ROW_SHARE = 0.2  # share of the columns below which a row is nearly empty
_MIN_COLUMN_SHARE = 0.1  # share of the rows below which a column is nearly empty


@dataclass(frozen=True, eq=False)
class Coded:
    """A table with missing values: what it was given as, and its columns of numbers, or levels."""

    source: Any
    values: np.ndarray  # (n, p), NaN where missing
    coding: Coding
    index: Any = None  # row labels, or None
    named: bool = True  # whether the columns came with names

    @property
    def holes(self) -> np.ndarray:
        """Which cells are missing, (n, p)."""
        return np.isnan(self.values)

    @property
    def cells(self) -> np.ndarray:
        """Which values of the variables are missing, (n, K)."""
        return self.holes[:, self.coding.starts[:-1]]

    @property
    def question(self) -> np.ndarray:
        """Which variable of categories each column belongs to, −1 for numbers, (p,)."""
        levels = np.array([v.levels is not None for v in self.coding.variables])
        return np.where(levels, np.cumsum(levels) - 1, -1)[self.coding.owner]

    @property
    def row_labels(self) -> pd.Index:
        """The labels of the rows, or 0, 1, …."""
        return pd.RangeIndex(len(self.values)) if self.index is None else pd.Index(self.index)

    def frame(self, values: np.ndarray) -> pd.DataFrame:
        """Return numbers under the labels of the coded columns."""
        return pd.DataFrame(values, index=self.row_labels, columns=self.coding.labels)

    def table(self, values: np.ndarray) -> Any:
        """Return the table as it was given, completed; by the likeliest levels of categories."""
        columns = {}
        for k in np.flatnonzero(self.cells.any(axis=0)):
            variable = self.coding.variables[k]
            block = values[:, self.coding.starts[k] : self.coding.starts[k + 1]]
            if variable.levels is None:
                columns[int(k)] = block[:, 0]
            else:
                levels = np.array([*variable.levels, None], dtype=object)[:-1]
                columns[int(k)] = levels[block.argmax(axis=1)]
        return _put(self.source, columns, self.cells, values)

    def like(self, X: TableLike) -> Coded:
        """Return new rows coded by the columns of this table."""
        new = encode(X, min_rows=1, coding=self.coding)
        if new.named and self.named and new.coding.names != self.coding.names:
            wrong = next(
                a for a, b in zip(new.coding.names, self.coding.names, strict=True) if a != b
            )
            raise InputError(
                f"X has a column {short(wrong)} where the table has another: give its columns, in "
                "their order"
            )
        return new


def encode(
    X: TableLike, name: str = "X", *, min_rows: int = 2, coding: Coding | None = None
) -> Coded:
    """Return a table whose missing values (NaN, None, masked) are NaN; infinity is an error."""
    by_name = isinstance(X, Mapping) and not is_sparse(X)  # a DOK matrix is both
    X = frame_of(X, name) if by_name else collect(X)
    if _is_numeric(X) and not (coding is not None and coding.is_level.any()):
        return _numbers(X, name, min_rows, coding)
    columns, index = variables_and_index(X, name, min_rows=min_rows)
    if coding is not None and len(columns) == len(coding.variables):
        columns = [_of_kind(c, v) for c, v in zip(columns, coding.variables, strict=True)]
    own = Coding(
        tuple(
            Variable(c.name, None if isinstance(c, Numeric) else tuple(c.labels)) for c in columns
        )
    )
    coding = _same_kinds(own, coding)
    blocks = [_block(v, c) for v, c in zip(coding.variables, columns, strict=True)]
    return Coded(X, np.concatenate(blocks, axis=1), coding, index, is_frame(X))


def _of_kind(column: Numeric | Factor, variable: Variable) -> Numeric | Factor:
    """Return a column; one of new rows without any value is of the kind that it was."""
    if isinstance(column, Numeric) and variable.levels is not None:
        gone = np.isnan(column.values)
        empty = Factor(column.name, np.full(len(gone), -1), pd.Index([], dtype=object))
        return empty if gone.all() else column
    if isinstance(column, Factor) and variable.levels is None and (column.codes < 0).all():
        return Numeric(column.name, np.full(len(column.codes), np.nan))
    return column


def _numbers(X: TableLike, name: str, min_rows: int, coding: Coding | None) -> Coded:
    """Return a table of numbers alone."""
    numbers, gaps = fill_gaps(X)
    rows = table(numbers, name, min_rows=min_rows, allow_sparse=False)
    values = np.array(to_numpy(rows.values), dtype=np.float64)
    if gaps is not None:
        values[gaps] = np.nan
    named = rows.columns is not None
    names: Any = rows.columns if named else [f"x{j}" for j in range(values.shape[1])]
    own = Coding(tuple(Variable(name) for name in names))
    _same_kinds(own, coding)
    return Coded(X, values, own, rows.index, named)


def _is_numeric(X: Any) -> bool:
    """Whether a table is one of numbers alone, some of them missing or not."""
    if is_frame(X):
        refuse_same_names(X, "X")
        kinds = nw.from_native(X, eager_only=True).schema.values()
        return all(kind.is_numeric() for kind in kinds)
    return not has_text(X)


def _same_kinds(own: Coding, coding: Coding | None) -> Coding:
    """Return the coding to use; refuse new rows of other columns."""
    if coding is None:
        return own
    if len(own.variables) != len(coding.variables):
        raise InputError(
            f"X has {len(own.variables)} columns, but the table that was completed has "
            f"{len(coding.variables)}: give the same columns"
        )
    for new, old in zip(own.variables, coding.variables, strict=True):
        if (new.levels is None) != (old.levels is None):
            kind = "numbers" if old.levels is None else "categories"
            raise InputError(f"X, column {short(new.name)} must hold {kind}, as the table does")
    return coding


def _block(variable: Variable, column: Numeric | Factor) -> np.ndarray:
    """Return a variable as columns of numbers, NaN where it is missing, (n, width)."""
    if isinstance(column, Numeric):
        return column.values[:, None]
    codes = variable.codes(column)
    missing = column.codes < 0
    strange = (codes < 0) & ~missing
    if strange.any():
        level = column.labels[column.codes[int(np.argmax(strange))]]
        raise InputError(
            f"X, column {short(variable.name)} has {short(level)}, which no row of the table has: "
            "leave it empty, to be filled in"
        )
    block = (codes[:, None] == np.arange(variable.width)).astype(float)
    block[missing] = np.nan
    return block


def has_holes(X: TableLike) -> bool:
    """Whether a table of numbers has missing values.

    >>> has_holes(np.eye(2)), has_holes([[1.0, np.nan]])
    (False, True)
    """
    return fill_gaps(X)[1] is not None


def _put(source: Any, columns: dict[int, np.ndarray], cells: np.ndarray, values: np.ndarray) -> Any:
    """Return a table like `source` with missing cells filled; others are as they were."""
    if isinstance(source, pd.DataFrame) or not is_frame(source):
        frame = isinstance(source, pd.DataFrame)
        out: Any = source.copy() if frame else _array(source, values)
        for k, column in columns.items():
            if frame:
                out.isetitem(k, _series(source.iloc[:, k], column, cells[:, k]))
            else:
                out[cells[:, k], k] = column[cells[:, k]]
        return out
    frame = nw.from_native(source, eager_only=True)
    new = []
    for k, column in columns.items():
        name, backend = frame.columns[k], frame.implementation
        if column.dtype == object:
            old = frame[name].to_list()
            filled = [column[i] if cells[i, k] else old[i] for i in range(len(old))]
            new.append(nw.new_series(name, filled, frame.schema[name], backend=backend))
        else:
            new.append(nw.new_series(name, column, backend=backend))
    return (frame.with_columns(*new) if new else frame).to_native()


def _series(old: pd.Series, column: np.ndarray, holes: np.ndarray) -> pd.Series:
    """Return a column of pandas with its missing values filled."""
    if column.dtype != object:
        return pd.Series(column, index=old.index)
    # Categories of new rows that are all missing came as numbers.
    new = old.astype(object) if pd.api.types.is_numeric_dtype(old.dtype) else old.copy()
    new.iloc[np.flatnonzero(holes)] = column[holes]
    return new


def _array(source: TableLike, values: np.ndarray) -> np.ndarray:
    """Return a new array: of numbers, or of whatever the table holds."""
    if has_text(source):
        return np.array(source, dtype=object)
    single = getattr(source, "dtype", None) in (np.float32, np.float16)
    return values.astype(np.float32) if single else values.copy()


def check_not_empty(data: Coded) -> None:
    """Refuse rows and columns without a value, by name."""
    for what, empty, labels in (
        ("row", data.cells.all(axis=1), data.row_labels),
        ("column", data.cells.all(axis=0), data.coding.names),
    ):
        if empty.any():
            named = _name_list(what, np.asarray(empty), labels)
            raise InputError(f"X has no value in {named}: drop it first")


def warn_of_nearly_empty(data: Coded) -> None:
    """Say which rows and columns know too little for what is filled in to mean much."""
    known = ~data.cells
    n, p = known.shape
    of_rows, of_columns = known.sum(axis=1), known.sum(axis=0)
    rows = (of_rows < p - 1) & (of_rows < max(2.0, _MIN_ROW_SHARE * p))
    columns = (of_columns < n - 1) & (of_columns < max(3.0, _MIN_COLUMN_SHARE * n))
    for what, bare, labels, size in (
        ("row", rows, data.row_labels, of_rows),
        ("column", columns, data.coding.names, of_columns),
    ):
        if bare.any():
            few = int(size[bare].max())
            warn(
                f"{_name_list(what, bare, labels)} of X: no more than {few} known values each; "
                f"what is filled in there rests on the other {what}s almost only: leave them out, "
                "or read them with care",
                NearlyEmptyWarning,
            )


def _name_list(what: str, mask: np.ndarray, labels: Sequence[Any] | pd.Index) -> str:
    """Write a few names, and how many more there are."""
    names = [repr(labels[k])[:40] for k in np.flatnonzero(mask)[:5]]
    count = int(mask.sum())
    more = f" and {count - len(names)} more" if count > len(names) else ""
    return f"{what}{'s' if count > 1 else ''} {', '.join(names)}{more}"
