"""What users wait for and hold: peak memory of the command on large files, and processor time.

    python -m benchmarks.everyday [SECTION ...] [--write]

Sections: memory, reports, calls; all by default. Each job runs in a process of its own on one core.
Peak memory is what the system reports of the process at its end; processor times, which depend less
than those of a clock on what else the machine does, are the best of several. Files are made for the
run, in the folder for temporary files (1.1 GB), and removed. With --write the table goes to
benchmarks/results/everyday.md.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.runner import machine, table

ABOUT = """`python -m benchmarks.everyday`: peak memory and processor time, on one core each, of a
machine that other programs kept busy (a load of 10 to 17). Before: at the commit before this page,
of MDS on other draws of 263 to 294 points.
"""
HEAD = ["work", "measured", "goal", "before"]
ONE_CORE = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
FILES = {  # rows, columns, named and grouped, share of missing cells
    "plain, 155 MB": (200_000, 40, False, 0.0),
    "names and groups, 158 MB": (200_000, 40, True, 0.0),
    "3 % missing, 150 MB": (200_000, 40, False, 0.03),
    "5,000 × 2,000, 193 MB": (5_000, 2_000, False, 0.0),
    "plain, 362 MB": (470_000, 40, False, 0.0),
    "plain, 395 MB": (512_000, 40, False, 0.0),
}
# File, command, goal in GB, what it was before.
PEAKS = [
    ("plain, 155 MB", "report", 1.0, "0.49 GB"),
    ("names and groups, 158 MB", "report", 1.0, "0.51 GB"),
    ("3 % missing, 150 MB", "report", 1.0, "0.41 GB"),
    ("5,000 × 2,000, 193 MB", "report", 1.0, "0.56 GB"),
    ("plain, 395 MB", "report", 1.2, "0.39 GB"),
    ("plain, 362 MB", "fit", 0.6, "3.04 GB"),
    ("plain, 155 MB", "fit", None, "1.42 GB"),
    ("names and groups, 158 MB", "fit", None, "1.46 GB"),
    ("5,000 × 2,000, 193 MB", "fit", None, "1.76 GB"),
    ("plain, 362 MB", "fit --memory 20GB", None, "3.04 GB"),
]
SETUP = """
import time, warnings
import numpy as np, pandas as pd
import gramian as gm
warnings.simplefilter("ignore")
rng = np.random.default_rng(0)
def clusters(n, p):
    return 2 * rng.normal(size=(5, p))[rng.integers(0, 5, n)] + rng.normal(size=(n, p))
def preview(n):
    show = gm.KernelPCA(2, random_state=0).preview(clusters(n, 20), landmarks=300)
    show(gm.kernels.Gaussian(3.0))
    scales = iter(np.linspace(1, 8, 20))
    return lambda: show(gm.kernels.Gaussian(next(scales)))
def mds(X, **options):
    fit = gm.MDS(2, **options).fit(X)
    return lambda: gm.report.write(fit, "page.html", force=True)
def study(X):
    return lambda: gm.study(pd.DataFrame(X).add_prefix("x"))
call = {call}
best = np.inf
for _ in range({repeats}):
    start = time.process_time()
    call()
    best = min(best, time.process_time() - start)
print(best)
"""
NYSTROM = "gm.KernelPCA(2, approximation=gm.Nystrom(300, random_state=0))"
CALLS = [  # work, what makes the call, repeats, goal in seconds, what it was before
    ("a new scale on 5,000 × 20, 300 landmarks", "preview(5_000)", 15, 0.04, "15 ms"),
    ("study of 60 × 10", "study(rng.normal(size=(60, 10)))", 3, 1, "100 ms"),
    ("study of 40 × 5,000", "study(rng.normal(size=(40, 5_000)))", 1, 8, "5 s"),
    ("report of MDS, 280 points, clusters", "mds(clusters(280, 8))", 1, 4, "2.9 s"),
    ("… no structure", "mds(rng.normal(size=(280, 8)))", 1, 4, "10.9 s"),
    ("… heavy tails, 300", "mds(rng.standard_t(3, (300, 6)))", 1, 4, "11.6 s"),
    ("… ordinal, 280", "mds(rng.normal(size=(280, 8)), scaling='ordinal')", 1, 4, "11.6 s"),
    ("places of 10,000 rows, PCA", "gm.PCA(2).fit(clusters(10_000, 20)).places", 3, 2, "0.36 s"),
    ("… kernel PCA", "gm.KernelPCA(2).fit(clusters(10_000, 20)).places", 3, 2, "0.31 s"),
    ("… 10⁶ rows on landmarks", NYSTROM + ".fit(clusters(10**6, 20)).places", 1, 20, "8.4 s"),
]


def write(path: Path, n: int, p: int, named: bool, missing: float) -> None:
    """Write clusters as CSV with every digit, a thousand rows at a time."""
    rng = np.random.default_rng(0)
    centres = 2 * rng.normal(size=(5, p))
    for start in range(0, n, 10_000):
        group = rng.integers(0, 5, min(10_000, n - start))
        X = centres[group] + rng.normal(size=(len(group), p))
        X[rng.random(X.shape) < missing] = np.nan
        part = pd.DataFrame(X).add_prefix("x")
        if named:
            part.insert(0, "name", [f"row {start + k}" for k in range(len(part))])
            part["group"] = [f"group {k}" for k in group]
        part.to_csv(path, mode="a", header=start == 0, index=False)


def used(command: list[str], folder: str | Path = ".") -> tuple[float, float]:
    """Return the processor time of a process in seconds, and its peak memory in bytes."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    path = os.pathsep.join([str(Path.cwd() / "src"), environment.get("PYTHONPATH", "")])
    environment |= ONE_CORE | {"PYTHONPATH": path}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    child = subprocess.Popen([sys.executable, *command], cwd=folder, env=environment, **quiet)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise RuntimeError(f"{command[:4]} ended with status {child.returncode}")
    return usage.ru_utime + usage.ru_stime, 1024.0 * usage.ru_maxrss


def memory() -> Iterator[list[str | None]]:
    """Yield the peak memory of the command on files that are made one by one."""
    for name, shape in FILES.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "table.csv"
            write(path, *shape)
            for _, what, goal, before in (row for row in PEAKS if row[0] == name):
                command, *options = what.split()
                options += ["-o", "page.html"] if command == "report" else []
                run = ["-m", "gramian", command, "table.csv", *options]
                seconds, peak = used(run, folder)
                limit = None if goal is None else f"≤ {goal:g} GB"
                work = f"peak of `gramian {what}` of {name}"
                yield [work, f"{peak / 1e9:.2f} GB, {seconds:.1f} s", limit, before]


def reports() -> Iterator[list[str | None]]:
    """Yield the processor time of reports from the shell to the page."""
    from scipy.spatial.distance import pdist, squareform

    import gramian as gm

    iris = gm.datasets.iris()
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(300, 8))).add_prefix("x")
    names = [f"r{k}" for k in range(300)]
    D = pd.DataFrame(squareform(pdist(X)), names, names)
    with tempfile.TemporaryDirectory() as folder:
        iris.data.join(iris.groups).to_csv(Path(folder) / "iris.csv", index=False)
        X.to_csv(Path(folder) / "points.csv", index=False)
        D.to_csv(Path(folder) / "distances.csv")
        for what, goal, before in (
            ("iris.csv", 1.5, "1.65 s"),
            ("points.csv --method mds", 4, "1.3 s"),
            ("distances.csv --method mds", 4, "1.3 s"),
        ):
            run = ["-m", "gramian", "report", *what.split(), "-f", "-o", "page.html"]
            best = min(used(run, folder)[0] for _ in range(4))
            yield [f"`gramian report {what}`", f"{best:.2f} s", f"≤ {goal} s", before]


def calls() -> Iterator[list[str | None]]:
    """Yield the processor time of calls in a process that has imported what they need."""
    for work, call, repeats, goal, before in CALLS:
        code = SETUP.replace("{call}", call).replace("{repeats}", str(repeats))
        with tempfile.TemporaryDirectory() as folder:
            run = [sys.executable, "-c", code]
            path = {"PYTHONPATH": str(Path.cwd() / "src")}
            found = subprocess.run(
                run, cwd=folder, env=os.environ | ONE_CORE | path, check=True, capture_output=True
            )
        seconds = float(found.stdout)
        shown = f"{seconds:.2f} s" if seconds >= 1 else f"{1e3 * seconds:.0f} ms"
        yield [work, shown, f"≤ {goal} s", before]


SECTIONS = {"memory": memory, "reports": reports, "calls": calls}


def main() -> None:
    """Print the table; write it, if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sections", nargs="*", help=", ".join(SECTIONS))
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    lines = []
    for section in asked.sections or SECTIONS:
        for line in SECTIONS[section]():
            print(" | ".join(str(cell) for cell in line), flush=True)
            lines.append(line)
    text = f"# What users wait for and hold\n\n{ABOUT}{machine()}.\n\n{table(HEAD, lines)}\n"
    if asked.write:
        (Path(__file__).parent / "results" / "everyday.md").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
