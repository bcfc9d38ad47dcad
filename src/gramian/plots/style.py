"""One look for every figure: colours that colour-blind readers tell apart, sizes in points."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

INK = "#222222"
MUTED = "#777777"
FAINT = "#c8c8c8"
# Okabe and Ito's colours, less the yellow, which is lost on white.
PALETTE = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#6B4C9A")
# Further ones, which need another mark as well to be told apart by everybody.
MORE_COLORS = ("#882255", "#999933", "#555555")
POINT_COLOR = PALETTE[0]
BAR_COLOR = "#6FA8D0"  # the same blue, lighter: bars are large
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


def text_color(color: str) -> str:
    """Return a colour dark enough for small letters: that of the marks, darker.

    >>> text_color("#56B4E9")
    '#4590ba'
    """
    if color == FAINT:
        return MUTED
    return "#" + "".join(f"{round(0.8 * int(color[k : k + 2], 16)):02x}" for k in (1, 3, 5))


def point_size(n: int) -> float:
    """Return the diameter of n markers: 6 points for a few, 2 for tens of thousands.

    >>> point_size(10), point_size(100_000)
    (6.0, 2.0)
    """
    return float(np.clip(8.0 - 1.4 * np.log10(max(n, 1)), 2.0, 6.0))


def point_alpha(n: int) -> float:
    """Return the opacity of n markers: crowds are drawn lighter, so that their density shows."""
    return float(np.clip(1.45 - 0.25 * np.log10(max(n, 1)), 0.35, 0.9))
