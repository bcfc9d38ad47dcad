"""A table as the tests take it: centred, without constant columns, scaled again where it was."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from scipy import special, stats

from gramian._nulls.deflation import has_equal_sizes
from gramian.evidence.door import finite_table


@dataclass(frozen=True)
class Table:
    """Centred columns that vary, (n, p), and whether they are standardised."""

    values: np.ndarray
    scaled: bool
    live: np.ndarray  # which columns of the caller's table these are

    @property
    def n(self) -> int:
        """Number of rows."""
        return len(self.values)

    @property
    def p(self) -> int:
        """Number of columns that vary."""
        return self.values.shape[1]

    @property
    def rank(self) -> int:
        """The most axes that such a table can have."""
        return max(min(self.n - 1, self.p), 0)

    @cached_property
    def axes(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """U, s and V of the singular value decomposition U·s·Vᵀ, no more than the rank of each."""
        U, s, Vt = np.linalg.svd(self.values, full_matrices=False)
        return U[:, : self.rank], s[: self.rank], Vt[: self.rank].T

    def rows(self, keep: np.ndarray) -> Table:
        """Return some rows, centred anew, and scaled anew where the table is."""
        return _table(self.values[keep], self.scaled, self.live)

    def like(self, values: np.ndarray) -> Table:
        """Return other values of the same columns, centred, and scaled where the table is."""
        return _table(values, self.scaled, self.live)


def table_of(X: Any) -> Table:
    """Return a table (n, p) of numbers, ready for the tests."""
    values = finite_table(X, bare=True)
    return _table(values, has_equal_sizes(values.T), np.arange(values.shape[1]))


def _table(values: np.ndarray, scaled: bool, live: np.ndarray) -> Table:
    values = values - values.mean(axis=0)
    values = values - values.mean(axis=0)  # an offset of 1e8 leaves a mean behind the first time
    size = values.std(axis=0)
    # Differences that are rounding are no differences.
    vary = size > 1e-13 * np.maximum(np.abs(values).max(axis=0, initial=0.0), 1e-300)
    values = values[:, vary] / size[vary] if scaled else values[:, vary]
    return Table(np.ascontiguousarray(values), scaled, live[vary])


def normal_scores(X: np.ndarray) -> np.ndarray:
    """Return Φ⁻¹((rank − ½)/n) of each column, centred and of variance 1; zeros where constant.

    >>> normal_scores(np.array([[1.0], [10.0], [1000.0]])).ravel().round(3).tolist()
    [-1.225, 0.0, 1.225]
    """
    Z = special.ndtri((stats.rankdata(X, axis=0) - 0.5) / len(X))
    Z = Z - Z.mean(axis=0)
    size = Z.std(axis=0)
    return Z / np.where(size > 1e-9, size, np.inf)
