"""Errors that carry their sentence, so that each face can say it in its own words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gramian.language.terms import Sentence
from gramian.language.voice import Voice

if TYPE_CHECKING:
    from gramian.errors import InputError

__all__ = ["refused"]


def refused(key: str, **values: Any) -> InputError:
    """Return an error in the words of the catalogue; `sentence` holds what it was made from.

    >>> str(refused("few_rows", n=2))
    'data: 2 rows are left: a report needs at least 3'
    """
    from gramian.errors import InputError  # brings scikit-learn: not for a word of help

    sentence = Sentence(f"error.{key}", values)
    error = InputError(Voice().say(sentence))
    error.sentence = sentence
    return error
