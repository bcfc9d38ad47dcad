"""Logistic regression and least squares on principal components of a kernel."""

from typing import Annotated, Any

import numpy as np
from scipy.special import log_softmax
from sklearn.base import RegressorMixin
from sklearn.metrics import r2_score
from sklearn.utils import Tags

from gramian._core.array import power_of_two
from gramian._core.check import number, whole
from gramian._core.frames import labels_of
from gramian._core.table import Table, weights
from gramian._core.types import DataLike, SeedLike, VectorLike, WeightsLike
from gramian._estimators.base import Indefinite, KernelLike
from gramian._estimators.logistic import fit_or_penalise, linear_predictor
from gramian._estimators.nystrom import KernelFeatures
from gramian._estimators.predictors.components import ComponentModel
from gramian._estimators.predictors.targets import Classes, Classifier, classes_of, numbers_of
from gramian.errors import InputError


class PrincipalComponentClassifier(Classifier, ComponentModel):
    """Logistic regression on the first q principal components of a kernel.

    P(y = k | x) is the softmax of b_k + γ_kᵀ z(x), z the coordinates of kernel PCA. Two classes
    share one function, the logit of the second; more have functions that add up to zero.

    Parameters
    ----------
    n_components : int, float in (0, 1), str or None
        Number of axes, share of the inertia to reach (q_η), a rule ("kaiser", "elbow", …,
        "parallel"), "cv" (the smallest held-out log-loss, at most 100 axes), or all axes.
    kernel, approximation, indefinite, memory, random_state
        As for `KernelPCA`.
    penalty : float
        Factor of ½·‖γ‖², which is added to the negative log-likelihood. 0 is the maximum likelihood
        estimate; if the classes are separated, it does not exist: a SeparationWarning is issued,
        and `penalty_` is the value used instead.
    n_folds, max_iter : int
        Number of folds for "cv", and maximum number of Newton steps.

    Attributes
    ----------
    decomposition_, kernel_, n_components_
        The axes, a fitted `KernelPCA` to be read or plotted; its kernel and its number of axes, q.
    classes_ : array (c,)
        The classes, sorted.
    penalty_, n_iter_
        The penalty that was used, and the Newton steps taken.
    coef_ : array (q, c) or, for two classes, (q, 1)
        The coefficients of the axes.
    intercept_ : array (c,) or, for two classes, (1,)
        The intercept of each class.
    cv_results_ : DataFrame
        One row for each number of axes tried: "loss" and its error "se".

    See Also
    --------
    PrincipalComponentRegression : the same for numbers.
    KernelLogisticRegression : in the whole feature space.

    References
    ----------
    Jolliffe (2002), Principal component analysis.

    Examples
    --------
    >>> rings = gm.datasets.rings(random_state=1)
    >>> model = gm.PrincipalComponentClassifier(0.9, kernel=gm.kernels.Gaussian.from_gamma(1 / 6))
    >>> model = model.fit(rings.data, rings.groups["ring"])
    >>> model.n_components_, round(float(model.score(rings.data, rings.groups["ring"])), 2)
    (5, 0.84)
    """

    coef_: Annotated[np.ndarray, "(q, c)"]

    def __init__(
        self,
        n_components: int | float | str | None = 0.9,
        *,
        kernel: KernelLike = "gaussian",
        penalty: float = 0.0,
        approximation: KernelFeatures | None = None,
        indefinite: Indefinite = "raise",
        n_folds: int = 5,
        max_iter: int = 100,
        memory: int | str | None = None,
        random_state: SeedLike = None,
    ) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.penalty = penalty
        self.approximation = approximation
        self.indefinite = indefinite
        self.n_folds = n_folds
        self.max_iter = max_iter
        self.memory = memory
        self.random_state = random_state

    def _functions(self, X: DataLike) -> np.ndarray:
        return linear_predictor(self._coordinates(X), self.intercept_, self.coef_)

    def _target(self, y: VectorLike, rows: Table, w: np.ndarray | None) -> Classes:
        number(self.penalty, "penalty", least=0.0)
        whole(self.max_iter, "max_iter")
        return classes_of(y, rows, w, type(self).__name__)

    def _fit_on(self, Z: np.ndarray, y: Classes, w: np.ndarray | None) -> dict[str, Any]:
        penalty, max_iter = float(self.penalty), int(self.max_iter)
        model, penalty = fit_or_penalise(Z, y.codes, len(y), w, penalty, max_iter)
        return self._fitted(model, y.labels, penalty)

    def _losses(
        self, Z: np.ndarray, y: Classes, w: np.ndarray | None, Z_new: np.ndarray, y_new: Classes
    ) -> np.ndarray:
        model, _ = fit_or_penalise(Z, y.codes, len(y), w, float(self.penalty))
        logs = log_softmax(linear_predictor(Z_new, model.intercept, model.coef), axis=1)
        return -logs[np.arange(len(Z_new)), y_new.codes]


class PrincipalComponentRegression(RegressorMixin, ComponentModel):
    """Least squares on the first q principal components of a kernel.

    ŷ(x) = ȳ + Σ_{k ≤ q} γ_k z_k(x), z_k the coordinates of kernel PCA, which are not correlated:
    γ_k = cov(y, z_k)/λ_k. With the linear kernel this is principal component regression.

    Parameters
    ----------
    n_components, n_folds
        As for `PrincipalComponentClassifier`; "cv" is by the held-out squared error.
    kernel, approximation, indefinite, memory, random_state
        As for `KernelPCA`.

    Attributes
    ----------
    coef_ : array (q,), or (q, t) for t columns of y
        The coefficients of the axes.
    intercept_ : float, or array (t,)
        The mean of y.
    decomposition_, kernel_, n_components_, cv_results_
        As for `PrincipalComponentClassifier`.

    See Also
    --------
    PrincipalComponentClassifier : the same for classes.
    KernelPCA : the components.

    References
    ----------
    - Jolliffe (1982), A note on the use of principal components in regression.
    - Rosipal, Girolami, Trejo and Cichocki (2001), Kernel PCA for feature extraction and de-noising
      in nonlinear regression.

    Examples
    --------
    >>> d = gm.datasets.diabetes()
    >>> y = d.groups["progression"]
    >>> model = gm.PrincipalComponentRegression(4, kernel="linear").fit(d.data, y)
    >>> round(float(model.score(d.data, y)), 2)
    0.33
    """

    coef_: Annotated[np.ndarray, "(q,)"] | Annotated[np.ndarray, "(q, t)"]
    intercept_: float | Annotated[np.ndarray, "(t,)"]

    def predict(self, X: DataLike) -> np.ndarray:
        """Return the predicted numbers, (m,) or (m, t)."""
        return self._coordinates(X) @ self.coef_ + self.intercept_

    def _target(self, y: VectorLike, rows: Table, w: np.ndarray | None) -> np.ndarray:
        return numbers_of(y, rows, type(self).__name__)

    def _fit_on(self, Z: np.ndarray, y: np.ndarray, w: np.ndarray | None) -> dict[str, Any]:
        intercept, coef = _least_squares(Z, y, w)
        return {"intercept_": intercept, "coef_": coef}

    def _losses(
        self,
        Z: np.ndarray,
        y: np.ndarray,
        w: np.ndarray | None,
        Z_new: np.ndarray,
        y_new: np.ndarray,
    ) -> np.ndarray:
        intercept, coef = _least_squares(Z, y, w)
        return ((Z_new @ coef + intercept - y_new) ** 2).reshape(len(Z_new), -1).sum(axis=1)

    def score(self, X: DataLike, y: VectorLike, sample_weight: WeightsLike = None) -> float:
        """Return R², the mean over the columns of y where it has several.

        A labelled y is matched to labelled rows by label.
        """
        predicted = self.predict(X)
        rows = Table(predicted, labels_of(X))
        y = numbers_of(y, rows, type(self).__name__)
        if y.shape != predicted.shape:
            raise InputError(f"y has shape {y.shape}: give as many columns as were fitted")
        p = weights(sample_weight, len(y), index=rows.index)
        unit = power_of_two(float(np.abs(y).max()))  # in which squares stay in range
        return float(r2_score(y / unit, predicted / unit, sample_weight=p))

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


def _least_squares(Z: np.ndarray, y: np.ndarray, w: np.ndarray | None) -> tuple[Any, np.ndarray]:
    """Return intercept and coefficients on columns that are not correlated."""
    p = np.full(len(Z), 1.0 / len(Z)) if w is None else w / w.sum()
    unit = np.abs(Z).max(axis=0)
    U = Z / np.where(unit > 0, unit, 1.0)
    mean = p @ y
    C = (U * p[:, None]).T @ (y - mean)
    squares = (p @ U**2 - (p @ U) ** 2) * np.where(unit > 0, unit, 1.0)
    coef = (C.T / np.where(squares > 0, squares, np.inf)).T
    return mean - (p @ Z) @ coef, coef
