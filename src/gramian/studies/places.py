"""Where rows fall on the first two axes when rows are drawn anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

__all__ = ["ellipses", "places"]

_LEVEL = 0.95


def places(
    X: np.ndarray, F: np.ndarray, count: int, rng: np.random.Generator, scaled: bool
) -> np.ndarray:
    """Return the coordinates (B, n, 2) of all rows on the axes of resampled ones.

    Each resample gives rows a weight, the number of times they were drawn; its map is laid on that
    of all rows, F, by a rotation.
    """
    n = len(X)
    drawn = rng.multinomial(n, np.full(n, 1.0 / n), count) / n
    return np.array([_laid(F, _map(X, w, scaled)) for w in drawn])


def _map(X: np.ndarray, w: np.ndarray, scaled: bool) -> np.ndarray:
    """Return all rows on the first two axes of weighted ones."""
    Z = X - w @ X
    if scaled:
        sd = np.sqrt(w @ Z**2)
        Z = np.divide(Z, sd, out=np.zeros_like(Z), where=sd > 1e-9)  # constant in this resample
    R = Z * np.sqrt(w)[:, None]
    if Z.shape[1] <= len(Z):
        return np.asarray(Z @ np.linalg.eigh(R.T @ R)[1][:, :-3:-1])
    values, U = np.linalg.eigh(R @ R.T)
    V = R.T @ (U[:, :-3:-1] / np.sqrt(np.maximum(values[:-3:-1], 1e-300)))
    return np.asarray(Z @ V)


def _laid(F: np.ndarray, Y: np.ndarray) -> np.ndarray:
    """Return a map rotated onto another."""
    U, _, Vt = np.linalg.svd(Y.T @ F)
    return np.asarray(Y @ (U @ Vt))


def ellipses(maps: np.ndarray, index: Any) -> pd.DataFrame:
    """Return the ellipse of each row that holds 95 % of its places."""
    centre = maps.mean(axis=0)
    rest = maps - centre
    values, vectors = np.linalg.eigh(np.einsum("bik,bil->ikl", rest, rest) / (len(maps) - 1))
    size = np.sqrt(np.maximum(values, 0.0) * stats.chi2.ppf(_LEVEL, 2))
    angle = np.degrees(np.arctan2(vectors[:, 1, 1], vectors[:, 0, 1]))
    columns = {"x": centre[:, 0], "y": centre[:, 1], "major": size[:, 1], "minor": size[:, 0]}
    return pd.DataFrame(columns | {"angle": (angle + 90) % 180 - 90}, index=index)
