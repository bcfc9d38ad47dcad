"""Texts that come from data: made harmless, shortened, and measured without a drawing library."""

import re
import unicodedata
from collections.abc import Sequence

from gramian._study.language.labels import clean as clean
from gramian._study.language.labels import shorten as shorten
from gramian.plots.style import SMALL

# Advance widths of DejaVu Sans, a wide face, in em: others are narrower, so boxes are safe.
_NARROW = dict.fromkeys("ijl'", 0.30) | dict.fromkeys(" .,:;!I()[]ft/\\rJ|-²", 0.42)
_WIDE = dict.fromkeys("mMW@%…", 1.0) | dict.fromkeys("wOQGNHUD+<>=~#&^−", 0.84)


def width(text: str, size: float = SMALL) -> float:
    """Return about how wide a text is, in points, rather too much than too little."""
    return size * sum(_em(character) for character in text)


def natural_order(names: Sequence[str]) -> list[int]:
    """Return the positions of names in the order of a legend: "group 2" before "group 10".

    Names that are not in the order of the alphabet have one of their own, which they keep.

    >>> names = ["group 1", "group 10", "group 2"]
    >>> [names[k] for k in natural_order(names)], natural_order(["low", "high"])
    (['group 1', 'group 2', 'group 10'], [0, 1])
    """
    everywhere = range(len(names))
    if list(names) != sorted(names):
        return list(everywhere)
    return sorted(everywhere, key=lambda k: _parts(names[k]))


def _parts(name: str) -> list[tuple[int, str]]:
    """Return a name as texts and numbers, which are compared by size."""
    pieces = re.split("([0-9]{1,15})", name)
    return [(int(piece), "") if k % 2 else (0, piece) for k, piece in enumerate(pieces)]


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
