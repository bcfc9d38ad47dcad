"""The covariance of rows that are read block by block, as products."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from gramian._array import Array
from gramian.operators.base import Symmetric
from gramian.operators.feature import CovarianceOperator
from gramian.operators.moments import Moments
from gramian.operators.store import Products, Store

__all__ = ["BlockCovariance"]


class BlockCovariance(Symmetric):
    """FᵀPF on R^p for features F = (x − mean)·factor of blocks of rows: a product is one pass.

    Parameters
    ----------
    blocks : function
        Goes through the rows from the beginning: blocks and their weights, which sum to 1 over all.
    moments : Moments
        Those of all rows.
    factor : array (p,)
        Multiplier of each column.
    store : Store, optional
        Where products are kept, and found by a search that starts again.
    """

    def __init__(
        self,
        blocks: Callable[[], Iterable[tuple[Any, np.ndarray]]],
        moments: Moments,
        factor: Array,
        store: Store | None = None,
    ) -> None:
        self.blocks, self.moments, self.factor = blocks, moments, factor
        self._products = Products(store, "product")
        self.n, self.dtype = factor.shape[0], factor.dtype

    @property
    def like(self) -> Array:
        """The column multipliers."""
        return self.factor

    def matmul(self, V: Array) -> Array:
        """The sum of the products of the blocks."""
        kept = self._products.next(V)
        if kept.is_whole:
            return kept.out
        return kept.end(self._sum(lambda part: part.matmul(V)))

    def trace(self) -> float:
        """The squared norm of the features, from the moments alone."""
        return float(((self.moments.deviation * self.factor) ** 2).sum())

    def dense(self) -> Array:
        """The sum of the matrices of the blocks."""
        return self._sum(lambda part: part.dense())

    def _sum(self, of: Callable[[CovarianceOperator], Array]) -> Array:
        total: Any = 0.0
        for X, p in self.blocks():
            total = total + of(CovarianceOperator(X, self.moments, self.factor, p, "primal"))
        return total
