"""Tests of the differences between groups of rows, by columns and axes."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from scipy import optimize, special, stats

from gramian._core.check import generator
from gramian._core.frames import in_order_of
from gramian._core.frames import labels_of as row_labels
from gramian._core.types import SeedLike, TableLike, VectorLike
from gramian._nulls.corrections import ALPHA, benjamini_hochberg, bonferroni, holm
from gramian._nulls.p_values import joint_p_values, p_values
from gramian.errors import InputError
from gramian.evidence.arrangement import explains_beyond_past
from gramian.evidence.order import order
from gramian.evidence.table import (
    Scheme,
    coordinates,
    encode_labels,
    finite_table,
    in_order,
    number_of_draws,
    row_scheme,
)
from gramian.evidence.within import WithinTest, correlations, spread, unequal_columns

_WORK = 6e8  # multiplications that permutations may cost
_DRAWS = 199, 999
_TINY = 1e-300
_CHUNK = 4e6  # numbers held at a time
_COSTS = 1.0, 4.0  # columns have four fifths of the level, axes one
_DOUBT = 0.2  # groups that look unequally spread at this level are not taken for equal
_MIN_ROWS = 6  # of a group whose spread can be judged
_PRIOR_FREEDOM = 2.0  # of the variance of all groups, beside that of one
_FEW = ALPHA / 4  # smallest p-value of permutations, from which on they cannot find much
_MIN_WIDE = 30  # columns that can tell one another's variance
_BLOCKS = 4, 8, 16  # rows of a block, whose means may be free of order where rows are not
_MIN_BLOCKS = 3  # of each group
_ORDER_DRAWS = 199
_MAX_RATIO = 2  # of the sizes of groups to which the moderated test applies


@dataclass(frozen=True, eq=False)
class GroupEvidence:
    """The results of the tests of the differences between groups.

    Attributes
    ----------
    p_value, floor : float or None, float
        Of the hypothesis that the groups have the same mean on each column and axis; None where it
        cannot be tested (see `reason`). The smallest that the test could have given.
    columns, axes : DataFrame or None
        One row per column (by position) or axis (from 1): "statistic" (F* of Brown and Forsythe),
        "eta2", "difference" (the largest distance between the means of two groups, in standard
        deviations within groups) and "p_value", corrected for their number and never below that of
        the whole.
    categories : DataFrame or None
        One row (category, axis): "size", "mean" (in standard deviations of the axis), "v_test",
        "p_value" (against the rest, corrected for all of them).
    n_rows, n_groups : int
        Numbers of rows with a group, without copies, and of groups.
    reason : str
        Why nothing was tested: "scheme", "order" (of rows and of labels), "one group",
        "no repeats"; else empty.
    test : str
        "permutation", "moderated" for a wide table with too few rows for permutations, or "blocks"
        for groups that follow one another in a series: means of short blocks of rows are permuted;
        "units" where means of units are.
    spread, correlation : WithinTest or None
        Whether rows of one group lie farther from their median than those of another, and whether
        two columns are correlated otherwise: `p_value` (of its own), `floor`, `effect`, `values` by
        group, `pair` of columns. None where it was not tested.
    unit : Hashable
        The column that names the units, where a study found them; None if row names do.

    Examples
    --------
    >>> groups([[1.0], [2.0], [3.0]], None, ["a", "a", "a"], rng=0).reason
    'one group'
    """

    p_value: float | None
    floor: float
    columns: pd.DataFrame | None
    axes: pd.DataFrame | None
    categories: pd.DataFrame | None
    n_rows: int
    n_groups: int
    scheme: str
    reason: str = ""
    test: str = "permutation"
    spread: WithinTest | None = None
    correlation: WithinTest | None = None
    unit: Hashable = None


def groups(
    X: TableLike,
    F: TableLike | None,
    labels: VectorLike,
    *,
    scheme: Scheme = "permutation",
    rng: SeedLike = None,
    groups_of_copies: VectorLike | None = None,
    units: VectorLike | None = None,
    n_draws: int | None = None,
    within: bool = True,
) -> GroupEvidence:
    """Test whether groups of rows have different means, whatever the number of axes.

    Each column and each axis is tested by the F* of Brown and Forsythe, Σ n_j (ȳ_j − ȳ)² over
    Σ (1 − n_j/n) s_j², which does not need equal variances (the square of Welch's t for two
    groups), against the largest F* of tables with permuted labels: exact if the groups were drawn
    at random, whatever the distribution. If the spreads of the groups are unequal, or the groups
    too small to tell, the p-value for normal groups of any variances (Holm) must be small as well,
    so that a difference in variance alone is not taken for one in means. Permutations of 4 + 4 rows
    or fewer have hardly any power; for 30 columns or more they are replaced by the moderated F of
    limma (with shrunken variances), corrected by Benjamini and Hochberg.

    Besides means, the spread of the groups (distances of rows to the median of their group) and the
    correlations of columns within them (normal scores) are compared, each by permutations.

    Parameters
    ----------
    X : array (n, p)
        Columns in any units; for the moderated test preferably on one scale.
    F : array (n, k) or None
        Coordinates on axes.
    labels : sequence (n,)
        Rows without a label are left out.
    scheme : "permutation", "sign flips", "blocks", "shifts", "copies" or "none"
        How the rows depend on one another. With "blocks", labels in serial order, and with "none"
        all labels, are tested only if they explain the rows clearly better than the previous rows
        do, and short blocks of rows are free of order beside them: the means of these blocks are
        permuted. "Copies" count once; with "shifts", labels are shifted along the rows.
    rng : Generator or seed, optional
        Seed of the random draws.
    groups_of_copies : sequence (n,), optional
        Equal for rows that are copies of one another.
    units : sequence (n,), optional
        Subjects, plots or plates with several rows each, in one group: their means are compared.
    n_draws : int, optional
        By default 199 to 999, by the size of the table.
    within : bool
        Whether spread and correlations are compared.

    Examples
    --------
    >>> iris = gm.datasets.iris()
    >>> evidence = gm.evidence.groups(iris.data, None, iris.groups["species"], rng=0)
    >>> evidence.p_value, evidence.columns["eta2"].round(2).tolist()
    (0.001, [0.62, 0.4, 0.94, 0.93])
    """
    labels = in_order_of(labels, row_labels(X), "labels")
    X, rng = finite_table(X), generator(rng, "rng")
    F = coordinates(F, len(X))
    codes, names = encode_labels(labels, len(X))
    number_of_draws(n_draws, 1)
    draws = row_scheme(scheme, len(X), groups_of_copies)
    rows = draws.rows[codes[draws.rows] >= 0]
    codes = codes[rows]
    tested = X[rows], None if F is None else F[rows], codes, names
    if units is not None:
        own_units = _dense(encode_labels(units, len(X), "units")[0][rows])
        if len(np.unique(np.stack([own_units, codes]), axis=1).T) > own_units.max() + 1:
            raise InputError("units must not have rows of two groups: give none", argument="units")
        return _by_means(*tested, own_units, rng, n_draws, "units")
    if reason := _reason(codes, scheme, rng):
        in_runs = _in_runs(*tested, rng, n_draws) if reason in ("order", "scheme") else None
        if in_runs is not None:
            return in_runs
        n_rows = 0 if scheme == "none" else len(rows)
        return GroupEvidence(None, 1.0, None, None, None, n_rows, len(names), scheme, reason)
    present, codes = np.unique(codes, return_inverse=True)
    Y, p = _standardise((X if F is None else np.hstack([X, F]))[rows]), X.shape[1]
    n, m = Y.shape
    own = Moments.of(codes, Y, Y**2)
    kept: list[Hashable] = [names[k] for k in present]
    f, t = _statistics(own, p)
    orders = partial(draws.orders, rng=rng)
    shapes: list[WithinTest | None] = [None, None]
    if within:
        shapes = [test(Y[:, :p], codes, kept, orders) for test in (spread, correlations)]
    count = number_of_draws(n_draws, int(np.clip(_WORK / (2.0 * Y.size * len(present)), *_DRAWS)))
    # One row the data, then the permuted tables: (1 + B, 3) of columns, axes, categories.
    best = np.vstack([_largest(f, t, p), _draw_largest(codes, Y, p, orders(n, count))])
    parts = [slice(0, p), slice(p, m)][: 1 + (m > p)]
    doubtful = _doubtful(Y, codes, shapes[0])
    normal = np.where(doubtful, _normal_p_values(own, parts), 0.0)
    own_p = np.concatenate([p_values(f[s], best[1:, k]) for k, s in enumerate(parts)])
    floor = max(draws.floor(n, count), _smallest_p_value(own.sizes))
    whole = max(_whole(own_p, best, normal, parts), floor)
    own_p, test = np.maximum(own_p, normal), "permutation"
    if floor > _FEW and p >= _MIN_WIDE and own.sizes.max() <= _MAX_RATIO * own.sizes.min():
        raw = X[rows] - X[rows].mean(axis=0)
        own_p[:p] = _moderated(Moments.of(codes, raw, raw**2))
        whole, floor, test = float(own_p[:p].min()), 0.0, "moderated"
    own_p = np.maximum(own_p, whole)
    table = partial(_table, own, f, own_p)
    columns, axes, categories = table(parts[0], pd.RangeIndex(p, name="column")), None, None
    if m > p:
        axes = table(parts[1], pd.RangeIndex(1, m - p + 1, name="axis"))
        categories = _categories(own.columns(parts[1]), t, kept, best[1:, 2], doubtful[p:], whole)
    found = (columns, axes, categories, n, len(present), scheme)
    return GroupEvidence(whole, floor, *found, "", test, *shapes)


def _reason(codes: np.ndarray, scheme: Scheme, rng: np.random.Generator) -> str:
    """Return why nothing can be tested, or nothing."""
    if scheme == "none":
        return "scheme"
    count = len(np.unique(codes))
    if count < 2:
        return "one group"
    if count == len(codes):
        return "no repeats"
    return "order" if scheme == "blocks" and in_order(codes, rng) else ""


def _in_runs(
    X: np.ndarray,
    F: np.ndarray | None,
    codes: np.ndarray,
    names: np.ndarray,
    rng: np.random.Generator,
    n_draws: int | None,
) -> GroupEvidence | None:
    """Test groups that follow one another in a series, by the means of short blocks of rows.

    None where the past of the rows explains them as well as the groups do, or where no blocks are
    free of order beside the groups.
    """
    dense = _dense(codes)
    if len(X) < 2 * _BLOCKS[0] * _MIN_BLOCKS or not explains_beyond_past(X, dense):
        return None
    runs = np.cumsum(np.append(0, np.diff(codes) != 0))
    for length in _BLOCKS:
        place = np.concatenate([_cut(size, length) for size in np.bincount(runs)])
        blocks = np.unique(np.stack([runs, place]), axis=1, return_inverse=True)[1].ravel()
        own = codes[np.unique(blocks, return_index=True)[1]]
        if np.unique(own, return_counts=True)[1].min() < _MIN_BLOCKS:
            return None
        mean = _averages(blocks)
        Q = np.linalg.qr(np.eye(codes.max() + 1)[own][:, np.unique(own)])[0]
        if order(mean @ X, _ORDER_DRAWS, rng, Q).p_value > _DOUBT:
            break
    else:
        return None
    found = _by_means(X, F, codes, names, blocks, rng, n_draws, "blocks")
    return replace(found, n_rows=len(X), scheme="blocks") if found.floor <= _FEW else None


def _by_means(
    X: np.ndarray,
    F: np.ndarray | None,
    codes: np.ndarray,
    names: np.ndarray,
    units: np.ndarray,
    rng: np.random.Generator,
    n_draws: int | None,
    test: str,
) -> GroupEvidence:
    """Test by the means of units of rows; shares and differences are those of the rows."""
    own = codes[np.unique(units, return_index=True)[1]]
    mean = _averages(units)
    options: dict[str, Any] = {"rng": rng, "within": False}
    F_mean = None if F is None else mean @ F
    coarse = groups(mean @ X, F_mean, names[own], n_draws=n_draws, **options)
    if coarse.p_value is None:
        return replace(coarse, test=test)
    fine = groups(X, F, names[codes], n_draws=1, **options)  # its p-values are not used
    tables: dict[str, Any] = {}
    for name in ("columns", "axes", "categories"):
        table, other = getattr(fine, name), getattr(coarse, name)
        tables[name] = table if table is None else table.assign(p_value=other["p_value"])
    return replace(coarse, **tables, test=test)


def _averages(units: np.ndarray) -> np.ndarray:
    """Return the matrix that takes rows to the means of their units."""
    sizes = np.bincount(units)
    return np.asarray(np.eye(len(sizes))[:, units] / sizes[:, None])


def _dense(codes: np.ndarray) -> np.ndarray:
    return np.asarray(np.unique(codes, return_inverse=True)[1].ravel())


def resemblance(
    X: TableLike, units: VectorLike, labels: VectorLike, *, rng: SeedLike = None, n_draws: int = 199
) -> float:
    """Return the p-value that rows of a unit are no more alike than other rows of their group.

    Examples
    --------
    >>> units = np.repeat(np.arange(8), 5)
    >>> X = np.random.default_rng(0).standard_normal((8, 3))[units] + units[:, None] % 2
    >>> resemblance(X, units, units % 2, rng=0)
    0.01
    """
    X, rng = finite_table(X), generator(rng, "rng")
    parts = _dense(encode_labels(units, len(X), "units")[0])
    codes = _dense(encode_labels(labels, len(X))[0])
    Y = X - (np.eye(codes.max() + 1)[codes] @ Moments.of(codes, X, X**2).means)
    Y = _standardise(Y)
    groups_of_rows = [np.flatnonzero(codes == k) for k in range(codes.max() + 1)]

    def draw() -> np.ndarray:
        out = parts.copy()
        for rows in groups_of_rows:
            out[rows] = parts[rng.permutation(rows)]
        return out

    drawn = np.array([parts, *(draw() for _ in range(n_draws))])
    step = max(1, int(_CHUNK / (len(np.unique(parts)) * len(X))))
    shares = [
        (m.sizes[:, None] * m.means**2).sum(axis=-2)
        for k in range(0, len(drawn), step)
        for m in [Moments.of(drawn[k : k + step], Y, Y**2)]
    ]
    share = np.concatenate(shares)  # of each column, between the units
    found = [p_values(t[0], t[1:]) for t in (share.sum(axis=-1), share.max(axis=-1))]
    return float(min(1.0, 2.0 * min(found)))


def _cut(size: int, length: int) -> np.ndarray:
    """Return the number of the block of each row of a run."""
    return np.arange(size) * max(1, size // length) // size


def _standardise(Y: np.ndarray) -> np.ndarray:
    """Return columns of mean 0 and variance 1, a constant one as zeros."""
    Y = Y - Y.mean(axis=0)
    size = np.sqrt((Y**2).mean(axis=0))
    live = size > 1e-12 * max(float(size.max(initial=0.0)), 1e-300)
    return np.asarray(np.where(live, Y / np.where(live, size, 1.0), 0.0))


def _statistics(moments: Moments, p: int) -> tuple[np.ndarray, np.ndarray]:
    """Return F* of columns and axes, (…, m), and t of each group against the rest on the axes."""
    axes = moments.columns(slice(p, None))
    return between(moments, moments.variances()), rest(axes, axes.variances())[0]


def _largest(f: np.ndarray, t: np.ndarray, p: int) -> np.ndarray:
    """Return the largest F* of columns and of axes, and the largest |t|, (…, 3)."""
    sides = [f[..., :p].max(axis=-1, initial=0.0), f[..., p:].max(axis=-1, initial=0.0)]
    return np.stack([*sides, np.abs(t).max(axis=(-2, -1), initial=0.0)], axis=-1)


def _draw_largest(codes: np.ndarray, Y: np.ndarray, p: int, orders: np.ndarray) -> np.ndarray:
    """Return the largest statistics of each permutation, (B, 3)."""
    c, squares = int(codes.max()) + 1, Y**2
    step = max(1, int(_CHUNK / (c * (len(Y) + 4 * Y.shape[1]))))
    parts = [codes[orders[start : start + step]] for start in range(0, len(orders), step)]
    return np.concatenate(
        [_largest(*_statistics(Moments.of(part, Y, squares), p), p) for part in parts]
    )


def _doubtful(Y: np.ndarray, codes: np.ndarray, shape: WithinTest | None) -> np.ndarray:
    """Return the columns in which groups may be spread unequally, (m,)."""
    sizes = np.bincount(codes)
    small = sizes.min() < _MIN_ROWS and np.ptp(sizes) > 0
    # Unequal spreads do most harm to a permutation test where sizes are unequal too.
    level = _DOUBT if np.ptp(sizes) > 0 else _DOUBT / 2
    whole = small or (shape is not None and shape.p_value < level)
    return np.asarray(whole | (unequal_columns(Y, codes) < level))


def _normal_p_values(own: Moments, parts: list[slice]) -> np.ndarray:
    """Return p-values of normal groups of any variances, corrected for columns or axes, (m,)."""
    return np.concatenate([holm(between_p_values(own.columns(part))) for part in parts])


def _whole(p: np.ndarray, best: np.ndarray, normal: np.ndarray, parts: list[slice]) -> float:
    """Return the p-value of no difference on any column or axis."""
    costs = _COSTS[: len(parts)]
    cost = np.repeat(costs, [part.stop - part.start for part in parts])
    joint = joint_p_values(cost * p, best[:, : len(parts)], costs)
    whole = sum(1.0 / each for each in costs)
    return float(np.maximum(joint, bonferroni(normal, whole * cost)).min(initial=1.0))


def _smallest_p_value(sizes: np.ndarray) -> float:
    """Return the share of assignments to groups of these sizes that give the same groups."""
    same = np.unique(sizes, return_counts=True)[1]
    logs = special.gammaln(sizes + 1.0).sum() + special.gammaln(same + 1.0).sum()
    return float(np.exp(logs - special.gammaln(sizes.sum() + 1.0)))


def _moderated(raw: Moments) -> np.ndarray:
    """Return moderated p-values of columns in their own units, (p,)."""
    apart = (raw.sizes[:, None] * raw.means**2).sum(axis=0)
    within = raw.within.sum(axis=0)
    return moderated_p_values(apart, within, len(raw.sizes), int(raw.sizes.sum()))


def _table(
    own: Moments, f: np.ndarray, p: np.ndarray, part: slice, index: pd.RangeIndex
) -> pd.DataFrame:
    """Return one row a column or axis."""
    moments = own.columns(part)
    within = np.sqrt(np.maximum(moments.within_variance()[0], 1e-300))
    table = {
        "statistic": f[part],
        "eta2": eta2(moments),
        "difference": np.ptp(moments.means, axis=0) / within,
        "p_value": p[part],
    }
    return pd.DataFrame(table, index=index)


def _categories(
    axes: Moments,
    t: np.ndarray,
    names: list[Hashable],
    drawn: np.ndarray,
    doubtful: np.ndarray,
    whole: float,
) -> pd.DataFrame:
    """Return one row a category and axis; means are in standard deviations of the axis."""
    size, n = axes.sizes[:, None], float(axes.sizes.sum())
    normal = np.where(doubtful, holm(rest_p_values(axes).ravel()).reshape(t.shape), 0.0)
    table = {
        "size": np.broadcast_to(size, t.shape).astype(int).ravel(),
        "mean": axes.means.ravel(),
        "v_test": (axes.means * np.sqrt(size * (n - 1.0) / np.maximum(n - size, 1.0))).ravel(),
        "p_value": np.maximum(np.maximum(p_values(np.abs(t), drawn), normal), whole).ravel(),
    }
    pairs = [names, range(1, t.shape[1] + 1)]
    return pd.DataFrame(table, index=pd.MultiIndex.from_product(pairs, names=["category", "axis"]))


@dataclass(frozen=True)
class Moments:
    """Sizes, means and sums of squares within c groups, for m columns centred over all rows.

    Leading dimensions, where there are any, count assignments of the rows to the groups.
    """

    sizes: np.ndarray  # (c,)
    means: np.ndarray  # (…, c, m)
    within: np.ndarray  # (…, c, m), sums of squares

    @classmethod
    def of(cls, codes: np.ndarray, Y: np.ndarray, squares: np.ndarray) -> Moments:
        """Return those of Y (n, m), `squares` its square, for assignments `codes` (…, n)."""
        c = int(codes.max()) + 1
        members = (codes[..., None, :] == np.arange(c)[:, None]).astype(float)
        sizes = members.reshape(-1, c, codes.shape[-1])[0].sum(axis=1)
        means = members @ Y / sizes[:, None]
        within = members @ squares - sizes[:, None] * means**2
        return cls(sizes, means, np.maximum(within, 0.0))

    @property
    def freedom(self) -> np.ndarray:
        """Degrees of freedom of each group's variance, (c, 1)."""
        return np.asarray(np.maximum(self.sizes - 1.0, 0.0)[:, None])

    def columns(self, part: slice) -> Moments:
        """Return the moments of some of the columns."""
        return Moments(self.sizes, self.means[..., part], self.within[..., part])

    def within_variance(self) -> np.ndarray:
        """Return the variance within the groups together, (…, 1, m)."""
        total: np.ndarray = self.within.sum(axis=-2, keepdims=True)
        return np.asarray(total / self.freedom.sum())

    def variances(self) -> np.ndarray:
        """Return the variance of each group, drawn up to that of all where rows are few."""
        # A handful of rows that happen to lie close together, as those of a skewed group without
        # its tail do, would else seem to be known exactly.
        own = self.within / np.maximum(self.freedom, 1.0)
        shrunk = self.within + _PRIOR_FREEDOM * self.within_variance()
        return np.asarray(np.maximum(own, shrunk / (self.freedom + _PRIOR_FREEDOM)))

    def robust_variances(self) -> np.ndarray:
        """Return variances that also believe what the other columns say of a group's spread."""
        own = self.within / np.maximum(self.freedom, 1.0)
        others = self.within.sum(axis=-2, keepdims=True) - self.within
        others = others / np.maximum(self.freedom.sum() - self.freedom, 1.0)
        total = self.within.sum(axis=-2, keepdims=True)
        unit = np.where(total > 0, total, 1.0)
        wider = (own / unit).sum(axis=-1, keepdims=True)
        wider = wider / np.maximum((others / unit).sum(axis=-1, keepdims=True), _TINY)
        known = self.freedom > 0
        return np.asarray(np.maximum(self.variances(), np.where(known, wider * others, 0.0)))


def eta2(moments: Moments) -> np.ndarray:
    """Return the share of each column's sum of squares that lies between the groups, (…, m)."""
    apart = (moments.sizes[:, None] * moments.means**2).sum(axis=-2)
    total = apart + moments.within.sum(axis=-2)
    return np.asarray(np.divide(apart, total, out=np.zeros_like(total), where=total > 0))


def between(moments: Moments, variances: np.ndarray) -> np.ndarray:
    """Return the F* of Brown and Forsythe (1974) of each column, (…, m)."""
    # Σ n_j (ȳ_j − ȳ)² / Σ (1 − n_j/n) s_j²; the square of Welch's t for two groups.
    size = moments.sizes[:, None]
    error = ((1.0 - size / size.sum()) * variances).sum(axis=-2)
    return np.asarray((size * moments.means**2).sum(axis=-2) / np.maximum(error, _TINY))


def between_p_values(moments: Moments) -> np.ndarray:
    """Return p-values of F* for normal groups of any variances, (m,)."""
    # Degrees of freedom by Mehrotra (1997) above and Satterthwaite below.
    s2, size = moments.robust_variances(), moments.sizes[:, None]
    share = size / size.sum()
    w = (1.0 - share) * s2
    total = np.maximum(w.sum(axis=0), _TINY)
    above = ((1.0 - 2.0 * share) * s2**2).sum(axis=0) + (share * s2).sum(axis=0) ** 2
    below = (w**2 / np.maximum(moments.freedom, 0.5)).sum(axis=0)
    live = below > 0  # a constant column differs in nothing
    above, below = np.where(live, above, 1.0), np.where(live, below, 1.0)
    p = stats.f.sf(between(moments, s2), total**2 / above, total**2 / below)
    return np.asarray(np.where(live, p, 1.0))


def rest(moments: Moments, variances: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return Welch's t of each group against the others together, and its error, (…, c, m)."""
    size = moments.sizes[:, None]
    other = np.maximum(size.sum() - size, _TINY)
    # Columns are centred over all rows: the others' mean is −n_j ȳ_j/(n − n_j).
    gap = moments.means * (1.0 + size / other)
    spread = size * variances
    error = variances / size + (spread.sum(axis=-2, keepdims=True) - spread) / other**2
    return gap / np.sqrt(np.maximum(error, _TINY)), error


def rest_p_values(moments: Moments) -> np.ndarray:
    """Return two-sided p-values of `rest` for normal groups of any variances, (c, m)."""
    s2, size = moments.robust_variances(), moments.sizes[:, None]
    t, error = rest(moments, s2)
    freedom = np.maximum(moments.freedom, 0.5)
    part = (size * s2) ** 2 / freedom
    other = np.maximum(size.sum() - size, _TINY)
    below = s2**2 / size**2 / freedom + (part.sum(axis=0) - part) / other**4
    live = below > 0
    p = 2.0 * stats.t.sf(np.abs(t), np.where(live, error**2 / np.where(live, below, 1.0), 1.0))
    return np.asarray(np.where(live, p, 1.0))


_LARGE = 1e8  # degrees of freedom of a prior that all variances agree with


def moderated_p_values(between: np.ndarray, within: np.ndarray, c: int, n: int) -> np.ndarray:
    """Return p-values of c groups of n rows in each column, corrected by Benjamini and Hochberg.

    `between` and `within` are sums of squares, (m,). The variance of a column becomes
    (d₀s₀² + ds²)/(d₀ + d), d = n − c; d₀ and s₀² come from all columns. Under normal errors the
    ratio of mean squares has the law F(c − 1, d₀ + d).

    Examples
    --------
    >>> within = np.array([3.0, 4.0, 5.0, 4.0, 3.5])
    >>> moderated_p_values(np.array([1.0, 60.0, 0.5, 0.2, 1.0]), within, 2, 6).argmin()
    np.int64(1)
    """
    d, live = float(n - c), within > 1e-12 * within.max(initial=0.0)
    out = np.full(len(within), np.nan)
    if live.sum() > 1:
        s2 = within[live] / d
        d0, s02 = prior(s2, d)
        F = between[live] / (c - 1.0) / ((d0 * s02 + d * s2) / (d0 + d))
        out[live] = stats.f.sf(F, c - 1.0, d0 + d)
    return np.asarray(np.nan_to_num(benjamini_hochberg(out), nan=1.0))


def prior(s2: np.ndarray, d: float) -> tuple[float, float]:
    """Return the degrees of freedom and the variance that the variances of columns agree on."""
    # The moments of log s², which is log s₀² + log F(d, d₀).
    e = np.log(s2) - special.digamma(d / 2.0) + np.log(d / 2.0)
    excess = float(e.var(ddof=1) - special.polygamma(1, d / 2.0))
    if excess <= special.polygamma(1, _LARGE / 2.0):
        return _LARGE, float(np.exp(e.mean()))
    half = optimize.brentq(lambda x: special.polygamma(1, x) - excess, 1e-6, _LARGE)
    return 2.0 * half, float(np.exp(e.mean() + special.digamma(half) - np.log(half)))
