"""Sentences in English and French (en.toml, fr.toml), and the voices that write them.

A `Sentence` is a key of the catalogue with the values of its placeholders; a `Voice` writes it in
one language. Values that are not plain texts or numbers are a `Term`, which knows how a voice
writes it.
"""

from __future__ import annotations

import ast
import pkgutil
import re
import shlex
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from math import floor, isfinite, log10
from string import Formatter
from typing import Any

from gramian._study.language.labels import shorten
from gramian.errors import InputError

LANGUAGES = ("en", "fr")
_MAX_NAME = 40  # characters of a name in a sentence
_VOWEL = re.compile(r"[aeiouyàâäéèêëîïôöùûüœæ]", re.IGNORECASE)
_CONTRACTIONS = {"à les individus": "aux individus", "de les individus": "des individus"}
_LOWERCASE_STARTS = ("row ", "rows ", "l’individu ", "les individus ")
# How an argument and its values are written: as Python does, or as a command does.
Spelling = Callable[[str, tuple[Any, ...] | None], str]


class Term:
    """Something that a voice can write."""

    def write(self, voice: Voice) -> str:
        raise NotImplementedError


@dataclass(frozen=True)
class Name(Term):
    """A name from the data."""

    label: Any

    def write(self, voice: Voice) -> str:
        return voice.name(self.label)


@dataclass(frozen=True)
class Row(Term):
    """A row: by its name, or as "row 21" where that is a number."""

    label: Any

    def write(self, voice: Voice) -> str:
        name = Name(self.label)
        return voice.say(Sentence("row", {"name": name})) if self.is_number else name.write(voice)

    @property
    def is_number(self) -> bool:
        """Whether the label is a number."""
        try:
            float(str(self.label))
        except ValueError:
            return False
        return True


@dataclass(frozen=True)
class Share(Term):
    """A part of a whole, in per cent."""

    value: float

    def write(self, voice: Voice) -> str:
        x = 100.0 * self.value
        places = 1 if abs(x) < 99.95 and round(x, 1) != round(x) else 0
        return voice.say(Sentence("percent", {"x": Fixed(x, places)}))


@dataclass(frozen=True)
class Fixed(Term):
    """A number with so many decimals, U+2212 before negative ones, and no sign before 0.00."""

    value: float
    places: int = 2
    signed: bool = False

    def write(self, voice: Voice) -> str:
        rounded = round(float(self.value), self.places) + 0.0  # −0 + 0 is 0
        text = f"{rounded:{'+' if self.signed else ''}.{self.places}f}"
        return voice.local(text).replace("-", "−")


@dataclass(frozen=True)
class Number(Term):
    """A number to so many significant digits."""

    value: float
    digits: int = 3

    def write(self, voice: Voice) -> str:
        x, digits = self.value, self.digits
        if not isfinite(x):
            return "–"
        if x != 0 and not 1e-4 <= abs(x) < 1e9:
            return voice.local(f"{x:.{digits - 1}e}").replace("-", "−")
        if abs(x) >= 1e6:  # 1,751,000
            x = round(x, digits - 1 - floor(log10(abs(x))))
        places = max(0, digits - 1 - floor(log10(abs(x)))) if x else 0
        return voice.local(f"{x:,.{places}f}").replace("-", "−")


def as_written(x: float) -> Fixed:
    """Return a number with as many decimals as six digits of it have."""
    return Fixed(x, len(f"{x:.{max(0, 5 - floor(log10(abs(x))))}f}".rstrip("0").partition(".")[2]))


@dataclass(frozen=True)
class P(Term):
    """A p-value: "p = …", or "p ≤ …" at the floor, the smallest that its test can give."""

    value: float
    floor: float = 0.0

    def write(self, voice: Voice) -> str:
        p = self.value
        if self.floor and p <= 1.000001 * self.floor:
            return voice.say(Sentence("p.floor", {"x": voice.local(f"{p:.2g}")}))
        if p < 0.001:
            return voice.say(Sentence("p.small"))
        digits = "3g" if f"{p:.2g}" == "0.05" else "2g" if p < 0.1 else "2f"
        return voice.say(Sentence("p.equal", {"x": voice.local(f"{p:.{digits}}")}))


@dataclass(frozen=True)
class Count(Term):
    """So many of something: "1 row", "60 rows"."""

    unit: str
    number: int

    def write(self, voice: Voice) -> str:
        # French counts from 2 on as several, English everything but 1.
        one = abs(self.number) < 2 if voice.language == "fr" else self.number == 1
        return voice.say(Sentence(f"unit.{self.unit}{'.one' if one else ''}", {"n": self.number}))


@dataclass(frozen=True)
class Setting(Term):
    """An argument and its values, as a face spells it: `a='b' or 'c'`, or --a b or c."""

    name: str
    values: tuple[Any, ...] | None = ()  # None: the name alone

    def write(self, voice: Voice) -> str:
        if self.values is None or len(self.values) < 2:
            return voice.text(voice.spelling(self.name, self.values))
        start = voice.spelling(self.name, ())
        each = [voice.spelling(self.name, (value,)) for value in self.values]
        others = [text.removeprefix(start).lstrip() for text in each[1:]]
        head = voice.raw("comma").join([each[0], *others[:-1]])
        return voice.text(f"{head}{voice.raw('or')}{others[-1]}")


@dataclass(frozen=True)
class Listed(Term):
    """Several things: a, b and c; a few of them and how many others."""

    parts: tuple[Any, ...]
    most: int = 8

    def write(self, voice: Voice) -> str:
        parts = [voice.write(part) for part in self.parts]
        if len(parts) > self.most:
            first = voice.raw("comma").join(parts[: self.most])
            return first + voice.say(Sentence("others", {"count": len(parts) - self.most}))
        head, last = parts[:-1], parts[-1:]
        return voice.raw("and").join([voice.raw("comma").join(head), *last] if head else last)


@dataclass(frozen=True)
class Sentence(Term):
    """A text of the catalogue and what goes into its placeholders."""

    key: str
    values: dict[str, Any] = field(default_factory=dict)

    def write(self, voice: Voice) -> str:
        return voice.say(self)


def names(labels: Iterable[Any], most: int = 8) -> Listed:
    """Return a list of names."""
    return Listed(tuple(Name(label) for label in labels), most)


def quoted(labels: Iterable[Any], most: int = 5) -> Listed:
    """Return a list of names in quotes, as messages of the command write them."""
    texts = [str(label) for label in labels]
    return Listed(tuple(f"{t!r:.40}" if t else Sentence("unnamed") for t in texts), most)


def rows(labels: Iterable[Any], most: int = 8) -> Term:
    """Return a list of rows; the word for rows stands before numbers once."""
    parts = tuple(Row(label) for label in labels)
    if len(parts) > 1 and all(part.is_number for part in parts):
        return Sentence("rows", {"names": names([part.label for part in parts], most)})
    return Listed(parts, most)


def setting(placeholder: str) -> Setting:
    """Return the setting that a placeholder of the catalogue names."""
    name, _, values = placeholder.partition("=")
    if not name:  # "=transpose" is the argument itself, without a value
        return Setting(values, None)
    return Setting(name, tuple(ast.literal_eval(v) for v in values.split("|") if v))


def python(name: str, values: tuple[Any, ...] | None) -> str:
    """Return a setting as an argument."""
    if values is None:
        return name
    return f"{name}={repr(values[0]) if values else ''}"


class Options:
    """The spelling of a command: an option's word, its opposite, by the argument's name."""

    def __init__(self, words: Mapping[str, tuple[str, str | None]]) -> None:
        self.words = words

    def __call__(self, name: str, values: tuple[Any, ...] | None) -> str:
        """Return a setting as an option."""
        if name not in self.words:
            return python(name, values)
        word, opposite = self.words[name]
        values = values or ()
        first = values[0] if values else None
        if first is False:  # not 0, which is a number
            return opposite or f"{word} no"
        if first is True or first is None:
            return word
        if opposite is not None:  # a flag has no other value: this is an argument of its name
            return python(name, values)
        if isinstance(first, list):
            return " ".join(f"{word} {shlex.quote(str(value))}" for value in first)
        return f"{word} {shlex.quote(str(first))}"


def texts(language: str, table: str = "sentences") -> dict[str, str]:
    """Return a table of a language's file: the sentences by key, or the texts of figures."""
    return _tables(language).get(table, {})


@cache
def _tables(language: str) -> dict[str, dict[str, str]]:
    data = pkgutil.get_data("gramian._study.language", f"{language}.toml") or b""
    return tomllib.loads(data.decode())


class Voice:
    """Says sentences as plain text, in a language, with arguments spelled as one face does."""

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
        """Return an English text of a figure or a printout in this language, by its patterns."""
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

    def name(self, label: object) -> str:
        """Return a name from the data."""
        return self.text(shorten(label, _MAX_NAME))

    def local(self, number: str) -> str:
        """Return a written number with the marks of the language."""
        return number.replace(",", "\u202f").replace(".", ",") if self._french else number

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
