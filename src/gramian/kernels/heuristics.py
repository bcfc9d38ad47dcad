"""Scales of a kernel that data suggest: the median heuristic and its alternatives."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from gramian._array import is_sparse, to_numpy
from gramian._check import generator
from gramian._pairs import Pairs, Points
from gramian._validate import table
from gramian.errors import InputError
from gramian.kernels.bandwidth import EXACT_UP_TO

NEIGHBOUR = 7  # the neighbour whose distance is looked at (Zelnik-Manor and Perona 2004)


def scales(X: Any) -> pd.Series:
    """Return the scales that common rules suggest for a Gaussian kernel, by name.

    With d² the squared distances between different points (i < j), n rows and p columns:

    - "median": √(median d²/2), the default of every radial kernel;
    - "mean": √(mean d²/2), the square root of the total variance;
    - "quantile 0.1", "quantile 0.9": √(quantile of d²/2), a range worth a look;
    - "neighbour": the median distance to the seventh neighbour, for close structure;
    - "silverman", "scott": σ·(4/((p + 2)·n))^{1/(p + 4)} and σ·n^{−1/(p + 4)}, σ² the mean variance
      of a column: what a density estimate would use.

    Above 2,000 rows distances are those of a seeded sample of 2,000.

    Parameters
    ----------
    X : table (n, p)

    Returns
    -------
    Series

    Examples
    --------
    >>> import gramian as gm
    >>> gm.kernels.scales(gm.datasets.iris().data)["median"].round(3)
    np.float64(1.669)
    """
    X = table(X, "X").values
    n, p = X.shape
    points = Points(X)
    if n > EXACT_UP_TO:
        points = points.take(np.sort(generator(0).choice(n, EXACT_UP_TO, replace=False)))
    unit = points.unit
    D2 = to_numpy(Pairs(points).squared_distance(unit)).astype(np.float64)
    d2 = D2[np.triu_indices(len(D2), k=1)]
    d2 = d2[d2 > 0]
    if d2.size == 0:
        raise InputError("X is constant: all rows are equal, so there is no inertia and no scale")
    sigma = math.sqrt(_mean_variance(X, unit))
    near = _neighbour(D2)
    scales = {
        "median": math.sqrt(np.median(d2) / 2),
        "mean": math.sqrt(d2.mean() / 2),
        "quantile 0.1": math.sqrt(np.quantile(d2, 0.1) / 2),
        "quantile 0.9": math.sqrt(np.quantile(d2, 0.9) / 2),
        "neighbour": near,
        "silverman": sigma * (4 / ((p + 2) * n)) ** (1 / (p + 4)),
        "scott": sigma * n ** (-1 / (p + 4)),
    }
    return pd.Series(scales, name="scale") * unit


def _mean_variance(X: Any, unit: float) -> float:
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
