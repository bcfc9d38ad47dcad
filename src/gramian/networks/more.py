"""The power of more replicates to find differential links, and the effect of pooling."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from gramian._core.check import generator, invalid, is_list, whole
from gramian._core.types import SeedLike, TableLike, VectorLike
from gramian.errors import InputTypeError
from gramian.networks.contrasts import rows_of
from gramian.networks.differential import Comparison, compare_links, link_table
from gramian.networks.finder import as_finder, similarity_of
from gramian.networks.infer import require_conditions
from gramian.networks.learning import change_of
from gramian.networks.resampling import Unit, trim_contrasts

MORE = (0, 4, 8, 16, 32)
_MAX_MORE = 100_000
Law = tuple[float, float, float]  # the share of pairs that differ, V, and the scale of the others
_N_BINS = 200  # of the statistic, where the mixture is fitted
_SPREADS = np.geomspace(4.0, 64.0, 17)  # variances of the statistic of links that differ
_LEAST_SPREADS = (4.0, 8.0, 16.0)  # few large differences and many small ones look alike: all three
_SCALES = np.geomspace(1.0, 3.0, 9)  # of the statistic of pairs that do not differ
_SHARES = np.geomspace(1e-4, 0.3, 30)  # shares of pairs that differ
_THRESHOLDS = np.geomspace(1e-9, 0.05, 120)  # p-values at which the rate is controlled
_N_GROUPS = 10  # of genes, each left out in turn
_MAX_LINKS = 1000  # of the table of links
_EVIDENCE = 3.0  # by how much the logarithm of the likelihood must rise for links that differ
_LEVEL = 0.95
_MIN_REPLICATES = 6  # of each condition, for two disjoint networks of 3


@dataclass(frozen=True)
class DifferentialPower:
    """The differential links that are expected with more replicates.

    Attributes
    ----------
    curve : DataFrame, one row per number of further replicates of each condition
        "found", the expected number of links that differ at this rate of false discoveries, with
        "low" and "high" (95 %). The row 0 is the number found now.
    now : DataFrame
        The result of `differential` for the present data.
    links : DataFrame, one row per link, at most 1,000
        "source", "target", the correlation in each condition, "difference" and "p_value" now, and
        a column for each number of replicates: the probability that the link would be found.
    share : float
        The estimated share of pairs that differ.

    Examples
    --------
    >>> data = gm.datasets.replicated_expression(12, 60, n_modules=3, rewired=1)
    >>> power = gm.networks.differential_power(
    ...     data.data, data.groups["treatment"], n_permutations=20, random_state=0)
    >>> bool(power.curve.loc[32, "found"] > power.curve.loc[0, "found"])
    True
    """

    curve: pd.DataFrame
    now: pd.DataFrame
    links: pd.DataFrame
    share: float


def differential_power(
    X: TableLike,
    condition: VectorLike,
    more: Sequence[int] = MORE,
    *,
    fdr: float = 0.05,
    n_permutations: int = 100,
    random_state: SeedLike = None,
) -> DifferentialPower:
    """Predict which links would be found to differ between conditions with more replicates.

    The statistic of `differential` is turned into T, which is s·χ² with C − 1 degrees of freedom
    where nothing differs; s is 1 where `differential` finds links now, else at least 1, since pairs
    depend on each other. A share of the pairs differs (at most 0.3), with T ~ s·V·χ². Share, V and
    s are fitted to the pairs by maximum likelihood, with V at least 4, 8 and 16, and what follows
    is averaged. Given T, and m further replicates in each condition, the statistic of all n + m
    replicates is again a mixture of scaled non-central χ², whose chance to pass the threshold of
    the rate `fdr` is summed over pairs. The error is that of a jackknife over groups of genes, of
    counting and of the choice among the three.

    Parameters
    ----------
    X, condition, fdr, n_permutations, random_state
        As for `differential`.
    more : whole numbers
        Numbers of further replicates in each condition.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((40, 8))
    >>> X[:20, 1] += 1.5 * X[:20, 0]
    >>> power = differential_power(X, np.repeat(["a", "b"], 20), (0, 60), random_state=0)
    >>> power.links.iloc[0][["source", "target"]].tolist()
    ['x0', 'x1']
    """
    if not is_list(more):
        raise invalid("more", more, "must be a list of whole numbers", InputTypeError)
    numbers = sorted({whole(m, "more", 0, _MAX_MORE) for m in more} | {0})
    compared = compare_links(X, condition, fdr, n_permutations, random_state)
    listed = link_table(compared, fdr)
    now = len(listed)
    df = len(compared.counts) - 1
    T = stats.chi2.isf(compared.p, df)
    n = float(compared.counts.mean())
    ratios = {m: (n + m - 3.0) / (n - 3.0) for m in numbers}
    laws = [_fit(T, df, least, now > 0) for least in _LEAST_SPREADS]
    each = {m: np.array([_found(T, law, df, a, fdr) for law in laws]) for m, a in ratios.items()}
    found = {m: some.mean(axis=0) for m, some in each.items()}
    errors = _errors(compared, T, df, ratios, fdr, now > 0)
    errors = {m: float(np.hypot(e, each[m].sum(axis=1).std(ddof=1))) for m, e in errors.items()}
    rows = [_row(m, now, found[m], errors[m], compared.alike <= fdr) for m in numbers]
    curve = pd.DataFrame(rows, index=pd.Index(numbers, name="more"))
    order = np.lexsort((-T, -found[numbers[-1]]))[:_MAX_LINKS]
    links = compared.table(order).drop(columns="q_value")
    for m in numbers:
        links[m] = found[m][order]
    return DifferentialPower(curve, listed, links, float(np.mean([law[0] for law in laws])))


def _row(m: int, now: int, found: np.ndarray, error: float, sure: bool) -> dict[str, float]:
    """Return the expected number at m more replicates and its limits."""
    if m == 0:
        return dict.fromkeys(("found", "low", "high"), float(now))
    total = float(found.sum())
    half = float(stats.norm.ppf(0.5 + 0.5 * _LEVEL)) * np.hypot(error, np.sqrt(total))
    low = max(total - half, 0.0) if sure else 0.0  # all of it may be chance
    return {"found": total, "low": low, "high": min(total + half, float(found.size))}


def _fit(T: np.ndarray, df: int, least: float, some: bool) -> Law:
    """Return the share of pairs that differ, V, and the scale of others, by maximum likelihood."""
    # V is at least `least`. Pairs depend on each other: in one table all may be farther from 0 than
    # they are on average. Where some pairs are known to differ these are the reason, and the scale
    # is 1; where none is, the share may be 0.
    edges = np.linspace(0.0, float(T.max()) + 1e-9, _N_BINS + 1)
    count = np.histogram(T, edges)[0]

    def masses(V: float) -> np.ndarray:
        return np.asarray(np.maximum(np.diff(stats.chi2.cdf(edges / V, df)), 1e-300))

    spreads = _SPREADS[least - 1e-9 <= _SPREADS]
    share, best, found = _SHARES[:, None, None], -np.inf, (0.0, 1.0, 1.0)
    for scale in (1.0,) if some else map(float, _SCALES):
        null = masses(scale)
        other = np.array([masses(scale * V) for V in spreads])  # (spreads, bins)
        likelihood = (count * np.log((1.0 - share) * null + share * other)).sum(axis=2)
        k, v = np.unravel_index(int(likelihood.argmax()), likelihood.shape)
        alone = float((count * np.log(null)).sum())
        if not some and alone + _EVIDENCE > max(best, float(likelihood[k, v])):
            best, found = alone + _EVIDENCE, (0.0, float(spreads[v]), scale)
        elif likelihood[k, v] > best:
            best, found = float(likelihood[k, v]), (float(_SHARES[k]), float(spreads[v]), scale)
    return found


def _found(T: np.ndarray, law: Law, df: int, ratio: float, fdr: float) -> np.ndarray:
    """Return the probability that each pair is found with `ratio` times the information."""
    # Let u, of d = C − 1 numbers, have T = |u|², and θ its mean for one unit of information, w of
    # which there are now. Where the pair differs θ given u is N(B·u/√w, B/w), B = 1 − 1/V. With a
    # times as much information u becomes (u + √(a − 1)·v)/√a, v new: its mean is
    # u·(1 + (a − 1)B)/√a, its variance (a − 1)(1 + (a − 1)B)/a.
    share, V, scale = law
    if ratio <= 1.0:  # nothing is added: what passes passes
        limits = stats.chi2.isf(_THRESHOLDS, df)
        above = (limits[:, None] <= T).sum(axis=1)
        good = np.flatnonzero(T.size * _THRESHOLDS <= fdr * above)
        return np.asarray((limits[good[-1]] <= T).astype(float) if good.size else np.zeros(T.size))
    a, B, t = ratio, 1.0 - 1.0 / V, np.linspace(0.0, float(T.max()) / scale, _N_BINS)
    count = np.histogram(T / scale, np.append(t - 0.5 * t[1], np.inf))[0]
    limits = stats.chi2.isf(_THRESHOLDS, df)[:, None]
    differs = share * stats.chi2.pdf(np.maximum(t, 1e-9) / V, df) / V
    null = (1.0 - share) * stats.chi2.pdf(np.maximum(t, 1e-9), df)
    differs = differs / (differs + null)
    beyond = np.zeros((limits.size, t.size))
    for weight, b in ((differs, B), (1.0 - differs, 0.0)):
        variance = (a - 1.0) * (1.0 + (a - 1.0) * b) / a
        middle = t * (1.0 + (a - 1.0) * b) ** 2 / a
        beyond += weight * stats.ncx2.sf(limits / variance, df, middle / variance)
    # limits are those of T/scale: the rate is controlled on the scale of `differential`
    rate = T.size * stats.chi2.sf(limits[:, 0] * scale, df)
    good = np.flatnonzero(rate <= fdr * (beyond * count).sum(axis=1))
    if good.size == 0:
        return np.zeros(T.size)
    return np.asarray(np.interp(T / scale, t, beyond[good[-1]]))


def _errors(
    compared: Comparison, T: np.ndarray, df: int, ratios: dict[int, float], fdr: float, some: bool
) -> dict[int, float]:
    """Return the jackknife's standard error of the expected numbers, over groups of genes."""
    p = len(compared.names)
    i, j = np.triu_indices(p, 1)
    groups = min(_N_GROUPS, p // 2)
    theta: dict[int, list[float]] = {m: [] for m in ratios}
    for g in range(groups):
        kept = (i % groups != g) & (j % groups != g)
        law = _fit(T[kept], df, _LEAST_SPREADS[1], some)
        for m, ratio in ratios.items():
            found = _found(T[kept], law, df, ratio, fdr)
            theta[m].append(float(found.sum()) * T.size / int(kept.sum()))
    scale = (groups - 1.0) / groups
    return {m: float(np.sqrt(scale * np.var(t) * len(t))) for m, t in theta.items()}


@dataclass(frozen=True)
class Pooling:
    """The agreement of a pooled network with the networks of the conditions.

    Attributes
    ----------
    own, pooled : float
        How far the network of r replicates of a condition, and that of r replicates of every
        condition, agree with the network of r other replicates of the condition.
    gain, interval : float, and (float, float)
        pooled − own, positive if pooling is an advantage, with an interval (95 %).
    by_condition : DataFrame, one row per condition
        "own" and "pooled" of each.
    r : int

    Examples
    --------
    >>> data = gm.datasets.replicated_expression(12, 40, n_modules=2, rewired=0)
    >>> found = gm.networks.pooling(data.data, data.groups["treatment"], random_state=0)
    >>> found.r, found.gain > 0
    (6, True)
    """

    own: float
    pooled: float
    gain: float
    interval: tuple[float, float]
    by_condition: pd.DataFrame
    r: int


def pooling(
    X: TableLike, condition: VectorLike, *, n_resamples: int = 8, random_state: SeedLike = None
) -> Pooling:
    """Measure the gain or loss of one pooled network for all conditions.

    The replicates of each condition are divided at random into two halves of r. The pooled network
    of all first halves, less the means of conditions, has C·r replicates, and finds more links; but
    links of one condition only fade in it. Both it and the network of the first half of a condition
    are compared with the network of the second half of that condition.

    Parameters
    ----------
    X, condition : table (n, p), n labels
        The samples, and their conditions: at least two, with at least 6 samples each.
    n_resamples : int
        Number of random divisions.
    random_state : int, Generator or RandomState, optional
        Seed of the random draws; a NumPy Generator or RandomState also works.

    Examples
    --------
    >>> data = gm.datasets.replicated_expression(12, 40, n_modules=2, rewired=2)
    >>> pooling(data.data, data.groups["treatment"], random_state=0).r
    6
    """
    whole(n_resamples, "n_resamples", 2)
    values, _, codes, names = require_conditions(X, condition, _MIN_REPLICATES)
    counts = np.bincount(codes)
    within = rows_of(trim_contrasts(values, codes)[0])
    finder, r = as_finder(None, within), int(counts.min()) // 2
    similarity = similarity_of(None, finder, within, r)
    unit, rng = Unit("all", values, codes), generator(random_state)
    place = np.concatenate([np.flatnonzero(codes == c) for c in range(len(names))])
    group = np.empty(len(codes), dtype=int)
    group[place] = np.concatenate([rng.permutation(n) for n in counts])
    G = int(counts.min())  # groups, of one sample of each condition
    shared = np.empty((1 + G, n_resamples, len(names), 2))  # own, pooled
    for b in range(n_resamples):
        order = rng.permutation(len(codes))
        for g in range(-1, G):
            first, last = unit.halves(order[group[order] % G != g], r)
            own = [
                values[rows[codes[rows] == c]] for rows in (first, last) for c in range(len(names))
            ]
            S = similarity.of_tables([unit.table(first), *own])
            c = np.arange(len(names))
            shared[g + 1, b, :, 0] = S[1 + c, 1 + len(names) + c]
            shared[g + 1, b, :, 1] = S[0, 1 + len(names) + c]
    gain = shared[..., 1].mean(axis=2) - shared[..., 0].mean(axis=2)
    estimate = change_of({"change": gain[0], "change_without": gain[1:]}, np.zeros(G, dtype=int))
    half = float(stats.t.ppf(0.5 + 0.5 * _LEVEL, G - 1)) * float(np.sqrt(estimate.variance))
    means = shared[0].mean(axis=0)
    table = pd.DataFrame(means, index=pd.Index(names, name="condition"), columns=["own", "pooled"])
    own_mean, pooled_mean = (float(x) for x in means.mean(axis=0))
    limits = (estimate.value - half, estimate.value + half)
    return Pooling(own_mean, pooled_mean, estimate.value, limits, table, r)
