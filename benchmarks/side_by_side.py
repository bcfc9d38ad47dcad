"""Ours beside the peers on one machine, in turn: the table of speed and its goals.

    python benchmarks/side_by_side.py [SECTION ...] [--write]
    python benchmarks/side_by_side.py --growth [--write]
    python benchmarks/side_by_side.py --shapes [SECTION ...] [--write]
    python benchmarks/side_by_side.py --all

Sections: small, kernel, studies, scaling, long, sparse, large, report; all by default (under nine
minutes on two quiet cores). Ours and each peer run in turn, the best time of each counts, and of
several peers the quickest. Errors are those of both against a dense decomposition, or residuals
|A·u − λ·u|/λ₁ where none fits. A row may carry its floor, the bare arithmetic timed in turn with
the rest, and the reason why its goal is out of reach. With --growth fits of 500 to 100,000 rows are
timed (`growth.py`). With --shapes the rows are those of `side_by_side_shapes.py`: points of many
families, drawn by seed. With --write a table goes to benchmarks/results/side_by_side.md, growth.md
or shapes.md. With --all every table of speed on a CPU is made and written: these three, those of
`everyday.py` (peak memory, reports, previews) and what `dask_scale.py` says of two workers.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from benchmarks.growth import growth  # noqa: E402
from benchmarks.runner import machine, table  # noqa: E402
from benchmarks.side_by_side_rows import SECTIONS, Row  # noqa: E402
from benchmarks.side_by_side_shapes import SHAPES  # noqa: E402

HEAD = ["work", "ours", "peer", "ratio", "goal", "error, ours", "error, peer", "quickest peer"]
HEAD += ["floor", "reason"]


def in_turn(calls: dict[str, Callable[[], Any]], repeats: int) -> tuple[dict[str, float], dict]:
    """Return the best time of each call in seconds, and what it gave."""
    best, gave = dict.fromkeys(calls, np.inf), {}
    for _ in range(repeats if repeats == 1 else repeats + 1):  # what is long runs once
        for name, call in calls.items():
            start = time.perf_counter()
            gave[name] = call()
            best[name] = min(best[name], time.perf_counter() - start)
    return best, gave


def measured(row: Row) -> list[Any]:
    """Return a line of the table."""
    calls = {"ours": row.ours} | row.peers | ({} if row.floor is None else {"floor": row.floor})
    best, gave = in_turn(calls, row.repeats)
    floor = None if row.floor is None else _time(best.pop("floor") / row.floor_steps)
    if row.per is not None:
        short, _ = in_turn(row.short, row.repeats)
        steps = {name: row.per[0 if name == "ours" else 1] for name in best}
        best = {name: (best[name] - short[name]) / steps[name] for name in best}
    peer = min(row.peers, key=lambda name: best[name])
    errors = [None, None] if row.error is None else [row.error(gave[k]) for k in ("ours", peer)]
    shown = [_time(best["ours"]), _time(best[peer]), f"{best[peer] / best['ours']:.2f}"]
    return [row.name, *shown, f"≥ {row.goal}", *errors, peer, floor, row.reason]


def _time(seconds: float) -> str:
    return f"{seconds:.3g} s" if seconds >= 1 else f"{1e3 * seconds:.3g} ms"


_IMPORTS = "import gc; gc.set_threshold(500_000); import pandas, sklearn.base; gc.freeze()"
_PAGE = "floor: importing pandas (0.3 s) and scikit-learn's base classes, which bring scipy.stats "
_PAGE += "(0.6 s); beyond it ours are imported (0.2 s), "


def reports() -> list[list[Any]]:
    """Return lines with the processor time of the report of iris and of 40 × 5,000 numbers."""
    import pandas as pd
    from sklearn.datasets import load_iris

    iris = load_iris(as_frame=True).frame
    wide = pd.DataFrame(np.random.default_rng(0).standard_normal((40, 5_000))).add_prefix("x")
    lines = []
    for name, data, goal, rest in (
        ("iris", iris, 1.5, "2,300 tables are drawn (0.4 s), the page is written (0.3 s)"),
        ("40 × 5,000", wide, 8.0, "540 tables are drawn (2 s), the page is written (0.4 s)"),
    ):
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "table.csv"
            data.to_csv(source, index=False)
            page = str(source.with_suffix(".html"))
            command = ["-m", "gramian", "report", str(source), "-o", page, "--force"]
            times = [(_processor(command), _processor(["-c", _IMPORTS])) for _ in range(3)]
        seconds, floor = np.min(times, axis=0)
        line = [f"report of {name}, processor time", _time(seconds), None, None, f"≤ {goal} s"]
        line += [None] * (len(HEAD) - 2 - len(line))
        lines.append([*line, _time(floor), _PAGE + rest])
    return lines


def _processor(arguments: list[str]) -> float:
    """Return the processor time of a process of Python, its compiled modules being kept."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Print the table; write it, if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sections", nargs="*", help=", ".join([*SECTIONS, "report", *SHAPES]))
    parser.add_argument("--shapes", action="store_true")
    parser.add_argument("--growth", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--all", action="store_true")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")
    if asked.all:
        here = [str(Path(__file__).resolve()), "--write"]
        for options in (here, [*here, "--shapes"], [*here, "--growth"]):
            subprocess.run([sys.executable, *options], check=True)
        for options in (["everyday", "--write"], ["dask_scale", "scaling"]):
            run = [sys.executable, "-m", f"benchmarks.{options[0]}", *options[1:]]
            subprocess.run(run, check=True, cwd=HERE.parent)
        return
    if asked.growth:
        text, name = growth(), "growth.md"
    else:
        lines, known = [], SHAPES if asked.shapes else SECTIONS
        for section in asked.sections or [*known, *(() if asked.shapes else ("report",))]:
            rows = reports() if section == "report" else map(measured, known[section]())
            for line in rows:
                print(" | ".join(str(x) for x in line), flush=True)
                lines.append(line)
        head = "# Side by side\n\nOurs and the peers in turn, best of several. " + machine()
        text, name = (
            f"{head}.\n\n{table(HEAD, lines)}\n",
            "shapes.md" if asked.shapes else "side_by_side.md",
        )
    print(text)
    if asked.write:
        (HERE / "results" / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
