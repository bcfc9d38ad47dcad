"""Kernel PCA of rows that keep arriving: a budget of landmarks, and an error that is known."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gramian._array import dense, is_sparse, to_numpy
from gramian._check import generator, is_whole
from gramian._pairs import Points
from gramian._validate import Table, plain_weights
from gramian.embedding import like_of
from gramian.errors import InputError
from gramian.estimators._base import Attributes, columns_seen, kernel_rows
from gramian.estimators.blocks.scan_landmarks import is_pivoted, published
from gramian.estimators.blocks.stream import (
    Stream,
    about_origin,
    extended,
    in_units,
    padded,
    rows_of_fit,
    seen_by,
    turned,
)
from gramian.features.budget import grown, kept
from gramian.features.lowrank import KernelMap, LandmarkMap
from gramian.kernels import Kernel

__all__ = ["arrived"]

_ORIGIN = 1000  # rows of the first block that tell where the points lie


def arrived(estimator: Any, X: Any, sample_weight: Any) -> Attributes:
    """Return the fitted attributes with one block of rows more.

    Features of rows that came before are those of the landmarks there were then: what they leave
    out of k(x, x) is known, and so is what is lost with a landmark that is given up.
    """
    _check(estimator)
    before = vars(estimator).get("stream_") or _of_fit(estimator)
    rows = _rows(estimator, X, before)
    w = plain_weights(sample_weight, len(rows.values), index=rows.index)
    if before is None:
        return _first(estimator, X, rows, w)
    map_ = _map(estimator)
    error = estimator.approximation_error_
    stream = replace(before, moments=in_units(before.moments))
    total = float(np.trace(about_origin(stream.moments))) / (1.0 - error)
    own = {"kernel_": estimator.kernel_} | seen_by(estimator)
    return _added(estimator, map_, stream, rows, w, total) | own


def _map(estimator: Any) -> KernelMap:
    """Return the features of the fit before, its landmarks held as one array."""
    principal = getattr(estimator.model_, "principal", None)
    map_ = getattr(getattr(principal, "features", None), "kernel_map", None)
    if map_ is None:
        raise InputError("the fit before had no landmarks: make a new estimator, and start again")
    if isinstance(map_, LandmarkMap) and is_sparse(map_.landmarks.X):
        return LandmarkMap(map_.kernel, Points(dense(map_.landmarks.X)), map_.W)
    return map_


def _of_fit(estimator: Any) -> Stream | None:
    """Return what a fit of one table saw, in the features that it found."""
    rows = rows_of_fit(estimator)
    if rows is None:
        return None
    F = np.asarray(to_numpy(_map(estimator)(dense(rows))), dtype=float)
    return replace(extended(None, Table(F), None, {}), like=like_of(rows))


def _check(estimator: Any) -> None:
    approximation = estimator.approximation
    if approximation.refine or not is_whole(approximation.rank):
        raise InputError(
            "approximation: partial_fit needs a budget of landmarks that can be kept: use "
            "gm.Nystrom(rank=200), a whole number of them, without refine"
        )
    if estimator._is_precomputed:
        raise InputError('kernel="precomputed" has no rows to keep: give a kernel')


def _rows(estimator: Any, X: Any, before: Stream | None) -> Table:
    """Return the block, dense: landmarks are held as one array."""
    if before is None:
        rows = kernel_rows(X, estimator._kernel_meant(), 2)
    else:
        rows = estimator._like_fit(X, kernel_rows(X, estimator.kernel_, 1))
    return replace(rows, values=dense(rows.values))


def _first(estimator: Any, X: Any, rows: Table, w: np.ndarray | None) -> Attributes:
    """Return the attributes of the first block, which the kernel takes its scale from."""
    p = None if w is None else w / w.sum()
    values = rows.values
    points = Points(values, Points(values[:: -(-len(values) // _ORIGIN)].copy()))
    kernel = rows.reader.resolve(Points(values), p, rows.columns)
    about = kernel if estimator.formulation == "span" else kernel.about(points.origin)
    map_ = estimator.approximation.lowrank(about, points, p).map
    F = np.asarray(to_numpy(map_.of(points) if _has_points(map_) else map_(values)), dtype=float)
    stream = extended(None, Table(F), w, {})
    stream = replace(stream, moments=in_units(stream.moments), like=like_of(values))
    own = {"kernel_": kernel} | columns_seen(X, rows)
    return _published(estimator, map_, stream, _trace(about, values, w)) | own


def _has_points(map_: KernelMap) -> bool:
    return isinstance(map_, LandmarkMap)


def _added(
    estimator: Any,
    map_: KernelMap,
    stream: Stream,
    rows: Table,
    w: np.ndarray | None,
    total: float,
) -> Attributes:
    approximation = estimator.approximation
    kernel: Kernel = getattr(map_, "kernel", estimator.kernel_)
    total += _trace(kernel, rows.values, w)
    if not isinstance(map_, LandmarkMap) or not is_pivoted(approximation):
        F = np.asarray(to_numpy(map_(rows.values)), dtype=float)
        return _published(estimator, map_, _with(stream, F, w), total)
    points = Points(rows.values, map_.landmarks)
    rng, p = generator(approximation.random_state), None if w is None else w / w.sum()
    growth = grown(map_, points, approximation.rank, rng, p)
    stream = _with(padded(stream, growth.F.shape[1]), growth.F, w)
    map_ = growth.map
    if growth.F.shape[1] > approximation.rank:
        map_, Q = kept(map_, about_origin(stream.moments), approximation.rank)
        stream = replace(stream, moments=turned(stream.moments, Q))
    return _published(estimator, map_, stream, total)


def _with(stream: Stream, F: np.ndarray, w: np.ndarray | None) -> Stream:
    longer = extended(stream, Table(F), w, {})
    return replace(longer, moments=in_units(longer.moments))


def _published(estimator: Any, map_: KernelMap, stream: Stream, total: float) -> Attributes:
    covered = float(np.trace(about_origin(stream.moments)))
    places = map_.landmarks if isinstance(map_, LandmarkMap) else None
    state = published(estimator, stream, map_, places, stream.n, stream.like)
    error = min(max(1.0 - covered / total, 0.0), 1.0)
    return state | {"approximation_error_": error, "landmarks_": None}


def _trace(kernel: Kernel, X: np.ndarray, w: np.ndarray | None) -> float:
    """Return Σ w·k(x, x)."""
    diag = to_numpy(kernel.self_similarity(X)).astype(float)
    return float(diag.sum() if w is None else w @ diag)
