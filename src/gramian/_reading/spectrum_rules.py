"""The rules that look at eigenvalues, each described where it is public, in `gm.dimension`.

Each takes the leading eigenvalues (descending), the total inertia and the number of axes there
could be, and returns q with its evidence, or None when more eigenvalues are needed to decide. It
is 0 where not even the first axis stands out.

Rules of white noise take the number p of columns of a centred table, and the number n of its rows
besides. But for `karlis` they need every eigenvalue that can differ from zero; m = min(n − 1, p) is
their number and N = n − 1 the rows left after centring.
"""

from functools import lru_cache

import numpy as np
from scipy import optimize, special, stats

from gramian._core import check
from gramian._reading.rule import Choice
from gramian.errors import InputError


def threshold(
    values: np.ndarray, total: float, dimension: int, share: float = 0.9
) -> Choice | None:
    check.share(share, "share", one=True)
    # The tolerance lets a share that is met exactly count as met.
    enough = np.flatnonzero(np.cumsum(values) >= (share - 1e-12) * total)
    if not enough.size and len(values) < dimension:
        return None
    q = int(enough[0]) + 1 if enough.size else int(np.count_nonzero(values))
    return Choice(q, "threshold", values[:q].sum() / total, share)


def kaiser(values: np.ndarray, total: float, dimension: int) -> Choice | None:
    mean = total / dimension
    q = leading(values > mean * (1.0 + 1e-12), dimension)
    if q is None:
        return None
    q = max(q, 1)  # where all are equal, none is above the average and none below
    return Choice(q, "kaiser", values[q - 1], mean, reference=mean)


def leading(passes: np.ndarray, dimension: int) -> int | None:
    """Return the number of axes before the first that does not pass; None if all did so far."""
    failing = np.flatnonzero(~passes)
    if failing.size:
        return int(failing[0])
    return len(passes) if len(passes) >= dimension else None


def cattell(values: np.ndarray, total: float, dimension: int) -> Choice | None:
    bend = np.diff(values, n=2)
    flat = np.flatnonzero(bend <= 1e-12 * values[0]) if bend.size else bend
    if not flat.size and len(values) < dimension:
        return None
    live = int(np.count_nonzero(values > 1e-12 * values[0]))
    q = min(int(flat[0]) + 1 if flat.size else len(bend) + 1, live)
    return Choice(q, "cattell", bend[q - 1] if q <= len(bend) else np.nan, 0.0)


def sticks(total: float, dimension: int) -> np.ndarray:
    """Return b_k = total/m · Σ_{i ≥ k} 1/i, expected pieces of a stick broken at random in m."""
    return total / dimension * np.cumsum(1.0 / np.arange(dimension, 0, -1))[::-1]


def broken_stick(values: np.ndarray, total: float, dimension: int) -> Choice | None:
    values, pieces = values[:dimension], sticks(total, dimension)
    q = leading(values > pieces[: len(values)], dimension)
    if q is None:
        return None
    k = max(q, 1) - 1
    return Choice(q, "broken_stick", values[k], pieces[k], reference=pieces)


def elbow(values: np.ndarray, total: float, dimension: int) -> Choice | None:
    # The distance to the chord is, up to a factor, c − λ_k − (k − 1)·s with s its slope; with the
    # last eigenvalues unknown, s lies between two bounds, and the corner is certain when it is the
    # same for both and nothing later can be lower.
    values = values[:dimension]
    known = len(values)
    if dimension <= 2:
        return Choice(1, "elbow")
    if known == 0:
        return None
    if known >= dimension:
        return _corner(values)
    last = float(values[-1])
    rest = max(total - float(values.sum()), 0.0)
    position = np.arange(known)
    ends = (0.0, min(last, rest / (dimension - known)))
    steep, gentle = ((values[0] - end) / (dimension - 1) for end in ends)
    corners = {int(np.argmin(values + position * slope)) for slope in (steep, gentle)}
    lowest = float((values + position * steep).min())
    if len(corners) > 1 or lowest > known * gentle:
        return None
    return Choice(max(min(corners), 1), "elbow")


def _corner(values: np.ndarray) -> Choice:
    """Return the axes before the corner of a whole scree, at least 1."""
    m, height = len(values), float(values[0] - values[-1])
    level = values + np.arange(m) * (height / (m - 1))
    # The first of those that rounding alone sets apart: a scree above its chord has no corner.
    q = max(int(np.argmax(level <= level.min() + 2.0**-44 * abs(float(values[0])))), 1)
    if height <= 0:
        return Choice(q, "elbow")
    chord = np.linspace(values[0], values[-1], m)
    below = np.sort((chord - values) / height)[::-1]
    return Choice(q, "elbow", below[0], below[1])


def karlis(values: np.ndarray, total: float, p: int, n: int) -> Choice | None:
    """Keep the axes above the mean eigenvalue and two deviations of what sampling adds to it."""
    level = total / p * (1.0 + 2.0 * np.sqrt((p - 1) / (n - 1)))
    q = leading(values > level, p)
    return None if q is None else Choice(q, "karlis", values[max(q, 1) - 1], level, reference=level)


@lru_cache(maxsize=1)
def _gauss() -> tuple[np.ndarray, np.ndarray]:
    """Return nodes and weights of quadrature on (−1, 1)."""
    return np.polynomial.legendre.leggauss(200)


@lru_cache(maxsize=4096)
def mp_median(beta: float) -> float:
    """Return the median of the Marchenko–Pastur law of ratio β ≤ 1 and variance 1."""
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
    """Return λ*(β), the best hard threshold for singular values with known noise."""
    return float(np.sqrt(2 * (beta + 1) + 8 * beta / (beta + 1 + np.sqrt(beta**2 + 14 * beta + 1))))


def gavish_donoho(values: np.ndarray, total: float, p: int, n: int) -> Choice | None:
    """Keep singular values above λ*(β)/√μ_β·median, μ_β the median of Marchenko–Pastur's law."""
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
    """Return the quantile of order 1 − α of the real Tracy–Widom law."""
    # By the shifted Gamma law of Chiani (2014), right to about 0.01 for 0.001 ≤ α ≤ 0.5.
    check.share(alpha, "alpha")
    return float(stats.gamma.ppf(1.0 - alpha, 46.446, scale=0.186054) - 9.84801)


def mp_edge(n: int, p: int, alpha: float = 0.05) -> float:
    """Return the quantile of order 1 − α of the largest eigenvalue of white noise, variance 1."""
    # Of YᵀY/(n − 1), Y of n − 1 free rows and p columns, by Johnstone's centring and scaling
    # (2001).
    N = max(n - 1, 1)
    a, b = np.sqrt(max(N - 0.5, 0.5)), np.sqrt(max(p - 0.5, 0.5))
    return float(((a + b) ** 2 + tracy_widom(alpha) * (a + b) * (1 / a + 1 / b) ** (1 / 3)) / N)


def marchenko_pastur(
    values: np.ndarray, total: float, p: int, n: int, alpha: float = 0.05
) -> Choice | None:
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
    """Return the log evidence of q = 1 … p − 1 axes, from eigenvalues of a covariance matrix."""
    rank = int(np.count_nonzero(values > 1e-14 * values[0]))
    p = len(values)
    evidence = np.full(max(p - 1, 1), -np.inf)
    logs = np.log(values[:rank])
    for q in range(1, min(rank, p - 1) + 1):
        # Without any noise the likelihood has no bound: as in scikit-learn, it counts as tiny.
        noise = max(float(values[q:].sum()) / (p - q), 1e-15 * float(values[0]))
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
