"""Schoenberg's transforms: functions that turn squared Euclidean distances into others.

Φ does so for every set of points exactly when it is a Bernstein function with Φ(0) = 0,
Φ(t) = ∫ (1 − e^{−λt})/λ dg(λ) for a measure g ≥ 0 with ∫ min(1, 1/λ) dg < ∞: then Φ′ is completely
monotone. Compositions, sums and positive multiples of transforms are transforms.
"""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gramian._core.array import Array, is_array, is_numpy, namespace
from gramian._core.check import answer, is_number, positive, short
from gramian._core.frames import is_frame
from gramian._core.numbers import as_floats, foreign_floats
from gramian._core.table import table
from gramian._core.types import SeedLike, TableLike
from gramian.distances import squared_euclidean
from gramian.errors import InputError
from gramian.validity import Verdict, is_cnd

__all__ = ["compose", "exponential", "identity", "is_transform", "log", "power", "rational"]


def _squares(D2: TableLike) -> Array:
    """Return squared distances of any shape as floating-point numbers, or refuse."""
    if is_frame(D2):
        values = table(D2, "D2", min_rows=1).values
    elif is_array(D2) and not is_numpy(D2):
        values = foreign_floats(D2, "D2")
    else:
        values = as_floats(D2, "D2")
    xp = namespace(values)
    if values.ndim and 0 in values.shape:
        return values
    if not bool(xp.all(xp.isfinite(values))):
        raise InputError("D2 contains NaN or infinity: drop or fill these values first")
    least, largest = float(xp.min(values)), float(xp.max(values))
    if least < -1e-12 * abs(largest):
        raise InputError(
            f"D2 has a negative entry, {least:.6g}: give squared distances (not similarities)"
        )
    return xp.clip(values, 0.0, None) if least < 0 else values


def identity(D2: TableLike) -> Array:
    """Return Φ(t) = t.

    >>> identity([4.0])
    array([4.])
    """
    return _squares(D2)


def power(D2: TableLike, p: float) -> Array:
    """Return Φ(t) = t^p, 0 < p ≤ 1, of squared distances D2 of any shape.

    >>> power([4.0, 9.0], 0.5)
    array([2., 3.])
    """
    if not is_number(p) or not 0 < p <= 1:
        raise InputError(
            f"p={short(p)} must lie above 0 and be at most 1: larger powers are no transforms"
        )
    return _squares(D2) ** float(p)


def log(D2: TableLike, a: float) -> Array:
    """Return Φ(t) = ln(1 + t/a), a > 0, of squared distances D2 of any shape.

    >>> log([2.0], 2.0).round(6)
    array([0.693147])
    """
    t = _squares(D2)
    a = positive(a, "a")
    with np.errstate(over="ignore"):
        ratio = t / a
    xp = namespace(t)
    # Where t/a leaves the range of the numbers, the logarithms do not.
    large = xp.log(xp.where(t > 0, t, xp.ones_like(t))) - math.log(a)
    return xp.where(xp.isfinite(ratio), xp.log1p(ratio), large)


def rational(D2: TableLike, a: float) -> Array:
    """Return Φ(t) = t/(a(a + t)), a > 0, of squared distances D2 of any shape.

    >>> rational([2.0], 2.0)
    array([0.25])
    """
    t, a = _squares(D2), positive(a, "a")
    return (t / (a + t)) / a


def exponential(D2: TableLike, a: float) -> Array:
    """Return Φ(t) = (1 − e^{−at})/a, a > 0, of squared distances D2 of any shape.

    It is half the squared distances in a Gaussian feature space.

    >>> exponential([1.0], 0.5).round(6)
    array([0.786939])
    """
    t, a = _squares(D2), positive(a, "a")
    with np.errstate(over="ignore"):
        return -namespace(t).expm1(-a * t) / a


def compose(*steps: Callable[[Any], Any] | tuple[Any, ...]) -> Callable[[Any], Any]:
    """Return the composition of transforms, applied from the first to the last.

    Each is a function of squared distances, or (function, parameter).

    >>> both = compose((power, 0.5), (log, 1.0))
    >>> both([4.0]).round(6)
    array([1.098612])
    """
    if not steps or any(isinstance(step, tuple) and not step for step in steps):
        raise InputError("steps is empty: give at least one transform")

    def composition(D2: Array) -> Array:
        for step in steps:
            first, *rest = step if isinstance(step, tuple) else (step,)
            D2 = answer(first, "steps", D2, *rest)
        return D2

    return composition


def is_transform(
    transform: Callable[[Any], Any],
    *,
    dimension: int = 3,
    n_sets: int = 200,
    random_state: SeedLike = None,
) -> Verdict:
    """Search for points that show that a function is not a Schoenberg transform.

    The function takes an array of squared distances, elementwise; `n_sets` sets of points are tried
    on `dimension` columns. The verdict is false, with `points` and `witness`, if a counterexample
    is found, otherwise true but not `certain`.

    >>> bool(is_transform(lambda t: t**0.7)), bool(is_transform(lambda t: t**1.5))
    (True, False)
    """

    def distance(X: Array, Y: Array) -> Array:
        return answer(transform, "transform", squared_euclidean(X))

    return is_cnd(distance, dimension=dimension, n_sets=n_sets, random_state=random_state)
