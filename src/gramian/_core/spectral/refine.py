"""The last digits of eigenpairs, most products still in single precision.

Let U be a subspace that is nearly right, and P what lies outside it. The operator

    M = A − P(A − L)P,        L the same as A in single precision,

is symmetric, costs one product with A, for A·U, and then one with L each time. It differs from A
only where both sides are outside U: for an eigenvector u of M, |(A − M)·u| ≤ ‖A − L‖·|P·u|, and its
eigenvalue is wrong by ‖A − L‖·|P·u|² at most. Where U was found in single precision |P·u| is 1e-5
or so, and the residual in double precision.
"""

from dataclasses import replace

import numpy as np

from gramian._core.array import Array, as_kind, namespace, orthonormal, to_numpy
from gramian._core.operators.gram import Symmetric
from gramian._core.parallel import one_blas_thread
from gramian._core.spectral.krylov import KrylovResult, block_krylov, contiguous

EXACT_PRODUCTS = 4  # exact products, after which all products are exact
ROUNDING_SHARE = 1e-12  # a part of a column that is rounding


class Corrected(Symmetric):
    """The operator A where one side is in the span of U, and in single precision elsewhere."""

    def __init__(self, A: Symmetric, low: Symmetric, U: Array) -> None:
        self.A, self.low, self.n, self.dtype = A, low, A.n, A.dtype
        self.U = contiguous(orthonormal(namespace(U).astype(U, A.like.dtype, copy=False)))
        self.AU = A.matmul(self.U)

    @property
    def like(self) -> Array:
        return self.A.like

    def width(self, columns: int) -> int:
        return self.A.width(columns)

    def outside(self, W: Array) -> Array:
        """Return P·W."""
        W = W - self.U @ (self.U.T @ W)
        return W - self.U @ (self.U.T @ W)

    def matmul(self, W: Array) -> Array:
        """A·U·UᵀW + P·L·P·W + U·(A·U)ᵀP·W."""
        image = self.AU @ (self.U.T @ W)
        rest = self.outside(W)
        if float(abs(rest).max()) <= ROUNDING_SHARE * float(abs(W).max()):
            return image
        rough = self.low.matmul(as_kind(rest, self.low.like)).astype(image.dtype)
        return image + self.outside(rough) + self.U @ (self.AU.T @ rest)

    def trace(self) -> float:
        return self.A.trace()

    def dense(self) -> Array:
        return self.matmul(as_kind(np.eye(self.n), self.like))


def refine(
    A: Symmetric, low: Symmetric, q: int, start: Array, *, tol: float, noise: float, scale: float
) -> tuple[KrylovResult, int]:
    """Return the q largest eigenpairs of A, as `block_krylov` does, and how many products with low.

    `low` is A in single precision, to which `start` (n, b) is good. ‖A − low‖ does not exceed
    `noise`, which counts in the residuals that are returned.
    """
    cheap = 0
    for exact in range(1, EXACT_PRODUCTS + 1):
        M = Corrected(A, low, start)
        pairs = block_krylov(M, q, tol=0.5 * tol, start=M.U, scale=scale, stalls=True)
        cheap += pairs.products - 1  # the first is with U itself
        with one_blas_thread():
            outside = M.outside(pairs.vectors)
            apart = to_numpy(namespace(outside).sum(outside * outside, axis=0)) ** 0.5
        residuals = pairs.residuals + noise * np.where(apart > ROUNDING_SHARE, apart, 0.0)
        if pairs.converged and (residuals <= tol * abs(pairs.values[0])).all():
            return replace(pairs, residuals=residuals, products=exact, subspace=None), cheap
        assert pairs.subspace is not None
        start = pairs.subspace
    pairs = block_krylov(A, q, tol=tol, start=start, scale=scale)
    return replace(pairs, products=pairs.products + EXACT_PRODUCTS), cheap
