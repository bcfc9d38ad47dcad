"""Kernels of points that are moved next to the origin first."""

from __future__ import annotations

import math
from collections.abc import Hashable
from functools import cached_property
from typing import Any

import numpy as np
from scipy import sparse

from gramian._core.array import Array, is_sparse, namespace, to_numpy
from gramian._core.pairs import Pairs, Points
from gramian.errors import InputError
from gramian.kernels.base import Change, Kernel
from gramian.kernels.composite import Unary
from gramian.kernels.pullback import Pullback

_MIN_GAIN = 64.0  # times that values may be larger than what centring leaves of them: two digits
_MIN_SPREAD = {False: 1e-7, True: 1e-2}  # of values that x and −x share, by precision
_MAX_OFFSET = {False: 1e8, True: 3e3}  # over the distances of the points, by precision


class Shifted(Pullback):
    """k(x − c, y − c) for one point c.

    The difference of near numbers is exact, so that nothing is lost on the way to the origin.

    >>> from gramian.kernels import Linear
    >>> float(Shifted(Linear(), np.array([1e8]))([[1e8 + 1.0]], [[1e8 + 3.0]])[0, 0])
    3.0
    """

    shift_changes: Change = "values"

    def __init__(self, kernel: Kernel, centre: Array) -> None:
        self.kernel = kernel
        self.centre = centre

    def block(self, pairs: Pairs) -> Array:
        """The inner kernel's own block: rows that are rounded after the move, as its values are."""
        return self.kernel.block(self._map_pairs(pairs))

    def map_rows(self, X: Array) -> Array:
        """Return x − c; of sparse rows, in the columns where c is not 0."""
        if not is_sparse(X):
            return X - self.centre
        columns = np.flatnonzero(self.centre)
        n = X.shape[0]
        entries = np.tile(self.centre[columns], n)
        starts = np.arange(n + 1) * columns.size
        return X - sparse.csr_array((entries, np.tile(columns, n), starts), shape=X.shape)

    @cached_property
    def _key(self) -> Hashable:
        return ("less", to_numpy(self.centre).tobytes())


class Rooted(Unary):
    """⟨φ(x) − φ(c), φ(y) − φ(c)⟩ for one point c, the same as k once it is centred.

    It is ½(d²(x, c) + d²(y, c) − d²(x, y)), d the distances in feature space, in which no large
    numbers cancel where all points are far from the origin.

    >>> from gramian.kernels import Polynomial
    >>> kernel = Rooted(Polynomial(2), np.array([1.0]))
    >>> float(kernel([[2.0]], [[3.0]])[0, 0]), (1 + 6) ** 2 - (1 + 2) ** 2 - (1 + 3) ** 2 + 2**2
    (28.0, 28)
    """

    def __init__(self, kernel: Kernel, centre: Array) -> None:
        self.kernel = kernel
        self.centre = centre

    def evaluate(self, pairs: Pairs) -> Array:
        """The law of cosines."""
        a, b = self.diagonals(pairs)
        return 0.5 * ((a + b) - self.kernel.squared_distance(pairs))

    def squared_distance(self, pairs: Pairs) -> Array:
        """The inner distances: another origin changes none."""
        return self.kernel.squared_distance(pairs)

    def self_similarity(self, X: Any) -> Array:
        """The squared distance to c in feature space."""
        return self.kernel.squared_distance(self._to_centre(Points(X)))[:, 0]

    def distances(self, points: Points) -> Array:
        """|x − c|, of the points themselves."""
        D = self._to_centre(points).squared_distance(points.unit)[:, 0]
        return points.unit * namespace(D).sqrt(D)

    def _to_centre(self, points: Points) -> Pairs:
        return Pairs(points, Points(self.centre[None, :], points))


def change_origin(
    kernel: Kernel, points: Points, *, rounding: float = 0.0, at_origin: float = math.inf
) -> Kernel:
    """Return the kernel seen from the centre of the points, or itself where no digits are lost.

    `rounding` is the share of a kernel's values that may be nothing but rounding, `at_origin` is
    k(0, 0): values of that size say nothing of the points.

    >>> from gramian.kernels import Polynomial
    >>> change_origin(Polynomial(2), Points(np.array([[7.0], [8.0], [19.0]]))) == Polynomial(2)
    True
    """
    offset = points.offset
    if offset is None:
        return kernel
    seen = Rooted(kernel, offset)
    with np.errstate(over="ignore", invalid="ignore"):  # whoever uses the kernel looks at it
        size, spread = (_largest(k.self_similarity(points.X)) for k in (kernel, seen))
    if not rounding * size < spread < size / _MIN_GAIN or not math.isfinite(size):
        return kernel
    apart, single = _largest(seen.distances(points)), str(points.X.dtype).endswith("float32")
    opposite = points.longest < 4.0 * apart and size > 2.0 * at_origin
    if points.longest > _MAX_OFFSET[single] * apart or (
        opposite and spread < _MIN_SPREAD[single] * size
    ):
        raise InputError(
            f"X lies {points.longest:.1g} from the origin and its rows {apart:.1g} apart, which "
            f"leaves {type(kernel).__name__} no digits: take an offset off the columns"
        )
    return seen


def _largest(values: Array) -> float:
    return float(np.abs(to_numpy(values)).max(initial=0.0))


def subtract_offset(kernel: Kernel, points: Points) -> Kernel:
    """Return the kernel of points less their offset, or itself where they have none.

    >>> from gramian.kernels import Linear
    >>> subtract_offset(Linear(), Points(np.array([[7.0], [8.0], [9.0]]))).centre
    array([8.])
    """
    offset = points.offset
    live = offset is not None and bool(namespace(offset).any(offset != 0))
    return Shifted(kernel, offset) if live else kernel
