"""Random Fourier features: a stationary kernel as an average of cosines."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gramian._array import Array, as_kind, namespace
from gramian._pairs import Points
from gramian.errors import InputError, InputTypeError
from gramian.features.lowrank import KernelMap, LowRank, tall
from gramian.kernels.base import Kernel
from gramian.kernels.radial import Exponential, Gaussian, Laplacian, Matern, RationalQuadratic

__all__ = ["FourierMap", "fourier", "frequencies"]


def _student(dof: float) -> Callable[..., np.ndarray]:
    """The multivariate t distribution: the spectral law of Matérn's kernel, dof = 2ν."""

    def draw(rng: np.random.Generator, p: int, m: int) -> np.ndarray:
        return rng.standard_normal((p, m)) / np.sqrt(rng.chisquare(dof, m) / dof)

    return draw


def frequencies(kernel: Kernel, p: int, m: int, rng: np.random.Generator) -> np.ndarray:
    """Return m frequencies (p, m) drawn from the kernel's spectral law (Bochner)."""
    normal = rng.standard_normal
    if isinstance(kernel, Gaussian) or (isinstance(kernel, Matern) and kernel.nu == math.inf):
        draws = normal((p, m))
    elif isinstance(kernel, Laplacian):
        draws = rng.standard_cauchy((p, m))
    elif isinstance(kernel, Exponential):
        draws = _student(1.0)(rng, p, m)
    elif isinstance(kernel, Matern):
        draws = _student(2.0 * kernel.nu)(rng, p, m)
    elif isinstance(kernel, RationalQuadratic):
        draws = normal((p, m)) * np.sqrt(rng.gamma(kernel.alpha, 1.0 / kernel.alpha, m))
    else:
        raise InputError(
            f"approximation: {type(kernel).__name__} has no random Fourier features: use Nystrom()"
        )
    return draws / float(kernel.scale)


class FourierMap(KernelMap):
    """f(x) = [cos ωᵀx, sin ωᵀx]/√m: ⟨f(x), f(y)⟩ is k(x, y) on average, and 1 for x = y."""

    def __init__(self, origin: Points, omega: Array) -> None:
        self.origin = origin
        self.omega = omega  # (p, m), for rows in the origin's unit

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
    omega = frequencies(kernel, points.X.shape[1], max(rank // 2, 1), rng)
    map_ = FourierMap(points, as_kind(omega * points.unit, points.X))
    return LowRank(map_, map_.of(points), float("nan"))
