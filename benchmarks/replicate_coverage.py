"""Do intervals hold the true number of replicates, whatever the network looks like?

    python benchmarks/replicate_coverage.py [--studies 100] [--processes 16] [--keep DIR] [--write]

Studies with default options, against the truth from independent experiments, which a few lines of
NumPy of their own compute: for the genes, the number of edges and the agreement of each study, the
least r at which pairs of fresh experiments agree by 0.8 on average. The populations of
`gene_expression` are the same call with 4 × 500 samples. What is done is kept in DIR.
"""

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
from scipy.cluster.hierarchy import fcluster, linkage  # noqa: E402

import gramian as gm  # noqa: E402
from benchmarks.replicate_graded import chains, factors, root_of, samples, tree  # noqa: E402
from benchmarks.spread import Page, command, interval_of, share_held  # noqa: E402

TARGET, PAIRS, LAST = 0.8, 150, 400
BATCH = 1_000_000  # numbers that are held at once
FIRST_SEED = 3000  # what was chosen by such counts was chosen on other seeds
Draw = Callable[[np.random.Generator, int], np.ndarray]  # n samples of one condition


@dataclass(eq=False)
class Data:
    """The table and the conditions of a study, and the population of each of its conditions."""

    X: Any
    condition: Any
    populations: list[Draw]


@dataclass(eq=False)
class Design:
    """How the data of a study are made, and its options."""

    make: Callable[[int], Data]
    replicates: str
    options: dict[str, Any] = field(default_factory=dict)
    noise: bool = False


def planted(draw: Draw, counts: tuple[int, ...], moved: bool = False) -> Callable[[int], Data]:
    """Return what makes studies of one population, the genes of condition 2 reversed if moved."""

    def make(seed: int) -> Data:
        rng = np.random.default_rng([seed, 41])
        parts = [draw(rng, n) for n in counts]
        if moved:
            parts[1] = parts[1][:, ::-1]
        X = np.vstack([part + 2 * rng.standard_normal(part.shape[1]) for part in parts])
        return Data(X, np.repeat(np.arange(len(parts)), counts), [draw])

    return make


def resampled(X: np.ndarray, codes: np.ndarray) -> list[Draw]:
    """Return the population of each condition, from many samples of each."""

    def draw(rows: np.ndarray) -> Draw:
        return lambda rng, n: rows[rng.integers(len(rows), size=n)]

    return [draw(X[codes == c]) for c in np.unique(codes)]


def expression(genes: int, of: int, **options: Any) -> Callable[[int], Data]:
    """Return what makes the data set of the documents, genes being chosen as by default."""
    groups = ["temperature", "co2"]

    def make(seed: int) -> Data:
        plants = gm.datasets.gene_expression(of, random_state=seed, **options)
        found = gm.networks.prepare(plants.data.join(plants.groups[groups]), groups, genes=genes)
        large = gm.datasets.gene_expression(of, 500, random_state=seed, **options)
        names = large.groups[groups].astype(str).agg(" ".join, axis=1)
        codes = np.unique(names, return_inverse=True)[1]
        X = large.data[list(found.table.columns)].to_numpy()
        return Data(found.table, found.condition, resampled(X, codes)[:1])

    return make


def shipped(seed: int) -> Data:
    plants = gm.datasets.replicated_expression(random_state=seed)
    large = gm.datasets.replicated_expression(1000, random_state=seed)
    codes = np.repeat([0, 1], 1000)
    populations = resampled(large.data.to_numpy(), codes)
    return Data(plants.data, plants.groups["treatment"], populations)


def counts(seed: int) -> Data:
    """Return RNA-seq counts: 5 modules of 12 in 300 genes, of which 60 are chosen."""
    rng = np.random.default_rng([seed, 47])
    base, size, share = rng.normal(5.5, 1.0, 300), 12, 0.95

    def draw(rng: np.random.Generator, n: int) -> np.ndarray:
        z = rng.standard_normal((n, 300))
        for m in range(5):
            own = slice(m * size + 1, (m + 1) * size)
            z[:, own] = share * z[:, [m * size]] + np.sqrt(1 - share**2) * z[:, own]
        depth = rng.lognormal(0.0, 0.3, (n, 1))
        return rng.poisson(depth * np.exp(base + 0.5 * z))

    shift = np.where(rng.random(300) < 0.2, 1.0, 0.0)
    X = np.vstack([draw(rng, 8), rng.poisson(draw(rng, 8) * np.exp(shift))])
    table = pd.DataFrame(X, columns=[f"G{k:03d}" for k in range(300)])
    condition = np.repeat(["control", "stress"], 8)
    found = gm.networks.prepare(table.assign(condition=condition), "condition", genes=60)
    chosen = [list(table.columns).index(name) for name in found.table.columns]

    def logs(rng: np.random.Generator, n: int) -> np.ndarray:
        X = draw(rng, n)
        return np.log2((X + 0.5) / (X.sum(axis=1, keepdims=True) + 1.0) * 1e6)[:, chosen]

    return Data(found.table, found.condition, [logs])


def correlations(X: np.ndarray) -> np.ndarray:
    X = X - X.mean(axis=1, keepdims=True)
    X = X / np.sqrt((X**2).sum(axis=1, keepdims=True))
    i, j = np.triu_indices(X.shape[2], 1)
    return np.matmul(X.transpose(0, 2, 1), X)[:, i, j]


def shared_links(R: np.ndarray, k: int) -> float:
    """Return the mean share of signed edges that pairs of tables have in common."""
    size = np.abs(R)
    least = np.partition(size, R.shape[1] - k, axis=1)[:, [R.shape[1] - k]]
    T = np.where(size >= least, np.sign(R), 0.0)
    return float((T[0::2] * T[1::2]).sum(axis=1).mean() / k)


def shared_weights(R: np.ndarray, k: int) -> float:
    W = np.sign(R) * R**6
    W /= np.sqrt((W**2).sum(axis=1, keepdims=True))
    return float((W[0::2] * W[1::2]).sum(axis=1).mean())


def shared_modules(R: np.ndarray, k: int) -> float:
    """Return the adjusted Rand index of modules, single genes being none."""
    T = []
    for r in np.minimum(np.abs(R), 1.0):
        weakest = np.partition(r, r.size - k)[r.size - k]
        part = fcluster(linkage(1.0 - r, "average"), 1.0 - weakest, "distance")
        large = np.bincount(part)[part] >= 3
        i, j = np.triu_indices(part.size, 1)
        T.append((part[i] == part[j]) & large[i])
    A, B = np.array(T[0::2], dtype=float), np.array(T[1::2], dtype=float)
    a, b, both = A.sum(axis=1), B.sum(axis=1), (A * B).sum(axis=1)
    expected = a * b / R.shape[1]
    room = 0.5 * (a + b) - expected
    return float(np.where(room > 0, (both - expected) / np.where(room > 0, room, 1.0), 0.0).mean())


SHARED = {"links": shared_links, "weights": shared_weights, "modules": shared_modules}


def agreement(data: Data, options: dict[str, Any], edges: int, r: int) -> float:
    """Return how far pairs of independent experiments of r replicates agree, on average."""
    pooled = options.get("design") == "pooled"
    groups = len(np.unique(np.asarray(data.condition))) if pooled else 1
    shared = SHARED[options.get("agreement", "links")]
    p, rng, found = np.asarray(data.X).shape[1], np.random.default_rng([99, r]), []
    each = 2 * max(1, BATCH // (p * max(p, 2 * groups * r)))
    while sum(n for n, _ in found) < 2 * PAIRS:
        for draw in data.populations:
            m = min(each, 2 * PAIRS)
            X = draw(rng, m * groups * r).reshape(m, groups, r, p)
            X = (X - X.mean(axis=2, keepdims=True)).reshape(m, -1, p)
            found.append((m, shared(correlations(X), edges)))
    n, s = np.array(found).T
    return float((n * s).sum() / n.sum())


def truth(data: Data, options: dict[str, Any], edges: int) -> float:
    """Return the least r at which two experiments agree by the target; 999 if over 400."""
    low = 2 if options.get("design") == "pooled" else 3
    s = {low: agreement(data, options, edges, low)}
    high = low
    while s[high] < TARGET:
        if high == LAST:
            return 999.0
        low, high = high, min(2 * high, LAST)
        s[high] = agreement(data, options, edges, high)
    if low == high:
        return float(low)
    while high - low > 1 and high / low > 1.12:
        r = min(max(round(np.sqrt(low * high)), low + 1), high - 1)
        s[r] = agreement(data, options, edges, r)
        low, high = (r, high) if s[r] < TARGET else (low, r)
    share = (TARGET - s[low]) / (s[high] - s[low])
    at = np.exp(np.log(low) * (1 - share) + np.log(high) * share)
    return float(np.ceil(at - 0.1))  # 150 pairs do not tell 12.05 from 12


def of(S: np.ndarray, law: str = "normal") -> Draw:
    root = root_of(S)
    return lambda rng, n: samples(root, law, rng, n)


def loadings(seed, p, blocks, low, high, common=0.0):
    rng = np.random.default_rng(seed)
    L = np.zeros((p, blocks + 1))
    L[np.arange(p), np.arange(p) % blocks] = rng.uniform(low, high, p)
    L[:, -1] = common
    return L


def modules(p, count, size, link):
    L = np.zeros((p, count))
    for m in range(count):
        L[m * size : (m + 1) * size, m] = link
    return factors(L)


def signs():
    L = np.zeros((30, 4))
    for m, link in enumerate((0.95, 0.95, 0.9, 0.9)):
        L[m * 7 : (m + 1) * 7, m] = link
        if m < 2:
            L[m * 7 : m * 7 + 3, m] *= -1
    return factors(L)


def grown(seed, p, preferential):
    return tree(p, np.random.default_rng(seed), preferential, 0.7, 0.95)


CHAINS = of(chains(48, 12, 0.85), "t5 genes")
FACTORS = of(factors(loadings(5, 30, 3, 0.5, 0.97, 0.25)))
GRADED = of(factors(loadings(6, 60, 4, 0.35, 0.95)))
STRONG = of(modules(60, 3, 10, 0.97))
WEIGHTS, MODULES, POOLED = {"agreement": "weights"}, {"agreement": "modules"}, {"design": "pooled"}
TESTED = {"n_permutations": 39}


def two(draw, n, options=None, law=""):
    return Design(planted(draw, (n, n)), f"{n} + {n}", options or {})


DESIGNS = {
    "gene_expression, 60 of 600 genes": Design(expression(60, 600), "4 x 6"),
    "gene_expression, 60 of 600 genes, pooled": Design(expression(60, 600), "4 x 6", POOLED),
    "gene_expression, 500 of 3,000 genes": Design(expression(500, 3000), "4 x 6"),
    "gene_expression, 500 of 3,000 genes, pooled": Design(expression(500, 3000), "4 x 6", POOLED),
    "the shipped study": Design(shipped, "24 + 24", TESTED),
    "RNA-seq counts, 60 of 300 genes": Design(counts, "8 + 8"),
    "other modules in each condition": Design(
        planted(STRONG, (11, 21), moved=True), "11 + 21", TESTED
    ),
    "modules": two(STRONG, 4),
    "modules, loading 0.95": two(of(modules(60, 3, 10, 0.95)), 14),
    "modules, multivariate t5": two(of(modules(60, 3, 10, 0.95), "t5"), 16),
    "modules, lognormal": two(of(modules(60, 3, 10, 0.95), "lognormal"), 10),
    "small modules of 3 in 90 genes": two(of(modules(90, 10, 3, 0.96)), 12),
    "graded modules": two(GRADED, 12),
    "chains 0.85^lag, t5": two(CHAINS, 12),
    "chains 0.85^lag, t5, 24 replicates": two(CHAINS, 24),
    "chains 0.9^lag in three tens": two(of(chains(30, 10, 0.9)), 6),
    "chains 0.95^lag, three conditions": Design(
        planted(of(chains(40, 20, 0.95)), (8, 8, 8)), "3 x 8"
    ),
    "three factors": two(FACTORS, 8),
    "three factors, 24 replicates": two(FACTORS, 24),
    "one factor, dense": two(of(factors(loadings(7, 40, 1, 0.3, 0.95))), 16),
    "blocks of signs": two(of(signs()), 12),
    "scale-free tree": two(of(grown(3, 50, True)), 12),
    "tree": two(of(grown(4, 50, False)), 16),
    "hubs, t5 genes": two(of(grown(5, 40, True), "t5 genes"), 10),
    "gene_expression, 60 of 600 genes, pooled, weights": Design(
        expression(60, 600), "4 x 6", POOLED | WEIGHTS
    ),
    "chains 0.85^lag, t5, weights": two(CHAINS, 12, WEIGHTS),
    "three factors, weights": two(FACTORS, 8, WEIGHTS),
    "graded modules, weights": two(GRADED, 12, WEIGHTS),
    "modules, loading 0.95, by modules": two(of(modules(60, 3, 10, 0.95)), 14, MODULES),
    "three factors, 24 replicates, by modules": two(FACTORS, 24, MODULES),
}
EMPTY = of(np.eye(40))
NOISE = {
    "noise": two(EMPTY, 12),
    "noise, t5": Design(planted(of(np.eye(40), "t5"), (6,) * 4), "4 x 6"),
    "noise, pooled": Design(planted(EMPTY, (6,) * 4), "4 x 6", POOLED),
    "noise, 4 + 4": two(EMPTY, 4),
    "noise, weights": two(EMPTY, 12, WEIGHTS),
    "noise, by modules": two(EMPTY, 12, MODULES),
    "gene_expression without modules, 60 of 600 genes": Design(
        expression(60, 600, n_modules=0), "4 x 6"
    ),
}


def one(name: str, seed: int) -> dict[str, Any]:
    """Return the answer of one study, and the truth."""
    start, design = time.perf_counter(), (DESIGNS | NOISE)[name]
    data = design.make(FIRST_SEED + seed)
    settings = {"n_permutations": 0, "random_state": seed} | design.options
    study = gm.networks.replicate_study(data.X, data.condition, **settings)
    low, high = study.interval
    found = {"recommended": study.recommended, "low": low}
    found |= {"high": None if np.isinf(high) else high, "reason": study.reason}
    if name in DESIGNS:
        edges = next(iter(study.full.values())).n_edges
        found |= {"edges": edges, "truth": truth(data, design.options, edges)}
    return found | {"seconds": time.perf_counter() - start}


PAGE = Page(
    "How often the interval holds the true number of replicates",
    "replicate_coverage",
    "networks",
    "coverage",
    "| design | replicates | r\\* | interval holds r\\* | number, median | no number | "
    "open above | interval, median | width, mean |\n|---|---|---|---|---|---|---|---|---|",
)


def line(name: str, found: list[dict[str, Any]]) -> str:
    """Return a row: medians over studies, the rate with its error, the mean of log2(high/low)."""
    size, low, high = interval_of(found)
    none = f"{np.isinf(size).mean():.0%}"
    if name in NOISE:
        row = [name, NOISE[name].replicates, "none", "–", "–", f"{none} of {len(found)}"]
        return f"| {' | '.join([*row, *'–––'])} |"
    r = np.array([each["truth"] for each in found])
    given, closed = size[np.isfinite(size)], np.isfinite(high)
    row = [name, DESIGNS[name].replicates, _number(np.median(r), LAST)]
    row += [share_held(r, low, high)]
    row += [_number(np.median(given)) if given.size else "–", none, f"{1 - closed.mean():.0%}"]
    row += [f"{np.median(low):.0f} to {_number(np.median(high))}"]
    wide = f"× {np.exp(np.log(high[closed] / low[closed]).mean()):.1f}" if closed.any() else "–"
    return f"| {' | '.join([*row, wide])} |"


def _number(x: float, most: float = np.inf) -> str:
    return f"over {most}" if x > most else "…" if np.isinf(x) else f"{x:.0f}"


if __name__ == "__main__":
    command(__doc__ or "", [*DESIGNS, *NOISE], one, line, PAGE, count=("--studies", 100))
