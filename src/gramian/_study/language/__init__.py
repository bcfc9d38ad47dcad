"""Sentences in English and French: one catalogue, and the voices that say it."""

from gramian._study.language.spelling import Options, Spelling, python
from gramian._study.language.terms import (
    Count,
    Fixed,
    Listed,
    Name,
    Number,
    P,
    Row,
    Sentence,
    Setting,
    Share,
    Term,
    names,
    quoted,
    rows,
)
from gramian._study.language.voice import LANGUAGES, Voice, texts

__all__ = [
    "LANGUAGES",
    "Count",
    "Fixed",
    "Listed",
    "Name",
    "Number",
    "Options",
    "P",
    "Row",
    "Sentence",
    "Setting",
    "Share",
    "Spelling",
    "Term",
    "Voice",
    "names",
    "python",
    "quoted",
    "rows",
    "texts",
]
