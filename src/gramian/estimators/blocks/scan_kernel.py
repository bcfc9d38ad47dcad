"""Kernel PCA of rows that are read block by block: every pair of them, or landmarks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from gramian._pairs import Points
from gramian.embedding import (
    FeatureModel,
    Record,
    Training,
    like_of,
    principal_axes_of_moments,
    standard,
)
from gramian.errors import InputError
from gramian.estimators._base import Attributes, kernel_rows, spectrum_state
from gramian.estimators._kernel_options import request_of
from gramian.estimators.blocks.scan import Blocks, Scan
from gramian.estimators.blocks.scan_landmarks import landmark_state
from gramian.estimators.blocks.scan_pca import moments_of
from gramian.kernels import Kernel, Linear, Standardized
from gramian.kernels.bandwidth import scale_rows
from gramian.operators.block_gram import SAMPLE, BlockGram
from gramian.spectral.spectrum import column_signs

__all__ = ["Scan", "has_room", "kernel_state"]

_COPIES = 4  # of a table that a fit in memory takes
_PREPARED = 6  # copies of a panel: centred, and the two factors of its distances
_SHARE = 3  # of the budget that a panel takes


def has_room(rows: Scan) -> bool:
    """Whether all rows fit the memory of a scan, so that they need not be read again and again."""
    return _COPIES * 8 * rows.count() * len(rows.known_columns()) <= rows.budget


def kernel_state(estimator: Any, rows: Scan, sample_weight: Any) -> Attributes:
    """Return the fitted attributes of a kernel PCA."""
    if str(estimator.kernel) == "precomputed":
        raise InputError('kernel="precomputed" has no rows to read in blocks: give a kernel')
    kernel = estimator._kernel_meant()
    blocks = Blocks.of(estimator, rows, lambda X: kernel_rows(X, kernel, 1), sample_weight)
    if isinstance(kernel, Standardized):
        kernel = _standardized(kernel, blocks)
    of = _linear_state if isinstance(kernel, Linear) else _exact_state
    if estimator.approximation is not None:
        of = landmark_state
    state = of(estimator, blocks, kernel)
    blocks.point.clear()
    return state


def _standardized(kernel: Standardized, blocks: Blocks) -> Kernel:
    """Return the kernel with the means and deviations of all rows."""
    stream = moments_of(blocks, cross=False, name="variances")
    s = standard(stream.moments, stream.like, scale=False, column_weight=None)
    return Standardized(kernel.kernel, s.mean, s.deviation)


def _exact_state(estimator: Any, blocks: Blocks, kernel: Kernel) -> Attributes:
    """Products with every pair of rows, a panel of them against the others."""
    p, some = blocks.shares, scale_rows(blocks.n, blocks.shares)
    X = blocks.at(some).values
    weights = None if p is None else p[some]
    kernel = kernel_rows(X, kernel, 2).reader.resolve(Points(X), weights, blocks.names)
    panel = max(blocks.rows.budget // (_SHARE * _PREPARED * 8 * (X.shape[1] + 2)), 64)
    # Fewer rows tell where the others lie, and start the search.
    points = Points(X[:: -(-X.shape[0] // min(panel, SAMPLE))].copy())
    like = like_of(points.X)
    del X

    def gram(k: Kernel) -> BlockGram:
        said = blocks.rows.progress
        return BlockGram(k, points, blocks.values, blocks.n, panel, said, blocks.point)

    request = request_of(estimator, blocks.n)
    model = estimator._of_gram(gram(kernel.about(points)), p, request, gram(kernel))
    training = Training("gone", None, blocks.n, p, like=like)
    own = {"kernel_": kernel, "n_samples_seen_": blocks.n, "record_": Record(training, model)}
    return spectrum_state(model) | own | (blocks.seen or {})


def _linear_state(estimator: Any, blocks: Blocks, kernel: Kernel) -> Attributes:
    """The columns are the features: their moments, and a pass for the signs."""

    def far(features: Any, V: np.ndarray) -> np.ndarray:
        return np.concatenate([farthest(part.values, features, V) for part, _ in blocks])

    return linear_state(estimator, moments_of(blocks, cross=True), far) | {"kernel_": kernel}


def linear_state(
    estimator: Any, stream: Any, far: Callable[[Any, np.ndarray], np.ndarray]
) -> Attributes:
    """Return the state of a linear kernel, whose features are the columns.

    `far` gives coordinates of rows, those among them that are farthest out on an axis: they decide
    its sign.
    """
    m, n, columns = stream.moments, stream.n, stream.moments.first.shape[0]
    s = standard(m, stream.like, scale=False, column_weight=None, names=None)
    request = request_of(estimator, min(n, columns), (n, columns))
    request = replace(request, dimension=s.varying)
    principal = principal_axes_of_moments(m, s, stream.like, request, "covariance: blocks of rows")
    V = principal.spectrum.vectors
    spectrum = replace(principal.spectrum, vectors=V * column_signs(far(principal.features, V)))
    shift = None
    if estimator.formulation == "span":
        shift = ((s.mean * s.factor) @ spectrum.vectors) * s.unit
    model = FeatureModel(replace(principal, spectrum=spectrum), shift)
    training = Training("gone", None, n, like=stream.like)
    own = {"n_samples_seen_": n, "stream_": stream, "record_": Record(training, model)}
    return spectrum_state(model) | own | stream.seen


def farthest(X: Any, features: Any, V: np.ndarray) -> np.ndarray:
    """Return the coordinates of the rows that are farthest out on one of the axes."""
    Z = features.project(X, V)[0]
    return Z[np.unique(np.abs(Z).argmax(axis=0))]
