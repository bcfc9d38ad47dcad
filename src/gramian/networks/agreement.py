"""Curves against the number of replicates, their bands, and the number that is enough."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy import stats
from scipy.optimize import isotonic_regression

from gramian.networks.resampling import independent

__all__ = ["Estimate", "Recommendation", "change_of", "distance_of", "extrapolated", "recommend"]

_FLOOR = 0.1  # of the jackknife's variance, below which taking its noise off does not bring it
_REACH = 10  # how far beyond the data to look, in sizes
_FAINT = 0.1  # an agreement below which nothing can be said of larger experiments
_STEEPEST = 3.0  # of the log-odds against log r: parallel measurements that are averaged give 1


class Estimate(NamedTuple):
    """A number and its variance."""

    value: float
    variance: float


class Recommendation(NamedTuple):
    """The least number of replicates, and an interval for it (to infinity where open)."""

    size: int | None
    low: int
    high: float
    extrapolated: bool


def change_of(unit: dict[str, np.ndarray], n: int, r: int, key: str = "change") -> Estimate:
    """Return the expected change between networks of two independent sets of r replicates."""
    if not unit[key].size or np.isnan(unit[key]).any():
        return Estimate(np.nan, np.nan)
    mean = unit[key].mean(keepdims=True)
    value = float(independent(mean, n, r)[0])
    if key != "change":
        return Estimate(value, np.nan)
    without = unit["change_without"]
    theta = independent(without.mean(axis=1), n - 1, r)
    factor = value / mean[0] if mean[0] > 0 else 1.0
    return Estimate(value, _variance(theta, unit[key], without, factor))


def distance_of(unit: dict[str, np.ndarray]) -> Estimate:
    """Return the mean squared distance to the network of all replicates."""
    if unit["far"].size == 1:
        return Estimate(0.0, 0.0)
    without = unit["far_without"]
    return Estimate(
        float(unit["far"].mean()), _variance(without.mean(axis=1), unit["far"], without, 1.0)
    )


def _variance(theta: np.ndarray, values: np.ndarray, without: np.ndarray, factor: float) -> float:
    """Return the variance over replicates and orders of a mean over orders (B,) times a factor.

    It is the jackknife's (n − 1)/n·Σ(θ_i − mean)², θ_i without replicate i, less what the finite
    number of orders adds to it, plus the variance of the mean over orders.
    """
    n, B = without.shape
    raw = (n - 1) / n * float(((theta - theta.mean()) ** 2).sum())
    noise = ((n - 1) / n) ** 2 * float((without - values).var(axis=1, ddof=1).sum()) / B
    spread = float(values.var(ddof=1)) / B
    return max(raw - factor**2 * noise, _FLOOR * raw) + factor**2 * spread


def recommend(
    sizes: np.ndarray, change: np.ndarray, se: np.ndarray, most: float, level: float, df: int
) -> Recommendation:
    """Return the least r with change ≤ most, and what the bands leave for it.

    The curve is made decreasing; between sizes it is straight in log r. The interval starts where
    the lower band first passes `most`, and ends where the upper band is below it for good; it is
    open where that lies beyond the sizes seen.
    """
    level_curve = decreasing(change)
    t = float(stats.t.ppf(0.5 + 0.5 * level, df))
    grid = np.arange(int(sizes[0]), int(sizes[-1]) + 1)

    def at(values: np.ndarray) -> np.ndarray:
        return np.interp(np.log(grid), np.log(sizes), values)

    middle, low, high = at(level_curve), at(level_curve - t * se), at(level_curve + t * se)
    least = _first(grid, low <= most) or int(sizes[-1]) + 1
    above = np.flatnonzero(high > most)
    if not above.size:
        end = float(grid[0])
    else:
        end = np.inf if above[-1] == grid.size - 1 else float(grid[above[-1] + 1])
    size = _first(grid, middle <= most)
    if size is not None:
        return Recommendation(size, least, end, False)
    beyond = np.arange(int(sizes[-1]) + 1, _REACH * int(sizes[-1]) + 1)
    size = _first(beyond, extrapolated(sizes, change, beyond, t * se[-1]) <= most)
    return Recommendation(size, least, end, True)


def decreasing(change: np.ndarray) -> np.ndarray:
    """Return the nearest curve that never rises."""
    return -isotonic_regression(-change).x


def extrapolated(
    sizes: np.ndarray, change: np.ndarray, at: np.ndarray, margin: float = 0.0
) -> np.ndarray:
    """Return the change at other sizes, the log-odds of agreement being straight in log r.

    The line goes through those of the last four sizes that agree at all; it is flat where it would
    fall or where there is one size only, and not steeper than 3. Where even the last size agrees
    faintly, or by no more than the margin of its band, nothing is known: NaN.
    """
    last, x = decreasing(change)[-4:], np.log(sizes[-4:])
    if 1.0 - last[-1] < max(_FAINT, margin):
        return np.full(at.shape, np.nan)
    some = 1.0 - last >= 0.5 * _FAINT
    last, x = np.clip(last[some], 1e-6, 1.0 - 1e-6), x[some]
    odds = np.log1p(-last) - np.log(last)
    slope = 0.0
    if x.size > 1:
        slope = float(((x - x.mean()) * odds).sum() / ((x - x.mean()) ** 2).sum())
        slope = min(max(0.0, slope), _STEEPEST)
    line = odds[-1] + slope * (np.log(at) - x[-1])
    return 1.0 / (1.0 + np.exp(line))


def _first(grid: np.ndarray, good: np.ndarray) -> int | None:
    return int(grid[np.argmax(good)]) if good.any() else None
