"""Multidimensional scaling beside scikit-learn.

    python benchmarks/mds.py [--repeats 3] [--write]

Both sides run in turn and the best time of each counts. A step of SMACOF is the difference between
a long and a short run from the same start, divided by the steps between them, so that what is done
once (checks, sorting, loading compiled code) is left out. With --write the result goes to
benchmarks/results/mds.md.
"""

import argparse
import os
import platform
import time
import warnings
from pathlib import Path

import numpy as np
import scipy
import sklearn
from scipy.spatial.distance import pdist, squareform
from sklearn import manifold

import gramian as gm

RESULT = Path(__file__).resolve().parent / "results" / "mds.md"
SHORT, LONG, LONGER = 5, 25, 205  # steps of a run; ours are too quick for 25


def data(n):
    """Return normal rows whose columns have decreasing deviations, (n, 20)."""
    return np.random.default_rng(0).standard_normal((n, 20)) * np.geomspace(1.0, 0.3, 20)


def best(repeats, *runs):
    """Return the best time and the result of each run, all taken in turn."""
    found = [(np.inf, None)] * len(runs)
    for _ in range(repeats):
        for k, run in enumerate(runs):
            start = time.perf_counter()
            result = run()
            seconds = time.perf_counter() - start
            if seconds < found[k][0]:
                found[k] = (seconds, result)
    return found


def ours(D, start, steps, **options):
    mds = gm.MDS(metric="precomputed", start=start, n_init=1, max_iter=steps, tol=1e-300, **options)
    return lambda: mds.fit(D)


def theirs(D, start, steps, metric):
    return lambda: manifold.smacof(
        D, metric=metric, init=start, n_init=1, max_iter=steps, eps=0, normalized_stress=not metric
    )


def steps(n, repeats):
    """Return milliseconds a step, ours and theirs, for metric and ordinal scaling."""
    D = squareform(pdist(data(n)))
    start = np.random.default_rng(1).standard_normal((n, 2))
    rows = []
    for name, metric in (("metric", True), ("ordinal", False)):
        scaling = "ratio" if metric else "ordinal"
        ours(D, start, 2, scaling=scaling)()  # compiles, or reads the compiled code
        runs = [ours(D, start, k, scaling=scaling) for k in (SHORT, LONGER)]
        runs += [theirs(D, start, k, metric) for k in (SHORT, LONG)]
        seconds = [t for t, _ in best(repeats, *runs)]
        us = 1e3 * (seconds[1] - seconds[0]) / (LONGER - SHORT)
        them = 1e3 * (seconds[3] - seconds[2]) / (LONG - SHORT)
        rows.append((f"SMACOF, {name}, n = {n:,}, one step", "ms", us, them))
    return rows


def whole_fits(n, repeats):
    """Return seconds to convergence from the same start, and the stress reached."""
    D = squareform(pdist(data(n)))
    start = gm.ClassicalMDS(2, metric="precomputed").fit_transform(D)
    rows = []
    for name, metric in (("metric", True), ("ordinal", False)):
        mds = gm.MDS(
            metric="precomputed", start=start, n_init=1, scaling="ratio" if metric else "ordinal"
        )
        sk = lambda metric=metric: manifold.smacof(  # noqa: E731
            D, metric=metric, init=start, n_init=1, max_iter=1000, eps=1e-8, normalized_stress=True
        )
        (a, fit), (b, found) = best(repeats, lambda mds=mds: mds.fit(D), sk)
        label = f"whole fit, {name}, n = {n:,} (stress {fit.stress_:.5f} against {found[1]:.5f})"
        rows.append((label, "s", a, b))
    return rows


def classical(n, repeats):
    """Return seconds for the first ten axes of n points, and the errors of the eigenvalues."""
    X = data(n)
    D = squareform(pdist(X))
    truth = np.linalg.eigvalsh(np.cov(X.T, ddof=0))[::-1][:10]
    mds = gm.ClassicalMDS(10, metric="precomputed")
    ((a, fit),) = best(repeats, lambda: mds.fit(D))
    ((b, sk),) = best(1, lambda: manifold.ClassicalMDS(10, metric="precomputed").fit(D))
    ((c, rows),) = best(repeats, lambda: gm.ClassicalMDS(10).fit(X))
    errors = [
        np.abs(np.asarray(v) / truth - 1).max()
        for v in (fit.eigenvalues_, sk.eigenvalues_ / n, rows.eigenvalues_)
    ]
    words = "error {:.0e} against {:.0e}"
    return [
        (f"classical, {n:,} points, 10 axes, {words.format(errors[0], errors[1])}", "s", a, b),
        (f"the same from the rows, {words.format(errors[2], errors[1])}", "s", c, b),
    ]


def practical(n):
    """Return seconds for a whole fit of n points from one start."""
    X = data(n)
    rows = []
    for scaling in ("ratio", "ordinal"):
        mds = gm.MDS(scaling=scaling, n_init=1, tol=1e-3)
        ((seconds, fit),) = best(1, lambda mds=mds: mds.fit(X))
        rows.append((f"whole fit, {scaling}, n = {n:,}, {fit.n_iter_} steps", "s", seconds))
    return rows


def markdown(rows):
    lines = ["| work | ours | scikit-learn | times faster |", "|---|---|---|---|"]
    for name, unit, a, *b in rows:
        other = f"{b[0]:.3g} {unit} | {b[0] / a:.1f}" if b else "– | –"
        lines.append(f"| {name} | {a:.3g} {unit} | {other} |")
    return "\n".join(lines)


def head():
    versions = ", ".join(f"{m.__name__} {m.__version__}" for m in (np, scipy, sklearn))
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return (
        "# Multidimensional scaling, us and scikit-learn side by side\n\n"
        f"{platform.machine()}, {cores} cores, Python {platform.python_version()}, {versions}; "
        f"load at the end {load}.\n\n"
        "Normal rows with 20 columns of deviations 1 to 0.3; both sides in turn, best of several "
        "(scikit-learn's classical scaling once).\n"
        "Made by `python benchmarks/mds.py --write`.\n"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    warnings.simplefilter("ignore")  # runs of a few steps say that they have not converged
    rows = []
    for part in (
        lambda: steps(1000, asked.repeats),
        lambda: whole_fits(500, 1),
        lambda: classical(5000, asked.repeats),
        lambda: practical(5000),
    ):
        rows += part()
        text = f"{head()}\n{markdown(rows)}\n"
        print(markdown(rows[-2:]), flush=True)
        if asked.write:
            RESULT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
