"""Texts that come from data: made harmless and shortened."""

from __future__ import annotations

import unicodedata
from typing import Any


def clean(label: Any) -> str:
    """Return a label as one line of visible characters.

    >>> clean("two\\nlines")
    'two lines'
    """
    if isinstance(label, tuple):
        return " / ".join(clean(part) for part in label)
    label = str(label)
    if label.isprintable() and "  " not in label:
        return label.strip()
    visible = (" " if c.isspace() else c for c in label if c.isspace() or _shows(c))
    return " ".join("".join(visible).split())


def _shows(character: str) -> bool:
    """Whether a character is drawn: control and direction marks can rearrange what follows."""
    return unicodedata.category(character)[0] != "C"


def shorten(label: Any, most: int = 24) -> str:
    """Return a label in at most `most` characters: names often differ at their end, so both stay.

    >>> shorten("treatment with a long name, replicate 12", 20)
    'treatment wi…cate 12'
    """
    text = clean(label)
    if len(text) <= most:
        return text
    tail = (most - 1) * 2 // 5
    return text[: most - 1 - tail].rstrip() + "…" + text[len(text) - tail :].lstrip()
