"""One method on one data set in one process: `python -m benchmarks.worker JSON`."""

from __future__ import annotations

import json
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.data import make
from benchmarks.methods import METHODS
from gramian._core.array import MIN_COMPILED_SIZE, exp

__all__ = ["measure"]


def measure(job: dict[str, Any]) -> dict[str, Any]:
    """Run a job; return seconds (the best of several), megabytes above the data, where results are.

    The job names a method, its options, and the data: kind, n, p, dtype, scale and q.
    """
    exp(
        np.zeros(MIN_COMPILED_SIZE)
    )  # imports the compiler, where there is one, before memory is measured
    X = make(job["kind"], job["n"], job["p"], job["dtype"])
    method, options = METHODS[job["method"]], job.get("options", {})
    warm = METHODS[job["method"]](X[:600].copy(), min(job["q"], 5), job["scale"], **options)
    if callable(warm):
        warm()
    seconds, megabytes = [], 0.0
    for _ in range(job.get("repeats", 1)):
        call = (
            method(X, job["q"], job["scale"], **options) if "transform" in job["method"] else None
        )
        before = _reset_peak()
        start = time.perf_counter()
        values, vectors = call() if call else method(X, job["q"], job["scale"], **options)
        seconds.append(time.perf_counter() - start)
        megabytes = max(megabytes, (_status("VmHWM") - before) / 1e3)
    np.savez(job["out"], values=values, vectors=vectors[:, : job["q"]])
    return {"seconds": min(seconds), "megabytes": megabytes}


def _status(key: str) -> float:
    """Return a memory figure of this process in kB."""
    text = Path("/proc/self/status").read_text()
    return float(next(line.split()[1] for line in text.splitlines() if line.startswith(key)))


def _reset_peak() -> float:
    """Start the peak anew; return the memory held now, in kB."""
    Path("/proc/self/clear_refs").write_text("5")
    return _status("VmRSS")


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print(json.dumps(measure(json.loads(sys.argv[1]))))
