"""How often is the number of classes right? And does PERMANOVA keep its level?

    python benchmarks/classes.py [--draws 100] [--only WORD] [--write]

Clouds without classes should be one class in 95 of 100 tables, clear clusters should be counted.
Clusters are normal of variance 1 on every column, of 20 to 60 rows each, their centres at least
`gap` apart. With --write the table in docs/classes.md, between its two marks, is replaced by all
lines that were ever drawn (benchmarks/results/classes.csv).
"""

import argparse
from pathlib import Path

import numpy as np
import pandas as pd

import gramian as gm

ROOT = Path(__file__).resolve().parents[1]
PAGE, RESULTS = ROOT / "docs" / "classes.md", ROOT / "benchmarks" / "results" / "classes.csv"
BEGIN, END = "<!-- table of designs -->", "<!-- end of the table -->"


def normal(rng):
    return rng.standard_normal((100, 8)), 1


def normal_long(rng):
    return rng.standard_normal((150, 8)) * np.geomspace(4.0, 0.5, 8), 1


def normal_few(rng):
    return rng.standard_normal((30, 5)), 1


def uniform(rng):
    return rng.random((100, 4)), 1


def uniform_long(rng):
    return np.column_stack([10.0 * rng.random(100), rng.standard_normal((100, 5))]), 1


def heavy(rng):
    return rng.standard_t(3, (100, 6)), 1


def skewed(rng):
    return rng.exponential(size=(100, 6)), 1


def counts(rng):
    return rng.poisson(1.0, (100, 8)).astype(float), 1


def bent(rng):
    """Return sites along a gradient: species come and go, and the cloud is an arch."""
    depth = rng.random(80)
    X = rng.poisson(20.0 * np.exp(-8.0 * (depth[:, None] - np.linspace(0.0, 1.0, 12)) ** 2))
    return gm.ecology.transform(X[X.sum(axis=1) > 0].astype(float), "hellinger"), 1


def horseshoe(rng):
    """Return rows along five eighths of a circle."""
    return along(rng, np.pi * 1.25 * (rng.random(100) - 0.5), np.sin, np.cos)


def arc(rng):
    return along(rng, np.pi * 0.8 * (rng.random(100) - 0.5), np.sin, np.cos)


def parabola(rng):
    return along(rng, 2.0 * rng.random(100) - 1.0, lambda t: t, lambda t: t**2)


def along(rng, t, x, y):
    """Return rows along a curve in the first two of four columns, with noise on all."""
    X = 0.08 * rng.standard_normal((len(t), 4))
    X[:, 0] += x(t)
    X[:, 1] += y(t)
    return X, 1


def clusters(rng, k, p, gap):
    """Return k clusters of unequal size whose centres are drawn until they are far apart."""
    while True:
        centres = gap * rng.standard_normal((k, min(p, 4)))
        apart = np.linalg.norm(centres[:, None] - centres[None], axis=2) + 1e9 * np.eye(k)
        if gap <= apart.min() <= 1.5 * gap:
            break
    truth = np.repeat(np.arange(k), rng.integers(20, 61, k))
    X = rng.standard_normal((len(truth), p))
    X[:, : centres.shape[1]] += centres[truth]
    return X, k


NONE = [normal, normal_long, normal_few, uniform, uniform_long, heavy, skewed, counts, bent]
NONE += [horseshoe, arc, parabola]
DESIGNS = {f"no classes: {design.__name__.replace('_', ', ')}": design for design in NONE}
for k in (2, 3, 4, 5):
    for p, gap in ((6, 6.0), (15, 7.0)):
        DESIGNS[f"{k} clusters, {p} columns, gap {gap:g}"] = lambda rng, k=k, p=p, gap=gap: (
            clusters(rng, k, p, gap)
        )


def counted(design, seed):
    """Return how many classes are found, and how many there are."""
    X, truth = design(np.random.default_rng([seed, 7]))
    fit = gm.PCA(min(5, X.shape[1])).fit(X)
    found = gm.clusters.find(fit, random_state=seed)
    return found.n_clusters, found.tree.suggested, truth


def groups(rng):
    """Species that know nothing of three groups."""
    X = rng.lognormal(size=(24, 8)) * (rng.random((24, 8)) < 0.7) + 0.01
    return X, pd.DataFrame({"x": rng.permutation(np.repeat(list("abc"), 8))}), "x", {}


def unequal_groups(rng):
    """The same, of 4, 8 and 16 rows."""
    X = rng.lognormal(size=(28, 8))
    return X, pd.DataFrame({"x": np.repeat(list("abc"), [4, 8, 16])}), "x", {}


def given_another(rng):
    """A number that is tied to another one, which species follow."""
    z = rng.standard_normal(24)
    X = np.exp(rng.standard_normal((24, 8)) + np.outer(z, [1, 1, 1, 0, 0, 0, 0, 0]))
    table = pd.DataFrame({"z": z, "x": z + 0.5 * rng.standard_normal(24)})
    return X, table, "z + x", {"by": "margin"}


def within_strata(rng):
    """Groups that differ only as the regions do in which they are more or less frequent."""
    region = np.repeat([0, 1, 2], 10)
    X = np.exp(rng.standard_normal((30, 6)) + region[:, None] * [1, 0.5, 0, 0, 0, 0])
    x = np.where(rng.random(30) < 0.2 + 0.3 * region, "a", "b")
    return X, pd.DataFrame({"x": x}), "x", {"strata": region}


LEVELS = {
    f"PERMANOVA: {d.__name__.replace('_', ' ')}": d
    for d in (groups, unequal_groups, given_another, within_strata)
}


def rejected(design, seed):
    X, table, terms, options = design(np.random.default_rng([seed, 11]))
    if table["x"].nunique() < 2:
        return np.nan
    test = gm.ecology.permanova(
        X, table, terms, metric="braycurtis", n_permutations=199, random_state=seed, **options
    )
    return float(test.table.loc["x", "p_value"] <= 0.05)


def line(name, draws):
    if name in LEVELS:
        hits = np.array([rejected(LEVELS[name], seed) for seed in range(10 * draws)])
        values = {"right": f"{np.nanmean(hits):.1%} rejected at 5 %", "hcpc": ""}
        count = 10 * draws
    else:
        found = np.array([counted(DESIGNS[name], seed) for seed in range(draws)])
        values = {
            "right": f"{np.mean(found[:, 0] == found[:, 2]):.0%}",
            "hcpc": f"{np.mean(found[:, 1] == found[:, 2]):.0%}",
        }
        count = draws
    return {"design": name, "tables": count, **values}


def write(table):
    rows = ["| design | tables | right | HCPC's rule |", "|---|---|---|---|"]
    rows += [f"| {' | '.join(map(str, row))} |" for row in table.fillna("").itertuples(index=False)]
    text = PAGE.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    PAGE.write_text(before + BEGIN + "\n" + "\n".join(rows) + "\n" + END + after, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--draws", type=int, default=100)
    parser.add_argument("--only", default="", help="designs whose name holds this word")
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    names = [*DESIGNS, *LEVELS]
    for name in names:
        if arguments.only in name:
            new = line(name, arguments.draws)
            print(*new.values(), sep="  ", flush=True)
            known = pd.read_csv(RESULTS).to_dict("records") if RESULTS.exists() else []
            lines = {row["design"]: row for row in [*known, new]}
            pd.DataFrame([lines[n] for n in names if n in lines]).to_csv(RESULTS, index=False)
    if arguments.write:
        write(pd.read_csv(RESULTS))


if __name__ == "__main__":
    main()
