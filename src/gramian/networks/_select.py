"""Which pairs become edges: a threshold, a density, or a false discovery rate."""

from __future__ import annotations

import numpy as np

from gramian.networks._scores import Scores

__all__ = ["above", "densest", "discoveries", "q_values"]


def above(scores: Scores, threshold: float) -> np.ndarray:
    """Return the pairs with |score| ≥ threshold, those with score 0 never."""
    size = np.abs(scores.values)
    return np.flatnonzero((size >= threshold) & (size > 0))


def densest(scores: Scores, density: float) -> np.ndarray:
    """Return the share `density` of the pairs, those with the largest |score|, in order.

    Equal scores go by the order of the pairs, so that the number of edges is exact; pairs with
    score 0 are never edges.
    """
    size = np.abs(scores.values)
    count = min(round(density * size.size), int(np.count_nonzero(size)))
    if count == 0:
        return np.empty(0, dtype=np.int64)
    least = np.partition(size, size.size - count)[size.size - count]
    larger, equal = np.flatnonzero(size > least), np.flatnonzero(size == least)
    return np.sort(np.concatenate([larger, equal[: count - larger.size]]))


def discoveries(scores: Scores, level: float) -> np.ndarray:
    """Return the pairs kept by Benjamini and Hochberg's rule, in order.

    p-values fall as |score| grows, so the rule is a threshold: the k largest are kept, k the
    largest number with p_(k) ≤ level·k/m.
    """
    size, m = np.abs(scores.values), scores.values.size
    assert scores.p_values is not None
    found = np.flatnonzero(size >= _least_significant(scores, level))
    found = found[np.argsort(-size[found], kind="stable")]
    p = scores.p_values(size[found])
    good = np.flatnonzero(p <= level * np.arange(1, found.size + 1) / m)
    if good.size == 0:
        return np.empty(0, dtype=np.int64)
    return np.sort(found[: good[-1] + 1])


def _least_significant(scores: Scores, level: float) -> float:
    """Return about the |score| of p-value `level`, below which no pair can be kept."""
    assert scores.p_values is not None
    grid = np.linspace(0.0, 1.0, 257)
    p = scores.p_values(grid)
    return float(grid[max(int(np.searchsorted(-p, -level)) - 1, 0)])


def q_values(scores: Scores) -> tuple[np.ndarray, np.ndarray]:
    """Return the p-value of each pair, and the least rate at which the rule would keep it."""
    assert scores.p_values is not None
    p = scores.p_values(np.abs(scores.values))
    order = np.argsort(p, kind="stable")
    ratio = p[order] * p.size / np.arange(1, p.size + 1)
    q = np.empty_like(p)
    q[order] = np.minimum(np.minimum.accumulate(ratio[::-1])[::-1], 1.0)
    return p, q
