"""Pairs of points in the order of their dissimilarities: sorted once, used at every iteration."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

__all__ = ["PairList", "pair_list"]


class Line(NamedTuple):
    """What a straight line through the pairs needs, whatever the distances."""

    x: np.ndarray  # (m,), dissimilarities above the smallest
    mean: float
    mean_square: float
    slopes: np.ndarray  # (m,): their product with distances is the slope of the line


@dataclass(frozen=True)
class PairList:
    """The pairs i < j that have a weight, by increasing dissimilarity.

    The mapping from this order to the condensed one (the rows of the upper triangle one after the
    other) is `position`.
    """

    n: int
    position: np.ndarray  # (m,), where each pair stands in condensed order
    delta: np.ndarray  # (m,), increasing
    weight: np.ndarray  # (m,), or empty where all weights are 1

    @cached_property
    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """The points i and j of each pair, (m,) each."""
        first, second = np.triu_indices(self.n, 1)
        return tuple(k[self.position].astype(np.int32) for k in (first, second))

    @cached_property
    def starts(self) -> np.ndarray:
        """Where each group of tied dissimilarities begins."""
        return np.flatnonzero(np.append(True, self.delta[1:] > self.delta[:-1]))

    @property
    def tied(self) -> bool:
        """Whether some dissimilarities are equal."""
        return len(self.starts) < len(self.delta)

    @cached_property
    def line(self) -> Line:
        """The moments of the dissimilarities for interval scaling."""
        x = self.delta - self.delta[0]
        mean = self.mean(x)
        away = x - mean
        size = self.square_sum(away)
        weighted = self.weight * away if self.weight.size else away
        slopes = weighted / size if size > 0 else np.zeros_like(x)
        return Line(x, mean, self.mean(x * x), slopes)

    def mean(self, y: np.ndarray) -> float:
        """Return Σ w·y/Σ w over the pairs."""
        w = self.weight
        return float((w @ y) / w.sum() if w.size else y.mean())

    def square_sum(self, y: np.ndarray) -> float:
        """Return Σ w·y² over the pairs."""
        return float(y @ y if not self.weight.size else (self.weight * y) @ y)

    def condensed(self, y: np.ndarray, missing: float = np.nan) -> np.ndarray:
        """Return values of the pairs in condensed order, `missing` for pairs without weight."""
        out = np.full(self.n * (self.n - 1) // 2, missing)
        out[self.position] = y
        return out

    def square(self, y: np.ndarray) -> np.ndarray:
        """Return values of the pairs as a symmetric matrix, zero elsewhere, (n, n)."""
        first, second = self.ends
        out = np.zeros((self.n, self.n))
        out[first, second] = y
        out[second, first] = y
        return out


def pair_list(n: int, delta: np.ndarray, weight: np.ndarray | None) -> PairList:
    """Return the list of pairs from dissimilarities and weights in condensed order."""
    position = np.arange(len(delta)) if weight is None else np.flatnonzero(weight > 0)
    # Stable, so that the order among ties does not depend on the machine.
    position = position[np.argsort(delta[position], kind="stable")]
    kept = np.empty(0) if weight is None else weight[position]
    return PairList(n, position, delta[position], kept)
