"""The kernel of classical scaling."""

from __future__ import annotations

from typing import Any

from gramian._array import Array
from gramian.kernels.base import Radial
from gramian.kernels.registry import register

__all__ = ["SquaredDistance"]


@register(short=False)
class SquaredDistance(Radial):
    """k(x, y) = −½|x − y|²/scale²: conditionally positive definite, the Gram matrix of MDS.

    After centring it is the inner product of the centred points.

    >>> float(SquaredDistance(scale=1.0)([[0.0], [2.0]])[0, 1])
    -2.0
    """

    psd: bool | None = None

    def __init__(self, scale: Any = 1.0) -> None:
        self.scale = scale

    def profile(self, t: Array) -> Array:
        """−t/2."""
        return -0.5 * t
