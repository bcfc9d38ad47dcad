"""Kernels of the distance."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from gramian._array import Array, exp, namespace, root
from gramian._check import positive
from gramian._pairs import Pairs, Points
from gramian.kernels.base import Change, Kernel, Radial
from gramian.kernels.registry import register

__all__ = ["Exponential", "Gaussian", "Laplacian", "RationalQuadratic"]


@register("gaussian", "rbf")
class Gaussian(Radial):
    """The Gaussian kernel, k(x, y) = exp(−|x−y|²/(2·scale²)).

    Parameters
    ----------
    scale : positive float, "median", "median_all" or "columns"
        The standard deviation; "median" is √(h/2), h the median squared distance between distinct
        points. Under "median_all" h is the median over all n² pairs, zeros too. "columns" is
        √(p/2) for p columns, scikit-learn's default (gamma = 1/p).

    Examples
    --------
    >>> float(Gaussian(scale=2.0)([[0.0], [2.0]])[0, 1].round(6))
    0.606531
    """

    steepness = 0.5

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

    def derivative(self, t: Array) -> Array:
        """−exp(−t/2)/2."""
        return -0.5 * exp(-0.5 * t)

    def gap(self, t: Array) -> Array:
        """1 − exp(−t/2)."""
        return lost(-0.5 * t)

    def frequencies(self, rng: np.random.Generator, p: int, m: int) -> np.ndarray:
        """Normal."""
        return rng.standard_normal((p, m)) / float(self.scale)


@register
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

    def derivative(self, t: Array) -> Array:
        """−exp(−√t)/(2√t)."""
        xp = namespace(t)
        d = xp.sqrt(t)
        return xp.where(d > 0, -0.5 * exp(-d) / xp.where(d > 0, d, xp.ones_like(d)), 0.0 * d)

    def gap(self, t: Array) -> Array:
        """1 − exp(−√t)."""
        return lost(-root(1.0 * t))  # of a copy, as roots are taken in place

    def frequencies(self, rng: np.random.Generator, p: int, m: int) -> np.ndarray:
        """Cauchy's law of p coordinates, the t of one degree of freedom."""
        return student(rng, p, m, 1.0) / float(self.scale)


@register
class RationalQuadratic(Radial):
    """The rational quadratic kernel, k(x, y) = (1 + |x−y|²/(2·alpha·scale²))^(−alpha).

    >>> float(RationalQuadratic(scale=1.0, alpha=0.5)([[0.0], [1.0]])[0, 1].round(6))
    0.707107
    """

    steepness = 0.5

    def __init__(self, scale: float | str = "median", alpha: float = 1.0) -> None:
        self.scale = scale
        self.alpha = alpha

    def profile(self, t: Array) -> Array:
        """(1 + t/(2·alpha))^(−alpha)."""
        alpha = positive(self.alpha, "alpha")
        return (1.0 + t / (2.0 * alpha)) ** -alpha

    def derivative(self, t: Array) -> Array:
        """−(1 + t/(2·alpha))^(−alpha−1)/2."""
        alpha = positive(self.alpha, "alpha")
        return -0.5 * (1.0 + t / (2.0 * alpha)) ** (-alpha - 1.0)

    def gap(self, t: Array) -> Array:
        """1 − (1 + t/(2·alpha))^(−alpha)."""
        xp, alpha = namespace(t), positive(self.alpha, "alpha")
        return lost(-alpha * xp.log1p(t / (2.0 * alpha)))

    def frequencies(self, rng: np.random.Generator, p: int, m: int) -> np.ndarray:
        """Normal, with a precision that follows a gamma law."""
        alpha = positive(self.alpha, "alpha")
        normal = rng.standard_normal((p, m))
        return normal * np.sqrt(rng.gamma(alpha, 1.0 / alpha, m)) / float(self.scale)


def lost(exponent: Array) -> Array:
    """Return 1 − e^exponent: what a similarity has lost."""
    gap = namespace(exponent).expm1(exponent)
    gap *= -1.0
    return gap


def student(rng: np.random.Generator, p: int, m: int, dof: float) -> np.ndarray:
    """Return draws of the t distribution of p coordinates, (p, m): Matérn's law, dof = 2ν."""
    return rng.standard_normal((p, m)) / np.sqrt(rng.chisquare(dof, m) / dof)


@register
class Laplacian(Kernel):
    """The Laplacian kernel of the sum of absolute differences, k(x, y) = exp(−‖x−y‖₁/scale).

    `scale` is a number or a rule, as for `Gaussian`; "columns" is p, the number of columns.

    >>> float(Laplacian(scale=1.0)([[0.0, 0.0], [0.5, 0.5]])[0, 1].round(6))
    0.367879
    """

    psd: bool | None = True
    any_precision = True
    shift_changes: Change = "nothing"

    def __init__(self, scale: float | str = "median") -> None:
        self.scale = scale

    def evaluate(self, pairs: Pairs) -> Array:
        """exp(−‖x−y‖₁/scale)."""
        return exp(-pairs.l1(positive(self.scale, "scale")))

    def squared_distance(self, pairs: Pairs) -> Array:
        """2(1 − exp(−‖x−y‖₁/scale))."""
        return 2.0 * lost(-pairs.l1(positive(self.scale, "scale")))

    def frequencies(self, rng: np.random.Generator, p: int, m: int) -> np.ndarray:
        """Cauchy's law in each coordinate."""
        return rng.standard_cauchy((p, m)) / float(self.scale)

    def self_similarity(self, X: Any) -> Array:
        """One for every row."""
        return namespace(X).ones(X.shape[0], dtype=X.dtype, device=X.device)

    def resolve(self, points: Points, weights: Any = None, names: Any = None) -> Kernel:
        """Return the kernel with its scale a number; "median" is that of radial kernels."""
        from gramian.kernels.bandwidth import scale_of

        scale = scale_of(self.scale, points, weights, float)
        return Laplacian(scale) if isinstance(self.scale, str) else self
