"""Corrections of p-values for their number."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from gramian._core.check import invalid
from gramian._core.numbers import as_floats

ALPHA = 0.05  # of all findings of a study together


def bonferroni(p: Any, count: float) -> Any:
    """Return p-values times the number of tests.

    >>> bonferroni(np.array([0.01, 0.4]), 3).tolist()
    [0.03, 1.0]
    """
    return np.minimum(p * count, 1.0)


def holm(p: Any) -> np.ndarray:
    """Return p-values corrected for their number by Holm's step-down rule.

    The chance that any true hypothesis falls below alpha is at most alpha, whatever the
    dependence: p₍ᵢ₎ becomes max_{j ≤ i} (m − j + 1)·p₍ⱼ₎. A NaN (not tested) stays NaN and does not
    count.

    Parameters
    ----------
    p : array (m,)

    Returns
    -------
    array (m,)

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    out = _p_values_of(p).copy()
    tested = np.flatnonzero(~np.isnan(out))
    order = tested[np.argsort(out[tested], kind="stable")]
    steps = out[order] * np.arange(len(order), 0, -1)
    out[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return out


def benjamini_hochberg(p: Any) -> np.ndarray:
    """Return p-values corrected for the expected share of false ones among those that pass.

    p₍ᵢ₎ becomes min_{j ≥ i} m·p₍ⱼ₎/j: those at most alpha are, on the average, false in a share of
    at most alpha (independent or positively dependent tests). A NaN stays NaN and does not count.

    Parameters
    ----------
    p : array (m,)

    Returns
    -------
    array (m,)

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
    """p-values that are corrected for all kinds of findings together.

    Attributes
    ----------
    axes : tuple of float
        Of each axis that was tested.
    others : dict
        Of the other kinds, by name.
    """

    axes: tuple[float, ...]
    others: dict[str, float]

    @property
    def n_axes(self) -> int:
        """The axes before the first that fails."""
        return int(np.sum(np.cumprod(np.array(self.axes) < ALPHA)))


def family(
    axes: Sequence[float], others: Mapping[str, float], failed: Collection[str] = ()
) -> Family:
    """Correct the p-values of axes, in their order, and of other kinds of findings.

    A sequentially rejective procedure (Bretz and others 2009): each kind holds the same part of
    the level. An axis that is found hands its part on to the next, another kind that is found to
    the kinds that are left, so that the chance of any false finding is at most the level. Kinds
    whose test `failed` ("axes" among them) keep their part: it is as if their p-value was 1.

    >>> family([0.001, 0.02], {"groups": 0.04}).axes
    (0.002, 0.04)
    """
    open_ = {name: float(p) for name, p in others.items() if np.isfinite(p)}
    open_ |= dict.fromkeys(failed, 1.0)
    open_.pop("axes", None)
    chain = [1.0] if "axes" in failed else [float(p) for p in axes]
    weight = 1.0 / max(len(open_) + bool(chain), 1)
    parts = dict.fromkeys([*open_, *(["axes"] if chain else [])], weight)
    if chain:
        open_["axes"] = chain[0]
    corrected: dict[str, float] = {}
    done: list[float] = []
    least = 0.0
    while open_:
        name = min(open_, key=lambda each: open_[each] / parts[each])
        least = max(least, min(1.0, open_[name] / parts[name]))
        if least >= ALPHA:
            break
        if name == "axes":
            done.append(least)
            if len(done) < len(chain):
                open_["axes"] = chain[len(done)]
                continue
        else:
            corrected[name] = least
        _hand_on(parts, open_, name)
    rest = {name: max(least, min(1.0, p / parts[name])) for name, p in open_.items()}
    done += [rest.pop("axes")] * (len(chain) - len(done)) if "axes" in rest else []
    tested = {name: p for name, p in (corrected | rest).items() if name not in failed}
    return Family(() if "axes" in failed else tuple(done), tested)


def _hand_on(parts: dict[str, float], open_: dict[str, float], name: str) -> None:
    """Give the part of a kind to those that are left."""
    part = parts.pop(name)
    del open_[name]
    for each in open_:
        parts[each] += part / len(open_)
