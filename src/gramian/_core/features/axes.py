"""The features of the linear kernel: rows on their own principal axes."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from gramian._core.array import Array
from gramian._core.check import expect
from gramian._core.features.lowrank import KernelMap, tall
from gramian._core.pairs import Points


class AxesMap(KernelMap):
    """f(x) = (x − mean)·V: ⟨f(x), f(y)⟩ is the centred inner product of rows.

    Products of rows that lie on very different scales have no digits left for the smaller ones;
    their coordinates do.
    """

    origin: Points
    mean: Annotated[Array, "(p,)"]  # in the origin's unit
    axes: Annotated[Array, "(p, r)"]  # for rows in the origin's unit

    def __init__(self, origin: Points, mean: Array, axes: Array) -> None:
        self.origin = origin
        self.mean = mean
        self.axes = axes

    @property
    def width(self) -> int:
        """How many features there are."""
        return int(self.axes.shape[1])

    def check(self) -> None:
        """Refuse axes of other columns."""
        p = self.axes.shape[0]
        expect(self.origin.is_dense and self.origin.X.shape[1] == p, f"rows of {p} columns")

    def __call__(self, X: Any) -> Array:
        """Coordinates, block by block."""
        points = Points(X, self.origin)
        Z = points.centred
        return tall(len(points), lambda rows: (Z[rows, ...] - self.mean) @ self.axes, self.axes)


def own_axes(points: Points) -> tuple[np.ndarray, AxesMap]:
    """Return the coordinates of dense rows on all their axes, (n, r), and the map of new ones.

    >>> F, _ = own_axes(Points(np.array([[1e8, 0.0], [-1e8, 1.0], [1e8, 2.0]])))
    >>> F.shape
    (3, 2)
    """
    Z = points.centred
    mean = Z.mean(axis=0)
    _, s, Vt = np.linalg.svd(Z - mean, full_matrices=False)
    live = s > max(Z.shape) * 2.0**-52 * s[0]
    by = AxesMap(points, mean, Vt[live].T * points.unit)
    return by(points.X), by  # to the last digit what rows like these will have
