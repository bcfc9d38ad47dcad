"""What every estimator shares: the door, the fitted state and its publication in one step."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from gramian._array import Array, as_kind, is_numpy, is_sparse, namespace, to_numpy
from gramian._validate import Table, table, weights
from gramian.embedding import Embedding
from gramian.errors import InputError
from gramian.spectral.spectrum import Spectrum

__all__ = ["SpectralEstimator"]


class SpectralEstimator(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    """Fit: gram → centring → spectrum → embedding. A subclass writes `_embed` and `_project`."""

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
        rows = self._door(X)
        p = weights(sample_weight, count(rows.values))
        live = None if p is None or (p > 0).all() else p > 0
        state = self._fitted(rows, p) if live is None else self._fitted_part(rows, p, live)
        self._publish(state | self._names_seen(X, rows) | {"_live": live, "weights_": p})
        return self

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Fit and return the coordinates, (n, q)."""
        return self.fit(X, y, sample_weight).coordinates_

    def transform(self, X: Any) -> Array:
        """Return the coordinates of the rows of X, (m, q)."""
        rows = self._new_rows(X)
        return self._project(rows.values)[0]

    def _door(self, X: Any) -> Table:
        return table(X, "X")

    def _fitted(self, rows: Table, p: np.ndarray | None) -> dict[str, Any]:
        """Return the fitted attributes, every row having a positive weight."""
        raise NotImplementedError

    def _fitted_part(self, rows: Table, p: Any, live: np.ndarray) -> dict[str, Any]:
        """Fit the rows that have a weight and project the others."""
        if live.sum() < 2:
            raise InputError("sample_weight leaves 1 sample with a weight: at least 2 are required")
        X = rows.values
        active = X[np.ix_(live, live)] if self._is_precomputed else X[as_index(live, X)]
        state = self._fitted(replace(rows, values=active), p[live])
        shell = type(self)(**self.get_params(deep=False))
        shell.__dict__.update(state, _live=live)
        others, far = shell._project(X[as_index(~live, X)])
        e = state["embedding_"]
        state["coordinates_"] = with_rows(state["coordinates_"], others, live)
        state["embedding_"] = replace(e, distance2=with_rows(e.distance2, far, live))
        return state

    _is_precomputed = False  # whether X is a square matrix over the training points

    def _training_columns(self, X: Array) -> Array:
        """Return the columns of a precomputed block that belong to rows with a weight."""
        return X if self._live is None else X[:, as_index(self._live, X)]

    def _project(self, X: Array) -> tuple[Array, Array]:
        """Return coordinates and squared distances to the barycentre of new rows."""
        raise NotImplementedError

    def _new_rows(self, X: Any) -> Table:
        check_is_fitted(self)
        rows = table(X, "X", min_rows=1)
        validate_data(self, X if rows.columns is not None else rows.values, **_NO_CHECK)
        return rows

    def _names_seen(self, X: Any, rows: Table) -> dict[str, Any]:
        """Return what scikit-learn records of the columns, without touching this object yet."""
        shell = type(self)()
        validate_data(
            shell, X if rows.columns is not None else rows.values, reset=True, **_NO_RESET
        )
        seen = {"n_features_in_": shell.n_features_in_, "_index": rows.index}
        if hasattr(shell, "feature_names_in_"):
            seen["feature_names_in_"] = shell.feature_names_in_
        return seen

    def _publish(self, state: dict[str, Any]) -> None:
        """Replace the fitted state in one assignment: an interrupted fit leaves the old model."""
        old = vars(self).get("_published", ())
        kept = {name: value for name, value in vars(self).items() if name not in old}
        self.__dict__ = kept | state | {"_published": (*state, "_published")}

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


_NO_CHECK = {"reset": False, "skip_check_array": True}
_NO_RESET = {"skip_check_array": True}


def common_state(embedding: Embedding, shift: Any = None) -> dict[str, Any]:
    """Return the fitted attributes that every method has."""
    s: Spectrum = embedding.spectrum
    if not np.isfinite(s.total) or s.total == 0:
        raise InputError("X: the total inertia is zero or overflows: rescale the data")
    unit = embedding.unit
    coordinates = embedding.coordinates * unit
    with np.errstate(over="ignore", under="ignore"):
        return {
            "embedding_": embedding,
            "eigenvalues_": s.values * unit * unit,
            "inertia_": s.total * unit * unit,
            "inertia_ratio_": s.values / s.total,
            "coordinates_": coordinates if shift is None else coordinates + shift,
            "residuals_": s.residuals * unit * unit,
            "negative_inertia_": s.negative * unit * unit,
            "tied_axes_": s.tied,
            "n_components_": len(s.values),
            "solver_": s.solver,
        }


def count(X: Any) -> int:
    """Return the number of rows or objects."""
    return X.shape[0] if hasattr(X, "shape") else len(X)


def as_index(mask: np.ndarray, X: Any) -> Any:
    """Return a mask that indexes rows of X."""
    return mask if is_numpy(X) or is_sparse(X) else namespace(X).asarray(mask, device=X.device)


def with_rows(part: Array, others: Array, live: np.ndarray) -> Array:
    """Return the rows of `part` where `live` and those of `others` elsewhere."""
    out = np.empty((live.size, *part.shape[1:]))
    out[live], out[~live] = to_numpy(part), to_numpy(others)
    return as_kind(out, part)
