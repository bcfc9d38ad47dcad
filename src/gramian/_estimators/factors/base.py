"""What the factor methods share: a metric on the columns, weights on the rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Annotated, Any

import numpy as np
from sklearn.base import BaseEstimator

from gramian._core.array import Array, is_sparse, to_numpy
from gramian._core.check import Random
from gramian._core.embedding import FeatureModel, Model, Principal, count, principal_axes
from gramian._core.frames import collect, is_frame
from gramian._core.operators.moments import Moments
from gramian._core.parallel import budget_bytes
from gramian._core.spectral.spectrum import Request
from gramian._core.table import Table, raw_weights
from gramian._estimators._base import Attributes, SpectralEstimator, note_columns
from gramian._reading.cloud import Cloud
from gramian._reading.columns import frame_of
from gramian._reading.rules import selection
from gramian.errors import InputError

Metric = Callable[[Moments], np.ndarray]


class FactorEstimator(SpectralEstimator):
    """Principal axes of coded rows: a subclass says how they are coded and what columns weigh.

    In v-tests a row of weight w counts as w individuals where weights sum to more than 1, and as
    one individual otherwise; everything else rests on the proportions of the weights alone.
    """

    solver: str
    random_state: Any
    n_features_in_: Annotated[int, "p", ">= 1"]
    components_: Annotated[Array, "(q, J)"]
    total_: Annotated[float, "> 0"]
    _codes_rows = True
    _is_factor_method = True
    _is_scaled = True  # supplementary numbers are read by their correlations

    def _dimension(self, rows: Table) -> int:
        """Return how many axes rows coded so can have."""
        raise NotImplementedError

    def _principal_axes(
        self, rows: Table, p: np.ndarray | None, metric: Metric, *, scale: bool
    ) -> tuple[Model, Attributes]:
        """Return the axes of the rows with a weight for every column."""
        dimension = self._dimension(rows)
        request = self._request(dimension, min(count(rows.values), dimension))
        principal = principal_axes(
            rows.values, p, request, scale=scale, column_weight=metric, names=rows.columns
        )
        return FeatureModel(principal), {"components_": principal.spectrum.vectors.T}

    def _request(self, dimension: int, limit: int) -> Request:
        if dimension < 1:
            raise InputError(
                "X is constant: there is no axis where no row differs: give rows that do"
            )
        what = "the axes that this table can have"
        axes = selection(self.n_components, limit, what)
        known: dict[str, Any] = {"random": Random(self.random_state), "dimension": dimension}
        return Request(axes, self.solver, tol=1e-12, budget=budget_bytes(None), **known)

    def _seen(self, X: Any, rows: Table, sample_weight: Any) -> Attributes:
        n = count(rows.values)
        w = raw_weights(sample_weight, n, index=rows.index)
        return columns_as_given(X) | {"total_": float(n if w is None else w.sum())}

    def _cloud(self, X: Any = None, diag: Any = None) -> Cloud:
        cloud = super()._cloud(X, diag)
        return replace(cloud, size=self.total_ if self.total_ > 1 else None)

    @property
    def _principal(self) -> Principal:
        assert isinstance(self.model_, FeatureModel)
        return self.model_.principal

    @property
    def _axes(self) -> np.ndarray:
        """The axes in the space of the coded columns, (J, q)."""
        return to_numpy(self._principal.spectrum.vectors).astype(np.float64)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64"]
        return tags


class _Columns(BaseEstimator):
    """What scikit-learn writes the columns it sees into."""


def columns_as_given(X: Any) -> Attributes:
    """Return what scikit-learn records of the columns of a table before they are coded."""
    seen = _Columns()
    note_columns(seen, as_given(X), reset=True)
    return dict(vars(seen))


def as_given(X: Any) -> Any:
    """Return a table as scikit-learn counts its columns."""
    X = collect(X)
    if isinstance(X, Mapping) and not is_sparse(X):  # a DOK matrix is both
        return frame_of(X, "X")
    return X if is_frame(X) or hasattr(X, "shape") else np.asarray(X, dtype=object)
