"""Features and predictors: coefficients go with points, with features or with axes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gramian._array import is_array, to_numpy
from gramian._pairs import Points
from gramian.embedding import (
    count,
    is_table,
)
from gramian.estimators.kernel_pca import KernelPCA
from gramian.features.axes import AxesMap
from gramian.features.lowrank import LandmarkMap
from gramian.kernels import Precomputed
from gramian.saving.closeness import equal, require
from gramian.saving.effort import SMALL, size_of_rows
from gramian.saving.kernels import is_quick, try_kernel
from gramian.saving.ties import width
from gramian.saving.trial import TRIED, precision, quiet

__all__ = ["components_agree", "features_agree", "landmarks_agree", "logistic_agrees"]


def components_agree(fitted: Any) -> None:
    """Coefficients are of the axes of the decomposition."""
    axes, q = fitted.decomposition_, fitted.n_components_
    require(isinstance(axes, KernelPCA) and "record_" in vars(axes), "axes of nothing")
    require(axes.n_components_ == q and axes.kernel_ == fitted.kernel_, "axes of another model")
    for name in ("n_features_in_", "feature_names_in_"):
        require(equal(vars(fitted).get(name), vars(axes).get(name)), "columns of another model")
    coef, intercept = fitted.coef_, fitted.intercept_
    good = is_array(coef) and coef.shape[:1] == (q,) and coef.dtype == np.float64
    require(good and bool(np.isfinite(coef).all()), "coefficients that are none")
    if "classes_" in vars(fitted):
        return
    columns = coef.shape[1:]
    single = isinstance(intercept, float) and columns == ()
    several = is_array(intercept) and intercept.dtype == np.float64 and intercept.shape == columns
    require(single or several, "no intercept")
    require(bool(np.isfinite(intercept).all()), "no intercept")


def logistic_agrees(fitted: Any) -> None:
    """Coefficients are of the points, of the features, or of the columns of kernel values."""
    own = vars(fitted)
    points, by, alpha = own.get("_points"), own.get("_map"), own.get("dual_coef_")
    if by is not None:
        coef = own.get("coef_")
        require(points is None and coef is not None, "coefficients of no features")
        require(coef.shape[0] == _width_of(by), "coefficients of other features")
        rows = _origin(by).X
    else:
        require(alpha is not None, "no coefficients")
        require(points is None or len(points) == alpha.shape[0], "coefficients of other points")
        require((points is None) == isinstance(fitted.kernel_, Precomputed), "no kernel")
        rows = np.zeros((1, alpha.shape[0])) if points is None else points.X
    require(own.get("n_features_in_") == width(rows), "columns that are not its rows'")
    if points is not None or by is not None:
        require(not isinstance(by, LandmarkMap) or by.kernel == fitted.kernel_, "two kernels")
        try_kernel(fitted.kernel_, rows)
    try_logistic(fitted, rows)


def features_agree(fitted: Any) -> None:
    """Features are those of the map."""
    by, F = vars(fitted)["_map"], vars(fitted)["_F"]
    require(_width_of(by) == fitted.rank_, "features that its map does not give")
    require(not isinstance(by, LandmarkMap) or by.kernel == fitted.kernel_, "two kernels")
    rows = _origin(by).X
    require(vars(fitted).get("n_features_in_") == width(rows), "columns that are not its rows'")
    landmarks_agree(by, rows, fitted.landmarks_)
    try_kernel(fitted.kernel_, rows)
    try_features(by, rows, F)


def landmarks_agree(by: Any, rows: Any, chosen: np.ndarray | None) -> None:
    """Refuse row numbers of landmarks that are not these rows."""
    if chosen is None:
        return
    require(isinstance(by, LandmarkMap) and chosen.ndim == 1, "landmarks that are not used")
    require(bool((chosen < count(rows)).all()), "landmarks that are no rows")
    own = by.landmarks.X
    require(count(own) == chosen.size, "landmarks that are others")
    if is_table(rows):
        require(equal(own, Points(rows).take(chosen).X), "landmarks that are others")


def _width_of(by: Any) -> int:
    if isinstance(by, AxesMap):
        return int(by.axes.shape[1])
    return int(by.W.shape[1]) if isinstance(by, LandmarkMap) else 2 * int(by.omega.shape[1])


def _origin(by: Any) -> Points:
    return by.landmarks.origin if isinstance(by, LandmarkMap) else by.origin.origin


def try_features(by: Callable[[Any], Any], rows: Any, F: Any) -> None:
    """Refuse a map that gives other features than it gave, or none."""
    kernel = getattr(by, "kernel", None)
    if size_of_rows(rows) > SMALL or (kernel is not None and not is_quick(kernel)):
        return
    with quiet():
        new = by(rows[: min(TRIED, count(rows))])
    there = to_numpy(F)[: count(new)].astype(np.float64)
    require(new.shape == there.shape, "features that its map does not give")
    gap = np.abs(to_numpy(new).astype(np.float64) - there)
    near = np.sqrt(np.sqrt(precision(F))) * float(np.abs(there).max())
    require(bool((gap <= near).all()), "features that its map does not give")


def try_logistic(fitted: Any, rows: Any) -> None:
    """Refuse a classifier that finds no probabilities for its own rows."""
    if size_of_rows(rows) > SMALL or not is_quick(fitted.kernel_):
        return
    with quiet():
        P = fitted.predict_proba(rows[: min(2, count(rows))])
    require(bool(np.isfinite(P).all()), "classes without probabilities")
