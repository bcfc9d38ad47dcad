"""Claims about what an axis is made of: variables whose loading was tested, or rows at its ends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from gramian.language import Fixed, Listed, Name, Sentence, rows
from gramian.studies.claim import Claim, Grounds, claim
from gramian.studies.makers.case import Case

__all__ = ["end_claims", "variable_claims"]

_NAMED = 6  # variables named on each side
_LEAST = 0.3  # a correlation under which a variable says little of an axis, however sure
_ENDS = 4  # rows named at each end


def variable_claims(case: Case, k: int) -> list[Claim]:
    """Name the variables of an axis; one sentence says all of them, each is a claim."""
    named = _named(case, k)
    if not len(named):
        return []
    positive, negative = named[named > 0].iloc[:_NAMED], named[named < 0].iloc[:_NAMED]
    sentence = _sentence(case, k, positive, negative)
    assert case.subject.table is not None
    labels = case.subject.table.columns
    table = case.evidence.loadings.table.loc[k]
    scheme = case.evidence.loadings.scheme
    grounds = Grounds("loadings", "null.loadings", f"holds.{scheme}")
    out = [
        claim(
            "axis-variable",
            sentence,
            subject=labels[j],
            axis=k,
            p_value=table.loc[j, "corrected"],
            effect=r,
            effect_name="correlation",
            grounds=grounds,
        )
        for j, r in pd.concat([positive, negative]).items()
    ]
    if len(named) > len(out):  # no silent cut
        values = {"count": len(named), "p": len(labels), "k": k}
        count = Sentence("claim.data.loading", values)
        out.append(claim("data", count, subject=f"axis {k}", axis=k, effect_name="variables"))
    return out


def _named(case: Case, k: int) -> pd.Series:
    loadings = case.evidence.loadings
    if loadings is None or k not in loadings.table.index.get_level_values(0):
        return pd.Series(dtype=float)
    named = loadings.named(k)
    return named[named.abs() >= _LEAST]


def _sentence(case: Case, k: int, positive: pd.Series, negative: pd.Series) -> Sentence:
    assert case.subject.table is not None
    labels = case.subject.table.columns
    sides = {"positive": _listed(labels, positive), "negative": _listed(labels, negative)}
    if len(positive) and len(negative):
        return Sentence("claim.variable.opposes", {"k": k, **sides})
    side = "positive" if len(positive) else "negative"
    count = max(len(positive), len(negative))
    return Sentence(f"claim.variable.{side}", {"k": k, "names": sides[side], "count": count})


def _listed(labels: Any, r: pd.Series) -> Listed:
    parts = [
        Sentence("variable.r", {"name": Name(labels[j]), "r": Fixed(float(value))})
        for j, value in r.items()
    ]
    return Listed(tuple(parts), _NAMED)


def end_claims(case: Case, k: int) -> list[Claim]:
    """Say which rows stand at the ends of an axis that has no variables."""
    if case.has_columns or case.subject.method in ("mca", "famd", "mfa"):
        return []
    f = np.asarray(case.fit.coordinates_, dtype=float)[:, k - 1]
    order = np.argsort(f, kind="stable")
    count = min(_ENDS, max(1, len(f) // 4))
    index = case.subject.index
    low, high = (rows(index[some[:count]]) for some in (order, order[::-1]))
    counts = ".counts" if case.subject.method == "ca" else ""  # which has points of columns, too
    sentence = Sentence(f"claim.data.ends{counts}", {"k": k, "low": low, "high": high})
    return [claim("data", sentence, subject=f"axis {k}", axis=k, effect_name="ends")]
