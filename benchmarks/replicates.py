"""Does the study of replicates tell the truth?

    python benchmarks/replicates.py [--studies 100] [--only NAME,…] [--keep FILE] [--write]

Coverage: tables with planted networks, many times; the true number of replicates r* comes from
thousands of pairs of independent experiments, by a few lines of NumPy of their own. Noise: nothing
to be recommended. Level: conditions with the same network are not told apart. Power: the rate that
a study states against the rate of fresh experiments. Every study is kept in FILE as it is done, and
a second run goes on from there; with --write the tables go to benchmarks/results/replicates.md.
"""

import argparse
import json
import sys
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from zlib import crc32

import numpy as np
from scipy.optimize import isotonic_regression

from gramian.networks import replicate_study

PAGE = Path(__file__).resolve().parent / "results" / "replicates.md"
TARGET = 0.8


@dataclass(frozen=True)
class Scene:
    """A planted network, the replicates of each condition and how networks are found."""

    genes: int
    modules: int
    size: int
    correlation: float  # of a gene with the hub of its module
    counts: tuple[int, ...]
    law: str = "normal"
    spread: float = 0.0  # by how much the last gene of a module follows less
    design: str = "per-condition"
    moved: bool = False  # the second condition has its modules elsewhere

    @property
    def edges(self):
        return max(self.modules * self.size * (self.size - 1) // 2, self.genes // 2)

    @property
    def density(self):
        return self.edges / (self.genes * (self.genes - 1) // 2)


SCENES = {
    "30 genes": Scene(30, 3, 6, 0.97, (12, 12)),
    "60 genes, strong": Scene(60, 3, 10, 0.95, (14, 14)),
    "60 genes": Scene(60, 3, 10, 0.9, (21, 21)),
    "60 genes, weak": Scene(60, 3, 10, 0.83, (36, 36)),
    "60 genes, n < r*": Scene(60, 3, 10, 0.9, (12, 12)),
    "spread links": Scene(60, 4, 8, 0.96, (24, 24), spread=0.12),
    "lognormal": Scene(60, 3, 10, 0.93, (20, 20), "lognormal"),
    "t3 samples": Scene(60, 3, 10, 0.97, (24, 24), "t3"),
    "t3 genes": Scene(60, 3, 10, 0.93, (24, 24), "t3 genes"),
    "unbalanced": Scene(60, 3, 10, 0.93, (16, 32)),
    "three conditions": Scene(100, 4, 12, 0.93, (15, 15, 15)),
    "300 genes": Scene(300, 8, 12, 0.95, (15, 15)),
    "other networks": Scene(60, 3, 10, 0.95, (14, 14), moved=True),
    "4 x 6, pooled": Scene(60, 3, 10, 0.9, (6,) * 4, design="pooled"),
    "4 x 6": Scene(60, 3, 10, 0.95, (6,) * 4),
    "4 x 4": Scene(60, 3, 10, 0.95, (4,) * 4),
    "4 x 3": Scene(60, 3, 10, 0.97, (3,) * 4),
    "2 x 3": Scene(60, 3, 10, 0.97, (3, 3)),
}
NOISE = {
    "noise, 2 x 12": Scene(60, 0, 0, 0.0, (12, 12)),
    "noise, 2 x 24, t3": Scene(30, 0, 0, 0.0, (24, 24), "t3"),
    "noise, 4 x 6": Scene(60, 0, 0, 0.0, (6,) * 4),
    "noise, 4 x 6, pooled": Scene(60, 0, 0, 0.0, (6,) * 4, design="pooled"),
    "noise, 2 x 3": Scene(60, 0, 0, 0.0, (3, 3)),
}


def expression(scene, rng, n, moved=False):
    """Return n samples; members of a module follow its first gene."""
    noise = (lambda k: rng.standard_t(3, k)) if scene.law == "t3 genes" else rng.standard_normal
    z = noise((n, scene.genes))
    for m in range(scene.modules):
        for k in range(1, scene.size):
            rho = scene.correlation - scene.spread * (k - 1) / (scene.size - 2)
            j = scene.size * m
            z[:, j + k] = rho * z[:, j] + np.sqrt(1 - rho**2) * z[:, j + k]
    if scene.law == "t3":
        z /= np.sqrt(rng.chisquare(3, (n, 1)) / 3)
    if scene.law == "lognormal":
        z = np.exp(0.6 * z)
    return z[:, ::-1] if moved else z


def strongest(X, count):
    """Return the signs of the strongest correlations of tables (m, r, p), other pairs being 0."""
    X = X - X.mean(axis=1, keepdims=True)
    X = X / np.sqrt((X**2).sum(axis=1, keepdims=True))
    i, j = np.triu_indices(X.shape[2], 1)
    R = np.matmul(X.transpose(0, 2, 1), X)[:, i, j]
    least = np.partition(np.abs(R), R.shape[1] - count, axis=1)[:, [R.shape[1] - count]]
    return np.where(np.abs(R) >= least, np.sign(R), 0.0).astype(np.float32)


def tables(scene, rng, r, m):
    """Return the tables of m experiments of r replicates."""
    if scene.design == "per-condition":
        return expression(scene, rng, m * r).reshape(m, r, -1)
    X = expression(scene, rng, m * r * len(scene.counts)).reshape(m, len(scene.counts), r, -1)
    return (X - X.mean(axis=2, keepdims=True)).reshape(m, -1, scene.genes)


@cache
def truth(scene, last=40, pairs=400):
    """Return the least r at which two experiments agree by the target."""
    rng, curve = np.random.default_rng(99), []
    sizes = range(2 if scene.design == "pooled" else 3, last + 1)
    for r in sizes:
        found = []
        for _ in range(pairs // 50):
            T = strongest(tables(scene, rng, r, 100), scene.edges)
            found.append((T[:50] * T[50:]).sum(axis=1) / scene.edges)
        curve.append(np.mean(found))
        if len(curve) > 2 and min(curve[-3:]) > TARGET + 0.02:
            break
    good = np.flatnonzero(isotonic_regression(curve).x >= TARGET)
    return sizes[good[0]] if good.size else None


def one(scene, seed, **options):
    rng = np.random.default_rng([seed, 7, crc32(repr(scene).encode())])
    parts = [expression(scene, rng, n, scene.moved and c == 1) for c, n in enumerate(scene.counts)]
    X = np.vstack([part + 2 * rng.standard_normal(scene.genes) for part in parts])
    condition = np.repeat(np.arange(len(parts)), scene.counts)
    settings = {"n_resamples": 10, "n_permutations": 0, "random_state": seed}
    settings |= {"infer": {"density": scene.density, "shrinkage": 0.0}, "design": scene.design}
    return replicate_study(X, condition, agreement=TARGET, **settings | options)


class Kept:
    """Results of studies, one line each, in a file."""

    def __init__(self, path):
        self.path, self.done = path, {}
        if path and path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                record = json.loads(line)
                self.done[record["name"], record["seed"]] = record["found"]

    def studies(self, name, count, work):
        for seed in range(count):
            if (name, seed) not in self.done:
                found = self.done[name, seed] = work(seed)
                if self.path:
                    with self.path.open("a", encoding="utf-8") as file:
                        file.write(json.dumps({"name": name, "seed": seed, "found": found}) + "\n")
        return [self.done[name, seed] for seed in range(count)]


def answer(scene, seed):
    study = one(scene, seed)
    low, high = study.interval
    return [study.recommended, low, None if np.isinf(high) else high]


def coverage(kept, count, only):
    yield "| design | replicates | r* | interval holds r* | median | open above | median interval |"
    yield "|---|---|---|---|---|---|---|"
    for name, scene in SCENES.items():
        if only and name not in only:
            continue
        start, r = time.process_time(), truth(scene)
        found = kept.studies(name, count, lambda seed, s=scene: answer(s, seed))
        size = np.array([np.inf if s is None else s for s, _, _ in found])
        low = np.array([a for _, a, _ in found], dtype=float)
        high = np.array([np.inf if b is None else b for _, _, b in found])
        inside = np.mean((low <= r) & (r <= high))
        n = " + ".join(map(str, scene.counts))
        middle = f"{np.median(low):.0f} to {np.median(high):.0f}".replace("inf", "…")
        median = f"{np.median(size):.0f}".replace("inf", "none")
        line = f"| {name} | {n} | {r} | {inside:.0%} | {median} | {np.isinf(high).mean():.0%}"
        print(f"{time.process_time() - start:.0f} s", file=sys.stderr)
        yield f"{line} | {middle} |"


def noise(kept, count, only):
    yield "| design | nothing is recommended |"
    yield "|---|---|"
    for name, scene in NOISE.items():
        if not only or name in only:
            found = kept.studies(name, count, lambda seed, s=scene: answer(s, seed))
            yield f"| {name} | {np.mean([s is None for s, _, _ in found]):.1%} of {count} |"


LEVELS = {
    "normal, 6 + 6": Scene(60, 3, 10, 0.9, (6, 6)),
    "normal, 12 + 12": Scene(60, 3, 10, 0.9, (12, 12)),
    "unbalanced, 8 + 24": Scene(60, 3, 10, 0.9, (8, 24)),
    "three conditions of 6": Scene(60, 3, 10, 0.9, (6, 6, 6)),
    "t3 samples, 8 + 8": Scene(60, 3, 10, 0.9, (8, 8), "t3"),
    "lognormal, 8 + 8": Scene(60, 3, 10, 0.9, (8, 8), "lognormal"),
    "sd of the second x 3, 8 + 8": Scene(60, 3, 10, 0.9, (8, 8), "scaled"),
}


def claimed(scene, seed):
    """Return whether conditions with one network are said to differ."""
    rng = np.random.default_rng([seed, 11, len(scene.counts), *scene.counts])
    parts = [expression(scene, rng, n) for n in scene.counts]
    if scene.law == "scaled":
        parts[1] = 3 * parts[1]
    X = np.vstack([part + 2 * rng.standard_normal(scene.genes) for part in parts])
    condition = np.repeat(np.arange(len(parts)), scene.counts)
    return p_of_test(X, condition, scene, seed, 39) <= 0.05


def p_of_test(X, condition, scene, seed, shuffles):
    """Return the p-value of the study's own test, without the rest of the study."""
    from gramian.networks import separation
    from gramian.networks.contrasts import contrasts_of
    from gramian.networks.finder import as_finder, similarity_of

    finder = as_finder({"density": scene.density, "shrinkage": 0.0}, X)
    similarity = similarity_of(None, finder, X, 4)
    draws = [(np.random.default_rng([seed, k]), k > 0) for k in range(shuffles + 1)]
    Z, owner = contrasts_of(X, np.asarray(condition))
    return separation.p_value(separation.statistics(Z, owner, finder, similarity, draws))


def level(kept, count, only):
    yield "| same network, other means | said to differ at 5 % |"
    yield "|---|---|"
    for name, scene in LEVELS.items():
        if not only or name in only:
            found = kept.studies(
                f"level {name}", count, lambda seed, s=scene: bool(claimed(s, seed))
            )
            yield f"| {name} | {np.mean(found):.1%} of {count} |"


POWERS = {
    "other modules, 16 + 16": Scene(60, 3, 10, 0.9, (16, 16), moved=True),
    "other modules, strong, 12 + 12": Scene(60, 3, 10, 0.97, (12, 12), moved=True),
    "same network, 12 + 12": Scene(60, 3, 10, 0.9, (12, 12)),
}


def fresh(scene, r, seed):
    """Return whether a fresh experiment of r against r tells the conditions apart."""
    rng = np.random.default_rng([seed, 17, r])
    parts = [expression(scene, rng, r, scene.moved and c == 1) for c in range(2)]
    return p_of_test(np.vstack(parts), np.repeat([0, 1], r), scene, seed, 39) <= 0.05


def power(kept, count, only):
    yield "| design | replicates | stated, mean (10 to 90 % of studies) | fresh experiments |"
    yield "|---|---|---|---|"
    for name, scene in POWERS.items():
        if only and name not in only:
            continue

        def stated(seed, s=scene):
            rates = one(s, seed, n_permutations=19, sizes=[3]).power
            return {str(r): float(rate) for r, rate in rates.items()}

        found = kept.studies(f"power {name}", count, stated)
        for r in found[0]:
            rates = np.array([each[r] for each in found])
            again = kept.studies(
                f"fresh {name} {r}",
                2 * count,
                lambda s, r=r, own=scene: bool(fresh(own, int(r), s)),
            )
            ends = np.quantile(rates, [0.1, 0.9])
            yield (
                f"| {name} | {r} | {rates.mean():.0%} ({ends[0]:.0%} to {ends[1]:.0%}) "
                f"| {np.mean(again):.0%} of {2 * count} |"
            )


PARTS = {
    "coverage": ("The interval for r*", coverage),
    "noise": ("Noise", noise),
    "level": ("The test that conditions differ, where they do not", level),
    "power": ("Told apart: stated rates and fresh experiments", power),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=100)
    parser.add_argument("--parts", default=",".join(PARTS))
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    kept, only = Kept(asked.keep), set(filter(None, asked.only.split(",")))
    text = ["# How many replicates: what the study says and what is true", ""]
    text += [
        f"{asked.studies} studies each, by `python benchmarks/replicates.py --write`. r* is the"
    ]
    text += [f"least number of replicates at which two experiments agree by {TARGET}."]
    for name in asked.parts.split(","):
        title, work = PARTS[name]
        text += ["", f"## {title}", ""]
        for line in work(kept, asked.studies, only):
            text.append(line)
            print(line, flush=True)
    if asked.write:
        PAGE.write_text("\n".join(text) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
