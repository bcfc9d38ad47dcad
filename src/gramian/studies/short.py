"""The choice of claims that a summary is made of."""

from __future__ import annotations

from collections.abc import Iterable

from gramian.studies.claim import Claim

__all__ = ["short"]

_AXES = 6  # that a summary goes through
_GROUPS = 3
_TOLD = ("order", "copies", "unequal rows")


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
    out += [c for c in of("assumption") if c.subject in _TOLD]
    for k in read[:_AXES]:
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
    out += [c for c in of("group") if c.subject not in told][:_GROUPS]
    out += [c for c in of("data") if c.subject == "rows"]
    out += of("curve", "cluster")
    out += [c for c in of("data") if c.subject == "classes"]
    out += [c for c in of("stability") if c.subject.startswith("axes")]
    return tuple({c.text: c for c in out}.values())
