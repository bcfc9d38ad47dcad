"""A voice: the sentences of one language (en.toml, fr.toml), their placeholders filled."""

from __future__ import annotations

import pkgutil
import re
import tomllib
from functools import cache
from math import floor, isfinite, log10
from string import Formatter
from typing import Any

from gramian._study.language.labels import shorten
from gramian._study.language.terms import Sentence, Spelling, Term, python, setting
from gramian.errors import InputError

LANGUAGES = ("en", "fr")
_MAX_NAME = 40  # characters of a name in a sentence
_VOWEL = re.compile(r"[aeiouyàâäéèêëîïôöùûüœæ]", re.IGNORECASE)
_CONTRACTIONS = {"à les individus": "aux individus", "de les individus": "des individus"}
_LOWERCASE_STARTS = ("row ", "rows ", "l’individu ", "les individus ")


def texts(language: str, table: str = "sentences") -> dict[str, str]:
    """Return a table of a language's file: the sentences by key, or the texts of figures.

    >>> texts("fr")["axis"]
    'Axe {k}'
    """
    return _tables(language).get(table, {})


@cache
def _tables(language: str) -> dict[str, dict[str, str]]:
    data = pkgutil.get_data("gramian._study.language", f"{language}.toml") or b""
    return tomllib.loads(data.decode())


class Voice:
    """Says sentences as plain text, in a language, with arguments spelled as one face does.

    Examples
    --------
    >>> from gramian._study.language import Name, P, Voice
    >>> Voice("fr")("row", name=Name(21))
    'L’individu 21'
    >>> Voice().write(P(0.005, floor=0.005))
    'p\\xa0≤\\xa00.005'
    """

    def __init__(self, language: str = "en", spelling: Spelling = python) -> None:
        if not isinstance(language, str) or language not in LANGUAGES:
            known = " or ".join(map(repr, LANGUAGES))
            found = " ".join(repr(language).split())[:40]
            raise InputError(f"language={found} is not known: use {known}")
        self.language = language
        self.spelling = spelling
        self._french = language == "fr"

    def __call__(self, key: str, /, **values: Any) -> str:
        """Return a sentence that begins with a capital."""
        return self.capitalize(self.say(Sentence(key, values)))

    def say(self, sentence: Sentence) -> str:
        """Return a text of the catalogue, its placeholders filled, as a part of another."""
        out = ""
        for literal, placeholder, _, _ in Formatter().parse(self._template(sentence)):
            if placeholder is None:
                out += self.text(literal)
                continue
            value = setting(placeholder) if "=" in placeholder else sentence.values[placeholder]
            written = self.write(value)
            out += self.text(self._elide(literal, written)) + written
        if self._french:  # à les and de les are one word
            for pair, word in _CONTRACTIONS.items():
                out = out.replace(pair, word)
        return out

    def capitalize(self, text: str) -> str:
        """Return a sentence with a capital where it starts with a word of ours."""
        return text[:1].upper() + text[1:] if text.startswith(_LOWERCASE_STARTS) else text

    def raw(self, key: str) -> str:
        """Return a text of the catalogue as it stands."""
        return self.text(_keep_together(texts(self.language)[key]))

    def rewrite(self, text: str, table: str) -> str:
        """Return an English text of a figure or a printout in this language, by its patterns.

        >>> Voice("fr").rewrite("Inertia (%)", "figures")
        'Inertie (%)'
        """
        for pattern, said in texts(self.language, table).items():
            text = re.sub(pattern, said, text)
        return text

    def write(self, value: Any) -> str:
        """Return what goes into a placeholder."""
        if isinstance(value, Term):
            return value.write(self)
        if isinstance(value, bool) or not hasattr(value, "__index__"):
            return self.text(str(getattr(value, "french", value) if self._french else value))
        return self.local(f"{value.__index__():,}")

    def text(self, text: str) -> str:
        """Return a text that is not markup."""
        return text

    def name(self, label: Any) -> str:
        """Return a name from the data."""
        return self.text(shorten(label, _MAX_NAME))

    def local(self, number: str) -> str:
        """Return a written number with the marks of the language."""
        return number.replace(",", "\u202f").replace(".", ",") if self._french else number

    def number(self, x: float, digits: int = 3) -> str:
        """Return a number to so many significant digits."""
        if not isfinite(x):
            return "–"
        if x != 0 and not 1e-4 <= abs(x) < 1e6:
            return self.local(f"{x:.{digits - 1}e}").replace("-", "−")
        places = max(0, digits - 1 - floor(log10(abs(x)))) if x else 0
        return self.local(f"{x:,.{places}f}").replace("-", "−")

    def _template(self, sentence: Sentence) -> str:
        """Return the text for one or for several, by what is counted."""
        count = sentence.values.get("count", sentence.values.get("n"))
        key = f"{sentence.key}.one" if count == 1 else sentence.key
        known = texts(self.language)
        return _keep_together(known[key] if key in known else known[sentence.key])

    def _elide(self, literal: str, following: str) -> str:
        """Return what stands before a placeholder: de Rennes, d’Athens."""
        plain = re.sub(r"<[^>]*>", "", following)
        if not self._french or not _VOWEL.match(plain):
            return literal
        return re.sub(r"\b(d|qu)e $", r"\1’", literal)


def _keep_together(text: str) -> str:
    """Keep together what no line should part: p = 0.05, 5 %, and a sign that follows a space."""
    text = re.sub(r" (?=[;:?!%»])", "\u202f", text)
    return re.sub(r"\b([pnr]) ([=<≤]) ", "\\1\u00a0\\2\u00a0", text)
