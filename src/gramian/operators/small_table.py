"""The shift of a table that stays in the cache, where a first look at every number is cheap."""

from __future__ import annotations

import numpy as np

__all__ = ["is_small", "small_shift", "stays_in_range"]

_SMALL = 1 << 19  # numbers that stay in the cache
_TINY = 1 << 16  # numbers that are shifted sooner than looked at
_SAMPLE = 101  # rows that show a column's size
_RANGE = 1e200  # of mean squares, and their inverses, that neither overflow nor lose digits


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
    with np.errstate(over="ignore", invalid="ignore"):  # `stays_in_range` looks for it
        mean = np.ones(n) @ np.ascontiguousarray(X) / n  # the same bits in any layout
        if X.size > _TINY:
            sample = X[:: max(1, n // _SAMPLE)]
            square = np.einsum("ij,ij->j", sample, sample) / sample.shape[0]
            if (mean * mean <= 0.5 * square).all():
                return np.zeros_like(mean)
        return np.where(np.abs(X[0] - mean) <= n * 2.0**-52 * np.abs(mean), X[0], mean)


def stays_in_range(X: np.ndarray, square: np.ndarray) -> bool:
    """Whether sums of squares of shifted columns neither overflowed nor fell below the numbers.

    A column without any spread may: it is constant, if all its numbers are one.
    """
    n = X.shape[0]
    low = square < n / _RANGE
    if not (square < n * _RANGE).all():  # NaN is not below either
        return False
    return not low.any() or bool((X[:, low] == X[0, low]).all())
