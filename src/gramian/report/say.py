"""The voice of a page: sentences whose texts are escaped, names marked as names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gramian._study.claim import Claim
from gramian._study.language import Sentence, Voice, texts
from gramian._study.language.labels import shorten
from gramian.report.escape import Markup, escape

_LONGEST = 40  # characters of a name in a sentence


class Say(Voice):
    """Says sentences as HTML: `say(key, …)` explains, `say.claim(claim)` asserts.

    >>> say = Say("en")
    >>> from gramian._study.language import Name
    >>> str(say("row", name=Name("<b>")))
    'Row <b class="name"><bdi>&lt;b&gt;</bdi></b>'
    """

    def __call__(self, key: str, /, **values: Any) -> Markup:
        """Return a sentence that claims nothing about the data."""
        if key.startswith("claim."):
            raise KeyError(f"{key} is said by a claim only")
        return Markup(super().__call__(key, **values))

    def claim(self, claim: Claim) -> Markup:
        """Return a claim in its own words."""
        said = self.capitalize(self.say(claim.sentence))
        return Markup('<span class="claim" data-kind="{}">{}</span>').format(
            claim.kind, Markup(said)
        )

    def text(self, text: str) -> str:
        """Return a text, escaped."""
        return str(escape(text))

    def name(self, label: Any) -> str:
        """Return a name from the data: escaped, short, its direction kept to itself."""
        return f'<b class="name"><bdi>{escape(shorten(label, _LONGEST))}</bdi></b>'

    def plain(self, key: str, /, **values: Any) -> str:
        """Return a text for a place without markup."""
        voice = Voice(self.language, self.spelling)
        return voice.capitalize(voice.say(Sentence(key, values)))

    def template(self, key: str) -> str:
        """Return a text with its blanks, for the page's script."""
        return texts(self.language)[key]

    def figure(self, text: str) -> str:
        """Return a text of a figure in this language."""
        return self.rewrite(text, "figures")

    def ending(self, text: str) -> str:
        """Return a text whose end alone is ours in this language."""
        return self.rewrite(text, "points")

    def by_language(self, texts: Mapping[str, str]) -> str | None:
        """Return the text of a record in this language, where it brings one."""
        return texts.get(self.language)
