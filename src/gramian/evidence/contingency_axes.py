"""Tests of the axes and of the independence of a contingency table."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy import stats

from gramian._core.check import generator
from gramian._core.types import SeedLike, TableLike
from gramian._nulls.p_values import count_axes, draw_in_parts, p_values, smallest_p_value
from gramian.errors import InputError
from gramian.evidence.axes import AxesEvidence
from gramian.evidence.table import check_level, finite_table

_MIN_CELLS = 20  # (n − 1)(p − 1), under which dispersion cannot be distinguished from axes
_MAX_AXES = 30
_CHUNK = 1_000_000  # numbers at a time
_MAX_NUMBERS = 20_000_000  # drawn for an axis, over which fewer tables are
_MIN_DRAWS = 39  # unless fewer are requested
_MIN_SHARE = 0.05  # of the count without axes, that one with axes is at least
_MAX_COUNT = 1e12
_POISSON_QUANTILE = 0.9  # of what individuals leave in the last half
_MIN_AXES = 6  # of which the last half is hardly all true

_Null = Callable[["_Analysis", int, int, np.random.Generator], np.ndarray]
_NOISE_QUANTILE = 0.1  # of what white noise leaves: the dispersion is rather too large than not
_TABLES, _FEWER_TABLES = 199, 49  # of white noise
_SMALL_TABLE = 2_000  # cells, up to which the first number is drawn
_MAX_DISPERSION = 100.0  # the deviation of a large count is ten times its mean
_TOLERANCE = 0.02  # relative
_MAX_ROUNDS = 30


def tells_dispersion(n: int, p: int) -> bool:
    """Whether a table (n, p) is large enough to tell axes from counts that vary much."""
    return min(n, p) > 2 and (n - 1) * (p - 1) >= _MIN_CELLS


def contingency_axes(
    N: TableLike, *, n_draws: int = 199, alpha: float = 0.05, rng: SeedLike = None
) -> AxesEvidence | None:
    """Count the axes of correspondence analysis above noise, for overdispersed counts as well.

    Counts of flocks, clusters or visits vary more than those of individuals counted once: their
    variance is M + b·M² around means M (negative binomial). b is estimated from the residuals of
    half of the axes, after removing the first k. Axis k + 1 is compared with tables drawn with this
    b around the reconstruction from the first k, by its inertia relative to that of the last half
    of the axes. The count stops at the first axis that does not exceed noise.

    Parameters
    ----------
    N : array (n, p)
        Whole numbers, not negative.
    n_draws, alpha, rng
        As for `axes`.

    Returns
    -------
    AxesEvidence or None
        With scheme "counts". `n_axes` is None if none of fewer than 6 axes is significant, but the
        first would be if each individual was counted once; the `p_values` are then those for counts
        of individuals. None for a table with (n − 1)(p − 1) < 20 or with two columns, where the
        test is not possible.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> sides = np.outer(np.tile([1, -1], 10), np.tile([1, -1], 4))
    >>> M = 40 * (1 + 0.5 * sides) * rng.gamma(10, 1 / 10, sides.shape)
    >>> gm.evidence.contingency_axes(rng.poisson(M), rng=0).n_axes
    1
    """
    least = check_level(alpha, n_draws)
    N, rng = finite_table(N, "N"), generator(rng, "rng")
    odd = N[(N < 0) | (N % 1 != 0) | (N > _MAX_COUNT)]
    if odd.size:
        text = f"N holds {odd[0]:.6g} and must hold counts: give whole numbers from 0 on"
        raise InputError(text, argument="N", found=odd[0])
    N = N[N.any(axis=1)][:, N.any(axis=0)]
    if not tells_dispersion(*N.shape):
        return None
    n_draws = min(n_draws, max(least, _MIN_DRAWS, _MAX_NUMBERS // N.size))
    Z, E = pearson(N)
    analysis = _Analysis(N, E, *np.linalg.svd(Z, full_matrices=False))
    m = len(analysis.values)
    p, level = _sequence(analysis, m - 1, _draw_overdispersed, n_draws, alpha, rng)
    count: int | None = count_axes(np.array(p), alpha)
    if count == 0 and m < _MIN_AXES:
        once, other = _sequence(analysis, m, _draw_poisson, n_draws, alpha, rng)
        if once[0] <= alpha:
            count, p, level = None, once, other
    inertias, floor = analysis.values[: len(p)] / N.sum(), smallest_p_value(n_draws)
    levels = np.array(level) / N.sum()
    return AxesEvidence(count, np.array(p), floor, "counts", levels, inertias, (), alpha)


@dataclass(frozen=True)
class _Analysis:
    """A correspondence analysis: counts, those without axes, and the axes."""

    N: np.ndarray
    E: np.ndarray
    U: np.ndarray
    s: np.ndarray
    Vt: np.ndarray

    @property
    def values(self) -> np.ndarray:
        """Inertias times the total, (m,)."""
        return self.s[: min(self.N.shape) - 1] ** 2

    def around(self, k: int) -> np.ndarray:
        """Return the reconstitution of order k."""
        axes = np.sqrt(self.E) * ((self.U[:, :k] * self.s[:k]) @ self.Vt[:k])
        return np.asarray(np.maximum(self.E + axes, _MIN_SHARE * self.E))


def _sequence(
    ca: _Analysis, most: int, null: _Null, n_draws: int, alpha: float, rng: np.random.Generator
) -> tuple[list[float], list[float]]:
    """Return p-values and levels of axes, up to the first that noise reaches."""
    p: list[float] = []
    level: list[float] = []
    for k in range(min(most, _MAX_AXES)):
        noise = null(ca, k, n_draws, rng)
        p.append(max([*p, float(p_values(ca.values[k], noise))]))
        level.append(float(np.quantile(noise, 1 - alpha)))
        if p[-1] > alpha:
            break
    return p, level


def _draw_overdispersed(
    analysis: _Analysis, k: int, n_draws: int, rng: np.random.Generator
) -> np.ndarray:
    """Return axis k + 1 of counts that vary as these do, for as much inertia in the last half."""
    # Less than counts of individuals leave in the last half is chance, and counts as so much.
    N, m = analysis.N, len(analysis.values)
    h = k + (m - k + 1) // 2
    noise = _spectra(analysis.around(k), dispersion(N, h), n_draws, rng)
    least = noise_remainder(N.shape, h, _POISSON_QUANTILE)
    rest = max(float(analysis.values[h:].sum()), least)
    return np.asarray(noise[:, k] * rest / np.maximum(noise[:, h:].sum(axis=1), least))


def _draw_poisson(
    analysis: _Analysis, k: int, n_draws: int, rng: np.random.Generator
) -> np.ndarray:
    """Return axis k + 1 of counts of individuals."""
    return _spectra(analysis.around(k), 0.0, n_draws, rng)[:, k]


def _spectra(M: np.ndarray, b: float, n_draws: int, rng: np.random.Generator) -> np.ndarray:
    """Return spectra of tables drawn around M, (B, m)."""

    def draw(count: int) -> np.ndarray:
        return spectrum(pearson(draw_counts(M, b, count, rng))[0])

    return draw_in_parts(draw, n_draws, _CHUNK // M.size)


def pearson(N: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (N − E)/√E of tables, (…, n, p), and E, their counts were they independent."""
    # Its squared singular values are the inertias of correspondence analysis times the total.
    rows, columns = N.sum(axis=-1, keepdims=True), N.sum(axis=-2, keepdims=True)
    total = np.maximum(rows.sum(axis=-2, keepdims=True), 1.0)
    E = rows * columns / total
    return (N - E) / np.sqrt(np.where(E > 0, E, 1.0)), E


def spectrum(Z: np.ndarray) -> np.ndarray:
    """Return the squared singular values of centred tables, (…, m), in descending order."""
    Z = Z if Z.shape[-1] <= Z.shape[-2] else np.swapaxes(Z, -1, -2)
    values = np.linalg.eigvalsh(np.swapaxes(Z, -1, -2) @ Z)[..., :0:-1]
    return np.maximum(values, 0.0)


def draw_counts(M: np.ndarray, b: float, count: int, rng: np.random.Generator) -> np.ndarray:
    """Return tables of independent counts of means M and variances M + b·M², (count, n, p)."""
    means = np.broadcast_to(M, (count, *M.shape))
    if b > 0:
        means = means * (b * rng.standard_gamma(1 / b, means.shape))
    return rng.poisson(means).astype(float)


def dispersion(N: np.ndarray, h: int) -> float:
    """Return b of counts with variances M + b·M², from what is left of them without h axes."""
    # Residuals in units of their deviations are white noise with the right b, and h axes take from
    # them what they take from it. Axes among the first h are left out of b; where chance leaves b
    # open, in small tables, it is taken rather too large.
    level = noise_remainder(N.shape, h, _NOISE_QUANTILE)
    if _remainder(N, 0.0, h) <= level:
        return 0.0
    low, high = 0.0, 1.0 / N.mean()
    while high < _MAX_DISPERSION and _remainder(N, high, h) > level:
        low, high = high, 4 * high
    while high - low > _TOLERANCE * high:
        middle = (low + high) / 2
        low, high = (middle, high) if _remainder(N, middle, h) > level else (low, middle)
    return float(high)


def noise_remainder(shape: tuple[int, ...], h: int, q: float) -> float:
    """Return a quantile of what h axes leave of white noise with the shape of a table."""
    n, p = shape
    return float(np.quantile(_white(n, p)[:, h:].sum(axis=1), q))


def _remainder(N: np.ndarray, b: float, h: int) -> float:
    """Return what is left of the standard residuals without h axes."""
    M = _independent(N, b)
    return float(spectrum((N - M) / np.sqrt(M + b * M**2))[h:].sum())


def _independent(N: np.ndarray, b: float) -> np.ndarray:
    """Return the means of independent rows and columns, by quasi-likelihood."""
    # A large cell that varies much must not set the totals of its row and its column.
    rows, columns = N.sum(axis=1), N.sum(axis=0) / N.sum()
    for _ in range(_MAX_ROUNDS if b else 0):
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
    count = _TABLES if n * p <= _SMALL_TABLE else _FEWER_TABLES
    rng, m = np.random.default_rng(0), min(n, p) - 1
    G = np.empty((count, m, m))
    for k in range(count):
        X = rng.standard_normal((max(n, p) - 1, m))
        G[k] = X.T @ X
    return np.asarray(np.linalg.eigvalsh(G)[:, ::-1])


_MIN_EXPECTED = 5.0  # of four cells of five, and 1 of all, for the law of χ² to hold
_MAX_DRAWN = 1_000_000  # individuals of a table that is drawn anew


@dataclass(frozen=True)
class Independence:
    """The test of independence of a contingency table.

    Attributes
    ----------
    statistic : float
        Pearson's χ².
    df : int
    p_value : float
    cramer_v : float
        √(χ² / (N (min(n, p) − 1))), from 0 to 1.
    floor : float
        The smallest possible p-value, 0 if the χ² distribution is used.

    Examples
    --------
    >>> test = gm.evidence.independence([[30, 10], [10, 30]])
    >>> round(test.statistic, 1), round(test.cramer_v, 2)
    (20.0, 0.5)
    """

    statistic: float
    df: int
    p_value: float
    cramer_v: float
    floor: float = 0.0


def independence(N: TableLike, *, n_draws: int = 1999, rng: SeedLike = None) -> Independence:
    """Test whether rows and columns of a contingency table are independent.

    By the χ² distribution if expected counts are at least 5 in four cells of five and at least 1 in
    all; otherwise by tables drawn with the same margins. Valid if individuals were counted once and
    independently.

    Parameters
    ----------
    N : array (n, p)
        Whole numbers, not negative; empty rows and columns are left out.
    n_draws, rng
        Number of tables drawn with the same margins, and their seed.

    Examples
    --------
    >>> gm.evidence.independence([[8, 15, 44], [6, 12, 36], [4, 7, 18]]).p_value > 0.9
    True
    """
    C, rng = finite_table(N, "N"), generator(rng, "rng")
    if (C < 0).any() or (C % 1).any():
        raise InputError("N must hold counts: give whole numbers from 0 on", argument="N")
    C = C[C.any(axis=1)][:, C.any(axis=0)]
    n, p = C.shape
    if min(n, p) < 2:
        raise InputError("N has one row or column with counts: give at least two of each")
    rows, columns, total = C.sum(axis=1), C.sum(axis=0), C.sum()
    expected = np.outer(rows, columns) / total
    own = float(((C - expected) ** 2 / expected).sum())
    df, size = (n - 1) * (p - 1), float(np.sqrt(own / (total * (min(n, p) - 1))))
    common = (expected >= _MIN_EXPECTED).mean() >= 0.8 and expected.min() >= 1
    if common or total > _MAX_DRAWN:
        return Independence(own, df, float(stats.chi2.sf(own, df)), size)
    draws = stats.random_table(rows.astype(int), columns.astype(int)).rvs(n_draws, random_state=rng)
    drawn = ((draws - expected) ** 2 / expected).sum(axis=(1, 2))
    return Independence(own, df, float(p_values(own, drawn)), size, 1.0 / (n_draws + 1))
