"""Sentences from a catalogue, their blanks filled with escaped names and written numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from gramian._check import one_of
from gramian.plots.text import shorten
from gramian.report.escape import Markup, escape
from gramian.report.language import CATALOGUES, FIGURES

__all__ = ["Say"]

_LONGEST = 40  # characters of a name in a sentence


class Say:
    """A voice: `say(key, …)` is a sentence in its language.

    >>> say = Say("en")
    >>> str(say("sum.outliers.one", names=say.name("<b>")))
    'One row stands apart: <b class="name"><bdi>&lt;b&gt;</bdi></b>.'
    """

    def __init__(self, language: str) -> None:
        self.language = one_of(language, "language", CATALOGUES)
        self.texts = {key: _tied(text) for key, text in CATALOGUES[language].items()}

    def __call__(self, key: str, /, **values: Any) -> Markup:
        """Return the sentence; texts are escaped, whole numbers grouped by thousands."""
        blanks = {name: self._written(value) for name, value in values.items()}
        return Markup(self.texts[key]).format(**blanks)

    def count(self, key: str, number: int, /, **values: Any) -> Markup:
        """Return the sentence for one, or for several."""
        return self(f"{key}.one" if number == 1 else key, **values)

    def _written(self, value: Any) -> Any:
        if isinstance(value, int | np.integer) and not isinstance(value, bool):
            return self.whole(int(value))
        return value

    def whole(self, x: int) -> str:
        """Write a whole number."""
        return self._local(f"{x:,}")

    def number(self, x: float, digits: int = 3) -> str:
        """Write a number to so many significant digits."""
        if not np.isfinite(x):
            return "–"
        size = abs(x)
        if size != 0 and not 1e-4 <= size < 1e6:
            return self._local(f"{x:.{digits - 1}e}")
        places = max(0, digits - 1 - int(np.floor(np.log10(size)))) if size > 0 else 0
        return self._local(f"{x:,.{places}f}")

    def fixed(self, x: float, places: int = 2) -> str:
        """Write a number with so many decimals and a true minus sign."""
        return self._local(f"{x:.{places}f}").replace("-", "−")

    def percent(self, share: float) -> Markup:
        """Write a share."""
        x = 100.0 * share
        places = 1 if x < 99.95 and round(x, 1) != round(x) else 0
        return self("percent", x=self._local(f"{x:.{places}f}"))

    def p(self, p: float) -> Markup:
        """Write a p-value."""
        if p < 0.001:
            return self("p.small")
        return self("p.equal", x=self._local(f"{p:.2g}" if p < 0.1 else f"{p:.2f}"))

    def _local(self, text: str) -> str:
        if self.language == "fr":
            return text.replace(",", "\u202f").replace(".", ",")
        return text

    def name(self, label: Any) -> Markup:
        """Write a name from the data: escaped, short, its direction kept to itself."""
        return Markup('<b class="name"><bdi>{}</bdi></b>').format(shorten(label, _LONGEST))

    def names(self, labels: Iterable[Any], most: int = 8) -> Markup:
        """Write a list of names, and how many more there are."""
        return self.listed([self.name(label) for label in labels], most)

    def listed(self, parts: list[Markup], most: int = 8) -> Markup:
        """Join written things: a, b and c."""
        comma, last = escape(self.texts["comma"]), escape(self.texts["and"])
        if len(parts) > most:
            return self("others", names=comma.join(parts[:most]), count=len(parts) - most)
        if len(parts) < 2:
            return Markup("").join(parts)
        return comma.join(parts[:-1]) + last + parts[-1]

    def figure(self, text: str) -> str:
        """Return a text of a figure in this language."""
        for pattern, said in FIGURES[self.language]:
            text = re.sub(pattern, said, text)
        return text

    def by_language(self, texts: Mapping[str, str]) -> str | None:
        """Return the text of a record in this language, where it brings one."""
        return _tied(texts[self.language]) if self.language in texts else None

    def note(self, note: Any) -> str:
        """Return a note of the reader in this language, where it knows it."""
        return str(getattr(note, "french", note) if self.language == "fr" else note)


def _tied(text: str) -> str:
    """Keep together what no line should part: p = 0.05, 5 %, and a sign that follows a space."""
    text = re.sub(r" (?=[;:?!%»])", "\u202f", text)
    return text.replace("p = ", "p\u00a0=\u00a0").replace("p &lt; ", "p\u00a0&lt;\u00a0")
