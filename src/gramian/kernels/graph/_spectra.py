"""Eigenpairs of symmetric matrices of graphs, all graphs of one size at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gramian._core.parallel import distribute
from gramian.kernels.graph._batch import Batch
from gramian.kernels.graph._graph import Graph

ENTRIES_AT_ONCE = 1 << 20

Profile = Callable[[np.ndarray], np.ndarray]  # may overwrite what it is given
Spectrum = tuple[np.ndarray, np.ndarray]  # eigenvalues, and squares of what 1 has of each vector


def walk_spectra(batch: Batch) -> list[Spectrum]:
    """Return for each graph the eigenvalues μ of A and (Σ_i u_i)² of their eigenvectors u.

    Sums over walks of t steps are then Σ (Σ_i u_i)² μ^t.
    """
    spectra: list[Spectrum] = [(np.empty(0), np.empty(0))] * len(batch)
    groups = _of_one_size(batch)
    alike = [[batch.graphs[g] for g in which] for which in groups]
    cost = float((batch.sizes.astype(float) ** 3).sum())
    for which, found in zip(groups, _parallel_map(_group_spectra, alike, cost=cost), strict=True):
        for g, spectrum in zip(which, found, strict=True):
            spectra[g] = spectrum
    return spectra


def _group_spectra(groups: Sequence[list[Graph]]) -> list[list[Spectrum]]:
    """Return the same for groups of graphs, those of one being of one size."""
    out = []
    for graphs in groups:
        values, vectors = np.linalg.eigh(_dense(graphs))
        out.append([(mu, u.sum(axis=0) ** 2) for mu, u in zip(values, vectors, strict=True)])
    return out


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
    others = nu, b, starts, f, scale
    rows = [(g if same else 0, spectrum) for g, spectrum in enumerate(left)]
    cost = nu.size * sum(mu.size for mu, _ in left)
    for g, sums in enumerate(_parallel_map(_row_sums, rows, *others, cost=cost)):
        K[g, rows[g][0] :] = sums
    return K


def _row_sums(
    rows: Sequence[tuple[int, Spectrum]],
    nu: np.ndarray,
    b: np.ndarray,
    starts: np.ndarray,
    f: Profile,
    scale: float,
) -> list[np.ndarray]:
    """Return the sums of some rows, each from a first column on."""
    sums = []
    for first, spectrum in rows:
        row = _row(*spectrum, nu[starts[first] :], f, scale) * b[starts[first] :]
        sums.append(np.add.reduceat(row, starts[first:] - starts[first]))
    return sums


def _parallel_map(
    work: Callable[..., list[Any]], items: Sequence[Any], *common: Any, cost: float
) -> list[Any]:
    """Return what work makes of the items, dealt out if that is worth it."""
    return distribute(work, items, *common) if cost > 1e6 else work(items, *common)


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
