"""Claims about axes: which stand above noise, and which variables or rows make them."""

from typing import Any

import numpy as np
import pandas as pd

from gramian._nulls.p_values import count_axes
from gramian._study.evidence import MAX_CELLS
from gramian._study.language import Fixed, Listed, Name, P, Sentence, Share, names, rows
from gramian._study.methods import MAPS
from gramian._study.record import Claim, NullTest, Study, claim
from gramian.evidence import AxesEvidence
from gramian.evidence.kernel_axes import OBJECTS

_FIRST_FLOOR = 0.01  # of the p-values after the first draws
_COUNTS = "margins"  # a null that is valid for individuals counted independently
_OWN_NULLS = ("questions", "grouped", "margins", "counts")  # schemes of factor methods
_MAX_SIDE_NAMES = 6  # variables or elements named on each side
_MIN_CORRELATION = 0.3  # of a variable that is named, however significant
_MAX_END_ROWS = 4  # named at each end of an axis


def axes_test(study: Study) -> NullTest:
    """Return the null and the assumption of the test of axes."""
    assert study.evidence.axes is not None
    scheme = study.evidence.axes.scheme
    if scheme not in _OWN_NULLS and not study.has_columns:
        scheme = "kernel"
    return NullTest("axes", f"null.axes.{scheme}", f"holds.{scheme}")


def axes_claims(study: Study) -> list[Claim]:
    """State how many axes stand above noise, or that none does, or that they were not tested."""
    evidence, axes, q = study.evidence, study.evidence.axes, study.evidence.q
    if axes is None or not evidence.tested:
        reason = evidence.failures.get("axes")
        if reason is None:
            key = f"claim.untested.reason.{_reason_not_tested(study)}"
            reason = Sentence(key, _count_values(study))
        sentence = Sentence("claim.untested.axes", {"reason": reason})
        return [claim("not-tested", sentence, subject="axes")]
    if q == 0:
        sentence = Sentence("claim.none.axes", {"p": _p(study, axes, 1)})
        p, test = evidence.family.axes[0], axes_test(study)
        return [claim("nothing", sentence, subject="axes", p_value=p, test=test)]
    share = Share(float(study.shares[:q].sum()))
    key = "axes.counts" if axes.scheme == _COUNTS else "axes"
    return [
        claim(
            "axes",
            Sentence(f"claim.{key}", {"count": q, "share": share, "p": _p(study, axes, q)}),
            subject="axes",
            p_value=evidence.family.axes[q - 1],
            effect=q,
            effect_name="axes",
            test=axes_test(study),
        )
    ]


def axis_claims(study: Study, k: int) -> list[Claim]:
    """State what one axis carries, and whether that is above noise."""
    evidence, axes, share = study.evidence, study.evidence.axes, float(study.shares[k - 1])
    values = {"k": k, "share": Share(share)}
    effect: dict[str, Any] = {"axis": k, "effect": share, "effect_name": "share of inertia"}
    if axes is None or not evidence.tested or k > len(evidence.family.axes):
        key = "data.axis.untested" if not evidence.tested else "data.axis.after"
        if study.fit.is_map and study.subject.kind == "fit":
            key = "data.axis.map"
        return [claim("data", Sentence(f"claim.{key}", values), subject=f"axis {k}", **effect)]
    above = k <= evidence.q
    key = "data.axis"
    if above:
        key = "axes.k.deflated" if k in axes.deflated else "axes.k"
        key = "axes.k.counts" if axes.scheme == _COUNTS else key
    sentence = Sentence(f"claim.{key}", {**values, "p": _p(study, axes, k)})
    effect |= {"p_value": evidence.family.axes[k - 1], "test": axes_test(study)}
    return [claim("axes" if above else "nothing", sentence, subject=f"axis {k}", **effect)]


def _p(study: Study, axes: AxesEvidence, k: int) -> P:
    """Return the corrected p-value; a clear answer takes fewer draws, whose floor is higher."""
    p, own = study.evidence.family.axes[k - 1], float(axes.p_values[k - 1])
    return P(p, p if own <= max(axes.floor, _FIRST_FLOOR) else 0.0)


def _count_values(study: Study) -> dict[str, Any]:
    """Return the number of axes of counts, valid where individuals were counted once."""
    axes = study.evidence.axes
    if axes is None or axes.scheme != "counts":
        return {}
    count = count_axes(axes.p_values, axes.alpha)
    return {"count": count, "p": P(float(axes.p_values[count - 1]), axes.floor)}


def _reason_not_tested(study: Study) -> str:
    subject = study.subject
    if subject.has_weights:
        return "weights"
    if study.fit.is_external:
        return "map"
    if subject.method == "ca":
        if study.evidence.axes is not None:
            return "dispersion"
        return "flocks" if subject.X.size <= MAX_CELLS else "large"
    if subject.kind == "table" and subject.method in MAPS:
        return "distances"
    if not study.has_columns and subject.n >= OBJECTS:
        if study.fit.is_precomputed:
            return "flat"
        return "distances" if study.fit.is_map else "kernel"
    if study.fit.n_components_ < 2:
        return "single"
    return "rows" if study.evidence.scheme == "none" else "few"


def variable_claims(study: Study, k: int) -> list[Claim]:
    """Name the variables of an axis; one sentence states all of them, each is a claim."""
    loadings, table = study.evidence.loadings, study.subject.table
    if loadings is None or table is None or k not in loadings.table.index.get_level_values(0):
        return []
    named = loadings.named(k)
    named = named[named.abs() >= _MIN_CORRELATION]
    if not len(named):
        return []
    high, low = (part.iloc[:_MAX_SIDE_NAMES] for part in (named[named > 0], named[named < 0]))
    sentence = _variable_sentence(table.columns, k, high, low)
    p_values = loadings.table.loc[k]["corrected"]
    out = [
        claim(
            "axis-variable",
            sentence,
            subject=table.columns[int(j)],
            axis=k,
            p_value=p_values.loc[j],
            effect=r,
            effect_name="correlation",
            test=NullTest("loadings", "null.loadings", f"holds.{loadings.scheme}"),
        )
        for j, r in pd.concat([high, low]).items()
    ]
    if len(named) > len(out):  # no silent cut
        count = {"count": len(named), "p": table.shape[1], "k": k}
        sentence = Sentence("claim.data.loading", count)
        out.append(claim("data", sentence, subject=f"axis {k}", axis=k, effect_name="variables"))
    return out


def _variable_sentence(labels: pd.Index, k: int, high: pd.Series, low: pd.Series) -> Sentence:
    sides = {
        side: tuple(
            Sentence("variable.r", {"name": Name(label), "r": Fixed(float(value))})
            for label, value in zip(labels[r.index.to_numpy()], r, strict=True)
        )
        for side, r in (("positive", high), ("negative", low))
    }
    named = {side: Listed(parts, _MAX_SIDE_NAMES) for side, parts in sides.items()}
    if len(high) and len(low):
        return Sentence("claim.variable.opposes", {"k": k, **named})
    side, count = "positive" if len(high) else "negative", max(len(high), len(low))
    return Sentence(f"claim.variable.{side}", {"k": k, "names": named[side], "count": count})


def element_claims(study: Study, k: int) -> list[Claim]:
    """Name the columns, or categories and numbers, that contribute more than their share."""
    table = study.fit.axis_elements()
    if table is None or ("contribution", k) not in table.columns:
        return []
    share = table["contribution", k].to_numpy(dtype=float)
    order = np.argsort(-share, kind="stable")
    strong = table.iloc[order[share[order] > 1 / len(table)]]
    side = strong["coordinate", k]
    high, low = (
        list(part.index[:_MAX_SIDE_NAMES]) for part in (strong[side > 0], strong[side < 0])
    )
    if not high and not low:
        return []
    key = "both" if high and low else "high" if high else "low"
    key = f"{key}.counts" if study.subject.method == "ca" else key  # which has points of rows, too
    values = {"k": k, "high": names(high), "low": names(low)}
    sentence = Sentence(f"claim.data.elements.{key}", values)
    return [claim("data", sentence, subject=f"axis {k}", axis=k, effect_name="elements")]


def end_claims(study: Study, k: int) -> list[Claim]:
    """State which rows stand at the ends of an axis that has no variables."""
    if study.has_columns or study.subject.method in ("mca", "famd", "mfa"):
        return []
    f = np.asarray(study.fit.coordinates_, dtype=float)[:, k - 1]
    order = np.argsort(f, kind="stable")
    count = min(_MAX_END_ROWS, max(1, len(f) // 4))
    index = study.subject.index
    low, high = (rows(index[some[:count]]) for some in (order, order[::-1]))
    counts = ".counts" if study.subject.method == "ca" else ""  # which has points of columns, too
    sentence = Sentence(f"claim.data.ends{counts}", {"k": k, "low": low, "high": high})
    return [claim("data", sentence, subject=f"axis {k}", axis=k, effect_name="ends")]
