"""Kernel PCA of rows that dask holds: by landmarks, or by all pairs of blocks."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from gramian._chunks import Block
from gramian._dask_chunks import DaskChunks, at_hand, refuse_texts, too_few
from gramian._pairs import Points
from gramian._validate import Table, weights
from gramian.embedding import Record, Training, count, like_of
from gramian.errors import InputError
from gramian.estimators._base import Attributes, columns_seen, kernel_rows, spectrum_state
from gramian.estimators._kernel_options import check_kernel_options, request_of
from gramian.estimators.blocks.dask_landmarks import landmark_state
from gramian.estimators.blocks.dask_principal import stream_of
from gramian.estimators.blocks.scan_kernel import farthest, linear_state
from gramian.kernels import Kernel, Linear, Standardized
from gramian.kernels.bandwidth import scale_rows
from gramian.operators.chunked import ChunkedGram, chunked_moments, require_here

__all__ = ["kernel_state"]


def kernel_state(estimator: Any, X: Any, sample_weight: Any) -> Attributes:
    """Return all that a fit of kernel PCA on rows that dask holds publishes."""
    check_kernel_options(estimator)
    meant = estimator._kernel_meant()
    if estimator._is_precomputed or not meant.takes_vectors:
        raise InputError(
            f"kernel={estimator.kernel!r:.60} takes no rows of numbers: give a kernel of rows"
        )
    if estimator.device is not None:
        raise InputError("device= does not go with dask: its blocks stay where they are")
    if not meant.takes_categories:
        refuse_texts(X)
    chunks = DaskChunks.of(X, sample_weight, partial(_table, kernel=meant))
    seen = columns_seen(None, chunks.header)
    names = seen.get("feature_names_in_")
    resolve = partial(_resolved, chunks, meant, names)
    if estimator.approximation is not None:
        return landmark_state(estimator, chunks, resolve) | seen
    if isinstance(meant, Linear):
        return linear_state(estimator, stream_of(chunks), partial(_far, chunks)) | {
            "kernel_": meant
        }
    return _exact_state(estimator, chunks.held(), resolve) | seen


def _far(chunks: DaskChunks, features: Any, V: np.ndarray) -> np.ndarray:
    return np.concatenate(chunks.each(_farthest, features, V))


def _farthest(block: Block, features: Any, V: np.ndarray) -> np.ndarray:
    live = block.live
    return farthest(live.values, features, V) if len(live) else np.empty((0, V.shape[1]))


def _table(block: Any, kernel: Kernel) -> Table:
    rows = kernel_rows(block, kernel, 0)
    return replace(rows, values=require_here(at_hand(rows.values)), reader=None)


def _resolved(
    chunks: DaskChunks, meant: Kernel, names: Any, points: Points, p: np.ndarray | None
) -> Kernel:
    """Return the kernel made definite on a sample, means and deviations being those of all rows."""
    if isinstance(meant, Standardized):
        m = chunked_moments(chunks, cross=False)
        assert m is not None
        meant = Standardized(meant.kernel, m.mean, m.deviation)
    return meant.resolve(points, p, names)


def _exact_state(estimator: Any, chunks: DaskChunks, resolve: Any) -> Attributes:
    """Return the state of an exact kernel PCA: G·V by pairs of blocks, all else as ever."""
    n = chunks.shape[0]
    p = weights(np.concatenate(chunks.each(_weights)), n) if chunks.weighted else None
    live = n if p is None else int(np.count_nonzero(p))
    if live < 2:
        raise too_few(live)
    sample = chunks.at(rows := scale_rows(n, p)).values
    points = Points(sample)
    p_sample = None if p is None else p[rows] / p[rows].sum()
    kernel = resolve(points, p_sample)
    gram = ChunkedGram(kernel.about(points), chunks, sample)
    own = ChunkedGram(kernel, chunks, sample) if estimator.formulation == "span" else None
    training = Training.of(Table(gram), p, like=like_of(sample))
    active, p_active = training.active()
    if own is not None and training.live is not None:
        own = Training.of(Table(own), p).active()[0].values
    request = request_of(estimator, count(active.values))
    record = Record(training, estimator._of_gram(active.values, p_active, request, own))
    if training.live is not None:
        record.places  # noqa: B018  what is wrong with rows without a weight is said now
    return spectrum_state(record.model) | {"kernel_": kernel, "record_": record}


def _weights(block: Block) -> np.ndarray:
    assert block.weights is not None
    return block.weights
