"""Do groups of rows differ within: in their spread, and in the correlations of their columns?"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import special, stats

from gramian._nulls.p_values import draw_in_parts, p_values, smallest_p_value
from gramian._reading.cloud import spatial_median

MIN_SPREAD_ROWS, MIN_CORRELATION_ROWS = 3, 6  # of a group that is compared
MAX_COLUMNS = 60  # whose correlations are compared
_SPREAD_DRAWS = 1999
_CORRELATION_DRAWS = 199, 999
_WORK = 1e9  # multiplications that the correlations of all draws may cost
_CHUNK = 4e6  # numbers held at a time
_MAX_R = 0.999
_MAX_RANKED_ROWS = 30  # of a group; in larger ones ranks have many values

Orders = Callable[[int, int], np.ndarray]  # of n rows, so many: (count, n)


@dataclass(frozen=True, eq=False)
class WithinTest:
    """What groups are compared by besides their means.

    Attributes
    ----------
    p_value, floor : float
        Of permuted rows, and the smallest that they could have given.
    effect : float
        The largest over the smallest mean distance, or the difference of two correlations.
    values : Series
        By group: the mean distance of its rows to their median, or the rank correlation.
    pair : tuple of two int
        The columns whose correlations differ most; empty for the spread.
    """

    p_value: float
    floor: float
    effect: float
    values: pd.Series
    pair: tuple[int, ...] = ()


def spread(
    Y: np.ndarray, codes: np.ndarray, names: Sequence[object], orders: Orders
) -> WithinTest | None:
    """Compare the distances of rows to the medians of their groups, None where groups are small.

    As in `gramian.ecology.dispersion`: the ratio of the variance of distances between groups and
    within them. Distances change places between groups; those of a group of n rows are multiplied
    by √(n/(n − 1)), as its median lies nearer to them than that of the population.
    """
    rows = _rows_of_large(codes, MIN_SPREAD_ROWS)
    if rows is None:
        return None
    present, codes = np.unique(codes[rows], return_inverse=True)
    sizes, far = np.bincount(codes), np.empty(len(rows))
    for k, n in enumerate(sizes):
        own = Y[rows][codes == k]
        far[codes == k] = np.linalg.norm(
            own - spatial_median(own, np.full(n, 1.0 / n)), axis=1
        ) * np.sqrt(n / (n - 1.0))
    members = (codes == np.arange(len(sizes))[:, None]) / sizes[:, None]

    def between(distances: np.ndarray) -> np.ndarray:
        """Return what grows with F as the sum of squares is the same in all orders, (B,)."""
        return np.asarray(((distances @ members.T) ** 2) @ sizes)

    far -= (centre := float(far.mean()))
    drawn = draw_in_parts(
        lambda count: between(far[orders(len(far), count)]), _SPREAD_DRAWS, int(_CHUNK / len(far))
    )
    p = float(p_values(between(far[None]), drawn)[0]) if np.ptp(far) > 1e-9 * centre else 1.0
    means = members @ far + centre
    ratio = float(means.max() / max(means.min(), 1e-300)) if means.max() > 0 else 1.0
    values = pd.Series(means, index=[names[k] for k in present])
    return WithinTest(p, smallest_p_value(_SPREAD_DRAWS), ratio, values)


def correlations(
    Y: np.ndarray, codes: np.ndarray, names: Sequence[object], orders: Orders
) -> WithinTest | None:
    """Compare the correlations of pairs of columns in the groups, None where groups are small.

    The statistic is the largest over pairs of Σ (n_j − 3)(z_j − z̄)², z_j = artanh r_j, r_j the
    correlation of normal scores within group j (of ranks: tails do not count). Its reference comes
    from rows of scores, which have neither the means nor the variances of groups, dealt to the
    groups at random, and ranked there again: ranks of six rows agree perfectly now and then.
    """
    rows = _rows_of_large(codes, MIN_CORRELATION_ROWS)
    if rows is None or not 2 <= Y.shape[1] <= MAX_COLUMNS:
        return None
    present, codes = np.unique(codes[rows], return_inverse=True)
    scores = _scores(Y[rows], codes)
    n, p = scores.shape
    count = int(np.clip(_WORK / (n * p * p), *_CORRELATION_DRAWS))
    above = np.triu_indices(p, 1)
    parts = [np.flatnonzero(codes == k) for k in range(len(present))]
    weights = np.array([len(part) - 3.0 for part in parts])

    def draw(count: int) -> np.ndarray:
        dealt = orders(n, count)
        return _largest(
            np.stack([_pairs(_ranked(scores[dealt[:, part]]), above) for part in parts]), weights
        )

    r = np.stack([_pairs(scores[part][None], above) for part in parts])
    differences = _differences(r, weights)[0]
    best = int(differences.argmax())
    drawn = draw_in_parts(draw, count, int(_CHUNK / (n * p + 2 * len(parts) * p * p)))
    own = r[:, 0, best]
    values = pd.Series(own, index=[names[k] for k in present])
    pair = (int(above[0][best]), int(above[1][best]))
    p_value = float(p_values(differences[best], drawn))
    return WithinTest(p_value, smallest_p_value(count), float(np.ptp(own)), values, pair)


def unequal_columns(Y: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return p-values of equal spreads of the groups in each column (Brown and Forsythe), (m,)."""
    far = np.empty_like(Y)
    for k in range(int(codes.max()) + 1):
        far[codes == k] = np.abs(Y[codes == k] - np.median(Y[codes == k], axis=0))
    live = np.ptp(far, axis=0) > 0
    p, parts = np.ones(Y.shape[1]), [far[codes == k][:, live] for k in range(int(codes.max()) + 1)]
    if live.any() and len(Y) > len(parts):
        p[live] = np.nan_to_num(stats.f_oneway(*parts).pvalue, nan=1.0)
    return p


def _rows_of_large(codes: np.ndarray, least: int) -> np.ndarray | None:
    """Return the rows of groups that are large enough, None where fewer than two are."""
    large = np.bincount(codes) >= least
    return np.flatnonzero(large[codes]) if large.sum() > 1 else None


def _scores(Y: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return normal scores of the ranks within groups, of mean 0 and variance 1."""
    out = np.empty_like(Y)
    for k in range(int(codes.max()) + 1):
        own = Y[codes == k]
        z = special.ndtri(stats.rankdata(own, axis=0) / (len(own) + 1.0))
        z -= z.mean(axis=0)
        out[codes == k] = z / np.maximum(z.std(axis=0), 1e-12)
    return out


def _ranked(tables: np.ndarray) -> np.ndarray:
    """Return normal scores of the columns of small tables (B, n, p), others as they are."""
    n = tables.shape[1]
    if n > _MAX_RANKED_ROWS:
        return tables
    return np.asarray(special.ndtri(stats.rankdata(tables, axis=1) / (n + 1.0)))


def _pairs(scores: np.ndarray, above: tuple[np.ndarray, ...]) -> np.ndarray:
    """Return the correlations of pairs of columns in tables (B, n, p), (B, pairs)."""
    scores = scores - scores.mean(axis=1, keepdims=True)
    scores = scores / np.maximum(np.linalg.norm(scores, axis=1, keepdims=True), 1e-12)
    return np.asarray((scores.transpose(0, 2, 1) @ scores)[:, above[0], above[1]])


def _differences(r: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Return Σ w(z − z̄)² of correlations (c, B, pairs), (B, pairs)."""
    z = np.arctanh(np.clip(r, -_MAX_R, _MAX_R))
    z = z - np.tensordot(weights / weights.sum(), z, 1)
    return np.asarray(np.tensordot(weights, z**2, 1))


def _largest(r: np.ndarray, weights: np.ndarray) -> np.ndarray:
    return np.asarray(_differences(r, weights).max(axis=1))
