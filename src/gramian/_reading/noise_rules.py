"""How many axes stand out of white noise: rules that need the number of rows.

Each takes the eigenvalues, the total inertia and the number p of columns of a centred table (see
`spectrum_rules`), and the number n of its rows. But for the first, they need every eigenvalue that
can differ from zero; m = min(n − 1, p) is their number and N = n − 1 the rows left after centring.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from scipy import optimize, special, stats

from gramian._core.check import share
from gramian._reading.choice import Choice
from gramian._reading.spectrum_rules import leading
from gramian.errors import InputError


def karlis(values: np.ndarray, total: float, p: int, n: int) -> Choice | None:
    """Keep the axes above mean·(1 + 2√((p − 1)/(n − 1))) (Karlis, Saporta and Spinaki 2003).

    The level is the mean eigenvalue and two deviations of what sampling adds to it.

    >>> karlis(np.array([3.3, 1.7, 1.4, 1.1, 2.5]), 10.0, 10, 41)
    1
    """
    level = total / p * (1.0 + 2.0 * np.sqrt((p - 1) / (n - 1)))
    q = leading(values > level, p)
    return None if q is None else Choice(q, "karlis", values[max(q, 1) - 1], level, reference=level)


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


def gavish_donoho(values: np.ndarray, total: float, p: int, n: int) -> Choice | None:
    """Keep the singular values above ω(β)·median, the noise being unknown (2014).

    ω(β) = λ*(β)/√μ_β with μ_β the median of the Marchenko–Pastur law, β = m/max(N, p).

    >>> gavish_donoho(np.array([100.0, 1.0, 0.9]), 101.9, 3, 4)
    1
    """
    m = _axes(n, p)
    if len(values) < m:
        return None
    # A centred table has n − 1 free rows: the noise of so many is what the median is of.
    beta = m / max(n - 1, p)
    level = shrinkage_limit(beta) ** 2 / mp_median(beta) * float(np.median(values[:m]))
    q = int(np.count_nonzero(values[:m] > level))
    return Choice(q, "gavish_donoho", values[max(q, 1) - 1], level, reference=level)


def _axes(n: int, p: int) -> int:
    return max(min(n - 1, p), 1)


def tracy_widom(alpha: float) -> float:
    """Return the quantile of order 1 − α of the real Tracy–Widom law.

    By the shifted Gamma law of Chiani (2014), right to about 0.01 for 0.001 ≤ α ≤ 0.5.

    >>> round(tracy_widom(0.05), 2)
    0.98
    """
    share(alpha, "alpha")
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


def marchenko_pastur(
    values: np.ndarray, total: float, p: int, n: int, alpha: float = 0.05
) -> Choice | None:
    """Keep axes, from the first on, that leave the Marchenko–Pastur bulk of the axes after them.

    At each step the noise is estimated anew by the median of the eigenvalues that remain, and the
    largest of them is held against the 1 − α quantile of its law under white noise.

    >>> marchenko_pastur(np.array([9.0, 1.2, 1.0, 0.8]), 12.0, 4, 101)
    1
    """
    if len(values) < _axes(n, p):
        return None
    levels = marchenko_pastur_levels(values, n, p, alpha)
    below = np.flatnonzero(values[: len(levels)] <= levels)
    q = int(below[0]) if below.size else len(levels)
    k = max(q, 1) - 1
    return Choice(q, "marchenko_pastur", values[k], levels[k], reference=levels)


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


def minka(values: np.ndarray, total: float, p: int, n: int) -> Choice | None:
    """Keep the number of axes of largest evidence in probabilistic PCA (Minka 2000); n > p.

    >>> minka(np.array([9.0, 4.0, 0.1, 0.09]), 13.19, 4, 50)
    2
    """
    if n <= p:
        raise InputError(
            f"the rule 'minka' needs more rows than columns, but X is {n} × {p}: use "
            "'parallel' or 'gavish_donoho'"
        )
    if len(values) < p:
        return None
    evidence = minka_evidence(values[:p], n)
    ranked = np.append(np.sort(evidence)[::-1], np.nan)  # a single model has no runner-up
    return Choice(int(np.argmax(evidence)) + 1, "minka", ranked[0], ranked[1])


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
