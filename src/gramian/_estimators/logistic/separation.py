"""Can linear functions of the features tell the classes apart? Then no maximum likelihood exists.

Classes are separated, at least in part, when some functions give no row a larger value at another
class than at its own, and some row a smaller one: likelihood then grows for ever along them
(Albert and Anderson 1984). A linear programme decides.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy.optimize import linprog

from gramian._core.array import power_of_two
from gramian._core.warn import warn
from gramian._estimators.logistic.newton import FAR, Logistic, contrasts, fit_logistic
from gramian.errors import ConvergenceWarning, SeparationWarning

LARGEST = 2**24  # entries of the programme's matrix
_MARGIN = 1e-5  # features have size 1; the programme's own tolerance is 1e-7


def is_separated(F: np.ndarray, codes: np.ndarray, n_classes: int) -> bool | None:
    """Whether classes are separated, wholly or in part; None where the programme is too large.

    >>> F = np.array([[0.0], [1.0], [1.0], [2.0]])
    >>> is_separated(F, np.array([0, 0, 1, 1]), 2)
    True
    >>> is_separated(F, np.array([0, 1, 1, 0]), 2)
    False
    """
    n, Q = len(F), contrasts(n_classes)
    unknowns = (F.shape[1] + 1) * Q.shape[1]
    if n * (n_classes - 1) * unknowns > LARGEST:
        return None
    size = np.abs(F).max(axis=0, initial=0.0)
    X = np.concatenate([np.ones((n, 1)), F / np.where(size > 0, size, 1.0)], axis=1)
    margins = [
        (X[:, :, None] * (Q[codes] - Q[k])[:, None, :])[codes != k].reshape(-1, unknowns)
        for k in range(n_classes)
    ]
    A = np.concatenate(margins)
    programme = linprog(-A.sum(axis=0), A_ub=-A, b_ub=np.zeros(len(A)), bounds=(-1.0, 1.0))
    return bool(programme.status == 0 and (A @ programme.x).max() > _MARGIN)


def fit_or_penalise(
    F: np.ndarray,
    codes: np.ndarray,
    n_classes: int,
    w: np.ndarray | None,
    penalty: float,
    max_iter: int = 100,
) -> tuple[Logistic, float]:
    """Return the model and its penalty, which is not 0 where maximum likelihood does not exist.

    The penalty is then the total variance of the features: the functions are held to a standard
    deviation of about 1, whatever the unit of the features. A warning says so.
    """
    unit = power_of_two(float(np.abs(F).max())) if F.size else 1.0
    used, F = penalty, F / unit  # so that no square leaves the range of numbers
    if penalty > 0:
        penalty = max(penalty / unit / unit, np.finfo(float).tiny)
    model = fit_logistic(F, codes, n_classes, w, penalty=penalty, max_iter=max_iter)
    if penalty == 0 and (model.separated or _endless(model, F, codes, n_classes)):
        penalty = _total_variance(F, w)
        used = penalty * unit * unit
        warn(
            "the features separate the classes, wholly or in part: the maximum likelihood estimate "
            "does not exist (its coefficients are infinite). The penalty in `penalty_` is used "
            "instead of 0: give one, or use fewer features",
            SeparationWarning,
        )
        model = fit_logistic(F, codes, n_classes, w, penalty=penalty, max_iter=max_iter)
    if not model.converged:
        warn(
            f"Newton's method did not converge in {model.n_iter} steps: raise max_iter= or the "
            "penalty",
            ConvergenceWarning,
        )
    return replace(model, coef=model.coef / unit), used


def _endless(model: Logistic, F: np.ndarray, codes: np.ndarray, n_classes: int) -> bool:
    """Whether the iteration was on its way to infinity."""
    eta = model.intercept + F @ model.coef
    far = float(np.ptp(eta, axis=1).max()) > FAR
    return (far or not model.converged) and is_separated(F, codes, n_classes) is True


def _total_variance(F: np.ndarray, w: np.ndarray | None) -> float:
    p = np.full(len(F), 1.0 / len(F)) if w is None else w / w.sum()
    total = float((p @ (F - p @ F) ** 2).sum())
    return total if total > 0 else 1.0
