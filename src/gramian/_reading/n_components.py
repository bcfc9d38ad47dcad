"""What `n_components` means: a number, a share of the inertia, or the name of a rule."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gramian._core.check import invalid, is_number, is_whole
from gramian._core.warn import warn
from gramian._reading.choice import as_choice
from gramian._reading.parallel import NullTable
from gramian._reading.registry import RULES, listed
from gramian._reading.rule import NEEDS, Step
from gramian._reading.spectrum_rules import threshold
from gramian.errors import RankWarning

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
    if n_components is None:
        return Selection()
    if isinstance(n_components, str):
        return Selection(rule=_step(n_components, shape))
    if not is_number(n_components):
        raise invalid(
            "n_components",
            n_components,
            "must be a whole number, a share in (0, 1), a rule's name or None",
        )
    if is_whole(n_components):
        if not 1 <= int(n_components) <= limit:
            reason = f"must lie between 1 and {limit} ({what})"
            raise invalid("n_components", n_components, reason)
        return Selection(q=int(n_components))
    share = float(n_components)
    if not (0.0 < share < 1.0) or math.isnan(share):
        raise invalid(
            "n_components",
            n_components,
            "must lie strictly between 0 and 1 to be a share of the inertia",
        )
    return Selection(rule=threshold(share))


def _step(name: str, shape: tuple[int, int] | None) -> Step:
    """Return the rule of that name for a solver (those of tables are settled before the fit)."""
    name = ALIASES.get(name, name)
    rule = RULES.get(name)
    able = {n: r for n, r in RULES.items() if shape is not None or not NEEDS[r.needs].linear}
    if rule is None:
        reason = f"is not a known rule: use one of {listed(able)}"
        raise invalid("n_components", name, reason)
    if rule.of_table or name not in able:
        at_hand = [n for n, other in able.items() if not other.of_table]
        reason = f"needs a table, which is not at hand here: use one of {listed(at_hand)}"
        raise invalid("n_components", name, reason)
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
        reason = f"needs {NEEDS[rule.needs].what}: use one of {listed(able)}"
        raise invalid("n_components", rule.name, reason)
    choice = as_choice(rule.on_table(table, {"random_state": random_state}), rule.name)
    if choice == 0:
        p = choice.p_value
        first = "" if math.isnan(p) else f" (p = {p:.2g} for the first)"
        text = f"n_components={rule.name!r} finds no axis above noise{first}: one axis is kept"
        warn(RankWarning(text, argument="n_components", found=rule.name))
    return max(int(choice), 1)
