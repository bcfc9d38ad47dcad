"""All claims of a study, in the order of a page."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from gramian._study.claim import Claim, claim
from gramian._study.language import P, Sentence
from gramian._study.makers.assumptions import assumption_claims
from gramian._study.makers.axes import axes_claims, axes_grounds, axis_claim
from gramian._study.makers.curves import curve_claims, kernel_group_claims
from gramian._study.makers.data import data_claims, size_claim
from gramian._study.makers.groups import axis_group_claims, group_claims, tie_claims
from gramian._study.makers.rows import row_claims
from gramian._study.makers.stability import axis_stability_claims, stability_claims
from gramian._study.makers.variables import (
    element_claims,
    end_claims,
    variable_claims,
)
from gramian._study.record import Study

_SUMMARY_AXES = 6
_SUMMARY_GROUPS = 3
_SUMMARY_ASSUMPTIONS = ("order", "copies", "unequal rows")
_FOUND = ("axes", "axis-group", "group", "tie", "row", "curve", "cluster")
_ABOUT_AXIS: tuple[Callable[[Study, int], list[Claim]], ...] = (
    variable_claims,
    element_claims,
    end_claims,
    axis_group_claims,
    tie_claims,
)


def claims_of(study: Study) -> tuple[Claim, ...]:
    """Return every claim; that nothing was found at all is said in place of no axis."""
    out = [size_claim(study), *data_claims(study), *assumption_claims(study)]
    out += axes_claims(study)
    for k in study.read:
        out.append(axis_claim(study, k))
        out += [c for maker in _ABOUT_AXIS for c in maker(study, k)]
        out += axis_stability_claims(study, k)
    out += [*group_claims(study), *kernel_group_claims(study)]
    out += row_claims(study)
    out += stability_claims(study)
    out += curve_claims(study)
    out += _untested(study)
    whole = study.evidence.tested and not study.evidence.failures
    if whole and not any(c.kind in _FOUND for c in out):
        out = [_nothing(study) if c.sentence.key == "claim.none.axes" else c for c in out]
    return tuple(out)


def _nothing(study: Study) -> Claim:
    p = study.evidence.family.axes[0]
    sentence = Sentence("claim.nothing", {"p": P(p)})
    return claim("nothing", sentence, subject="nothing", p_value=p, grounds=axes_grounds(study))


def _untested(study: Study) -> list[Claim]:
    """Report each part that failed, and why."""
    out = []
    for part, reason in study.evidence.failures.items():
        if part != "axes":  # reported with the axes
            values = {"part": Sentence(f"claim.part.{part}"), "reason": reason}
            out.append(claim("not-tested", Sentence("claim.untested.part", values), subject=part))
    return out


def short(claims: Iterable[Claim], read: tuple[int, ...]) -> tuple[Claim, ...]:
    """Return the claims of a summary: size, axes, what they show, what else was found.

    Every axis that is announced is read, by the groups and variables that go with it. What makes an
    axis that was not told apart from noise is told beside the axis only.
    """
    every = list(claims)

    def of(*kinds: str, axis: int | None = None) -> list[Claim]:
        return [c for c in every if c.kind in kinds and c.axis == axis]

    out = [c for c in of("data") if c.subject == "size"]
    out += [c for c in of("data") if c.subject == "method"]
    out += [c for c in of("axes", "nothing", "not-tested") if c.subject in ("axes", "nothing")]
    untested = any(c.subject == "axes" for c in of("not-tested"))
    out += [c for c in of("assumption") if c.subject in _SUMMARY_ASSUMPTIONS]
    for k in read[:_SUMMARY_AXES]:
        stands = untested or bool(of("axes", axis=k))
        shown = [*of("axis-group", axis=k)[:1], *(of("axis-variable", axis=k)[:1] * stands)]
        shown += of("tie", axis=k)[:1]
        out += shown or of("axes", axis=k)
        if not of("axis-variable", axis=k):
            made = [c for c in of("data", axis=k) if c.effect_name == "elements"]
            ends = [c for c in of("data", axis=k) if c.effect_name == "ends"]
            out += (made or ends) if stands else []
        out += [c for c in of("stability", axis=k) if c.effect_name == "share of an axis"]
    told = {c.subject for c in out if c.kind == "axis-group"}
    out += [c for c in of("group") if c.subject not in told][:_SUMMARY_GROUPS]
    out += [c for c in of("data") if c.subject == "rows"]
    out += of("curve", "cluster")
    out += [c for c in of("data") if c.subject == "classes"]
    out += [c for c in of("stability") if c.subject.startswith("axes")]
    return tuple({c.text: c for c in out}.values())
