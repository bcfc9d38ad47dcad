"""What a kernel is on a block of pairs, in a form whose products lose no digits."""

from __future__ import annotations

from gramian._array import Array
from gramian._pairs import Pairs
from gramian.kernels.base import Kernel


class Parts:
    """Values K, both diagonals a and b, and squared distances D = a + b − 2K of a kernel.

    >>> import numpy as np
    >>> from gramian._pairs import Points
    >>> from gramian.kernels import Linear
    >>> one = Parts.of(Linear(), Pairs(Points(np.array([[1.0], [1.0 + 2.0**-30]]))))
    >>> float((one**2).D[0, 1].round(24))  # (x² − y²)²
    3.469447e-18
    """

    def __init__(self, a: Array, b: Array, K: Array, D: Array) -> None:
        self.a, self.b, self.K, self.D = a, b, K, D

    @classmethod
    def of(cls, kernel: Kernel, pairs: Pairs) -> Parts:
        """Return the parts of a kernel."""
        return cls(*kernel.diagonals(pairs), kernel.block(pairs), kernel.squared_distance(pairs))

    def __mul__(self, other: Parts) -> Parts:
        """Return the parts of the product of two kernels.

        With h = ½(k(x, x) − k(y, y)) and s = ½(k(x, x) + k(y, y)) = k(x, y) + ½D of each,
        a₁a₂ + b₁b₂ − 2k₁k₂ = 2h₁h₂ + k₁D₂ + s₂D₁.
        """
        h = 0.5 * (self.a - self.b) * (other.a - other.b)
        D = h + self.K * other.D + 0.5 * (other.a + other.b) * self.D
        return Parts(self.a * other.a, self.b * other.b, self.K * other.K, D)

    def __pow__(self, exponent: int) -> Parts:
        """Return the parts of k^exponent, for an exponent of at least 1."""
        total = self
        for _ in range(exponent - 1):
            total = total * self
        return total
