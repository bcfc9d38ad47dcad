"""Operators with known eigenpairs, and one that counts its products."""

import numpy as np

from gramian._core.operators.gram import Symmetric


class Matrix(Symmetric):
    """A matrix in memory, as an operator that counts the products asked of it."""

    def __init__(self, M):
        self.M = M
        self.n = M.shape[0]
        self.dtype = M.dtype
        self.products = 0

    def matmul(self, V):
        self.products += 1
        return self.M @ V

    def trace(self):
        return float(np.trace(self.M))

    def dense(self):
        return self.M

    @property
    def like(self):
        return self.M


def basis(n, seed=0):
    return np.linalg.qr(np.random.default_rng(seed).standard_normal((n, n)))[0]


def with_spectrum(values, n=None, seed=0):
    """Return the operator with these eigenvalues (zeros up to n) and its orthonormal axes."""
    values = np.asarray(values, dtype=float)
    U = basis(n or len(values), seed)[:, : len(values)]
    M = (U * values) @ U.T
    return Matrix(0.5 * (M + M.T)), U


def subspace_error(U, V):
    """The sine of the largest angle between the spans of two orthonormal bases."""
    return np.linalg.norm(V - U @ (U.T @ V), 2)
