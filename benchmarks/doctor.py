"""Does the doctor find what is wrong with tables, and let sound ones go?

    python -m benchmarks.doctor [--tables 200] [--clean 100] [--write]

Faults of 26 kinds are planted in tables as people have them, of 25 to 1,000 rows, written as CSV
with three separators, Excel and Parquet or left as frames; and clean tables, with ages, counts,
years, scales and prices, are shown too. A fault is found where a finding of its kind names its
column (the rows' names, where an identifier stands first); the default is right where the column
does not get the role that would do harm. With --write the table goes to
benchmarks/results/doctor.md.
"""

from __future__ import annotations

import argparse
import io
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import gramian as gm
from benchmarks.doctor_tables import FAULTS, Planted, clean, written

PAGE = Path(__file__).resolve().parent / "results" / "doctor.md"
# Faults that make another one by themselves: a code for missing leaves missing values.
FOLLOWS = {
    "missing-code": {"missing"},
    "censored": {"missing"},
    "copied-column": {"collinear"},
    "contingency": {"empty-rows"},
    "counts": {"empty-rows"},
}


@dataclass(frozen=True)
class Outcome:
    """What the doctor said of one table."""

    fault: str
    found: bool
    right: bool  # the default
    others: tuple[str, ...]  # findings that nobody planted
    what: str = ""


def examined(planted: Planted, fault: str, rng: np.random.Generator) -> Outcome:
    """Return whether a fault was found."""
    data: Any = planted.data
    if isinstance(data, pd.DataFrame):
        _, data = written(data, rng)
    elif isinstance(data, bytes):
        data = io.BytesIO(data)
    source = gm.io.as_source(data)
    findings = gm.io.examine(source)
    hits = [f for f in findings if f.kind in planted.kinds and planted.column in (None, f.column)]
    named = planted.column is not None and any(
        note.key == "row_names" and repr(planted.column) in note for note in source.notes
    )
    role = source.roles.get(planted.column, "")
    expected = set(planted.kinds).union(*(FOLLOWS.get(kind, set()) for kind in planted.kinds))
    others = tuple(f.kind for f in findings if f.kind not in expected)
    right = not planted.role or role != planted.role
    return Outcome(fault, bool(hits) or named, right, others, f"{planted.column}")


def planted_outcomes(count: int, seed: int = 0) -> list[Outcome]:
    """Return what the doctor says of so many tables with faults, all kinds in turn."""
    out = []
    for k in range(count):
        rng = np.random.default_rng([seed, 1, k])
        maker = FAULTS[k % len(FAULTS)]
        out.append(examined(maker(rng), maker.__name__, rng))
    return out


def clean_outcomes(count: int, seed: int = 0) -> list[Outcome]:
    """Return what the doctor says of so many clean tables."""
    out = []
    for k in range(count):
        rng = np.random.default_rng([seed, 2, k])
        out.append(examined(Planted(clean(rng), ()), "clean", rng))
    return out


def page(faults: list[Outcome], sound: list[Outcome]) -> str:
    """Return the results as Markdown."""
    found, right = sum(o.found for o in faults), sum(o.right for o in faults)
    alarms = sum(bool(o.others) for o in sound)
    beside = sum(bool(o.others) for o in faults)
    lines = [
        "# The doctor",
        "",
        "`python -m benchmarks.doctor --write`: faults planted in tables as people have them, and",
        "clean tables.",
        "",
        "| | of | |",
        "|---|---|---|",
        f"| faults found | {found} of {len(faults)} | {found / len(faults):.1%} |",
        f"| defaults right | {right} of {len(faults)} | {right / len(faults):.1%} |",
        f"| tables with another finding beside the fault | {beside} of {len(faults)} "
        f"| {beside / len(faults):.1%} |",
        f"| alarms in clean tables | {alarms} of {len(sound)} | {alarms / len(sound):.1%} |",
        "",
        "| fault | found | default right | of |",
        "|---|---|---|---|",
    ]
    for name in dict.fromkeys(o.fault for o in faults):
        some = [o for o in faults if o.fault == name]
        counts = sum(o.found for o in some), sum(o.right for o in some)
        lines.append(f"| {name.replace('_', ' ')} | {counts[0]} | {counts[1]} | {len(some)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    """Print the table, and write it if asked."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--clean", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    faults = planted_outcomes(options.tables, options.seed)
    sound = clean_outcomes(options.clean, options.seed)
    text = page(faults, sound)
    print(text)
    for outcome in [*faults, *sound]:
        if (not outcome.found and outcome.fault != "clean") or not outcome.right or outcome.others:
            print(outcome, file=sys.stderr)
    if options.write:
        PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
