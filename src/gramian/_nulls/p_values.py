"""p-values of statistics among those of random draws, and when enough has been drawn.

The observed statistic counts as a draw.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import stats

from gramian._core.check import one_of, whole
from gramian._core.views import Facts

ALTERNATIVES = ("greater", "less", "two-sided")
_EQUAL = 1e-9  # relative: a draw can be the data again, but for rounding
MAX_DRAWS = 1_999  # where their number is left to the evidence
RISK = 1e-3  # chance, per axis, that more draws would have changed an early decision
FIRST_LOOK = 100
SHORT_LOOK = 99  # draws that are enough where they leave no doubt
HOPELESS = 0.3  # a p-value that more draws will not bring under any level
_FAR = 6.0  # standard deviations above the draws, beyond which more of them say the same
_BEYOND = 1.05  # times the largest draw


@dataclass(frozen=True)
class PermutationTest(Facts):
    """A statistic, and where it stands among those of permuted data."""

    statistic: float
    p_value: float  # (1 + number of permutations at least as extreme) / (1 + permutations)
    reference: np.ndarray = field(repr=False)  # the statistic of each permutation
    alternative: str


def p_value_of_count(count: Any, n_draws: int) -> Any:
    """Return (1 + k)/(1 + B), k of B draws being at least as extreme as the data."""
    return (1.0 + count) / (1.0 + n_draws)


def smallest_p_value(n_draws: int) -> float:
    """Return 1/(1 + B), the smallest p-value that B draws can give."""
    return float(p_value_of_count(0, n_draws))


def p_values(observed: Any, drawn: Any) -> Any:
    """Return the p-value of each observed value among one sample of draws, (B,)."""
    ranked = np.sort(np.asarray(drawn, dtype=float))
    below = np.searchsorted(ranked, observed - _EQUAL * np.abs(observed))
    return p_value_of_count(len(ranked) - below, len(ranked))


def joint_p_value(statistics: np.ndarray) -> float:
    """Return the p-value of the best of m statistics, (1 + B, m), the first row the data's."""
    best = _smallest_ranks(statistics, np.ones(statistics.shape[1]))
    return float((best <= best[0] * (1.0 + _EQUAL)).mean())


def joint_p_values(values: Any, statistics: np.ndarray, costs: Sequence[float]) -> np.ndarray:
    """Return p-values of several values of the data beside the best of m kinds of statistics.

    `values` are p-values of one kind each, times the cost of that kind: they are compared with the
    smallest such value of the data and of each draw.
    """
    best = np.sort(_smallest_ranks(statistics, costs))
    below = np.searchsorted(best, np.asarray(values) * (1.0 + _EQUAL), "right")
    return np.asarray(below / len(best))


def _smallest_ranks(statistics: np.ndarray, costs: Any) -> np.ndarray:
    """Return the smallest p-value of each row of (1 + B, m) among all rows, times its cost."""
    least = statistics - _EQUAL * np.abs(statistics)
    kinds = zip(statistics.T, least.T, costs, strict=True)
    ranks = [cost * (1.0 - np.searchsorted(np.sort(a), b) / len(a)) for a, b, cost in kinds]
    return np.asarray(np.min(ranks, axis=0))


def permutation_p_value(statistic: float, reference: np.ndarray, alternative: str) -> float:
    """Return the p-value of a statistic among those of permuted data."""
    one_of(alternative, "alternative", ALTERNATIVES)
    if alternative == "two-sided":
        statistic, reference = abs(statistic), np.abs(reference)
    sign = -1.0 if alternative == "less" else 1.0
    return float(p_values(sign * statistic, sign * reference))


def number_of_permutations(n_permutations: Any) -> int:
    """Return a number of permutations that makes sense."""
    return whole(n_permutations, "n_permutations")


def count_axes(p: np.ndarray, alpha: float) -> int:
    """Return the number of axes before the first that is not significant."""
    # (1 + k)/(1 + B) = alpha counts as significant, whatever the rounding.
    failing = np.flatnonzero(np.asarray(p) > alpha * (1.0 + 1e-12))
    return int(failing[0]) if failing.size else len(p)


def draw_until(
    draw: Callable[[int], np.ndarray], looks: Sequence[int], settled: Callable[[np.ndarray], bool]
) -> np.ndarray:
    """Draw up to each of the looks in turn, until the draws settle the question."""
    drawn = draw(looks[0])
    for look in looks[1:]:
        if settled(drawn):
            break
        drawn = np.concatenate([drawn, draw(look - len(drawn))])
    return drawn


def draw_in_parts(draw: Callable[[int], np.ndarray], count: int, most: int) -> np.ndarray:
    """Return `count` draws, made at most so many at a time, which bounds the memory they take."""
    step = max(1, most)
    return np.concatenate([draw(min(step, count - done)) for done in range(0, count, step)])


def doubling_looks(most: int = MAX_DRAWS) -> list[int]:
    """Return the numbers of draws after which the evidence is looked at: each doubles the last."""
    steps = int(np.ceil(np.log2(most / FIRST_LOOK)))
    return [min(FIRST_LOOK << k, most) for k in range(steps + 1)]


def two_looks(n_draws: int, first: int = SHORT_LOOK) -> list[int]:
    """Return a first look and the last one."""
    return sorted({min(first, n_draws), n_draws})


def is_count_of_axes_decided(exceedances: np.ndarray, n_draws: int, alpha: float) -> bool:
    """Whether more draws would not change the number of axes, but for a risk of 1e-3 an axis."""
    # An axis is significant for certain when so few exceedances would be that rare under a p-value
    # of alpha, and not significant when so many would be; the risk is shared out among the looks
    # (after Gandy 2009). The first axis that is not significant ends the count.
    risk = RISK / len(doubling_looks())
    significant = stats.binom.cdf(exceedances, n_draws, alpha) <= risk
    idle = stats.binom.sf(exceedances - 1, n_draws, alpha) <= risk
    clear = significant | idle
    ends = np.flatnonzero(idle | ~clear)
    return bool(not ends.size or idle[ends[0]])


def is_clear(observed: float, drawn: np.ndarray, p_value: float) -> bool:
    """Whether a value is far above its draws, or so deep among them that no level is in reach."""
    # Stopping at a clear no cannot raise the level, and a clear yes is no close run.
    far = observed > max(drawn.mean() + _FAR * drawn.std(), _BEYOND * drawn.max())
    return bool(far or p_value > HOPELESS)
