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

__all__ = ["RULES", "Selection", "kaiser", "selection", "threshold"]

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
    below = np.flatnonzero(values <= mean * (1.0 + 1e-12))
    if below.size:
        return max(int(below[0]), 1)
    return len(values) if len(values) >= dimension else None


RULES: dict[str, Rule] = {"kaiser": kaiser}


@dataclass(frozen=True)
class Selection:
    """What `n_components` means: a number, a rule, or every axis that carries inertia."""

    q: int | None = None
    rule: Rule | None = None


def selection(n_components: Any, limit: int, what: str) -> Selection:
    """Return the meaning of `n_components` for a method with at most `limit` axes."""
    name = f"n_components={n_components!r}"
    if n_components is None:
        return Selection()
    if isinstance(n_components, str):
        if n_components not in RULES:
            raise InputError(f"{name} is not a known rule: use one of {', '.join(RULES)}")
        return Selection(rule=RULES[n_components])
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
