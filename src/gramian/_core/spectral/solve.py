"""From a centred operator to the spectrum that is kept: which solver, why, and its axes."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from gramian._core.array import as_kind, eps, namespace, take
from gramian._core.check import short, warn
from gramian._core.operators.gram import Symmetric
from gramian._core.parallel import format_bytes, require_memory
from gramian._core.spectral.dense import eigh, residual_norms
from gramian._core.spectral.krylov import KrylovResult, basis_columns
from gramian._core.spectral.search import completeness_of, null_level, search_axes, warn_of_level
from gramian._core.spectral.spectrum import (
    FIRST_GUESS,
    MIN_ROWS_PER_COLUMN,
    Completeness,
    Request,
    Spectrum,
)
from gramian.errors import ConvergenceWarning, IndefiniteError, InputError, RankWarning

SMALL_ROWS = 400  # below, a full decomposition is as quick as anything
POLICIES = ("raise", "clip", "flip", "krein")


@dataclass(frozen=True)
class Choice:
    """A solver's name and the reason for it."""

    name: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"


@dataclass(frozen=True)
class Solver:
    """A way to eigenpairs.

    Parameters
    ----------
    name : str
        What `solver=` calls it.
    applies : function of (n, Request)
        The reason to choose it for an operator of size n, or None.
    run : function of (A, Choice, Request)
        Returns at least the axes that are asked for, as a Spectrum whose residuals are those of
        its vectors, or None where a full decomposition should take over.
    """

    name: str
    applies: Callable[[int, Request], str | None]
    run: Callable[[Symmetric, Choice, Request], Spectrum | None]
    trusted: bool = False  # whether what it returns is not looked at once more


SOLVERS: dict[str, Solver] = {}


def register(solver: Solver, *, first: bool = False) -> Solver:
    """Make a solver known by its name; with `first`, it is asked before those that are there."""
    if not isinstance(solver, Solver) or not isinstance(solver.name, str):
        raise InputError(f"solver={solver!r:.80} must be a Solver with a name")
    if solver.name in SOLVERS or solver.name in ("auto", "covariance"):
        raise InputError(f"solver {solver.name!r} is registered already: choose another name")
    others = dict(SOLVERS)
    SOLVERS.clear()
    SOLVERS.update({solver.name: solver} | others if first else others | {solver.name: solver})
    return solver


def dense_bytes(n: int, itemsize: int = 8) -> int:
    """Return what a full decomposition of an n × n matrix takes: the matrix, vectors, workspace."""
    return 4 * n * n * itemsize


def krylov_bytes(n: int, q: int, width: int = 0, itemsize: int = 8) -> int:
    """Return what the Krylov basis and `width` more columns of length n take."""
    block, largest = basis_columns(q, n)
    return n * (2 * largest + 4 * block + width) * itemsize


def _check_solver(solver: str, known: list[str]) -> None:
    if not isinstance(solver, str) or solver not in known:
        raise InputError(f"solver={short(solver)} is not known here: use one of {', '.join(known)}")


def choose_gram(n: int, request: Request) -> Choice:
    """Choose for a centred Gram operator of size n."""
    _check_solver(request.solver, ["auto", *SOLVERS])
    if not request.auto:
        return Choice(request.solver, "asked for")
    reasons = ((name, solver.applies(n, request)) for name, solver in SOLVERS.items())
    return next(Choice(name, reason) for name, reason in reasons if reason is not None)


def why_dense(n: int, request: Request) -> str | None:
    """Return why a full decomposition is the best that can be done, if it is."""
    q = request.guess
    if (whole := request.whole(n)) is not None:
        return whole
    if q is None:
        return "every axis is wanted"
    if n <= SMALL_ROWS:
        return f"n = {n} is small"
    if MIN_ROWS_PER_COLUMN * basis_columns(q)[0] > n and dense_bytes(n) <= request.budget:
        return f"{q} of {n} axes are too many for an iterative solver to pay"
    return None


def why_krylov(n: int, request: Request) -> str | None:
    """Return why an iteration is the best that can be done."""
    size = format_bytes(dense_bytes(n))
    return f"{request.guess} of {n} axes; a full decomposition would take {size}"


def _why_krylov_of_features(n: int, p: int, q: int | None) -> str | None:
    small = min(n, p)
    if q is not None and small > 1_000 and MIN_ROWS_PER_COLUMN * basis_columns(q)[0] <= small:
        return f"{q} of {small} axes of a large table ({n} × {p})"
    return None


# In the order in which they are asked for n rows of p features and q axes.
FEATURE_SOLVERS: dict[str, Callable[[int, int, int | None], str | None]] = {
    "krylov": _why_krylov_of_features,
    "covariance": lambda n, p, q: f"p = {p} ≤ n = {n}" if p <= n else None,
    "dense": lambda n, p, q: f"n = {n} < p = {p}: the n × n Gram matrix is the smaller one",
}


def choose_features(n: int, p: int, q: int | None, solver: str) -> Choice:
    """Choose for n rows of p features, q axes of which are wanted, None for all."""
    _check_solver(solver, ["auto", "covariance", *SOLVERS])
    if solver != "auto":
        more = "; the n × n Gram matrix" if solver == "dense" else ""
        return Choice(solver, f"asked for{more}")
    reasons = ((name, why(n, p, q)) for name, why in FEATURE_SOLVERS.items())
    return next(Choice(name, reason) for name, reason in reasons if reason is not None)


def solve(A: Symmetric, request: Request) -> Spectrum:
    """Return the eigenpairs of A that are asked for, signs fixed."""
    return select(decompose(A, choose_gram(A.n, request), request), request)


def decompose(A: Symmetric, choice: Choice, request: Request) -> Spectrum:
    """Return at least the eigenpairs of A that are asked for, by the chosen solver."""
    solver = SOLVERS[choice.name]
    spectrum = solver.run(A, choice, request)
    if spectrum is None:
        why = "did not converge" if solver.trusted else "leaves it to a full decomposition"
        return solve_dense(A, Choice("dense", f"the iteration {why} ({choice.reason})"), request)
    return spectrum if solver.trusted else _verify(A, spectrum, request)


def _verify(A: Symmetric, spectrum: Spectrum, request: Request) -> Spectrum:
    """Return what a solver of somebody else's found, its residuals measured and null axes null."""
    values = np.asarray(spectrum.values, dtype=float)
    q = request.axes.q
    if not np.isfinite(values).all() or (np.diff(values) > 0).any():
        raise InputError("solver: it returned values that are not finite and descending")
    if q is not None and len(values) < min(q, A.n):
        raise InputError(f"solver: it returned {len(values)} axes, but {q} were asked for")
    if tuple(spectrum.vectors.shape) != (A.n, len(values)):
        raise InputError(f"solver: its vectors have shape {tuple(spectrum.vectors.shape)}")
    image = A.matmul(spectrum.vectors)
    residuals = residual_norms(image, spectrum.vectors, values)
    noise = null_level(A, max(request.scale, abs(values[0])))
    late = [int(k) + 1 for k in np.flatnonzero(residuals > max(request.tol * values[0], noise))]
    if late or not np.isfinite(residuals).all():
        warn(
            f"axes {late} of this solver did not reach tol={request.tol:g} (residuals up to "
            f"{residuals.max():.2g}): raise tol, or use another solver",
            ConvergenceWarning,
        )
    pairs = KrylovResult(values, spectrum.vectors, image, residuals, 0, not late, None)
    completeness = completeness_of(A, pairs, request)
    if not late:
        warn_of_level(completeness, values)
    return replace(
        spectrum,
        values=np.where(values > noise, values, 0.0),
        residuals=residuals,
        image=image,
        completeness=completeness,
    )


def solve_dense(A: Symmetric, choice: Choice, request: Request) -> Spectrum:
    """Return every eigenpair, negative ones after the policy, null ones last."""
    require_dense(A.n, request.budget)
    M = A.dense()
    total = A.trace()
    # Of an operator that can only be definite the axes that are wanted, and the first left out.
    q = request.axes.q if request.psd else None
    values, vectors = eigh(M, count=None if q is None else q + 1)
    residuals = residual_norms(M @ vectors, vectors, values)
    noise = null_level(A, max(request.scale, abs(values[0]), abs(values[-1])))
    if values[-1] > noise:  # all are axes, in their order
        known = Completeness(noise)
        return Spectrum(values, vectors, total, residuals, str(choice), completeness=known)
    below = values < -noise
    negative = 0.0 if request.psd else float(-values[below].sum())
    if negative > 0:
        total = _after_policy(values, total, negative, request.policy)
    both = request.policy in ("flip", "krein") and negative > 0
    live = np.flatnonzero((values > noise) | (both & below))
    live = live[np.argsort(-np.abs(values[live]), kind="stable")]
    null = np.flatnonzero(np.abs(values) <= noise)
    order = np.concatenate([live, null])
    signed = np.concatenate([values[live], np.zeros(null.size)])
    if request.policy == "flip":
        signed = np.abs(signed)
    vectors = take(vectors, order, axis=1)
    modulus = None
    if negative > 0:  # then the diagonal of A is not what the live axes carry
        modulus = vectors[:, : live.size] ** 2 @ as_kind(np.abs(signed[: live.size]), vectors)
    known = Completeness(noise)
    parts = (signed, vectors, total, residuals[order], str(choice), negative)
    return Spectrum(*parts, modulus=modulus, completeness=known)


def require_dense(n: int, budget: int) -> None:
    """Refuse a full decomposition that does not fit the budget."""
    remedy = "ask for fewer axes (n_components=10), use approximation=Nystrom(), or raise memory="
    require_memory(dense_bytes(n), budget, f"a full decomposition of {n} × {n}", remedy)


def _after_policy(values: np.ndarray, total: float, negative: float, policy: str) -> float:
    """Return the trace of the matrix that the policy analyses in place of an indefinite one."""
    if policy == "raise":
        raise _indefinite(
            f"its smallest eigenvalue is {values[-1]:.3g} and its largest {values[0]:.3g}"
        )
    positive = float(values[values > 0].sum())
    return {"clip": positive, "flip": positive + negative}.get(policy, total)


def _indefinite(eigenvalues: str) -> IndefiniteError:
    return IndefiniteError(
        f"kernel: the centred Gram matrix is indefinite: {eigenvalues}. Use indefinite='clip', "
        "'flip' or 'krein', or a positive semi-definite kernel",
        argument="indefinite",
        found="raise",
    )


def solve_krylov(A: Symmetric, choice: Choice, request: Request) -> Spectrum | None:
    """Return the leading eigenpairs by block Krylov, or None if a dense solve should take over."""
    rule = request.axes.rule
    if rule is None and request.axes.q is None:
        choice = Choice("dense", "every axis is wanted, which an iteration cannot give")
        return solve_dense(A, choice, request)
    dimension = A.n if request.dimension is None else request.dimension
    most = min(dimension, A.n)
    q = request.axes.q or min(FIRST_GUESS, most)
    while True:
        need = krylov_bytes(A.n, q)
        remedy = "ask for fewer axes or raise memory="
        require_memory(need, request.budget, f"the Krylov basis for {q} axes of n = {A.n}", remedy)
        search = search_axes(A, q, request)
        krylov = search.krylov
        if rule is None or q >= most or rule(krylov.values, A.trace(), dimension) is not None:
            break
        q = min(2 * q, most)
    negative = _certain_negative(A, krylov, request)
    noise = null_level(A, max(request.scale, abs(krylov.values[0])))
    limit = max(request.tol, 4.0 * eps(A.like.dtype, namespace(A.like))) * abs(krylov.values[0])
    late = [int(k) + 1 for k in np.flatnonzero(krylov.residuals > max(limit, noise))]
    known = search.completeness
    is_short = bool(late) or (known is not None and not known.reached)
    if is_short and request.auto and dense_bytes(A.n) <= request.budget:
        return None
    if late:
        warn(
            f"axes {late} did not reach tol={request.tol:g} after {krylov.products} products "
            f"(residuals up to {krylov.residuals.max():.2g}): raise tol or use solver='dense'",
            ConvergenceWarning,
        )
    else:
        warn_of_level(search.completeness, krylov.values)
    values = np.where(krylov.values > noise, krylov.values, 0.0)
    return Spectrum(
        values,
        krylov.vectors,
        A.trace(),
        krylov.residuals,
        f"{choice} ({search.words})",
        negative,
        beyond=None if search.beyond is None or search.beyond <= noise else search.beyond,
        image=krylov.image,
        completeness=search.completeness,
    )


def _certain_negative(A: Symmetric, krylov: KrylovResult, request: Request) -> float:
    """Return a lower bound of the negative inertia; refuse it if that is the policy."""
    noise = null_level(A, max(request.scale, abs(krylov.values[0])))
    if request.psd or krylov.negative <= noise:
        return 0.0
    if request.policy == "raise":
        raise _indefinite(
            f"its negative eigenvalues add up to at least {krylov.negative:.3g}, its largest is "
            f"{krylov.values[0]:.3g}"
        )
    return krylov.negative


def select(spectrum: Spectrum, request: Request) -> Spectrum:
    """Keep the axes that are asked for; null axes only where a number of axes was."""
    axes = request.axes
    live = int(np.count_nonzero(spectrum.values))
    if live == 0:
        raise InputError(
            "X: the total inertia is zero, there are no axes to find (X or its kernel is constant, "
            "to the rounding of its numbers): give rows that differ"
        )
    q = live
    if axes.q is not None:
        q = axes.q
        if q > live:
            warn(f"only {live} axes carry inertia: axes {live + 1} to {q} are null", RankWarning)
    elif axes.rule is not None:
        dimension = live if request.dimension is None else request.dimension
        missing = np.zeros(max(dimension - live, 0))
        values = np.append(np.abs(spectrum.values[:live]), missing)
        q = min(axes.rule(values, spectrum.total, dimension) or live, live)
    spectrum = spectrum.keep(q).pad(q)
    spectrum.warn_of_ties()
    return spectrum


register(Solver("dense", why_dense, solve_dense, trusted=True))
register(Solver("krylov", why_krylov, solve_krylov, trusted=True))
