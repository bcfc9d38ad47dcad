"""Collections of objects that are no vectors, and kernels that count their features."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, TypeVar, cast, overload

import numpy as np
import pandas as pd
from scipy import sparse

from gramian._core.array import Array
from gramian._core.pairs import Pairs, Points
from gramian._core.types import RowsLike
from gramian.kernels.base import Kernel

T = TypeVar("T")
COMMON_SHARE = 1 / 8  # features found in more than this share of the objects are multiplied by BLAS


class Objects(Sequence[Any]):
    """Objects, and what kernels compute of them, made once for the whole collection.

    It is indexed like an array: a slice, a mask or positions give a part, which remembers the
    collection it was taken from and shares what was computed there.
    """

    def __init__(
        self, items: Sequence[Any], origin: Objects | None = None, where: np.ndarray | None = None
    ) -> None:
        self.items = list(items)
        self.origin: Objects = self if origin is None else origin
        self.where: np.ndarray | None = where  # positions in the origin, None for all of it
        self._cache: dict[Hashable, Any] = {}

    def __len__(self) -> int:
        return len(self.items)

    @overload
    def __getitem__(self, index: int) -> Any: ...
    @overload
    def __getitem__(self, index: slice | np.ndarray) -> Objects: ...
    def __getitem__(self, index: int | slice | np.ndarray) -> Any:
        if isinstance(index, int | np.integer):
            return self.items[index]
        own = np.arange(len(self))[index]
        where = own if self.where is None else self.where[own]
        return Objects([self.items[k] for k in own], self.origin, where)

    def memoize(self, key: Hashable, make: Callable[[Objects], T]) -> T:
        """Return `make` of the collection this is a part of, computed once."""
        cache = self.origin._cache
        if key not in cache:
            cache[key] = make(self.origin)
        value: T = cache[key]
        return value

    @property
    def positions(self) -> np.ndarray:
        """The positions of these objects in the collection they are a part of."""
        return np.arange(len(self)) if self.where is None else self.where

    def take(self, values: T) -> T:
        """Return the entries of this part, of a list or an array with one for each object."""
        if self.where is None:
            return values
        all_: Any = values
        own = [all_[k] for k in self.where] if isinstance(all_, list) else all_[self.where]
        return cast(T, own)


class Occurrences(NamedTuple):
    """What was found: in which object, under which code, how much of it."""

    rows: np.ndarray
    codes: np.ndarray
    counts: np.ndarray | None = None  # one each, by default
    weights: np.ndarray | None = None  # of the code in the inner product, 1 by default


@dataclass(frozen=True, eq=False)
class Features:
    """Counts φ_f(x), (n, v), over a vocabulary of codes f; with weights, Σ w_f φ_f φ_f."""

    vocabulary: np.ndarray
    counts: sparse.csr_array
    weights: np.ndarray | None = None

    @classmethod
    def of(cls, occurrences: Occurrences, n: int) -> Features:
        """Count the occurrences in n objects."""
        columns, vocabulary = pd.factorize(occurrences.codes)  # hashes: faster than to sort
        shape = (n, vocabulary.size)
        if occurrences.counts is None:
            table = _tally(occurrences.rows, columns, shape)
        else:
            counts = occurrences.counts.astype(np.float64)
            table = sparse.coo_array((counts, (occurrences.rows, columns)), shape=shape).tocsr()
        if occurrences.weights is None:
            return cls(vocabulary, table)
        weights = np.empty(vocabulary.size)
        weights[columns] = occurrences.weights
        return cls(vocabulary, table, weights)

    def __getitem__(self, where: np.ndarray) -> Features:
        return Features(self.vocabulary, self.counts[where], self.weights)

    @cached_property
    def norms(self) -> np.ndarray:
        """Σ w_f φ_f(x)², (n,)."""
        squares = self.counts.power(2)
        return np.asarray(squares.sum(axis=1) if self.weights is None else squares @ self.weights)

    @cached_property
    def is_exact(self) -> bool:
        """Whether all products are whole numbers that a double holds, sums on the way too."""
        weights = np.ones(self.vocabulary.size) if self.weights is None else self.weights
        largest = (self.counts.power(2) @ np.abs(weights)).max(initial=0.0)
        return bool(
            largest < 2.0**53 and (self.counts.data % 1 == 0).all() and (weights % 1 == 0).all()
        )

    @cached_property
    def order(self) -> np.ndarray:
        """What sorts the vocabulary."""
        return np.argsort(self.vocabulary)

    @cached_property
    def spread(self) -> np.ndarray:
        """In how many objects each feature is found, (v,)."""
        return np.bincount(self.counts.indices, minlength=self.vocabulary.size)

    @cached_property
    def common(self) -> np.ndarray:
        """Which features are found in so many objects that a dense product is faster."""
        return np.asarray(self.spread > COMMON_SHARE * self.counts.shape[0])

    def without(self, columns: np.ndarray) -> Features:
        """Return the counts with those of some features left out."""
        kept = ~columns
        table = _move_columns(self.counts, kept, np.cumsum(kept) - 1, int(kept.sum()))
        weights = None if self.weights is None else self.weights[kept]
        return Features(self.vocabulary[kept], table, weights)

    def over(self, other: Features) -> Features:
        """Return the same counts over the vocabulary of another collection."""
        if other.vocabulary is self.vocabulary:
            return self
        at = np.searchsorted(other.vocabulary, self.vocabulary, sorter=other.order)
        place = np.append(other.order, -1)[at]
        known = np.append(other.vocabulary, np.uint64(0))[place] == self.vocabulary
        known &= place >= 0
        table = _move_columns(self.counts, known, place, other.vocabulary.size)
        return Features(other.vocabulary, table, other.weights)

    def halves(self, common: np.ndarray) -> Halves:
        """Return the counts of the common features, dense, and of the others, sparse."""
        table = self.counts
        n, v = table.shape
        place = np.where(common, np.cumsum(common), np.cumsum(~common)) - 1
        columns, often = place[table.indices], common[table.indices]
        dense = np.zeros((n, int(common.sum())))
        rows = np.repeat(np.arange(n), np.diff(table.indptr))
        dense[rows[often], columns[often]] = table.data[often]
        rest = _move_columns(table, ~common, place, v - dense.shape[1])
        if self.weights is None:
            return Halves(dense, rest)
        return Halves(dense, rest, (self.weights[common], self.weights[~common]))


def ranges(starts: np.ndarray | int, lengths: np.ndarray) -> np.ndarray:
    """Return start, start + 1, …, length numbers each, one after the other."""
    before = np.cumsum(lengths) - lengths
    return np.asarray(np.arange(int(lengths.sum())) + np.repeat(starts - before, lengths))


def _move_columns(
    table: sparse.csr_array, kept: np.ndarray, place: np.ndarray, width: int
) -> sparse.csr_array:
    """Return the columns that are kept, (n, width), each at its new place."""
    entries = kept[table.indices]
    starts = np.concatenate([[0], np.cumsum(entries)])[table.indptr]
    parts = (table.data[entries], place[table.indices[entries]], starts)
    return sparse.csr_array(parts, shape=(table.shape[0], width))


def _tally(rows: np.ndarray, columns: np.ndarray, shape: tuple[int, int]) -> sparse.csr_array:
    """Count the occurrences of each column in each row."""
    keys = np.sort(rows * shape[1] + columns)
    first = np.flatnonzero(np.diff(keys, prepend=-1))
    counts = np.diff(first, append=keys.size).astype(np.float64)
    row, column = np.divmod(keys[first], max(shape[1], 1))
    starts = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=shape[0]))])
    return sparse.csr_array((counts, column, starts), shape=shape)


class Halves(NamedTuple):
    """The features of one side of a block of pairs, ready for the product."""

    dense: np.ndarray
    rest: sparse.csr_array
    weights: tuple[np.ndarray, np.ndarray] | None = None

    def rows(self, index: slice) -> Halves:
        """Return some of the rows."""
        return Halves(self.dense[index], self.rest[index], self.weights)

    def inner(self, other: Halves) -> np.ndarray:
        """Return the inner products, features times their weights, with the other side's rows."""
        dense, rest = self.dense, self.rest
        if self.weights is not None:
            dense, rest = dense * self.weights[0], rest * self.weights[1][None, :]
        K = dense @ other.dense.T
        if rest.nnz and other.rest.nnz:
            K += (rest @ other.rest.T).toarray()
        return np.asarray(K)


class Featured(Kernel):
    """A kernel that counts; a subclass writes `occurrences(X)`.

    Positive semi-definite, because it is an inner product of features.
    """

    psd: bool | None = True
    takes_vectors = False

    def occurrences(self, X: Objects) -> Occurrences:
        """Return what is counted, for all the objects together."""
        raise NotImplementedError

    def features(self, X: RowsLike) -> Features:
        """Return the counts of the objects, computed once for a collection."""
        objects: Objects = self._objects(X, "X")

        def count(all: Objects) -> Features:
            return Features.of(self.occurrences(all), len(all))

        return objects.take(objects.memoize(("features", repr(self)), count))

    def evaluate(self, pairs: Pairs) -> Array:
        """The inner products of the features."""
        A, B = pairs.A, pairs.B
        if A is B:
            return self._among(pairs)
        base = A if A.origin is A else B  # training points do not keep new ones
        left, right = self._halves(A, base), self._halves(B, base)
        return left.rows(pairs.rows).inner(right.rows(pairs.cols))

    def _among(self, pairs: Pairs) -> Array:
        """Return products within one collection: what only one object has counts for it alone."""

        def make() -> tuple[Halves, np.ndarray]:
            own = self._of(pairs.A)
            shared = own.without(own.spread == 1)
            return shared.halves(shared.common), own.norms - shared.norms

        halves, alone = pairs.A.memoize(("among", repr(self)), make)
        K = halves.rows(pairs.rows).inner(halves.rows(pairs.cols))
        every = np.arange(len(pairs.A))
        both, i, j = np.intersect1d(every[pairs.rows], every[pairs.cols], True, True)
        K[i, j] += alone[both]
        return K

    def block(self, pairs: Pairs) -> Array:
        """Return `evaluate`: products of whole numbers are exact, and so symmetric as they are."""
        exact = pairs.A.memoize(
            ("exact", repr(self)),
            lambda: self.features(self._objects(pairs.A.X, "X").origin).is_exact,
        )
        return self.evaluate(pairs) if exact and pairs.B is pairs.A else super().block(pairs)

    def self_similarity(self, X: Array) -> Array:
        """The squared length of the features."""
        X = self._objects(X, "X")
        return X.take(self.features(X.origin).norms)

    def _of(self, points: Points) -> Features:
        own: Features = points.memoize(("features", repr(self)), lambda: self.features(points.X))
        return own

    def _halves(self, points: Points, base: Points) -> Halves:
        def make() -> tuple[Points, Halves]:
            own = self._of(base)
            features = own if points is base else self.features(points.X).over(own)
            return base, features.halves(own.common)

        # The base is kept with the result, so that its id is not reused.
        halves: Halves = points.memoize(("halves", repr(self), id(base)), make)[1]
        return halves
