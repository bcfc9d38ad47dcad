"""Factor methods of large tables beside prince.

    python benchmarks/factor.py --peer PYTHON [--write]

PYTHON is an interpreter that has prince. Each side runs in a process of its own, on one thread,
after a small fit that loads what it needs; CPU seconds and the peak of memory beyond the table are
those of the fit and of the coordinates of the rows. With --write the result goes to
benchmarks/results/factor.md.
"""

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import sparse

RESULT = Path(__file__).resolve().parent / "results" / "factor.md"
AXES = 5


def answers(n=100_000, questions=50, *, text):
    """Return the answers of n people to questions of three to six levels."""
    rng = np.random.default_rng(0)
    z = rng.standard_normal((n, 3))
    columns = {}
    for k in range(questions):
        levels = [f"answer {level}" for level in range(3 + k % 4)]
        scores = z @ rng.standard_normal((3, len(levels))) + 1.5 * rng.gumbel(size=(n, len(levels)))
        codes = scores.argmax(axis=1)
        columns[f"q{k}"] = (
            np.array(levels)[codes] if text else pd.Categorical.from_codes(codes, levels)
        )
    return pd.DataFrame(columns)


def counts(n=20_000, p=5_000, share=0.01):
    """Return sparse counts around a structure of five axes."""
    rng = np.random.default_rng(0)
    a, b = rng.gamma(0.5, size=(n, 5)), rng.gamma(0.5, size=(p, 5))
    i, j = rng.integers(0, n, int(n * p * share)), rng.integers(0, p, int(n * p * share))
    values = rng.poisson((a[i] * b[j]).sum(axis=1) + 0.5) + 1.0
    table = sparse.csr_array((values, (i, j)), shape=(n, p))
    table.sum_duplicates()
    return table


WORK = {
    "MCA, 100,000 × 50 questions, categories": lambda: answers(text=False),
    "MCA, 100,000 × 50 questions, text": lambda: answers(text=True),
    "CA, 20,000 × 5,000 counts, 1 % not 0": lambda: counts(share=0.01),
    "CA, 20,000 × 5,000 counts, 5 % not 0": lambda: counts(share=0.05),
}


def ours(name):
    import gramian as gm

    method = gm.MCA if name.startswith("MCA") else gm.CA
    return lambda X: np.asarray(method(AXES, random_state=0).fit(X).coordinates_)


def theirs(name):
    import prince

    method = prince.MCA if name.startswith("MCA") else prince.CA

    def run(X):
        fit = method(n_components=AXES, random_state=0).fit(X)
        return fit.row_coordinates(X).to_numpy()

    return run


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def work(name, side):
    """Print what one side needs for one table, and its first coordinates."""
    run, X = (ours if side == "ours" else theirs)(name), WORK[name]()
    if side == "theirs" and sparse.issparse(X):
        X = pd.DataFrame(X.toarray())  # it takes no sparse matrix
    small = X[:300] if sparse.issparse(X) else X.iloc[:300]
    run(small[:, :40] if sparse.issparse(X) else small)
    before, start = peak(), time.process_time()
    Z = run(X)
    seconds = time.process_time() - start
    print(json.dumps({"seconds": seconds, "memory": peak() - before, "norms": (Z**2).mean(axis=0).tolist()}))


def measured(python, name, side, repeats):
    """Return the best of some runs in processes of their own, or why there is none."""
    command = [python, __file__, "--work", name, side]
    env = os.environ | {k: "1" for k in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS")}
    best = None
    for _ in range(repeats):
        done = subprocess.run(command, capture_output=True, text=True, env=env)
        if done.returncode:
            return {"error": done.stderr.strip().splitlines()[-1:] or ["killed"]}
        result = json.loads(done.stdout.splitlines()[-1])
        if best is None or result["seconds"] < best["seconds"]:
            best = result
    return best


def row(name, us, them):
    if "error" in them:
        return f"| {name} | {us['seconds']:.2f} s, {us['memory']:.0f} MB | {them['error'][0][:60]} | – |"
    return (
        f"| {name} | {us['seconds']:.2f} s, {us['memory']:.0f} MB | {them['seconds']:.2f} s, "
        f"{them['memory']:.0f} MB | {them['seconds'] / us['seconds']:.1f} |"
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--peer", default=sys.executable)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--work", nargs=2)
    options = parser.parse_args()
    if options.work:
        work(*options.work)
        return
    lines = []
    for name in WORK:
        us = measured(sys.executable, name, "ours", options.repeats)
        them = measured(options.peer, name, "theirs", min(options.repeats, 2))
        lines.append(row(name, us, them))
        print(lines[-1], flush=True)
    if options.write:
        head = [
            "# Factor methods, us and prince side by side",
            "",
            f"{platform.machine()}, one thread, Python {platform.python_version()}, "
            f"numpy {np.__version__}, pandas {pd.__version__}.",
            "",
            f"{AXES} axes: the fit and the coordinates of the rows; CPU seconds, and the peak of memory "
            "beyond the table (ours sparse, prince's a frame of all numbers for CA).",
            "Made by `python benchmarks/factor.py --peer PYTHON --write`, best of three and two runs.",
            "",
            "| work | ours | prince | times faster |",
            "|---|---|---|---|",
        ]
        RESULT.write_text("\n".join([*head, *lines]) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
