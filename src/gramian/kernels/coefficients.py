"""Arithmetic of truncated power series Σ c_k ε^k, as arrays of coefficients (K, …points)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gramian.errors import InputError

__all__ = ["Undifferentiable", "leading_zeros", "over", "power", "solved", "times"]

_WHOLE = 64  # exponents up to which a power is a product


class Undifferentiable(InputError):
    """A profile does something that has no rule here."""


def times(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the product."""
    return np.stack([(a[: k + 1] * b[k::-1]).sum(axis=0) for k in range(len(a))])


def leading_zeros(a: np.ndarray) -> int:
    """Return how many leading coefficients of a series vanish; 0 for dual numbers."""
    if len(a) < 3:
        return 0
    some = a.reshape(len(a), -1).any(axis=1)
    return int(some.argmax()) if some.any() else len(a)


def over(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the quotient; zeros that both start with cancel, and shorten it."""
    m = leading_zeros(b)
    if leading_zeros(a) < m or m == len(b):
        raise Undifferentiable("a pole")
    a, b = a[m:], b[m:]
    q = np.empty(np.broadcast_shapes(a.shape, b.shape))
    for k in range(len(a)):
        q[k] = (a[k] - (b[1 : k + 1] * q[:k][::-1]).sum(axis=0)) / b[0]
    return q


def power(a: np.ndarray, r: float) -> np.ndarray:
    """Return a^r for a number r."""
    if r.is_integer() and abs(r) <= _WHOLE:
        return _whole_power(a, int(r))
    m = leading_zeros(a)
    if m:  # (ε^m·s)^r = ε^(mr)·s^r: √(ε²) is ε
        return _shifted_power(a, m, r)
    p = np.empty_like(a)
    p[0] = np.sqrt(a[0]) if r == 0.5 else a[0] ** r
    for k in range(1, len(a)):
        j = np.arange(1, k + 1).reshape(-1, *(1,) * (a.ndim - 1))
        p[k] = ((j * (r + 1.0) - k) * a[1 : k + 1] * p[:k][::-1]).sum(axis=0) / (k * a[0])
    return p


def _whole_power(a: np.ndarray, n: int) -> np.ndarray:
    one = np.zeros_like(a)
    one[0] = 1.0
    if n < 0:
        return over(one, _whole_power(a, -n))
    half = _whole_power(a, n // 2) if n > 1 else one
    square = times(half, half) if n > 1 else one
    return times(square, a) if n % 2 else square


def _shifted_power(a: np.ndarray, m: int, r: float) -> np.ndarray:
    shift = m * r
    if r < 0 or not shift.is_integer():
        raise Undifferentiable("a power that has no series")
    if m == len(a):
        return a
    p = power(a[m:], r)
    return np.concatenate([np.zeros((int(shift), *a.shape[1:])), p])[: len(a)]


def solved(
    first: np.ndarray, a: np.ndarray, rate: Callable[[np.ndarray], np.ndarray]
) -> np.ndarray:
    """Return y with y(0) = first and y′ = a′·rate(y), one coefficient after another."""
    y = np.empty_like(a, dtype=first.dtype)
    y[0] = first
    for k in range(1, len(a)):
        j = np.arange(1, k + 1).reshape(-1, *(1,) * (a.ndim - 1))
        y[k] = (j * a[1 : k + 1] * rate(y[:k])[:k][::-1]).sum(axis=0) / k
    return y
