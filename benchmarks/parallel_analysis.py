"""Permutations of the digits, 1797 × 64: a plain loop of full SVDs against parallel_analysis.

    python benchmarks/parallel_analysis.py [--permutations 400] [--write]

The loop is timed with BLAS on one thread and on all of them, and the quicker of both counts; ours
uses one thread a core. CPU time per permutation is given beside, which depends less on what else
the machine does. With --write the table goes to benchmarks/results/parallel_analysis.md.
"""

import argparse
import os
import platform
import time
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits
from threadpoolctl import threadpool_limits

from gramian._core.compiled import has_numba
from gramian._nulls import draws, spectra
from gramian._reading.null_table import features_by_columns
from gramian.dimension import parallel_analysis

RESULT = Path(__file__).resolve().parent / "results" / "parallel_analysis.md"


def plain_loop(X, n_permutations):
    """Horn's analysis as it is usually written."""
    rng = np.random.default_rng(0)
    F = X - X.mean(axis=0)
    drawn = []
    for _ in range(n_permutations):
        P = np.column_stack([rng.permutation(F[:, j]) for j in range(F.shape[1])])
        drawn.append(np.linalg.svd(P, full_matrices=False)[1] ** 2 / len(X))
    return np.array(drawn)


def timed(work, permutations):
    """Return milliseconds per permutation, of the clock and of the processor, best of three."""
    best = []
    for _ in range(3):
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        best.append((time.perf_counter() - wall, time.process_time() - cpu))
    return [1e3 * min(column) / permutations for column in zip(*best, strict=True)]


def reference(X, draw, permutations):
    table = features_by_columns(X)
    rng = np.random.default_rng(0)
    seeds = rng.integers(0, 2**63, size=permutations)
    return lambda: spectra._eigenvalues(table.values, table.spectra, draw, seeds, permutations)


def head():
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return (
        "# Parallel analysis of the digits, 1797 × 64, and the plain loop side by side\n\n"
        f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}, "
        f"numpy {np.__version__}; load at the end {load}. Best of three.\n"
        "Made by `python benchmarks/parallel_analysis.py --write`.\n"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--permutations", type=int, default=400)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    B = asked.permutations
    X = load_digits().data
    few = max(B // 10, 10)
    loop = timed(lambda: plain_loop(X, few), few)
    with threadpool_limits(1, "blas"):
        loop = min(loop, timed(lambda: plain_loop(X, few), few))
    rows = {"plain loop of full SVDs": loop}
    # A wrapper hides the function from `fastest_draw`, so that NumPy's shuffle stays.
    numpy_draw = lambda columns, seed: draws.permute_columns(columns, seed)  # noqa: E731
    rows["gramian, NumPy's shuffle"] = timed(reference(X, numpy_draw, B), B)
    if has_numba():
        compiled = reference(X, draws._permute_compiled, B)
        compiled()  # compiles, or reads the compiled code
        rows["gramian, compiled shuffle"] = timed(compiled, B)
    lines = ["| per permutation | ms | speed | CPU ms | speed |", "|---|---|---|---|---|"]
    for name, (wall, cpu) in rows.items():
        speed = f"{wall:.2f} | {loop[0] / wall:.1f}× | {cpu:.2f} | {loop[1] / cpu:.1f}×"
        lines.append(f"| {name} | {speed} |")
    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        found = parallel_analysis(X)
        seconds.append(time.perf_counter() - start)
    text = "\n".join(lines) + (
        f"\n\n`parallel_analysis(X)` with its defaults: {found.n_components} axes, "
        f"{found.n_permutations} draws, {min(seconds):.2f} s.\n"
    )
    print(text)
    if asked.write:
        RESULT.write_text(f"{head()}\n{text}", encoding="utf-8")


if __name__ == "__main__":
    main()
