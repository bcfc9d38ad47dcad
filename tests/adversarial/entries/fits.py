"""What the tables of fits share: weights, clean rows, and pairs for a fit."""

from __future__ import annotations

from typing import Any

import numpy as np

import gramian as gm

from ..truth import Real, Rows, centred, squared_distances
from .common import (
    leading,
    manhattan,
    padded,
    spectrum,
)

W = np.arange(1.0, 3.0)  # weights in turn


def weights(n: int) -> np.ndarray:
    return np.resize(W, n)


def halves(fit: Any, x: Any) -> Any:
    return fit.partial_fit(x).partial_fit(x)


def clean(p: int, n: int = 9) -> np.ndarray:
    """A tame table of p columns, with as many axes."""
    return np.random.default_rng(p).integers(-8, 9, (max(n, p + 3), p)) / 4


def weighted(t: Rows) -> Rows:
    return Rows(t.X, weights(t.n))


def column_weighted(t: Rows) -> np.ndarray:
    return t.inertias(t.C * np.sqrt(weights(t.p).astype(Real)))


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


def feature_distance2(table: Any, t: Rows, G: np.ndarray) -> Any:
    yield table["distance2"].to_numpy().ravel(), centred(G).diagonal()


def kernel_fit(kernel: Any, **options: Any) -> Any:
    return lambda x, plain: gm.KernelPCA(kernel=kernel, **options).fit(x)


def of_kernel(gram: Any) -> Any:
    """The inertias of a kernel, by its Gram matrix in long double."""
    return lambda fit, t: spectrum(fit, np.maximum(t.kernel_inertias(gram(t)), 0))


def first_axes(gram: Any) -> Any:
    return lambda fit, t: leading(fit, t.kernel_inertias(gram(t)))


def reconstruction(error: Any, t: Rows) -> Any:
    lost = t.variances.sum() - np.append(0, np.cumsum(t.variances))
    yield padded(error.total, len(lost)), np.maximum(lost, 0)


def inverse(result: Any, t: Rows) -> Any:
    fit, back = result
    yield back, t.X @ np.asarray(fit.components_, Real) + np.asarray(fit.mean_, Real)


def undo(x: Any, plain: Any) -> Any:
    fit = gm.PCA().fit(clean(plain.shape[1]))
    return fit, fit.inverse_transform(x)


def returned(back: Any, t: Rows) -> Any:
    """Axes are orthonormal: points come back as far from the barycentre as they were put."""
    size = (clean(t.p) ** 2).sum()
    far = ((np.asarray(back, Real) - Rows(clean(t.p)).mean) ** 2).sum()
    yield far + size, (t.X**2).sum() + size


def mapped(x: Any, plain: Any, **options: Any) -> Any:
    return gm.MDS(2, n_init=1, max_iter=60, random_state=0, **options).fit(x)


def stress(fit: Any, t: Rows) -> Any:
    """Stress-1 of the map by its definition, and that it is no worse than the first two axes."""
    i, j = np.triu_indices(t.n, 1)
    d = np.sqrt(t.d2)[i, j]
    F = np.asarray(fit.coordinates_, Real)
    e = np.sqrt(squared_distances(F, F))[i, j]
    yield 1 + fit.stress_, 1 + np.sqrt(((d - e) ** 2).sum() / (e**2).sum())


def linear(t: Rows) -> np.ndarray:
    return t.C @ t.C.T


def both(t: Rows) -> np.ndarray:
    return linear(t) + t.gaussian


def directions(t: Rows) -> np.ndarray:
    U = t.X / np.abs(t.X).max(axis=1, keepdims=True)
    U = U / np.sqrt((U**2).sum(axis=1, keepdims=True))
    return np.nan_to_num(U)  # a zero row is like no other


def cosine(t: Rows) -> np.ndarray:
    return directions(t) @ directions(t).T


# Of kernels that are centred, −½ the squared distances: at 1e8 from the origin, values have no
# digits left for the differences, not even in long double.
def angle(t: Rows) -> np.ndarray:
    return -squared_distances(directions(t), directions(t)) / 2


def parabola(t: Rows) -> np.ndarray:
    """(⟨x, y⟩ + 1)², a = |x|² + 1: its distances are ½(a − b)² + (a + b)|x − y|² − ½|x − y|⁴."""
    a = (t.X**2).sum(axis=1) + 1
    gap = ((t.X[:, None] - t.X[None]) * (t.X[:, None] + t.X[None])).sum(axis=2)
    return -(gap**2 / 2 + (a[:, None] + a[None]) * t.d2 - t.d2**2 / 2) / 2


def chebyshev(A: Any, B: Any) -> np.ndarray:
    """A kernel of the user's, on whatever it is given."""
    A, B = (np.asarray(M.toarray() if hasattr(M, "toarray") else M) for M in (A, B))
    return np.exp(-np.abs(A[:, None] - B[None]).max(axis=2) / 64)


def city(t: Rows) -> np.ndarray:
    return manhattan(t.X, t.X)
