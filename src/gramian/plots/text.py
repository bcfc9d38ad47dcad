"""Texts that come from data: made harmless, shortened, and measured without a drawing library."""

from __future__ import annotations

import unicodedata

from gramian.language.labels import clean, shorten
from gramian.plots.style import SMALL

__all__ = ["clean", "height", "shorten", "width"]

# Advance widths of DejaVu Sans, a wide face, in em: others are narrower, so boxes are safe.
_NARROW = dict.fromkeys("ijl'", 0.30) | dict.fromkeys(" .,:;!I()[]ft/\\rJ|-²", 0.42)
_WIDE = dict.fromkeys("mMW@%…", 1.0) | dict.fromkeys("wOQGNHUD+<>=~#&^−", 0.84)


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
