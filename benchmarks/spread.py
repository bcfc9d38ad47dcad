"""Many tables of many designs, spread over processes; what is done is kept, table by table."""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["Page", "command", "interval_of", "put_between", "share_held", "spread"]

ROOT = Path(__file__).resolve().parent

Result = dict[str, Any]
One = Callable[[str, int], Result]


class Tally:
    """The results of each design, in memory and, where a folder is named, one line a table."""

    def __init__(self, names: Sequence[str], tables: int, folder: Path | None) -> None:
        self.tables, self.folder = tables, folder
        self.results: dict[str, dict[int, Result]] = {name: {} for name in names}
        self.given: dict[str, set[int]] = {name: set() for name in names}
        if folder is None:
            return
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            self.results[name] = dict(_lines(self._path(name)))
            self.given[name] = set(self.results[name])

    def _path(self, name: str) -> Path:
        assert self.folder is not None
        return self.folder / f"{''.join(c if c.isalnum() else '_' for c in name)}.jsonl"

    def add(self, name: str, seed: int, result: Result) -> None:
        """Keep one result at once: a run that is stopped loses only the tables under way."""
        self.results[name][seed] = result
        if self.folder is not None:
            with self._path(name).open("a", encoding="utf-8") as file:
                file.write(f"\n{json.dumps([seed, result])}")  # after a line that was cut, too

    def next(self) -> tuple[str, int] | None:
        """Return the next table, of the design that took the least time: cheap ones end first."""
        open_ = [name for name in self.given if len(self.given[name]) < self.tables]
        if not open_:
            return None
        name = min(open_, key=lambda each: (self._cost(each), len(self.given[each])))
        seed = next(s for s in range(self.tables) if s not in self.given[name])
        self.given[name].add(seed)
        return name, seed

    def _cost(self, name: str) -> float:
        """Return the seconds that the tables given out so far take."""
        seconds = [result["seconds"] for result in self.results[name].values()]
        return len(self.given[name]) * sum(seconds) / len(seconds) if seconds else 0.0

    def lists(self) -> dict[str, list[Result]]:
        """Return the results of each design that has any, in the order of seeds."""
        chosen = {
            name: [r for seed, r in sorted(results.items()) if seed < self.tables]
            for name, results in self.results.items()
        }
        return {name: results for name, results in chosen.items() if results}


def _lines(path: Path) -> Iterator[tuple[int, Result]]:
    """Read what was kept; a last line that was cut short is done again."""
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        try:
            seed, result = json.loads(line)
        except ValueError:
            continue
        yield seed, result


def spread(
    names: Sequence[str],
    one: One,
    *,
    tables: int,
    processes: int = 1,
    minutes: float = float("inf"),
    keep: Path | None = None,
    tell: Callable[[str, list[Result]], None] = lambda name, results: None,
) -> dict[str, list[Result]]:
    """Call one(name, seed) for so many seeds of each name; `tell` hears of those that are done.

    A result holds its "seconds". No table begins after so many minutes.
    """
    tally, end = Tally(names, tables, keep), time.monotonic() + 60 * minutes

    def done(name: str, seed: int, result: Result) -> None:
        tally.add(name, seed, result)
        if len(tally.results[name]) == tables:
            tell(name, tally.lists()[name])

    if processes == 1:
        while time.monotonic() < end and (item := tally.next()) is not None:
            done(*item, one(*item))
        return tally.lists()
    with ProcessPoolExecutor(processes) as pool:
        under_way: dict[Future[Result], tuple[str, int]] = {}
        while True:
            while len(under_way) < processes and time.monotonic() < end:
                if (item := tally.next()) is None:
                    break
                under_way[pool.submit(one, *item)] = item
            if not under_way:
                return tally.lists()
            for future in wait(under_way, return_when=FIRST_COMPLETED).done:
                done(*under_way.pop(future), future.result())


def interval_of(found: list[Result]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the numbers and the ends of their intervals, infinite where there is none."""
    size, high = (np.array([r[key] or np.inf for r in found]) for key in ("recommended", "high"))
    return size, np.array([r["low"] for r in found]), high


def share_held(truth: Any, low: np.ndarray, high: np.ndarray) -> str:
    """Return how often intervals hold the truth, with its standard error."""
    held = ((low <= truth) & (truth <= high)).mean()
    error = np.sqrt(max(held * (1 - held), 0.05 * 0.95) / len(low))
    return f"{held:.0%} ± {error:.0%} of {len(low)}"


def put_between(page: Path, name: str, text: str) -> None:
    """Replace what stands between the marks of this name on a page of the docs."""
    start, end = f"<!-- {name}: start -->", f"<!-- {name}: end -->"
    before, _, rest = page.read_text(encoding="utf-8").partition(start)
    after = rest.partition(end)[2]
    page.write_text(f"{before}{start}\n{text}\n{end}{after}", encoding="utf-8")


@dataclass(frozen=True)
class Page:
    """Where a table is written: a file of results, and between the marks of a page of the docs."""

    title: str
    name: str
    docs: str
    mark: str
    head: str


def command(
    about: str,
    names: Sequence[str],
    one: One,
    line: Callable[[str, list[Result]], str],
    page: Page,
    count: tuple[str, int] = ("--tables", 100),
) -> None:
    """Count designs as the command line asks, print the table, and write it where that is asked.

    `line` makes a row of the table; `count` is the option for how many tables of a design.
    """
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("--designs", nargs="*", default=[""], help="parts of their names")
    parser.add_argument(count[0], dest="tables", type=int, default=count[1])
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    print(page.head, flush=True)
    results = spread(
        [name for name in names if any(text in name for text in options.designs)],
        one,
        tables=options.tables,
        processes=options.processes,
        minutes=options.minutes,
        keep=options.keep,
        tell=lambda name, found: print(line(name, found), flush=True),
    )
    table = "\n".join([page.head, *(line(name, found) for name, found in results.items())])
    print(f"\n{table}")
    if options.write:
        path = ROOT / "results" / f"{page.name}.md"
        path.write_text(f"# {page.title}\n\n{table}\n", encoding="utf-8")
        put_between(ROOT.parent / "docs" / f"{page.docs}.md", page.mark, table)
