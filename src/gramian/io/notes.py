"""What a reading says to the person whose file it is: sentences that know themselves in French."""

from __future__ import annotations

from typing import Any

from gramian.io.sentences import SENTENCES

__all__ = ["Note", "Word", "note"]


class Word(str):
    """A word or two in English, with the same in French.

    >>> Word("commas", "des virgules").french
    'des virgules'
    """

    french: str

    def __new__(cls, english: str, french: str = "") -> Word:
        """Keep both; a name that is the same in French needs no second."""
        word = super().__new__(cls, english)
        word.french = french or english
        return word


class Note(str):
    """A sentence in English that knows itself in French, and under which key it was written."""

    key: str
    french: str

    def in_language(self, language: str) -> str:
        """Return the sentence in "en" or "fr"."""
        return self.french if language == "fr" else str(self)


def note(key: str, **values: Any) -> Note:
    """Return a sentence, its blanks filled.

    >>> note("dropped_rows", n=2, of=10).french
    '2 lignes sur 10 ont une valeur manquante et sont laissées de côté.'
    """
    english, french = SENTENCES[key]
    sentence = Note(english.format(**values))
    translated = {name: getattr(value, "french", value) for name, value in values.items()}
    sentence.key, sentence.french = key, french.format(**translated)
    return sentence
