"""One condition, one size: networks of random sets of r rows, with each row left out in turn."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from gramian.networks.correlations import upper
from gramian.networks.finder import Finder, Similarity
from gramian.networks.recipe import Edges

__all__ = ["independent", "largest_size", "packed", "resampled", "unpacked"]

_TOGETHER = 600  # networks compared at once


def largest_size(n: int) -> int:
    """Return the largest r for which two sets of r of n rows share at most two thirds of them.

    >>> largest_size(12), largest_size(6)
    (9, 4)
    """
    return 3 * n // 4


def independent(change: np.ndarray, n: int, r: int) -> np.ndarray:
    """Return what the change between two sets of r of n rows would be if they shared none.

    Sets that share the part ρ of their rows differ less, by a factor near (1 − ρ)^γ, γ = ½√(1 − D),
    D the change without shared rows. Where networks agree (D → 0), an edge changes when its score
    crosses the threshold, with a probability that grows as √(1 − ρ); where they are all noise
    (D → 1), shared rows hardly help. The exponent in between was fitted to simulations.

    >>> independent(np.array([0.4]), 12, 6)
    array([0.4])
    >>> independent(np.array([0.227]), 18, 12).round(3)
    array([0.303])
    """
    shared = max(0, 2 * r - n) / r
    if shared == 0.0:
        return np.asarray(change, dtype=float)
    d = np.clip(change, 0.0, None)
    low, high = np.minimum(d, 1.0), np.ones_like(d)
    for _ in range(60):  # D·(1 − ρ)^γ(D) grows with D: halve the interval
        D = 0.5 * (low + high)
        above = D * (1.0 - shared) ** (0.5 * np.sqrt(1.0 - D)) > d
        low, high = np.where(above, low, D), np.where(above, D, high)
    return np.where(d < 1.0, 0.5 * (low + high), d)


class _Sets:
    """Sets of rows, each kept once."""

    def __init__(self) -> None:
        self.rows: list[np.ndarray] = []
        self.number: dict[bytes, int] = {}

    def add(self, rows: np.ndarray) -> int:
        rows = np.sort(rows)
        key = rows.tobytes()
        if key not in self.number:
            self.number[key] = len(self.rows)
            self.rows.append(rows)
        return self.number[key]


def resampled(
    X: np.ndarray,
    r: int,
    n_resamples: int,
    finder: Finder,
    similarity: Similarity,
    rng: np.random.Generator,
) -> dict[str, np.ndarray]:
    """Return what is seen of networks of r rows of X (n, p).

    In each of B random orders the first r rows and the last r rows give two networks, which share
    as few rows as possible. "change" (B,) is 1 − their similarity, "far" (B,) the squared distance
    of the first to the network of all rows, and "change_without" and "far_without" (n, B) are the
    same with one row taken out of the order. "edges" and "hubs" (B,) are the shares of edges
    (Dice) and of hubs that differ; "pairs", "weights" and "ends" hold the first networks.
    """
    n = len(X)
    if r == n:
        return _all_rows(finder.many(X, [np.arange(n)]))
    sets = _Sets()
    orders = [rng.permutation(n) for _ in range(n_resamples)]
    all_rows = np.arange(n)
    whole = [sets.add(all_rows), *(sets.add(np.delete(all_rows, i)) for i in range(n))]
    # (n + 1, B): row 0 with all rows in the order, row i + 1 without row i
    first, last = np.empty((2, n + 1, n_resamples), dtype=np.int64)
    for b, order in enumerate(orders):
        for i in range(-1, n):
            left = order if i < 0 else order[order != i]
            first[i + 1, b], last[i + 1, b] = sets.add(left[:r]), sets.add(left[len(left) - r :])
    networks = finder.many(X, sets.rows)
    estimable = r <= largest_size(n)
    change, far = _compare(networks, first, last if estimable else first, whole, similarity)
    if not estimable:
        change[:] = np.nan
    seen = list(zip(first[0], last[0], strict=True)) if estimable else []
    edges = np.array([_edge_change(networks[a], networks[b]) for a, b in seen])
    hubs = np.array([_hub_change(networks[a], networks[b], X.shape[1]) for a, b in seen])
    return {
        "change": change[0],
        "change_without": change[1:],
        "far": far[0],
        "far_without": far[1:],
        "edges": edges,
        "hubs": hubs,
        **packed(networks[k] for k in first[0]),
    }


def _all_rows(networks: list[Edges]) -> dict[str, np.ndarray]:
    nothing = np.empty(0)
    still = {"far": np.zeros(1), "far_without": np.zeros((1, 1)), "change": np.full(1, np.nan)}
    still |= {"change_without": np.full((1, 1), np.nan), "edges": nothing, "hubs": nothing}
    return still | packed(networks)


def _compare(
    networks: list[Edges],
    first: np.ndarray,
    last: np.ndarray,
    whole: list[int],
    similarity: Similarity,
) -> tuple[np.ndarray, np.ndarray]:
    """Return the changes and the squared distances to the network of all rows, (n + 1, B)."""
    change, far = np.empty(first.shape), np.empty(first.shape)
    step = max(1, _TOGETHER // len(np.unique(np.concatenate([first[:, 0], last[:, 0]]))))
    for start in range(0, first.shape[1], step):
        part = slice(start, start + step)
        needed = np.unique(np.concatenate([first[:, part].ravel(), last[:, part].ravel(), whole]))
        S = similarity([networks[k] for k in needed])
        a, b = np.searchsorted(needed, first[:, part]), np.searchsorted(needed, last[:, part])
        w = np.searchsorted(needed, whole)[:, None]
        change[:, part] = 1.0 - S[a, b]
        far[:, part] = S[a, a] + S[w, w] - 2.0 * S[a, w]
    return change, np.maximum(far, 0.0)


def _edge_change(a: Edges, b: Edges) -> float:
    """Return the share of edges that only one of two networks has."""
    total = a.pairs.size + b.pairs.size
    if total == 0:
        return 1.0
    return 1.0 - 2.0 * np.intersect1d(a.pairs, b.pairs, assume_unique=True).size / total


def _hub_change(a: Edges, b: Edges, p: int) -> float:
    """Return the share of the hubs of one network that are none of the other."""
    count = max(1, min(10, p // 10))
    left, right = _hubs(a, p, count), _hubs(b, p, count)
    return 1.0 - len(left & right) / count


def _hubs(edges: Edges, p: int, count: int) -> set[int]:
    i, j = upper(p)
    ends = np.concatenate([i[edges.pairs], j[edges.pairs]])
    degree = np.bincount(ends, minlength=p)
    size = np.abs(edges.weights)
    strength = np.bincount(ends, np.concatenate([size, size]), minlength=p)
    ranked = np.lexsort((-strength, -degree))[:count]
    return {int(k) for k in ranked if degree[k]}


def packed(networks: Iterable[Edges]) -> dict[str, np.ndarray]:
    """Return networks as three arrays."""
    networks = list(networks)
    return {
        "pairs": np.concatenate([edges.pairs for edges in networks]).astype(np.int64),
        "weights": np.concatenate([edges.weights for edges in networks]).astype(np.float64),
        "ends": np.cumsum([edges.pairs.size for edges in networks]).astype(np.int64),
    }


def unpacked(unit: dict[str, np.ndarray]) -> list[Edges]:
    """Return the networks that `packed` packed."""
    cuts = unit["ends"][:-1]
    parts = zip(np.split(unit["pairs"], cuts), np.split(unit["weights"], cuts), strict=True)
    return [Edges(pairs, weights) for pairs, weights in parts]
