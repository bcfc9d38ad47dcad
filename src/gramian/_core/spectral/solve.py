"""From a centred operator to the spectrum that is kept: which solver, why, and its axes.

The search for leading axes has a start, cheap products first, and a bound on what is left out.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import blas

from gramian._core.array import Array, eps, namespace, standard_normal, to_numpy
from gramian._core.check import short, warn
from gramian._core.operators.gram import Symmetric
from gramian._core.parallel import format_bytes, one_blas_thread, require_memory
from gramian._core.spectral.dense import indefinite_error, residual_norms, solve_dense
from gramian._core.spectral.krylov import (
    NEAR_GAP,
    KrylovResult,
    Ritz,
    basis_columns,
    block_krylov,
    contiguous,
    lanczos_subspace,
)
from gramian._core.spectral.probe import (
    MAX_PROBE_PRODUCTS,
    Bound,
    Goals,
    Probe,
    norm_bound,
    probe_columns,
)
from gramian._core.spectral.refine import refine
from gramian._core.spectral.spectrum import (
    FIRST_GUESS,
    TIE_TOLERANCE,
    Choice,
    Completeness,
    Request,
    Spectrum,
    dense_bytes,
)
from gramian.errors import ConvergenceWarning, InputError, RankWarning

SMALL_ROWS = 400  # below, a full decomposition is as quick as anything
MAX_ROWS_SEEN = 2_000  # up to which every eigenvalue of a possibly indefinite operator is computed
MIN_ROWS_PER_COLUMN = 6  # of the Krylov basis, from which on the iteration pays
POLICIES = ("raise", "clip", "flip", "krein")
LOW_TOL = 1e-6  # what single precision can certify
RANDOM_COLUMNS = 2  # beside a start that the caller supplied
PROBE_PRODUCTS = 12  # products of a probe in which a bound below the last axis is expected
MAX_SEARCHES = 5  # searches before what was missed is reported
CACHED_ROWS = 2_000  # of a matrix of doubles up to which it stays in the cache
COLUMN_STEPS = 60  # and two for each axis: where they are not enough, blocks are better
MAX_COLUMN_STEPS = 1_000  # of one column, where blocks are no better
SLOW_SHARE = 0.3  # of the last eigenvalue, below which others do not slow a search down
MISSED_EXCESS = 1e-6  # relative excess over the last axis that is no rounding
TIE_MARGIN = 1e-6  # relative distance below the last axis at which nothing else is tied to it
CARE_MARGIN = 0.9  # of what `care` allows, to aim for


@dataclass(frozen=True)
class Solver:
    """An eigensolver, chosen by its name or by its own rule.

    Parameters
    ----------
    name : str
        The name used by `solver=`.
    applies : function of (n, Request)
        The reason to choose it for an operator of size n, or None.
    run : function of (A, Choice, Request)
        Returns at least the requested axes, as a Spectrum whose residuals are those of its
        vectors, or None if a full decomposition should be used instead.

    Examples
    --------
    >>> gm.spectral.Solver("mine", lambda n, request: None, lambda A, choice, request: None).name
    'mine'
    """

    name: str
    applies: Callable[[int, Request], str | None]
    run: Callable[[Symmetric, Choice, Request], Spectrum | None]
    trusted: bool = False  # whether what it returns is not looked at once more


SOLVERS: dict[str, Solver] = {}


def register(solver: Solver, *, first: bool = False) -> Solver:
    """Register a solver under its name; with `first`, its rule is tried before the others."""
    if not isinstance(solver, Solver) or not isinstance(solver.name, str):
        raise InputError(f"solver={solver!r:.80} must be a Solver with a name")
    if solver.name in SOLVERS or solver.name in ("auto", "covariance"):
        raise InputError(f"solver {solver.name!r} is registered already: choose another name")
    others = dict(SOLVERS)
    SOLVERS.clear()
    SOLVERS.update({solver.name: solver} | others if first else others | {solver.name: solver})
    return solver


def krylov_bytes(n: int, q: int) -> int:
    """Return what the Krylov basis for q axes takes, with its image and what is made beside it."""
    block, largest = basis_columns(q, n)
    return 8 * n * (2 * largest + 4 * block)


def _check_solver(solver: str, known: list[str]) -> None:
    if not isinstance(solver, str) or solver not in known:
        raise InputError(f"solver={short(solver)} is not known here: use one of {', '.join(known)}")


def choose_gram(n: int, request: Request) -> Choice:
    """Choose for a centred Gram operator of size n."""
    _check_solver(request.solver, ["auto", *SOLVERS])
    if request.solver != "auto":
        return Choice(request.solver, "asked for")
    reasons = ((name, solver.applies(n, request)) for name, solver in SOLVERS.items())
    return next(Choice(name, reason) for name, reason in reasons if reason is not None)


def why_dense(n: int, request: Request) -> str | None:
    """Return why a full decomposition is the best that can be done, if it is."""
    q, policy = request.guess, request.policy
    if not request.psd and policy not in ("raise", "drop"):
        return f"indefinite={policy!r} needs every eigenvalue"
    if not request.psd and n <= MAX_ROWS_SEEN:
        if policy == "drop":
            return "every eigenvalue tells if X is Euclidean"
        return "the kernel may be indefinite: every eigenvalue is looked at"
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
        raise InputError(f"solver: it returned {len(values)} axes, but {q} were requested")
    if tuple(spectrum.vectors.shape) != (A.n, len(values)):
        raise InputError(f"solver: its vectors have shape {tuple(spectrum.vectors.shape)}")
    image = A.matmul(spectrum.vectors)
    residuals = residual_norms(image, spectrum.vectors, values)
    noise = A.null_level(max(request.scale, abs(values[0])))
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
    noise = A.null_level(max(request.scale, abs(krylov.values[0])))
    limit = max(request.tol, 4.0 * eps(A.like.dtype, namespace(A.like))) * abs(krylov.values[0])
    late = [int(k) + 1 for k in np.flatnonzero(krylov.residuals > max(limit, noise))]
    known = search.completeness
    is_short = bool(late) or (known is not None and not known.reached)
    if is_short and request.solver == "auto" and dense_bytes(A.n) <= request.budget:
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
        beyond=None if krylov.beyond is None or krylov.beyond <= noise else krylov.beyond,
        image=krylov.image,
        completeness=search.completeness,
    )


def _certain_negative(A: Symmetric, krylov: KrylovResult, request: Request) -> float:
    """Return a lower bound of the negative inertia; refuse it if that is the policy."""
    noise = A.null_level(max(request.scale, abs(krylov.values[0])))
    if request.psd or krylov.negative <= noise:
        return 0.0
    if request.policy == "raise":
        raise indefinite_error(
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


@dataclass(frozen=True)
class Search:
    """Eigenpairs, what is known of the others, and a text on what it took."""

    krylov: KrylovResult
    completeness: Completeness | None
    words: str


@dataclass(frozen=True)
class _Start:
    """Where a search starts."""

    subspace: Array | None  # a first guess, (n, b); None for random columns
    cheap: Symmetric  # where products cost least
    probe: Probe | None
    words: str = ""
    quick: int = 0  # products in single precision
    following: Ritz | None = None  # approximate eigenpairs after the last axis
    blind: bool = True  # whether an axis may have no part in the subspace
    patience: int = PROBE_PRODUCTS


def search_axes(A: Symmetric, q: int, request: Request) -> Search:
    """Return the q leading eigenpairs, and a level that no eigenvalue left out exceeds.

    A start can be blind: one column to a second axis of the same eigenvalue, a sample to what is
    not in it. What it leads to is accepted if a probe shows that no eigenvalue outside exceeds the
    last one; otherwise a block of random columns, which is blind to none of the q axes and the one
    after them, starts the search again.
    """
    start = _quick_start(A, q, request)
    products, quick = 0, 0
    for _ in range(MAX_SEARCHES):
        krylov, more = _eigenpairs(A, q, start, request)
        products, quick = products + krylov.products, quick + start.quick + more
        words = f"{products} product{'s' * (products != 1)}{start.words}"
        if quick:
            words += f" after {quick} in single precision"
        if request.care is None:
            return Search(krylov, None, words)
        bound, noise, goal = _upper_bound(A, start, krylov, request)
        is_left_out = bound.largest > _largest_expected(krylov, noise)
        if not krylov.converged or bound.level <= goal or not (is_left_out or start.blind):
            break
        start = _block_start(A, _in_single(A, request), None, q, request)
    return Search(krylov, _completeness(bound, noise, krylov, request), words)


def _eigenpairs(A: Symmetric, q: int, start: _Start, request: Request) -> tuple[KrylovResult, int]:
    """Return the eigenpairs that a start leads to, and the products in single precision."""
    tol, scale, cheap = request.tol, request.scale, start.cheap
    if cheap is A or start.subspace is None:
        krylov = block_krylov(
            A, q, tol=tol, start=start.subspace, scale=scale, rng=request.rng, probe=start.probe
        )
        return krylov, 0
    noise = cheap.null_level(scale)
    krylov, more = refine(A, cheap, q, start.subspace, tol=tol, noise=noise, scale=scale)
    return replace(krylov, following=start.following), more


def completeness_of(A: Symmetric, krylov: KrylovResult, request: Request) -> Completeness | None:
    """Return what is known of the eigenvalues outside eigenpairs of another origin."""
    if request.care is None:
        return None
    start = _Start(None, A, Probe(A, request.rng, request.missed), blind=False)
    bound, noise, _ = _upper_bound(A, start, krylov, request)
    return _completeness(bound, noise, krylov, request)


def _upper_bound(
    A: Symmetric, start: _Start, krylov: KrylovResult, request: Request
) -> tuple[Bound, float, float]:
    """Return the bound of the probe, how far rounding may move it, and the level it aims for."""
    last, scale = abs(krylov.values[-1]), max(request.scale, abs(krylov.values[0]))
    for cheap, probe in ((start.cheap, start.probe), (A, None)):
        noise = float(krylov.residuals.max(initial=0.0)) + cheap.null_level(scale)
        if cheap is not A and noise > 0.25 * last:  # single precision cannot see so little
            continue
        care = CARE_MARGIN * (request.care or np.inf) + 1.0 - CARE_MARGIN
        accepted = max(care * last - noise, noise)
        tied = krylov.beyond is not None and krylov.beyond >= (1.0 - TIE_TOLERANCE) * last - noise
        strict = accepted if tied else max((1.0 - TIE_MARGIN) * last, noise)
        if krylov.following is not None:  # no level can be below eigenvalues that are known
            known = float((krylov.following.values + krylov.following.residuals).max())
            strict = max(strict, min(known, care * last))
        enough = np.nan if start.blind and not tied else max(strict, accepted)
        goals = Goals(strict, enough, _largest_expected(krylov, noise), start.patience)
        by_norm = norm_bound(cheap, krylov) if probe is None else None
        if by_norm is not None and by_norm.level <= strict:
            return by_norm, noise, strict
        probe = probe or Probe(A, request.rng, request.missed)
        bound = probe.upper_bound(cheap, krylov, goals)
        # What single precision cannot show, double precision may.
        if cheap is A or bound.level <= max(strict, accepted):
            break
    return bound, noise, strict


def _largest_expected(krylov: KrylovResult, noise: float) -> float:
    """Return the largest eigenvalue that may be seen outside: the axis after the last, or less."""
    last = float(krylov.values[-1])
    near = last * (1.0 - NEAR_GAP)
    if krylov.beyond is not None:
        near = max(krylov.beyond, near)
    return max(near, 0.0) * (1.0 + MISSED_EXCESS) + noise


def _completeness(
    bound: Bound, noise: float, krylov: KrylovResult, request: Request
) -> Completeness:
    level, last = max(bound.level, krylov.beyond or 0.0) + noise, abs(float(krylov.values[-1]))
    missed, how = request.missed, f"{bound.columns} random columns, {bound.products} products"
    if not bound.columns:
        missed, how = 0.0, "the norm of the matrix outside the axes"
    allowed = max((request.care or np.inf) * last + 2.0 * noise, 4.0 * noise)
    reached = level <= allowed and krylov.converged
    return Completeness(level, missed, how, bool(reached))


def warn_of_level(completeness: Completeness | None, values: np.ndarray) -> None:
    """Warn when an axis may have been left out that is larger than the last one."""
    if completeness is not None and not completeness.reached:
        warn(
            f"an eigenvalue up to {completeness.level:.3g} may have been left out, that of the "
            f"last axis is {abs(values[-1]):.3g} ({completeness.method}): use solver='dense', or "
            "another number of axes",
            ConvergenceWarning,
        )


def _quick_start(A: Symmetric, q: int, request: Request) -> _Start:
    """Return the start that leads to the axes quickest: it may be blind.

    One column finds single axes of a small matrix with the fewest operations; elsewhere the
    eigenvectors of a sample save a product or two.
    """
    if request.start is not None:
        start = _mix(request.start, A, request)
        return _Start(start, A, _probe(A, request), " after a given start")
    if request.axes.q is None or MIN_ROWS_PER_COLUMN * basis_columns(q)[0] > A.n:
        return _Start(None, A, _probe(A, request), blind=False)
    if (product := _column_product(A)) is not None:
        with one_blas_thread():
            steps = MAX_COLUMN_STEPS if A.by_columns else COLUMN_STEPS + 2 * q
            block = basis_columns(q)[0]  # those after the axes sharpen the bound of the probe
            start = lanczos_subspace(
                product, A.n, q, block, request.tol, request.rng, steps, A.like
            )
        if start is None:
            return _Start(None, A, _probe(A, request), blind=False)
        words = " after those of one column"
        # A matrix in memory is bounded by its norm first, without random columns.
        probe = _probe(A, request) if A.by_columns else None
        return _Start(start, A, probe, words, patience=MAX_PROBE_PRODUCTS)
    low = _in_single(A, request)
    guess = _guess(A if low is None else low, q, request.rng)
    return _block_start(A, low, guess, q, request)


def _block_start(
    A: Symmetric, low: Symmetric | None, guess: Array | None, q: int, request: Request
) -> _Start:
    """Return a guess, or what products in single precision make of it, at half of the price."""
    blind = guess is not None
    if low is None:
        return _Start(guess, A, _probe(A, request), blind=blind)
    probe = _probe(low, request)
    pairs = block_krylov(
        low, q, tol=LOW_TOL, start=guess, stalls=True, rng=request.rng, probe=probe
    )
    return _Start(pairs.subspace, low, probe, "", pairs.products, pairs.following, blind)


def _in_single(A: Symmetric, request: Request) -> Symmetric | None:
    """Return the operator in single precision, where its products do most of the work."""
    return None if request.tol > LOW_TOL else A.to_single()


def _guess(A: Symmetric, q: int, rng: np.random.Generator) -> Array | None:
    """Return a first guess from a sample, far wider than a block only where axes are alike."""
    block, beside = basis_columns(q)[0], probe_columns(A)
    guess = A.sketch(A.sketch_width(block + beside) - beside, rng)
    # One less for the means.
    narrow = max(block, A.width(block + beside) - beside - 1)
    if guess is None or guess.shape[1] < 2 * narrow:
        return guess
    xp = namespace(guess)
    lengths = to_numpy(xp.sum(guess * guess, axis=0)) ** 0.5  # as their eigenvalues are
    return guess if lengths[narrow] > SLOW_SHARE * lengths[q - 1] else contiguous(guess[:, :narrow])


def _column_product(A: Symmetric) -> Callable[[Array], Array] | None:
    """Return the product of A and one column, where a search by single ones is the quickest."""
    if A.by_columns:
        return lambda w: A.matmul(w[:, None])[:, 0]
    held = A.dense_parts() if A.n <= CACHED_ROWS else None
    if held is None:
        return None
    G, p, root = held

    def product(w: np.ndarray) -> np.ndarray:
        w = root * w - (root @ w) * p
        w = blas.dsymv(1.0, G.T, w, lower=1)  # half of G is read: rows, as they lie
        return root * (w - p @ w)

    return product


def _probe(A: Symmetric, request: Request) -> Probe | None:
    return None if request.care is None else Probe(A, request.rng, request.missed)


def _mix(start: Array, A: Symmetric, request: Request) -> Array:
    """Return a start with random columns beside it: one that is invariant leads nowhere else."""
    xp = namespace(A.like)
    W = standard_normal(request.rng, (A.n, RANDOM_COLUMNS), start, np.float32)
    size = xp.sqrt(xp.mean(start * start))
    return xp.concat([start, W * size], axis=1)


register(Solver("dense", why_dense, solve_dense, trusted=True))
register(Solver("krylov", why_krylov, solve_krylov, trusted=True))
