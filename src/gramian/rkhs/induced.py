"""The kernel of classical scaling in a feature space."""

from __future__ import annotations

from typing import Any

from gramian._core.array import Array, namespace
from gramian._core.pairs import Pairs
from gramian.kernels.base import Kernel
from gramian.kernels.composite import Unary


class Induced(Unary):
    """−½|φ(x) − φ(y)|²: the kernel of classical scaling in the feature space of another one.

    It differs from k by terms of x alone and of y alone. What is centred (an axis, a difference of
    means, a covariance) is the same for both, and this one has no large numbers that cancel.

    >>> from gramian.kernels import Gaussian
    >>> float(Induced(Gaussian(1.0))([[0.0]], [[1e-9]])[0, 0])
    -5e-19
    """

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    @property
    def psd(self) -> bool | None:  # type: ignore[override]
        """False: it is positive only on differences."""
        return False

    def evaluate(self, pairs: Pairs) -> Array:
        """−½ of the squared distances in feature space."""
        return -0.5 * self.kernel.squared_distance(pairs)

    def self_similarity(self, X: Any) -> Array:
        """Zero for every point."""
        d = self.kernel.self_similarity(X)
        return namespace(d).zeros_like(d)
