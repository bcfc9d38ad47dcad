"""Principal components as a model of the rows: a normal law with equal noise beside the axes."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from gramian._array import dense, to_numpy
from gramian.errors import InputError

__all__ = ["GaussianModel"]

_ROUNDING = 2.0**-50
_BESIDE = 1e-12  # of the squared distance to the mean


class GaussianModel:
    """What scikit-learn's PCA tells of the law of the rows (Tipping and Bishop, 1999).

    With λ the variances on the axes (divisor n − 1) and σ² the mean of those left out, the features
    have the covariance Σ (λ_k − σ²) v_k v_kᵀ + σ²·I; columns that were scaled are scaled back.
    """

    @property
    def noise_variance_(self) -> float:
        """σ², the mean variance of the axes that were left out, 0 where none was."""
        check_is_fitted(self)
        n = self._n_of_fit()
        rest = min(n, self.n_features_in_) - self.n_components_  # type: ignore[attr-defined]
        left = (self.inertia_ - self.eigenvalues_.sum()) * n / (n - 1)  # type: ignore[attr-defined]
        return max(float(left), 0.0) / rest if rest > 0 else 0.0

    def get_covariance(self) -> np.ndarray:
        """Return the covariance of the rows under the model, (p, p).

        >>> import gramian as gm
        >>> pca = gm.PCA().fit([[0.0, 0.0], [4.0, 0.0], [2.0, 3.0]])
        >>> pca.get_covariance().round(6).tolist()
        [[4.0, 0.0], [0.0, 3.0]]
        """
        check_is_fitted(self)
        V = to_numpy(self.components_).astype(float)  # type: ignore[attr-defined]
        noise = self.noise_variance_
        excess = np.maximum(self.explained_variance_ - noise, 0.0)  # type: ignore[attr-defined]
        C = (V.T * excess) @ V + noise * np.eye(V.shape[1])
        back = 1.0 / self._factors()
        return back[:, None] * C * back[None, :]

    def get_precision(self) -> np.ndarray:
        """Return the inverse of the covariance of the rows, (p, p)."""
        return np.linalg.inv(self._definite())

    def score_samples(self, X: Any) -> np.ndarray:
        """Return the log-likelihood of each row under the model, (m,).

        Where nothing is left for the noise the law lives on the axes: the density is that on them,
        and −∞ for rows beside them.

        >>> import gramian as gm
        >>> pca = gm.PCA().fit([[0.0, 0.0], [4.0, 0.0], [2.0, 3.0]])
        >>> pca.score_samples([[2.0, 1.0]]).round(4).tolist()
        [-3.0803]
        """
        C = self.get_covariance()
        values = self._read_new(X).values  # type: ignore[attr-defined]
        rows = dense(values).astype(float)
        mean = to_numpy(self.mean_).astype(float)  # type: ignore[attr-defined]
        w, V = np.linalg.eigh(C)
        live = w > len(w) * _ROUNDING * w[-1]
        Z = (rows - mean) @ V
        density = np.sum(Z[:, live] ** 2 / w[live], axis=1) + np.log(w[live]).sum()
        beside = np.sum(Z[:, ~live] ** 2, axis=1) > _BESIDE * np.sum(Z**2, axis=1)
        logs = -0.5 * (density + live.sum() * np.log(2.0 * np.pi))
        return np.where(beside, -np.inf, logs)

    def score(self, X: Any, y: Any = None) -> float:
        """Return the mean log-likelihood of the rows under the model."""
        return float(self.score_samples(X).mean())

    def _definite(self) -> np.ndarray:
        """Return the covariance, or say that it has no inverse."""
        C = self.get_covariance()
        if np.linalg.matrix_rank(C, hermitian=True) < len(C):
            raise InputError(
                "n_components: nothing is left for the noise, so that the covariance has no "
                f"inverse: keep fewer axes than {self.n_components_}"  # type: ignore[attr-defined]
            )
        return C

    def _n_of_fit(self) -> int:
        raise NotImplementedError

    def _factors(self) -> np.ndarray:
        """Return what each column was multiplied by, (p,)."""
        raise NotImplementedError
