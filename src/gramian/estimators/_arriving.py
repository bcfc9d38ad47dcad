"""Kernel PCA of rows that keep arriving: a budget of landmarks, and an error that is known."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.utils.metaestimators import available_if

from gramian._array import dense, to_numpy
from gramian._blocks import one_blas_thread
from gramian._check import generator, is_whole
from gramian._pairs import Points
from gramian._validate import Table, plain_weights
from gramian.embedding import like_of
from gramian.errors import InputError
from gramian.estimators._base import Attributes, columns_seen, kernel_rows
from gramian.estimators._kernel_options import check_kernel_options
from gramian.estimators._scan_landmarks import is_pivoted, published
from gramian.estimators._stream import Stream, extended, rescaled
from gramian.features.budget import grown, kept
from gramian.features.lowrank import KernelMap, LandmarkMap
from gramian.kernels import Kernel
from gramian.operators.moments import Moments

__all__ = ["Arriving", "arrived"]

_ORIGIN = 1000  # rows of the first block that tell where the points lie


def _has_landmarks(estimator: Any) -> bool:
    """Whether rows that are gone leave something behind; else there is no such method."""
    if estimator.approximation is None:
        raise InputError(
            "partial_fit keeps landmarks in place of the rows: use "
            "KernelPCA(approximation=gm.Nystrom(rank=200))"
        )
    return True


class Arriving:
    """Rows that keep arriving, for an estimator with an approximation."""

    @available_if(_has_landmarks)
    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Take one more block of rows into account, on a budget of landmarks.

        For `approximation=gm.Nystrom(rank)`: no more than `rank` landmarks are kept of all rows,
        those that keep most of the kernel's trace. `approximation_error_` is the share of it that
        was left out, ε, whenever and why: the eigenvalues λ of all rows together and those that
        were found, μ, then obey Σ(√λ − √μ)² ≤ ε·mean k(x, x). The kernel takes its scale from the
        first block; weights are used as they are.

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
        with one_blas_thread():  # small matrices, for which threads would wake too slowly
            state = arrived(self, X, sample_weight)
        self._publish(state)  # type: ignore[attr-defined]
        return self


def arrived(estimator: Any, X: Any, sample_weight: Any) -> Attributes:
    """Return the fitted attributes with one block of rows more.

    Features of rows that came before are those of the landmarks there were then: what they leave
    out of k(x, x) is known, and so is what is lost with a landmark that is given up.
    """
    _check(estimator)
    before = vars(estimator).get("stream_")
    rows = _rows(estimator, X, before)
    w = plain_weights(sample_weight, len(rows.values), index=rows.index)
    if before is None:
        return _first(estimator, X, rows, w)
    map_ = getattr(estimator.model_.principal.features, "kernel_map", None)
    if map_ is None:
        raise InputError("the fit before had no landmarks: make a new estimator, and start again")
    error = estimator.approximation_error_
    stream = replace(before, moments=_in_units(before.moments))
    total = float(np.trace(_about_origin(stream.moments))) / (1.0 - error)
    own = {name: vars(estimator)[name] for name in ("kernel_", *_seen(estimator))}
    return _added(estimator, map_, stream, rows, w, total) | own


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


def _seen(estimator: Any) -> list[str]:
    return [name for name in ("n_features_in_", "feature_names_in_") if name in vars(estimator)]


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
    longer = extended(stream, Table(F), w, {})
    return replace(longer, moments=_in_units(longer.moments))


def _published(estimator: Any, map_: KernelMap, stream: Stream, total: float) -> Attributes:
    covered = float(np.trace(_about_origin(stream.moments)))
    places = map_.landmarks if isinstance(map_, LandmarkMap) else None
    state = published(estimator, stream, map_, places, stream.n, stream.like)
    error = min(max(1.0 - covered / total, 0.0), 1.0)
    return state | {"approximation_error_": error, "landmarks_": None}


def _trace(kernel: Kernel, X: np.ndarray, w: np.ndarray | None) -> float:
    """Return Σ w·k(x, x)."""
    diag = to_numpy(kernel.self_similarity(X)).astype(float)
    return float(diag.sum() if w is None else w @ diag)


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
