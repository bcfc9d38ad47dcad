"""The sections of a page: claims where the data are spoken of, explanations around them."""

from __future__ import annotations

import re
from typing import Any

from gramian._study.claim import Claim, NullTest
from gramian._study.language import Count, Number, Sentence, names
from gramian._study.methods import MAPS
from gramian._study.record import Study
from gramian.kernels.registry import usual_kernel
from gramian.report.escape import Markup, escape
from gramian.report.say import Say

_SECTIONS = ("axes", "choices", "groups", "rows", "directions", "curves")  # that say it themselves


def said(claims: list[Claim] | tuple[Claim, ...], say: Say) -> list[Markup]:
    """Return claims in their words; those that share a sentence say it once."""
    return list(dict.fromkeys(say.claim(c) for c in claims))


def summary_words(s: Study, say: Say) -> list[Markup]:
    """Return the study in a few claims."""
    return said(s.short, say)


def data_words(s: Study, say: Say) -> list[Markup]:
    """Return what was done and how the data were read."""
    subject = s.subject
    out = [_what(s, say)]
    if subject.supplementary is not None:
        out.append(say("roles.supplementary", names=names(subject.supplementary.columns)))
    if subject.groups is not None:
        out.append(say("roles.groups", names=names(subject.groups.columns)))
    if subject.placed is not None:
        out.append(say("roles.rows", names=names(subject.placed.index)))
    if len(s.evidence.rows_tested) < subject.n:
        out.append(say("tests.sample", tested=len(s.evidence.rows_tested), n=subject.n))
    out += said([c for c in s.of("data") if c.subject == "method"], say)
    return [*out, *said([c for c in s.of("data") if c.subject == "note"], say)]


def _what(s: Study, say: Say) -> Markup:
    subject = s.subject
    columns = subject.X.shape[1] if subject.kind == "table" else 0
    values: dict[str, Any] = {"n": subject.n, "estimator": s.fit.method_name}
    unit = "line" if subject.method == "ca" else "row"
    values |= {"rows": Count(unit, subject.n), "columns": Count("active", columns)}
    key = f"what.{subject.kind}"
    if s.fit.is_external:
        key = "what.fit.read"
    if subject.kind == "table":
        return say(_how(s), **values, **_means(s))
    if subject.kernel is not None:
        if subject.kernel == usual_kernel(subject.kind):  # by the length of runs, by refinements
            values |= subject.kernel.kernel.get_params(deep=False)
        else:
            key, values = f"{key}.other", values | {"kernel": short(subject.kernel)}
    return say(key, **values)


def _how(s: Study) -> str:
    """Return the key of what was done with a table."""
    if s.subject.method != "pca":
        return f"what.table.{s.subject.method}"
    return "what.table" if s.fit.scale else "what.table.unscaled"


def _means(s: Study) -> dict[str, str]:
    """Return the metric or the kernel by which rows were compared."""
    if s.subject.method == "mfa":
        groups = s.fit.groups.items()
        return {"groups": "; ".join(f"{name} ({len(columns)})" for name, columns in groups)}
    if s.subject.method in MAPS:
        return {"metric": str(s.fit.metric)}
    return {"kernel": short(s.fit.kernel_)} if s.subject.method == "kernel-pca" else {}


def short(kernel: Any) -> str:
    """Return a kernel as it is written, its numbers in a few digits."""
    return re.sub(r"\d+\.\d{4,}", lambda m: f"{float(m[0]):.4g}", repr(kernel))[:200]


def warning_words(s: Study, say: Say) -> list[Markup]:
    """Return what to know before believing the results."""
    out = said(s.of("assumption"), say)
    out += said([c for c in s.of("data") if c.subject == "warning"], say)
    out += said([c for c in s.of("not-tested") if c.subject not in _SECTIONS], say)
    if s.subject.missing is not None:
        out.append(say(f"missing.{s.subject.missing}"))
    if s.evidence.assumptions is None:
        out.append(say("unchecked"))
    return out


def doctor_words(s: Study, say: Say) -> list[Markup]:
    """Return what the doctor found in the table."""
    return said([c for c in s.of("data") if c.subject == "finding"], say)


def dimension_words(s: Study, say: Say) -> list[Markup]:
    """Return how many axes there are to read, and why."""
    untested = [c for c in s.of("not-tested") if c.subject in ("axes", "choices")]
    out = said([*s.of("axes"), *_not_found(s, "axes"), *untested], say)
    if s.tested:
        out.append(say("dim.how"))
    if s.choices is not None and s.fit.n_components_ > 1:
        out.append(say("dim.votes"))
    if s.q > (above := sum(k <= s.q for k in s.read)):
        out.append(say("dim.many", read=above))
    return out


def axis_words(s: Study, k: int, say: Say) -> list[Markup]:
    """Return the claims about one axis: what it is, what goes with it, how sure that is."""
    what = s.of("axes", "nothing", "axis-variable", "data", axis=k)
    outside, sure = s.of("axis-group", "tie", axis=k), s.of("stability", axis=k)
    parts = (said(part, say) for part in (what, outside, sure) if part)
    return [Markup(" ").join(part) for part in parts]


def group_words(s: Study, say: Say) -> list[Markup]:
    """Return what was found between groups, whatever the axes are."""
    untested = [c for c in s.of("not-tested") if c.subject == "groups"]
    return said([*s.of("group"), *_not_found(s, "groups"), *untested], say)


def _not_found(s: Study, test: str) -> list[Claim]:
    """Return what a test looked for and did not find."""
    return [c for c in s.of("nothing") if c.test is not None and c.test.name == test]


def class_words(s: Study, say: Say) -> list[Markup]:
    """Return the classes of the rows, where they were asked for."""
    return said([c for c in s.of("data") if c.subject in ("classes", "class")], say)


def row_words(s: Study, say: Say) -> tuple[list[Markup], list[Markup]]:
    """Return an introduction, and one item for each row that stands apart."""
    items = said(s.of("row"), say)
    untested = said([c for c in s.of("not-tested") if c.subject == "rows"], say)
    if untested:
        return untested, []
    if s.evidence.rows is None:
        return [], []
    summary = said([c for c in s.of("data") if c.subject == "rows"], say)
    return [say("out.how"), *(summary or [say("out.none")])], items


def stability_words(s: Study, say: Say) -> list[Markup]:
    """Return what resampling says about the axes."""
    out = said([c for c in s.of("not-tested") if c.subject == "directions"], say)
    if s.evidence.directions is not None:
        out.append(say("sta.how", count=s.resamples))
    elif s.stability is not None:
        out.append(say("sta.rows", count=s.resamples))
    return [*out, *said([c for c in s.claims if c.kind == "stability"], say)]


def curve_words(s: Study, say: Say) -> list[Markup]:
    """Return the evidence for curves and clusters, and what the kernel map adds."""
    out = [*said(s.of("curve", "cluster"), say)]
    out += said([c for c in s.of("not-tested") if c.subject == "curves"], say)
    if s.evidence.curves is not None:
        out.insert(0, say("lin.how"))
    chart = s.kernel_map
    if chart is not None:
        near = Sentence("lin.exact")
        if chart.rank is not None:
            near = Sentence("lin.approximate", {"rank": chart.rank})
        if chart.kernel is None:
            scale = Number(float(chart.fit.kernel_.scale))
            out.append(say("lin.kernel", scale=scale, approximate=near))
        else:
            out.append(say("lin.kernel.other", kernel=short(chart.fit.kernel_), approximate=near))
    return [*out, *said([c for c in s.of("data") if c.subject == "kernel"], say)]


def test_words(s: Study, say: Say) -> list[Markup]:
    """Return, for each test that a claim rests on, its null and what breaks it."""
    tests = dict.fromkeys(c.test for c in s.claims if c.test is not None)
    return [_test(each, say) for each in tests]


def _test(test: NullTest, say: Say) -> Markup:
    return say(
        "test.line",
        what=Sentence(f"test.{test.name}"),
        null=Sentence(test.null),
        holds=Sentence(test.assumption),
    )


def versions_words(s: Study, say: Say) -> Markup:
    """Return versions and seed in one line."""
    listed = ", ".join(f"{name} {version}" for name, version in s.versions.items())
    return escape(f"{listed}; ") + say("seed", seed=str(s.seed))
