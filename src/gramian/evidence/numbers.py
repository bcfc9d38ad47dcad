"""Tests of supplementary numbers against the axes, and against the columns."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from gramian._core.check import generator
from gramian._core.frames import in_order_of
from gramian._core.frames import labels_of as row_labels
from gramian._core.types import SeedLike, TableLike, VectorLike
from gramian._nulls.corrections import holm
from gramian._nulls.p_values import draw_in_parts, joint_p_values, p_values, smallest_p_value
from gramian.evidence.table import (
    RowScheme,
    Scheme,
    finite_table,
    in_order,
    number_of_draws,
    row_scheme,
    supplementary_columns,
)

_MIN_VALUES = 5  # of a column that is worth a test
_DRAWS = 199, 999
_WORK = 4e7  # numbers that a permuted column is multiplied with
_CHUNK = 1e6
_COSTS = 1.0, 4.0  # columns have four fifths of the level, axes one


@dataclass(frozen=True, eq=False)
class NumberEvidence:
    """Supplementary columns of numbers against axes, and against the columns of the table.

    `table` has one row (column by position, axis from 1): "correlation", "p_value" (corrected by
    Holm for all columns and axes; NaN where it cannot be tested), "n_rows" and "reason" ("scheme",
    "order", "constant", "few values"; else empty); `columns` the same, (column, variable), both by
    position, where the table was passed. `floor` is the smallest p-value, before correction, that
    the permutations could have given.

    Examples
    --------
    >>> axis = np.arange(20.0)[:, None]
    >>> numbers(axis, axis**2, rng=0).floor
    0.001
    """

    table: pd.DataFrame
    floor: float
    scheme: str
    columns: pd.DataFrame | None = None


def numbers(
    F: TableLike,
    Z: TableLike,
    *,
    X: TableLike | None = None,
    scheme: Scheme = "permutation",
    rng: SeedLike = None,
    groups_of_copies: VectorLike | None = None,
    n_draws: int | None = None,
) -> NumberEvidence:
    """Test whether columns of numbers are correlated with axes, and with columns of a table.

    The statistic is |Σ ab|/√Σ we², a an axis, b the column, both centred, e what is left of b after
    its regression on a, w = a²/(1 − leverage)²: the slope over White's error of it (HC3), so that
    numbers which are only more variable at an end of an axis do not count as correlated; or the
    same for ranks, if larger. Its reference comes from the permuted column, the largest over the
    axes or the columns (exact if the rows of the column are exchangeable).

    Parameters
    ----------
    F : array (n, k)
        Coordinates.
    Z : array (n, m)
        Missing values are left out, column by column.
    X : array (n, p), optional
        Columns of the table that the axes come from.
    scheme, rng, groups_of_copies
        As for `groups`.
    n_draws : int, optional
        199 to 999 by default, by the number of rows; more where Holm's correction for many columns
        needs them.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> axis = np.arange(20.0)
    >>> Z = np.column_stack([axis + rng.standard_normal(20), rng.standard_normal(20)])
    >>> numbers(axis[:, None], Z, rng=rng).table["p_value"].round(3).tolist()
    [0.002, 0.596]
    """
    Z = in_order_of(Z, row_labels(F), "Z", "F")
    F, rng = finite_table(F, "F"), generator(rng, "rng")
    Z, k = supplementary_columns(Z, len(F)), F.shape[1]
    if X is not None:
        F = np.hstack([F, finite_table(X)])
    # The floor of the p-values leaves room for Holm's factor.
    usual = max(int(np.clip(_WORK / max(F.size, 1), *_DRAWS)), 40 * Z.shape[1] - 1)
    count = number_of_draws(n_draws, usual)
    draws = row_scheme(scheme, len(F), groups_of_copies)
    if Z.shape[1] == 0:
        index = pd.MultiIndex.from_arrays([[], []], names=["column", "axis"])
        table = pd.DataFrame(columns=["correlation", "p_value", "n_rows", "reason"], index=index)
        return NumberEvidence(table, smallest_p_value(count), scheme)
    parts = [_test_column(F, k, z, draws, rng, count) for z in Z.T]
    # p-values hold for all axes and columns: only the columns of Z remain to be counted.
    lowest = np.array([part["p_value"].min() for part in parts])
    for part, factor in zip(parts, holm(lowest) / lowest, strict=True):
        part["p_value"] = np.minimum(part["p_value"] * factor, 1.0)
    table = pd.concat([_index(part[:k], "axis", 1) for part in parts], keys=range(len(parts)))
    columns = None
    if X is not None:
        some = [_index(part[k:], "variable", 0) for part in parts]
        columns = pd.concat(some, keys=range(len(parts)), names=["column"])
    return NumberEvidence(
        table.rename_axis(["column", "axis"]), draws.floor(len(F), count), scheme, columns
    )


def _index(part: pd.DataFrame, name: str, start: int) -> pd.DataFrame:
    return part.set_axis(pd.RangeIndex(start, start + len(part), name=name))


def _test_column(
    F: np.ndarray, k: int, z: np.ndarray, draws: RowScheme, rng: np.random.Generator, count: int
) -> pd.DataFrame:
    """Return one column against k axes and the columns behind them; p-values hold for all."""
    rows = draws.rows[np.isfinite(z[draws.rows])]
    A, a, b = F[rows], _centre(F[rows]), _centre(z[rows][:, None])[:, 0]
    reason = _reason(b, draws.name, rng)
    p = np.full(F.shape[1], np.nan)
    if not reason:
        pairs = [
            (a, b),
            (_centre(stats.rankdata(A, axis=0)), _centre(stats.rankdata(b)[:, None])[:, 0]),
        ]
        p = _joint(pairs, k, draws, rng, count)
        p = np.maximum(p, draws.floor(len(b), count))
    size = np.sqrt((a**2).sum(axis=0) * (b**2).sum())
    r = np.divide(b @ a, size, out=np.zeros_like(size), where=size > 0)
    fields = {"correlation": r, "p_value": p, "n_rows": len(rows), "reason": reason}
    return pd.DataFrame(fields)


def _joint(
    pairs: list[tuple[np.ndarray, np.ndarray]],
    k: int,
    draws: RowScheme,
    rng: np.random.Generator,
    count: int,
) -> np.ndarray:
    """Return p-values of k axes and the columns behind them, at least that of all."""
    n, m = pairs[0][0].shape
    parts = [part for part in (slice(k, m), slice(0, k)) if part.start < part.stop]

    def statistics(orders: np.ndarray) -> np.ndarray:
        return np.max([_studentise(a, b[orders]) for a, b in pairs], axis=0)

    def largest(found: np.ndarray) -> np.ndarray:
        return np.stack([found[:, part].max(axis=1) for part in parts], axis=1)

    own = statistics(np.arange(n)[None])
    drawn = draw_in_parts(
        lambda count: largest(statistics(draws.orders(n, count, rng))),
        count,
        int(_CHUNK / (n + m)),
    )
    best = np.vstack([largest(own), drawn])
    costs = _COSTS[: len(parts)]
    p, values = np.empty(m), np.empty(m)
    for part, reference, cost in zip(parts, drawn.T, costs, strict=True):
        p[part] = p_values(own[0, part], reference)
        values[part] = cost * p[part]
    return np.asarray(np.maximum(p, joint_p_values(values.min(), best, costs)))


def _reason(b: np.ndarray, scheme: Scheme, rng: np.random.Generator) -> str:
    """Return why nothing can be tested, or nothing."""
    if scheme == "none":
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
    """Return |Σ ab|/√Σ we² of the axes a (n, k) and sequences b (B, n), (B, k)."""
    # w = a²/(1 − h)², h the leverage of each row (HC3), and Σ we² = Σ wb² − 2β Σ wab + β² Σ wa² for
    # e = b − βa: products of matrices, for all sequences at once.
    square = np.maximum((a**2).sum(axis=0), 1e-300)
    w = a**2 / np.maximum(1.0 - 1.0 / len(a) - a**2 / square, 1e-3) ** 2
    cross, whole = b @ a, (b**2) @ w
    slope = cross / square
    error = whole - 2.0 * slope * (b @ (w * a)) + slope**2 * (w * a**2).sum(axis=0)
    # Perfect ties must be equal to one another: what is left of them is rounding.
    error = np.maximum(error, 1e-8 * whole)
    return np.asarray(np.abs(cross) / np.sqrt(np.maximum(error, 1e-300)))
