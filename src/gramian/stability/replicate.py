"""One fit to resampled rows: its eigenvalues and where it puts every point."""

import inspect
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, clone

from gramian._core.array import is_numpy, to_numpy
from gramian._core.embedding import FeatureModel, resample_axes
from gramian._core.parallel import distribute
from gramian._core.types import RowsLike
from gramian._estimators.fit import Fit
from gramian._estimators.foreign import outside
from gramian._estimators.pca import PCA
from gramian._estimators.scaling.stress_mds import MDS
from gramian.errors import InputError, NotTestable
from gramian.io.scan_table import Scan

_BLOCKS = (
    "X is in blocks of rows: resamples fit all of them again, and compare their coordinates: give "
    "one table, X.compute() of dask or X.collect() of a scan, or a sample of the rows"
)

_MDS_TOL = 1e-5  # of the size of a map, by which the last step of a resample moves its points


@dataclass(frozen=True)
class Replicate:
    """Eigenvalues, (q,), and coordinates, (n, q); NaN for a point that has none."""

    eigenvalues: np.ndarray
    coordinates: np.ndarray
    beyond: float = np.nan  # the first eigenvalue left out, where it is known
    directions: np.ndarray | None = None  # (p, q), of axes that are directions of the variables


def reference_fit(estimator: BaseEstimator, X: RowsLike) -> tuple[Fit, Replicate]:
    """Return the fit to all rows, which every replicate is compared with, and what it gives."""
    if not outside.is_estimator(estimator):
        raise InputError(f"estimator={estimator!r:.80} has no fit: give an estimator such as PCA()")
    if isinstance(X, Scan):
        raise InputError(_BLOCKS)
    fit = outside.as_fit(clone(outside.as_estimator(estimator)).fit(X))
    if fit is None:
        raise InputError(f"{type(estimator).__name__} has no coordinates_ to compare: use a map")
    if fit.is_streamed:
        raise InputError(_BLOCKS)
    return fit, _read(fit, fit.next_eigenvalue)


def replicates(
    estimator: BaseEstimator, X: RowsLike, counts: np.ndarray, q: int, fit: Any
) -> list[Replicate]:
    """Return one fit for each row of counts, (B, n), of each point; `fit` is that to all rows."""
    together = _together(fit, counts, q)
    apart = [b for b in range(len(counts)) if b not in together]
    if apart:
        others = _one_by_one(estimator, X, counts[apart], q, fit)
        together |= dict(zip(apart, others, strict=True))
    return [together[b] for b in range(len(counts))]


def _together(fit: Any, counts: np.ndarray, q: int) -> dict[int, Replicate]:
    """Return the replicates of a PCA that its pipeline gives all at once, by their number."""
    if not (type(fit) is PCA and fit.missing == "raise" and fit.solver_.startswith("covariance")):
        return {}
    X, model = fit.training_.rows, fit.model_
    if not (is_numpy(X) and X.dtype == np.float64 and fit.training_.live is None):
        return {}
    assert isinstance(model, FeatureModel)
    axes = resample_axes(X, model.principal, counts, q, scale=bool(fit.scale))
    parts = zip(axes.values, axes.coordinates, axes.vectors, axes.plain, strict=True)
    return {b: Replicate(v, Z, directions=V) for b, (v, Z, V, plain) in enumerate(parts) if plain}


def _one_by_one(
    estimator: BaseEstimator, X: RowsLike, counts: np.ndarray, q: int, whole: Any
) -> list[Replicate]:
    estimator = outside.as_estimator(estimator)
    takes_weights = "sample_weight" in inspect.signature(estimator.fit).parameters
    rows = X if takes_weights or hasattr(X, "shape") else np.asarray(X)
    fixed = clone(estimator).set_params(n_components=q)
    if isinstance(whole, MDS):
        # The minimum moves with the rows: no others are searched for, and steps that are small
        # beside what resamples differ by need not be made.
        tol = max(whole.tol, _MDS_TOL)
        fixed.set_params(start=whole.coordinates_, n_init=1, tol=tol)
    fit = _fit_weighted if takes_weights else _fit_selected

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the fit to all rows has said what there is to say
        return distribute(_fit_each, counts, fixed, rows, fit)


def _fit_each(
    counts: np.ndarray, estimator: BaseEstimator, X: RowsLike, fit: Callable[..., Replicate]
) -> list[Replicate]:
    try:
        return [fit(estimator, X, count) for count in counts]
    except InputError as error:  # the fit to all rows was possible
        raise NotTestable(f"a resample of the rows cannot be fitted: {error}") from error


def _fit_weighted(estimator: BaseEstimator, X: RowsLike, count: np.ndarray) -> Replicate:
    """A row drawn k times has weight k; one that is not drawn is projected."""
    return _read(clone(estimator).fit(X, sample_weight=count))


def _fit_selected(estimator: BaseEstimator, X: RowsLike, count: np.ndarray) -> Replicate:
    """Fit the rows that were drawn, each once; the others have no place."""
    drawn = count > 0
    table: Any = getattr(X, "iloc", X)
    square = isinstance(estimator, Fit) and estimator.is_precomputed
    rows = table[np.ix_(drawn, drawn)] if square else table[drawn]
    part = _read(clone(estimator).fit(rows))
    Z = np.full((len(drawn), part.coordinates.shape[1]), np.nan)
    Z[drawn] = part.coordinates
    return Replicate(part.eigenvalues, Z, directions=part.directions)


def _read(fitted: object, beyond: float = np.nan) -> Replicate:
    fit = outside.as_fit(fitted)
    assert fit is not None  # as the fit to all rows
    Z = np.asarray(to_numpy(fit.coordinates_), dtype=float)
    values = fit.axis_inertias
    values = np.full(Z.shape[1], np.nan) if values is None else np.asarray(values, dtype=float)
    # Axes are directions of the variables where the map is a projection on them.
    components = getattr(fit, "components_", None)
    V = None if components is None else np.asarray(to_numpy(components), dtype=float).T
    return Replicate(values, Z, beyond, V)
