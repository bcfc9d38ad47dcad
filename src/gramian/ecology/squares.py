"""Rows as a centred Gram matrix: −½d², whatever the distance or kernel is."""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian._core.numbers import require_square
from gramian._estimators.analysis import distances_between
from gramian.errors import InputError


def distances_of(X: Any, metric: Any) -> tuple[np.ndarray, Any]:
    """Return the distances between rows, (n, n), not all 0, and the labels of the rows."""
    D, index = distances_between(X, metric)
    if not D.any():
        raise InputError("X: all its rows are the same: give rows that differ")
    require_square(D.max(), "X: its largest distance")
    return D, index


def centred(D: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return √P(I − 1pᵀ)(−½D²)(I − p1ᵀ)√P, whose trace is the inertia of weights p of sum 1."""
    G = -0.5 * D**2
    means = G @ p
    G = G - means[:, None] - means[None, :] + p @ means
    root = np.sqrt(p)
    return root[:, None] * G * root[None, :]
