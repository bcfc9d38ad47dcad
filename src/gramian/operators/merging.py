"""Moments of two sets of rows, each around a point of its own, put together without loss."""

from __future__ import annotations

import numpy as np

from gramian.errors import InputError
from gramian.operators.moments import Moments

__all__ = ["merged"]


def merged(a: Moments, b: Moments) -> Moments:
    """Return the moments of the rows of both.

    Scatters are added around their own means, with w_a·w_b/(w_a + w_b)·d·dᵀ for the distance d of
    these (Chan, Golub and LeVeque 1983): sums around one point that is far from most rows, as the
    first block of a sorted table may be, would have to cancel. The new shift of a column is the
    nearer one of the two to the new mean, so that shifts stay numbers of the data.

    >>> from gramian.operators.moments import moments
    >>> rows = np.array([[1e8], [1e8 + 1.0], [0.0], [4.0]])
    >>> both = merged(moments(rows[:2]), moments(rows[2:]))
    >>> both.weight, both.mean.tolist()
    (4.0, [50000001.25])
    """
    unit = np.maximum(a.unit, b.unit)
    a, b = _in_units(a, unit), _in_units(b, unit)
    weight = a.weight + b.weight
    with np.errstate(over="ignore", invalid="ignore"):
        apart = (b.shift - a.shift) + (b.rest - a.rest)
    if not np.isfinite(apart).all():
        raise InputError("X: differences of its numbers overflow: divide the data by 16")
    from_a = a.rest + (b.weight / weight) * apart  # of the mean, beside either shift
    from_b = b.rest - (a.weight / weight) * apart
    near_a = np.abs(from_a) <= np.abs(from_b)
    first = weight * (np.where(near_a, from_a, from_b) / unit)
    d = apart / unit
    second = _scatter(a) + _scatter(b) + _outer(d, a) * (a.weight * b.weight / weight)
    second += _outer(first, a) / weight
    return Moments(np.where(near_a, a.shift, b.shift), unit, weight, first, second)


def _in_units(m: Moments, unit: np.ndarray) -> Moments:
    """Return the same moments in other units, powers of two as well."""
    ratio = m.unit / unit
    return Moments(m.shift, unit, m.weight, m.first * ratio, m.second * _outer(ratio, m))


def _scatter(m: Moments) -> np.ndarray:
    """Return the second moment around the mean."""
    return m.second - _outer(m.first, m) / m.weight


def _outer(d: np.ndarray, m: Moments) -> np.ndarray:
    """Return d·dᵀ, or its diagonal where the moments have only that."""
    return d * d if m.second.ndim == 1 else d[:, None] * d[None, :]
