"""Two Gram operators of the same points, and their inner products."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from gramian._core.array import as_kind, is_array, power_of_two, to_numpy
from gramian._core.frames import in_order_of, is_frame, labels_of, order_of
from gramian._core.operators.gram import DenseGram, Gram
from gramian._core.operators.tiled import TiledGram, tile_rows
from gramian._core.parallel import parallel_map, row_blocks
from gramian._core.table import pair_table, square
from gramian.errors import InputError
from gramian.rkhs.induced import Induced
from gramian.rkhs.points import points_of


def both(first: Any, second: Any, X: Any, Y: Any, *, induced: bool) -> tuple[Gram, Gram]:
    """Return the Gram operators of two kernels or matrices on the same points."""
    Y = X if Y is None else Y
    labels = labels_of(first if _is_matrix(first) else X)
    if not _is_matrix(second):
        Y = in_order_of(Y, labels, "Y", "the points of first")
    elif not isinstance(order := order_of(labels_of(second), labels, "second", "first"), slice):
        second = second.iloc[order, order]
    K = _gram(first, X, "first", induced)
    L = _gram(second, Y, "second", induced)
    if K.n != L.n:
        raise InputError(f"first has {K.n} points and second {L.n}: they must be the same points")
    if K.n < 2:
        name = "first" if _is_matrix(first) else "X"
        raise InputError(f"{name} has 1 point: give at least 2")
    return K, L


def _is_matrix(similarity: Any) -> bool:
    return is_frame(similarity) or is_array(similarity) or isinstance(similarity, list | tuple)


def _gram(similarity: Any, X: Any, name: str, induced: bool) -> Gram:
    """Return a Gram operator; with `induced`, that of −½ the squared distances in feature space."""
    if _is_matrix(similarity):
        matrix = pair_table(similarity, name, "kernel", min_rows=1)
        square(matrix, name, "kernel")
        M = to_numpy(matrix.values).astype(float)
        d = M.diagonal()
        return DenseGram(M - 0.5 * (d[:, None] + d[None, :]) if induced else M)
    if X is None:
        raise InputError(f"X is missing: {name} is a kernel and needs its points")
    kernel, points = points_of(similarity, X, "X" if name == "first" else "Y")
    return TiledGram(Induced(kernel) if induced else kernel, points)


def row_means(K: Gram) -> np.ndarray:
    """Return the means of the rows, (n,)."""
    one = as_kind(np.full((K.n, 1), 1.0 / K.n), K.like)
    return to_numpy(K.matmul(one))[:, 0].astype(float)


def unit_of(K: Gram) -> float:
    """Return a power of two near the size of K, so that the squares of K/unit stay in range."""
    first = np.abs(to_numpy(K.block(slice(0, 1), slice(0, K.n))))
    return power_of_two(float(first.max()))


def moments(
    K: Gram, L: Gram, *, centred: bool, units: tuple[float, float] = (1.0, 1.0)
) -> tuple[float, float, float]:
    """Return ⟨K, L⟩, ⟨K, K⟩ and ⟨L, L⟩, in tiles that are centred before they are squared."""
    n = K.n
    k, l = (row_means(M) if centred else np.zeros(n) for M in (K, L))  # noqa: E741
    rows = list(row_blocks(n, tile_rows(n, K.like)))
    tiles = [(a, b) for i, a in enumerate(rows) for b in rows[i:]]
    for M in (K, L):
        M.block(slice(0, 1), slice(0, 1))  # caches are made by one thread

    def block(M: Gram, m: np.ndarray, unit: float, a: slice, b: slice) -> np.ndarray:
        T = to_numpy(M.block(a, b)).astype(float)
        T = T - m[a, None] - m[None, b] + m.mean() if centred else T
        return T / unit

    def work(share: Sequence[tuple[slice, slice]]) -> np.ndarray:
        total = np.zeros(3)
        for a, b in share:
            S, T = block(K, k, units[0], a, b), block(L, l, units[1], a, b)
            twice = 1.0 if a == b else 2.0
            total += twice * np.array([np.vdot(S, T), np.vdot(S, S), np.vdot(T, T)])
        return total

    cross, one, two = np.sum(parallel_map(work, tiles), axis=0)
    return float(cross), float(one), float(two)
