"""Rows as a centred Gram matrix: −½d², whatever the distance or kernel is."""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian._array import to_numpy
from gramian._blocks import budget_bytes, require
from gramian._validate import Table, distance_matrix
from gramian.embedding import count
from gramian.errors import InputError
from gramian.estimators._distances import distance_of, distance_rows, is_metric

__all__ = ["centred", "distances_of"]


def distances_of(X: Any, metric: Any) -> tuple[np.ndarray, Any]:
    """Return the distances between rows, (n, n), and the labels of the rows."""
    rows = distance_rows(X, metric)
    n = count(rows.values)
    require(40 * n * n, budget_bytes(None), f"the distances of {n} rows", "give fewer rows")
    D = rows.values if is_metric(metric, "precomputed") else distance_of(metric, rows)(rows.values)
    D = np.asarray(to_numpy(D), dtype=float)
    distance_matrix(Table(D), "metric: its result")
    if not D.any():
        raise InputError("X: all its rows are the same: there is nothing to explain")
    return 0.5 * (D + D.T), rows.index


def centred(D: np.ndarray, p: np.ndarray) -> np.ndarray:
    """Return √P(I − 1pᵀ)(−½D²)(I − p1ᵀ)√P, whose trace is the inertia of weights p of sum 1."""
    G = -0.5 * D**2
    means = G @ p
    G = G - means[:, None] - means[None, :] + p @ means
    root = np.sqrt(p)
    return root[:, None] * G * root[None, :]
