"""An axis in words: what it is made of, what goes with it, and how sure that is."""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian.report.axes import AxisStory, GroupTie
from gramian.report.escape import Markup
from gramian.report.outliers import Why
from gramian.report.say import Say
from gramian.report.study import Study

__all__ = ["axis_words", "end_words", "group_words", "variable_words", "why_words"]

FIRM, FAIR = 15.0, 35.0  # degrees that an axis turns
_CLEAR = 0.001


def axis_words(s: Study, story: AxisStory, say: Say) -> list[Markup]:
    """Return the paragraphs of one axis: what it is, what goes with it, how sure that is."""
    key = "axis.share.first" if story.axis == 1 else "axis.share"
    what = [
        say(key, share=say.percent(story.share), cumulated=say.percent(story.cumulated)),
        *variable_words(story, say, 6),
    ]
    if story.positive or story.negative:
        assert s.subject.table is not None
        p = s.subject.table.shape[1]
        if p > 12 and story.tied:
            what.append(say.count("axis.tied", story.tied, count=story.tied, p=p))
    outside = group_words(story, say, 3)
    outside += [
        say("axis.number", name=say.name(t.name), r=say.fixed(t.r), p=say.p(t.p_value))
        for t in story.numbers[:3]
    ]
    if not outside and s.subject.illustrative is not None:
        outside = [say("axis.outside.none")]
    if not (story.positive or story.negative):
        what += end_words(story, say)
    paragraphs = [what, outside, _pull_words(s, story, say), _sure_words(story, say)]
    return [Markup(" ").join(part) for part in paragraphs if part]


def variable_words(story: AxisStory, say: Say, most: int) -> list[Markup]:
    """Say which variables make an axis, each with its correlation."""

    def listed(ties: Any) -> Markup:
        parts = [Markup("{} ({})").format(say.name(t.name), say.fixed(t.r)) for t in ties[:most]]
        return say.listed(parts, most)

    if story.positive and story.negative:
        return [
            say("axis.opposes", positive=listed(story.positive), negative=listed(story.negative))
        ]
    if story.positive:
        return [say("axis.positive", names=listed(story.positive))]
    if story.negative:
        return [say("axis.negative", names=listed(story.negative))]
    return []


def end_words(story: AxisStory, say: Say) -> list[Markup]:
    """Say which rows stand at the ends of an axis."""
    low, high = (say.names(names) for names in story.ends)
    return [say("axis.ends", low=low, high=high)]


def group_words(story: AxisStory, say: Say, most: int) -> list[Markup]:
    """Say which groups an axis separates."""
    return [_group(tie, say) for tie in story.groups[:most]]


def _group(tie: GroupTie, say: Say) -> Markup:
    return say(
        "axis.group.clear" if tie.p_value < _CLEAR else "axis.group.likely",
        group=say.name(tie.name),
        low=say.names(tie.low) or "–",
        high=say.names(tie.high) or "–",
        eta2=say.percent(tie.eta2),
        p=say.p(tie.p_value),
    )


def _pull_words(s: Study, story: AxisStory, say: Say) -> list[Markup]:
    out = []
    for pull in story.carrier.pulls:
        blanks = {"name": say.name(pull.name), "share": say.percent(pull.share)}
        if pull.why:
            out.append(say("axis.pull.why", **blanks, why=why_words(pull.why, say)))
        else:
            out.append(say("axis.pull", **blanks))
    n, half = s.subject.n, story.carrier.half
    if n >= 20 and half <= n / 12 and half > 1:
        out.append(say("axis.half", half=half, n=n))
    return out


def _sure_words(story: AxisStory, say: Say) -> list[Markup]:
    out = []
    if np.isfinite(story.p_value):
        out.append(say("axis.noise", p=say.p(story.p_value)))
    if np.isfinite(story.angle):
        key = "firm" if story.angle < FIRM else "fair" if story.angle < FAIR else "loose"
        out.append(say(f"axis.{key}", angle=say.fixed(story.angle, 0)))
    if not story.identified:
        out.append(say("axis.tied_axes"))
    return out


def why_words(reasons: tuple[Why, ...], say: Say) -> Markup:
    """List the variables that set a row apart."""
    return say.listed(
        [
            say(
                "why.high" if why.z > 0 else "why.low",
                name=say.name(why.name),
                z=("+" if why.z > 0 else "") + say.fixed(why.z, 1),
            )
            for why in reasons
        ]
    )
