"""Bi-cross-validation: a block of rows and columns predicted from the rest of the table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from gramian._random import generator
from gramian.dimension.cross_validation import CrossValidation, standardised
from gramian.errors import InputError

__all__ = ["bi_cross_validation"]


def bi_cross_validation(
    X: Any,
    *,
    scale: bool = False,
    max_components: int | None = None,
    n_folds: int = 2,
    n_repeats: int = 10,
    random_state: Any = None,
) -> CrossValidation:
    """Choose the number of axes that predicts blocks of the table from the other blocks.

    With the table cut in four, [[A, B], [C, D]], the block A is predicted by B·D_q⁺·C, D_q being
    the best approximation of rank q of D; the errors over all blocks are added (Owen and Perry
    2009). The number with the smallest error is kept.

    Parameters
    ----------
    X : table (n, p)
    scale : bool
        Scale the columns.
    max_components : int, optional
        The most axes tried; by default all that the blocks allow.
    n_folds : int
        Parts that rows, and columns, are cut in.
    n_repeats : int
        Random partitions.
    random_state : int, optional

    Returns
    -------
    CrossValidation

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> X = rng.standard_normal((60, 2)) @ rng.standard_normal((2, 20))
    >>> bi_cross_validation(X + 0.3 * rng.standard_normal((60, 20))).n_components
    2
    """
    Y = standardised(X, scale)
    n, p = Y.shape
    if not 2 <= n_folds <= min(n, p):
        raise InputError(f"n_folds={n_folds!r} must lie between 2 and {min(n, p)} for {n} × {p}")
    if n_repeats < 1:
        raise InputError(f"n_repeats={n_repeats!r} must be at least 1")
    rng = generator(random_state)
    # The smallest block D that is left, less one axis so that it never fits exactly.
    most = max(min(n - -(-n // n_folds), p - -(-p // n_folds)) - 1, 0)
    most = most if max_components is None else min(most, max_components)
    error = np.zeros(most + 1)
    for _ in range(n_repeats):
        rows, columns = rng.permutation(n) % n_folds, rng.permutation(p) % n_folds
        for i in range(n_folds):
            for j in range(n_folds):
                error += _block_errors(Y, rows == i, columns == j, most)
    error /= n_repeats * Y.size
    criterion = pd.Series(error, index=pd.RangeIndex(most + 1, name="q"), name="bcv")
    return CrossValidation(int(np.argmin(error)), criterion, "bcv")


def _block_errors(Y: np.ndarray, rows: np.ndarray, columns: np.ndarray, most: int) -> np.ndarray:
    """Return |A − B·D_q⁺·C|² for q = 0 … most."""
    A, B = Y[np.ix_(rows, columns)], Y[np.ix_(rows, ~columns)]
    C, D = Y[np.ix_(~rows, columns)], Y[np.ix_(~rows, ~columns)]
    U, s, Vt = np.linalg.svd(D, full_matrices=False)
    left, right = B @ Vt.T, U.T @ C
    errors = [float(np.sum(A * A))]
    for k in range(most):
        if s[k] > 1e-12 * s[0]:
            A = A - np.outer(left[:, k], right[k]) / s[k]
        errors.append(float(np.sum(A * A)))
    return np.array(errors)
