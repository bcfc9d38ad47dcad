"""What entries share: clean rows, weights, and how a result is laid beside the truth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import gramian as gm

from ..cell import Pair
from ..judge import numbers
from ..truth import Real, Rows, solve, squared_distances


def padded(values: Any, m: int) -> np.ndarray:
    """The first m numbers, zeros where there are fewer."""
    values = numbers(values)[:m]
    return np.append(values, np.zeros(m - len(values), dtype=Real))


def spectrum(fit: Any, want: np.ndarray) -> Iterator[Pair]:
    """Inertias, their total and their shares; axes that were not kept count as zero."""
    m = max(len(want), len(fit.eigenvalues_))
    yield padded(fit.eigenvalues_, m), padded(want, m)
    yield fit.inertia_, want.sum()
    yield padded(fit.inertia_ratio_, m), padded(want, m) / want.sum()


def leading(fit: Any, want: np.ndarray) -> Iterator[Pair]:
    """The first axes, of which some were asked for."""
    q = len(fit.eigenvalues_)
    yield fit.eigenvalues_, padded(want, q)
    yield fit.inertia_, want.sum()


def gram_of(F: Any) -> np.ndarray:
    """Inner products of coordinates: whatever the signs of the axes."""
    F = np.atleast_2d(numbers(F))
    return F @ F.T


def vary(X: np.ndarray) -> bool:
    """Whether a table has rows, and numbers that differ."""
    return X.ndim == 2 and len(X) > 1 and bool((np.ptp(X, axis=0) > 0).any())


def three_rows(X: np.ndarray) -> bool:
    return vary(X) and len(X) > 2


def two_axes(X: np.ndarray) -> bool:
    """Whether two axes can be asked for."""
    return three_rows(X) and X.shape[1] > 1


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


def manhattan(X: np.ndarray) -> np.ndarray:
    return np.abs(X[:, None, :] - X[None, :, :]).sum(axis=2)


def weights(n: int) -> np.ndarray:
    return np.resize([1.0, 2.0], n)


def clean(p: int, n: int = 9) -> np.ndarray:
    """A tame table of p columns, with as many axes."""
    return np.random.default_rng(p).integers(-8, 9, (max(n, p + 3), p)) / 4


def distance2(table: Any, t: Rows) -> Any:
    yield table["distance2"].to_numpy().ravel(), (t.C**2).sum(axis=1)
    apart = (t.C**2).sum(axis=1) > 1e-20 * t.gram.trace()  # the barycentre has no direction
    yield table["quality"].iloc[:, -1].to_numpy()[apart], np.ones(apart.sum())


def squared_cosines(table: Any, t: Rows) -> Any:
    """On all axes they add up to 1; of columns 1e150 times smaller than others axes are lost."""
    cos2 = table["cos2"].to_numpy(dtype=float)
    total = cos2.sum(axis=1)
    if cos2.shape[1] == min(t.n - 1, int(t.varies.sum())):
        return [(total, np.where(t.varies, 1, 0))]
    return [((total > -1e-9) & (total < 1 + 1e-9), np.full(len(total), True))]


def reconstruction(error: Any, t: Rows) -> Any:
    lost = t.variances.sum() - np.append(0, np.cumsum(t.variances))
    yield padded(error.total, len(lost)), np.maximum(lost, 0)


def returned(back: Any, t: Rows) -> Any:
    """Axes are orthonormal: points come back as far from the barycentre as they were put."""
    size = (clean(t.p) ** 2).sum()
    far = ((np.asarray(back, Real) - Rows(clean(t.p)).mean) ** 2).sum()
    yield far + size, (t.X**2).sum() + size


def directions(t: Rows) -> np.ndarray:
    U = t.X / np.abs(t.X).max(axis=1, keepdims=True)
    U = U / np.sqrt((U**2).sum(axis=1, keepdims=True))
    return np.nan_to_num(U)  # a zero row is like no other


def parabola(t: Rows) -> np.ndarray:
    """(⟨x, y⟩ + 1)², a = |x|² + 1: its distances are ½(a − b)² + (a + b)|x − y|² − ½|x − y|⁴."""
    a = (t.X**2).sum(axis=1) + 1
    gap = ((t.X[:, None] - t.X[None]) * (t.X[:, None] + t.X[None])).sum(axis=2)
    return -(gap**2 / 2 + (a[:, None] + a[None]) * t.d2 - t.d2**2 / 2) / 2


def chebyshev(A: Any, B: Any) -> np.ndarray:
    """A kernel of the user's, on whatever it is given."""
    A, B = (np.asarray(M.toarray() if hasattr(M, "toarray") else M) for M in (A, B))
    return np.exp(-np.abs(A[:, None] - B[None]).max(axis=2) / 64)


def of_gram(fit: Any, t: Rows, gram: np.ndarray) -> Iterator[Pair]:
    """The inertias of a kernel, by its Gram matrix in long double."""
    return spectrum(fit, np.maximum(t.kernel_inertias(gram), 0))


def unit(G: np.ndarray) -> np.ndarray:
    return G / G.trace()


def mds(x: Any, **options: Any) -> Any:
    return gm.MDS(2, n_init=1, max_iter=60, random_state=0, **options).fit(x)


def stress(fit: Any, D: np.ndarray) -> Any:
    """Stress-1 of a map by its definition."""
    F = np.asarray(fit.coordinates_, Real)
    d, e = (M[np.triu_indices(len(D), 1)] for M in (D, np.sqrt(squared_distances(F, F))))
    yield 1 + fit.stress_, 1 + np.sqrt(((d - e) ** 2).sum() / (e**2).sum())


def mapped(fit: Any) -> list[Pair]:
    """A map of another loss has coordinates, and a stress."""
    return [(np.isfinite(fit.coordinates_).all() and 0 <= fit.stress_ <= 1, True)]


def ratios(fit: Any, t: Rows) -> list[Pair]:
    """The shares of two equal tables are those of one."""
    want = t.variances / t.variances.sum()
    return [(fit.inertia_ratio_, padded(want, len(fit.inertia_ratio_)))]
