"""Do groups of rows differ, on which columns and axes, and by how much?"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from gramian._core.check import generator
from gramian._core.frames import in_order_of
from gramian._core.frames import labels_of as row_labels
from gramian._core.types import SeedLike, TableLike, VectorLike
from gramian._nulls.corrections import bonferroni, holm
from gramian._nulls.p_values import joint_p_value, p_values
from gramian.evidence.validation import (
    Scheme,
    coordinates,
    distinct_rows,
    encode_labels,
    finite_table,
    in_order,
    number_of_draws,
    p_value_floor,
    shuffles,
)

_WORK = 6e8  # multiplications that permutations may cost
_DRAWS = 199, 999
_TINY = 1e-300
_CHUNK = 4e6  # numbers held at a time


@dataclass(frozen=True, eq=False)
class GroupEvidence:
    """What is known of the differences between the groups of one grouping.

    Attributes
    ----------
    p_value : float or None
        Of the hypothesis that the groups do not differ, on any column or axis; None where it
        cannot be tested (see `reason`).
    floor : float
        The smallest p-value that the permutations could have given.
    columns, axes : DataFrame or None
        One row a column (by position) or axis (from 1): "statistic" (F* of Brown and Forsythe),
        "eta2", "difference" (the largest distance between the means of two groups, in standard
        deviations within groups) and "p_value", corrected for their number and never below that
        of the whole.
    categories : DataFrame or None
        One row (category, axis): "size", "mean" (in standard deviations of the axis), "v_test",
        "p_value" (against the rest, corrected for all of them).
    n_rows, n_groups : int
        Rows that have a group and count once; groups.
    scheme : str
    reason : str
        Why nothing was tested: "scheme", "order" (of rows and of labels), "one group",
        "no repeats"; else empty.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.arange(20.0)[:, None]
    >>> groups(X, None, ["a"] * 20, rng=np.random.default_rng(0)).reason
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


def groups(
    X: TableLike,
    F: TableLike | None,
    labels: VectorLike,
    *,
    scheme: Scheme = "permutation",
    rng: SeedLike = None,
    groups_of_copies: VectorLike | None = None,
    n_draws: int | None = None,
) -> GroupEvidence:
    """Test whether groups of rows have other means, whatever the number of axes.

    Each column and each axis is tested by the F* of Brown and Forsythe, Σ n_j (ȳ_j − ȳ)² over
    Σ (1 − n_j/n) s_j², which does not need equal variances. A p-value is the larger of two: that of
    permuted labels (the largest F* of the table against the largest of each permuted one: exact if
    the groups were drawn at random, whatever the distribution), and that of normal groups of any
    variances, after Holm. So neither skewness nor a small group that is more variable than the
    others rejects by itself.

    Parameters
    ----------
    X : array (n, p)
        Columns as analysed.
    F : array (n, k) or None
        Coordinates on axes.
    labels : sequence (n,)
        Rows without a label are left out.
    scheme : "permutation", "sign flips", "blocks", "shifts", "copies" or "none"
        How the rows depend on one another. With "blocks" labels that have an
        order are not tested, with "none" nothing is; "copies" count once; with "shifts" labels keep
        their order and move along the rows.
    rng : Generator or seed, optional
    groups_of_copies : sequence (n,), optional
        Equal for rows that are copies of one another.
    n_draws : int, optional
        By default 199 to 999, by the size of the table.

    Returns
    -------
    GroupEvidence

    Examples
    --------
    >>> import numpy as np
    >>> import gramian as gm
    >>> iris = gm.datasets.iris()
    >>> X = iris.data.to_numpy()
    >>> rng = np.random.default_rng(0)
    >>> evidence = gm.evidence.groups(X, None, iris.groups["species"], rng=rng)
    >>> evidence.p_value, evidence.columns["eta2"].round(2).tolist()
    (0.001, [0.62, 0.4, 0.94, 0.93])
    """
    labels = in_order_of(labels, row_labels(X), "labels")
    X, rng = finite_table(X), generator(rng, "rng")
    F = coordinates(F, len(X))
    codes, names = encode_labels(labels, len(X))
    number_of_draws(n_draws, 1)
    rows = distinct_rows(scheme, len(X), groups_of_copies)
    rows = None if rows is None else rows[codes[rows] >= 0]
    reason = _reason(rows, codes, scheme, rng)
    if reason or rows is None:
        n_rows = 0 if rows is None else len(rows)
        return GroupEvidence(None, 1.0, None, None, None, n_rows, len(names), scheme, reason)
    present, codes = np.unique(codes[rows], return_inverse=True)
    Y, p = _standardise((X if F is None else np.hstack([X, F]))[rows]), X.shape[1]
    n, m = Y.shape
    own = Moments.of(codes, Y, Y**2)
    f, t = _statistics(own, p)
    count = number_of_draws(n_draws, int(np.clip(_WORK / (2.0 * Y.size * len(present)), *_DRAWS)))
    # One row the data, then the permuted tables: (1 + B, 3) of columns, axes, categories.
    best = np.vstack(
        [_largest(f, t, p), _draw_largest(codes, Y, p, shuffles(n, count, rng, scheme))]
    )
    parts = [own.columns(slice(0, p)), own.columns(slice(p, m))]
    normal = [holm(between_p_values(part)) for part in parts if part.means.size]
    lowest = min((float(each.min()) for each in normal), default=1.0)
    floor = p_value_floor(n, count, scheme)
    whole = max(joint_p_value(best[:, :2]), float(bonferroni(lowest, len(normal))), floor)
    columns = _table(parts[0], f[:p], best[1:, 0], whole, pd.RangeIndex(p, name="column"))
    axes = categories = None
    if m > p:
        axes = _table(parts[1], f[p:], best[1:, 1], whole, pd.RangeIndex(1, m - p + 1, name="axis"))
        categories = _categories(parts[1], t, [names[k] for k in present], best[1:, 2], whole)
    return GroupEvidence(whole, floor, columns, axes, categories, n, len(present), scheme)


def _reason(
    rows: np.ndarray | None, codes: np.ndarray, scheme: Scheme, rng: np.random.Generator
) -> str:
    """Return why nothing can be tested, or nothing."""
    if rows is None:
        return "scheme"
    count = len(np.unique(codes[rows]))
    if count < 2:
        return "one group"
    if count == len(rows):
        return "no repeats"
    return "order" if scheme == "blocks" and in_order(codes[rows], rng) else ""


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


def _table(
    moments: Moments, f: np.ndarray, drawn: np.ndarray, whole: float, index: pd.RangeIndex
) -> pd.DataFrame:
    """Return one row a column or axis."""
    within = np.sqrt(np.maximum(moments.within_variance()[0], 1e-300))
    p = np.maximum(p_values(f, drawn), holm(between_p_values(moments)))
    table = {
        "statistic": f,
        "eta2": eta2(moments),
        "difference": np.ptp(moments.means, axis=0) / within,
        "p_value": np.maximum(p, whole),
    }
    return pd.DataFrame(table, index=index)


def _categories(
    axes: Moments, t: np.ndarray, names: list[Hashable], drawn: np.ndarray, whole: float
) -> pd.DataFrame:
    """Return one row a category and axis; means are in standard deviations of the axis."""
    size, n = axes.sizes[:, None], float(axes.sizes.sum())
    normal = holm(rest_p_values(axes).ravel()).reshape(t.shape)
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
        """Return the variance of each group, at least that of all, (…, c, m).

        A handful of rows that happen to lie close together, as those of a skewed group without its
        tail do, would else seem to be known exactly.
        """
        own = self.within / np.maximum(self.freedom, 1.0)
        return np.asarray(np.maximum(own, self.within_variance()))

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
    """Return the F* of Brown and Forsythe (1974) of each column, (…, m).

    Σ n_j (ȳ_j − ȳ)² / Σ (1 − n_j/n) s_j²; the square of Welch's t for two groups.
    """
    size = moments.sizes[:, None]
    error = ((1.0 - size / size.sum()) * variances).sum(axis=-2)
    return np.asarray((size * moments.means**2).sum(axis=-2) / np.maximum(error, _TINY))


def between_p_values(moments: Moments) -> np.ndarray:
    """Return p-values of F* for normal groups of any variances, (m,).

    Degrees of freedom by Mehrotra (1997) above and Satterthwaite below.
    """
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
