"""The shift of a table that stays in the cache, where a first look at every number is cheap."""

from __future__ import annotations

import numpy as np

_SMALL = 1 << 19  # numbers that stay in the cache
_TINY = 1 << 16  # numbers that are shifted sooner than looked at
_SAMPLE = 101  # rows that show a column's size
_RANGE = 1e200  # of mean squares, and their inverses, that neither overflow nor lose digits
_APART = 1e100  # between the sums of squares of columns


def is_small(X: np.ndarray) -> bool:
    """Whether X is a table of doubles that stays in the cache."""
    return X.dtype == np.float64 and X.size <= _SMALL


def small_shift(X: np.ndarray) -> np.ndarray:
    """Return zeros where means are small beside the numbers, so that no row is touched, or means.

    A first row that is the mean, to rounding, is taken for it: constant columns become zeros.

    >>> small_shift(np.array([[7.0, 1.0], [9.0, 1.0]])).tolist()
    [8.0, 1.0]
    """
    n = X.shape[0]
    with np.errstate(over="ignore", invalid="ignore"):  # `stays_in_range` looks
        mean = np.ones(n) @ np.ascontiguousarray(X) / n  # the same bits in any layout
        if X.size > _TINY:
            sample = X[:: max(1, n // _SAMPLE)]
            square = np.einsum("ij,ij->j", sample, sample) / sample.shape[0]
            if (mean * mean <= 0.5 * square).all():
                return np.zeros_like(mean)
        return np.where(np.abs(X[0] - mean) <= n * 2.0**-52 * np.abs(mean), X[0], mean)


def stays_in_range(square: np.ndarray, n: float) -> bool:
    """Whether sums of n squares neither overflowed nor fell below the numbers, but for zeros."""
    with np.errstate(invalid="ignore"):
        inside = (square > n / _RANGE) & (square < n * _RANGE)
    return bool((inside | (square == 0.0)).all() and inside.any())  # NaN is not inside


def are_alike(X: np.ndarray, square: np.ndarray) -> bool:
    """Whether columns that are not constant have sums of squares of sizes that go together."""
    with np.errstate(invalid="ignore"):
        low = ~(square > square.max() / _APART)
    if not np.isfinite(square).all():
        return False
    return not low.any() or bool((X[:, low] == X[0, low]).all())
