"""What each column brings that its own past does not tell."""

from __future__ import annotations

import numpy as np

__all__ = ["innovations"]


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
    return (y - lags @ b)[:, :, 0].T
