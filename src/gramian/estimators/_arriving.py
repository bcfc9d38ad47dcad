"""Rows that keep arriving: what a fit continues from; for kernel PCA, a budget of landmarks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from gramian._array import dense, is_sparse, to_numpy
from gramian._check import generator, is_whole
from gramian._pairs import Points
from gramian._validate import Table, plain_weights
from gramian.chunked.landmarks import is_pivoted
from gramian.chunked.moments import Stream, rescaled
from gramian.embedding import like_of
from gramian.errors import InputError
from gramian.estimators._base import Attributes, columns_seen, kernel_rows
from gramian.estimators._chunked import feature_state
from gramian.features.budget import grown, kept
from gramian.features.lowrank import KernelMap, LandmarkMap
from gramian.kernels import Kernel
from gramian.operators.moments import Moments

ORIGIN_ROWS = 1000  # of the first block, which give all points a centre and a unit


def state_with(estimator: Any, X: Any, sample_weight: Any) -> Attributes:
    """Return the fitted attributes with one block of rows more.

    Features of rows that came before are those of the landmarks there were then: what they leave
    out of k(x, x) is known, and so is what is lost with a landmark that is given up.
    """
    _check(estimator)
    before = vars(estimator).get("stream_") or _of_fit(estimator)
    kernel = estimator._kernel_meant() if before is None else estimator.kernel_
    rows = estimator._like_fit(X, kernel_rows(X, kernel, 1))
    rows = replace(rows, values=dense(rows.values))  # landmarks are held as one array
    w = plain_weights(sample_weight, len(rows.values), index=rows.index)
    if before is None:
        rows, w = _with_waiting(estimator, rows, w)
        if len(rows.values) < 2:  # too few for a scale of the kernel
            waiting = {"_waiting": (rows, w), "n_samples_seen_": len(rows.values)}
            return waiting | columns_seen(X, rows)
        return _first(estimator, X, rows, w)
    map_ = _map(estimator)
    error = estimator.approximation_error_
    stream = replace(before, moments=_in_units(before.moments))
    total = float(np.trace(_about_origin(stream.moments))) / (1.0 - error)
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
    return replace(Stream.of(F, None, {}), like=like_of(rows))


def _check(estimator: Any) -> None:
    approximation = estimator.approximation
    if approximation.refine or not is_whole(approximation.rank):
        raise InputError(
            "approximation: partial_fit needs a budget of landmarks that can be kept: use "
            "gm.Nystrom(rank=200), a whole number of them, without refine"
        )
    if estimator._is_precomputed:
        raise InputError('kernel="precomputed" has no rows to keep: give a kernel')


def _with_waiting(
    estimator: Any, rows: Table, w: np.ndarray | None
) -> tuple[Table, np.ndarray | None]:
    """Return a first row that is waiting, if there is one, and the rows after it."""
    if "_waiting" not in vars(estimator):
        return rows, w
    first, v = estimator._waiting
    values = np.concatenate([first.values, rows.values])
    if v is not None or w is not None:
        w = np.concatenate(
            [np.ones(len(r.values)) if u is None else u for r, u in ((first, v), (rows, w))]
        )
    return replace(rows, values=values, index=None), w


def _first(estimator: Any, X: Any, rows: Table, w: np.ndarray | None) -> Attributes:
    """Return the attributes of the first block, which the kernel takes its scale from."""
    p = None if w is None else w / w.sum()
    values = rows.values
    points = Points(values, Points(values[:: -(-len(values) // ORIGIN_ROWS)].copy()))
    kernel = rows.reader.resolve(Points(values), p, rows.columns)
    about = estimator._centred(kernel, points.origin)
    map_ = estimator.approximation.lowrank(about, points, p).map
    F = np.asarray(to_numpy(map_.of(points) if _has_points(map_) else map_(values)), dtype=float)
    stream = Stream.of(F, w, {})
    stream = replace(stream, moments=_in_units(stream.moments), like=like_of(values))
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
    stream = _with(_padded(stream, growth.F.shape[1]), growth.F, w)
    map_ = growth.map
    if growth.F.shape[1] > approximation.rank:
        map_, Q = kept(map_, _about_origin(stream.moments), approximation.rank)
        stream = replace(stream, moments=_turned(stream.moments, Q))
    return _published(estimator, map_, stream, total)


def _with(stream: Stream, F: np.ndarray, w: np.ndarray | None) -> Stream:
    longer = stream + Stream.of(F, w, {})
    return replace(longer, moments=_in_units(longer.moments), like=stream.like)


def _published(estimator: Any, map_: KernelMap, stream: Stream, total: float) -> Attributes:
    covered = float(np.trace(_about_origin(stream.moments)))
    places = map_.landmarks if isinstance(map_, LandmarkMap) else None
    state = feature_state(estimator, stream, stream.like, map_, places)
    error = min(max(1.0 - covered / total, 0.0), 1.0)
    return state | {"approximation_error_": error, "landmarks_": None}


def _trace(kernel: Kernel, X: np.ndarray, w: np.ndarray | None) -> float:
    """Return Σ w·k(x, x)."""
    diag = to_numpy(kernel.self_similarity(X)).astype(float)
    return float(diag.sum() if w is None else w @ diag)


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


def _in_units(m: Moments) -> Moments:
    """Return moments in the unit of the features, which kernels keep near 1."""
    return rescaled(m, np.ones_like(m.unit))


def _about_origin(m: Moments) -> np.ndarray:
    """Return Σ w·f·fᵀ from the moments about the shift."""
    cross = np.outer(m.shift, m.first)
    return m.second + cross + cross.T + m.weight * np.outer(m.shift, m.shift)


def _padded(stream: Stream, columns: int) -> Stream:
    """Return the moments with features more, which are 0 for the rows that came before."""
    m = stream.moments
    more = columns - len(m.first)
    shift, first = (np.pad(a, (0, more)) for a in (m.shift, m.first))
    second = np.pad(m.second, (0, more))
    return replace(stream, moments=Moments(shift, np.ones(columns), m.weight, first, second))


def _turned(m: Moments, Q: np.ndarray) -> Moments:
    """Return the moments of f·Q."""
    second = Q.T @ m.second @ Q
    second = 0.5 * (second + second.T)
    return Moments(m.shift @ Q, np.ones(Q.shape[1]), m.weight, m.first @ Q, second)
