"""Eigenpairs of symmetric matrices of graphs, all graphs of one size at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gramian._blocks import spread
from gramian.kernels.graph._batch import Batch
from gramian.kernels.graph._graph import Graph

__all__ = ["Spectrum", "spectral_diagonal", "spectral_sums", "walk_spectra"]

ENTRIES_AT_ONCE = 1 << 20

Profile = Callable[[np.ndarray], np.ndarray]  # may overwrite what it is given
Spectrum = tuple[np.ndarray, np.ndarray]  # eigenvalues, and squares of what 1 has of each vector


def walk_spectra(batch: Batch) -> list[Spectrum]:
    """Return for each graph the eigenvalues μ of A and (Σ_i u_i)² of their eigenvectors u.

    Sums over walks of t steps are then Σ (Σ_i u_i)² μ^t.
    """
    spectra: list[Spectrum] = [(np.empty(0), np.empty(0))] * len(batch)

    def work(groups: Sequence[np.ndarray]) -> None:
        for which in groups:
            values, vectors = np.linalg.eigh(_dense([batch.graphs[g] for g in which]))
            for g, mu, u in zip(which, values, vectors, strict=True):
                spectra[g] = mu, u.sum(axis=0) ** 2

    _share(work, _of_one_size(batch), cost=float((batch.sizes.astype(float) ** 3).sum()))
    return spectra


def _of_one_size(batch: Batch) -> list[np.ndarray]:
    """Return groups of graphs of equal size, whose eigenpairs are found together."""
    groups = []
    for n in np.unique(batch.sizes):
        which = np.flatnonzero(batch.sizes == n)
        at_once = max(1, ENTRIES_AT_ONCE // int(n) ** 2)
        groups += [which[start : start + at_once] for start in range(0, which.size, at_once)]
    return groups


def _dense(graphs: list[Graph]) -> np.ndarray:
    n = graphs[0].n_nodes
    A = np.zeros((len(graphs), n, n))
    for k, graph in enumerate(graphs):
        A[k, np.repeat(np.arange(n), np.diff(graph.indptr)), graph.indices] = graph.weights
    return A


def spectral_sums(
    left: list[Spectrum], right: list[Spectrum], f: Profile, scale: float, same: bool
) -> np.ndarray:
    """Return Σ_ij a_i b_j f(scale·μ_i ν_j) for all pairs; above the diagonal if both are one."""
    sizes = np.array([values.size for values, _ in right])
    starts = np.cumsum(sizes) - sizes
    nu, b = (np.concatenate(part) for part in zip(*right, strict=True))
    K = np.zeros((len(left), len(right)))

    def work(rows: Sequence[int]) -> None:
        for g in rows:
            first = g if same else 0
            row = _row(*left[g], nu[starts[first] :], f, scale) * b[starts[first] :]
            K[g, first:] = np.add.reduceat(row, starts[first:] - starts[first])

    _share(work, range(len(left)), cost=nu.size * sum(mu.size for mu, _ in left))
    return K


def _share(work: Callable[[Sequence[Any]], None], items: Sequence[Any], cost: float) -> None:
    """Spread work over the cores if it is worth starting threads."""
    if cost > 1e6:
        spread(work, items)
    else:
        work(items)


def _row(mu: np.ndarray, a: np.ndarray, nu: np.ndarray, f: Profile, scale: float) -> np.ndarray:
    """Return Σ_i a_i f(scale·μ_i ν) for all ν, in blocks that stay in the cache."""
    row = np.empty(nu.size)
    step = max(1, (1 << 15) // mu.size)
    for start in range(0, nu.size, step):
        part = slice(start, start + step)
        row[part] = a @ f(np.multiply.outer(scale * mu, nu[part]))
    return row


def spectral_diagonal(spectra: list[Spectrum], f: Profile, scale: float) -> np.ndarray:
    """Return Σ_ij a_i a_j f(scale·μ_i μ_j) for every graph."""
    return np.array([_row(mu, a, mu, f, scale) @ a for mu, a in spectra])
