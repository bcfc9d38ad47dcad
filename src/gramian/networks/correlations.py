"""How strongly every pair of variables is tied: shrunk correlations and partial correlations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.linalg import cho_factor, cho_solve
from scipy.optimize import brentq
from scipy.special import betainc, digamma

from gramian._core.check import generator
from gramian.errors import InputError

_NULL_VALUES = 20_000  # partial correlations of noise from which their law is fitted
_MOST = 0.999  # shrinkage


@dataclass(frozen=True, eq=False)
class Scores:
    """A number for each pair i < j, row by row, and the law of such numbers without a tie."""

    values: np.ndarray  # (p(p−1)/2,)
    shrinkage: float = 0.0
    p_values: Callable[[np.ndarray], np.ndarray] | None = None  # of |values|


def near_one(X: np.ndarray) -> np.ndarray:
    """Return columns, (…, n, p), times powers of two, which round nothing: no mean overflows.

    >>> near_one(np.array([[1e300], [3.0]])).max() < 2
    np.True_
    """
    return np.ldexp(X, 1 - np.frexp(np.abs(X).max(axis=-2, keepdims=True))[1])


def unit_columns(X: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return columns centred and of length 1, and which are constant; these become zero.

    X is a table (n, p) or several of them, (m, n, p).
    """
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
    """Return Schäfer and Strimmer's (2005) λ = Σ Var(r_ij)/Σ r_ij² over i ≠ j.

    Var(r_ij) = n/(n − 1)·(Σ_k u_ki² u_kj² − r_ij²/n), u the columns of length 1. It lies in
    [0, 0.999]: at 1 all pairs would be equal, and their order lost.
    """
    n = U.shape[0]
    squares = U**2
    products = float((squares.sum(axis=1) ** 2).sum() - (squares**2).sum())
    correlation = float((R**2).sum() - (np.diagonal(R) ** 2).sum())
    if correlation <= 0:
        return _MOST
    lam = n / (n - 1) * (products - correlation / n) / correlation
    return float(np.clip(lam, 0.0, _MOST))


def correlations(U: np.ndarray, shrinkage: float | None) -> Scores:
    """Return the correlations times 1 − λ.

    One factor for all pairs leaves their order, and so the test of each, what it is without: under
    independence r² follows Beta(1/2, (n − 2)/2) exactly, for normal variables.
    """
    n, p = U.shape
    R = U.T @ U
    lam = shrinkage_of(U, R) if shrinkage is None else shrinkage
    values = np.clip(R[upper(p)], -1.0, 1.0) * (1.0 - lam)
    return Scores(values, lam, lambda size: _tail(size, 1.0 - lam, n - 1.0))


def partial_correlations(U: np.ndarray, shrinkage: float | None) -> Scores:
    """Return the partial correlations of (1 − λ)R + λI.

    Their law without a tie has r²/(1 − λ)² near Beta(1/2, (κ − 1)/2) (Bernal et al. 2019). Without
    shrinkage κ = n − p + 1 is exact; otherwise it is fitted to noise of the same size, with this λ.
    """
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
    d = 1.0 / np.sqrt(np.diagonal(P))
    return np.clip(-(P * d[:, None] * d)[upper(p)], -1.0, 1.0)


def _tail(size: np.ndarray, largest: float, kappa: float) -> np.ndarray:
    """Return P(|r| ≥ size) where r²/largest² follows Beta(1/2, (κ − 1)/2)."""
    if largest <= 0.0:
        return np.ones_like(size)
    u = np.minimum(size / largest, 1.0)
    return betainc(0.5 * (kappa - 1.0), 0.5, (1.0 - u) * (1.0 + u))


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
