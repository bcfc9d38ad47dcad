"""Errors and warnings that carry their sentence, so that each face can say it in its own words."""

from __future__ import annotations

from typing import Any

from gramian.errors import InputError
from gramian.language.terms import Found, Sentence, Setting
from gramian.language.voice import Voice

__all__ = ["refused", "setting_of"]

_LONGEST = 80  # letters of a value


def refused(key: str, kind: type[Exception] = InputError, /, **values: Any) -> Any:
    """Return an error in the words of the catalogue, of a kind, `InputError` by default.

    `sentence` holds what it was made from: `argument` and `found` are read there.

    >>> error = refused("whole", setting=setting_of("q", 0), least=1, limit="")
    >>> str(error), error.argument, error.found
    ('q=0 must be a whole number, at least 1', 'q', '0')
    """
    sentence = Sentence(f"error.{key}", values)
    error: Any = kind(Voice().say(sentence))
    error.sentence = sentence
    return error


def setting_of(name: str, value: Any) -> Setting:
    """Return an argument and what was found in it, on a part of one line.

    >>> setting_of("sep", "ab").values
    ('ab',)
    """
    if value is None or isinstance(value, bool):
        return Setting(name, (value,))
    return Setting(name, (Found(shortened(repr(value)), shortened(str(value))),))


def shortened(text: str) -> str:
    """Return a text on a part of one line."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 3] + "..."
