"""What a reading says to the person whose file it is: sentences that know themselves in French."""

from __future__ import annotations

from typing import Any

from gramian._study.language import Sentence, Spelling, Voice, python


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
    sentence: Sentence

    @property
    def french(self) -> str:
        """The sentence in French."""
        return self.in_language("fr")

    def in_language(self, language: str, spelling: Spelling = python) -> str:
        """Return the sentence in "en" or "fr", arguments spelled as one face does."""
        return Voice(language, spelling).say(self.sentence)


def note(key: str, **values: Any) -> Note:
    """Return a sentence, its blanks filled.

    >>> note("dropped_rows", n=2, of=10).french
    '2 lignes sur 10 ont une valeur manquante et sont laissées de côté.'
    """
    sentence = Sentence(f"note.{key}", values)
    text = Note(Voice().say(sentence))
    text.key, text.sentence = key, sentence
    return text
