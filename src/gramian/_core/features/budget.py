"""A budget of landmarks for rows that keep arriving: more are found, the least useful are left."""

from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_triangular

from gramian._core.array import to_numpy
from gramian._core.features.lowrank import LandmarkMap
from gramian._core.features.nystrom import rpcholesky
from gramian._core.pairs import Points

_MIN_INDEPENDENT_SHARE = 1e-10  # of its square that a landmark must have outside the others


@dataclass(frozen=True)
class Growth:
    """Landmarks of which the new ones come last, and the features of the rows that brought them."""

    map: LandmarkMap
    F: np.ndarray  # (n, m)


def grow(
    map_: LandmarkMap,
    points: Points,
    rank: int,
    rng: np.random.Generator,
    weights: np.ndarray | None = None,
) -> Growth:
    """Return landmarks and up to `rank` more of some points, found in what the others leave out.

    The features of the landmarks that were there stay as they are.
    """
    past = np.asarray(map_.of(points), dtype=np.float64)
    rows, F, _ = rpcholesky(
        map_.kernel, points, min(rank, len(points)), rng, weights=weights, start=past
    )
    F = np.asarray(F, dtype=np.float64)
    if not rows.size:
        return Growth(map_, past)
    m = past.shape[1]
    L = np.zeros((m + rows.size, m + rows.size))
    L[:m, :m] = _features_of(map_)
    L[m:] = np.tril(F[rows], m)
    both = np.concatenate([to_numpy(map_.landmarks.X), to_numpy(points.X)[rows]])
    return Growth(LandmarkMap(map_.kernel, Points(both, map_.landmarks), _root(L)), F)


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
