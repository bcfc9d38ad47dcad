"""The cells that the suite runs: at random, and the same ones however the tables grow."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from .cells import Cell, draw

SHARE = 1 / 62  # about 1,500 cells
_OPEN = Path(__file__).with_name("open.txt")


def sample(places: Iterable[Cell], share: float = SHARE, seed: str = "slice") -> list[Cell]:
    """A share of the cells."""
    return [place for place in places if draw(place, seed) < share]


def still_open() -> set[Cell]:
    """Cells of the slice whose defect is known and not mended yet: a list that may only shrink."""
    lines = _OPEN.read_text(encoding="utf-8").splitlines()
    return {Cell(*line.split(" / ")) for line in lines if line and not line.startswith("#")}
