"""What entries share: how a result is laid beside the truth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from ..cell import Pair
from ..judge import numbers
from ..truth import Real, Rows, solve, squared_distances


def padded(values: Any, m: int) -> np.ndarray:
    """The first m numbers, zeros where there are fewer."""
    values = numbers(values)[:m]
    return np.append(values, np.zeros(m - len(values), dtype=Real))


def spectrum(fit: Any, want: np.ndarray, total: Any = None) -> Iterator[Pair]:
    """Inertias, their total and their shares; axes that were not kept count as zero."""
    m = max(len(want), len(fit.eigenvalues_))
    total = want.sum() if total is None else total
    yield padded(fit.eigenvalues_, m), padded(want, m)
    yield fit.inertia_, total
    yield padded(fit.inertia_ratio_, m), padded(want, m) / total


def leading(fit: Any, want: np.ndarray) -> Iterator[Pair]:
    """The first axes, of which some were asked for."""
    q = len(fit.eigenvalues_)
    yield fit.eigenvalues_, padded(want, q)
    yield fit.inertia_, want.sum()


def gram_of(F: Any, G: Any = None) -> np.ndarray:
    """Inner products of coordinates: whatever the signs of the axes."""
    F = np.atleast_2d(numbers(F))
    return F @ (F if G is None else numbers(G)).T


def cross_gram(t: Rows, new: np.ndarray) -> np.ndarray:
    """Inner products of new rows with one another, around the barycentre of the first."""
    C = new - t.mean
    return C @ C.T


def vary(X: np.ndarray) -> bool:
    """Whether a table has rows, and numbers that differ."""
    return X.ndim == 2 and len(X) > 1 and bool((np.ptp(X, axis=0) > 0).any())


def three_rows(X: np.ndarray) -> bool:
    return vary(X) and len(X) > 2


def two_axes(X: np.ndarray) -> bool:
    """Whether two axes can be asked for."""
    return three_rows(X) and X.shape[1] > 1


def positive(X: np.ndarray) -> bool:
    return vary(X) and bool((X >= 0).all() and (X.sum(axis=1) > 0).all())


def steady(X: np.ndarray) -> bool:
    """Whether numbers are near the unit: for kernels that know no scale but their own."""
    return vary(X) and 1e-3 < np.abs(X).max() < 1e3


def least_squares(X: np.ndarray, y: np.ndarray, at: np.ndarray) -> np.ndarray:
    """The fitted values at new rows, by the normal equations."""
    t = Rows(X)
    unit = np.where(t.varies, t.deviation, 1)
    Z = (t.C / unit)[:, t.varies]
    slope = solve(Z.T @ Z, Z.T @ (y - y.mean()))
    return y.mean() + ((at - t.mean) / unit)[:, t.varies] @ slope


def manhattan(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    return np.abs(X[:, None, :] - Y[None, :, :]).sum(axis=2)


distances2 = squared_distances
