"""The scale of a kernel, from the data: the median heuristic and its alternatives."""

import math
from collections.abc import Callable

import numpy as np
import pandas as pd

from gramian._core.array import Array, Namespace, as_kind, is_numpy, is_sparse, namespace, to_numpy
from gramian._core.check import generator, positive, short
from gramian._core.frames import labels_of
from gramian._core.pairs import Pairs, Points
from gramian._core.table import table, weights
from gramian._core.types import TableLike, VectorLike
from gramian.errors import InputError

_CONSTANT_MESSAGE = "X is constant: all rows are equal, so there is no inertia and no scale"
_MIN_SQUARES = {"float64": 1e-280, "float32": 1e-30}  # squares in units of the largest
_MIN_SCALE = 1e-314  # of a smaller number nine digits are lost, or more
_MAX_PAIRS = 100  # of rows that are compared one by one
_INTERVALS = 4096  # in which values are counted before those near the median are sorted
EXACT_UP_TO = 2_000  # rows; above, a seeded sample of as many
NEIGHBOUR = 7  # the neighbour whose distance is a scale (Zelnik-Manor and Perona 2004)


def median_scale(X: TableLike, sample_weight: VectorLike | None = None) -> float:
    """Return √(h/2), h the median squared distance between distinct points (i < j).

    With this scale the Gaussian kernel is e^{−1} at the median distance. Pairs at distance 0 are
    ignored, so that repeating rows is the same as weighting them. Above 2,000 rows a seeded sample
    of 2,000 is used.

    >>> median_scale(np.array([[0.0], [1.0], [3.0]]))
    1.4142135623730951
    """
    values = table(X, "X").values
    return median_of(Points(values), weights(sample_weight, values.shape[0], index=labels_of(X)))


def median_of(points: Points, p: np.ndarray | None = None, *, zeros: bool = False) -> float:
    """Return the median scale of prepared points with weights p.

    With `zeros`, that of all n² pairs, each point with itself among them, as some texts have it.
    """
    n = len(points)
    rows = scale_rows(n, p)
    if rows.size < n:
        points, p = points.take(rows), None if p is None else p[rows]
    unit = points.unit
    d2 = Pairs(points).squared_distance(unit)
    if zeros:
        xp, d2 = _doubles(d2)
        mass = xp.ones_like(d2) if p is None else _pair_masses(d2, p)
        h = _median(xp.reshape(d2, (-1,)), xp.reshape(mass, (-1,)))
        if h <= 0:
            raise InputError(
                'scale="median_all" is 0: half of the pairs of rows are equal: use "median", which '
                "leaves them out"
            )
        return math.sqrt(h / 2.0) * unit
    _refuse_vanished(d2, points)
    scale = math.sqrt(weighted_median(d2, p) / 2.0) * unit
    if scale < _MIN_SCALE:
        raise InputError(
            f"X: its rows differ by less than {_MIN_SCALE:g}, where numbers lose their digits: "
            "multiply it by a power of two"
        )
    return scale


def scale_rows(n: int, p: np.ndarray | None = None) -> np.ndarray:
    """Return the positions of the rows that a scale is found on: all with a weight, or a sample."""
    rows = np.arange(n) if p is None else np.flatnonzero(p > 0)
    if rows.size > EXACT_UP_TO:
        rows = np.sort(generator(0).choice(rows, EXACT_UP_TO, replace=False))
    return rows


def _refuse_vanished(d2: Array, points: Points) -> None:
    """Refuse rows so near one another, beside the largest, that the median is not theirs."""
    kind = str(getattr(points.X, "dtype", "")).rpartition(".")[2]
    xp, d2 = _doubles(d2)
    near = xp.triu(d2 < _MIN_SQUARES.get(kind, 0.0), k=1)
    if not bool(xp.any(near)) or not points.is_dense:
        return
    X = to_numpy(points.X)
    for i, j in np.argwhere(to_numpy(near))[:_MAX_PAIRS]:
        if (X[i] != X[j]).any():
            raise InputError(
                f"X: its rows {i} and {j} do not differ relative to its largest number, so that no "
                "scale fits all rows: drop that number, or give scale="
            )


def scale_of(
    rule: float | str, points: Points, p: np.ndarray | None, of_columns: Callable[[int], float]
) -> float:
    """Return the scale that a rule gives on some points; `of_columns`, for gamma = 1/p."""
    if not isinstance(rule, str):
        return positive(rule, "scale")
    if rule == "median":
        return median_of(points, p)
    if rule == "median_all":
        return median_of(points, p, zeros=True)
    if rule == "columns":
        return of_columns(points.X.shape[1])
    raise InputError(
        f'scale={short(rule)} must be a positive number, "median", "median_all" or "columns"'
    )


def weighted_median(d2: Array, p: np.ndarray | None) -> float:
    """Return the median of the positive d2[i, j], i < j, a pair weighing p_i·p_j."""
    xp, d2 = _doubles(d2)
    above = xp.triu(d2 > 0, k=1)
    values = d2[above]
    if not values.shape[0]:
        raise InputError(_CONSTANT_MESSAGE)
    if p is None:
        return float(np.median(values if xp is np else to_numpy(values)))
    return _median(values, _pair_masses(d2, p)[above])


def _doubles(d2: Array) -> tuple[Namespace, Array]:
    """Return the library of an array, and the array in double precision."""
    if type(d2) is np.ndarray:
        return np, d2.astype(np.float64, copy=False)
    xp = namespace(d2)
    return xp, xp.astype(d2, xp.float64, copy=False)


def _pair_masses(d2: Array, p: np.ndarray) -> Array:
    weights = as_kind(p, d2)
    return weights[:, None] * weights[None, :]


def _median(values: Array, mass: Array) -> float:
    """Return the median of values that weigh something."""
    xp = namespace(values)
    below, total = 0.0, float(xp.sum(mass))
    if is_numpy(values):
        values, mass, below = _middle(values, mass, total)
    order = xp.argsort(values, stable=True)
    cumulated = (below + xp.cumulative_sum(xp.take(mass, order))) / total
    last = values.shape[0] - 1
    middle = [min(int(xp.count_nonzero(cumulated < 0.5 + e)), last) for e in (-1e-12, 1e-12)]
    return sum(float(values[int(order[k])]) for k in middle) / 2.0


def _middle(
    values: np.ndarray, mass: np.ndarray, total: float
) -> tuple[np.ndarray, np.ndarray, float]:
    """Return the values near the median with their masses, and the mass below them.

    To sort them all takes ten times as long as to count them in intervals first.
    """
    low, width = values.min(), np.ptp(values) / _INTERVALS
    if not width > 0:
        return values, mass, 0.0
    interval = ((values - low) / width).astype(np.int32)
    masses = np.bincount(interval, weights=mass)
    cumulated = np.cumsum(masses)
    first, last = np.searchsorted(cumulated, np.array([0.5 - 1e-9, 0.5 + 1e-9]) * total)
    near = (interval >= first) & (interval <= last)
    return values[near], mass[near], float(cumulated[first] - masses[first])


def scales(X: TableLike) -> pd.Series:
    """Return the scales that common rules suggest for a Gaussian kernel, by name.

    With d² the squared distances between different points (i < j), n rows and p columns:

    - "median": √(median d²/2), the default of every radial kernel;
    - "mean": √(mean d²/2), the square root of the total variance;
    - "quantile 0.1", "quantile 0.9": √(quantile of d²/2), a useful range;
    - "neighbour": the median distance to the seventh neighbour, for local structure;
    - "silverman", "scott": σ·(4/((p + 2)·n))^{1/(p + 4)} and σ·n^{−1/(p + 4)}, σ² the mean variance
      of a column: rules for density estimates.

    Above 2,000 rows distances are those of a seeded sample of 2,000.

    >>> gm.kernels.scales(gm.datasets.iris().data)["median"].round(3)
    np.float64(1.669)
    """
    rows = table(X, "X").values
    n, p = rows.shape
    points = Points(rows) if n <= EXACT_UP_TO else Points(rows).take(scale_rows(n))
    unit = points.unit
    D2 = to_numpy(Pairs(points).squared_distance(unit)).astype(np.float64)
    d2 = D2[np.triu_indices(len(D2), k=1)]
    d2 = d2[d2 > 0]
    if d2.size == 0:
        raise InputError(_CONSTANT_MESSAGE)
    sigma = math.sqrt(_mean_variance(rows, unit))
    scales = {
        "median": math.sqrt(np.median(d2) / 2),
        "mean": math.sqrt(d2.mean() / 2),
        "quantile 0.1": math.sqrt(np.quantile(d2, 0.1) / 2),
        "quantile 0.9": math.sqrt(np.quantile(d2, 0.9) / 2),
        "neighbour": _neighbour(D2),
        "silverman": sigma * (4 / ((p + 2) * n)) ** (1 / (p + 4)),
        "scott": sigma * n ** (-1 / (p + 4)),
    }
    return pd.Series(scales, name="scale") * unit


def _mean_variance(X: Array, unit: float) -> float:
    """Return the mean variance of a column, in units²."""
    if is_sparse(X):
        Z = X * (1.0 / unit)
        squares = Z.multiply(Z).mean(axis=0) - np.square(Z.mean(axis=0))
        return float(np.mean(squares))
    Z = to_numpy(X).astype(np.float64)
    return float(np.var((Z - Z[0]) / unit, axis=0).mean())


def _neighbour(D2: np.ndarray) -> float:
    """Return the median distance to the seventh different point, or to the last of fewer."""
    apart = np.where(D2 > 0, D2, np.inf)
    k = min(NEIGHBOUR, len(D2) - 1)
    nearest = np.sort(np.partition(apart, k - 1, axis=1)[:, :k], axis=1)
    last = np.isfinite(nearest).sum(axis=1)
    chosen = nearest[np.arange(len(D2)), np.maximum(last - 1, 0)]
    return math.sqrt(float(np.median(chosen[np.isfinite(chosen)])))
