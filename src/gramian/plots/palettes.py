"""The colours and marks of groups."""

from __future__ import annotations

import re
from typing import Any

from gramian._check import is_list, short
from gramian.errors import InputError
from gramian.plots.look import look
from gramian.plots.style import MARKERS, MORE_COLORS, PALETTE


def palette_of(palette: Any) -> tuple[str, ...]:
    """Return the colours that a caller asks for.

    >>> palette_of(["#FF0000", "#0000ff"])
    ('#FF0000', '#0000ff')
    """
    if palette is None:
        return PALETTE
    colors = tuple(palette) if is_list(palette) else ()
    if not colors or not all(
        isinstance(c, str) and re.fullmatch("#[0-9a-fA-F]{6}", c) for c in colors
    ):
        raise InputError(f'palette={short(palette)} must be a list of colours such as "#0072B2"')
    return colors


def n_looks() -> int:
    """Return how many groups are told apart: by colour, by mark, full or hollow.

    >>> n_looks()
    100
    """
    return 2 * len(_colors()) * len(MARKERS)


def few_enough(count: int) -> bool:
    """Whether so many groups are told apart by their colours alone."""
    return count <= len(look().palette)


def _colors() -> tuple[str, ...]:
    palette = look().palette
    return PALETTE + MORE_COLORS if palette == PALETTE else palette


def look_of(position: int) -> tuple[str, str, bool]:
    """Return the colour of a group, its mark, and whether that is filled; no two are the same.

    Both colour and mark change from group to group, so that either is enough for the first.

    >>> len({look_of(k) for k in range(n_looks())})
    100
    """
    colors, marks = _colors(), len(MARKERS)
    turn, place = divmod(position, len(colors))
    half, turn = divmod(turn, marks)
    return colors[place], MARKERS[(place + turn) % marks], half % 2 == 0
