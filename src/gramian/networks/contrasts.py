"""Samples without the means of their conditions: as many independent rows as there is left to know.

Taking means off samples ties them: n samples of a condition less their mean are n − 1 independent
rows, the contrasts of Helmert. Networks of them are those of the deviations, and a test of a
correlation counts what there really is.
"""

import numpy as np
import pandas as pd

from gramian._core.numbers import groups_of_rows
from gramian._core.types import VectorLike
from gramian.errors import InputError


def contrasts(X: np.ndarray, codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return contrasts z_k = (x_1 + … + x_k − k·x_{k+1})/√(k(k+1)), and the condition of each."""
    conditions, parts = np.unique(codes), []
    for c in conditions:
        x = X[codes == c] - X[codes == c].mean(axis=0)  # large levels cost no digits
        k = np.arange(1.0, len(x))[:, None]
        parts.append((np.cumsum(x, axis=0)[:-1] - k * x[1:]) / np.sqrt(k * (k + 1.0)))
    return np.vstack(parts), np.repeat(conditions, [len(part) for part in parts])


def rows_of(Z: np.ndarray) -> np.ndarray:
    """Return the table (m + 1, p) of column means 0 whose contrasts are Z (m, p)."""
    k = np.arange(1.0, len(Z) + 1.0)[:, None]
    part = Z / np.sqrt(k * (k + 1.0))
    later = np.cumsum(part[::-1], axis=0)[::-1]  # row j gets all z_k with k ≥ j …
    out = np.zeros((len(Z) + 1, Z.shape[1]))
    out[:-1] = later
    out[1:] -= k * part  # … less (j − 1) times z_{j − 1}
    return out


def without_means(X: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Return a table with the correlations of X less the means of conditions, and their freedom."""
    # n rows of C conditions become n − C + 1: a test that takes them for independent samples is
    # right.
    return rows_of(contrasts(X, codes)[0])


def conditions_of(condition: VectorLike | None, n: int) -> tuple[np.ndarray, list[str]]:
    """Return the condition of each sample as a number, and the names of the conditions."""
    if condition is None:
        return np.zeros(n, dtype=np.int64), ["all"]
    codes, levels = pd.factorize(groups_of_rows(condition, n, "condition"), sort=False)
    names = [str(level) for level in levels]
    if len(set(names)) < len(names):
        raise InputError("condition has two labels that read the same: make them all texts")
    return codes.astype(np.int64), names
