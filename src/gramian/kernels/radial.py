"""Kernels of the distance."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import gamma, gammaln, kv, kve

from gramian._array import Array, as_kind, exp, namespace, root, to_numpy
from gramian._pairs import Pairs, Points
from gramian.errors import InputError
from gramian.kernels.base import Kernel, Radial, positive

__all__ = ["Exponential", "Gaussian", "Laplacian", "Matern", "RationalQuadratic"]


class Gaussian(Radial):
    """The Gaussian kernel, k(x, y) = exp(−|x−y|²/(2·scale²)).

    Parameters
    ----------
    scale : positive float or "median"
        The standard deviation; "median" is √(h/2), h the median squared distance.

    Examples
    --------
    >>> float(Gaussian(scale=2.0)([[0.0], [2.0]])[0, 1].round(6))
    0.606531
    """

    slope = 0.5

    def __init__(self, scale: float | str = "median") -> None:
        self.scale = scale

    @classmethod
    def from_gamma(cls, gamma: float) -> Gaussian:
        """Return the kernel exp(−γ|x−y|²).

        >>> Gaussian.from_gamma(0.5)
        Gaussian(scale=1.0)
        """
        return cls(scale=1.0 / math.sqrt(2.0 * positive(gamma, "gamma")))

    def profile(self, t: Array) -> Array:
        """exp(−t/2)."""
        t *= -0.5
        return exp(t)


class Exponential(Radial):
    """The exponential kernel, k(x, y) = exp(−|x−y|/scale), also Matérn's with ν = 1/2.

    >>> float(Exponential(scale=2.0)([[0.0], [2.0]])[0, 1].round(6))
    0.367879
    """

    def __init__(self, scale: float | str = "median") -> None:
        self.scale = scale

    def profile(self, t: Array) -> Array:
        """exp(−√t)."""
        return exp(-root(t))


class RationalQuadratic(Radial):
    """The rational quadratic kernel, k(x, y) = (1 + |x−y|²/(2·alpha·scale²))^(−alpha).

    >>> float(RationalQuadratic(scale=1.0, alpha=0.5)([[0.0], [1.0]])[0, 1].round(6))
    0.707107
    """

    slope = 0.5

    def __init__(self, scale: float | str = "median", alpha: float = 1.0) -> None:
        self.scale = scale
        self.alpha = alpha

    def profile(self, t: Array) -> Array:
        """(1 + t/(2·alpha))^(−alpha)."""
        alpha = positive(self.alpha, "alpha")
        return (1.0 + t / (2.0 * alpha)) ** -alpha


class Matern(Radial):
    """Matérn's kernel, k = 2^(1−ν)/Γ(ν) · z^ν K_ν(z), z = √(2ν)·|x−y|/scale.

    Parameters
    ----------
    nu : positive float or inf
        The smoothness; 1/2, 3/2, 5/2 and inf (the Gaussian) have closed forms, any other works.
    scale : positive float or "median"

    Examples
    --------
    >>> float(Matern(nu=1.5, scale=1.0)([[0.0], [1.0]])[0, 1].round(6))
    0.483358
    """

    def __init__(self, nu: float = 1.5, scale: float | str = "median") -> None:
        self.nu = nu
        self.scale = scale

    @property
    def slope(self) -> float:  # type: ignore[override]
        """The largest |profile′|, at t = 0: ν/(2(ν−1)), infinite for ν ≤ 1."""
        nu = self._nu
        return 0.5 if nu == math.inf else nu / (2.0 * (nu - 1.0)) if nu > 1 else math.inf

    @property
    def _nu(self) -> float:
        return math.inf if self.nu == math.inf else positive(self.nu, "nu")

    def profile(self, t: Array) -> Array:
        """Matérn's function of z = √(2ν·t)."""
        nu = self._nu
        if nu == math.inf:
            return exp(-0.5 * t)
        z = root((2.0 * nu) * t)
        if nu == 0.5:
            return exp(-z)
        if nu == 1.5:
            return (1.0 + z) * exp(-z)
        if nu == 2.5:
            return (1.0 + z + z * z / 3.0) * exp(-z)
        return as_kind(_matern(to_numpy(z).astype(np.float64), nu), t)


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
        value = np.where(z < near, _matern_near_zero(z, nu), value)
    return np.where(z == 0, 1.0, np.clip(value, 0.0, 1.0))


def _matern_near_zero(z: np.ndarray, nu: float) -> np.ndarray:
    """Return the series around 0; above ν = 1 without its z^(2ν) part, which is nothing there."""
    smooth = _series(z, -nu, min(math.ceil(nu), 30) if nu > 1 else 12)
    if nu > 1:
        return smooth
    rough = gamma(1.0 - nu) / gamma(1.0 + nu) * (0.5 * z) ** (2.0 * nu)
    return smooth - rough * _series(z, nu, 12)


def _series(z: np.ndarray, a: float, terms: int) -> np.ndarray:
    """Return Σ (z²/4)^k/(k!·(1+a)_k) over k < terms."""
    total = term = np.ones_like(z)
    for k in range(1, terms):
        term = term * (0.25 * z * z) / (k * (k + a))
        total = total + term
    return total


class Laplacian(Kernel):
    """The Laplacian kernel of the sum of absolute differences, k(x, y) = exp(−‖x−y‖₁/scale).

    >>> float(Laplacian(scale=1.0)([[0.0, 0.0], [0.5, 0.5]])[0, 1].round(6))
    0.367879
    """

    psd: bool | None = True
    any_precision = True

    def __init__(self, scale: float | str = "median") -> None:
        self.scale = scale

    def evaluate(self, pairs: Pairs) -> Array:
        """exp(−‖x−y‖₁/scale)."""
        return exp(-pairs.l1(positive(self.scale, "scale")))

    def self_similarity(self, X: Any) -> Array:
        """One for every row."""
        return namespace(X).ones(X.shape[0], dtype=X.dtype, device=X.device)

    def resolve(self, points: Points, weights: Any = None, names: Any = None) -> Kernel:
        """Return the kernel with its scale a number; "median" is that of radial kernels."""
        from gramian.kernels.bandwidth import median_of

        if isinstance(self.scale, str):
            if self.scale != "median":
                raise InputError(f'scale={self.scale!r} must be a positive number or "median"')
            return Laplacian(median_of(points, weights))
        positive(self.scale, "scale")
        return self
