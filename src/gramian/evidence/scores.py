"""Normal scores: columns whose ranks stay and whose tails do not."""

from __future__ import annotations

import numpy as np
from scipy import special, stats

__all__ = ["normal_scores"]


def normal_scores(X: np.ndarray) -> np.ndarray:
    """Return Φ⁻¹((rank − ½)/n) of each column, centred and of variance 1; zeros where constant.

    >>> normal_scores(np.array([[1.0], [10.0], [1000.0]])).ravel().round(3).tolist()
    [-1.225, 0.0, 1.225]
    """
    Z = special.ndtri((stats.rankdata(X, axis=0) - 0.5) / len(X))
    Z = Z - Z.mean(axis=0)
    size = Z.std(axis=0)
    return Z / np.where(size > 1e-9, size, np.inf)
