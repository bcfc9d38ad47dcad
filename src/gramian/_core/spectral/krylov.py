"""The leading eigenpairs of an operator one can only multiply by: of a block, or of one column.

A block Krylov method with full reorthogonalisation and thick restarts. It needs A·V, the QR
factorisation of tall arrays and a small dense eigenproblem, so the same lines serve every array
library. Converged axes stay in the basis (soft locking): new directions are orthogonal to them.
A·basis is stored, so the residuals are those of the vectors that are returned, not estimates.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy import linalg

from gramian._core.array import (
    Array,
    as_kind,
    device_of,
    eps,
    gram64,
    gram64_there,
    is_numpy,
    namespace,
    orthonormal,
    standard_normal,
    to_numpy,
)
from gramian._core.operators.gram import Symmetric
from gramian._core.parallel import one_blas_thread

if TYPE_CHECKING:
    from gramian._core.spectral.probe import Probe

SMALL_ROWS = 2000  # rows from which on a large basis saves more than it costs
SHORT_ROWS = 8192  # rows up to which a basis of many blocks is small
NEAR_GAP = 1e-4  # relative gap from which on two axes are apart at a glance
STUCK_RATIO = 0.9  # of the largest residual that a product leaves where rounding is all there is
PATIENT_PRODUCTS = 40  # products after which a basis grows in place of a restart
MAX_BASIS_COLUMNS = 1_500  # columns, at most, of a basis that grows
MAX_BASIS_ENTRIES = 1 << 25  # numbers, at most, in it
CLOSE_RESIDUAL = 2e-3  # relative to the last eigenvalue, of an approximate eigenpair of use
BORDER_RESIDUAL = 1e-6  # residual, relative to the first eigenvalue, that decides on a tie
BASIS_COLUMNS = 40  # columns, and four for each axis, after which the best half is kept
LOOK_STEPS = 4  # steps, at least, between two looks at the residuals
DOUBLES = np.empty(0)


@dataclass(frozen=True)
class Ritz:
    """Approximate eigenpairs: values (m,), orthonormal vectors and their images, (n, m)."""

    values: np.ndarray
    vectors: Array
    image: Array
    residuals: np.ndarray


@dataclass(frozen=True)
class KrylovResult(Ritz):
    """The leading eigenpairs, descending, and how they were found."""

    products: int  # block products with A
    converged: bool
    subspace: Array | None  # with `stalls`, a whole block of leading Ritz vectors, (n, b)
    negative: float = 0.0  # Σ|θ| over negative Ritz values: a lower bound of the negative inertia
    beyond: float | None = None  # the Ritz value after the last axis
    following: Ritz | None = None  # approximate eigenpairs after the last axis


class Basis:
    """An orthonormal basis and its image, in blocks of columns: it grows without a copy."""

    def __init__(self, like: Array) -> None:
        self.xp = namespace(like)
        self.like = like
        # NumPy's doubles are at home already, and small problems make thousands of these steps.
        self._is_home = is_numpy(like) and like.dtype == np.float64
        self.blocks: list[Array] = []
        self.images: list[Array] = []
        self.columns = 0

    def append(self, W: Array, AW: Array) -> None:
        """Add a block and its image."""
        self.blocks.append(W)
        self.images.append(AW)
        self.columns += W.shape[1]

    def inner(self, W: Array) -> np.ndarray:
        """Return VᵀW in double precision."""
        # One block after the other, and one way home.
        double = self.like.dtype == self.xp.float64
        parts = [block.T @ W if double else gram64_there(block, W) for block in self.blocks]
        return self._home(parts[0] if len(parts) == 1 else self.xp.concat(parts, axis=0))

    def combine(self, S: np.ndarray) -> tuple[Array, Array]:
        """Return V·S and A·V·S."""
        parts = self._there(S)
        return self._sum(self.blocks, parts), self._sum(self.images, parts)

    def vectors(self, S: np.ndarray) -> Array:
        """Return V·S."""
        return self._sum(self.blocks, self._there(S))

    def _sum(self, blocks: list[Array], S: Array) -> Array:
        start, total = 0, None
        for block in blocks:
            stop = start + block.shape[1]
            part = block @ S[start:stop, ...]
            start, total = stop, part if total is None else total + part
        return total

    def project_out(self, W: Array, times: int = 1) -> Array:
        """Return the part of W outside the span, one block after the other."""
        W = self.xp.asarray(W, copy=True)
        for block in times * self.blocks:
            W -= block @ (block.T @ W)
        return W

    def beyond(self, AW: Array, floor: float) -> Array:
        """Return an orthonormal basis of the part of A·W outside the span."""
        W = self.project_out(AW, times=2)
        if (room := W.shape[0] - self.columns) < W.shape[1]:  # the others can only be rounding
            W = W @ as_kind(np.linalg.eigh(gram64(W, W))[1][:, W.shape[1] - max(room, 0) :], W)
        # A column that depends on the others has nothing but rounding left in it: it is dropped.
        W = orthonormal(W, floor)
        return contiguous(orthonormal(self.project_out(W), nearly=True)) if W.shape[1] else W

    def lack(self, S: np.ndarray, values: np.ndarray) -> Array:
        """Return A·U − U·λ of the axes U = V·S, which is outside the span."""
        U, AU = self.combine(S)
        return AU - U * self._there(values)[None, :]

    def restart(self, S: np.ndarray) -> None:
        """Keep only the combinations S of the columns."""
        V, AV = self.combine(S)
        self.blocks, self.images, self.columns = [V], [AV], V.shape[1]

    def residuals(self, AU: Array, U: Array, values: np.ndarray) -> np.ndarray:
        """Return |A u − λ u| for each column, in double precision."""
        # Lengths relative to λ₁: squares of residuals near the ends of the range stay in it.
        size = float(np.abs(values).max(initial=0.0)) or 1.0
        R = AU * (1.0 / size) - U * self._there(values / size)[None, :]
        return self._home(self.xp.sqrt(self.xp.sum(R * R, axis=0))).astype(np.float64) * size

    def _home(self, a: Array) -> np.ndarray:
        return a if self._is_home else to_numpy(a)

    def _there(self, a: np.ndarray) -> Array:
        return a if self._is_home else as_kind(a, self.like)


def contiguous(W: Array) -> Array:
    """Return W row by row in memory, as tile products want it: QR gives columns."""
    if isinstance(W, np.ndarray):
        return np.ascontiguousarray(W)
    return W.contiguous() if hasattr(W, "contiguous") else W


def basis_columns(q: int, n: int | None = None) -> tuple[int, int]:
    """Return the width of a block and the largest number of basis vectors for q axes of n."""
    block = q + max(4, min(10, q))
    blocks = 24 if n is not None and SMALL_ROWS < n <= SHORT_ROWS else 8
    return block, max(blocks * block, q + 4 * block)


# Tall and small products: BLAS threads would wait for each other longer than they work.
@one_blas_thread()
def block_krylov(
    A: Symmetric,
    q: int,
    *,
    tol: float = 1e-8,
    start: Array | None = None,
    max_products: int = 200,
    stalls: bool = False,
    scale: float = 0.0,
    rng: np.random.Generator | None = None,
    probe: Probe | None = None,
) -> KrylovResult:
    """Return the q largest eigenpairs of A with residuals |A u − λ u| ≤ tol·λ₁, q well below n.

    `start` (n, b) is a guess of the leading subspace, random by default. With `stalls` it ends as
    soon as two products in a row hardly change the largest residual: for a first guess, which is
    then returned a block wide. `scale` is the size of the numbers that A is made from: residuals of
    the size of their rounding that two products no longer halve are as small as they can be. The
    columns of a `probe` are multiplied along, and the search makes no use of them.
    """
    like = A.like
    xp = namespace(like)
    block, largest_basis = basis_columns(q, A.n)
    beside = 0 if probe is None else probe.columns
    free = A.width(block + beside)  # what is free above both is the search's
    block = free - beside if free >= block + beside else A.width(block)
    largest_basis = min(max(largest_basis, q + 4 * block), A.n)
    if start is None:
        rng = rng or np.random.default_rng(0)
        start = standard_normal(rng, (A.n, min(block, A.n)), like)
    rounding = 4.0 * eps(like.dtype, xp)
    tol = max(tol, rounding)
    W = contiguous(orthonormal(xp.astype(start, like.dtype, copy=False)))
    del start
    # What the axes in a wider start lack is not all in the image of a block.
    is_wide = W.shape[1] > block
    n_following = max(block, W.shape[1])  # axes after the last that are worth a look
    V = Basis(like)
    H = np.zeros((0, 0))
    products, idle, stuck, worst, values = 0, 0, 0, np.inf, np.zeros(1)
    while True:
        AW = A.matmul(W) if probe is None else probe.multiply_along(A, W)
        products += 1
        V.append(W, AW)
        side = V.inner(AW)
        upper, corner = side[: H.shape[0]], side[H.shape[0] :]
        H = np.block([[H, upper], [upper.T, 0.5 * (corner + corner.T)]])
        full = V.columns + W.shape[1] > largest_basis
        if V.columns > 8 * block and products % 2 and not full and products < max_products:
            # A large basis is not looked at after every product: its own axes cost as much as one.
            W = V.beyond(AW, floor=1e-14 * abs(values[0]))
            if W.shape[1]:
                continue
        values, S = _ritz(H)
        U, AU = V.combine(S[:, : q + 1])  # one more than is wanted: is it tied to the last?
        residuals = V.residuals(AU, U, values[: q + 1])
        late = residuals[:q] > tol * abs(values[0])
        converged = V.columns >= q and not late.any() and _border_is_seen(values, residuals, q)
        worst, before = residuals[:q].max(initial=0.0), worst
        slow = worst > 0.5 * before
        stuck = stuck + 1 if worst > STUCK_RATIO * before else 0
        stalled = stalls and stuck == 2
        idle = idle + 1 if slow and worst <= rounding * scale else 0
        converged = converged or ((idle == 2 or V.columns >= A.n) and V.columns >= q)
        if converged or stalled or products >= max_products or V.columns >= A.n:
            break
        if is_wide:
            AW = V.lack(S[:, :block], values[:block])
        W = V.beyond(AW, floor=1e-14 * abs(values[0]))
        if W.shape[1] == 0:  # an invariant subspace: nothing is left to add
            converged = V.columns >= q and worst <= rounding * scale
            break
        del U, AU  # large, and made anew from the larger basis
        if V.columns + W.shape[1] > largest_basis:
            wider = min(2 * largest_basis, A.n, MAX_BASIS_COLUMNS, MAX_BASIS_ENTRIES // A.n)
            if products > PATIENT_PRODUCTS and wider > largest_basis:
                largest_basis = wider  # restarts lose what a slow spectrum needs
                continue
            keep = min(q + block, V.columns)
            V.restart(S[:, :keep])
            H = np.diag(values[:keep])
    negative = -float(values[values < 0].sum())
    subspace = V.vectors(S[:, :block]) if stalls else None
    beyond = float(values[q]) if V.columns > q else None
    following = _following(V, values, S, slice(q, min(q + n_following, V.columns)))
    pairs = (values[:q].copy(), U[:, :q], AU[:, :q], residuals[:q])
    return KrylovResult(*pairs, products, converged, subspace, negative, beyond, following)


def _following(V: Basis, values: np.ndarray, S: np.ndarray, axes: slice) -> Ritz | None:
    """Return the approximate eigenpairs after the last axis that are nearly eigenpairs."""
    if axes.start >= axes.stop:
        return None
    U, AU = V.combine(S[:, axes].copy())  # torch takes no negative strides
    residuals = V.residuals(AU, U, values[axes])
    last = abs(values[axes.start - 1])
    close = residuals <= CLOSE_RESIDUAL * last
    stop = int(np.argmin(close)) if not close.all() else len(close)
    if stop == 0:
        return None
    return Ritz(values[axes][:stop], U[:, :stop], AU[:, :stop], residuals[:stop])


def _border_is_seen(values: np.ndarray, residuals: np.ndarray, q: int) -> bool:
    """Whether the axis after the last is clearly another one, or known well enough to be tied.

    A Ritz value is wrong by the square of its residual only.
    """
    if len(residuals) <= q or values[q] < (1.0 - NEAR_GAP) * values[q - 1]:
        return True
    return bool(residuals[q] <= BORDER_RESIDUAL * abs(values[0]))


def _ritz(H: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the eigenpairs of a small matrix of doubles, descending, BLAS being held already."""
    exponent = int(np.frexp(np.abs(H).max(initial=0.0))[1])
    if abs(exponent) > 300:  # LAPACK's own scaling loses digits near the ends of the range
        values, S = _ritz(np.ldexp(H, -exponent))
        return np.ldexp(values, exponent), S
    values, S, failed = linalg.lapack.dsyevd(H)
    if failed:
        values, S = linalg.eigh(H, driver="evd", check_finite=False)
    return values[::-1], S[:, ::-1]


def tridiagonal(d: np.ndarray, e: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray | None]:
    """Return the last eigenpairs of a tridiagonal matrix, no vectors where some are not found."""
    k = len(d)
    work = np.append(e, 0.0)  # a copy: LAPACK writes there
    found, values, S, failed = linalg.lapack.dstemr(d, work, 2, 0.0, 0.0, k - count + 1, k)
    return values[:count], None if failed or found < count else S[:, :count]


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
    limit = np.append(np.full(q, 0.02 * tol), BORDER_RESIDUAL)  # the first left out may be tied
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
    return _ritz(T)


def _until_look(k: int, far: float, before: tuple[int, float]) -> int:
    """Return how many steps to wait, `far` being the logarithm of how far off the axes are.

    Half of the way at the pace since the look before, as it quickens, and no great share of k.
    """
    steps, gain = k - before[0], before[1] - far
    most = max(LOOK_STEPS, k // 4)
    return (
        max(LOOK_STEPS, int(0.5 * far * steps / gain)) if 2.0 * gain * most > far * steps else most
    )
