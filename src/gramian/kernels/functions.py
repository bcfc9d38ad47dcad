"""Kernels given by their values: by a function, which is not saved, or by a matrix."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gramian._core.array import Array, as_kind, is_array, namespace, to_numpy
from gramian._core.check import answer
from gramian._core.numbers import as_array, as_floats
from gramian._core.pairs import Pairs, Points
from gramian._core.table import pair_table, square
from gramian.errors import InputError, InputTypeError
from gramian.kernels.base import Kernel
from gramian.kernels.registry import register


class Function(Kernel):
    """The rank-one kernel of a function, k(x, y) = g(x)·g(y).

    Parameters
    ----------
    g : callable
        Maps a table (n, p) to n numbers.

    Examples
    --------
    >>> float(Function(lambda X: X[:, 0])([[2.0], [3.0]])[0, 1])
    6.0
    """

    psd: bool | None = True

    def __init__(self, g: Callable[[Any], Any]) -> None:
        self.g = g

    def evaluate(self, pairs: Pairs) -> Array:
        """g(x)·g(y)."""
        return self._values(pairs.X)[:, None] * self._values(pairs.Y)[None, :]

    def squared_distance(self, pairs: Pairs) -> Array:
        """(g(x) − g(y))²."""
        return (self._values(pairs.X)[:, None] - self._values(pairs.Y)[None, :]) ** 2

    def self_similarity(self, X: Any) -> Array:
        """g(x)²."""
        return self._values(X) ** 2

    def _parts_about(self, points: Points) -> Kernel:
        """Return the function less one of its values: centring takes a constant off."""
        values = self._values(points.X)
        middle = float(namespace(values).sort(values)[values.shape[0] // 2])
        return Function(lambda X: self.g(X) - middle)

    def _values(self, X: Any) -> Array:
        values = answer(self.g, "g", X)
        if not is_array(values):
            values = as_kind(as_floats(values, "g: its result"), X)
        if values.shape != (X.shape[0],):
            raise InputError(
                f"g returned shape {values.shape} for {X.shape[0]} rows: one number each"
            )
        return values


class Callback(Kernel):
    """A kernel given by a vectorised function of two tables; its results are checked.

    Kernels of scikit-learn's Gaussian processes are such functions.

    >>> float(Callback(lambda X, Y: X @ Y.T)([[1.0, 2.0]], [[3.0, 4.0]])[0, 0])
    11.0
    """

    def __init__(self, function: Callable[[Any, Any], Any], psd: bool | None = None) -> None:
        self.function = function
        self.psd = psd

    def evaluate(self, pairs: Pairs) -> Array:
        """The function's values, refused if they are not a kernel's."""
        X, Y = pairs.X, pairs.Y
        K = self._call(X, Y)
        if not is_array(K) or not namespace(K).isdtype(K.dtype, "real floating"):
            K = _real(K)
        expected = (X.shape[0], Y.shape[0])
        if tuple(K.shape) != expected:
            self._refuse_of_rows(X, Y)
            raise InputError(
                f"kernel: the callable returned shape {tuple(K.shape)}, not {expected}"
            )
        xp = namespace(K)
        if not bool(xp.all(xp.isfinite(K))):
            raise InputError("kernel: the callable returned NaN or inf: check it on a few rows")
        if pairs.same:
            gap = float(xp.max(xp.abs(K - K.T)))
            if gap > 1e-8 * float(xp.max(xp.abs(K))):
                raise InputError(
                    f"kernel: the callable is not symmetric (a difference of {gap:.3g})"
                )
        return as_kind(to_numpy(K), X) if is_array(X) else K

    def _call(self, X: Any, Y: Any) -> Any:
        try:
            return answer(self.function, "kernel", X, Y)
        except (TypeError, ValueError):  # may be its way to say that it wants two rows
            self._refuse_of_rows(X, Y)
            raise

    def _refuse_of_rows(self, X: Any, Y: Any) -> None:
        """Say what to write, if the function takes two rows, as scikit-learn's callables do."""
        try:
            is_number = np.ndim(to_numpy(self.function(X[0, ...], Y[0, ...]))) == 0
        except Exception:  # of whatever kind a function of tables raises at two rows
            return
        if is_number:
            raise InputTypeError(
                "kernel: the callable is a function f of two rows, and a kernel here is one of two "
                "tables: write kernel=lambda X, Y: [[f(x, y) for y in Y] for x in X]"
            )

    def self_similarity(self, X: Any) -> Array:
        """The function at pairs of equal points, a few rows at a time."""
        if hasattr(self.function, "diag"):  # kernels of scikit-learn's Gaussian processes
            return as_kind(self.function.diag(to_numpy(X)), X)
        xp, n = namespace(X), X.shape[0]
        parts = [
            xp.linalg.diagonal(self.evaluate(Pairs(Points(X[start : min(start + 64, n), ...]))))
            for start in range(0, n, 64)
        ]
        return xp.concat(parts)


def _real(K: Any) -> np.ndarray:
    numbers = as_array(K, "kernel: the callable's result")
    if numbers.dtype.kind not in "iubf":
        raise InputError(f"kernel: the callable returned {numbers.dtype} values, not real numbers")
    return numbers.astype(float)


@register(short=False)
class Precomputed(Kernel):
    """A kernel given by its matrix; the points are row numbers, (n,) or (n, 1).

    >>> float(Precomputed(np.array([[2.0, 1.0], [1.0, 3.0]]))([[0]], [[1]])[0, 0])
    1.0
    """

    def __init__(self, matrix: Any = None) -> None:
        self.matrix = matrix

    def evaluate(self, pairs: Pairs) -> Array:
        """The entries of the matrix."""
        return self._matrix[np.ix_(self._numbers(pairs.X), self._numbers(pairs.Y))]

    def self_similarity(self, X: Any) -> Array:
        """The diagonal entries."""
        rows = self._numbers(X)
        return self._matrix[rows, rows]

    @property
    def _matrix(self) -> np.ndarray:
        if self.matrix is None:
            raise InputError("matrix is missing: write Precomputed(K), or kernel='precomputed'")
        return as_floats(self.matrix, "matrix")

    def resolve(self, points: Points, weights: Any = None, names: Any = None) -> Kernel:
        """Return this kernel, after a look at its matrix."""
        self._look()
        return self

    def _look(self) -> None:
        if self.matrix is not None:
            known = pair_table(self.matrix, "matrix", "kernel", min_rows=1)
            square(known, "matrix", "kernel")

    def _numbers(self, X: Any) -> np.ndarray:
        numbers, n = np.asarray(X, dtype=float).ravel(), min(self._matrix.shape)
        rows = numbers.astype(np.int64)
        if (rows != numbers).any() or (rows < 0).any() or (rows >= n).any():
            raise InputError(
                f"X: the points of a precomputed kernel are row numbers: they must lie below {n}"
            )
        return rows

    def _rows(self, X: Any, name: str) -> Any:
        self._look()
        column = to_numpy(X) if is_array(X) else as_array(X, name)
        return super()._rows(column[:, None] if column.ndim == 1 else X, name)
