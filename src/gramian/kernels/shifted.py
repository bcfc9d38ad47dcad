"""Kernels of points that are moved next to the origin first."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from gramian._array import Array, is_sparse, namespace, to_numpy
from gramian._pairs import Pairs, Points
from gramian.kernels.base import Kernel
from gramian.kernels.composite import Unary

__all__ = ["Shifted", "shifted"]


class Shifted(Unary):
    """k(x − c, y − c) for one point c.

    The difference of near numbers is exact, so that nothing is lost on the way to the origin.

    >>> from gramian.kernels import Linear
    >>> float(Shifted(Linear(), np.array([1e8]))([[1e8 + 1.0]], [[1e8 + 3.0]])[0, 0])
    3.0
    """

    def __init__(self, kernel: Kernel, centre: Array) -> None:
        self.kernel = kernel
        self.centre = centre

    def evaluate(self, pairs: Pairs) -> Array:
        """The inner kernel at the points that were moved, which are computed once."""
        return self.kernel.evaluate(self._pairs(pairs))

    def block(self, pairs: Pairs) -> Array:
        """The inner kernel's own block: rows that are rounded after the move, as its values are."""
        return self.kernel.block(self._pairs(pairs))

    def squared_distance(self, pairs: Pairs) -> Array:
        """The inner distances at the points that were moved."""
        return self.kernel.squared_distance(self._pairs(pairs))

    def self_similarity(self, X: Any) -> Array:
        """The inner diagonal at the points that were moved."""
        return self.kernel.self_similarity(self.less(X))

    def moved(self, points: Points) -> Points:
        """Return the points of the inner kernel."""
        return points.through(self._key, self.less)

    def less(self, X: Array) -> Array:
        """x − c; of sparse rows, in the columns where c is not 0."""
        if not is_sparse(X):
            return X - self.centre
        columns = np.flatnonzero(self.centre)
        n = X.shape[0]
        entries = np.tile(self.centre[columns], n)
        starts = np.arange(n + 1) * columns.size
        return X - sparse.csr_array((entries, np.tile(columns, n), starts), shape=X.shape)

    def _pairs(self, pairs: Pairs) -> Pairs:
        return pairs.through(self._key, self.less)

    @cached_property
    def _key(self) -> tuple[str, bytes]:
        return ("less", to_numpy(self.centre).tobytes())


def shifted(kernel: Kernel, points: Points) -> Kernel:
    """Return the kernel of points less their offset, or itself where they have none.

    >>> from gramian.kernels import Linear
    >>> shifted(Linear(), Points(np.array([[7.0], [8.0], [9.0]]))).centre
    array([8.])
    """
    offset = points.offset
    live = offset is not None and bool(namespace(offset).any(offset != 0))
    return Shifted(kernel, offset) if live else kernel
