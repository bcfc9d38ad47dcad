"""The page: templates filled with a study, in one file that asks for nothing else."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any

import jinja2

from gramian import __version__
from gramian._study.language import Spelling, python
from gramian._study.record import Study
from gramian.plots.backends import plotly_config, plotly_script
from gramian.plots.text import clean
from gramian.report import figures, tables, words
from gramian.report.code import code
from gramian.report.escape import Markup, json_in_html
from gramian.report.say import Say

SECTIONS = (  # in their order, of the table of contents and of the page
    "summary",
    "doctor",
    "data",
    "dimension",
    "maps",
    "axes",
    "groups",
    "classes",
    "outliers",
    "stability",
    "linearity",
    "tests",
    "tables",
)


def page(s: Study, language: str, spelling: Spelling = python) -> str:
    """Return the report of a study as HTML, arguments spelled as Python or a command does."""
    say = Say(language, spelling)
    drawn = figures.maps(s, say)
    parts: dict[str, Any] = {
        "empty": s.empty,
        "title": clean(s.subject.title),
        "seed": s.seed,
        "summary": words.summary_words(s, say),
        "doctor": words.doctor_words(s, say),
        "data": words.data_words(s, say),
        "warned": words.warning_words(s, say),
        "dimension": words.dimension_words(s, say),
        "scree": figures.scree(s, say),
        "rules": tables.rules(s, say),
        "maps": drawn,
        "axes": [_axis(s, k, say) for k in s.read],
        "groups": words.group_words(s, say),
        "classes": words.class_words(s, say),
        "outliers": words.row_words(s, say),
        "stability": words.stability_words(s, say),
        "ellipses": figures.stability(s, say),
        "stable": tables.stability(s, say),
        "linearity": words.curve_words(s, say),
        "kernel": figures.kernel_maps(s, say, next(iter(drawn), None)),
        "tests": words.test_words(s, say),
        "versions": words.versions_words(s, say),
        "tables": tables.tables(s, say),
        "code": code(s),
    }
    if s.subject.n > figures.DRAWN:
        parts["data"].append(say("thinned", drawn=figures.DRAWN, n=s.subject.n))
    present = {name: bool(parts[name]) for name in SECTIONS} | {"dimension": True}
    present["outliers"] = bool(parts["outliers"][0])
    present["doctor"] |= s.subject.kind == "table"
    return rendered("report.html.j2", [name for name in SECTIONS if present[name]], parts, say)


def rendered(template: str, sections: Sequence[str], parts: dict[str, Any], say: Say) -> str:
    """Return a page: the sections of a template, in this order, filled with their parts."""
    plotly, js = Markup(plotly_script()), Markup(_file("report.js"))
    frame = {
        "say": say,
        "lang": say.language,
        "version": __version__,
        "policy": _policy(plotly, js),
        "css": Markup(_file("report.css")),
        "js": js,
        "plotly": plotly,
        "texts": _texts(say),
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
    return environment


def _file(name: str) -> str:
    return resources.files("gramian.report").joinpath("templates", name).read_text("utf-8")


def _policy(*scripts: str) -> str:
    """Return what the page may do: run these scripts, style itself, draw images it made."""
    hashes = " ".join(f"'sha256-{_digest(text)}'" for text in scripts)
    return (
        f"default-src 'none'; script-src {hashes}; style-src 'unsafe-inline'; "
        "img-src data: blob:; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _axis(s: Study, k: int, say: Say) -> dict[str, Any]:
    return {
        "number": k,
        "words": words.axis_words(s, k, say),
        "figure": figures.contributions(s, k, say),
    }


def _texts(say: Say) -> dict[str, Any]:
    """Return what the page's script says."""
    keys = ("search", "csv", "more", "rows", "copy", "copied", "sort", "cut")
    return {key: say.template(f"b.{key}") for key in keys} | {
        "lang": say.language,
        "config": plotly_config() | {"displayModeBar": "hover"},
    }
