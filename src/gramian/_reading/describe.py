"""What the axes mean: the variables and categories most associated with each, with p-values."""

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import betainc

from gramian._reading.categories import correlation_ratio, masses, means, odds
from gramian._reading.cloud import Cloud, ratio
from gramian._reading.columns import Factor, Numeric
from gramian._reading.variables import correlations

_COLUMNS: dict[str, Any] = {"axis": int, "kind": str, "name": object, "category": object}
_COLUMNS |= {"statistic": float, "p_value": float}
_KINDS = {"quantitative": 0, "qualitative": 1, "category": 2}


class Association(NamedTuple):
    """How a variable or a category goes with each axis: correlation, η² or deviation of means."""

    kind: str
    name: Hashable
    category: Hashable
    statistic: np.ndarray  # (q,)
    p_value: np.ndarray  # (q,)


Associations = list[Association]


def p_value(r2: npt.ArrayLike, groups: npt.ArrayLike, n: npt.ArrayLike) -> np.ndarray:
    """Return the p-value of F = (r²/(groups − 1))/((1 − r²)/(n − groups)), 1 without freedom."""
    share, k, count = np.broadcast_arrays(np.asarray(r2, float), groups, n)
    tested = (k > 1) & (count > k)
    a = np.where(tested, (count - k) / 2.0, 1.0)
    b = np.where(tested, (k - 1) / 2.0, 1.0)
    return np.where(tested, betainc(a, b, np.clip(1.0 - share, 0.0, 1.0)), 1.0)


def correlation_associations(
    names: Sequence[Hashable], r: np.ndarray, n: npt.ArrayLike
) -> Associations:
    """Return the associations of quantitative variables, from their correlations, (m, q)."""
    p = p_value(r**2, 2, np.broadcast_to(n, len(names))[:, None])
    return [Association("quantitative", name, None, r[j], p[j]) for j, name in enumerate(names)]


def _factor_associations(cloud: Cloud, factor: Factor, n: int) -> Associations:
    """Return the associations of a factor (η²) and of its categories (deviation of their mean)."""
    # The deviation is from the unweighted mean of the categories' means; its p-value is that of the
    # correlation of the category's indicator with the axis.
    mass = masses(cloud, factor)
    held = np.flatnonzero(mass > 0)
    mass, mean = mass[held], means(cloud, factor)[held]
    eta2 = correlation_ratio(cloud, factor)
    p = p_value(eta2, len(held), n)
    found = [Association("qualitative", factor.name, None, eta2, p)]
    estimate = (mean - mean.mean(axis=0)) * cloud.unit if len(held) else mean
    for c, r2 in enumerate(_indicator(cloud, factor, mass, mean)):
        label = factor.labels[held[c]]
        found.append(Association("category", factor.name, label, estimate[c], p_value(r2, 2, n)))
    return found


def _indicator(cloud: Cloud, factor: Factor, mass: np.ndarray, mean: np.ndarray) -> np.ndarray:
    """Return the squared correlations of the categories' indicators with the axes, (c, q)."""
    rows = factor.codes >= 0
    share = mass / mass.sum()
    centre = share @ mean
    p = cloud.p[rows] / mass.sum()
    variance = p @ (cloud.coordinates[rows] - centre) ** 2
    r2 = ratio((mean - centre) ** 2, np.where(cloud.values == 0, 0.0, variance))
    return np.minimum(r2 * odds(share)[:, None], 1.0)


def supplementary_associations(
    cloud: Cloud, numeric: Sequence[Numeric], factors: Sequence[Factor]
) -> Associations:
    """Return the associations of supplementary columns, each on the rows where it has a value."""
    found: Associations = []
    if numeric:
        held = [int((cloud.live & ~np.isnan(column.values)).sum()) for column in numeric]
        r, _ = correlations(cloud, numeric)
        found += correlation_associations([column.name for column in numeric], r, np.array(held))
    for factor in factors:
        found += _factor_associations(cloud, factor, int((cloud.live & (factor.codes >= 0)).sum()))
    return found


def describe(active: Associations, extra: Associations, q: int, alpha: float) -> pd.DataFrame:
    """Return associations with p ≤ alpha, by axis and kind, the most positive first."""
    # A supplementary variable with the name and the correlations of an active one is that one.
    known = {a.name: a.statistic for a in active}
    found = active + [
        a
        for a in extra
        if not (a.kind == "quantitative" and a.name in known)
        or not np.allclose(a.statistic, known[a.name], atol=1e-6)
    ]
    rows = [
        (k + 1, a.kind, a.name, a.category, float(a.statistic[k]), float(a.p_value[k]))
        for k in range(q)
        for a in found
        if a.p_value[k] <= alpha
    ]
    rows.sort(key=lambda row: (row[0], _KINDS[row[1]], -row[4]))
    parts = zip(*rows, strict=True) if rows else [()] * len(_COLUMNS)
    return pd.DataFrame(
        {
            name: pd.Series(list(part), dtype=dtype)
            for (name, dtype), part in zip(_COLUMNS.items(), parts, strict=True)
        }
    )
