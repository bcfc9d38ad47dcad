"""Jobs in processes of their own, and the tables made of them."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["Outcome", "accuracy", "job_options", "machine", "means", "run", "table", "write_page"]


@dataclass(frozen=True)
class Outcome:
    """What one job gave."""

    seconds: float
    megabytes: float
    values: np.ndarray
    vectors: np.ndarray


def run(job: dict[str, Any]) -> Outcome | None:
    """Run a job in a process of its own; None if it died (out of memory, say)."""
    with tempfile.TemporaryDirectory() as folder:
        out = str(Path(folder) / "result.npz")
        command = [sys.executable, "-m", "benchmarks.worker", json.dumps(job | {"out": out})]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"  {job['method']} failed: {done.stderr.strip().splitlines()[-1:]}")
            return None
        found = json.loads(done.stdout.strip().splitlines()[-1])
        with np.load(out) as stored:
            return Outcome(**found, values=stored["values"], vectors=stored["vectors"])


def accuracy(outcome: Outcome, truth: Outcome) -> tuple[float, float]:
    """Return the largest relative eigenvalue error and the sine of the largest subspace angle."""
    error = np.abs(outcome.values.astype(float) / truth.values - 1.0).max()
    Q, _ = np.linalg.qr(truth.vectors.astype(float))
    V, _ = np.linalg.qr(outcome.vectors.astype(float))
    return float(error), float(np.linalg.norm(V - Q @ (Q.T @ V), 2))


def table(head: list[str], rows: Iterable[list[Any]]) -> str:
    """Return a Markdown table."""
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(_cell(value) for value in row) + " |" for row in rows]
    return "\n".join(lines)


def _cell(value: Any) -> str:
    if value is None:
        return "–"
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def job_options(tables: int) -> argparse.Namespace:
    """Return the processes and the number of tables that the command line asks for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--tables", type=int, default=tables)
    return parser.parse_args()


def means(values: np.ndarray) -> str:
    """Return the cells of the means of shares, (tables, m), with their Monte-Carlo errors."""
    error = values.std(axis=0, ddof=1) / np.sqrt(len(values))
    return " | ".join(f"{m:.1%} ± {e:.1%}" for m, e in zip(values.mean(axis=0), error, strict=True))


def write_page(
    name: str, title: str, about: str, rows: Iterable[str], *, write: bool = True
) -> None:
    """Print the rows of a page as they come, and write it to the folder of results."""
    lines = [f"# {title}", "", *about.splitlines(), ""]
    for row in rows:
        print(row, flush=True)
        lines.append(row)
    if write:
        path = Path(__file__).parent / "results" / f"{name}.md"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def machine() -> str:
    """Describe the machine and the versions in one line."""
    names = ("numpy", "scipy", "scikit-learn")
    found = ", ".join(f"{name} {version(name)}" for name in names)
    return f"{_processor()}, {os.cpu_count()} cores, Python {platform.python_version()}, {found}"


def _processor() -> str:
    path = Path("/proc/cpuinfo")
    if not path.exists():
        return platform.processor()
    text = path.read_text()
    name = next(
        (x.split(":")[1].strip() for x in text.splitlines() if x.startswith("model name")), ""
    )
    vector = next((x for x in ("avx512f", "avx2") if x in text), "no avx2")
    return f"{name} ({vector})"
