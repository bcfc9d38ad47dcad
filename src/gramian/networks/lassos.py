"""Sparse models: the graphical lasso, and a lasso for every variable on all the others."""

from __future__ import annotations

import warnings

import numpy as np
from scipy.special import ndtri

from gramian._core.warn import warn
from gramian.errors import ConvergenceWarning, InputError
from gramian.networks.correlations import upper

_PATH = 12  # penalties tried
_LEAST = 0.05  # the smallest of them, over the largest
_SWEEPS = 2_000
_KKT = 1e-2  # largest violation of the conditions of a minimum, in penalties
_LARGEST = 1_000  # variables


def graphical_lasso(U: np.ndarray, penalty: float | None) -> np.ndarray:
    """Return partial correlations of the lasso-penalised precision matrix, for the pairs i < j.

    It minimises −log det Θ + tr(RΘ) + penalty·Σ_{i≠j} |θ_ij|. Without a penalty the one of the
    least extended BIC (γ = 1/2, Foygel and Drton 2010) is taken.
    """
    n, p = U.shape
    if p > _LARGEST:
        raise InputError(
            f"X has {p} columns, too many for the graphical lasso: keep the {_LARGEST} that vary "
            'most, or use method="neighbourhood"'
        )
    R = U.T @ U
    R[np.diag_indices(p)] = 1.0
    if penalty is not None:
        theta = _solve(R, penalty)
        if theta is None:
            raise InputError(f"penalty={penalty!r} is too small for these data: give a larger one")
        return _partial(theta)
    largest = float(np.abs(R[upper(p)]).max())
    best, chosen = np.inf, np.eye(p)
    if largest > 0:
        for alpha in largest * np.geomspace(1.0, _LEAST, _PATH)[1:]:
            theta = _solve(R, float(alpha))
            if theta is None:
                break
            score = _extended_bic(theta, R, n)
            if score < best:
                best, chosen = score, theta
        if _extended_bic(np.eye(p), R, n) <= best:
            chosen = np.eye(p)
    return _partial(chosen)


def _solve(R: np.ndarray, alpha: float) -> np.ndarray | None:
    """Return Θ, None where the method breaks down; warn where Θ is not the minimum."""
    from sklearn.covariance import graphical_lasso as sklearn_lasso
    from sklearn.exceptions import ConvergenceWarning as SklearnWarning

    with warnings.catch_warnings():
        # Its gap often stalls at rounding just above the tolerance: we test the answer instead.
        warnings.simplefilter("ignore", SklearnWarning)
        try:
            _, theta = sklearn_lasso(R, alpha, tol=1e-9, enet_tol=1e-10, max_iter=100)
        except FloatingPointError:
            return None
    theta = 0.5 * (theta + theta.T)
    if _violation(theta, R, alpha) > _KKT * alpha:
        warn(
            f"the graphical lasso did not reach its minimum for penalty={alpha:.4g}: give a "
            "larger one",
            ConvergenceWarning,
        )
    return theta


def _violation(theta: np.ndarray, R: np.ndarray, alpha: float) -> float:
    """Return how far Θ⁻¹ − R is from penalty·sign(θ_ij), or beyond ±penalty where θ_ij = 0."""
    at = upper(len(R))
    slope, sign = (np.linalg.inv(theta) - R)[at], np.sign(theta[at])
    gap = np.where(sign == 0, np.maximum(np.abs(slope) - alpha, 0.0), np.abs(slope - alpha * sign))
    return float(gap.max())


def _extended_bic(theta: np.ndarray, R: np.ndarray, n: int) -> float:
    p = len(R)
    edges = np.count_nonzero(theta[upper(p)])
    loss = n * (float((R * theta).sum()) - np.linalg.slogdet(theta)[1])
    return float(loss + edges * (np.log(n) + 2.0 * np.log(p)))


def _partial(theta: np.ndarray) -> np.ndarray:
    d = 1.0 / np.sqrt(np.diagonal(theta))
    return -(theta * d[:, None] * d)[upper(len(d))] + 0.0


def neighbourhoods(U: np.ndarray, penalty: float | None, join: str) -> np.ndarray:
    """Return the edges of Meinshausen and Bühlmann (2006), as numbers for the pairs i < j.

    Each variable z_j, of mean square 1, is regressed on the others with ½|z_j − Zb|²/n + a|b|₁.
    Without a penalty a = Φ⁻¹(1 − α/(2p²))/√n, α = 0.05: with about this probability at most,
    two parts of the network that have nothing to do with each other are joined.
    The number of an edge is ±√|b_ij b_ji|, an estimate of the partial correlation; with
    join="or", where one of them may be 0, the larger one.
    """
    n, p = U.shape
    a = -float(ndtri(0.05 / (2.0 * p**2))) / np.sqrt(n) if penalty is None else penalty
    B = _lassos(U.T @ U, a)
    i, j = upper(p)
    forth, back = B[i, j], B[j, i]
    if join == "and":
        same = np.sign(forth) == np.sign(back)
        return np.where(same, np.sign(forth) * np.sqrt(np.abs(forth * back)), 0.0)
    return np.where(np.abs(forth) >= np.abs(back), forth, back)


def _lassos(R: np.ndarray, a: float) -> np.ndarray:
    """Return the coefficients B (p, p) of every column on the others, by coordinate descent.

    One step moves the coefficient of variable k in all p regressions at once.
    """
    p = len(R)
    B = np.zeros((p, p))
    alive = np.flatnonzero(np.diagonal(R) > 0)
    for _ in range(_SWEEPS):
        change = 0.0
        for k in alive:
            g = R[k] - R[k] @ B + B[k]
            new = np.sign(g) * np.maximum(np.abs(g) - a, 0.0)
            new[k] = 0.0
            change = max(change, float(np.abs(new - B[k]).max()))
            B[k] = new
        if change <= 1e-8:
            return B
    warn(
        f"the regressions on {p} variables did not settle in {_SWEEPS} sweeps: give a larger "
        "penalty",
        ConvergenceWarning,
    )
    return B
