"""Is the stress lower than that of dissimilarities without structure?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gramian._blocks import spread
from gramian.comparison import PermutationTest, number_of_permutations, permutation_p_value
from gramian.stress.measures import fit_of
from gramian.stress.problem import Problem
from gramian.stress.scale import Search, starts_for
from gramian.stress.starts import classical_start

__all__ = ["stress_test"]


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

    def work(share: Sequence[int]) -> list[tuple[int, float]]:
        return [(k, _best(_permuted(problem, draws[k][0], sammon), draws[k][1])) for k in share]

    def _best(permuted: Problem, seed: int) -> float:
        first = classical_start(permuted, q)
        starts = starts_for(permuted, first, q, n_init, np.random.default_rng(seed))
        runs = [search.run(permuted, start, k) for k, start in enumerate(starts)]
        return fit_of(permuted, min(runs, key=lambda run: run.loss).X).stress

    found = dict(pair for share in spread(work, range(len(draws))) for pair in share)
    reference = np.array([found[k] for k in range(len(draws))])
    p = permutation_p_value(observed, reference, "less")
    return PermutationTest(observed, p, reference, "less")


def _permuted(problem: Problem, order: np.ndarray, sammon: bool) -> Problem:
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
