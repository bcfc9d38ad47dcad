"""Some of the points of a Gram operator."""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian._array import Array, as_index, as_kind, namespace
from gramian.operators.base import Gram

__all__ = ["SelectedGram"]


class SelectedGram(Gram):
    """The part of a Gram operator that belongs to some of its points."""

    def __init__(self, whole: Gram, positions: np.ndarray) -> None:
        self.whole = whole
        self.positions = positions
        self.n = len(positions)
        self.psd = whole.psd

    def matmul(self, V: Array) -> Array:
        """The rows of G·V, V being 0 for the other points."""
        return self._some(self.whole.matmul(self._spread(V)))

    def others(self, V: Array) -> Array:
        """Return k(other points, these points)·V."""
        rest = np.setdiff1d(np.arange(self.whole.n), self.positions)
        product = self.whole.matmul(self._spread(V))
        return namespace(product).take(product, as_index(rest, product), axis=0)

    def diag(self) -> Array:
        """The entries of the diagonal."""
        return self._some(self.whole.diag())

    def block(self, rows: slice, cols: slice) -> Array:
        """A block, cut out of the smallest that holds it."""
        i, j = self.positions[rows], self.positions[cols]
        B = self.whole.block(slice(i[0], i[-1] + 1), slice(j[0], j[-1] + 1))
        xp = namespace(B)
        B = xp.take(B, as_index(i - i[0], B), axis=0)
        return xp.take(B, as_index(j - j[0], B), axis=1)

    def cross(self, new: Any) -> Array:
        """The columns of the block of new rows."""
        K = self.whole.cross(new)
        return namespace(K).take(K, as_index(self.positions, K), axis=1)

    def cross_diag(self, new: Any) -> Array | None:
        """k(x, x) of new rows, where the whole operator knows it."""
        return self.whole.cross_diag(new)

    @property
    def like(self) -> Array:
        """That of the whole operator."""
        return self.whole.like

    def _some(self, A: Array) -> Array:
        return namespace(A).take(A, as_index(self.positions, A), axis=0)

    def _spread(self, V: Array) -> Array:
        """Return V as rows of the whole, 0 elsewhere."""
        place = np.full(self.whole.n, self.n)
        place[self.positions] = np.arange(self.n)
        xp = namespace(V)
        padded = xp.concat([V, as_kind(np.zeros((1, V.shape[1])), V)], axis=0)
        return xp.take(padded, as_index(place, V), axis=0)
