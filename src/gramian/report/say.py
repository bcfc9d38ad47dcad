"""The voice of a page: sentences and labels, escaped for HTML and for JSON inside HTML.

Labels come from data and are hostile until escaped; those of CSV files are escaped by the page's
own script, where the files are made.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from gramian._study.language import Sentence, Voice, texts
from gramian._study.language.labels import clean
from gramian._study.record import Claim
from gramian.errors import MissingExtraError

try:
    import jinja2 as jinja2
    from markupsafe import Markup as Markup
    from markupsafe import escape as escape
except ModuleNotFoundError as error:
    text = "a report needs jinja2: pip install 'gramian[plot]'"
    raise MissingExtraError(text) from error

_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028"}
_ESCAPES |= {"\u2029": "\\u2029"}


class Say(Voice):
    """Writes sentences as HTML: `say(key, …)` explains, `say.claims(claims)` asserts."""

    def __call__(self, key: str, /, **values: Any) -> Markup:
        """Return a sentence that claims nothing about the data."""
        if key.startswith("claim."):
            raise KeyError(f"{key} is stated by a claim only")
        return Markup(super().__call__(key, **values))

    def claims(self, claims: Iterable[Claim]) -> list[Markup]:
        """Return claims in their own words; those that share a sentence state it once."""
        first: dict[Markup, Markup] = {}
        for claim in claims:
            first.setdefault(self.sentence(claim.sentence), self.claim(claim))
        return list(first.values())

    def claim(self, claim: Claim) -> Markup:
        """Return a claim in its own words."""
        span = Markup('<span class="claim" data-kind="{}"{}>{}</span>')
        subject = Markup(' data-subject="{}"').format(clean(claim.subject)) if claim.subject else ""
        return span.format(claim.kind, subject, self.sentence(claim.sentence))

    def sentence(self, sentence: Sentence) -> Markup:
        """Return a sentence whose key is not checked: that of a claim, or of another study."""
        return Markup(self.capitalize(self.say(sentence)))

    def text(self, text: str) -> str:
        """Return a text, escaped."""
        return str(escape(text))

    def name(self, label: object) -> str:
        """Return a name from the data: escaped, short, its writing direction isolated."""
        return f'<b class="name"><bdi>{super().name(label)}</bdi></b>'

    def plain(self, key: str, /, **values: Any) -> str:
        """Return a text without markup."""
        return Voice(self.language, self.spelling)(key, **values)

    def template(self, key: str) -> str:
        """Return a text with its placeholders, for the page's script."""
        return texts(self.language)[key]

    def by_language(self, texts: Mapping[str, str]) -> str | None:
        """Return the text of a record in this language, where it has one."""
        return texts.get(self.language)


def json_in_html(value: Any) -> Markup:
    """Return a value as JSON that cannot end the element it stands in; a text is JSON already."""
    text = value
    if not isinstance(value, str):
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character, code in _ESCAPES.items():
        text = text.replace(character, code)
    return Markup(text)


def paragraphs(texts: Iterable[Markup]) -> Markup:
    """Return texts as paragraphs."""
    return Markup("").join(Markup("<p>{}</p>\n").format(text) for text in texts)


def items(texts: Iterable[Markup]) -> Markup:
    """Return texts as a list."""
    lines = Markup("").join(Markup("<li>{}</li>\n").format(text) for text in texts)
    return Markup("<ul>{}</ul>").format(lines)


def figure(f: Any) -> Markup:
    """Return a figure of a page with its caption and notes."""
    notes = Markup("").join(Markup('<p class="note">{}</p>').format(note) for note in f.notes)
    frame = '<figure id="fig-{}"><figcaption>{}</figcaption><div class="plot">{}</div>{}</figure>'
    return Markup(frame).format(f.name, f.title, f.drawing, notes)


def table(t: Any) -> Markup:
    """Return the place of a table, which the page's script fills, and its data."""
    notes = Markup("").join(Markup('<p class="note">{}</p>').format(note) for note in t.notes)
    head = '<div class="bar"><h3>{title}</h3><span class="tools"></span></div>{notes}'
    grid = '<div class="scroll" tabindex="0" role="region" aria-label="{label}"></div>'
    data = '<script type="application/json" id="table-{name}">{data}</script>'
    frame = f'<div class="table" id="tab-{{name}}" data-table="{{name}}">{head}{grid}{data}</div>'
    label, island = Markup(t.title).striptags(), json_in_html(t.as_json())
    return Markup(frame).format(name=t.name, title=t.title, notes=notes, label=label, data=island)
