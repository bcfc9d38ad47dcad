"""Principal axes of kernel PCA as functions of the kernel's Hilbert space."""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian._array import Array, as_kind, namespace, to_numpy
from gramian._pairs import Points
from gramian.errors import InputError
from gramian.features.lowrank import LandmarkMap
from gramian.kernels.special import Precomputed
from gramian.rkhs.function import Function

__all__ = ["axes_of"]


def axes_of(fitted: Any) -> list[Function]:
    """Return the axes of a fitted KernelPCA, one function each."""
    e, kernel = fitted.embedding_, fitted.kernel_
    if hasattr(fitted, "_features"):
        return _of_features(fitted)
    points = fitted._points
    if points is None:
        K = fitted._training_columns(fitted._rows)
        K = K if fitted._live is None else K[fitted._live]
        kernel, points = Precomputed(to_numpy(K)), Points(np.arange(float(len(K)))[:, None])
    C, p = e.coefficients, e.centering.p
    # Σ cᵢ(φ(xᵢ) − μ): the part of the barycentre goes to the points that make it up.
    A = C - p[:, None] * namespace(C).sum(C, axis=0)[None, :]
    return _functions(kernel, points, A)


def _of_features(fitted: Any) -> list[Function]:
    """Return axes that are combinations of features: of columns, or of landmarks."""
    V = fitted.embedding_.coefficients
    map_ = getattr(fitted._features, "kernel_map", None)
    if map_ is None:  # the linear kernel: φ(x) = x, an axis is its own direction
        rows = V.T
        return [
            Function._made(fitted.kernel_, Points(rows[k : k + 1, :]), np.ones(1))
            for k in range(rows.shape[0])
        ]
    if not isinstance(map_, LandmarkMap):
        raise InputError(
            "approximation: the axes of random features are no functions of the kernel's space: "
            "use Nystrom, or approximation=None"
        )
    W = map_.W
    factor = to_numpy(fitted._features.factor) * fitted.embedding_.unit
    return _functions(map_.kernel, map_.landmarks, W @ as_kind(factor[:, None] * to_numpy(V), W))


def _functions(kernel: Any, points: Points, A: Array) -> list[Function]:
    return [Function._made(kernel, points, A[:, k]) for k in range(A.shape[1])]
