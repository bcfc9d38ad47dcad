"""Where majorisation begins: classical scaling first, then random configurations."""

from __future__ import annotations

from types import ModuleType

import numpy as np
from scipy.spatial.distance import squareform

from gramian.operators.centering import CenteredGram
from gramian.operators.dense import DenseGram
from gramian.spectral.dense import eigh
from gramian.spectral.krylov import block_krylov
from gramian.spectral.spectrum import column_signs
from gramian.stress.problem import Problem

__all__ = [
    "classical_axes",
    "classical_start",
    "filled",
    "random_start",
    "smoothed",
    "without_null_axes",
]

_SMALL = 400  # points up to which the whole spectrum is as quick as its leading part


def classical_axes(D: np.ndarray, s: np.ndarray | None, q: int) -> np.ndarray:
    """Return the map of classical scaling, (n, q), null axes being 0.

    Parameters
    ----------
    D : array (n, n)
        Dissimilarities, NaN where missing.
    s : array (n,), optional
        Weights of the points.
    """
    A = CenteredGram(DenseGram(-0.5 * filled(D) ** 2), None if s is None else s / s.sum())
    if A.n <= _SMALL:
        values, vectors = eigh(A.dense())
    else:
        found = block_krylov(A, q, tol=1e-6, max_products=30)
        values, vectors = found.values, found.vectors
    live = np.flatnonzero(values[:q] > 1e-9 * np.abs(values).max())
    X, U = np.zeros((A.n, q)), vectors[:, live]
    X[:, live] = U * (column_signs(U) * np.sqrt(values[live])) / A.root[:, None]
    return X


def filled(D: np.ndarray) -> np.ndarray:
    """Return D with the mean of the known entries of both points in the place of missing ones."""
    gaps = np.isnan(D)
    if not gaps.any():
        return D
    mean = np.nanmean(D, axis=1)
    return np.where(gaps, 0.5 * (mean[:, None] + mean[None, :]), D)


def classical_start(problem: Problem, q: int) -> np.ndarray:
    """Return the map of classical scaling of a problem, (n, q), null axes being 0."""
    delta = problem.target if problem.loss == "stress" else np.sqrt(problem.target)
    if problem.weight is not None:
        delta = np.where(problem.weight > 0, delta, np.nan)
    return classical_axes(squareform(delta, checks=False), problem.points, q)


def without_null_axes(X: np.ndarray, random: np.ndarray) -> np.ndarray:
    """Return X with a little of a random start on the axes where all points are the same.

    Majorisation never leaves a subspace it starts in.
    """
    null = np.ptp(X, axis=0) == 0
    return np.where(null, random * (1.0 if null.all() else 0.1), X)


def random_start(problem: Problem, q: int, rng: np.random.Generator) -> np.ndarray:
    """Return normal points about as far from each other as the dissimilarities say, (n, q)."""
    w = np.ones_like(problem.target) if problem.weight is None else problem.weight
    square = problem.target if problem.loss == "sstress" else problem.target**2
    return rng.standard_normal((problem.n, q)) * np.sqrt(w @ square / (2 * q * w.sum()))


def smoothed(problem: Problem, X: np.ndarray, sweeps: int, loops: ModuleType) -> np.ndarray:
    """Return X after some sweeps of squared distances, whose loss has few local minima.

    From there a local minimum of the stress is the best one about twice as often as from X.
    """
    target = problem.square_target if problem.loss == "sstress" else problem.square_target**2
    for _ in range(sweeps):
        X = loops.sweep(target, problem.square_weight, X)
    return X
