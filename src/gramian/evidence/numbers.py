"""Are numbers that did not make the axes tied to them?"""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from gramian._core.check import generator
from gramian._core.frames import in_order_of
from gramian._core.frames import labels_of as row_labels
from gramian._core.types import SeedLike, TableLike, VectorLike
from gramian._nulls.corrections import holm
from gramian._nulls.p_values import p_values, smallest_p_value
from gramian.evidence.validation import (
    Scheme,
    distinct_rows,
    finite_table,
    in_order,
    number_of_draws,
    p_value_floor,
    shuffles,
    supplementary_columns,
)

_MIN_VALUES = 5  # of a column that is worth a test
_DRAWS = 199, 999
_WORK = 1e6  # numbers permuted for a column
_CHUNK = 1e6


@dataclass(frozen=True, eq=False)
class NumberEvidence:
    """Supplementary columns of numbers against axes.

    Attributes
    ----------
    table : DataFrame, one row (column by position, axis from 1)
        "correlation", "p_value" (corrected by Holm for all columns and axes; NaN where it cannot
        be tested), "n_rows" and "reason" ("scheme", "order", "constant", "few values"; else empty).
    floor : float
        The smallest p-value, before correction, that the permutations could have given.
    scheme : str

    Examples
    --------
    >>> import numpy as np
    >>> axis = np.arange(20.0)[:, None]
    >>> evidence = numbers(axis, axis**2, rng=np.random.default_rng(0))
    >>> evidence.table["correlation"].round(3).tolist(), evidence.floor
    ([0.965], 0.001)
    """

    table: pd.DataFrame
    floor: float
    scheme: str


def numbers(
    F: TableLike,
    Z: TableLike,
    *,
    scheme: Scheme = "permutation",
    rng: SeedLike = None,
    groups_of_copies: VectorLike | None = None,
    n_draws: int | None = None,
) -> NumberEvidence:
    """Test whether columns of numbers are correlated with axes.

    The statistic is |Σ ab|/√Σ we², a an axis, b the column, both centred, e what is left of b after
    its regression on a, w = a²/(1 − leverage)²: the slope over White's error of it (HC3), so that
    numbers which only spread more at an end of an axis are not taken for correlated. Its reference
    comes from the permuted column, the largest over the axes (exact if the rows of the column are
    exchangeable).

    Parameters
    ----------
    F : array (n, k)
        Coordinates.
    Z : array (n, m)
        Missing values are left out, column by column.
    scheme, rng, groups_of_copies
        As for `groups`.
    n_draws : int, optional
        199 to 999 by default, by the number of rows; more where Holm's correction for many columns
        needs them.

    Returns
    -------
    NumberEvidence

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> axis = np.arange(20.0)
    >>> Z = np.column_stack([axis + rng.standard_normal(20), rng.standard_normal(20)])
    >>> numbers(axis[:, None], Z, rng=rng).table["p_value"].round(3).tolist()
    [0.002, 0.602]
    """
    Z = in_order_of(Z, row_labels(F), "Z", "F")
    F, rng = finite_table(F, "F"), generator(rng, "rng")
    Z = supplementary_columns(Z, len(F))
    # The floor of the p-values leaves room for Holm's factor.
    usual = max(int(np.clip(_WORK / max(len(F), 1), *_DRAWS)), 40 * Z.shape[1] - 1)
    count = number_of_draws(n_draws, usual)
    rows = distinct_rows(scheme, len(F), groups_of_copies)
    if Z.shape[1] == 0:
        index = pd.MultiIndex.from_arrays([[], []], names=["column", "axis"])
        table = pd.DataFrame(columns=["correlation", "p_value", "n_rows", "reason"], index=index)
        return NumberEvidence(table, smallest_p_value(count), scheme)
    parts = [_test_column(F, z, rows, scheme, rng, count) for z in Z.T]
    table = pd.concat(parts, keys=range(len(parts)), names=["column"])
    # p-values hold for all axes of a column: only the columns remain to be counted.
    lowest = table["p_value"].to_numpy(dtype=float).reshape(len(parts), -1).min(axis=1)
    factor = np.repeat(holm(lowest) / lowest, F.shape[1])
    table["p_value"] = np.minimum(table["p_value"].to_numpy(dtype=float) * factor, 1.0)
    return NumberEvidence(table, p_value_floor(len(F), count, scheme), scheme)


def _test_column(
    F: np.ndarray,
    z: np.ndarray,
    kept: np.ndarray | None,
    scheme: Scheme,
    rng: np.random.Generator,
    draws: int,
) -> pd.DataFrame:
    """Return one column against every axis; p-values hold for all axes together."""
    rows = np.arange(len(z)) if kept is None else kept
    rows = rows[np.isfinite(z[rows])]
    a, b = _centre(F[rows]), _centre(z[rows][:, None])[:, 0]
    reason = _reason(b, kept, scheme, rng)
    p = np.full(F.shape[1], np.nan)
    if not reason:
        p = p_values(_studentise(a, b[None, :])[0], _draw_largest(a, b, rng, draws, scheme))
        p = np.maximum(p, p_value_floor(len(b), draws, scheme))
    size = np.sqrt((a**2).sum(axis=0) * (b**2).sum())
    r = np.divide(b @ a, size, out=np.zeros_like(size), where=size > 0)
    fields = {"correlation": r, "p_value": p, "n_rows": len(rows), "reason": reason}
    return pd.DataFrame(fields, index=pd.RangeIndex(1, F.shape[1] + 1, name="axis"))


def _reason(
    b: np.ndarray, kept: np.ndarray | None, scheme: Scheme, rng: np.random.Generator
) -> str:
    """Return why nothing can be tested, or nothing."""
    if kept is None:
        return "scheme"
    if len(b) < _MIN_VALUES:
        return "few values"
    if not b.any():
        return "constant"
    return "order" if scheme == "blocks" and in_order(b, rng) else ""


def _centre(A: np.ndarray) -> np.ndarray:
    """Return columns of mean 0 and largest modulus 1."""
    A = A - A.mean(axis=0) if len(A) else A
    size = np.abs(A).max(axis=0, initial=0.0)
    return np.asarray(A / np.where(size > 1e-300, size, 1.0))


def _studentise(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return |Σ ab|/√Σ we² of the axes a (n, k) and sequences b (B, n), (B, k).

    w = a²/(1 − h)², h the leverage of each row (HC3), and Σ we² = Σ wb² − 2β Σ wab + β² Σ wa² for
    e = b − βa: products of matrices, for all sequences at once.
    """
    square = np.maximum((a**2).sum(axis=0), 1e-300)
    w = a**2 / np.maximum(1.0 - 1.0 / len(a) - a**2 / square, 1e-3) ** 2
    cross, whole = b @ a, (b**2) @ w
    slope = cross / square
    error = whole - 2.0 * slope * (b @ (w * a)) + slope**2 * (w * a**2).sum(axis=0)
    # Perfect ties must be equal to one another: what is left of them is rounding.
    error = np.maximum(error, 1e-8 * whole)
    return np.asarray(np.abs(cross) / np.sqrt(np.maximum(error, 1e-300)))


def _draw_largest(
    a: np.ndarray, b: np.ndarray, rng: np.random.Generator, draws: int, scheme: Scheme
) -> np.ndarray:
    """Return the largest statistic over the axes for each permutation of b, (draws,)."""
    step = max(1, int(_CHUNK / len(b)))
    sizes = [min(step, draws - start) for start in range(0, draws, step)]
    orders = (shuffles(len(b), size, rng, scheme) for size in sizes)
    return np.concatenate([_studentise(a, b[order]).max(axis=1) for order in orders])
