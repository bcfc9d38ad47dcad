"""Run every cell, print and write the counts: `python -m tests.adversarial`.

`--only TEXT` runs the cells whose place holds a text, `--bad FILE` writes what must not be, a line
a cell, `--share 0.1` runs a tenth of the cells, `--slice` those of the test suite. `--part 2/6
--keep FILE` runs a sixth and keeps what happened beside what the file holds already: the page is
written once it holds every cell, and `--again` runs those of it that were bad or left out. Parts
that were kept in files of their own become one page by `--merge FILE FILE ...`, which runs nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path

from .cells import Cell, cells, run
from .judge import BAD, GOOD, Outcome
from .pool import run_all
from .report import table, tally
from .slice import SHARE, sample

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results" / "adversarial.md"
HEAD = """# Hostile inputs through every entry

`python -m tests.adversarial` runs each input through each public entry that takes its kind, every
cell in a process with limits of time and memory, and judges it ([how](../../docs/reliability.md)).
Only "right" and "refused" are allowed; inputs of a library that is not installed are left out.
"""


def page(outcomes: dict[Cell, Outcome]) -> str:
    """The tables: by kind and family of the input, and by entry."""
    families = tally((f"{c.kind}: {c.family}", o.kind) for c, o in outcomes.items())
    entries = tally((c.entry, o.kind) for c, o in outcomes.items())
    return f"{HEAD}\n{table('inputs', families)}\n\n{table('entry', entries)}\n"


def line(place: Cell, outcome: Outcome) -> str:
    """One cell in words."""
    return f"{' / '.join(place)}: {outcome.kind}: {outcome.text}"


def kept(paths: Iterable[Path]) -> dict[Cell, Outcome]:
    """What files keep of earlier runs."""
    texts = [path.read_text(encoding="utf-8") for path in paths if path.exists()]
    lines = [json.loads(line) for text in texts for line in text.splitlines()]
    return {Cell(*place): Outcome(*outcome) for place, outcome in lines}


def chosen(options: argparse.Namespace, known: dict[Cell, Outcome]) -> list[Cell]:
    """The cells to run."""
    if options.merge:
        return []
    part, parts = map(int, options.part.split("/"))
    places = [place for place in cells() if options.only in "/".join(place)]
    places = sample(places, SHARE if options.slice else options.share)
    if options.again:
        places = [place for place in places if place in known and known[place].kind not in GOOD]
    return places[part - 1 :: parts]


def main() -> int:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m tests.adversarial", description=__doc__)
    parser.add_argument("--only", default="")
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--slice", action="store_true")
    parser.add_argument("--part", default="1/1")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--merge", type=Path, nargs="+", default=[])
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--bad", type=Path)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    outcomes = kept([*options.merge, *([options.keep] if options.keep else [])])
    places = chosen(options, outcomes)
    with open(options.keep or os.devnull, "a", encoding="utf-8") as file:
        for place, outcome, _ in run_all(places, run, options.workers):
            outcomes[place] = outcome
            file.write(json.dumps([place, [outcome.kind, outcome.text]]) + "\n")
    shown = list(cells()) if options.keep or options.merge else places
    ordered = {place: outcomes[place] for place in shown if place in outcomes}
    lines = [line(place, outcome) for place, outcome in ordered.items() if outcome.kind in BAD]
    if options.bad:
        options.bad.write_text("\n".join(lines) + "\n", encoding="utf-8")
    if len(ordered) == len(list(cells())):
        RESULTS.write_text(page(ordered), encoding="utf-8")
    print(page(ordered))
    print("\n".join(lines) if not options.bad else f"{len(lines)} bad cells in {options.bad}")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
