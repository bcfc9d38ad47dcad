"""Principal components as a model of the rows: a normal law with equal noise beside the axes."""

from dataclasses import dataclass

import numpy as np
from sklearn.utils.validation import check_is_fitted

from gramian._core.array import to_numpy
from gramian._core.types import DataLike
from gramian._estimators.base import SpectralEstimator
from gramian.errors import InputError

_ROUNDING = 2.0**-50
_OFF_AXES_TOLERANCE = 1e-12  # of the squared distance to the mean


@dataclass(frozen=True, eq=False)
class _Law:
    """A normal law of features (x − mean)·factor, in which no number is out of range."""

    axes: np.ndarray  # (p, q)
    variances: np.ndarray  # on the axes, (q,)
    noise: float  # beside them, 0 where the law lives on the axes
    factor: np.ndarray  # (p,)

    @property
    def log_volume(self) -> float:
        """½ log det(2πC), C the covariance of the rows on the axes, or everywhere with noise."""
        there = self.factor > 0  # a constant column that was scaled has no law
        factor, q = self.factor[there], self.axes.shape[1]
        logs = float(np.log(2.0 * np.pi * self.variances).sum())
        if self.noise > 0:
            logs += (len(factor) - q) * float(np.log(2.0 * np.pi * self.noise))
            return 0.5 * logs - float(np.log(factor).sum())
        # A step along the axes of the features is longer or shorter among the rows.
        least = float(factor.min())
        steps = self.axes[there] * (least / factor)[:, None]
        logs += float(np.linalg.slogdet(steps.T @ steps)[1]) - 2.0 * q * float(np.log(least))
        return 0.5 * logs


class GaussianModel(SpectralEstimator):
    """What scikit-learn's PCA tells of the law of the rows (Tipping and Bishop, 1999).

    With λ the variances on the axes (divisor n − 1) and σ² the mean of those left out, the features
    have the covariance Σ (λ_k − σ²) v_k v_kᵀ + σ²·I; columns that were scaled are scaled back.
    """

    @property
    def noise_variance_(self) -> float:
        """σ², the mean variance of the axes that were left out, 0 where none was."""
        check_is_fitted(self)
        n, (p, q) = self.training_.n_live, self._principal.spectrum.vectors.shape
        rest = min(n, p) - q
        left = (self.inertia_ - self.eigenvalues_.sum()) * n / (n - 1)
        return max(float(left), 0.0) / rest if rest > 0 else 0.0

    def get_covariance(self) -> np.ndarray:
        """Return the covariance of the rows under the model, (p, p).

        >>> pca = gm.PCA().fit([[0.0, 0.0], [4.0, 0.0], [2.0, 3.0]])
        >>> pca.get_covariance().round(6).tolist()
        [[4.0, 0.0], [0.0, 3.0]]
        """
        law = self._law()
        C = (law.axes * (law.variances - law.noise)) @ law.axes.T
        C[np.diag_indices_from(C)] += law.noise
        back = np.divide(1.0, law.factor, out=np.zeros(len(C)), where=law.factor > 0)
        with np.errstate(over="ignore", under="ignore"):
            scaled = back[:, None] * C * back[None, :]
        variances, least = np.diagonal(scaled), np.finfo(float).smallest_normal
        if not np.isfinite(scaled).all() or (variances[np.diagonal(C) * back > 0] < least).any():
            raise InputError("X: its covariance is out of range: rescale X by a power of two")
        return scaled

    def get_precision(self) -> np.ndarray:
        """Return the inverse of the covariance of the rows, (p, p)."""
        C = self.get_covariance()
        if np.linalg.matrix_rank(C, hermitian=True) < len(C):
            raise InputError(
                "n_components: nothing is left for the noise, so that the covariance has no "
                f"inverse: keep fewer axes than {self.n_components_}"
            )
        return np.linalg.inv(C)

    def score_samples(self, X: DataLike) -> np.ndarray:
        """Return the log-likelihood of each row under the model, (m,).

        Where nothing is left for the noise the law lives on the axes: the density is that on them,
        and −∞ for rows beside them.

        >>> pca = gm.PCA().fit([[0.0, 0.0], [4.0, 0.0], [2.0, 3.0]])
        >>> pca.score_samples([[2.0, 1.0]]).round(4).tolist()
        [-3.0803]
        """
        law = self._law()
        rows = self.training_.to_training_library(self._read_new(X).values)
        F = to_numpy(self._principal.features(rows)).astype(float)
        Z = F @ law.axes
        rest = ((F - Z @ law.axes.T) ** 2).sum(axis=1)
        density = (Z**2 / law.variances).sum(axis=1)
        if law.noise > 0:
            return -0.5 * (density + rest / law.noise) - law.log_volume
        beside = rest > _OFF_AXES_TOLERANCE * (F**2).sum(axis=1)
        return np.where(beside, -np.inf, -0.5 * density - law.log_volume)

    def score(self, X: DataLike, y: object = None) -> float:
        """Return the mean log-likelihood of the rows under the model.

        Parameters
        ----------
        X : array or data frame (m, p)
            The rows, with the columns of the fit.
        y : object
            Not used, present for scikit-learn's interface.
        """
        return float(self.score_samples(X).mean())

    def _law(self) -> _Law:
        """Return the law of the features; axes without variance are left out."""
        check_is_fitted(self)
        principal = self._principal
        V = to_numpy(principal.spectrum.vectors).astype(float)
        n, (p, q) = self.training_.n_live, V.shape
        values, total = principal.spectrum.values * n / (n - 1), principal.spectrum.total
        rest = min(n, p) - q
        noise = max(total * n / (n - 1) - values.sum(), 0.0) / rest if rest > 0 else 0.0
        least = p * _ROUNDING * values[0]
        noise = noise if noise > least else 0.0
        live = values > max(least, noise)
        return _Law(V[:, live], values[live], noise, to_numpy(principal.standard.factor))
