"""Do neighbours stay neighbours on a map? Trustworthiness and continuity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from gramian._core.blocks import row_blocks
from gramian._core.check import generator, is_list, short, whole
from gramian.errors import InputError

_POINTS = 2_000  # whose neighbourhoods are looked at, among all others
_ENTRIES = 1 << 22


def preservation(X: np.ndarray, Z: np.ndarray, n_neighbors: Any) -> pd.DataFrame:
    """Return how well the k nearest neighbours in X and on the map Z are the same, for each k.

    With r(i, j) the rank of j among the neighbours of i in X, trustworthiness is
    1 − 2/(nk(2n − 3k − 1))·Σ (r(i, j) − k) over the j that are among the k nearest of i on the map
    but not in X: 1 where no neighbour on the map is false. Continuity is the same with X and Z
    exchanged: 1 where none is lost (Venna and Kaski, 2001).

    >>> X = np.array([0.0, 1.0, 3.0, 7.0, 12.0, 20.0, 33.0, 54.0])[:, None]
    >>> preservation(X, X[[0, 1, 2, 3, 4, 7, 6, 5]], 2).round(3).to_numpy().tolist()
    [[0.792, 0.792]]
    """
    n = len(X)
    ks = _sizes(n_neighbors, n)
    some = np.arange(n)
    if n > _POINTS:
        some = np.sort(generator(0).choice(n, _POINTS, replace=False))
    lost = np.zeros((len(ks), 2))
    for rows in row_blocks(len(some), max(1, _ENTRIES // n)):
        there, here = _ranks(X, some[rows]), _ranks(Z, some[rows])
        for i, k in enumerate(ks):
            lost[i] += _excess(there, here, k), _excess(here, there, k)
    scale = np.array([2.0 / (len(some) * k * (2.0 * n - 3.0 * k - 1.0)) for k in ks])
    return pd.DataFrame(
        1.0 - scale[:, None] * lost,
        index=pd.Index(ks, name="neighbours"),
        columns=["trustworthiness", "continuity"],
    )


def _sizes(n_neighbors: Any, n: int) -> list[int]:
    most = (n - 1) // 2
    if n_neighbors is None:
        known: Sequence[Any] = [k for k in (5, 15, 50) if k <= most] or [max(1, most)]
    else:
        known = list(n_neighbors) if is_list(n_neighbors) else [n_neighbors]
    if not known or n < 4:
        raise InputError(f"n_neighbors={short(n_neighbors)}: give at least one, of 4 rows or more")
    return [whole(k, "n_neighbors", 1, most, what="half of the rows") for k in known]


def _ranks(X: np.ndarray, rows: np.ndarray) -> np.ndarray:
    """Return the rank of every point among the neighbours of some, 0 for the point itself."""
    centred = X - X.mean(axis=0)
    squares = np.sum(centred**2, axis=1)
    D = squares[None, :] - 2.0 * centred[rows] @ centred.T
    D[np.arange(len(rows)), rows] = -np.inf
    ranks = np.empty(D.shape, dtype=np.int64)
    order = np.argsort(D, axis=1, kind="stable")
    np.put_along_axis(ranks, order, np.arange(D.shape[1])[None, :], axis=1)
    return ranks


def _excess(true: np.ndarray, shown: np.ndarray, k: int) -> float:
    """Return by how much the ranks of false neighbours exceed k."""
    false = (shown >= 1) & (shown <= k) & (true > k)
    return float((true[false] - k).sum())
