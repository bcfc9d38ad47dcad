"""The search for leading axes: a start, cheap products first, and a witness of what is left."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gramian._array import Array, as_kind, eps, namespace
from gramian._blocks import one_blas_thread
from gramian._warn import warn
from gramian.errors import ConvergenceWarning
from gramian.operators.base import Symmetric
from gramian.spectral.choose import FEW, Request
from gramian.spectral.krylov import BORDER, NEAR, KrylovResult, basis_columns, block_krylov
from gramian.spectral.spectrum import Completeness
from gramian.spectral.witness import COLUMNS, Testimony, Witness

__all__ = [
    "Search",
    "completeness_of",
    "lanczos_subspace",
    "null_level",
    "searched",
    "warn_of_level",
]

LOW_TOL = 1e-6  # what single precision can certify
RANDOM = 2  # columns beside a start that somebody gave
ROUNDS = 5  # searches before what was missed is reported
CACHED = 2_000  # rows of a matrix of doubles up to which it stays in the cache
STEPS = 60  # of one column, and two for each axis: where they are not enough, blocks are better
LOOK = 4  # steps between two looks at the residuals
ONE_COLUMN = " after those of one column"
MISSED = 1e-6  # relative excess over the last axis that is no rounding


@dataclass(frozen=True)
class Search:
    """Eigenpairs, what is known of the others, and what it took in words."""

    krylov: KrylovResult
    completeness: Completeness | None
    beyond: float | None  # the eigenvalue after the last one
    words: str


def searched(A: Symmetric, q: int, request: Request) -> Search:
    """Return the q leading eigenpairs, and a level that no eigenvalue left out exceeds."""
    start, cheap, witness, before = _warm_start(A, q, request)
    products = 0
    for _ in range(ROUNDS):
        beside = witness if cheap is A else None
        krylov = block_krylov(
            A, q, tol=request.tol, start=start, scale=request.scale, rng=request.rng, witness=beside
        )
        products += krylov.products
        if witness is None:
            return Search(krylov, None, krylov.beyond, f"{products} products{before}")
        testimony, noise = _testimony(A, cheap, witness, krylov, request)
        if not krylov.converged or not _left_out(krylov, testimony, noise):
            break
        # Something larger was left out: it joins the search, and others must testify. What one
        # column is blind to, a second axis of the same eigenvalue, blocks find.
        start = None if before == ONE_COLUMN else _joined(A, krylov, testimony)
        before = "" if before == ONE_COLUMN else before
        cheap, witness = A, Witness(A, request.rng)
    completeness = _completeness(testimony, noise, krylov, request)
    return Search(krylov, completeness, krylov.beyond, f"{products} products{before}")


def _joined(A: Symmetric, krylov: KrylovResult, testimony: Testimony) -> Array:
    """Return what was found and what was left out, as a start."""
    xp = namespace(A.like)
    extra = xp.astype(testimony.vectors, A.like.dtype, copy=False)
    return xp.concat([krylov.vectors, extra], axis=1)


def completeness_of(A: Symmetric, krylov: KrylovResult, request: Request) -> Completeness | None:
    """Return what is known of the eigenvalues outside eigenpairs that somebody else found."""
    if request.care is None:
        return None
    witness = Witness(A, request.rng)
    testimony, noise = _testimony(A, A, witness, krylov, request)
    return _completeness(testimony, noise, krylov, request)


def _testimony(
    A: Symmetric, cheap: Symmetric, witness: Witness, krylov: KrylovResult, request: Request
) -> tuple[Testimony, float]:
    """Return what the witness says, and how far rounding and residuals may move it."""
    last, scale = abs(krylov.values[-1]), max(request.scale, abs(krylov.values[0]))
    noise = float(krylov.residuals.max(initial=0.0)) + null_level(cheap, scale)
    if cheap is not A and noise > 0.25 * last:  # single precision cannot see so little
        cheap, witness = A, Witness(A, request.rng)
        noise = float(krylov.residuals.max(initial=0.0)) + null_level(A, scale)
    goal = max((request.care or np.inf) * last - noise, noise)
    spoken = witness.testify(cheap, krylov.vectors, krylov.image, goal, request.missed)
    return spoken, noise


def _completeness(
    testimony: Testimony, noise: float, krylov: KrylovResult, request: Request
) -> Completeness:
    level = testimony.level + noise
    goal = (request.care or np.inf) * abs(float(krylov.values[-1]))
    how = f"{COLUMNS} random columns, {testimony.products} products"
    return Completeness(level, request.missed, how, level <= max(goal, 4.0 * noise))


def warn_of_level(completeness: Completeness | None, values: np.ndarray) -> None:
    """Warn when an axis may have been left out that is clearly larger than the last one."""
    if completeness is not None and not completeness.reached:
        warn(
            f"an eigenvalue up to {completeness.level:.3g} may have been left out, that of the "
            f"last axis is {abs(values[-1]):.3g} ({completeness.method}): use solver='dense', or "
            "ask for another number of axes",
            ConvergenceWarning,
        )


def _left_out(krylov: KrylovResult, testimony: Testimony, noise: float) -> bool:
    """Whether an axis above or beside the last one was seen that the search knows nothing of."""
    last = float(krylov.values[-1])
    near = last * (1.0 - NEAR) if krylov.beyond is None else max(krylov.beyond, last * (1.0 - NEAR))
    return testimony.largest > max(near, 0.0) * (1.0 + MISSED) + noise


def null_level(A: Symmetric, scale: float) -> float:
    """Return the size under which an eigenvalue of A is rounding.

    The weights sum to 1, so that errors of eps in every entry of a Gram matrix of size `scale` move
    no eigenvalue by more than eps·scale, whatever n.
    """
    like = A.like
    return 64.0 * eps(like.dtype, namespace(like)) * scale


def _warm_start(
    A: Symmetric, q: int, request: Request
) -> tuple[Array | None, Symmetric, Witness | None, str]:
    """Return a first subspace, where products are cheapest, a witness, and the cost in words.

    A sample's eigenvectors save a product or two; products in single precision, at a third of the
    price, then do all the work but the last digits.
    """
    if request.start is not None:
        return _mixed(request.start, A, request), A, _witness(A, request), " after a given start"
    if request.axes.q is None or FEW * basis_columns(q)[0] > A.n:
        return None, A, _witness(A, request), ""
    width = A.sketch_width(basis_columns(q)[0] + COLUMNS) - COLUMNS
    if A.n <= CACHED and (held := A.held()) is not None:
        start = lanczos_subspace(*held, q, basis_columns(q)[0], request.tol, request.rng)
        return start, A, _witness(A, request), "" if start is None else ONE_COLUMN
    low = A.lowered()
    if low is None or request.tol > LOW_TOL:
        return A.sketch(width, request.rng), A, _witness(A, request), ""
    start = low.sketch(width, request.rng)
    witness = _witness(low, request)
    pairs = block_krylov(
        low, q, tol=LOW_TOL, start=start, stalls=True, rng=request.rng, witness=witness
    )
    assert pairs.subspace is not None
    return pairs.subspace, low, witness, f" after {pairs.products} in single precision"


def lanczos_subspace(
    G: np.ndarray,
    p: np.ndarray,
    root: np.ndarray,
    q: int,
    width: int,
    tol: float,
    rng: np.random.Generator,
) -> np.ndarray | None:
    """Return a basis, (n, width), that holds the q leading axes of P^½(I − 1pᵀ)G(I − p1ᵀ)P^½.

    A matrix that stays in the cache is multiplied by one column as quickly, a column, as by many,
    and one Krylov space of degree k holds the leading axes better than a block of as many columns
    does. It is blind to a second axis of the same eigenvalue, which the witness is not.

    Lanczos' method with full reorthogonalisation, until |A u − λ u| ≤ tol·λ₁ for each of the q;
    None where that takes too long. A space that is nearly one is no start for a search: what all
    its axes lack is one and the same column.
    """
    n = len(p)
    most = min(STEPS + 2 * q, n - 1)
    limit = np.append(BORDER, np.full(q, 0.25 * tol))  # the first of those left out may be tied
    V, T = np.empty((most, n)), np.zeros((most, most))
    w = rng.standard_normal(n)
    with one_blas_thread():
        for k in range(most):
            V[k] = w / np.linalg.norm(w)
            w = root * V[k]
            w = G @ (w - w.sum() * p)
            w = root * (w - p @ w)
            T[: k + 1, k] = h = V[: k + 1] @ w
            w -= h @ V[: k + 1]
            rest = float(np.linalg.norm(w))
            if k + 1 < width or (k % LOOK and k + 1 < most):
                continue
            values, S = np.linalg.eigh(T[: k + 1, : k + 1], UPLO="U")
            if (rest * np.abs(S[-1, -q - 1 :]) <= limit * abs(values[-1])).all():
                return V[: k + 1].T @ S[:, ::-1][:, :width]
    return None


def _witness(A: Symmetric, request: Request) -> Witness | None:
    return None if request.care is None else Witness(A, request.rng)


def _mixed(start: Array, A: Symmetric, request: Request) -> Array:
    """Return a start with random columns beside it: one that is invariant leads nowhere else."""
    xp = namespace(A.like)
    W = request.rng.standard_normal((A.n, RANDOM), dtype=np.float32)
    size = xp.sqrt(xp.mean(start * start))
    return xp.concat([start, as_kind(W, start) * size], axis=1)
