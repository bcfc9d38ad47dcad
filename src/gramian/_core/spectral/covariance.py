"""Eigenpairs of a covariance matrix, small ones included."""

from __future__ import annotations

import numpy as np
from scipy import linalg

from gramian._core.array import Array, as_kind, to_numpy

GRADED = 1e4  # ratio of standard deviations above which columns count as badly scaled


def is_graded(deviation: np.ndarray) -> bool:
    """Whether standard deviations of columns differ so much that small axes would drown."""
    if not deviation.min() > 0:
        deviation = deviation[deviation > 0]
    with np.errstate(over="ignore"):
        return deviation.size > 1 and bool(deviation.max() / deviation.min() > GRADED)


def graded_eigh(C: Array, d: Array) -> tuple[np.ndarray, Array]:
    """Return eigenvalues in descending order and eigenvectors of D·C·D, D = diag(d).

    The matrix is factored after bringing every column to variance 1, and the factor's singular
    values are found by one-sided Jacobi rotations, so that each eigenvalue, however small, is as
    accurate as the correlations are well conditioned (Demmel and Veselić 1992). Null axes are left
    out. In units of the largest column.
    """
    C_, d_ = to_numpy(C), to_numpy(d)
    s = np.sqrt(np.clip(np.diagonal(C_), 0.0, None))
    live = np.flatnonzero(s > 0)
    R = C_[np.ix_(live, live)] / (s[live][:, None] * s[live][None, :])
    L, order, rank, _ = linalg.lapack.dpstrf(R, tol=R.shape[0] * 2.0**-52)
    U = np.triu(L)[:rank]
    columns = order - 1
    size = (d_[live] * s[live])[columns]
    # dgejsv wants rows at least as many as columns: the factor's transpose, scaled by rows.
    factor = (U * size[None, :]).T
    values, left, _, work, *_ = linalg.lapack.dgejsv(factor, joba=2, jobu=0, jobv=3)
    values = values * (work[0] / work[1])
    V = np.zeros((C_.shape[0], rank))
    V[live[columns]] = left[:, :rank]
    descending = np.argsort(values[:rank])[::-1]
    V = _apart(V[:, descending], C_ * d_ * d_[:, None])
    return values[:rank][descending] ** 2, as_kind(V, C)


def _apart(V: np.ndarray, M: np.ndarray) -> np.ndarray:
    """Take what rounding left of long axes out of the short ones, so that their rows stay apart.

    An entry of 1e-16 in an axis of length 1e-12, in the direction of one of length 1, would give
    it a ten-thousandth of the other's coordinates.
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        S = V.T @ (M @ V)
        share = np.triu(S, k=1) / np.diagonal(S)[:, None]
    return V - V @ np.where(np.abs(share) < 2.0**-48, share, 0.0)
