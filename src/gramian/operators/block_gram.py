"""A Gram matrix of rows that are read block by block, and never held all at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from scipy import sparse

from gramian._array import Array, is_numpy, is_sparse
from gramian._blocks import one_blas_thread, row_blocks, spread
from gramian._pairs import Pairs, Points
from gramian.kernels.base import Kernel
from gramian.operators.base import Gram
from gramian.operators.store import Products, Store, Tell
from gramian.operators.tiled import (
    ROUGHEST,
    SAMPLE,
    TiledGram,
    cross_matmul,
    leading_subspace,
    roughness,
    tile_rows,
)

__all__ = ["SAMPLE", "BlockGram", "stacked"]


class BlockGram(Gram):
    """The Gram matrix of a kernel on points that are read block by block.

    A panel of rows is held while the rows after it are read once: of n rows, n/panel passes make a
    product, and each kernel value is made once for both of its places. Where one panel holds all
    rows they are read once and kept.

    Parameters
    ----------
    kernel : Kernel
    origin : Points
        Some of the rows: where the others are centred, and in what unit.
    blocks : function
        Goes through the rows from the beginning.
    n : int
        How many there are.
    panel : int
        How many to hold.
    tell : Tell, optional
        Is told how many pairs of a product were seen.
    store : Store, optional
        Where products are kept, and found by a search that starts again.
    """

    def __init__(
        self,
        kernel: Kernel,
        origin: Points,
        blocks: Callable[[], Iterable[Any]],
        n: int,
        panel: int,
        tell: Tell | None = None,
        store: Store | None = None,
        low: bool = False,
    ) -> None:
        self.kernel, self.origin, self.blocks = kernel, origin, blocks
        self.n, self.panel, self.low = n, panel, low
        self.tell, self.store = tell, store
        self._products = Products(store, "low product" if low else "product")
        self.psd = kernel.psd

    @property
    def like(self) -> Array:
        """An empty array of the precision of the rows."""
        X = self.origin.X
        return np.empty(0, np.float32 if self.low else X.dtype)

    def _pieces(self) -> Iterator[Any]:
        """Go through the rows in pieces, which take less once they are prepared than a panel."""
        size = max(self.panel // 2, 1)
        for X in self.blocks():
            for rows in row_blocks(X.shape[0], size):
                yield X[rows]

    def _points(self, X: Any) -> Points:
        points = Points(X, self.origin)
        return points.lowered() if self.low else points

    @cached_property
    def _diag(self) -> np.ndarray:
        parts = [self.kernel.self_similarity(X) for X in self.blocks()]
        return np.concatenate(parts).astype(self.like.dtype, copy=False)

    def diag(self) -> Array:
        """k(x, x), one pass."""
        return self._diag

    def matmul(self, V: Array) -> Array:
        """G·V, panel by panel."""
        if self.panel >= self.n:
            return TiledGram(self.kernel, self._held).matmul(V)
        kept = self._products.next(V)
        if not kept.is_whole:
            if self.tell is not None:
                self.tell.begin("product")
            for k, start in enumerate(range(0, self.n, self.panel)):
                if k >= kept.parts:
                    self._add_panel(start, V, kept.out)
                    kept.note(k + 1)
            kept.end(kept.out)
        return kept.out.astype(V.dtype, copy=False)

    @cached_property
    def _held(self) -> Points:
        return self._points(stacked(list(self.blocks())))

    def _add_panel(self, start: int, V: np.ndarray, out: np.ndarray) -> None:
        """Add what a panel and the rows after it make of V."""
        stop = min(start + self.panel, self.n)
        own, parts, at = slice(start, stop), [], 0
        panel: Points | None = None
        for X in self._pieces():
            first, at = at, at + X.shape[0]
            if panel is None:
                parts.append(X[max(start - first, 0) : max(stop - first, 0)])
                if at < stop:
                    continue
                panel = self._points(stacked(parts))
                out[own] += TiledGram(self.kernel, panel, self.n).matmul(V[own])
                X, first = X[stop - first :], stop
            if X.shape[0]:
                rows = slice(first, at)
                mine, theirs = both_ways(
                    self.kernel, panel, self._points(X), V[own], V[rows], self.n
                )
                out[own] += mine
                out[rows] += theirs
            self._say(start, stop, at)

    def _say(self, start: int, stop: int, at: int) -> None:
        """Tell how many pairs a product has seen, with a panel and the rows up to `at`."""
        if self.tell is not None:
            total = self.n**2
            before, after = total - (self.n - start) ** 2, total - (self.n - stop) ** 2
            share = (at - start) / max(self.n - start, 1)
            self.tell.say(before + round(share * (after - before)), total)

    def block(self, rows: slice, cols: slice) -> Array:
        """One block, for which the rows are read."""
        A, B = (self._points(self._rows(part)) for part in (rows, cols))
        return self.kernel.block(Pairs(A, A if rows == cols else B))

    def _rows(self, wanted: slice) -> Any:
        """Return some of the rows, by one pass."""
        start, stop, _ = wanted.indices(self.n)
        parts, at = [], 0
        for X in self.blocks():
            first, at = at, at + X.shape[0]
            parts.append(X[max(start - first, 0) : max(stop - first, 0)])
        return stacked(parts)

    def cross(self, new: Any) -> Array:
        """k(new, training), (m, n), by one pass."""
        points = self._points(new)
        parts = [self.kernel.evaluate(Pairs(points, self._points(X))) for X in self.blocks()]
        return np.concatenate(parts, axis=1)

    def cross_diag(self, new: Any) -> Array:
        """k(x, x) of new rows, (m,)."""
        return self.kernel.self_similarity(self._points(new).X)

    def cross_matmul(self, new: Any, V: Array) -> tuple[Array, Array]:
        """The product with the block of new rows, by one pass."""
        points, at, total = self._points(new), 0, np.zeros((new.shape[0], V.shape[1]))
        for X in self._pieces():
            rows = slice(at, at + X.shape[0])
            total += cross_matmul(self.kernel, points, self._points(X), V[rows])[0]
            at = rows.stop
        return total.astype(V.dtype, copy=False), self.kernel.self_similarity(points.X)

    def lowered(self) -> BlockGram | None:
        """Return the operator on the points in single precision."""
        X = self.origin.X
        if self.low or not (self.kernel.any_precision and is_numpy(X) and X.dtype == np.float64):
            return None
        if not 1e-15 < float(np.abs(self.diag()).max()) < 1e30:  # of the range of single precision
            return None
        low = BlockGram(
            self.kernel, self.origin, self.blocks, self.n, self.panel, self.tell, self.store, True
        )
        low.roughness = roughness(self.kernel, self.origin, self.origin.lowered())
        return low if low.roughness < ROUGHEST * float(np.abs(self.diag()).max()) else None

    def sketch(self, width: int, rng: np.random.Generator) -> Array | None:
        """Return the leading eigenvectors of a sample of the points, extended to all of them."""
        if self.n < 4 * SAMPLE or len(self.origin) < SAMPLE or not self.kernel.any_precision:
            return None
        some = np.sort(rng.choice(len(self.origin), SAMPLE, replace=False))
        sample = self._points(self.origin.take(some).X)
        with one_blas_thread():
            vectors = leading_subspace(TiledGram(self.kernel, sample), width, rng)
        parts = (
            cross_matmul(self.kernel, self._points(X), sample, vectors)[0] for X in self._pieces()
        )
        return np.concatenate(list(parts))


def stacked(parts: list[Any]) -> Any:
    """Return blocks of rows as one array or CSR matrix."""
    parts = [part for part in parts if part.shape[0]]
    if len(parts) == 1:
        return parts[0]
    return sparse.vstack(parts, format="csr") if is_sparse(parts[0]) else np.concatenate(parts)


def both_ways(
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
    parts = spread(work, tiles, operations=len(A) * len(B) * width)
    return sum(part[0] for part in parts), sum(part[1] for part in parts)  # type: ignore[return-value]
