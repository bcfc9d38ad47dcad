"""Operators over rows in blocks: products are asked of the blocks, and added up."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Self

import numpy as np

from gramian._array import Array, as_doubles, device_of, is_numpy, is_sparse, to_numpy
from gramian._chunks import Block, Chunks
from gramian._pairs import Pairs, Points
from gramian.errors import InputError
from gramian.kernels.base import Kernel
from gramian.operators.base import Gram
from gramian.operators.block_gram import both_ways
from gramian.operators.merging import merged
from gramian.operators.moments import Moments, moments
from gramian.operators.rows import Rows, Side, rows_for
from gramian.operators.tiled import (
    ROUGHEST,
    SAMPLE,
    TiledGram,
    cross_matmul,
    leading_subspace,
    roughness,
)

__all__ = [
    "ChunkedGram",
    "ChunkedRows",
    "block_moments",
    "chunked_moments",
    "moments_of",
    "require_here",
]


def chunked_moments(chunks: Chunks, *, cross: bool) -> Moments | None:
    """Return the moments of all rows that have a weight, None if there are none."""
    return chunks.total(block_moments, cross, add=merged)


def block_moments(block: Block, cross: bool) -> Moments | None:
    """Return the moments of a block, around a point of its own."""
    block = block.live
    return moments_of(block.values, block.weights, cross=cross) if len(block) else None


def moments_of(X: Any, w: np.ndarray | None, *, cross: bool = True) -> Moments:
    """Return the moments of rows as NumPy arrays, wherever the rows live."""
    like = X.data if is_sparse(X) else X
    m = moments(X, None if w is None else as_doubles(w, like), cross=cross)
    shift, unit, first, second = (to_numpy(a) for a in (m.shift, m.unit, m.first, m.second))
    return Moments(shift, unit, m.weight, first, second)


class ChunkedRows(Rows):
    """The features F = P^½·(x − mean)·factor of rows in blocks."""

    def __init__(self, chunks: Chunks, moments: Moments, factor: np.ndarray) -> None:
        self.chunks, self.shape = chunks, chunks.shape
        self.how = (moments, factor)

    def right(self, V: np.ndarray) -> np.ndarray:
        """F·V, block by block."""
        return np.concatenate(self.chunks.each(_right, V, *self.how))

    def left(self, W: np.ndarray) -> np.ndarray:
        """Fᵀ·W, summed over the blocks."""
        return self.chunks.total(_left, *self.how, cut=W)

    def product(self, V: np.ndarray, side: Side) -> np.ndarray:
        """FᵀF·V with every block read once; F·Fᵀ·V with two readings."""
        if side == "dual":
            return super().product(V, side)
        return self.chunks.total(_product, V, *self.how)

    def dense(self, side: Side) -> np.ndarray:
        """FᵀF, summed over the blocks, or F·Fᵀ, from pairs of them."""
        if side == "primal":
            return self.chunks.total(_dense, *self.how)
        return self.chunks.symmetric(_products, np.eye(self.shape[0]), *self.how)


def require_here(X: Any) -> Any:
    """Return rows that are in memory; those of a device go no further than their moments."""
    if is_sparse(X) or is_numpy(X):
        return X
    raise InputError(
        f"it is on the device {str(device_of(X))[:40]!r}: of dask's blocks only the moments of PCA "
        "are computed there: give blocks of NumPy, X.map_blocks(lambda block: block.cpu().numpy())"
    )


def _rows(block: Block, m: Moments, factor: np.ndarray, side: Side = "primal") -> Rows:
    w = np.ones(len(block)) if block.weights is None else block.weights
    return rows_for(require_here(block.values), m, factor, w / m.weight, side)


def _right(block: Block, V: np.ndarray, m: Moments, factor: np.ndarray) -> np.ndarray:
    return _rows(block, m, factor).right(V)


def _left(block: Block, W: np.ndarray, m: Moments, factor: np.ndarray) -> np.ndarray:
    return _rows(block, m, factor, "dual").left(W)


def _product(block: Block, V: np.ndarray, m: Moments, factor: np.ndarray) -> np.ndarray:
    return _rows(block, m, factor).product(V, "primal")


def _dense(block: Block, m: Moments, factor: np.ndarray) -> np.ndarray:
    return _rows(block, m, factor).dense("primal")


def _products(
    a: Block, b: Block | None, V: np.ndarray, W: np.ndarray, m: Moments, factor: np.ndarray
) -> tuple[np.ndarray, np.ndarray | None]:
    """Return F_a·F_bᵀ·W and F_b·F_aᵀ·V."""
    A = _rows(a, m, factor)
    if b is None:
        return A.right(A.left(V)), None
    B = _rows(b, m, factor)
    return A.right(B.left(W)), B.right(A.left(V))


class ChunkedGram(Gram):
    """The Gram matrix of a kernel on rows in blocks: pairs of blocks are multiplied where they are.

    Parameters
    ----------
    kernel : Kernel
    chunks : Chunks
    sample : array or CSR matrix
        A few of the rows, which give all of them a common centre and unit.
    """

    def __init__(self, kernel: Kernel, chunks: Chunks, sample: Array, low: bool = False) -> None:
        self.kernel, self.chunks = kernel, chunks
        self.psd = kernel.psd
        self.n = chunks.shape[0]
        self.origin = Points(sample)
        self.low = low  # whether products are in single precision

    @property
    def like(self) -> Array:
        """An empty array of the precision of products."""
        X = self.origin.X
        return np.empty(0, np.float32 if self.low else X.dtype)

    def matmul(self, V: np.ndarray) -> np.ndarray:
        """G·V, every pair of blocks made once."""
        return self.chunks.symmetric(pair_product, V, self.kernel, self.origin, self.low, self.n)

    @cached_property
    def _diag(self) -> np.ndarray:
        return np.concatenate(self.chunks.each(_diag, self.kernel))

    def diag(self) -> np.ndarray:
        """k(x, x)."""
        return self._diag.astype(self.like.dtype, copy=False)

    def block(self, rows: slice, cols: slice) -> np.ndarray:
        """A block of G, of rows that are fetched for it."""
        A, B = (self._fetched(part) for part in (rows, cols))
        return to_numpy(self.kernel.block(Pairs(A, A if rows == cols else B)))

    def dense(self) -> np.ndarray:
        """The whole matrix, (n, n), for which every row is fetched."""
        return TiledGram(self.kernel, self._fetched(slice(0, self.n))).dense()

    def _fetched(self, rows: slice) -> Points:
        numbers = np.arange(self.n)[rows]
        return Points(self.chunks.at(numbers).values, self.origin)

    def cross(self, new: Any) -> np.ndarray:
        """k(new, training), (m, n)."""
        return np.concatenate(self.chunks.each(_cross, new, self.kernel, self.origin), axis=1)

    def cross_matmul(self, new: Any, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The product with the block of new rows, which never exists as a whole."""
        product = self.chunks.total(cross_product, new, self.kernel, self.origin, cut=V)
        return product, self.cross_diag(new)

    def cross_diag(self, new: Any) -> np.ndarray:
        """k(x, x) of new rows, (m,)."""
        return self.kernel.self_similarity(_beside(new, self.kernel, self.origin).X)

    def lowered(self) -> Self | None:
        """Return the operator with products in single precision."""
        X = self.origin.X
        if is_sparse(X) or not self.kernel.any_precision or X.dtype != np.float64:
            return None
        if not 1e-15 < float(np.abs(self.diag()).max()) < 1e30:
            return None
        low = type(self)(self.kernel, self.chunks, X, low=True)
        low.roughness = roughness(self.kernel, self.origin, self.origin.lowered())
        return low if low.roughness < ROUGHEST * float(np.abs(self.diag()).max()) else None

    def sketch(self, width: int, rng: np.random.Generator) -> np.ndarray | None:
        """Return the leading eigenvectors of the sample, extended to all rows."""
        X = self.origin.X
        if is_sparse(X) or self.n < 4 * SAMPLE or X.shape[0] < SAMPLE:
            return None
        which = np.sort(rng.choice(X.shape[0], SAMPLE, replace=False))
        some = TiledGram(self.kernel, self.origin.take(which))
        vectors = leading_subspace(some, width, rng)
        parts = self.chunks.each(_extended, vectors, X[which], self.kernel, self.origin)
        return np.concatenate(parts).astype(self.like.dtype, copy=False)


def _beside(X: Any, kernel: Kernel, origin: Points) -> Points:
    """Return rows with the centre and the unit of the sample."""
    dense = is_sparse(X) and not kernel.takes_sparse
    return Points(X.toarray() if dense else X, origin)


def pair_product(
    a: Block,
    b: Block | None,
    V: np.ndarray,
    W: np.ndarray,
    kernel: Kernel,
    origin: Points,
    low: bool,
    n: int,
) -> tuple[np.ndarray, np.ndarray | None]:
    """Return k(a, b)·W and, where b is another block, k(b, a)·V, in tiles as of n points."""
    A = Points(a.values, origin)
    if b is None:
        gram = TiledGram(kernel, A.lowered() if low else A, n)
        return gram.matmul(V), None
    B = Points(b.values, origin)
    mine, theirs = both_ways(kernel, *((A.lowered(), B.lowered()) if low else (A, B)), V, W, n)
    return mine.astype(V.dtype, copy=False), theirs.astype(V.dtype, copy=False)


def _diag(block: Block, kernel: Kernel) -> np.ndarray:
    return to_numpy(kernel.self_similarity(block.values))


def _cross(block: Block, new: Any, kernel: Kernel, origin: Points) -> np.ndarray:
    points = _beside(new, kernel, origin)
    return to_numpy(kernel.evaluate(Pairs(points, Points(block.values, origin))))


def cross_product(
    block: Block, V: np.ndarray, new: Any, kernel: Kernel, origin: Points
) -> np.ndarray:
    """Return k(new, block)·V."""
    if not new.shape[0]:
        return np.empty((0, V.shape[1]), V.dtype)
    points = _beside(new, kernel, origin)
    return to_numpy(cross_matmul(kernel, points, Points(block.values, origin), V)[0])


def _extended(
    block: Block, vectors: np.ndarray, sample: np.ndarray, kernel: Kernel, origin: Points
) -> np.ndarray:
    points, some = Points(block.values, origin), Points(sample, origin)
    return cross_matmul(kernel, points, some, vectors)[0]
