"""All eigenpairs of a matrix in memory, by divide and conquer."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

import numpy as np
from scipy import linalg

from gramian._array import Array, as_kind, is_numpy, namespace, power_of_two, to_numpy
from gramian._blocks import one_blas_thread

__all__ = ["eigh", "residual_norms"]

_SMALL = 600
_TINY = 32  # rows up to which checking the arguments takes longer than the decomposition
_FEW = 4  # LAPACK is quicker with the leading axes alone where they are one in so many


def eigh(
    A: Array, *, overwrite: bool = False, count: int | None = None
) -> tuple[np.ndarray, Array]:
    """Return eigenvalues in descending order (NumPy doubles) and eigenvectors of a symmetric A.

    LAPACK's `evd` driver: its residuals and orthogonality are ten times smaller than those of
    `evr`, the default of SciPy, which is as good for a few axes of doubles: at least `count` of
    them are returned.

    >>> values, vectors = eigh(np.diag([1.0, 3.0]))
    >>> [float(v) for v in values]
    [3.0, 1.0]
    """
    xp = namespace(A)
    if not is_numpy(A):
        values, vectors = xp.linalg.eigh(A)
        values, vectors = xp.flip(values), xp.flip(vectors, axis=1)
        return to_numpy(values).astype(np.float64), vectors
    unit = power_of_two(float(np.abs(A).max(initial=0.0)))
    if not 1e-100 < unit < 1e100:  # LAPACK's own scaling loses digits near the ends of the range
        values, vectors = eigh(A * (1.0 / unit), overwrite=True, count=count)
        return values * unit, vectors
    n = A.shape[0]
    if 0 < n <= _TINY and A.dtype == np.float64:
        values, vectors, failed = linalg.lapack.dsyevd(A, overwrite_a=overwrite)
        if not failed:
            return values[::-1], vectors[:, ::-1]
    few = count if count is not None and count * _FEW <= n and A.dtype == np.float64 else 0
    how: dict[str, Any] = {"driver": "evd", "overwrite_a": overwrite}
    if few:
        how = {"driver": "evr", "subset_by_index": [n - few, n - 1]}
    # Threads of BLAS wake too slowly for a small matrix: one is then ten times quicker.
    with one_blas_thread() if n <= _SMALL else nullcontext():
        values, vectors = linalg.eigh(A, **how, check_finite=False)
    if len(values) < few:  # as `evr` does of a matrix whose eigenvalues are all the same
        return eigh(A)
    return values[::-1].astype(np.float64), vectors[:, ::-1]


def residual_norms(AV: Array, V: Array, values: np.ndarray) -> np.ndarray:
    """Return |A v − λ v| for each column, given A·V."""
    if not len(values):
        return np.zeros(0)
    xp = namespace(V)
    unit = power_of_two(float(np.abs(values).max()))
    R = AV * (1.0 / unit) - V * as_kind(values / unit, V)[None, :]
    return to_numpy(xp.sqrt(xp.sum(R * R, axis=0))).astype(np.float64) * unit
