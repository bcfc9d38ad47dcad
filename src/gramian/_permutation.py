"""What permutation tests have in common."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gramian._check import one_of, whole

__all__ = ["PermutationTest", "number_of_permutations", "permutation_p_value"]

_ALTERNATIVES = ("greater", "less", "two-sided")


@dataclass(frozen=True)
class PermutationTest:
    """A statistic, and where it stands among those of permuted data."""

    statistic: float
    p_value: float  # (1 + number of permutations at least as extreme) / (1 + permutations)
    reference: np.ndarray = field(repr=False)  # the statistic of each permutation
    alternative: str


def permutation_p_value(statistic: float, reference: np.ndarray, alternative: str) -> float:
    """Return the share of values at least as extreme, the observed one included.

    >>> permutation_p_value(3.0, np.array([1.0, 2.0, 4.0]), "greater")
    0.5
    """
    one_of(alternative, "alternative", _ALTERNATIVES)
    # A permutation that gives the same map back must count, whatever its rounding.
    slack = 1e-12 * max(abs(statistic), 1e-300)
    if alternative == "two-sided":
        count = np.count_nonzero(np.abs(reference) >= abs(statistic) - slack)
    elif alternative == "greater":
        count = np.count_nonzero(reference >= statistic - slack)
    else:
        count = np.count_nonzero(reference <= statistic + slack)
    return (1 + int(count)) / (1 + len(reference))


def number_of_permutations(n_permutations: Any) -> int:
    """Return a number of permutations that makes sense."""
    return whole(n_permutations, "n_permutations")
