"""Gram operators of given matrices, of distances, of features and of some of the points."""

from collections.abc import Callable, Sequence
from typing import Annotated, Literal

import numpy as np

from gramian._core.array import (
    Array,
    Values,
    as_kind,
    is_numpy,
    namespace,
    slice_rows,
    take,
    to_numpy,
)
from gramian._core.check import expect
from gramian._core.operators.gram import DenseGram, Gram
from gramian._core.parallel import parallel_map, row_blocks
from gramian.distances.corrections import CORRECTIONS
from gramian.errors import InputError

_MAX_DISTANCES = 1 << 22  # distances from new rows held at once
_CACHE_ROWS = 64  # of a block that stays in the cache between operations
_FEATURE_ROWS = 4096  # of a block of features


class SquareGram(DenseGram):
    """Kernel values that were computed outside; a new row holds its values with the points."""

    def cross(self, new: Array) -> Array:
        """The rows themselves."""
        return new


class DistanceGram(Gram):
    """−½d², in multiples of unit², from distances between rows or from those that rows hold."""

    rows: Values  # of the points, or their distances (n, n) where there is no metric
    metric: Callable[..., Array] | None  # of two collections of rows
    unit: Annotated[float, "> 0"]
    correction: Literal["lingoes", "cailliez"] | None
    constant: Annotated[float, ">= 0"]  # what the correction adds, in units
    n: Annotated[int, ">= 1"]

    def __init__(
        self,
        rows: Values,
        metric: Callable[..., Array] | None,
        unit: float,
        correction: str | None = None,
        constant: float = 0.0,
    ) -> None:
        self.rows = rows
        self.metric = metric
        self.unit = unit
        self.correction = correction  # type: ignore[assignment]
        self.constant = constant
        self.n = rows.shape[0] if hasattr(rows, "shape") else len(rows)

    def check(self) -> None:
        """Refuse rows of another number, and distances that are not square."""
        n = self.rows.shape[0] if hasattr(self.rows, "shape") else len(self.rows)
        expect(n == self.n, f"{self.n} rows")
        expect(self.metric is None or callable(self.metric), "a metric")
        square = self.metric is not None or tuple(self.rows.shape) == (n, n)
        expect(square, f"distances ({n}, {n})")

    def distances(self, new: Values = None) -> Array:
        """Return the distances of new rows to the points, or those between the points."""
        if self.metric is not None:
            return self.metric(self.rows) if new is None else self.metric(new, self.rows)
        return self.rows if new is None else new

    def of(self, D: Array) -> DenseGram:
        """Return the operator whose distances are known."""
        if self.correction is None:
            return DenseGram(half_squares(D, self.unit))
        add = CORRECTIONS[self.correction][1]
        corrected = as_kind(add(to_numpy(D) / self.unit, self.constant), D)
        return DenseGram(-0.5 * corrected * corrected)

    def prepare(self) -> Gram:
        """The matrix itself: no distance is computed twice."""
        return self.of(self.distances())

    def matmul(self, V: Array) -> Array:
        return self.prepare().matmul(V)

    def block(self, rows: slice, cols: slice) -> Array:
        return self.prepare().block(rows, cols)

    def diag(self) -> Array:
        return as_kind(np.zeros(self.n), self.like)

    def cross(self, new: Values) -> Array:
        """−½d² from new rows to the points; a correction adds to distances that are not 0."""
        D = self.distances(new)
        if self.metric is None and float(namespace(D).min(D)) < 0:
            raise InputError("X has a negative distance: give distances to the training points")
        D = D * (1.0 / self.unit)
        if self.correction is not None and self.constant > 0:
            D = as_kind(CORRECTIONS[self.correction][1](to_numpy(D), self.constant), D)
        return -0.5 * D * D

    def cross_diag(self, new: Values) -> Array:
        return as_kind(np.zeros(new.shape[0] if hasattr(new, "shape") else len(new)), self.like)

    def cross_matmul(self, new: Values, V: Array) -> tuple[Array, Array | None]:
        """The product with the block of new rows, a part of them at a time."""
        m = new.shape[0] if hasattr(new, "shape") else len(new)
        parts = [
            self.cross(slice_rows(new, rows)) @ V
            for rows in row_blocks(m, max(1, _MAX_DISTANCES // self.n))
        ]
        product = namespace(parts[0]).concat(parts, axis=0)
        return product, as_kind(np.zeros(m), product)

    @property
    def like(self) -> Array:
        """The rows where they are numbers, else doubles: distances are no finer than that."""
        return self.rows if hasattr(self.rows, "dtype") and self.metric is None else np.empty(0)


def half_squares(D: Array, unit: float) -> Array:
    """Return −½(d/unit)², row block by row block."""
    if not is_numpy(D):
        return -0.5 * (D * (1.0 / unit)) ** 2
    out = np.empty_like(D)

    def work(blocks: Sequence[slice]) -> None:
        for rows in blocks:
            block = np.multiply(D[rows], 1.0 / unit, out=out[rows])
            block *= block
            block *= -0.5

    parallel_map(work, list(row_blocks(len(D), _CACHE_ROWS)))
    return out


class FeatureGram(Gram):
    """G = F·Fᵀ for features (m, k) of rows, which are made a block at a time and never kept."""

    psd = True

    def __init__(self, features: Callable[[Values], Array], rows: Values) -> None:
        self.features = features
        self.rows = rows
        self.n = rows.shape[0] if hasattr(rows, "shape") else len(rows)

    def matmul(self, V: Array) -> Array:
        """F·(Fᵀ·V), in two passes over the rows."""
        inner = sum(
            self._at(rows).T @ slice_rows(V, rows) for rows in row_blocks(self.n, _FEATURE_ROWS)
        )
        parts = [self._at(rows) @ inner for rows in row_blocks(self.n, _FEATURE_ROWS)]
        return namespace(V).concat(parts, axis=0)

    def diag(self) -> Array:
        xp = namespace(self.like)
        parts = [xp.sum(self._at(rows) ** 2, axis=1) for rows in row_blocks(self.n, _FEATURE_ROWS)]
        return xp.concat(parts)

    def block(self, rows: slice, cols: slice) -> Array:
        return self._at(rows) @ self._at(cols).T

    def cross(self, new: Values) -> Array:
        parts = [self._at(rows) for rows in row_blocks(self.n, _FEATURE_ROWS)]
        xp = namespace(self.like)
        return self.features(new) @ xp.concat(parts, axis=0).T

    def cross_diag(self, new: Values) -> Array:
        F = self.features(new)
        return namespace(F).sum(F * F, axis=1)

    @property
    def like(self) -> Array:
        return self._at(slice(0, 1))

    def _at(self, rows: slice) -> Array:
        return self.features(slice_rows(self.rows, rows))


class SelectedGram(Gram):
    """The part of a Gram operator that belongs to some of its points."""

    def __init__(self, whole: Gram, positions: np.ndarray) -> None:
        self.whole = whole
        self.positions = positions
        self.n = len(positions)
        self.psd = whole.psd

    def matmul(self, V: Array) -> Array:
        """The rows of G·V, V being 0 for the other points."""
        return self._some(self.whole.matmul(self.spread(V)))

    def others(self, V: Array) -> Array:
        """Return k(other points, these points)·V."""
        rest = np.setdiff1d(np.arange(self.whole.n), self.positions)
        product = self.whole.matmul(self.spread(V))
        return take(product, rest, axis=0)

    def diag(self) -> Array:
        return self._some(self.whole.diag())

    def block(self, rows: slice, cols: slice) -> Array:
        """A block, cut out of the smallest that holds it."""
        i, j = self.positions[rows], self.positions[cols]
        B = self.whole.block(slice(i[0], i[-1] + 1), slice(j[0], j[-1] + 1))
        return take(take(B, i - i[0], axis=0), j - j[0], axis=1)

    def cross(self, new: Values) -> Array:
        return take(self.whole.cross(new), self.positions, axis=1)

    def cross_matmul(self, new: Values, V: Array) -> tuple[Array, Array | None]:
        return self.whole.cross_matmul(new, self.spread(V))

    def cross_diag(self, new: Values) -> Array | None:
        return self.whole.cross_diag(new)

    @property
    def like(self) -> Array:
        return self.whole.like

    def _some(self, A: Array) -> Array:
        return take(A, self.positions, axis=0)

    def spread(self, V: Array) -> Array:
        """Return V as rows of the whole, 0 for the other points."""
        place = np.full(self.whole.n, self.n)
        place[self.positions] = np.arange(self.n)
        xp = namespace(V)
        padded = xp.concat([V, as_kind(np.zeros((1, V.shape[1])), V)], axis=0)
        return take(padded, place, axis=0)
