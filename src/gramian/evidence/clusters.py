"""Test for clusters of rows along the axes."""

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import logsumexp

from gramian._core.check import generator, whole
from gramian._core.types import SeedLike, TableLike, VectorLike
from gramian._nulls.corrections import bonferroni
from gramian.evidence.division import divide
from gramian.evidence.table import Scheme, coordinates, finite_table, row_scheme

_MAX_AXES = 4
_MIN_ROWS = 8
_MAX_COLUMNS = 25  # of more, corrected for their number, no p-value would be small
_MAX_TIES = 0.2  # of the values of a column, from which on it is no quantity
_COUNT_LEVEL = 0.5  # p-value above which clusters are not counted
_N_DIRECTIONS = 6  # of the first plane
_MAX_CLUSTERS = 6
_STARTS = 8
_MAX_STEPS = 12
_MAX_ROWS = 600  # looked at
_MIN_RADIUS = 4.0  # of a ring, in deviations of the distances from its centre
_N_TESTS = 2  # of modes and of divisions
_DIVISION_LEVEL = 0.05
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


@dataclass(frozen=True, eq=False)
class ClusterEvidence:
    """The result of a test for several modes along the axes, and for clusters.

    `p_value` is for the hypothesis that every direction of the first axes has one mode (None: not
    tested) and `floor` its smallest possible value. Rows are most separated along `axis`, from 1,
    or along `column`, by position, if no axis exceeds noise. `n_clusters` is the number that best
    describes the first plane, up to six (0: no sign of modes); `hollow` is whether a ring, whose
    projection also has two modes, fits better.

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((60, 5)) + 4.0 * np.eye(2).repeat(30, 0)[:, :1]
    >>> clusters(X, None, 1, rng=0).found()
    True
    """

    p_value: float | None
    axis: int
    hollow: bool
    n_clusters: int
    floor: float
    column: int | None = None

    @property
    def few(self) -> bool:
        """Whether some, not many, clusters describe the plane: a curve takes as many as it may."""
        return 1 < self.n_clusters < _MAX_CLUSTERS

    def found(self, alpha: float = 0.05) -> bool:
        """Whether clusters may be claimed at level alpha."""
        return self.p_value is not None and self.p_value <= alpha and not self.hollow


_NOT_TESTED = ClusterEvidence(None, 0, False, 0, 1.0)


def clusters(
    X: TableLike,
    F: TableLike | None,
    q: int,
    *,
    rng: SeedLike = None,
    scheme: Scheme = "permutation",
    groups_of_copies: VectorLike | None = None,
) -> ClusterEvidence:
    """Test whether the rows form clusters along the first q axes, or along columns if q is 0.

    Two tests share the level. The axes, and rotations of the first two, are tested for a single
    mode by Hartigan's dip, with the uniform distribution (the least favourable one) as reference
    and corrected for the number of directions. The rows on these axes are also divided as by
    `gramian.clusters.find`, which finds small and unequal clusters. Skewness and heavy tails are
    not modes. Values of discrete columns (counts, answers) are first spread evenly. If no axis
    exceeds noise, the directions are the numeric columns, unless there are many: clusters at the
    corners of a square appear in two unrelated columns.

    Parameters
    ----------
    X, F, q, rng
        As for `curves`: columns as analysed, coordinates or None, axes above noise, and a seed.
    scheme, groups_of_copies
        As for `groups`. With "blocks", "shifts" and "none" nothing is tested, since random walks
        have modes.

    Examples
    --------
    >>> gm.evidence.clusters(gm.datasets.iris().data, None, 1, rng=0).p_value < 0.01
    True
    """
    X, rng = finite_table(X), generator(rng, "rng")
    F = coordinates(F, len(X))
    draws = row_scheme(scheme, len(X), groups_of_copies)
    kept = draws.rows
    m = min(whole(q, "q", 0), _MAX_AXES, *X.shape, *(() if F is None else F.shape))
    if draws.is_ordered or len(kept) < _MIN_ROWS:
        return _NOT_TESTED
    X = np.asarray(X[kept] - X[kept].mean(axis=0))
    if m == 0:
        return _test_columns(X, rng)
    if F is None:
        U, s, _ = np.linalg.svd(X, full_matrices=False)
        Z = (U * s)[:, : max(m, 2)]
    else:
        Z = np.asarray(F)[kept][:, : max(m, 2)]
    Z = Z + spread_of_steps(X, Z, rng)
    directions = _directions(m)
    p = _p_values(Z[:, :m] @ directions)
    axis = int(np.abs(directions[:, p.argmin()]).argmax()) + 1
    found = _evidence(p, Z[:, :2], rng, axis)
    some = rng.choice(len(Z), _MAX_ROWS, replace=False) if len(Z) > _MAX_ROWS else slice(None)
    codes, tried = divide(Z[some], _DIVISION_LEVEL)
    assert found.p_value is not None
    if tried[0].p_value >= found.p_value:
        return replace(found, p_value=float(bonferroni(found.p_value, _N_TESTS)))
    # The axis along which the parts are apart, relative to the spread within them.
    count, best = int(codes.max()) + 1, axis
    if count > 1:
        axes = Z[some][:, :m]
        means = np.stack([axes[codes == c].mean(axis=0) for c in range(count)])[codes]
        best = int((means.var(axis=0) / np.maximum(axes.var(axis=0), 1e-300)).argmax()) + 1
    p_value = float(bonferroni(tried[0].p_value, _N_TESTS))
    return replace(found, p_value=p_value, n_clusters=count, axis=best)


def _test_columns(X: np.ndarray, rng: np.random.Generator) -> ClusterEvidence:
    """Look for modes in the columns themselves."""
    ties = (np.diff(np.sort(X, axis=0), axis=0) == 0).mean(axis=0)
    quantities = np.flatnonzero(ties < _MAX_TIES)
    if not 0 < len(quantities) <= _MAX_COLUMNS:
        return _NOT_TESTED
    p = _p_values(X[:, quantities])
    best = quantities[np.argsort(p, kind="stable")]
    return _evidence(p, X[:, best[:2]], rng, 0, int(best[0]))


def _evidence(
    p: np.ndarray, plane: np.ndarray, rng: np.random.Generator, axis: int, column: int | None = None
) -> ClusterEvidence:
    p_value = float(bonferroni(p.min(), len(p)))
    # Without a sign of modes the clusters are not counted.
    outline = outline_of(plane, rng) if p_value <= _COUNT_LEVEL else Outline(0, False)
    floor = float(bonferroni(FLOOR, _N_TESTS * len(p)))
    return ClusterEvidence(p_value, axis, outline.hollow, outline.n_clusters, floor, column)


def spread_of_steps(X: np.ndarray, F: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return what spreading the values of a column over the steps between them adds to the axes."""
    # Counts lie on a grid, and so do their axes: each value would be a mode.
    steps = np.diff(np.sort(X, axis=0), axis=0)
    ties = (steps == 0).mean(axis=0)
    step = np.where(steps > 0, steps, np.inf).min(axis=0)
    step = np.where((ties >= 0.5) & np.isfinite(step), step, 0.0)
    if not step.any():
        return np.zeros_like(F)
    V = X.T @ F / np.maximum((F**2).sum(axis=0), 1e-300)
    return np.asarray((rng.random(X.shape) - 0.5) * step @ V)


def _directions(m: int) -> np.ndarray:
    """Return the axes, and turns between the first two of them, as directions (m, d)."""
    if m < 2:
        return np.eye(m)
    angles = np.pi * np.arange(1, _N_DIRECTIONS) / _N_DIRECTIONS
    angles = angles[np.abs(angles - np.pi / 2) > 1e-9]
    turns = np.pad(np.stack([np.cos(angles), np.sin(angles)]), ((0, m - 2), (0, 0)))
    return np.hstack([np.eye(m), turns])


def _p_values(S: np.ndarray) -> np.ndarray:
    """Return p-values of one mode for each column of S."""
    return dip_p_values(np.array([dip(f) for f in S.T]), len(S))


@dataclass(frozen=True)
class Outline:
    """The number of clusters that describes points best, and whether a ring is better still."""

    n_clusters: int
    hollow: bool


def outline_of(F: np.ndarray, rng: np.random.Generator, rings_only: bool = False) -> Outline:
    """Compare normal clusters of one covariance with a ring, by likelihood and parameters."""
    # The plane is first brought to variance 1 in all directions. A ring has normal distances to its
    # centre, in which there are no rows, and any angle.
    F = F[rng.choice(len(F), _MAX_ROWS, replace=False)] if len(F) > _MAX_ROWS else F
    size = F.std(axis=0)
    Z = (F - F.mean(axis=0))[:, size > 1e-12 * size.max(initial=1e-300)] / size[size > 0]
    ring = _log_likelihood_of_ring(Z) if Z.shape[1] == 2 else -np.inf
    most = min(_MAX_CLUSTERS, len(Z) // 4)
    if most < 1 or (rings_only and ring == -np.inf):
        return Outline(1, False)
    likely = np.array([_log_likelihood(Z, k, rng) for k in range(1, most + 1)])
    d, k = Z.shape[1], np.arange(1, most + 1)
    parameters = k * d + k - 1 + d * (d + 1) / 2
    # Their number is Schwarz's choice. That criterion would take three clusters of eight rows for a
    # ring, which has only four parameters: Akaike's decides between the two.
    best = int((likely - 0.5 * parameters * np.log(len(Z))).argmax())
    return Outline(best + 1, bool(ring - 4.0 > (likely - parameters).max()))


def _log_likelihood(Z: np.ndarray, k: int, rng: np.random.Generator) -> float:
    """Return the log-likelihood of k clusters."""
    n, d = Z.shape
    # The best of several partitions into k parts around their means.
    tries = [_partition(Z, Z[_spread_rows(Z, k, rng)]) for _ in range(_STARTS if k > 1 else 1)]
    cost, codes = min(tries, key=lambda attempt: attempt[0])
    codes = codes if cost < np.inf else np.arange(n) % k
    centres = np.stack([Z[codes == j].mean(axis=0) for j in range(k)])
    weight = np.bincount(codes, minlength=k) / n
    rest = Z - centres[codes]
    W = rest.T @ rest / n + 1e-6 * np.eye(d)
    gaps = Z[:, None, :] - centres
    far = np.einsum("njd,de,nje->nj", gaps, np.linalg.inv(W), gaps)
    logs = np.log(weight) - 0.5 * far - 0.5 * np.linalg.slogdet(2.0 * np.pi * W)[1]
    return float(logsumexp(logs, axis=1).sum())


def _partition(Z: np.ndarray, centres: np.ndarray) -> tuple[float, np.ndarray]:
    """Return the cost of the partition that k-means reaches from centres, and the partition."""
    k = len(centres)
    for _ in range(_MAX_STEPS):
        d2 = ((Z[:, None, :] - centres) ** 2).sum(axis=2)
        codes = d2.argmin(axis=1)
        if len(np.unique(codes)) < k:
            return np.inf, codes
        before, centres = centres, np.stack([Z[codes == j].mean(axis=0) for j in range(k)])
        if np.array_equal(centres, before):
            break  # nothing would move in another step
    return float(d2.min(axis=1).sum()), codes


def _spread_rows(Z: np.ndarray, k: int, rng: np.random.Generator) -> list[int]:
    """Return k rows, each drawn the more likely the farther it is from those before it."""
    rows = [int(rng.integers(len(Z)))]
    while len(rows) < k:
        d2 = ((Z[:, None, :] - Z[rows]) ** 2).sum(axis=2).min(axis=1)
        rows.append(int(rng.choice(len(Z), p=d2 / d2.sum())) if d2.sum() > 0 else 0)
    return rows


def _log_likelihood_of_ring(Z: np.ndarray) -> float:
    """Return the log-likelihood of a ring, -inf where its centre is not empty."""
    n = len(Z)
    # The circle of least squares: |z|² = 2⟨c, z⟩ + constant.
    c = np.linalg.lstsq(np.column_stack([2.0 * Z, np.ones(n)]), (Z**2).sum(axis=1), rcond=None)[0]
    radius = np.maximum(np.linalg.norm(Z - c[:2], axis=1), 1e-12)
    deviation = max(float(radius.std()), 1e-3)
    if radius.mean() < _MIN_RADIUS * deviation:
        return -np.inf
    z = (radius - radius.mean()) / deviation
    logs = -np.log(2.0 * np.pi * radius) - 0.5 * z**2 - np.log(deviation * np.sqrt(2.0 * np.pi))
    return float(logs.sum())


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
