"""Inner loops of stress scaling, compiled by numba: the twins of `gramian.stress.loops`.

This module is imported only where numba is installed and the problem is large enough to pay for
compiling. Rows and pairs come in chunks, so that threads can share the work (no lock is held) and
the sums are the same for every number of threads.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gramian._compiled import jit
from gramian.stress.loops import quartic_step

__all__ = ["isotonic", "pair_distances", "pair_pass", "ratio_pass", "sort_within", "sweep"]


def _quick(loop: Callable[..., Any]) -> Any:
    """Compile; sums may be reordered, infinities and NaN stay what they are."""
    return jit(loop, fastmath={"reassoc", "contract"})


@_quick
def ratio_pass(delta, weight, XT, start, stop, out):  # type: ignore[no-untyped-def]
    """Add Σ_j wδ/d·(x_i − x_j) of rows start to stop to `out` (q, n); return Σ w(δ − d)²."""
    q, n = XT.shape
    square = np.empty(n)
    ratio = np.empty(n)
    raw = 0.0
    for i in range(start, stop):
        m = n - i - 1
        square[:m] = 0.0
        for k in range(q):
            x, row = XT[k, i], XT[k, i + 1 :]
            for j in range(m):
                u = x - row[j]
                square[j] += u * u
        target = delta[i, i + 1 :]
        if weight.size:
            w = weight[i, i + 1 :]
            for j in range(m):
                d = math.sqrt(square[j])
                raw += w[j] * (target[j] - d) ** 2
                ratio[j] = w[j] * target[j] / d if d > 0 else 0.0
        else:
            for j in range(m):
                d = math.sqrt(square[j])
                raw += (target[j] - d) ** 2
                ratio[j] = target[j] / d if d > 0 else 0.0
        for k in range(q):
            x, row, other = XT[k, i], XT[k, i + 1 :], out[k, i + 1 :]
            total = 0.0
            for j in range(m):
                u = (x - row[j]) * ratio[j]
                total += u
                other[j] -= u
            out[k, i] += total
    return raw


@_quick
def pair_distances(X, first, second, start, stop, out):  # type: ignore[no-untyped-def]
    """Write |x_i − x_j| of the pairs start to stop."""
    for pair in range(start, stop):
        i, j = first[pair], second[pair]
        square = 0.0
        for k in range(X.shape[1]):
            u = X[i, k] - X[j, k]
            square += u * u
        out[pair] = math.sqrt(square)


@_quick
def pair_pass(X, first, second, weight, d, target, start, stop, out):  # type: ignore[no-untyped-def]
    """Add Σ wd̂/d·(x_i − x_j) of the pairs start to stop to `out` (n, q); return Σ w(d̂ − d)²."""
    raw = 0.0
    weighted = weight.size > 0
    for pair in range(start, stop):
        i, j = first[pair], second[pair]
        w = weight[pair] if weighted else 1.0
        raw += w * (target[pair] - d[pair]) ** 2
        if d[pair] > 0:
            ratio = w * target[pair] / d[pair]
            for k in range(X.shape[1]):
                u = (X[i, k] - X[j, k]) * ratio
                out[i, k] += u
                out[j, k] -= u
    return raw


@_quick
def isotonic(y, weight):  # type: ignore[no-untyped-def]
    """Return the non-decreasing sequence closest to y, by pooling adjacent violators.

    Blocks are held as sums and weights and compared by cross products, which saves the divisions.
    """
    m = y.size
    sums, sizes = np.empty(m + 1), np.empty(m + 1)
    ends = np.empty(m + 1, dtype=np.int64)
    weighted = weight.size > 0
    sums[0], sizes[0], ends[0] = -np.inf, 1.0, 0  # no block is pooled with this one
    top = 0
    pair = 0
    while pair < m:
        size = weight[pair] if weighted else 1.0
        total = y[pair] * size
        pair += 1
        while True:
            while pair < m and y[pair] * size <= total:
                w = weight[pair] if weighted else 1.0
                total += y[pair] * w
                size += w
                pair += 1
            if sums[top] * size < total * sizes[top]:
                break
            total += sums[top]
            size += sizes[top]
            top -= 1
        top += 1
        sums[top], sizes[top], ends[top] = total, size, pair
    out = np.empty(m)
    for block in range(1, top + 1):
        out[ends[block - 1] : ends[block]] = sums[block] / sizes[block]
    return out


@_quick
def sort_within(d, starts):  # type: ignore[no-untyped-def]
    """Return the order that sorts d inside each group; groups begin at `starts`."""
    order = np.empty(d.size, dtype=np.int64)
    for group in range(starts.size):
        a = starts[group]
        b = starts[group + 1] if group + 1 < starts.size else d.size
        if b - a == 1:
            order[a] = a
        else:
            order[a:b] = a + np.argsort(d[a:b])
    return order


_quartic_step = _quick(quartic_step)


@_quick
def sweep(target, weight, XT):  # type: ignore[no-untyped-def]
    """Minimise Σ w(t − d²)² over one coordinate after the other, in place, XT being (q, n)."""
    q, n = XT.shape
    rest = np.empty(n)
    weighted = weight.size > 0
    for i in range(n):
        for j in range(n):
            rest[j] = -target[i, j]
        for k in range(q):
            row = XT[k]
            for j in range(n):
                u = row[i] - row[j]
                rest[j] += u * u
        for k in range(q):
            row = XT[k]
            x = row[i]
            a1 = a2 = a3 = a4 = 0.0
            if weighted:
                w = weight[i]
                for j in range(n):
                    u = x - row[j]
                    a1 += w[j] * rest[j] * u
                    a2 += w[j] * (2.0 * u * u + rest[j])
                    a3 += w[j] * u
                    a4 += w[j]
            else:  # the pair (i, i) has u = rest = 0
                for j in range(n):
                    u = x - row[j]
                    a1 += rest[j] * u
                    a2 += 2.0 * u * u + rest[j]
                    a3 += u
                a4 = n - 1.0
            t = _quartic_step(a1, a2, a3, a4)
            for j in range(n):
                rest[j] += t * (2.0 * (x - row[j]) + t)
            rest[i] = 0.0
            row[i] = x + t
