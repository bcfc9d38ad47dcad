"""PCA and kernel PCA of rows in blocks, whether files or dask hold them."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from gramian._core.array import Array
from gramian._core.check import short
from gramian._core.chunked.axes import (
    KernelMap,
    Signs,
    axes_by_products,
    choose_products,
    feature_model,
    features_of,
    grams_of,
    signs_of_points,
    signs_of_rows,
    stream_of,
)
from gramian._core.chunked.blocks import Chunks, in_memory
from gramian._core.chunked.operators import Stream, require_memory
from gramian._core.embedding import Record, Training, count, like_of, rows_at, standard
from gramian._core.pairs import Points
from gramian._core.table import Table, table
from gramian._estimators._base import Attributes, columns_seen, kernel_rows, spectrum_state
from gramian._estimators._kernel_options import request_of
from gramian.errors import InputError
from gramian.kernels import Kernel, Linear, Standardized


def principal_state(estimator: Any, chunks: Chunks) -> Attributes:
    """Return the fitted attributes of a PCA: from moments, or by products where p × p is large."""

    def q(n: int, p: int) -> int | None:
        return estimator._request(n, p).axes.q

    choice = choose_products(chunks, estimator.solver, estimator.n_components, q)
    if choice is None:
        return estimator._state_of_stream(_named_stream(chunks))
    chunks = chunks.counted()
    stream = _named_stream(chunks, cross=False)
    weight = estimator._column_weight(chunks.p)
    if weight is not None and not weight.all():
        raise InputError("column_weight has zeros, but X is wide and in blocks: drop these columns")
    m, scale = stream.moments, estimator.scale
    s = standard(m, stream.like, scale=scale, column_weight=weight, names=stream.names)
    request = replace(estimator._request(stream.n, chunks.p), dimension=s.varying)
    principal = axes_by_products(chunks, stream, s, request, choice)
    return estimator._state_of_axes(principal, stream)


def _named_stream(chunks: Chunks, cross: bool = True) -> Stream:
    stream = stream_of(chunks, cross)
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
    """Return the fitted attributes of a kernel PCA: on landmarks, of the columns, or exact."""
    resolve = partial(_resolved, chunks, kernel)
    if estimator.approximation is not None:
        f = features_of(chunks, estimator.approximation, resolve, estimator._centred)
        signs = signs_of_points(f.map, f.points)
        state = feature_state(estimator, f.stream, like_of(f.points.X), signs, f.map)
        own = {"approximation_error_": f.error, "landmarks_": None, "kernel_": f.kernel}
        return state | own | columns_seen(None, chunks.header)
    if isinstance(kernel, Linear):
        stream = _named_stream(chunks)
        state = feature_state(estimator, stream, stream.like, signs_of_rows(chunks))
        return state | {"kernel_": kernel}
    gram, own_gram, p = grams_of(chunks.for_pairs(), resolve)
    training = Training.of(Table(gram), p, like=like_of(gram.origin.X))
    active, p_active = training.active()
    live = own_gram if training.live is None else rows_at(own_gram, training.live)
    request = request_of(estimator, count(active.values))
    record = Record(training, estimator._of_gram(active.values, p_active, request, live))
    if training.live is not None:
        record.places  # noqa: B018  what is wrong with rows without a weight is reported now
    seen = {"n_samples_seen_": gram.n} | columns_seen(None, chunks.header)
    return spectrum_state(record.model) | seen | {"kernel_": own_gram.kernel, "record_": record}


def _resolved(chunks: Chunks, kernel: Kernel, points: Points, p: np.ndarray | None) -> Kernel:
    """Return the kernel with its scale, found on a sample; means and deviations are of all rows."""
    kernel = copy.deepcopy(kernel)
    if isinstance(kernel, Standardized):
        stream = stream_of(chunks, cross=False)
        s = standard(stream.moments, stream.like, scale=False, column_weight=None)
        kernel = Standardized(kernel.kernel, s.mean, s.deviation)
    names = columns_seen(None, chunks.header).get("feature_names_in_")
    return kernel.resolve(points, p, names)


def feature_state(
    estimator: Any,
    stream: Stream,
    like: Array | None,
    signs: Signs | None,
    map_: KernelMap | None = None,
) -> Attributes:
    """Return the fitted attributes of axes of features: columns, or what a map makes of rows."""
    m, n, columns = stream.moments, stream.n, stream.moments.first.shape[0]
    s = standard(m, stream.like, scale=False, column_weight=None)
    if map_ is None:
        request = replace(request_of(estimator, min(n, columns), (n, columns)), dimension=s.varying)
    else:
        request = request_of(estimator, min(n, columns), feature=True)
        request = replace(request, dimension=n - 1)
    model = feature_model(stream, s, request, signs, estimator._shift, map_)
    record = Record(Training("gone", None, n, like=like), model)
    own = {"n_samples_seen_": n, "stream_": stream, "record_": record}
    return spectrum_state(model) | own | stream.seen


def refuse_filling(owner: Any, what: str) -> None:
    """Refuse to fill in missing values of rows that are not all in memory."""
    if owner.missing != "raise":
        raise InputError(
            f"missing={short(owner.missing)} does not go with {what}: missing values are filled in "
            "from all rows at once: fill them in before, by X.complete('mean') of a scan or "
            "X.fillna(X.mean()) of dask, or give one table, X.collect() or X.compute()"
        )


def rows_of_fit(owner: Any) -> Any:
    """Return the rows of a fit that `partial_fit` goes on from, None where there was none."""
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


def seen_by(owner: Any) -> dict[str, Any]:
    """Return what scikit-learn recorded of the columns."""
    return {
        name: vars(owner)[name]
        for name in ("n_features_in_", "feature_names_in_")
        if name in vars(owner)
    }
