"""Do the rows fall apart in two, and each part again? A graph of neighbours tells."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import cdist
from scipy.stats import norm

from gramian._nulls.corrections import bonferroni

MIN_PART = 6  # rows of a part
_ROWS_PER_AXIS = 4
_CUTS = (2, 3, 4)  # classes of Ward's trees, each of which may be a part
_RIDGE = 0.1  # of the covariance within parts, relative to the variances
_N_FOLDS = 10
_MAX_ROUNDS = 8
_MAX_NEIGHBOURS, _NEIGHBOUR_SHARE = 20, 0.1  # of the rows, where they are many
_N_ACROSS = 3  # axes beside the line along which the parts are apart
_FEW_ROWS = 40  # up to which all axes are looked at together, without a line
_CUT_NEIGHBOURS = 5  # of the graph whose cuts are compared with one another
_CLEAR_CUT = 0.7  # of a dip that counts, at most
_CUT_FACTOR, _CUT_POWER = 2.0, 0.6  # of the p-value, for the edges at the cut of those elsewhere
_HOPELESS = 0.5  # along the line, from which on the graph is not made
_FACTOR, _POWER = 2.7, 6.0  # of the p-value of a cloud of dimension d: (2.7/d)^6
_FACTORS = 0.4, 20.0  # its limits
_DIP_FACTOR = 10.0  # of the dips along all lines that were tried
_WINDOWS = 1, 2  # rows of the larger part next to the smaller one, relative to that
_CURVE_FACTOR = 5.0  # of a curve that was fitted to the rows, on the p-value along it
_DEGREE = 2  # more would let it coil up within a cluster
_MAX_AXES = 3  # of the rows: a curve may wind through all the noise of many
_N_ROUNDS = 8
_N_POINTS = 101  # of the curve
_BEYOND = np.linspace(0.01, 0.3, 30)[:, None]  # of its length, straight on at both ends
_CHUNK = 1 << 20  # numbers of the gaps between rows and pieces


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
    # The clearest division of any class comes first. Each has the level alpha: one class too many
    # can only be claimed where there are several. Nearly all clouds of one class are divided much
    # more rarely than the level says.
    codes, tried = np.zeros(len(F), dtype=int), list[Split]()
    waiting = {0: division(F)}
    while True:
        code = min(waiting, key=lambda c: waiting[c].p_value)
        if waiting[code].p_value > alpha:
            break
        tried.append(_split(waiting[code], alpha))
        rows = np.flatnonzero(codes == code)
        codes[rows[waiting[code].side]] = len(waiting)
        for part in (code, len(waiting)):
            waiting[part] = division(F[codes == part])
    tried += [_split(each, alpha) for each in waiting.values()]
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
    # In the graph that joins each row to its k nearest ones, k one less than the rows of the
    # smaller part, a line that is cut in two loses k(k + 1)/4 edges on average, whatever the
    # density along it, and a surface or a solid cloud more. Long tails, bends and rings do not
    # have fewer. The p-value of the count is that of a line: the geometric mean of three, along the
    # discriminant line, with the next axes beside it, and on all axes, where small parts beside
    # large ones show. A cut through a cloud of dimension d finds the more edges the larger d is: it
    # is multiplied by a factor that falls with d and allows for the search. Clusters make the
    # dimension of the whole look small, hence that of the larger part where it is more. And it is
    # multiplied by a power of the edges at the cut relative to those at cuts inside the parts,
    # which are as many in one cloud. The constants are those at which clouds of one class (29
    # shapes that do not wind, and 24 and 45 of their rows) are divided in 3 % of tables.
    #
    # The line of few rows is uncertain, and rows that had no say in it are misplaced. Their graph
    # on all axes needs no line; its p-value is multiplied by the number of parts of this size.
    #
    # A wide part beside a dense one has edges to it however deep the valley between them is. This
    # shows as a dip along the line (Hartigan and Hartigan 1985), among all rows or among those of
    # the smaller part and the next ones; nor may the rows follow a curve along which there is none,
    # since the shadow of a bent cloud is thick at both ends.
    n = len(F)
    best = valley = Division(np.zeros(n, dtype=bool), 1.0)
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
        cut = _relative_cut(near, side, s)
        p = min(1.0, _DIP_FACTOR * _p_dip(s, side)) if cut <= _CLEAR_CUT else 1.0
        if p < valley.p_value:
            valley = Division(side, p)
        k = _n_neighbours(side)
        p_line = _p_line(_edges(_nearest(s[:, None], k), side), k)
        if p_line > _HOPELESS:
            continue
        p_plane = _p_line(_edges(_nearest(_plane(F, side, s), k), side), k)
        p_all = _p_line(_edges(near[:, :k], side), k)
        larger = np.flatnonzero(side if side.sum() > n / 2 else ~side)
        d = round(max(dimension, _dimension(D[np.ix_(larger, larger)])), 2)  # not by units
        factor = float(np.clip((_FACTOR / d) ** _POWER, *_FACTORS))
        p = min(1.0, factor * float(np.cbrt(p_line * p_plane * p_all)))
        if n <= _FEW_ROWS:
            p = min(p, n / (k + 1) * p_all)
        p = min(1.0, _CUT_FACTOR * p * cut**_CUT_POWER)
        if p < best.p_value:
            best = Division(side, p)
    if valley.p_value < best.p_value:
        p = max(valley.p_value, _p_along_curve(F))
        best = Division(valley.side, p) if p < best.p_value else best
    return best


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
    rest = F - np.where(side[:, None], high, low)
    u = np.linalg.solve(_ridged(rest.T @ rest / len(F)), high - low)
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


def _plane(F: np.ndarray, side: np.ndarray, s: np.ndarray) -> np.ndarray:
    """Return the held-out places of rows and the widest axes beside the line, each of size 1."""
    u, _ = _line(F, side)
    gap = F[side].mean(axis=0) - F[~side].mean(axis=0)
    beside = F - np.outer(F @ u, gap)
    rest = beside - np.where(side[:, None], beside[side].mean(axis=0), beside[~side].mean(axis=0))
    V = np.linalg.svd(rest, full_matrices=False)[2][: min(_N_ACROSS, F.shape[1] - 1)]
    size = np.sqrt(((rest @ V.T) ** 2).mean(axis=0)) + 1e-300
    spread = s - np.where(side, s[side].mean(), s[~side].mean())
    own = max(float(np.sqrt((spread**2).mean())), 1e-300)
    return np.column_stack([s / own, beside @ V.T / size])


def _n_neighbours(side: np.ndarray) -> int:
    most = max(_MAX_NEIGHBOURS, int(_NEIGHBOUR_SHARE * len(side)))
    return int(min(side.sum() - 1, (~side).sum() - 1, most))


def _edges(near: np.ndarray, side: np.ndarray) -> int:
    """Return how many of the edges to the nearest rows join the two parts."""
    return int((side[near] != side[:, None]).sum())


def _nearest(Z: np.ndarray, k: int | None = None) -> np.ndarray:
    """Return the k nearest other rows of each row; all of them, the nearest first, without k."""
    D = cdist(Z, Z, "sqeuclidean")
    np.fill_diagonal(D, np.inf)
    near = np.argsort(D, axis=1) if k is None else np.argpartition(D, k - 1, axis=1)[:, :k]
    return np.asarray(near)


def _relative_cut(near: np.ndarray, side: np.ndarray, s: np.ndarray) -> float:
    """Return the edges between the parts, relative to those across a cut through one of them."""
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
    return (float(across[n - b]) + 1.0) / (within + 1.0)


def _p_line(edges: float, k: int) -> float:
    """Return the chance of so few edges across a cut of a line with random points."""
    # The mean is exact; the variance and the normal law were fitted to 40,000 lines.
    return float(norm.cdf((edges - k * (k + 1) / 4) / np.sqrt(k**3 / 12 + k**2 / 8)))


def _p_dip(s: np.ndarray, side: np.ndarray) -> float:
    """Return the smallest p-value of one mode along a line, of all rows and of those in between."""
    if side.sum() > len(s) / 2:
        s, side = -s, ~side
    order, b = np.argsort(s, kind="stable"), int(side.sum())
    if s[side].mean() < s[~side].mean():
        order = order[::-1]
    parts = [s] + [s[order[-m:]] for m in (b * (1 + c) for c in _WINDOWS) if m < len(s)]
    return min(float(dip_p_values(np.array([dip(part)]), len(part))[0]) for part in parts)


def _p_along_curve(F: np.ndarray) -> float:
    """Return the p-value of one mode along the curve that follows the rows."""
    p = dip_p_values(np.array([dip(along_curve(F))]), len(F))
    return float(bonferroni(p[0], _CURVE_FACTOR))


def _dimension(D: np.ndarray) -> float:
    """Return the dimension of a cloud, by distances (n, n), at that of the farther neighbours."""
    # Levina and Bickel 2004: log(r_k/r_j) has the mean Σ_{j ≤ i < k} 1/i over the dimension.
    n = len(D)
    k = min(_MAX_NEIGHBOURS, max(MIN_PART, n // 3), n - 1)
    far = np.sort(np.partition(D, k, axis=1)[:, : k + 1], axis=1)[:, k // 2 :]
    steps = np.cumsum(1.0 / np.arange(k - 1, k // 2 - 1, -1.0))[::-1]
    far = np.maximum(far, 1e-12)  # of rows whose widest axis has size 1
    seen = float(np.median(np.log(far[:, -1:] / far[:, :-1]).mean(axis=1)))
    return float(steps.mean()) / max(seen, 1e-3)


def along_curve(F: np.ndarray) -> np.ndarray:
    """Return the arc length at which each row is nearest to a principal curve, (n,)."""
    # Every one of the first principal axes of the rows is a polynomial of the place along the
    # curve, and the place is that of the nearest point, in turn from the first axis on (Hastie and
    # Stuetzle 1989). Beyond its ends the curve goes straight on: rows that lie beyond would else
    # all have the place of the end.
    U, size, _ = np.linalg.svd(F - F.mean(axis=0), full_matrices=False)
    F, s = (U * size)[:, :_MAX_AXES], U[:, 0]
    for _ in range(_N_ROUNDS):
        length = np.ptp(s)
        if length == 0:
            break
        s = _places(F, _curve(F, 2.0 * (s - s.min()) / length - 1.0))
    return np.asarray(s)


def _curve(F: np.ndarray, t: np.ndarray) -> np.ndarray:
    """Return points along the curve of rows with places t between −1 and 1."""
    powers = np.polynomial.legendre.legvander
    C = np.linalg.lstsq(powers(t, _DEGREE), F, rcond=None)[0]
    P = powers(np.linspace(-1.0, 1.0, _N_POINTS), _DEGREE) @ C
    reach = _BEYOND * np.linalg.norm(np.diff(P, axis=0), axis=1).sum()
    first, last = P[0] - reach[::-1] * _unit(P[1] - P[0]), P[-1] + reach * _unit(P[-1] - P[-2])
    return np.vstack([first, P, last])


def _unit(v: np.ndarray) -> np.ndarray:
    return v / max(float(np.linalg.norm(v)), 1e-300)


def _places(F: np.ndarray, P: np.ndarray) -> np.ndarray:
    """Return the arc length of the nearest point of a polygon, (n,)."""
    piece = np.diff(P, axis=0)
    length = np.maximum(np.linalg.norm(piece, axis=1), 1e-300)
    arc = np.concatenate([[0.0], np.cumsum(length)])
    size = max(1, _CHUNK // piece.size)
    parts = []
    for start in range(0, len(F), size):
        gap = F[start : start + size, None] - P[:-1]
        share = np.clip(np.einsum("njd,jd->nj", gap, piece) / length**2, 0.0, 1.0)
        rest = ((gap - share[:, :, None] * piece) ** 2).sum(axis=2)
        j = rest.argmin(axis=1)
        parts.append(arc[j] + share[np.arange(len(j)), j] * length[j])
    return np.concatenate(parts)


# √n·dip that uniform samples of n values exceed with these probabilities, from 20,000 of each.
_N = np.array([8, 12, 20, 35, 60, 100, 400])
_P = np.array([0.5, 0.3, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005])
_DIPS = np.array(
    [
        [0.3145, 0.3417, 0.3549, 0.4011, 0.4373, 0.4697, 0.4863, 0.5045, 0.519, 0.5429, 0.5674],
        [0.3149, 0.3558, 0.38, 0.4139, 0.4484, 0.486, 0.5124, 0.5365, 0.5614, 0.5834, 0.6036],
        [0.328, 0.3686, 0.3956, 0.4354, 0.4685, 0.5097, 0.5374, 0.5644, 0.593, 0.6124, 0.6298],
        [0.3394, 0.3811, 0.4087, 0.4511, 0.4899, 0.5329, 0.5652, 0.593, 0.6294, 0.649, 0.6759],
        [0.3481, 0.3899, 0.4183, 0.4623, 0.5008, 0.5506, 0.5835, 0.6124, 0.6486, 0.6819, 0.7092],
        [0.355, 0.398, 0.4273, 0.4724, 0.5112, 0.5562, 0.5911, 0.6223, 0.659, 0.6956, 0.7216],
        [0.3684, 0.4122, 0.4422, 0.4885, 0.5285, 0.5793, 0.6163, 0.6479, 0.6762, 0.6967, 0.7327],
    ]
)
FLOOR = float(_P[-1])


def dip(values: np.ndarray) -> float:
    """Return the dip of a sample, the distance of its distribution to the nearest unimodal one."""
    # A unimodal distribution is convex up to its mode and concave beyond. The modal interval
    # shrinks to where the convex minorant and the concave majorant are farthest apart, and what is
    # left outside must fit the one or the other, until the outside fits worse than the inside
    # (Hartigan and Hartigan 1985).
    x, counts = np.unique(np.asarray(values, dtype=float), return_counts=True)
    after = np.cumsum(counts) / counts.sum()
    before = after - counts / counts.sum()
    low, high, distance = 0, len(x) - 1, float((after - before).max())
    while True:
        part = slice(low, high + 1)
        minorant, below = _minorant(x[part], before[part])
        majorant, above = _minorant(-x[part][::-1], -after[part][::-1])
        majorant, above = -majorant[::-1], len(majorant) - 1 - above[::-1]
        apart = majorant - minorant
        left, right = _modal(apart, below, above)
        if apart[below].max() <= distance and apart[above].max() <= distance:
            return 0.5 * distance
        outside = (
            (after[part] - minorant)[: left + 1].max(),
            (majorant - before[part])[right:].max(),
        )
        distance = max(distance, *map(float, outside))
        if (left, right) == (0, high - low):
            return 0.5 * distance
        low, high = low + left, low + right


def _modal(apart: np.ndarray, below: np.ndarray, above: np.ndarray) -> tuple[int, int]:
    """Return the corners of minorant and majorant between which they are farthest apart."""
    if apart[above].max() > apart[below].max():
        right = int(above[len(above) - 1 - apart[above][::-1].argmax()])
        return int(below[below <= right][-1]), right
    left = int(below[apart[below].argmax()])
    return left, int(above[above >= left][0])


def _minorant(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the largest convex function below points, and its corners by their positions."""
    corners = np.array(_corners(x.tolist(), y.tolist()))
    return np.interp(x, x[corners], y[corners]), corners


def _corners(x: list[float], y: list[float]) -> list[int]:
    """Return where the convex minorant bends, by one pass over the points."""
    corners: list[int] = []
    for i, (c, top) in enumerate(zip(x, y, strict=True)):
        while len(corners) > 1:
            a, b = corners[-2], corners[-1]
            if (y[b] - y[a]) * (c - x[a]) < (top - y[a]) * (x[b] - x[a]):
                break
            corners.pop()
        corners.append(i)
    return corners


def dip_p_values(dips: np.ndarray, n: int) -> np.ndarray:
    """Return the chance of dips at least as large in uniform samples of n values."""
    # Between the sizes of the table √n·dip is taken along 1/√n, and log p along it; 1 above a half,
    # and no smaller than the last of them.
    law = np.array([np.interp(-(n**-0.5), -(_N**-0.5), column) for column in _DIPS.T])
    log_p = np.interp(np.sqrt(n) * dips, law, np.log(_P))
    return np.where(np.sqrt(n) * dips < law[0], 1.0, np.exp(log_p))
