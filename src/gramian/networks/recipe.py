"""How a table becomes edges: a method gives every pair a score, a rule says which are edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gramian._core.blocks import spread
from gramian._core.check import one_of, positive, share
from gramian._nulls.corrections import benjamini_hochberg
from gramian.errors import InputError
from gramian.networks.contrasts import Pool, Samples
from gramian.networks.correlations import (
    Scores,
    correlations,
    partial_correlations,
    unit_columns,
    upper,
)
from gramian.networks.lassos import graphical_lasso, neighbourhoods

METHODS = ("correlation", "partial", "glasso", "neighbourhood")
TESTED = METHODS[:2]  # those with p-values
_TOGETHER = 32  # tables whose columns are scaled at once: for small ones that is most of the work
_WORTH = 1_000_000  # pairs of columns for which threads pay


class Edges(NamedTuple):
    """The pairs that are edges, as positions among the pairs i < j, and their weights."""

    pairs: np.ndarray
    weights: np.ndarray


@dataclass(frozen=True)
class Recipe:
    """A method, its penalties and its rule for edges."""

    method: str = "correlation"
    shrinkage: float | None = None
    penalty: float | None = None
    threshold: float | None = None
    density: float | None = None
    fdr: float | None = None
    join: str = "and"
    signed: bool = True

    least_rows = 3  # two rows make every correlation ±1

    def __post_init__(self) -> None:
        one_of(self.method, "method", METHODS)
        one_of(self.join, "join", ("and", "or"))
        rules = [
            name for name in ("threshold", "density", "fdr") if getattr(self, name) is not None
        ]
        if len(rules) > 1:
            raise InputError(f"{' and '.join(rules)} are given together: give one of them")
        if self.fdr is not None and self.method not in TESTED:
            raise InputError(
                f'fdr={self.fdr!r} needs p-values, which method="{self.method}" has not: leave it '
                "out (the penalty chooses the edges), or give threshold or density"
            )
        if self.penalty is not None and self.method in TESTED:
            raise InputError(f'penalty is for "glasso" and "neighbourhood", not "{self.method}"')
        if self.shrinkage is not None and self.method not in TESTED:
            raise InputError(f'shrinkage is for "correlation" and "partial", not "{self.method}"')
        for name in ("shrinkage", "threshold", "density", "fdr"):
            if getattr(self, name) is not None:
                share(getattr(self, name), name, zero=True, one=True)
        if self.penalty is not None:
            positive(self.penalty, "penalty")

    def scores(self, X: np.ndarray) -> Scores:
        """Return the score of each pair of columns."""
        return self._scores(unit_columns(X)[0])

    def _scores(self, U: np.ndarray) -> Scores:
        if self.method == "correlation":
            return correlations(U, self.shrinkage)
        if self.method == "partial":
            return partial_correlations(U, self.shrinkage)
        if self.method == "glasso":
            return Scores(graphical_lasso(U, self.penalty))
        return Scores(neighbourhoods(U, self.penalty, self.join))

    def chosen(self, scores: Scores) -> np.ndarray:
        """Return which pairs are edges."""
        if self.threshold is not None:
            return above(scores, self.threshold)
        if self.density is not None:
            return densest(scores, self.density)
        if self.method in TESTED:
            return discoveries(scores, 0.05 if self.fdr is None else self.fdr)
        return np.flatnonzero(scores.values)

    def edges(self, X: np.ndarray) -> Edges:
        """Return the edges found in a table."""
        return self._edges(unit_columns(X)[0])

    def _edges(self, U: np.ndarray) -> Edges:
        scores = self._scores(U)
        pairs = self.chosen(scores)
        weights = scores.values[pairs]
        return Edges(pairs, weights if self.signed else np.abs(weights))

    def many(self, pool: Pool, subsets: Sequence[np.ndarray]) -> list[Edges]:
        """Return the edges found in the tables of some sets of things."""
        upper(pool.n_columns)  # cached before the threads ask for it
        networks: list[Edges] = [None] * len(subsets)  # type: ignore[list-item]

        def work(numbers: Sequence[int]) -> None:
            for start in range(0, len(numbers), _TOGETHER):
                tables = {k: pool.table(subsets[k]) for k in numbers[start : start + _TOGETHER]}
                for shape in {table.shape for table in tables.values()}:
                    alike = [k for k, table in tables.items() if table.shape == shape]
                    units, _ = unit_columns(np.stack([tables[k] for k in alike]))
                    for k, U in zip(alike, units, strict=True):
                        networks[k] = self._edges(U)

        everyone = range(len(subsets))
        small = pool.n_columns**2 * len(subsets) < _WORTH
        if small or self.method == "glasso":  # it silences warnings, which threads must not do
            work(everyone)
        else:
            spread(work, everyone)
        return networks

    def stable(
        self, X: np.ndarray, least: float, n_subsamples: int, rng: np.random.Generator
    ) -> tuple[Edges, np.ndarray]:
        """Return the edges found in at least this share of half-samples, and the share of each.

        Halves come in pairs without common rows (Shah and Samworth 2013); the weight of an edge is
        its mean over the halves in which it was found.
        """
        n, p = X.shape
        half = n // 2
        if half < self.least_rows:
            raise InputError(f"stability needs {2 * self.least_rows} rows, X has {n}: leave it out")
        orders = [rng.permutation(n) for _ in range((n_subsamples + 1) // 2)]
        halves = [rows for order in orders for rows in (order[:half], order[half : 2 * half])]
        count, total = np.zeros(p * (p - 1) // 2), np.zeros(p * (p - 1) // 2)
        for edges in self.many(Samples(X), halves):
            count[edges.pairs] += 1
            total[edges.pairs] += edges.weights
        pairs = np.flatnonzero((count >= least * len(halves) - 1e-9) & (total != 0))
        return Edges(pairs, total[pairs] / count[pairs]), count[pairs] / len(halves)


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
    pairs = np.flatnonzero(size >= _least_significant(scores, level))
    pairs = pairs[np.argsort(-size[pairs], kind="stable")]
    p = scores.p_values(size[pairs])
    # Those that were left out have larger p-values, and count.
    q = benjamini_hochberg(p) * (m / max(pairs.size, 1))
    return np.sort(pairs[q <= level])


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
    return p, benjamini_hochberg(p)
