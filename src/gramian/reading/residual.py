"""Noise for an axis: what is left of a table without the axes before it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

__all__ = ["Residual", "freed", "residual"]

_LEVERAGE = 0.45  # of a column on the axes, over which its own noise cannot be told from others'
_MOST = 0.95  # of a column on the axes, for anything to be told
_LEAST = 0.5  # of the variance of a residual, where others leak into it


@dataclass(frozen=True)
class Residual:
    """What is left of a centred table without its first k axes.

    The residual is (I − UUᵀ)·E·(I − VVᵀ), E the noise. `noise` is E as well as it can be told, and
    every draw of it loses the directions U and V as the data did: under heavy tails a wild cell
    keeps all its weight but (1 − u²)(1 − v²), in the draws as in the data.
    """

    noise: np.ndarray  # (p, n), by columns
    U: np.ndarray  # (n, k)
    V: np.ndarray  # (p, k)
    top: float  # the largest singular value of the data's residual
    norms: np.ndarray | None  # sizes that columns of a draw are brought back to

    def spectrum(self, columns: np.ndarray) -> np.ndarray:
        """Return the squared singular values of a draw, (p, n), in descending order."""
        E = columns - columns.mean(axis=1, keepdims=True)
        if self.norms is not None:
            size = np.sqrt(np.einsum("ij,ij->i", E, E))
            E *= (self.norms / np.where(size > 0, size, 1.0))[:, None]
        E, A, B = (E.T, self.V, self.U) if len(E) <= E.shape[1] else (E, self.U, self.V)
        G = E.T @ E
        if A.shape[1]:
            # Of (I − BBᵀ)·E·(I − AAᵀ), without a table of its size: few axes, a small matrix.
            lost = B.T @ E
            G -= lost.T @ lost
            G -= A @ (A.T @ G)
            G -= (G @ A) @ A.T
        return np.maximum(np.linalg.eigvalsh(G)[::-1], 0.0)


def residual(
    columns: np.ndarray,
    axes: tuple[np.ndarray, np.ndarray, np.ndarray],
    k: int,
    *,
    scaled: bool = False,
    by_rows: bool = False,
) -> Residual:
    """Return what is left of centred columns, (p, n), without their first k axes, and its noise.

    `axes` are U, s and V of the table, (n, ·), (·) and (p, ·). `by_rows` is for rows of their own
    variances, which lose their own part of them.
    """
    n = columns.shape[1]
    U, s, V = axes
    U, V = U[:, :k], V[:, :k]
    rest = columns - (V * s[:k]) @ U.T
    if by_rows:
        mean = np.full((n, 1), n**-0.5)  # the columns' means are taken off too
        rows = freed(rest, np.hstack([mean, U]))
    else:
        rows = np.full(n, np.sqrt((n - 1) / (n - 1 - k)))
    noise = rest * freed(rest.T, V)[:, None] * rows
    norms = np.sqrt(np.einsum("ij,ij->i", rest, rest)) if scaled and k == 0 else None
    return Residual(np.ascontiguousarray(noise), U, V, float(s[k]), norms)


def freed(rest: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Return, per column, the deviation of the noise divided by that of the residual.

    The residual of column j has variance d_j·(1 − 2h_j) + v_jᵀ·(Σ d_l v_l v_lᵀ)·v_j, where h_j is
    |v_j|² and d the variances of the noise: solved for d by iteration.

    >>> freed(np.eye(4) - 0.25, np.full((4, 1), 0.5)).round(3).tolist()
    [1.155, 1.155, 1.155, 1.155]
    """
    variance = np.einsum("ij,ij->j", rest, rest)
    variance = np.where(variance > 0, variance, 1.0)
    h = np.minimum(np.einsum("jk,jk->j", V, V), _MOST)
    # Where all columns have one variance it is this, and between these bounds in any case.
    one = variance.sum() / (1.0 - h).sum()
    d = alike = np.clip(one, variance, variance / (1.0 - h))
    own = h < _LEVERAGE
    for _ in range(5):
        leak = np.einsum("jk,kl,jl->j", V, (V * d[:, None]).T @ V, V)
        solved = (variance - leak) / np.where(own, 1.0 - 2.0 * h, 1.0)
        d = np.where(own, np.clip(solved, _LEAST * variance, variance / (1 - h) ** 2), alike)
    ratio: np.ndarray = np.sqrt(d / variance)
    return ratio
