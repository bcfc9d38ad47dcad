"""Which inference and which graph kernel for networks of few replicates?

    python benchmarks/network_kernels.py [--experiments 12] [--methods "NAME,…"] [--processes 1]
        [--write]

Tables of 40 genes with three planted modules are drawn; networks are inferred by several methods,
all with as many edges as are planted, and compared by several kernels on graphs whose nodes are
genes. Three questions to each pair: does the test with r replicates tell conditions with other
modules apart (all three elsewhere, or one of three), how near is the network of r replicates to
that of 2,000 (less chance, 1 the same), and what does a comparison cost? With --write the table
goes to benchmarks/results/network_kernels.md.
"""

import argparse
import os
import sys
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np  # noqa: E402
from scipy import stats  # noqa: E402

from benchmarks.runner import write_page  # noqa: E402
from gramian.errors import ConvergenceWarning  # noqa: E402
from gramian.kernels import graph  # noqa: E402
from gramian.networks.contrasts import contrasts, rows_of  # noqa: E402
from gramian.networks.correlations import graphical_lasso, upper  # noqa: E402
from gramian.networks.infer import Edges, Recipe  # noqa: E402

GENES, MODULES, SIZE, CORRELATION = 40, 3, 8, 0.9
EDGES = MODULES * SIZE * (SIZE - 1) // 2
SHUFFLES, SETS, POWER_AT, NEAR_AT = 19, 4, 6, (4, 8, 16)
MOVED = (MODULES - 1, 1)  # modules that are elsewhere in the second condition
PENALTY = 0.4


def expression(rng, n, moved=0):
    """Return n samples; the last `moved` modules are among genes that were free."""
    z = rng.standard_normal((n, GENES))
    for m in range(MODULES):
        first = SIZE * m if m < MODULES - moved else GENES - SIZE * (MODULES - m)
        rest = slice(first + 1, first + SIZE)
        z[:, rest] = CORRELATION * z[:, [first]] + np.sqrt(1 - CORRELATION**2) * z[:, rest]
    return z


def units(X):
    D = X - X.mean(axis=0)
    return D / np.sqrt((D**2).sum(axis=0))


def strongest(scores, weights=None):
    """Return the pairs of the largest |scores|, as many as are planted."""
    pairs = np.sort(np.argsort(-np.abs(scores), kind="stable")[:EDGES])
    return Edges(pairs, (scores if weights is None else weights)[pairs])


def correlation(X):
    return strongest(Recipe(shrinkage=0.0).scores(X).values)


def partial(X):
    return strongest(Recipe("partial").scores(X).values)


def lasso(X):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # the order of edges is settled sooner
        return strongest(graphical_lasso(units(X), PENALTY))


def soft(X):
    """Correlations to the sixth power, as in WGCNA."""
    r = Recipe(shrinkage=0.0).scores(X).values
    return strongest(r, np.sign(r) * np.abs(r) ** 6)


def information(X):
    """Mutual information of a normal copula, −½ log(1 − r²), r that of ranks; weights are r²."""
    r = Recipe(shrinkage=0.0).scores(stats.rankdata(X, axis=0)).values
    return strongest(-0.5 * np.log1p(-np.minimum(r**2, 1 - 1e-9)), r**2)


METHODS = {
    "correlation": correlation,
    "shrunk partial": partial,
    "graphical lasso": lasso,
    "soft threshold": soft,
    "mutual information": information,
}
# name → (kernel, whether it takes signs, whether nodes are known by their genes)
KERNELS = {
    "edge overlap, signs": (graph.EdgeOverlap("sign"), True, True),
    "edge overlap, weights": (graph.EdgeOverlap("weight"), True, True),
    "Weisfeiler–Lehman": (graph.WeisfeilerLehman(n_iter=2), False, True),
    "shortest paths": (graph.ShortestPath(), False, True),
    "random walks": (graph.RandomWalk(decay=0.01), False, True),
    "diffusion": (graph.Diffusion(), False, True),
    "HIM": (graph.HIM(), False, True),
    "Weisfeiler–Lehman, no names": (graph.WeisfeilerLehman(n_iter=2), False, False),
}


def as_graphs(networks, signed, named):
    i, j = upper(GENES)
    out = []
    for pairs, weights in networks:
        A = np.zeros((GENES, GENES))
        A[i[pairs], j[pairs]] = weights if signed else np.abs(weights)
        labels = list(range(GENES)) if named else None
        out.append(graph.Graph(A + A.T, labels=labels, names=list(range(GENES))))
    return out


def similarities(networks, kernel, signed, named):
    K = np.asarray(kernel.pairwise(as_graphs(networks, signed, named)), dtype=float)
    d = np.sqrt(np.maximum(np.diagonal(K), 1e-300))
    return K / d[:, None] / d


def distance(S, owner):
    mean = [owner == c for c in (0, 1)]
    return sum(S[np.ix_(a, a)].mean() for a in mean) - 2 * S[np.ix_(*mean)].mean()


def draws(rng, n):
    """Return the sets of samples of the test: conditions as they are, then shuffled."""
    sets, labels = [], np.repeat([0, 1], n)
    for k in range(SHUFFLES + 1):
        groups = rng.permutation(labels) if k else labels
        for c in (0, 1):
            rows = np.flatnonzero(groups == c)
            sets += [rng.choice(rows, round(0.75 * n), replace=False) for _ in range(SETS)]
    return sets


def told_apart(method, moved, seed):
    """Return, for each kernel, whether the test of r against r samples finds a difference."""
    rng = np.random.default_rng([seed, moved])
    parts = [expression(rng, POWER_AT), expression(rng, POWER_AT, moved)]
    Z = np.vstack([contrasts(part, np.zeros(POWER_AT))[0] for part in parts])
    networks = [METHODS[method](rows_of(Z[rows])) for rows in draws(rng, POWER_AT - 1)]
    owner, each, found = np.repeat([0, 1], SETS), 2 * SETS, {}
    for name, options in KERNELS.items():
        S = similarities(networks, *options)
        T = [distance(S[k : k + each, k : k + each], owner) for k in range(0, len(S), each)]
        found[name] = T[0] > max(T[1:])
    return found


def nearness(method, r, count):
    """Return, for each kernel, the similarity to the network of 2,000 samples, less chance."""
    rng = np.random.default_rng([r, 5])
    networks = [METHODS[method](expression(rng, 2000))]
    networks += [METHODS[method](expression(rng, r)) for _ in range(count)]
    networks += [METHODS[method](rng.standard_normal((r, GENES))) for _ in range(count)]
    out = {}
    for name, options in KERNELS.items():
        start = time.perf_counter()
        S = similarities(networks, *options)
        cost = 1e3 * (time.perf_counter() - start) / len(networks)
        near, chance = S[0, 1 : count + 1].mean(), S[0, count + 1 :].mean()
        share = (near - chance) / (1 - chance) if chance < 0.98 else np.nan
        out[name] = share, cost
    return out


def table(count, methods, processes):
    sizes = ", ".join(map(str, NEAR_AT))
    yield f"| inference | kernel | all modules elsewhere | one of three | near, r = {sizes} | ms |"
    yield "|---|---|---|---|---|---|"
    with ProcessPoolExecutor(processes) as pool:
        tests = list(product(methods, MOVED, range(count)))
        apart = dict(zip(tests, pool.map(told_apart, *zip(*tests, strict=True)), strict=True))
        tries = list(product(methods, NEAR_AT, [count]))
        near = dict(zip(tries, pool.map(nearness, *zip(*tries, strict=True)), strict=True))
    for method, name in product(methods, KERNELS):
        rates = [np.mean([apart[method, m, seed][name] for seed in range(count)]) for m in MOVED]
        found = [near[method, r, count][name] for r in NEAR_AT]
        shares = ", ".join(f"{share:.2f}" for share, _ in found).replace("nan", "–")
        cost = np.mean([cost for _, cost in found])
        yield f"| {method} | {name} | {rates[0]:.0%} | {rates[1]:.0%} | {shares} | {cost:.1f} |"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--experiments", type=int, default=12)
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    title = "Which inference and which kernel for networks of few replicates?"
    about = (
        f"{GENES} genes, {MODULES} modules of {SIZE} (correlation {CORRELATION} with the hub),\n"
        f"networks of {EDGES} edges; told apart: the share of {asked.experiments} experiments of\n"
        f"{POWER_AT} against {POWER_AT} samples; near: similarity to the network of 2,000 samples\n"
        "less chance, 1 the same; ms: of comparing a network with the others.\n"
        "By `python benchmarks/network_kernels.py --write`."
    )
    rows = table(asked.experiments, asked.methods.split(","), asked.processes)
    write_page("network_kernels", title, about, rows, write=asked.write)


if __name__ == "__main__":
    main()
