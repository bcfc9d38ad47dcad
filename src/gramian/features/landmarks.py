"""Choosing landmarks: rows that stand for the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.linalg import cholesky, solve_triangular

from gramian._array import Array, as_kind, eps, is_numpy, namespace, to_numpy
from gramian.errors import InputError
from gramian.features.lowrank import tall
from gramian.kernels.base import Kernel
from gramian.pairs import Pairs, Points

__all__ = ["CHOICES", "columns", "kmeans", "leverage", "rpcholesky", "uniform"]


def columns(kernel: Kernel, points: Points, chosen: Points) -> Array:
    """Return k(x, z) for every point x and every chosen z, (n, k)."""
    like = points.X if hasattr(points.X, "dtype") else np.empty(0)
    return tall(len(points), lambda rows: kernel.evaluate(Pairs(points, chosen, rows)), like)


def rpcholesky(
    kernel: Kernel,
    points: Points,
    rank: int,
    rng: np.random.Generator,
    *,
    weights: np.ndarray | None = None,
    target: float = 0.0,
) -> tuple[np.ndarray, Array, float]:
    """Return landmarks by randomly pivoted Cholesky, the factor F (n, k) and the trace error.

    A pivot is drawn with probability proportional to the diagonal of what is left, K − F·Fᵀ.
    Pivots are proposed in blocks and thinned by rejection, so that the law is that of one by one
    (Epperly, Tropp and Webber 2024) at the speed of matrix products: (k + 1)·n kernel values.

    Parameters
    ----------
    target : float
        Stop when the trace left is below this share of the whole.
    """
    diag = to_numpy(kernel.self_similarity(points.X)).astype(np.float64)
    n, total = len(points), float(diag.sum())
    like = points.X if hasattr(points.X, "dtype") else np.empty(0)
    precision = eps(like.dtype, namespace(like))
    mass = np.ones(n) if weights is None else weights * n
    F = as_kind(np.empty((n, 0)), like) if not is_numpy(like) else np.empty((n, rank), like.dtype)
    left = diag.copy()
    pivots: list[int] = []
    block = max(8, min(128, rank // 8))
    # Below this the diagonal is rounding, and proposals would be rejected for ever.
    floor = max(target, 500.0 * precision if precision < 1e-10 else 16.0 * precision) * total
    while len(pivots) < rank and left.sum() > floor:
        proposal = rng.choice(n, size=block, p=left * mass / (left * mass).sum())
        done = len(pivots)
        new = _accepted(kernel, points, F[:, :done], left, proposal, rng)[: rank - done]
        if new.size == 0:
            continue
        G = _residual_columns(kernel, points, F[:, :done], new)
        L = cholesky(_symmetric(to_numpy(G)[new].astype(np.float64)), lower=True)
        part = _divided(G, L)
        if is_numpy(like):
            F[:, done : done + new.size] = part
        else:
            F = namespace(F).concat([F, part], axis=1)
        left = np.clip(left - to_numpy(namespace(part).sum(part * part, axis=1)), 0.0, None)
        left[new] = 0.0
        pivots.extend(new.tolist())
    return np.array(pivots), F[:, : len(pivots)], float(left.sum()) / total


def _accepted(
    kernel: Kernel,
    points: Points,
    F: Array,
    left: np.ndarray,
    proposal: np.ndarray,
    rng: np.random.Generator,
) -> np.ndarray:
    """Keep each proposed pivot with the probability that one-by-one sampling would have had."""
    some = points.take(proposal)
    rows = to_numpy(F[_index(proposal, F)]).astype(np.float64)
    H = to_numpy(kernel.block(Pairs(some))).astype(np.float64) - rows @ rows.T
    before = left[proposal]
    kept: list[int] = []
    for i in range(proposal.size):
        if H[i, i] > 1e-10 * before[i] and rng.random() * before[i] < H[i, i]:
            kept.append(i)
            H = H - np.outer(H[:, i], H[i]) / H[i, i]
    return proposal[kept]


def _residual_columns(kernel: Kernel, points: Points, F: Array, new: np.ndarray) -> Array:
    chosen = points.take(new)
    rows_of_new = F[_index(new, F)]

    def block(rows: slice) -> Array:
        return kernel.evaluate(Pairs(points, chosen, rows)) - F[rows] @ rows_of_new.T

    return tall(len(points), block, F)


def _symmetric(M: np.ndarray) -> np.ndarray:
    M = 0.5 * (M + M.T)
    # Accepted pivots are independent, but by as little as rounding allows.
    return M + 1e-13 * np.trace(M) / max(len(M), 1) * np.eye(len(M))


def _divided(G: Array, L: np.ndarray) -> Array:
    """Return G·L⁻ᵀ."""
    inverse = solve_triangular(L, np.eye(len(L)), lower=True).T
    return G @ as_kind(inverse, G)


def _index(rows: np.ndarray, like: Array) -> Any:
    return rows if is_numpy(like) else namespace(like).asarray(rows, device=like.device)


def uniform(kernel: Kernel, points: Points, rank: int, rng: np.random.Generator) -> np.ndarray:
    """Return row numbers drawn without replacement, all alike."""
    return np.sort(rng.choice(len(points), rank, replace=False))


def leverage(kernel: Kernel, points: Points, rank: int, rng: np.random.Generator) -> np.ndarray:
    """Return row numbers drawn by recursive ridge leverage scores (Musco and Musco 2017).

    The scores of a half of the points are estimated from landmarks of a quarter, and so on.
    """
    n = len(points)
    order = rng.permutation(n)
    excess = max(np.log(rank), 1.0)
    sizes = [n]
    while sizes[-1] > 2 * rank:
        sizes.append((sizes[-1] + 1) // 2)
    chosen, w = order[: sizes[-1]], np.ones(sizes[-1])
    for size in reversed(sizes[:-1]):
        rows = order[:size]
        scores = excess * _ridge_scores(kernel, points, rows, chosen, w, rank)
        if size < n:
            keep = rng.random(size) < np.clip(scores, 0.0, 1.0)
            if keep.sum() < rank:
                keep[np.argsort(-scores)[:rank]] = True
            chosen, w = rows[keep], 1.0 / np.sqrt(np.clip(scores[keep], 1e-12, 1.0))
        else:
            chosen = rng.choice(rows, rank, replace=False, p=scores / scores.sum())
    return np.sort(chosen[:rank])


def _ridge_scores(
    kernel: Kernel,
    points: Points,
    rows: np.ndarray,
    chosen: np.ndarray,
    w: np.ndarray,
    rank: int,
) -> np.ndarray:
    """Return estimated ridge leverage scores of some rows from weighted landmarks."""
    sample, landmarks = points.take(rows), points.take(chosen)
    S = to_numpy(kernel.block(Pairs(landmarks))).astype(np.float64)
    spectrum = np.linalg.eigvalsh(S * w[:, None] * w[None, :])[::-1]
    ridge = max(spectrum[rank:].sum() / rank, 1e-12 * spectrum[0])
    C = to_numpy(columns(kernel, sample, landmarks)).astype(np.float64)
    L = cholesky(S + np.diag(ridge / w**2), lower=True)
    explained = (solve_triangular(L, C.T, lower=True) ** 2).sum(axis=0)
    diag = to_numpy(kernel.self_similarity(sample.X)).astype(np.float64)
    return np.clip((diag - explained) / ridge, 1e-15, None)


def kmeans(kernel: Kernel, points: Points, rank: int, rng: np.random.Generator) -> Points:
    """Return the centres of k-means as landmarks: points that need not be rows."""
    from sklearn.cluster import MiniBatchKMeans

    if not points.is_dense:
        raise InputError('landmarks="kmeans" needs dense vectors: use "rpcholesky"')
    X = to_numpy(points.X)
    seed = int(rng.integers(2**31 - 1))
    model = MiniBatchKMeans(rank, random_state=seed, n_init=1, batch_size=max(1024, 4 * rank))
    return Points(as_kind(model.fit(X).cluster_centers_, points.X), points)


CHOICES: dict[str, Callable[..., Any]] = {
    "uniform": uniform,
    "leverage": leverage,
    "kmeans": kmeans,
}
