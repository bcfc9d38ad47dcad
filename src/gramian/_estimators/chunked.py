"""PCA and kernel PCA of rows in blocks: of files, of dask, or arriving one after the other."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from functools import partial, update_wrapper
from types import MethodType
from typing import TYPE_CHECKING, Any

import numpy as np

from gramian._core.array import Array, is_sparse, to_dense, to_numpy
from gramian._core.check import generator, is_whole, short
from gramian._core.chunked import axes, operators
from gramian._core.chunked.blocks import Chunks, in_memory
from gramian._core.chunked.operators import Stream
from gramian._core.embedding import (
    FeatureModel,
    Record,
    Training,
    count,
    like_of,
    rows_at,
    standard,
)
from gramian._core.features.lowrank import ApproximateFeatures, KernelMap, LandmarkMap
from gramian._core.features.nystrom import grow, prune
from gramian._core.operators.moments import rotate
from gramian._core.pairs import Points
from gramian._core.table import Table, plain_weights, table
from gramian._core.types import DataLike, WeightsLike
from gramian._estimators.base import Attributes, column_record, kernel_rows, spectrum_state
from gramian.errors import InputError
from gramian.kernels import Kernel, Linear, Standardized

if TYPE_CHECKING:
    from gramian._estimators.kernel_pca import KernelPCA
    from gramian._estimators.nystrom import KernelFeatures
    from gramian._estimators.pca import PCA


def principal_state(estimator: PCA, chunks: Chunks) -> Attributes:
    """Return the fitted attributes of a PCA: from moments, or by products where p × p is large."""

    def q(n: int, p: int) -> int | None:
        return estimator._request(n, p).axes.q

    choice = axes.choose_products(chunks, estimator.solver, estimator.n_components, q)
    if choice is None:
        return estimator._state_of_stream(_stream_with_names(chunks))
    chunks = chunks.with_sizes()
    stream = _stream_with_names(chunks, cross=False)
    weight = estimator._column_weight(chunks.p)
    if weight is not None and not weight.all():
        raise InputError("column_weight has zeros, but X is wide and in blocks: drop these columns")
    m, scale = stream.moments, estimator.scale
    s = standard(m, stream.like, scale=scale, column_weight=weight, names=stream.names)
    request = replace(estimator._request(stream.n, chunks.p), dimension=s.varying)
    principal = axes.axes_by_products(chunks, stream, s, request, choice)
    return estimator._state_of_axes(principal, stream)


def _stream_with_names(chunks: Chunks, cross: bool = True) -> Stream:
    stream = axes.stream_of(chunks, cross)
    return replace(stream, seen=column_record(chunks.header))


def read_block(block: DataLike) -> Table:
    """Return a block of rows of numbers."""
    return in_memory(table(block, "X", min_rows=0))


def read_kernel_block(block: DataLike, kernel: Kernel) -> Table:
    """Return a block of rows as a kernel takes it."""
    rows = in_memory(kernel_rows(block, kernel, 0))
    return replace(rows, values=operators.require_numpy(rows.values), reader=None)


def kernel_state(estimator: KernelPCA, chunks: Chunks, kernel: Kernel) -> Attributes:
    """Return the fitted attributes of a kernel PCA: on landmarks, of the columns, or exact."""
    resolve = partial(_resolve_kernel, chunks, kernel)
    if estimator.approximation is not None:
        f = axes.features_of(chunks, estimator.approximation, resolve, estimator._center_kernel)
        signs = axes.signs_of_points(f.map, f.points)
        state = feature_state(estimator, f.stream, like_of(f.points.X), signs, f.map)
        own = {"approximation_error_": f.error, "landmarks_": None, "kernel_": f.kernel}
        return state | own | column_record(chunks.header)
    if isinstance(kernel, Linear):
        stream = _stream_with_names(chunks)
        state = feature_state(estimator, stream, stream.like, None)
        return state | {"kernel_": kernel}
    gram, own_gram, p = axes.grams_of(chunks.for_pairs(), resolve)
    training = Training.of(Table(gram), p, like=like_of(gram.origin.X))
    active, p_active = training.active()
    live = own_gram if training.live is None else rows_at(own_gram, training.live)
    request = estimator._request(count(active.values))
    record = Record(training, estimator._of_gram(active.values, p_active, request, live))
    if training.live is not None:
        record.places  # noqa: B018  errors of rows without a weight are raised now
    seen = {"n_samples_seen_": gram.n} | column_record(chunks.header)
    return spectrum_state(record.model) | seen | {"kernel_": own_gram.kernel, "record_": record}


def _resolve_kernel(chunks: Chunks, kernel: Kernel, points: Points, p: np.ndarray | None) -> Kernel:
    """Return the kernel with its scale, found on a sample; means and deviations are of all rows."""
    kernel = copy.deepcopy(kernel)
    if isinstance(kernel, Standardized):
        stream = axes.stream_of(chunks, cross=False)
        s = standard(stream.moments, stream.like, scale=False, column_weight=None)
        kernel = Standardized(kernel.kernel, s.mean, s.deviation)
    names = column_record(chunks.header).get("feature_names_in_")
    return kernel.resolve(points, p, names)


def feature_state(
    estimator: KernelPCA,
    stream: Stream,
    like: Array | None,
    signs: axes.Signs | None,
    map_: KernelMap | None = None,
) -> Attributes:
    """Return the fitted attributes of axes of features: columns, or what a map makes of rows."""
    m, n, columns = stream.moments, stream.n, stream.moments.first.shape[0]
    s = standard(m, stream.like, scale=False, column_weight=None)
    if map_ is None:
        request = replace(estimator._request(min(n, columns), (n, columns)), dimension=s.varying)
    else:
        request = estimator._request(min(n, columns), feature=True)
        request = replace(request, dimension=n - 1)
    model = axes.feature_model(stream, s, request, signs, estimator._shift, map_)
    record = Record(Training("gone", None, n, like=like), model)
    own = {"n_samples_seen_": n, "stream_": stream, "record_": record}
    return spectrum_state(model) | own | stream.seen


def refuse_filling(owner: PCA | KernelPCA, what: str) -> None:
    """Refuse to fill in missing values of rows that are not all in memory."""
    if owner.missing != "raise":
        raise InputError(
            f"missing={short(owner.missing)} does not go with {what}: missing values are filled in "
            "from all rows at once: fill them in before, by X.complete('mean') of a scan or "
            "X.fillna(X.mean()) of dask, or give one table, X.collect() or X.compute()"
        )


def rows_of_fit(owner: PCA | KernelPCA) -> Array | None:
    """Return the rows of a fit from which `partial_fit` continues, None without a fit."""
    record = vars(owner).get("record_")
    if record is None:
        return None
    t = record.training
    if t.table is None:
        raise InputError(
            "partial_fit: the fit before kept neither its rows nor moments of them: make a new "
            "estimator, or start with partial_fit"
        )
    if t.weights is not None:
        raise InputError(
            "partial_fit: the fit before kept only the proportions of its sample_weight: make a "
            "new estimator, and give its rows to partial_fit too"
        )
    return t.rows


def column_attributes(owner: PCA | KernelPCA) -> Attributes:
    """Return what scikit-learn recorded of the columns."""
    own = vars(owner)
    return {name: own[name] for name in ("n_features_in_", "feature_names_in_") if name in own}


ORIGIN_ROWS = 1000  # of the first block, which give all points a centre and a unit


class WithLandmarks:
    """A method that exists only where rows that are not kept leave landmarks behind."""

    def __init__(self, method: Callable[..., Any]) -> None:
        self.method = method
        update_wrapper(self, method)  # type: ignore[arg-type]

    def __get__(self, estimator: KernelPCA | None, owner: type) -> Callable[..., KernelPCA]:
        if estimator is None:
            return self.method
        if estimator.approximation is None or not estimator._takes_blocks:
            raise AttributeError(
                f"this {owner.__name__} has no attribute 'partial_fit', which keeps landmarks in "
                "place of the rows: use KernelPCA(approximation=gm.Nystrom(rank=200))"
            )
        return MethodType(self.method, estimator)


def state_with_block(estimator: KernelPCA, X: DataLike, sample_weight: WeightsLike) -> Attributes:
    """Return the fitted attributes with one block of rows more.

    Features of rows that came before are those of the landmarks there were then: what they leave
    out of k(x, x) is known, and so is what is lost with a landmark that is given up.
    """
    approximation = _budget_of_landmarks(estimator)
    before = vars(estimator).get("stream_") or _of_fit(estimator)
    kernel = estimator._requested_kernel() if before is None else estimator.kernel_
    rows = estimator._like_fit(X, kernel_rows(X, kernel, 1))
    rows = replace(rows, values=to_dense(rows.values))  # landmarks are held as one array
    w = plain_weights(sample_weight, len(rows.values), index=rows.index)
    if before is None:
        rows, w = _with_waiting(estimator, rows, w)
        if len(rows.values) < 2:  # too few for a scale of the kernel
            waiting = {"_waiting": (rows, w), "n_samples_seen_": len(rows.values)}
            return waiting | column_record(rows)
        return _first(estimator, approximation, rows, w)
    own = {"kernel_": estimator.kernel_} | column_attributes(estimator)
    return _add_rows(estimator, before, rows, w) | own


def _map(estimator: KernelPCA) -> KernelMap:
    """Return the features of the fit before, its landmarks held as one array."""
    model = estimator.model_
    features = model.principal.features if isinstance(model, FeatureModel) else None
    if not isinstance(features, ApproximateFeatures):
        raise InputError("the fit before had no landmarks: make a new estimator, and start again")
    map_ = features.kernel_map
    if isinstance(map_, LandmarkMap) and is_sparse(map_.landmarks.X):
        return LandmarkMap(map_.kernel, Points(to_dense(map_.landmarks.X)), map_.W)
    return map_


def _of_fit(estimator: KernelPCA) -> Stream | None:
    """Return what a fit of one table saw, in the features that it found."""
    rows = rows_of_fit(estimator)
    if rows is None:
        return None
    F = np.asarray(to_numpy(_map(estimator)(to_dense(rows))), dtype=float)
    return replace(Stream.of(F, None, {}), like=like_of(rows))


def _budget_of_landmarks(estimator: KernelPCA) -> KernelFeatures:
    """Return the approximation, which must have a number of landmarks that can be kept."""
    approximation = estimator.approximation
    assert approximation is not None  # else there is no `partial_fit`
    if approximation.refine or not is_whole(approximation.rank):
        raise InputError(
            "approximation: partial_fit needs a budget of landmarks that can be kept: use "
            "gm.Nystrom(rank=200), a whole number of them, without refine"
        )
    if estimator.is_precomputed:
        raise InputError('kernel="precomputed" has no rows to keep: give a kernel')
    return approximation


def _with_waiting(
    estimator: KernelPCA, rows: Table, w: np.ndarray | None
) -> tuple[Table, np.ndarray | None]:
    """Return a first row that is waiting, if there is one, and the rows after it."""
    if "_waiting" not in vars(estimator):
        return rows, w
    first, v = vars(estimator)["_waiting"]
    values = np.concatenate([first.values, rows.values])
    if v is not None or w is not None:
        parts = ((first, v), (rows, w))
        w = np.concatenate([np.ones(len(r.values)) if u is None else u for r, u in parts])
    return replace(rows, values=values, index=None), w


def _first(
    estimator: KernelPCA, approximation: KernelFeatures, rows: Table, w: np.ndarray | None
) -> Attributes:
    """Return the attributes of the first block, which the kernel takes its scale from."""
    p = None if w is None else w / w.sum()
    values = rows.values
    points = Points(values, Points(values[:: -(-len(values) // ORIGIN_ROWS)].copy()))
    kernel = rows.reader.resolve(Points(values), p, rows.columns)
    about = estimator._center_kernel(kernel, points.origin)
    map_ = approximation.lowrank(about, points, p).map
    F: np.ndarray = np.asarray(to_numpy(map_(points)), dtype=float)
    stream = Stream.of(F, w, {})
    stream = replace(stream, moments=operators.in_units(stream.moments), like=like_of(values))
    own = {"kernel_": kernel} | column_record(rows)
    return _state_of_map(estimator, map_, stream, _trace(about, values, w)) | own


def _add_rows(
    estimator: KernelPCA, before: Stream, rows: Table, w: np.ndarray | None
) -> Attributes:
    map_, approximation = _map(estimator), _budget_of_landmarks(estimator)
    kernel = map_.kernel if isinstance(map_, LandmarkMap) else estimator.kernel_
    stream = replace(before, moments=operators.in_units(before.moments))
    total = _covered_inertia(stream) / (1.0 - (estimator.approximation_error_ or 0.0))
    total += _trace(kernel, rows.values, w)
    if not isinstance(map_, LandmarkMap) or not axes.is_pivoted(approximation):
        F = np.asarray(to_numpy(map_(rows.values)), dtype=float)
        return _state_of_map(estimator, map_, _with(stream, F, w), total)
    points = Points(rows.values, map_.landmarks)
    rank, rng = int(approximation.rank), generator(approximation.random_state)
    p = None if w is None else w / w.sum()
    map_, F = grow(map_, points, rank, rng, p)
    stream = _with(operators.pad(stream, F.shape[1]), F, w)
    if F.shape[1] > rank:
        map_, Q = prune(map_, operators.about_origin(stream.moments), rank)
        stream = replace(stream, moments=rotate(stream.moments, Q))
    return _state_of_map(estimator, map_, stream, total)


def _with(stream: Stream, F: np.ndarray, w: np.ndarray | None) -> Stream:
    longer = stream + Stream.of(F, w, {})
    return replace(longer, moments=operators.in_units(longer.moments), like=stream.like)


def _state_of_map(
    estimator: KernelPCA, map_: KernelMap, stream: Stream, total: float
) -> Attributes:
    signs = axes.signs_of_points(map_, map_.landmarks) if isinstance(map_, LandmarkMap) else None
    state = feature_state(estimator, stream, stream.like, signs, map_)
    error = min(max(1.0 - _covered_inertia(stream) / total, 0.0), 1.0)
    return state | {"approximation_error_": error, "landmarks_": None}


def _covered_inertia(stream: Stream) -> float:
    """Return the trace that features have."""
    return float(np.trace(operators.about_origin(stream.moments)))


def _trace(kernel: Kernel, X: np.ndarray, w: np.ndarray | None) -> float:
    """Return Σ w·k(x, x)."""
    diag = to_numpy(kernel.self_similarity(X)).astype(float)
    return float(diag.sum() if w is None else w @ diag)
