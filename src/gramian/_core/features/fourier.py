"""Random Fourier features: a stationary kernel as an average of cosines."""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np

from gramian._core.array import Array, as_kind, namespace
from gramian._core.check import expect
from gramian._core.features.lowrank import KernelMap, LowRank, tall
from gramian._core.pairs import Points
from gramian._core.parallel import budget_bytes, require_memory
from gramian.errors import InputError, InputTypeError
from gramian.kernels.base import Kernel, no_spectral_law


class FourierMap(KernelMap):
    """f(x) = [cos ωᵀx, sin ωᵀx]/√m: ⟨f(x), f(y)⟩ is k(x, y) on average, and 1 for x = y."""

    origin: Points
    omega: Annotated[Array, "(p, m)"]  # for rows in the origin's unit

    def __init__(self, origin: Points, omega: Array) -> None:
        self.origin = origin
        self.omega = omega

    @property
    def width(self) -> int:
        """How many features there are: a cosine and a sine for each frequency."""
        return 2 * int(self.omega.shape[1])

    def check(self) -> None:
        """Refuse frequencies of other columns."""
        p = self.omega.shape[0]
        expect(self.origin.is_dense and self.origin.X.shape[1] == p, f"rows of {p} columns")

    def __call__(self, X: Any) -> Array:
        """Cosines and sines, block by block."""
        return self.of(Points(X, self.origin))

    def of(self, points: Points) -> Array:
        """Return the features of prepared points."""
        Z, m = points.centred, self.omega.shape[1]

        def block(rows: slice) -> Array:
            xp = namespace(self.omega)
            angle = Z[rows, ...] @ self.omega
            return xp.concat([xp.cos(angle), xp.sin(angle)], axis=1) / math.sqrt(m)

        return tall(len(points), block, self.omega)


def fourier(kernel: Kernel, points: Points, rank: int, rng: np.random.Generator) -> LowRank:
    """Return `rank` random Fourier features (an even number) of a stationary kernel."""
    if not points.is_dense:
        raise InputTypeError(
            "X is sparse or holds objects: random Fourier features need a dense table; use "
            "X.toarray() or Nystrom()"
        )
    law = getattr(kernel, "frequencies", None)
    if not callable(law):
        raise no_spectral_law(kernel)
    p, m = points.X.shape[1], max(rank // 2, 1)
    require_memory(
        8.0 * (2 * p * m + 4 * m * len(points)),
        budget_bytes(None),
        f"{rank} features of {len(points)} rows",
        "lower rank",
    )
    with np.errstate(over="ignore", invalid="ignore"):  # looked at here
        omega = law(rng, p, m)
    if not np.isfinite(omega).all():
        raise InputError(
            "X: the frequencies overflow, as the scale of the kernel is so small: multiply X by a "
            "power of two"
        )
    map_ = FourierMap(points, as_kind(omega * points.unit, points.X))
    return LowRank(map_, map_.of(points), float("nan"))
