"""Means and covariances that keep their digits, in one pass over blocks of rows.

Each block is shifted by a point near the bulk of the data and divided by a power of two per
column, multiplied, and the products are centred once more at the end. The shift costs no
rounding, so an offset of 1e8 costs no digits; the formula XᵀX − n·m·mᵀ would lose them all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from operator import add
from typing import Annotated

import numpy as np
from scipy import sparse

from gramian._core.array import (
    Array,
    as_kind,
    device_of,
    is_numpy,
    is_sparse,
    namespace,
    power_of_two,
    take,
    to_numpy,
)
from gramian._core.operators.fused import gpu_moments
from gramian._core.parallel import even_blocks, parallel_map, row_blocks
from gramian._core.sparse import column_counts, csr_slice
from gramian._core.table import Table, require_finite
from gramian.errors import InputError

_BLOCK_ROWS = 4096
_BLAS_SPEEDUP = 8  # operations of a product that take the time of one elsewhere
_CACHE_ENTRIES = 1 << 19  # entries of a block that stays in the cache
_NARROW_COLUMNS = 64  # columns under which half of a product costs as much as the whole
_SAMPLE_ROWS = 101  # rows that show a column's spread
_SPARSE_SHARE = 0.05  # of its numbers that are not 0, under which a matrix is multiplied as it is
_ORDER_OF_NINE = (0, 3, 6, 1, 4, 7, 2, 5, 8)  # of nine rows, each three of them side by side
_MIN_SPREAD = 2.0**-300  # a spread in the sample so small that other rows may overflow in its unit
_SMALL_SIZE = 1 << 19  # numbers that stay in the cache
_TINY_SIZE = 1 << 16  # numbers that are shifted sooner than looked at
_MAX_MEAN_SQUARE = 1e200  # and the inverse of the least: none overflows or loses digits
_MAX_SQUARES_RATIO = 1e100  # between the sums of squares of columns


@dataclass(frozen=True)
class Moments:
    """Total weight, mean and scatter of rows, around a shift and in units of its own.

    The scatter of column j with column k is `scatter[j, k]·unit[j]·unit[k]`; both arrays are in
    double precision whatever the data.
    """

    shift: Annotated[Array, "(p,)"]
    unit: Annotated[Array, "(p,)", "> 0"]  # powers of two
    weight: Annotated[float, "> 0"]
    first: Annotated[Array, "(p,)"]  # Σ w·y, y = (x − shift)/unit
    second: Annotated[Array, "(p, p)"] | Annotated[Array, "(p,)"]  # Σ w·y·yᵀ, or its diagonal

    @property
    def square(self) -> Array:
        """The diagonal of the second moment, (p,)."""
        second = self.second
        if second.ndim == 1:
            return second
        return second.diagonal() if is_numpy(second) else namespace(second).linalg.diagonal(second)

    @property
    def rest(self) -> Array:
        """The weighted mean less the shift, (p,)."""
        return self.unit * (self.first / self.weight)

    @property
    def mean(self) -> Array:
        """The weighted mean, (p,)."""
        return self.shift + self.rest

    @property
    def covariance(self) -> Array:
        """The weighted covariance in units, (p, p), divisor: the total weight."""
        m = self.first / self.weight
        return self.second / self.weight - m * m[:, None]

    @property
    def deviation(self) -> Array:
        """The weighted standard deviations, (p,), divisor: the total weight."""
        variance = self.square / self.weight - (self.first / self.weight) ** 2
        if is_numpy(variance):
            return self.unit * np.sqrt(np.maximum(variance, 0.0))
        xp = namespace(variance)
        return self.unit * xp.sqrt(xp.maximum(variance, xp.zeros_like(variance)))

    def __add__(self, other: Moments) -> Moments:
        """Return the moments of both sets of rows (made with the same shift and unit)."""
        return Moments(
            self.shift,
            self.unit,
            self.weight + other.weight,
            self.first + other.first,
            self.second + other.second,
        )


def rotate(m: Moments, Q: np.ndarray) -> Moments:
    """Return the moments of f·Q."""
    second = Q.T @ m.second @ Q
    second = 0.5 * (second + second.T)
    return Moments(m.shift @ Q, np.ones(Q.shape[1]), m.weight, m.first @ Q, second)


def reference_point(X: Array) -> tuple[Array, Array]:
    """Return a shift near the bulk of each column and a power of two near its spread, (p,) each."""
    n = X.shape[0]
    if is_sparse(X):
        return _sparse_reference(X)
    xp = namespace(X)
    sample = X[:: max(1, n // _SAMPLE_ROWS), :]
    # The median of three medians of three rows: as safe as a median, without sorting columns.
    last = sample.shape[0] - 1
    rows = [sample[k * last // 8, :] for k in _ORDER_OF_NINE]
    with np.errstate(over="ignore", invalid="ignore"):  # `moments` looks for it afterwards
        if is_numpy(X):
            shift = _middle(*_middle(*np.array(rows).reshape(3, 3, -1)))
            spread_ = np.maximum(sample.max(axis=0) - shift, shift - sample.min(axis=0))
        else:
            middle = _middle(*(_middle(*rows[k::3]) for k in range(3)))
            largest = xp.maximum(xp.max(sample, axis=0) - middle, middle - xp.min(sample, axis=0))
            shift, spread_ = to_numpy(xp.stack([middle, largest]))  # a device waits once
    if spread_.max() == np.inf:
        require_finite(Table(X))
        raise InputError("X: differences of its numbers overflow: divide the data by 16")
    if spread_.min() < _MIN_SPREAD:  # the sample shows hardly any: look at every row
        still = np.flatnonzero(spread_ < _MIN_SPREAD)
        Y = take(X, still, axis=1) - as_kind(shift[still], X)
        spread_[still] = to_numpy(xp.max(xp.abs(Y), axis=0))
    reference = shift.astype(np.float64, copy=False), _powers(spread_.astype(np.float64))
    if is_numpy(X):
        return reference
    return tuple(xp.asarray(a, device=device_of(X)) for a in reference)


def _middle(a: Array, b: Array, c: Array) -> Array:
    """Return the median of three arrays, entry by entry."""
    xp = namespace(a)
    return xp.maximum(xp.minimum(a, b), xp.minimum(xp.maximum(a, b), c))


def _sparse_reference(X: sparse.csr_array) -> tuple[np.ndarray, np.ndarray]:
    """Shift only the columns without zeros: the others' variance is as large as their mean."""
    n, p = X.shape
    shift = np.zeros(p)
    count = column_counts(X)
    full = np.flatnonzero(count == n)
    if full.size:
        sample = X[:: max(1, n // _SAMPLE_ROWS)][:, full].toarray()
        shift[full] = np.sort(sample, axis=0)[sample.shape[0] // 2]
    return shift, _powers(_sparse_largest(X, shift, count > 0))


def _sparse_largest(X: sparse.csr_array, shift: np.ndarray, there: np.ndarray) -> np.ndarray:
    """Return the largest stored |x − shift| of each column."""
    if X.nnz and X.data.min() == X.data.max():  # as in an indicator matrix
        return np.where(there, np.abs(X.data[0] - shift), 0.0)
    largest = np.zeros(len(shift))
    np.maximum.at(largest, X.indices, np.abs(X.data - shift[X.indices]))
    return largest


def _powers(size: Array) -> Array:
    """Return powers of two next below the sizes, 1 for zero."""
    numbers = to_numpy(size)
    if is_numpy(size) and numbers.min() > 1e-300 and numbers.max() < 1e300:
        return np.ldexp(0.5, np.frexp(numbers)[1])
    exponents = np.clip(np.frexp(numbers)[1] - 1, -1021, 1022)
    powers = np.where(numbers > 0, np.ldexp(1.0, exponents), 1.0)
    return powers if is_numpy(size) else namespace(size).asarray(powers, device=device_of(size))


def moments(
    X: Array,
    w: Array | None = None,
    reference: tuple[Array, Array] | None = None,
    *,
    cross: bool = True,
) -> Moments:
    """Return the moments of the rows of X with weights w (1 each by default).

    `reference` is the shift and the unit to use, those of `reference_point` by default; without
    `cross` only the diagonal of the second moment is computed.
    """
    if reference is None and w is None and is_numpy(X) and is_small(X):
        small = _small_sums(X, cross)
        if small is not None:
            return small
    shift, unit = reference or reference_point(X)
    if reference is None and w is not None and is_numpy(X):
        shift = _nearest_the_mean(X, w, shift)
    if reference is None and w is None and is_numpy(X) and (np.abs(shift) <= unit).all():
        sums = plain_sums(X, np.zeros_like(shift), unit, cross)
        if _is_near_zero(sums):
            return sums
    sums = _sums(X, w, shift, unit, cross)
    if not _is_finite(sums.second):
        require_finite(Table(X))
        # A value far outside the sampled spread overflowed: take the spread from every row.
        sums = _sums(X, w, shift, _powers(_largest(X, shift)), cross, fused=False)
    return sums


def _nearest_the_mean(X: np.ndarray, w: np.ndarray, shift: np.ndarray) -> np.ndarray:
    """Return the row that outweighs all others, where there is one: its mean is near it."""
    k = int(w.argmax())
    return X[k].astype(np.float64) if 2.0 * w[k] > w.sum() else shift


def _is_finite(sums: Array) -> bool:
    """Whether sums are numbers, all of them."""
    with np.errstate(over="ignore", invalid="ignore"):
        return bool(np.isfinite(float(namespace(sums).sum(sums))))


def _is_near_zero(m: Moments) -> bool:
    """Whether means are so small beside deviations that taking them off last costs no digits."""
    with np.errstate(over="ignore", invalid="ignore"):  # NaN is not near
        near = (m.first**2 <= 0.75 * m.weight * m.square).all()
    return bool(near) and _is_finite(m.second)


def _largest(X: Array, shift: Array) -> Array:
    xp = namespace(X)
    return xp.astype(xp.max(xp.abs(X - xp.astype(shift, X.dtype)), axis=0), xp.float64)


def _sums(
    X: Array, w: Array | None, shift: Array, unit: Array, cross: bool, *, fused: bool = True
) -> Moments:
    n, p = X.shape
    weight = float(n) if w is None else float(namespace(w).sum(w))

    def add_up(blocks: Iterable[slice]) -> Moments:
        return reduce(add, (_block_sums(X, w, shift, unit, cross, rows) for rows in blocks))

    if is_sparse(X):
        Y, later = shift_sparse(X, shift, unit)
        first = np.asarray(Y.sum(axis=0) if w is None else w @ Y) / later
        second = _sparse_second(Y, w, cross) / (later[:, None] * later if cross else later**2)
        return Moments(shift, unit, weight, first, second)
    if not is_numpy(X):
        sums = gpu_moments(X, shift, unit) if fused and cross and w is None else None
        if sums is not None:
            return Moments(shift, unit, weight, *sums)
        return add_up(row_blocks(n, 1 << 18))
    if w is None:
        return plain_sums(X, shift, unit, cross)
    size = max(64, min(_BLOCK_ROWS, (1 << 22) // max(p, 1)))
    with np.errstate(over="ignore", invalid="ignore"):  # `moments` looks for it afterwards
        return reduce(add, parallel_map(add_up, list(row_blocks(n, size))))


def _small_sums(X: np.ndarray, cross: bool) -> Moments | None:
    """Return the moments of a small table about its means; None where columns differ too much.

    A table out of range is brought into it by a power of two, which changes no bit.
    """
    unit, sums = 1.0, plain_sums(X, small_shift(X), None, cross)
    if not stays_in_range(sums.square, sums.weight):
        unit = power_of_two(float(np.abs(X).max()))
        if not 2.0**-1000 <= unit <= 2.0**1000:  # differences may overflow
            return None
        X = X / unit
        sums = plain_sums(X, small_shift(X), None, cross)
    if not (are_alike(X, sums.square) and (sums.shift.any() or _is_near_zero(sums))):
        return None
    return sums if unit == 1.0 else replace(sums, shift=unit * sums.shift, unit=unit * sums.unit)


@dataclass(frozen=True)
class LazyRows:
    """Rows that are made in blocks, when they are needed."""

    shape: tuple[int, int]
    dtype: np.dtype
    block: Callable[[slice], np.ndarray]

    def __getitem__(self, rows: slice) -> np.ndarray:
        return self.block(rows)


def plain_sums(
    X: np.ndarray | LazyRows, shift: np.ndarray, unit: np.ndarray | None, cross: bool
) -> Moments:
    """Return the moments of equally weighted rows, in blocks that stay in the cache."""
    n, p = X.shape
    most = _BLOCK_ROWS if p < _NARROW_COLUMNS else _BLOCK_ROWS // 4
    size = max(64, min(most, _CACHE_ENTRIES // p)) if cross else max(8, _CACHE_ENTRIES // (8 * p))
    blocks = even_blocks(n, size)
    size = blocks[0].stop
    plain = unit is None or _is_plain(unit)
    as_it_is = plain and X.dtype == np.float64 and not shift.any()

    def work(blocks: Sequence[slice]) -> tuple[np.ndarray, np.ndarray]:
        first, second = np.zeros(p), np.zeros((p, p) if cross else p)
        buffer, ones = np.empty((0 if as_it_is and cross else size, p)), np.ones(size)
        with np.errstate(over="ignore", invalid="ignore"):  # `moments` looks for it afterwards
            for rows in blocks:
                m = rows.stop - rows.start
                Y = X[rows] if as_it_is else buffer[:m]
                if X.dtype != np.float64:  # single precision would round the difference
                    np.copyto(Y, X[rows])
                    Y -= shift
                elif not as_it_is:
                    np.subtract(X[rows], shift, out=Y)
                if not (plain or unit is None):  # else powers of two may be taken off the sums
                    Y *= 1.0 / unit
                first += ones[:m] @ Y
                if cross:
                    add_products(second, Y)
                else:
                    second += ones[:m] @ np.multiply(Y, Y, out=buffer[:m])
        return first, second

    parts = parallel_map(work, blocks, operations=n * p * (p / _BLAS_SPEEDUP if cross else 4))
    first, second = (
        parts[0] if len(parts) == 1 else (sum(part) for part in zip(*parts, strict=True))
    )
    if unit is None:
        unit = np.ones(p)
    elif plain:
        first = first / unit
        second = second / (unit[:, None] * unit[None, :] if cross else unit**2)
    return Moments(shift, unit, float(n), first, second)


def _sparse_second(Y: sparse.csr_array, w: np.ndarray | None, cross: bool) -> np.ndarray:
    """Return Σ w·y·yᵀ of a CSR matrix, (p, p), or only its diagonal."""
    n, p = Y.shape
    if not cross:
        row = np.repeat(np.ones(n) if w is None else w, np.diff(Y.indptr))
        return np.bincount(Y.indices, weights=row * Y.data**2, minlength=p)
    if Y.nnz < _SPARSE_SHARE * n * p:
        weighted = Y if w is None else Y.multiply(w[:, None]).tocsr()
        return (Y.T @ weighted).toarray()
    # Products of full blocks take less time where one number in twenty is not 0. Those of an
    # indicator matrix are counts, which single precision holds as well.
    is_indicator = w is None and Y.data.min() == Y.data.max() == 1.0

    def work(blocks: Sequence[slice]) -> np.ndarray:
        S = np.zeros((p, p))
        for rows in blocks:
            part = csr_slice(Y, rows)
            B = part.astype(np.float32 if is_indicator else np.float64, copy=False).toarray()
            add_products(S, B if w is None else B * np.sqrt(w[rows])[:, None])
        return S

    blocks = list(row_blocks(n, max(64, _CACHE_ENTRIES // p)))
    return np.sum(parallel_map(work, blocks, operations=n * p * p), axis=0)


def add_products(S: np.ndarray, Y: np.ndarray) -> None:
    """Add YᵀY to S.

    Of an array and itself NumPy computes one triangle and mirrors it, in half of the time. To be
    called where BLAS has one thread: with several it is slow, and of 28,000 columns it crashes.
    """
    S += Y.T @ Y


def _block_sums(
    X: Array, w: Array | None, shift: Array, unit: Array, cross: bool, rows: slice
) -> Moments:
    xp = namespace(X)
    if is_numpy(X):
        Y = X[rows] - shift  # both in double precision
    else:  # in the data's own precision, where it is exact for nearby numbers
        Y = xp.astype(X[rows, ...] - xp.astype(shift, X.dtype), xp.float64, copy=False)
    Y *= 1.0 / unit
    if w is None:
        weight, first = float(Y.shape[0]), xp.sum(Y, axis=0)
        weighted = xp.asarray(Y, copy=True) if cross else Y  # a copy: not NumPy's slow syrk
    else:
        weight, first = float(xp.sum(w[rows])), w[rows] @ Y
        weighted = Y * w[rows][:, None]
    if cross:
        return Moments(shift, unit, weight, first, weighted.T @ Y)
    squares = np.einsum("ij,ij->j", weighted, Y) if is_numpy(Y) else xp.sum(weighted * Y, axis=0)
    return Moments(shift, unit, weight, first, squares)


def shift_sparse(
    X: sparse.csr_array, shift: np.ndarray, unit: np.ndarray
) -> tuple[sparse.csr_array, np.ndarray]:
    """Return a CSR matrix of doubles with (x − shift)/unit·later on its stored entries, and later.

    Units whose products are in range may as well be taken off later: then entries that need no
    shift are those of X, without a copy.
    """
    still, plain = not shift.any(), _is_plain(unit)
    later = unit if plain else np.ones_like(unit)
    if plain and still:
        return X.astype(np.float64, copy=False), later
    Y = X.astype(np.float64, copy=True)
    if not still:
        Y.data -= shift[X.indices]
    if not plain:
        Y.data /= unit[X.indices]
    return Y, later


def _is_plain(unit: np.ndarray) -> bool:
    """Whether sums of products of numbers of this size are in the range of doubles."""
    return bool((unit > 2.0**-100).all() and (unit < 2.0**100).all())


def is_small(X: np.ndarray) -> bool:
    """Whether X is a table of doubles that stays in the cache."""
    return X.dtype == np.float64 and X.size <= _SMALL_SIZE


def small_shift(X: np.ndarray) -> np.ndarray:
    """Return zeros where means are small beside the numbers, so that no row is touched, or means.

    A first row that is the mean, to rounding, is taken for it: constant columns become zeros.
    """
    n = X.shape[0]
    with np.errstate(over="ignore", invalid="ignore"):  # `stays_in_range` looks
        mean = np.ones(n) @ np.ascontiguousarray(X) / n  # the same bits in any layout
        if X.size > _TINY_SIZE:
            sample = X[:: max(1, n // _SAMPLE_ROWS)]
            square = np.einsum("ij,ij->j", sample, sample) / sample.shape[0]
            if (mean * mean <= 0.5 * square).all():
                return np.zeros_like(mean)
        return np.where(np.abs(X[0] - mean) <= n * 2.0**-52 * np.abs(mean), X[0], mean)


def stays_in_range(square: np.ndarray, n: float) -> bool:
    """Whether sums of n squares neither overflowed nor fell below the numbers, but for zeros."""
    with np.errstate(invalid="ignore"):
        inside = (square > n / _MAX_MEAN_SQUARE) & (square < n * _MAX_MEAN_SQUARE)
    return bool((inside | (square == 0.0)).all() and inside.any())  # NaN is not inside


def are_alike(X: np.ndarray, square: np.ndarray) -> bool:
    """Whether columns that are not constant have sums of squares of sizes that go together."""
    with np.errstate(invalid="ignore"):
        low = ~(square > square.max() / _MAX_SQUARES_RATIO)
    if not np.isfinite(square).all():
        return False
    return not low.any() or bool((X[:, low] == X[0, low]).all())
