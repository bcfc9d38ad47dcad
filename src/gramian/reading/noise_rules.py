"""How many axes stand out of white noise: rules that need the shape of the table.

Each factory takes the numbers n of rows and p of columns of a centred table and returns a rule of
the spectrum (see `rules`). They need every eigenvalue that can differ from zero; m = min(n − 1, p)
is their number and N = n − 1 the rows left after centring.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from scipy import optimize, special, stats

from gramian.errors import InputError

__all__ = [
    "TABLE_RULES",
    "gavish_donoho",
    "karlis",
    "marchenko_pastur",
    "minka",
    "minka_evidence",
    "mp_edge",
    "mp_median",
    "shrinkage_limit",
    "tracy_widom",
]

Rule = Callable[[np.ndarray, float, int], int | None]


def karlis(n: int, p: int) -> Rule:
    """Keep the axes above mean·(1 + 2√((p − 1)/(n − 1))) (Karlis, Saporta and Spinaki 2003).

    >>> karlis(41, 10)(np.array([3.3, 1.7, 1.4, 1.1, 2.5]), 10.0, 10)
    1
    """

    def rule(values: np.ndarray, total: float, dimension: int) -> int | None:
        below = np.flatnonzero(values <= karlis_level(total, n, dimension))
        if below.size:
            return max(int(below[0]), 1)
        return len(values) if len(values) >= dimension else None

    return rule


def karlis_level(total: float, n: int, p: int) -> float:
    """Return the mean eigenvalue and two deviations of what sampling adds to it."""
    return total / p * (1.0 + 2.0 * np.sqrt((p - 1) / (n - 1)))


@lru_cache(maxsize=1)
def _gauss() -> tuple[np.ndarray, np.ndarray]:
    """Return nodes and weights of quadrature on (−1, 1)."""
    return np.polynomial.legendre.leggauss(200)


@lru_cache(maxsize=4096)
def mp_median(beta: float) -> float:
    """Return the median of the Marchenko–Pastur law of ratio β ≤ 1 and variance 1.

    >>> round(mp_median(1.0), 4)
    0.6528
    """
    low, high = (1.0 - np.sqrt(beta)) ** 2, (1.0 + np.sqrt(beta)) ** 2
    middle, half = 0.5 * (low + high), 0.5 * (high - low)

    nodes, weights = _gauss()

    def below(angle: float) -> float:
        # x = middle − half·cos t makes the square roots at both ends smooth.
        t = 0.5 * angle * (nodes + 1.0)
        density = (half * np.sin(t)) ** 2 / (2.0 * np.pi * beta * (middle - half * np.cos(t)))
        return float(0.5 * angle * (weights @ density))

    angle = optimize.brentq(lambda t: below(t) - 0.5, 0.1, np.pi, xtol=1e-13)
    return float(middle - half * np.cos(angle))


def shrinkage_limit(beta: float) -> float:
    """Return λ*(β), the best hard threshold for singular values with known noise.

    >>> round(shrinkage_limit(1.0), 4)
    2.3094
    """
    return float(np.sqrt(2 * (beta + 1) + 8 * beta / (beta + 1 + np.sqrt(beta**2 + 14 * beta + 1))))


def gavish_donoho(n: int, p: int) -> Rule:
    """Keep the singular values above ω(β)·median, the noise being unknown (2014).

    ω(β) = λ*(β)/√μ_β with μ_β the median of the Marchenko–Pastur law, β = m/max(N, p).

    >>> gavish_donoho(4, 3)(np.array([100.0, 1.0, 0.9]), 101.9, 3)
    1
    """

    def rule(values: np.ndarray, total: float, dimension: int) -> int | None:
        m = _axes(n, dimension)
        if len(values) < m:
            return None
        return max(int(np.count_nonzero(values[:m] > gavish_donoho_level(values, n, dimension))), 1)

    return rule


def gavish_donoho_level(values: np.ndarray, n: int, p: int) -> float:
    """Return the eigenvalue above which an axis is kept."""
    m = _axes(n, p)
    beta = m / max(n - 1, p)
    return shrinkage_limit(beta) ** 2 / mp_median(beta) * float(np.median(values[:m]))


def _axes(n: int, p: int) -> int:
    return max(min(n - 1, p), 1)


def tracy_widom(alpha: float) -> float:
    """Return the quantile of order 1 − α of the real Tracy–Widom law.

    By the shifted Gamma law of Chiani (2014), right to about 0.01 for 0.001 ≤ α ≤ 0.5.

    >>> round(tracy_widom(0.05), 2)
    0.98
    """
    return float(stats.gamma.ppf(1.0 - alpha, 46.446, scale=0.186054) - 9.84801)


def mp_edge(n: int, p: int, alpha: float = 0.05) -> float:
    """Return the quantile of order 1 − α of the largest eigenvalue of white noise, variance 1.

    Of YᵀY/(n − 1), Y of n − 1 free rows and p columns, by Johnstone's centring and scaling (2001).

    >>> round(mp_edge(101, 50), 2)
    3.0
    """
    N = max(n - 1, 1)
    a, b = np.sqrt(max(N - 0.5, 0.5)), np.sqrt(max(p - 0.5, 0.5))
    return float(((a + b) ** 2 + tracy_widom(alpha) * (a + b) * (1 / a + 1 / b) ** (1 / 3)) / N)


def marchenko_pastur(n: int, p: int, alpha: float = 0.05) -> Rule:
    """Keep axes, from the first on, that leave the Marchenko–Pastur bulk of the axes after them.

    At each step the noise is estimated anew by the median of the eigenvalues that remain, and the
    largest of them is held against the 1 − α quantile of its law under white noise.

    >>> marchenko_pastur(101, 4)(np.array([9.0, 1.2, 1.0, 0.8]), 12.0, 4)
    1
    """

    def rule(values: np.ndarray, total: float, dimension: int) -> int | None:
        m = _axes(n, dimension)
        if len(values) < m:
            return None
        levels = marchenko_pastur_levels(values, n, dimension, alpha)
        below = np.flatnonzero(values[: len(levels)] <= levels)
        return max(int(below[0]) if below.size else len(levels), 1)

    return rule


def marchenko_pastur_levels(values: np.ndarray, n: int, p: int, alpha: float = 0.05) -> np.ndarray:
    """Return what each eigenvalue must exceed, given that those before it are signal, (m − 1,)."""
    m = _axes(n, p)
    levels = np.empty(max(m - 1, 1))
    for k in range(len(levels)):
        rows, columns = (n, p - k) if p < n else (n - k, p)
        left = max(m - k, 1)
        beta = left / max(rows - 1, columns)
        # median·N/(larger side) estimates the noise, the bulk being in units of the larger side.
        unit = float(np.median(values[k:m])) / mp_median(beta)
        larger = max(rows - 1, columns)
        levels[k] = unit * mp_edge(rows, columns, alpha) * max(rows - 1, 1) / larger
    return levels


def minka(n: int, p: int) -> Rule:
    """Keep the number of axes of largest evidence in probabilistic PCA (Minka 2000); n > p.

    >>> minka(50, 4)(np.array([9.0, 4.0, 0.1, 0.09]), 13.19, 4)
    2
    """

    def rule(values: np.ndarray, total: float, dimension: int) -> int | None:
        if n <= dimension:
            raise InputError(
                f"the rule 'minka' needs more rows than columns, but X is {n} × {dimension}: use "
                "'parallel' or 'gavish_donoho'"
            )
        if len(values) < dimension:
            return None
        return int(np.argmax(minka_evidence(values[:dimension], n))) + 1

    return rule


def minka_evidence(values: np.ndarray, n: int) -> np.ndarray:
    """Return the log evidence of q = 1 … p − 1 axes given the eigenvalues of a covariance matrix.

    >>> minka_evidence(np.array([4.0, 1.0]), 20).shape
    (1,)
    """
    rank = int(np.count_nonzero(values > 1e-14 * values[0]))
    p = len(values)
    evidence = np.full(max(p - 1, 1), -np.inf)
    logs = np.log(values[:rank])
    for q in range(1, min(rank, p - 1) + 1):
        noise = float(values[q:].sum()) / (p - q)
        if noise <= 1e-14 * values[0]:
            continue
        evidence[q - 1] = _log_evidence(values, logs, q, n, noise)
    return evidence if np.isfinite(evidence).any() else np.append(evidence[:-1], 0.0)


def _log_evidence(values: np.ndarray, logs: np.ndarray, q: int, n: int, noise: float) -> float:
    """Minka's equation (77), up to a constant: Stiefel volume, likelihood and Laplace's factor."""
    p = len(values)
    i = np.arange(1, q + 1)
    frame = -q * np.log(2.0) + np.sum(
        special.gammaln(0.5 * (p - i + 1)) - 0.5 * np.log(np.pi) * (p - i + 1)
    )
    likelihood = -0.5 * n * (logs[:q].sum() + (p - q) * np.log(noise))
    free = p * q - q * (q + 1) / 2
    inverse = np.append(1.0 / values[:q], np.full(p - q, 1.0 / noise))
    gap = (inverse[None, :] - inverse[:q, None]) * (values[:q, None] - values[None, :])
    later = np.arange(p)[None, :] > np.arange(q)[:, None]
    with np.errstate(divide="ignore"):
        hessian = np.where(later, np.log(np.where(later, np.maximum(gap, 0.0), 1.0)), 0.0).sum()
    hessian += free * np.log(n)
    normal = 0.5 * (free + q) * np.log(2.0 * np.pi)
    return float(frame + likelihood + normal - 0.5 * hessian - 0.5 * q * np.log(n))


TABLE_RULES: dict[str, Callable[[int, int], Rule]] = {
    "karlis": karlis,
    "gavish_donoho": gavish_donoho,
    "marchenko_pastur": marchenko_pastur,
    "minka": minka,
}
