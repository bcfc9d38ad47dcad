"""Kernels of points that are mapped first: by a function, or to some of their columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gramian._array import Array, is_array, is_sparse, namespace, to_numpy
from gramian._check import answer, is_label, is_list, short
from gramian._pairs import Pairs, Points
from gramian._validate import table
from gramian.errors import InputError
from gramian.kernels.base import Change, Kernel
from gramian.kernels.composite import Unary
from gramian.kernels.registry import register


@register(short=False)
class Mapped(Unary):
    """k(φ(x), φ(y)): the pull-back of a kernel by a map of tables.

    >>> from gramian.kernels import Linear
    >>> float(Mapped(Linear(), lambda X: X + 1.0)([[1.0]], [[2.0]])[0, 0])
    6.0
    """

    def __init__(self, kernel: Kernel, mapping: Callable[[Any], Any]) -> None:
        self.kernel = kernel
        self.mapping = mapping

    def evaluate(self, pairs: Pairs) -> Array:
        """The inner kernel at the mapped points, which are computed once."""
        return self.kernel.evaluate(self._pairs(pairs))

    def squared_distance(self, pairs: Pairs) -> Array:
        """The inner distances at the mapped points."""
        return self.kernel.squared_distance(self._pairs(pairs))

    def _pairs(self, pairs: Pairs) -> Pairs:
        return pairs.through(id(self.mapping), self._mapped)

    def _objects(self, X: Any, name: str) -> Any:
        return X  # it is the mapping that takes them

    def self_similarity(self, X: Any) -> Array:
        """The inner diagonal at the mapped points."""
        return self.kernel.self_similarity(self._mapped(X))

    def resolve(self, points: Points, weights: Any = None, names: Any = None) -> Kernel:
        """Resolve the inner kernel on the mapped points."""
        return Mapped(self.kernel.resolve(self._points(points), weights), self.mapping)

    def reading(self, reader: Any, names: Any = None) -> Kernel:
        """Refuse categories: the map takes numbers."""
        self._refuse_categories(reader, names)
        return self

    @property
    def shift_changes(self) -> Change:  # type: ignore[override]
        """Anything: what the map makes of a shift is not known."""
        return "values"

    def _parts_about(self, points: Points) -> Kernel:
        return Mapped(self.kernel.about(self._points(points)), self.mapping)

    def _mapped(self, X: Any) -> Any:
        """Return φ of rows, refused where it is not defined."""
        with np.errstate(all="ignore"):  # looked at here
            image = answer(self.mapping, "mapping", X)
        if is_array(image) and len(image.shape) == 2:
            _require_numbers(image, self.mapping)
        if self.kernel.takes_vectors:
            return table(image, "mapping: its result", min_rows=1).values
        return image

    def _points(self, points: Points) -> Points:
        return points.through(id(self.mapping), self._mapped)


@register(short=False)
class Columns(Unary):
    """A kernel on some of the columns.

    Parameters
    ----------
    kernel : Kernel
    columns : sequence of int, of column names (for data frames), or a slice

    Examples
    --------
    >>> from gramian.kernels import Linear
    >>> float(Columns(Linear(), [1])([[1.0, 2.0]], [[3.0, 4.0]])[0, 0])
    8.0
    """

    def __init__(self, kernel: Kernel, columns: Any) -> None:
        self.kernel = kernel
        self.columns = columns

    def evaluate(self, pairs: Pairs) -> Array:
        """The inner kernel on the chosen columns."""
        return self.kernel.evaluate(self._pairs(pairs))

    def squared_distance(self, pairs: Pairs) -> Array:
        """The inner distances on the chosen columns."""
        return self.kernel.squared_distance(self._pairs(pairs))

    def _pairs(self, pairs: Pairs) -> Pairs:
        return pairs.through(("columns", str(self.columns)), self._take)

    def self_similarity(self, X: Any) -> Array:
        """The inner diagonal on the chosen columns."""
        return self.kernel.self_similarity(self._take(X))

    def resolve(self, points: Points, weights: Any = None, names: Any = None) -> Kernel:
        """Turn names into positions, and resolve the inner kernel on the chosen columns."""
        chosen = self.named(names, points.X)
        return Columns(self.kernel.resolve(chosen._points(points), weights), chosen.columns)

    def reading(self, reader: Any, names: Any = None) -> Kernel:
        """Return the inner kernel with what is known of its columns, given by position."""
        chosen = self.named(names, np.empty((0, len(reader.columns))))
        own = reader.of_columns(chosen.columns)
        labels = None if names is None else [names[k] for k in own[1]]
        return Columns(self.kernel.reading(own[0], labels), chosen.columns)

    @property
    def shift_changes(self) -> Change:  # type: ignore[override]
        """What it changes of the inner kernel."""
        return self.kernel.shift_changes

    def _parts_about(self, points: Points) -> Kernel:
        return Columns(self.kernel.about(self._points(points)), self.columns)

    def _points(self, points: Points) -> Points:
        return points.through(("columns", str(self.columns)), self._take)

    def named(self, names: Any, X: Any) -> Columns:
        """Return the kernel with column names turned into positions."""
        if isinstance(self.columns, slice):
            return self
        if not is_list(self.columns) or not len(self.columns):
            raise InputError(f"columns={short(self.columns)} must be a list of names or positions")
        known, p = ([] if names is None else list(names)), X.shape[1]
        return Columns(self.kernel, [_position(c, known, p) for c in self.columns])

    def _take(self, X: Any) -> Any:
        if isinstance(self.columns, slice):
            return X[:, self.columns]
        xp = namespace(X)
        if is_sparse(X):
            return X[:, self.columns]
        return xp.take(X, xp.asarray(self.columns, device=X.device), axis=1)


def _require_numbers(image: Array, mapping: Any) -> None:
    known = namespace(image).isfinite(image)
    if not bool(namespace(image).all(known)):
        row, column = (int(k[0]) for k in np.nonzero(~to_numpy(known)))
        name = str(getattr(mapping, "__name__", type(mapping).__name__))[:60]
        raise InputError(
            f"kernel: the map {name} gives {float(image[row, column])} at row {row} (column "
            f"{column} of its result): map numbers that it is defined for, or rescale them"
        )


def _position(column: Any, known: list[Any], p: int) -> int:
    if isinstance(column, bool | np.bool_):
        raise InputError("columns: a mask is not taken here: give names or positions")
    if is_label(column) and column in known:
        return known.index(column)
    if isinstance(column, int | np.integer) and -p <= column < p:
        return int(column) % p
    raise InputError(f"columns: {column!r} is neither a column name nor a position below {p}")
