"""The Gram operator of explicit features."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gramian._core.array import Array, namespace, slice_rows
from gramian._core.operators.base import Gram
from gramian._core.parallel import row_blocks

_ROWS = 4096  # of a block


class FeatureGram(Gram):
    """G = F·Fᵀ for features of rows, which are made a block at a time and never kept.

    Parameters
    ----------
    features : function from some rows to their features, (m, k)
    rows : rows of any kind that can be sliced
    """

    psd = True

    def __init__(self, features: Callable[[Any], Array], rows: Any) -> None:
        self.features = features
        self.rows = rows
        self.n = rows.shape[0] if hasattr(rows, "shape") else len(rows)

    def matmul(self, V: Array) -> Array:
        """F·(Fᵀ·V), in two passes over the rows."""
        inner = sum(self._at(rows).T @ slice_rows(V, rows) for rows in row_blocks(self.n, _ROWS))
        parts = [self._at(rows) @ inner for rows in row_blocks(self.n, _ROWS)]
        return namespace(V).concat(parts, axis=0)

    def diag(self) -> Array:
        """The squared lengths of the features."""
        xp = namespace(self.like)
        parts = [xp.sum(self._at(rows) ** 2, axis=1) for rows in row_blocks(self.n, _ROWS)]
        return xp.concat(parts)

    def block(self, rows: slice, cols: slice) -> Array:
        """The products of some features."""
        return self._at(rows) @ self._at(cols).T

    def cross(self, new: Any) -> Array:
        """The products with the features of new rows."""
        parts = [self._at(rows) for rows in row_blocks(self.n, _ROWS)]
        xp = namespace(self.like)
        return self.features(new) @ xp.concat(parts, axis=0).T

    def cross_diag(self, new: Any) -> Array:
        """The squared lengths of the features of new rows."""
        F = self.features(new)
        return namespace(F).sum(F * F, axis=1)

    @property
    def like(self) -> Array:
        """The features of the first row."""
        return self._at(slice(0, 1))

    def _at(self, rows: slice) -> Array:
        return self.features(slice_rows(self.rows, rows))
