"""Optimal scaling: the disparities d̂ closest to the distances that the scaling allows."""

from __future__ import annotations

from types import ModuleType

import numpy as np

from gramian.stress.pairlist import PairList

__all__ = ["disparities", "interval", "ordinal"]


def disparities(
    scaling: str, ties: str, pairs: PairList, d: np.ndarray, loops: ModuleType
) -> np.ndarray:
    """Return d̂ for the distances d of the pairs, both (m,) in the order of the pairs.

    "ratio" is d̂ = δ itself: the points take its scale. The others are least squares fits to d.
    """
    if scaling == "ratio":
        return pairs.delta
    if scaling == "interval":
        return interval(pairs, d)
    return ordinal(pairs, d, ties, loops)


def interval(pairs: PairList, d: np.ndarray) -> np.ndarray:
    """Return a + b(δ − δ_min) with a, b ≥ 0: linear, increasing and not negative.

    >>> pairs = PairList(3, np.arange(3), np.array([1.0, 2.0, 3.0]), np.empty(0))
    >>> [float(v) for v in interval(pairs, np.array([2.0, 4.0, 6.0]))]
    [2.0, 4.0, 6.0]
    """
    line, d_mean = pairs.line, pairs.mean(d)
    slope = float(line.slopes @ d)
    level = d_mean - slope * line.mean
    if slope < 0:
        slope, level = 0.0, d_mean
    elif level < 0:
        slope, level = pairs.mean(line.x * d) / line.mean_square, 0.0
    return level + slope * line.x


def ordinal(pairs: PairList, d: np.ndarray, ties: str, loops: ModuleType) -> np.ndarray:
    """Return the values closest to d that increase with δ.

    Ties in δ: "primary" lets their disparities differ, "secondary" keeps them equal.
    """
    if not pairs.tied:
        return loops.isotonic(d, pairs.weight)
    if ties == "primary":
        order = loops.sort_within(d, pairs.starts)
        w = pairs.weight[order] if pairs.weight.size else pairs.weight
        out = np.empty_like(d)
        out[order] = loops.isotonic(d[order], w)
        return out
    w = pairs.weight if pairs.weight.size else np.ones_like(d)
    size = np.add.reduceat(w, pairs.starts)
    level = loops.isotonic(np.add.reduceat(w * d, pairs.starts) / size, size)
    return np.repeat(level, np.diff(np.append(pairs.starts, len(d))))
