"""The search for leading axes: a start, cheap products first, and a bound on what is left out."""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from scipy.linalg import blas

from gramian._core.array import (
    Array,
    as_kind,
    device_of,
    eps,
    is_numpy,
    namespace,
    standard_normal,
    to_numpy,
)
from gramian._core.check import warn
from gramian._core.operators.gram import Symmetric
from gramian._core.parallel import one_blas_thread
from gramian._core.spectral.dense import eigh
from gramian._core.spectral.krylov import (
    BORDER_RESIDUAL,
    NEAR_GAP,
    KrylovResult,
    Ritz,
    basis_columns,
    block_krylov,
    contiguous,
    tridiagonal,
)
from gramian._core.spectral.probe import MAX_PROBE_PRODUCTS, PROBE_COLUMNS, Bound, Goals, Probe
from gramian._core.spectral.refine import refine
from gramian._core.spectral.spectrum import (
    MIN_ROWS_PER_COLUMN,
    TIE_TOLERANCE,
    Completeness,
    Request,
)
from gramian.errors import ConvergenceWarning

LOW_TOL = 1e-6  # what single precision can certify
RANDOM_COLUMNS = 2  # beside a start that the caller supplied
PROBE_PRODUCTS = 12  # products of a probe in which a bound below the last axis is expected
MAX_SEARCHES = 5  # searches before what was missed is reported
CACHED_ROWS = 2_000  # of a matrix of doubles up to which it stays in the cache
COLUMN_STEPS = 60  # and two for each axis: where they are not enough, blocks are better
MAX_COLUMN_STEPS = 1_000  # of one column, where blocks are no better
SLOW_SHARE = 0.3  # of the last eigenvalue, below which others do not slow a search down
BASIS_COLUMNS = 40  # columns, and four for each axis, after which the best half is kept
LOOK_STEPS = 4  # steps, at least, between two looks at the residuals
MISSED_EXCESS = 1e-6  # relative excess over the last axis that is no rounding
TIE_MARGIN = 1e-6  # relative distance below the last axis at which nothing else is tied to it
CARE_MARGIN = 0.9  # of what `care` allows, to aim for
DOUBLES = np.empty(0)


@dataclass(frozen=True)
class Search:
    """Eigenpairs, what is known of the others, and a text on what it took."""

    krylov: KrylovResult
    completeness: Completeness | None
    beyond: float | None  # the eigenvalue after the last one
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
        if start.probe is None:
            return Search(krylov, None, krylov.beyond, words)
        bound, noise, goal = _upper_bound(A, start, krylov, request)
        is_left_out = bound.largest > _largest_expected(krylov, noise)
        if not krylov.converged or bound.level <= goal or not (is_left_out or start.blind):
            break
        start = _random_start(A, q, request)
    completeness = _completeness(bound, noise, krylov, request)
    return Search(krylov, completeness, krylov.beyond, words)


def _eigenpairs(A: Symmetric, q: int, start: _Start, request: Request) -> tuple[KrylovResult, int]:
    """Return the eigenpairs that a start leads to, and the products in single precision."""
    tol, scale, cheap = request.tol, request.scale, start.cheap
    if cheap is A or start.subspace is None:
        krylov = block_krylov(
            A, q, tol=tol, start=start.subspace, scale=scale, rng=request.rng, probe=start.probe
        )
        return krylov, 0
    noise = null_level(cheap, scale)
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
    assert start.probe is not None
    last, scale = abs(krylov.values[-1]), max(request.scale, abs(krylov.values[0]))
    for cheap, probe in ((start.cheap, start.probe), (A, None)):
        noise = float(krylov.residuals.max(initial=0.0)) + null_level(cheap, scale)
        if cheap is not A and noise > 0.25 * last:  # single precision cannot see so little
            continue
        care = CARE_MARGIN * (request.care or np.inf) + 1.0 - CARE_MARGIN
        accepted = max(care * last - noise, noise)
        tied = krylov.beyond is not None and krylov.beyond >= (1.0 - TIE_TOLERANCE) * last - noise
        strict = accepted if tied else max((1.0 - TIE_MARGIN) * last, noise)
        enough = np.nan if start.blind and not tied else max(strict, accepted)
        goals = Goals(strict, enough, _largest_expected(krylov, noise), start.patience)
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
    how = f"{PROBE_COLUMNS} random columns, {bound.products} products"
    allowed = max((request.care or np.inf) * last + 2.0 * noise, 4.0 * noise)
    reached = level <= allowed and krylov.converged
    return Completeness(level, request.missed, how, bool(reached))


def warn_of_level(completeness: Completeness | None, values: np.ndarray) -> None:
    """Warn when an axis may have been left out that is larger than the last one."""
    if completeness is not None and not completeness.reached:
        warn(
            f"an eigenvalue up to {completeness.level:.3g} may have been left out, that of the "
            f"last axis is {abs(values[-1]):.3g} ({completeness.method}): use solver='dense', or "
            "another number of axes",
            ConvergenceWarning,
        )


def null_level(A: Symmetric, scale: float) -> float:
    """Return the size under which an eigenvalue of A is rounding.

    The weights sum to 1, so that errors of eps in every entry of a Gram matrix of size `scale` move
    no eigenvalue by more than eps·scale, whatever n.
    """
    like = A.like
    return 64.0 * eps(like.dtype, namespace(like)) * scale + A.roughness


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
        probe = _probe(A, request)
        with one_blas_thread():
            steps = MAX_COLUMN_STEPS if A.by_columns else COLUMN_STEPS + 2 * q
            block = basis_columns(q)[0]  # those after the axes sharpen the bound of the probe
            start = lanczos_subspace(
                product, A.n, q, block, request.tol, request.rng, steps, A.like
            )
        words = "" if start is None else " after those of one column"
        blind = start is not None
        return _Start(
            start,
            A,
            probe,
            words,
            blind=blind,
            patience=MAX_PROBE_PRODUCTS if blind else PROBE_PRODUCTS,
        )
    low = _in_single(A, request)
    guess = _guess(A if low is None else low, q, request.rng)
    return _block_start(A, low, guess, q, request)


def _random_start(A: Symmetric, q: int, request: Request) -> _Start:
    """Return a start of random columns."""
    return _block_start(A, _in_single(A, request), None, q, request)


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
    block = basis_columns(q)[0]
    guess = A.sketch(A.sketch_width(block + PROBE_COLUMNS) - PROBE_COLUMNS, rng)
    narrow = max(
        block, A.width(block + PROBE_COLUMNS) - PROBE_COLUMNS - 1
    )  # one less for the means
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


def lanczos_subspace(
    product: Callable[[Array], Array],
    n: int,
    q: int,
    width: int,
    tol: float,
    rng: np.random.Generator,
    steps: int,
    like: Array = DOUBLES,
) -> Array | None:
    """Return a basis, (n, width), that holds the q leading axes of a symmetric matrix, by products.

    One Krylov space of degree k holds the leading axes better than a block of as many columns does.
    It is blind to a second axis of the same eigenvalue, which the probe of a search is not.

    Lanczos' method with full reorthogonalisation and thick restarts, until |A u − λ u| ≤ tol·λ₁/50
    for each of the q; None where that takes more steps. A space that is nearly one is no start for
    a search: what all its axes lack is one and the same column.
    """
    xp, here = namespace(like), is_numpy(like)
    most = min(BASIS_COLUMNS + 4 * q, n - 1)
    tol = max(tol, 200.0 * eps(like.dtype, xp))
    limit = np.append(
        np.full(q, 0.02 * tol), BORDER_RESIDUAL
    )  # the first of those left out may be tied
    V, T = xp.empty((most, n), dtype=like.dtype, device=device_of(like)), np.zeros((most, most))
    w, k, kept, look = standard_normal(rng, (n,), like), 0, 0, 2 * (q + LOOK_STEPS)
    before = (0, -math.log(limit[0]))  # when, and how far off the axes were then
    rest = math.sqrt(w @ w)
    for _ in range(steps):
        V[k] = w / rest
        w = product(V[k])
        # Its neighbours first, which is all there is of it but rounding (after a restart: all that
        # were kept); once is not enough, as what is left of the others doubles at every step.
        for near in (slice(max(k - 1, 0) if k > kept else 0, k + 1), slice(0, k + 1)):
            h = V[near] @ w
            w -= h @ V[near]
            T[near, k] += h if here else to_numpy(h)
        T[k, :k] = T[:k, k]
        k += 1
        rest = math.sqrt(w @ w)
        is_whole = rest <= 1e-13 * abs(T[0, 0])  # nothing lies outside
        if k < width and is_whole:
            return None
        if k < look and k < most and not is_whole:
            continue
        values, S = _leading(T[:k, :k], width, kept, k == most)
        far = float((rest * np.abs(S[-1, : q + 1]) / (limit * abs(values[0]))).max())
        if far <= 1.0:
            return V[:k].T @ as_kind(S[:, :width], like)
        if is_whole:
            return None
        wait = _until_look(k, math.log(far), before)
        if k == most:
            k = kept = most // 2
            V[:k] = as_kind(S[:, :k].T, like) @ V
            T[:] = 0.0
            T[:k, :k] = np.diag(values[:k])
        look, before = k + wait, (k, math.log(far))
    return None


def _leading(T: np.ndarray, width: int, kept: int, every: bool) -> tuple[np.ndarray, np.ndarray]:
    """Return the leading eigenpairs of T, descending; T is tridiagonal where none were `kept`."""
    if not kept and not every:
        values, S = tridiagonal(T.diagonal(), T.diagonal(1), width)
        if S is not None:
            return values[::-1], S[:, ::-1]
    return eigh(T, count=None if every else width)


def _until_look(k: int, far: float, before: tuple[int, float]) -> int:
    """Return how many steps to wait, `far` being the logarithm of how far off the axes are.

    Half of the way at the pace since the look before, as it quickens, and no great share of k.
    """
    steps, gain = k - before[0], before[1] - far
    most = max(LOOK_STEPS, k // 4)
    return (
        max(LOOK_STEPS, int(0.5 * far * steps / gain)) if 2.0 * gain * most > far * steps else most
    )


def _probe(A: Symmetric, request: Request) -> Probe | None:
    return None if request.care is None else Probe(A, request.rng, request.missed)


def _mix(start: Array, A: Symmetric, request: Request) -> Array:
    """Return a start with random columns beside it: one that is invariant leads nowhere else."""
    xp = namespace(A.like)
    W = standard_normal(request.rng, (A.n, RANDOM_COLUMNS), start, np.float32)
    size = xp.sqrt(xp.mean(start * start))
    return xp.concat([start, W * size], axis=1)
