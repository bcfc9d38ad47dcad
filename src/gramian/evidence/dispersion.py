"""How much more counts vary than those of individuals that are counted once and for themselves."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

_CAUTION = 0.1  # quantile of what white noise leaves: the dispersion is rather too large than not
_TABLES, _FEWER = 199, 49  # of white noise
_SMALL = 2_000  # cells, up to which the first number is drawn
_MOST = 100.0  # dispersion: the deviation of a large count is ten times its mean
_NEAR = 0.02  # relative
_ROUNDS = 30


def pearson(N: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (N − E)/√E of tables, (…, n, p), and E, their counts were they independent.

    Its squared singular values are the inertias of correspondence analysis times the total.
    """
    rows, columns = N.sum(axis=-1, keepdims=True), N.sum(axis=-2, keepdims=True)
    total = np.maximum(rows.sum(axis=-2, keepdims=True), 1.0)
    E = rows * columns / total
    return (N - E) / np.sqrt(np.where(E > 0, E, 1.0)), E


def spectrum(Z: np.ndarray) -> np.ndarray:
    """Return the squared singular values of centred tables, (…, m), in descending order."""
    Z = Z if Z.shape[-1] <= Z.shape[-2] else np.swapaxes(Z, -1, -2)
    values = np.linalg.eigvalsh(np.swapaxes(Z, -1, -2) @ Z)[..., :0:-1]
    return np.maximum(values, 0.0)


def drawn(M: np.ndarray, b: float, count: int, rng: np.random.Generator) -> np.ndarray:
    """Return tables of independent counts of means M and variances M + b·M², (count, n, p)."""
    means = np.broadcast_to(M, (count, *M.shape))
    if b > 0:
        means = means * (b * rng.standard_gamma(1 / b, means.shape))
    return rng.poisson(means).astype(float)


def dispersion(N: np.ndarray, h: int) -> float:
    """Return b of counts with variances M + b·M², from what is left of them without h axes.

    Residuals in units of their deviations are white noise with the right b, and h axes take from
    them what they take from it. Axes among the first h are left out of b; where chance leaves b
    open, in small tables, it is taken rather too large.

    >>> rng = np.random.default_rng(0)
    >>> M = np.outer(rng.lognormal(3, 1, 60), np.ones(12))
    >>> round(dispersion(rng.poisson(M * rng.gamma(4, 1 / 4, M.shape)), 5), 2)
    0.25
    """
    level = left_by_noise(N.shape, h, _CAUTION)
    if _left(N, 0.0, h) <= level:
        return 0.0
    low, high = 0.0, 1.0 / N.mean()
    while high < _MOST and _left(N, high, h) > level:
        low, high = high, 4 * high
    while high - low > _NEAR * high:
        middle = (low + high) / 2
        low, high = (middle, high) if _left(N, middle, h) > level else (low, middle)
    return float(high)


def left_by_noise(shape: tuple[int, ...], h: int, q: float) -> float:
    """Return a quantile of what h axes leave of white noise with the shape of a table."""
    n, p = shape
    return float(np.quantile(_white(n, p)[:, h:].sum(axis=1), q))


def _left(N: np.ndarray, b: float, h: int) -> float:
    """Return what is left of the standard residuals without h axes."""
    M = _independent(N, b)
    return float(spectrum((N - M) / np.sqrt(M + b * M**2))[h:].sum())


def _independent(N: np.ndarray, b: float) -> np.ndarray:
    """Return the means of independent rows and columns, by quasi-likelihood.

    A large cell that varies much must not set the totals of its row and its column.
    """
    rows, columns = N.sum(axis=1), N.sum(axis=0) / N.sum()
    for _ in range(_ROUNDS if b else 0):
        M = np.outer(rows, columns)
        w = 1 / (1 + b * M)
        rows = rows * (w * N).sum(axis=1) / (w * M).sum(axis=1)
        M = np.outer(rows, columns)
        w = 1 / (1 + b * M)
        change = (w * N).sum(axis=0) / (w * M).sum(axis=0)
        columns = columns * change
        if np.abs(change - 1).max() < 1e-4:
            break
    return np.outer(rows, columns)


@lru_cache(maxsize=64)
def _white(n: int, p: int) -> np.ndarray:
    """Return spectra of white noise with as many degrees of freedom, (B, m)."""
    count = _TABLES if n * p <= _SMALL else _FEWER
    rng, m = np.random.default_rng(0), min(n, p) - 1
    G = np.empty((count, m, m))
    for k in range(count):
        X = rng.standard_normal((max(n, p) - 1, m))
        G[k] = X.T @ X
    return np.asarray(np.linalg.eigvalsh(G)[:, ::-1])
