"""Numbers of walks, step by step, for a whole collection at once.

Σ_t c_t 1ᵀ(A ⊗ B)^t 1 = Σ_t c_t·(1ᵀA^t 1)·(1ᵀB^t 1): the numbers of walks, times √c_t, are features.
All terms are positive, so the sum loses no digits, and few are needed unless it is close to
diverging.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy import sparse

from gramian.kernels.graph._batch import Batch

ROUNDS = 24


def walk_features(batch: Batch, ratio: Callable[[int], float], steps: int) -> np.ndarray:
    """Return √c_t times the number of walks of t steps, (g, steps + 1); c_t/c_{t−1} = ratio(t)."""
    A, first = _adjacency(batch), batch.offsets[:-1]
    y = np.ones(batch.owner.size)
    F = np.empty((len(batch), steps + 1))
    F[:, 0] = batch.sizes
    for t in range(1, steps + 1):
        y = np.sqrt(ratio(t)) * (A @ y)
        F[:, t] = np.add.reduceat(y, first)
    return F


def radius_bounds(batch: Batch) -> np.ndarray:
    """Return upper bounds of the largest eigenvalues, (g,), after Collatz and Wielandt.

    max_i (Ay)_i/y_i is one for every positive y; power iteration makes it sharp.
    """
    A, first, owner = _adjacency(batch), batch.offsets[:-1], batch.owner
    y = np.ones(owner.size)
    bound = np.maximum.reduceat(A @ y, first)
    # The shift keeps bipartite graphs from going back and forth, and y from vanishing.
    shift = np.where(bound > 0, 0.5 * bound, 1.0)[owner]
    for _ in range(ROUNDS):
        y = A @ y + shift * y
        y /= np.maximum.reduceat(y, first)[owner]
        bound = np.minimum(bound, np.maximum.reduceat((A @ y) / y, first))
    return bound * (1.0 + 1e-12)


def _adjacency(batch: Batch) -> sparse.csr_array:
    N = batch.owner.size
    return sparse.csr_array((batch.weights, batch.heads, batch.indptr), shape=(N, N))
