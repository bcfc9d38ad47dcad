"""Gram operators of explicit features: G = F·Fᵀ, solved on the side that is smaller."""

from collections.abc import Sequence
from copy import copy
from typing import Annotated, Self

import numpy as np
from scipy import sparse

from gramian._core.array import (
    Array,
    is_accelerated,
    is_numpy,
    is_sparse,
    namespace,
    writes_at_positions,
)
from gramian._core.check import expect
from gramian._core.operators.fused import gpu_projection
from gramian._core.operators.gram import Symmetric
from gramian._core.operators.moments import Moments, shift_sparse
from gramian._core.operators.rows import Rows, Side, SparseRows, rows_for
from gramian._core.parallel import even_blocks, parallel_map, row_blocks
from gramian._core.sparse import column_counts

_BLOCK_ENTRIES = 1 << 20
_CACHE_ENTRIES = 1 << 16  # entries of a block that stays in the cache
_SPARSE_SHARE = 0.3  # of its numbers that are not 0, under which a matrix is projected as it is
_DEVICE_ENTRIES = 1 << 26  # entries of a block on another device


class FeatureMap:
    """Rows x to centred, weighted features f(x) = (x − mean)·factor, factor one number a column.

    The mean is taken off in two steps, the shift and the rest, because at an offset of 1e8 the
    mean itself, rounded to a double, would be wrong by 1e-8.
    """

    shift: Annotated[Array, "(p,)"]
    rest: Annotated[Array, "(p,)"]
    factor: Annotated[Array, "(p,)"]
    like: Array  # of the library and precision that features come in

    def check(self) -> None:
        """Refuse features of no precision."""
        expect("float" in str(getattr(self.like, "dtype", "")), "an array of floating numbers")

    def __init__(self, moments: Moments, factor: Array, like: Array) -> None:
        self.shift, self.rest = _steps(moments)
        self.factor = factor
        self.like = like[:0, ...]  # and not the rows themselves

    def __call__(self, X: Array) -> Array:
        """Return the features of a few rows, (m, p), dense."""
        if is_sparse(X):
            X = X.toarray()
        F = X - self.shift
        F -= self.rest
        F *= self.factor
        return namespace(F).astype(F, self.like.dtype, copy=False)

    def coordinates(self, X: Array, V: Array) -> Array:
        """Return f(x)·V, (m, q), as `project` does."""
        if is_numpy(X) and is_numpy(self.like):
            return self._project_here(X, V, lengths=False)[0]
        return FeatureMap.project(self, X, V)[0]

    def project(self, X: Array, V: Array) -> tuple[Array, Array]:
        """Return f(x)·V, (m, q), and |f(x)|², (m,), block by block."""
        n, p = X.shape
        V = namespace(V).astype(V, self.like.dtype, copy=False)
        if is_numpy(self.like):
            sparse = is_sparse(X) and X.nnz < _SPARSE_SHARE * n * p and not self._shifts_zeros(X)
            return self._project_sparse(X, V) if sparse else self._project_here(X, V)
        fused = gpu_projection(X, self.shift, self.rest, self.factor, V)
        if fused is not None:
            return fused
        parts = [
            (F @ V, namespace(F).sum(F * F, axis=1))
            for F in (self(X[rows, ...]) for rows in row_blocks(n, max(1, _DEVICE_ENTRIES // p)))
        ]
        coordinates, squares = zip(*parts, strict=True)
        xp = namespace(V)
        return xp.concat(coordinates, axis=0), xp.concat(squares)

    def _shifts_zeros(self, X: sparse.csr_array) -> bool:
        """Whether rows have zeros that are not stored where the fit had none, so that it shifts."""
        return bool((self.shift != 0)[column_counts(X) < X.shape[0]].any())

    def _project_sparse(self, X: sparse.csr_array, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the same from the stored entries alone: columns with zeros have small means."""
        Y, _ = shift_sparse(X, self.shift, np.ones(len(self.shift)))
        W = np.ascontiguousarray(self.factor[:, None] * V)
        square = self.factor**2
        product = Y @ np.column_stack([W, square * self.rest])
        Z = product[:, :-1] - self.rest @ W
        lengths = Y.power(2) @ square
        squares = lengths - 2.0 * product[:, -1] + square @ self.rest**2
        return Z.astype(V.dtype), np.maximum(squares, 0.0).astype(V.dtype)

    def _project_here(
        self, X: Array, V: np.ndarray, *, lengths: bool = True
    ) -> tuple[np.ndarray, np.ndarray]:
        """Return the same in blocks that stay in the cache; without `lengths`, no |f(x)|²."""
        n, p = X.shape
        dtype = self.like.dtype
        Z, squares = np.empty((n, V.shape[1]), dtype), np.empty(n if lengths else 0, dtype)
        # (y − rest)·factor·V with y = x − shift: what is the same for all rows is done to V.
        W = np.ascontiguousarray(self.factor[:, None] * V)
        origin = self.rest @ W
        blocks = even_blocks(n, max(16, (_BLOCK_ENTRIES if is_sparse(X) else _CACHE_ENTRIES) // p))
        shifted = bool(self.shift.any()) or X.dtype != np.float64
        if not (shifted or lengths or is_sparse(X)):  # one product, shared by the threads of BLAS
            return np.subtract(X @ W, origin, out=Z, casting="same_kind"), squares

        def work(blocks: Sequence[slice]) -> None:
            buffer = np.empty((blocks[0].stop - blocks[0].start, p)) if shifted or lengths else None
            for rows in blocks:
                Y = X[rows].toarray() if is_sparse(X) else X[rows]
                F = None if buffer is None else buffer[: Y.shape[0]]
                if shifted:
                    Y = np.subtract(Y, self.shift, out=F)
                np.subtract(Y @ W, origin, out=Z[rows], casting="same_kind")
                if lengths:
                    F = np.subtract(Y, self.rest, out=F)
                    F *= self.factor
                    np.einsum("ij,ij->i", F, F, out=squares[rows], casting="same_kind")

        parallel_map(work, blocks, operations=n * p * (V.shape[1] + 4))
        return Z, squares


def _steps(m: Moments) -> tuple[Array, Array]:
    """Return the shift and the rest; where no mean exceeds four deviations, in one step."""
    if is_numpy(m.shift) and m.shift.any() and (0.25 * np.abs(m.mean) <= m.deviation).all():
        return np.zeros_like(m.shift), m.mean
    return m.shift, m.rest


class CovarianceOperator(Symmetric):
    """FᵀPF on R^p ("primal") or P^½FFᵀP^½ on R^n ("dual"), for features F = (x − mean)·factor.

    X is a table or the features of one, and `p` (n,) its weights, None for equal ones. A copy in
    single precision is made where `budget` (bytes) allows it.
    """

    def __init__(
        self,
        X: Array | Rows,
        moments: Moments,
        factor: Array,
        p: np.ndarray | None,
        side: Side,
        budget: float = 0.0,
    ) -> None:
        self.rows = X if isinstance(X, Rows) else rows_for(X, moments, factor, p, side)
        # On a GPU what a block saves in readings of the rows it loses in steps between them.
        self.by_columns = isinstance(self.rows, SparseRows) or (
            is_accelerated(factor) and writes_at_positions(factor)
        )
        self.side: Side = side
        self._budget = budget
        self.n = X.shape[1] if side == "primal" else X.shape[0]
        self.factor, self.dtype = factor, factor.dtype
        self._total = float(namespace(factor).sum((moments.deviation * factor) ** 2))

    @property
    def like(self) -> Array:
        return self.factor

    def width(self, columns: int) -> int:
        """Up to about ten columns a product takes as long as reading the rows: a few to spare."""
        return max(8, columns - 8) if self.side == "primal" else columns

    def rmatmul(self, W: Array) -> Array:
        """FᵀP^½·W, from R^n to R^p."""
        return self.rows.rmatmul(W)

    def matmul(self, V: Array) -> Array:
        return self.rows.product(V, self.side)

    def to_single(self) -> Self | None:
        """Return the operator of features in single precision, read in half the time."""
        n, p = self.rows.shape
        if self.side == "dual" or not 1e-15 < self._total < 1e30 or 4 * n * p > self._budget:
            return None
        rows = self.rows.to_single()
        if rows is None:
            return None
        low = copy(self)
        low.rows, low.factor = rows, self.factor.astype(np.float32)
        low.dtype = low.factor.dtype
        # F is off by half an eps of each entry, E, and FᵀF by up to 2·‖F‖·‖E‖ ≤ eps·√(λ₁·Σλ), of
        # which `null_level` holds a part in λ₁: √(λ₁·Σλ) ≤ (c·λ₁ + Σλ/c)/2 for every c.
        low.roughness = float(np.finfo(np.float32).eps) * self._total / min(p**0.5, 128.0)
        return low

    def trace(self) -> float:
        """The squared norm of the features, from the moments alone."""
        return self._total

    def dense(self) -> Array:
        return self.rows.dense(self.side)
