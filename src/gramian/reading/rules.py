"""How many axes to keep, from the eigenvalues alone.

A rule takes the leading eigenvalues (descending), the total inertia and the number of axes there
could be, and returns q, or None when more eigenvalues are needed to decide.
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gramian.errors import InputError
from gramian.reading.noise_rules import TABLE_RULES

__all__ = [
    "RULES",
    "Selection",
    "broken_stick",
    "cattell",
    "elbow",
    "kaiser",
    "selection",
    "sticks",
    "threshold",
]

Rule = Callable[[np.ndarray, float, int], int | None]


def threshold(share: float) -> Rule:
    """Keep the smallest q whose eigenvalues add up to at least `share` of the total.

    >>> threshold(0.8)(np.array([3.0, 1.5, 0.5]), 5.0, 3)
    2
    """

    def rule(values: np.ndarray, total: float, dimension: int) -> int | None:
        # The tolerance lets a share that is met exactly count as met.
        enough = np.flatnonzero(np.cumsum(values) >= (share - 1e-12) * total)
        if enough.size:
            return int(enough[0]) + 1
        return len(values) if len(values) >= dimension else None

    return rule


def kaiser(values: np.ndarray, total: float, dimension: int) -> int | None:
    """Keep the axes with more inertia than the average axis (1 for scaled data).

    >>> kaiser(np.array([3.0, 1.5, 0.4, 0.1]), 5.0, 4)
    2
    """
    mean = total / dimension
    return _first(values <= mean * (1.0 + 1e-12), dimension)


def _first(fails: np.ndarray, dimension: int) -> int | None:
    """Return the number of axes before the first that fails, at least 1; None if none does yet."""
    failing = np.flatnonzero(fails)
    if failing.size:
        return max(int(failing[0]), 1)
    return len(fails) if len(fails) >= dimension else None


def cattell(values: np.ndarray, total: float, dimension: int) -> int | None:
    """Keep axes 1 to k + 1 while the second differences 1 to k of the eigenvalues are positive.

    δ_k = (λ_k − λ_{k+1}) − (λ_{k+1} − λ_{k+2}); the first δ_k ≤ 0 ends the count.

    >>> cattell(np.array([5.0, 3.0, 2.0, 1.0, 0.5]), 11.5, 5)
    2
    """
    if len(values) < 3:
        return min(len(values), 1) if len(values) >= dimension else None
    bend = np.diff(values, n=2)
    flat = np.flatnonzero(bend <= 1e-12 * values[0])
    if flat.size:
        return int(flat[0]) + 1
    return len(bend) + 1 if len(values) >= dimension else None


def sticks(total: float, dimension: int) -> np.ndarray:
    """Return the expected lengths of a stick of length `total` broken at random in `dimension`.

    b_k = total/m · Σ_{i ≥ k} 1/i, the longest piece first.

    >>> sticks(3.0, 2)
    array([2.25, 0.75])
    """
    return total / dimension * np.cumsum(1.0 / np.arange(dimension, 0, -1))[::-1]


def broken_stick(values: np.ndarray, total: float, dimension: int) -> int | None:
    """Keep the axes, from the first on, longer than the pieces of a stick broken at random.

    >>> broken_stick(np.array([3.0, 1.2, 0.5, 0.3]), 5.0, 4)
    1
    """
    values = values[:dimension]
    return _first(values <= sticks(total, dimension)[: len(values)], dimension)


def elbow(values: np.ndarray, total: float, dimension: int) -> int | None:
    """Keep the axes before the corner of the scree: its point farthest below the chord.

    The chord goes from the first eigenvalue to the last. The distance to it is, up to a factor,
    c − λ_k − (k − 1)·s with s its slope; with the last eigenvalues unknown, s lies between two
    bounds, and the corner is certain when it is the same for both and nothing later can be lower.

    >>> elbow(np.array([10.0, 9.0, 1.0, 0.9, 0.8]), 21.7, 5)
    2
    """
    values = values[:dimension]
    known = len(values)
    if dimension <= 2:
        return 1
    if known == 0:
        return None
    rest = 0.0 if known >= dimension else max(total - float(values.sum()), 0.0)
    last = float(values[-1])
    highest = last if known >= dimension else min(last, rest / (dimension - known))
    lowest = last if known >= dimension else 0.0
    position = np.arange(known)
    steep, gentle = ((values[0] - end) / (dimension - 1) for end in (lowest, highest))
    corners = {int(np.argmin(values + position * slope)) for slope in (steep, gentle)}
    if known < dimension:
        best = float((values + position * steep).min())
        if len(corners) > 1 or best > known * gentle:
            return None
    return max(min(corners), 1)


RULES: dict[str, Rule] = {
    "kaiser": kaiser,
    "elbow": elbow,
    "cattell": cattell,
    "broken_stick": broken_stick,
}
_OF_LIVE_AXES = ("elbow", "broken_stick", "cattell")  # they look at axes, not at columns
PARALLEL = "parallel"


@dataclass(frozen=True)
class Selection:
    """What `n_components` means: a number, a rule, or every axis that carries inertia."""

    q: int | None = None
    rule: Rule | None = None


def selection(
    n_components: Any,
    limit: int,
    what: str,
    *,
    shape: tuple[int, int] | None = None,
) -> Selection:
    """Return the meaning of `n_components` for a method with at most `limit` axes.

    `shape` is that of the table whose principal components they are, for the rules that need it.
    """
    name = f"n_components={n_components!r}"
    if n_components is None:
        return Selection()
    if isinstance(n_components, str):
        return _named(n_components, shape)
    if isinstance(n_components, bool | np.bool_) or not isinstance(n_components, numbers.Real):
        raise InputError(f"{name} must be a whole number, a share in (0, 1), a rule's name or None")
    if isinstance(n_components, numbers.Integral):
        if not 1 <= int(n_components) <= limit:
            raise InputError(f"{name} must lie between 1 and {limit} ({what})")
        return Selection(q=int(n_components))
    share = float(n_components)
    if not (0.0 < share < 1.0) or math.isnan(share):
        raise InputError(f"{name} must lie strictly between 0 and 1 to be a share of the inertia")
    return Selection(rule=threshold(share))


def _named(name: str, shape: tuple[int, int] | None) -> Selection:
    """Return the meaning of a rule's name ("parallel" is settled by the estimator before)."""
    if name in RULES:
        rule = RULES[name]
        if shape is not None and name in _OF_LIVE_AXES:
            rule = _among(rule, shape[0] - 1)
        return Selection(rule=rule)
    if name in TABLE_RULES and shape is not None:
        return Selection(rule=TABLE_RULES[name](*shape))
    known = ", ".join([*RULES, *(TABLE_RULES if shape else ()), PARALLEL])
    why = "is not a known rule"
    if name in TABLE_RULES or name == PARALLEL:
        why = "needs a table, which is not at hand here"
    raise InputError(f"n_components={name!r} {why}: use one of {known}")


def _among(rule: Rule, most: int) -> Rule:
    """Return the rule for a spectrum of at most `most` axes, however many columns there are."""

    def bounded(values: np.ndarray, total: float, dimension: int) -> int | None:
        return rule(values[:most], total, min(dimension, most))

    return bounded
