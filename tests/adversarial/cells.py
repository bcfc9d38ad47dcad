"""Every cell: an input beside an entry of its kind, what is true, and one verdict."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np

from .cell import Entry, Input
from .entries import ENTRIES
from .inputs import INPUTS, base, distances, graphs, labels, sequences, squares, weights
from .judge import LEFT_OUT, Outcome, verdict
from .truth import Rows, Square


class Cell(NamedTuple):
    """Where one run stands in the tables."""

    kind: str
    family: str
    input: str
    entry: str


# kind: (what the truth is asked of, the clean numbers that stand in for what has none)
KINDS: dict[str, tuple[Callable[[Any], Any], Callable[[], Any]]] = {
    "table": (Rows, lambda: base.X),
    "weights": (np.asarray, lambda: weights.W),
    "kernel": (Square, lambda: squares.K),
    "distances": (Square, lambda: distances.D),
    "graphs": (list, graphs.graphs),
    "sequences": (list, lambda: sequences.WORDS),
    "labels": (np.asarray, lambda: labels.CODES),
    "targets": (np.asarray, lambda: labels.Y),
    "eigenvalues": (np.asarray, lambda: labels.VALUES),
}


def draw(place: Cell, seed: str = "") -> float:
    """A number in [0, 1) for a cell, the same whatever cells there are beside it."""
    return crc32("/".join((seed, *place)).encode()) / 2**32


def cells() -> Iterator[Cell]:
    """All cells, input by input; slow entries see a share of the inputs, always the same."""
    for kind, families in INPUTS.items():
        for family, cases in families.items():
            for case in cases:
                for entry in ENTRIES[kind]:
                    if case.name in entry.skips.split(","):
                        continue
                    place = Cell(kind, family, case.name, entry.name)
                    if draw(place) < entry.share:
                        yield place


def find(place: Cell) -> tuple[Input, Entry]:
    """The input and the entry of a cell."""
    case = next(c for c in INPUTS[place.kind][place.family] if c.name == place.input)
    return case, next(e for e in ENTRIES[place.kind] if e.name == place.entry)


@lru_cache(maxsize=4)
def known(kind: str, family: str, name: str) -> tuple[Any, Any]:
    """The truth about an input (None where there is none) and its numbers in a plain container."""
    case = next(c for c in INPUTS[kind][family] if c.name == name)
    about, clean = KINDS[kind]
    if case.verdict == "refused":
        return None, clean()
    meaning = case.meaning()
    if kind in ("graphs", "sequences"):
        return about(meaning), meaning
    numbers = np.array(meaning, dtype=np.longdouble)
    with np.errstate(over="ignore"):
        return about(numbers), numbers.astype(float)


def run(place: Cell) -> Outcome:
    """Run one cell here."""
    case, entry = find(place)
    try:
        truth, plain = known(*place[:3])
        outcome = verdict(entry, case, truth, plain)
    except ImportError as error:  # of the input: what leaves the library is an outcome
        return Outcome(LEFT_OUT, str(error)[:100])
    taken = {family.strip() for family in entry.takes.split(",")}
    if outcome.kind == "silent accept" and {place.family, place.input} & taken:
        return Outcome("right", "taken by what it is for")
    return outcome
