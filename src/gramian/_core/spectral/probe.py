"""Bound the eigenvalues that a solver left out, by random columns that the solver never saw.

Residuals prove that what was found are eigenpairs; they do not prove that nothing larger was
missed. A few independent Gaussian columns W can. Let Y hold the axes U and the approximate
eigenvectors that follow them, and let B be A restricted to the complement of Y. W multiplied along
with the search spans a Krylov space, in which the measure of W on the spectrum of B,
dμ = Σ‖vᵢᵀW‖² δ(λᵢ), is known to degree 2k after k products. For each polynomial p of degree k with
p(x) = 1,

    ‖vᵀW‖² ≤ ∫ p² dμ        for an eigenvector v of B with eigenvalue x,

and the smallest right side is the Christoffel function of μ, 1/Σ πⱼ(x)² over the orthonormal
polynomials. The left side is χ² with as many degrees of freedom as W has columns: with probability
1 − δ it exceeds its δ-quantile c, so no x with Σ πⱼ(x)² > 1/c is an eigenvalue of B (the bounds of
Kuczyński and Woźniakowski 1992 and of van Dorsselaer, Hochstenbach and van der Vorst 2000, with all
columns and the best polynomial). v may be any function of A and Y, because W is neither.

Taking off the approximate eigenvectors as well as the axes is what makes the bound sharp: the
spectrum of B ends well below the last axis. Their residuals r move an eigenvalue x by at most
Σ r²/(x − θ), the Schur complement, and by at most Σ r, Weyl's bound.

The first products are made along with those of a search that does not know Y yet: their whole
block Krylov space is kept, and Y is taken off afterwards. Further products continue Lanczos'
recurrence of three terms for the polynomials πⱼ(B)W alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq
from scipy.special import gammaincinv

from gramian._core.array import Array, as_kind, eps, gram64, namespace, orthonormal, standard_normal
from gramian._core.operators.gram import Symmetric
from gramian._core.parallel import one_blas_thread
from gramian._core.spectral.krylov import Basis, KrylovResult, contiguous, tridiagonal

PROBE_COLUMNS = 8  # at least: fewer make the quantile small, more make products wider
ALONG = 4  # products made along with those of the search: mostly they are enough
MAX_PROBE_PRODUCTS = 100  # products after which a level that is not reached is reported as it is
ROWS = 2_000_000  # rows times products up to which more of them are made
INVARIANT = 1e-13  # of the operator's size: what is so short is rounding
APART = 1e-3  # of the operator's size: what is so long cannot be rounding


@dataclass(frozen=True)
class Goals:
    """Where a bound may end."""

    strict: float  # a level that proves that nothing is missing
    accepted: float  # a level that will do after `patience` products; NaN where none will
    seen: float  # an eigenvalue outside that exceeds it was left out
    patience: int


@dataclass(frozen=True)
class Bound:
    """What random columns show of the spectrum outside some axes."""

    level: float  # no eigenvalue outside exceeds it, except with the stated probability
    largest: float  # a Ritz value outside: an eigenvalue is at least as large
    products: int
    columns: int  # of the probe


def norm_bound(A: Symmetric, pairs: KrylovResult) -> Bound | None:
    """Return a bound for a matrix in memory: its Frobenius norm outside orthonormal vectors Y.

    ‖A‖² − 2‖AY‖² + ‖YᵀAY‖²: certain, and quick to compute; it is sharp where a spectrum decays.
    """
    if (held := A.dense_parts()) is None:
        return None
    G, p, _ = held
    known = _Known(pairs, Basis(A.like))
    S = G * (1.0 / known.last)  # squares of numbers near the ends of the range stay in it
    means = S @ p
    square = float(np.square(S, out=S) @ p @ p)
    image = known.image / known.last
    left = square * (1.0 + 16.0 * A.n * 2.0**-52) - 2.0 * (p @ means**2) + (p @ means) ** 2
    left += float(((known.vectors.T @ image) ** 2).sum() - 2.0 * (image**2).sum())
    level = known.shift(known.last * float(np.sqrt(max(left, 0.0))))
    return Bound(level, 0.0, 0, 0)


def probe_columns(A: Symmetric) -> int:
    """Return the number of random columns: as many as a product of the fewest computes anyway."""
    return min(A.width(PROBE_COLUMNS), A.n)


class Probe:
    """Independent random columns W and their Krylov space.

    Nothing that a search finds may depend on them, else they prove nothing.
    """

    def __init__(self, A: Symmetric, rng: np.random.Generator, probability: float = 1e-6) -> None:
        like = A.like
        self.columns = probe_columns(A)
        W = standard_normal(rng, (A.n, self.columns), like, np.float32)
        self._next: Array | None = contiguous(orthonormal(W))
        self.start = gram64(self._next, W)  # W = block·start
        self.basis = Basis(like)
        self.size = 0.0  # of the operator, as far as it was seen
        # An eigenvector outside has less of W only with this probability.
        self.mass = 2.0 * float(gammaincinv(self.columns / 2.0, probability))

    @property
    def block(self) -> Array:
        """What is multiplied next; without columns where the space is invariant."""
        if self._next is None:  # made on demand: mostly the last one is not needed
            self._next = self.basis.beyond(self.basis.images[-1], floor=1e-14 * self.size)
        return self._next

    @property
    def products(self) -> int:
        """The number of products made: the degree of the polynomials."""
        return len(self.basis.blocks)

    def multiply_along(self, A: Symmetric, W: Array) -> Array:
        """Return A·W, and multiply the next block in the same product as long as that helps."""
        if self.products >= ALONG or self.block.shape[1] == 0:
            return A.matmul(W)
        xp = self.basis.xp
        both = A.matmul(xp.concat([W, self.block], axis=1))
        image = contiguous(both[:, W.shape[1] :])
        self.basis.append(self.block, image)
        self.size = max(self.size, float(xp.sqrt(xp.max(xp.sum(image * image, axis=0)))))
        self._next = None
        return contiguous(both[:, : W.shape[1]])

    def upper_bound(self, A: Symmetric, pairs: KrylovResult, goals: Goals) -> Bound:
        """Return a bound outside the axes, from as many products as the goals take.

        Products made along with the search are used where they prove the bound. Taking off what is
        known afterwards can leave rounding: where they do not, the columns start anew.
        """
        known, first = _Known(pairs, self.basis), [*self.basis.blocks, self._next][0]
        with one_blas_thread():
            if self.products > 1:
                bound = self._reach(A, self._outside(known), known, goals)
                if bound.level <= goals.strict:
                    return bound
            W = first @ as_kind(self.start, first)
            return self._reach(A, _Measure.of(known.take_off(W), W), known, goals)

    def _reach(self, A: Symmetric, measure: _Measure, known: _Known, goals: Goals) -> Bound:
        """Extend a measure until a goal is reached, or an eigenvalue left out is seen."""
        strict, accepted = known.target(goals.strict), known.target(goals.accepted)
        limit = max(MAX_PROBE_PRODUCTS, min(ROWS // A.n, 10 * MAX_PROBE_PRODUCTS))
        while measure.grows and measure.largest <= goals.seen:
            degree = len(measure.alpha)
            is_early = degree < goals.patience and measure.largest < strict
            target = strict if is_early else accepted
            is_shown = degree > 1 and measure.excludes(target, self.mass)
            if degree >= limit or np.isnan(target) or is_shown:
                break
            measure.extend(A, known)
        level = known.shift(measure.level(self.mass))
        return Bound(level, measure.largest, len(measure.alpha), self.columns)

    def _outside(self, known: _Known) -> _Measure:
        """Return the measure of W on the spectrum outside what is known."""
        xp = self.basis.xp
        Y, AY = known.vectors, known.image
        Q, AQ = (xp.concat(parts, axis=1) for parts in (self.basis.blocks, self.basis.images))
        for _ in range(2):  # taken off twice: little may be left
            C = Y.T @ Q
            Q, AQ = Q - Y @ C, AQ - AY @ C
        W = Q[:, : self.start.shape[0]] @ as_kind(self.start, Q)
        size, E = np.linalg.eigh(gram64(Q, Q))
        # The others are rounding: an error of eps·‖A‖ in A·Q must stay small beside the last axis.
        apart = size > (64.0 * eps(Q.dtype, xp) * max(1.0, self.size / known.last)) ** 2
        if not apart.any():
            return _Measure(np.zeros(1), np.zeros((1, 1)), 0)
        G = as_kind(E[:, apart] / np.sqrt(size[apart]), Q)
        Z, AZ = Q @ G, AQ @ G
        H = gram64(Z, AZ)
        values, S = np.linalg.eigh(0.5 * (H + H.T))
        measure = _Measure(values, S.T @ gram64(Z, W), self.products)
        image = AZ @ as_kind(S @ measure.last, Z)
        image = image - Y @ (Y.T @ image) - Z @ as_kind(gram64(Z, image), Z)
        outside = float(np.trace(gram64(image, image)))
        # Where the space is invariant nothing is outside it; the next block shows it if need be.
        if outside > (APART * self.size) ** 2 or self.block.shape[1]:
            rest = Z @ as_kind(S @ measure.rest, Z) + image
            measure.close(Z @ as_kind(S @ measure.last, Z), rest, outside)
        return measure


class _Known:
    """The axes and the approximate eigenvectors after them, and what the latter's residuals do."""

    def __init__(self, pairs: KrylovResult, basis: Basis) -> None:
        xp, kind = basis.xp, basis.like.dtype
        parts = [(pairs.vectors, pairs.image)]
        self.values = self.residuals = np.zeros(0)
        self.last = abs(float(pairs.values[-1])) or abs(float(pairs.values[0])) or 1.0
        if (more := pairs.following) is not None:
            # Refined axes are no longer exactly orthogonal to what followed them before.
            C = pairs.vectors.T @ xp.astype(more.vectors, pairs.vectors.dtype, copy=False)
            parts.append((more.vectors - pairs.vectors @ C, more.image - pairs.image @ C))
            self.values, self.residuals = more.values, more.residuals
        self.vectors, self.image = (
            xp.concat([xp.astype(part[k], kind, copy=False) for part in parts], axis=1)
            for k in (0, 1)
        )

    def take_off(self, W: Array) -> Array:
        """Return the part of W outside these vectors."""
        for _ in range(2):
            W = W - self.vectors @ (self.vectors.T @ W)
        return W

    def _shifts(self, x: float) -> np.ndarray:
        """Return how far the residuals may move an eigenvalue of size x."""
        r = self.residuals
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(r > 0, np.minimum(r, r**2 / np.maximum(x - self.values, 0.0)), 0.0)

    def shift(self, level: float) -> float:
        """Return a level for A from one for A restricted to the complement of these vectors."""
        if not self.values.size:
            return level
        shift = self._shifts(max(level, float(self.values.max())))
        outside = level + float(shift.sum() + self.residuals.max())
        return max(outside, float((self.values + shift).max()))

    def target(self, goal: float) -> float:
        """Return the level in the complement from which the goal follows."""
        return goal - float(self._shifts(goal).sum() + self.residuals.max(initial=0.0))


class _Measure:
    """A measure Σ‖yᵢ‖² δ(λᵢ) by its orthonormal polynomials: Lanczos' recurrence of three terms."""

    def __init__(self, values: np.ndarray, Y: np.ndarray, degree: int) -> None:
        self.total = float(np.linalg.norm(Y))
        self.size = float(np.abs(values).max(initial=0.0))
        self.largest = float(values.max(initial=0.0))
        self.alpha: list[float] = []
        self.beta = [0.0]
        self.grows = False  # whether more terms can be had
        polynomials: list[np.ndarray] = []
        y = Y / (self.total or 1.0)
        for _ in range(degree):
            polynomials.append(y)
            image = values[:, None] * y
            self.alpha.append(float((y * image).sum()))
            for known in polynomials + polynomials:
                image = image - float((known * image).sum()) * known
            self.rest, self.last = image, y
            self.beta.append(float(np.linalg.norm(image)))
            if self.beta[-1] <= INVARIANT * self.size:
                break
            y = image / self.beta[-1]

    @classmethod
    def of(cls, W: Array, whole: Array) -> _Measure:
        """Return the measure of W before any product; what is short beside `whole` is rounding."""
        measure = cls(np.zeros(1), np.zeros((1, 1)), 0)
        measure.total = float(np.sqrt(np.trace(gram64(W, W))))
        measure._before, measure._rest = 0.0 * W, W
        size = float(np.sqrt(np.trace(gram64(whole, whole))))
        measure.grows = measure.total > 64.0 * eps(W.dtype, namespace(W)) * size
        return measure

    def close(self, last: Array, rest: Array, outside: float) -> None:
        """Add to the last step what lies outside the space that the measure was made from."""
        self.beta[-1] = float(np.sqrt(self.beta[-1] ** 2 + outside))
        self._before, self._rest = last, rest
        self.grows = self.beta[-1] > INVARIANT * self.size

    def extend(self, A: Symmetric, known: _Known) -> None:
        """Add a term by one more product."""
        length = self.beta[-1] if self.alpha else self.total
        y = known.take_off(self._rest * (1.0 / length))
        image = known.take_off(A.matmul(contiguous(y))) - self.beta[-1] * self._before
        self.alpha.append(float(np.trace(gram64(y, image))))
        image = image - self.alpha[-1] * y
        self.beta.append(float(np.sqrt(np.trace(gram64(image, image)))))
        self._before, self._rest = y, image
        self.size = max(self.size, abs(self.alpha[-1]) + self.beta[-1])
        self.grows = self.beta[-1] > INVARIANT * self.size
        top, _ = tridiagonal(np.array(self.alpha), np.array(self.beta[1:-1]), 1)
        self.largest = max(self.largest, float(top[0]))

    def inverse_christoffel(self, x: float) -> float:
        """Σ πⱼ(x)²."""
        if not self.total:
            return np.inf
        p, before = 1.0 / self.total, 0.0
        total = p * p
        for a, b, c in zip(self.alpha, self.beta, self.beta[1:], strict=False):
            if c == 0.0:
                return np.inf  # the measure is known whole, and x is none of its points
            p, before = ((x - a) * p - b * before) / c, p
            total += p * p
            if total > 1e200:
                break
        return total

    def excludes(self, x: float, mass: float) -> bool:
        """Whether no point from x on can have so much mass."""
        return x > self.largest and self.inverse_christoffel(x) > 1.0 / mass

    def level(self, mass: float) -> float:
        """Return the largest x that can have so much mass."""
        low, step = self.largest, self.size or 1.0
        if not self.grows or self.excludes(low + 1e-12 * step, mass):
            return low
        while self.inverse_christoffel(low + step) <= 1.0 / mass:
            step *= 2.0
        excess = lambda x: np.log(self.inverse_christoffel(x) * mass)  # noqa: E731
        return float(brentq(excess, low, low + step, xtol=1e-6 * step)) + 1e-6 * step
