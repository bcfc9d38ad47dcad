"""Functions of a kernel's space as combinations of points: from features back to the rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gramian._core.array import as_kind, eps, is_numpy, is_sparse, to_numpy
from gramian._core.features.lowrank import own_axes as own_axes
from gramian._core.operators.gram import DenseGram, out_of_range, require_range, vanished
from gramian._core.operators.tiled import TiledGram, cross_matmul
from gramian._core.pairs import Points
from gramian.errors import IndefiniteError, InputError
from gramian.kernels import Kernel, Linear

_UNEVEN = 1e-6  # of the longest axis, squared


def in_doubles(values: Any) -> Any:
    """Return a table in double precision, in which all that follows is computed."""
    if is_sparse(values) or (is_numpy(values) and values.dtype != object):
        return values.astype(np.float64, copy=False)
    return values


@dataclass(frozen=True)
class Dual:
    """The way from coefficients of features back to the points, (n, r).

    The intercept takes up any constant, so that features may be those of a centred Gram matrix:
    then with the means of the rows of that matrix before, and of the kernel's own.
    """

    back: np.ndarray
    means: np.ndarray | None = None
    own: np.ndarray | None = None

    def functions(self, coef: np.ndarray, b: np.ndarray, live: np.ndarray) -> dict[str, Any]:
        """Return α of all rows, and the intercepts that go with it."""
        alpha = np.zeros((live.size, coef.shape[1]))
        alpha[live] = self.back @ coef
        if self.means is None or self.own is None:
            return {"dual_coef_": alpha}
        # A constant in α is nothing to the centred Gram matrix, but much to one that is not.
        alpha[live] -= alpha[live].mean(axis=0)
        level, intercept = (b - m @ alpha[live] for m in (self.means, self.own))
        return {"dual_coef_": alpha, "intercept_": intercept, "_level": level}


def exact_features(kernel: Kernel, points: Points) -> tuple[np.ndarray, Dual]:
    """Return features whose products are the kernel's, up to what the intercept takes up."""
    gram = TiledGram(kernel.about(points), points)
    with np.errstate(over="ignore", invalid="ignore"):  # looked at here
        if require_range(gram.diag()) == 0 and points.varies:
            raise vanished()
        K = to_numpy(gram.dense())
    precision, K = eps(K.dtype), K.astype(np.float64)
    if not np.isfinite(K).all():
        raise out_of_range(DenseGram(K), K.sum(axis=1))
    if gram.kernel == kernel:
        F, back = roots(K, precision)
        return F, Dual(back)
    means = K.mean(axis=0)
    F, back = roots(K - means[:, None] - means[None, :] + means.mean(), precision)
    same = np.full((len(K), 1), 1.0 / len(K))
    own = TiledGram(kernel, points).matmul(as_kind(same, gram.like))
    return F, Dual(back, means, to_numpy(own)[:, 0].astype(np.float64))


def is_linear_and_uneven(kernel: Kernel, points: Points, F: np.ndarray) -> bool:
    """Whether rows are seen by their products, in which the short axes lose their digits."""
    if type(kernel) is not Linear or not is_numpy(points.X):
        return False
    squares = (F**2).sum(axis=0)
    return bool(squares.min() < _UNEVEN * squares.max())


def values_at(X: Any, kernel: Kernel, points: Points, alpha: np.ndarray) -> np.ndarray:
    """Return Σ_i α_i k(x_i, x) for the rows of X, (m, c)."""
    like = TiledGram(kernel, points).like
    weights = alpha if is_numpy(like) else as_kind(alpha, like)
    return to_numpy(cross_matmul(kernel, Points(X, points), points, weights)[0])


def roots(K: np.ndarray, precision: float) -> tuple[np.ndarray, np.ndarray]:
    """Return F with F·Fᵀ = K, and C with F·B = K·(C·B): features, and the way back to points."""
    if not np.isfinite(K).all():
        raise InputError("kernel: its values overflow on X: rescale the data or the kernel")
    values, U = np.linalg.eigh(K)
    level = 10.0 * len(K) * precision * max(abs(values[0]), abs(values[-1]))
    if values[0] < -level:
        raise IndefiniteError(
            f"kernel: the Gram matrix is indefinite (smallest eigenvalue {values[0]:.3g}, largest "
            f"{values[-1]:.3g}): functions have no norm to penalise. Use a positive semi-definite "
            "kernel, or PrincipalComponentClassifier(indefinite='clip')"
        )
    live = values > level
    if not live.any():
        raise InputError("kernel: all its values are zero on X: rescale the data or the kernel")
    root, U = np.sqrt(values[live]), U[:, live]
    return U * root, U / root
