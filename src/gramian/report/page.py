"""The page: claims where the data are described, explanations around them, in one HTML file.

A section is a name in `SECTIONS`, a block of that name in `templates/report.html.j2`, its content
in `page`, and its heading `h.NAME` in the catalogue. The table of contents is the same list.
"""

import base64
import hashlib
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

import numpy as np

from gramian import __version__
from gramian._browser.map import bundle, payload, stylesheet
from gramian._estimators.pca import PCA
from gramian._study.language import Count, Number, Sentence, Spelling, names, python, rows
from gramian._study.methods import MAPS
from gramian._study.record import Claim, Study
from gramian.kernels.base import Kernel
from gramian.kernels.registry import usual_kernel
from gramian.plots.style import clean
from gramian.report import figures, tables
from gramian.report import say as html
from gramian.report.code import code
from gramian.report.say import Markup, Say, escape, jinja2, json_in_html

SECTIONS = (  # in their order, of the table of contents and of the page
    *("summary", "maps", "doctor", "data", "design", "dimension", "axes", "groups", "classes"),
    *("outliers", "stability", "linearity", "tests", "tables"),
)
_SCRIPT_TEXTS = ("search", "csv", "more", "rows", "copy", "copied", "sort", "cut", "show")
MAX_SHORT = 3  # sentences of the summary that are not folded away
MAX_SHORT_WORDS = 120
_MIN_LIMIT_ROWS, _MAX_LIMIT_ROWS = 20, 2_000  # rows that are fitted ten times over
# Parts whose section states that they were not tested; others stand among the warnings.
_OWN_SECTIONS = ("design", "axes", "choices", "groups", "rows", "directions", "curves")


def page(s: Study, language: str, spelling: Spelling = python) -> str:
    """Return the report of a study as HTML, arguments spelled as Python or a command does."""
    say = Say(language, spelling)
    maps = figures.maps(s, say)
    short, more = _fold(say.claims(s.short))
    parts: dict[str, Any] = {
        "empty": s.empty,
        "title": clean(s.subject.title),
        "seed": s.seed,
        "summary": short,
        "more": more,
        "payload": payload(s, language=language).as_json() if maps else None,
        "doctor": say.claims(_about(s, "data", "finding")),
        "data": _data(s, say),
        "warned": _warnings(s, say),
        "design": _design(s, say),
        "factors": figures.designs(s, say),
        "terms": tables.design(s, say),
        "dimension": _dimension(s, say),
        "scree": figures.scree(s, say),
        "rules": tables.rules(s, say),
        "maps": maps,
        "shepard": figures.shepard(s, say),
        "axes": [_axis(s, k, say) for k in s.read],
        "groups": say.claims(
            [*s.of("group", "tie"), *_not_found(s, "groups"), *_about(s, "not-tested", "groups")]
        ),
        "classes": say.claims(_about(s, "data", "classes", "class")),
        "outliers": _outliers(s, say),
        "stability": _stability(s, say),
        "ellipses": figures.stability(s, say),
        "stable": tables.stability(s, say),
        "linearity": _linearity(s, say),
        "kernel": figures.kernel_map(s, say),
        "tests": _tests(s, say),
        "versions": versions_line(s.versions, s.seed, say),
        "tables": tables.tables(s, say),
        "code": code(s),
    }
    present = {name: bool(parts[name]) for name in SECTIONS} | {"dimension": True}
    present["outliers"] = bool(parts["outliers"][0])
    present["doctor"] |= s.subject.kind == "table"
    return render("report.html.j2", [name for name in SECTIONS if present[name]], parts, say)


def _fold(claims: list[Markup]) -> tuple[list[Markup], list[Markup]]:
    """Return the sentences that the first screen has room for, and the others."""
    words = 0
    for k, claim in enumerate(claims):
        words += len(claim.striptags().split())
        if k == MAX_SHORT or (k and words > MAX_SHORT_WORDS):
            return claims[:k], claims[k:]
    return claims, []


def _about(s: Study, kind: str, *subjects: str) -> list[Claim]:
    """Return the claims of a kind about some subjects, on no axis."""
    return [c for c in s.of(kind) if c.subject in subjects]


def _not_found(s: Study, test: str) -> list[Claim]:
    """Return what a test looked for and did not find."""
    return [c for c in s.of("nothing") if c.test is not None and c.test.name == test]


def _data(s: Study, say: Say) -> list[Markup]:
    """Return what was done and how the data were read."""
    subject, tested = s.subject, len(s.evidence.rows_tested)
    # A summary without room for the size and the lost rows leaves them to this section.
    out = [_method(s, say), *say.claims(_about(s, "data", "size", "lost"))]
    if subject.supplementary is not None:
        out.append(say("roles.supplementary", names=names(subject.supplementary.columns)))
    if subject.groups is not None:
        out.append(say("roles.groups", names=names(subject.groups.columns)))
    if subject.placed is not None:
        out.append(say("roles.rows", names=names(subject.placed.index)))
    if tested < subject.n:
        out.append(say("tests.sample", tested=tested, n=subject.n))
    out += say.claims(_about(s, "data", "method"))
    out += say.claims(_about(s, "data", "note"))
    return out


def _method(s: Study, say: Say) -> Markup:
    """Return which method was applied to what."""
    subject, fit = s.subject, s.fit
    values: dict[str, Any] = {"n": subject.n, "estimator": fit.method_name}
    key = f"what.{subject.kind}"
    if subject.kind == "table":
        unit = "line" if subject.method == "ca" else "row"
        values |= {"rows": Count(unit, subject.n), "columns": Count("active", subject.X.shape[1])}
        if subject.method != "pca":
            key = f"what.table.{subject.method}"
        elif not fit.scale:
            key = "what.table.unscaled"
        if subject.method == "mfa":
            groups = fit.groups.items()
            values["groups"] = "; ".join(f"{name} ({len(columns)})" for name, columns in groups)
        if subject.method in MAPS:
            values["metric"] = str(fit.metric)
        if subject.method == "kernel-pca":
            values["kernel"] = _kernel_text(fit.kernel_)
    elif fit.is_external:
        key = "what.fit.read"
    elif subject.kernel is not None:
        if subject.kernel == usual_kernel(subject.kind):  # by the length of runs, by refinements
            values |= subject.kernel.get_params(deep=False)["kernel"].get_params(deep=False)
        else:
            key, values = f"{key}.other", values | {"kernel": _kernel_text(subject.kernel)}
    return say(key, **values)


def _kernel_text(kernel: Kernel) -> str:
    """Return a kernel as it is written, its numbers in a few digits."""
    return re.sub(r"\d+\.\d{4,}", lambda m: f"{float(m[0]):.4g}", repr(kernel))[:200]


def _warnings(s: Study, say: Say) -> list[Markup]:
    """Return what to know before relying on the results."""
    out = say.claims([*s.of("assumption"), *_about(s, "data", "warning")])
    out += say.claims(c for c in s.of("not-tested") if c.subject not in _OWN_SECTIONS)
    if s.subject.missing is not None:
        out.append(say(f"missing.{s.subject.missing}"))
    if s.evidence.assumptions is None:
        out.append(say("unchecked"))
    return out


def _dimension(s: Study, say: Say) -> list[Markup]:
    """Return how many axes there are to read, and why."""
    untested = _about(s, "not-tested", "axes", "choices")
    out = say.claims([*s.of("axes"), *_not_found(s, "axes"), *untested])
    if s.tested:
        out.append(say("dim.how"))
    if s.choices is not None and s.fit.n_components_ > 1:
        out.append(say("dim.votes"))
    if s.q > (above := sum(k <= s.q for k in s.read)):
        out.append(say("dim.many", read=above))
    return out


def _design(s: Study, say: Say) -> list[Markup]:
    """Return what the terms of the design explain."""
    about = [*_about(s, "data", "design"), *s.of("design"), *_not_found(s, "design")]
    return say.claims([*about, *_about(s, "not-tested", "design")])


def _axis(s: Study, k: int, say: Say) -> dict[str, Any]:
    """Return what an axis is, what goes with it, how stable it is, and its figure."""
    kinds = (("axes", "nothing", "axis-variable", "data"), ("axis-group", "tie"), ("stability",))
    claims = [say.claims(s.of(*some, axis=k)) for some in kinds]
    words = [Markup(" ").join(part) for part in claims if part]
    return {"number": k, "words": words, "figure": figures.contributions(s, k, say)}


def _outliers(s: Study, say: Say) -> tuple[list[Markup], list[Markup]]:
    """Return an introduction, and one item for each row that stands apart."""
    if untested := say.claims(_about(s, "not-tested", "rows")):
        return untested, []
    if s.evidence.rows is None:
        return [], []
    summary = say.claims(_about(s, "data", "rows"))
    robust = say.claims(_about(s, "data", "robust"))
    words = [say("out.how"), *(summary or [say("out.none")]), *robust, *_limits(s, say)]
    return words, say.claims(s.of("row"))


def _limits(s: Study, say: Say) -> list[Markup]:
    """Return how many rows are outside the limits of T² and Q, for principal components."""
    n = len(s.subject.index)
    # Limits for new rows are exceeded by all rows that made the axes of a table wider than long.
    least = max(_MIN_LIMIT_ROWS, s.subject.X.shape[1] + 1)
    if not isinstance(s.fit, PCA) or not least <= n <= _MAX_LIMIT_ROWS:
        return []
    table = s.fit.limits()
    beyond = np.fmax(table["t2"] / table["t2_limit"], table["q"] / table["q_limit"])
    outside = beyond[~table["inside"].to_numpy()].sort_values(ascending=False).index
    out = [say("out.limits", count=len(outside), n=n, axes=s.fit.n_components_)]
    return [*out, say("out.limits.rows", names=rows(outside))] if len(outside) else out


def _stability(s: Study, say: Say) -> list[Markup]:
    """Return what resampling shows about the axes."""
    out = say.claims(_about(s, "not-tested", "directions"))
    if s.evidence.directions is not None:
        out.append(say("sta.how", count=s.resamples))
    elif s.stability is not None:
        out.append(say("sta.rows", count=s.resamples))
    return [*out, *say.claims(c for c in s.claims if c.kind == "stability")]


def _linearity(s: Study, say: Say) -> list[Markup]:
    """Return the evidence for curves and clusters, and what the kernel map adds."""
    out = [] if s.evidence.curves is None else [say("lin.how")]
    out += say.claims([*s.of("curve", "cluster"), *_about(s, "not-tested", "curves")])
    if (other := s.kernel_map) is not None:
        near = Sentence("lin.exact")
        if other.rank is not None:
            near = Sentence("lin.approximate", {"rank": other.rank})
        if other.kernel is None:
            scale = Number(float(other.fit.kernel_.scale))
            out.append(say("lin.kernel", scale=scale, approximate=near))
        else:
            text = _kernel_text(other.fit.kernel_)
            out.append(say("lin.kernel.other", kernel=text, approximate=near))
    return [*out, *say.claims(_about(s, "data", "kernel"))]


def _tests(s: Study, say: Say) -> list[Markup]:
    """Return, for each test that supports a claim, its null and what breaks it."""
    return [
        say(
            "test.line",
            what=Sentence(f"test.{test.name}"),
            null=Sentence(test.null),
            holds=Sentence(test.assumption),
        )
        for test in dict.fromkeys(c.test for c in s.claims if c.test is not None)
    ]


def versions_line(versions: Mapping[str, str], seed: int, say: Say) -> Markup:
    """Return versions and seed in one line."""
    line = ", ".join(f"{name} {version}" for name, version in versions.items())
    return escape(f"{line}; ") + say("seed", seed=str(seed))


def render(template: str, sections: Sequence[str], parts: dict[str, Any], say: Say) -> str:
    """Return a page: the sections of a template, in this order, filled with their parts."""
    js = Markup(bundle("report.js"))
    frame = {
        "say": say,
        "lang": say.language,
        "version": __version__,
        "policy": _policy(js),
        "css": Markup(stylesheet() + _file("report.css")),
        "js": js,
        "payload": None,
        "texts": {key: say.template(f"b.{key}") for key in _SCRIPT_TEXTS} | {"lang": say.language},
        "sections": [(name, say(f"h.{name}")) for name in sections],
    }
    return _environment().get_template(template).render(frame | parts)


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("gramian.report", "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        keep_trailing_newline=True,
    )
    environment.filters["json"] = json_in_html
    for part in (html.figure, html.items, html.paragraphs, html.table):
        environment.globals[part.__name__] = part
    return environment


def _file(name: str) -> str:
    return resources.files("gramian.report").joinpath("templates", name).read_text("utf-8")


def _policy(*scripts: str) -> str:
    """Return what the page may do: run these scripts, style itself, draw images it made."""
    digests = (base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts)
    hashes = " ".join(f"'sha256-{digest}'" for digest in digests)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; "
        "img-src data: blob:; worker-src blob:; base-uri 'none'; form-action 'none'"
    )
