"""Links that differ between conditions: how often are they false, how many are found?

    python benchmarks/replicate_links.py [--tables 200] [--write]

Null tables have one network in both conditions, 30 genes, 12 + 12 samples: a table with any link
at fdr 0.05 is counted. In the last designs 15 of 435 links differ; the share found and the mean
false discovery proportion are given, beside those of Pearson correlations of Helmert contrasts,
pooled over pairs and permutations, which `differential` used before.
"""

import argparse
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np  # noqa: E402

from benchmarks.runner import write_page  # noqa: E402
from gramian._nulls.corrections import benjamini_hochberg  # noqa: E402
from gramian.networks import differential  # noqa: E402
from gramian.networks.contrasts import contrasts, rows_of  # noqa: E402

GENES, SIZE = 30, 6


def modules(rng, n, count=3, link=0.9):
    """Return n samples; genes of a module follow its first gene."""
    z = rng.standard_normal((n, GENES))
    for first in range(0, count * SIZE, SIZE):
        own = slice(first + 1, first + SIZE)
        z[:, own] = link * z[:, [first]] + np.sqrt(1 - link**2) * z[:, own]
    return z


def tails(z, rng, df):
    return z / np.sqrt(rng.chisquare(df, (len(z), 1)) / df)


def bad_row(z, rng):
    z[0] += 4 * rng.standard_normal(GENES)
    return z


def wider(z, rng):
    z[12:] *= 4
    return z


def zeros(z, rng):
    return np.maximum(z, 0.0)


def same(z, rng):
    return z


NULL = {  # modules, what happens to the table, samples of each condition
    "normal, no links": (0, same, (12, 12)),
    "normal, modules": (3, same, (12, 12)),
    "one bad row, no links": (0, bad_row, (12, 12)),
    "one bad row, modules": (3, bad_row, (12, 12)),
    "lognormal modules": (3, lambda z, rng: np.exp(z), (12, 12)),
    "multivariate t3, no links": (0, lambda z, rng: tails(z, rng, 3), (12, 12)),
    "multivariate t3, modules": (3, lambda z, rng: tails(z, rng, 3), (12, 12)),
    "multivariate t5, modules": (3, lambda z, rng: tails(z, rng, 5), (12, 12)),
    "sd x 4 in one condition": (3, wider, (12, 12)),
    "6 + 18, modules": (3, same, (6, 18)),
    "6 + 18, multivariate t3": (3, lambda z, rng: tails(z, rng, 3), (6, 18)),
    "half of the values 0, modules": (3, zeros, (12, 12)),
    "three conditions of 8, one bad row": (3, bad_row, (8, 8, 8)),
}
DIFFERENT = {"12 + 12, link 0.98": (12, 0.98), "20 + 20, link 0.95": (20, 0.95)}


def pearson(X, codes, n_permutations, seed):
    """Return the pairs that contrasts shuffled between conditions, pooled over pairs, find."""
    rng, at = np.random.default_rng(seed), np.triu_indices(GENES, 1)
    Z, owner = contrasts(X, codes)

    def statistic(groups):
        z = [np.arctanh(np.corrcoef(rows_of(Z[groups == c]).T)[at]) for c in (0, 1)]
        return (z[0] - z[1]) ** 2

    T = statistic(owner)
    null = np.sort([statistic(rng.permutation(owner)) for _ in range(n_permutations)], axis=None)
    p = (null.size - np.searchsorted(null, T) + 1) / (null.size + 1)
    return np.stack(at, axis=1)[benjamini_hochberg(p) <= 0.05]


def found(X, codes, seed):
    links = differential(X, codes, random_state=seed)[["source", "target"]]
    return np.array([[int(name[1:]) for name in pair] for pair in links.to_numpy()]).reshape(-1, 2)


def rates(pairs):
    true = (pairs < SIZE).all(axis=1)
    return true.sum() / 15, (~true).sum() / max(len(true), 1)


def lines(tables):
    yield "| null tables | with false links | Monte-Carlo error |"
    yield "|---|---|---|"
    for key, (name, (count, change, samples)) in enumerate(NULL.items()):
        codes, false = np.repeat(np.arange(len(samples)), samples), 0
        for seed in range(tables):
            rng = np.random.default_rng([seed, 21, key])
            X = change(modules(rng, len(codes), count), rng)
            false += len(found(X, codes, seed)) > 0
        rate = false / tables
        error = np.sqrt(max(rate, 1 / tables) * (1 - rate) / tables)
        yield f"| {name} | {rate:.1%} of {tables} | {error:.1%} |"
    yield ""
    yield "| 15 of 435 links differ | found | false among them | Pearson: found | false |"
    yield "|---|---|---|---|---|"
    for name, (n, link) in DIFFERENT.items():
        codes, each = np.repeat([0, 1], n), []
        for seed in range(tables // 2):
            rng = np.random.default_rng([seed, 22])
            X = modules(rng, 2 * n, 1, link)
            X[n:, :SIZE] = rng.standard_normal((n, SIZE))
            each.append([*rates(found(X, codes, seed)), *rates(pearson(X, codes, 100, seed))])
        mean, error = np.mean(each, axis=0), np.std(each, axis=0) / np.sqrt(len(each))
        cells = [f"{m:.1%} ± {e:.1%}" for m, e in zip(mean, error, strict=True)]
        yield f"| {name}, {len(each)} tables | {' | '.join(cells)} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--only", default="", help="names of null designs, separated by ;")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    for name in set(NULL) - set(asked.only.split(";") if asked.only else NULL):
        del NULL[name]
    about = "By `python benchmarks/replicate_links.py --write`."
    rows = lines(asked.tables)
    write_page("replicate_links", "Links that differ", about, rows, write=asked.write)


if __name__ == "__main__":
    main()
