"""How often are planted differences of groups and ties of numbers found, beside the standard test?

    python benchmarks/power.py [--designs TEXT] [--tables 100] [--nulls 100] [--pages 0] [--write]

Tables with a known answer go through `gm.evidence.groups` or `gm.evidence.numbers` with the six
first axes, corrected as a page corrects them; on the same tables runs the test that a textbook
names, at 5 %. Designs without a difference count false findings. --pages studies so many pages of
noise with `gm.study`. With --write the tables go to benchmarks/results/power.md and docs/claims.md.
Seeds: [table, crc32 of the design's name].
"""

import argparse
import os
import sys
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT.parent))
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"

import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
from scipy import stats  # noqa: E402

import gramian as gm  # noqa: E402
from gramian._study.record import Evidence  # noqa: E402

ALPHA = 0.05
PAGE_KINDS = ("axes", "axis-group", "group", "tie", "curve", "cluster")


def welch(X, y):
    """Return the smallest p of Welch's t (F for more groups) after Bonferroni."""
    parts = [X[y == k] for k in np.unique(y)]
    equal = {"equal_var": False} if len(parts) == 2 else {}
    test = stats.ttest_ind if len(parts) == 2 else stats.f_oneway
    return np.nanmin(test(*parts, **equal).pvalue) * X.shape[1]


def hochberg(X, y):
    """Return the smallest p of Student's t after Benjamini and Hochberg."""
    p = stats.ttest_ind(X[y == 0], X[y == 1]).pvalue
    return stats.false_discovery_control(p).min()


def betadisper(X, y):
    """Return the p of the analysis of variance of distances to spatial medians."""
    Z = (X - X.mean(axis=0)) / X.std(axis=0)
    found = gm.ecology.dispersion(Z, y, n_permutations=1, random_state=0)
    c, n = len(np.unique(y)), len(y)
    return float(stats.f.sf(found.statistic, c - 1, n - c))


def fisher(X, y):
    """Return the smallest p of Fisher's z of two correlations after Bonferroni."""
    z = [np.arctanh(np.corrcoef(X[y == k].T)[np.triu_indices(X.shape[1], 1)]) for k in (0, 1)]
    error = np.sqrt(sum(1.0 / ((y == k).sum() - 3.0) for k in (0, 1)))
    return 2 * stats.norm.sf(np.abs(z[0] - z[1]).max() / error) * len(z[0])


def pearson(X, z):
    """Return the smallest p of a correlation after Bonferroni."""
    return min(stats.pearsonr(x, z).pvalue for x in X.T) * X.shape[1]


@dataclass(frozen=True)
class Design:
    """Tables (X, labels or numbers), what is to be found in them, and the standard test."""

    name: str
    make: Callable[[np.random.Generator], tuple[np.ndarray, np.ndarray]]
    kind: str  # "means", "spread", "correlation" or "number"
    rival: Callable[[np.ndarray, np.ndarray], float]
    null: bool = False


def grouped(sizes, p, law="normal", shift=(), columns=1, deviations=(), order="random"):
    """Return tables whose groups (of these sizes) are shifted in the first columns."""

    def make(rng):
        y = np.repeat(np.arange(len(sizes)), sizes)
        y = rng.permutation(y) if order == "random" else y
        X = LAWS[law](rng, (len(y), p))
        if len(deviations):
            X = X * np.asarray(deviations, dtype=float)[y][:, None]
        if len(shift):
            X[:, :columns] += np.asarray(shift, dtype=float)[y][:, None]
        return (np.round(2 * X) if law == "ties" else X), y

    return make


LAWS = {
    "normal": lambda rng, shape: rng.standard_normal(shape),
    "ties": lambda rng, shape: rng.standard_normal(shape),
    "t3": lambda rng, shape: rng.standard_t(3, shape),
    "lognormal": lambda rng, shape: rng.lognormal(0.0, 1.0, shape),
    "ranks": lambda rng, shape: np.argsort(rng.random(shape), axis=0) / shape[0] * 3.46,
    "factor": lambda rng, shape: (
        rng.standard_normal((shape[0], 1)) + 0.7 * rng.standard_normal(shape)
    ),
}


def correlated(r, sizes=(30, 30), p=8, law="normal"):
    """Return tables whose first two columns are correlated by r[k] in group k."""

    def make(rng):
        y = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
        X = rng.standard_normal((len(y), p))
        own = np.asarray(r)[y]
        X[:, 1] = own * X[:, 0] + np.sqrt(1 - own**2) * X[:, 1]
        return (np.exp(X) if law == "lognormal" else X), y

    return make


def tied(r, n=50, p=8, law="normal", number="normal", count=1):
    """Return tables and a number that is correlated by r with the first columns."""

    def make(rng):
        X = rng.standard_normal((n, p))
        own = X[:, :count].sum(axis=1) / np.sqrt(count)
        z = r * own + np.sqrt(1 - r * r) * rng.standard_normal(n)
        X = np.exp(X) if law == "lognormal" else X
        X = X * np.sqrt(3.0 / rng.chisquare(3, X.shape)) if law == "t3" else X
        return X, (np.exp(z) if number == "lognormal" else z)

    return make


def graded(rng):
    """Return the second design of the issue: 1 to 1.3 standard deviations."""
    return grouped((30, 30), 20, shift=(0, rng.uniform(1.0, 1.3)))(rng)


POWER = [
    Design("2 sd in 1 of 20 columns, 10 + 10", grouped((10, 10), 20, shift=(0, 2)), "means", welch),
    Design("1 to 1.3 sd in 1 of 20, 30 + 30", graded, "means", welch),
    Design(
        "0.6 sd in 6 of 20, 30 + 30",
        grouped((30, 30), 20, shift=(0, 0.6), columns=6),
        "means",
        welch,
    ),
    Design(
        "3 sd in 30 of 300, 5 + 5",
        grouped((5, 5), 300, shift=(0, 3), columns=30),
        "means",
        hochberg,
    ),
    Design(
        "3 sd in 30 of 300, 4 + 4",
        grouped((4, 4), 300, shift=(0, 3), columns=30),
        "means",
        hochberg,
    ),
    Design(
        "3 sd in 50 of 500, 3 + 3",
        grouped((3, 3), 500, shift=(0, 3), columns=50),
        "means",
        hochberg,
    ),
    Design("1.5 sd in 1 of 10, 8 + 32", grouped((8, 32), 10, shift=(1.5, 0)), "means", welch),
    Design(
        "1.8 sd in 1 of 10, 10 + 30, sd × 2 in the larger",
        grouped((10, 30), 10, shift=(1.8, 0), deviations=(1, 2)),
        "means",
        welch,
    ),
    Design(
        "0, 0.5, 1.2 sd in 1 of 10, 15 × 3",
        grouped((15, 15, 15), 10, shift=(0, 0.5, 1.2)),
        "means",
        welch,
    ),
    Design(
        "1.5 sd in 1 of 10, one of six groups of 10",
        grouped((10,) * 6, 10, shift=(0, 0, 0, 0, 0, 1.5)),
        "means",
        welch,
    ),
    Design(
        "1.2 sd in 3 of 8, 12 + 12", grouped((12, 12), 8, shift=(0, 1.2), columns=3), "means", welch
    ),
    Design("1.5 in 1 of 10, t3, 25 + 25", grouped((25, 25), 10, "t3", (0, 1.5)), "means", welch),
    Design(
        "2 in 1 of 10, lognormal, 25 + 25",
        grouped((25, 25), 10, "lognormal", (0, 2)),
        "means",
        welch,
    ),
    Design("1 sd in 1 of 10, ties, 25 + 25", grouped((25, 25), 10, "ties", (0, 1)), "means", welch),
    Design(
        "1 sd in 1 of 10, ranks, 25 + 25", grouped((25, 25), 10, "ranks", (0, 1)), "means", welch
    ),
    Design(
        "1.4 in 1 of 10, one factor, 25 + 25",
        grouped((25, 25), 10, "factor", (0, 1.4)),
        "means",
        welch,
    ),
    Design(
        "sd × 1.5 in 8 columns, 30 + 30",
        grouped((30, 30), 8, deviations=(1, 1.5)),
        "spread",
        betadisper,
    ),
    Design(
        "sd × 2.5 in 8 columns, 30 + 30",
        grouped((30, 30), 8, deviations=(1, 2.5)),
        "spread",
        betadisper,
    ),
    Design(
        "sd × 1.5 in 8 columns, 12 + 36",
        grouped((12, 36), 8, deviations=(1.5, 1)),
        "spread",
        betadisper,
    ),
    Design(
        "sd × 2 in 8 columns, t3, 20 + 20",
        grouped((20, 20), 8, "t3", deviations=(1, 2)),
        "spread",
        betadisper,
    ),
    Design(
        "r = 0.9 and −0.9 in 1 pair of 8, 30 + 30", correlated((0.9, -0.9)), "correlation", fisher
    ),
    Design(
        "r = 0.6 and −0.6 in 1 pair of 8, 30 + 30", correlated((0.6, -0.6)), "correlation", fisher
    ),
    Design(
        "r = 0.9 and 0 in 1 pair of 8, 20 + 40",
        correlated((0.9, 0.0), (20, 40)),
        "correlation",
        fisher,
    ),
    Design(
        "r = 0.8 and −0.3, lognormal, 30 + 30",
        correlated((0.8, -0.3), law="lognormal"),
        "correlation",
        fisher,
    ),
    Design("number, r = 0.5 with 1 of 8, n = 50", tied(0.5), "number", pearson),
    Design("number, r = 0.6 with 1 of 30, n = 40", tied(0.6, 40, 30), "number", pearson),
    Design("number, r = 0.7 with 3 of 6, n = 20", tied(0.7, 20, 6, count=3), "number", pearson),
    Design(
        "number, r = 0.5 with 1 of 8, t3 columns, n = 50", tied(0.5, law="t3"), "number", pearson
    ),
    Design(
        "lognormal number, r = 0.6 with 1 of 8, n = 50",
        tied(0.6, number="lognormal"),
        "number",
        pearson,
    ),
]
NULLS = [
    Design("normal, 10 + 10, 20 columns", grouped((10, 10), 20), "means", welch, True),
    Design("normal, 30 + 30, 8 columns", grouped((30, 30), 8), "means", welch, True),
    Design("t3, 12 + 24, 10 columns", grouped((12, 24), 10, "t3"), "means", welch, True),
    Design(
        "lognormal, 8 + 32, 10 columns", grouped((8, 32), 10, "lognormal"), "means", welch, True
    ),
    Design(
        "sd × 3 in the group of 6, 6 + 18, 8 columns",
        grouped((6, 18), 8, deviations=(3, 1)),
        "means",
        welch,
        True,
    ),
    Design(
        "sd × 4 in the group of 6, 6 + 18, 1 column",
        grouped((6, 18), 1, deviations=(4, 1)),
        "means",
        welch,
        True,
    ),
    Design(
        "sd × 2 in the group of 8, 8 + 40, 20 columns",
        grouped((8, 40), 20, deviations=(2, 1)),
        "means",
        welch,
        True,
    ),
    Design("12 groups of 5, 8 columns", grouped((5,) * 12, 8), "means", welch, True),
    Design(
        "sorted file, 4 groups of 10, 6 columns",
        grouped((10,) * 4, 6, order="sorted"),
        "means",
        welch,
        True,
    ),
    Design("4 + 4, 300 columns", grouped((4, 4), 300), "means", hochberg, True),
    Design(
        "3 + 3, 300 columns, lognormal", grouped((3, 3), 300, "lognormal"), "means", hochberg, True
    ),
    Design(
        "4 + 4, 300 columns, one factor", grouped((4, 4), 300, "factor"), "means", hochberg, True
    ),
    Design("5 + 50, 4 columns", grouped((5, 50), 4), "spread", betadisper, True),
    Design(
        "lognormal, 10 + 30, 8 columns",
        grouped((10, 30), 8, "lognormal"),
        "spread",
        betadisper,
        True,
    ),
    Design(
        "means 3 sd apart, 15 + 15, 6 columns",
        grouped((15, 15), 6, shift=(0, 3), columns=3),
        "spread",
        betadisper,
        True,
    ),
    Design(
        "r = 0.8 in both, 10 + 30, 6 columns",
        correlated((0.8, 0.8), (10, 30), 6),
        "correlation",
        fisher,
        True,
    ),
    Design(
        "lognormal, r = 0.5 in both, 30 + 30",
        correlated((0.5, 0.5), law="lognormal"),
        "correlation",
        fisher,
        True,
    ),
    Design("number, 50 × 8", tied(0.0), "number", pearson, True),
    Design(
        "lognormal number, t3 columns, 20 × 8",
        tied(0.0, 20, law="t3", number="lognormal"),
        "number",
        pearson,
        True,
    ),
]


def axes_of(X):
    """Return the coordinates of rows on the first axes of standardised columns."""
    return gm.PCA(min(6, len(X) - 1, X.shape[1]), scale=True).fit_transform(X)


def ours(design, X, y, seed):
    """Return the corrected p-value of what the design is about, and of anything."""
    if design.kind == "number":
        found = gm.evidence.numbers(axes_of(X), y[:, None], X=X, rng=seed)
        p = min(found.table["p_value"].min(), found.columns["p_value"].min())
        return p, p
    record = gm.evidence.groups(X, axes_of(X), y, rng=seed)
    tests = Evidence(np.arange(len(X)), groups={"g": record}).group_tests
    return tests["g", design.kind], np.nanmin(list(tests.values()))


def count(design, tables):
    """Return how many tables are found by us, by any of our tests, and by the standard test."""
    hits = np.zeros(3, dtype=int)
    for k in range(tables):
        X, y = design.make(np.random.default_rng([k, zlib.crc32(design.name.encode())]))
        hits += [p < ALPHA for p in (*ours(design, X, y, k), design.rival(X, y))]
    return hits


def share(hits, tables):
    """Return a count in percent with its Monte-Carlo error."""
    rate = hits / tables
    return f"{100 * rate:.0f} ± {100 * np.sqrt(rate * (1 - rate) / tables):.0f}"


def noise_page(seed):
    """Return the kinds of false findings of a page of noise with a group column at random."""
    rng = np.random.default_rng([seed, 30])
    table = pd.DataFrame(rng.standard_normal((60, 8))).add_prefix("v")
    table["g"] = rng.permutation(np.repeat(["a", "b"], 30))
    return {c.kind for c in gm.study(table, seed=seed).claims if c.tested} & set(PAGE_KINDS)


def pages(tables):
    """Return one line on pages of noise."""
    found = [noise_page(seed) for seed in range(tables)]
    kinds = [f"{kind} {n}" for kind in PAGE_KINDS if (n := sum(kind in each for each in found))]
    return "Pages of noise 60 × 8 with a group column at random, any false claim: " + (
        f"{share(sum(map(bool, found)), tables)} % of {tables} ({', '.join(kinds) or 'none'})."
    )


def main():
    """Count, print, and write where that is requested."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--designs", nargs="*", default=[""])
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--nulls", type=int, default=100)
    parser.add_argument("--pages", type=int, default=0)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    lines = {"power": ["| planted | test | found % | standard test % |", "|---|---|---|---|"]}
    lines["null"] = ["| nothing planted | test | false % | any of our tests % | standard test % |"]
    lines["null"].append("|---|---|---|---|---|")
    for design in [*POWER, *NULLS]:
        if not any(text in design.name for text in options.designs):
            continue
        tables = options.nulls if design.null else options.tables
        own, any_, rival = (share(hits, tables) for hits in count(design, tables))
        cells = [own, any_, rival] if design.null else [own, f"{rival} ({design.rival.__name__})"]
        line = f"| {design.name} | {design.kind} | {' | '.join(cells)} |"
        lines["null" if design.null else "power"].append(line)
        print(line, flush=True)
    text = "\n".join(lines["power"]) + "\n\n" + "\n".join(lines["null"]) + "\n"
    if options.pages:
        text += "\n" + pages(options.pages) + "\n"
        print(text.splitlines()[-1])
    if options.write:
        (ROOT / "results" / "power.md").write_text(text, encoding="utf-8")
        page = ROOT.parent / "docs" / "claims.md"
        before, rest = page.read_text(encoding="utf-8").split("<!-- power: start -->\n")
        after = rest.split("<!-- power: end -->")[1]
        page.write_text(
            f"{before}<!-- power: start -->\n{text}<!-- power: end -->{after}", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
