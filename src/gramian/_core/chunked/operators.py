"""Moments and operators over rows in blocks: computed by block, and added up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Annotated, Any, Self

import numpy as np

from gramian._core.array import (
    Array,
    Values,
    as_doubles,
    device_of,
    is_numpy,
    is_sparse,
    namespace,
    to_numpy,
)
from gramian._core.check import expect
from gramian._core.chunked.blocks import Block, Chunks
from gramian._core.operators.gram import Gram
from gramian._core.operators.moments import Moments, moments
from gramian._core.operators.rows import Rows, Side, rows_for
from gramian._core.operators.tiled import (
    MAX_ROUGHNESS,
    SAMPLE_POINTS,
    TiledGram,
    cross_matmul,
    leading_subspace,
    points_about,
    roughness,
    tile_rows,
)
from gramian._core.pairs import Pairs, Points
from gramian._core.parallel import one_blas_thread, parallel_map, row_blocks
from gramian.errors import InputError
from gramian.kernels.base import Kernel

SEEN = frozenset({"n_features_in_", "feature_names_in_"})


@dataclass(frozen=True, eq=False)
class Stream:
    """What is known of the rows that were read."""

    moments: Moments
    n: Annotated[int, ">= 1"]
    like: Array  # an empty array of the rows' library and precision
    seen: dict[str, Any]  # what scikit-learn records of the columns

    def check(self) -> None:
        """Refuse columns that are not those of the moments, and results of no precision."""
        p = self.moments.first.shape[0]
        expect(set(self.seen) <= SEEN, "what scikit-learn records of columns")
        expect(self.seen.get("n_features_in_", p) == p, f"{p} columns")
        expect("float" in str(getattr(self.like, "dtype", "")), "an array of floating numbers")

    @classmethod
    def of(cls, X: Values, weights: np.ndarray | None, seen: dict[str, Any]) -> Stream:
        """Return what one block of rows says; weights are used as they are."""
        n = X.shape[0] if weights is None else int(np.count_nonzero(weights))
        like = X.data if is_sparse(X) else X
        w = None if weights is None else as_doubles(weights, like)
        return cls(moments(X, w), n, like[:0, ...], seen)

    @property
    def names(self) -> Any:
        """The names of the columns, or None."""
        return self.seen.get("feature_names_in_")

    def __add__(self, other: Stream) -> Stream:
        """Return what is known of the rows of both."""
        like = max(self.like, other.like, key=lambda a: a.dtype.itemsize)
        return Stream(merge(self.moments, other.moments), self.n + other.n, like, self.seen)


def block_stream(block: Block, cross: bool = True) -> Stream | None:
    """Return what a block says, as NumPy arrays; without `cross` only variances of columns."""
    live = block.live
    if not len(live):
        return None
    X = live.values
    w = None if live.weights is None else as_doubles(live.weights, X.data if is_sparse(X) else X)
    m = moments(X, w, cross=cross)
    shift, unit, first, second = (to_numpy(a) for a in (m.shift, m.unit, m.first, m.second))
    like = np.empty((0, X.shape[1]), dtype=str(X.dtype).rpartition(".")[2])
    return Stream(Moments(shift, unit, m.weight, first, second), len(live), like, {})


def merge(a: Moments, b: Moments) -> Moments:
    """Return the moments of the rows of both, each around a point of its own, without loss.

    Scatters are added around their own means, with w_a·w_b/(w_a + w_b)·d·dᵀ for the distance d of
    these (Chan, Golub and LeVeque 1983): sums around one point that is far from most rows, as the
    first block of a sorted table may be, would have to cancel. The new shift of a column is the
    nearer one of the two to the new mean, so that shifts stay numbers of the data.

    >>> from gramian._core.operators.moments import moments
    >>> rows = np.array([[1e8], [1e8 + 1.0], [0.0], [4.0]])
    >>> both = merge(moments(rows[:2]), moments(rows[2:]))
    >>> both.weight, both.mean.tolist()
    (4.0, [50000001.25])
    """
    xp = namespace(a.first)
    unit = xp.maximum(a.unit, b.unit)
    a, b = rescale(a, unit), rescale(b, unit)
    weight = a.weight + b.weight
    with np.errstate(over="ignore", invalid="ignore"):
        apart = (b.shift - a.shift) + (b.rest - a.rest)
    if not bool(xp.all(xp.isfinite(apart))):
        raise InputError("X: differences of its numbers overflow: divide the data by 16")
    from_a = a.rest + (b.weight / weight) * apart  # of the mean, beside either shift
    from_b = b.rest - (a.weight / weight) * apart
    near_a = xp.abs(from_a) <= xp.abs(from_b)
    first = weight * (xp.where(near_a, from_a, from_b) / unit)
    d = apart / unit
    second = _scatter(a) + _scatter(b) + _outer(d, a) * (a.weight * b.weight / weight)
    second += _outer(first, a) / weight
    return Moments(xp.where(near_a, a.shift, b.shift), unit, weight, first, second)


def rescale(m: Moments, unit: Array) -> Moments:
    """Return the same moments in other units."""
    ratio = m.unit / unit
    return Moments(m.shift, unit, m.weight, m.first * ratio, m.second * _outer(ratio, m))


def _scatter(m: Moments) -> Array:
    """Return the second moment around the mean."""
    return m.second - _outer(m.first, m) / m.weight


def _outer(d: Array, m: Moments) -> Array:
    """Return d·dᵀ, or its diagonal where the moments have only that."""
    return d * d if m.second.ndim == 1 else d[:, None] * d[None, :]


def in_units(m: Moments) -> Moments:
    """Return moments in the unit of the features, which kernels keep near 1."""
    return rescale(m, np.ones_like(m.unit))


def about_origin(m: Moments) -> np.ndarray:
    """Return Σ w·f·fᵀ from the moments about the shift."""
    cross = np.outer(m.shift, m.first)
    return m.second + cross + cross.T + m.weight * np.outer(m.shift, m.shift)


def pad(stream: Stream, columns: int) -> Stream:
    """Return the moments with features more, which are 0 for the rows that came before."""
    m = stream.moments
    more = columns - len(m.first)
    shift, first = (np.pad(a, (0, more)) for a in (m.shift, m.first))
    second = np.pad(m.second, (0, more))
    return replace(stream, moments=Moments(shift, np.ones(columns), m.weight, first, second))


def require_numpy(X: Values) -> Any:
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

    def matmul(self, V: np.ndarray) -> np.ndarray:
        """F·V, block by block."""
        return np.concatenate(self.chunks.each(_of_rows, V, "matmul", *self.form))

    def rmatmul(self, W: np.ndarray) -> np.ndarray:
        """Fᵀ·W, summed over the blocks."""
        return self.chunks.total(_of_rows, "rmatmul", *self.form, "dual", cut=W)

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
    return rows_for(require_numpy(block.values), m, factor, w / m.weight, side)


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
    if what in ("matmul", "rmatmul"):
        return getattr(rows, what)(V)
    return rows.dense(side) if V is None else rows.product(V, side)


def _products(
    a: Block, b: Block | None, V: np.ndarray, W: np.ndarray, m: Moments, factor: np.ndarray
) -> tuple[np.ndarray, np.ndarray | None]:
    """Return F_a·F_bᵀ·W and F_b·F_aᵀ·V."""
    A = _rows(a, m, factor)
    if b is None:
        return A.matmul(A.rmatmul(V)), None
    B = _rows(b, m, factor)
    return A.matmul(B.rmatmul(W)), B.matmul(A.rmatmul(V))


class ChunkedGram(Gram):
    """The Gram matrix of a kernel on rows in blocks: pairs of blocks are multiplied.

    `origin` are a few of the rows, which give all of them a common centre and unit.
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
        A, B = (self._fetch(part) for part in (rows, cols))
        return to_numpy(self.kernel.block(Pairs(A, A if rows == cols else B)))

    def dense(self) -> np.ndarray:
        """The whole matrix, (n, n), for which every row is fetched."""
        return TiledGram(self.kernel, self._fetch(slice(0, self.n))).dense()

    def _fetch(self, rows: slice) -> Points:
        return Points(self.chunks.at(np.arange(self.n)[rows]).values, self.origin)

    def cross(self, new: Values) -> np.ndarray:
        """k(new, training), (m, n)."""
        return np.concatenate(self.chunks.each(_cross, new, self.kernel, self.origin), axis=1)

    def cross_matmul(self, new: Values, V: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The product with the block of new rows, which never exists as a whole."""
        product = self.chunks.total(cross_product, new, self.kernel, self.origin, cut=V)
        return product, self.cross_diag(new)

    def cross_diag(self, new: Values) -> np.ndarray:
        """k(x, x) of new rows, (m,)."""
        return self.kernel.self_similarity(points_about(new, self.kernel, self.origin).X)

    def to_single(self) -> Self | None:
        """Return the operator with products in single precision."""
        X = self.origin.X
        if self.low or is_sparse(X) or not self.kernel.any_precision or X.dtype != np.float64:
            return None
        if not 1e-15 < float(np.abs(self.diag()).max()) < 1e30:  # the range of single precision
            return None
        low = type(self)(self.kernel, self.chunks, self.origin, low=True)
        low.roughness = roughness(self.kernel, self.origin, self.origin.to_single())
        return low if low.roughness < MAX_ROUGHNESS * float(np.abs(self.diag()).max()) else None

    def sketch(self, width: int, rng: np.random.Generator) -> np.ndarray | None:
        """Return the leading eigenvectors of a sample, extended to all rows."""
        X, kernel = self.origin.X, self.kernel
        if (
            is_sparse(X)
            or not kernel.any_precision
            or self.n < 4 * SAMPLE_POINTS
            or len(X) < SAMPLE_POINTS
        ):
            return None
        which = np.sort(rng.choice(X.shape[0], SAMPLE_POINTS, replace=False))
        with one_blas_thread():
            vectors = leading_subspace(TiledGram(kernel, self.origin.take(which)), width, rng)
        parts = self.chunks.each(_extension, vectors, X[which], kernel, self.origin)
        return np.concatenate(parts).astype(self.like.dtype, copy=False)


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
        return TiledGram(kernel, A.to_single() if low else A, n).matmul(V), None
    B = Points(b.values, origin)
    mine, theirs = _both_ways(kernel, *((A.to_single(), B.to_single()) if low else (A, B)), V, W, n)
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


def _cross(block: Block, new: Values, kernel: Kernel, origin: Points) -> np.ndarray:
    points = points_about(new, kernel, origin)
    return to_numpy(kernel.evaluate(Pairs(points, Points(block.values, origin))))


def cross_product(
    block: Block, V: np.ndarray, new: Values, kernel: Kernel, origin: Points
) -> np.ndarray:
    """Return k(new, block)·V."""
    if not new.shape[0]:
        return np.empty((0, V.shape[1]), V.dtype)
    points = points_about(new, kernel, origin)
    return to_numpy(cross_matmul(kernel, points, Points(block.values, origin), V)[0])


def _extension(
    block: Block, vectors: np.ndarray, sample: np.ndarray, kernel: Kernel, origin: Points
) -> np.ndarray:
    points, some = Points(block.values, origin), Points(sample, origin)
    return cross_matmul(kernel, points, some, vectors)[0]
