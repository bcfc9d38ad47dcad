"""The stability of the axes, as directions in the space of the variables."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import compress

import numpy as np
from scipy import linalg, stats

from gramian._core.check import generator, share, whole
from gramian._core.types import SeedLike, TableLike
from gramian._nulls.draws import bootstrap_counts
from gramian.errors import NotTestable
from gramian.evidence.shapes import calm
from gramian.evidence.table import Table, table_of

_TIE_LEVEL = 0.05  # of the test that two eigenvalues are one
_STEADY = 0.5  # of the angle of a plane: an axis in it that turns less is not mixed with the other
_ROWS_PER_COLUMN = 5  # under which an interval of an eigenvalue does not cover


@dataclass(frozen=True)
class Directions:
    """The variation of the axes over resampled rows.

    Attributes
    ----------
    angles, high : array (q,)
        Between each axis and that of resampled rows, in degrees: the median, and the quantile of
        order `level`.
    identified : array (q,) of bool
        Whether the axis is determined by itself: it is in no group of `together`, and the last
        eigenvalue differs significantly from the next one (a test at 5 %).
    together : tuple of tuples of int
        Axes from 1 above noise whose eigenvalues cannot be distinguished (that test), and of which
        none is much more stable than their common space: read the space of each group, not its
        axes.
    together_angles : array, one per group
        The largest angle between the space of a group and that of resampled rows, the median.
    low_eigenvalue, high_eigenvalue : array (q,) or None
        Intervals of that level for the eigenvalues of the population; None if their coverage is not
        guaranteed, NaN for an axis that is not above noise.

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((200, 4)) * [9.0, 3.0, 3.0, 1.0]
    >>> gm.evidence.directions(X, 3, rng=0).together
    ((2, 3),)
    """

    angles: np.ndarray
    high: np.ndarray
    identified: np.ndarray
    together: tuple[tuple[int, ...], ...]
    together_angles: np.ndarray
    eigenvalues: np.ndarray = field(repr=False)
    low_eigenvalue: np.ndarray | None = field(repr=False)
    high_eigenvalue: np.ndarray | None = field(repr=False)
    level: float


def directions(
    X: TableLike,
    q: int,
    *,
    above: int | None = None,
    rng: SeedLike = None,
    n_resamples: int = 100,
    level: float = 0.95,
) -> Directions:
    """Measure the angles between the axes and those of bootstrap samples of the rows.

    Parameters
    ----------
    X : array (n, p)
        The table as it is analysed; standardised columns are standardised in each resample.
    q : int
        Number of axes.
    above : int, optional
        How many of them exceed noise: the others have no interval. All by default.
    rng, n_resamples : Generator or seed, optional; int
        Seed of the random draws, and number of resampled tables.
    level : float
        Coverage of the regions.

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((200, 3)) * [9.0, 3.0, 1.0]
    >>> bool(directions(X, 1, rng=0).angles[0] < 4)
    True
    """
    share(level, "level")
    whole(n_resamples, "n_resamples", 2)
    table, rng = table_of(X), generator(rng, "rng")
    if table.rank < 1:
        text = f"X has {table.n} rows and {table.p} columns that vary: it has no axis"
        raise NotTestable(text, argument="X", found=table.n)
    q = min(whole(q, "q", 1), table.rank)
    above = q if above is None else min(whole(above, "above", 0), q)
    U, s, V = table.axes
    V, m = V[:, :q], min(q + 1, len(s))
    # Whether the eigenvalue of each axis may be that of the next one, (q,).
    tied = tie_p_values(U[:, :m] * s[:m], s[:m] ** 2 / table.n) > _TIE_LEVEL  # (m − 1,)
    tied = np.append(tied, np.zeros(q + 1 - m, dtype=bool))
    counts = bootstrap_counts(n_resamples, table.n, q, rng)
    drawn = [weighted_axes(table.values, count, q, scaled=table.scaled)[1] for count in counts]
    axes = _angles(V, drawn, [(k,) for k in range(q)])
    pairs = [(int(k), int(k) + 1) for k in np.flatnonzero(tied[: max(above, 1) - 1])]
    turns = np.median(axes, axis=0)
    planes = np.median(_angles(V, drawn, pairs), axis=0)
    mixed = [turns[list(pair)].min() > _STEADY * planes[i] for i, pair in enumerate(pairs)]
    together = join_pairs(list(compress(pairs, mixed)))
    identified = np.append(np.ones(q - 1, dtype=bool), ~tied[q - 1])
    identified[[k for group in together for k in group]] = False
    low, high = _intervals(table, q, above, level, rng)
    far, values = np.quantile(axes, level, axis=0), s[:q] ** 2 / table.n
    spaces = np.median(_angles(V, drawn, together), axis=0)
    names = tuple(tuple(k + 1 for k in group) for group in together)
    return Directions(turns, far, identified, names, spaces, values, low, high, level)


def tie_p_values(scores: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Return the p-values of "eigenvalues k and k + 1 are one", for all k but the last."""
    # Of equal eigenvalues those of n rows differ by g, g²/(4v) ~ χ²₂, where v is the variance of
    # the covariance of two such components, and a quarter of that of the difference of their
    # variances: λ²/n both for normal ones (Anderson 1963). The largest of the three is taken.
    f = scores**2
    product = (f[:, :-1] * f[:, 1:]).mean(axis=0)
    fourth = (f**2).mean(axis=0)
    difference = 0.25 * (fourth[:-1] + fourth[1:] - 2.0 * product)
    normal = (0.5 * (values[:-1] + values[1:])) ** 2
    v = np.maximum(np.maximum(product, difference), normal) / len(f)
    p: np.ndarray = stats.chi2.sf(np.diff(values) ** 2 / (4.0 * v), 2)
    return p


def join_pairs(pairs: list[tuple[int, int]]) -> list[tuple[int, ...]]:
    """Return pairs of neighbours joined to groups."""
    groups: list[tuple[int, ...]] = []
    for first, second in pairs:
        if groups and groups[-1][-1] == first:
            groups[-1] += (second,)
        else:
            groups.append((first, second))
    return groups


def _angles(
    V: np.ndarray, drawn: list[np.ndarray], groups: Sequence[tuple[int, ...]]
) -> np.ndarray:
    """Return the largest angle between the space of axes and that of resampled ones, in degrees."""
    # (B, groups).
    angles = np.empty((len(drawn), len(groups)))
    for b, W in enumerate(drawn):
        for g, group in enumerate(groups):
            k = list(group)
            cosine = np.linalg.svd(V[:, k].T @ W[:, k], compute_uv=False)[-1]
            angles[b, g] = np.arccos(min(cosine, 1.0))
    return np.degrees(angles)


def weighted_axes(
    X: np.ndarray, count: np.ndarray, q: int, *, scaled: bool
) -> tuple[np.ndarray, np.ndarray]:
    """Return the rows as those with these multiplicities see them, and their axes, (p, q)."""
    Z = X - count @ X / len(X)
    if scaled:
        size = np.sqrt(count @ Z**2 / len(X))
        Z = Z / np.where(size > 1e-9, size, np.inf)  # constant in this resample
    X = Z[count > 0] * np.sqrt(count[count > 0])[:, None]
    n, p = X.shape
    m = min(n, p)
    G = X.T @ X if p <= n else X @ X.T
    W = linalg.eigh(G, subset_by_index=[m - min(q, m), m - 1])[1][:, ::-1]
    W = W if p <= n else X.T @ W
    W = W / np.maximum(np.linalg.norm(W, axis=0), 1e-300)
    return Z, np.pad(W, ((0, 0), (0, q - W.shape[1])))


def _intervals(
    table: Table, q: int, above: int, level: float, rng: np.random.Generator
) -> tuple[np.ndarray | None, np.ndarray | None]:
    """Return intervals for the eigenvalues, None where such intervals do not cover."""
    # The logarithm of an eigenvalue varies as mean(IF²)/n, IF = f²/λ − 1, less Σ v_j² z_j² − 1
    # where columns are standardised. Whether one is shown must not depend on its gap to the next:
    # those that are shown would be the ones that chance made large.
    n = table.n
    U, s, V = table.axes
    if above < 1 or n < _ROWS_PER_COLUMN * table.p or not calm(table.values, rng):
        return None, None
    influence = (U[:, :above] ** 2) * n
    influence = influence - (table.values**2 @ V[:, :above] ** 2 if table.scaled else 1.0)
    deviation = np.sqrt((influence**2).mean(axis=0) / n)
    centre = np.log(s[:above] ** 2 / n) - _bias(s**2 / n, above, n)
    half = stats.norm.ppf(0.5 + 0.5 * level) * deviation
    hidden = np.full(q - above, np.nan)
    return np.append(np.exp(centre - half), hidden), np.append(np.exp(centre + half), hidden)


def _bias(values: np.ndarray, above: int, n: int) -> np.ndarray:
    """Return the bias of the logarithms of eigenvalues, Σ_j λ_j/(λ − λ_j)/n (Lawley 1956)."""
    # Axes that are noise count as alike. Of equal eigenvalues the sample's are 2.5 λ/√n apart, and
    # nothing is known of a gap that is smaller than that: it counts as 2 λ/√n.
    rest = len(values) - above
    alike = np.append(values[:above], np.full(rest, values[above:].sum() / max(1, rest)))
    each, other = alike[:above, None], alike[None, :]
    least = 2.0 * np.sqrt(each * other / n)
    terms = np.sign(each - other) * other / np.maximum(np.abs(each - other), least) / n
    np.fill_diagonal(terms, 0.0)
    return np.asarray(terms.sum(axis=1))
