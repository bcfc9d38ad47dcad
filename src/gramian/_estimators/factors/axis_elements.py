"""What makes the axes of counts, categories and mixed tables, as one table with plain names."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pandas as pd

from gramian._estimators.factors.correspondence import CA
from gramian._estimators.factors.mixed import MixedEstimator

_MEASURES = ["coordinate", "cos2", "contribution"]
_BARE = ("yes", "no", "oui", "non", "true", "false", "other", "none")


def axis_elements(fitted: Any) -> pd.DataFrame | None:
    """Return the columns of a CA, the categories of an MCA, numbers and categories of a FAMD.

    None for methods whose axes are made of columns of numbers, or of none.

    >>> import gramian as gm
    >>> fit = gm.CA(1).fit([[20, 5, 1], [6, 18, 6], [2, 7, 25]])
    >>> axis_elements(fit)["contribution", 1].round(3).tolist()
    [0.531, 0.0, 0.469]
    """
    if isinstance(fitted, CA):
        return fitted.variables()[_MEASURES]
    if not isinstance(fitted, MixedEstimator):
        return None
    parts = []
    own = fitted.variables()
    if "correlation" in own.columns.get_level_values(0):
        parts.append(own[own["correlation", 1].notna()][_MEASURES])
    if fitted.coding_.is_level.any():
        levels = fitted.categories()[_MEASURES]
        parts.append(levels.set_axis(level_names(levels.index), axis=0))
    return pd.concat(parts)


def level_names(index: pd.Index) -> list[str]:
    """Return categories by their names, with the question where that alone would say little.

    >>> level_names(pd.MultiIndex.from_tuples([("milk", "yes"), ("tea", "green"), ("sex", "F")]))
    ['milk=yes', 'green', 'sex=F']
    """
    counts = Counter(str(level) for _, level in index)
    return [
        f"{variable}={level}" if counts[str(level)] > 1 or _is_bare(str(level)) else str(level)
        for variable, level in index
    ]


def _is_bare(level: str) -> bool:
    """Whether a category says nothing without its question: 0, F, yes."""
    return len(level) < 3 or level.lower() in _BARE
