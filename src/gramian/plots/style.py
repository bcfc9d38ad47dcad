"""How figures look: colours that colour-blind readers distinguish, sizes in points, themes."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gramian._study.language.labels import clean as clean
from gramian._study.language.labels import shorten as shorten

INK = "#222222"
MUTED = "#777777"
FAINT = "#c8c8c8"
# The hues of Okabe and Ito less the yellow, with a contrast of 3:1 on white paper.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#C2679D", "#B07A00", "#3D93C8", "#6B4C9A")
# Further ones, which need another mark as well for everybody to distinguish them.
MORE_COLORS = ("#882255", "#8F8F25", "#555555")
# The same hues on dark paper.
PALETTE_DARK = ("#4C9FE0", "#E57A33", "#1FB58A", "#D98BB8", "#E0A030", "#8CC8F5", "#9E82CC")
MORE_DARK = ("#D0628F", "#B3B34D", "#999999")
# Numbers from small to large: the part of viridis with a contrast of 3:1, the largest strongest.
SCALE = ("#20a386", "#20928c", "#26818e", "#2e6f8e", "#365d8d", "#3f4889", "#46337f", "#481b6d")
SCALE_DARK = (
    *("#2e6f8e", "#26828e", "#1f958b", "#22a884", "#3bbb75", "#63cb5f", "#95d840", "#cae11f"),
)
PALE_SHARE = 0.42  # of viridis, from its pale end: points and lines of that part are lost on white
POINT_COLOR = PALETTE[0]
BAR_COLOR = "#4C92C3"  # the same blue, lighter: bars are large
ACCENT = PALETTE[1]
MARKERS = ("circle", "triangle", "square", "diamond", "triangle-down")

TEXT = 9.0  # axes, legend
SMALL = 8.0  # labels of points, notes
TITLE = 11.0


@dataclass(frozen=True)
class Theme:
    """How large everything is, and the colours of paper and ink."""

    text: float = TEXT  # size of the texts on the axes, in points
    even: bool = False  # whether all other texts are of that size, too
    ink: str = INK
    muted: str = MUTED
    faint: str = FAINT
    paper: str = "white"

    @property
    def scale(self) -> float:
        """How large everything is beside the usual size."""
        return self.text / TEXT

    def size(self, points: float) -> float:
        """Return the size of a text that usually has so many points."""
        return self.text if self.even else points * self.scale


SCREEN = Theme()
THEMES = {
    "screen": SCREEN,
    "paper": Theme(text=7.0, even=True),
    "talk": Theme(text=14.0),
    "dark": Theme(ink="#ececec", muted="#a6a6a6", faint="#585858", paper="#16191d"),
}


# What becomes of these colours on dark paper.
ON_DARK = dict(
    zip((*PALETTE, *MORE_COLORS, BAR_COLOR), (*PALETTE_DARK, *MORE_DARK, "#8CBDE0"), strict=True)
)


def text_color(color: str) -> str:
    """Return a colour dark enough for small letters: that of the marks, darker."""
    if color == FAINT:
        return MUTED
    return "#" + "".join(f"{round(0.8 * int(color[k : k + 2], 16)):02x}" for k in (1, 3, 5))


def point_size(n: int) -> float:
    """Return the diameter of n markers: 6 points for a few, 2 for tens of thousands."""
    return float(np.clip(8.0 - 1.4 * np.log10(max(n, 1)), 2.0, 6.0))


def point_alpha(n: int) -> float:
    """Return the opacity of n markers: crowds are drawn lighter, so that their density shows."""
    return float(np.clip(1.45 - 0.25 * np.log10(max(n, 1)), 0.35, 0.9))


@dataclass(frozen=True)
class Look:
    """The title, the colours of groups, the theme, and the size of panels over their usual one."""

    title: str = ""
    palette: tuple[str, ...] = PALETTE
    theme: Theme = SCREEN
    wide: float = 1.0
    high: float = 1.0
    page: tuple[float, float] = (np.inf, np.inf)  # that has to be filled, in points


_DEFAULT_LOOK = Look()
_LOOK: ContextVar[Look] = ContextVar("look", default=_DEFAULT_LOOK)


def look() -> Look:
    """Return the look of the figure that is being made."""
    return _LOOK.get()


@contextmanager
def looking(**changes: Any) -> Iterator[None]:
    """Change the look of what is made or drawn inside."""
    token = _LOOK.set(replace(_LOOK.get(), **changes))
    try:
        yield
    finally:
        _LOOK.reset(token)


def across(length: float) -> float:
    """Return how wide a panel of a usual width is."""
    return length * _LOOK.get().wide


def upwards(length: float) -> float:
    """Return how high a panel of a usual height is."""
    return length * _LOOK.get().high


def text_size(points: float) -> float:
    """Return the size of a text in a record, which is drawn as large as the theme has it."""
    theme = _LOOK.get().theme
    return theme.size(points) / theme.scale


def n_looks() -> int:
    """Return how many groups can be distinguished: by colour, by mark, full or hollow."""
    return 2 * len(_colors()) * len(MARKERS)


def few_enough(count: int) -> bool:
    """Whether so many groups can be distinguished by their colours alone."""
    return count <= len(look().palette)


def _colors() -> tuple[str, ...]:
    palette = look().palette
    return PALETTE + MORE_COLORS if palette == PALETTE else palette


def look_of(position: int) -> tuple[str, str, bool]:
    """Return the colour of a group, its mark, and whether that is filled; no two are the same.

    Both colour and mark change from group to group, so that either is enough for the first.
    """
    colors, marks = _colors(), len(MARKERS)
    turn, place = divmod(position, len(colors))
    half, turn = divmod(turn, marks)
    return colors[place], MARKERS[(place + turn) % marks], half % 2 == 0


# Advance widths of DejaVu Sans, a wide face, in em: others are narrower, so boxes are safe.
_NARROW = dict.fromkeys("ijl'", 0.30) | dict.fromkeys(" .,:;!I()[]ft/\\rJ|-²", 0.42)
_WIDE = dict.fromkeys("mMW@%…", 1.0) | dict.fromkeys("wOQGNHUD+<>=~#&^−", 0.84)


def width(text: str, size: float = SMALL) -> float:
    """Return about how wide a text is, in points, rather too much than too little."""
    return size * sum(_em(character) for character in text)


def natural_order(names: Sequence[str]) -> list[int]:
    """Return the positions of names in the order of a legend: "group 2" before "group 10".

    Names that are not in the order of the alphabet have one of their own, which they keep.
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
