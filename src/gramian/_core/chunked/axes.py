"""Axes of rows in blocks: from moments, from products, and of features on landmarks."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol, TypeAlias

import numpy as np
from sklearn.base import clone

from gramian._core.array import Array, to_dense, to_numpy
from gramian._core.check import generator, is_whole
from gramian._core.chunked.blocks import Block, Chunks, too_few
from gramian._core.chunked.operators import ChunkedGram, ChunkedRows, Stream, block_stream
from gramian._core.embedding import (
    FeatureModel,
    Principal,
    Standard,
    principal_axes_of_moments,
    principal_axes_of_rows,
)
from gramian._core.features.lowrank import ApproximateFeatures, KernelMap, LowRank
from gramian._core.features.nystrom import nystrom, rpcholesky
from gramian._core.operators.feature import FeatureMap
from gramian._core.operators.tiled import SAMPLE_POINTS
from gramian._core.pairs import Points
from gramian._core.spectral.solve import choose_features
from gramian._core.spectral.spectrum import Choice, Request, column_signs, dense_bytes
from gramian._core.table import weights
from gramian._core.types import SeedLike
from gramian.errors import InputError
from gramian.kernels import Kernel
from gramian.kernels.bandwidth import scale_rows

ROWS_PER_LANDMARK = 20  # of the sample
_MIN_SAMPLE_ROWS, _MAX_SAMPLE_ROWS = 2_000, 20_000  # rows of a sample


class Approximation(Protocol):
    """A parameter object of features: `gramian.Nystrom` or `gramian.RandomFourier`."""

    rank: int | float
    refine: bool
    random_state: SeedLike

    def lowrank(self, kernel: Kernel, points: Points, p: np.ndarray | None) -> LowRank: ...


@dataclass(frozen=True, eq=False)
class Features:
    """Features of the rows, and how much of the kernel they leave out."""

    kernel: Kernel  # with its scale
    map: KernelMap
    points: Points  # a sample of the rows
    stream: Stream  # the moments of the features
    n: int
    error: float  # the share of the kernel's trace that is left out


def features_of(
    chunks: Chunks,
    approximation: Approximation,
    resolve: Callable[[Points, np.ndarray | None], Kernel],
    centred: Callable[[Kernel, Points], Kernel],
) -> Features:
    """Return the features of an approximation, in two or three passes.

    The first pass keeps a uniform sample, from which the kernel takes its scale. For randomly
    pivoted Cholesky half of the landmarks are found in it, the others in rows of a second pass,
    which are kept the more likely the less of them the first half explains: so rare groups are
    found of which the sample has no member. A last pass adds up the moments of the features.
    `resolve` gives the kernel its scale, and `centred` returns the one that is approximated.
    """
    if approximation.refine:
        raise InputError(
            "approximation: refine=True is not for a scan or dask: use approximation=None"
        )
    seed = int(generator(approximation.random_state).integers(2**62))
    rank = approximation.rank if is_whole(approximation.rank) else 500
    size = int(np.clip(ROWS_PER_LANDMARK * rank, _MIN_SAMPLE_ROWS, _MAX_SAMPLE_ROWS))
    sample: Sample | None = chunks.total(_sample, size, seed)
    if sample is None or sample.n < 2:
        raise too_few(0 if sample is None else sample.n)
    points, is_all = Points(sample.rows), sample.n == len(sample.rows)
    p = weights(sample.weights, sample.n) if is_all else None  # others are drawn by weight already
    kernel = resolve(points, p)
    about = centred(kernel, points)
    if is_pivoted(approximation) and not is_all:
        low = _of_two_halves(chunks, about, points, int(approximation.rank), size, seed)
    else:
        low = _with_rows(approximation, chunks).lowrank(about, points, p)
    sums = chunks.total(_moments, about, low.map, add=lambda a, b: tuple(map(operator.add, a, b)))
    assert sums is not None  # the sample has rows
    stream, covered, total = sums
    error = max(1.0 - covered / total, 0.0) if total > 0 else 0.0
    return Features(kernel, low.map, points, stream, sample.n, error)


def is_pivoted(approximation: Approximation) -> bool:
    """Whether a number of landmarks is found by randomly pivoted Cholesky."""
    landmarks = getattr(approximation, "landmarks", None)
    return isinstance(landmarks, str) and landmarks == "rpcholesky" and is_whole(approximation.rank)


def _with_rows(approximation: Approximation, chunks: Chunks) -> Approximation:
    """Return the approximation with landmarks that are row numbers read from the blocks."""
    landmarks = getattr(approximation, "landmarks", None)
    if landmarks is None or isinstance(landmarks, str):
        return approximation
    rows = np.asarray(landmarks)
    if rows.ndim != 1 or rows.dtype.kind not in "iu":
        return approximation
    if rows.size == 0 or rows.min() < 0 or rows.max() >= chunks.n:
        raise InputError(f"landmarks: row numbers must lie between 0 and {chunks.n - 1}")
    order = np.unique(rows)
    X = to_dense(chunks.at(order).values)[np.searchsorted(order, rows)]
    return clone(approximation).set_params(landmarks=X)


@dataclass(frozen=True, eq=False)
class Sample:
    """The rows with the smallest keys, in their order, of n rows."""

    rows: np.ndarray
    keys: np.ndarray
    weights: np.ndarray | None
    n: int
    size: int

    def __add__(self, other: Sample) -> Sample:
        """Return the rows with the smallest keys of both."""
        w = None
        if self.weights is not None and other.weights is not None:
            w = np.concatenate([self.weights, other.weights])
        rows = np.concatenate([self.rows, other.rows])
        keys = np.concatenate([self.keys, other.keys])
        return Sample(rows, keys, w, self.n + other.n, self.size).trimmed()

    def trimmed(self) -> Sample:
        """Return as many rows as a sample holds."""
        if len(self.keys) <= self.size:
            return self
        which = np.sort(np.argpartition(self.keys, self.size - 1)[: self.size])
        w = None if self.weights is None else self.weights[which]
        return replace(self, rows=self.rows[which], keys=self.keys[which], weights=w)


def _sample(
    block: Block, size: int, seed: int, kernel: Kernel | None = None, half: KernelMap | None = None
) -> Sample | None:
    """Return rows drawn by weight and, with features, by what these leave out of each."""
    live = block.live
    if not len(live):
        return None
    w = live.weights
    if kernel is not None and half is not None:
        left = np.clip(_residuals(kernel, live.values, to_numpy(half(live.values))), 0.0, None)
        w = left if w is None else left * w
    # The randomness of a block is the same whenever and wherever it is computed.
    keys = np.random.default_rng([seed, int(half is not None), block.number]).random(len(live))
    if w is not None:  # exponential clocks (Efraimidis and Spirakis 2006)
        with np.errstate(divide="ignore"):
            keys = -np.log1p(-keys) / w
    return Sample(to_dense(live.values), keys, live.weights, len(live), size).trimmed()


def _residuals(kernel: Kernel, X: Array, F: np.ndarray) -> np.ndarray:
    """Return what features leave out of k(x, x)."""
    return to_numpy(kernel.self_similarity(X)) - np.einsum("ij,ij->i", F, F)


def _of_two_halves(
    chunks: Chunks, kernel: Kernel, points: Points, rank: int, size: int, seed: int
) -> LowRank:
    """Return features of landmarks of a sample and of rows that those explain badly."""
    rng = np.random.default_rng([seed, 2])
    half = nystrom(kernel, points, max(rank // 2, 1), "rpcholesky", rng)
    sample = chunks.total(_sample, size, seed, kernel, half.map)
    assert sample is not None and half.landmarks is not None
    rest = Points(sample.rows)
    F = np.asarray(to_numpy(half.map(rest.X)), dtype=np.float64)
    # These rows were drawn by what the first half leaves of them: pivots drawn by it once more
    # would all be far out, those drawn evenly would miss small groups one time in five.
    w = np.clip(_residuals(kernel, rest.X, F), 1e-12, None) ** -0.5
    more = rank - len(half.landmarks)
    other, _, _ = rpcholesky(kernel, rest, more, rng, weights=w / w.sum(), start=F)
    chosen = np.concatenate([points.X[half.landmarks], rest.X[other]])
    return nystrom(kernel, points, rank, chosen, rng)


def _moments(block: Block, kernel: Kernel, map_: KernelMap) -> tuple[Stream, float, float] | None:
    """Return the moments of the features of a block, their trace and that of the kernel."""
    live = block.live
    if not len(live):
        return None
    F = to_numpy(map_(live.values))
    total = float(to_numpy(kernel.self_similarity(live.values)).sum(dtype=float))
    return Stream.of(F, live.weights, {}), float(np.einsum("ij,ij->", F, F)), total


# Coordinates that fix signs, of a feature map and axes.
Signs: TypeAlias = Callable[[FeatureMap, Array], Array]


def stream_of(chunks: Chunks, cross: bool = True) -> Stream:
    """Return the moments of all columns by one pass, without `cross` only their variances."""
    stream: Stream | None = chunks.total(block_stream, cross)
    if stream is None or stream.n < 2:
        raise too_few(0 if stream is None else stream.n)
    return stream


def choose_products(
    chunks: Chunks, solver: str, n_components: object, q: Callable[[int, int], int | None]
) -> Choice | None:
    """Return how products find the axes, None where moments do; `q` gives the number of axes."""
    wide = dense_bytes(chunks.p) > chunks.budget
    if solver == "covariance" or (solver == "auto" and not wide):
        return None
    n, p = chunks.shape
    choice = choose_features(n, p, q(n, p), solver)
    if solver != "auto" or (choice.name == "dense" and dense_bytes(n) <= chunks.budget):
        return choice
    if not is_whole(n_components):
        return None if choice.name == "covariance" else choice
    return Choice("krylov", f"{p} columns in blocks of rows, one pass a product")


def axes_by_products(
    chunks: Chunks, stream: Stream, s: Standard, request: Request, choice: Choice
) -> Principal:
    """Return the principal axes from products with the features of the rows."""
    rows = ChunkedRows(chunks, stream.moments, s.factor)
    side = "dual" if choice.name == "dense" else "primal"  # which takes one pass a product
    m, like = stream.moments, stream.like
    return principal_axes_of_rows(rows, m, s, like, request, choice, side=side)


def feature_model(
    stream: Stream,
    s: Standard,
    request: Request,
    signs: Signs | None,
    shift: Callable[[Standard, Array], Array | None],
    map_: KernelMap | None = None,
) -> FeatureModel:
    """Return the model of axes of features: of the columns, or of what a map makes of rows."""
    reason = f"covariance: {'' if map_ is None else 'features of '}blocks of rows"
    m = stream.moments
    principal = principal_axes_of_moments(m, s, stream.like, request, reason, map_ is None)
    V, features = principal.spectrum.vectors, principal.features
    if signs is not None:
        V = V * column_signs(signs(features, V))
    if map_ is not None:
        features = ApproximateFeatures(map_, features)
    spectrum = replace(principal.spectrum, vectors=V)
    return FeatureModel(replace(principal, spectrum=spectrum, features=features), shift(s, V))


def signs_of_points(map_: KernelMap, points: Points) -> Signs:
    """Return what fixes signs by the features of some points."""
    F = map_(points)
    return lambda features, V: features.project(F, V)[0]


def grams_of(
    chunks: Chunks, resolve: Callable[[Points, np.ndarray | None], Kernel]
) -> tuple[ChunkedGram, ChunkedGram, np.ndarray | None]:
    """Return the Gram operator about a centre, that of the kernel itself, and the weights."""
    n = chunks.n
    p = weights(chunks.row_weights, n)
    live = n if p is None else int(np.count_nonzero(p))
    if live < 2:
        raise too_few(live)
    sample = chunks.at(which := scale_rows(n, p)).values
    kernel = resolve(Points(sample), None if p is None else p[which] / p[which].sum())
    # Fewer rows give the others a centre and a unit, and start the search.
    points = Points(sample[:: -(-sample.shape[0] // min(chunks.panel, SAMPLE_POINTS))].copy())
    of = partial(ChunkedGram, chunks=chunks, origin=points)
    return of(kernel.about(points)), of(kernel), p
