"""Bi-cross-validation: a block of rows and columns predicted from the rest of the table."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from gramian._check import generator, whole
from gramian.reading.prediction import CrossValidation

__all__ = ["predict_blocks"]


def predict_blocks(
    Y: np.ndarray,
    *,
    max_components: int | None = None,
    n_folds: int = 2,
    n_repeats: int = 10,
    random_state: Any = None,
) -> CrossValidation:
    """Count the axes that predict blocks of Y best (see `gm.dimension.bi_cross_validation`)."""
    n, p = Y.shape
    whole(n_folds, "n_folds", 2, min(n, p), what=f"for {n} × {p}")
    whole(n_repeats, "n_repeats")
    rng = generator(random_state)
    # The smallest block D that is left, less one axis so that it never fits exactly.
    most = max(min(n - -(-n // n_folds), p - -(-p // n_folds)) - 1, 0)
    if max_components is not None:
        most = min(most, whole(max_components, "max_components", 0))
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
