"""Do the rows fall apart in two, and each part again? A graph of neighbours tells."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import cdist
from scipy.stats import norm

MIN_PART = 6  # rows of a part
_ROWS_PER_AXIS = 4
_CUTS = (2, 3, 4)  # classes of Ward's trees, each of which may be a part
_RIDGE = 0.1  # of the covariance within parts, relative to the variances
_N_FOLDS = 10
_MAX_ROUNDS = 8
_MAX_NEIGHBOURS, _NEIGHBOUR_SHARE = 20, 0.1  # of the rows, where they are many
_CUT_NEIGHBOURS = 5  # of the graph whose cuts are compared with one another
_ROWS_TO_TEMPER = 6  # times the axes, up to which the metric is that of the axes
_FACTORS = 75.0, 750.0  # of the p-value, in the metric of the axes and in that of the parts
_EXCESS, _ALONG, _AROUND = 5.5, 0.32, 0.48  # weights of the edges
_DIMENSION, _PART_DIMENSION, _N_AXES, _SEPARATION = 2.4, 3.2, 2.4, 1.2  # powers in the p-value
_SEPARATIONS = 0.1, 100.0  # limits
_LEAST_P = 1e-5  # of a number of edges
_DIMENSIONS = 1.0, 4.0  # limits: clusters hide dimensions, solid clouds have edges alike


@dataclass(frozen=True, eq=False)
class Division:
    """The clearest division of a cloud in two parts.

    `side`, (n,), tells the part of each row and `p_value` is that of one connected cloud.

    Examples
    --------
    >>> import numpy as np
    >>> F = np.random.default_rng(0).standard_normal((50, 3))
    >>> F[:12, 0] += 8.0
    >>> parts = division(F)
    >>> np.flatnonzero(parts.side == parts.side[0]).tolist() == list(range(12))
    True
    >>> parts.p_value < 0.01, division(F[12:]).p_value > 0.1
    (True, True)
    """

    side: np.ndarray
    p_value: float


@dataclass(frozen=True)
class Split:
    """A division of a class in two, and whether it is more than a cut through one cloud."""

    rows: int  # of the class
    parts: tuple[int, int]
    p_value: float
    level: float

    @property
    def found(self) -> bool:
        """Whether the two parts are apart."""
        return self.p_value <= self.level


def divide(F: np.ndarray, alpha: float) -> tuple[np.ndarray, list[Split]]:
    """Return the class of each row, codes from 0, and the divisions that were tried."""
    # The clearest division of any class comes first. From the third class on the level falls with
    # the number of divisions found, so that many classes do not yield one too many, but not with
    # the size of a class.
    codes, tried = np.zeros(len(F), dtype=int), list[Split]()
    waiting = {0: division(F)}
    while True:
        code = min(waiting, key=lambda c: waiting[c].p_value)
        level = alpha / max(len(waiting) - 1, 1)
        if waiting[code].p_value > level:
            break
        tried.append(_split(waiting[code], level))
        rows = np.flatnonzero(codes == code)
        codes[rows[waiting[code].side]] = len(waiting)
        for part in (code, len(waiting)):
            waiting[part] = division(F[codes == part])
    tried += [_split(each, level) for each in waiting.values()]
    return codes, tried


def _split(each: Division, level: float) -> Split:
    n, second = len(each.side), int(each.side.sum())
    return Split(n, (n - second, second), each.p_value, level)


def division(F: np.ndarray) -> Division:
    """Return the clearest division of rows (n, q)."""
    # Candidates come from Ward's trees (of the rows, and of rows scaled to equal spread on all
    # axes, which finds long parts that lie side by side) and from cuts of each axis. A candidate is
    # refined: the discriminant line of the parts, the best cut along it, and again. Rows are then
    # placed along the line that the other rows give (cross-validation): the parts were made to
    # look apart, and only what holds for rows that had no say in the line counts.
    #
    # Several signs are taken together, as none is enough for all clouds. The edges of the graph of
    # nearest neighbours between the parts are fewer than at cuts inside them, and fewer than where
    # a line is cut, along the discriminant line and around each row; and the parts are far apart
    # along the line, relative to the spread within them (3.5 for an even spread). Dimensions count
    # because a thin curve has few edges at any of its cuts, and a solid cloud many; clusters make
    # that of the whole look small, hence that of the larger part beside it. Long parts side by side
    # show in the graph in the metric within parts, which is fitted to them and costs a factor.
    #
    # The constants are rounded ones of a logistic regression of 760 tables with clusters and 2,370
    # without (29 shapes; all rows, 45, 24 and 16 of them, and three times as many), of which one
    # cloud has a p-value of 5 % or less in 3 % and of 1 % or less in 0.4 %.
    n = len(F)
    best = Division(np.zeros(n, dtype=bool), 1.0)
    if n < 2 * MIN_PART or not np.ptp(F, axis=0).any():
        return best
    size = F.std(axis=0)
    F = F[:, size > 1e-9 * size.max()][:, : max(2, n // _ROWS_PER_AXIS)]
    F = (F - F.mean(axis=0)) / size.max()
    D = cdist(F, F)
    near, dimension = _nearest(F), _dimension(D)
    seen = set[bytes]()
    for start in _candidates(F):
        side = _refine(F, start)
        side = side ^ side[0]  # the same division, whichever part is called the second
        if side.tobytes() in seen:
            continue
        seen.add(side.tobytes())
        s = _held_out_scores(F, side)
        larger = np.flatnonzero(side if side.sum() > n / 2 else ~side)
        solidity = (dimension / 3.0) ** _DIMENSION
        solidity *= (_dimension(D[np.ix_(larger, larger)]) / 3.0) ** _PART_DIMENSION
        solidity *= (4.0 / min(F.shape[1], 4)) ** _N_AXES
        graphs = near, _nearest(_tempered(F, side), _n_neighbours(side))
        p = float(f"{_p_value(graphs, side, s) / solidity:.4g}")  # not by units
        if p < best.p_value:
            best = Division(side, p)
    return best


def _p_value(graphs: tuple[np.ndarray, np.ndarray], side: np.ndarray, s: np.ndarray) -> float:
    """Return the p-value of a division of a cloud of three dimensions, infinite without any sign.

    It is the least over both graphs of
    75 · exp(-5.5·missing/∛n) p_along^0.32 p_around^0.48 (3.5/separation)^1.2,
    and 10 times that for the second one.
    """
    n, k = len(s), _n_neighbours(side)
    missing = [_missing_edges(near, side, s) for near in graphs]
    if max(missing) <= 0.0:
        return np.inf
    low, high = s[~side], s[side]
    within = float(np.sqrt((len(low) * low.var() + len(high) * high.var()) / n))
    gap = abs(float(high.mean() - low.mean()))
    separation = float(np.clip(gap / max(within, 1e-300), *_SEPARATIONS))
    along = max(_p_line(_edges(_nearest(s[:, None], k), side), k), _LEAST_P)
    around = [max(_p_line(_edges(near[:, :k], side), k), _LEAST_P) for near in graphs]
    edges = min(
        float(factor * np.exp(-_EXCESS * m / np.cbrt(n)) * p**_AROUND)
        for factor, m, p in zip(_FACTORS, missing, around, strict=True)
        if m > 0.0
    )
    return edges * along**_ALONG * (3.5 / separation) ** _SEPARATION


def _tempered(F: np.ndarray, side: np.ndarray) -> np.ndarray:
    """Return rows in the metric of the covariance within parts, as far as there are rows for it."""
    n, q = F.shape
    values, V = np.linalg.eigh(_within(F, side))
    share = max(0.0, 1.0 - _ROWS_TO_TEMPER * q / n)
    return np.asarray(F @ (V * np.maximum(values, 1e-3 * values[-1] + 1e-300) ** (-share / 2)))


def _within(F: np.ndarray, side: np.ndarray) -> np.ndarray:
    """Return the covariance within two parts."""
    rest = F - np.where(side[:, None], F[side].mean(axis=0), F[~side].mean(axis=0))
    return np.asarray(rest.T @ rest / len(F))


def within_metric(F: np.ndarray, codes: np.ndarray, w: np.ndarray | None = None) -> np.ndarray:
    """Return L, (q, q), so that F·L has covariance 1 within classes, up to the ridge."""
    w = np.full(len(F), 1.0 / len(F)) if w is None else w
    mass = np.maximum(np.bincount(codes, w), 1e-300)
    centres = np.stack([np.bincount(codes, w * f) / mass for f in F.T], axis=1)
    rest = F - centres[codes]
    return np.asarray(np.linalg.cholesky(np.linalg.inv(_ridged((rest * w[:, None]).T @ rest))))


def _ridged(W: np.ndarray) -> np.ndarray:
    """Return a covariance that can be inverted where rows are few or parts flat."""
    own = np.diag(W)
    return np.asarray(W + np.diag(_RIDGE * own + 1e-12 * own.max() + 1e-300))


def _candidates(F: np.ndarray) -> Iterator[np.ndarray]:
    """Yield sides of rows that might be a part."""
    n, equal = len(F), F / F.std(axis=0)
    for G in (F, equal):
        tree = linkage(G, "ward")
        for k in _CUTS:
            codes = fcluster(tree, k, criterion="maxclust")
            for code in range(1, int(codes.max()) + 1):
                side = codes == code
                if MIN_PART <= side.sum() <= n - MIN_PART:
                    yield side
    for f in F.T:
        yield _best_cut(f)


def _refine(F: np.ndarray, side: np.ndarray) -> np.ndarray:
    """Return the division that the discriminant line and the best cut along it agree on."""
    for _ in range(_MAX_ROUNDS):
        other = _best_cut(F @ _line(F, side)[0])
        if (other == side).all():
            break
        side = other
    return side


def _line(F: np.ndarray, side: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the discriminant direction, along which centres are 1 apart, and the middle."""
    low, high = F[~side].mean(axis=0), F[side].mean(axis=0)
    u = np.linalg.solve(_ridged(_within(F, side)), high - low)
    return np.asarray(u / max(float(u @ (high - low)), 1e-300)), 0.5 * (low + high)


def _best_cut(s: np.ndarray) -> np.ndarray:
    """Return the rows above the cut of largest likelihood: two normal parts of one variance."""
    n, order = len(s), np.argsort(s, kind="stable")
    x = s[order] - s.mean()
    k = np.arange(1, n)
    total = np.cumsum(x)[:-1]
    within = np.maximum((x**2).sum() - total**2 / k - total**2 / (n - k), 1e-300)
    cost = n * np.log(within) - 2.0 * (k * np.log(k) + (n - k) * np.log(n - k))
    cost[: MIN_PART - 1] = cost[n - MIN_PART :] = np.inf
    side = np.zeros(n, dtype=bool)
    side[order[int(cost.argmin()) + 1 :]] = True
    return side


def _held_out_scores(F: np.ndarray, side: np.ndarray) -> np.ndarray:
    """Return the place of each row along the line that the rows of other folds give, (n,)."""
    # Each fold has rows of all places of both parts, whatever the order of the rows.
    order = np.lexsort((F @ _line(F, side)[0], side))
    fold = np.empty(len(F), dtype=int)
    fold[order] = np.arange(len(F)) % _N_FOLDS
    s = np.empty(len(F))
    for k in range(_N_FOLDS):
        out = fold == k
        u, middle = _line(F[~out], side[~out])
        s[out] = (F[out] - middle) @ u
    return s


def _n_neighbours(side: np.ndarray) -> int:
    most = max(_MAX_NEIGHBOURS, int(_NEIGHBOUR_SHARE * len(side)))
    return int(min(side.sum() - 1, (~side).sum() - 1, most))


def _edges(near: np.ndarray, side: np.ndarray) -> int:
    """Return how many of the edges to the nearest rows join the two parts."""
    return int((side[near] != side[:, None]).sum())


def _nearest(Z: np.ndarray, k: int | None = None) -> np.ndarray:
    """Return the k nearest other rows of each row, five of them first; all in order without k."""
    D = cdist(Z, Z, "sqeuclidean")
    np.fill_diagonal(D, np.inf)
    if k is None:
        return np.asarray(np.argsort(D, axis=1))
    kth = sorted({min(_CUT_NEIGHBOURS, k) - 1, k - 1})
    return np.asarray(np.argpartition(D, kth, axis=1)[:, :k])


def _missing_edges(near: np.ndarray, side: np.ndarray, s: np.ndarray) -> float:
    """Return by how much the edges between the parts are fewer than those across a part's middle.

    It is (W − E)/√(W + 1), in standard deviations if edges were independent.
    """
    # Both cuts lie across the line. The part is the smaller one or as many of the other's rows,
    # the next ones; the mean of the cuts in its middle third counts. A solid cloud has as many
    # edges between the parts as within, of whatever dimension it is.
    side = ~side if side.sum() > len(s) / 2 else side
    n, b = len(s), int(side.sum())
    order = np.lexsort((s if s[side].mean() > s[~side].mean() else -s, side))
    place = np.empty(n, dtype=int)
    place[order] = np.arange(n)
    ends = place[near[order, : min(_CUT_NEIGHBOURS, b - 1)]]
    here = np.arange(n)[:, None]
    enter = np.bincount(np.minimum(ends, here).ravel() + 1, minlength=n)
    leave = np.bincount(np.maximum(ends, here).ravel() + 1, minlength=n)
    across = np.cumsum(enter[:n] - leave[:n])  # at the cut before each place
    middle = slice(b // 3, b - b // 3 + 1)
    within = min(float(across[n - c * b :][middle].mean()) for c in (1, 2))
    return (within - float(across[n - b])) / float(np.sqrt(within + 1.0))


def _p_line(edges: float, k: int) -> float:
    """Return the chance of so few edges across a cut of a line with random points."""
    # The mean is exact; the variance and the normal law were fitted to 40,000 lines.
    return float(norm.cdf((edges - k * (k + 1) / 4) / np.sqrt(k**3 / 12 + k**2 / 8)))


def _dimension(D: np.ndarray) -> float:
    """Return the dimension of a cloud, by distances (n, n), at that of the farther neighbours."""
    # Levina and Bickel 2004: log(r_k/r_j) has the mean Σ_{j ≤ i < k} 1/i over the dimension.
    n = len(D)
    k = min(_MAX_NEIGHBOURS, max(MIN_PART, n // 3), n - 1)
    far = np.sort(np.partition(D, k, axis=1)[:, : k + 1], axis=1)[:, k // 2 :]
    steps = np.cumsum(1.0 / np.arange(k - 1, k // 2 - 1, -1.0))[::-1]
    far = np.maximum(far, 1e-12)  # of rows whose widest axis has size 1
    seen = float(np.median(np.log(far[:, -1:] / far[:, :-1]).mean(axis=1)))
    return float(np.clip(steps.mean() / max(seen, 1e-3), *_DIMENSIONS))
