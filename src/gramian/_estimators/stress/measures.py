"""How good a map is: its stress, the curve through its pairs, and what chance would give."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated

import numpy as np
from scipy.spatial.distance import squareform

from gramian._core.check import expect
from gramian._estimators.stress.best_of_starts import (
    Search,
    classical_start,
    map_starts,
    starts_for,
)
from gramian._estimators.stress.majorise import disparities, loops_for
from gramian._estimators.stress.problem import Problem
from gramian._nulls.p_values import PermutationTest, number_of_permutations, permutation_p_value


@dataclass(frozen=True)
class Fit:
    """Distances and disparities at a configuration, in condensed order, as the loss sees them.

    With loss "sstress" both are squared. Pairs of weight 0 have disparity NaN.
    """

    distance: Annotated[np.ndarray, "(e,)", ">= 0"]
    disparity: Annotated[np.ndarray, "(e,)", "nan"]
    raw: Annotated[float, ">= 0"]  # Σ w(d̂ − d)²
    stress: Annotated[float, ">= 0"]  # √(Σ w(d̂ − d)² / Σ w·d²)
    per_point: Annotated[np.ndarray, "(n,)", ">= 0"]  # shares of `raw`, sum 1


def fit_of(problem: Problem, X: np.ndarray) -> Fit:
    """Return the fit at X, its disparities fitted anew to the distances at X."""
    d = problem.measure(X)
    if problem.scaling == "ratio":
        fitted = problem.target
    else:
        pairs = problem.pairs
        loops = loops_for(problem.n)
        fitted = disparities(problem.scaling, problem.ties, pairs, d[pairs.position], loops)
        fitted = pairs.to_condensed(fitted, missing=0.0)
    w = problem.weight
    square = (fitted - d) ** 2 if w is None else w * (fitted - d) ** 2
    raw = float(square.sum())
    points = squareform(square, checks=False).sum(axis=1)
    share = points / (2.0 * raw) if raw > 0 else np.zeros(problem.n)
    stress = np.sqrt(raw / float(d @ d if w is None else (w * d) @ d))
    if w is not None:
        fitted = np.where(w > 0, fitted, np.nan)
    return Fit(d, fitted, raw, float(stress), share)


@dataclass(frozen=True)
class Curve:
    """From dissimilarities to disparities, through the knots, for pairs with new points.

    A dissimilarity of 0 has disparity 0: the points coincide. Outside the knots the curve goes on
    with `slope` if there is one (interval scaling), else along a line through the origin.
    """

    delta: Annotated[np.ndarray, "(k,)", ">= 0"]
    level: Annotated[np.ndarray, "(k,)"]
    slope: Annotated[float, ">= 0"] | None = None

    def check(self) -> None:
        """Refuse knots out of order."""
        rises = self.delta.size > 0 and bool((np.diff(self.delta) >= 0).all())
        expect(rises, "knots in increasing order")

    def __call__(self, delta: np.ndarray) -> np.ndarray:
        """Return the disparities of dissimilarities."""
        x, y = self.delta, self.level
        if self.slope is None:
            low, high = (np.divide(y[k], x[k]) if x[k] > 0 else 0.0 for k in (0, -1))
            below, above = low * delta, high * delta
        else:
            below = np.maximum(y[0] + self.slope * (delta - x[0]), 0.0)
            above = y[-1] + self.slope * (delta - x[-1])
        out = np.interp(delta, x, y)
        out = np.where(delta < x[0], below, np.where(delta > x[-1], above, out))
        return np.where(delta == 0, 0.0, out)


def curve_of(problem: Problem, fit: Fit) -> Curve | None:
    """Return the curve of disparities against dissimilarities, None for ratio scaling."""
    if problem.scaling == "ratio":
        return None
    pairs = problem.pairs
    starts = pairs.starts
    x = pairs.delta[starts]
    size = np.diff(np.append(starts, len(pairs.delta)))
    # The points stand still for disparities of the size of the targets, not for those fitted to d.
    fitted = fit.disparity[pairs.position]
    fitted = fitted * np.sqrt(problem.total / pairs.square_sum(fitted))
    y = np.add.reduceat(fitted, starts) / size
    if problem.scaling == "interval":
        run = x[-1] - x[0]
        return Curve(x[[0, -1]], y[[0, -1]], float((y[-1] - y[0]) / run) if run > 0 else 0.0)
    step = np.flatnonzero(np.diff(y) > 0)
    corner = np.unique(np.concatenate([[0], step, step + 1, [len(y) - 1]]))
    return Curve(x[corner], y[corner])


def stress_test(
    problem: Problem,
    observed: float,
    q: int,
    *,
    n_permutations: int,
    n_init: int,
    search: Search,
    sammon: bool,
    rng: np.random.Generator,
) -> PermutationTest:
    """Compare a stress with those of the dissimilarities permuted over the pairs.

    Parameters
    ----------
    problem : Problem
    observed : float
        The stress of the problem itself.
    sammon : bool
        Whether weights are inverse dissimilarities, and so move with them.
    """
    m = len(problem.target) if problem.weight is None else np.count_nonzero(problem.weight)
    draws = [
        (rng.permutation(m), int(rng.integers(2**31)))
        for _ in range(number_of_permutations(n_permutations))
    ]

    def stress_of(k: int) -> float:
        permuted = _permute(problem, draws[k][0], sammon)
        first, seeded = classical_start(permuted, q), np.random.default_rng(draws[k][1])
        starts = starts_for(permuted, first, q, n_init, seeded)
        runs = [search.run(permuted, start, number) for number, start in enumerate(starts)]
        return fit_of(permuted, min(runs, key=lambda run: run.loss).X).stress

    reference = np.array(map_starts(stress_of, len(draws), problem))
    p = permutation_p_value(observed, reference, "less")
    return PermutationTest(observed, p, reference, "less")


def _permute(problem: Problem, order: np.ndarray, sammon: bool) -> Problem:
    """Return the problem with dissimilarities exchanged among the pairs that have a weight."""
    if problem.weight is None:
        return replace(problem, target=problem.target[order])
    live = problem.weight > 0
    target, weight = problem.target.copy(), problem.weight.copy()
    target[live] = problem.target[live][order]
    if sammon:
        ratio = problem.target[live] / target[live]
        weight[live] *= ratio if problem.loss == "stress" else np.sqrt(ratio)
    return replace(problem, target=target, weight=weight)
