"""All claims of a study, in the order of a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gramian.language import P, Sentence
from gramian.studies.claim import Claim, claim
from gramian.studies.makers.assumptions import assumption_claims
from gramian.studies.makers.axes import axes_claims, axes_grounds, axis_claim
from gramian.studies.makers.case import Case
from gramian.studies.makers.curves import curve_claims, kernel_group_claims
from gramian.studies.makers.data import data_claims, size_claim
from gramian.studies.makers.elements import element_claims
from gramian.studies.makers.groups import axis_group_claims, group_claims, tie_claims
from gramian.studies.makers.rows import row_claims
from gramian.studies.makers.stability import axis_stability_claims, stability_claims
from gramian.studies.makers.variables import end_claims, variable_claims

__all__ = ["claims_of"]

_FOUND = ("axes", "axis-group", "group", "tie", "row", "curve", "cluster")
_ABOUT_AXIS: tuple[Callable[[Case, int], list[Claim]], ...] = (
    variable_claims,
    element_claims,
    end_claims,
    axis_group_claims,
    tie_claims,
)


def claims_of(case: Case, stability: Any, heard: list[str]) -> tuple[Claim, ...]:
    """Return every claim; that nothing was found at all is said in place of no axis."""
    out = [size_claim(case), *data_claims(case, heard), *assumption_claims(case)]
    out += axes_claims(case)
    for k in case.read:
        out.append(axis_claim(case, k))
        out += [c for maker in _ABOUT_AXIS for c in maker(case, k)]
        out += axis_stability_claims(case, k, stability)
    out += [*group_claims(case), *kernel_group_claims(case)]
    out += row_claims(case)
    out += stability_claims(case, stability)
    out += curve_claims(case)
    out += _untested(case)
    if case.evidence.tested and not any(c.kind in _FOUND for c in out):
        out = [_nothing(case) if c.sentence.key == "claim.none.axes" else c for c in out]
    return tuple(out)


def _nothing(case: Case) -> Claim:
    p = case.evidence.family.axes[0]
    sentence = Sentence("claim.nothing", {"p": P(p)})
    return claim("nothing", sentence, subject="nothing", p_value=p, grounds=axes_grounds(case))


def _untested(case: Case) -> list[Claim]:
    """Say which parts could not be tested, and why."""
    out = []
    for part, reason in case.evidence.failures.items():
        if part in ("axes", "assumptions", "stability", "carried", "places", "classes"):
            continue
        values = {"part": Sentence(f"claim.part.{part}"), "reason": reason}
        out.append(claim("not-tested", Sentence("claim.untested.part", values), subject=part))
    return out
