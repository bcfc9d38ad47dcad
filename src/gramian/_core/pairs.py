"""Pairs of points: the distances and products that kernels are functions of.

A kernel is a function of pairs. `Points` prepares rows once (centre, norms, the two factors whose
product is a block of squared distances); `Pairs` is a block of pairs, rows of one set against rows
of another, that computes |x−y|², ⟨x, y⟩ or ‖x−y‖₁ when a kernel asks for it.

Squared distances by expansion, |x|² + |y|² − 2⟨x, y⟩, cost one matrix product but lose digits when
the points are close together and far from the origin. The error is bounded for every pair, and the
few pairs where it matters are computed again from the differences.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import numpy as np
from scipy import sparse
from scipy.spatial.distance import cdist

from gramian._core.array import (
    Array,
    Values,
    as_library_of,
    device_of,
    is_array,
    is_numpy,
    is_single,
    is_sparse,
    namespace,
    slice_rows,
    take,
    unit_within,
    with_diagonal,
    writes_at_positions,
)
from gramian._core.check import expect
from gramian._core.parallel import row_blocks
from gramian.errors import InputError

MAX_ERROR_ULPS = 512.0  # of an entry, in units in the last place: 12.9 digits are left
T = TypeVar("T")
_ROWS_FOR_CENTRE = 1001
_PAIRS_AT_ONCE = 1 << 16


class Points:
    """Rows prepared for computations on pairs: an array or CSR matrix (n, p), or n objects.

    They share the centre and the unit of `origin`: new points take the training set's.
    """

    def __init__(self, X: Values, origin: Points | None = None) -> None:
        self.X: Values = X if origin is None else _of_one_kind(X, origin.X)
        # None for itself: a cycle would keep panels of large tables until the next collection.
        self._origin: Points | None = None if origin is None else origin.origin
        self.rough: bool = origin is not None and origin.rough
        self._fine: Points | None = None  # the same in double precision, where these are lowered
        self._cache: dict[Hashable, Any] = {}

    @property
    def origin(self) -> Points:
        """The set whose centre and unit these rows share."""
        return self if self._origin is None else self._origin

    def to_single(self) -> Points:
        """Return the points in single precision, centred before they are rounded.

        Distances between them are rough: good enough to find a subspace that double precision
        then improves.
        """
        low = Points(self.X.astype(np.float32))
        low.rough, low._fine = True, self
        low._cache |= {
            "centre": self.centre.astype(np.float32),
            "unit": self.unit,
            "centred": self.deviations.astype(np.float32),
        }
        return low

    def take(self, rows: np.ndarray) -> Points:
        """Return some of the points, with the same centre and unit."""
        X = [self.X[i] for i in rows] if isinstance(self.X, list | tuple) else _at(self.X, rows)
        some = Points(X, self)
        some._fine = None if self._fine is None else self._fine.take(rows)
        if "centred" in self._cache:
            some._cache["centred"] = _at(self.deviations, rows)
        return some

    def __len__(self) -> int:
        return self.X.shape[0] if hasattr(self.X, "shape") else len(self.X)

    def check(self) -> None:
        """Refuse what are no rows of numbers and no objects."""
        is_table = is_sparse(self.X) or (is_array(self.X) and str(self.X.dtype) != "object")
        if is_table:
            real = "float32" in str(self.X.dtype) or "float64" in str(self.X.dtype)
            expect(real and len(self.X.shape) == 2 and self.X.shape[1] > 0, "rows of numbers")
            expect(self.X.shape[1] == self.origin.X.shape[1], "as many columns as the origin")
        expect(len(self) > 0, "at least one row")

    @property
    def is_dense(self) -> bool:
        """Whether the rows are vectors in one dense array."""
        return not is_sparse(self.X) and is_array(self.X)

    def memoize(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what `make` gave the first time this key was asked for."""
        if key not in self._cache:
            self._cache[key] = make()
        return self._cache[key]

    def prepare(self, function: Callable[[Pairs], object], other: Points | None = None) -> None:
        """Have a function of pairs make what it keeps with these points and the other ones.

        Once, on a single pair, before threads share the points: several that find a thing missing
        would each make it, and a map of the points may not bear being called twice at a time.
        """
        first = slice(0, 1)
        function(Pairs(self, other, first, first))

    @property
    def centre(self) -> Array:
        """A point near the bulk of the rows: the median of up to 1,001 of them, column by column.

        A median, because one outlier at 1e12 must not drag the centre away from all the others.
        """
        return self.origin.memoize("centre", lambda: _column_median(self.origin.X))

    @property
    def offset(self) -> Array | None:
        """The centre, or None where the points are no vectors.

        Of sparse rows only in columns without zeros: the others vary as much as they are large.
        """
        if is_sparse(self.origin.X):
            return self.origin.memoize("offset", lambda: _sparse_offset(self.origin.X))
        return self.centre if self.is_dense and self.origin.X.ndim == 2 else None

    @property
    def unit(self) -> float:
        """The power of two next below the largest |x − centre|: squares of x/unit stay in range."""

        def make() -> float:
            X = self.origin.X
            if is_sparse(X):
                return unit_within(float(abs(X.data).max()) if X.nnz else 1.0, X)
            xp = namespace(X)
            top, bottom, centre = xp.max(X, axis=0), xp.min(X, axis=0), self.centre
            with np.errstate(over="ignore"):
                largest = float(xp.max(xp.maximum(top - centre, centre - bottom)))
            if not math.isfinite(largest):
                raise InputError("X: differences of its numbers overflow: divide the data by 16")
            return unit_within(largest, X)

        return self.origin.memoize("unit", make)

    @property
    def longest(self) -> float:
        """The largest |x| of a row, not centred."""
        return self.memoize("longest", lambda: _longest(self.X))

    @property
    def overflows(self) -> bool:
        """Whether the square of a row, in the unit, is beyond the numbers."""

        def make() -> bool:
            if is_numpy(self.norms):
                return not np.isfinite(self.norms).all()
            xp = namespace(self.norms)
            return not bool(xp.all(xp.isfinite(self.norms)))

        return self.memoize("overflows", make)

    @property
    def varies(self) -> bool:
        """Whether any row differs from another."""
        X = self.X
        if is_sparse(X):
            X = X - X[:1].multiply(np.ones((X.shape[0], 1)))
            return bool(X.nnz and X.data.any())
        return not self.is_dense or bool(namespace(X).any(X[:1, ...] != X))

    @property
    def deviations(self) -> Array:
        """(x − centre)/unit, (n, p); sparse rows are not centred."""
        inverse = 1.0 / self.unit

        def make() -> Array:
            if is_sparse(self.X):
                return self.X * inverse
            Z = self.X - self.centre
            Z *= inverse
            return Z

        return self.memoize("centred", make)

    @property
    def norms(self) -> Array:
        """|x − centre|²/unit², (n,)."""

        def make() -> Array:
            Z = self.deviations
            if is_sparse(Z):
                return np.asarray(Z.multiply(Z).sum(axis=1)).ravel()
            if is_numpy(Z):
                return np.einsum("ij,ij->i", Z, Z)
            return namespace(Z).sum(Z * Z, axis=1)

        return self.memoize("norms", make)

    def factor(self, side: str, ratio: float) -> Array:
        """Return one of the two factors, (n, p+2), with left · rightᵀ = ratio²·|x−y|²/unit²."""

        def make() -> Array:
            Z, s = self.deviations, self.norms
            xp = namespace(Z)
            n, p = Z.shape
            where = {} if is_numpy(Z) else {"device": device_of(Z)}
            F = xp.empty((n, p + 2), dtype=Z.dtype, **where)
            F[:, :p] = Z
            F[:, p], F[:, p + 1] = (s, 1.0) if side == "left" else (1.0, s)
            if side == "left":
                F *= ratio**2
                F[:, :p] *= -2.0
            return F

        return self.memoize((side, ratio), make)

    def through(self, key: Hashable, mapping: Callable[[Values], Values]) -> Points:
        """Return the points mapped elsewhere, made once for each key."""
        if self._fine is not None:  # they are rounded after the map, which may cancel digits
            fine = self._fine.through(key, mapping)
            return self.memoize(("through", key), fine.to_single)
        origin = None if self.origin is self else self.origin.through(key, mapping)
        return self.memoize(("through", key), lambda: Points(mapping(self.X), origin))


def _at(X: Values, rows: np.ndarray) -> Values:
    """Return the rows at some positions of an array, a sparse matrix or a record of objects."""
    return take(X, rows, axis=0) if is_array(X) else X[rows]


def _of_one_kind(X: Values, other: Values) -> Values:
    """Return X sparse if the other rows are, dense if they are dense, and in their library."""
    if is_array(X) and (is_array(other) or is_sparse(other)):
        X = as_library_of(X, other)
    kinds = [str(getattr(rows, "dtype", "")) for rows in (X, other)]
    if kinds == ["float32", "float64"]:  # its unit may be out of the range of the shorter ones
        X = X.astype(np.float64)
    if is_sparse(other) and not is_sparse(X):
        return sparse.csr_array(X)
    return X.toarray() if is_sparse(X) and not is_sparse(other) else X


def _column_median(X: Array) -> Array:
    xp = namespace(X)
    step = max(1, X.shape[0] // _ROWS_FOR_CENTRE)
    sample = X[::step, :]
    middle = sample.shape[0] // 2
    if is_numpy(X):
        return np.partition(sample, middle, axis=0)[middle]
    return xp.sort(sample, axis=0)[middle, :]


def _sparse_offset(X: sparse.csr_array) -> np.ndarray:
    """Return a middle value of each column that has an entry in every row, 0 for the others."""
    n, p = X.shape
    offset = np.zeros(p, X.dtype)
    full = np.flatnonzero(np.bincount(X.indices, minlength=p) == n)
    if full.size:
        offset[full] = _column_median(X[:: max(1, n // _ROWS_FOR_CENTRE)][:, full].toarray())
    return offset


class Pairs:
    """The pairs (x, y), x among some rows of A and y among some rows of B.

    `exact` asks for every squared distance right relative to itself, also where a smooth kernel
    would not see the difference. `buffer` is memory for the first block of squared distances that
    is asked for; used from tile to tile it stays in the cache.
    """

    def __init__(
        self,
        A: Points,
        B: Points | None = None,
        rows: slice | None = None,
        cols: slice | None = None,
        *,
        exact: bool = False,
        buffer: np.ndarray | None = None,
    ) -> None:
        self.A, self.B = A, A if B is None else B
        self.exact = exact
        self.buffer = buffer
        self.rows, self.cols = rows or slice(None), cols or slice(None)
        self._known: dict[Hashable, Array] = {}

    @property
    def same(self) -> bool:
        """Whether rows and columns are the same points, so that the block is symmetric."""
        return self.A is self.B and self.rows == self.cols

    @property
    def X(self) -> Values:
        """The points of the rows."""
        return slice_rows(self.A.X, self.rows)

    @property
    def Y(self) -> Values:
        """The points of the columns."""
        return slice_rows(self.B.X, self.cols)

    def through(self, key: Hashable, mapping: Callable[[Values], Values]) -> Pairs:
        """Return the same pairs of mapped points."""
        A = self.A.through(key, mapping)
        B = A if self.B is self.A else self.B.through(key, mapping)
        return Pairs(A, B, self.rows, self.cols, exact=self.exact)

    def full(self, value: float) -> Array:
        """The same value for every pair, (m, n)."""
        shape = (len(range(len(self.A))[self.rows]), len(range(len(self.B))[self.cols]))
        X = self.A.X
        if self.A.is_dense:
            return namespace(X).full(shape, value, dtype=X.dtype, device=X.device)
        return np.full(shape, value, dtype=getattr(X, "dtype", np.float64))

    def dot(self) -> Array:
        """⟨x, y⟩, (m, n)."""
        if "dot" not in self._known:
            X, Y = self.X, self.Y
            refuse_long(self.A, self.B)
            if is_sparse(X):
                self._known["dot"] = (X @ Y.T).toarray()
            else:
                # A copy keeps NumPy off its syrk path: slower than gemm, and it crashes on large n.
                self._known["dot"] = X @ (namespace(Y).asarray(Y, copy=True) if self.same else Y).T
        return self._known["dot"]

    def norms(self, side: str) -> Array:
        """|x| for the rows (side "rows") or |y| for the columns, not centred."""
        points, index = (self.A, self.rows) if side == "rows" else (self.B, self.cols)
        return points.memoize("length", lambda: _lengths(points.X))[index]

    def l1(self, scale: float) -> Array:
        """‖x−y‖₁ / scale, (m, n)."""
        X, Y = _dense(self.X), _dense(self.Y)
        inverse = 1.0 / self.A.unit
        if is_numpy(X):
            D = cdist(X * inverse, Y * inverse, "cityblock").astype(X.dtype, copy=False)
        else:
            xp = namespace(X)
            D = xp.zeros((X.shape[0], Y.shape[0]), dtype=X.dtype, device=X.device)
            for k in range(X.shape[1]):
                D += xp.abs(X[:, None, k] - Y[None, :, k]) * inverse
        return D * (self.A.unit / scale)

    def squared_distance(self, scale: float = 1.0, slope: float = math.inf) -> Array:
        """t = |x−y|²/scale², (m, n), with a bounded error.

        Every entry is right to 512 units in the last place, relative to itself or, where the
        kernel's profile changes by at most `slope` per unit of t, after the profile.
        """
        ratio = self.A.unit / scale
        if self._is_far(ratio):
            T = _far_block(self.X, self.Y, scale)
        else:
            T = self._correct(self._expand(ratio), ratio, slope)
        return with_diagonal(T, 0.0) if self.same else T

    def is_plain(self, scale: float, slope: float) -> bool:
        """Whether `squared_distance` is right for this profile by expansion alone, nothing mended.

        So it is where left·rightᵀ, the two factors of `Points.factor`, may stand for it.
        """
        ratio = self.A.unit / scale
        if not self.A.is_dense or self._is_far(ratio):
            return False
        a, b = self.A.norms[self.rows], self.B.norms[self.cols]
        return slope * self._error * ratio**2 * float(a.max() + b.max()) <= MAX_ERROR_ULPS

    @property
    def _error(self) -> float:
        """The error of |x|² + |y|² − 2⟨x, y⟩ over eps·(|x|² + |y|²): a random walk over p terms."""
        return 4.0 + 0.5 * math.sqrt(self.A.X.shape[1])

    def _is_far(self, ratio: float) -> bool:
        """Whether squares in the unit of the points, or of the ratio, leave the range of numbers.

        So they do where an entry is 1e300 and the scale of the kernel 1: what is near in that unit
        may be far in the scale.
        """
        far = 1e15 if is_single(self.A.X) else 1e100
        if not 1.0 / far < ratio < far:
            return True
        return self.A.overflows or self.B.overflows

    def _expand(self, ratio: float) -> Array:
        """Return |x|² + |y|² − 2⟨x, y⟩ in units of scale²."""
        if self.A.is_dense:
            left = self.A.factor("left", ratio)[self.rows, ...]
            right = self.B.factor("right", ratio)[self.cols, ...]
            if self.buffer is None:
                return left @ right.T
            shape = (left.shape[0], right.shape[0])
            out = self.buffer[: shape[0] * shape[1]].reshape(shape)
            self.buffer = None  # the block is the caller's: a second one needs memory of its own
            return np.matmul(left, right.T, out=out)
        a, b = self.A.norms[self.rows], self.B.norms[self.cols]
        cross = (self.A.deviations[self.rows] @ self.B.deviations[self.cols].T).toarray()
        return ratio**2 * (a[:, None] + b[None, :] - 2.0 * cross)

    def _correct(self, T: Array, ratio: float, slope: float) -> Array:
        """Clip at 0, and compute again from differences the entries that lost too many digits.

        In place where the library can.
        """
        xp = namespace(T)
        if T.shape[0] == 0 or T.shape[1] == 0:
            return T
        c = self._error * ratio**2
        a, b = self.A.norms[self.rows], self.B.norms[self.cols]
        worst = c * (float(xp.max(a)) + float(xp.max(b)))
        if slope * worst <= MAX_ERROR_ULPS:
            return T
        if not writes_at_positions(T):
            return self._correct_by_mask(xp.clip(T, 0.0, None), c * a, c * b, ratio, slope)
        if self.A.rough:
            T[...] = xp.clip(T, 0.0, None)
            return T
        lowest = xp.min(T, axis=0)
        if bool(xp.any(lowest < 0)):
            T[...] = xp.clip(T, 0.0, None)
        # Columns with no entry small enough to be wrong need no second look.
        floor = xp.asarray(1.0 / slope, dtype=T.dtype)
        (cols,) = xp.nonzero(c * (xp.max(a) + b) > MAX_ERROR_ULPS * xp.maximum(lowest, floor))
        if cols.shape[0] == 0:
            return T
        error = c * (a[:, None] + b[cols][None, :])
        bad = error > MAX_ERROR_ULPS * xp.maximum(T[:, cols], floor)
        if self.same:
            bad &= xp.arange(T.shape[0], device=device_of(T))[:, None] != cols[None, :]
        i, j = xp.nonzero(bad)
        j = cols[j]
        if i.shape[0] > 0.1 * T.shape[0] * T.shape[1]:
            T[...] = _direct_block(self.X, self.Y, self.A.unit) * ratio**2
            return T
        X, Y, unit = self.X, self.Y, self.A.unit
        for some in row_blocks(i.shape[0], _PAIRS_AT_ONCE):
            T[i[some], j[some]] = _direct_pairs(X, Y, i[some], j[some], ratio, unit)
        return T

    def _correct_by_mask(self, T: Array, a: Array, b: Array, ratio: float, slope: float) -> Array:
        """Return the same where entries cannot be assigned one by one: all of them anew, if any."""
        xp = namespace(T)
        error = a[:, None] + b[None, :]
        bad = error > MAX_ERROR_ULPS * xp.maximum(T, xp.full_like(T, 1.0 / slope))
        if self.same:
            bad &= ~xp.eye(T.shape[0], dtype=xp.bool, device=device_of(T))
        if not bool(xp.any(bad)):
            return T
        return xp.where(bad, _direct_block(self.X, self.Y, self.A.unit) * ratio**2, T)


def _lengths(X: Array) -> Array:
    if is_sparse(X):
        top = abs(X).max(axis=1).toarray().ravel()
        safe = np.where(top > 0, top, 1.0)
        Z = X.multiply(1.0 / safe[:, None])
        return safe * np.sqrt(np.asarray(Z.multiply(Z).sum(axis=1)).ravel())
    xp = namespace(X)
    largest = xp.max(xp.abs(X), axis=1)
    safe = xp.where(largest > 0, largest, xp.ones_like(largest))
    return safe * xp.sqrt(xp.sum((X / safe[:, None]) ** 2, axis=1))


def refuse_long(A: Points, B: Points | None = None) -> None:
    """Refuse rows so long that sums of their products may overflow, with either sign."""
    top = float(np.finfo(np.float32 if is_single(A.X) else float).max)
    a, b = A.longest, (B or A).longest
    if a > 0 and b > top / a:
        raise InputError(
            f"X: inner products of its rows overflow, row {_longest_row(A.X)} being the longest: "
            "rescale it by a power of two"
        )


def _longest_row(X: Array) -> int:
    if is_sparse(X):
        return int(np.argmax(abs(X).max(axis=1).toarray()))
    xp = namespace(X)
    return int(xp.argmax(xp.max(xp.abs(X), axis=1)))


def _longest(X: Array) -> float:
    """Return an upper bound of |x| over the rows, √p times the largest number."""
    numbers = X.data if is_sparse(X) else X
    if 0 in numbers.shape:
        return 0.0
    xp = namespace(numbers)
    return math.sqrt(X.shape[1]) * max(float(xp.max(numbers)), -float(xp.min(numbers)))


def _dense(X: Array) -> Array:
    return X.toarray() if is_sparse(X) else X


def _direct_pairs(X: Array, Y: Array, i: Array, j: Array, ratio: float, unit: float) -> Array:
    """Return Σ ((x−y)·ratio/unit)² for the listed pairs, from numbers in units."""
    inverse = 1.0 / unit
    if is_sparse(X):
        D = (X[i] - Y[j]).multiply(inverse).multiply(ratio)
        return np.asarray(D.multiply(D).sum(axis=1)).ravel()
    D = (X[i, :] * inverse - Y[j, :] * inverse) * ratio
    return namespace(D).sum(D * D, axis=1)


def _far_block(X: Array, Y: Array, scale: float) -> Array:
    """Return Σ ((x−y)/scale)² for every pair, infinite or 0 where it leaves the range."""
    X, Y = _dense(X), _dense(Y)
    xp = namespace(X)
    T = xp.zeros((X.shape[0], Y.shape[0]), dtype=xp.float64, device=device_of(X))
    with np.errstate(over="ignore", under="ignore"):
        for k in range(X.shape[1]):
            x, y = xp.astype(X[:, k], xp.float64), xp.astype(Y[:, k], xp.float64)
            T += ((x[:, None] - y[None, :]) / scale) ** 2
        return xp.astype(T, X.dtype)


def _direct_block(X: Array, Y: Array, unit: float) -> Array:
    """Return Σ ((x−y)/unit)² for every pair, from differences."""
    inverse = 1.0 / unit
    X, Y = _dense(X), _dense(Y)
    if is_numpy(X):
        return cdist(X * inverse, Y * inverse, "sqeuclidean").astype(X.dtype, copy=False)
    T = 0.0
    for k in range(X.shape[1]):
        T = T + ((X[:, None, k] - Y[None, :, k]) * inverse) ** 2
    return T
