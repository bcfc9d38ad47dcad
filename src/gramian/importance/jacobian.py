"""How the coordinates of a point change as the point moves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from gramian._core.array import as_kind, is_numpy, to_numpy
from gramian._core.embedding import Embedding, GramModel
from gramian._core.operators import TiledGram
from gramian._core.pairs import Pairs, Points
from gramian._core.parallel import row_blocks
from gramian._estimators.kernel_pca import KernelPCA
from gramian._estimators.pca import PCA
from gramian.kernels import Dot, Linear, Radial
from gramian.kernels.shifted import Rooted, Shifted

_ROWS = 512
_ENTRIES = 2**22  # of a block of columns times axes
_STEP = np.finfo(float).eps ** (1 / 3)  # of central differences, in standard deviations


def mean_squares(fitted: Any, X: np.ndarray, p: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Return Σ_i p_i (∂z_k/∂x_j (x_i))² for each column j and axis k, (columns, q).

    Exact for linear methods and for kernels whose derivative is known; by central differences of
    `step_j` otherwise.
    """
    kernel = fitted.kernel_ if isinstance(fitted, KernelPCA) else None
    if isinstance(fitted, PCA) or isinstance(kernel, Linear):
        return _of_a_line(fitted, X, p, step)
    model = getattr(fitted, "model_", None)
    operator = model.operator if isinstance(model, GramModel) else None
    known = isinstance(kernel, Radial | Dot) and kernel.differentiable
    if known and isinstance(operator, TiledGram) and operator.points.is_dense:
        return _of_a_kernel(fitted.record_.embedding, operator, X, p)
    return _by_differences(fitted, X, p, step)


def transformed(fitted: Any, X: np.ndarray) -> np.ndarray:
    """Return the coordinates of plain rows, whatever the fit was given."""
    names = getattr(fitted, "feature_names_in_", None)
    rows = X if names is None else pd.DataFrame(X, columns=names)
    return to_numpy(fitted.transform(rows)).astype(np.float64)


def _of_a_line(fitted: Any, X: np.ndarray, p: np.ndarray, step: np.ndarray) -> np.ndarray:
    """Coordinates are linear: one step along each column tells all."""
    centre = p @ X
    places = np.vstack([centre, centre + np.diag(step)])
    moved, step = transformed(fitted, places), np.diag(places[1:] - places[0])
    return ((moved[1:] - moved[0]) / step[:, None]) ** 2


def _of_a_kernel(e: Embedding, gram: TiledGram, X: np.ndarray, p: np.ndarray) -> np.ndarray:
    """∂z_k/∂x_j = Σ_i A_ik ∂k(x, x_i)/∂x_j, A the coefficients of the centred axes."""
    assert e.centering is not None
    points, kernel = gram.points, gram.kernel
    if isinstance(kernel, Shifted):
        points, X, kernel = kernel.map_points(points), kernel.map_rows(X), kernel.kernel
    elif isinstance(kernel, Rooted):  # the terms of the centre have no part: A adds up to 0
        kernel = kernel.kernel
    assert isinstance(kernel, Radial | Dot)
    C = to_numpy(e.coefficients).astype(np.float64)
    A = C - to_numpy(e.centering.p)[:, None] * C.sum(axis=0)
    radial = isinstance(kernel, Radial)
    scale = float(kernel.scale) if isinstance(kernel, Radial) else 1.0
    centre = to_numpy(points.centre) if radial else np.zeros(X.shape[1])
    Y, Z = to_numpy(points.X) - centre, X - centre
    total = np.zeros((X.shape[1], A.shape[1]))
    width = max(1, _ENTRIES // A.size)
    for rows in row_blocks(len(X), _ROWS):
        there = X[rows] if is_numpy(points.X) else as_kind(X[rows], points.X)
        pairs = Pairs(Points(there, points), points, exact=True)
        argument = pairs.squared_distance(scale) if radial else pairs.dot()
        W = kernel.derivative(to_numpy(argument).astype(np.float64))
        if radial:
            W *= 2.0 / scale / scale
        WA = W @ A
        for columns in row_blocks(X.shape[1], width):
            AY = (Y[:, columns, None] * A[:, None, :]).reshape(len(A), -1)
            D = (W @ AY).reshape(len(W), -1, A.shape[1])
            if radial:
                D = Z[rows, columns, None] * WA[:, None, :] - D
            total[columns] += np.einsum("i,ijk->jk", p[rows], D * D)
    return total


def _by_differences(fitted: Any, X: np.ndarray, p: np.ndarray, step: np.ndarray) -> np.ndarray:
    total = []
    for j, h in enumerate(_STEP * step):
        up, down = X.copy(), X.copy()
        up[:, j] += h
        down[:, j] -= h
        width = (up[:, j] - down[:, j])[:, None]
        D = (transformed(fitted, up) - transformed(fitted, down)) / width
        total.append(p @ (D * D))
    return np.array(total)
