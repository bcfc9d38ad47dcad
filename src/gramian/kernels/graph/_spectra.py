"""Eigenpairs of symmetric matrices of graphs, all graphs of one size at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from gramian.kernels.graph._batch import Batch

__all__ = ["adjacencies", "laplacians", "walk_spectra"]

ENTRIES_AT_ONCE = 1 << 22


def adjacencies(batch: Batch) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield positions of graphs of one size, and their dense adjacency matrices (c, n, n)."""
    for n in np.unique(batch.sizes):
        of_size = np.flatnonzero(batch.sizes == n)
        at_once = max(1, ENTRIES_AT_ONCE // int(n) ** 2)
        for start in range(0, of_size.size, at_once):
            which = of_size[start : start + at_once]
            A = np.zeros((which.size, n, n))
            for k, graph in enumerate(batch.graphs[g] for g in which):
                rows = np.repeat(np.arange(n), np.diff(graph.indptr))
                A[k, rows, graph.indices] = graph.weights
            yield which, A


def laplacians(batch: Batch) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Yield positions of graphs of one size, and their Laplacians, degrees minus adjacency."""
    for which, A in adjacencies(batch):
        L = -A
        n = A.shape[1]
        L[:, np.arange(n), np.arange(n)] = A.sum(axis=2)
        yield which, L


Spectrum = tuple[np.ndarray, np.ndarray]


def walk_spectra(batch: Batch) -> list[Spectrum]:
    """Return for each graph the eigenvalues μ of A and (Σ_i u_i)² of their eigenvectors u.

    Sums over walks of t steps are then Σ (Σ_i u_i)² μ^t.
    """
    found: list[Spectrum] = [(np.empty(0), np.empty(0))] * len(batch)
    for which, A in adjacencies(batch):
        values, vectors = np.linalg.eigh(A)
        squares = vectors.sum(axis=1) ** 2
        for k, g in enumerate(which):
            found[g] = values[k], squares[k]
    return found


def spectral_sums(
    left: list[Spectrum],
    right: list[Spectrum],
    f: Callable[[np.ndarray], np.ndarray],
    same: bool,
) -> np.ndarray:
    """Return Σ_ij a_i b_j f(μ_i ν_j) for every pair; on and above the diagonal if both are one."""
    sizes = np.array([values.size for values, _ in right])
    starts = np.cumsum(sizes) - sizes
    nu, b = (np.concatenate(part) for part in zip(*right, strict=True))
    K = np.zeros((len(left), len(right)))
    for g, (mu, a) in enumerate(left):
        first = g if same else 0
        at = starts[first]
        row = np.empty(nu.size - at)
        step = max(1, (1 << 16) // mu.size)  # blocks that stay in the cache
        for s in range(0, row.size, step):
            part = slice(at + s, at + s + step)
            row[s : s + step] = a @ f(mu[:, None] * nu[None, part])
        K[g, first:] = np.add.reduceat(row * b[at:], starts[first:] - at)
    return K
