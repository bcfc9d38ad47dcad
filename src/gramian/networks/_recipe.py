"""How edges are found in a table: the options of `infer`, checked once, and the work itself."""

from __future__ import annotations

import numbers
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gramian._blocks import spread
from gramian.errors import InputError
from gramian.networks._regressions import graphical_lasso, neighbourhoods
from gramian.networks._scores import (
    Scores,
    correlations,
    partial_correlations,
    unit_columns,
    upper,
)
from gramian.networks._select import above, densest, discoveries

__all__ = ["METHODS", "Edges", "Recipe"]

METHODS = ("correlation", "partial", "glasso", "neighbourhood")
TESTED = METHODS[:2]  # those with p-values
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
        if self.method not in METHODS:
            known = ", ".join(METHODS)
            raise InputError(f"method={self.method!r} is not known: use one of {known}")
        if self.join not in ("and", "or"):
            raise InputError(f'join={self.join!r} must be "and" or "or"')
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
            self._within(name)
        if self.penalty is not None and not (_number(self.penalty) and 0 < self.penalty < np.inf):
            raise InputError(f"penalty={self.penalty!r} must be a positive number")

    def _within(self, name: str) -> None:
        value = getattr(self, name)
        if value is not None and not (_number(value) and 0 <= value <= 1):
            raise InputError(f"{name}={value!r} must be a number between 0 and 1")

    def scores(self, X: np.ndarray) -> Scores:
        """Return the score of each pair of columns."""
        U, _ = unit_columns(X)
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
        scores = self.scores(X)
        pairs = self.chosen(scores)
        weights = scores.values[pairs]
        return Edges(pairs, weights if self.signed else np.abs(weights))

    def many(self, X: np.ndarray, subsets: Sequence[np.ndarray]) -> list[Edges]:
        """Return the edges found in each of some sets of rows."""
        upper(X.shape[1])  # cached before the threads ask for it
        small = X.shape[1] ** 2 * len(subsets) < _WORTH
        if small or self.method == "glasso":  # it silences warnings, which threads must not do
            return [self.edges(X[rows]) for rows in subsets]
        found: list[Edges] = [None] * len(subsets)  # type: ignore[list-item]

        def work(numbers: Sequence[int]) -> None:
            for k in numbers:
                found[k] = self.edges(X[subsets[k]])

        spread(work, range(len(subsets)))
        return found

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
        for found in self.many(X, halves):
            count[found.pairs] += 1
            total[found.pairs] += found.weights
        kept = np.flatnonzero((count >= least * len(halves) - 1e-9) & (total != 0))
        return Edges(kept, total[kept] / count[kept]), count[kept] / len(halves)


def _number(value: Any) -> bool:
    return isinstance(value, numbers.Real) and not isinstance(value, bool)
