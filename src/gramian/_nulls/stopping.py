"""When enough has been drawn."""

from collections.abc import Callable, Sequence

import numpy as np
from scipy import stats

MAX_DRAWS = 1_999  # where their number is left to the evidence
RISK = 1e-3  # chance, per axis, that more draws would have changed an early decision
FIRST_LOOK = 100
SHORT_LOOK = 99  # draws that are enough where they leave no doubt
HOPELESS = 0.3  # a p-value that more draws will not bring under any level
_FAR = 6.0  # standard deviations above the draws, beyond which more of them say the same
_BEYOND = 1.05  # times the largest draw


def draw_until(
    draw: Callable[[int], np.ndarray],
    looks: Sequence[int],
    settled: Callable[[np.ndarray], bool],
) -> np.ndarray:
    """Draw up to each of the looks in turn, until the draws settle the question.

    >>> draw_until(np.ones, [2, 5, 9], lambda drawn: drawn.sum() > 4).shape
    (5,)
    """
    drawn = draw(looks[0])
    for look in looks[1:]:
        if settled(drawn):
            break
        drawn = np.concatenate([drawn, draw(look - len(drawn))])
    return drawn


def doubling_looks(most: int = MAX_DRAWS) -> list[int]:
    """Return the numbers of draws after which the evidence is looked at: each doubles the last."""
    steps = int(np.ceil(np.log2(most / FIRST_LOOK)))
    return [min(FIRST_LOOK << k, most) for k in range(steps + 1)]


def two_looks(n_draws: int, first: int = SHORT_LOOK) -> list[int]:
    """Return a first look and the last one.

    >>> two_looks(399), two_looks(39)
    ([99, 399], [39])
    """
    return sorted({min(first, n_draws), n_draws})


def is_count_of_axes_decided(exceedances: np.ndarray, n_draws: int, alpha: float) -> bool:
    """Whether more draws would leave the number of axes as it is, but for a risk of 1e-3 an axis.

    An axis is significant for certain when so few exceedances would be that rare under a p-value of
    alpha, and not significant when so many would be; the risk is shared out among the looks (after
    Gandy 2009). The first axis that is not significant ends the count.
    """
    risk = RISK / len(doubling_looks())
    significant = stats.binom.cdf(exceedances, n_draws, alpha) <= risk
    idle = stats.binom.sf(exceedances - 1, n_draws, alpha) <= risk
    clear = significant | idle
    ends = np.flatnonzero(idle | ~clear)
    return bool(not ends.size or idle[ends[0]])


def is_clear(observed: float, drawn: np.ndarray, p_value: float) -> bool:
    """Whether a value is far above its draws, or so deep among them that no level is in reach.

    Stopping at a clear no cannot raise the level, and a clear yes is no close run.
    """
    far = observed > max(drawn.mean() + _FAR * drawn.std(), _BEYOND * drawn.max())
    return bool(far or p_value > HOPELESS)
