"""The rows of a fit, as they were read."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
import pandas as pd

from gramian._core.array import (
    Array,
    Values,
    as_library_of,
    is_array,
    is_finite,
    is_numpy,
    is_sparse,
    namespace,
    take,
)
from gramian._core.check import expect
from gramian._core.operators.gram import Gram
from gramian._core.operators.variants import SelectedGram
from gramian._core.parallel import even_blocks, parallel_map
from gramian._core.table import Table
from gramian.distances.mixed import Gower
from gramian.errors import InputError
from gramian.kernels.blocks import Blocks
from gramian.kernels.objects import Objects

CHANGED_IN_PLACE = "X: the training rows have changed since the fit, in place: fit again, on a copy"
NOT_STORED = (
    "X is missing: the estimator was fitted on blocks of rows, which it does not keep: give some, "
    "such as sample = rows.sample(1000) of a scan, in fit.individuals(sample) or "
    "gm.plots.individuals(fit, X=sample), or fit it on one table"
)
MIN_LENT_SIZE = 1 << 20  # numbers of a table from which on a copy is dear
_MARK_BLOCK = 1 << 18  # numbers that are marked at a time
_ROW_FACTOR, _MIX_FACTOR = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9  # odd, bits like chance


@dataclass(frozen=True, eq=False, repr=False)
class Training:
    """The rows of a fit as they were read: values, labels, weights and what kind they are.

    Kinds are "table", rows of numbers; "square", kernel values or distances over the individuals
    themselves; "objects", things a kernel takes; "blocks", several of these; "gram", an operator;
    and "gone", rows that were read once and not kept.
    """

    kind: str
    table: Table | None
    n: Annotated[int, "n", ">= 1"]
    # Of sum 1, or None for equal ones; a row of weight 0 is supplementary.
    weights: Annotated[np.ndarray, "(n,)", ">= 0"] | None = None
    like: Array | None = None  # of the library and the precision that results are given back in
    mark: int | None = None  # of every number of a table that is large, and so is not copied

    def check(self) -> None:
        """Refuse rows that are not of the kind or number that is said, and weights of no sum."""
        if self.weights is not None:
            expect(abs(float(self.weights.sum()) - 1.0) < 1e-6, "weights of sum 1")
            expect(self.n_live >= 2, "two rows with a weight")
        expect(self.like is None or is_array(self.like), "an array for the precision of results")
        expect((self.kind == "gone") == (self.table is None), "rows, unless they are gone")
        if self.table is None:
            return
        values, names = self.table.values, self.columns
        expect(count(values) == self.n, f"{self.n} rows")
        expect(self.index is None or len(self.index) == self.n, f"{self.n} labels of rows")
        named = is_table(values) and values.shape[1] == len(names or ())
        expect(names is None or named, "a name for each column")
        kind = _kind(values)
        is_square = kind == "table" and values.shape[0] == values.shape[1]
        expect(self.kind == kind or (self.kind == "square" and is_square), f"rows of a {self.kind}")
        if self.kind == "table":
            expect(self.like is not None, "an array for the precision of results")
            expect(is_sparse(values) or "float" in str(values.dtype), "rows of numbers")
            known = is_finite(values.data if is_sparse(values) else values)
            expect(known or isinstance(self.reader, Gower), "rows that are known")  # he takes NaN

    @classmethod
    def of(
        cls,
        table: Table,
        weights: np.ndarray | None = None,
        *,
        source: object = None,
        like: Array | None = None,
        square: bool = False,
        lent: bool = False,
        coded: bool = False,
    ) -> Training:
        """Return the rows, copied, so that the caller may do with his array what he likes.

        Rows that were `coded` are no longer the caller's.

        A large table on which no answer rests but readings of it may be `lent`: it is known again
        by a mark of all its numbers, and refused once one has changed.
        """
        values = table.values
        kind, n = "square" if square else _kind(values), count(values)
        if lent and kind == "table" and n * values.shape[1] > MIN_LENT_SIZE and can_mark(values):
            return cls(kind, table, n, weights, like, fingerprint(values))
        own = table if coded else replace(table, values=copy_values(values, source))
        return cls(kind, own, n, weights, like)

    def __repr__(self) -> str:
        weights = "equal weights" if self.weights is None else f"{self.n_live} with a weight"
        return f"Training({self.kind}, {self.n} rows, {weights})"

    @property
    def rows(self) -> Values:
        """The values of all rows; they are refused where they were lent and have changed."""
        values = self.require().values
        if self.mark is not None and fingerprint(values) != self.mark:
            raise InputError(CHANGED_IN_PLACE)
        return values

    def require(self) -> Table:
        """Return the table as it is, not looked at again, or say that it was not kept."""
        if self.table is None:
            raise InputError(NOT_STORED)
        return self.table

    @property
    def live(self) -> np.ndarray | None:
        """Which rows have a weight, (n,), None for all."""
        p = self.weights
        return None if p is None or bool((p > 0).all()) else p > 0

    @property
    def n_live(self) -> int:
        """How many rows have a weight."""
        return self.n if self.live is None else int(self.live.sum())

    @property
    def index(self) -> pd.Index | None:
        """The row labels that were given, or None."""
        return None if self.table is None else self.table.index

    @property
    def labels(self) -> pd.Index:
        """The row labels: the user's, or 0, 1, …."""
        return pd.RangeIndex(self.n) if self.index is None else self.index

    @property
    def columns(self) -> list[Any] | None:
        """The names of the columns that were given, or None."""
        return None if self.table is None else self.table.columns

    @property
    def reader(self) -> Any:
        """What gives the values a meaning: the kernel meant, or Gower's codes."""
        return None if self.table is None else self.table.reader

    def active(self) -> tuple[Table, np.ndarray | None]:
        """Return the rows that have a weight and their weights."""
        values, live, p = self.rows, self.live, self.weights
        assert self.table is not None
        if live is None or p is None:
            return self.table, p
        index = None if self.index is None else self.index[live]
        values = self.to_model_columns(rows_at(values, live))
        return replace(self.table, values=values, index=index), p[live]

    def to_model_columns(self, X: Values) -> Values:
        """Return rows as the model takes them: of a square, the columns of rows with a weight."""
        if self.kind != "square" or self.live is None:
            return X
        return rows_at(X.T, self.live).T

    def to_training_library(self, X: Values) -> Values:
        """Return new rows in the library and on the device of the fit's own."""
        own = self.like if self.table is None else self.table.values
        if not is_array(X) or own is None or not (is_array(own) or is_sparse(own)):
            return X
        return as_library_of(X, own)

    def as_model_input(self, X: Values) -> Values:
        """Return new rows as the model takes them, in the library of the fit's own."""
        return self.to_model_columns(self.to_training_library(X))

    @property
    def rest(self) -> Values:
        """The rows without a weight, as the model takes them."""
        return None if self.live is None else self.to_model_columns(rows_at(self.rows, ~self.live))


def count(X: Values) -> int:
    """Return the number of rows or objects."""
    if type(X) is not np.ndarray and isinstance(X, Gram):
        return X.n
    return X.shape[0] if hasattr(X, "shape") else len(X)


def rows_at(X: Values, mask: np.ndarray) -> Values:
    """Return the rows or objects of X where the mask is true."""
    if isinstance(X, Gram):
        return SelectedGram(X, np.flatnonzero(mask))
    if isinstance(X, Blocks | Objects):
        return X[mask]
    if not (is_array(X) or is_sparse(X)):
        return [x for x, taken in zip(X, mask, strict=True) if taken]
    if is_numpy(X) or is_sparse(X):
        return X[mask]
    return take(X, np.flatnonzero(mask), axis=0)


def is_table(values: Values) -> bool:
    """Whether values are rows of numbers."""
    return (is_array(values) or is_sparse(values)) and len(values.shape) == 2


def _kind(values: Values) -> str:
    if type(values) is np.ndarray:  # as most are: known before what else they could be
        return "table" if values.ndim == 2 else "objects"
    if isinstance(values, Gram):
        return "gram"
    if isinstance(values, Blocks):
        return "blocks"
    return "table" if is_table(values) else "objects"


def like_of(values: Values) -> Array | None:
    """Return an empty array in whose library and precision results are given back."""
    if is_sparse(values):
        return np.empty(0, dtype=values.dtype)
    if not is_array(values) or (is_numpy(values) and values.dtype == object):
        return None
    return values[:0, ...]


def copy_values(values: Values, source: object = None) -> Values:
    """Return values that nobody else can change: a copy, if they are part of `source`."""
    if values is source and type(values) is np.ndarray and values.dtype != object:
        return values.copy(order="K")
    if isinstance(values, Blocks):
        parts = {name: copy_values(block, None) for name, block in values.blocks.items()}
        return values.like(parts)
    if isinstance(values, Objects):
        return Objects(_copies(values.items))
    if is_sparse(values):
        return values.copy()
    if not is_array(values):
        return _copies(values) if isinstance(values, list) else values
    if not is_numpy(values):
        return namespace(values).asarray(values, copy=True)
    if values.dtype == object:
        # Not np.array: things of one shape would be taken for a table.
        return np.fromiter(_copies(values), dtype=object, count=len(values))
    if isinstance(source, list | tuple):
        return values
    apart = isinstance(source, np.ndarray) and not np.may_share_memory(values, source)
    return values if apart else values.copy(order="K")


def _copies(items: Iterable[Any]) -> list[Any]:
    """Return things of any kind, with all that they hold; what cannot be copied stays itself."""
    copies, memo = [], dict[int, Any]()
    for item in items:
        try:
            copies.append(copy.deepcopy(item, memo))
        except Exception:  # of whatever kind its class raises
            copies.append(item)
    return copies


def can_mark(X: Values) -> bool:
    """Whether a fingerprint of an array is quick: of NumPy's and torch's own numbers."""
    if is_numpy(X):
        return X.dtype in (np.float64, np.float32) and X.flags.c_contiguous
    return hasattr(X, "is_contiguous") and X.is_contiguous() and X.dtype.itemsize in (4, 8)


def fingerprint(X: Values) -> int:
    """Return a number that another value, row or order would change, but for a chance of 2⁻⁶⁴.

    Σ_i a_i Σ_j b_j·bits(x_ij) modulo 2⁶⁴ with odd a and b, a block of rows at a time.
    """
    n, p = X.shape
    if not is_numpy(X):
        return _fingerprint_there(X)
    bits = X.view(np.uint64 if X.itemsize == 8 else np.uint32)
    columns = _odd(p)

    def work(blocks: Sequence[slice]) -> int:
        total = 0
        for rows in blocks:
            sums = bits[rows] @ columns
            total += int((sums * _odd(sums.size, rows.start)).sum(dtype=np.uint64))
        return total

    return sum(parallel_map(work, even_blocks(n, max(1, _MARK_BLOCK // p)))) % 2**64


def _odd(count: int, start: int = 0) -> np.ndarray:
    """Return odd numbers that look like chance, one for each position."""
    k = np.arange(start, start + count, dtype=np.uint64) * np.uint64(_ROW_FACTOR)
    return (k ^ (k >> np.uint64(29))) * np.uint64(_MIX_FACTOR) | np.uint64(1)


def _odd_there(count: int, like: Values) -> Array:
    """Return the same numbers where an array of torch lives, whose whole numbers have signs."""
    xp = namespace(like)
    k = xp.arange(count, dtype=xp.int64, device=like.device) * (_ROW_FACTOR - 2**64)
    return (k ^ ((k >> 29) & (2**35 - 1))) * (_MIX_FACTOR - 2**64) | 1


def _fingerprint_there(X: Values) -> int:
    """Return the same where an array of torch lives."""
    xp = namespace(X)
    bits = X.view(xp.int64 if X.dtype.itemsize == 8 else xp.int32)
    a, b = (_odd_there(m, X) for m in X.shape)
    total = 0  # a number of the device, which is asked for once
    for start in range(0, X.shape[0], rows := max(1, _MARK_BLOCK * 64 // X.shape[1])):
        sums = xp.sum(bits[start : start + rows, ...] * b[None, :], axis=1)
        total = total + xp.sum(sums * a[start : start + rows])
    return int(total) % 2**64
