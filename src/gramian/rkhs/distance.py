"""Distances in feature space."""

import numpy as np

from gramian._core.array import Array, as_kind, eps, is_array, namespace, to_numpy
from gramian._core.features.lowrank import tall
from gramian._core.frames import labels_of
from gramian._core.operators.tiled import TiledGram, cross_matmul
from gramian._core.pairs import Pairs, Points
from gramian._core.parallel import budget_bytes, require_memory
from gramian._core.table import weights as checked_weights
from gramian._core.types import RowsLike, VectorLike
from gramian.distances import euclidean
from gramian.errors import IndefiniteError, InputError
from gramian.kernels.base import Kernel, KernelLike
from gramian.kernels.dot import Linear
from gramian.kernels.radial import Radial
from gramian.kernels.registry import as_kernel
from gramian.rkhs.points import Induced, beside, points_of

_MIN_SQUARE = 1e-290  # of squared distances that have all their digits


def distance(kernel: KernelLike, X: RowsLike, Y: RowsLike | None = None) -> Array:
    """Return |φ(x) − φ(y)| for every row x of X and y of Y (or of X).

    d² = k(x, x) + k(y, y) − 2k(x, y), in a form that keeps its digits for points that are close.
    X (n, p) or n objects, and Y, m of them, give an array (n, m); a scale "median" of the kernel
    (a Kernel, a name or a callable) is that of X.

    >>> float(distance(gm.kernels.Gaussian(1.0), [[0.0]], [[1e-9]])[0, 0])
    1e-09
    """
    if isinstance(as_kernel(kernel), Linear):
        return euclidean(X, Y)  # also where squares would leave the range of the numbers
    kernel, A = points_of(kernel, X)
    B = A if Y is None or Y is X else beside(Points(kernel.rows(Y, "Y")), A)
    require_memory(
        32 * len(A) * len(B), budget_bytes(None), "the table of distances", "give fewer rows"
    )
    induced = Induced(kernel)
    if B is A:
        D2 = -2.0 * TiledGram(induced, A).dense()
    else:
        like = A.X if is_array(A.X) else np.empty(0)
        D2 = -2.0 * tall(len(A), lambda rows: induced.evaluate(Pairs(A, B, rows)), like)
    a, b = kernel.self_similarity(A.X), kernel.self_similarity(B.X)
    if isinstance(kernel, Radial) and A.varies and float(np.abs(to_numpy(D2)).max()) < _MIN_SQUARE:
        raise InputError("X: the squares of its distances vanish: rescale the data or the kernel")
    return _sqrt(D2, _size(a)[:, None] + _size(b)[None, :], kernel)


def _size(a: Array) -> np.ndarray:
    return np.asarray(np.abs(to_numpy(a)), dtype=float)


def _sqrt(D2: Array, size: np.ndarray, kernel: Kernel) -> Array:
    """Return √D2, rounding below 0 counted as 0; refuse what is negative beyond rounding."""
    values = to_numpy(D2)
    if np.isnan(values).any():
        i, j = (int(k[0]) for k in np.nonzero(np.isnan(values)))
        raise InputError(
            f"kernel: the distance of rows {i} and {j} in feature space is NaN: its formula is not "
            "defined there, or overflows on the way: rescale the data or check the kernel"
        )
    slack = 1e-9 if eps(values.dtype) < 1e-10 else 1e-4
    bad = values < -slack * size
    if bad.any():
        where = tuple(int(k[0]) for k in np.nonzero(bad))
        raise IndefiniteError(
            f"kernel: the squared distance in feature space is {values[where]:.3g} for rows "
            f"{where}, so that {str(kernel)[:80]} is not positive semi-definite: choose another"
        )
    xp = namespace(D2)
    return xp.sqrt(xp.clip(D2, 0.0, None))


def distance_to_set(
    kernel: KernelLike, X: RowsLike, S: RowsLike, weights: VectorLike | None = None
) -> Array:
    """Return the distance of each row of X to the barycentre of a set of points, in feature space.

    |φ(x) − μ|, μ = Σ pᵢ φ(sᵢ): the set is summarised by its barycentre, not by its nearest point.
    Memory grows with the number of rows, not with its square. One number for each row of X.

    Parameters
    ----------
    kernel : Kernel, name or callable
        A scale "median" is that of S.
    X, S : array (n, p) or n objects, array (m, p) or m objects
        The points, and the set to which distances are measured.
    weights : array (m,), optional
        Weights of the points of S; only proportions matter.

    Examples
    --------
    >>> distance_to_set(gm.kernels.Linear(), [[0.0, 3.0]], [[-1.0, -1.0], [1.0, -1.0]])
    array([4.])
    """
    kernel, B = points_of(kernel, S, "S")
    p = checked_weights(weights, len(B), "weights", labels_of(S))
    w = np.full(len(B), 1.0 / len(B)) if p is None else p
    A = beside(Points(kernel.rows(X, "X")), B, "X")
    induced = Induced(kernel)
    gram = TiledGram(induced, B)
    xp = namespace(gram.like)
    W = as_kind(w, gram.like)[:, None]
    cross = cross_matmul(induced, A, B, W)[0][:, 0]
    spread = float(to_numpy(gram.matmul(W))[:, 0] @ w)
    size = _size(kernel.self_similarity(A.X)) + float(_size(kernel.self_similarity(B.X)) @ w)
    D2 = -2.0 * cross + spread
    # At the barycentre two equal numbers cancel: what rounding leaves of them is no distance.
    noise = 8.0 * eps(cross.dtype, xp) * (xp.abs(cross) + abs(spread))
    return _sqrt(xp.where(xp.abs(D2) > noise, D2, xp.zeros_like(D2)), size, kernel)
