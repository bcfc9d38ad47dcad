"""Claims about what an axis of counts or categories is made of: a description, not a test."""

from __future__ import annotations

from typing import Any

import pandas as pd

from gramian.language import Sentence, names
from gramian.studies.claim import Claim, claim
from gramian.studies.makers.case import Case

__all__ = ["element_claims", "elements_of", "labels_of"]

_NAMED = 6  # on each side


def element_claims(case: Case, k: int) -> list[Claim]:
    """Name the columns, or categories and numbers, that contribute more than their share."""
    table = elements_of(case.subject, case.fit)
    if table is None or ("contribution", k) not in table.columns:
        return []
    share = table["contribution", k]
    strong = table[share > 1 / len(table)].sort_values(
        ("contribution", k), ascending=False, kind="stable"
    )
    side = strong["coordinate", k]
    high, low = (list(part.index[:_NAMED]) for part in (strong[side > 0], strong[side < 0]))
    if not high and not low:
        return []
    key = "both" if high and low else "high" if high else "low"
    values = {"k": k, "high": names(high), "low": names(low)}
    sentence = Sentence(f"claim.data.elements.{key}", values)
    return [claim("data", sentence, subject=f"axis {k}", axis=k, effect_name="elements")]


def elements_of(subject: Any, fit: Any) -> pd.DataFrame | None:
    """Return what made the axes: columns of counts, categories, numbers; None for other methods."""
    if subject.method == "ca":
        return fit.variables()
    if subject.method not in ("mca", "famd"):
        return None
    levels = fit.categories()
    levels = levels.set_axis(labels_of(levels.index), axis=0)
    if subject.method == "mca":
        return levels
    own = fit.variables()
    numbers = own[own["correlation", 1].notna()]
    return pd.concat([numbers[["coordinate", "cos2", "contribution"]], levels], join="inner")


def labels_of(index: pd.MultiIndex) -> list[str]:
    """Return categories by their names, with the question where two have the same.

    >>> labels_of(pd.MultiIndex.from_tuples([("milk", "yes"), ("tea", "green"), ("sugar", "yes")]))
    ['milk: yes', 'green', 'sugar: yes']
    """
    levels = [str(level) for _, level in index]
    return [
        f"{variable}: {level}"
        if levels.count(str(level)) > 1 or _is_short(str(level))
        else str(level)
        for variable, level in index
    ]


def _is_short(level: str) -> bool:
    """Whether a category says nothing without its question: 0, y, NA."""
    return len(level) < 3 or level.lower() in ("yes", "no", "oui", "non", "true", "false")
