"""Gram operators of explicit features: G = F·Fᵀ, solved on the side that is smaller."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gramian._array import Array, as_kind, is_numpy, is_sparse, namespace
from gramian._blocks import row_blocks, spread
from gramian.operators.base import Symmetric
from gramian.operators.fused_features import fused_projection
from gramian.operators.moments import Moments, shifted_sparse

__all__ = ["CovarianceOperator", "FeatureMap"]

_BLOCK_ENTRIES = 1 << 20
_CACHED = 1 << 16  # entries of a block that stays in the cache


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
        xp = namespace(X)
        return xp.astype(((X - self.shift) - self.rest) * self.factor, self.like.dtype)

    def project(self, X: Array, V: Array) -> tuple[Array, Array]:
        """Return f(x)·V, (m, q), and |f(x)|², (m,), block by block."""
        n, p = X.shape
        V = namespace(V).astype(V, self.like.dtype)
        if not is_numpy(self.like):
            fused = fused_projection(X, self.shift, self.rest, self.factor, V)
            if fused is not None:
                return fused

        if is_numpy(X) and X.dtype == self.like.dtype == np.float64:
            return self._project_cached(X, V)

        def work(blocks: Sequence[slice]) -> list[tuple[int, Array, Array]]:
            parts = []
            for rows in blocks:
                F = self(X[rows])
                parts.append((rows.start, F @ V, namespace(F).sum(F * F, axis=1)))
            return parts

        entries = _BLOCK_ENTRIES if is_numpy(self.like) else 64 * _BLOCK_ENTRIES
        blocks = list(row_blocks(n, max(1, entries // p)))
        shares = spread(work, blocks) if is_numpy(self.like) else [work(blocks)]
        done = sorted((part for share in shares for part in share), key=lambda part: part[0])
        xp = namespace(V)
        return xp.concat([z for _, z, _ in done], axis=0), xp.concat([d for *_, d in done])

    def _project_cached(self, X: np.ndarray, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return the same in blocks that stay in the cache."""
        n, p = X.shape
        size = max(16, _CACHED // p)
        out, square = np.empty((n, V.shape[1])), np.empty(n)
        scaled = bool((self.factor != 1.0).any())

        def work(blocks: Sequence[slice]) -> None:
            buffer = np.empty((size, p))
            for rows in blocks:
                F = buffer[: rows.stop - rows.start]
                np.subtract(X[rows], self.shift, out=F)
                F -= self.rest
                if scaled:
                    F *= self.factor
                np.matmul(F, V, out=out[rows])
                np.einsum("ij,ij->i", F, F, out=square[rows])

        spread(work, list(row_blocks(n, size)))
        return out, square


class CovarianceOperator(Symmetric):
    """FᵀPF on R^p, or P^½FFᵀP^½ on R^n, for features F = (x − mean)·factor.

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
        root = as_kind(np.full(n, n**-0.5) if p is None else np.sqrt(p), factor)
        if is_sparse(X):
            # Sparse rows stay sparse: the mean is taken off in the products, F − root·meanᵀ.
            column = moments.unit * factor
            Y = shifted_sparse(X, moments.shift, moments.unit)
            self.F: Any = Y.multiply(column).multiply(root[:, None]).tocsr()
            self.root, self.mean = root, moments.first / moments.weight * column
        else:
            self.F = _centred(X, moments, factor, root)
            self.root = self.mean = None
        self.dtype = factor.dtype
        self.like_ = factor

    @property
    def like(self) -> Array:
        """The column multipliers."""
        return self.like_

    def right(self, V: Array) -> Array:
        """P^½F·V, from R^p to R^n."""
        W = self.F @ V
        return W if self.mean is None else W - self.root[:, None] * (self.mean @ V)

    def left(self, W: Array) -> Array:
        """FᵀP^½·W, from R^n to R^p."""
        V = self.F.T @ W
        return V if self.mean is None else V - self.mean[:, None] * (self.root @ W)

    def matmul(self, V: Array) -> Array:
        """Two products with the features, which are read from memory once."""
        if not is_numpy(self.F):
            return self.left(self.right(V)) if self.side == "primal" else self.right(self.left(V))
        F = self.F if self.side == "primal" else self.F.T
        size = max(1, _BLOCK_ENTRIES // F.shape[1])

        def work(blocks: Sequence[slice]) -> Array:
            return sum((F[rows] @ V).T @ F[rows] for rows in blocks)

        return sum(spread(work, list(row_blocks(F.shape[0], size)))).T

    def trace(self) -> float:
        """The squared norm of the features."""
        if self.mean is None:
            F = self.F
            return float(np.vdot(F, F) if is_numpy(F) else namespace(F).sum(F * F))
        return float((self.F.data**2).sum() - (self.mean**2).sum())

    def dense(self) -> Array:
        """The matrix on the chosen side."""
        if self.mean is not None:
            F = self.F.toarray() - self.root[:, None] * self.mean[None, :]
        else:
            F = self.F
        F = F.T if self.side == "primal" else F
        if not is_numpy(F):
            return F @ F.T

        def work(blocks: Sequence[slice]) -> Array:
            # The copy keeps NumPy off its syrk path, which is slower and crashes on large n.
            return sum(F[:, part] @ F[:, part].copy().T for part in blocks)

        size = max(64, _BLOCK_ENTRIES // F.shape[0])
        return sum(spread(work, list(row_blocks(F.shape[1], size))))


def _centred(X: Array, moments: Moments, factor: Array, root: Array) -> Array:
    """Return P^½·(x − mean)·factor, (n, p), in double precision, with no second copy of X."""
    if not is_numpy(X):
        return ((X - moments.shift) - moments.rest) * factor * root[:, None]
    F = np.empty(X.shape)

    def work(blocks: Sequence[slice]) -> None:
        for rows in blocks:
            np.subtract(X[rows], moments.shift, out=F[rows])
            F[rows] -= moments.rest
            F[rows] *= factor * root[rows, None]

    spread(work, list(row_blocks(X.shape[0], max(1, _BLOCK_ENTRIES // X.shape[1]))))
    return F
