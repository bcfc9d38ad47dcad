"""Derivatives of kernel profiles, for gradients and pre-images."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import gamma, kv

from gramian.kernels.base import Kernel
from gramian.kernels.dot import Linear, Polynomial, Sigmoid
from gramian.kernels.radial import Exponential, Gaussian, Matern, RationalQuadratic

__all__ = ["Slope", "profile_slope"]

Slope = Callable[[np.ndarray], np.ndarray]


def profile_slope(kernel: Kernel) -> Slope | None:
    """Return the derivative of a kernel's profile, or None where it is not known.

    Of a radial kernel with respect to t = |x − y|²/scale², of a kernel of the inner product with
    respect to s = ⟨x, y⟩. At t = 0 a kernel with a kink has no derivative: 0 is returned, the mean
    over all directions of what counts for a gradient.

    >>> profile_slope(Gaussian(scale=1.0))(np.array([0.0, 2.0])).round(6)
    array([-0.5    , -0.18394])
    """
    made = _SLOPES.get(type(kernel))
    return None if made is None else made(kernel)


def _gaussian(kernel: Any) -> Slope:
    return lambda t: -0.5 * np.exp(-0.5 * t)


def _exponential(kernel: Any) -> Slope:
    return lambda t: _over(-0.5 * np.exp(-np.sqrt(t)), np.sqrt(t))


def _rational_quadratic(kernel: Any) -> Slope:
    alpha = float(kernel.alpha)
    return lambda t: -0.5 * (1.0 + t / (2.0 * alpha)) ** (-alpha - 1.0)


def _matern(kernel: Any) -> Slope:
    """−2^(1−ν)/Γ(ν)·ν·z^(ν−1)·K_{ν−1}(z), z = √(2ν·t)."""
    nu = float(kernel.nu)
    if nu == math.inf:
        return _gaussian(kernel)
    if nu == 0.5:
        return lambda t: _over(-0.5 * np.exp(-np.sqrt(t)), np.sqrt(t))
    if nu == 1.5:
        return lambda t: -1.5 * np.exp(-np.sqrt(3.0 * t))
    if nu == 2.5:
        return lambda t: -5.0 / 6.0 * (1.0 + np.sqrt(5.0 * t)) * np.exp(-np.sqrt(5.0 * t))

    def slope(t: np.ndarray) -> np.ndarray:
        z = np.sqrt(2.0 * nu * t)
        at_zero = -nu / (2.0 * (nu - 1.0)) if nu > 1 else 0.0
        safe = np.where(z > 0, z, 1.0)
        found = -(2.0 ** (1.0 - nu)) / gamma(nu) * nu * safe ** (nu - 1.0) * kv(nu - 1.0, safe)
        return np.where(z > 0, found, at_zero)

    return slope


def _linear(kernel: Any) -> Slope:
    return np.ones_like


def _polynomial(kernel: Any) -> Slope:
    d, a, b = int(kernel.degree), float(kernel.scale), float(kernel.offset)
    return lambda s: a * d * (a * s + b) ** (d - 1)


def _sigmoid(kernel: Any) -> Slope:
    a, b = float(kernel.scale), float(kernel.offset)
    return lambda s: a / np.cosh(np.clip(a * s + b, -350.0, 350.0)) ** 2


def _over(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.divide(a, b, out=np.zeros_like(a), where=b > 0)


_SLOPES: dict[type, Callable[[Any], Slope]] = {
    Gaussian: _gaussian,
    Exponential: _exponential,
    RationalQuadratic: _rational_quadratic,
    Matern: _matern,
    Linear: _linear,
    Polynomial: _polynomial,
    Sigmoid: _sigmoid,
}
