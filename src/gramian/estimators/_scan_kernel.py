"""Kernel PCA of rows that are read block by block: landmarks first, then moments of features."""

from __future__ import annotations

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
    columns_seen,
    kernel_rows,
    spectrum_state,
)
from gramian.estimators._kernel_options import request_of
from gramian.estimators._stream import Stream, check_columns, extended
from gramian.features.lowrank import ApproximateFeatures, LowRank
from gramian.features.nystrom import nystrom
from gramian.io.scan_table import Scan
from gramian.kernels import Kernel, as_kernel
from gramian.spectral.spectrum import column_signs

__all__ = ["Scan", "kernel_state"]

_SAMPLE = 20  # rows a landmark that a first pass keeps
_LEAST, _LARGEST = 2_000, 20_000


def kernel_state(estimator: Any, rows: Scan) -> Attributes:
    """Return the fitted attributes of a kernel PCA on approximate features.

    A first pass keeps a uniform sample, from which the kernel takes its scale. For randomly pivoted
    Cholesky half of the landmarks are found in it, the others in rows of a second pass, kept the
    rather the less of them the first half explains: so rare groups are found that the sample has no
    member of. A last pass adds up the moments of the features.
    """
    approximation = _checked(estimator)
    rng = generator(approximation.random_state)
    size = _sample_size(approximation)
    first, like, seen, n = _sampled(estimator, rows, size, rng)
    points = Points(first)
    reader = kernel_rows(first, as_kernel(estimator.kernel), 2).reader
    kernel = reader.resolve(points, None, seen.get("feature_names_in_"))
    about = kernel if estimator.formulation == "span" else kernel.about(points)
    if _is_pivoted(approximation) and n > len(first):
        low = _second_half(estimator, rows, about, points, approximation.rank, size, rng)
    else:
        low = approximation.lowrank(about, points, None)
    stream, error = _features(estimator, rows, about, low, seen)
    state = _published(estimator, stream, low, points, n, like)
    own = {"kernel_": kernel, "approximation_error_": error, "landmarks_": None}
    return state | own | seen


def _checked(estimator: Any) -> Any:
    """Return the approximation, without which every pair of rows would have to be read."""
    if estimator.approximation is None:
        raise InputError(
            "approximation=None reads every pair of rows, which a scan is not for: use "
            "KernelPCA(approximation=gm.Nystrom(rank=500))"
        )
    if estimator.approximation.refine:
        raise InputError("approximation: refine=True reads every pair of rows: leave it out")
    if str(estimator.kernel) == "precomputed":
        raise InputError('kernel="precomputed" has no rows to read in blocks: give a kernel')
    return estimator.approximation


def _sample_size(approximation: Any) -> int:
    rank = approximation.rank if is_whole(approximation.rank) else 500
    return int(np.clip(_SAMPLE * rank, _LEAST, _LARGEST))


def _is_pivoted(approximation: Any) -> bool:
    landmarks = getattr(approximation, "landmarks", None)
    return isinstance(landmarks, str) and landmarks == "rpcholesky" and is_whole(approximation.rank)


def _tables(
    estimator: Any, rows: Scan, seen: dict[str, Any] | None = None
) -> Iterator[tuple[Table, Any]]:
    """Go through the blocks as the kernel wants them, each with the block it was."""
    kernel = as_kernel(estimator.kernel)
    sizes: list[int] = []
    for block in rows:
        with rows.told(sizes):
            part = kernel_rows(block, kernel, 1)
            if seen is not None:
                check_columns(estimator, seen, block, part)
        yield part, block
        sizes.append(int(block.shape[0]))


def _sampled(
    estimator: Any, rows: Scan, size: int, rng: np.random.Generator
) -> tuple[np.ndarray, Any, dict[str, Any], int]:
    """Return a uniform sample, what arrays are like, what the columns are, and how many rows."""
    kept = _Kept(size)
    like, seen, n = None, None, 0
    for part, block in _tables(estimator, rows):
        values = dense(part.values)
        seen = columns_seen(block, part) if seen is None else seen
        like = like_of(part.values) if like is None else like
        kept.add(values, rng.random(len(values)))
        n += len(values)
    if seen is None or n < 2:
        raise InputError(f"X has {n} sample(s) while a minimum of 2 is required")
    return kept.rows(), like, seen, n


class _Kept:
    """The rows with the smallest keys of a stream."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._rows: list[np.ndarray] = []
        self._keys: list[np.ndarray] = []

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
    estimator: Any,
    rows: Scan,
    kernel: Kernel,
    points: Points,
    rank: int,
    size: int,
    rng: np.random.Generator,
) -> LowRank:
    """Return features of landmarks of a sample and of rows that those explain badly."""
    half = nystrom(kernel, points, max(rank // 2, 1), "rpcholesky", rng)
    kept = _Kept(size)
    for part, _ in _tables(estimator, rows):
        F = to_numpy(half.map(part.values))
        left = to_numpy(kernel.self_similarity(part.values)) - np.einsum("ij,ij->i", F, F)
        # Exponential clocks: the smallest are a sample by weight (Efraimidis and Spirakis 2006).
        with np.errstate(divide="ignore"):
            keys = rng.exponential(size=len(left)) / np.clip(left, 0.0, None)
        kept.add(dense(part.values), keys)
    rest = Points(kept.rows())
    other = nystrom(kernel, rest, rank - len(half.landmarks), "rpcholesky", rng)  # type: ignore[arg-type]
    chosen = np.concatenate([points.X[half.landmarks], rest.X[other.landmarks]])
    return nystrom(kernel, points, rank, chosen, rng)


def _features(
    estimator: Any, rows: Scan, kernel: Kernel, low: LowRank, seen: dict[str, Any]
) -> tuple[Stream, float]:
    """Return the moments of the features, and the share of the trace that they leave out."""
    stream: Stream | None = None
    covered = total = 0.0
    for part, _ in _tables(estimator, rows, seen):
        F = low.map(part.values)
        covered += float(namespace(F).sum(F * F))
        total += float(to_numpy(kernel.self_similarity(part.values)).sum(dtype=float))
        stream = extended(stream, Table(F), None, {})
    assert stream is not None
    return stream, max(1.0 - covered / total, 0.0) if total > 0 else 0.0


def _published(
    estimator: Any, stream: Stream, low: LowRank, points: Points, n: int, like: Array
) -> Attributes:
    m = stream.moments
    s = standard(m, stream.like, scale=False, column_weight=None, names=None)
    columns = m.first.shape[0]
    request = request_of(estimator, min(n, columns), feature=True)
    request = replace(request, dimension=n - 1)
    reason = "covariance: features of blocks of rows"
    principal = principal_axes_of_moments(m, s, stream.like, request, reason, small_columns=False)
    features = ApproximateFeatures(low.map, principal.features)
    V = principal.spectrum.vectors
    signs = column_signs(principal.features.project(low.map.of(points), V)[0])  # type: ignore[attr-defined]
    spectrum = replace(principal.spectrum, vectors=V * signs)
    shift = None
    if estimator.formulation == "span":
        shift = ((s.mean * s.factor) @ spectrum.vectors) * s.unit
    model = FeatureModel(replace(principal, spectrum=spectrum, features=features), shift)
    training = Training("gone", None, n, like=like)
    state = spectrum_state(model)
    seen = {"n_samples_seen_": n, "stream_": stream}
    return state | seen | {"record_": Record(training, model)}
