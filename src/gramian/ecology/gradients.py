"""Gradients of numbers, fitted to the axes of a map."""

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from gramian._core.check import generator, short
from gramian._core.numbers import as_floats
from gramian._core.table import plain_weights
from gramian._core.table import table as checked_table
from gramian._core.types import SeedLike, TableLike, VectorLike
from gramian._nulls.p_values import number_of_permutations, p_value_of_count
from gramian.errors import InputError

_EQUAL = 1 - 1e-9  # rounding does not make a draw smaller


def gradients(
    coordinates: TableLike,
    table: TableLike,
    *,
    weights: VectorLike | None = None,
    n_permutations: int = 999,
    random_state: SeedLike = None,
) -> pd.DataFrame:
    """Fit numbers to the axes of a map, as vegan's envfit does.

    Each column is regressed on the axes; R², the squared correlation of fitted and observed values,
    measures how well it increases in one direction of the map, and is tested by permutation.

    Parameters
    ----------
    coordinates : array (n, q)
        Coordinates of the rows on the axes, usually two.
    table : data frame or array (n, k)
        Columns of numbers; rows with a missing value are left out for that column.
    weights : array (n,), optional
        Weights of the rows: their masses in correspondence analysis.
    n_permutations, random_state : int
        Number of permutations, and the seed that they are drawn from.

    Returns
    -------
    DataFrame, one row per column
        "r2", "p_value", and the direction of the arrow on each axis, of length 1.

    Examples
    --------
    >>> iris = gm.datasets.iris()
    >>> fit = gm.PCA(2).fit(iris.data)
    >>> arrows = gradients(fit.coordinates_, iris.data, n_permutations=99, random_state=0)
    >>> float(arrows["r2"].round(3).iloc[2])
    0.998
    """
    F = np.asarray(checked_table(coordinates, "coordinates").values, dtype=float)
    frame = table if isinstance(table, pd.DataFrame) else _frame(table)
    if words := [name for name in frame if not is_numeric_dtype(frame[name])]:
        raise InputError(f"table: column {short(words[0])} holds no numbers: leave it out")
    Z = frame.to_numpy(dtype=float, na_value=np.nan)
    if len(Z) != len(F):
        raise InputError(f"table has {len(Z)} rows, coordinates {len(F)}: give as many")
    w = plain_weights(weights, len(F), "weights")
    w = np.ones(len(F)) if w is None else w
    count, rng = number_of_permutations(n_permutations), generator(random_state)
    rows = [_gradient(F, Z[:, j], w, count, rng) for j in range(Z.shape[1])]
    columns = ["r2", "p_value", *(f"axis {k + 1}" for k in range(F.shape[1]))]
    return pd.DataFrame(rows, index=frame.columns, columns=columns)


def _frame(table: TableLike) -> pd.DataFrame:
    """Return numbers, perhaps with NaN among them, as a data frame."""
    Z = as_floats(table, "table")
    if Z.ndim != 2:
        raise InputError(f"table has {Z.ndim} dimensions: give rows and columns")
    return pd.DataFrame(Z)


def _gradient(
    F: np.ndarray, z: np.ndarray, w: np.ndarray, count: int, rng: np.random.Generator
) -> list[float]:
    """Return R², its p-value and the direction of one column."""
    live = np.isfinite(z)
    F, z, w = F[live], z[live], w[live] / max(w[live].sum(), 1e-300)
    n, q = F.shape
    if n < q + 2 or np.ptp(z) == 0:
        return [np.nan] * (2 + q)
    root = np.sqrt(w)
    Q = np.linalg.qr(root[:, None] * (F - w @ F))[0]

    def r2(values: np.ndarray) -> np.ndarray:
        # The squared correlation of fitted and observed values, both times the roots of weights.
        rest = (values - values @ w[:, None]) * root
        fitted = rest @ Q @ Q.T
        rest, fitted = (a - a.mean(axis=1, keepdims=True) for a in (rest, fitted))
        size = (rest**2).sum(axis=1) * (fitted**2).sum(axis=1)
        return np.asarray((rest * fitted).sum(axis=1) ** 2 / np.where(size > 0, size, 1.0))

    own = float(r2(z[None])[0])
    drawn = r2(z[np.argsort(rng.random((count, n)), axis=1)])
    p = float(p_value_of_count((drawn >= own * _EQUAL).sum(), count))
    b = np.linalg.lstsq(root[:, None] * (F - w @ F), root * (z - w @ z), rcond=None)[0]
    return [own, p, *(b / max(float(np.linalg.norm(b)), 1e-300))]
