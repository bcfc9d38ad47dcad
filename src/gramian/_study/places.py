"""Where rows fall on the first two axes when rows are drawn anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

_LEVEL = 0.95
_DRAWN = 15  # more would cover one another


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


def ellipses(maps: np.ndarray, F: np.ndarray, index: Any) -> pd.DataFrame:
    """Return an ellipse around each row of a map, by its places over resamples.

    The covariance of B places of a row among n is n/(n − 1) times too small, and known as well as
    B draws tell it: the radius is that of Hotelling's T².
    """
    B, n = maps.shape[:2]
    rest = maps - maps.mean(axis=0)
    covariance = np.einsum("bik,bil->ikl", rest, rest) / (B - 1) * n / max(n - 1, 1)
    values, vectors = np.linalg.eigh(covariance)
    radius2 = 2.0 * (B - 1) / (B - 2) * stats.f.ppf(_LEVEL, 2, B - 2)
    size = np.sqrt(np.maximum(values, 0.0) * radius2)
    angle = np.degrees(np.arctan2(vectors[:, 1, 1], vectors[:, 0, 1]))
    columns = {"x": F[:, 0], "y": F[:, 1], "major": size[:, 1], "minor": size[:, 0]}
    return pd.DataFrame(columns | {"angle": (angle + 90) % 180 - 90}, index=index)


def with_ellipses(study: Any) -> np.ndarray:
    """Return the positions of the rows whose ellipses are drawn: those that contribute most."""
    contribution = study.fit.individuals()["contribution"].to_numpy()[:, :2].sum(axis=1)
    return np.sort(np.argsort(-contribution, kind="stable")[:_DRAWN])
