"""The problem of stress scaling: dissimilarities and weights of pairs, in two orders; the loss."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy import linalg, sparse
from scipy.sparse.csgraph import connected_components
from scipy.spatial.distance import pdist, squareform

from gramian.distances.square import number_of_points
from gramian.errors import InputError

LOSSES = ("stress", "sstress")
SCALINGS = ("ratio", "interval", "ordinal")
TIES = ("primary", "secondary")


@dataclass(frozen=True)
class Problem:
    """Find points X (n, q) for which Σ w(d̂ − d)² is smallest, in condensed order (pairs i < j)."""

    target: np.ndarray  # (n(n−1)/2,), δ or, for "sstress", δ²; 0 for pairs of weight 0
    weight: np.ndarray | None = None  # the same, None for weights 1
    points: np.ndarray | None = None  # s (n,), where the weight of a pair is the product s_i·s_j
    loss: str = "stress"
    scaling: str = "ratio"
    ties: str = "primary"

    def __post_init__(self) -> None:
        if not self.total > 0:
            raise InputError(
                "X: every dissimilarity that has a weight is zero, there is nothing to draw: give "
                "points that differ"
            )
        if self.weight is not None and self.points is None:
            self._require_connected(self.weight)

    def _require_connected(self, weight: np.ndarray) -> None:
        """Refuse points that no chain of known dissimilarities ties to the others."""
        graph = sparse.csr_array(squareform(weight, checks=False) > 0)
        parts, part = connected_components(graph, directed=False)
        if parts > 1:
            alone = int(np.flatnonzero(part != np.bincount(part).argmax())[0])
            raise InputError(
                f"X: known dissimilarities leave the points in {parts} separate groups (point "
                f"{alone} is outside the largest): each group can be moved freely; give more "
                "dissimilarities or scale the groups one by one"
            )

    @cached_property
    def n(self) -> int:
        """The number of points."""
        return number_of_points(len(self.target))

    @cached_property
    def total(self) -> float:
        """Σ w·t²."""
        t, w = self.target, self.weight
        return float(t @ t if w is None else (w * t) @ t)

    @cached_property
    def mean_square(self) -> float:
        """The mean of δ², by the weights."""
        t, w = self.target, self.weight
        if self.loss == "stress":
            return self.total / (len(t) if w is None else float(w.sum()))
        return float(t.mean() if w is None else (w @ t) / w.sum())

    @cached_property
    def pairs(self) -> PairList:
        """The pairs by increasing dissimilarity."""
        return pair_list(self.n, self.target, self.weight)

    @cached_property
    def square_target(self) -> np.ndarray:
        """The targets as a symmetric matrix, (n, n)."""
        return squareform(self.target, checks=False)

    @cached_property
    def squares(self) -> np.ndarray:
        """The squared dissimilarities as a symmetric matrix, (n, n)."""
        return self.square_target if self.loss == "sstress" else self.square_target**2

    @cached_property
    def square_weight(self) -> np.ndarray:
        """The weights as a symmetric matrix, (n, n), or an empty one for weights 1."""
        return np.empty((0, 0)) if self.weight is None else squareform(self.weight, checks=False)

    @cached_property
    def _factor(self) -> tuple[np.ndarray, bool]:
        """The Cholesky factor of V + 11ᵀ/n, V the Laplacian of the weights."""
        W = self.square_weight
        V = np.diag(W.sum(axis=1)) - W
        scale = float(np.diagonal(V).mean())
        return linalg.cho_factor(V + scale / self.n, lower=True, overwrite_a=True)

    def guttman_transform(self, numerator: np.ndarray) -> np.ndarray:
        """Return V⁺·numerator, (n, q): the Guttman transform from its weighted sums."""
        if self.weight is None:
            return numerator / self.n
        if self.points is not None:
            return numerator / (self.points.sum() * self.points)[:, None]
        return linalg.cho_solve(self._factor, numerator)

    def measure(self, X: np.ndarray) -> np.ndarray:
        """Return d or d² of the pairs in condensed order, as the loss sees them."""
        return pdist(X, "euclidean" if self.loss == "stress" else "sqeuclidean")

    def prepare(self) -> None:
        """Make what the steps share now, before several threads would make it at once."""
        _ = self.square_target, self.squares, self.square_weight
        if self.scaling != "ratio":
            _ = self.pairs.ends, self.pairs.starts
        if self.scaling == "interval":
            _ = self.pairs.line
        if self.weight is not None and self.points is None and self.loss == "stress":
            _ = self._factor


class Line(NamedTuple):
    """What a straight line through the pairs needs, whatever the distances."""

    x: np.ndarray  # (m,), dissimilarities above the smallest
    mean: float
    mean_square: float
    slopes: np.ndarray  # (m,): their product with distances is the slope of the line


@dataclass(frozen=True)
class PairList:
    """The pairs i < j that have a weight, by increasing dissimilarity."""

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
    def has_ties(self) -> bool:
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

    def to_condensed(self, y: np.ndarray, missing: float = np.nan) -> np.ndarray:
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
    weights = np.empty(0) if weight is None else weight[position]
    return PairList(n, position, delta[position], weights)
