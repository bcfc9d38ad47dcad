"""From a centred operator to the spectrum that is kept."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from gramian._array import Array, as_kind, eps, namespace, take
from gramian._blocks import require
from gramian.errors import ConvergenceWarning, IndefiniteError, InputError, RankWarning
from gramian.operators.base import Symmetric
from gramian.spectral.choose import FEW, Choice, dense_bytes, krylov_bytes
from gramian.spectral.dense import eigh, residual_norms
from gramian.spectral.krylov import KrylovResult, basis_columns, block_krylov
from gramian.spectral.spectrum import Spectrum

__all__ = ["POLICIES", "Problem", "decompose", "null_level", "require_dense", "select", "solve"]

POLICIES = ("raise", "clip", "flip", "krein")
_LOW_TOL = 1e-6  # what single precision can certify
_FIRST_GUESS = 32  # axes computed before a rule is asked for the first time


class Wanted(Protocol):
    """How many axes: a number q, or a rule of (values, total, dimension), or neither for all."""

    @property
    def q(self) -> int | None: ...

    @property
    def rule(self) -> Callable[[np.ndarray, float, int], int | None] | None: ...


@dataclass(frozen=True)
class Problem:
    """What is asked of a spectrum, beside the operator itself."""

    wanted: Wanted
    dimension: int  # how many axes there could be
    scale: float = 0.0  # the size of the numbers the operator was made from
    policy: str = "raise"  # for negative eigenvalues; "drop" leaves them out, the trace as it is
    known_psd: bool = False  # negative eigenvalues can only be rounding
    tol: float = 1e-8
    budget: int = 1 << 40
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(0))
    auto: bool = True  # whether a dense solve may take over when the iteration stalls
    start: Array | None = None  # a guess of the leading subspace, (n, b)


def solve(A: Symmetric, choice: Choice, problem: Problem) -> Spectrum:
    """Return the wanted eigenpairs of A, signs fixed."""
    return select(decompose(A, choice, problem), problem)


def decompose(A: Symmetric, choice: Choice, problem: Problem) -> Spectrum:
    """Return at least the wanted eigenpairs of A, by the chosen solver."""
    if choice.name != "dense":
        found = solve_krylov(A, choice, problem)
        if found is not None:
            return found
        choice = Choice("dense", f"the iteration did not converge ({choice.reason})")
    return solve_dense(A, choice, problem)


def solve_dense(A: Symmetric, choice: Choice, problem: Problem) -> Spectrum:
    """Return every eigenpair, negative ones after the policy, null ones last."""
    require_dense(A.n, problem.budget)
    M = A.dense()
    total = A.trace()
    values, vectors = eigh(M)
    residuals = residual_norms(M @ vectors, vectors, values)
    noise = null_level(A, max(problem.scale, abs(values[0]), abs(values[-1])))
    below = values < -noise
    negative = 0.0 if problem.known_psd else float(-values[below].sum())
    if negative > 0:
        total = _after_policy(values, total, negative, problem.policy)
    both = problem.policy in ("flip", "krein") and negative > 0
    live = np.flatnonzero((values > noise) | (both & below))
    live = live[np.argsort(-np.abs(values[live]), kind="stable")]
    null = np.flatnonzero(np.abs(values) <= noise)
    order = np.concatenate([live, null])
    kept = np.concatenate([values[live], np.zeros(null.size)])
    if problem.policy == "flip":
        kept = np.abs(kept)
    found = take(vectors, order, axis=1)
    modulus = None
    if negative > 0:  # then the diagonal of A is not what the live axes carry
        modulus = found[:, : live.size] ** 2 @ as_kind(np.abs(kept[: live.size]), found)
    return Spectrum(kept, found, total, residuals[order], str(choice), negative, modulus=modulus)


def require_dense(n: int, budget: int) -> None:
    """Refuse a full decomposition that does not fit the budget."""
    remedy = "ask for fewer axes (n_components=10), use approximation=Nystrom(), or raise memory="
    require(dense_bytes(n), budget, f"a full decomposition of {n} × {n}", remedy)


def _after_policy(values: np.ndarray, total: float, negative: float, policy: str) -> float:
    """Return the trace of the matrix that the policy analyses in place of an indefinite one."""
    if policy == "raise":
        raise IndefiniteError(
            f"kernel: the centred Gram matrix is indefinite: its smallest eigenvalue is "
            f"{values[-1]:.3g} and its largest {values[0]:.3g}. Use indefinite='clip', 'flip' or "
            "'krein', or a positive semi-definite kernel"
        )
    positive = float(values[values > 0].sum())
    return {"clip": positive, "flip": positive + negative}.get(policy, total)


def null_level(A: Symmetric, scale: float) -> float:
    """Return the size under which an eigenvalue of A is rounding.

    The weights sum to 1, so that errors of eps in every entry of a Gram matrix of size `scale` move
    no eigenvalue by more than eps·scale, whatever n.
    """
    return 64.0 * eps(A.like.dtype, namespace(A.like)) * scale


def solve_krylov(A: Symmetric, choice: Choice, problem: Problem) -> Spectrum | None:
    """Return the leading eigenpairs by block Krylov, or None if a dense solve should take over."""
    rule = problem.wanted.rule
    most = min(problem.dimension, A.n)
    q = problem.wanted.q or min(_FIRST_GUESS, most)
    while True:
        need = krylov_bytes(A.n, q)
        remedy = "ask for fewer axes or raise memory="
        require(need, problem.budget, f"the Krylov basis for {q} axes of n = {A.n}", remedy)
        start, before = warm_start(A, q, problem)
        found = block_krylov(A, q, tol=problem.tol, start=start, rng=problem.rng)
        if (
            rule is None
            or q >= most
            or rule(found.values, A.trace(), problem.dimension) is not None
        ):
            break
        q = min(2 * q, most)
    negative = _certain_negative(A, found, problem)
    noise = null_level(A, max(problem.scale, abs(found.values[0])))
    limit = max(problem.tol, 4.0 * eps(A.like.dtype, namespace(A.like))) * abs(found.values[0])
    late = [int(k) + 1 for k in np.flatnonzero(found.residuals > max(limit, noise))]
    if late and problem.auto and dense_bytes(A.n) <= problem.budget:
        return None
    if late:
        warnings.warn(
            f"axes {late} did not reach tol={problem.tol:g} after {found.products} products "
            f"(residuals up to {found.residuals.max():.2g}): raise tol or use solver='dense'",
            ConvergenceWarning,
            stacklevel=6,
        )
    values = np.where(found.values > noise, found.values, 0.0)
    reason = f"{choice} ({found.products} products{before})"
    return Spectrum(
        values, found.vectors, A.trace(), found.residuals, reason, negative, image=found.image
    )


def warm_start(A: Symmetric, q: int, problem: Problem) -> tuple[Array | None, str]:
    """Return a first subspace and what it cost, in words.

    A sample's eigenvectors save a product or two; products in single precision, at a third of the
    price, then do all the work but the last digits.
    """
    if problem.start is not None:
        return problem.start, " after a given start"
    if problem.wanted.q is None or FEW * basis_columns(q)[0] > A.n:
        return None, ""
    width = A.sketch_width(basis_columns(q)[0])
    low = A.lowered()
    if low is None or problem.tol > _LOW_TOL:
        return A.sketch(width, problem.rng), ""
    start = low.sketch(width, problem.rng)
    found = block_krylov(low, q, tol=_LOW_TOL, start=start, stalls=True, rng=problem.rng)
    assert found.subspace is not None
    return found.subspace, f" after {found.products} in single precision"


def _certain_negative(A: Symmetric, found: KrylovResult, problem: Problem) -> float:
    """Return a lower bound of the negative inertia; refuse it if that is the policy."""
    noise = null_level(A, max(problem.scale, abs(found.values[0])))
    if problem.known_psd or found.negative <= noise:
        return 0.0
    if problem.policy == "raise":
        raise IndefiniteError(
            f"kernel: the centred Gram matrix is indefinite: its negative eigenvalues add up to at "
            f"least {found.negative:.3g}, its largest is {found.values[0]:.3g}. Use indefinite="
            "'clip', 'flip' or 'krein', or a positive semi-definite kernel"
        )
    return found.negative


def select(found: Spectrum, problem: Problem) -> Spectrum:
    """Keep the axes that are wanted; null axes only where a number of axes was asked for."""
    wanted = problem.wanted
    live = int(np.count_nonzero(found.values))
    if live == 0:
        raise InputError(
            "X: the total inertia is zero, there are no axes to find (X or its kernel is constant)"
        )
    q = live
    if wanted.q is not None:
        q = wanted.q
        if q > live:
            text = f"only {live} axes carry inertia: axes {live + 1} to {q} are null"
            warnings.warn(text, RankWarning, stacklevel=6)
    elif wanted.rule is not None:
        values = np.abs(found.values[:live])
        missing = np.zeros(max(problem.dimension - live, 0))
        q = min(
            wanted.rule(np.append(values, missing), found.total, problem.dimension) or live, live
        )
    kept = found.keep(q).padded(q)
    kept.warn_of_ties()
    return kept
