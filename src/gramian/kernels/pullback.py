"""Kernels of points that are mapped first: by a function, to some columns, to standardised ones."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from gramian._core.array import Array, as_kind, is_array, is_sparse, namespace, to_numpy
from gramian._core.check import answer, is_label, is_list, short
from gramian._core.pairs import Pairs, Points
from gramian._core.table import table
from gramian._core.types import RowsLike
from gramian.distances import mixed
from gramian.errors import InputError
from gramian.kernels.base import Change, Kernel, Names, Weights
from gramian.kernels.composite import Composite
from gramian.kernels.registry import register

_ROUNDING = {False: 1e-30, True: 1e-13}  # of values, that squared distances may be, by precision
_MIN_GAIN = 64.0  # times that values may be larger than what centring leaves of them: two digits
_MIN_SPREAD = {False: 1e-7, True: 1e-2}  # of values that x and −x share, by precision
_MAX_OFFSET = {False: 1e8, True: 3e3}  # over the distances of the points, by precision


class Pullback(Composite):
    """k(φ(x), φ(y)); a subclass writes φ, `map_rows`, and the key under which images are kept."""

    kernel: Kernel
    is_affine = True  # in the values at the images

    @property
    def _key(self) -> Hashable:
        return "as they are"

    def map_rows(self, X: Array) -> Array:
        """Return φ of rows, which are their own images unless a subclass maps them."""
        return X

    def map_points(self, points: Points) -> Points:
        """Return φ of points, computed once."""
        return points.through(self._key, self.map_rows)

    def _map_pairs(self, pairs: Pairs) -> Pairs:
        return pairs.through(self._key, self.map_rows)

    def evaluate(self, pairs: Pairs) -> Array:
        """The inner kernel at the images."""
        return self.kernel.evaluate(self._map_pairs(pairs))

    def pull(self, S: Array, p: int) -> Array:
        """Return derivatives in the columns of x, (m, n, p), from those in the columns of φ(x)."""
        return S

    def slope(self, pairs: Pairs) -> Array:
        """The inner derivatives at the images, brought back."""
        if not self.differentiable:
            return Kernel.slope(self, pairs)
        return self.pull(self.kernel.slope(self._map_pairs(pairs)), pairs.X.shape[1])

    def squared_distance(self, pairs: Pairs) -> Array:
        """The inner distances at the images."""
        return self.kernel.squared_distance(self._map_pairs(pairs))

    def self_similarity(self, X: Array) -> Array:
        """The inner diagonal at the images."""
        return self.kernel.self_similarity(self.map_rows(X))

    def block(self, pairs: Pairs) -> Array:
        """The inner kernel's own block, symmetric where it makes it so."""
        return self.kernel.block(self._map_pairs(pairs))

    def resolve(self, points: Points, weights: Weights = None, names: Names = None) -> Kernel:
        """Resolve the inner kernel on the images."""
        images = self.map_points(points)
        return self._map_parts(lambda kernel: kernel.resolve(images, weights, names))

    def _parts_about(self, points: Points) -> Kernel:
        return self._map_parts(lambda kernel: kernel.about(self.map_points(points)))


@register(short=False)
class Mapped(Pullback):
    """A kernel after a map of the rows, k(φ(x), φ(y)), where φ takes and returns a table.

    >>> float(Mapped(gm.kernels.Linear(), lambda X: X + 1.0)([[1.0]], [[2.0]])[0, 0])
    6.0
    """

    shift_changes: Change = "values"  # by a map that is not known
    differentiable = False

    def __init__(self, kernel: Kernel, mapping: Callable[[Any], Any]) -> None:
        self.kernel = kernel
        self.mapping = mapping

    @property
    def _key(self) -> Hashable:
        return id(self.mapping)

    def _objects(self, X: RowsLike, name: str) -> Array:
        return X  # it is the mapping that takes them

    def resolve(self, points: Points, weights: Weights = None, names: Names = None) -> Kernel:
        """Resolve the inner kernel on the images, whose columns have no names."""
        return super().resolve(points, weights)

    def with_reader(self, reader: mixed.Gower, names: Names = None) -> Kernel:
        """Refuse categories: the map takes numbers."""
        self._refuse_categories(reader, names)
        return self

    def map_rows(self, X: Array) -> Array:
        """Return φ of rows; raise where it is not finite."""
        with np.errstate(all="ignore"):  # looked at here
            image = answer(self.mapping, "mapping", X)
        if is_array(image) and len(image.shape) == 2:
            self._require_numbers(image)
        if self.kernel.takes_vectors:
            return table(image, "mapping: its result", min_rows=1).values
        return image

    def _require_numbers(self, image: Array) -> None:
        known = namespace(image).isfinite(image)
        if not bool(namespace(image).all(known)):
            row, column = (int(k[0]) for k in np.nonzero(~to_numpy(known)))
            name = str(getattr(self.mapping, "__name__", type(self.mapping).__name__))[:60]
            raise InputError(
                f"kernel: the map {name} gives {float(image[row, column])} at row {row} (column "
                f"{column} of its result): map numbers that it is defined for, or rescale them"
            )


@register(short=False)
class Columns(Pullback):
    """A kernel on some of the columns: positions, names (for data frames) or a slice.

    >>> float(Columns(gm.kernels.Linear(), [1])([[1.0, 2.0]], [[3.0, 4.0]])[0, 0])
    8.0
    """

    def __init__(self, kernel: Kernel, columns: Array | slice) -> None:
        self.kernel = kernel
        self.columns = columns

    def resolve(self, points: Points, weights: Weights = None, names: Names = None) -> Kernel:
        """Turn names into positions, and resolve the inner kernel on the chosen columns."""
        return super(Columns, self.with_positions(names, points.X)).resolve(points, weights)

    def with_reader(self, reader: mixed.Gower, names: Names = None) -> Kernel:
        """Return the inner kernel with what is known of its columns, given by position."""
        chosen = self.with_positions(names, np.empty((0, len(reader.columns))))
        own = reader.of_columns(chosen.columns)
        labels = None if names is None else [names[k] for k in own[1]]
        return Columns(self.kernel.with_reader(own[0], labels), chosen.columns)

    def with_positions(self, names: Names, X: Array) -> Columns:
        """Return the kernel with column names turned into positions."""
        if isinstance(self.columns, slice):
            return self
        if not is_list(self.columns) or not len(self.columns):
            raise InputError(f"columns={short(self.columns)} must be a list of names or positions")
        known, p = ([] if names is None else list(names)), X.shape[1]
        return Columns(self.kernel, [_position(c, known, p) for c in self.columns])

    @property
    def _key(self) -> Hashable:
        return ("columns", str(self.columns))

    def pull(self, S: Array, p: int) -> Array:
        """Zero for columns that were not chosen."""
        xp = namespace(S)
        chosen = range(p)[self.columns] if isinstance(self.columns, slice) else self.columns
        out = xp.zeros((*S.shape[:2], p), dtype=S.dtype, device=S.device)
        for at, column in enumerate(chosen):
            out[:, :, int(column)] += S[:, :, at]
        return out

    def map_rows(self, X: Array) -> Array:
        """Return the chosen columns."""
        if isinstance(self.columns, slice) or is_sparse(X):
            return X[:, self.columns]
        xp = namespace(X)
        return xp.take(X, xp.asarray(self.columns, device=X.device), axis=1)


@register(short=False)
class Standardized(Pullback):
    """A kernel of standardised columns, k((x − mean)/deviation, (y − mean)/deviation).

    Means and deviations, (p,), are by default the weighted ones (divisor n) of the rows of the fit.
    A constant column is only centred.

    >>> Standardized(gm.kernels.Linear())([[1.0], [3.0]]).tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """

    takes_sparse = False  # less their means, zeros are numbers

    def __init__(
        self, kernel: Kernel, mean: Array | None = None, deviation: Array | None = None
    ) -> None:
        self.kernel = kernel
        self.mean = mean
        self.deviation = deviation

    def self_similarity(self, X: Array) -> Array:
        """The inner diagonal of the standardised columns."""
        if self.mean is None or self.deviation is None:
            return self.resolve(Points(X)).self_similarity(X)
        return super().self_similarity(X)

    def resolve(self, points: Points, weights: Weights = None, names: Names = None) -> Kernel:
        """Return the kernel with means and deviations made definite, and the inner one on these."""
        mean, deviation = self.mean, self.deviation
        if mean is None or deviation is None:
            mean, deviation = _moments(to_numpy(points.X).astype(np.float64), weights)
        definite = Standardized(self.kernel, mean, deviation)
        return super(Standardized, definite).resolve(points, weights, names)

    def with_reader(self, reader: mixed.Gower, names: Names = None) -> Kernel:
        """Refuse categories, which have no mean."""
        if reader.is_category.any():
            raise InputError(
                "scale=True brings columns to mean 0, and X holds categories: leave it out, since "
                "Gower() divides numbers by their ranges, or use Columns(Standardized(…), numbers)"
            )
        return super().with_reader(reader, names)

    def about(self, points: Points) -> Kernel:
        """Return the inner kernel without an offset: the columns have mean 0."""
        return self._parts_about(points)

    @property
    def _key(self) -> Hashable:
        parts = (np.asarray(part, dtype=np.float64) for part in (self.mean, self.deviation))
        return ("standardized", *(part.tobytes() for part in parts))

    def pull(self, S: Array, p: int) -> Array:
        """Divided by the deviations."""
        deviation = np.asarray(self.deviation, dtype=np.float64)
        return S / as_kind(np.where(deviation > 0, deviation, 1.0), S)

    def map_rows(self, X: Array) -> Array:
        """Return (x − mean)/deviation."""
        mean, deviation = (
            np.asarray(part, dtype=np.float64) for part in (self.mean, self.deviation)
        )
        if mean.shape != (X.shape[1],) or deviation.shape != mean.shape:
            raise InputError(
                f"mean and deviation have {mean.size} and {deviation.size} entries but X has "
                f"{X.shape[1]} columns: give one each"
            )
        return (X - as_kind(mean, X)) / as_kind(np.where(deviation > 0, deviation, 1.0), X)


def _position(column: Hashable, known: list[Any], p: int) -> int:
    if isinstance(column, bool | np.bool_):
        raise InputError("columns: a mask is not taken here: give names or positions")
    if is_label(column) and column in known:
        return known.index(column)
    if isinstance(column, int | np.integer) and -p <= column < p:
        return int(column) % p
    raise InputError(f"columns: {column!r} is neither a column name nor a position below {p}")


def _moments(X: np.ndarray, weights: Weights) -> tuple[np.ndarray, np.ndarray]:
    """Return weighted means and standard deviations of the columns, 0 for a constant one."""
    p = np.full(len(X), 1.0 / len(X)) if weights is None else np.asarray(weights, dtype=np.float64)
    first = X[0]
    mean = first + p @ (X - first)
    deviation = np.sqrt(p @ (X - mean) ** 2)
    return mean, np.where(np.ptp(X, axis=0) > 0, deviation, 0.0)


class Shifted(Pullback):
    """k(x − c, y − c) for one point c.

    The difference of near numbers is exact, so that nothing is lost on the way to the origin.
    """

    shift_changes: Change = "values"

    def __init__(self, kernel: Kernel, centre: Array) -> None:
        self.kernel = kernel
        self.centre = centre

    def map_rows(self, X: Array) -> Array:
        """Return x − c; of sparse rows, in the columns where c is not 0."""
        if not is_sparse(X):
            return X - self.centre
        ones = sparse.csr_array(np.ones((X.shape[0], 1), dtype=X.dtype))
        return X - ones @ sparse.csr_array(self.centre[None, :])

    @cached_property
    def _key(self) -> Hashable:
        return ("less", to_numpy(self.centre).tobytes())


class Rooted(Composite):
    """⟨φ(x) − φ(c), φ(y) − φ(c)⟩ for one point c, the same as k once it is centred.

    It is ½(d²(x, c) + d²(y, c) − d²(x, y)), d the distances in feature space, in which no large
    numbers cancel where all points are far from the origin.
    """

    def __init__(self, kernel: Kernel, centre: Array) -> None:
        self.kernel = kernel
        self.centre = centre

    def evaluate(self, pairs: Pairs) -> Array:
        """The law of cosines."""
        a, b = self.diagonals(pairs)
        return 0.5 * ((a + b) - self.kernel.squared_distance(pairs))

    def slope(self, pairs: Pairs) -> Array:
        """∂k(x, y) − ∂k(x, c)."""
        to_centre = Pairs(Points(pairs.X, pairs.A), Points(self.centre[None, :], pairs.A))
        return self.kernel.slope(pairs) - self.kernel.slope(to_centre)

    def squared_distance(self, pairs: Pairs) -> Array:
        """The inner distances: another origin changes none."""
        return self.kernel.squared_distance(pairs)

    def self_similarity(self, X: Array) -> Array:
        """The squared distance to c in feature space."""
        return self.kernel.squared_distance(self.to_centre(Points(X)))[:, 0]

    def to_centre(self, points: Points) -> Pairs:
        """Return the pairs of the points and c."""
        return Pairs(points, Points(self.centre[None, :], points))


def change_origin(kernel: Kernel, points: Points, at_origin: float = math.inf) -> Kernel:
    """Return the kernel about the centre of the points, or itself where no digits are lost.

    `at_origin` is k(0, 0): values of that size carry no information on the points.
    """
    offset, single = points.offset, str(points.X.dtype).endswith("float32")
    if offset is None:
        return kernel
    rooted = Rooted(kernel, offset)
    with np.errstate(over="ignore", invalid="ignore"):  # checked where the kernel is used
        size, spread = (_largest(k.self_similarity(points.X)) for k in (kernel, rooted))
    if not _ROUNDING[single] * size < spread < size / _MIN_GAIN or not math.isfinite(size):
        return kernel
    D = rooted.to_centre(points).squared_distance(points.unit)
    apart = points.unit * math.sqrt(_largest(D))
    opposite = points.longest < 4.0 * apart and size > 2.0 * at_origin
    if points.longest > _MAX_OFFSET[single] * apart or (
        opposite and spread < _MIN_SPREAD[single] * size
    ):
        raise InputError(
            f"X lies {points.longest:.1g} from the origin and its rows {apart:.1g} apart, which "
            f"leaves {type(kernel).__name__} no digits: subtract an offset from the columns"
        )
    return rooted


def _largest(values: Array) -> float:
    return float(np.abs(to_numpy(values)).max(initial=0.0))


def subtract_offset(kernel: Kernel, points: Points) -> Kernel:
    """Return the kernel of points less their offset, or itself where they have none."""
    offset = points.offset
    live = offset is not None and bool(namespace(offset).any(offset != 0))
    return Shifted(kernel, offset) if live else kernel
