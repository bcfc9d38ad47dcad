"""What a profile says of itself: its derivative, and how far it has come from its value at 0."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress

import numpy as np

from gramian._array import Array, as_kind, device_of, eps, namespace, to_numpy
from gramian.kernels.jets import Undifferentiable, applied

__all__ = ["gap", "radial_derivative", "series", "tangent"]

Profile = Callable[[Array], Array]

ORDER = 40  # coefficients of the series around 0
_ROUNDING = float(np.finfo(np.float64).eps)


def tangent(profile: Profile, t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return a profile and its derivative, or raise Undifferentiable."""
    value, slope = applied(profile, np.stack([t, np.ones_like(t)]))
    return value, slope


def series(profile: Profile) -> np.ndarray | None:
    """Return a_k of φ(u²) = Σ a_k u^k, or None where there is no such series.

    In u = √t, so that a kink such as that of exp(−√t) has one too.

    >>> series(lambda t: 1.0 / (1.0 + t))[:5]
    array([ 1.,  0., -1.,  0.,  1.])
    """
    square = np.zeros((ORDER, 1))
    square[2] = 1.0
    try:
        a = applied(profile, square)[:, 0].copy()
    except Undifferentiable:
        return None
    if len(a) < 8 or not np.isfinite(a).all():
        return None
    # What rounding leaves of a first term that cancels would be all that is seen near 0.
    if abs(a[1]) <= 16.0 * _ROUNDING * math.sqrt(abs(a[0] * a[2])):
        a[1] = 0.0
    return a


def _radius(a: np.ndarray) -> float:
    """Return up to which u the series is its sum.

    Its last terms are below rounding there, and no term outgrows the first, so that none cancels.
    """
    m = int(np.flatnonzero(a[1:])[0]) + 1
    k = m + 1 + np.flatnonzero(a[m + 1 :])
    if k.size == 0:
        return math.inf
    logs = np.log(abs(a[m])) - np.log(np.abs(a[k]))
    logs -= np.where(k >= 0.75 * len(a), 60.0, k - m) * math.log(2.0)
    return float(np.exp(np.min(logs / (k - m))))


def _near(profile: Profile, t: np.ndarray, value: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the series of a profile, and where it is the profile."""
    a = series(profile)
    if a is None or not a[1:].any():
        return np.zeros(3), np.zeros(t.shape, dtype=bool)
    u = np.sqrt(np.maximum(t, 0.0))
    good = u <= _radius(a)
    # Beyond a switch (`where`, `clip`) the series goes on and the profile does not.
    apart = np.abs(_sum(a, u[good]) - value[good])
    good[good] = apart <= 64.0 * _ROUNDING * np.maximum(abs(a[0]), np.abs(value[good]))
    return a, good | (t == 0)


def _sum(a: np.ndarray, u: np.ndarray) -> np.ndarray:
    return np.polynomial.polynomial.polyval(u, a)


def radial_derivative(profile: Profile, t: np.ndarray) -> np.ndarray:
    """Return φ′(t); 0 at t = 0 for a profile with a kink there.

    By Taylor arithmetic at every point, and near 0 by the series: where φ is written with √t, terms
    in 1/√t cancel.

    >>> radial_derivative(lambda t: 1.0 / (1.0 + t), np.array([0.0, 1.0]))
    array([-1.  , -0.25])
    """
    value, slope = tangent(profile, t)
    a, good = _near(profile, t, value)
    u, k = np.sqrt(t[good]), np.arange(len(a))
    rest = _sum((0.5 * k * a)[2:], u)
    with np.errstate(divide="ignore"):
        slope[good] = rest + (0.5 * a[1] / u if a[1] else 0.0)
    return np.where((t <= 0) & ~np.isfinite(slope), 0.0, slope)


def gap(profile: Profile, derivative: Profile, t: Array) -> Array:
    """Return φ(0) − φ(t), right relative to itself for small t too.

    The difference as it stands where it keeps its digits; else the series around 0 without its
    first term; where there is none, −∫ φ′.

    >>> float(gap(lambda t: 1.0 / (1.0 + t), np.ones_like, np.array([1e-18]))[0])
    1e-18
    """
    xp = namespace(t)
    top = profile(xp.zeros(1, dtype=t.dtype, device=device_of(t)))
    total = top - profile(xp.asarray(t, copy=True))
    enough = 1e-3 if eps(t.dtype, xp) < 1e-10 else 0.1
    near = (xp.abs(total) < enough * xp.abs(top)) & (t > 0)
    if bool(xp.any(near)):
        close = _near_gap(profile, derivative, to_numpy(t[near]).astype(np.float64))
        total[near] = as_kind(close, t)
    return total


def _near_gap(profile: Profile, derivative: Profile, t: np.ndarray) -> np.ndarray:
    top, value = (to_numpy(profile(x)).astype(np.float64) for x in (np.zeros(1), t.copy()))
    a, good = _near(profile, t, value)
    total = top - value  # right to the last digit of φ(0), if not to its own
    total[good] = -_sum(np.concatenate([[0.0], a[1:]]), np.sqrt(t[good]))
    rest = ~good
    if rest.any():
        with suppress(Undifferentiable):
            integral = -_integral(derivative, t[rest])
            # Beyond a switch it is a poorer sum than the difference.
            close = np.abs(integral - total[rest]) <= 64.0 * _ROUNDING * np.abs(top)
            total[rest] = np.where(close, integral, total[rest])
    return total


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
