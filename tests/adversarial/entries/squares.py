"""What takes kernel matrices and distances."""

from __future__ import annotations

from typing import Any

import numpy as np

import gramian as gm

from ..cell import Pair
from ..truth import Real, Square, centred, eigenvalues
from .common import padded


def bounded(M: Any) -> bool:
    """Whether a matrix is square, of more than two rows, near the unit."""
    return M.ndim == 2 and len(M) > 2


def definite(M: Any) -> bool:
    return bounded(M) and eigenvalues(centred(M.astype(Real)))[-1] >= 0


def pre(**options: Any) -> Any:
    return gm.KernelPCA(kernel="precomputed", **options)


def positive(s: Square) -> np.ndarray:
    return np.maximum(s.inertias, 0)


def by_modulus(s: Square) -> np.ndarray:
    return np.sort(np.abs(s.inertias))[::-1]


def clipped(f: Any, s: Square) -> Any:
    want = positive(s)
    yield padded(f.eigenvalues_, s.n), want
    yield f.inertia_, want.sum()


def flipped(f: Any, s: Square) -> Any:
    yield padded(f.eigenvalues_, s.n), by_modulus(s)


def truthful(v: Any, s: Square) -> Any:
    """A verdict, where it does not hang on rounding."""
    values = s.values / np.abs(s.values).max() if s.values.any() else s.values
    if values[-1] > 1e-9 or values[-1] < -1e-9:
        yield bool(v), bool(values[-1] > 0)


def euclidean(v: Any, s: Square) -> Any:
    values = s.scaling / np.abs(s.scaling).max() if s.scaling.any() else s.scaling
    if values[-1] < -1e-2 or values[-1] > -1e-13:
        yield bool(v), bool(values[-1] > -1e-2)


def beside(r: Any, s: Square, want: np.ndarray) -> Pair:
    """Eigenvalues of a repaired matrix, to the digits of the largest of the matrix."""
    size = np.abs(s.values).max()
    return eigenvalues(np.asarray(r.matrix, Real)) + size, want + size


def nearest(r: Any, s: Square) -> Any:
    """The spectrum of what was repaired is that of the matrix, without what is negative."""
    yield beside(r, s, np.maximum(s.values, 0))


def distance_of(r: Any, s: Square) -> Any:
    want = (s.M**2).sum()
    yield r.relative_loss >= 0 and bool(want >= 0), True


def scaled(f: Any, s: Square) -> Any:
    yield padded(f.eigenvalues_, s.n), np.maximum(s.scaling, 0)
    yield f.inertia_, s.scaling.sum()


def alone(s: Square) -> Any:
    G = centred(s.M)
    size = np.abs(G).max()
    return 1 if size else np.nan


def of_power(p: float) -> Any:
    return lambda D, s: [(D, s.M ** Real(p))]


def upper(M: np.ndarray) -> np.ndarray:
    return M[np.triu_indices(len(M), 1)]


def correlation(r: Any, s: Square) -> Any:
    a, b = upper(s.M) / s.M.max(), np.arange(len(upper(s.M)), dtype=Real)
    a, b = a - a.mean(), b - b.mean()
    yield r.statistic, (a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum())


def ladder(n: int) -> np.ndarray:
    """Distances 0, 1, 2 … over the pairs."""
    D = np.zeros((n, n))
    D[np.triu_indices(n, 1)] = np.arange(n * (n - 1) // 2)
    return D + D.T


def apart(M: Any) -> bool:
    """Whether distances are whole: pairs that differ, and more than two points."""
    return bounded(M) and np.ptp(upper(M)) > 0


def never(M: Any) -> bool:
    return False


def stress(f: Any, s: Square) -> Any:
    F = np.asarray(f.coordinates_, Real)
    d, e = upper(s.M), upper(np.sqrt(((F[:, None] - F[None]) ** 2).sum(axis=2)))
    yield 1 + f.stress_, 1 + np.sqrt(((d - e) ** 2).sum() / (e**2).sum())


def finite(f: Any, s: Square) -> Any:
    yield np.isfinite(np.asarray(f.coordinates_, float)).all() and 0 <= f.stress_ <= 1, True


def mds(**options: Any) -> Any:
    return lambda x, v: gm.MDS(
        2, metric="precomputed", n_init=1, max_iter=60, random_state=0, **options
    ).fit(x)


# Schoenberg's transforms take numbers of any shape; what is conditionally negative definite may
# have a diagonal.
SHAPES = "asymmetric,asymmetric by 1e-4,upper triangle,not square,three axes,nothing,a number"
DIAGONAL = "a diagonal of ones,one entry on the diagonal,a correlation matrix"
# New rows against the old ones: a matrix that need not be symmetric, under names that a fit of an
# array does not know.
NEW = f"{SHAPES},{DIAGONAL},antisymmetric,a frame of other columns"
ORDER = "a frame in another order"
ARGUMENTS = "X K matrix kernel"
ALL = "X K L first second"
