"""A kernel replaced by finitely many features: k(x, y) ≈ ⟨f(x), f(y)⟩."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np

from gramian._core.array import Array, is_numpy, namespace
from gramian._core.check import expect
from gramian._core.operators.feature import FeatureMap
from gramian._core.pairs import Pairs, Points
from gramian._core.parallel import even_blocks, parallel_map
from gramian.kernels.base import Kernel

ROWS = 4096  # of a block


class KernelMap(ABC):
    """A map from rows to features, (m, p) to (m, k)."""

    @abstractmethod
    def __call__(self, X: Any) -> Array:
        """Return the features of the rows of X."""

    @property
    @abstractmethod
    def width(self) -> int:
        """How many features there are."""


@dataclass(frozen=True)
class LowRank:
    """The features of the training points and the map that gives those of new ones."""

    map: KernelMap
    F: Array  # (n, k)
    error: float  # trace of what is left out over the trace of K
    landmarks: np.ndarray | None = None  # row numbers, where landmarks are rows


class LandmarkMap(KernelMap):
    """f(x) = k(x, Z)·W for landmarks Z, W a root of the pseudo-inverse of k(Z, Z)."""

    kernel: Kernel
    landmarks: Points
    W: Annotated[Array, "(r, k)"]

    def __init__(self, kernel: Kernel, landmarks: Points, W: Array) -> None:
        self.kernel = kernel
        self.landmarks = landmarks
        self.W = W

    @property
    def width(self) -> int:
        """How many features there are."""
        return int(self.W.shape[1])

    def check(self) -> None:
        """Refuse a root of another number of landmarks."""
        r = self.W.shape[0]
        expect(len(self.landmarks) == r, f"{r} landmarks")

    def __call__(self, X: Any) -> Array:
        """k(x, Z)·W, block by block."""
        return self.of(Points(X, self.landmarks))

    def of(self, points: Points) -> Array:
        """Return the features of prepared points."""
        return tall(
            len(points),
            lambda rows: self.kernel.evaluate(Pairs(points, self.landmarks, rows)) @ self.W,
            self.W,
        )


def tall(n: int, block: Callable[[slice], Array], like: Array) -> Array:
    """Return the rows made by `block`, in blocks shared between the cores, stacked."""
    blocks = even_blocks(n, ROWS)
    if not is_numpy(like):
        return namespace(like).concat([block(rows) for rows in blocks], axis=0)
    first = block(blocks[0])
    out = np.empty((n, *first.shape[1:]), dtype=first.dtype)
    out[blocks[0]] = first

    def work(share: Sequence[slice]) -> None:
        for rows in share:
            out[rows] = block(rows)

    if len(blocks) > 1:
        parallel_map(work, blocks[1:])
    return out


class ApproximateFeatures(FeatureMap):
    """Centred approximate features of rows: the kernel map, then the mean taken off."""

    kernel_map: KernelMap

    def check(self) -> None:
        """Refuse a map of another number of features."""
        super().check()
        k = self.factor.shape[0]
        expect(self.kernel_map.width == k, f"a map of {k} features")

    def __init__(self, kernel_map: KernelMap, centred: FeatureMap) -> None:
        vars(self).update(vars(centred))
        self.kernel_map = kernel_map

    def project(self, X: Any, V: Array) -> tuple[Array, Array]:
        """Return the coordinates of the rows of X and their squared distances to the barycentre."""
        return super().project(self.kernel_map(X), V)

    def coordinates(self, X: Any, V: Array) -> Array:
        """Return f(x)·V, (m, q)."""
        return super().coordinates(self.kernel_map(X), V)
