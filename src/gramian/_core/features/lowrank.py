"""A kernel replaced by finitely many features: k(x, y) ≈ ⟨f(x), f(y)⟩.

On landmarks, on the principal axes of the rows (linear kernel), or by random Fourier features.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np

from gramian._core.array import Array, Values, as_kind, is_numpy, namespace
from gramian._core.check import expect
from gramian._core.operators.feature import FeatureMap
from gramian._core.pairs import Pairs, Points
from gramian._core.parallel import budget_bytes, even_blocks, parallel_map, require_memory
from gramian.errors import InputError, InputTypeError
from gramian.kernels.base import Kernel, no_spectral_law

BLOCK_ROWS = 4096  # of a block


class KernelMap(ABC):
    """A map from rows to features, (m, p) to (m, k)."""

    @abstractmethod
    def __call__(self, X: Values) -> Array:
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


@dataclass(eq=False, repr=False)
class LandmarkMap(KernelMap):
    """f(x) = k(x, Z)·W for landmarks Z, W a root of the pseudo-inverse of k(Z, Z)."""

    kernel: Kernel
    landmarks: Points
    W: Annotated[Array, "(r, k)"]

    @property
    def width(self) -> int:
        return int(self.W.shape[1])

    def check(self) -> None:
        """Refuse a root of another number of landmarks."""
        r = self.W.shape[0]
        expect(len(self.landmarks) == r, f"{r} landmarks")

    def __call__(self, X: Values) -> Array:
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
    blocks = even_blocks(n, BLOCK_ROWS)
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
        super().check()
        k = self.factor.shape[0]
        expect(self.kernel_map.width == k, f"a map of {k} features")

    def __init__(self, kernel_map: KernelMap, centred: FeatureMap) -> None:
        vars(self).update(vars(centred))
        self.kernel_map = kernel_map

    def project(self, X: Values, V: Array) -> tuple[Array, Array]:
        return super().project(self.kernel_map(X), V)

    def coordinates(self, X: Values, V: Array) -> Array:
        return super().coordinates(self.kernel_map(X), V)


@dataclass(eq=False, repr=False)
class AxesMap(KernelMap):
    """f(x) = (x − mean)·V: ⟨f(x), f(y)⟩ is the centred inner product of rows.

    Products of rows that lie on very different scales have no digits left for the smaller ones;
    their coordinates do.
    """

    origin: Points
    mean: Annotated[Array, "(p,)"]  # in the origin's unit
    axes: Annotated[Array, "(p, r)"]  # for rows in the origin's unit

    @property
    def width(self) -> int:
        return int(self.axes.shape[1])

    def check(self) -> None:
        """Refuse axes of other columns."""
        p = self.axes.shape[0]
        expect(self.origin.is_dense and self.origin.X.shape[1] == p, f"rows of {p} columns")

    def __call__(self, X: Values) -> Array:
        points = Points(X, self.origin)
        Z = points.deviations
        return tall(len(points), lambda rows: (Z[rows, ...] - self.mean) @ self.axes, self.axes)


def own_axes(points: Points) -> tuple[np.ndarray, AxesMap]:
    """Return the coordinates of dense rows on all their axes, (n, r), and the map of new ones."""
    Z = points.deviations
    mean = Z.mean(axis=0)
    _, s, Vt = np.linalg.svd(Z - mean, full_matrices=False)
    live = s > max(Z.shape) * 2.0**-52 * s[0]
    by = AxesMap(points, mean, Vt[live].T * points.unit)
    return by(points.X), by  # to the last digit what rows like these will have


@dataclass(eq=False, repr=False)
class FourierMap(KernelMap):
    """f(x) = [cos ωᵀx, sin ωᵀx]/√m: ⟨f(x), f(y)⟩ is k(x, y) on average, and 1 for x = y."""

    origin: Points
    omega: Annotated[Array, "(p, m)"]  # for rows in the origin's unit

    @property
    def width(self) -> int:
        return 2 * int(self.omega.shape[1])

    def check(self) -> None:
        """Refuse frequencies of other columns."""
        p = self.omega.shape[0]
        expect(self.origin.is_dense and self.origin.X.shape[1] == p, f"rows of {p} columns")

    def __call__(self, X: Values) -> Array:
        return self.of(Points(X, self.origin))

    def of(self, points: Points) -> Array:
        """Return the features of prepared points."""
        Z, m = points.deviations, self.omega.shape[1]

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
