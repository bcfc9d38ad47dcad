"""What `n_components` means: a number, a share of the inertia, or the name of a rule."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gramian._check import is_number, is_whole, short
from gramian._warn import warn
from gramian.errors import InputError, RankWarning
from gramian.reading.choice import as_choice
from gramian.reading.parallel import NullTable
from gramian.reading.registry import RULES, listed, register
from gramian.reading.rule import NEEDS, Step
from gramian.reading.spectrum_rules import kaiser, threshold

__all__ = ["RULES", "Selection", "kaiser", "register", "selection", "settled", "threshold"]

ALIASES = {"mle": "minka"}  # scikit-learn's name of a rule


@dataclass(frozen=True)
class Selection:
    """What `n_components` means: a number, a rule, or every axis that carries inertia."""

    q: int | None = None
    rule: Step | None = None


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
    name = f"n_components={short(n_components)}"
    if n_components is None:
        return Selection()
    if isinstance(n_components, str):
        return Selection(rule=_step(n_components, shape))
    if not is_number(n_components):
        raise InputError(f"{name} must be a whole number, a share in (0, 1), a rule's name or None")
    if is_whole(n_components):
        if not 1 <= int(n_components) <= limit:
            raise InputError(f"{name} must lie between 1 and {limit} ({what})")
        return Selection(q=int(n_components))
    share = float(n_components)
    if not (0.0 < share < 1.0) or math.isnan(share):
        raise InputError(f"{name} must lie strictly between 0 and 1 to be a share of the inertia")
    return Selection(rule=threshold(share))


def _step(name: str, shape: tuple[int, int] | None) -> Step:
    """Return the rule of that name for a solver (those of tables are settled before the fit)."""
    name = ALIASES.get(name, name)
    rule = RULES.get(name)
    able = {n: r for n, r in RULES.items() if shape is not None or not NEEDS[r.needs].linear}
    if rule is None:
        raise InputError(
            f"n_components={short(name)} is not a known rule: use one of {listed(able)}"
        )
    if rule.of_table or name not in able:
        at_hand = [n for n, other in able.items() if not other.of_table]
        raise InputError(
            f"n_components={short(name)} needs a table, which is not at hand here: use one of "
            f"{listed(at_hand)}"
        )
    return rule.step(shape)


def settled(n_components: Any, columns: Callable[[], NullTable], random_state: Any = None) -> Any:
    """Return `n_components`, or the number of axes where it names a rule that looks at a table.

    Where not even the first axis stands out it is 1, with a warning.
    """
    rule = RULES.get(n_components) if isinstance(n_components, str) else None
    if rule is None or not rule.of_table:
        return n_components
    table = columns()
    if not rule.applies(table):
        able = [name for name, other in RULES.items() if other.applies(table)]
        raise InputError(
            f"n_components={rule.name!r} needs {NEEDS[rule.needs].what}: use one of {listed(able)}"
        )
    choice = as_choice(rule.on_table(table, {"random_state": random_state}), rule.name)
    if choice == 0:
        p = "" if math.isnan(choice.p_value) else f" (p = {choice.p_value:.2g} for the first)"
        warn(
            f"n_components={short(rule.name)} finds no axis above noise{p}: one axis is kept",
            RankWarning,
        )
    return max(int(choice), 1)
