"""Test of equal spread of groups, by the distances of rows to the centre of their group."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from gramian._core.check import flag, one_of
from gramian._core.frames import in_order_of
from gramian._core.numbers import groups_of_rows
from gramian._core.types import RowsLike, SeedLike, VectorLike
from gramian._nulls.p_values import p_values
from gramian._reading.cloud import spatial_median
from gramian.ecology.design import distances_of, gram_of
from gramian.ecology.permanova import orders_of_rows
from gramian.errors import InputError
from gramian.kernels.base import Kernel


@dataclass(frozen=True, eq=False)
class Dispersion:
    """The distances of rows from the centre of their group, and their test.

    Attributes
    ----------
    distances : Series (n,)
    groups : DataFrame
        One row per group: "rows", "mean" of its distances.
    statistic : float
        F of an analysis of variance of the distances.
    df : (int, int)
    sum_of_squares : (float, float)
        Between groups and within.
    p_value : float
        By permutation of residuals.
    centre : "median" or "centroid"

    Examples
    --------
    >>> iris = gm.datasets.iris()
    >>> test = gm.ecology.dispersion(iris.data, iris.groups["species"], random_state=0)
    >>> test.groups["mean"].round(2).tolist()
    [0.48, 0.71, 0.82]
    """

    distances: pd.Series
    groups: pd.DataFrame
    statistic: float
    df: tuple[int, int]
    sum_of_squares: tuple[float, float]
    p_value: float
    centre: str

    def __repr__(self) -> str:
        head = f"distances to the {self.centre} of each group: F({self.df[0]}, {self.df[1]})"
        shown = self.groups.to_string(float_format=lambda x: f"{x:.4g}")
        return f"{head} = {self.statistic:.4g}, p = {self.p_value:.3g}\n{shown}"


def dispersion(
    X: RowsLike,
    groups: VectorLike,
    *,
    metric: str | Kernel | Callable[..., float] = "euclidean",
    centre: Literal["median", "centroid"] = "median",
    bias_adjust: bool = False,
    n_permutations: int = 999,
    random_state: SeedLike = None,
) -> Dispersion:
    """Test whether groups of rows are equally spread, as vegan's betadisper does.

    Rows are placed on the principal axes of their distances; axes of negative inertia (for
    non-Euclidean distances) are subtracted: √|d₊² − d₋²|.

    Parameters
    ----------
    X, metric, n_permutations, random_state
        As for `permanova`.
    groups : column of n labels
        The group of each row.
    centre : "median" or "centroid"
        The spatial median of the rows of a group, or their mean.
    bias_adjust : bool
        Multiply by √(n_g/(n_g − 1)), as small groups are close to their own centre.

    Examples
    --------
    >>> iris = gm.datasets.iris()
    >>> test = gm.ecology.dispersion(iris.data, iris.groups["species"], n_permutations=99)
    >>> round(test.statistic, 2)
    10.75
    """
    one_of(centre, "centre", ("median", "centroid"))
    flag(bias_adjust, "bias_adjust")
    D, index = distances_of(X, metric)
    n = len(D)
    levels = pd.Categorical(groups_of_rows(in_order_of(groups, index, "groups"), n, "groups"))
    if not 2 <= len(levels.categories) < n:
        raise InputError(f"groups: {len(levels.categories)} of {n} rows: give from 2 to {n - 1}")
    codes, names = np.asarray(levels.codes, dtype=int), list(levels.categories)
    far = _distances(D, codes, centre)
    sizes = np.bincount(codes)
    if bias_adjust:
        far = far * np.sqrt(sizes / np.maximum(sizes - 1, 1))[codes]
    moved = orders_of_rows(n, n_permutations, random_state)
    means = np.bincount(codes, far) / sizes
    rest = far - means[codes]
    F, between, within = (part[0] for part in _variance(far[None, :], codes))
    chance = _variance(rest[moved], codes)[0]
    table = pd.DataFrame(
        {"rows": sizes, "mean": means}, index=pd.Index(names, name="group", tupleize_cols=False)
    )
    labels = pd.RangeIndex(n) if index is None else index
    df, sums = (len(names) - 1, n - len(names)), (float(between), float(within))
    distances, p = pd.Series(far, index=labels, name="distance"), float(p_values(F, chance))
    return Dispersion(distances, table, float(F), df, sums, p, centre)


def _distances(D: np.ndarray, codes: np.ndarray, centre: str) -> np.ndarray:
    n = len(D)
    G = n * gram_of(D, np.full(n, 1.0 / n))
    values, U = np.linalg.eigh(G)
    live = np.abs(values) > n * 2.0**-52 * np.abs(values).max()
    Z = U[:, live] * np.sqrt(np.abs(values[live]))
    real = values[live] > 0
    squares = np.empty(n)
    for code in range(int(codes.max()) + 1):
        rows = codes == code
        parts = [Z[rows][:, signs] for signs in (real, ~real)]
        w = np.full(rows.sum(), 1.0 / rows.sum())
        centres = [spatial_median(Y, w) if centre == "median" else w @ Y for Y in parts]
        far = [((Y - m) ** 2).sum(axis=1) for Y, m in zip(parts, centres, strict=True)]
        squares[rows] = np.abs(far[0] - far[1])
    return np.sqrt(squares)


def _variance(Y: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return F, and the sums of squares between and within groups, of each row of Y (B, n)."""
    indicator = (codes[:, None] == np.arange(codes.max() + 1)).astype(float)
    sizes = indicator.sum(axis=0)
    means = Y @ indicator / sizes
    between = ((means - Y.mean(axis=1, keepdims=True)) ** 2) @ sizes
    within = ((Y - means[:, codes]) ** 2).sum(axis=1)
    k, n = len(sizes), len(codes)
    ratio = between / (k - 1) / np.maximum(within / (n - k), 1e-300)
    return ratio, between, within
