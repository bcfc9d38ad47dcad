"""Squared distances of near points under a kernel of their product, which a difference would lose.

With m = ½(|x|² + |y|²), h = ½(|x|² − |y|²) and δ = ½|x − y|² the product is ⟨x, y⟩ = m − δ, and

    φ(|x|²) + φ(|y|²) − 2φ(⟨x, y⟩) = φ(m + h) + φ(m − h) − 2φ(m − δ)
                                   = 2 Σ c_k (h^k·[k even] − (−δ)^k)

over k ≥ 1, c_k being the Taylor coefficients of φ at m. No term of it is large.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gramian._array import Array, as_kind, eps, is_sparse, namespace, to_numpy, writes_at_positions
from gramian._pairs import Pairs
from gramian.kernels.jets import Undifferentiable, applied

__all__ = ["bend", "mended"]

TERMS = 16
_AT_ONCE = 1 << 14  # pairs
_ROUNDING = float(np.finfo(np.float64).eps)


def bend(
    profile: Callable[[Array], Array], m: np.ndarray, h: np.ndarray, delta: np.ndarray
) -> np.ndarray:
    """Return φ(m + h) + φ(m − h) − 2φ(m − δ) by series, NaN where it has too few terms.

    >>> one = np.ones(1)
    >>> float(bend(lambda s: s**2, one, 0.0 * one, 2.0**-70 * one)[0] * 2.0**70)
    4.0
    """
    start = np.zeros((TERMS, len(m)))
    start[0], start[1] = m, 1.0
    c = applied(profile, start)
    k = np.arange(1, len(c))[:, None]
    terms = 2.0 * c[1:] * (np.where(k % 2 == 0, h**k, 0.0) - (-delta) ** k)
    total = terms.sum(axis=0)
    last = np.abs(terms[-3:]).sum(axis=0)
    return np.where(last <= 4.0 * _ROUNDING * np.abs(total), total, np.nan)


def mended(profile: Callable[[Array], Array], pairs: Pairs, D: Array, size: Array) -> Array:
    """Return squared distances D, those that are small beside `size` computed by series."""
    xp = namespace(D)
    enough = 1e-3 if eps(D.dtype, xp) < 1e-10 else 0.1
    near = to_numpy(xp.abs(D) < enough * xp.abs(size))
    if pairs.same:
        np.fill_diagonal(near, False)
    i, j = np.nonzero(near)
    if not i.size or not writes_at_positions(D):
        return D
    rounding = 256.0 * eps(D.dtype, xp) * np.abs(to_numpy(size))
    for start in range(0, i.size, _AT_ONCE):
        some = slice(start, start + _AT_ONCE)
        try:
            close = bend(profile, *_parts(pairs, i[some], j[some]))
        except Undifferentiable:
            return D
        # Beyond a switch (`where`, `clip`) the series goes on and the profile does not.
        plain = to_numpy(D)[i[some], j[some]]
        known = np.abs(close - plain) <= rounding[i[some], j[some]]
        D[i[some][known], j[some][known]] = as_kind(close[known], D)
    return D


def _parts(pairs: Pairs, i: np.ndarray, j: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return m, h and δ of the listed pairs, from their differences, in double precision."""
    X, Y = (M if is_sparse(M) else to_numpy(M) for M in (pairs.X, pairs.Y))
    x, y = X[i].astype(np.float64), Y[j].astype(np.float64)
    if is_sparse(x):
        apart, both = x - y, x + y
        m = 0.5 * np.asarray(x.multiply(x).sum(axis=1) + y.multiply(y).sum(axis=1)).ravel()
        h, d2 = (np.asarray(apart.multiply(M).sum(axis=1)).ravel() for M in (both, apart))
    else:
        apart = x - y
        m = 0.5 * (np.einsum("ij,ij->i", x, x) + np.einsum("ij,ij->i", y, y))
        h, d2 = (np.einsum("ij,ij->i", apart, M) for M in (x + y, apart))
    return m, 0.5 * h, 0.5 * d2
