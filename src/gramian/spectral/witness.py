"""Random columns that tell what a solver left out.

Residuals prove that what was found are eigenpairs; they do not prove that nothing larger was
missed. A few independent random columns W that no search has used can: multiplied along, they span
a Krylov space, and W's measure on the spectrum outside the axes U, dμ = Σ‖vᵢᵀW‖² δ(λᵢ), is known
there to degree 2k after k products. Whatever the polynomial p of degree k with p(x) = 1,

    ‖vᵀW‖² ≤ ∫ p² dμ        for an eigenvector v of eigenvalue x outside U,

and the least of the right sides is the Christoffel function of μ, 1/Σ πⱼ(x)² over the orthonormal
polynomials. The left side is a χ² with as many degrees of freedom as W has columns: with
probability 1 − δ it exceeds its δ-quantile c, so that no x with Σ πⱼ(x)² > 1/c can be an eigenvalue
(the bounds of Kuczyński and Woźniakowski 1992 and of van Dorsselaer, Hochstenbach and van der Vorst
2000, with all columns and the best polynomial). v may be any function of A and U: W is neither.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import gammaincinv

from gramian._array import Array, as_kind, eps, gram64, orthonormal, standard_normal
from gramian._blocks import one_blas_thread
from gramian.operators.base import Symmetric
from gramian.spectral.krylov import Basis, contiguous

__all__ = ["Testimony", "Witness"]

COLUMNS = 8  # fewer make the quantile small, more make products wider
ENOUGH = 3  # products after which it no longer rides along: the level is below 2 by then
APART = 1e-3  # of the operator's size: what is so long cannot be rounding
MOST = 30  # products after which a level that is not reached is reported as it is


@dataclass(frozen=True)
class Testimony:
    """What random columns say of the spectrum outside some axes."""

    level: float  # no eigenvalue outside exceeds it, but for the stated probability
    largest: float  # the largest Ritz value outside: an eigenvalue is at least as large
    vectors: Array  # Ritz vectors outside, the largest first, (n, ≤ columns)
    products: int


class Witness:
    """Independent random columns W and their Krylov space.

    Nothing that a search finds may depend on them, else they prove nothing.
    """

    def __init__(self, A: Symmetric, rng: np.random.Generator) -> None:
        like = A.like
        W = standard_normal(rng, (A.n, min(COLUMNS, A.n)), like, np.float32)
        self.columns = W.shape[1]
        self._next: Array | None = contiguous(orthonormal(W))
        self.start = gram64(self._next, W)  # W = block·start
        self.basis = Basis(like)
        self.size = 0.0  # of the operator, as far as it was seen

    @property
    def block(self) -> Array:
        """What is multiplied next; without columns where the space is invariant."""
        if self._next is None:  # made when it is asked for: mostly the last one is not
            self._next = self.basis.beyond(self.basis.images[-1], floor=1e-14 * self.size)
        return self._next

    @property
    def products(self) -> int:
        """How many were made: the degree of the polynomials."""
        return len(self.basis.blocks)

    def heard(self, A: Symmetric, W: Array) -> Array:
        """Return A·W, and multiply along as long as that is of use."""
        if self.products >= ENOUGH or self.block.shape[1] == 0:
            return A.matmul(W)
        xp = self.basis.xp
        both = A.matmul(xp.concat([W, self.block], axis=1))
        self.hear(contiguous(both[:, W.shape[1] :]))
        return contiguous(both[:, : W.shape[1]])

    def hear(self, image: Array) -> None:
        """Take the product with the block."""
        self.basis.append(self.block, image)
        xp = self.basis.xp
        length = xp.sqrt(xp.max(xp.sum(image * image, axis=0)))
        self.size = max(self.size, float(length))
        self._next = None

    def testify(
        self, A: Symmetric, U: Array, AU: Array, goal: float, probability: float
    ) -> Testimony:
        """Return what is known outside the axes U after as many products as the goal takes."""
        U, AU = (self.basis.xp.astype(M, self.basis.like.dtype, copy=False) for M in (U, AU))
        with one_blas_thread():
            while self.products < ENOUGH and self.block.shape[1]:  # fewer never are
                self.hear(A.matmul(self.block))
            while (testimony := self._outside(U, AU, probability)).level > goal:
                if self.products >= MOST or self.block.shape[1] == 0:
                    break
                self.hear(A.matmul(self.block))
        return testimony

    def _outside(self, U: Array, AU: Array, probability: float) -> Testimony:
        xp = self.basis.xp
        Q, AQ = (xp.concat(parts, axis=1) for parts in (self.basis.blocks, self.basis.images))
        for _ in range(2):  # what the axes hold is taken off twice: little may be left
            C = U.T @ Q
            Q, AQ = Q - U @ C, AQ - AU @ C
        W = Q[:, : self.start.shape[0]] @ as_kind(self.start, Q)
        size, E = np.linalg.eigh(gram64(Q, Q))
        apart = (
            size > (64.0 * eps(Q.dtype, xp)) ** 2
        )  # the others are in the axes, but for rounding
        if not apart.any():
            return Testimony(0.0, 0.0, Q[:, :0], self.products)
        G = as_kind(E[:, apart] / np.sqrt(size[apart]), Q)
        Z, AZ = Q @ G, AQ @ G
        H = gram64(Z, AZ)
        values, S = np.linalg.eigh(0.5 * (H + H.T))
        order = np.argsort(-values)
        values, S = values[order], S[:, order]
        jacobi = _Jacobi(values, S.T @ gram64(Z, W), self.products)
        image = AZ @ as_kind(S @ jacobi.last, Z)
        image = image - U @ (U.T @ image) - Z @ as_kind(gram64(Z, image), Z)
        outside, level = float(np.trace(gram64(image, image))), float(values[0])
        # Where the space is invariant there is nothing outside it: a block tells, if need be.
        if outside > (APART * self.size) ** 2 or self.block.shape[1]:
            jacobi.close(outside)
            level = jacobi.level(2.0 * float(gammaincinv(self.columns / 2.0, probability)))
        vectors = Z @ as_kind(S[:, : self.columns], Z)
        return Testimony(level, float(values[0]), vectors, self.products)


class _Jacobi:
    """The orthonormal polynomials of a measure Σ‖yᵢ‖² δ(λᵢ), by Lanczos' three terms."""

    def __init__(self, values: np.ndarray, Y: np.ndarray, degree: int) -> None:
        self.values, self.total = values, float(np.linalg.norm(Y))
        self.alpha: list[float] = []
        self.beta = [0.0]
        polynomials: list[np.ndarray] = []
        y = Y / self.total
        for _ in range(degree):
            polynomials.append(y)
            image = values[:, None] * y
            self.alpha.append(float((y * image).sum()))
            for known in polynomials + polynomials:
                image = image - float((known * image).sum()) * known
            self.beta.append(float(np.linalg.norm(image)))
            if self.beta[-1] <= 1e-13 * float(np.abs(values).max()):
                break
            y = image / self.beta[-1]
        self.last = polynomials[-1]

    def close(self, outside: float) -> None:
        """Add to the last step what lies outside the space the measure was made from."""
        self.beta[-1] = float(np.sqrt(self.beta[-1] ** 2 + outside))

    def inverse_christoffel(self, x: float) -> float:
        """Σ πⱼ(x)²."""
        p, before = 1.0 / self.total, 0.0
        total = p * p
        for j, a in enumerate(self.alpha):
            if self.beta[j + 1] == 0.0:
                return np.inf  # the measure is known whole, and x is none of its points
            p, before = ((x - a) * p - self.beta[j] * before) / self.beta[j + 1], p
            total += p * p
        return total

    def level(self, mass: float) -> float:
        """Return the largest x that can have so much mass."""
        low = float(self.values[0])
        step = float(np.abs(self.values).max()) or 1.0
        if self.inverse_christoffel(low + 1e-12 * step) > 1.0 / mass:
            return low
        while self.inverse_christoffel(low + step) <= 1.0 / mass:
            step *= 2.0
        excess = lambda x: np.log(self.inverse_christoffel(x) * mass)  # noqa: E731
        return float(brentq(excess, low, low + step, xtol=1e-6 * step)) + 1e-6 * step
