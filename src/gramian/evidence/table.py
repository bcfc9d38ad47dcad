"""A table as the tests take it: centred, without constant columns, scaled again where it was."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy import special, stats

from gramian._core.types import TableLike
from gramian._nulls.deflation import has_equal_sizes
from gramian.evidence.validation import finite_table


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
        """Return some rows, centred again, and scaled again where the table is."""
        return _table(self.values[keep], self.scaled, self.live)

    def like(self, values: np.ndarray) -> Table:
        """Return other values of the same columns, centred, and scaled where the table is."""
        return _table(values, self.scaled, self.live)


def table_of(X: TableLike) -> Table:
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


def normal_scores(X: np.ndarray, axis: int = 0) -> np.ndarray:
    """Return Φ⁻¹((rank − ½)/n) along an axis, centred and of variance 1; zeros where constant.

    >>> normal_scores(np.array([[1.0], [10.0], [1000.0]])).ravel().round(3).tolist()
    [-1.225, 0.0, 1.225]
    """
    Z = special.ndtri((stats.rankdata(X, axis=axis) - 0.5) / X.shape[axis])
    Z = Z - Z.mean(axis=axis, keepdims=True)
    size = Z.std(axis=axis, keepdims=True)
    return np.asarray(Z / np.where(size > 1e-9, size, np.inf))


_STEPS = 60  # halvings: more digits than a float has
_ENTRIES = 2e6  # of the columns taken together


def axes_without(X: np.ndarray, q: int) -> np.ndarray:
    """Return, for each column j and axis k, the axis that X without column j gives, (p, q, n).

    A column takes part in the axes that it is then compared with; where columns outnumber rows
    that alone makes noise look tied to them. With X = U S Vᵀ (columns centred) the Gram matrix
    without column j is U (S² − z zᵀ) Uᵀ, z = S v_j: its eigenvalues solve 1 = Σ z_i²/(s_i² − μ)
    one between each two of S², and its eigenvectors are z_i/(s_i² − μ). Axis k of the whole table
    is projected on the first q of these, so that axes which change places are distinguished.
    """
    U, s, V = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)
    # One value more than axes, if only a zero: the value of an axis lies above the next one.
    r = max(int((s > 1e-10 * s[0]).sum()), min(q + 1, len(s)))
    U, d, Z = U[:, :r], np.maximum(s[:r], 1e-10 * s[0]) ** 2, V[:r].T * s[:r]
    d = d * (1.0 - 1e-12 * np.arange(len(d)))  # equal values would leave no room between them
    # A column at right angles to an axis leaves it as it is: the limit of a tiny angle.
    least = 1e-7 * np.sqrt(d[0])
    Z = np.where(np.abs(Z) < least, np.where(Z < 0, -least, least), Z)
    step = max(1, int(_ENTRIES / len(d)))
    parts = [_some(d, Z[a : a + step], q) for a in range(0, len(Z), step)]
    return np.asarray(np.concatenate(parts) @ U.T)


def _some(d: np.ndarray, Z: np.ndarray, q: int) -> np.ndarray:
    """Return the projected axes in the basis of the whole table's, (columns, q, r)."""
    W = np.stack([_vector(d, Z, k) for k in range(q)], axis=1)
    W = W / np.linalg.norm(W, axis=2, keepdims=True)
    # Row k is Σ_l ⟨w_l, e_k⟩ w_l.
    return np.asarray(W[:, :, :q].transpose(0, 2, 1) @ W)


def _vector(d: np.ndarray, Z: np.ndarray, k: int) -> np.ndarray:
    """Return the eigenvectors of axis k, not normed, (columns, r)."""
    gap, squares = d - d[k], Z**2
    low = np.zeros(len(Z))
    high = np.full(len(Z), d[k] - d[k + 1])
    for _ in range(_STEPS):
        # How far below d_k the value lies: a difference that must keep its own digits.
        middle = 0.5 * (low + high)
        above = (squares / (gap + middle[:, None])).sum(axis=1) > 1.0
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.asarray(Z / (gap + high[:, None]))
