"""The right numbers, from the definitions in long double: loops, Jacobi's rotations, Gauss.

Nothing here calls the library. Long double has 64 bits of mantissa and an exponent that no square
of a double leaves, so a sum over a few hundred numbers is right to more digits than are compared.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

Real = np.longdouble


def eigenvalues(A: np.ndarray) -> np.ndarray:
    """Eigenvalues of a symmetric matrix, largest first, by Jacobi's rotations.

    Matrices of more than 40 rows are left to LAPACK.
    """
    A = np.array(A, dtype=Real)
    size = np.abs(A).max(initial=Real(0))
    if size == 0:
        return np.zeros(len(A), dtype=Real)
    A /= size
    if len(A) > 40:
        return np.linalg.eigvalsh(A.astype(float))[::-1].astype(Real) * size
    for _ in range(30):
        if not _sweep(A):
            break
    return np.sort(A.diagonal())[::-1] * size


def _sweep(A: np.ndarray) -> bool:
    """Turn every pair of axes once; whether anything was left to turn."""
    turned = False
    for i in range(len(A) - 1):
        for j in range(i + 1, len(A)):
            if abs(A[i, j]) > Real(1e-30) + Real(1e-19) * np.sqrt(abs(A[i, i] * A[j, j])):
                _rotate(A, i, j)
                turned = True
    return turned


def _rotate(A: np.ndarray, i: int, j: int) -> None:
    theta = (A[j, j] - A[i, i]) / (2 * A[i, j])
    t = (1 if theta >= 0 else -1) / (abs(theta) + np.sqrt(theta * theta + 1))
    c = 1 / np.sqrt(t * t + 1)
    turn = np.array([[c, t * c], [-t * c, c]], dtype=Real)
    A[:, [i, j]] = A[:, [i, j]] @ turn
    A[[i, j]] = turn.T @ A[[i, j]]


def solve(A: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Solve a small linear system by elimination with pivots."""
    M = np.column_stack([A, b]).astype(Real)
    for k in range(len(M)):
        pivot = k + int(np.abs(M[k:, k]).argmax())
        M[[k, pivot]] = M[[pivot, k]]
        M[k] /= M[k, k]
        rest = np.arange(len(M)) != k
        M[rest] -= np.outer(M[rest, k], M[k])
    return M[:, len(A) :].reshape(np.shape(b))


def squared_distances(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    return ((X[:, None, :] - Y[None, :, :]) ** 2).sum(axis=2)


def centred(G: np.ndarray, p: np.ndarray | None = None) -> np.ndarray:
    """A symmetric matrix, its weighted means taken out of rows and columns."""
    p = np.full(len(G), Real(1) / len(G)) if p is None else p
    mean = G @ p
    return G - mean[:, None] - mean[None, :] + p @ mean


class Rows:
    """A table, and weights of its rows."""

    def __init__(self, values: Any, weights: Any = None) -> None:
        self.X = np.atleast_2d(np.array(values, dtype=Real))
        self.n, self.p = self.X.shape
        w = np.ones(self.n, dtype=Real) if weights is None else np.array(weights, dtype=Real)
        self.weights = w / w.max() / (w / w.max()).sum()

    @cached_property
    def C(self) -> np.ndarray:
        """Centred rows, from the differences to one of them: those of far doubles are exact."""
        C = self.X - self.X[self.weights.argmax()]
        for _ in range(2):  # the second pass takes the rounding out
            C = C - self.weights @ C
        return C

    @property
    def mean(self) -> np.ndarray:
        return self.X[0] - self.C[0]

    @cached_property
    def deviation(self) -> np.ndarray:
        return np.sqrt(self.weights @ self.C**2)

    @cached_property
    def varies(self) -> np.ndarray:
        return np.ptp(self.X[self.weights > 0], axis=0) > 0

    @cached_property
    def Z(self) -> np.ndarray:
        """Scaled columns; those that do not vary are zero."""
        return np.where(self.varies, self.C, 0) / np.where(self.varies, self.deviation, 1)

    @cached_property
    def gram(self) -> np.ndarray:
        return self.C @ self.C.T

    @cached_property
    def d2(self) -> np.ndarray:
        return squared_distances(self.X, self.X)

    @cached_property
    def scale(self) -> Real:
        """√(h/2), h the median of the squared distances that are not zero."""
        d2 = self.d2[np.triu_indices(self.n, 1)]
        return np.sqrt(np.median(d2[d2 > 0]) / 2) if (d2 > 0).any() else Real(np.nan)

    @cached_property
    def gaussian(self) -> np.ndarray:
        return np.exp(-self.d2 / (2 * self.scale**2))

    def inertias(self, F: np.ndarray) -> np.ndarray:
        """Weighted inertias of features (n, m), centred: the axes of the shorter side."""
        R = F * np.sqrt(self.weights)[:, None]
        return eigenvalues(R.T @ R if R.shape[0] > R.shape[1] else R @ R.T)

    @cached_property
    def variances(self) -> np.ndarray:
        return self.inertias(self.C)

    @cached_property
    def scaled_variances(self) -> np.ndarray:
        return self.inertias(self.Z)

    def kernel_inertias(self, G: np.ndarray) -> np.ndarray:
        root = np.sqrt(self.weights)
        return eigenvalues(root[:, None] * centred(G, self.weights) * root[None, :])

    @cached_property
    def gaussian_inertias(self) -> np.ndarray:
        return self.kernel_inertias(self.gaussian)


class Square:
    """A symmetric matrix: kernel values or distances."""

    def __init__(self, values: Any) -> None:
        self.M = np.array(values, dtype=Real)
        self.n = len(self.M)

    @cached_property
    def values(self) -> np.ndarray:
        return eigenvalues(self.M)

    @cached_property
    def inertias(self) -> np.ndarray:
        return eigenvalues(centred(self.M)) / self.n

    @cached_property
    def squares(self) -> np.ndarray:
        """−½ the squared entries, centred."""
        return centred(-(self.M**2) / 2)

    @cached_property
    def scaling(self) -> np.ndarray:
        return eigenvalues(self.squares) / self.n
