"""Derivative and gap of a radial profile, for classes that do not write their own."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from gramian._core.array import Array, as_kind, device_of, eps, namespace, to_numpy

Profile = Callable[[Array], Array]

# Central differences of order 8: weights of φ(t + kh) − φ(t − kh), k = 1 … 4.
_WEIGHTS = (4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0)
_STEP = 0.02  # h/t, bounded for large t, where a profile decays on a scale of 1
_LOSS = 1e-8  # of φ(0), that a profile must have lost for its differences to have digits
_DECADES = 10.0 ** np.arange(-60.0, 13.0)  # of t
_ROUNDING = float(np.finfo(np.float64).eps)


def numerical_derivative(profile: Profile, t: np.ndarray) -> np.ndarray:
    """Return φ′(t) by central differences in double precision.

    It has 9 digits where 1e-4 of φ(0) is lost or more. Below the t₀ at which 1e-8 is lost it is
    φ′(t₀), and at t = 0 it is 0 for a profile with a kink there: in a gradient φ′(t) is multiplied
    by √t, which is then small.

    >>> numerical_derivative(lambda t: 1.0 / (1.0 + t), np.array([1.0])).round(10)
    array([-0.25])
    """
    with np.errstate(all="ignore"):  # far away a profile may overflow
        gap = np.abs(difference_from_zero(profile, _DECADES))
    t0 = _DECADES[int(np.argmax(gap > _LOSS * abs(float(profile(np.zeros(1))[0]))))]
    slope = _differences(profile, np.maximum(t, t0))
    near, far = np.abs(_differences(profile, np.array([t0, 100.0 * t0])))
    return np.where(t <= 0, 0.0, slope) if near > 1.5 * far else slope


def _differences(profile: Profile, t: np.ndarray) -> np.ndarray:
    h = _STEP * t / (1.0 + 0.1 * t)
    total = np.zeros_like(t)
    for k, weight in enumerate(_WEIGHTS, start=1):
        total += weight * (to_numpy(profile(t + k * h)) - to_numpy(profile(t - k * h)))
    return total / h


def difference_from_zero(profile: Profile, t: Array) -> Array:
    """Return φ(0) − φ(t), right to the last digit of φ(0)."""
    xp = namespace(t)
    top = profile(xp.zeros(1, dtype=t.dtype, device=device_of(t)))
    return top - profile(xp.asarray(t, copy=True))


def integrated_gap(profile: Profile, derivative: Profile, t: Array) -> Array:
    """Return φ(0) − φ(t), right to its own last digits: where the difference is small, −∫ φ′.

    >>> slope = lambda t: -1.0 / (1.0 + t) ** 2
    >>> f"{integrated_gap(lambda t: 1.0 / (1.0 + t), slope, np.array([1e-18]))[0]:.12g}"
    '1e-18'
    """
    xp, gap = namespace(t), difference_from_zero(profile, t)
    top = xp.abs(profile(xp.zeros(1, dtype=t.dtype, device=device_of(t))))
    near = (xp.abs(gap) < (1e-3 if eps(t.dtype, xp) < 1e-10 else 0.1) * top) & (t > 0)
    if bool(xp.any(near)):
        close = to_numpy(t[near]).astype(np.float64)
        plain, integral = difference_from_zero(profile, close), -_integral(derivative, close)
        # Beyond a switch (`where`, `clip`) the integral is the poorer of the two.
        agree = np.abs(integral - plain) <= 64.0 * _ROUNDING * float(top[0])
        gap[near] = as_kind(np.where(agree, integral, plain), t)
    return gap


def _integral(derivative: Profile, t: np.ndarray) -> np.ndarray:
    """Return ∫₀ᵗ φ′ by the double exponential rule, which any power of t at 0 leaves exact.

    The nodes are t·x, x = 1/(1 + exp(−π·sinh τ)) at equal steps in τ (Takahasi and Mori 1974).
    """
    step = 1.0 / 12.0
    total = np.zeros_like(t)
    for tau in np.arange(-5.3, 3.3, step):
        tail = math.exp(-math.pi * abs(math.sinh(tau)))  # the smaller of x and 1 − x, nearly
        x = tail / (1.0 + tail) if tau < 0 else 1.0 / (1.0 + tail)
        weight = math.pi * math.cosh(tau) * tail / (1.0 + tail) ** 2
        slope = to_numpy(derivative(t * x))
        total += step * weight * np.where(np.isfinite(slope), slope, 0.0) * t
    return total
