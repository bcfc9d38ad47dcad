"""The kernel of a matrix that is there already."""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian._array import Array, is_array, to_numpy
from gramian._numbers import as_array, as_floats
from gramian._pairs import Pairs, Points
from gramian._validate import pair_table, square
from gramian.errors import InputError
from gramian.kernels.base import Kernel
from gramian.kernels.registry import register


@register(short=False)
class Precomputed(Kernel):
    """A kernel given by its matrix; the points are row numbers, (n,) or (n, 1).

    >>> import numpy as np
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
