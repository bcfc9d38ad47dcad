"""The inner loops of stress scaling, compiled by numba: the twins of `numpy_loops`.

This module is imported only where numba is installed and the problem is large enough to pay for
compiling. Rows and pairs come in chunks that threads share (no lock is held). The number of chunks
depends on the size of the problem alone and chunks are added up in order, so that the result is the
same for every number of threads.
"""

import itertools
import math
from collections.abc import Callable
from functools import lru_cache
from typing import TypeVar

import numpy as np

from gramian._core.compiled import jit
from gramian._estimators.stress.numpy_loops import ChunkMap, quartic_step
from gramian._estimators.stress.problem import PairList

T = TypeVar("T")
_CHUNK_PAIRS = 100_000  # in a chunk: about a tenth of a millisecond
_MAX_CHUNKS = 32  # at most


def quick(loop: Callable[..., T]) -> Callable[..., T]:
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
    """Write where the lower convex hull of the cumulated sums S turns; return how many corners."""
    # The hull of every 32nd point rules most of the others out.
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
def isotonic(y, weight):  # type: ignore[no-untyped-def]
    """Return the non-decreasing sequence closest to y in weighted least squares."""
    # Its blocks lie between the corners of the lower convex hull of the cumulated sums. They are
    # found a chunk at a time, in the cache and with few rounding errors in the sums, and pooled
    # with the blocks before while they decrease.
    m, size = y.size, 1024
    S, C = np.zeros(size + 1), np.zeros(size + 1)
    inside, corners = np.empty(size + 1, np.int64), np.empty(size + 1, np.int64)
    means, sizes, ends = np.empty(m + 1), np.empty(m + 1), np.empty(m + 1, np.int64)
    out = np.empty_like(y)
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
    return out


def _count(pairs: int) -> int:
    return min(max(pairs // _CHUNK_PAIRS, 1), _MAX_CHUNKS)


def _pair_chunks(pairs: int) -> list[tuple[int, int]]:
    cuts = np.linspace(0, pairs, _count(pairs) + 1).astype(int).tolist()
    return list(itertools.pairwise(cuts))


@lru_cache(maxsize=8)
def _row_chunks(n: int) -> list[tuple[int, int]]:
    """Cut the rows of an upper triangle into parts with as many pairs each."""
    share = np.linspace(0.0, 1.0, _count(n * (n - 1) // 2) + 1)
    cuts = (n * (1.0 - np.sqrt(1.0 - share))).astype(int).tolist()
    cuts[-1] = n
    return list(itertools.pairwise(cuts))


@quick
def _ratio_rows(delta, weight, XT, start, stop, out):  # type: ignore[no-untyped-def]
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


@quick
def _plane_rows(delta, XT, start, stop, out):  # type: ignore[no-untyped-def]
    """Do the same on a plane with weights 1, in one loop."""
    # The root and the division take all of its time, at 3.4 cycles a pair with vectors of 8.
    n = XT.shape[1]
    raw = 0.0
    for i in range(start, stop):
        x, y, target = XT[0, i], XT[1, i], delta[i, i + 1 :]
        row_x, row_y = XT[0, i + 1 :], XT[1, i + 1 :]
        out_x, out_y = out[0, i + 1 :], out[1, i + 1 :]
        total_x = total_y = 0.0
        for j in range(n - i - 1):
            u, v = x - row_x[j], y - row_y[j]
            d = math.sqrt(u * u + v * v)
            raw += (target[j] - d) ** 2
            ratio = target[j] / d if d > 0 else 0.0
            u *= ratio
            v *= ratio
            total_x += u
            total_y += v
            out_x[j] -= u
            out_y[j] -= v
        out[0, i] += total_x
        out[1, i] += total_y
    return raw


def ratio_pass(
    delta: np.ndarray, weight: np.ndarray, X: np.ndarray, run: ChunkMap = map
) -> tuple[np.ndarray, float]:
    """Return Σ_j wδ/d·(x_i − x_j), (n, q), and Σ_{i<j} w(δ − d)²."""
    XT = np.ascontiguousarray(X.T)

    def work(rows: tuple[int, int]) -> tuple[np.ndarray, float]:
        out = np.zeros_like(XT)
        if len(XT) == 2 and not weight.size:
            return out, _plane_rows(delta, XT, *rows, out)
        return out, _ratio_rows(delta, weight, XT, *rows, out)

    parts = list(run(work, _row_chunks(len(X))))
    return sum(out for out, _ in parts).T, sum(raw for _, raw in parts)


@quick
def _distance_chunk(X, first, second, start, stop, out):  # type: ignore[no-untyped-def]
    """Write |x_i − x_j| of the pairs start to stop."""
    for pair in range(start, stop):
        i, j = first[pair], second[pair]
        square = 0.0
        for k in range(X.shape[1]):
            u = X[i, k] - X[j, k]
            square += u * u
        out[pair] = math.sqrt(square)


def pair_distances(pairs: PairList, X: np.ndarray, run: ChunkMap = map) -> np.ndarray:
    """Return the distances of the pairs, (m,)."""
    X, out = np.ascontiguousarray(X), np.empty(len(pairs.delta))

    def work(part: tuple[int, int]) -> None:
        _distance_chunk(X, *pairs.ends, *part, out)

    list(run(work, _pair_chunks(len(out))))
    return out


@quick
def _pair_chunk(X, first, second, weight, d, target, start, stop, out):  # type: ignore[no-untyped-def]
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


def pair_pass(
    pairs: PairList, X: np.ndarray, d: np.ndarray, target: np.ndarray, run: ChunkMap = map
) -> tuple[np.ndarray, float]:
    """Return Σ wd̂/d·(x_i − x_j), (n, q), and Σ w(d̂ − d)² from distances and targets, (m,) each."""
    X = np.ascontiguousarray(X)

    def work(part: tuple[int, int]) -> tuple[np.ndarray, float]:
        out = np.zeros_like(X)
        return out, _pair_chunk(X, *pairs.ends, pairs.weight, d, target, *part, out)

    parts = list(run(work, _pair_chunks(len(d))))
    return sum(out for out, _ in parts), sum(raw for _, raw in parts)


@quick
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


_quartic_step = quick(quartic_step)


@quick
def _sweep(target, weight, XT):  # type: ignore[no-untyped-def]
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


def sweep(target: np.ndarray, weight: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Return X after minimising Σ w(t − d²)² over one coordinate after the other."""
    XT = np.array(X.T, order="C")
    _sweep(target, weight, XT)
    return np.ascontiguousarray(XT.T)
