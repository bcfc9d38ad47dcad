"""Hartigan's dip: how far a sample is from having one mode only."""

from __future__ import annotations

import numpy as np

__all__ = ["dip"]


def dip(values: np.ndarray) -> float:
    """Return the dip of a sample, the distance of its distribution to the nearest unimodal one.

    A unimodal distribution is convex up to its mode and concave beyond. The modal interval shrinks
    to where the convex minorant and the concave majorant are farthest apart, and what is left
    outside must fit the one or the other, until the outside fits worse than the inside (Hartigan
    and Hartigan 1985).

    >>> round(dip(np.array([0.0, 0.1, 0.2, 5.0, 5.1, 5.2])), 3)
    0.24
    """
    x, counts = np.unique(np.asarray(values, dtype=float), return_counts=True)
    after = np.cumsum(counts) / counts.sum()
    before = after - counts / counts.sum()
    low, high, distance = 0, len(x) - 1, float((after - before).max())
    while True:
        part = slice(low, high + 1)
        minorant, below = _minorant(x[part], before[part])
        majorant, above = _minorant(-x[part][::-1], -after[part][::-1])
        majorant, above = -majorant[::-1], len(majorant) - 1 - above[::-1]
        apart = majorant - minorant
        left, right = _modal(apart, below, above)
        if apart[below].max() <= distance and apart[above].max() <= distance:
            return 0.5 * distance
        outside = (
            (after[part] - minorant)[: left + 1].max(),
            (majorant - before[part])[right:].max(),
        )
        distance = max(distance, *map(float, outside))
        if (left, right) == (0, high - low):
            return 0.5 * distance
        low, high = low + left, low + right


def _modal(apart: np.ndarray, below: np.ndarray, above: np.ndarray) -> tuple[int, int]:
    """Return the corners of minorant and majorant between which they are farthest apart."""
    if apart[above].max() > apart[below].max():
        right = int(above[len(above) - 1 - apart[above][::-1].argmax()])
        return int(below[below <= right][-1]), right
    left = int(below[apart[below].argmax()])
    return left, int(above[above >= left][0])


def _minorant(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the largest convex function below points, and its corners by their positions."""
    corners = np.array(_corners(x.tolist(), y.tolist()))
    return np.interp(x, x[corners], y[corners]), corners


def _corners(x: list[float], y: list[float]) -> list[int]:
    """Return where the convex minorant bends, by one pass over the points."""
    corners: list[int] = []
    for i, (c, top) in enumerate(zip(x, y, strict=True)):
        while len(corners) > 1:
            a, b = corners[-2], corners[-1]
            if (y[b] - y[a]) * (c - x[a]) < (top - y[a]) * (x[b] - x[a]):
                break
            corners.pop()
        corners.append(i)
    return corners
