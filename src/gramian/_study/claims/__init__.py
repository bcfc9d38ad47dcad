"""All claims of a study: the makers of claims, in the order of a page.

A maker takes the study (and the number of an axis) and returns a list of claims. A new kind of
claim is such a function in a module of this folder, its name in a table below, and its sentences
in `language/en.toml` and `language/fr.toml`.
"""

from collections.abc import Callable, Iterable

from gramian._study.claims.axes import (
    axes_claims,
    axes_test,
    axis_claims,
    element_claims,
    end_claims,
    variable_claims,
)
from gramian._study.claims.data import assumption_claims, data_claims, size_claims
from gramian._study.claims.groups import (
    axis_group_claims,
    class_claims,
    curve_claims,
    group_claims,
    kernel_group_claims,
    tie_claims,
)
from gramian._study.claims.rows import axis_stability_claims, row_claims, stability_claims
from gramian._study.language import P, Sentence
from gramian._study.record import Claim, Study, claim

_SUMMARY_AXES = 6
_SUMMARY_GROUPS = 3
_SUMMARY_ASSUMPTIONS = ("order", "copies", "unequal rows")
_FINDINGS = ("axes", "axis-group", "group", "tie", "row", "curve", "cluster")


def failure_claims(study: Study) -> list[Claim]:
    """State each part that failed, and why."""
    out = []
    for part, reason in study.evidence.failures.items():
        if part != "axes":  # stated with the axes
            values = {"part": Sentence(f"claim.part.{part}"), "reason": reason}
            out.append(claim("not-tested", Sentence("claim.untested.part", values), subject=part))
    return out


Maker = Callable[[Study], list[Claim]]
AxisMaker = Callable[[Study, int], list[Claim]]
_FIRST: tuple[Maker, ...] = (size_claims, data_claims, assumption_claims, axes_claims)
_EACH_AXIS: tuple[AxisMaker, ...] = (
    axis_claims,
    variable_claims,
    element_claims,
    end_claims,
    axis_group_claims,
    tie_claims,
    axis_stability_claims,
)
_LAST: tuple[Maker, ...] = (
    group_claims,
    kernel_group_claims,
    row_claims,
    stability_claims,
    curve_claims,
    failure_claims,
    class_claims,
)


def claims_of(study: Study) -> tuple[Claim, ...]:
    """Return every claim; that nothing was found at all replaces "no axis"."""
    out = [c for maker in _FIRST for c in maker(study)]
    out += [c for k in study.read for maker in _EACH_AXIS for c in maker(study, k)]
    out += [c for maker in _LAST for c in maker(study)]
    complete = study.evidence.tested and not study.evidence.failures
    if complete and not any(c.kind in _FINDINGS for c in out):
        out = [_nothing(study) if c.sentence.key == "claim.none.axes" else c for c in out]
    return tuple(out)


def _nothing(study: Study) -> Claim:
    p = study.evidence.family.axes[0]
    sentence = Sentence("claim.nothing", {"p": P(p)})
    return claim("nothing", sentence, subject="nothing", p_value=p, test=axes_test(study))


def short(claims: Iterable[Claim], read: tuple[int, ...]) -> tuple[Claim, ...]:
    """Return the claims of a summary: size, axes, what they show, what else was found.

    Every axis that is announced is read, by the groups and variables that go with it. The variables
    of an axis that cannot be distinguished from noise are stated beside the axis only.
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
        if stands and not of("axis-variable", axis=k):
            elements = [c for c in of("data", axis=k) if c.effect_name == "elements"]
            out += elements or [c for c in of("data", axis=k) if c.effect_name == "ends"]
        out += [c for c in of("stability", axis=k) if c.effect_name == "share of an axis"]
    on_axes = {c.subject for c in out if c.kind == "axis-group"}
    out += [c for c in of("group") if c.subject not in on_axes][:_SUMMARY_GROUPS]
    out += [c for c in of("data") if c.subject == "rows"]
    out += of("curve", "cluster")
    out += [c for c in of("data") if c.subject == "classes"]
    out += [c for c in of("stability") if c.subject.startswith("axes")]
    return tuple({c.text: c for c in out}.values())
