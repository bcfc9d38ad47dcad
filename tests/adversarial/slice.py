"""The cells that the suite runs: at random, and the same ones however the tables grow."""

from __future__ import annotations

from collections.abc import Iterable

from .cells import Cell, draw

SHARE = 1 / 87  # about 1,850 cells


def sample(places: Iterable[Cell], share: float = SHARE, seed: str = "slice") -> list[Cell]:
    """A share of the cells."""
    return [place for place in places if draw(place, seed) < share]
