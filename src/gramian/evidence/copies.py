"""Rows that are copies of one another."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from gramian._nulls.p_values import p_values

_NEAR = 0.2  # rows that differ in one column, for a pair that differs in none
_PATTERNS = 8  # different rows, for all to be there the same number of times by no chance


@dataclass(frozen=True)
class Copies:
    """Groups of rows that are the same in every column, more of them than chance makes.

    Attributes
    ----------
    labels : array (n,)
        The group of each row; a row without a copy is a group of its own.
    n_groups : int
    n_copies : int
        Rows that repeat another one.

    Examples
    --------
    >>> import gramian as gm
    >>> X = gm.datasets.wine().data.to_numpy()[:20]
    >>> gm.evidence.assumptions(X.repeat(2, axis=0), rng=0).copies.n_copies
    20
    """

    labels: np.ndarray = field(repr=False)
    n_groups: int
    n_copies: int


def copies(frame: Any, n_draws: int, alpha: float, rng: np.random.Generator) -> Copies | None:
    """Return the groups of identical rows, None where chance alone would make as many.

    Where columns have few values rows coincide: then as many pairs would be found with the columns
    permuted, or there are as many pairs that differ in a single column.
    """
    frame = pd.DataFrame(frame)
    if _differ(frame.select_dtypes("number").to_numpy(dtype=float, na_value=np.nan)):
        return None
    codes = _codes(frame)  # (n, c)
    if not codes.size:
        return None
    labels = _labels(codes)
    sizes = np.bincount(labels)
    if len(sizes) == len(labels):
        return None
    times = int(np.gcd.reduce(sizes))
    if times > 1 and len(sizes) >= _PATTERNS:  # every row so many times: no chance does that
        return _record(_split(labels, times))
    if not _by_chance(codes, _pairs(labels), n_draws, alpha, rng):
        return _record(labels)
    return None


def _record(labels: np.ndarray) -> Copies:
    groups = int(labels.max()) + 1
    return Copies(labels, groups, len(labels) - groups)


def _differ(numbers: np.ndarray) -> bool:
    """Whether the numbers alone tell all rows apart: most tables need no more looking at."""
    if not numbers.size:
        return False
    numbers = np.where(np.isnan(numbers), np.inf, numbers)  # nothing differs from nothing
    return len({row.tobytes() for row in numbers + 0.0}) == len(numbers)  # −0 is 0


def _codes(frame: pd.DataFrame) -> np.ndarray:
    """Return the values of each column as whole numbers."""
    codes = [pd.factorize(frame.iloc[:, j])[0] for j in range(frame.shape[1])]
    return np.array(codes, dtype=int).reshape(len(codes), len(frame)).T


def _labels(codes: np.ndarray) -> np.ndarray:
    return np.asarray(np.unique(codes, axis=0, return_inverse=True)[1]).ravel()


def _pairs(labels: np.ndarray) -> int:
    sizes = np.unique(labels, return_counts=True)[1]
    return int((sizes * (sizes - 1) // 2).sum())


def _split(labels: np.ndarray, times: int) -> np.ndarray:
    """Return groups of so many rows each: equal rows beyond that are other rows."""
    place = pd.Series(labels).groupby(labels).cumcount().to_numpy() // times
    return _labels(np.stack([labels, place], axis=1))


def _by_chance(
    codes: np.ndarray, pairs: int, n_draws: int, alpha: float, rng: np.random.Generator
) -> bool:
    """Whether so many equal pairs are no sign of copying."""
    # The sum of a random number for each value stands for the row.
    numbers = np.array([rng.random(c.max() + 2)[c] for c in codes.T])  # (c, n)
    whole = numbers.sum(axis=0)
    near = sum(_pairs((whole - column).round(9)) - pairs for column in numbers)
    if near > _NEAR * pairs:
        return True
    drawn = [_pairs(rng.permuted(numbers, axis=1).sum(axis=0).round(9)) for _ in range(n_draws)]
    return bool(p_values(pairs, drawn) > alpha)
