"""A Gram matrix that never exists: tiles that fit the cache are made, multiplied and forgotten.

Recomputing a tile beats reading a stored matrix back from memory, and needs no n × n array. Only
tiles on and above the diagonal are made; each serves twice, as itself and as its transpose.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gramian._array import Array, is_numpy, is_sparse, namespace
from gramian._blocks import row_blocks, spread
from gramian.kernels.base import Kernel
from gramian.operators.base import Gram
from gramian.pairs import Pairs, Points

__all__ = ["TiledGram", "cross_matmul"]

TILE = 512  # rows; 512 × 512 doubles are 2 MB and stay in the second-level cache
DEVICE_TILE = 8192  # where the array library runs the threads itself


class TiledGram(Gram):
    """The Gram matrix of a kernel on points, in tiles."""

    def __init__(self, kernel: Kernel, points: Points) -> None:
        self.kernel = kernel
        self.points = points
        self.n = len(points)

    @property
    def like(self) -> Array:
        """The points, or an empty double array where they are not numbers."""
        X = self.points.X
        if is_sparse(X):
            return X.data
        return X if hasattr(X, "dtype") else np.empty(0)

    def diag(self) -> Array:
        """k(x, x)."""
        return self.kernel.self_similarity(self.points.X)

    def block(self, rows: slice, cols: slice) -> Array:
        """One block, made now."""
        return self.kernel.block(Pairs(self.points, self.points, rows, cols))

    def dense(self) -> Array:
        """Return the whole matrix, (n, n), exactly symmetric."""
        if not is_numpy(self.like):
            return self.block(slice(0, self.n), slice(0, self.n))
        K = np.empty((self.n, self.n), dtype=self.like.dtype)

        def fill(tiles: Sequence[tuple[slice, slice]]) -> None:
            for rows, cols in tiles:
                K[rows, cols] = T = self.block(rows, cols)
                if rows != cols:
                    K[cols, rows] = T.T

        spread(fill, self._prepared())
        return K

    def matmul(self, V: Array) -> Array:
        """G·V, one pass over the upper triangle."""

        def work(tiles: Sequence[tuple[slice, slice]]) -> Array:
            out = namespace(V).zeros_like(V)
            for rows, cols in tiles:
                T = self.block(rows, cols)
                out[rows] += T @ V[cols]
                if rows != cols:
                    out[cols] += T.T @ V[rows]
            return out

        if not is_numpy(self.like):
            return work(self._tiles(DEVICE_TILE))
        return sum(spread(work, self._prepared()))

    def _tiles(self, size: int) -> list[tuple[slice, slice]]:
        rows = list(row_blocks(self.n, size))
        return [(a, b) for i, a in enumerate(rows) for b in rows[i:]]

    def _prepared(self) -> list[tuple[slice, slice]]:
        """Return the tiles, after the points' cached arrays have been made by one thread."""
        first = slice(0, min(2, self.n))
        self.block(first, first)
        return self._tiles(TILE)


def cross_matmul(kernel: Kernel, new: Points, old: Points, V: Array) -> tuple[Array, Array]:
    """Return k(new, old)·V and the diagonal k(x, x) of the new points, tile by tile."""
    size = TILE if is_numpy(V) else DEVICE_TILE
    first = slice(0, 1)
    kernel.evaluate(Pairs(new, old, first, first))

    def work(blocks: Sequence[slice]) -> list[Any]:
        parts = []
        for rows in blocks:
            total = 0.0
            for cols in row_blocks(len(old), size):
                total = total + kernel.evaluate(Pairs(new, old, rows, cols)) @ V[cols]
            parts.append((rows.start, total))
        return parts

    blocks = list(row_blocks(len(new), size))
    shares = spread(work, blocks) if is_numpy(V) else [work(blocks)]
    parts = [part for _, part in sorted((p for share in shares for p in share), key=lambda p: p[0])]
    return namespace(V).concat(parts, axis=0), kernel.self_similarity(new.X)
