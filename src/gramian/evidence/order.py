"""Rows in an order that matters: each is like the one before it."""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import special, stats

from gramian._nulls.draws import row_orders
from gramian._nulls.p_values import p_values, smallest_p_value

_LAGS = np.array([1, 2, 3, 4, 7, 12])
_MAX_AXES = 4  # principal components that are looked at one by one
_MAX_DIMENSIONS = 60  # dimensions that are kept of a wide table
_SORTED_LEVEL = 1e-3  # that one of the columns is sorted
_CUBIC_ROWS = 20  # rows, over which the curve is a cubic one
_MIN_SORTED_ROWS = 12  # rows, under which a random walk may be sorted by chance
_MIN_PRODUCTS = 40  # rows, from which on the products of neighbours have a size of their own
_MIN_GROUP = 4  # rows of a sorted group, under which it may be chance


@dataclass(frozen=True)
class Finding:
    """A p-value and the size of what it is about.

    Attributes
    ----------
    p_value : float
        (1 + number of draws at least as extreme)/(draws + 1).
    effect : float
    effect_name : str
        What `effect` measures.
    floor : float
        The smallest p-value that so many draws can give.

    Examples
    --------
    >>> import gramian as gm
    >>> gm.evidence.Finding(0.01, 0.8, "autocorrelation").effect
    0.8
    """

    p_value: float
    effect: float
    effect_name: str
    floor: float = 0.0


def order(
    X: np.ndarray, frame: pd.DataFrame | None, n_draws: int, rng: np.random.Generator
) -> Finding:
    """Test whether rows that follow each other are alike, but for what a sorted column tells.

    Columns are replaced by their ranks. The statistics are the autocorrelations at a few lags, of
    all columns together and of each leading component, each over the size of its products (rows
    that vary more than others may follow each other); the largest, in deviations of its own values
    over permuted rows, is held against the largest of each permutation.
    """
    n = len(X)
    lags = _LAGS[max(n // 4, 1) >= _LAGS]
    strata = sorting(frame, n)
    F, is_sorted = _scores(X, strata, keys(frame, n))
    orders = np.array([np.arange(n), *row_orders(n, n_draws, rng, strata)])
    t = np.array([_autocorrelations(F[o], lags) for o in orders])  # (B + 1, lags, 1 + axes)
    z = (t - t.mean(axis=0)) / np.maximum(t.std(axis=0), 1e-12)  # the data among the draws
    # Ranks that nearly follow a sorted column change places with their neighbours: a negative
    # autocorrelation that says nothing.
    z = z if is_sorted else np.abs(z)
    top = z.reshape(len(z), -1).max(axis=1)
    p = p_values(top[0], top[1:])
    lag, part = np.unravel_index(int(z[0].argmax()), z[0].shape)
    r = _products(F, int(lags[lag]))[:, part].sum() / max(_sizes(F)[part], 1e-300)
    return Finding(float(p), float(r), "autocorrelation", smallest_p_value(n_draws))


def sorting(frame: pd.DataFrame | None, n: int) -> np.ndarray | None:
    """Return the blocks that a sorted file is made of, (n,), or None.

    A file is often sorted by a group: rows of one species follow each other, or come in turns. That
    is an order, but it says nothing against rows that are independent within each group.
    """
    if frame is None:
        return None
    strata = np.zeros(n, dtype=int)
    # Quantities put no rows together.
    quantities = [pd.api.types.is_float_dtype(each) for each in frame.dtypes]
    for place in (j for j, quantity in enumerate(quantities) if not quantity):
        codes = _codes(frame.iloc[:, place])
        if codes is not None:
            # Sorted within the blocks there are already, as keys of a second order are.
            within = len(np.unique(np.stack([strata, codes]), axis=1).T)
            in_runs = np.count_nonzero(np.diff(codes)) + 1 <= within
            if (in_runs or _in_turns(codes)) and n >= _MIN_GROUP * within:
                strata = np.unique(np.stack([strata, codes]), axis=1, return_inverse=True)[1]
    return strata.ravel() if strata.max(initial=0) > 0 else None


def sorting_group(groups: pd.DataFrame) -> Hashable:
    """Return the column of groups by which rows are sorted, or in turns, or None.

    >>> sorting_group(pd.DataFrame({"sex": list("fmmfmf"), "plot": list("abcabc")}))
    'plot'
    """
    for name in groups.columns:
        codes = np.asarray(pd.factorize(groups[name])[0], dtype=int)
        levels = codes.max(initial=-1) + 1
        in_runs = np.count_nonzero(np.diff(codes)) + 1 == levels
        if 2 <= levels <= len(codes) / 2 and (in_runs or _in_turns(codes)):
            return name
    return None


def _in_turns(codes: np.ndarray) -> bool:
    """Whether groups follow each other in the same turn all along: a, b, c, a, b, c, …."""
    levels = int(codes.max(initial=-1)) + 1
    first = codes[:levels]
    return len(np.unique(first)) == levels and bool((codes == np.resize(first, len(codes))).all())


def _codes(column: pd.Series) -> np.ndarray | None:
    """Return the categories of a column as numbers; None where there are too many."""
    codes = np.asarray(pd.factorize(column)[0], dtype=int)
    levels = codes.max(initial=-1) + 1
    return codes if 2 <= levels <= len(codes) / _MIN_GROUP else None


def keys(frame: pd.DataFrame | None, n: int) -> np.ndarray:
    """Return the columns of numbers of a frame, (n, m), by which a file may be sorted."""
    if frame is None:
        return np.zeros((n, 0))
    return frame.select_dtypes("number").to_numpy(dtype=float, na_value=np.nan)


def _scores(
    X: np.ndarray, strata: np.ndarray | None, others: np.ndarray
) -> tuple[np.ndarray, bool]:
    """Return the principal coordinates of ranks within strata, and whether a column is sorted."""
    R, is_sorted = np.empty_like(X), False
    for block in [slice(None)] if strata is None else [strata == s for s in np.unique(strata)]:
        # Ranks within the block: what follows a sorted column, bent or not, follows its line.
        ranks = stats.rankdata(X[block], axis=0) / len(X[block])
        R[block], bent = _plain(ranks, others[block])
        is_sorted |= bent
    size = np.sqrt(np.einsum("ij,ij->j", R, R))
    U, s, _ = np.linalg.svd(R / np.where(size > 0, size, 1.0), full_matrices=False)
    return U[:, :_MAX_DIMENSIONS] * s[:_MAX_DIMENSIONS], is_sorted


def _plain(R: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, bool]:
    """Return ranks less their mean, and less their curve where one column is sorted; is one so?

    A file sorted by one of its columns has an order that the others follow as far as they go with
    that column: what they share with it, straight or bent, is taken off.
    """
    R = R - R.mean(axis=0)
    if len(R) < _MIN_SORTED_ROWS:
        return R, False
    sorted_by = _in_sort_order(R)
    if not (sorted_by.any() or _in_sort_order(others).any()):
        return R, False
    t = np.linspace(-1.0, 1.0, len(R))
    Q = np.linalg.qr(np.vander(t, 4 if len(R) >= _CUBIC_ROWS else 3))[0]
    R = R - Q @ (Q.T @ R)
    R[:, sorted_by] = 0.0
    return R, True


def _in_sort_order(columns: np.ndarray) -> np.ndarray:
    """Tell the columns that are sorted, and not by chance."""
    steps = np.diff(columns, axis=0)
    order: np.ndarray = np.asarray((steps >= 0).all(axis=0) | (steps <= 0).all(axis=0))
    for j in np.flatnonzero(order):
        order[j] = _chance(columns[:, j]) < _SORTED_LEVEL / columns.shape[1]
    return order


def _chance(column: np.ndarray) -> float:
    """Return the chance that shuffled values come out in a sorted order."""
    counts = np.unique(column, return_counts=True)[1]
    ways = special.gammaln(len(column) + 1) - special.gammaln(counts + 1).sum()
    return float(2.0 * np.exp(-ways))


def _autocorrelations(F: np.ndarray, lags: np.ndarray) -> np.ndarray:
    """Return (lags, 1 + axes) of all columns together and of the leading components."""
    cells = []
    for lag in lags:
        products = _products(F, int(lag))
        # Few products say little of their size.
        size = np.sqrt((products**2).sum(axis=0)) if len(F) >= _MIN_PRODUCTS else _sizes(F)
        cells.append(products.sum(axis=0) / np.maximum(size, 1e-300))
    return np.array(cells)


def _products(F: np.ndarray, lag: int) -> np.ndarray:
    """Return the products of rows at a distance, (n − lag, 1 + axes)."""
    each = F[lag:] * F[:-lag]
    return np.column_stack([each.sum(axis=1), each[:, :_MAX_AXES]])


def _sizes(F: np.ndarray) -> np.ndarray:
    """Return the sums of squares of all columns together and of the leading components."""
    squares = np.einsum("ij,ij->j", F, F)
    return np.append(squares.sum(), squares[:_MAX_AXES])


def innovations(X: np.ndarray) -> np.ndarray:
    """Return what is left of each column after its autoregression, (n − L, p).

    x_t = a + Σ_{l ≤ L} b_l x_{t−l} + e_t by least squares, the order of each column that of the
    smallest AIC, at most 4. Columns that are independent series have independent innovations,
    random walks too, whose correlations mean nothing.

    >>> innovations(np.cumsum(np.ones((9, 1)), axis=0)).shape
    (8, 1)
    """
    n, p = X.shape
    most = max(1, min(4, n // 8))
    best, rest = np.full(p, np.inf), np.zeros((n - most, p))
    for order in range(1, most + 1):
        e = _residuals(X, order, most)
        size = np.maximum(np.einsum("ij,ij->j", e, e), 1e-300)
        aic = (n - most) * np.log(size) + 2.0 * (order + 1)
        better = aic < best
        best[better], rest[:, better] = aic[better], e[:, better]
    return rest


def _residuals(X: np.ndarray, order: int, most: int) -> np.ndarray:
    """Return the residuals of regressions on `order` lags, of all columns at once."""
    n = len(X)
    lags = np.stack([X[most - k : n - k] for k in range(1, order + 1)], axis=-1)  # (n − L, p, L)
    lags = (lags - lags.mean(axis=0)).transpose(1, 0, 2)
    y = (X[most:] - X[most:].mean(axis=0)).T[:, :, None]
    A = lags.transpose(0, 2, 1) @ lags
    ridge = 1e-10 * np.maximum(np.trace(A, axis1=1, axis2=2), 1e-300)[:, None, None]
    b = np.linalg.solve(A + ridge * np.eye(order), lags.transpose(0, 2, 1) @ y)
    return np.asarray((y - lags @ b)[:, :, 0].T)
