"""The inner loops of stress scaling in NumPy.

The loops that cost most have a twin in `numba_loops` that gives the same numbers. `run` is the
`map` that chunks of work go through there; NumPy needs no chunks.
"""

import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from scipy.optimize import isotonic_regression
from scipy.spatial.distance import pdist

from gramian._core.parallel import row_blocks
from gramian._estimators.stress.problem import PairList

ChunkMap = Callable[..., Iterable[Any]]
_TILE_ROWS = 128  # of a tile: with 1,000 columns it stays in the cache


def ratio_pass(
    delta: np.ndarray, weight: np.ndarray, X: np.ndarray, run: ChunkMap = map
) -> tuple[np.ndarray, float]:
    """Return Σ_j wδ/d·(x_i − x_j), (n, q), and Σ_{i<j} w(δ − d)², tile by tile."""
    # Dissimilarities and weights are (n, n); empty weights are 1.
    n, q = X.shape
    out, raw = np.zeros((n, q)), 0.0
    for rows in row_blocks(n, _TILE_ROWS):
        cols, m = slice(rows.start, n), rows.stop - rows.start
        part, spare = distances(X[rows], X[cols])
        target = delta[rows, cols]
        np.subtract(target, part, out=spare)
        ratio = np.divide(target, part, out=np.zeros_like(part), where=part > 0)
        w = weight[rows, cols] if weight.size else None
        if w is not None:
            ratio *= w
        # The tile on the diagonal holds each of its pairs twice.
        raw += _square_sum(spare[:, m:], w, m) + 0.5 * _square_sum(spare[:, :m], w, 0)
        out[rows] += ratio.sum(axis=1)[:, None] * X[rows] - ratio @ X[cols]
        beyond = ratio[:, m:]
        out[rows.stop :] += beyond.sum(axis=0)[:, None] * X[rows.stop :] - beyond.T @ X[rows]
    return out, raw


def distances(A: np.ndarray, B: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return |a − b| from differences, and an array of the same shape to write in."""
    out = np.subtract(A[:, :1], B[None, :, 0])
    np.multiply(out, out, out=out)
    spare = np.empty_like(out)
    for k in range(1, A.shape[1]):
        np.subtract(A[:, k, None], B[None, :, k], out=spare)
        np.multiply(spare, spare, out=spare)
        np.add(out, spare, out=out)
    return np.sqrt(out, out=out), spare


def _square_sum(y: np.ndarray, w: np.ndarray | None, skip: int) -> float:
    return float(np.vdot(y, y) if w is None else np.vdot(y * w[:, skip : skip + y.shape[1]], y))


def pair_distances(pairs: PairList, X: np.ndarray, run: ChunkMap = map) -> np.ndarray:
    """Return the distances of the pairs, (m,)."""
    return pdist(X)[pairs.position]


def pair_pass(
    pairs: PairList, X: np.ndarray, d: np.ndarray, target: np.ndarray, run: ChunkMap = map
) -> tuple[np.ndarray, float]:
    """Return Σ wd̂/d·(x_i − x_j), (n, q), and Σ w(d̂ − d)² from distances and targets, (m,) each."""
    ratio = np.divide(target, d, out=np.zeros_like(d), where=d > 0)
    if pairs.weight.size:
        ratio *= pairs.weight
    first, second = pairs.ends
    B = np.zeros((pairs.n, pairs.n))
    B[first, second] = ratio
    sums = B.sum(axis=1) + B.sum(axis=0)
    return sums[:, None] * X - B @ X - B.T @ X, pairs.square_sum(target - d)


def isotonic(y: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """Return the non-decreasing sequence closest to y in weighted least squares."""
    return isotonic_regression(y, weights=weight if weight.size else None).x


def sort_within(y: np.ndarray, starts: np.ndarray) -> np.ndarray:
    """Return the order that sorts y inside each group; groups begin at `starts`."""
    return np.lexsort((y, np.searchsorted(starts, np.arange(len(y)), side="right")))


def sweep(target: np.ndarray, weight: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Return X after minimising Σ w(t − d²)² over one coordinate after the other."""
    X = X.copy()
    for i in range(len(X)):
        w = weight[i] if weight.size else np.where(np.arange(len(X)) == i, 0.0, 1.0)
        X[i] = settle(X[i], X, target[i], w)
    return X


def settle(z: np.ndarray, X: np.ndarray, target: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Return z (q,) after minimising Σ_j w_j(t_j − |z − x_j|²)² over its coordinates in turn."""
    U = z - X
    rest = np.einsum("jk,jk->j", U, U) - target
    size = float(w.sum())
    z = z.copy()
    for k in range(len(z)):
        u = U[:, k]
        wu = w * u
        t = quartic_step(float(wu @ rest), float(2.0 * (wu @ u) + w @ rest), float(wu.sum()), size)
        rest += t * (2.0 * u + t)
        z[k] += t
    return z


def quartic_step(a1: float, a2: float, a3: float, a4: float) -> float:
    """Return the t that minimises 4·a1·t + 2·a2·t² + 4·a3·t³ + a4·t⁴, from its derivative's roots.

    >>> round(quartic_step(-8.0, 0.0, 0.0, 1.0), 12)
    2.0
    """
    m = a3 / a4
    third = (a2 / a4 - 3.0 * m * m) / 3.0
    half = 0.5 * ((a1 - m * a2) / a4 + 2.0 * m * m * m)
    inside = half * half + third * third * third
    if inside > 0:  # one real root
        big = -half - math.copysign(math.sqrt(inside), half)
        big = math.copysign(abs(big) ** (1.0 / 3.0), big)
        return big - third / big - m
    if third == 0:
        return -m
    angle = math.acos(min(max(-half / (-third) ** 1.5, -1.0), 1.0)) / 3.0
    best, lowest = 0.0, math.inf
    for k in range(2):  # the outer roots: the one between them is a maximum
        t = 2.0 * math.sqrt(-third) * math.cos(angle + 2.0 * math.pi * k / 3.0) - m
        value = t * (4.0 * a1 + t * (2.0 * a2 + t * (4.0 * a3 + t * a4)))
        if value < lowest:
            best, lowest = t, value
    return best


def line_sweep(target: np.ndarray, weight: np.ndarray, X: np.ndarray) -> np.ndarray:
    """Return X (n, 1) after moving one point after the other to its best place on the line."""
    # Majorisation would keep the order that the points have at the start.
    x = X[:, 0].copy()
    for i in range(len(x)):
        w = np.delete(weight[i], i) if weight.size else np.ones(len(x) - 1)
        x[i] = best_on_line(np.delete(x, i), np.delete(target[i], i), w)
    return x[:, None]


def best_on_line(x: np.ndarray, target: np.ndarray, w: np.ndarray) -> float:
    """Return the z that minimises Σ_j w_j(t_j − |z − x_j|)², a parabola between two neighbours.

    >>> best_on_line(np.array([0.0, 4.0]), np.array([1.0, 3.0]), np.ones(2))
    1.0
    """
    order = np.argsort(x, kind="stable")
    x, target, w = x[order], target[order], w[order]
    passed, ahead = x + target, x - target
    # Entry k of the sums: the point stands after k of the others.
    first = np.append(0.0, np.cumsum(w * passed)) + _from_right(w * ahead)
    second = np.append(0.0, np.cumsum(w * passed**2)) + _from_right(w * ahead**2)
    size = w.sum()
    ends = np.concatenate([[-np.inf], x, [np.inf]])
    best = np.clip(first / size, ends[:-1], ends[1:])
    return float(best[np.argmin(best * (size * best - 2.0 * first) + second)])


def _from_right(y: np.ndarray) -> np.ndarray:
    return np.append(np.cumsum(y[::-1])[::-1], 0.0)
