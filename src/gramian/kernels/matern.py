"""Matérn's kernel, for any smoothness."""

import math

import numpy as np
from scipy.special import digamma, gamma, gammainc, gammaln, iv, kv, kve

from gramian._core.array import Array, as_kind, exp, is_numpy, namespace, sqrt, to_numpy
from gramian._core.check import is_number, positive
from gramian.kernels.radial import Exponential, Gaussian, Radial, student
from gramian.kernels.registry import register

_MAX_ARGUMENT = 1e4


@register
class Matern(Radial):
    """Matérn's kernel, k = 2^(1−ν)/Γ(ν) · z^ν K_ν(z), z = √(2ν)·|x−y|/scale.

    Parameters
    ----------
    nu : positive float or inf
        The smoothness ν; 1/2, 3/2, 5/2 and inf (the Gaussian) have closed forms.
    scale : float or str
        A number or a rule, as for `Gaussian`.

    >>> float(Matern(nu=1.5, scale=1.0)([[0.0], [1.0]])[0, 1].round(6))
    0.483358
    """

    def __init__(self, nu: float = 1.5, scale: float | str = "median") -> None:
        self.nu = nu
        self.scale = scale

    @property
    def steepness(self) -> float:  # type: ignore[override]
        """The largest |profile′|, at t = 0: ν/(2(ν−1)), infinite for ν ≤ 1."""
        nu = self._nu
        return 0.5 if nu == math.inf else nu / (2.0 * (nu - 1.0)) if nu > 1 else math.inf

    @property
    def _nu(self) -> float:
        return math.inf if is_number(self.nu) and self.nu == math.inf else positive(self.nu, "nu")

    def profile(self, t: Array) -> Array:
        """Matérn's function of z = √(2ν·t)."""
        nu = self._nu
        if nu == math.inf:
            return exp(-0.5 * t)
        z = _clip(sqrt((2.0 * nu) * t))
        if nu == 0.5:
            return exp(-z)
        if nu == 1.5:
            return (1.0 + z) * exp(-z)
        if nu == 2.5:
            return (1.0 + z + z * z / 3.0) * exp(-z)
        return as_kind(_matern(to_numpy(z).astype(np.float64), nu), t)

    def derivative(self, t: Array) -> Array:
        """−2^(1−ν)/Γ(ν)·ν·z^(ν−1)·K_{ν−1}(z), which is that of Matérn's kernel of ν − 1."""
        nu = self._nu
        if nu == math.inf:
            return Gaussian().derivative(t)
        if nu == 0.5:
            return Exponential().derivative(t)
        z = np.sqrt(np.maximum(2.0 * nu * to_numpy(t).astype(np.float64), 0.0))
        return as_kind(_derivative(z, nu), t)

    def gap(self, t: Array) -> Array:
        """1 − Matérn's function; where it is small, by the series without its term 1."""
        nu = self._nu
        if nu == math.inf:
            return Gaussian().gap(t)
        z = np.sqrt(np.maximum(2.0 * nu * to_numpy(t).astype(np.float64), 0.0))
        if nu < 30.0 and (nu == round(nu) or abs(nu - round(nu)) > 1e-4):
            return as_kind(_gap(z, nu), t)
        return super().gap(t)  # between whole numbers the two parts of the series cancel

    def frequencies(self, rng: np.random.Generator, p: int, m: int) -> np.ndarray:
        """The t distribution with 2ν degrees of freedom."""
        if self._nu == math.inf:
            return Gaussian(self.scale).frequencies(rng, p, m)
        return student(rng, p, m, 2.0 * self._nu) / float(self.scale)


def _clip(z: Array) -> Array:
    """Return z, and far beyond where e^{−z} is 0 no more of it: infinity times 0 is no number."""
    if is_numpy(z) and z.ndim:
        return np.minimum(z, _MAX_ARGUMENT, out=z)
    return namespace(z).clip(z, None, _MAX_ARGUMENT)


def _matern(z: np.ndarray, nu: float) -> np.ndarray:
    """Return 2^(1−ν)/Γ(ν) z^ν K_ν(z) for any ν."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore", under="ignore"):
        value = (2.0 / gamma(nu)) * (0.5 * z) ** nu * kv(nu, z)
        # Where a factor leaves the range of the numbers, their logarithms do not.
        bad = ~(np.isfinite(value) & (value > 1e-290))
        if bad.any():
            y = z[bad]
            logs = np.log(2.0) - gammaln(nu) + nu * np.log(0.5 * y) + np.log(kve(nu, y)) - y
            value[bad] = np.where(np.isfinite(logs), np.exp(logs), 0.0)
        near = 2.0 * math.exp(-19.6 / nu) if nu > 1 else 0.5 if nu < 0.99 else 0.0
        # The series around 0; above ν = 1 without its z^(2ν) part, which is nothing there.
        series = 1.0 + _tail(z, -nu, min(math.ceil(nu), 30) if nu > 1 else 12)
        if nu <= 1:
            series = series - _rough(z, nu) * (1.0 + _tail(z, nu, 12))
        value = np.where(z < near, series, value)
    return np.where(z == 0, 1.0, np.clip(value, 0.0, 1.0))


def _rough(z: np.ndarray, nu: float) -> np.ndarray:
    """Return the first term of the series that is no power of z²."""
    return np.asarray(gamma(1.0 - nu) / gamma(1.0 + nu) * (0.5 * z) ** (2.0 * nu))


def _derivative(z: np.ndarray, nu: float) -> np.ndarray:
    """Return the derivative with respect to t = z²/(2ν); 0 at a kink."""
    if nu == 1.5:
        return np.asarray(-1.5 * np.exp(-z))
    if nu == 2.5:
        return np.asarray(-5.0 / 6.0 * (1.0 + z) * np.exp(-z))
    if nu > 1.5:
        return -nu / (2.0 * (nu - 1.0)) * _matern(z, nu - 1.0)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        slope = -(nu / gamma(nu)) * (0.5 * z) ** (nu - 1.0) * kv(nu - 1.0, z)
    at_zero = -nu / (2.0 * (nu - 1.0)) if nu > 1 else 0.0
    return np.where(z > 0, slope, at_zero)


def _gap(z: np.ndarray, nu: float) -> np.ndarray:
    """Return 1 − Matérn's function; where it is small, by the series without its term 1."""
    if nu == 0.5:
        return np.asarray(-np.expm1(-z))
    if nu == 1.5:
        return np.asarray(gammainc(2.0, z))  # 1 − (1 + z)e^{−z}
    if nu == 2.5:
        return np.asarray(gammainc(3.0, z) + z * z / 6.0 * np.exp(-z))
    gap: np.ndarray = 1.0 - _matern(z, nu)
    small = (z < 1.0) & (z > 0.0)
    z, n = z[small], round(nu)
    if nu == n:
        gap[small] = _gap_whole(z, n)
    else:
        gap[small] = _rough(z, nu) * (1.0 + _tail(z, nu, 24)) - _tail(z, -nu, 24)
    return gap


def _gap_whole(z: np.ndarray, n: int) -> np.ndarray:
    """Return 1 − Matérn's function for ν = n, whose series has a logarithm."""
    t = 0.25 * z * z
    k = np.arange(16)
    weights = (digamma(k + 1.0) + digamma(n + k + 1.0)) / (gamma(k + 1.0) * gamma(n + k + 1.0))
    inner = -np.log(0.5 * z) * iv(n, z) + 0.5 * (0.5 * z) ** n * (t[..., None] ** k @ weights)
    return np.asarray(-_tail(z, -n, n) - (-1.0) ** n * 2.0 / gamma(n) * (0.5 * z) ** n * inner)


def _tail(z: np.ndarray, a: float, terms: int) -> np.ndarray:
    """Return Σ (z²/4)^k/(k!·(1+a)_k) over 1 ≤ k < terms."""
    total, term = np.zeros_like(z), np.ones_like(z)
    for k in range(1, terms):
        term = term * (0.25 * z * z) / (k * (k + a))
        total += term
    return total
