"""The report in words: every sentence is computed from the numbers of the study."""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian.kernels.registry import usual_kernel
from gramian.reading.registry import PARALLEL
from gramian.report.axis_words import end_words, group_words, variable_words
from gramian.report.escape import Markup, escape
from gramian.report.evidence_words import revealed_words, short, verdict_words
from gramian.report.say import Say
from gramian.report.study import Study

__all__ = ["data_words", "dimension_words", "summary_words", "warning_words"]


def summary_words(s: Study, say: Say) -> list[Markup]:
    """Return the report in a few sentences."""
    subject = s.subject
    size = {"n": subject.n, "p": subject.table.shape[1] if subject.table is not None else 0}
    out = [say(f"sum.{subject.kind}", **size, estimator=type(s.fit).__name__)]
    if s.empty:
        return [*out, say("sum.empty")]
    if s.tested and s.q == 0:
        assert s.linearity is not None
        return [
            *out,
            say("sum.bent"),
            verdict_words(s, say),
            *revealed_words(s, say, s.linearity.revealed),
        ]
    share = say.percent(float(np.sum(np.asarray(s.fit.inertia_ratio_)[: s.q])))
    out.append(say.count("sum.axes" if s.tested else "sum.untested", s.q, q=s.q, share=share))
    for story in s.axes[:3]:
        parts = [*group_words(story, say, 1), *variable_words(story, say, 4)]
        parts = parts or end_words(story, say)
        if parts:
            head = Markup("<b>{}.</b> ").format(say("axis", k=story.axis))
            out.append(head + Markup(" ").join(parts))
    names = list(s.outliers.index)
    key = "sum.outliers.none" if not names else "sum.outliers"
    out.append(
        say(key)
        if not names
        else say.count(key, len(names), count=len(names), names=say.names(names, 5))
    )
    if s.linearity is not None:
        out.append(verdict_words(s, say))
    return out


def data_words(s: Study, say: Say) -> list[Markup]:
    """Return what was read and done."""
    subject = s.subject
    size = {"n": subject.n, "p": subject.table.shape[1] if subject.table is not None else 0}
    key, more = f"what.{subject.kind}", dict[str, Any]()
    if subject.kernel is not None:
        if subject.kernel == usual_kernel(subject.kind):  # by the length of runs, by refinements
            more = subject.kernel.kernel.get_params(deep=False)
        else:
            key, more = f"{key}.other", {"kernel": escape(short(subject.kernel))}
    out = [say(key, **size, **more, estimator=type(s.fit).__name__)]
    if subject.supplementary is not None:
        out.append(say("roles.supplementary", names=say.names(subject.supplementary.columns)))
    if subject.groups is not None:
        out.append(say("roles.groups", names=say.names(subject.groups.columns)))
    return [*out, *(escape(say.note(note)) for note in subject.notes)]


def warning_words(s: Study, say: Say) -> list[Markup]:
    """Return what to know before believing the results."""
    out = [escape(say.note(text)) for text in s.subject.warnings]
    if s.subject.missing is not None:
        out.append(say(f"missing.{s.subject.missing}"))
    for fact in s.facts:
        values: dict[str, Any] = dict(fact.values)
        if "names" in values:
            values["names"] = say.names(values["names"])
        if "share" in values:
            values["share"] = say.percent(values["share"])
        out.append(say(f"fact.{fact.key}", **values))
    return out


def dimension_words(s: Study, say: Say) -> list[Markup]:
    """Return how many axes there are to read, and why."""
    if s.choices is None:
        return [say("failed", reason=s.failures.get("choices", ""))]
    if s.fit.n_components_ == 1:
        return [say("dim.single")]
    consensus = s.choices.consensus
    if not s.tested:
        return [say("dim.untested", consensus=consensus)]
    out = []
    if s.q == 0:
        parallel = s.choices.evidence["parallel"]
        total = float(s.fit.inertia_)
        reference = float(parallel.reference["quantile"].to_numpy()[0]) / total
        out.append(
            say(
                "dim.parallel.none",
                share=say.percent(float(np.asarray(s.fit.inertia_ratio_)[0])),
                reference=say.percent(reference),
                p=say.p(float(parallel.p_values[0])),
            )
        )
    else:
        out.append(say.count("dim.parallel", s.q, q=s.q))
    others = s.choices.voting.drop(index=PARALLEL, errors="ignore")
    if len(others):
        span = {"low": int(others.min()), "high": int(others.max())}
        out.append(say("dim.votes", rules=len(others), consensus=consensus, **span))
    if s.q > len(s.axes):
        out.append(say("dim.many", read=len(s.axes)))
    return out
