"""One scale for each column, learned: columns that have nothing to do with the others go."""

import math

import numpy as np

from gramian._core.array import to_dense, to_numpy
from gramian._core.check import generator
from gramian._core.pairs import Points
from gramian.kernels.bandwidth import median_of, scale_rows

_MAX_ROWS = 200
_MAX_NUMBERS = 1 << 24  # of the kernels of all columns
_SHUFFLES = 19  # the largest of so many maxima is a limit of 5 % for the largest of all columns
_ROUNDS = 4


def learned_scales(
    points: Points,
    p: np.ndarray | None = None,
    target: np.ndarray | None = None,
    *,
    shrinkage: float = 0.0,
) -> np.ndarray:
    """Return one scale for each column of a Gaussian kernel, inf for a column without a part.

    Without a target a column counts by its dependence on the others (HSIC without its bias, first
    of one with another, then with the kernel of those that count), with a target, a kernel (n, n)
    of what is to be predicted, by the slope of the alignment with it. What the largest of all
    columns reaches in shuffled rows is taken off, and what is left makes the weights of the next
    round. If nothing is left, all columns have the same weight. Shrinkage 1 does that too: weights
    are (1 − shrinkage)·learned + shrinkage·equal, and as a whole follow the median rule.

    Rows without a weight p have no part. More than 200 rows are sampled, fewer of many columns.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> t = rng.uniform(0.0, 6.28, 200)
    >>> rings = np.column_stack([np.cos(t), np.sin(t), rng.standard_normal((200, 2))])
    >>> np.isinf(learned_scales(Points(rings))).tolist()
    [False, False, True, True]
    """
    X = to_dense(to_numpy(points.X) if points.is_dense else points.X).astype(np.float64)
    rng, rows = generator(0), scale_rows(len(X), p)
    spread = X[rows].std(axis=0)
    spread = np.where(spread > 1e-12 * np.abs(X[rows]).max(axis=0), spread, np.inf)
    most = min(_MAX_ROWS, max(int(math.sqrt(_MAX_NUMBERS / X.shape[1])), 20))
    some = rows if rows.size <= most else np.sort(rng.choice(rows, most, replace=False))
    T = None if target is None else _centred(target[np.ix_(some, some)])
    learned = _weights((X[some] - X[some].mean(axis=0)) / spread, T, rng)
    equal = np.isfinite(spread) / max(int(np.isfinite(spread).sum()), 1)
    weight = (1.0 - shrinkage) * learned + shrinkage * equal
    scales = np.full(len(weight), math.inf)
    np.divide(spread, np.sqrt(weight), out=scales, where=weight > 0)
    return np.asarray(scales * median_of(Points(X / scales), p))


def _weights(X: np.ndarray, T: np.ndarray | None, rng: np.random.Generator) -> np.ndarray:
    """Return weights of standardised columns that add up to 1, (p,)."""
    n, p = X.shape
    weight = np.asarray(X.any(axis=0) / max(int(X.any(axis=0).sum()), 1))
    if p < 2 or n < 6:
        return weight
    orders = [rng.permutation(n) for _ in range(_SHUFFLES)]
    for k in range(_ROUNDS):
        if k == 0 and T is None:
            found = _pairwise(X, orders)
        else:
            found = np.array([_relevance(X, j, weight, T, orders) for j in range(p)])
        excess = np.maximum(found[:, 0] - found[:, 1:].max(), 0.0)
        if not excess.any():
            break
        weight = excess / excess.sum()
    return weight


def _pairwise(X: np.ndarray, orders: list[np.ndarray]) -> np.ndarray:
    """Return the largest dependence of each column on one other, (p, 1 + shuffles)."""
    # Two columns on a ring are lost in the kernel of all columns if most of these are noise.
    L = [_centred(np.exp(-((x[:, None] - x[None, :]) ** 2))) for x in X.T]
    V = np.stack(L, axis=2).astype(np.float32)  # (n, n, p): rows are moved as a whole
    V /= np.maximum(np.sqrt(np.einsum("abj,abj->j", V, V)), 1e-30)
    flat, found = V.reshape(-1, X.shape[1]), []
    for order in [np.arange(len(X)), *orders]:
        H = V[order][:, order].reshape(flat.shape).T @ flat
        np.fill_diagonal(H, 0.0)
        found.append(H.max(axis=1))
    return np.stack(found, axis=1)


def _relevance(
    X: np.ndarray, j: int, weight: np.ndarray, T: np.ndarray | None, orders: list[np.ndarray]
) -> list[float]:
    """Return how much column j counts, and how much it would in shuffled rows, (1 + shuffles,)."""
    D = (X[:, j, None] - X[None, :, j]) ** 2
    others = weight.copy()
    others[j] = 0.0 if T is None else max(others[j], 1.0 / len(weight))
    if not others.any():
        return [0.0] * (1 + len(orders))
    F = X * np.sqrt(others)
    S = np.sum(F**2, axis=1)
    E = np.maximum(S[:, None] + S[None, :] - 2.0 * F @ F.T, 0.0)
    K = np.exp(-E / max(float(np.median(E[np.triu_indices(len(E), 1)])), 1e-300))
    own, base = (np.exp(-D), _centred(K)) if T is None else (-D * K, T)
    own = _centred(own)
    size = math.sqrt(float(np.vdot(own, own) * np.vdot(base, base))) or 1.0
    moved = [float(np.vdot(own[np.ix_(order, order)], base)) / size for order in orders]
    return [float(np.vdot(own, base)) / size, *moved]


def _centred(K: np.ndarray) -> np.ndarray:
    """Return K centred without its diagonal (Székely and Rizzo 2014): products have mean 0."""
    n = len(K)
    K = K - np.diag(np.diag(K))
    rows = K.sum(axis=1) / (n - 2)
    U = K - rows[:, None] - rows[None, :] + K.sum() / ((n - 1) * (n - 2))
    np.fill_diagonal(U, 0.0)
    return np.asarray(U)
