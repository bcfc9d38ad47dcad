"""What the solvers see: symmetric matrices one may multiply by."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from gramian._array import Array

__all__ = ["Gram", "Symmetric"]


class Symmetric(ABC):
    """A symmetric operator on R^n: all that an iterative solver needs."""

    n: int
    dtype: Any

    @abstractmethod
    def matmul(self, V: Array) -> Array:
        """Return A·V for V (n, r)."""

    @abstractmethod
    def trace(self) -> float:
        """Return the trace, exact whatever part of the spectrum is computed."""

    @abstractmethod
    def dense(self) -> Array:
        """Return the matrix itself, (n, n): an explicit call, never a silent one."""

    @property
    @abstractmethod
    def like(self) -> Array:
        """An array of the operator's library, device and precision."""

    def width(self, columns: int) -> int:
        """Return up to how many columns a product costs as much as with `columns`."""
        return columns

    def sketch_width(self, columns: int) -> int:
        """Return how many columns a first guess should have for blocks of `columns`."""
        return columns

    def lowered(self) -> Symmetric | None:
        """Return the operator in single precision, where products are then cheaper."""
        return None

    def sketch(self, width: int, rng: np.random.Generator) -> Array | None:
        """Return a guess of the leading subspace, (n, width), where one is cheap."""
        return None


class Gram(ABC):
    """The matrix G of k(x_i, x_j) over the training points."""

    n: int

    @abstractmethod
    def matmul(self, V: Array) -> Array:
        """Return G·V for V (n, r)."""

    @abstractmethod
    def diag(self) -> Array:
        """Return k(x_i, x_i), (n,)."""

    @abstractmethod
    def block(self, rows: slice, cols: slice) -> Array:
        """Return a block of G."""

    def dense(self) -> Array:
        """Return G itself, (n, n)."""
        return self.block(slice(0, self.n), slice(0, self.n))

    def width(self, columns: int) -> int:
        """Return up to how many columns a product costs as much as with `columns`."""
        return columns

    def lowered(self) -> Gram | None:
        """Return the operator in single precision, where products are then cheaper."""
        return None

    def sketch(self, width: int, rng: np.random.Generator) -> Array | None:
        """Return a guess of the leading subspace of the centred operator, (n, width)."""
        return None

    @property
    @abstractmethod
    def like(self) -> Array:
        """An array of the operator's library, device and precision."""
