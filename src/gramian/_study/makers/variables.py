"""Claims about what an axis is made of: variables whose loading was tested, or rows at its ends."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from gramian._study.claim import Claim, Grounds, claim
from gramian._study.language import Fixed, Listed, Name, Sentence, names, rows
from gramian._study.record import Study

_NAMED = 6  # variables or elements named on each side
_LEAST = 0.3  # a correlation under which a variable says little of an axis, however sure
_ENDS = 4  # rows named at each end


def variable_claims(study: Study, k: int) -> list[Claim]:
    """Name the variables of an axis; one sentence says all of them, each is a claim."""
    named = _named(study, k)
    if not len(named):
        return []
    positive, negative = named[named > 0].iloc[:_NAMED], named[named < 0].iloc[:_NAMED]
    sentence = _sentence(study, k, positive, negative)
    assert study.subject.table is not None
    labels = study.subject.table.columns
    table = study.evidence.loadings.table.loc[k]
    scheme = study.evidence.loadings.scheme
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


def _named(study: Study, k: int) -> pd.Series:
    loadings = study.evidence.loadings
    if loadings is None or k not in loadings.table.index.get_level_values(0):
        return pd.Series(dtype=float)
    named = loadings.named(k)
    return named[named.abs() >= _LEAST]


def _sentence(study: Study, k: int, positive: pd.Series, negative: pd.Series) -> Sentence:
    assert study.subject.table is not None
    labels = study.subject.table.columns
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


def element_claims(study: Study, k: int) -> list[Claim]:
    """Name the columns, or categories and numbers, that contribute more than their share."""
    table = study.fit.axis_elements()
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
    key = f"{key}.counts" if study.subject.method == "ca" else key  # which has points of rows, too
    values = {"k": k, "high": names(high), "low": names(low)}
    sentence = Sentence(f"claim.data.elements.{key}", values)
    return [claim("data", sentence, subject=f"axis {k}", axis=k, effect_name="elements")]


def end_claims(study: Study, k: int) -> list[Claim]:
    """Say which rows stand at the ends of an axis that has no variables."""
    if study.has_columns or study.subject.method in ("mca", "famd", "mfa"):
        return []
    f = np.asarray(study.fit.coordinates_, dtype=float)[:, k - 1]
    order = np.argsort(f, kind="stable")
    count = min(_ENDS, max(1, len(f) // 4))
    index = study.subject.index
    low, high = (rows(index[some[:count]]) for some in (order, order[::-1]))
    counts = ".counts" if study.subject.method == "ca" else ""  # which has points of columns, too
    sentence = Sentence(f"claim.data.ends{counts}", {"k": k, "low": low, "high": high})
    return [claim("data", sentence, subject=f"axis {k}", axis=k, effect_name="ends")]
