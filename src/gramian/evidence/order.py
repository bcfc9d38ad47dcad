"""Tests for serial order: rows that resemble the previous ones."""

from dataclasses import dataclass

import numpy as np
from scipy import stats

from gramian._nulls.draws import row_orders
from gramian._nulls.p_values import p_values, smallest_p_value

_LAGS = np.array([1, 2, 3, 4, 7, 12])
_MAX_AXES = 4  # principal components that are looked at one by one
_MAX_DIMENSIONS = 60  # dimensions that are kept of a wide table
_MIN_PRODUCTS = 40  # rows, from which on the products of neighbours have a size of their own


@dataclass(frozen=True)
class Finding:
    """A p-value, (1 + number of draws at least as extreme)/(draws + 1), with its effect.

    `effect_name` is what `effect` measures, `floor` the smallest p-value possible with these draws.

    Examples
    --------
    >>> gm.evidence.Finding(0.01, 0.8, "autocorrelation").effect
    0.8
    """

    p_value: float
    effect: float
    effect_name: str
    floor: float = 0.0


def order(
    X: np.ndarray,
    n_draws: int,
    rng: np.random.Generator,
    design: np.ndarray | None = None,
    *,
    both_sides: bool = True,
) -> Finding:
    """Test whether rows that follow each other are alike, but for what a design tells.

    `design`, (n, d), is an orthonormal basis of what is taken off the columns, a constant too.
    """
    # Columns are replaced by their ranks. The statistics are the autocorrelations at a few lags, of
    # all columns together and of each leading component, each over the size of its products (rows
    # that vary more than others may follow each other); the largest, in deviations of its own
    # values over permuted rows, is held against the largest of each permutation. Beside a design
    # permuted residuals are made residuals again: those have the covariances of residuals.
    n = len(X)
    lags = _LAGS[max(n // 4, 1) >= _LAGS]
    F = _scores(X, design)
    orders = np.array([np.arange(n), *row_orders(n, n_draws, rng)])
    t = np.array([_autocorrelations(_less(F[o], design), lags) for o in orders])
    z = (t - t.mean(axis=0)) / np.maximum(t.std(axis=0), 1e-12)  # the data among the draws
    # Ranks that nearly follow a sorted column change places with their neighbours: a negative
    # autocorrelation that says nothing.
    z = np.abs(z) if both_sides else z  # (B + 1, lags, 1 + axes)
    top = z.reshape(len(z), -1).max(axis=1)
    p = p_values(top[0], top[1:])
    lag, part = np.unravel_index(int(z[0].argmax()), z[0].shape)
    r = _products(F, int(lags[lag]))[:, part].sum() / max(_sizes(F)[part], 1e-300)
    return Finding(float(p), float(r), "autocorrelation", smallest_p_value(n_draws))


def _less(F: np.ndarray, design: np.ndarray | None) -> np.ndarray:
    """Return columns less what a design tells of them."""
    return F if design is None else np.asarray(F - design @ (design.T @ F))


def _scores(X: np.ndarray, design: np.ndarray | None) -> np.ndarray:
    """Return the principal coordinates of ranks beside a design."""
    R = stats.rankdata(_less(X, design).round(12), axis=0) / len(X)
    R = _less(R - R.mean(axis=0), design)
    size = np.sqrt(np.einsum("ij,ij->j", R, R))
    live = size > 1e-9 * max(float(size.max(initial=0.0)), 1e-300)
    U, s, _ = np.linalg.svd(R[:, live] / size[live], full_matrices=False)
    return np.asarray(U[:, :_MAX_DIMENSIONS] * s[:_MAX_DIMENSIONS])


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
    """Return what is left of each column after its autoregression, (n − L, p)."""
    # x_t = a + Σ_{l ≤ L} b_l x_{t−l} + e_t by least squares, the order of each column that of the
    # smallest AIC, at most 4. Columns that are independent series have independent innovations,
    # random walks too, whose correlations mean nothing.
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
