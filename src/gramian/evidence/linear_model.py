"""Tables like a given one in which nothing is bent: linear models, drawn again and again."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy import stats

from gramian.evidence.held_out import axes_without
from gramian.evidence.waves import unmixed


def first_axes(X: np.ndarray, m: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the first m coordinates and directions of a table."""
    Z = X - X.mean(axis=0)
    if Z.shape[1] <= Z.shape[0]:
        V = _leading(Z.T @ Z, m)[1]
        return Z @ V, V
    size, U = _leading(Z @ Z.T, m)
    return U * size, Z.T @ (U / size)


def first_coordinates(X: np.ndarray, m: int) -> np.ndarray:
    """Return the coordinates alone: the directions of many columns cost as much again."""
    if X.shape[1] <= X.shape[0]:
        return first_axes(X, m)[0]
    Z = X - X.mean(axis=0)
    size, U = _leading(Z @ Z.T, m)
    return np.asarray(U * size)


def _leading(G: np.ndarray, m: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the roots of the m largest eigenvalues of G, and their vectors."""
    values, U = np.linalg.eigh(G)
    return np.sqrt(np.maximum(values[::-1][:m], 1e-300)), U[:, ::-1][:, :m]


def normal_copula(X: np.ndarray, rng: np.random.Generator) -> Iterator[np.ndarray]:
    """Draw tables of a normal copula: the same columns of values and correlations of ranks."""
    n = len(X)
    Z = stats.norm.ppf((stats.rankdata(X, axis=0) - 0.5) / n)
    Z, values = Z - Z.mean(axis=0), np.sort(X, axis=0)
    while True:
        # Normal combinations of the rows have the covariances of the rows.
        drawn = rng.standard_normal((n, n)) @ Z
        table = np.empty_like(values)
        np.put_along_axis(table, drawn.argsort(axis=0), values, axis=0)
        yield table


def sources(X: np.ndarray, m: int, rng: np.random.Generator, count: int) -> Iterator[np.ndarray]:
    """Draw tables of independent sources and residuals."""
    F, V = first_axes(X, m)
    S, turn = unmixed(F, count)
    rest, back = _noise(X - X.mean(axis=0), F, V), V @ turn
    while True:
        yield rng.permuted(S, axis=0) @ back.T + rng.permuted(rest, axis=0)


def _noise(Z: np.ndarray, F: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Return what each column has by itself: its residuals on the axes of the *other* columns.

    What is left beside the axes of the whole table is not that: the noise of a column, a spike
    say, is in those axes too, and axes of noise alone would depend on one another by it.
    """
    m = F.shape[1]
    if Z.shape[1] <= m + 1:
        return Z - F @ V.T
    A = axes_without(Z, m)
    inner = A @ A.transpose(0, 2, 1) + 1e-9 * np.eye(A.shape[1])
    slopes = np.linalg.solve(inner, np.einsum("jkn,nj->jk", A, Z)[..., None])
    return np.asarray(Z - (A.transpose(0, 2, 1) @ slopes)[..., 0].T)
