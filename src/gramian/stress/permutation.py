"""Is the stress lower than that of dissimilarities without structure?"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gramian._permutation import PermutationTest, number_of_permutations, permutation_p_value
from gramian.stress.measures import fit_of
from gramian.stress.problem import Problem
from gramian.stress.scale import Search, dealt, starts_for
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

    def stress_of(k: int) -> float:
        permuted = _permuted(problem, draws[k][0], sammon)
        first, seeded = classical_start(permuted, q), np.random.default_rng(draws[k][1])
        starts = starts_for(permuted, first, q, n_init, seeded)
        runs = [search.run(permuted, start, number) for number, start in enumerate(starts)]
        return fit_of(permuted, min(runs, key=lambda run: run.loss).X).stress

    reference = np.array(dealt(stress_of, len(draws), problem))
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
