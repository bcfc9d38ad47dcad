"""Kernel PCA on landmarks over rows in blocks elsewhere: the passes of a scan, as tasks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gramian._array import dense, to_numpy
from gramian._check import generator
from gramian._chunks import Block
from gramian._dask_chunks import DaskChunks, too_few
from gramian._pairs import Points
from gramian.embedding import like_of
from gramian.errors import InputError
from gramian.estimators._base import Attributes
from gramian.estimators.blocks.scan_landmarks import (
    clocks,
    is_pivoted,
    named_rows,
    published,
    sample_size,
)
from gramian.estimators.blocks.stream import Stream
from gramian.features.lowrank import KernelMap, LowRank
from gramian.features.nystrom import nystrom
from gramian.kernels import Kernel
from gramian.operators.chunked import moments_of

__all__ = ["landmark_state"]

Resolve = Callable[[Points, np.ndarray | None], Kernel]


def landmark_state(estimator: Any, chunks: DaskChunks, resolve: Resolve) -> Attributes:
    """Return the fitted attributes of a kernel PCA on approximate features.

    What a scan does in three passes: a uniform sample, rows that it explains badly, moments.
    """
    approximation = estimator.approximation
    if approximation.refine:
        raise InputError("approximation: refine=True is not for dask: use approximation=None")
    chunks = chunks.sized()
    seed = int(generator(approximation.random_state).integers(2**62))
    size = sample_size(approximation)
    sample = _sampled(chunks, size, seed)
    points = Points(sample.rows)
    is_all = sample.n == len(points)
    p = sample.p if is_all else None  # a sample is drawn by weight already
    kernel = resolve(points, p)
    about = kernel if estimator.formulation == "span" else kernel.about(points)
    if is_pivoted(approximation) and not is_all:
        low = _of_two_halves(chunks, about, points, approximation.rank, size, seed)
    else:
        low = named_rows(approximation, chunks).lowrank(about, points, p)
    state, error = _state(estimator, chunks, about, low, points, sample.n)
    return state | {"kernel_": kernel, "approximation_error_": error, "landmarks_": None}


@dataclass(frozen=True, eq=False)
class Drawn:
    """The rows with the smallest keys, in their order, of n rows that were looked at."""

    rows: np.ndarray
    keys: np.ndarray
    weights: np.ndarray | None
    n: int
    size: int

    @property
    def p(self) -> np.ndarray | None:
        """Their weights, of sum 1, None for equal ones."""
        return None if self.weights is None else self.weights / self.weights.sum()

    def __add__(self, other: Drawn) -> Drawn:
        """Return the rows with the smallest keys of both."""
        w = None
        if self.weights is not None and other.weights is not None:
            w = np.concatenate([self.weights, other.weights])
        rows = np.concatenate([self.rows, other.rows])
        keys = np.concatenate([self.keys, other.keys])
        return Drawn(rows, keys, w, self.n + other.n, self.size).trimmed()

    def trimmed(self) -> Drawn:
        """Return no more rows than asked for."""
        if len(self.keys) <= self.size:
            return self
        which = np.sort(np.argpartition(self.keys, self.size - 1)[: self.size])
        w = None if self.weights is None else self.weights[which]
        return replace(self, rows=self.rows[which], keys=self.keys[which], weights=w)


def _sampled(chunks: DaskChunks, size: int, seed: int) -> Drawn:
    """Return a uniform sample of the rows that have a weight."""
    drawn = chunks.total(_uniform, size, seed)
    n = 0 if drawn is None else drawn.n
    if n < 2:
        raise too_few(n)
    return drawn


def _uniform(block: Block, size: int, seed: int) -> Drawn | None:
    live = block.live
    return _drawn(live, clocks(_rng(block, seed, 0).random(len(live)), live.weights), size)


def _unexplained(
    block: Block, size: int, seed: int, kernel: Kernel, half: KernelMap
) -> Drawn | None:
    """Return rows that features leave out, drawn by what they leave of each."""
    live = block.live
    if not len(live):
        return None
    F = to_numpy(half(live.values))
    left = to_numpy(kernel.self_similarity(live.values)) - np.einsum("ij,ij->i", F, F)
    left = np.clip(left, 0.0, None) * (1.0 if live.weights is None else live.weights)
    return _drawn(live, clocks(_rng(block, seed, 1).random(len(left)), left), size)


def _rng(block: Block, seed: int, which: int) -> np.random.Generator:
    """Return the randomness of a block: the same whenever and wherever it is looked at."""
    return np.random.default_rng([seed, which, block.number])


def _drawn(live: Block, keys: np.ndarray, size: int) -> Drawn | None:
    if not len(live):
        return None
    return Drawn(dense(live.values), keys, live.weights, len(live), size).trimmed()


def _of_two_halves(
    chunks: DaskChunks,
    kernel: Kernel,
    points: Points,
    rank: int,
    size: int,
    seed: int,
) -> LowRank:
    """Return features of landmarks of a sample and of rows that those explain badly."""
    rng = np.random.default_rng([seed, 2])
    half = nystrom(kernel, points, max(rank // 2, 1), "rpcholesky", rng)
    drawn = chunks.total(_unexplained, size, seed, kernel, half.map)
    rest = Points(drawn.rows)
    assert half.landmarks is not None
    other = nystrom(kernel, rest, rank - len(half.landmarks), "rpcholesky", rng)
    assert other.landmarks is not None
    chosen = np.concatenate([points.X[half.landmarks], rest.X[other.landmarks]])
    return nystrom(kernel, points, rank, chosen, rng)


def _state(
    estimator: Any, chunks: DaskChunks, kernel: Kernel, low: LowRank, points: Points, n: int
) -> tuple[Attributes, float]:
    """Return the fitted attributes, and the share of the trace that the features leave out."""
    stream, covered, total = chunks.total(_features, kernel, low.map, add=_sums)
    state = published(estimator, stream, low.map, points, n, like_of(points.X))
    return state, max(1.0 - covered / total, 0.0) if total > 0 else 0.0


def _features(block: Block, kernel: Kernel, map_: KernelMap) -> tuple[Stream, float, float] | None:
    """Return the moments of the features of a block, their trace and that of the kernel."""
    live = block.live
    if not len(live):
        return None
    F = to_numpy(map_(live.values))
    total = float(to_numpy(kernel.self_similarity(live.values)).sum(dtype=float))
    stream = Stream(moments_of(F, live.weights), len(F), F[:0], {})
    return stream, float(np.einsum("ij,ij->", F, F)), total


def _sums(a: Any, b: Any) -> Any:
    return tuple(x + y for x, y in zip(a, b, strict=True))
