"""Fits of rows that dask holds: PCA, and kernel PCA by landmarks or by all pairs of blocks."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from gramian._array import to_numpy
from gramian._chunks import Block
from gramian._dask import DaskChunks
from gramian._pairs import Points
from gramian._validate import Table, weights
from gramian.embedding import (
    FeatureModel,
    Record,
    Training,
    count,
    like_of,
    principal_axes_of_rows,
    standard,
)
from gramian.errors import InputError, InputTypeError
from gramian.estimators._base import Attributes, columns_seen, kernel_rows, spectrum_state
from gramian.estimators._dask_landmarks import landmark_state, linear_state
from gramian.estimators._kernel_options import check_kernel_options, request_of
from gramian.estimators._stream import Stream
from gramian.estimators.kernel_pca import KernelPCA
from gramian.estimators.pca import PCA
from gramian.kernels import Kernel, Linear, Standardized
from gramian.kernels.bandwidth import rows_looked_at
from gramian.operators.chunked import ChunkedGram, ChunkedRows, block_moments, chunked_moments
from gramian.spectral.choose import Choice, choose_features

__all__ = ["state_of_dask"]

WIDE = 4_000  # columns from which on covariances cost more than passes over the rows


def state_of_dask(estimator: Any, X: Any, sample_weight: Any) -> Attributes:
    """Return the fitted attributes of an estimator on a dask array or data frame."""
    if not isinstance(estimator, PCA | KernelPCA):
        raise InputTypeError(
            f"X is a dask {type(X).__name__}, but {type(estimator).__name__} needs its rows all at "
            "once: give X.compute() where they fit, or use PCA or KernelPCA"
        )
    if estimator.missing != "raise":
        raise InputError(f"missing={estimator.missing!r} does not go with dask: fill holes before")
    if isinstance(estimator, PCA):
        return _principal_state(estimator, DaskChunks.of(X, sample_weight))
    return _kernel_state(estimator, X, sample_weight)


def _columns(chunks: DaskChunks) -> Attributes:
    rows = Table(np.empty((0, chunks.p)), columns=chunks.columns)
    return columns_seen(None, rows)


def _few(n: int) -> InputError:
    return InputError(f"X has {n} sample(s) with a weight while a minimum of 2 is required")


def _principal_state(estimator: PCA, chunks: DaskChunks) -> Attributes:
    """Return the state of a PCA: from moments, or from products where columns are many."""
    if estimator.solver != "covariance" and (chunks.p > WIDE or estimator.solver != "auto"):
        chunks = chunks.sized()
        q = estimator._request(*chunks.shape).axes.q
        choice = choose_features(*chunks.shape, q, estimator.solver)
        if choice.name != "covariance":
            return _wide_state(estimator, chunks, choice)
    stream = chunks.total(_stream)
    if stream is None or stream.n < 2:
        raise _few(0 if stream is None else stream.n)
    return estimator._state_of_stream(replace(stream, seen=_columns(chunks)))


def _stream(block: Block) -> Stream | None:
    m = block_moments(block, True)
    if m is None:
        return None
    live = block.live
    return Stream(m, len(live), _like(live), {})


def _like(block: Block) -> np.ndarray:
    return np.empty((0, block.values.shape[1]), dtype=str(block.values.dtype).rpartition(".")[2])


def _wide_state(estimator: PCA, chunks: DaskChunks, choice: Choice) -> Attributes:
    """Return the state of a PCA by block Krylov: no p × p, and nothing of the rows comes here."""
    m = chunked_moments(chunks, cross=False)
    live, like = chunks.total(_live, add=_live_of_both)
    if m is None or live < 2:
        raise _few(live)
    seen = _columns(chunks)
    weight = estimator._column_weight(chunks.p)
    if weight is not None and not weight.all():
        raise InputError("column_weight has zeros, but X is wide and of dask: drop these columns")
    names = seen.get("feature_names_in_")
    s = standard(m, like, scale=estimator.scale, column_weight=weight, names=names)
    request = replace(estimator._request(live, chunks.p), dimension=s.varying)
    rows = ChunkedRows(chunks, m, s.factor)
    principal = principal_axes_of_rows(rows, m, s, like, request, choice)
    model = FeatureModel(principal)
    own = {
        "n_samples_seen_": live,
        "record_": Record(Training("gone", None, live, like=like), model),
    }
    return spectrum_state(model) | estimator._axes(principal, live) | own | seen


def _live(block: Block) -> tuple[int, np.ndarray]:
    return len(block.live), _like(block)


def _live_of_both(a: Any, b: Any) -> tuple[int, np.ndarray]:
    return a[0] + b[0], max(a[1], b[1], key=lambda like: like.dtype.itemsize)


def _kernel_state(estimator: KernelPCA, X: Any, sample_weight: Any) -> Attributes:
    check_kernel_options(estimator)
    meant = estimator._kernel_meant()
    if estimator._is_precomputed or not meant.takes_vectors:
        raise InputError(
            f"kernel={estimator.kernel!r:.60} takes no rows of numbers: give a kernel of rows"
        )
    if estimator.device is not None:
        raise InputError("device= does not go with dask: its blocks stay where they are")
    chunks = DaskChunks.of(X, sample_weight, partial(_table, kernel=meant))
    seen = _columns(chunks)
    names = seen.get("feature_names_in_")
    resolve = partial(_resolved, chunks, meant, names)
    if estimator.approximation is not None:
        return landmark_state(estimator, chunks, resolve) | seen
    if isinstance(meant, Linear):
        return linear_state(estimator, chunks, resolve) | seen
    return _exact_state(estimator, chunks.held(), resolve) | seen


def _table(block: Any, kernel: Kernel) -> Table:
    return replace(kernel_rows(block, kernel, 0), reader=None)


def _resolved(
    chunks: DaskChunks, meant: Kernel, names: Any, points: Points, p: np.ndarray | None
) -> Kernel:
    """Return the kernel made definite on a sample, means and deviations being those of all rows."""
    if isinstance(meant, Standardized):
        m = chunked_moments(chunks, cross=False)
        assert m is not None
        meant = Standardized(meant.kernel, m.mean, m.deviation)
    return meant.resolve(points, p, names)


def _exact_state(estimator: KernelPCA, chunks: DaskChunks, resolve: Any) -> Attributes:
    """Return the state of an exact kernel PCA: G·V by pairs of blocks, all else as ever."""
    n = chunks.shape[0]
    p = weights(np.concatenate(chunks.each(_weights)), n) if chunks.weighted else None
    sample = chunks.at(rows := rows_looked_at(n, p))
    points = Points(sample)
    p_sample = None if p is None else p[rows] / p[rows].sum()
    kernel = resolve(points, p_sample)
    gram = ChunkedGram(kernel.about(points), chunks, sample)
    own = ChunkedGram(kernel, chunks, sample) if estimator.formulation == "span" else None
    training = Training.of(Table(gram), p, like=like_of(sample))
    if training.n_live < 2:
        raise _few(training.n_live)
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
    return to_numpy(block.weights)
