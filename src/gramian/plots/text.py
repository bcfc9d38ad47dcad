"""Texts that come from data: made harmless, shortened, and measured without a drawing library."""

from __future__ import annotations

import unicodedata
from typing import Any

from gramian.plots.style import SMALL

__all__ = ["clean", "height", "shorten", "width"]

# Advance widths of DejaVu Sans, a wide face, in em: others are narrower, so boxes are safe.
_NARROW = dict.fromkeys("ijl'", 0.30) | dict.fromkeys(" .,:;!I()[]ft/\\rJ|-²", 0.42)
_WIDE = dict.fromkeys("mMW@%…", 1.0) | dict.fromkeys("wOQGNHUD+<>=~#&^−", 0.84)


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


def width(text: str, size: float = SMALL) -> float:
    """Return about how wide a text is, in points, rather too much than too little."""
    return size * sum(_em(character) for character in text)


def height(size: float = SMALL) -> float:
    """Return the height of a line, in points."""
    return 1.2 * size


def _em(character: str) -> float:
    if character in _NARROW:
        return _NARROW[character]
    if character in _WIDE:
        return _WIDE[character]
    if unicodedata.east_asian_width(character) in "WF":
        return 1.0
    if character > "\u036f":  # not a Latin letter: measured generously
        return 0.9
    return 0.70 if character.isupper() else 0.64
