"""A kernel replaced by finitely many features: k(x, y) ≈ ⟨f(x), f(y)⟩.

On landmarks, on the principal axes of the rows (linear kernel), or by random Fourier features.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Annotated

import numpy as np
from scipy.linalg import lapack

from gramian._core.array import Array, Values, as_kind, is_numpy, namespace, to_numpy
from gramian._core.check import expect
from gramian._core.operators.feature import FeatureMap
from gramian._core.operators.moments import LazyRows, Moments, plain_sums, rotate
from gramian._core.pairs import Pairs, Points
from gramian._core.parallel import budget_bytes, even_blocks, parallel_map, require_memory
from gramian.errors import InputError, InputTypeError
from gramian.kernels.base import Kernel, no_spectral_law

BLOCK_ROWS = 4096  # of a block
MIN_TRIANGLE_COLUMNS = 256  # from which on a triangle is multiplied as one
MIN_CONDITION = 1e-3  # 1/condition of W above which moments of k(x, Z) lose six digits at most


class KernelMap(ABC):
    """A map from rows to features, (m, p) to (m, k)."""

    @abstractmethod
    def __call__(self, X: Values | Points) -> Array:
        """Return the features of the rows of X, which may be prepared."""

    def product(self, X: Values | Points, V: Array) -> Array:
        """Return f(x)·V for the rows of X, (m, q)."""
        return self(X) @ V

    @property
    @abstractmethod
    def width(self) -> int:
        """How many features there are."""


@dataclass(eq=False)
class LowRank:
    """The features of the training points, made when they are needed, and the map of new ones."""

    map: KernelMap
    points: Points
    landmarks: np.ndarray | None = None  # row numbers, where landmarks are rows

    @cached_property
    def F(self) -> Array:
        """The features, (n, k)."""
        return require_finite_kernel(self.map(self.points))

    @cached_property
    def moments(self) -> Moments | None:
        """The moments of the features, where they cost less than the features; else None."""
        by = self.map
        if "F" in vars(self) or not (isinstance(by, LandmarkMap) and is_numpy(by.W)):
            return None
        with np.errstate(over="ignore", invalid="ignore"):  # looked at here
            m = by.moments(self.points)
        return m if np.isfinite(m.second).all() else None

    @cached_property
    def error(self) -> float:
        """The trace of what is left out over the trace of K; NaN for random features."""
        if not isinstance(self.map, LandmarkMap):
            return float("nan")
        total = to_numpy(self.map.kernel.self_similarity(self.points.X)).astype(np.float64).sum()
        if (m := vars(self).get("moments")) is None:
            covered = namespace(self.F).sum(self.F * self.F)
        else:
            covered = m.square.sum() + (2.0 * m.first + m.weight * m.shift) @ m.shift
        return max(1.0 - float(covered) / float(total), 0.0)


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

    def __call__(self, X: Values | Points) -> Array:
        return self.product(X, None)

    def product(self, X: Values | Points, V: Array | None) -> Array:
        """Return k(x, Z)·W·V in one product; without V, the features."""
        points = X if isinstance(X, Points) else Points(X, self.landmarks)
        right = self.W if V is None else self.W @ V
        return tall(len(points), self._block(points, _product_with(right)), right)

    def _block(self, points: Points, times: Callable[[Array], Array]) -> Callable[[slice], Array]:
        return lambda rows: times(self.kernel.evaluate(Pairs(points, self.landmarks, rows)))

    def moments(self, points: Points) -> Moments:
        """Return the moments of the features of NumPy points, which are not kept.

        Those of k(x, Z), rotated by W at the end, take a third of the operations; where W has a
        large condition number they have lost the digits of the smaller features.
        """
        Z, W = self.landmarks, np.asarray(self.W, dtype=np.float64)
        late = _is_upper(W) and lapack.dtrcon(W)[0] > MIN_CONDITION
        block = self._block(points, (lambda K: K) if late else _product_with(self.W))
        points.prepare(self.kernel.evaluate, Z)
        mean = to_numpy(self.kernel.evaluate(Pairs(Z))).mean(axis=0, dtype=np.float64)
        rows = LazyRows((len(points), W.shape[int(not late)]), self.W.dtype, block)
        sums = plain_sums(rows, mean if late else mean @ W, None, cross=True)
        return rotate(sums, W) if late else sums


def _is_upper(W: Array) -> bool:
    return W.shape[0] == W.shape[1] and not np.tril(W, -1).any()


def _product_with(W: Array) -> Callable[[Array], Array]:
    """Return the product K·W, of half of the operations where W is a large upper triangle."""
    if not is_numpy(W) or W.shape[1] < MIN_TRIANGLE_COLUMNS or not _is_upper(W):
        return lambda K: K @ W
    cuts = np.linspace(0, len(W), 9).astype(int)
    return lambda K: np.hstack([K[:, :j] @ W[:j, i:j] for i, j in pairwise(cuts)])


def require_finite_kernel(K: Array) -> Array:
    """Return kernel values, refused where they are no numbers."""
    xp = namespace(K)
    if not bool(xp.all(xp.isfinite(K))):
        what = "NaN" if bool(xp.any(xp.isnan(K))) else "infinite"
        raise InputError(
            f"kernel: some of its values on X are {what}: its formula is not defined there, or "
            "overflows on the way: rescale the data or check the kernel"
        )
    return K


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

    def coordinates(self, X: Values | Points, V: Array) -> Array:
        A = as_kind(self.factor, V)[:, None] * V
        Z = self.kernel_map.product(X, namespace(A).astype(A, self.like.dtype, copy=False))
        return Z - as_kind(self.shift, Z) @ as_kind(A, Z) - as_kind(self.rest, Z) @ as_kind(A, Z)


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

    def __call__(self, X: Values | Points) -> Array:
        points = X if isinstance(X, Points) else Points(X, self.origin)
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

    def __call__(self, X: Values | Points) -> Array:
        points = X if isinstance(X, Points) else Points(X, self.origin)
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
    return LowRank(map_, points)
