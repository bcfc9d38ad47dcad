"""Several kernels on the same individuals: how alike they are, and how much each should weigh.

With A_b = P^½ (I − 1pᵀ) G_b (I − p1ᵀ) P^½ the centred operator of kernel b, two kernels are
compared by the RV coefficient ⟨A_a, A_b⟩/(|A_a| |A_b|). Everything here goes over slabs of columns:
a few passes over the kernel values, O(n²) each, and no n × n array.
"""

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np
from scipy import sparse
from scipy.optimize import nnls

from gramian._core.array import to_numpy
from gramian._core.operators.gram import CenteredGram
from gramian._core.parallel import parallel_map, row_blocks
from gramian.errors import InputError

T = TypeVar("T")
_SLAB_ENTRIES = 1 << 23  # numbers in the slabs of all kernels that are at hand together
_TIE_SHARE = 1e-6  # how much the other kernels count where one cannot tell neighbours apart


def inner_products(kernels: Sequence[CenteredGram]) -> np.ndarray:
    """Return tr(A_a A_b)/(tr A_a · tr A_b) for all pairs of kernels, (B, B)."""
    root = [to_numpy(A.root).astype(np.float64) for A in kernels]

    def work(slabs: Sequence[slice]) -> np.ndarray:
        total = np.zeros((len(kernels), len(kernels)))
        for cols in slabs:
            parts = [
                (centre_columns(A, cols) * r[:, None] * r[None, cols]).ravel()
                for A, r in zip(kernels, root, strict=True)
            ]
            M = np.stack(parts)
            total += M @ M.T
        return total

    return np.sum(over_slabs(kernels, work), axis=0)


def rv_matrix(inner: np.ndarray) -> np.ndarray:
    """Return the RV coefficients from the inner products, with ones on the diagonal."""
    size = np.sqrt(np.diag(inner))
    rv = inner / np.outer(size, size)
    rv = 0.5 * (rv + rv.T)
    np.fill_diagonal(rv, 1.0)
    return rv


def statis_weights(rv: np.ndarray) -> np.ndarray:
    """Return the first eigenvector of the RV matrix, with sum 1: kernels that agree weigh more."""
    values, V = np.linalg.eigh(rv)
    tied = V[:, values >= values[-1] * (1.0 - 1e-8)]
    # Equal weights projected on the eigenspace: what the first eigenvector is, where there is one.
    first = tied @ tied.sum(axis=0) if tied.shape[1] > 1 else tied[:, 0]
    first = -first if first.sum() < 0 else first
    if first.min() < -1e-9:
        raise InputError(
            f"kernels: the RV coefficients are as low as {rv.min():.3g}, so that STATIS would give "
            "a negative weight (a kernel is indefinite): use combine='mean'"
        )
    first = np.clip(first, 0.0, None)
    return first / first.sum()


def neighbour_graph(kernels: Sequence[CenteredGram], n_neighbors: int) -> sparse.csr_array:
    """Return W, the number of kernels for which i is a near neighbour of j or j of i, (n, n).

    Neighbours are near in the kernel's feature space. Where one kernel has ties, as those of a few
    categories have, the mean of all the kernels decides, so that the order of the rows does not.
    """
    n = kernels[0].n
    k = min(n_neighbors, n - 1)
    diag = [to_numpy(A.diag()).astype(np.float64) / A.trace() for A in kernels]

    def work(slabs: Sequence[slice]) -> list[tuple[slice, list[np.ndarray]]]:
        neighbours = []
        for cols in slabs:
            far = [
                d[:, None] + d[None, cols] - 2.0 * centre_columns(A, cols)
                for A, d in zip(kernels, diag, strict=True)
            ]
            mean = sum(far) * (_TIE_SHARE / len(far))
            own = np.arange(cols.start, cols.stop)
            near = []
            for D in far:
                D += mean
                D[own, own - cols.start] = np.inf
                near.append(np.argpartition(D, k - 1, axis=0)[:k])
            neighbours.append((cols, near))
        return neighbours

    W = sparse.csr_array((n, n))
    shares = [part for share in over_slabs(kernels, work) for part in share]
    for b in range(len(kernels)):
        rows = np.concatenate([near[b].T.ravel() for _, near in shares])
        cols = np.concatenate([np.repeat(np.arange(c.start, c.stop), k) for c, _ in shares])
        N = sparse.csr_array((np.ones(rows.size), (rows, cols)), shape=(n, n))
        W = W + N.maximum(N.T)
    return W


def roughness(kernels: Sequence[CenteredGram], W: sparse.csr_array) -> np.ndarray:
    """Return how much the kernels change between neighbours, and change together, (B, B).

    S_ab = Σ_ij W_ij ⟨Δ_i^a − Δ_j^a, Δ_i^b − Δ_j^b⟩ over √(S_aa S_bb), Δ_i the row of i in the
    centred kernel: 1 on the diagonal, so that the unit of a kernel does not matter.
    """
    p = to_numpy(kernels[0].p).astype(np.float64)
    weighted = sparse.csr_array(sparse.diags_array(p) @ W @ sparse.diags_array(p))
    L = sparse.csr_array(sparse.diags_array(weighted.sum(axis=1)) - weighted)

    def work(slabs: Sequence[slice]) -> np.ndarray:
        total = np.zeros((len(kernels), len(kernels)))
        for cols in slabs:
            Y = [centre_columns(A, cols) for A in kernels]
            rough = np.stack([(L @ (y * p[None, cols])).ravel() for y in Y])
            total += np.stack([y.ravel() for y in Y]) @ rough.T
        return total

    S = np.sum(over_slabs(kernels, work), axis=0)
    return rv_matrix(0.5 * (S + S.T))


def sparse_weights(S: np.ndarray) -> np.ndarray:
    """Return the weights β ≥ 0 with sum 1 that make βᵀSβ least; some are exactly 0.

    By non-negative least squares: up to a factor, β minimises βᵀSβ + (Σβ − 1)².
    """
    values, V = np.linalg.eigh(S)
    root = np.sqrt(np.clip(values, 0.0, None))[:, None] * V.T
    size = np.sqrt(np.trace(S))
    M = np.vstack([root, np.full((1, len(S)), size)])
    weights = nnls(M, np.append(np.zeros(len(S)), size))[0]
    return weights / weights.sum()


def ridge_weights(S: np.ndarray, ridge: float) -> np.ndarray:
    """Return the weights β ≥ 0 with sum 1 that make βᵀSβ + ridge·|β|² least."""
    return sparse_weights(S + ridge * np.eye(len(S)))


def centre_columns(A: CenteredGram, cols: slice) -> np.ndarray:
    """Return columns of the centred kernel k̃, without the weights, its inertia made 1, (n, c).

    Kernels of any size can then be squared.
    """
    c = A.centering
    K = to_numpy(A.gram.block(slice(0, A.n), cols)).astype(np.float64)
    means = to_numpy(c.means).astype(np.float64)
    return (K - (means[:, None] + means[None, cols] - c.grand)) / A.trace()


def over_slabs(kernels: Sequence[CenteredGram], work: Callable[[Sequence[slice]], T]) -> list[T]:
    """Deal slabs of columns to the cores, after the means have been made by one thread."""
    n = kernels[0].n
    for A in kernels:
        _ = A.centering
    width = int(np.clip(_SLAB_ENTRIES // (n * len(kernels)), 1, 512))
    return parallel_map(work, list(row_blocks(n, width)))
