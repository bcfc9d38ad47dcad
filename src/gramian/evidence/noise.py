"""Noise for an axis: the table without the axes before it, its columns drawn anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from gramian.evidence.table import Table

__all__ = ["DRAWS", "Draw", "Residual", "residual"]

Draw = Callable[[np.ndarray, np.random.Generator], np.ndarray]
_LEVERAGE = 0.45  # of a column on the axes, over which its own noise cannot be told
_LEAST = 0.5  # of the variance of a residual, where others leak into it


@dataclass(frozen=True)
class Residual:
    """What is left of a table without its first k axes.

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
        """Return the eigenvalues of the covariance of a draw, (p, n), in descending order."""
        E = columns - columns.mean(axis=1, keepdims=True)
        if self.norms is not None:
            size = np.sqrt(np.einsum("ij,ij->i", E, E))
            E = E * (self.norms / np.where(size > 0, size, 1.0))[:, None]
        if self.U.shape[1]:
            E = E - (E @ self.U) @ self.U.T
            E = E - self.V @ (self.V.T @ E)
        G = E @ E.T if len(E) <= E.shape[1] else E.T @ E
        return np.maximum(np.linalg.eigvalsh(G)[::-1], 0.0)


def residual(table: Table, k: int, *, by_rows: bool = False) -> Residual:
    """Return what is left of a table without its first k axes, and its noise.

    `by_rows` is for rows of their own variances, which lose their own part of them.
    """
    U, s, V = table.axes
    U, V = U[:, :k], V[:, :k]
    rest = table.values - (U * s[:k]) @ V.T
    if by_rows:
        mean = np.full((table.n, 1), table.n**-0.5)  # the columns' means are taken off too
        freed = _freed(rest.T, np.hstack([mean, U]))[:, None]
    else:
        freed = np.full((1, 1), np.sqrt((table.n - 1) / (table.n - 1 - k)))
    noise = rest * _freed(rest, V) * freed
    norms = np.sqrt(np.einsum("ij,ij->j", rest, rest)) if table.scaled and k == 0 else None
    return Residual(np.ascontiguousarray(noise.T), U, V, float(s[k]), norms)


def _freed(rest: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Return, per column, the deviation of the noise divided by that of the residual.

    The residual of column j has variance d_j·(1 − 2h_j) + v_jᵀ·(Σ d_l v_l v_lᵀ)·v_j, where h_j is
    |v_j|² and d the variances of the noise: solved for d by iteration.
    """
    variance = np.einsum("ij,ij->j", rest, rest)
    h = np.minimum(np.einsum("jk,jk->j", V, V), _LEVERAGE)
    variance = np.where(variance > 0, variance, 1.0)
    d = variance / (1.0 - h)
    for _ in range(5):
        leak = np.einsum("jk,kl,jl->j", V, (V * d[:, None]).T @ V, V)
        # Where an axis holds a column nearly alone, its noise is not much larger than what is left.
        d = np.clip((variance - leak) / (1.0 - 2.0 * h), _LEAST * variance, variance / (1 - h) ** 2)
    return np.sqrt(d / variance)


def permuted(noise: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Permute the values of each column, independently of the others."""
    return rng.permuted(noise, axis=1)


def flipped(noise: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Flip the sign of each entry."""
    return noise * (2.0 * rng.integers(0, 2, noise.shape, dtype=np.int8) - 1.0)


DRAWS: dict[str, Draw] = {"permutations": permuted, "flips": flipped}
