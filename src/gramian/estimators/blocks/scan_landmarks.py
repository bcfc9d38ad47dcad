"""Kernel PCA of blocks of rows on landmarks: these first, then moments of their features."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from gramian._array import Array, dense, namespace, to_numpy
from gramian._check import generator, is_whole
from gramian._pairs import Points
from gramian._validate import Table
from gramian.embedding import (
    FeatureModel,
    Record,
    Training,
    like_of,
    principal_axes_of_moments,
    standard,
)
from gramian.errors import InputError
from gramian.estimators._base import (
    Attributes,
    kernel_rows,
    like_this,
    spectrum_state,
)
from gramian.estimators._kernel_options import request_of
from gramian.estimators.blocks.scan import Blocks
from gramian.estimators.blocks.stream import Stream, extended, packed, unpacked
from gramian.features.lowrank import ApproximateFeatures, KernelMap, LandmarkMap, LowRank
from gramian.features.nystrom import nystrom
from gramian.kernels import Kernel
from gramian.spectral.spectrum import column_signs

__all__ = [
    "clocks",
    "is_pivoted",
    "landmark_state",
    "named_rows",
    "published",
    "sample_size",
]

_SAMPLE = 20  # rows a landmark that a first pass keeps
_LEAST, _LARGEST = 2_000, 20_000


def landmark_state(estimator: Any, blocks: Blocks, kernel: Kernel) -> Attributes:
    """Return the fitted attributes of a kernel PCA on approximate features.

    A first pass keeps a uniform sample, from which the kernel takes its scale. For randomly pivoted
    Cholesky half of the landmarks are found in it, the others in rows of a second pass, kept the
    rather the less of them the first half explains: so rare groups are found that the sample has no
    member of. A last pass adds up the moments of the features.
    """
    approximation = estimator.approximation
    if approximation.refine:
        raise InputError("approximation: refine=True is not for a scan: use approximation=None")
    rng = generator(approximation.random_state)
    size = sample_size(approximation)
    first, like = _sampled(blocks, size, rng)
    points, n = Points(first), blocks.n
    is_all = n <= len(first)
    p = blocks.shares if is_all else None  # a sample is drawn by weight already
    kernel = kernel_rows(first, kernel, 2).reader.resolve(points, p, blocks.names)
    about = kernel if estimator.formulation == "span" else kernel.about(points)
    if is_pivoted(approximation) and not is_all:
        low = _second_half(blocks, about, points, approximation.rank, size, rng)
    else:
        low = named_rows(approximation, blocks).lowrank(about, points, p)
    stream, error = _features(blocks, about, low)
    state = published(estimator, stream, low.map, points, n, like)
    own = {"kernel_": kernel, "approximation_error_": error, "landmarks_": None}
    return state | own | (blocks.seen or {})


def named_rows(approximation: Any, blocks: Any) -> Any:
    """Return the approximation with landmarks that are row numbers read from the blocks."""
    landmarks = getattr(approximation, "landmarks", None)
    if landmarks is None or isinstance(landmarks, str):
        return approximation
    rows = np.asarray(landmarks)
    if rows.ndim != 1 or rows.dtype.kind not in "iu":
        return approximation
    if rows.size == 0 or rows.min() < 0 or rows.max() >= blocks.n:
        raise InputError(f"landmarks: row numbers must lie between 0 and {blocks.n - 1}")
    order = np.unique(rows)
    return like_this(
        approximation, landmarks=dense(blocks.at(order).values)[np.searchsorted(order, rows)]
    )


def sample_size(approximation: Any) -> int:
    """Return how many rows a first pass keeps."""
    rank = approximation.rank if is_whole(approximation.rank) else 500
    return int(np.clip(_SAMPLE * rank, _LEAST, _LARGEST))


def is_pivoted(approximation: Any) -> bool:
    """Whether a number of landmarks is found by randomly pivoted Cholesky."""
    landmarks = getattr(approximation, "landmarks", None)
    return isinstance(landmarks, str) and landmarks == "rpcholesky" and is_whole(approximation.rank)


def _sampled(blocks: Blocks, size: int, rng: np.random.Generator) -> tuple[np.ndarray, Any]:
    """Return a sample, uniform or by weight, and what arrays are like."""
    kept = _Kept(size, rng)
    for part, w in kept.left(blocks, "sample"):
        kept.add(dense(part.values), clocks(rng.random(part.values.shape[0]), w))
    blocks.n  # noqa: B018  one row is too few
    return kept.rows(), like_of(next(blocks.values()))


def clocks(keys: np.ndarray, w: np.ndarray | None) -> np.ndarray:
    """Return exponential clocks of weighted rows.

    The smallest are a sample by weight (Efraimidis and Spirakis 2006); of equal weights any keys
    do.
    """
    if w is None:
        return keys
    with np.errstate(divide="ignore"):
        return -np.log1p(-keys) / w


class _Kept:
    """The rows with the smallest keys of a stream."""

    def __init__(self, size: int, rng: np.random.Generator) -> None:
        self.size, self.rng = size, rng
        self._rows: list[np.ndarray] = []
        self._keys: list[np.ndarray] = []

    def left(self, blocks: Blocks, name: str) -> Iterator[tuple[Table, np.ndarray | None]]:
        """Return the blocks that are left of a pass, which may have been broken off."""
        before, left = blocks.resumed(name, self._packed)
        if before is not None:
            self._rows, self._keys = [before["rows"]], [before["keys"]]
            self.rng.bit_generator.state = json.loads(str(before["random"]))
        return left

    def _packed(self) -> dict[str, Any]:
        self._trim()
        state = json.dumps(self.rng.bit_generator.state)
        return {"rows": self._rows[0], "keys": self._keys[0], "random": state}

    def add(self, rows: np.ndarray, keys: np.ndarray) -> None:
        """Look at some rows more."""
        self._rows.append(np.asarray(rows))
        self._keys.append(keys)
        if sum(map(len, self._keys)) > 2 * self.size:
            self._trim()

    def _trim(self) -> None:
        X, keys = np.concatenate(self._rows), np.concatenate(self._keys)
        which = np.sort(np.argpartition(keys, min(self.size, len(keys)) - 1)[: self.size])
        self._rows, self._keys = [X[which]], [keys[which]]

    def rows(self) -> np.ndarray:
        """Return them, in their order."""
        self._trim()
        return self._rows[0]


def _second_half(
    blocks: Blocks,
    kernel: Kernel,
    points: Points,
    rank: int,
    size: int,
    rng: np.random.Generator,
) -> LowRank:
    """Return features of landmarks of a sample and of rows that those explain badly."""
    half = nystrom(kernel, points, max(rank // 2, 1), "rpcholesky", rng)
    kept = _Kept(size, rng)
    for part, w in kept.left(blocks, "rows left"):
        F = to_numpy(half.map(part.values))
        left = to_numpy(kernel.self_similarity(part.values)) - np.einsum("ij,ij->i", F, F)
        left = np.clip(left, 0.0, None) * (1.0 if w is None else w)
        kept.add(dense(part.values), clocks(rng.random(len(left)), left))
    rest = Points(kept.rows())
    other = nystrom(kernel, rest, rank - len(half.landmarks), "rpcholesky", rng)  # type: ignore[arg-type]
    chosen = np.concatenate([points.X[half.landmarks], rest.X[other.landmarks]])
    return nystrom(kernel, points, rank, chosen, rng)


def _features(blocks: Blocks, kernel: Kernel, low: LowRank) -> tuple[Stream, float]:
    """Return the moments of the features, and the share of the trace that they leave out."""
    stream: Stream | None = None
    trace = np.zeros(2)  # of the features, and of the kernel
    before, left = blocks.resumed("features", lambda: packed(stream) | {"trace": trace})
    if before is not None:
        stream, trace = unpacked(before, to_numpy(low.F), {}), before["trace"]
    for part, w in left:
        F = low.map(part.values)
        trace += [float(namespace(F).sum(F * F)), _diagonal(kernel, part.values).sum()]
        stream = extended(stream, Table(F), w, {})
    assert stream is not None
    return stream, max(1.0 - trace[0] / trace[1], 0.0) if trace[1] > 0 else 0.0


def _diagonal(kernel: Kernel, X: Any) -> np.ndarray:
    return to_numpy(kernel.self_similarity(X)).astype(float)


def published(
    estimator: Any, stream: Stream, map_: KernelMap, points: Points | None, n: int, like: Array
) -> Attributes:
    """Return the fitted attributes of axes of features, signs fixed on some points."""
    m = stream.moments
    s = standard(m, stream.like, scale=False, column_weight=None, names=None)
    columns = m.first.shape[0]
    request = request_of(estimator, min(n, columns), feature=True)
    request = replace(request, dimension=n - 1)
    reason = "covariance: features of blocks of rows"
    principal = principal_axes_of_moments(m, s, stream.like, request, reason, small_columns=False)
    features = ApproximateFeatures(map_, principal.features)
    spectrum = principal.spectrum
    if points is not None:
        V = spectrum.vectors
        F = map_.of(points) if isinstance(map_, LandmarkMap) else map_(points.X)
        spectrum = replace(spectrum, vectors=V * column_signs(principal.features.project(F, V)[0]))
    shift = None
    if estimator.formulation == "span":
        shift = ((s.mean * s.factor) @ spectrum.vectors) * s.unit
    model = FeatureModel(replace(principal, spectrum=spectrum, features=features), shift)
    training = Training("gone", None, n, like=like)
    seen = {"n_samples_seen_": n, "stream_": stream}
    return spectrum_state(model) | seen | {"record_": Record(training, model)}
