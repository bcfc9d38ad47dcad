"""Claims about what an axis of counts or categories is made of: a description, not a test."""

from __future__ import annotations

import numpy as np

from gramian.estimators.factors.axis_elements import axis_elements
from gramian.language import Sentence, names
from gramian.studies.claim import Claim, claim
from gramian.studies.makers.case import Case

__all__ = ["element_claims"]

_NAMED = 6  # on each side


def element_claims(case: Case, k: int) -> list[Claim]:
    """Name the columns, or categories and numbers, that contribute more than their share."""
    table = axis_elements(case.fit)
    if table is None or ("contribution", k) not in table.columns:
        return []
    share = table["contribution", k].to_numpy(dtype=float)
    order = np.argsort(-share, kind="stable")
    strong = table.iloc[order[share[order] > 1 / len(table)]]
    side = strong["coordinate", k]
    high, low = (list(part.index[:_NAMED]) for part in (strong[side > 0], strong[side < 0]))
    if not high and not low:
        return []
    key = "both" if high and low else "high" if high else "low"
    key = f"{key}.counts" if case.subject.method == "ca" else key  # which has points of rows, too
    values = {"k": k, "high": names(high), "low": names(low)}
    sentence = Sentence(f"claim.data.elements.{key}", values)
    return [claim("data", sentence, subject=f"axis {k}", axis=k, effect_name="elements")]
