"""A Gram matrix that never exists: tiles that fit the cache are made, multiplied and forgotten.

Recomputing a tile beats reading a stored matrix back from memory, and needs no n × n array. Only
tiles on and above the diagonal are made; each serves twice, as itself and as its transpose.
"""

from collections.abc import Sequence
from functools import cached_property
from itertools import product
from typing import Any, Self

import numpy as np

from gramian._core.array import (
    Array,
    Values,
    as_kind,
    is_array,
    is_numpy,
    is_sparse,
    mirror_upper,
    namespace,
    orthonormal,
    standard_normal,
    to_numpy,
)
from gramian._core.compiled import has_numba
from gramian._core.operators.fused import FusedProduct, gpu_product
from gramian._core.operators.gram import Gram
from gramian._core.pairs import Pairs, Points
from gramian._core.parallel import one_blas_thread, parallel_map, row_blocks
from gramian.kernels.base import Kernel
from gramian.kernels.radial import Gaussian

SAMPLE_POINTS = 1000  # points whose eigenvectors start the iteration
DEVICE_SAMPLE_POINTS = 65_536  # on a GPU more of them are cheap, and save a product
MAX_ROUGHNESS = 1e-3  # relative error of kernel values with which single precision is of use
COMPARED_POINTS = 64  # points compared with their copies, of each kind
DEVICE_TILE_ROWS = 8192  # where the array library runs the threads itself
ONE_TILE_ROWS = 540  # rows of a matrix made in one piece, too small for compiled loops
# Rows of a tile that stays in a core's own cache, by bytes a number.
CACHE_TILE_ROWS = {8: 320, 4: 384}
MIN_COMPILED_POINTS = 8_192  # points from which on a compiled loop is worth its import


class TiledGram(Gram):
    """The Gram matrix of a kernel on n points, computed in tiles and never stored.

    >>> from gramian._core.pairs import Points
    >>> points = Points(np.array([[0.0], [1.0], [3.0]]))
    >>> gm.operators.TiledGram(gm.kernels.Linear(), points).diag().tolist()
    [0.0, 1.0, 9.0]
    """

    remakes = True

    def __init__(self, kernel: Kernel, points: Points, of: int | None = None) -> None:
        self.kernel = kernel
        self.psd = kernel.psd
        self.points = points
        self.n = len(points)
        self.of = of or self.n  # of how many points these are a part

    @cached_property
    def gpu_product(self) -> FusedProduct | None:
        """The product on a GPU that makes no tiles in memory at all."""
        return None if is_numpy(self.like) else gpu_product(self.kernel, self.points, self.points)

    @property
    def like(self) -> Array:
        """The points, or an empty double array where they are not numbers."""
        X = self.points.X
        if is_sparse(X):
            return X.data
        return X if hasattr(X, "dtype") else np.empty(0)

    def diag(self) -> Array:
        return self.kernel.self_similarity(self.points.X)

    def block(self, rows: slice, cols: slice) -> Array:
        return self.kernel.block(Pairs(self.points, self.points, rows, cols))

    def dense(self) -> Array:
        """Return the whole matrix, (n, n), exactly symmetric."""
        if not is_numpy(self.like):
            return self.block(slice(0, self.n), slice(0, self.n))
        tiles = self._tiles()
        if len(tiles) == 1 or self.n <= ONE_TILE_ROWS:
            with one_blas_thread():
                return self.block(slice(0, self.n), slice(0, self.n))
        K = np.empty((self.n, self.n), dtype=self.like.dtype)

        def fill(tiles: Sequence[tuple[slice, slice]]) -> None:
            for rows, cols in tiles:
                pairs = Pairs(self.points, self.points, rows, cols)
                of = self.kernel.block if rows == cols else self.kernel.evaluate
                K[rows, cols] = of(pairs)

        self.points.prepare(self.kernel.block)
        parallel_map(fill, tiles)
        return mirror_upper(K)

    def matmul(self, V: Array) -> Array:
        """G·V, one pass over the upper triangle."""
        if self.gpu_product is not None:
            return self.gpu_product(V)
        return self._matmul_here(V) if is_numpy(self.like) else self._matmul_there(V)

    def _matmul_here(self, V: np.ndarray) -> np.ndarray:
        """Return G·V by all cores, each with tiles of its own."""
        if self._is_compiled:
            return self._matmul_compiled(V)

        def work(tiles: Sequence[tuple[slice, slice]]) -> np.ndarray:
            # Sums over tiles are in double precision: there may be hundreds of them.
            out = np.zeros(V.shape)
            size = tile_rows(self.of, self.like)
            buffer = np.empty(size * size, self.like.dtype)
            for rows, cols in tiles:
                T = self.kernel.block(Pairs(self.points, self.points, rows, cols, buffer=buffer))
                out[rows] += T @ V[cols]
                if rows != cols:
                    out[cols] += (V[rows].T @ T).T
            return out

        self.points.prepare(self.kernel.block)
        total, *others = parallel_map(work, self._tiles())
        for other in others:
            total += other
        return total.astype(V.dtype, copy=False)

    @property
    def _is_compiled(self) -> bool:
        """Whether one compiled loop makes all tiles: those of many Gaussians, none to be mended."""
        k, points = self.kernel, self.points
        if type(k) is not Gaussian or self.of < MIN_COMPILED_POINTS or not has_numba():
            return False
        return self.like.dtype in (np.float32, np.float64) and Pairs(points).is_plain(
            float(k.scale), k.steepness
        )

    def _matmul_compiled(self, V: np.ndarray) -> np.ndarray:
        """Return G·V of Gaussians, tiles of a core's own cache made by one loop a core."""
        from gramian._core.operators.numba_tiles import add_tiles

        assert isinstance(self.kernel, Gaussian)
        ratio = self.points.unit / float(self.kernel.scale)
        left = self.points.factor("left", ratio) * self.like.dtype.type(-0.5)
        right, V = self.points.factor("right", ratio), np.ascontiguousarray(V, self.like.dtype)
        size = CACHE_TILE_ROWS[self.like.dtype.itemsize]

        def work(tiles: Sequence[tuple[slice, slice]]) -> np.ndarray:
            out = np.zeros(V.shape)
            firsts = np.array([(rows.start, cols.start) for rows, cols in tiles])
            add_tiles(left, right, V, firsts, size, out)
            return out

        parts = parallel_map(work, self._tiles(size))
        return np.sum(parts, axis=0).astype(V.dtype, copy=False)

    def _matmul_there(self, V: Array) -> Array:
        """Return G·V where the array library runs the threads."""
        out = namespace(V).zeros_like(V)
        for rows, cols in self._tiles():
            T = self.block(rows, cols)
            out[rows, ...] += T @ V[cols, ...]
            if rows != cols:
                out[cols, ...] += (V[rows, ...].T @ T).T
        return out

    def cross(self, new: Values) -> Array:
        """k(new, training), (m, n), for rows or prepared `Points`."""
        points = points_about(new, self.kernel, self.points)
        if not is_numpy(self.like):
            return self.kernel.evaluate(Pairs(points, self.points))
        K = np.empty((len(points), self.n), dtype=self.like.dtype)

        def fill(tiles: Sequence[tuple[slice, slice]]) -> None:
            for rows, cols in tiles:
                K[rows, cols] = self.kernel.evaluate(Pairs(points, self.points, rows, cols))

        points.prepare(self.kernel.evaluate, self.points)
        size = tile_rows(self.n, self.like)
        parallel_map(fill, list(product(row_blocks(len(points), size), row_blocks(self.n, size))))
        return K

    def cross_diag(self, new: Values) -> Array:
        return self.kernel.self_similarity(points_about(new, self.kernel, self.points).X)

    def cross_matmul(self, new: Values, V: Array) -> tuple[Array, Array]:
        """The product with the block of new rows, which never exists as a whole."""
        points = points_about(new, self.kernel, self.points)
        return cross_matmul(self.kernel, points, self.points, V)

    def width(self, columns: int) -> int:
        """A fused product takes as long for 17 columns as for 32."""
        return columns if self.gpu_product is None else self.gpu_product.width(columns)

    def to_single(self) -> Self | None:
        X = self.points.X
        if not (self.kernel.any_precision and is_numpy(X) and X.dtype == np.float64):
            return None
        size = float(np.abs(self.diag()).max())
        if not 1e-15 < size < 1e30:  # of the range of single precision
            return None
        low = type(self)(self.kernel, self.points.to_single())
        low.roughness = roughness(self.kernel, self.points, low.points)
        return low if low.roughness < MAX_ROUGHNESS * size else None

    def sketch(self, width: int, rng: np.random.Generator) -> Array | None:
        """Return the leading eigenvectors of a sample of the points, extended to all of them."""
        if self.n < 4 * SAMPLE_POINTS or not (
            is_array(self.points.X) and self.kernel.any_precision
        ):
            return None
        size = SAMPLE_POINTS
        if self.gpu_product is not None:
            size = max(size, min(self.n // 16, DEVICE_SAMPLE_POINTS))
        sample = self.points.take(np.sort(rng.choice(self.n, size, replace=False)))
        with one_blas_thread():
            vectors = leading_subspace(TiledGram(self.kernel, sample), width, rng)
        return cross_matmul(self.kernel, self.points, sample, vectors)[0]

    def _tiles(self, size: int | None = None) -> list[tuple[slice, slice]]:
        rows = list(row_blocks(self.n, size or tile_rows(self.of, self.like)))
        return [(a, b) for i, a in enumerate(rows) for b in rows[i:]]


def points_about(new: Values, kernel: Kernel, origin: Points) -> Points:
    """Return new rows with the centre and the unit of others; prepared `Points` have them."""
    if isinstance(new, Points):
        return new
    return Points(new.toarray() if is_sparse(new) and not kernel.takes_sparse else new, origin)


def roughness(kernel: Kernel, points: Points, low: Points) -> float:
    """Return how far single precision moves the eigenvalues of a Gram matrix, in the mean square.

    Equal points are the worst case: their distance is the difference of large numbers, and a kernel
    that is steep beside the norms of the points makes 0 of what should be 1. Errors grow with the
    norms: the points with the largest are looked at, and some of the others.
    """
    n = len(points)
    far = np.argsort(to_numpy(low.norms))[::-1][:COMPARED_POINTS]
    others = np.unique(np.linspace(0, n - 1, min(n, 8 * COMPARED_POINTS)).astype(int))
    error = [_error_on_copies(kernel, points, low, rows) for rows in (far, others)]
    return 4.0 * float(np.sqrt((error[0] ** 2).sum() / n + (error[1] ** 2).mean()))  # a margin


def _error_on_copies(kernel: Kernel, points: Points, low: Points, rows: np.ndarray) -> np.ndarray:
    """Return the errors of single precision in k(x, x), where x is compared with its copy."""
    exact = to_numpy(kernel.self_similarity(points.take(rows).X))
    copies = kernel.evaluate(Pairs(low.take(rows), low.take(rows)))
    return np.diagonal(to_numpy(copies)) - exact


def tile_rows(n: int, like: Array) -> int:
    """Return the side of a tile for n points: one to two megabytes, which stay in the cache.

    Those of a large problem are just large enough for compiled loops (`array.MIN_COMPILED_SIZE`).
    """
    if not is_numpy(like):
        return DEVICE_TILE_ROWS
    return 512 if n < MIN_COMPILED_POINTS else 576 if like.dtype.itemsize == 8 else 768


def leading_subspace(gram: TiledGram, width: int, rng: np.random.Generator) -> Array:
    """Return a basis near the leading subspace of the centred matrix, by subspace iterations."""
    multiply = gram.matmul
    if gram.gpu_product is None:
        K = gram.dense()
        multiply = lambda V: K @ V  # noqa: E731
    xp = namespace(gram.like)
    Q = standard_normal(rng, (gram.n, min(2 * width, gram.n)), gram.like)

    def centre(V: Array) -> Array:
        return V - xp.mean(V, axis=0)[None, :]

    for _ in range(4):
        Q = orthonormal(centre(multiply(Q)))
    small = to_numpy(Q.T @ multiply(Q)).astype(np.float64)
    _, S = np.linalg.eigh(0.5 * (small + small.T))
    return Q @ as_kind(S[:, ::-1][:, :width], gram.like)


def cross_matmul(kernel: Kernel, new: Points, old: Points, V: Array) -> tuple[Array, Array]:
    """Return k(new, old)·V and the diagonal k(x, x) of the new points, tile by tile."""
    fused = None if is_numpy(V) else gpu_product(kernel, new, old)
    if fused is not None:
        return fused(V), kernel.self_similarity(new.X)
    size = tile_rows(len(old), V)
    new.prepare(kernel.evaluate, old)

    def work(blocks: Sequence[slice]) -> list[Any]:
        parts = []
        for rows in blocks:
            total = 0.0
            for cols in row_blocks(len(old), size):
                total = total + kernel.evaluate(Pairs(new, old, rows, cols)) @ V[cols, ...]
            parts.append((rows.start, total))
        return parts

    blocks = list(row_blocks(len(new), size))
    shares = parallel_map(work, blocks) if is_numpy(V) else [work(blocks)]
    parts = [part for _, part in sorted((p for share in shares for p in share), key=lambda p: p[0])]
    return namespace(V).concat(parts, axis=0), kernel.self_similarity(new.X)
