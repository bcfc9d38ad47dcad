"""Tables of numbers and categories as one table of numbers: categories become indicator columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from gramian._core.array import Array, is_sparse
from gramian._core.check import expect, is_label, short, warn
from gramian._core.frames import collect, is_frame, refuse_same_names
from gramian._core.numbers import cells
from gramian._core.sparse import column_counts
from gramian._core.table import Table, check_size, table
from gramian._core.types import TableLike
from gramian._reading.columns import Factor, Numeric, frame_of, variables_of
from gramian.errors import InputError, InputTypeError, UnknownLevelWarning

MISSING = "NA"  # the level of rows without an answer


@dataclass(frozen=True)
class Variable:
    """One column of a table: numbers, or categories with their levels."""

    name: Any  # label of the column
    levels: tuple[Any, ...] | None = None  # None for numbers
    has_holes: bool = False  # whether the last level stands for missing values
    passive: tuple[Any, ...] = ()  # levels that were seen and have no column of their own

    def check(self) -> None:
        levels = () if self.levels is None else self.levels
        expect(all(map(is_label, (self.name, *levels))), "labels")
        expect(len(set(levels)) == len(levels), "levels that differ")
        expect(self.levels is None or len(levels) > 0, "at least one level")

    @property
    def width(self) -> int:
        """How many columns of numbers the variable becomes."""
        return 1 if self.levels is None else len(self.levels)

    @classmethod
    def of(cls, column: Numeric | Factor, passive: Sequence[Any] = ()) -> Variable:
        if isinstance(column, Numeric):
            return cls(column.name)
        levels = tuple(label for label in column.labels if label not in passive)
        if MISSING in passive or not (column.codes < 0).any():
            return cls(column.name, levels, passive=tuple(passive))
        levels = (*levels, f"{MISSING} (missing)" if MISSING in levels else MISSING)
        return cls(column.name, levels, has_holes=True, passive=tuple(passive))

    def codes(self, factor: Factor) -> np.ndarray:
        """Return the positions of a column's values among the levels, −1 for those of no level."""
        assert self.levels is not None
        known = self.levels[:-1] if self.has_holes else self.levels
        hole = len(known) if self.has_holes else -1
        places = np.append(pd.Index(known).get_indexer(factor.labels), hole)
        return places[factor.codes]


@dataclass(frozen=True)
class Coding:
    """How the columns of a table become columns of numbers: an indicator for every known level."""

    variables: tuple[Variable, ...]

    def check(self) -> None:
        names = self.names
        expect(0 < len(names) == len(set(names)), "variables of different names")

    @classmethod
    def of(cls, columns: Sequence[Numeric | Factor]) -> Coding:
        return cls(tuple(Variable.of(column) for column in columns))

    @property
    def starts(self) -> np.ndarray:
        """The first column of numbers of each variable, and their number, (K + 1,)."""
        return np.concatenate([[0], np.cumsum([v.width for v in self.variables])]).astype(int)

    @property
    def owner(self) -> np.ndarray:
        """The position of the variable of each column of numbers, (J,)."""
        return np.repeat(np.arange(len(self.variables)), np.diff(self.starts))

    @property
    def is_level(self) -> np.ndarray:
        """Which columns of numbers are indicators, (J,)."""
        return np.array([v.levels is not None for v in self.variables])[self.owner]

    @property
    def labels(self) -> list[Any]:
        """The names of the columns of numbers: "age", "sex=f", "sex=m"."""
        return [
            v.name if v.levels is None else f"{v.name}={level}"
            for v in self.variables
            for level in ((None,) if v.levels is None else v.levels)
        ]

    @property
    def names(self) -> list[Any]:
        return [variable.name for variable in self.variables]

    @property
    def levels(self) -> pd.MultiIndex:
        """The levels of all variables, (variable, category), in the order of their columns."""
        pairs = [(v.name, level) for v in self.variables for level in v.levels or ()]
        return pd.MultiIndex.from_tuples(pairs, names=["variable", "category"])

    def encode(self, columns: Sequence[Numeric | Factor]) -> Array:
        """Return the columns of numbers, (n, J): a CSR matrix where all are indicators."""
        pairs = list(zip(self.variables, columns, strict=True))
        for variable, column in pairs:
            if (variable.levels is None) != isinstance(column, Numeric):
                was, now = ("numbers", "categories")[:: 1 if variable.levels is None else -1]
                raise InputError(
                    f"X, column {variable.name!r} held {was} in the fit and now holds {now}: give "
                    "columns of the same kind"
                )
        coded = [c.values if isinstance(c, Numeric) else v.codes(c) for v, c in pairs]
        for (variable, column), codes in zip(pairs, coded, strict=True):
            if isinstance(column, Factor):
                _warn_of_unknown(variable, column, codes)
        return self.stack(coded)

    def stack(self, coded: Sequence[np.ndarray]) -> Array:
        """Return the columns of numbers of variables given as numbers or as codes, (n,) each."""
        if self.is_level.all():
            return _indicators(coded, self.starts)
        values = np.zeros((len(coded[0]), self.starts[-1]))
        for start, variable, column in zip(self.starts, self.variables, coded, strict=False):
            if variable.levels is None:
                values[:, start] = column
            else:
                rows = np.flatnonzero(column >= 0)
                values[rows, start + column[rows].astype(int)] = 1.0
        return values

    def numbers(self, values: Array) -> list[Numeric]:
        """Return the numbers back from the columns of numbers."""
        return [
            Numeric(variable.name, np.asarray(values[:, start]))
            for start, variable in zip(self.starts, self.variables, strict=False)
            if variable.levels is None
        ]

    def factors(self, values: Array) -> list[Factor]:
        """Return the categories back from the columns of numbers."""
        starts, K = self.starts, len(self.variables)
        whole = is_sparse(values) and values.nnz == values.shape[0] * K
        places = values.indices.reshape(-1, K) if whole else None  # one level for each variable
        factors = []
        for k, variable in enumerate(self.variables):
            if variable.levels is not None:
                if places is not None:
                    code = places[:, k] - starts[k]
                else:
                    block = values[:, starts[k] : starts[k + 1]]
                    code = np.asarray(block @ np.arange(1.0, variable.width + 1.0)).astype(int) - 1
                factors.append(Factor(variable.name, code, pd.Index(variable.levels, dtype=object)))
        return factors

    def max_axes(self, values: Array) -> int:
        """Return how many axes rows coded so can have: a variable of k levels has k − 1."""
        if is_sparse(values):
            there = column_counts(values) > 0
        else:
            there = (values != values[0]).any(axis=0) | self.is_level
            there[self.is_level] = values[:, self.is_level].any(axis=0)
        per = np.bincount(self.owner, weights=there, minlength=len(self.variables)).astype(int)
        free = np.array([v.levels is not None and not v.passive for v in self.variables])
        return int(np.maximum(per - free.astype(int), 0).sum())


def _warn_of_unknown(variable: Variable, factor: Factor, codes: np.ndarray) -> None:
    """Warn of a value that is no level of the fit."""
    quiet = np.append(factor.labels.isin(variable.passive), MISSING in variable.passive)
    lost = np.flatnonzero((codes < 0) & ~quiet[factor.codes])
    if lost.size:
        first = factor.codes[lost[0]]
        value = "no value" if first < 0 else repr(factor.labels[first])
        warn(
            f"X, column {variable.name!r}: {value}, which no row of the fit has: it says nothing "
            "about where its rows lie, the other columns alone place them",
            UnknownLevelWarning,
        )


def _indicators(codes: Sequence[np.ndarray], starts: np.ndarray) -> sparse.csr_array:
    """Return a CSR matrix with a 1 for each row and variable, where the row has a level."""
    shape = (len(codes[0]), int(starts[-1]))
    places = np.empty((shape[0], len(codes)), dtype=np.int32)
    for k, code in enumerate(codes):
        places[:, k] = code + starts[k]
        places[code < 0, k] = -1
    if places.min(initial=0) >= 0:
        indices = places.ravel()
        indptr = np.arange(0, len(indices) + 1, len(codes), dtype=np.int32)
    else:
        known = places >= 0
        indices = places[known]
        indptr = np.concatenate([[0], np.cumsum(known.sum(axis=1))]).astype(np.int32)
    return sparse.csr_array((np.ones(len(indices)), indices, indptr), shape=shape)


def variables_and_index(
    X: TableLike, name: str = "X", *, min_rows: int = 2
) -> tuple[list[Numeric | Factor], pd.Index | None]:
    """Return the columns of a table of numbers and categories, and its row labels."""
    X = collect(X)
    if is_sparse(X):
        raise InputTypeError(
            f"{name} is a sparse matrix, whose columns are numbers: give a data frame with "
            "categories, or use gm.CA for sparse counts"
        )
    refuse_same_names(X, name)
    is_native = is_frame(X) or isinstance(X, Mapping)
    native = frame_of(X, name) if is_native or has_text(X, name) else None
    if native is None:
        numbers = table(X, name, min_rows=min_rows, allow_sparse=False).values
        native = pd.DataFrame(np.asarray(numbers)).add_prefix("x")
    check_size(native, name, min_rows)
    index = getattr(X, "index", None) if is_frame(X) else None
    return variables_of(native, name, empty=min_rows == 1), index  # new rows may be empty


def has_text(X: object, name: str = "X") -> bool:
    """Whether an array, or lists of rows, are a table with texts among their cells."""
    if not isinstance(X, np.ndarray | list | tuple):
        return False
    values = cells(X, name)
    if values.ndim != 2 or values.dtype.kind not in "OUS":
        return False
    return values.dtype.kind != "O" or any(isinstance(value, str | bytes) for value in values.flat)


def encode_table(
    columns: Sequence[Numeric | Factor], index: pd.Index | None, coding: Coding
) -> Table:
    for column in columns:
        if isinstance(column, Numeric) and np.isnan(column.values).any():
            row = int(np.flatnonzero(np.isnan(column.values))[0])
            where = row if index is None else index[row]
            raise InputError(
                f"X has a missing value (NaN) at row {short(where)}, column {column.name!r}: fill "
                "it first (gm.missing.impute), or drop it"
            )
    return Table(coding.encode(columns), index, coding.labels, coding)
