"""What every estimator shares: the door, the fitted state and its publication in one step."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from gramian._array import Array, as_kind, is_array, is_numpy, is_sparse, namespace, to_numpy
from gramian._validate import Table, table, weights
from gramian.embedding.coordinates import Embedding
from gramian.errors import InputError
from gramian.estimators._noise import AgainstNoise
from gramian.estimators._reading import Reading
from gramian.estimators._state import FittedState
from gramian.kernels.blocks import Blocks
from gramian.kernels.objects import Objects
from gramian.spectral.spectrum import Spectrum

__all__ = ["SpectralEstimator"]


class SpectralEstimator(
    FittedState,
    AgainstNoise,
    Reading,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
    BaseEstimator,
):
    """Fit: gram → centring → spectrum → embedding. A subclass writes `_fitted` and `_project`."""

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Fit the axes to the rows of X.

        Parameters
        ----------
        X : array, sparse matrix or data frame (n, p)
        y : ignored
        sample_weight : array (n,), optional
            Only proportions matter. A row of weight 0 is supplementary: it gets coordinates but
            has no part in the axes.
        """
        given = self._door(X)
        p = weights(sample_weight, count(given.values))
        live = None if p is None or (p > 0).all() else p > 0
        rows = replace(given, values=self._moved(given.values))
        if live is None:
            state = self._decided(rows, p)._fitted(rows, p)
        else:
            state = self._fitted_part(rows, p, live)
        if "coordinates_" in state:
            state["coordinates_"] = _back(state["coordinates_"], given.values)
        # Categories are read in the whole space: the rows are kept (not copied) if nothing else is.
        kept = rows.values if state.get("_points") is None else None
        ours = {"_live": live, "weights_": p, "_rows": kept}
        self._publish(state | self._names_seen(X, given) | ours)
        return self

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Fit and return the coordinates, (n, q)."""
        return self.fit(X, y, sample_weight).coordinates_

    def transform(self, X: Any) -> Array:
        """Return the coordinates of the rows of X, (m, q)."""
        rows = self._new_rows(X)
        return _back(self._project(self._moved(rows.values))[0], rows.values)

    def _moved(self, X: Any) -> Any:
        """Return the rows where the computation is to happen."""
        return X

    def _door(self, X: Any) -> Table:
        return table(X, "X")

    def _fitted(self, rows: Table, p: np.ndarray | None) -> dict[str, Any]:
        """Return the fitted attributes, every row having a positive weight."""
        raise NotImplementedError

    def _placed(self, state: dict[str, Any], X: Array) -> dict[str, Any]:
        """Return the embedding and the coordinates of the rows, where `_fitted` left them out."""
        return {}

    def _fitted_part(self, rows: Table, p: Any, live: np.ndarray) -> dict[str, Any]:
        """Fit the rows that have a weight and project the others."""
        if live.sum() < 2:
            raise InputError("sample_weight leaves 1 sample with a weight: at least 2 are required")
        X = rows.values
        active = rows_at(rows_at(X, live).T, live).T if self._is_precomputed else rows_at(X, live)
        drawn = replace(rows, values=active)
        state = self._decided(drawn, p[live])._fitted(drawn, p[live])
        state |= self._placed(state, active)
        shell = type(self)(**self.get_params(deep=False))
        shell.__dict__.update(state, _live=live)
        rest = rows_at(X, ~live)
        others, far = shell._project(rest)
        if np.isnan(to_numpy(far)).any():  # of a precomputed kernel, whose k(x, x) is at hand
            far = shell._distance2(rest, to_numpy(X).diagonal()[~live])
        e = state["embedding_"]
        state["coordinates_"] = with_rows(state["coordinates_"], others, live)
        modulus = None if e.modulus is None else with_rows(e.modulus, far, live)
        distance2 = with_rows(e.distance2, far, live)
        state["embedding_"] = replace(e, distance2=distance2, modulus=modulus)
        return state

    def _training_columns(self, X: Array) -> Array:
        """Return the columns of a precomputed block that belong to rows with a weight."""
        return X if self._live is None else rows_at(X.T, self._live).T

    def _project(self, X: Array) -> tuple[Array, Array]:
        """Return coordinates and squared distances to the barycentre of new rows."""
        raise NotImplementedError

    @property
    def _n_features_out(self) -> int:
        return self.n_components_

    @property
    def explained_variance_ratio_(self) -> np.ndarray:
        """The share of each axis in the total inertia: scikit-learn's name for `inertia_ratio_`."""
        check_is_fitted(self)
        return self.inertia_ratio_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def common_state(embedding: Embedding, shift: Any = None) -> dict[str, Any]:
    """Return the fitted attributes that every method has."""
    coordinates = embedding.coordinates * embedding.unit
    return spectrum_state(embedding.spectrum, embedding.unit) | {
        "embedding_": embedding,
        "coordinates_": coordinates if shift is None else coordinates + shift,
    }


def spectrum_state(s: Spectrum, unit: float) -> dict[str, Any]:
    """Return those fitted attributes that do not need the points."""
    if not np.isfinite(s.total) or s.total == 0:
        raise InputError("X: the total inertia is zero or overflows: rescale the data")
    with np.errstate(over="ignore", under="ignore"):
        return {
            "eigenvalues_": s.values * unit * unit,
            "inertia_": s.total * unit * unit,
            "inertia_ratio_": s.values / s.total,
            "residuals_": s.residuals * unit * unit,
            "negative_inertia_": s.negative * unit * unit,
            "tied_axes_": s.tied,
            "n_components_": len(s.values),
            "solver_": s.solver,
        }


def count(X: Any) -> int:
    """Return the number of rows or objects."""
    return X.shape[0] if hasattr(X, "shape") else len(X)


def rows_at(X: Any, mask: np.ndarray) -> Any:
    """Return the rows or objects of X where the mask is true."""
    if isinstance(X, Blocks | Objects):
        return X[mask]  # type: ignore[call-overload]
    if not (is_array(X) or is_sparse(X)):
        return [x for x, wanted in zip(X, mask, strict=True) if wanted]
    if is_numpy(X) or is_sparse(X):
        return X[mask]
    return X[namespace(X).asarray(mask, device=X.device)]


def _back(Z: Array, given: Any) -> Array:
    """Return results to where the data came from."""
    return to_numpy(Z) if is_numpy(given) or is_sparse(given) else Z


def with_rows(part: Array, others: Array, live: np.ndarray) -> Array:
    """Return the rows of `part` where `live` and those of `others` elsewhere."""
    out = np.empty((live.size, *part.shape[1:]))
    out[live], out[~live] = to_numpy(part), to_numpy(others)
    return as_kind(out, part)
