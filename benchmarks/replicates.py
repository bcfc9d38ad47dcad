"""Does the study of replicates tell the truth?

    python benchmarks/replicates.py [--studies 100] [--processes 16 --minutes 9] [--keep FILE]
                                    [--parts coverage,noise,level,power] [--only "NAME;…"] [--write]

Coverage: tables with planted networks (benchmarks/replicate_designs.py), many times, against the
true number of replicates r*. Noise: nothing to be recommended. Level: conditions with the same
network are not told apart. Power: the rate that a study states against the rate of fresh
experiments. Every study is kept in FILE as it is done, and a second call goes on from there;
designs take turns, so that a run that is stopped has about as many studies of each. With --write
the tables go to benchmarks/results/replicates.md and into docs/networks.md. The seeds are those
from --first on: the ones below 1000 were looked at while the prior of the learning curves was
chosen.
"""

import argparse
import json
import multiprocessing
import os
import sys
import time
from itertools import zip_longest
from pathlib import Path
from zlib import crc32

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np  # noqa: E402

from benchmarks.replicate_designs import (  # noqa: E402
    LEVELS,
    NOISE,
    POWERS,
    SCENES,
    TARGET,
    expression,
    truth,
)
from benchmarks.spread import put_between  # noqa: E402
from gramian._nulls.p_values import p_values  # noqa: E402
from gramian.networks import replicate_study  # noqa: E402
from gramian.networks.finder import as_finder, similarity_of  # noqa: E402
from gramian.networks.resampling import (  # noqa: E402
    separation_statistics,
    trim_contrasts,
)

PAGE = HERE / "results" / "replicates.md"
DOCS = HERE.parent / "docs" / "networks.md"


def whole_table(scene, seed, key):
    """Return a table of expressions of all conditions, each with means of its own."""
    rng = np.random.default_rng([seed, key, crc32(repr(scene).encode())])
    parts = [expression(scene, rng, n, scene.moved and c == 1) for c, n in enumerate(scene.counts)]
    if scene.law == "scaled":
        parts[1] = 3 * parts[1]
    X = np.vstack([part + 2 * rng.standard_normal(scene.genes) for part in parts])
    return X, np.repeat(np.arange(len(parts)), scene.counts)


def one(scene, seed, **options):
    X, condition = whole_table(scene, seed, 7)
    settings = {"n_permutations": 0, "random_state": seed, "design": scene.design}
    settings |= {"infer": {"density": scene.density, "shrinkage": 0.0}}
    return replicate_study(X, condition, agreement=TARGET, **settings | options)


def answer(scene, seed):
    study = one(scene, seed)
    low, high = study.interval
    return [study.recommended, low, None if np.isinf(high) else high]


def differ(X, condition, scene, seed, shuffles):
    """Return whether the study's own test, without the rest of it, says that networks differ."""
    finder = as_finder({"density": scene.density, "shrinkage": 0.0}, X)
    similarity = similarity_of(None, finder, X, 4)
    draws = [(np.random.default_rng([seed, k]), k > 0) for k in range(shuffles + 1)]
    Z, owner = trim_contrasts(X, condition)
    T = separation_statistics(Z, owner, similarity, draws)
    return bool(p_values(T[0], T[1:]) <= 0.05)


def claimed(scene, seed):
    return differ(*whole_table(scene, seed, 11), scene, seed, 39)


def stated(scene, seed):
    rates = one(scene, seed, n_permutations=39, n_resamples=2, sizes=[3]).power
    return {str(r): float(rate) for r, rate in rates.items()}


def fresh(scene, r, seed):
    """Return whether a fresh experiment of r against r tells the conditions apart."""
    rng = np.random.default_rng([seed, 17, r])
    parts = [expression(scene, rng, r, scene.moved and c == 1) for c in range(2)]
    return differ(np.vstack(parts), np.repeat([0, 1], r), scene, seed, 199)


# kind of study → (what it does, its arguments by name); "fresh" and "level" are many for one study
WORK = {
    "truth": (lambda scene, seed: truth(scene), {name: (s,) for name, s in SCENES.items()}),
    "coverage": (answer, {name: (s,) for name, s in SCENES.items()}),
    "noise": (answer, {name: (s,) for name, s in NOISE.items()}),
    "level": (claimed, {name: (s,) for name, s in LEVELS.items()}),
    "power": (stated, {name: (s,) for name, (s, _) in POWERS.items()}),
    "fresh": (fresh, {f"{name}|{r}": (s, r) for name, (s, sizes) in POWERS.items() for r in sizes}),
}
TIMES = {"level": 4, "fresh": 2}
NEEDS = {"coverage": ["truth", "coverage"], "power": ["power", "fresh"]}


def task(job):
    """Do one study; nothing after the deadline."""
    (kind, name, seed), deadline = job
    if time.time() > deadline:
        return None
    start = time.process_time()
    work, arguments = WORK[kind]
    found = work(*arguments[name], seed)
    return {
        "kind": kind,
        "name": name,
        "seed": seed,
        "found": found,
        "s": round(time.process_time() - start, 2),
    }


def alone(cores):
    """Give a process a core of its own, so that nothing in it starts threads."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {cores.get()})


class Kept:
    """Results of studies, one line each, in a file."""

    def __init__(self, path):
        self.path, self.done = path, {}
        if path and path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                self._learn(json.loads(line))

    def _learn(self, record):
        self.done[record["kind"], record["name"], record["seed"]] = record

    def add(self, record):
        if record is not None:
            self._learn(record)
            if self.path:
                with self.path.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(record) + "\n")

    def found(self, kind, name):
        """Return what the studies of one design found, in the order of their seeds."""
        keys = sorted(key for key in self.done if key[:2] == (kind, name))
        return [self.done[key]["found"] for key in keys]

    def cost(self, kind, name):
        return np.mean([each["s"] for key, each in self.done.items() if key[:2] == (kind, name)])


def jobs(asked, kept):
    """Return the studies that are to be done, designs in turn."""
    rows = []
    for part in asked.parts.split(","):
        for kind in NEEDS.get(part, [part]):
            for name in WORK[kind][1]:
                if asked.only and name.split("|")[0] not in asked.only.split(";"):
                    continue
                count = 1 if kind == "truth" else asked.studies * TIMES.get(kind, 1)
                first = 0 if kind == "truth" else asked.first
                keys = [(kind, name, seed) for seed in range(first, first + count)]
                rows.append([key for key in keys if key not in kept.done])
    return [key for turn in zip_longest(*rows) for key in turn if key is not None]


def run(asked, kept):
    todo, deadline = jobs(asked, kept), time.time() + 60 * asked.minutes
    context = multiprocessing.get_context("spawn")
    mine = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else [0]
    cores = context.Queue()
    for k in range(asked.processes):
        cores.put(mine[k % len(mine)])
    with context.Pool(asked.processes, alone, (cores,)) as pool:
        for record in pool.imap_unordered(task, [(key, deadline) for key in todo]):
            kept.add(record)
    left = len(jobs(asked, kept))
    print(f"{len(todo) - left} studies done, {left} left", file=sys.stderr)


def coverage(kept):
    yield "| design | replicates | r* | interval holds r* | median | open above | median interval |"
    yield "|---|---|---|---|---|---|---|"
    for name, scene in SCENES.items():
        found, (r, *_) = kept.found("coverage", name), kept.found("truth", name) or [None]
        if not found or r is None:
            continue
        size = np.array([np.inf if s is None else s for s, _, _ in found])
        low = np.array([a for _, a, _ in found], dtype=float)
        high = np.array([np.inf if b is None else b for _, _, b in found])
        inside = f"{np.mean((low <= r) & (r <= high)):.0%} of {len(found)}"
        n = " + ".join(map(str, scene.counts))
        middle = f"{np.median(low):.0f} to {np.median(high):.0f}".replace("inf", "…")
        median = f"{np.median(size):.0f}".replace("inf", "none")
        above = f"{np.isinf(high).mean():.0%}"
        yield f"| {name} | {n} | {r} | {inside} | {median} | {above} | {middle} |"


def noise(kept):
    yield "| design | nothing is recommended |"
    yield "|---|---|"
    for name in NOISE:
        if found := kept.found("noise", name):
            yield f"| {name} | {np.mean([s is None for s, _, _ in found]):.0%} of {len(found)} |"


def level(kept):
    yield "| same network, other means | said to differ at 5 % |"
    yield "|---|---|"
    for name in LEVELS:
        if found := kept.found("level", name):
            yield f"| {name} | {np.mean(found):.1%} of {len(found)} |"


def power(kept):
    yield "| design | replicates | stated, mean (10 to 90 % of studies) | fresh experiments |"
    yield "|---|---|---|---|"
    for name, (_, sizes) in POWERS.items():
        found = kept.found("power", name)
        for r in sizes:
            again = kept.found("fresh", f"{name}|{r}")
            if not (found and again):
                continue
            rates = np.array([each[str(r)] for each in found])
            ends = np.quantile(rates, [0.1, 0.9])
            yield (
                f"| {name} | {r} | {rates.mean():.0%} ({ends[0]:.0%} to {ends[1]:.0%}) of "
                f"{len(found)} | {np.mean(again):.0%} of {len(again)} |"
            )


PARTS = {
    "coverage": ("The interval for r*", coverage),
    "noise": ("Noise", noise),
    "level": ("The test that conditions differ, where they do not", level),
    "power": ("Told apart: stated rates and fresh experiments", power),
}


def page(asked, kept):
    yield "# How many replicates: what the study says and what is true"
    yield ""
    yield "By `python benchmarks/replicates.py --write`. r* is the least number of replicates at"
    yield f"which two experiments agree by {TARGET}. Seeds from {asked.first} on: the prior of the"
    yield "learning curves was chosen on seeds below 1000."
    for part in asked.parts.split(","):
        title, lines = PARTS[part]
        yield from ("", f"## {title}", "", *lines(kept))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--studies", type=int, default=100)
    parser.add_argument("--first", type=int, default=1000)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=1e6)
    parser.add_argument("--parts", default=",".join(PARTS))
    parser.add_argument("--only", default="")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--costs", action="store_true", help="print CPU seconds a study")
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    kept = Kept(asked.keep)
    run(asked, kept)
    text = list(page(asked, kept))
    print("\n".join(text))
    for kind, name in sorted({key[:2] for key in kept.done}) if asked.costs else []:
        print(f"{kept.cost(kind, name):8.2f} s  {kind}  {name}", file=sys.stderr)
    if asked.write:
        PAGE.write_text("\n".join(text) + "\n", encoding="utf-8")
        tables = "\n".join(text[1:]).strip().replace("\n## ", "\n#### ")
        put_between(DOCS, "replicates", tables)


if __name__ == "__main__":
    main()
