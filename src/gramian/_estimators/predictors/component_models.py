"""Logistic regression and least squares on principal components of a kernel."""

from typing import Annotated, Any

import numpy as np
import pandas as pd
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
from gramian._estimators.kernel_pca import KernelPCA
from gramian._estimators.logistic import fit_or_penalise, linear_predictor
from gramian._estimators.nystrom import KernelFeatures
from gramian._estimators.predictors.components import ComponentModel, cross_validated
from gramian._estimators.predictors.targets import Classifier, classes_of, numbers_of
from gramian.errors import InputError


class PrincipalComponentClassifier(Classifier, ComponentModel):
    """Logistic regression on the first q principal components of a kernel.

    P(y = k | x) is the softmax of b_k + γ_kᵀ z(x), z the coordinates of kernel PCA. Two classes
    share one function, the logit of the second; more have functions that add up to zero.

    Parameters
    ----------
    n_components : int, float in (0, 1), str or None
        Number of axes, share of the inertia to reach (q_η), a rule ("kaiser", "elbow", …,
        "parallel"), "cv" (the number of least held-out log-loss, at most 100), or all axes.
    kernel : Kernel, name, "precomputed" or callable
    penalty : float
        Of ½·‖γ‖², added to the negative log-likelihood. At 0, the maximum likelihood estimate;
        where the classes are separated it does not exist: a SeparationWarning says so, and
        `penalty_` is what was used instead.
    approximation : None, Nystrom(...) or RandomFourier(...)
    indefinite : "raise", "clip", "flip" or "krein"
    n_folds : int
        Folds, for "cv".
    max_iter : int
        Newton steps allowed.
    memory : int or str, optional
    random_state : int, optional

    Attributes
    ----------
    decomposition_ : fitted KernelPCA
        The axes, to be read or plotted.
    classes_ : array (c,)
        The classes, sorted.
    kernel_ : Kernel
        With its scale made definite.
    n_components_ : int
        The number of axes, q.
    penalty_ : float
        The penalty that was used.
    n_iter_ : int
        Newton steps taken.
    coef_ : array (q, c) or, for two classes, (q, 1)
        The coefficients of the axes.
    intercept_ : array (c,) or, for two classes, (1,)
        What is added, one number each class.
    cv_results_ : DataFrame
        One row for each number of axes tried: "loss" and its error "se".

    See Also
    --------
    PrincipalComponentRegression : the same for numbers.
    KernelLogisticRegression : on all of the kernel.

    References
    ----------
    Jolliffe (2002), Principal component analysis.

    Examples
    --------
    >>> import gramian as gm
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

    def _predictors(self, X: DataLike) -> np.ndarray:
        eta = linear_predictor(self._coordinates(X), self.intercept_, self.coef_)
        return np.hstack([np.zeros_like(eta), eta]) if len(self.classes_) == 2 else eta

    def _target(self, y: VectorLike, rows: Table, w: np.ndarray | None) -> Any:
        number(self.penalty, "penalty", least=0.0)
        whole(self.max_iter, "max_iter")
        return classes_of(y, rows, w, type(self).__name__)

    def _fit_on(
        self, Z: np.ndarray, target: Any, live: np.ndarray, w: np.ndarray | None
    ) -> dict[str, Any]:
        c = len(target)
        model, penalty = fit_or_penalise(
            Z, target.codes[live], c, w, float(self.penalty), int(self.max_iter)
        )
        shown = slice(1, 2) if c == 2 else slice(None)
        return {
            "classes_": target.labels,
            "intercept_": model.intercept[shown],
            "coef_": model.coef[:, shown],
            "penalty_": penalty,
            "n_iter_": model.n_iter,
        }

    def _cross_validate(
        self, axes: KernelPCA, X: DataLike, target: Any, live: np.ndarray, w: np.ndarray | None
    ) -> pd.DataFrame:
        codes, c = target.codes[live], len(target)

        def trial(
            Z: np.ndarray, Z_new: np.ndarray, train: np.ndarray, test: np.ndarray
        ) -> np.ndarray:
            own = None if w is None else w[train]
            model, _ = fit_or_penalise(Z, codes[train], c, own, float(self.penalty))
            logs = log_softmax(linear_predictor(Z_new, model.intercept, model.coef), axis=1)
            return -logs[np.arange(len(test)), codes[test]]

        folds = whole(self.n_folds, "n_folds", 2)
        return cross_validated(
            axes, X, w, codes, trial, stratified=True, folds=folds, random_state=self.random_state
        )


class PrincipalComponentRegression(RegressorMixin, ComponentModel):
    """Least squares on the first q principal components of a kernel.

    ŷ(x) = ȳ + Σ_{k ≤ q} γ_k z_k(x), z_k the coordinates of kernel PCA, which are not correlated:
    γ_k = cov(y, z_k)/λ_k. With the linear kernel this is principal component regression.

    Parameters
    ----------
    n_components : int, float in (0, 1), str or None
        Number of axes, share of the inertia to reach, a rule ("kaiser", "elbow", …, "parallel"),
        "cv" (the number of least held-out error, at most 100), or all axes that carry inertia.
    kernel : Kernel, name, "precomputed" or callable
    approximation : None, Nystrom(...) or RandomFourier(...)
    indefinite : "raise", "clip", "flip" or "krein"
    n_folds : int
        Folds, for "cv".
    memory : int or str, optional
    random_state : int, optional

    Attributes
    ----------
    decomposition_ : fitted KernelPCA
        The axes, to be read or plotted.
    coef_ : array (q,), or (q, t) for t columns of y
        The coefficients of the axes.
    intercept_ : float, or array (t,)
        The mean of y.
    cv_results_ : DataFrame
        One row for each number of axes tried: "loss" and its error "se".
    kernel_ : Kernel
        With its scale made definite.
    n_components_ : int
        The number of axes, q.

    See Also
    --------
    PrincipalComponentClassifier : the same for classes.
    KernelPCA : the components.

    References
    ----------
    Jolliffe (1982), A note on the use of principal components in regression.
    Rosipal, Girolami, Trejo and Cichocki (2001), Kernel PCA for feature extraction and de-noising
        in nonlinear regression.

    Examples
    --------
    >>> import gramian as gm
    >>> d = gm.datasets.diabetes()
    >>> y = d.groups["progression"]
    >>> model = gm.PrincipalComponentRegression(4, kernel="linear").fit(d.data, y)
    >>> round(float(model.score(d.data, y)), 2)
    0.33
    """

    coef_: Annotated[np.ndarray, "(q,)"] | Annotated[np.ndarray, "(q, t)"]
    intercept_: float | Annotated[np.ndarray, "(t,)"]

    def __init__(
        self,
        n_components: int | float | str | None = 0.9,
        *,
        kernel: KernelLike = "gaussian",
        approximation: KernelFeatures | None = None,
        indefinite: Indefinite = "raise",
        n_folds: int = 5,
        memory: int | str | None = None,
        random_state: SeedLike = None,
    ) -> None:
        self.n_components = n_components
        self.kernel = kernel
        self.approximation = approximation
        self.indefinite = indefinite
        self.n_folds = n_folds
        self.memory = memory
        self.random_state = random_state

    def predict(self, X: DataLike) -> np.ndarray:
        """Return the predicted numbers, (m,) or (m, t)."""
        return self._coordinates(X) @ self.coef_ + self.intercept_

    def _target(self, y: VectorLike, rows: Table, w: np.ndarray | None) -> np.ndarray:
        return numbers_of(y, rows, type(self).__name__)

    def _fit_on(
        self, Z: np.ndarray, target: np.ndarray, live: np.ndarray, w: np.ndarray | None
    ) -> dict[str, Any]:
        intercept, coef = _least_squares(Z, target[live], w)
        return {"intercept_": intercept, "coef_": coef}

    def _cross_validate(
        self,
        axes: KernelPCA,
        X: DataLike,
        target: np.ndarray,
        live: np.ndarray,
        w: np.ndarray | None,
    ) -> pd.DataFrame:
        y = target[live]

        def trial(
            Z: np.ndarray, Z_new: np.ndarray, train: np.ndarray, test: np.ndarray
        ) -> np.ndarray:
            b, C = _least_squares(Z, y[train], None if w is None else w[train])
            errors = (Z_new @ C + b - y[test]) ** 2
            return errors if errors.ndim == 1 else errors.sum(axis=1)

        folds = whole(self.n_folds, "n_folds", 2)
        return cross_validated(
            axes, X, w, y, trial, folds=folds, every=True, random_state=self.random_state
        )

    def score(self, X: DataLike, y: VectorLike, sample_weight: WeightsLike = None) -> float:
        """Return R², the mean over the columns of y where it has several.

        A labelled y goes to labelled rows by label.
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
    return mean - (p @ Z) @ _over(C, squares), _over(C, squares)


def _over(C: np.ndarray, squares: np.ndarray) -> np.ndarray:
    safe = np.where(squares > 0, squares, np.inf)
    return (C.T / safe).T
