"""Kernel PCA of rows in blocks, those that keep arriving too: on a budget of landmarks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import update_wrapper
from types import MethodType
from typing import Any

import numpy as np

from gramian._core.array import is_sparse, to_dense, to_numpy
from gramian._core.check import generator, is_whole
from gramian._core.chunked.axes import is_pivoted
from gramian._core.chunked.operators import Stream, about_origin, in_units, padded, turned
from gramian._core.embedding import like_of
from gramian._core.features.budget import grown, kept
from gramian._core.features.lowrank import KernelMap, LandmarkMap
from gramian._core.pairs import Points
from gramian._core.parallel import one_blas_thread
from gramian._core.table import Table, plain_weights
from gramian._estimators._base import Attributes, columns_seen, kernel_rows
from gramian._estimators._chunked import (
    block_reader,
    feature_state,
    kernel_state,
    refuse_filling,
    rows_of_fit,
    seen_by,
    signs_of_points,
)
from gramian._estimators._kernel_options import check_kernel_options
from gramian.errors import InputError

ORIGIN_ROWS = 1000  # of the first block, which give all points a centre and a unit


class _WithLandmarks:
    """A method that exists only where rows that are not kept leave landmarks behind."""

    def __init__(self, method: Callable[..., Any]) -> None:
        self.method = method
        update_wrapper(self, method)  # type: ignore[arg-type]

    def __get__(self, estimator: Any, owner: type) -> Any:
        if estimator is None:
            return self.method
        if estimator.approximation is None or not estimator._takes_blocks:
            raise AttributeError(
                f"this {owner.__name__} has no attribute 'partial_fit', which keeps landmarks in "
                "place of the rows: use KernelPCA(approximation=gm.Nystrom(rank=200))"
            )
        return MethodType(self.method, estimator)


class ByBlocks:
    """Kernel PCA of rows that are not in memory, or keep arriving."""

    _takes_blocks = True
    n_samples_seen_: int | None
    stream_: Stream | None

    def _fit_remote(self: Any, rows: Any, sample_weight: Any) -> Any:
        if not self._takes_blocks:
            return super()._fit_remote(rows, sample_weight)  # type: ignore[misc]
        check_kernel_options(self)
        refuse_filling(self, rows.name)
        kernel = self._kernel_meant()
        if self._is_precomputed or not kernel.takes_vectors:
            raise InputError(
                f"kernel={self.kernel!r:.60} takes no rows of numbers: give a kernel of rows"
            )
        if self.approximation is None and (table := rows.table) is not None:
            return self.fit(table, None, sample_weight)
        if self.device is not None:
            raise InputError(f"device= does not go with {rows.kind}: blocks stay where they are")
        reader, texts = block_reader(kernel), kernel.takes_categories
        chunks = rows.chunks(self, reader, sample_weight, texts=texts)
        self._publish(kernel_state(self, chunks, kernel))
        chunks.finish()
        return self

    @_WithLandmarks
    def partial_fit(self: Any, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Take one more block of rows into account, on a budget of landmarks.

        For `approximation=gm.Nystrom(rank)`: no more than `rank` landmarks are kept of all rows,
        those that keep most of the kernel's trace. `approximation_error_` is the share of it that
        was left out, ε, whenever and why: the eigenvalues λ of all rows together and those that
        were found, μ, then obey Σ(√λ − √μ)² ≤ ε·mean k(x, x). The kernel takes its scale from the
        first block, or the first two rows; weights are used as they are. It continues from any
        rows that were seen before, those of a `fit` too; `fit` starts anew.

        Parameters
        ----------
        X : array, sparse matrix or data frame (n, p)
        y : ignored
        sample_weight : array (n,), optional

        Examples
        --------
        >>> import numpy as np
        >>> X = np.random.default_rng(0).standard_normal((600, 2))
        >>> from gramian import KernelPCA, Nystrom
        >>> fit = KernelPCA(2, approximation=Nystrom(40))
        >>> for start in range(0, 600, 100):
        ...     _ = fit.partial_fit(X[start : start + 100])
        >>> fit.n_samples_seen_, bool(fit.approximation_error_ < 0.01)
        (600, True)
        """
        check_kernel_options(self)
        refuse_filling(self, "partial_fit")
        with one_blas_thread():  # small matrices, for which threads would wake too slowly
            self._publish(_state_with(self, X, sample_weight))
        return self


def _state_with(estimator: Any, X: Any, sample_weight: Any) -> Attributes:
    """Return the fitted attributes with one block of rows more.

    Features of rows that came before are those of the landmarks there were then: what they leave
    out of k(x, x) is known, and so is what is lost with a landmark that is given up.
    """
    _check(estimator)
    before = vars(estimator).get("stream_") or _of_fit(estimator)
    kernel = estimator._kernel_meant() if before is None else estimator.kernel_
    rows = estimator._like_fit(X, kernel_rows(X, kernel, 1))
    rows = replace(rows, values=to_dense(rows.values))  # landmarks are held as one array
    w = plain_weights(sample_weight, len(rows.values), index=rows.index)
    if before is None:
        rows, w = _with_waiting(estimator, rows, w)
        if len(rows.values) < 2:  # too few for a scale of the kernel
            waiting = {"_waiting": (rows, w), "n_samples_seen_": len(rows.values)}
            return waiting | columns_seen(X, rows)
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
        return LandmarkMap(map_.kernel, Points(to_dense(map_.landmarks.X)), map_.W)
    return map_


def _of_fit(estimator: Any) -> Stream | None:
    """Return what a fit of one table saw, in the features that it found."""
    rows = rows_of_fit(estimator)
    if rows is None:
        return None
    F = np.asarray(to_numpy(_map(estimator)(to_dense(rows))), dtype=float)
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
    kernel = getattr(map_, "kernel", estimator.kernel_)
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
    longer = stream + Stream.of(F, w, {})
    return replace(longer, moments=in_units(longer.moments), like=stream.like)


def _published(estimator: Any, map_: KernelMap, stream: Stream, total: float) -> Attributes:
    covered = float(np.trace(about_origin(stream.moments)))
    signs = signs_of_points(map_, map_.landmarks) if isinstance(map_, LandmarkMap) else None
    state = feature_state(estimator, stream, stream.like, signs, map_)
    error = min(max(1.0 - covered / total, 0.0), 1.0)
    return state | {"approximation_error_": error, "landmarks_": None}


def _trace(kernel: Any, X: np.ndarray, w: np.ndarray | None) -> float:
    """Return Σ w·k(x, x)."""
    diag = to_numpy(kernel.self_similarity(X)).astype(float)
    return float(diag.sum() if w is None else w @ diag)
