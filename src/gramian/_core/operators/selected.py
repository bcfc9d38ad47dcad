"""Some of the points of a Gram operator."""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian._core.array import Array, as_kind, namespace, take
from gramian._core.operators.base import Gram


class SelectedGram(Gram):
    """The part of a Gram operator that belongs to some of its points."""

    def __init__(self, whole: Gram, positions: np.ndarray) -> None:
        self.whole = whole
        self.positions = positions
        self.n = len(positions)
        self.psd = whole.psd

    def matmul(self, V: Array) -> Array:
        """The rows of G·V, V being 0 for the other points."""
        return self._some(self.whole.matmul(self.spread(V)))

    def others(self, V: Array) -> Array:
        """Return k(other points, these points)·V."""
        rest = np.setdiff1d(np.arange(self.whole.n), self.positions)
        product = self.whole.matmul(self.spread(V))
        return take(product, rest, axis=0)

    def diag(self) -> Array:
        """The entries of the diagonal."""
        return self._some(self.whole.diag())

    def block(self, rows: slice, cols: slice) -> Array:
        """A block, cut out of the smallest that holds it."""
        i, j = self.positions[rows], self.positions[cols]
        B = self.whole.block(slice(i[0], i[-1] + 1), slice(j[0], j[-1] + 1))
        return take(take(B, i - i[0], axis=0), j - j[0], axis=1)

    def cross(self, new: Any) -> Array:
        """The columns of the block of new rows."""
        return take(self.whole.cross(new), self.positions, axis=1)

    def cross_matmul(self, new: Any, V: Array) -> tuple[Array, Array | None]:
        """The product of the whole operator with V, 0 for the other points."""
        return self.whole.cross_matmul(new, self.spread(V))

    def cross_diag(self, new: Any) -> Array | None:
        """k(x, x) of new rows, where the whole operator knows it."""
        return self.whole.cross_diag(new)

    @property
    def like(self) -> Array:
        """That of the whole operator."""
        return self.whole.like

    def _some(self, A: Array) -> Array:
        return take(A, self.positions, axis=0)

    def spread(self, V: Array) -> Array:
        """Return V as rows of the whole, 0 for the other points."""
        place = np.full(self.whole.n, self.n)
        place[self.positions] = np.arange(self.n)
        xp = namespace(V)
        padded = xp.concat([V, as_kind(np.zeros((1, V.shape[1])), V)], axis=0)
        return take(padded, place, axis=0)
