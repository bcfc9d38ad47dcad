"""Nyström's approximation, k(x, y) ≈ k(x, Z) k(Z, Z)⁺ k(Z, y), and the choice of landmarks Z."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy.linalg import cholesky, lapack, solve_triangular

from gramian._core.array import (
    Array,
    as_kind,
    eps,
    is_array,
    is_numpy,
    is_sparse,
    namespace,
    take,
    to_numpy,
)
from gramian._core.check import short
from gramian._core.features.lowrank import (
    BLOCK_ROWS,
    LandmarkMap,
    LowRank,
    require_finite_kernel,
)
from gramian._core.frames import is_frame
from gramian._core.numbers import as_array, refuse_masks
from gramian._core.operators.gram import require_range, zero_kernel_error
from gramian._core.operators.tiled import TiledGram
from gramian._core.pairs import Pairs, Points
from gramian._core.parallel import even_blocks, one_blas_thread, parallel_map
from gramian._core.table import table
from gramian._core.types import Frame, RowsLike
from gramian.errors import InputError
from gramian.kernels.base import Kernel

_MIN_INDEPENDENT_SHARE = 1e-10  # of its square that a landmark must have outside the others


@one_blas_thread()  # small matrices between passes: BLAS threads would wake too slowly
def rpcholesky(
    kernel: Kernel,
    points: Points,
    rank: int,
    rng: np.random.Generator,
    *,
    weights: np.ndarray | None = None,
    target: float = 0.0,
    start: np.ndarray | None = None,
) -> tuple[np.ndarray, Array, float]:
    """Return landmarks by randomly pivoted Cholesky, the factor F (n, k) and the trace error.

    A pivot is drawn with probability proportional to the diagonal of what is left, K − F·Fᵀ.
    Pivots are proposed in blocks and thinned by rejection, so that the law is that of one by one
    (Epperly, Tropp and Webber 2024) at the speed of matrix products: (k + 1)·n kernel values.

    It stops when the trace left is below the share `target` of the whole. `start` (n, m) are
    features of landmarks that are there already: the others are found in what these leave, and F
    has m columns more.
    """
    left = to_numpy(kernel.self_similarity(points.X)).astype(np.float64)
    n, total = len(points), float(left.sum())
    like = points.X if hasattr(points.X, "dtype") else np.empty(0)
    precision = eps(like.dtype, namespace(like))
    mass = np.ones(n) if weights is None else weights * n
    here = is_numpy(like) or is_sparse(like)
    past = 0 if start is None else start.shape[1]
    F = np.empty((n, past + rank), like.dtype) if here else as_kind(np.empty((n, 0)), like)
    if start is not None:
        F[:, :past] = start
        left = np.clip(left - np.einsum("ij,ij->i", start, start), 0.0, None)
    pivots: list[int] = []
    block = max(8, min(128, -(-rank // 4)))
    # Below this the diagonal is rounding, and proposals would be rejected for ever.
    floor = max(target, 500.0 * precision if precision < 1e-10 else 16.0 * precision) * total
    while len(pivots) < rank and left.sum() > floor:
        law = np.cumsum(left * mass)
        # First rounds reject most proposals: these cost little, a pass over all points does not
        # (docs/decisions.md, "Randomly pivoted Cholesky").
        draws = rng.random(4 * block) * law[-1]
        proposal = np.searchsorted(law, draws, side="right").clip(max=n - 1)
        done = past + len(pivots)
        most = min(block, rank - len(pivots))
        new, L = _accept(kernel, points, F[:, :done], left, proposal, rng, most)
        if new.size == 0:
            continue
        inverse = solve_triangular(L, np.eye(new.size), lower=True).T
        F = _extend(kernel, points, F, done, new, inverse, left)
        left[new] = 0.0
        pivots.extend(new.tolist())
    return np.array(pivots, dtype=int), F[:, : past + len(pivots)], float(left.sum()) / total


def _accept(
    kernel: Kernel,
    points: Points,
    F: Array,
    left: np.ndarray,
    proposal: np.ndarray,
    rng: np.random.Generator,
    most: int,
) -> tuple[np.ndarray, np.ndarray]:
    """Keep each proposed pivot with the probability that one-by-one sampling would have had.

    Returned with the Cholesky factor of K − F·Fᵀ on those that are kept.
    """
    some = points.take(proposal)
    rows = to_numpy(take(F, proposal, axis=0)).astype(np.float64)
    H = to_numpy(require_finite_kernel(kernel.block(Pairs(some)))).astype(np.float64)
    H = H - rows @ rows.T
    G = np.zeros((proposal.size, most))
    before, now = left[proposal], H.diagonal().copy()
    pivots: list[int] = []
    for i in range(proposal.size):
        if now[i] > 1e-10 * before[i] and rng.random() * before[i] < now[i]:
            k = len(pivots)
            G[:, k] = (H[:, i] - G[:, :k] @ G[i, :k]) / np.sqrt(now[i])
            now -= G[:, k] ** 2
            pivots.append(i)
            if len(pivots) == most:
                break
    return proposal[pivots], np.tril(G[pivots, : len(pivots)])


def _extend(
    kernel: Kernel,
    points: Points,
    F: Array,
    done: int,
    new: np.ndarray,
    inverse: np.ndarray,
    left: np.ndarray,
) -> Array:
    """Return F with the columns (K − F·Fᵀ)[:, new]·inverse, and take their squares off `left`."""
    chosen = points.take(new)
    root = as_kind(inverse, F)
    past = F[:, :done]
    old = take(past, new, axis=0).T @ root

    def block(rows: slice) -> Array:
        return kernel.evaluate(Pairs(points, chosen, rows)) @ root - past[rows, ...] @ old

    def work(share: Sequence[slice]) -> None:
        for rows in share:
            part = block(rows)
            F[rows, done : done + new.size] = part
            left[rows] = np.clip(left[rows] - np.einsum("ij,ij->i", part, part), 0.0, None)

    blocks = even_blocks(len(points), BLOCK_ROWS)
    if is_numpy(F):
        parallel_map(work, blocks)
        return F
    xp = namespace(F)
    part = xp.concat([block(rows) for rows in blocks], axis=0)
    np.clip(left - to_numpy(xp.sum(part * part, axis=1)), 0.0, None, out=left)
    return xp.concat([F, part], axis=1)


def uniform(kernel: Kernel, points: Points, rank: int, rng: np.random.Generator) -> np.ndarray:
    """Return row numbers drawn without replacement, all alike."""
    return np.sort(rng.choice(len(points), rank, replace=False))


def leverage(kernel: Kernel, points: Points, rank: int, rng: np.random.Generator) -> np.ndarray:
    """Return row numbers drawn by recursive ridge leverage scores (Musco and Musco 2017).

    The scores of a half of the points are estimated from landmarks of a quarter, and so on.
    """
    n = len(points)
    order = rng.permutation(n)
    excess = max(np.log(rank), 1.0)
    sizes = [n]
    while sizes[-1] > 2 * rank:
        sizes.append((sizes[-1] + 1) // 2)
    chosen, w = order[: sizes[-1]], np.ones(sizes[-1])
    for size in reversed(sizes[:-1]):
        rows = order[:size]
        scores = excess * _ridge_scores(kernel, points, rows, chosen, w, rank)
        if size < n:
            keep = rng.random(size) < np.clip(scores, 0.0, 1.0)
            if keep.sum() < rank:
                keep[np.argsort(-scores)[:rank]] = True
            chosen, w = rows[keep], 1.0 / np.sqrt(np.clip(scores[keep], 1e-12, 1.0))
        else:
            chosen = rng.choice(rows, rank, replace=False, p=scores / scores.sum())
    return np.sort(chosen[:rank])


def _ridge_scores(
    kernel: Kernel, points: Points, rows: np.ndarray, chosen: np.ndarray, w: np.ndarray, rank: int
) -> np.ndarray:
    """Return estimated ridge leverage scores of some rows from weighted landmarks."""
    sample, landmarks = points.take(rows), points.take(chosen)
    S = to_numpy(require_finite_kernel(kernel.block(Pairs(landmarks)))).astype(np.float64)
    spectrum = np.linalg.eigvalsh(S * w[:, None] * w[None, :])[::-1]
    ridge = max(spectrum[rank:].sum() / rank, 1e-12 * spectrum[0])
    C = to_numpy(require_finite_kernel(TiledGram(kernel, landmarks).cross(sample)))
    # Rounding leaves S with eigenvalues just below 0, in single precision more than the ridge.
    rounding = 8.0 * len(S) * eps(C.dtype) * float(S.diagonal().max())
    L = cholesky(S + np.diag(np.maximum(ridge / w**2, rounding)), lower=True)
    explained = (solve_triangular(L, C.T, lower=True) ** 2).sum(axis=0)
    diag = to_numpy(kernel.self_similarity(sample.X)).astype(np.float64)
    return np.clip((diag - explained) / ridge, 1e-15, None)


def kmeans(kernel: Kernel, points: Points, rank: int, rng: np.random.Generator) -> Points:
    """Return the centres of k-means as landmarks: points that need not be rows."""
    from sklearn.cluster import MiniBatchKMeans

    if not points.is_dense:
        raise InputError('landmarks="kmeans" needs dense vectors: use "rpcholesky"')
    Z = to_numpy(points.deviations)  # in units: an offset would cost the means their digits
    seed = int(rng.integers(2**31 - 1))
    model = MiniBatchKMeans(rank, random_state=seed, n_init=1, batch_size=max(1024, 4 * rank))
    means = model.fit(Z).cluster_centers_.astype(np.float64)
    # On a grid that an offset leaves room for: the same landmarks wherever the points lie.
    grid = 2.0**24 if Z.dtype == np.float64 else 2.0**8
    landmarks = as_kind(np.round(means * grid) / grid * points.unit, points.X) + points.centre
    return Points(landmarks, points)


CHOICES: dict[str, Callable[..., Any]] = {c.__name__: c for c in (uniform, leverage, kmeans)}


def nystrom(
    kernel: Kernel,
    points: Points,
    rank: int | float,
    landmarks: RowsLike,
    rng: np.random.Generator,
    weights: np.ndarray | None = None,
) -> LowRank:
    """Return features on landmarks: named by a rule, row numbers (k,), or points (k, p).

    `rank` is their number, or the share of the trace that may be left out (rpcholesky only).
    """
    n = len(points)
    with np.errstate(over="ignore", invalid="ignore"):  # looked at here
        size = require_range(kernel.self_similarity(points.X))
    if size == 0:
        if points.varies:
            raise zero_kernel_error()
        raise InputError(
            "X: all its kernel values are zero, there are no features to find (X is constant)"
        )
    most, target = (min(rank, n), 0.0) if isinstance(rank, int | np.integer) else (n, float(rank))
    if isinstance(landmarks, str) and landmarks == "rpcholesky":
        rows, F, error = rpcholesky(kernel, points, int(most), rng, weights=weights, target=target)
        L = to_numpy(take(require_finite_kernel(F), rows, axis=0)).astype(np.float64)
        with one_blas_thread():
            W = as_kind(_root(L), F)
        low = LowRank(LandmarkMap(kernel, points.take(rows), W), points, rows)
        vars(low).update(F=F, error=error)
        return low
    if target:
        raise InputError(f"rank={short(rank)}: a target error needs landmarks='rpcholesky'")
    choice = _choose_landmarks(kernel, points, int(most), landmarks, rng)
    Z = choice if isinstance(choice, Points) else points.take(choice)
    map_ = LandmarkMap(kernel, Z, inverse_root(require_finite_kernel(kernel.block(Pairs(Z)))))
    return LowRank(map_, points, None if isinstance(choice, Points) else choice)


def _choose_landmarks(
    kernel: Kernel, points: Points, rank: int, landmarks: Frame, rng: np.random.Generator
) -> np.ndarray | Points:
    if isinstance(landmarks, str):
        if landmarks not in CHOICES:
            names = ", ".join(["rpcholesky", *CHOICES])
            raise InputError(f"landmarks={short(landmarks)} is not known: use {names}, or an array")
        return CHOICES[landmarks](kernel, points, rank, rng)
    refuse_masks(landmarks, "landmarks")
    if is_frame(landmarks):
        landmarks = table(landmarks, "landmarks", min_rows=1).values
    array = landmarks if is_array(landmarks) else as_array(landmarks, "landmarks")
    if array.ndim == 1 and np.asarray(to_numpy(array)).dtype.kind in "iu":
        rows = to_numpy(array)
        if rows.size == 0 or rows.min() < 0 or rows.max() >= len(points):
            raise InputError(f"landmarks: row numbers must lie between 0 and {len(points) - 1}")
        return rows
    if array.ndim != 2 or array.shape[1] != points.X.shape[1]:
        raise InputError("landmarks must be row numbers (k,) or points with the columns of X")
    rows = to_numpy(table(array, "landmarks", min_rows=1).values)
    return Points(as_kind(np.array(rows), points.X), points)  # a copy


def inverse_root(K: Array) -> Array:
    """Return W with W·Wᵀ the pseudo-inverse of a positive semi-definite K.

    An upper triangle where no eigenvalue is rounding: it is quicker to find and to multiply by.
    """
    xp = namespace(K)
    if is_numpy(K):
        with one_blas_thread():
            L, failed = lapack.dpotrf(K, lower=1)
            if not failed:
                norm = float(np.abs(K).sum(axis=0).max())
                if lapack.dpocon(L, norm, uplo="L")[0] > K.shape[0] * eps(K.dtype):
                    return _root(L).astype(K.dtype, copy=False)
    values, vectors = xp.linalg.eigh(K)
    live = values > K.shape[0] * eps(K.dtype, xp) * xp.max(values)
    safe = xp.where(live, values, xp.ones_like(values))
    return vectors * xp.where(live, 1.0 / xp.sqrt(safe), xp.zeros_like(values))[None, :]


# A budget of landmarks for rows that keep arriving: more are found, the least useful are left.
def grow(
    map_: LandmarkMap,
    points: Points,
    rank: int,
    rng: np.random.Generator,
    weights: np.ndarray | None = None,
) -> tuple[LandmarkMap, np.ndarray]:
    """Return landmarks and up to `rank` more of some points, found in what the others leave out.

    The features of the landmarks that were there stay as they are; those of the points, (n, m),
    are returned as well.
    """
    past = np.asarray(map_(points), dtype=np.float64)
    rows, F, _ = rpcholesky(
        map_.kernel, points, min(rank, len(points)), rng, weights=weights, start=past
    )
    F = np.asarray(F, dtype=np.float64)
    if not rows.size:
        return map_, past
    m = past.shape[1]
    L = np.zeros((m + rows.size, m + rows.size))
    L[:m, :m] = _features_of(map_)
    L[m:] = np.tril(F[rows], m)
    both = np.concatenate([to_numpy(map_.landmarks.X), to_numpy(points.X)[rows]])
    return LandmarkMap(map_.kernel, Points(both, map_.landmarks), _root(L)), F


def prune(map_: LandmarkMap, M: np.ndarray, rank: int) -> tuple[LandmarkMap, np.ndarray]:
    """Return the `rank` landmarks that keep most of the trace of M, and their basis Q, (m, rank).

    M is Σ w·f·fᵀ over the rows that were seen; features of the landmarks that stay are f·Q. They
    are taken one by one, the one that adds most to tr(QᵀMQ) first.
    """
    R = _features_of(map_).T.copy()  # columns: the landmarks, less what those taken span
    MR = M @ R
    size = np.einsum("ij,ij->j", R, R)
    least = _MIN_INDEPENDENT_SHARE * size
    order: list[int] = []
    Q = np.zeros((len(R), 0))
    for _ in range(min(rank, R.shape[1])):
        lengths = np.einsum("ij,ij->j", R, R)
        live = lengths > least
        live[order] = False
        if not live.any():
            break
        gain = np.where(live, np.einsum("ij,ij->j", R, MR) / np.where(live, lengths, 1.0), -np.inf)
        k = int(np.argmax(gain))
        q = R[:, k] - Q @ (Q.T @ R[:, k])
        q /= np.linalg.norm(q)
        along = q @ R
        R -= q[:, None] * along
        MR -= (M @ q)[:, None] * along
        Q = np.column_stack([Q, q])
        order.append(k)
    L = np.tril(_features_of(map_)[order] @ Q)
    landmarks = Points(to_numpy(map_.landmarks.X)[order], map_.landmarks)
    return LandmarkMap(map_.kernel, landmarks, _root(L)), Q


def _features_of(map_: LandmarkMap) -> np.ndarray:
    """Return the features of the landmarks themselves, lower triangular: the inverse of Wᵀ."""
    W = np.asarray(to_numpy(map_.W), dtype=np.float64)
    return solve_triangular(W.T, np.eye(len(W)), lower=True)


def _root(L: np.ndarray) -> np.ndarray:
    return solve_triangular(L, np.eye(len(L)), lower=True).T
