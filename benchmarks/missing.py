"""Do regions of multiple imputation cover, and does cross-validation find the number of axes?

    python benchmarks/missing.py [--tables 20] [--minutes 9] [--processes 1] [--store FILE]
                                 [--designs TEXT ...] [--write]

Tables of a known signal and noise lose cells at random, or at random given a column that is always
known. Covered are: the cells that were lost, by `intervals`; and the places that individuals have
on the map of the whole table, by `ellipses`, for rows that lost cells and for all. All designs have
their first table before one has its second; every table that is done is kept in the store, so that
a run that was stopped goes on. With --write the results go to benchmarks/results/missing.md. It
needs this package and its core dependencies alone; every process has one thread.
"""

import argparse
import json
import multiprocessing
import os
import sys
import tempfile
import time
import warnings
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from itertools import islice, product
from pathlib import Path

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np  # noqa: E402

import gramian as gm  # noqa: E402
from gramian.errors import NearlyEmptyWarning  # noqa: E402

PAGE = Path(__file__).resolve().parent / "results" / "missing.md"
STORE = Path(tempfile.gettempdir()) / "gramian-missing.jsonl"
SHAPES = ((30, 8, 2), (100, 10, 2), (200, 15, 3), (50, 20, 2), (40, 60, 2))
LOST = (0.05, 0.15, 0.30)
RATIOS = (1.0, 4.0)
CLEAR = ((50, 10, 1), (50, 10, 2), (100, 20, 3), (200, 40, 3), (300, 30, 4), (30, 60, 2))
CRITERIA = ("cv", "kfold", "gcv")


def signal(rng, n, p, q):
    """Return a table of q axes whose columns have variance 1."""
    axes = rng.standard_normal((q, p)) * np.linspace(1.3, 0.8, q)[:, None]
    S = rng.standard_normal((n, q)) @ axes
    return (S - S.mean(axis=0)) / S.std(axis=0)


def lose(rng, X, share, how):
    """Return the table with holes: at random, or more of them where the first column is high."""
    n, p = X.shape
    odds = np.full((n, p), share)
    if how == "given":
        high = np.argsort(np.argsort(X[:, 0])) / (n - 1)
        odds = np.outer(2.0 * high, np.full(p, share * p / (p - 1)))
        odds[:, 0] = 0.0
    holes = rng.random((n, p)) < odds
    holes[holes.all(axis=1), 0] = False
    return np.where(holes, np.nan, X)


def planted(rng, n, p, q, columns):
    """Return q clear axes in noise: 10 to 20 times the edge at which noise hides them.

    With columns "unequal" their noise differs by a factor of 3 once they are scaled.
    """
    sizes = np.linspace(20.0, 10.0, q) if q > 1 else np.array([12.0])
    axes = np.linalg.qr(rng.standard_normal((p, q)))[0]
    if columns == "equal":  # every column as near to the axes as the others
        axes = np.linalg.qr(np.sign(rng.standard_normal((p, q))))[0]
    S = rng.standard_normal((n, q)) * np.sqrt(sizes * np.sqrt(p / n)) @ axes.T
    return S + rng.standard_normal((n, p))


def laid(target, Z):
    """Return points laid on others by a rotation."""
    return gm.stability.procrustes(target, Z, scale=False).fitted


def inside(regions, at):
    """Return which points lie in their ellipses."""
    turn = np.radians(regions["angle"].to_numpy())
    x, y = (at - regions[["x", "y"]].to_numpy()).T
    along, across = x * np.cos(turn) + y * np.sin(turn), y * np.cos(turn) - x * np.sin(turn)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.hypot(along / regions["major"], across / regions["minor"]).to_numpy() <= 1.0


def coverage(rng, n, p, q, ratio, share, how):
    """Return how much is covered at level 0.95 in one table."""
    X = signal(rng, n, p, q) + rng.standard_normal((n, p)) / np.sqrt(ratio)
    lost = lose(rng, X, share, how)
    many = gm.missing.multiple(lost, q, n_tables=100, random_state=rng)
    holes = np.isnan(lost)
    cells = many.intervals()
    whole = np.asarray(gm.PCA(q, scale=True).fit(X).coordinates_)
    covered = inside(many.ellipses(), laid(many.fit.coordinates_, whole)[:, :2])
    return {
        "cells": float(((cells["low"] <= X[holes]) & (X[holes] <= cells["high"])).mean()),
        "rows": float(covered[holes.any(axis=1)].mean()),
        "all": float(covered.mean()),
        "lost": float(holes.mean()),
    }


def axes(rng, n, p, q, columns, share):
    """Return the number of axes that each criterion finds in one table."""
    X = lose(rng, planted(rng, n, p, q, columns), share, "at random")
    return {c: gm.missing.choose(X, criterion=c, random_state=rng).n_components for c in CRITERIA}


def designs():
    """Go through all designs: their kind and their options."""
    for shape, ratio, share, how in product(SHAPES, RATIOS, LOST, ("at random", "given")):
        yield "coverage", (*shape, ratio, share, how)
    for shape, columns, share in product(CLEAR, ("equal", "unequal"), (0.05, 0.2)):
        yield "axes", (*shape, columns, share)


def key(kind, options, seed):
    return json.dumps([kind, *options, seed])


def one(name):
    """Return a table's name in the store, and what it gave."""
    kind, *options, seed = json.loads(name)
    warnings.simplefilter("ignore", NearlyEmptyWarning)
    rng = np.random.default_rng([seed, *name.encode()])
    return name, {"coverage": coverage, "axes": axes}[kind](rng, *options)


def done(names, processes, end):
    """Go through the tables as they are done, until the time is over."""
    with ProcessPoolExecutor(processes, multiprocessing.get_context("spawn")) as pool:
        waiting = {pool.submit(one, name) for name in islice(names, 2 * processes)}
        while waiting:
            ready, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in ready:
                yield future.result()
            if time.monotonic() < end:
                waiting |= {pool.submit(one, name) for name in islice(names, len(ready))}


def run(store, tables, minutes, processes, chosen):
    """Add what is not in the store yet, until the time is over; return all there is."""
    known = {}
    if store.exists():
        known = dict(json.loads(line) for line in store.read_text().splitlines() if line)
    names = (key(*design, seed) for seed, design in product(range(tables), list(designs())))
    names = [name for name in names if not chosen or any(text in name for text in chosen)]
    ahead = iter([name for name in names if name not in known])
    with store.open("a") as file:
        for name, result in done(ahead, processes, time.monotonic() + 60.0 * minutes):
            known[name] = result
            file.write(json.dumps([name, result]) + "\n")
            file.flush()
    if next(ahead, None) is not None:
        print("stopped: call again to go on", file=sys.stderr)
    return known


def percent(values):
    """Write a mean with its Monte-Carlo error, in percent."""
    if not len(values):
        return "–"
    values = 100.0 * np.asarray(values, dtype=float)
    error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else np.nan
    return f"{values.mean():.1f} ± {error:.1f}"


def page(known, tables):
    """Return the results as a page."""
    found = {}
    for kind, options in designs():
        results = [
            known[key(kind, options, s)] for s in range(tables) if key(kind, options, s) in known
        ]
        found[kind, options] = results
    lines = [
        "# Missing values: coverage of multiple imputation, and the number of axes",
        "",
        f"Up to {tables} tables a design, 100 completed tables each, level 95 %; means with their "
        "Monte-Carlo errors, in percent.",
        "Made by `python benchmarks/missing.py --write`.",
        "",
        "Covered: *cells*, what was lost; *rows*, the place on the map of the whole table of "
        "individuals that lost something; *all*, of all individuals. Cells are lost at random, or "
        "at random *given* a column that is always known.",
        "",
        "| rows × columns, axes | signal/noise | lost | how | tables | cells | rows | all |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for (kind, o), results in found.items():
        if kind == "coverage" and results:
            cover = " | ".join(percent([r[k] for r in results]) for k in ("cells", "rows", "all"))
            name = f"| {o[0]} × {o[1]}, {o[2]} | {o[3]:g} | {o[4]:.0%} | {o[5]}"
            lines.append(f"{name} | {len(results)} | {cover} |")
    rows = [np.mean([r["rows"] for r in v]) for (k, _), v in found.items() if k == "coverage" and v]
    lines += [
        "",
        f"Over the {len(rows)} designs the mean coverage of rows goes from {100 * min(rows):.1f} "
        f"to {100 * max(rows):.1f} %.",
        "",
        "Clear axes: 10 to 20 times the edge at which noise hides them. How often each criterion "
        "finds their number:",
        "",
        "| rows × columns, axes | columns | lost | tables | " + " | ".join(CRITERIA) + " |",
        "|---|---|---|---|" + "---|" * len(CRITERIA),
    ]
    right = {c: [] for c in CRITERIA}
    for (kind, o), results in found.items():
        if kind == "axes" and results:
            hits = {c: [r[c] == o[2] for r in results] for c in CRITERIA}
            for c in CRITERIA:
                right[c] += hits[c]
            shares = " | ".join(percent(hits[c]) for c in CRITERIA)
            name = f"| {o[0]} × {o[1]}, {o[2]} | {o[3]} | {o[4]:.0%} | {len(results)}"
            lines.append(f"{name} | {shares} |")
    total = " | ".join(percent(right[c]) for c in CRITERIA)
    return "\n".join([*lines, f"| all | | | {len(right['cv'])} | {total} |", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=9.0)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--designs", nargs="*", default=[], help="texts of their names")
    parser.add_argument("--store", type=Path, default=STORE)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    known = run(options.store, options.tables, options.minutes, options.processes, options.designs)
    text = page(known, options.tables)
    print(text)
    if options.write:
        PAGE.write_text(text)


if __name__ == "__main__":
    main()
