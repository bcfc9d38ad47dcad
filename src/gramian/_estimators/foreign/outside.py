"""Pipelines and estimators of other libraries, with the face that studies ask for."""

from __future__ import annotations

import copy
from collections.abc import Hashable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, clone
from sklearn.utils.validation import check_is_fitted

from gramian._core.array import is_sparse
from gramian._core.embedding import Record
from gramian._core.frames import labels_of
from gramian._core.types import DataLike, WeightsLike
from gramian._estimators.base import SpectralEstimator
from gramian._estimators.fit import Fit
from gramian._estimators.foreign.from_sklearn import FromSklearn
from gramian._estimators.foreign.reductions import last_step, numbers_of
from gramian._estimators.foreign.reductions import read_map as read
from gramian._estimators.kernel_pca import KernelPCA
from gramian._estimators.pca import PCA
from gramian.errors import InputError, InputTypeError


class Outside(Fit, BaseEstimator):
    """A Pipeline, or an estimator with `transform`, as studies see those made here.

    Rows of weight k count as k rows: a step that knows no weights sees them as often. Coordinates
    are what `transform` gives, eigenvalues their variances.
    """

    def __init__(self, estimator: BaseEstimator) -> None:
        self.estimator = estimator

    @classmethod
    def of(cls, fitted: BaseEstimator) -> Outside:
        """Return the face of something that is fitted."""
        made = cls(fitted)
        made.fitted_ = fitted
        return made

    def fit(self, X: DataLike, y: object = None, sample_weight: WeightsLike = None) -> Outside:
        """Fit to the rows, each as often as its weight says."""
        w = np.ones(1) if sample_weight is None else np.asarray(sample_weight, dtype=float)
        equal = np.ptp(w) <= 1e-12 * w.max()
        if not equal and (w != np.round(w)).any():
            raise InputError(
                "sample_weight: a Pipeline is refitted to whole rows: give integer weights"
            )
        times = None if equal else w.astype(int)
        rows: Any = X if hasattr(X, "shape") else np.asarray(X, dtype=float)
        drawn = rows
        if times is not None:
            which = np.repeat(np.arange(len(times)), times)
            drawn = rows.iloc[which] if hasattr(rows, "iloc") else rows[which]
        self.fitted_ = clone(self.estimator).fit(drawn)
        self._coordinates = self.transform(rows)
        self.labels_ = labels_of(X)
        Z = self.coordinates_ if times is None else np.repeat(self.coordinates_, times, axis=0)
        self.eigenvalues_ = Z.var(axis=0)
        self.n_features_in_ = rows.shape[1]
        return self

    def transform(self, X: DataLike) -> np.ndarray:
        """Return the coordinates of rows, (m, q)."""
        Z = self.fitted_.transform(X)
        return numbers_of(Z.toarray() if is_sparse(Z) else Z)

    @property
    def coordinates_(self) -> np.ndarray:
        """The coordinates of the rows of the fit, (n, q)."""
        return self._coordinates

    @property
    def row_labels(self) -> pd.Index | None:
        """The row labels of the table of the fit."""
        return vars(self).get("labels_")

    @property
    def column_names(self) -> list[Hashable] | None:
        """The column names of the table of the fit."""
        names = getattr(self.fitted_, "feature_names_in_", None)
        return None if names is None else list(names)

    @property
    def n_components_(self) -> int:
        """The number of axes."""
        last = last_step(self.fitted_)
        for name in ("n_components_", "components_", "eigenvalues_", "embedding_"):
            known = getattr(last, name, None)
            if known is not None:
                side = -1 if name == "embedding_" else 0
                return int(np.shape(known)[side] if np.ndim(known) else known)
        return int(last.n_components)

    @property
    def inertia_(self) -> float:
        """The inertia of what the last step was given, where it tells, else that of the map."""
        last = last_step(self.fitted_)
        if hasattr(last, "inertia_"):
            return float(last.inertia_)
        ratio = getattr(last, "explained_variance_ratio_", None)
        total = float(np.sum(self.eigenvalues_))
        return total if ratio is None else total / float(np.sum(ratio))

    @property
    def feature_names_in_(self) -> np.ndarray:
        """The names of the columns that the fit has seen."""
        return self.fitted_.feature_names_in_

    def set_params(self, **params: object) -> Outside:
        """Set parameters; the number of axes is one of the last step."""
        if "n_components" in params:
            last_step(self.estimator).set_params(n_components=params.pop("n_components"))
        return super().set_params(**params)

    def __sklearn_is_fitted__(self) -> bool:
        return "fitted_" in vars(self)


class PlainFit(Fit):
    """A fit of no library that is known here: it has coordinates, and maybe eigenvalues."""

    def __init__(self, fitted: Any) -> None:
        self.fitted = fitted

    def __getattr__(self, name: str) -> Any:
        return getattr(vars(self)["fitted"], name)  # `coordinates_` too, which a bare fit has not


class SpectrumAlone(Fit):
    """The shares of a reduction that keeps no rows: all else is an error that asks for them."""

    def __init__(self, last: Any, error: Exception) -> None:
        self.error, n = error, getattr(last, "n_samples_", np.inf)
        self.eigenvalues_ = np.asarray(last.explained_variance_, dtype=float) * (1.0 - 1.0 / n)
        self.inertia_ratio_ = np.asarray(last.explained_variance_ratio_, dtype=float)
        self.inertia_ = float(self.eigenvalues_.sum() / self.inertia_ratio_.sum())

    def __getattr__(self, name: str) -> Any:
        raise vars(self)["error"]


def as_fit(fitted: object) -> Fit | None:
    """Return what has coordinates as a fit, None for anything else."""
    if isinstance(fitted, Fit):
        return fitted
    return PlainFit(fitted) if hasattr(fitted, "coordinates_") else None


def is_estimator(thing: object) -> bool:
    """Whether something can be fitted as scikit-learn fits."""
    return hasattr(thing, "get_params") and hasattr(thing, "fit") and not isinstance(thing, type)


def is_fitted_classifier(thing: object) -> bool:
    """Whether something was fitted to classes and predicts them."""
    return hasattr(thing, "classes_") and hasattr(thing, "predict")


def as_estimator(estimator: Any) -> Any:
    """Return an estimator as studies ask for one: itself, or the face of another library's."""
    if isinstance(estimator, SpectralEstimator | Outside | type):
        return estimator
    able = hasattr(estimator, "fit") and hasattr(estimator, "transform")
    # An estimator that keeps coordinates of its own is one of ours, or means to be.
    if not able or not hasattr(estimator, "get_params") or hasattr(estimator, "coordinates_"):
        return estimator
    if not hasattr(last_step(estimator), "n_components"):
        return estimator
    try:
        check_is_fitted(estimator)
    except (TypeError, ValueError):
        return Outside(estimator)
    return Outside.of(estimator)


def sklearn_spectrum(fitted: Any) -> tuple[np.ndarray, int, int] | None:
    """Return the inertias, rows and columns of a fitted PCA of scikit-learn's, None for others."""
    if isinstance(fitted, SpectralEstimator) or not hasattr(fitted, "explained_variance_"):
        return None
    n = getattr(fitted, "n_samples_", None)
    if n is None:
        return None
    values = np.asarray(fitted.explained_variance_, dtype=float) * (n - 1) / n
    return values, int(n), int(fitted.n_features_in_)


def drawable(fitted: Any, X: DataLike | None = None) -> Any:
    """Return what a figure is drawn of: the last step of a Pipeline, with the names of its columns.

    A fit of another library is read where it keeps its coordinates or X, its rows, are given; of
    one that does not, the error has the line to write.
    """
    if isinstance(fitted, SpectralEstimator | type) or hasattr(fitted, "classes_"):
        return fitted
    last = last_step(fitted)
    if last is not fitted and isinstance(last, SpectralEstimator):
        return _with_names(fitted, last)
    able = hasattr(fitted, "get_params") and hasattr(fitted, "fit")
    if hasattr(fitted, "coordinates_"):
        return as_fit(fitted)
    if not able or hasattr(fitted, "predict"):
        return fitted
    try:
        check_is_fitted(fitted)
    except (TypeError, ValueError):
        return fitted
    if hasattr(last, "embedding_") or hasattr(fitted, "X_fit_"):
        return read(fitted)
    if not hasattr(fitted, "transform"):
        return fitted
    if X is not None:
        return read(fitted, X)
    name = type(last).__name__
    error = InputTypeError(f"fitted: {name} keeps no rows to draw: give gm.read_map(fitted, X)")
    if hasattr(last, "explained_variance_ratio_"):
        return SpectrumAlone(last, error)
    raise error


def _with_names(pipeline: Any, last: Any) -> Any:
    """Return the fit of a last step, its columns named as the steps before call them."""
    if "record_" not in vars(last) or last.training_.columns is not None:
        return last
    try:
        names = [str(name) for name in pipeline[:-1].get_feature_names_out()]
    except (AttributeError, ValueError):  # a step that has no names to give
        return last
    training = last.training_
    if training.table is None or len(names) != vars(last).get("n_features_in_"):
        return last
    table = replace(training.table, columns=names)
    made = copy.copy(last)
    made.record_ = Record(replace(training, table=table), last.model_)
    return made


def counterpart(estimator: Any, X: DataLike | None) -> tuple[Any, Any]:
    """Return the estimator made here for one made elsewhere, and the rows that it is given."""
    steps = getattr(estimator, "steps", None)
    if isinstance(steps, list) and steps:
        last = last_step(estimator)
        if X is not None and len(steps) > 1:
            labels, X = labels_of(X), clone(estimator[:-1]).fit_transform(X)
            X = X if labels is None or is_sparse(X) else pd.DataFrame(np.asarray(X), index=labels)
        return counterpart(last, X)
    if isinstance(estimator, FromSklearn | SpectralEstimator):
        return estimator, X
    module, name = type(estimator).__module__, type(estimator).__name__
    if not module.startswith("sklearn.decomposition") or name not in ("PCA", "KernelPCA"):
        return estimator, X
    own: Any = PCA if name == "PCA" else KernelPCA
    rows = getattr(estimator, "X_fit_", None) if X is None else X
    return own.from_sklearn(clone(estimator)), rows
