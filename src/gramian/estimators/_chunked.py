"""PCA and kernel PCA of rows in blocks, whether files or dask hold them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from gramian._array import Array
from gramian._check import is_whole
from gramian._pairs import Points
from gramian._validate import Table, table, weights
from gramian.chunked.blocks import Block, Chunks, in_memory, too_few
from gramian.chunked.gram import ChunkedGram, ChunkedRows, require_memory
from gramian.chunked.landmarks import features_of
from gramian.chunked.moments import Stream, block_stream
from gramian.embedding import (
    FeatureModel,
    Record,
    Training,
    count,
    like_of,
    principal_axes_of_moments,
    principal_axes_of_rows,
    rows_at,
    standard,
)
from gramian.errors import InputError
from gramian.estimators._base import Attributes, columns_seen, kernel_rows, spectrum_state
from gramian.estimators._kernel_options import request_of
from gramian.features.lowrank import ApproximateFeatures, KernelMap, LandmarkMap
from gramian.kernels import Kernel, Linear, Standardized
from gramian.kernels.bandwidth import scale_rows
from gramian.operators.tiled import SAMPLE
from gramian.spectral.choose import Choice, choose_features, dense_bytes
from gramian.spectral.spectrum import column_signs


def principal_state(estimator: Any, chunks: Chunks) -> Attributes:
    """Return the fitted attributes of a PCA: from moments, or by products where p × p is large."""
    choice = _choice(estimator, chunks)
    if choice is None:
        return estimator._state_of_stream(_stream(chunks))
    chunks = chunks.counted()
    stream = _stream(chunks, cross=False)
    weight = estimator._column_weight(chunks.p)
    if weight is not None and not weight.all():
        raise InputError("column_weight has zeros, but X is wide and in blocks: drop these columns")
    m, like = stream.moments, stream.like
    s = standard(m, like, scale=estimator.scale, column_weight=weight, names=stream.names)
    request = replace(estimator._request(stream.n, chunks.p), dimension=s.varying)
    rows = ChunkedRows(chunks, m, s.factor)
    side = "dual" if choice.name == "dense" else "primal"  # which takes one pass a product
    principal = principal_axes_of_rows(rows, m, s, like, request, choice, side=side)
    return estimator._state_of_axes(principal, stream)


def _choice(estimator: Any, chunks: Chunks) -> Choice | None:
    """Return how products find the axes, None where moments do."""
    solver, wide = estimator.solver, dense_bytes(chunks.p) > chunks.budget
    if solver == "covariance" or (solver == "auto" and not wide):
        return None
    n, p = chunks.shape
    choice = choose_features(n, p, estimator._request(n, p).axes.q, solver)
    if solver != "auto" or (choice.name == "dense" and dense_bytes(n) <= chunks.budget):
        return choice
    if not is_whole(estimator.n_components):
        return None if choice.name == "covariance" else choice
    return Choice("krylov", f"{p} columns in blocks of rows, one pass a product")


def _stream(chunks: Chunks, cross: bool = True) -> Stream:
    """Return the moments of all columns by one pass, without `cross` only their variances."""
    stream: Stream | None = chunks.total(block_stream, cross)
    if stream is None or stream.n < 2:
        raise too_few(0 if stream is None else stream.n)
    return replace(stream, seen=columns_seen(None, chunks.header))


def read_block(block: Any) -> Table:
    """Return a block of rows of numbers."""
    return in_memory(table(block, "X", min_rows=0))


def block_reader(kernel: Kernel) -> Callable[[Any], Table]:
    """Return what makes a table of a block, as a kernel takes it."""
    return partial(_kernel_table, kernel=kernel)


def _kernel_table(block: Any, kernel: Kernel) -> Table:
    rows = in_memory(kernel_rows(block, kernel, 0))
    return replace(rows, values=require_memory(rows.values), reader=None)


def kernel_state(estimator: Any, chunks: Chunks, kernel: Kernel) -> Attributes:
    """Return the fitted attributes of a kernel PCA."""
    resolve = partial(_resolved, chunks, kernel)
    if estimator.approximation is not None:
        f = features_of(chunks, estimator.approximation, resolve, estimator._centred)
        state = feature_state(estimator, f.stream, like_of(f.points.X), f.map, f.points)
        own = {"approximation_error_": f.error, "landmarks_": None, "kernel_": f.kernel}
        return state | own | columns_seen(None, chunks.header)
    if isinstance(kernel, Linear):
        stream = _stream(chunks)
        far = partial(_far_coordinates, chunks)
        return feature_state(estimator, stream, stream.like, far=far) | {"kernel_": kernel}
    return _exact_state(estimator, chunks.for_pairs(), resolve)


def _resolved(chunks: Chunks, kernel: Kernel, points: Points, p: np.ndarray | None) -> Kernel:
    """Return the kernel with its scale, found on a sample; means and deviations are of all rows."""
    kernel = copy.deepcopy(kernel)
    if isinstance(kernel, Standardized):
        stream = _stream(chunks, cross=False)
        s = standard(stream.moments, stream.like, scale=False, column_weight=None)
        kernel = Standardized(kernel.kernel, s.mean, s.deviation)
    names = columns_seen(None, chunks.header).get("feature_names_in_")
    return kernel.resolve(points, p, names)


def _exact_state(
    estimator: Any, chunks: Chunks, resolve: Callable[[Points, np.ndarray | None], Kernel]
) -> Attributes:
    """Return the attributes of an exact kernel PCA: G·V by pairs of blocks, all else as ever."""
    n = chunks.n
    p = weights(chunks.row_weights, n)
    live = n if p is None else int(np.count_nonzero(p))
    if live < 2:
        raise too_few(live)
    sample = chunks.at(which := scale_rows(n, p)).values
    kernel = resolve(Points(sample), None if p is None else p[which] / p[which].sum())
    # Fewer rows give the others a centre and a unit, and start the search.
    points = Points(sample[:: -(-sample.shape[0] // min(chunks.panel, SAMPLE))].copy())
    del sample
    gram, own = (ChunkedGram(k, chunks, points) for k in (kernel.about(points), kernel))
    training = Training.of(Table(gram), p, like=like_of(points.X))
    active, p_active = training.active()
    own_active = own if training.live is None else rows_at(own, training.live)
    request = request_of(estimator, count(active.values))
    record = Record(training, estimator._of_gram(active.values, p_active, request, own_active))
    if training.live is not None:
        record.places  # noqa: B018  what is wrong with rows without a weight is reported now
    state = {"kernel_": kernel, "n_samples_seen_": n, "record_": record}
    return spectrum_state(record.model) | state | columns_seen(None, chunks.header)


def _far_coordinates(chunks: Chunks, features: Any, V: np.ndarray) -> np.ndarray:
    return np.concatenate(chunks.each(_farthest, features, V))


def _farthest(block: Block, features: Any, V: np.ndarray) -> np.ndarray:
    """Return the coordinates of the rows that are farthest out on one of the axes."""
    live = block.live
    if not len(live):
        return np.empty((0, V.shape[1]))
    Z = features.project(live.values, V)[0]
    return Z[np.unique(np.abs(Z).argmax(axis=0))]


def feature_state(
    estimator: Any,
    stream: Stream,
    like: Array | None,
    map_: KernelMap | None = None,
    points: Points | None = None,
    far: Callable[[Any, np.ndarray], np.ndarray] | None = None,
) -> Attributes:
    """Return the fitted attributes of axes of features: the columns, or what a map makes of rows.

    Signs are fixed on some points, or on the coordinates that `far` gives of rows that are farthest
    out on an axis.
    """
    m, n, columns = stream.moments, stream.n, stream.moments.first.shape[0]
    s = standard(m, stream.like, scale=False, column_weight=None)
    if map_ is None:
        request = replace(request_of(estimator, min(n, columns), (n, columns)), dimension=s.varying)
    else:
        request = request_of(estimator, min(n, columns), feature=True)
        request = replace(request, dimension=n - 1)
    reason = f"covariance: {'' if map_ is None else 'features of '}blocks of rows"
    principal = principal_axes_of_moments(m, s, stream.like, request, reason, map_ is None)
    V, features = principal.spectrum.vectors, principal.features
    if far is not None:
        V = V * column_signs(far(features, V))
    elif points is not None:
        F = map_.of(points) if isinstance(map_, LandmarkMap) else map_(points.X)  # type: ignore[misc]
        V = V * column_signs(features.project(F, V)[0])
    if map_ is not None:
        features = ApproximateFeatures(map_, features)
    spectrum = replace(principal.spectrum, vectors=V)
    principal = replace(principal, spectrum=spectrum, features=features)
    model = FeatureModel(principal, estimator._shift(s, V))
    record = Record(Training("gone", None, n, like=like), model)
    own = {"n_samples_seen_": n, "stream_": stream, "record_": record}
    return spectrum_state(model) | own | stream.seen
