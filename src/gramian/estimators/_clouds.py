"""From the state of a fit to the clouds of points that are read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse
from sklearn.utils.validation import check_is_fitted

from gramian._array import Array, as_kind, eps, namespace, to_numpy
from gramian._validate import Table, table
from gramian.errors import InputError
from gramian.operators.base import Gram
from gramian.operators.dense import DenseGram
from gramian.operators.tiled import TiledGram
from gramian.reading.barycentres import feature_barycentres, gram_barycentres
from gramian.reading.cloud import Cloud, noise
from gramian.reading.columns import Columns, columns

__all__ = ["CHANGED", "Clouds"]

CHANGED = "X: the training rows have changed since the fit, in place: fit again, on a copy"


class Clouds:
    """What the readings need of a fitted estimator.

    A subclass may have variables of its own, a feature map (`_features`) or another Gram operator.
    """

    # Fitted attributes of every estimator; `_rows` are the training rows where no `_points` are.
    embedding_: Any  # an Embedding
    weights_: np.ndarray | None
    coordinates_: Array
    eigenvalues_: np.ndarray
    inertia_: float
    inertia_ratio_: np.ndarray
    negative_inertia_: float
    tied_axes_: list[tuple[int, ...]]
    solver_: str
    _live: np.ndarray | None
    _index: pd.Index | None
    kernel_: Any

    _is_scaled = False  # whether columns are divided by their standard deviation

    @property
    def _is_precomputed(self) -> bool:
        """Whether X is a square matrix over the training points."""
        return False

    def _active_variables(self) -> pd.DataFrame | None:
        return None

    def _gram(self) -> Gram:
        """Return the Gram operator of the rows that have a weight, in units."""
        points = getattr(self, "_points", None)
        if points is not None:
            return TiledGram(self.kernel_, points)
        K = self._square_rows()
        return DenseGram(0.5 * (K + K.T))

    def _square_rows(self) -> Array:
        """Return the precomputed matrix over the rows that have a weight."""
        M = self._kept_rows()
        return M if self._live is None else as_kind(to_numpy(M)[np.ix_(self._live, self._live)], M)

    def _project(self, X: Array) -> tuple[Array, Array]:
        raise NotImplementedError

    def _new_rows(self, X: Any) -> Table:
        raise NotImplementedError

    def _moved(self, X: Any) -> Any:
        raise NotImplementedError

    def _training_columns(self, X: Array) -> Array:
        raise NotImplementedError

    @property
    def _n_points(self) -> int:
        rows = getattr(self, "coordinates_", None)
        return self.n_samples_seen_ if rows is None else rows.shape[0]  # type: ignore[attr-defined]

    @property
    def _n_active(self) -> int:
        """The number of rows that have a weight."""
        live = getattr(self, "_live", None)
        return self._n_points if live is None else int(live.sum())

    def _columns_of(self, given: Any) -> Columns:
        self._need_rows()
        return columns(given, self._n_points, self._index)

    def _need_rows(self) -> None:
        if not hasattr(self, "coordinates_"):
            raise InputError(
                "X is missing: the estimator was fitted on blocks of rows, which it does not keep: "
                "give rows, or fit it on one table"
            )

    def _cloud(self, X: Any = None, diag: Any = None) -> Cloud:
        """Return the points of the fit, or new ones."""
        check_is_fitted(self)
        if X is not None:
            return self._new_cloud(self._new_rows(X), diag)
        if diag is not None:
            raise InputError("diag is given without X: it holds k(x, x) of new rows")
        self._need_rows()
        e = self.embedding_
        n = self._n_points
        Z = to_numpy(e.coordinates)
        if self._live is not None:
            Z, active = self._centred(self.coordinates_), Z
            Z[self._live] = active
        return Cloud(
            np.asarray(Z, dtype=np.float64),
            to_numpy(e.distance2).astype(np.float64),
            e.spectrum,
            np.full(n, 1.0 / n) if self.weights_ is None else self.weights_,
            None if e.modulus is None else to_numpy(e.modulus).astype(np.float64),
            index=self._index,
            **self._frame_of_reference(),
        )

    def _new_cloud(self, rows: Table, diag: Any) -> Cloud:
        rows = replace(rows, values=self._moved(rows.values))
        coordinates, distance2 = self._project(rows.values)
        distance2 = self._with_diag(rows.values, distance2, diag)
        return Cloud(
            self._centred(coordinates),
            to_numpy(distance2).astype(np.float64),
            self.embedding_.spectrum,
            index=rows.index,
            **self._frame_of_reference(),
        )

    def _frame_of_reference(self) -> dict[str, Any]:
        e = self.embedding_
        return {"unit": e.unit, "shift": self._public_shift, "floor": noise(e)}

    @property
    def _public_shift(self) -> Any:
        shift = getattr(self, "_shift", None)
        return 0.0 if shift is None else to_numpy(shift).astype(np.float64)

    def _centred(self, coordinates: Array) -> np.ndarray:
        """Return public coordinates around the barycentre and in units."""
        Z = to_numpy(coordinates).astype(np.float64)
        return (Z - self._public_shift) / self.embedding_.unit

    def _with_diag(self, X: Array, distance2: Array, diag: Any) -> Array:
        """Return squared distances, from k(x, x) where the block of new rows does not hold it."""
        unknown = bool(np.isnan(to_numpy(distance2)).any())
        if not unknown:
            if diag is not None:
                raise InputError('diag is for kernel="precomputed" only: leave it out')
            return distance2
        m = X.shape[0]
        if diag is None:
            raise InputError(
                f"diag is missing: a precomputed block does not hold k(x, x) of its {m} new rows: "
                "give them as diag=, shape (m,)"
            )
        values = table(np.reshape(diag, (-1, 1)), "diag", min_rows=1).values
        if values.shape[0] != m:
            raise InputError(f"diag has {values.shape[0]} values but X has {m} rows: give one each")
        return self._distance2(X, values[:, 0])

    def _distance2(self, X: Array, diag: Any) -> Array:
        """Return k̃(x, x) from a precomputed block k(x, training) and k(x, x)."""
        c = self.embedding_.centering
        k_p = self._training_columns(X) @ c.p
        return c.distance2(k_p, as_kind(diag, k_p))

    def _kept_rows(self) -> Array:
        rows = getattr(self, "_rows", None)
        if rows is None:
            raise InputError(
                "n_components: squared distances of categories need every axis or the training "
                "rows, which are not kept here: fit with n_components=None"
            )
        return rows

    def _norms_of_barycentres(self, W: sparse.csr_array) -> np.ndarray:
        """Return the squared distances of weighted means of training points to the barycentre."""
        e = self.embedding_
        features = getattr(self, "_features", None)
        if features is not None:
            found = feature_barycentres(features, self._kept_rows(), e.coefficients, W)
        else:
            active = W if self._live is None else W[self._live]
            found = gram_barycentres(self._gram(), e, active)
        coordinates, distance2 = found
        error = np.abs(coordinates - W.T @ self._cloud().coordinates).max(initial=0.0)
        rounding = eps(e.coordinates.dtype, namespace(e.coordinates)) ** 0.4
        if error > rounding * np.sqrt(abs(e.spectrum.values[0])):
            raise InputError(CHANGED)
        return distance2
