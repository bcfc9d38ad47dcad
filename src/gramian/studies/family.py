"""One level for all that a study finds: axes, groups and curves share 5 %."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

ALPHA = 0.05


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
