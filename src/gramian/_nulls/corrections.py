"""Corrections of p-values for their number."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from gramian._core.check import invalid
from gramian._core.numbers import as_floats

ALPHA = 0.05  # of all findings of a study together


def bonferroni(p: Any, count: Any) -> Any:
    """Return p-values times the number of tests, at most 1."""
    return np.minimum(p * count, 1.0)


def holm(p: Any) -> np.ndarray:
    """Return p-values (m,) corrected for their number by Holm's step-down rule.

    The chance that any true hypothesis falls below alpha is at most alpha, whatever the
    dependence: p₍ᵢ₎ becomes max_{j ≤ i} (m − j + 1)·p₍ⱼ₎. A NaN (not tested) stays NaN and does not
    count.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    out = _p_values_of(p)
    return weighted_holm(out, np.ones(len(out)))


def weighted_holm(p: np.ndarray, w: np.ndarray) -> np.ndarray:
    """Return p-values corrected by Holm's rule for hypotheses with parts w of the level.

    The order is that of p/w, and p₍ⱼ₎/w₍ⱼ₎ is multiplied by the weights of those that are left.
    """
    out = np.array(p, dtype=float)
    tested = np.flatnonzero(~np.isnan(out))
    order = tested[np.argsort(out[tested] / w[tested], kind="stable")]
    steps = out[order] / w[order] * np.cumsum(w[order][::-1])[::-1]
    out[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return out


def benjamini_hochberg(p: Any) -> np.ndarray:
    """Return p-values corrected for the expected share of false ones among those that pass.

    p₍ᵢ₎ becomes min_{j ≥ i} m·p₍ⱼ₎/j: those at most alpha are, on the average, false in a share of
    at most alpha (independent or positively dependent tests). `p` and NaN are as for `holm`.

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.04, 0.04]
    """
    out = _p_values_of(p).copy()
    tested = ~np.isnan(out)
    if tested.any():
        out[tested] = stats.false_discovery_control(out[tested])
    return out


def _p_values_of(p: Any) -> np.ndarray:
    """Return a flat list of p-values; NaN is one that was not tested."""
    values = np.asarray(as_floats(p, "p"), dtype=float)
    if values.ndim != 1 or not (np.isnan(values) | ((values >= 0) & (values <= 1))).all():
        raise invalid("p", p, "must be a list of numbers from 0 to 1, NaN for untested")
    return values


@dataclass(frozen=True)
class Family:
    """p-values that are corrected for all kinds of findings together."""

    axes: tuple[float, ...]  # of each axis that was tested
    others: dict[str, float]  # of the other kinds, by name

    @property
    def n_axes(self) -> int:
        """The axes before the first that fails."""
        return int(np.sum(np.cumprod(np.array(self.axes) < ALPHA)))


def family(
    axes: Sequence[float], others: Mapping[str, float], failed: Collection[str] = ()
) -> Family:
    """Correct the p-values of axes, in their order, and of other kinds of findings."""
    # A sequentially rejective procedure (Bretz and others 2009): each kind holds the same part of
    # the level. An axis that is found hands its part on to the next, another kind that is found to
    # the kinds that are left, so that the chance of any false finding is at most the level. Kinds
    # whose test `failed` ("axes" among them) keep their part: it is as if their p-value was 1.
    waiting = {name: [float(p)] for name, p in others.items() if np.isfinite(p)}
    if len(axes):
        waiting["axes"] = [float(p) for p in axes]
    waiting |= {name: [1.0] for name in failed}
    parts = dict.fromkeys(waiting, 1.0 / max(len(waiting), 1))
    corrected = {name: list[float]() for name in waiting}
    least = 0.0
    while waiting:
        name = min(waiting, key=lambda each: waiting[each][0] / parts[each])
        least = max(least, min(1.0, waiting[name][0] / parts[name]))
        if least >= ALPHA:
            break
        corrected[name].append(least)
        waiting[name].pop(0)
        if not waiting[name]:
            del waiting[name]
            part = parts.pop(name)
            for each in waiting:
                parts[each] += part / len(waiting)
    for name, rest in waiting.items():
        corrected[name] += [max(least, min(1.0, rest[0] / parts[name]))] * len(rest)
    tested = {name: p for name, p in corrected.items() if name not in failed}
    return Family(tuple(tested.pop("axes", ())), {name: p for name, (p,) in tested.items()})
