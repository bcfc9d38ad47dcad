"""Operators over rows in blocks: products are computed by block, and added up."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import product
from typing import Any, Self

import numpy as np

from gramian._core.array import Array, device_of, is_numpy, is_sparse, to_numpy
from gramian._core.chunked.blocks import Block, Chunks
from gramian._core.operators.base import Gram
from gramian._core.operators.moments import Moments
from gramian._core.operators.rows import Rows, Side, rows_for
from gramian._core.operators.tiled import (
    ROUGHEST,
    SAMPLE,
    TiledGram,
    cross_matmul,
    leading_subspace,
    roughness,
    tile_rows,
)
from gramian._core.pairs import Pairs, Points
from gramian._core.parallel import one_blas_thread, parallel_map, row_blocks
from gramian.errors import InputError
from gramian.kernels.base import Kernel


def require_memory(X: Any) -> Any:
    """Return rows that are in memory; of those on a device only moments are computed."""
    if is_sparse(X) or is_numpy(X):
        return X
    raise InputError(
        f"it is on the device {str(device_of(X))[:40]!r}: of blocks only the moments of PCA are "
        "computed there: give blocks of NumPy, X.map_blocks(lambda block: block.cpu().numpy())"
    )


class ChunkedRows(Rows):
    """The features F = P^½·(x − mean)·factor of rows in blocks."""

    def __init__(self, chunks: Chunks, moments: Moments, factor: np.ndarray) -> None:
        self.chunks, self.shape = chunks, chunks.shape
        self.form = (moments, factor)

    def right(self, V: np.ndarray) -> np.ndarray:
        """F·V, block by block."""
        return np.concatenate(self.chunks.each(_of_rows, V, "right", *self.form))

    def left(self, W: np.ndarray) -> np.ndarray:
        """Fᵀ·W, summed over the blocks."""
        return self.chunks.total(_of_rows, "left", *self.form, "dual", cut=W)

    def product(self, V: np.ndarray, side: Side) -> np.ndarray:
        """FᵀF·V with every block read once; F·Fᵀ·V with two readings."""
        if side == "dual":
            return super().product(V, side)
        return self.chunks.total(_of_rows, V, "product", *self.form)

    def dense(self, side: Side) -> np.ndarray:
        """FᵀF, summed over the blocks, or F·Fᵀ, from pairs of them."""
        if side == "primal":
            return self.chunks.total(_of_rows, None, "dense", *self.form)
        return self.chunks.symmetric(_products, np.eye(self.shape[0]), *self.form)


def _rows(block: Block, m: Moments, factor: np.ndarray, side: Side = "primal") -> Rows:
    w = np.ones(len(block)) if block.weights is None else block.weights
    return rows_for(require_memory(block.values), m, factor, w / m.weight, side)


def _of_rows(
    block: Block,
    V: np.ndarray | None,
    what: str,
    m: Moments,
    factor: np.ndarray,
    side: Side = "primal",
) -> np.ndarray:
    """Return a product with the features of a block, or their matrix."""
    rows = _rows(block, m, factor, side)
    if what in ("right", "left"):
        return getattr(rows, what)(V)
    return rows.dense(side) if V is None else rows.product(V, side)


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
    """The Gram matrix of a kernel on rows in blocks: pairs of blocks are multiplied.

    Parameters
    ----------
    kernel : Kernel
    chunks : Chunks
    origin : Points
        A few of the rows, which give all of them a common centre and unit.
    """

    def __init__(self, kernel: Kernel, chunks: Chunks, origin: Points, low: bool = False) -> None:
        self.kernel, self.chunks, self.origin = kernel, chunks, origin
        self.n, self.psd = chunks.n, kernel.psd
        self.low = low  # whether products are in single precision

    @property
    def like(self) -> Array:
        """An empty array of the precision of products."""
        return np.empty(0, np.float32 if self.low else self.origin.X.dtype)

    def matmul(self, V: np.ndarray) -> np.ndarray:
        """G·V, every pair of blocks made once."""
        return self.chunks.symmetric(_pair_product, V, self.kernel, self.origin, self.low, self.n)

    @cached_property
    def _diag(self) -> np.ndarray:
        return np.concatenate(self.chunks.each(_diagonal, self.kernel))

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
        return Points(self.chunks.at(np.arange(self.n)[rows]).values, self.origin)

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
        if self.low or is_sparse(X) or not self.kernel.any_precision or X.dtype != np.float64:
            return None
        if not 1e-15 < float(np.abs(self.diag()).max()) < 1e30:  # the range of single precision
            return None
        low = type(self)(self.kernel, self.chunks, self.origin, low=True)
        low.roughness = roughness(self.kernel, self.origin, self.origin.lowered())
        return low if low.roughness < ROUGHEST * float(np.abs(self.diag()).max()) else None

    def sketch(self, width: int, rng: np.random.Generator) -> np.ndarray | None:
        """Return the leading eigenvectors of a sample, extended to all rows."""
        X, kernel = self.origin.X, self.kernel
        if is_sparse(X) or not kernel.any_precision or self.n < 4 * SAMPLE or len(X) < SAMPLE:
            return None
        which = np.sort(rng.choice(X.shape[0], SAMPLE, replace=False))
        with one_blas_thread():
            vectors = leading_subspace(TiledGram(kernel, self.origin.take(which)), width, rng)
        parts = self.chunks.each(_extension, vectors, X[which], kernel, self.origin)
        return np.concatenate(parts).astype(self.like.dtype, copy=False)


def _beside(X: Any, kernel: Kernel, origin: Points) -> Points:
    """Return rows with the centre and the unit of the sample."""
    dense = is_sparse(X) and not kernel.takes_sparse
    return Points(X.toarray() if dense else X, origin)


def _pair_product(
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
        return TiledGram(kernel, A.lowered() if low else A, n).matmul(V), None
    B = Points(b.values, origin)
    mine, theirs = _both_ways(kernel, *((A.lowered(), B.lowered()) if low else (A, B)), V, W, n)
    return mine.astype(V.dtype, copy=False), theirs.astype(V.dtype, copy=False)


def _both_ways(
    kernel: Kernel, A: Points, B: Points, V: np.ndarray, W: np.ndarray, n: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return k(A, B)·W and k(B, A)·V, from tiles that are made once, as those of n points are."""
    size = tile_rows(n, V)
    tiles = list(product(row_blocks(len(A), size), row_blocks(len(B), size)))

    def work(share: Sequence[tuple[slice, slice]]) -> tuple[np.ndarray, np.ndarray]:
        mine, theirs = np.zeros((len(A), W.shape[1])), np.zeros((len(B), V.shape[1]))
        buffer = np.empty(size * size, V.dtype)
        for rows, cols in share:
            T = kernel.evaluate(Pairs(A, B, rows, cols, buffer=buffer))
            mine[rows] += T @ W[cols]
            theirs[cols] += (V[rows].T @ T).T
        return mine, theirs

    A.prepare(kernel.evaluate, B)
    width = getattr(A.X, "shape", (0, 1))[1] + 2 * (V.shape[1] + W.shape[1])
    parts = parallel_map(work, tiles, operations=len(A) * len(B) * width)
    return sum(part[0] for part in parts), sum(part[1] for part in parts)  # type: ignore[return-value]


def _diagonal(block: Block, kernel: Kernel) -> np.ndarray:
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


def _extension(
    block: Block, vectors: np.ndarray, sample: np.ndarray, kernel: Kernel, origin: Points
) -> np.ndarray:
    points, some = Points(block.values, origin), Points(sample, origin)
    return cross_matmul(kernel, points, some, vectors)[0]
