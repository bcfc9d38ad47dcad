"""Does any path miss an axis or a tie? Problems whose eigenvalues are known, on every path.

    python -m benchmarks.completeness                        # a few designs of each family
    python -m benchmarks.completeness --full --random 2000 --keep FOLDER --write

Each design is fitted by the default path and by others in turn, with numbers of axes before, on and
after its ties (`completeness_designs`, `completeness_paths`), and each fit is compared with the
truth: its eigenvalues, `tied_axes_`, and `certificate_`. With --keep each result is kept in FOLDER,
and the next call computes only what is not there; --part 1/2 and --part 2/2 share the designs
between two processes, after which the command without --part only writes the table.
"""

from __future__ import annotations

import argparse
import json
import time
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from benchmarks import completeness_paths as paths
from benchmarks.completeness_designs import (
    FAMILIES,
    Design,
    Problem,
    cuts,
    drawn,
    listed,
    ties_of,
)
from gramian.errors import RankWarning, TiedAxesWarning

RESULTS = Path(__file__).parent / "results" / "completeness.md"
SHORT = 1e-6  # of λ_q: a larger difference of an eigenvalue is another eigenvalue
DOUBLE, SINGLE = 1e-8, 2e-5  # of λ₁: the same for numbers of these precisions
CLEAR = 1e-2  # of λ₁: eigenvalues above are no rounding of single precision
QUICK = 4  # designs of a family, if not all
FAULTS = ("missed", "wrong_ties", "false_level", "incomplete", "failed")
COUNTS = {  # the columns of the tables
    "missed": "missed",
    "declared": "declared",
    "wrong_ties": "wrong ties",
    "false_level": "false levels",
    "incomplete": "incomplete",
    "failed": "failed",
}


@dataclass(frozen=True)
class Outcome:
    """How one fit compares with the truth."""

    family: str
    design: str
    path: str
    n: int
    q: int
    missed: bool = False  # an eigenvalue is not the one it should be, and the fit does not say so
    declared: bool = False  # the same, where the fit warns and `complete` is False
    wrong_ties: bool = False
    false_level: bool = False  # an eigenvalue that was left out exceeds the level
    incomplete: bool = False  # nothing was missed, but `complete` is False
    failed: bool = False  # the fit raised an error
    detail: str = ""
    seconds: float = 0.0

    @property
    def is_right(self) -> bool:
        return not any(getattr(self, fault) for fault in FAULTS)


def outcome(design: Design, problem: Problem, path: paths.Path, q: int) -> Outcome:
    """Fit and compare."""
    begin = time.perf_counter()
    labels = (design.family, design.name, path.name, problem.n, q)
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            fit = path.fit(problem, q)
        except Exception as error:  # whatever it is, it is counted and shown
            return Outcome(*labels, failed=True, detail=f"{type(error).__name__}: {error}")
    warned = any(not issubclass(w.category, TiedAxesWarning | RankWarning) for w in seen)
    faults, detail = compared(problem, path, q, fit, warned)
    return Outcome(*labels, **faults, detail=detail, seconds=time.perf_counter() - begin)


def compared(
    problem: Problem, path: paths.Path, q: int, fit, warned: bool
) -> tuple[dict[str, bool], str]:
    """Return which faults a fit has, and what it is compared with."""
    truth, values = problem.values, np.asarray(fit.eigenvalues_, dtype=float)
    allowed = SINGLE * truth[0] if path.single else min(SHORT * truth[q - 1], DOUBLE * truth[0])
    certificate = fit.certificate_
    complete = getattr(certificate, "complete", None)
    wrong = len(values) != q or bool(np.abs(values - truth[:q]).max() > allowed)
    is_declared = warned and complete is False
    ties = None if path.single else ties_of(truth, q)
    faults = {
        "missed": wrong and not is_declared,
        "declared": wrong and is_declared,
        "wrong_ties": ties is not None and not (wrong and is_declared) and fit.tied_axes_ != ties,
        # NaN is no level, and not what these fits ask for.
        "false_level": not certificate.level >= _left_out(truth, values) - allowed,
        "incomplete": complete is False and not wrong,
    }
    if not any(faults.values()):
        return faults, ""
    level = f"level {certificate.level / truth[q - 1]:.6g} λ_q, complete {complete}"
    found = np.array2string(values / truth[0], precision=9, max_line_width=200)
    true = np.array2string(truth[: q + 1] / truth[0], precision=9, max_line_width=200)
    return faults, f"{found}, true {true}; ties {fit.tied_axes_}, true {ties}; {level}"


def _left_out(truth: np.ndarray, values: np.ndarray) -> float:
    """The largest of the true eigenvalues that is none of those of a fit."""
    rest = truth.tolist()
    for value in values:
        rest.pop(int(np.argmin(np.abs(np.asarray(rest) - value))))
    return max(rest)


def chosen_paths(design: Design, problem: Problem, others: int) -> list[paths.Path]:
    """The default path and, in turn, some of the others; of a random design one in turn."""
    first, *rest = paths.paths_of(problem)
    if design.random:
        every = [first, *rest]
        return [every[design.number // len(FAMILIES) % len(every)]]
    return [first, *(rest[(others * design.number + k) % len(rest)] for k in range(others))]


def outcomes_of(design: Design, others: int = 2) -> list[Outcome]:
    """Fit one design on some of its paths, with several numbers of axes."""
    problem = design.problem()
    is_large = problem.n > paths.SMALL
    return [
        outcome(design, problem, path, q)
        for path in chosen_paths(design, problem, 1 if is_large else others)
        for q in orders(problem, path, 3 if is_large else 4)
    ]


def orders(problem: Problem, path: paths.Path, count: int) -> list[int]:
    """Numbers of axes to fit: with single precision none that are rounding."""
    lowest = CLEAR * problem.values[0] if path.single else 0.0
    return [q for q in cuts(problem, count) if problem.values[q - 1] >= lowest] or [1]


def quick_designs() -> Iterator[Design]:
    """A few of every family, of several sizes and kernels."""
    families: dict[str, list[Design]] = {}
    for design in listed():
        families.setdefault(design.family, []).append(design)
    for some in families.values():
        yield from some[:: max(1, len(some) // QUICK)][:QUICK]


class Kept:
    """The outcomes of designs, in memory and, where a folder is named, one line a design."""

    def __init__(self, folder: Path | None, part: str) -> None:
        self.outcomes: dict[str, list[Outcome]] = {}
        self.file = None if folder is None else folder / f"part{part.replace('/', '-')}.jsonl"
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
            for path in sorted(folder.glob("*.jsonl")):
                for line in path.read_text(encoding="utf-8").splitlines():
                    name, records = json.loads(line)
                    self.outcomes[name] = [Outcome(**record) for record in records]

    def add(self, design: Design, outcomes: list[Outcome]) -> None:
        """Keep what is known of a design."""
        self.outcomes[design.name] = outcomes
        if self.file is not None:
            with self.file.open("a", encoding="utf-8") as file:
                print(json.dumps([design.name, [asdict(o) for o in outcomes]]), file=file)


def line_of(names: str, outcomes: Iterable[Outcome]) -> str:
    """A row of a table: designs, fits, and the faults among them."""
    some = list(outcomes)
    counts = " | ".join(str(sum(getattr(o, fault) for o in some)) for fault in COUNTS)
    return f"| {names} | {len({o.design for o in some})} | {len(some)} | {counts} |"


def table_of(outcomes: list[Outcome], *keys: str) -> str:
    """Counts by family, by path, or by both."""
    groups: dict[tuple[str, ...], list[Outcome]] = {}
    for o in outcomes:
        groups.setdefault(tuple(getattr(o, key) for key in keys), []).append(o)
    head = [*keys, "designs", "fits", *COUNTS.values()]
    lines = [f"| {' | '.join(head)} |", "|---" * len(head) + "|"]
    lines += [line_of(" | ".join(names), some) for names, some in groups.items()]
    lines.append(line_of(" | ".join(["**all**", *[""] * (len(keys) - 1)]), outcomes))
    return "\n".join(lines)


INTRODUCTION = """# No axis and no tie is missed

Made by `python -m benchmarks.completeness --full --random 2000 --write`. Each design is a problem
whose leading eigenvalues are known by a closed form or by LAPACK; each is fitted by the default
path and by others in turn, with numbers of axes before, on and after its ties. Counted are the fits

- missed: an eigenvalue differs from the true one by more than 1e-6 λ_q or 1e-8 λ₁ (2e-5 λ₁ for
  float32), and the fit does not say so;
- declared: the same, where the fit warns and `certificate_.complete` is False;
- wrong ties: `tied_axes_` is not the list of true ties (relative gaps below 1e-8; not judged
  between 3.3e-9 and 3e-8, nor for float32);
- false levels: an eigenvalue that was left out exceeds `certificate_.level`;
- incomplete: `certificate_.complete` is False, but nothing was missed;
- failed: the fit raised an error.
"""


def page_of(outcomes: list[Outcome]) -> str:
    """The page of results."""
    first = [o for o in outcomes if " random " not in o.design]
    second = [o for o in outcomes if " random " in o.design]
    sizes = f"n = {min(o.n for o in first):,} to {max(o.n for o in first):,}"
    sections = [INTRODUCTION, f"## Listed designs, {sizes}\n\n{table_of(first, 'family', 'path')}"]
    if second:
        sizes = f"n = {min(o.n for o in second):,} to {max(o.n for o in second):,}"
        sections.append(f"## Random designs, {sizes}\n\n{table_of(second, 'family')}")
        sections.append(table_of(second, "path"))
    return "\n\n".join(sections) + "\n"


def main() -> None:
    """Run, print, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--full", action="store_true", help="every listed design")
    parser.add_argument("--random", type=int, default=0, help="number of random designs")
    parser.add_argument("--seed", type=int, default=0, help="of the random designs")
    parser.add_argument("--part", default="1/1", help="K/N: only every N-th design, from the K-th")
    parser.add_argument("--family", action="append", help="only designs of this family")
    parser.add_argument("--keep", type=Path, help="folder of the results of each design")
    parser.add_argument("--write", action="store_true", help=f"write {RESULTS.name}")
    options = parser.parse_args()
    part, parts = map(int, options.part.split("/"))
    designs = [*(listed() if options.full else quick_designs())]
    designs += drawn(options.random, options.seed)
    designs = [d for d in designs if not options.family or d.family in options.family]
    begin, kept = time.perf_counter(), Kept(options.keep, options.part)
    for design in designs[part - 1 :: parts]:
        if design.name in kept.outcomes:
            continue
        kept.add(design, outcomes_of(design))
        for o in kept.outcomes[design.name]:
            if not o.is_right:
                faults = ", ".join(fault for fault in FAULTS if getattr(o, fault))
                print(
                    f"{o.design}, {o.path}, n = {o.n}, q = {o.q}: {faults}: {o.detail}", flush=True
                )
    outcomes = [o for d in designs for o in kept.outcomes.get(d.name, [])]
    print(table_of(outcomes, "family"), table_of(outcomes, "path"), sep="\n\n")
    print(f"{time.perf_counter() - begin:.0f} s, {sum(o.seconds for o in outcomes):.0f} s of fits")
    if options.write:
        RESULTS.write_text(page_of(outcomes), encoding="utf-8")


if __name__ == "__main__":
    main()
