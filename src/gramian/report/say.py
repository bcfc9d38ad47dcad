"""The voice of a page: sentences and labels, escaped for HTML and for JSON inside HTML.

Labels come from data and are hostile until escaped; those of CSV files are escaped by the page's
own script, where the files are made.
"""

import json
from collections.abc import Iterable, Mapping
from typing import Any

from gramian._study.language import Sentence, Voice, texts
from gramian._study.record import Claim

try:
    from markupsafe import Markup as Markup
    from markupsafe import escape as escape
except ModuleNotFoundError as error:
    raise ImportError("a report needs jinja2 and plotly: pip install 'gramian[plot]'") from error

_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026", "\u2028": "\\u2028"}
_ESCAPES |= {"\u2029": "\\u2029"}


class Say(Voice):
    """Writes sentences as HTML: `say(key, …)` explains, `say.claims(claims)` asserts.

    >>> say = Say("en")
    >>> from gramian._study.language import Name
    >>> str(say("row", name=Name("<b>")))
    'Row <b class="name"><bdi>&lt;b&gt;</bdi></b>'
    """

    def __call__(self, key: str, /, **values: Any) -> Markup:
        """Return a sentence that claims nothing about the data."""
        if key.startswith("claim."):
            raise KeyError(f"{key} is stated by a claim only")
        return Markup(super().__call__(key, **values))

    def claims(self, claims: Iterable[Claim]) -> list[Markup]:
        """Return claims in their own words; those that share a sentence state it once."""
        return list(dict.fromkeys(self.claim(claim) for claim in claims))

    def claim(self, claim: Claim) -> Markup:
        """Return a claim in its own words."""
        span = Markup('<span class="claim" data-kind="{}">{}</span>')
        return span.format(claim.kind, self.sentence(claim.sentence))

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
    """Return a value as JSON that cannot end the element it stands in; a text is JSON already.

    >>> str(json_in_html({"label": "</script>"}))
    '{"label":"\\\\u003c/script\\\\u003e"}'
    """
    text = value
    if not isinstance(value, str):
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    for character, code in _ESCAPES.items():
        text = text.replace(character, code)
    return Markup(text)
