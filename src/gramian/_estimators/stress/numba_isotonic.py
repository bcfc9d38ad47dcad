"""Isotonic regression, compiled: the lower convex hull of cumulated sums, chunk by chunk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gramian._core.compiled import jit


def quick(loop: Callable[..., Any]) -> Any:
    """Compile; sums may be reordered, infinities and NaN stay what they are."""
    return jit(loop, fastmath={"reassoc", "contract"})


@quick
def _hull(S, C, candidates, count, hull):  # type: ignore[no-untyped-def]
    """Write the lower convex hull of the points (C[k], S[k]), k a candidate; return its size."""
    top = 0
    for c in range(count):
        k = candidates[c]
        while top >= 2:
            a, b = hull[top - 2], hull[top - 1]
            if (S[k] - S[b]) * (C[b] - C[a]) > (S[b] - S[a]) * (C[k] - C[b]):
                break
            top -= 1
        hull[top] = k
        top += 1
    return top


@quick
def _corners(S, C, length, inside, corners):  # type: ignore[no-untyped-def]
    """Write where the lower convex hull of the cumulated sums S turns; return how many corners.

    The hull of every 32nd point rules most of the others out.
    """
    count = 0
    for k in range(0, length, 32):
        inside[count] = k
        count += 1
    inside[count] = length
    coarse = _hull(S, C, inside, count + 1, corners)
    count = 0
    for t in range(coarse - 1):
        a, b = corners[t], corners[t + 1]
        slope = (S[b] - S[a]) / (C[b] - C[a])
        inside[count] = a
        count += 1
        for k in range(a + 1, b):
            if S[k] < S[a] + slope * (C[k] - C[a]):
                inside[count] = k
                count += 1
    inside[count] = length
    return _hull(S, C, inside, count + 1, corners)


@quick
def write_isotonic(y, weight, out):  # type: ignore[no-untyped-def]
    """Write the non-decreasing sequence closest to y in weighted least squares.

    Its blocks lie between the corners of the lower convex hull of the cumulated sums. They are
    found a chunk at a time, in the cache and with few rounding errors in the sums, and pooled with
    the blocks before while they decrease.
    """
    m, size = y.size, 1024
    S, C = np.zeros(size + 1), np.zeros(size + 1)
    inside, corners = np.empty(size + 1, np.int64), np.empty(size + 1, np.int64)
    means, sizes, ends = np.empty(m + 1), np.empty(m + 1), np.empty(m + 1, np.int64)
    ends[0] = 0
    top = 0
    for start in range(0, m, size):
        length = min(size, m - start)
        centre = y[start + length // 2]
        for k in range(length):
            w = weight[start + k] if weight.size else 1.0
            S[k + 1] = S[k] + w * (y[start + k] - centre)
            C[k + 1] = C[k] + w
        for t in range(_corners(S, C, length, inside, corners) - 1):
            a, b = corners[t], corners[t + 1]
            total = 0.0
            for k in range(start + a, start + b):
                total += weight[k] * y[k] if weight.size else y[k]
            width = C[b] - C[a]
            while top > 0 and means[top] * width >= total:
                total += means[top] * sizes[top]
                width += sizes[top]
                top -= 1
            top += 1
            means[top], sizes[top], ends[top] = total / width, width, start + b
    for block in range(1, top + 1):
        out[ends[block - 1] : ends[block]] = means[block]
