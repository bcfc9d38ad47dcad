"""Where majorisation begins: classical scaling first, then random configurations."""

from __future__ import annotations

from types import ModuleType

import numpy as np
from scipy.spatial.distance import squareform

from gramian.operators.centering import CenteredGram
from gramian.operators.dense import DenseGram
from gramian.spectral.dense import eigh
from gramian.spectral.krylov import block_krylov
from gramian.stress.problem import Problem

__all__ = ["classical_start", "random_start", "smoothed"]

_SMALL = 400  # points up to which the whole spectrum is as quick as its leading part


def classical_start(problem: Problem, q: int, rng: np.random.Generator) -> np.ndarray:
    """Return the map of classical scaling, (n, q).

    Axes without inertia are filled with noise: majorisation never leaves a subspace it starts in.
    """
    delta = problem.target if problem.loss == "stress" else np.sqrt(problem.target)
    D = squareform(delta, checks=False)
    if problem.weight is not None:
        _fill(D, problem.square_weight > 0)
    A = CenteredGram(DenseGram(-0.5 * D * D))
    if problem.n <= _SMALL:
        values, vectors = eigh(A.dense())
    else:
        found = block_krylov(A, q, tol=1e-6, max_products=30)
        values, vectors = found.values, found.vectors
    X = random_start(problem, q, rng)
    live = np.flatnonzero(values[:q] > 1e-9 * abs(values[0]))
    if live.size:
        X *= 0.1
    X[:, live] = vectors[:, live] * np.sqrt(problem.n * values[live])
    return X


def _fill(D: np.ndarray, known: np.ndarray) -> None:
    """Put the mean of the known dissimilarities of both points in the place of missing ones."""
    mean = D.sum(axis=1, where=known) / known.sum(axis=1)
    gaps = ~known
    np.fill_diagonal(gaps, False)
    D[gaps] = (0.5 * (mean[:, None] + mean[None, :]))[gaps]


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
