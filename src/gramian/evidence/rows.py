"""Tests for outlying rows, and for rows that determine an axis."""

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from scipy import stats

from gramian._core.check import generator, share, whole
from gramian._core.types import SeedLike, TableLike
from gramian._nulls.corrections import bonferroni
from gramian._nulls.p_values import draw_in_parts, p_values, smallest_p_value
from gramian.evidence.shapes import counts, tail_p_values, tails
from gramian.evidence.table import Table, normal_scores, table_of

_DRAWS = 199
_MAX_NUMBERS = 10_000_000  # drawn for the limits, over which fewer tables are
_CHUNK = 1_000_000  # numbers at a time
_MAX_DIMENSIONS = 150  # of the residual, over which its distances are as good as normal
_SUSPECT_LEVEL = 0.2  # of a long tail, beside columns that surely have one
_NORMAL_LEVEL = 0.1  # at which the columns that are left together have none
_ROUNDING = 1e-10  # share of the inertia
_MAX_CARRIERS = 2  # rows that carry an axis
_MAX_MATCHES = 8  # axes of the fit without the rows, among which the axis is looked for


@dataclass(frozen=True)
class RowsEvidence:
    """Outlying rows: too far along the axes, or too far from them.

    `rows` are the positions of the outliers, the farthest first; `ends` of rows that are far, but
    not farther than expected for columns with long tails. `p_values` (n,) are the probabilities
    that any row of a normal table is so far, `along` and `across` (n,) the distances within the q
    axes and from them: 1 is the limit. `floor` is the smallest possible p-value, 0 if the
    distribution is exact. With `tails`, columns are replaced by their ranks.

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((40, 5))
    >>> X[7] += 6
    >>> gm.evidence.rows(X, 1, rng=0).rows
    (7,)
    """

    rows: tuple[int, ...]
    ends: tuple[int, ...]
    p_values: np.ndarray = field(repr=False)
    along: np.ndarray = field(repr=False)
    across: np.ndarray = field(repr=False)
    floor: float
    tails: bool


class _Distances(NamedTuple):
    p_values: np.ndarray  # (n,), corrected for n rows and for both distances
    along: np.ndarray  # multiples of the limit
    across: np.ndarray
    floor: float  # of the p-values


def rows(X: TableLike, q: int, *, rng: SeedLike = None, alpha: float = 0.05) -> RowsEvidence:
    """Find the outlying rows; of tables without outliers, a share alpha has a false one.

    Along the q axes Σ f²/λ of a row of a normal cloud is (n − 1)·Beta(q/2, (n − q − 1)/2). Across
    them the cube root of the squared distance is standardised by its median and median deviation,
    and compared with the largest of normal tables with as many rows and a residual of the same
    spectrum. Columns with long tails, or of counts, are replaced by ranks (normal scores); if they
    are more than half, or the others look long-tailed together, a row must be outlying both in its
    values and in the ranks of all columns.

    Parameters
    ----------
    X : array (n, p)
        The table as it is analysed.
    q : int
        Number of axes that are read.
    rng, alpha : Generator or seed, optional; float
        Seed of the random draws, and level of the test.

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((40, 5))
    >>> rows(X, 0, rng=0).rows
    ()
    """
    share(alpha, "alpha")
    whole(q, "q", 0)
    table, rng = table_of(X), generator(rng, "rng")
    far = _distances(table, min(q, table.rank), alpha, rng)
    raw = apart = far.p_values <= alpha
    # Columns that have long tails or are counts; none where no column surely does.
    tailed, counted = tails(table.values, rng), counts(table.values)
    long = np.zeros(table.p, dtype=bool) if tailed is None else tailed.p_values <= _SUSPECT_LEVEL
    if counted is not None:
        long[list(counted.columns)] = True
    if long.any() and _rest_is_normal(table, long):
        values = table.values / table.values.std(axis=0)
        values = np.where(long, normal_scores(table.values), values)
        far = _distances(table_of(values), min(q, table.rank), alpha, rng)
        apart = far.p_values <= alpha
    elif long.any() and raw.any():
        apart = raw & _apart_by_rank(table, q, alpha, rng)
    order = np.argsort(-np.maximum(far.along, far.across), kind="stable")
    named, ends = (tuple(order[some[order]].tolist()) for some in (apart, raw & ~apart))
    return RowsEvidence(named, ends, *far, tails=bool(long.any()))


def _rest_is_normal(table: Table, long: np.ndarray) -> bool:
    """Whether the other columns, half of all at least, look normal when taken together."""
    if 2 * np.count_nonzero(long) > table.p:
        return False
    p = (tail_p_values(table.values[:, ~long])[1] - _SUSPECT_LEVEL) / (1 - _SUSPECT_LEVEL)
    return bool(stats.combine_pvalues(np.clip(p, 1e-9, 1.0)).pvalue >= _NORMAL_LEVEL)


def _apart_by_rank(table: Table, q: int, alpha: float, rng: np.random.Generator) -> np.ndarray:
    """Tell the rows that are far in many columns at once, however long their tails."""
    scores = table_of(normal_scores(table.values))
    q = min(q, scores.rank)
    far = _distances(scores, q, alpha, rng)
    energy = np.einsum("ij,ij->i", scores.values, scores.values)
    drawn = [(rng.permuted(scores.values.T, axis=1) ** 2).sum(axis=0).max() for _ in range(_DRAWS)]
    beyond = p_values(energy, drawn)
    return np.asarray((far.p_values <= alpha) & (beyond <= alpha))


def _distances(table: Table, q: int, alpha: float, rng: np.random.Generator) -> _Distances:
    """Return p-values of distances along the axes and across, and these in units of the limit."""
    nothing = np.ones(table.n), np.zeros(table.n)
    within, beside = _along(table, q, alpha), _across(table, q, alpha, rng)
    (p, along), (p_across, across) = within or nothing, (beside or nothing)[:2]
    parts = (within is not None) + (beside is not None)
    floor = parts * smallest_p_value(beside[2]) if beside else 0.0
    p = np.asarray(bonferroni(np.minimum(p, p_across), max(parts, 1)))
    return _Distances(p, along, across, floor)


def _along(table: Table, q: int, alpha: float) -> tuple[np.ndarray, np.ndarray] | None:
    """Return p-values of the distances within the axes, and these in units of their limit."""
    n = table.n
    if q == 0 or n - q - 1 < 1:
        return None
    d2 = np.einsum("ij,ij->i", table.axes[0][:, :q], table.axes[0][:, :q]) * n / (n - 1)
    law = stats.beta(q / 2, (n - q - 1) / 2)
    limit = law.ppf(1 - alpha / (2 * n))
    return bonferroni(law.sf(np.minimum(d2, 1.0)), n), np.sqrt(d2 / limit)


def _across(
    table: Table, q: int, alpha: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, int] | None:
    """Return p-values of the distances from the axes, these in units of their limit, and draws."""
    U, s, _ = table.axes
    rest = s[q:] ** 2
    if table.n < 8 or rest.sum() <= _ROUNDING * (s**2).sum():
        return None
    observed, middle, spread = _standardise(np.einsum("ij,j->i", U[:, q:] ** 2, rest)[None])
    largest = _draw_largest(table, q, rest, rng)
    limit = np.quantile(largest, 1 - alpha / 2) * spread[0] + middle[0]
    far = np.maximum((observed[0] * spread[0] + middle[0]) / limit, 0.0) ** 1.5
    return p_values(observed[0], largest), far, len(largest)


def _standardise(d2: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return (B, n) cube roots in median deviations from their median; near normal for each."""
    t = np.cbrt(np.maximum(d2, 0.0))
    middle = np.median(t, axis=1, keepdims=True)
    spread = 1.4826 * np.median(np.abs(t - middle), axis=1, keepdims=True)
    spread = np.maximum(spread, 1e-9 * np.maximum(middle, 1e-300))
    return (t - middle) / spread, middle[:, 0], spread[:, 0]


def _draw_largest(table: Table, q: int, rest: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return the largest standard distance of each of many normal tables without q axes."""
    n, deviations = table.n, np.sqrt(_spectrum(rest, table.n - 1 - q))
    draws = max(99, min(_DRAWS, int(_MAX_NUMBERS / (n * len(deviations)))))

    def draw(B: int) -> np.ndarray:
        E = rng.standard_normal((B, n, len(deviations))) * deviations
        E -= E.mean(axis=1, keepdims=True)
        if q:
            axes = rng.standard_normal((B, n, q))
            Q = np.linalg.qr(axes - axes.mean(axis=1, keepdims=True))[0]
            E -= Q @ (Q.transpose(0, 2, 1) @ E)
        return np.asarray(_standardise(np.einsum("bij,bij->bi", E, E))[0].max(axis=1))

    return draw_in_parts(draw, draws, _CHUNK // (n * (len(deviations) + q + 1)))


def _spectrum(rest: np.ndarray, free: int) -> np.ndarray:
    """Return variances of normal columns whose distances vary as the residual's do."""
    # With many rows they are the eigenvalues; with few, these are spread by chance, and ν equal
    # variances stand for them, ν = (Σλ)²/Σλ² with Σλ² corrected for what chance adds to it.
    if free >= 10 * len(rest):
        return np.asarray(rest / rest.sum())
    total, squares = rest.sum(), (rest**2).sum()
    squares = max((squares - total**2 / free) * free**2 / ((free - 1) * (free + 2)), 0.0)
    v = total**2 / squares if squares > 0 else np.inf
    return np.ones(max(1, round(min(v, _MAX_DIMENSIONS))))


@dataclass(frozen=True)
class Carried:
    """An axis that is determined by one or two rows.

    `rows` are their positions, the heaviest first, `contribution` their share of the axis, `share`
    the axis's part of the inertia. Without these rows, the axis nearest to it has the number
    `axis_without` (from 1; 0 if the other rows do not differ) and the share `share_without`; the
    `angle` between both, in degrees, shows whether it is the same axis.

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((40, 5))
    >>> X[7] += 20
    >>> gm.evidence.carried(X, 1).rows
    (7,)
    """

    rows: tuple[int, ...]
    contribution: float
    share: float
    share_without: float
    angle: float
    axis_without: int


def carried(X: TableLike, k: int, *, least: float = 0.3, alpha: float = 0.01) -> Carried | None:
    """Return the one or two rows that determine axis k, if any, and the axis without them.

    A row counts if its contribution to the axis is significantly larger than in a normal cloud,
    where it is Beta(1/2, (n − 2)/2) for each of n rows. Together the rows must contribute a share
    `least` of the axis.

    Parameters
    ----------
    X : array (n, p)
        The table as it is analysed.
    k : int
        The axis, from 1.
    least, alpha : float
        The smallest share of the axis, and the level of the test.

    Examples
    --------
    >>> carried(np.random.default_rng(0).standard_normal((40, 5)), 1) is None
    True
    """
    share(alpha, "alpha")
    share(least, "least", zero=True, one=True)
    table = table_of(X)
    whole(k, "k", 1, max(table.rank, 1), what="the axes")
    n = table.n
    if n < 8 or table.rank < k:
        return None
    contribution = table.axes[0][:, k - 1] ** 2
    limit = stats.beta.isf(alpha / n, 0.5, (n - 2) / 2)
    order = np.argsort(-contribution)[:_MAX_CARRIERS]
    if contribution[order[0]] <= limit:
        return None
    # The second goes with the first where it is nearly as heavy, or too heavy itself.
    second = contribution[order[1]]
    pair = second > limit or second >= 0.5 * contribution[order[0]]
    heavy = order if pair else order[:1]
    total = float(contribution[heavy].sum())
    if total < least:
        return None
    carriers = tuple(heavy.tolist())
    _, s, V = table.axes
    part = float(s[k - 1] ** 2 / (s**2).sum())
    rest = table.rows(np.setdiff1d(np.arange(n), heavy))  # where the axis is looked for again
    if rest.rank == 0:  # the other rows do not differ: nothing is left of the axis
        return Carried(carriers, total, part, 0.0, 90.0, 0)
    _, t, W = rest.axes
    axis = V[np.isin(table.live, rest.live), k - 1]  # a column may be constant without the rows
    cosines = np.abs(axis @ W[:, :_MAX_MATCHES])
    nearest = int(cosines.argmax())
    part_without = float(t[nearest] ** 2 / (t**2).sum())
    angle = float(np.degrees(np.arccos(min(1.0, cosines[nearest]))))
    return Carried(carriers, total, part, part_without, angle, nearest + 1)
