"""Points in an order of their own, each once: a map that does not depend on how rows come.

Random starts, sweeps and the order among ties would otherwise depend on the order of the rows, and
a row given twice would not be the same as a row of weight 2. Points that have the same
dissimilarities to all others and 0 to each other are one point with the weight of both; points are
sorted along the first axis of classical scaling.
"""

from dataclasses import dataclass
from typing import Annotated

import numpy as np
from scipy.spatial.distance import squareform

from gramian._core.check import expect
from gramian._core.operators.gram import CenteredGram, DenseGram
from gramian._core.spectral.dense import eigh
from gramian._core.spectral.krylov import block_krylov
from gramian._core.spectral.spectrum import column_signs
from gramian.distances.square import to_condensed

_MAX_DENSE_POINTS = 400  # points up to which the whole spectrum is as quick as its leading part
_TOLERANCE = 1e-12  # of the largest dissimilarity: rounding


@dataclass(frozen=True)
class Arrangement:
    """Dissimilarities of the m different points in their own order."""

    delta: Annotated[np.ndarray, "(e,)", "nan", ">= 0"]  # e = m(m−1)/2, NaN where missing
    weight: Annotated[np.ndarray, "(e,)", ">= 0"] | None  # weights of pairs, added up
    # Weights of the points, counts where rows had none of their own; None where all are 1.
    points: (
        Annotated[np.ndarray, "(m,)", ">= 0"]
        | Annotated[np.ndarray, "(m,)", "whole", ">= 0"]
        | None
    )
    first: Annotated[np.ndarray, "(m, q)"]  # classical scaling, null axes being 0
    where: Annotated[np.ndarray, "(n,)", "whole", ">= 0"]  # the point that each row is
    rows: Annotated[np.ndarray, "(m,)", "whole", ">= 0"]  # a row of each point

    def check(self) -> None:
        """Refuse pairs, points and rows that do not go together."""
        m, n = len(self.rows), len(self.where)
        expect(len(self.delta) == m * (m - 1) // 2, f"the dissimilarities of {m} points")
        expect(bool((self.rows < n).all() and (self.where < m).all()), "positions of points")

    def expand(self, condensed: np.ndarray) -> np.ndarray:
        """Return values of pairs of points as values of pairs of rows, 0 for pairs of one point."""
        return to_condensed(squareform(condensed, checks=False)[np.ix_(self.where, self.where)])

    def same_rows(self, rows: np.ndarray, delta: np.ndarray) -> np.ndarray:
        """Return whether dissimilarities to all rows, (m, n), are those of these rows, (m,)."""
        if not len(rows):
            return np.zeros(0, dtype=bool)
        own = squareform(self.delta, checks=False)[self.where[rows]][:, self.where]
        limit = _TOLERANCE * float(np.nanmax(self.delta))
        return np.isclose(own, delta, rtol=0.0, atol=limit, equal_nan=True).all(axis=1)

    def share(self, values: np.ndarray, s: np.ndarray) -> np.ndarray:
        """Return values of points as values of rows, those of one point by their weights s."""
        return values[self.where] * s / np.bincount(self.where, s)[self.where]


def arrange(D: np.ndarray, s: np.ndarray | None, W: np.ndarray | None, q: int) -> Arrangement:
    """Return the points of dissimilarities D (n, n), with q axes of classical scaling."""
    # D is NaN where missing; s (n,) are weights of the rows, W (n, n) of the pairs.
    n = len(D)
    where, rows = _different(D)
    if len(rows) < n:
        D = D[np.ix_(rows, rows)]
        s = np.bincount(where, s)
        if W is not None:
            G = np.zeros((n, len(rows)))
            G[np.arange(n), where] = 1.0
            W = G.T @ W @ G
    first = classical_axes(D, s, q)
    order = np.argsort(first[:, 0], kind="stable")
    return Arrangement(
        to_condensed(D[np.ix_(order, order)]),
        None if W is None else to_condensed(W[np.ix_(order, order)]),
        None if s is None else s[order],
        first[order],
        np.argsort(order)[where],
        rows[order],
    )


def _different(D: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return which different point each row is, (n,), and the first row of each point."""
    n = len(D)
    rows = np.arange(n)
    zero = D == 0
    np.fill_diagonal(zero, False)
    if not zero.any():
        return rows, rows
    known = np.nan_to_num(D)
    # Rows that are the same have the same product with any vector; few others do.
    mark = known @ np.cos(np.arange(1.0, n + 1.0))
    limit = _TOLERANCE * float(known.max())
    where = np.empty(n, dtype=np.int64)
    points: list[int] = []
    for i in range(n):
        alike = np.flatnonzero(zero[i, :i] & (np.abs(mark[:i] - mark[i]) <= n * limit))
        close = np.isclose(D[alike], D[i], rtol=0.0, atol=limit, equal_nan=True).all(axis=1)
        same = next(iter(alike[close].tolist()), None)
        if same is None:
            where[i] = len(points)
            points.append(i)
        else:
            where[i] = where[same]
    return where, np.array(points)


def classical_axes(D: np.ndarray, s: np.ndarray | None, q: int) -> np.ndarray:
    """Return the map of classical scaling, (n, q), null axes being 0; s (n,) weighs the points."""
    A = CenteredGram(DenseGram(-0.5 * fill_missing(D) ** 2), None if s is None else s / s.sum())
    if A.n <= _MAX_DENSE_POINTS:
        values, vectors = eigh(A.dense())
    else:
        spectrum = block_krylov(A, q, tol=1e-6, max_products=30)
        values, vectors = spectrum.values, spectrum.vectors
    live = np.flatnonzero(values[:q] > 1e-9 * np.abs(values).max())
    X, U = np.zeros((A.n, q)), vectors[:, live]
    X[:, live] = U * (column_signs(U) * np.sqrt(values[live])) / A.root[:, None]
    return X


def fill_missing(D: np.ndarray) -> np.ndarray:
    """Return D with the mean of the known entries of both points in the place of missing ones."""
    gaps = np.isnan(D)
    if not gaps.any():
        return D
    mean = np.nanmean(D, axis=1)
    return np.where(gaps, 0.5 * (mean[:, None] + mean[None, :]), D)
