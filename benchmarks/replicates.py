"""Does the study of replicates tell the truth, and how long does it take?

    python benchmarks/replicates.py [--draws 50] [--nulls 200] [--write]

Coverage: expressions with a known network, many times; the true number of replicates comes from
thousands of independent pairs of experiments. False positives: two conditions with the same
network and different means. Time: the simulated experiment of 24 samples, its 200 most variable
genes. With --write the tables go to benchmarks/results/replicates.md.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np
from scipy.optimize import isotonic_regression

import gramian as gm
from gramian.networks import replicate_study
from gramian.networks.finder import as_finder, similarity_of

PAGE = Path(__file__).resolve().parent / "results" / "replicates.md"
AGREEMENT = 0.8
FIXED = {"density": 135 / 1770, "shrinkage": 0.0}
SCENES = [
    # genes, modules of 10, correlation with the hub, replicates, options of infer, sizes
    (60, 3, 0.9, 24, FIXED, None),
    (60, 3, 0.95, 12, {"density": 135 / 1770}, None),
    (60, 3, 0.95, 24, FIXED, [3, 4, 5, 6, 7, 8, 9, 10, 12]),
]


def expression(rng, n, p, modules, correlation, tails=None):
    """Return n samples of p genes; members of a module of 10 follow its first gene."""
    z = rng.standard_normal((n, p))
    for m in range(modules):
        rest = slice(10 * m + 1, 10 * m + 10)
        z[:, rest] = correlation * z[:, [10 * m]] + np.sqrt(1 - correlation**2) * z[:, rest]
    if tails:
        z /= np.sqrt(rng.chisquare(tails, (n, 1)) / tails)
    return z


def true_curve(p, modules, correlation, infer, sizes, n_pairs=400):
    """Return the agreement of independent experiments at each size."""
    rng = np.random.default_rng(99)
    example = expression(rng, 40, p, modules, correlation)
    finder = as_finder(infer, example)
    similarity = similarity_of(None, finder, example, 10)
    curve = []
    for r in sizes:
        found = []
        for _ in range(n_pairs // 50):
            X = expression(rng, 100 * r, p, modules, correlation)
            S = similarity(finder.many(X, list(np.arange(100 * r).reshape(100, r))))
            found.append(S[np.arange(50), np.arange(50, 100)].mean())
        curve.append(np.mean(found))
    return np.array(curve)


def coverage(n_draws, scenes=SCENES):
    lines = [
        "| correlation | replicates | true number | contains it | open above | median | interval |",
        "|---|---|---|---|---|---|---|",
    ]
    for p, modules, correlation, n, infer, tried in scenes:
        sizes = np.arange(3, n + 1)
        curve = isotonic_regression(true_curve(p, modules, correlation, infer, sizes)).x
        good = np.flatnonzero(curve >= AGREEMENT)
        truth = int(sizes[good[0]]) if good.size else n + 1
        found = []
        for seed in range(n_draws):
            rng = np.random.default_rng([seed, 7])
            X = np.vstack([expression(rng, n, p, modules, correlation) for _ in range(2)])
            X += rng.standard_normal(p)
            options = {"infer": infer, "sizes": tried, "n_resamples": 20, "n_permutations": 0}
            options |= {"agreement": AGREEMENT, "random_state": seed}
            study = replicate_study(X, np.repeat(["a", "b"], n), **options)
            found.append((study.recommended or np.inf, *study.interval))
            print(seed, truth, found[-1], file=sys.stderr, flush=True)
        size, low, high = np.array(found).T
        inside = np.mean((low <= truth) & (truth <= high))
        middle = f"{np.median(low):.0f} to {np.median(high):.0f}".replace("inf", "…")
        lines.append(
            f"| {correlation} | {n} | {truth} | {inside:.0%} | {np.isinf(high).mean():.0%} "
            f"| {np.median(size):.0f} | {middle} |"
        )
        print(lines[-1], flush=True)
    return lines


NULLS = [("normal", 6, None), ("normal", 12, None), ("t, 4 degrees of freedom", 6, 4)]


def false_positives(n_nulls, cases=NULLS):
    lines = ["| data | replicates | claims of a difference |", "|---|---|---|"]
    for name, n, tails in cases:
        claims = 0
        for seed in range(n_nulls):
            rng = np.random.default_rng([seed, 11, n])
            groups = [expression(rng, n, 60, 3, 0.9, tails) for _ in range(2)]
            X = np.vstack([group + 2 * rng.standard_normal(60) for group in groups])
            options = {"n_resamples": 2, "n_permutations": 39, "sizes": [2 * n // 3, n]}
            study = replicate_study(X, np.repeat(["a", "b"], n), random_state=seed, **options)
            claims += study.separated
            print(seed, study.separated, file=sys.stderr, flush=True)
        lines.append(f"| {name} | {n} | {claims / n_nulls:.1%} of {n_nulls} |")
        print(lines[-1], flush=True)
    return lines


def power(n_draws):
    """Conditions with different modules."""
    lines = ["| replicates | a difference is found |", "|---|---|"]
    for n in (6, 12, 24):
        claims = 0
        for seed in range(n_draws):
            rng = np.random.default_rng([seed, 13, n])
            groups = [expression(rng, n, 60, 3, 0.9), expression(rng, n, 60, 3, 0.9)[:, ::-1]]
            X = np.vstack([group + 2 * rng.standard_normal(60) for group in groups])
            options = {"n_resamples": 2, "n_permutations": 39, "sizes": [2 * n // 3, n]}
            study = replicate_study(X, np.repeat(["a", "b"], n), random_state=seed, **options)
            claims += study.separated
        lines.append(f"| {n} | {claims / n_draws:.0%} of {n_draws} |")
        print(lines[-1], flush=True)
    return lines


def timing():
    plants = gm.datasets.gene_expression()
    X = plants.data[plants.data.var().nlargest(200).index]
    both = plants.groups["temperature"].astype(str) + plants.groups["co2"].astype(str)
    lines = ["| conditions | seconds | of one core |", "|---|---|---|"]
    for name, condition in (("2 of 12", plants.groups["temperature"]), ("4 of 6", both)):
        start, busy = time.perf_counter(), time.process_time()
        replicate_study(X, condition)
        took = time.perf_counter() - start, time.process_time() - busy
        lines.append(f"| {name} | {took[0]:.0f} | {took[1]:.0f} |")
        print(lines[-1], flush=True)
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--draws", type=int, default=50)
    parser.add_argument("--nulls", type=int, default=200)
    parser.add_argument("--only", default="timing,false,power,coverage")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    parts = {
        "timing": ("Time, 24 samples and 200 genes, default options", timing),
        "false": (
            "False positives at 5 %, same network, different means",
            lambda: false_positives(asked.nulls),
        ),
        "power": ("Power, different modules", lambda: power(asked.draws)),
        "coverage": (
            f"Does the 95 % interval contain the true number (agreement {AGREEMENT}, "
            f"{asked.draws} draws)?",
            lambda: coverage(asked.draws),
        ),
    }
    text = ["# How many replicates: coverage, false positives, time", ""]
    text += ["Made by `python benchmarks/replicates.py --write`."]
    for name in asked.only.split(","):
        title, work = parts[name]
        text += ["", f"## {title}", "", *work()]
    if asked.write:
        PAGE.write_text("\n".join(text) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
