"""What models on principal components share: the axes, and how many of them."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from gramian._core.array import to_numpy
from gramian._core.check import warn
from gramian._core.embedding import count, rows_at
from gramian._core.table import Table
from gramian._estimators._base import Published, columns_seen
from gramian._estimators.kernel_pca import KernelPCA
from gramian._estimators.predictors.targets import raw_weights
from gramian._estimators.predictors.tuning import quiet
from gramian.errors import InputError, TiedAxesWarning
from gramian.kernels import Kernel

TUNED = "cv"


class ComponentModel(Published, BaseEstimator):
    """A model on the coordinates of kernel PCA; a subclass writes the rest."""

    n_components: Any
    kernel: Any
    approximation: Any
    indefinite: str
    memory: Any
    random_state: Any
    decomposition_: KernelPCA
    kernel_: Kernel
    n_components_: Annotated[int, "q", ">= 1"]
    cv_results_: pd.DataFrame | None

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Find the axes of the rows of X and fit the model on their coordinates.

        Parameters
        ----------
        X : array, sparse matrix or data frame (n, p); kernel matrix (n, n); objects
        y : array (n,); numbers may be several columns, (n, t)
        sample_weight : array (n,), optional
            A row of weight 2 counts like two rows, one of weight 0 not at all.
        """
        axes = self._axes(None if self._is_tuned else self.n_components)
        rows = axes._read(X)
        n = count(rows.values)
        w = raw_weights(sample_weight, rows)
        target = self._target(y, rows, w)
        state: dict[str, Any] = {}
        if self._is_tuned:
            state["cv_results_"] = losses = self._tuned(axes, rows, target, w)
            axes = self._axes(int(losses["loss"].idxmin()))
        with quiet(TiedAxesWarning):
            axes.fit(X, sample_weight=w)
        _say_if_cut(axes)
        live = np.ones(n, dtype=bool) if w is None else w > 0
        Z = to_numpy(axes.coordinates_).astype(np.float64)[live]
        with np.errstate(over="ignore", invalid="ignore"):  # looked at here
            state |= self._fit_on(Z, target, live, None if w is None else w[live])
        if not np.isfinite(state["coef_"]).all():
            raise InputError(
                f"X: coordinates of at most {np.abs(Z).max():.3g} need coefficients that overflow: "
                "multiply the data by a power of two"
            )
        own = {
            "decomposition_": axes,
            "kernel_": axes.kernel_,
            "n_components_": axes.n_components_,
        }
        self._publish(state | own | columns_seen(X, rows))
        return self

    def _axes(self, n_components: Any) -> KernelPCA:
        return KernelPCA(
            n_components,
            kernel=self.kernel,
            approximation=self.approximation,
            indefinite=self.indefinite,
            memory=self.memory,
            random_state=self.random_state,
        )

    @property
    def _is_tuned(self) -> bool:
        return isinstance(self.n_components, str) and self.n_components == TUNED

    def _tuned(self, axes: KernelPCA, rows: Table, target: Any, w: np.ndarray | None) -> Any:
        """Return the table of held-out losses; the kernel's scale is that of all rows."""
        X = rows.values
        live = np.ones(count(X), dtype=bool) if w is None else w > 0
        if not live.all():
            X = rows_at(X, live)
            X = rows_at(X.T, live).T if axes._is_precomputed else X
        w_live = None if w is None else w[live]
        if not axes._is_precomputed:
            with quiet(TiedAxesWarning):
                kernel = KernelPCA(1, kernel=self.kernel, approximation=self.approximation)
                axes = axes.set_params(kernel=kernel.fit(X, sample_weight=w_live).kernel_)
        return self._held_out(axes, X, target, live, w_live)

    def _coordinates(self, X: Any) -> np.ndarray:
        check_is_fitted(self)
        return to_numpy(self.decomposition_.transform(X)).astype(np.float64)

    def _target(self, y: Any, rows: Table, w: np.ndarray | None) -> Any:
        """Return what is predicted, after a look at it."""
        raise NotImplementedError

    def _held_out(
        self, axes: KernelPCA, X: Any, target: Any, live: np.ndarray, w: np.ndarray | None
    ) -> pd.DataFrame:
        """Return the held-out loss of each number of axes."""
        raise NotImplementedError

    def _fit_on(
        self, Z: np.ndarray, target: Any, live: np.ndarray, w: np.ndarray | None
    ) -> dict[str, Any]:
        """Return the fitted attributes of the model on coordinates Z."""
        raise NotImplementedError

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        square = isinstance(self.kernel, str) and self.kernel == "precomputed"
        tags.input_tags.sparse = not square
        tags.input_tags.pairwise = square
        return tags


def _say_if_cut(axes: KernelPCA) -> None:
    """Warn where the last axis kept and the first left out have one eigenvalue."""
    q = axes.n_components_
    for group in axes.tied_axes_:
        if group[-1] > q:
            warn(
                f"axes {group[0]} to {group[-1]} have equal eigenvalues and only {q} axes are "
                "kept: which ones is arbitrary, and predictions depend on it; keep all of them",
                TiedAxesWarning,
            )
