"""Gram operators of explicit features: G = F·Fᵀ, solved on the side that is smaller."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gramian._array import Array, as_kind, is_numpy, is_sparse, mirror_upper, namespace
from gramian._blocks import even_blocks, row_blocks, spread
from gramian.operators.base import Symmetric
from gramian.operators.fused_features import fused_projection
from gramian.operators.moments import Moments, add_products, shifted_sparse

__all__ = ["CovarianceOperator", "FeatureMap"]

_BLOCK_ENTRIES = 1 << 20
_CACHED = 1 << 16  # entries of a block that stays in the cache
_ON_DEVICE = 1 << 26  # entries of a block on another device
NEAR = 8.0  # deviations between the mean and the origin that cost no more than a digit


class FeatureMap:
    """Rows x to centred, weighted features f(x) = (x − mean)·factor, factor one number a column.

    The mean is taken off in two steps, the shift and the rest, because at an offset of 1e8 the
    mean itself, rounded to a double, would be wrong by 1e-8.

    Parameters
    ----------
    moments : Moments
    factor : array (p,), double precision
    like : array
        An array of the library and precision that features come in.
    """

    def __init__(self, moments: Moments, factor: Array, like: Array) -> None:
        self.shift, self.rest = moments.shift, moments.rest
        self.factor = factor
        self.like = like

    def __call__(self, X: Array) -> Array:
        """Return the features of a few rows, (m, p), dense."""
        if is_sparse(X):
            X = X.toarray()
        F = X - self.shift
        F -= self.rest
        F *= self.factor
        return namespace(F).astype(F, self.like.dtype, copy=False)

    def project(self, X: Array, V: Array) -> tuple[Array, Array]:
        """Return f(x)·V, (m, q), and |f(x)|², (m,), block by block."""
        n, p = X.shape
        V = namespace(V).astype(V, self.like.dtype)
        if not is_numpy(self.like):
            fused = fused_projection(X, self.shift, self.rest, self.factor, V)
            if fused is not None:
                return fused

        if is_numpy(self.like):
            return self._project_here(X, V)
        parts = [
            (F @ V, namespace(F).sum(F * F, axis=1))
            for F in (self(X[rows]) for rows in row_blocks(n, max(1, _ON_DEVICE // p)))
        ]
        coordinates, squares = zip(*parts, strict=True)
        xp = namespace(V)
        return xp.concat(coordinates, axis=0), xp.concat(squares)

    def _project_here(self, X: Any, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the same in blocks that stay in the cache."""
        n, p = X.shape
        Z, squares = np.empty((n, V.shape[1]), V.dtype), np.empty(n, V.dtype)

        def work(blocks: Sequence[slice]) -> None:
            for rows in blocks:
                F = self(X[rows])
                np.matmul(F, V, out=Z[rows])
                np.einsum("ij,ij->i", F, F, out=squares[rows])

        entries = _BLOCK_ENTRIES if is_sparse(X) else _CACHED
        spread(work, even_blocks(n, max(16, entries // p)))
        return Z, squares


class CovarianceOperator(Symmetric):
    """FᵀPF on R^p, or P^½FFᵀP^½ on R^n, for features F = (x − mean)·factor.

    Sparse rows, and rows not far from the origin, stay as they are: the mean is taken off the
    products. Others are centred first, in a copy, or the products would lose their digits.

    Parameters
    ----------
    X : array or CSR matrix (n, p)
    moments : Moments
        Those of X, for its mean.
    factor : array (p,)
        Multiplier of each column.
    p : array (n,) of weights, or None for equal ones
    side : "primal" (on R^p) or "dual" (on R^n)
    """

    def __init__(
        self, X: Array, moments: Moments, factor: Array, p: np.ndarray | None, side: str
    ) -> None:
        n = X.shape[0]
        self.side = side
        self.n = X.shape[1] if side == "primal" else n
        self.dtype, self.like_ = factor.dtype, factor
        self.total = float(namespace(factor).sum((moments.deviation * factor) ** 2))
        root = as_kind(np.full(n, n**-0.5) if p is None else np.sqrt(p), factor)
        self.root, self.column, self.mean = root[:, None], factor[:, None], moments.mean
        self._rows: Any = X  # as they were given
        self._origin = moments.shift, moments.rest
        self._F: Any = None  # as products want them
        if is_sparse(X):
            self._F = shifted_sparse(X, moments.shift, moments.unit)
            self.column = (moments.unit * factor)[:, None]
            self.mean = moments.first / moments.weight
        elif side == "primal" and is_numpy(X) and X.dtype == np.float64 and _is_near(moments):
            self._F = X
        else:
            self.mean = None

    @property
    def F(self) -> Any:
        """The rows as they are, or P^½·(x − mean)·factor, made when they are first needed."""
        if self._F is None and is_numpy(self._rows):
            self._F = np.empty(self._rows.shape)

            def work(blocks: Sequence[slice]) -> None:
                for rows in blocks:
                    self._F[rows] = self._block(rows, slice(None))

            n, p = self._rows.shape
            spread(work, even_blocks(n, max(1, _CACHED // p)))
        elif self._F is None:
            self._F = self._block(slice(None), slice(None))
        return self._F

    @property
    def product_bytes(self) -> int:
        """What the rows take once more for products."""
        n, p = self._rows.shape
        return 8 * n * p if self._F is None else 0

    @property
    def dense_bytes(self) -> int:
        """What the rows take once more for the matrix; NumPy's are taken block by block."""
        n, p = self._rows.shape
        return 0 if is_numpy(self._rows) else 8 * n * p

    def _block(self, rows: slice, columns: slice) -> Array:
        """Return a block of P^½·(x − mean)·factor in double precision."""
        shift, rest = self._origin
        F = self._rows[rows, columns] - shift[columns]
        F -= rest[columns]
        F *= self.column[columns, 0]
        F *= self.root[rows]
        return F

    @property
    def like(self) -> Array:
        """The column multipliers."""
        return self.like_

    def width(self, columns: int) -> int:
        """Up to about ten columns a product takes as long as reading the rows: a few to spare."""
        return max(8, columns - 8) if self.side == "primal" else columns

    def right(self, V: Array) -> Array:
        """P^½F·V, from R^p to R^n."""
        if self.mean is None:
            return self.F @ V
        V = self.column * V
        return self.root * (self.F @ V - (self.mean @ V)[None, :])

    def left(self, W: Array) -> Array:
        """FᵀP^½·W, from R^n to R^p."""
        if self._F is None and is_numpy(self._rows):
            V = np.empty((self._rows.shape[1], W.shape[1]))

            def work(blocks: Sequence[slice]) -> None:
                for columns in blocks:
                    np.matmul(self._block(slice(None), columns).T, W, out=V[columns])

            spread(work, self._column_blocks())
            return V
        if self.mean is None:
            return self.F.T @ W
        W = self.root * W
        sums = namespace(W).sum(W, axis=0)
        return self.column * (self.F.T @ W - self.mean[:, None] * sums[None, :])

    def matmul(self, V: Array) -> Array:
        """Two products with the features, which are read from memory once."""
        if not is_numpy(self.F):
            return self.left(self.right(V)) if self.side == "primal" else self.right(self.left(V))
        F = self.F if self.side == "primal" else self.F.T
        size = max(1, _BLOCK_ENTRIES // F.shape[1])
        mean = None
        if self.mean is not None:
            V = self.column * V
            mean = self.mean @ V

        def work(blocks: Sequence[slice]) -> tuple[Array, Array]:
            product, sums = np.zeros(V.T.shape), np.zeros(V.shape[1])
            for rows in blocks:
                W = F[rows] @ V
                if mean is not None:
                    W = (W - mean) * self.root[rows] ** 2
                    sums += W.sum(axis=0)
                product += W.T @ F[rows]
            return product, sums

        parts = spread(work, even_blocks(F.shape[0], size))
        product, sums = (sum(part[k] for part in parts) for k in (0, 1))
        if self.mean is None:
            return product.T
        return self.column * (product.T - self.mean[:, None] * sums[None, :])

    def trace(self) -> float:
        """The squared norm of the features."""
        return self.total

    def dense(self) -> Array:
        """The matrix on the chosen side."""
        primal, every = self.side == "primal", slice(None)
        if not is_numpy(self._rows):
            F = again = self.F
            if is_sparse(F):
                F = self.root * (F.toarray() - self.mean) * self.column.T
                again = F.copy()  # keeps NumPy off its syrk path, which crashes on large n
            return F.T @ again if primal else F @ again.T

        def work(blocks: Sequence[slice]) -> Array:
            M = np.zeros((self.n, self.n))
            for part in blocks:
                F = self._block(part, every) if primal else self._block(every, part).T
                add_products(M, F)
            return M

        n, p = self._rows.shape
        blocks = even_blocks(n, max(64, _CACHED // p)) if primal else self._column_blocks()
        return mirror_upper(np.sum(spread(work, blocks), axis=0))

    def _column_blocks(self) -> list[slice]:
        n, p = self._rows.shape
        return even_blocks(p, max(64, _CACHED // n))


def _is_near(moments: Moments) -> bool:
    """Whether every column is near the origin, in deviations, and of a common size."""
    unit = moments.unit
    plain = (unit > 2.0**-100) & (unit < 2.0**100)
    return bool((plain & (np.abs(moments.mean) <= NEAR * moments.deviation)).all())
