"""One minus Matérn's function, right relative to itself."""

from __future__ import annotations

import numpy as np
from scipy.special import digamma, gamma, gammainc, iv

from gramian.kernels.radial import _matern

__all__ = ["matern_gap"]


def matern_gap(z: np.ndarray, nu: float) -> np.ndarray:
    """Return 1 − Matérn's function; where it is small, by the series without its term 1."""
    if nu == 0.5:
        return -np.expm1(-z)
    if nu == 1.5:
        return gammainc(2.0, z)  # 1 − (1 + z)e^{−z}
    if nu == 2.5:
        return gammainc(3.0, z) + z * z / 6.0 * np.exp(-z)
    gap = 1.0 - _matern(z, nu)
    small = (z < 1.0) & (z > 0.0)
    n = round(nu)
    if nu < 30.0 and (nu == n or abs(nu - n) > 1e-4):  # between, the two parts of the series cancel
        gap[small] = _gap_whole(z[small], n) if nu == n else _gap_series(z[small], nu)
    return gap


def _gap_series(z: np.ndarray, nu: float) -> np.ndarray:
    """Return 1 − Matérn's function for ν that is no whole number."""
    rough = gamma(1.0 - nu) / gamma(1.0 + nu) * (0.5 * z) ** (2.0 * nu)
    return rough * (1.0 + _tail(z, nu, 24)) - _tail(z, -nu, 24)


def _gap_whole(z: np.ndarray, n: int) -> np.ndarray:
    """Return 1 − Matérn's function for ν = n, whose series has a logarithm."""
    t = 0.25 * z * z
    k = np.arange(16)
    weights = (digamma(k + 1.0) + digamma(n + k + 1.0)) / (gamma(k + 1.0) * gamma(n + k + 1.0))
    inner = -np.log(0.5 * z) * iv(n, z) + 0.5 * (0.5 * z) ** n * (t[..., None] ** k @ weights)
    return -_tail(z, -n, n) - (-1.0) ** n * 2.0 / gamma(n) * (0.5 * z) ** n * inner


def _tail(z: np.ndarray, a: float, terms: int) -> np.ndarray:
    """Return Σ (z²/4)^k/(k!·(1+a)_k) over 1 ≤ k < terms."""
    total, term = np.zeros_like(z), np.ones_like(z)
    for k in range(1, terms):
        term = term * (0.25 * z * z) / (k * (k + a))
        total += term
    return total
