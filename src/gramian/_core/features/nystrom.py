"""Nyström's approximation: k(x, y) ≈ k(x, Z) k(Z, Z)⁺ k(Z, y)."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import solve_triangular

from gramian._core.array import Array, as_kind, eps, is_array, namespace, take, to_numpy
from gramian._core.check import short
from gramian._core.features.landmarks import CHOICES, known, rpcholesky
from gramian._core.features.lowrank import LandmarkMap, LowRank
from gramian._core.frames import is_frame
from gramian._core.numbers import as_array, refuse_masks
from gramian._core.operators.base import require_range, vanished
from gramian._core.pairs import Pairs, Points
from gramian._core.parallel import one_blas_thread
from gramian._core.table import table
from gramian.errors import InputError
from gramian.kernels.base import Kernel


def nystrom(
    kernel: Kernel,
    points: Points,
    rank: int | float,
    landmarks: Any,
    rng: np.random.Generator,
    weights: np.ndarray | None = None,
) -> LowRank:
    """Return features on landmarks.

    Parameters
    ----------
    rank : int, or float in (0, 1)
        Number of landmarks, or the share of the trace that may be left out (rpcholesky only).
    landmarks : str, row numbers (k,), or points (k, p)
    """
    n = len(points)
    with np.errstate(over="ignore", invalid="ignore"):  # looked at here
        size = require_range(kernel.self_similarity(points.X))
    if size == 0:
        raise (
            vanished()
            if points.varies
            else InputError(
                "X: all its kernel values are zero, there are no features to find (X is constant)"
            )
        )
    most, target = (min(rank, n), 0.0) if isinstance(rank, int | np.integer) else (n, float(rank))
    if isinstance(landmarks, str) and landmarks == "rpcholesky":
        rows, F, error = rpcholesky(kernel, points, int(most), rng, weights=weights, target=target)
        L = to_numpy(take(known(F), rows, axis=0)).astype(np.float64)
        with one_blas_thread():
            W = solve_triangular(L, np.eye(rows.size), lower=True).T
        map_ = LandmarkMap(kernel, points.take(rows), as_kind(W, F))
        return LowRank(map_, F, error, rows)
    if target:
        raise InputError(f"rank={short(rank)}: a target error needs landmarks='rpcholesky'")
    choice = _chosen(kernel, points, int(most), landmarks, rng)
    Z = choice if isinstance(choice, Points) else points.take(choice)
    map_ = LandmarkMap(kernel, Z, inverse_root(known(kernel.block(Pairs(Z)))))
    F = known(map_.of(points))
    total = float(to_numpy(kernel.self_similarity(points.X)).astype(np.float64).sum())
    covered = float(namespace(F).sum(F * F))
    error = max(1.0 - covered / total, 0.0)
    return LowRank(map_, F, error, None if isinstance(choice, Points) else choice)


def _chosen(
    kernel: Kernel, points: Points, rank: int, landmarks: Any, rng: np.random.Generator
) -> np.ndarray | Points:
    if isinstance(landmarks, str):
        if landmarks not in CHOICES:
            known = ", ".join(["rpcholesky", *CHOICES])
            raise InputError(f"landmarks={short(landmarks)} is not known: use {known}, or an array")
        return CHOICES[landmarks](kernel, points, rank, rng)
    refuse_masks(landmarks, "landmarks")
    if is_frame(landmarks):
        landmarks = table(landmarks, "landmarks", min_rows=1).values
    array = landmarks if is_array(landmarks) else as_array(landmarks, "landmarks")
    if array.ndim == 1 and np.asarray(to_numpy(array)).dtype.kind in "iu":
        rows = to_numpy(array)
        if rows.size == 0 or rows.min() < 0 or rows.max() >= len(points):
            raise InputError(f"landmarks: row numbers must lie between 0 and {len(points) - 1}")
        return rows
    if array.ndim != 2 or array.shape[1] != points.X.shape[1]:
        raise InputError("landmarks must be row numbers (k,) or points with the columns of X")
    rows = to_numpy(table(array, "landmarks", min_rows=1).values)
    return Points(as_kind(np.array(rows), points.X), points)  # a copy


def inverse_root(K: Array) -> Array:
    """Return W with W·Wᵀ the pseudo-inverse of a positive semi-definite K."""
    xp = namespace(K)
    values, vectors = xp.linalg.eigh(K)
    live = values > K.shape[0] * eps(K.dtype, xp) * xp.max(values)
    safe = xp.where(live, values, xp.ones_like(values))
    return vectors * xp.where(live, 1.0 / xp.sqrt(safe), xp.zeros_like(values))[None, :]
