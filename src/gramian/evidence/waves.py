"""Dependence that no straight line shows: correlations of waves along sequences of numbers.

The ranks of a sequence, as shares u of their number, have the orthonormal functions
√2 cos(πku): the first rises like the sequence itself, the second goes up and down, and so on. Two
independent sequences have no such functions that are correlated; for the first of both alone a
straight axis is enough. The weighted sum of their squared correlations is the Hilbert–Schmidt
criterion of a kernel on the ranks, Σ k^{−½} cos(πku) cos(πkv), in thin factors.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
from scipy import stats

__all__ = ["bends", "pairs", "three", "unmixed", "waves"]

_ANGLES = np.linspace(0.0, np.pi / 2.0, 12, endpoint=False)
_TURNS = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)
_SWEEPS = 2


def waves(A: np.ndarray, count: int, *, ties: bool = True) -> np.ndarray:
    """Return the functions of sequences A (…, n) over √n, times k^{−¼}, (…, count, n)."""
    n = A.shape[-1]
    if not ties:  # whole ranks: a table of their waves, which add up to 0
        ranks = np.empty(A.shape, dtype=np.intp)
        order = A.argsort(axis=-1)
        np.put_along_axis(ranks, order, np.broadcast_to(np.arange(n), A.shape), axis=-1)
        return np.asarray(np.moveaxis(_table(n, count)[:, ranks], 0, -2))
    k = np.arange(1.0, count + 1.0)[:, None]
    unit = np.sqrt(2.0 / n) / k**0.25
    W = np.cos(np.pi * k * ((stats.rankdata(A, axis=-1) - 0.5) / n)[..., None, :]) * unit
    return np.asarray(W - W.mean(axis=-1, keepdims=True))


@lru_cache(maxsize=8)
def _table(n: int, count: int) -> np.ndarray:
    """Return the waves of whole ranks, (count, n): asked for thousands of times a study."""
    k = np.arange(1.0, count + 1.0)[:, None]
    return np.cos(np.pi * k * ((np.arange(n) + 0.5) / n)) * (np.sqrt(2.0 / n) / k**0.25)


def pairs(W: np.ndarray) -> np.ndarray:
    """Return the dependence of each two of p sequences beyond a straight line, (p, p)."""
    p, count, n = W.shape
    A = W.reshape(p * count, n)
    C = (A @ A.T) ** 2
    return np.asarray(C.reshape(p, count, p, count).sum(axis=(1, 3)) - C[::count, ::count])


def bends(W: np.ndarray, most: int) -> tuple[float, float]:
    """Return the sum over all pairs of sequences and the largest of them.

    Above `most` sequences the sum comes from matrices of the rows, up to a constant that does not
    change when sequences are permuted, and the largest is left out.
    """
    p, count, n = W.shape
    if p <= most:
        T = pairs(W)[np.triu_indices(p, 1)]
        return float(T.sum()), float(T.max(initial=0.0))
    A, first = W.reshape(p * count, n), W[:, 0]
    return float(((A.T @ A) ** 2).sum() - ((first.T @ first) ** 2).sum()), 0.0


def three(W: np.ndarray) -> float:
    """Return the sum over triples of sequences of the squared mean product of their first waves.

    Three columns may depend on one another though each two do not (x, y and the sign of xy). The
    sum over triples is one over pairs of rows: e₃ = (s₁³ − 3s₁s₂ + 2s₃)/6 of the products.
    """
    a = W[:, 0] * np.sqrt(W.shape[-1])
    s1, s2, s3 = ((a**power).T @ a**power for power in (1, 2, 3))
    return float((s1**3 - 3.0 * s1 * s2 + 2.0 * s3).sum()) / (6.0 * W.shape[-1] ** 2)


def unmixed(F: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return axes F (n, m) turned to be as independent as they can, of variance 1, and the turn.

    Axes of a linear model with independent sources that are not normal depend on one another as
    soon as the axes are turned against the sources, which equal eigenvalues leave to chance: only
    what no turn takes away is a bend.
    """
    size = F.std(axis=0)
    S = F / np.where(size > 0, size, 1.0)
    m = S.shape[1]
    turn = np.eye(m)
    planes = [(i, j) for i in range(m) for j in range(i)]
    for first, second in planes * (_SWEEPS if m > 2 else 1):
        both = [first, second]
        Q = _best_turn(S[:, first], S[:, second], count)
        S[:, both], turn[:, both] = S[:, both] @ Q, turn[:, both] @ Q
    return S, turn * np.where(size > 0, size, 1.0)[:, None]


def _best_turn(a: np.ndarray, b: np.ndarray, count: int) -> Any:
    """Return the rotation of two sequences after which they depend least on one another."""
    c, s = _TURNS[:, :1], _TURNS[:, 1:]
    first = waves(c * a + s * b, count, ties=False)
    second = waves(c * b - s * a, count, ties=False)
    C = (first @ second.transpose(0, 2, 1)) ** 2
    cos, sin = _TURNS[(C.sum(axis=(1, 2)) - C[:, 0, 0]).argmin()]
    return np.array([[cos, -sin], [sin, cos]])
