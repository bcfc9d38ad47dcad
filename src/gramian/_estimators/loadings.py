"""What estimators share that find the loadings of their axes in a way of their own."""

from typing import Annotated, Any

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from gramian._core.array import Array, as_kind, to_numpy
from gramian._core.embedding import FeatureModel, Principal, Standard
from gramian._core.operators.feature import FeatureMap
from gramian._core.operators.moments import Moments
from gramian._core.spectral.spectrum import Spectrum
from gramian._core.table import Table, table
from gramian._core.types import DataLike
from gramian._estimators.base import (
    Attributes,
    SpectralEstimator,
    null_table_by_fits,
    read_coordinates,
)
from gramian._reading.columns import Numeric
from gramian._reading.null_table import NullTable
from gramian._reading.variables import correlations, variables_frame


class LoadingsEstimator(SpectralEstimator):
    """Axes about a centre, each with a loading for every column."""

    scale: bool
    n_features_in_: Annotated[int, "p", ">= 1"]
    components_: Annotated[Array, "(q, p)"]
    mean_: Annotated[Array, "(p,)"]
    scale_: Annotated[Array, "(p,)"] | None

    def _read(self, X: DataLike) -> Table:
        return table(X, "X", allow_sparse=False)

    def _null_table(self, rows: Table, p: np.ndarray | None) -> NullTable:
        return null_table_by_fits(self, rows, p)

    def _model_about(
        self,
        center: np.ndarray,
        deviation: np.ndarray,
        sizes: np.ndarray,
        spectrum: Spectrum,
        unit: float,
        like: Array,
    ) -> tuple[FeatureModel, Attributes]:
        """Return the model of axes of (rows − center)/deviation, and what is published of it."""
        ones, zeros = (as_kind(np.full_like(center, x), like) for x in (1.0, 0.0))
        m = Moments(as_kind(center, like), ones, 1.0, zeros, ones)  # about the centre itself
        factor = as_kind(1.0 / deviation, like)
        s = Standard(m.shift, as_kind(sizes, like), factor, unit, len(center))
        return FeatureModel(Principal(spectrum, s, FeatureMap(m, factor, like))), {
            "components_": spectrum.vectors.T,
            "mean_": m.shift,
            "scale_": as_kind(deviation, like) if self.scale else None,
        }

    def _active_variables(self) -> pd.DataFrame:
        X = to_numpy(self.training_.rows).astype(np.float64)
        r, deviation = correlations(self._cloud(), [Numeric(None, x) for x in X.T])
        size = np.ones_like(deviation) if self.scale else deviation
        V = to_numpy(self.model_.spectrum.vectors).astype(np.float64)
        return variables_frame(r, size, pd.Index(self._variable_names()), V**2)

    def _on_columns(self, Z: np.ndarray) -> np.ndarray:
        """Return what coordinates are in scaled columns about the centre, (m, p)."""
        return np.asarray(Z @ to_numpy(self.components_))

    def inverse_transform(self, Z: Any) -> Array:
        """Return the rows that have the coordinates Z, (m, q), and none outside the axes."""
        check_is_fitted(self)
        values = to_numpy(read_coordinates(Z, self.n_components_))
        deviation = 1.0 if self.scale_ is None else to_numpy(self.scale_)
        return self._on_columns(values) * deviation + to_numpy(self.mean_)
