"""Logistic regression on principal components of a kernel."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import pandas as pd
from scipy.special import log_softmax

from gramian._core.check import number, whole
from gramian._core.table import Table
from gramian._estimators.kernel_pca import KernelPCA
from gramian._estimators.logistic import fit_or_penalise, linear_predictor
from gramian._estimators.predictors.classifier import Classifier
from gramian._estimators.predictors.components import ComponentModel
from gramian._estimators.predictors.targets import classes_of
from gramian._estimators.predictors.tuning import cross_validated


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
        kernel: Any = "gaussian",
        penalty: float = 0.0,
        approximation: Any = None,
        indefinite: str = "raise",
        n_folds: int = 5,
        max_iter: int = 100,
        memory: int | str | None = None,
        random_state: Any = None,
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

    def _predictors(self, X: Any) -> np.ndarray:
        eta = linear_predictor(self._coordinates(X), self.intercept_, self.coef_)
        return np.hstack([np.zeros_like(eta), eta]) if len(self.classes_) == 2 else eta

    def _target(self, y: Any, rows: Table, w: np.ndarray | None) -> Any:
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

    def _held_out(
        self, axes: KernelPCA, X: Any, target: Any, live: np.ndarray, w: np.ndarray | None
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
