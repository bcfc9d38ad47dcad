"""A Gram matrix held in memory."""

from __future__ import annotations

from gramian._array import Array, namespace
from gramian.operators.base import Gram

__all__ = ["DenseGram"]


class DenseGram(Gram):
    """A Gram matrix given as an array (n, n)."""

    def __init__(self, K: Array) -> None:
        self.K = K
        self.n = K.shape[0]

    def matmul(self, V: Array) -> Array:
        """K·V."""
        return self.K @ V

    def diag(self) -> Array:
        """The diagonal."""
        return namespace(self.K).linalg.diagonal(self.K)

    def block(self, rows: slice, cols: slice) -> Array:
        """A view of the block."""
        return self.K[rows, cols]

    @property
    def like(self) -> Array:
        """The matrix."""
        return self.K
