"""p-values of statistics among those of random draws, the observed one counted as a draw."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gramian._core.check import one_of, whole

ALTERNATIVES = ("greater", "less", "two-sided")
_EQUAL = 1e-9  # relative: a draw can be the data again, but for rounding


@dataclass(frozen=True)
class PermutationTest:
    """A statistic, and where it stands among those of permuted data."""

    statistic: float
    p_value: float  # (1 + number of permutations at least as extreme) / (1 + permutations)
    reference: np.ndarray = field(repr=False)  # the statistic of each permutation
    alternative: str


def p_value_of_count(count: Any, n_draws: int) -> Any:
    """Return (1 + k)/(1 + B), k of B draws being at least as extreme as the data.

    >>> p_value_of_count(1, 3)
    0.5
    """
    return (1.0 + count) / (1.0 + n_draws)


def smallest_p_value(n_draws: int) -> float:
    """Return 1/(1 + B), the smallest p-value that B draws can give."""
    return float(p_value_of_count(0, n_draws))


def p_values(observed: Any, drawn: Any) -> Any:
    """Return the p-value of each observed value among one sample of draws, (B,).

    >>> p_values(np.array([0.5, 3.0]), [1.0, 2.0, 4.0]).tolist()
    [1.0, 0.5]
    """
    ranked = np.sort(np.asarray(drawn, dtype=float))
    below = np.searchsorted(ranked, observed - _EQUAL * np.abs(observed))
    return p_value_of_count(len(ranked) - below, len(ranked))


def joint_p_value(statistics: np.ndarray) -> float:
    """Return the p-value of the best of several statistics, (1 + B, m), the first row the data's.

    Each is ranked among all rows, and the smallest rank of the data among those of the draws.
    """
    least = statistics - _EQUAL * np.abs(statistics)
    columns = zip(statistics.T, least.T, strict=True)
    best = np.min([(a[None, :] >= b[:, None]).mean(axis=1) for a, b in columns], axis=0)
    return float((best <= best[0] * (1.0 + _EQUAL)).mean())


def permutation_p_value(statistic: float, reference: np.ndarray, alternative: str) -> float:
    """Return the p-value of a statistic among those of permuted data.

    >>> permutation_p_value(3.0, np.array([1.0, 2.0, 4.0]), "greater")
    0.5
    """
    one_of(alternative, "alternative", ALTERNATIVES)
    if alternative == "two-sided":
        statistic, reference = abs(statistic), np.abs(reference)
    sign = -1.0 if alternative == "less" else 1.0
    return float(p_values(sign * statistic, sign * reference))


def number_of_permutations(n_permutations: Any) -> int:
    """Return a number of permutations that makes sense."""
    return whole(n_permutations, "n_permutations")


def count_axes(p: np.ndarray, alpha: float) -> int:
    """Return the number of axes before the first that is not significant.

    >>> count_axes(np.array([0.01, 0.02, 0.4, 0.01]), 0.05)
    2
    """
    # (1 + k)/(1 + B) = alpha counts as significant, whatever the rounding.
    failing = np.flatnonzero(np.asarray(p) > alpha * (1.0 + 1e-12))
    return int(failing[0]) if failing.size else len(p)
