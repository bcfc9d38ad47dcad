"""Scores of pairs of variables: shrunk correlations, partial correlations and lassos."""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import brentq
from scipy.special import betainc, digamma, ndtri

from gramian._core.check import generator, warn
from gramian.errors import ConvergenceWarning, InputError

_NULL_VALUES = 20_000  # partial correlations of noise from which their law is fitted
_MAX_SHRINKAGE = 0.999
_N_PENALTIES = 12  # tried
_LEAST_PENALTY = 0.05  # the smallest of them, over the largest
_MAX_SWEEPS = 2_000
_KKT = 1e-2  # largest violation of the conditions of a minimum, in penalties
_MAX_LASSO_COLUMNS = 1_000


@dataclass(frozen=True, eq=False)
class Scores:
    """A number for each pair i < j, row by row, and the law of such numbers without a tie."""

    values: np.ndarray  # (p(p−1)/2,)
    shrinkage: float = 0.0
    p_values: Callable[[np.ndarray], np.ndarray] | None = None  # of |values|


def near_one(X: np.ndarray) -> np.ndarray:
    """Return columns, (…, n, p), times powers of two, which round nothing: no mean overflows."""
    return np.asarray(np.ldexp(X, 1 - np.frexp(np.abs(X).max(axis=-2, keepdims=True))[1]))


def unit_columns(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return columns, (…, n, p), centred and of length 1, and which are constant, now zero."""
    X = near_one(X)
    D = X - X.mean(axis=-2, keepdims=True)
    D -= D.mean(axis=-2, keepdims=True)  # what rounding left of a large mean
    largest = np.abs(D).max(axis=-2, keepdims=True)
    still = largest <= 4 * np.finfo(np.float64).eps * np.abs(X).max(axis=-2, keepdims=True)
    D /= np.where(still, 1.0, largest)  # squares neither overflow nor vanish
    D /= np.where(still, 1.0, np.sqrt((D**2).sum(axis=-2, keepdims=True)))
    return np.where(still, 0.0, D), still[..., 0, :]


@lru_cache(maxsize=4)
def upper(p: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows and columns of the pairs i < j."""
    return np.triu_indices(p, 1)


def shrinkage_of(U: np.ndarray, R: np.ndarray) -> float:
    """Return Schäfer and Strimmer's (2005) λ = Σ Var(r_ij)/Σ r_ij² over i ≠ j, in [0, 0.999]."""
    # Var(r_ij) = n/(n − 1)·(Σ_k u_ki² u_kj² − r_ij²/n), u the columns of length 1. At λ = 1 all
    # pairs would be equal, and their order lost.
    n = U.shape[0]
    squares = U**2
    products = float((squares.sum(axis=1) ** 2).sum() - (squares**2).sum())
    correlation = float((R**2).sum() - (np.diagonal(R) ** 2).sum())
    if correlation <= 0:
        return _MAX_SHRINKAGE
    lam = n / (n - 1) * (products - correlation / n) / correlation
    return float(np.clip(lam, 0.0, _MAX_SHRINKAGE))


def correlations(U: np.ndarray, shrinkage: float | None) -> Scores:
    """Return the correlations times 1 − λ."""
    # One factor for all pairs leaves their order, and so the test of each, what it is without:
    # under independence r² follows Beta(1/2, (n − 2)/2) exactly, for normal variables.
    n, p = U.shape
    R = U.T @ U
    lam = shrinkage_of(U, R) if shrinkage is None else shrinkage
    values = np.clip(R[upper(p)], -1.0, 1.0) * (1.0 - lam)
    return Scores(values, lam, lambda size: _tail(size, 1.0 - lam, n - 1.0))


def partial_correlations(U: np.ndarray, shrinkage: float | None) -> Scores:
    """Return the partial correlations of (1 − λ)R + λI."""
    # Their law without a tie has r²/(1 − λ)² near Beta(1/2, (κ − 1)/2) (Bernal et al. 2019).
    # Without shrinkage κ = n − p + 1 is exact; otherwise it is fitted to noise of the same size,
    # with this λ.
    n, p = U.shape
    lam = shrinkage_of(U, U.T @ U) if shrinkage is None else shrinkage
    if lam == 0.0 and n <= p:
        raise InputError(
            f"shrinkage=0 needs more rows than columns, got ({n}, {p}): leave it out, or give "
            "a number between 0 and 1"
        )
    values = _partial(U, lam)

    def p_values(size: np.ndarray) -> np.ndarray:
        if lam == 1.0:
            return np.ones_like(size)
        kappa = n - p + 1.0 if lam == 0.0 else _kappa(n, p, lam)
        return _tail(size, 1.0 - lam, kappa)

    return Scores(values, lam, p_values)


def _partial(U: np.ndarray, lam: float) -> np.ndarray:
    """Return −P_ij/√(P_ii P_jj), P the inverse of (1 − λ)UᵀU + λI."""
    n, p = U.shape
    if lam == 1.0:
        return np.zeros(p * (p - 1) // 2)
    if n < p:  # Woodbury's formula: a system of n equations instead of p; P up to a factor
        small = U @ U.T
        small[np.diag_indices(n)] += lam / (1.0 - lam)
        P = -(U.T @ cho_solve(cho_factor(small), U))
        P[np.diag_indices(p)] += 1.0
    else:
        R = (1.0 - lam) * (U.T @ U)
        R[np.diag_indices(p)] = 1.0  # also for constant columns
        try:
            P = cho_solve(cho_factor(R), np.eye(p))
        except np.linalg.LinAlgError as error:
            raise InputError(
                "X has columns that are combinations of others: give a shrinkage above 0"
            ) from error
    return np.asarray(np.clip(_partial_of_precision(P), -1.0, 1.0))


def _tail(size: np.ndarray, largest: float, kappa: float) -> np.ndarray:
    """Return P(|r| ≥ size) where r²/largest² follows Beta(1/2, (κ − 1)/2)."""
    if largest <= 0.0:
        return np.ones_like(size)
    u = np.minimum(size / largest, 1.0)
    return np.asarray(betainc(0.5 * (kappa - 1.0), 0.5, (1.0 - u) * (1.0 + u)))


def _kappa(n: int, p: int, lam: float) -> float:
    """Return κ for a shrinkage, between those of the two nearest hundredths."""
    low = int(np.clip(100.0 * lam, 1, 99))
    high = min(low + 1, 99)
    share = float(np.clip(100.0 * lam - low, 0.0, 1.0))
    return (1.0 - share) * _kappa_of(n, p, low) + share * _kappa_of(n, p, high)


@lru_cache(maxsize=1024)
def _kappa_of(n: int, p: int, hundredths: int) -> float:
    """Return κ by maximum likelihood, from partial correlations of noise, the same every time."""
    lam, rng = hundredths / 100.0, generator(0)
    total, count = 0.0, 0
    while count < _NULL_VALUES:
        noise, _ = unit_columns(rng.standard_normal((n, p)))
        u = _partial(noise, lam) / (1.0 - lam)
        total += float(np.log1p(-np.minimum(u**2, 1.0 - 1e-16)).sum())
        count += u.size
    mean = total / count  # of log(1 − u²), whose expectation is ψ((κ − 1)/2) − ψ(κ/2)

    def excess(log_a: float) -> float:
        a = np.exp(log_a)
        return float(digamma(a) - digamma(a + 0.5) - mean)

    return 2.0 * float(np.exp(brentq(excess, -12.0, 25.0))) + 1.0


def graphical_lasso(U: np.ndarray, penalty: float | None) -> np.ndarray:
    """Return partial correlations of the lasso-penalised precision matrix, for the pairs i < j."""
    # It minimises −log det Θ + tr(RΘ) + penalty·Σ_{i≠j} |θ_ij|. Without a penalty the one of the
    # least extended BIC (γ = 1/2, Foygel and Drton 2010) is taken.
    n, p = U.shape
    if p > _MAX_LASSO_COLUMNS:
        raise InputError(
            f"X has {p} columns, too many for the graphical lasso: keep the {_MAX_LASSO_COLUMNS} "
            'that vary most, or use method="neighbourhood"'
        )
    R = U.T @ U
    R[np.diag_indices(p)] = 1.0
    if penalty is not None:
        theta = _solve(R, penalty)
        if theta is None:
            raise InputError(f"penalty={penalty!r} is too small for these data: give a larger one")
        return _partial_of_precision(theta)
    largest = float(np.abs(R[upper(p)]).max())
    best, least = np.eye(p), _bic(np.eye(p), R, n)
    for alpha in largest * np.geomspace(1.0, _LEAST_PENALTY, _N_PENALTIES)[1:]:
        theta = _solve(R, float(alpha)) if largest > 0 else None
        if theta is None:
            break
        if (bic := _bic(theta, R, n)) < least:
            best, least = theta, bic
    return _partial_of_precision(best)


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
    # At the minimum Θ⁻¹ − R is penalty·sign(θ_ij), within ±penalty where θ_ij = 0.
    at = upper(len(R))
    slope, sign = (np.linalg.inv(theta) - R)[at], np.sign(theta[at])
    gap = np.where(sign == 0, np.maximum(np.abs(slope) - alpha, 0.0), np.abs(slope - alpha * sign))
    if gap.max() > _KKT * alpha:
        text = f"the graphical lasso did not reach its minimum for penalty={alpha:.4g}"
        warn(f"{text}: give a larger one", ConvergenceWarning)
    return np.asarray(theta)


def _bic(theta: np.ndarray, R: np.ndarray, n: int) -> float:
    p = len(R)
    edges = np.count_nonzero(theta[upper(p)])
    loss = n * (float((R * theta).sum()) - np.linalg.slogdet(theta)[1])
    return float(loss + edges * (np.log(n) + 2.0 * np.log(p)))


def _partial_of_precision(theta: np.ndarray) -> np.ndarray:
    d = 1.0 / np.sqrt(np.diagonal(theta))
    return np.asarray(-(theta * d[:, None] * d)[upper(len(d))] + 0.0)


def neighbourhoods(U: np.ndarray, penalty: float | None, join: str) -> np.ndarray:
    """Return the edges of Meinshausen and Bühlmann (2006), as numbers for the pairs i < j."""
    # Each variable z_j, of mean square 1, is regressed on the others with ½|z_j − Zb|²/n + a|b|₁.
    # Without a penalty a = Φ⁻¹(1 − α/(2p²))/√n, α = 0.05: with about this probability at most, two
    # parts of the network that have nothing to do with each other are joined. The number of an edge
    # is ±√|b_ij b_ji|, an estimate of the partial correlation; with join="or", where one of them
    # may be 0, the larger one.
    n, p = U.shape
    a = -float(ndtri(0.05 / (2.0 * p**2))) / np.sqrt(n) if penalty is None else penalty
    B = _lassos(U.T @ U, a)
    i, j = upper(p)
    forth, back = B[i, j], B[j, i]
    if join == "and":
        same = np.sign(forth) == np.sign(back)
        return np.where(same, np.sign(forth) * np.sqrt(np.abs(forth * back)), 0.0)
    return np.asarray(np.where(np.abs(forth) >= np.abs(back), forth, back))


def _lassos(R: np.ndarray, a: float) -> np.ndarray:
    """Return the coefficients B (p, p) of every column on the others, by coordinate descent."""
    p = len(R)
    B = np.zeros((p, p))
    alive = np.flatnonzero(np.diagonal(R) > 0)
    for _ in range(_MAX_SWEEPS):
        change = 0.0
        for k in alive:  # the coefficient of variable k in all p regressions at once
            g = R[k] - R[k] @ B + B[k]
            new = np.sign(g) * np.maximum(np.abs(g) - a, 0.0)
            new[k] = 0.0
            change = max(change, float(np.abs(new - B[k]).max()))
            B[k] = new
        if change <= 1e-8:
            return B
    text = f"the regressions on {p} variables did not converge in {_MAX_SWEEPS} sweeps"
    warn(f"{text}: give a larger penalty", ConvergenceWarning)
    return B
