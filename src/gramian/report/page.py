"""The page: templates filled with what the study found, in one file that asks for nothing else."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from importlib import resources
from typing import Any

import jinja2

from gramian.plots.backends import plotly_script
from gramian.plots.backends.config import plotly_config
from gramian.plots.text import clean
from gramian.report import axis_words, evidence_words, figures, tables, words
from gramian.report.code import code
from gramian.report.escape import Markup, json_in_html
from gramian.report.say import Say
from gramian.report.study import Study

__all__ = ["page"]

_SECTIONS = ("data", "dimension", "maps", "axes", "outliers", "stability", "linearity", "tables")


def page(s: Study, language: str) -> str:
    """Return the report of a study as HTML."""
    say = Say(language)
    plotly, js = Markup(plotly_script()), Markup(_file("report.js"))
    drawn = figures.maps(s, say)
    parts: dict[str, Any] = {
        "say": say,
        "study": s,
        "lang": language,
        "title": clean(s.subject.title),
        "policy": _policy(plotly, js),
        "css": Markup(_file("report.css")),
        "js": js,
        "plotly": plotly,
        "contents": _contents(s, say, bool(drawn)),
        "summary": words.summary_words(s, say),
        "data": words.data_words(s, say),
        "warned": words.warning_words(s, say),
        "dimension": words.dimension_words(s, say),
        "scree": figures.scree(s, say),
        "rules": tables.rules(s, say),
        "maps": drawn,
        "axes": [_axis(s, story, say) for story in s.axes],
        "outliers": evidence_words.outlier_words(s, say),
        "stability": evidence_words.stability_words(s, say),
        "ellipses": figures.stability(s, say),
        "stable": tables.stability(s, say),
        "linearity": evidence_words.linearity_words(s, say) if s.linearity else [],
        "kernel": figures.kernel_maps(s, say) if s.linearity else [],
        "tables": tables.tables(s, say),
        "code": code(s),
        "texts": _texts(say),
    }
    if s.subject.n > figures.DRAWN:
        parts["data"].append(say("thinned", drawn=figures.DRAWN, n=s.subject.n))
    return _environment().get_template("report.html.j2").render(parts)


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


def _contents(s: Study, say: Say, mapped: bool) -> list[tuple[str, Markup]]:
    absent = {"maps": not mapped, "linearity": s.linearity is None}
    names = [name for name in _SECTIONS if not absent.get(name, False)]
    return [(name, say(f"h.{name}")) for name in ("summary", *names, "code")]


def _axis(s: Study, story: Any, say: Say) -> dict[str, Any]:
    return {
        "number": story.axis,
        "words": axis_words.axis_words(s, story, say),
        "figure": figures.contributions(s, story.axis, say),
    }


def _texts(say: Say) -> dict[str, Any]:
    """Return what the page's script says."""
    keys = ("search", "csv", "more", "rows", "copy", "copied", "sort")
    return {key: say.texts[f"b.{key}"] for key in keys} | {
        "lang": say.language,
        "config": plotly_config() | {"displayModeBar": "hover"},
    }
