"""Validated points of a kernel, and the kernel of their distances in feature space."""

import numpy as np
from scipy import sparse

from gramian._core.array import Array, as_kind, is_array, is_numpy, is_sparse, namespace, to_numpy
from gramian._core.frames import column_names, labels_of
from gramian._core.pairs import Pairs, Points
from gramian._core.table import weights as checked_weights
from gramian._core.types import RowsLike, VectorLike
from gramian.errors import InputError
from gramian.kernels.base import Kernel, KernelLike
from gramian.kernels.composite import Composite
from gramian.kernels.dot import Linear
from gramian.kernels.objects import Objects
from gramian.kernels.registry import as_kernel


def points_of(kernel: KernelLike, X: RowsLike, name: str = "X") -> tuple[Kernel, Points]:
    """Return the kernel with its scale made definite on X, and the points of X."""
    return weighted_points(kernel, X, None, name)[:2]


def weighted_points(
    kernel: KernelLike, X: RowsLike, weights: VectorLike | None, name: str = "X"
) -> tuple[Kernel, Points, np.ndarray]:
    """Return the same for weighted points, and their weights, of sum 1."""
    kernel = as_kernel(kernel)
    points = Points(kernel.rows(X, name))
    n = len(points)
    if n == 0:
        raise InputError(f"{name} is empty: give at least one point")
    p = checked_weights(weights, n, "weights", labels_of(X))
    kernel = kernel.resolve(points, p, column_names(X))
    refuse_out_of_range(kernel, points, name)
    return kernel, points, np.full(n, 1.0 / n) if p is None else p


def refuse_out_of_range(kernel: Kernel, points: Points, name: str) -> None:
    """Refuse points whose kernel values overflow, or vanish although the points do not."""
    with np.errstate(over="ignore", invalid="ignore"):
        d = np.abs(to_numpy(kernel.self_similarity(points.X)))
    if not np.isfinite(d).all():
        raise InputError(f"{name}: the values of {str(kernel)[:60]} overflow: rescale the data")
    least = 1e-30 if d.dtype == np.float32 else 1e-290
    if isinstance(kernel, Linear) and float(d.max()) < least and points.unit != 1.0:
        raise InputError(f"{name}: the squares of its numbers vanish: rescale the data")


def beside(points: Points, other: Points, name: str = "Y") -> Points:
    """Return the points in the frame (centre and unit) of others, so that pairs can be made."""
    if points.origin is other.origin:
        return points
    if hasattr(points.X, "shape") and hasattr(other.X, "shape"):
        if points.X.shape[1:] != other.X.shape[1:]:
            raise InputError(
                f"{name} has {points.X.shape[1]} columns but the other points have "
                f"{other.X.shape[1]}: give the same ones"
            )
        if is_array(points.X) and is_array(other.X) and not is_numpy(other.X):
            return Points(as_kind(to_numpy(points.X), other.X), other)
    return Points(points.X, other)


def are_same(P: Points, Q: Points) -> bool:
    """Whether two sets of points are the same, as far as a cheap comparison shows."""
    A, B = P.X, Q.X
    if P is Q or A is B:
        return True
    if is_numpy(A) and is_numpy(B):
        return bool(np.array_equal(A, B))
    if any(is_array(Z) or is_sparse(Z) for Z in (A, B)):
        return False
    return len(A) == len(B) and all(a is b for a, b in zip(A, B, strict=True))


def join(P: Points, Q: Points) -> Points:
    """Return the points of both sets."""
    A, B = P.X, beside(Q, P).X
    if is_sparse(A):
        return Points(sparse.vstack([A, B], format="csr"))
    if is_array(A):
        return Points(namespace(A).concat([A, B], axis=0))
    items = [*A, *B]
    return Points(Objects(items) if isinstance(A, Objects) else items)


class Induced(Composite):
    """−½|φ(x) − φ(y)|²: the kernel of classical scaling in the feature space of another one.

    It differs from k by terms of x alone and of y alone. What is centred (an axis, a difference of
    means, a covariance) is the same for both, and this one has no large numbers that cancel.
    """

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    psd: bool | None = False  # it is positive only on differences

    def evaluate(self, pairs: Pairs) -> Array:
        """−½ of the squared distances in feature space."""
        return -0.5 * self.kernel.squared_distance(pairs)

    def self_similarity(self, X: Array) -> Array:
        """Zero for every point."""
        d = self.kernel.self_similarity(X)
        return namespace(d).zeros_like(d)
