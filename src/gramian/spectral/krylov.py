"""The leading eigenpairs of an operator one can only multiply by.

A block Krylov method with full reorthogonalisation and thick restarts. It needs A·V, the QR
factorisation of tall arrays and a small dense eigenproblem, so the same lines serve every array
library. Converged axes stay in the basis (soft locking): new directions are orthogonal to them.
A·basis is stored, so the residuals are those of the vectors that are returned, not estimates.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gramian._array import (
    Array,
    as_kind,
    eps,
    namespace,
    orthonormal,
)
from gramian._blocks import one_blas_thread
from gramian.operators.base import Symmetric
from gramian.spectral.basis import Basis
from gramian.spectral.dense import eigh, residual_norms

__all__ = ["KrylovResult", "basis_columns", "block_krylov"]

SMALL = 2000  # rows from which on a large basis saves more than it costs
SHORT = 8192  # rows up to which a basis of many blocks is small


@dataclass(frozen=True)
class KrylovResult:
    """What was found, and how good it is."""

    values: np.ndarray  # (q,), descending
    vectors: Array  # (n, q)
    image: Array  # A·vectors, (n, q)
    residuals: np.ndarray  # (q,)
    products: int  # block products with A
    converged: bool
    subspace: Array | None  # with `stalls`, a whole block of leading Ritz vectors, (n, b)
    negative: float = 0.0  # Σ|θ| over negative Ritz values: a lower bound of the negative inertia


def basis_columns(q: int, n: int | None = None) -> tuple[int, int]:
    """Return the width of a block and the largest number of basis vectors for q axes of n."""
    block = q + max(4, min(10, q))
    blocks = 24 if n is not None and SMALL < n <= SHORT else 8
    return block, max(blocks * block, q + 4 * block)


def block_krylov(
    A: Symmetric,
    q: int,
    *,
    tol: float = 1e-8,
    start: Array | None = None,
    max_products: int = 200,
    stalls: bool = False,
    rng: np.random.Generator | None = None,
) -> KrylovResult:
    """Return the q largest eigenpairs of A with residuals |A u − λ u| ≤ tol·λ₁.

    Parameters
    ----------
    A : Symmetric
    q : int
        Number of axes, well below A.n.
    tol : float
        Tolerance of the residuals relative to the largest eigenvalue.
    start : array (n, b), optional
        A first guess of the leading subspace; random by default.
    stalls : bool
        Stop as soon as a product no longer halves the largest residual: for a first guess, which
        is then returned a block wide.
    """
    # Tall and small products: BLAS threads would wait for each other longer than they work.
    with one_blas_thread():
        return _block_krylov(A, q, tol, start, max_products, stalls, rng)


def _block_krylov(
    A: Symmetric,
    q: int,
    tol: float,
    start: Array | None,
    max_products: int,
    stalls: bool,
    rng: np.random.Generator | None,
) -> KrylovResult:
    xp = namespace(A.like)
    block, largest_basis = basis_columns(q, A.n)
    block = A.width(block)
    largest_basis = min(max(largest_basis, q + 4 * block), A.n)
    if start is None:
        rng = rng or np.random.default_rng(0)
        start = as_kind(rng.standard_normal((A.n, min(block, A.n))), A.like)
    tol = max(tol, 4.0 * eps(A.like.dtype, xp))
    W = _contiguous(orthonormal(xp.astype(start, A.like.dtype, copy=False)))
    del start
    V = Basis()
    H = np.zeros((0, 0))
    products, worst, values = 0, np.inf, np.zeros(1)
    while True:
        AW = A.matmul(W)
        products += 1
        V.append(W, AW)
        H = _bordered(H, V.inner(AW))
        full = V.columns + W.shape[1] > largest_basis
        if V.columns > 8 * block and products % 2 and not full and products < max_products:
            # A large basis is not looked at after every product: its own axes cost as much as one.
            W = _next_block(V, AW, floor=1e-14 * abs(values[0]))
            if W.shape[1]:
                continue
        values, S = eigh(H)
        U, AU = V.combine(S[:, :q])
        residuals = residual_norms(AU, U, values[:q])
        converged = V.columns >= q and bool((residuals <= tol * abs(values[0])).all())
        worst, before = residuals.max(initial=0.0), worst
        stalled = stalls and products > 2 and worst > 0.5 * before
        if converged or stalled or products >= max_products or V.columns >= A.n:
            break
        if W.shape[1] > block:  # a start may be wider: from here on what its best axes lead to
            AW = V.combine(S[:, :block])[1]
        W = _next_block(V, AW, floor=1e-14 * abs(values[0]))
        if W.shape[1] == 0:  # an invariant subspace: nothing is left to add
            break
        del U, AU  # large, and made anew from the larger basis
        if V.columns + W.shape[1] > largest_basis:
            keep = min(q + block, V.columns)
            V.restart(S[:, :keep])
            H = np.diag(values[:keep])
    negative = -float(values[values < 0].sum())
    subspace = V.vectors(S[:, :block]) if stalls else None
    return KrylovResult(
        values[:q].copy(), U, AU, residuals, products, converged, subspace, negative
    )


def _bordered(H: np.ndarray, side: np.ndarray) -> np.ndarray:
    """Return [V W]ᵀA[V W] from VᵀAV and [V W]ᵀA·W."""
    k = H.shape[0]
    upper, corner = side[:k], side[k:]
    return np.block([[H, upper], [upper.T, 0.5 * (corner + corner.T)]])


def _next_block(V: Basis, AW: Array, floor: float) -> Array:
    """Return an orthonormal basis of the part of A·W outside the span of V."""
    W = V.project_out(AW, times=2)
    # A column that depends on the others has nothing but rounding left in it: it is dropped.
    W = orthonormal(W, floor)
    return _contiguous(orthonormal(V.project_out(W))) if W.shape[1] else W


def _contiguous(W: Array) -> Array:
    """Return W row by row in memory, as tile products want it: QR gives columns."""
    if isinstance(W, np.ndarray):
        return np.ascontiguousarray(W)
    return W.contiguous() if hasattr(W, "contiguous") else W
