"""Gram matrices of many kernels on the same points: distances are computed once."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from gramian._core.array import Array, to_numpy
from gramian._core.pairs import Pairs, Points
from gramian.errors import InputError
from gramian.kernels.base import Kernel


class SharedPairs(Pairs):
    """All pairs of some points, which keep their distances for the next kernel."""

    def __init__(self, points: Points) -> None:
        super().__init__(points, exact=True)
        self._distances: dict[Hashable, Array] = {}

    def squared_distance(self, scale: float = 1.0, slope: float = math.inf) -> Array:
        """t = |x−y|²/scale², from distances that are right relative to themselves."""
        unit = self.A.unit
        if "d2" not in self._distances:
            self._distances["d2"] = super().squared_distance(unit)
        with np.errstate(over="ignore", under="ignore"):
            return self._distances["d2"] * (unit / scale) * (unit / scale)

    def l1(self, scale: float) -> Array:
        """‖x−y‖₁/scale."""
        unit = self.A.unit
        if "l1" not in self._distances:
            self._distances["l1"] = super().l1(unit)
        return self._distances["l1"] * (unit / scale)


def grams(kernels: Sequence[Kernel], X: Any, *, centring: bool = False) -> list[np.ndarray]:
    """Return the Gram matrix of each kernel on the rows of X, (n, n), or one for who centres it."""
    pairs = SharedPairs(Points(X))
    kernels = [kernel.about(pairs.A) for kernel in kernels] if centring else kernels
    return [_sound(to_numpy(k.block(pairs)).astype(np.float64), pairs.A) for k in kernels]


def _sound(K: np.ndarray, points: Points) -> np.ndarray:
    vanished = np.abs(np.diag(K)).max() < 1e-290 and points.varies
    if vanished or not np.isfinite(K).all():
        raise InputError("X: the values of a kernel leave the range of numbers: rescale the data")
    return K


def centred(K: np.ndarray) -> np.ndarray:
    """Return K with its barycentre at the origin, over n: its eigenvalues are inertias."""
    means = K.mean(axis=0)
    return (K - means[:, None] - means[None, :] + means.mean()) / len(K)


def spectrum(K: np.ndarray) -> np.ndarray:
    """Return the inertias of the axes, in descending order, (n − 1,)."""
    return np.linalg.eigvalsh(centred(K))[::-1][:-1]
