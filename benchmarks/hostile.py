"""Hostile inputs through other libraries and ours: `python -m benchmarks.hostile`.

prince and scikit-bio are not dependencies: install them beside
(`pip install --target peers prince scikit-bio`) and run with `PYTHONPATH=peers`. With `--ours` only
our entries are run again, and the counts of the others stay as they stand on the page.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from tests.adversarial import pool
from tests.adversarial.cells import Cell, find, known, run
from tests.adversarial.inputs import INPUTS
from tests.adversarial.judge import Outcome, verdict
from tests.adversarial.report import table, tally

from benchmarks.hostile_peers import OURS, PEERS

RESULTS = Path(__file__).parent / "results" / "hostile.md"
LIBRARIES = {"scikit-learn": "scikit-learn", "prince": "prince", "scikit-bio": "scikit-bio"}
HEAD = """# Hostile inputs, other libraries beside ours

The inputs of `tests/adversarial` through the entries of other libraries that answer the same
questions, judged by the same rules ([how](../../docs/reliability.md)), with one difference in their
favour: any `ValueError` or `TypeError` is a clear refusal. The median scale is handed to them.
Made by `python -m benchmarks.hostile`.
"""


def cells() -> Iterator[Cell]:
    """Inputs beside the peers' entries, then beside ours."""
    for kind, peers in PEERS.items():
        names = [*(entry.name for entry in peers), *OURS[kind]]
        for family, cases in INPUTS[kind].items():
            yield from (Cell(kind, family, case.name, name) for case in cases for name in names)


def run_peer(place: Cell) -> Outcome:
    """Run one cell, of a peer or of ours."""
    entry = next((e for e in PEERS[place.kind] if e.name == place.entry), None)
    if entry is None:
        return run(place)
    case, _ = find(place._replace(entry=OURS[place.kind][0]))
    truth, plain = known(*place[:3])
    return verdict(entry, case, truth, plain, (ValueError, TypeError))


def library(entry: str) -> str:
    """Whose entry it is, with its version."""
    for name, package in LIBRARIES.items():
        if entry.startswith(name):
            return f"{name} {version(package)}"
    return "gramian"


def counted() -> dict[str, Counter[str]]:
    """The counts of the page, entry by entry, under the libraries' names and versions."""
    _, _, entries = RESULTS.read_text(encoding="utf-8").partition("| entry |")
    head, _, *rows = [line.strip("|").split("|") for line in entries.strip().splitlines()]
    kinds = [kind.strip() for kind in head[1:]]
    return {
        name.strip(): Counter(dict(zip(kinds, map(int, numbers[1:]), strict=True)))
        for name, *numbers in rows
        if "**" not in name
    }


def by_library(entries: dict[str, Counter[str]]) -> dict[str, Counter[str]]:
    """The counts of entries, added up by whose they are."""
    sums: dict[str, Counter[str]] = {}
    for entry, counts in entries.items():
        sums.setdefault(library(entry), Counter()).update(counts)
    return sums


def main() -> int:
    """Run all, or ours, print and write the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.hostile", description=__doc__)
    parser.add_argument("--ours", action="store_true")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    for package in LIBRARIES.values():
        try:
            version(package)
        except PackageNotFoundError:
            sys.exit(f"{package} is missing: install it beside, and put it on PYTHONPATH")
    pool.PRELOAD.append("benchmarks.hostile_peers")
    own = {kind: names.split(",") for kind, names in OURS.items()}
    places = [c for c in cells() if not options.ours or c.entry in own[c.kind]]
    outcomes = {place: o for place, o, _ in pool.run_all(places, run_peer, options.workers)}
    new = tally((place.entry, outcomes[place].kind) for place in places)
    entries = counted() | new if options.ours else new
    page = f"{HEAD}\n{table('library', by_library(entries))}\n\n{table('entry', entries)}\n"
    RESULTS.write_text(page, encoding="utf-8")
    print(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
