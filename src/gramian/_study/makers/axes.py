"""Claims about noise: which axes stand above it."""

from __future__ import annotations

from typing import Any

from gramian._nulls.p_values import count_axes
from gramian._study.claim import Claim, Grounds, claim
from gramian._study.gather import CELLS
from gramian._study.language import P, Sentence, Share
from gramian._study.methods import MAPS
from gramian._study.record import Study
from gramian.evidence.kernel_axes import OBJECTS

_FIRST = 0.01  # the floor of a first look
_COUNTS = "margins"  # a null that holds for individuals that were counted independently


def axes_grounds(study: Study) -> Grounds:
    """What the test of axes holds them against."""
    scheme = study.evidence.axes.scheme
    if scheme in ("questions", "grouped", "margins", "counts"):
        return Grounds("axes", f"null.axes.{scheme}", f"holds.{scheme}")
    if not study.has_columns:
        return Grounds("axes", "null.axes.kernel", "holds.kernel")
    return Grounds("axes", f"null.axes.{scheme}", f"holds.{scheme}")


def axes_claims(study: Study) -> list[Claim]:
    """Say how many axes stand above noise, or that none was told apart, or not tested."""
    evidence, q = study.evidence, study.evidence.q
    if not evidence.tested:
        reason = evidence.failures.get("axes")
        if reason is None:
            reason = Sentence(f"claim.untested.reason.{_reason(study)}", _counted_once(study))
        sentence = Sentence("claim.untested.axes", {"reason": reason})
        return [claim("not-tested", sentence, subject="axes")]
    if q == 0:
        sentence = Sentence("claim.none.axes", {"p": _p(study, 1)})
        p = evidence.family.axes[0]
        grounds = axes_grounds(study)
        return [claim("nothing", sentence, subject="axes", p_value=p, grounds=grounds)]
    share = Share(float(study.shares[:q].sum()))
    key = "axes.counts" if evidence.axes.scheme == _COUNTS else "axes"
    return [
        claim(
            "axes",
            Sentence(f"claim.{key}", {"count": q, "share": share, "p": _p(study, q)}),
            subject="axes",
            p_value=evidence.family.axes[q - 1],
            effect=q,
            effect_name="axes",
            grounds=axes_grounds(study),
        )
    ]


def axis_claim(study: Study, k: int) -> Claim:
    """Say what one axis carries, and whether that is above noise."""
    evidence, share = study.evidence, float(study.shares[k - 1])
    values = {"k": k, "share": Share(share)}
    effect: dict[str, Any] = {"axis": k, "effect": share, "effect_name": "share of inertia"}
    if not evidence.tested or k > len(evidence.family.axes):
        key = "data.axis.untested" if not evidence.tested else "data.axis.after"
        if study.fit.is_map and study.subject.kind == "fit":
            key = "data.axis.map"
        return claim("data", Sentence(f"claim.{key}", values), subject=f"axis {k}", **effect)
    above = k <= evidence.q
    key = "data.axis"
    if above:
        key = "axes.k.deflated" if k in evidence.axes.deflated else "axes.k"
        key = "axes.k.counts" if evidence.axes.scheme == _COUNTS else key
    return claim(
        "axes" if above else "nothing",
        Sentence(f"claim.{key}", {**values, "p": _p(study, k)}),
        subject=f"axis {k}",
        p_value=evidence.family.axes[k - 1],
        grounds=axes_grounds(study),
        **effect,
    )


def _p(study: Study, k: int) -> P:
    """Return the corrected p-value; a clear answer takes fewer draws, whose floor is higher."""
    p, own = study.evidence.family.axes[k - 1], float(study.evidence.axes.p_values[k - 1])
    return P(p, p if own <= max(study.evidence.axes.floor, _FIRST) else 0.0)


def _counted_once(study: Study) -> dict[str, Any]:
    """Return the axes of counts of individuals, where it was not told whether these are."""
    axes = study.evidence.axes
    if axes is None or axes.scheme != "counts":
        return {}
    count = count_axes(axes.p_values, axes.alpha)
    return {"count": count, "p": P(float(axes.p_values[count - 1]), axes.floor)}


def _reason(study: Study) -> str:
    """Return why axes were not tested."""
    subject = study.subject
    if subject.weighted:
        return "weights"
    if study.fit.is_external:
        return "map"
    if subject.method == "ca":
        if study.evidence.axes is not None:
            return "dispersion"
        return "flocks" if subject.X.size <= CELLS else "large"
    if subject.kind == "table" and subject.method in MAPS:
        return "distances"
    if not study.has_columns and subject.n >= OBJECTS:
        if study.fit.is_precomputed:
            return "flat"
        return "distances" if study.fit.is_map else "kernel"
    if study.fit.n_components_ < 2:
        return "single"
    return "rows" if study.evidence.scheme == "none" else "few"
