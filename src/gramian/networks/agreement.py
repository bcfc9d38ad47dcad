"""Agreement at each size with its error, and the number of replicates that is enough."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import stats

from gramian.networks.learning import RANGE, Curves, curves

_FLOOR = 0.1  # of the jackknife's variance, below which taking its noise off does not bring it
_REACH = 4  # how far beyond the sizes seen to look, in the largest of them
_ABOVE = 0.05  # by how much agreement must be above chance, of what is left to 1


class Estimate(NamedTuple):
    """A number and its variance."""

    value: float
    variance: float


class Recommendation(NamedTuple):
    """The least number of replicates, and an interval for it (to infinity where open).

    `reason` says why there is no number: "chance" (networks agree no more than those of tables
    without links), "kernel" (those agree as much as is asked for) or "far" (it is out of reach).
    """

    size: int | None
    low: int
    high: float
    extrapolated: bool
    reason: str
    curves: Curves


def change_of(part: dict[str, np.ndarray], strata: np.ndarray) -> Estimate:
    """Return the expected change between two experiments, with its variance.

    That is the jackknife's, Σ_s (n_s − 1)/n_s·Σ_i (θ_i − mean)² over strata s, θ_i without thing
    i, less what the finite number of orders adds to it, plus the variance of their mean.
    """
    values, without = part["change"], part["change_without"]
    theta, B = without.mean(axis=1), values.size
    raw = noise = 0.0
    for s in np.unique(strata):
        own = strata == s
        share = (own.sum() - 1.0) / own.sum()
        raw += share * float(((theta[own] - theta[own].mean()) ** 2).sum())
        noise += share**2 * float((without[own] - values).var(axis=1, ddof=1).sum()) / B
    spread = float(values.var(ddof=1)) / B
    return Estimate(float(values.mean()), max(raw - noise, _FLOOR * raw) + spread)


def mean_of(estimates: list[Estimate]) -> tuple[float, float]:
    """Return the mean of independent numbers and its standard error."""
    values, variances = np.array(estimates).T
    return float(values.mean()), float(np.sqrt(variances.sum())) / len(estimates)


def recommend(
    sizes: np.ndarray,
    agreement: np.ndarray,
    se: np.ndarray,
    chance: float,
    target: float,
    level: float,
    df: int,
    signs: np.ndarray | None = None,
) -> Recommendation:
    """Return the least r whose agreement is at least the target, and what the data leave for it.

    It is the median over the curves that the data allow; the interval holds the share `level` of
    them. An end beyond four times the largest size seen, and beyond the range of the prior, is left
    open, and no number beyond it is given; nor where the agreement seen is not above chance. Of so
    few samples that a jackknife says nothing `signs` has an agreement, then those by chance.
    """
    t = float(stats.t.ppf(0.5 + 0.5 * level, df))
    wide = t / float(stats.norm.ppf(0.5 + 0.5 * level))
    last = max(_REACH * int(sizes[-1]), RANGE)
    found = curves(sizes, agreement, wide * se, last)
    low, middle, high = found.least(target, (0.5 - 0.5 * level, 0.5, 0.5 + 0.5 * level))
    reason = ""
    if chance >= target:
        reason = "kernel"
    elif signs is not None:
        reason = "chance" if (signs[1:] >= signs[0]).any() else ""
    elif agreement[-1] - t * se[-1] <= chance + _ABOVE * (1.0 - chance):
        reason = "chance"
    if not reason and np.isinf(middle):
        reason = "far"
    low = min(low, last)
    if reason in ("kernel", "chance"):
        high = np.inf
    size = None if reason else int(middle)
    beyond = size is None or size > sizes[-1]
    return Recommendation(size, int(low), float(high), beyond, reason, found)
