"""Dependence that no straight line shows: correlations of waves along sequences of numbers.

The ranks of a sequence, as shares u of their number, have the orthonormal functions
√2 cos(πku): the first rises like the sequence itself, the second goes up and down, and so on. Two
independent sequences have no such functions that are correlated; for the first of both alone a
straight axis is enough. The weighted sum of their squared correlations is the Hilbert–Schmidt
criterion of a kernel on the ranks, Σ k^{−½} cos(πku) cos(πkv), in thin factors.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy import stats

_ANGLES = np.linspace(0.0, np.pi / 2.0, 12, endpoint=False)
_TURNS = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)
_SWEEPS = 2


def waves(A: np.ndarray, count: int, *, ties: bool = True) -> np.ndarray:
    """Return the functions of sequences A (…, n) over √n, times k^{−¼}, (…, count, n)."""
    n = A.shape[-1]
    if not ties:  # whole ranks: a table of their waves, which add up to 0
        return np.asarray(np.moveaxis(_table(n, count)[:, _ranks(A)], 0, -2))
    k = np.arange(1.0, count + 1.0)[:, None]
    unit = np.sqrt(2.0 / n) / k**0.25
    W = np.cos(np.pi * k * ((stats.rankdata(A, axis=-1) - 0.5) / n)[..., None, :]) * unit
    return np.asarray(W - W.mean(axis=-1, keepdims=True))


def _ranks(A: np.ndarray) -> np.ndarray:
    """Return the ranks from 0 of sequences A (…, n) whose numbers are taken to differ."""
    ranks = np.empty(A.shape, dtype=np.intp)
    places = np.broadcast_to(np.arange(A.shape[-1]), A.shape)
    np.put_along_axis(ranks, A.argsort(axis=-1), places, axis=-1)
    return ranks


@lru_cache(maxsize=8)
def _table(n: int, count: int) -> np.ndarray:
    """Return the waves of whole ranks, (count, n): asked for thousands of times a study."""
    k = np.arange(1.0, count + 1.0)[:, None]
    return np.cos(np.pi * k * ((np.arange(n) + 0.5) / n)) * (np.sqrt(2.0 / n) / k**0.25)


def pairs(W: np.ndarray) -> np.ndarray:
    """Return the dependence of each two of p sequences beyond a straight line, (…, p, p)."""
    *tables, p, count, n = W.shape
    A = W.reshape(*tables, p * count, n)
    C = (A @ A.swapaxes(-1, -2)) ** 2
    sums = C.reshape(*tables, p, count, p, count).sum(axis=(-3, -1))
    return np.asarray(sums - C[..., ::count, ::count])


def bends(W: np.ndarray, most: int) -> np.ndarray:
    """Return the sum over all pairs of sequences (…, p, count, n) and the largest of them, (…, 2).

    Above `most` sequences the sum comes from matrices of the rows, up to a constant that does not
    change when sequences are permuted, and the largest is left out.
    """
    p, count, n = W.shape[-3:]
    if p <= most:
        T = pairs(W)[..., *np.triu_indices(p, 1)]
        return np.stack([T.sum(axis=-1), T.max(axis=-1, initial=0.0)], axis=-1)
    A, first = W.reshape(p * count, n), W[:, 0]
    return np.array([((A.T @ A) ** 2).sum() - ((first.T @ first) ** 2).sum(), 0.0])


def three(W: np.ndarray) -> float:
    """Return the sum over triples of sequences of the squared mean product of their first waves.

    Three columns may depend on one another though each two do not (x, y and the sign of xy). The
    sum over triples is one over pairs of rows: e₃ = (s₁³ − 3s₁s₂ + 2s₃)/6 of the products.
    """
    a = W[:, 0] * np.sqrt(W.shape[-1])
    s1, s2, s3 = ((a**power).T @ a**power for power in (1, 2, 3))
    return float((s1**3 - 3.0 * s1 * s2 + 2.0 * s3).sum()) / (6.0 * W.shape[-1] ** 2)


def unmixed(F: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return axes F (…, n, m) turned to be as independent as can be, of variance 1, and the turn.

    Axes of a linear model with independent sources that are not normal depend on one another as
    soon as the axes are turned against the sources, which equal eigenvalues leave to chance: only
    what no turn takes away is a bend.
    """
    size = F.std(axis=-2, keepdims=True)
    size = np.where(size > 0, size, 1.0)
    S = F / size
    m = S.shape[-1]
    turn = np.broadcast_to(np.eye(m), (*S.shape[:-2], m, m)).copy()
    planes = [(i, j) for i in range(m) for j in range(i)]
    for first, second in planes * (_SWEEPS if m > 2 else 1):
        both = [first, second]
        Q = _best_turn(S[..., first], S[..., second], count)
        S[..., both], turn[..., both] = S[..., both] @ Q, turn[..., both] @ Q
    return S, turn * size.swapaxes(-1, -2)


def _best_turn(a: np.ndarray, b: np.ndarray, count: int) -> np.ndarray:
    """Return the rotations (…, 2, 2) of two sequences after which they depend least."""
    c, s = _TURNS[:, :1], _TURNS[:, 1:]
    a, b = a[..., None, :], b[..., None, :]
    # With the first in order its waves are the table of waves itself.
    order = (c * a + s * b).argsort(axis=-1)
    ranks = np.take_along_axis(_ranks(c * b - s * a), order, axis=-1)
    table = _table(a.shape[-1], count)
    C = (table @ np.ascontiguousarray(table.T)[ranks]) ** 2
    cos, sin = np.moveaxis(_TURNS[(C.sum(axis=(-2, -1)) - C[..., 0, 0]).argmin(axis=-1)], -1, 0)
    return np.stack([np.stack([cos, -sin], axis=-1), np.stack([sin, cos], axis=-1)], axis=-2)
