"""Robust axes of weighted rows: location, scatter and directions that a fifth of rows cannot turn.

Rows are distinct and weights sum to 1: where a table repeats a row, its weights are added first, so
that integer weights count like repeated rows. Sizes n are then numbers of distinct rows.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import numpy as np
from scipy.stats import chi2, norm

from gramian._reading.cloud import median, ratio, spatial_median

_MAD_FACTOR = 1.4826  # to the deviation of a normal law, as R has it
_LEVEL = 0.975  # of the law of distances, beyond which a row is an outlier
_COVERAGE = 0.75  # of the rows that make the first location and scatter
MAX_AXES = 10  # rrcov's kmax
_MAX_PAIRS = 1_000  # of rows, all of whose directions are looked along
_DIRECTIONS = 250  # else
_MAX_STEPS = 500
_REWEIGHTINGS = 5
_GRID = 25  # angles in a plane
_ROUNDS = 12  # each with half the angles of the one before


@dataclass(frozen=True)
class RobustAxes:
    """A centre (p,), orthonormal axes (p, q) and the variances on them (q,), in order."""

    center: np.ndarray
    axes: np.ndarray
    values: np.ndarray


@dataclass(frozen=True)
class Distances:
    """How far rows lie on the axes and beside them."""

    score: np.ndarray  # √Σ f²/λ, (n,)
    orthogonal: np.ndarray  # (n,)


def distances(F: np.ndarray, fit: RobustAxes) -> Distances:
    """Return the score and orthogonal distances of rows."""
    C = F - fit.center
    Z = C @ fit.axes
    rest = np.linalg.norm(C - Z @ fit.axes.T, axis=1)
    return Distances(np.sqrt(ratio(Z**2, fit.values).sum(axis=1)), rest)


def regular_rows(F: np.ndarray, w: np.ndarray, fit: RobustAxes) -> np.ndarray:
    """Return which rows neither distance flags; what rounding leaves beside all axes is none."""
    d = distances(F, fit)
    least = 1e-10 * np.linalg.norm((F - fit.center)[w > 0], axis=1).max(initial=0.0)
    cutoff = max(orthogonal_cutoff(d.orthogonal, w), least)
    return (d.score <= score_cutoff(len(fit.values))) & (d.orthogonal <= cutoff)


def reweight(F: np.ndarray, w: np.ndarray, fit: RobustAxes) -> RobustAxes:
    """Return the principal axes of the rows that robust axes do not flag, again and again."""
    q = len(fit.values)
    for _ in range(_REWEIGHTINGS):
        v = w * regular_rows(F, w, fit)
        if v.sum() <= 0.5:  # the axes describe no majority
            return fit
        kept = _principal(F, v / v.sum())
        axes = kept.axes[:, :q]
        values = mad((F - kept.center) @ axes, w) ** 2
        if len(values) < q or not (values > 1e-20 * values.max()).all():  # rounding, no axis
            return fit
        order = np.argsort(-values, kind="stable")
        fit = RobustAxes(kept.center, axes[:, order], values[order])
    return fit


@cache
def _quantile(level: float, p: int) -> float:
    """Return a quantile of χ²; looking along directions asks for the same ones again."""
    return float(chi2.ppf(level, p))


def score_cutoff(q: int) -> float:
    """Return √χ²_q(0.975)."""
    return float(np.sqrt(_quantile(_LEVEL, q)))


def orthogonal_cutoff(od: np.ndarray, w: np.ndarray) -> float:
    """Return (m + 1.96·s)^(3/2), m and s the median and mad of od^(2/3)."""
    x = od ** (2.0 / 3.0)
    return float(median(x, w) + norm.ppf(_LEVEL) * mad(x, w)) ** 1.5


def mad(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Return median absolute deviations along the first axis, those of a normal law being σ."""
    return _MAD_FACTOR * median(np.abs(x - median(x, w)), w)


def spread(x: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Return mads; where half of the weight agrees, the mean absolute deviation, σ for normals."""
    size = mad(x, w)
    return np.where(size > 0, size, np.sqrt(np.pi / 2) * (w @ np.abs(x - median(x, w))))


def subset_share(n: int, p: int) -> float:
    """Return the share of rows in the first subset: h/n with robustbase's h.alpha.n."""
    half = (n + p + 1) // 2
    return min(int(2 * half - n + 2 * (n - half) * _COVERAGE), n) / n


def _nearest(d: np.ndarray, w: np.ndarray, share: float) -> np.ndarray:
    """Return the weights of the nearest rows, of the given sum: the last one may be cut."""
    order = np.argsort(d, kind="stable")
    mass = np.cumsum(w[order])
    out = np.empty_like(w)
    out[order] = np.clip(share - (mass - w[order]), 0.0, w[order])
    return out


def _moments(F: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the weighted mean and covariance."""
    w = w / w.sum()
    mean = w @ F
    C = F - mean
    return mean, (C * w[:, None]).T @ C


def univariate_mcd(x: np.ndarray, w: np.ndarray, share: float) -> tuple[float, float]:
    """Return location and scale by the shortest half, reweighted, as rrcov's unimcd."""
    order = np.argsort(x, kind="stable")
    y, v = x[order], w[order]
    mass = np.concatenate([[0.0], np.cumsum(v)])
    start = np.flatnonzero(1.0 - mass[:-1] >= share - 1e-9)
    end = np.minimum(np.searchsorted(mass, mass[start] + share - 1e-9), len(y))
    sums = [np.concatenate([[0.0], np.cumsum(v * part)]) for part in (y, y * y)]
    held = mass[end] - mass[start]
    mean, square = ((s[end] - s[start]) / held for s in sums)
    best = int(np.argmin(square - mean**2))
    inside = slice(start[best], end[best])
    center, variance = _moments(y[inside, None], v[inside])
    d = (y - center[0]) ** 2
    if variance[0, 0] <= 0.0:
        return float(center[0]), 0.0
    cut = np.sort(d)[min(end[best] - start[best], len(d)) - 1]
    kept = d < _quantile(_LEVEL, 1) * cut / _quantile(
        round(min(float(held[best]), 1.0 - 1e-9), 9), 1
    )
    if not kept.any():
        return float(center[0]), float(np.sqrt(variance[0, 0]))
    center, variance = _moments(y[kept, None], v[kept])
    count = max(int(kept.sum()), 2)
    return float(center[0]), float(np.sqrt(variance[0, 0] * count / (count - 1)))


def _consistency(p: int, share: float) -> float:
    """Return the factor by which the covariance of the nearest share is that of a normal law."""
    return 1.0 if share >= 1.0 else share / float(chi2.cdf(_quantile(share, p), p + 2))


# (a, b) of 1 − e^a/n^b for one and two columns, and the pairs (A, B) that give them for more, with
# q = 2 and 3 (Pison, Van Aelst and Willems, 2002): a line for each of the coverages 0.5 and 0.875.
_RAW = np.array(
    [
        [0.262024211897096, 0.604756680630497, 0.673292623522027, 0.691365864961895],
        [-0.351584646688712, 1.01646567502486, 0.446537815635445, 1.06690782995919],
        [-1.42764571687802, 1.26263336932151, -1.06141115981725, 1.28907991440387],
        [-0.455179464070565, 1.11192541278794, -0.294241208320834, 1.09649329149811],
    ]
).reshape(2, 2, 2, 2)  # few columns or more, coverage, one column or two (q = 2 or 3), (a, b)
_REWEIGHTED = np.array(
    [
        [1.11098143415027, 1.5182890270453, 3.11101712909049, 1.91401056721863],
        [-0.66046776772861, 0.88939595831888, 0.79473550581058, 1.10081930350091],
        [-1.02842572724793, 1.67659883081926, -0.26800273450853, 1.35968562893582],
        [-0.544482443573914, 1.25994483222292, -0.343791072183285, 1.25159004257133],
    ]
).reshape(2, 2, 2, 2)


def small_sample_factor(p: int, n: int, share: float, *, reweighted: bool) -> float:
    """Return robustbase's correction of the MCD scatter for the number of rows."""
    few, many = _REWEIGHTED if reweighted else _RAW
    ends = []
    for k in (0, 1):  # the two coverages
        if p <= 2:
            a, b = few[k, p - 1]
        else:
            A, B = many[k].T
            system = np.stack([np.ones(2), -np.log(np.array([2.0, 3.0]) * p**2)], axis=1)
            a, b = np.linalg.solve(system, np.log(-A / p**B))
        ends.append(1.0 - np.exp(a) / n**b)
    half, most = ends
    if share <= 0.875:
        value = half + (most - half) / 0.375 * (share - 0.5)
    else:
        value = most + (1.0 - most) / 0.125 * (share - 0.875)
    return 1.0 / max(float(value), 0.1)


def mcd(
    F: np.ndarray, w: np.ndarray, share: float, outlying: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Return the reweighted minimum covariance determinant location and scatter.

    Deterministic (Hubert, Rousseeuw and Verdonck, 2012): concentration steps from four starts.
    """
    n, p = F.shape
    best = min((_concentrate(F, w, share, d) for d in _starts(F, w, outlying)), key=lambda s: s[0])
    _, mean, C = best
    C = C * _consistency(p, share) * small_sample_factor(p, n, share, reweighted=False)
    kept = _mahalanobis(F, mean, C) <= _quantile(_LEVEL, p)
    if not kept.any():
        return mean, C
    mean, C = _moments(F, w * kept)
    mass = float(w[kept].sum())
    return mean, C * _consistency(p, mass) * small_sample_factor(p, n, share, reweighted=True)


def _starts(F: np.ndarray, w: np.ndarray, outlying: np.ndarray) -> list[np.ndarray]:
    """Return distances by which a first half is taken."""
    center, scale = median(F, w), mad(F, w)
    Z = ratio(F - center, scale)
    signs = ratio(C := F - spatial_median(F, w), np.linalg.norm(C, axis=1)[:, None])
    starts = [outlying, np.linalg.norm(Z, axis=1)]
    for U in (np.tanh(Z), signs):
        V = np.linalg.eigh(_moments(U, w)[1])[1]
        B = (Z if U is not signs else F) @ V
        starts.append(ratio((B - median(B, w)) ** 2, mad(B, w) ** 2).sum(axis=1))
    return starts


def _concentrate(
    F: np.ndarray, w: np.ndarray, share: float, d: np.ndarray
) -> tuple[float, np.ndarray, np.ndarray]:
    """Return the log-determinant, mean and covariance where the nearest rows are their own."""
    mean, C = _moments(F, _nearest(d, w, 0.5))
    previous = np.inf
    for _ in range(_MAX_STEPS):
        mean, C = _moments(F, _nearest(_mahalanobis(F, mean, C), w, share))
        value = float(np.log(np.maximum(np.linalg.eigvalsh(C), 1e-300)).sum())
        if not value < previous - 1e-12:
            break
        previous = value
    return value, mean, C


def _mahalanobis(F: np.ndarray, mean: np.ndarray, C: np.ndarray) -> np.ndarray:
    """Return squared distances; a direction without variance is one that rows may not leave."""
    values, V = np.linalg.eigh(C)
    values = np.maximum(values, max(1e-13 * values[-1], 1e-300))
    return (((F - mean) @ V) ** 2 / values).sum(axis=1)


def outlyingness(
    F: np.ndarray, w: np.ndarray, share: float, rng: np.random.Generator
) -> np.ndarray:
    """Return max |x − m|/s over directions through two rows, m and s by the univariate MCD."""
    n = len(F)
    if n * (n - 1) // 2 <= _MAX_PAIRS:
        first, second = np.triu_indices(n, 1)
    else:
        first = rng.integers(0, n, _DIRECTIONS)
        second = (first + rng.integers(1, n, _DIRECTIONS)) % n
    out = np.zeros(n)
    for i, j in zip(first, second, strict=True):
        size = np.linalg.norm(F[i] - F[j])
        if size == 0.0:  # rows that differ outside this subspace alone
            continue
        x = F @ ((F[i] - F[j]) / size)
        m, s = univariate_mcd(x, w, share)
        if s > 1e-12 * np.abs(x).max():
            out = np.maximum(out, np.abs(x - m) / s)
    return out


def _principal(F: np.ndarray, w: np.ndarray) -> RobustAxes:
    """Return the classical axes that carry inertia."""
    mean = w @ F
    C = F - mean
    _, s, V = np.linalg.svd(C * np.sqrt(w)[:, None], full_matrices=False)
    live = s > 1e-10 * s[0]
    return RobustAxes(mean, V[live].T, s[live] ** 2)


def hubert(F: np.ndarray, w: np.ndarray, q: int, rng: np.random.Generator) -> RobustAxes:
    """Return ROBPCA's axes (Hubert, Rousseeuw and Vanden Branden, 2005) of rows of full rank.

    Few columns beside the rows have the axes of their MCD scatter. Otherwise the axes of the rows
    that are least outlying span a first subspace, rows near it a second one, in which the MCD is
    taken.
    """
    n, p = F.shape
    share = subset_share(n, min(MAX_AXES, p))
    outlying = outlyingness(F, w, share, rng)
    if p <= min(n // 5, MAX_AXES):
        mean, C = mcd(F, w, subset_share(n, p), outlying)
        return _top(mean, np.eye(p), C, q)
    part = _nearest(outlying, w, share)
    first = _principal(F[part > 0], part[part > 0] / part.sum())
    k = min(q, first.axes.shape[1])
    if k == 0:  # the rows that are least outlying are equal
        return spherical(F, w, q, rng)
    if k < p:
        first = RobustAxes(first.center, first.axes[:, :k], first.values[:k])
        od = distances(F, first).orthogonal
        m, s = univariate_mcd(od ** (2.0 / 3.0), w, share)
        near = od <= max(m + norm.ppf(_LEVEL) * s, 0.0) ** 1.5 + 1e-12 * od.max()
        nearest = _principal(F[near], w[near] / w[near].sum()) if near.any() else first
        if nearest.values.size:
            first, k = nearest, min(k, nearest.values.size)
    Y = (F - first.center) @ first.axes[:, :k]
    inside = outlyingness(Y, w, share, rng)
    mean, C = mcd(Y, w, subset_share(n, k), inside)
    return _top(first.center + first.axes[:, :k] @ mean, first.axes[:, :k], C, q)


def _top(center: np.ndarray, basis: np.ndarray, C: np.ndarray, q: int) -> RobustAxes:
    values, V = np.linalg.eigh(C)
    return RobustAxes(center, basis @ V[:, ::-1][:, :q], np.maximum(values[::-1][:q], 0.0))


def spherical(F: np.ndarray, w: np.ndarray, q: int, rng: np.random.Generator) -> RobustAxes:
    """Return the axes of the directions of rows from their spatial median (Locantore et al., 1999).

    Variances are squared mads of the coordinates.
    """
    center = spatial_median(F, w)
    C = F - center
    signs = ratio(C, np.linalg.norm(C, axis=1)[:, None])
    V = np.linalg.eigh(_moments(signs, w)[1])[1][:, ::-1]
    values = spread(C @ V, w) ** 2
    order = np.argsort(-values, kind="stable")[:q]
    return RobustAxes(center, V[:, order], values[order])


def pursuit(F: np.ndarray, w: np.ndarray, q: int, rng: np.random.Generator) -> RobustAxes:
    """Return the directions of largest mad, one after the other.

    Each is the best of the directions of the rows (Croux and Ruiz-Gazen, 2005), turned in planes
    with the others as long as that helps (Croux, Filzmoser and Oliveira, 2007).
    """
    center = spatial_median(F, w)
    p = F.shape[1]
    basis, axes, values = np.eye(p), [], []
    C = F - center
    for _ in range(q):
        Y = C @ basis
        a, value = _widest(Y, w)
        axes.append(basis @ a)
        values.append(value)
        # A Householder reflection takes a to the first direction; the others are what is left.
        basis = basis @ np.linalg.qr(np.column_stack([a, np.eye(len(a))]))[0][:, 1:]
    order = np.argsort(-np.array(values), kind="stable")
    return RobustAxes(center, np.stack(axes, axis=1)[:, order], np.array(values)[order])


def _widest(Y: np.ndarray, w: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the direction of largest mad, and its square."""
    size = np.linalg.norm(Y, axis=1)
    D = Y[size > 1e-12 * size.max(initial=0.0)]
    if Y.shape[1] == 1 or not len(D):
        a = np.eye(Y.shape[1])[0]
        return a, float(spread(Y @ a, w)) ** 2
    D = D / np.linalg.norm(D, axis=1, keepdims=True)
    a = D[int(np.argmax(mad(Y @ D.T, w)))]
    width = np.pi / 2
    for _ in range(_ROUNDS):
        angles = np.linspace(-width, width, _GRID)
        for e in np.eye(len(a)):
            other = e - (e @ a) * a
            length = float(np.linalg.norm(other))
            if length < 1e-9:
                continue
            turned = np.cos(angles)[:, None] * a + np.sin(angles)[:, None] * other / length
            widths = mad(Y @ turned.T, w)
            k = int(np.argmax(widths))
            if widths[k] > widths[_GRID // 2]:
                a = turned[k] / np.linalg.norm(turned[k])
        width /= 2.0
    return a, float(spread(Y @ a, w)) ** 2


METHODS: dict[str, Callable[[np.ndarray, np.ndarray, int, np.random.Generator], RobustAxes]] = {
    "hubert": hubert,
    "spherical": spherical,
    "pursuit": pursuit,
}


def robust_axes(
    F: np.ndarray, w: np.ndarray, q: int | None, method: str, rng: np.random.Generator
) -> RobustAxes:
    """Return q robust axes of rows with weights of sum 1; at most as many as there can be."""
    distinct, where = np.unique(F[w > 0], axis=0, return_inverse=True)
    mass = np.bincount(where.ravel(), weights=w[w > 0]) / w.sum()
    whole = _principal(distinct, mass)
    Y = (distinct - whole.center) @ whole.axes
    k = min(MAX_AXES if q is None else q, Y.shape[1])
    found = METHODS[method](Y, mass, k, rng)
    return RobustAxes(
        whole.center + whole.axes @ found.center, whole.axes @ found.axes, found.values
    )
