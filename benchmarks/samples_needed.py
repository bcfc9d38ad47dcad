"""Do intervals of `gm.stability.samples_needed` hold the true number of rows?

    python benchmarks/samples_needed.py [--runs 100] [--processes 16] [--keep DIR] [--write]

The truth comes from pairs of independent samples, by a few lines of NumPy of their own: the least
number of rows at which what they share is 0.8 on average.
"""

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import numpy as np  # noqa: E402
from scipy.cluster.hierarchy import fcluster, linkage  # noqa: E402
from sklearn.metrics import adjusted_rand_score  # noqa: E402

import gramian as gm  # noqa: E402
from benchmarks.spread import Page, command, interval_of, share_held  # noqa: E402

TARGET, PAIRS, LAST, NEW = 0.8, 300, 1000, 200


def normal(variances: tuple[float, ...], p: int, df: float = np.inf):
    """Return what draws rows with these variances and 1 for all other columns."""
    sd = np.sqrt(np.concatenate([variances, np.ones(p - len(variances))]))

    def draw(rng, n):
        Z = rng.standard_normal((n, p)) * sd
        return Z if np.isinf(df) else Z / np.sqrt(rng.chisquare(df, (n, 1)) / df)

    return draw


def classes(gap: float, p: int, k: int):
    """Return what draws rows of k classes, neighbouring centres this far apart."""

    def draw(rng, n):
        X = rng.standard_normal((n, p))
        X[np.arange(n), rng.integers(k, size=n)] += gap / np.sqrt(2.0)
        return X

    return draw


def axes_of(X, q):
    """Return directions (p, q) and eigenvalues."""
    X = X - X.mean(axis=0)
    _, d, Vt = np.linalg.svd(X, full_matrices=False)
    return Vt[:q].T, d[:q] ** 2 / len(X)


def last_axis(A, B, new, q):
    return (axes_of(A, q)[0] * axes_of(B, q)[0]).sum(axis=0) ** 2


def procrustes(L, M):
    return np.linalg.svd(L.T @ M, compute_uv=False).sum() ** 2 / ((L**2).sum() * (M**2).sum())


def loadings(A, B, new, q):
    L, M = (V * np.sqrt(d) for V, d in (axes_of(X, q) for X in (A, B)))
    return np.array([procrustes(L, M)])


def places(A, B, new, q):
    F, G = ((new - X.mean(axis=0)) @ axes_of(X, q)[0] for X in (A, B))
    return np.array([procrustes(F - F.mean(axis=0), G - G.mean(axis=0))])


def labels(X, new, q, k):
    V = axes_of(X, q)[0]
    F, G = ((Y - X.mean(axis=0)) @ V for Y in (X, new))
    part = fcluster(linkage(F, "ward"), k, "maxclust")
    for _ in range(20):  # k-means, as classes are consolidated
        centres = np.array([F[part == c].mean(axis=0) for c in np.unique(part)])
        part = ((F[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)
    return ((G[:, None] - centres) ** 2).sum(axis=2).argmin(axis=1)


def classified(A, B, new, q, k=3):
    return np.array([adjusted_rand_score(*(labels(X, new, q, k) for X in (A, B)))])


@dataclass(frozen=True)
class Design:
    """What is drawn, how many rows, the number of axes, what is asked and how it is measured."""

    draw: Callable[[np.random.Generator, int], np.ndarray]
    n: int
    q: int
    what: str
    shared: Callable[..., np.ndarray]


DESIGNS = {
    "one axis of variance 4, 10 columns": Design(normal((4,), 10), 60, 1, "axes", last_axis),
    "two axes of variance 6 and 3, 12 columns": Design(
        normal((6, 3), 12), 80, 2, "axes", last_axis
    ),
    "an axis of variance 2.2, 20 columns": Design(normal((2.2,), 20), 60, 1, "axes", last_axis),
    "axes of variance 5 and 5": Design(normal((5, 5), 10), 100, 2, "axes", last_axis),
    "one axis, rows of t5": Design(normal((5,), 8, df=5), 70, 1, "axes", last_axis),
    "loadings on two axes": Design(normal((4, 3), 15), 60, 2, "loadings", loadings),
    "a map of two axes": Design(normal((4, 3), 10), 60, 2, "map", places),
    "three classes": Design(classes(6.0, 5, 3), 90, 2, "clusters", classified),
}
NOISE = {"no axis, 10 columns": Design(normal((), 10), 60, 1, "axes", last_axis)}


@cache
def truth(name: str) -> float:
    """Return the number of rows that the hardest axis needs, 9999 if over 1,000."""
    design = DESIGNS[name]

    def agreement(r):
        rng, s = np.random.default_rng([7, r]), []
        for _ in range(PAIRS):
            A, B, new = (design.draw(rng, n) for n in (r, r, NEW))
            s.append(design.shared(A, B, new, design.q))
        return float(np.mean(s, axis=0).min())

    low = max(3, design.q + 1)
    high, s = low, {low: agreement(low)}
    while s[high] < TARGET:
        if high == LAST:
            return 9999.0
        low, high = high, min(2 * high, LAST)
        s[high] = agreement(high)
    while high - low > 1 and high / low > 1.1:
        r = min(max(round(np.sqrt(low * high)), low + 1), high - 1)
        s[r] = agreement(r)
        low, high = (r, high) if s[r] < TARGET else (low, r)
    if low == high:
        return float(low)
    share = (TARGET - s[low]) / (s[high] - s[low])
    return float(np.ceil(np.exp(np.log(low) * (1 - share) + np.log(high) * share) - 0.1))


def one(name: str, seed: int) -> dict[str, Any]:
    """Return one answer, and the truth."""
    start, design = time.perf_counter(), (DESIGNS | NOISE)[name]
    X = design.draw(np.random.default_rng([seed, 53]), design.n)
    options = {"n_clusters": 3} if design.what == "clusters" else {}
    found = gm.stability.samples_needed(
        gm.PCA(design.q), X, design.what, random_state=seed, **options
    )
    low, high = found.interval
    out = {"recommended": found.recommended, "low": low, "high": None if np.isinf(high) else high}
    out |= {"truth": truth(name)} if name in DESIGNS else {}
    return out | {"seconds": time.perf_counter() - start}


PAGE = Page(
    "How often the interval holds the true number of rows",
    "samples_needed",
    "stability",
    "samples",
    "| design | rows | true number | interval holds it | number, median | no number | "
    "open above | interval, median |\n|---|---|---|---|---|---|---|---|",
)


def line(name: str, found: list[dict[str, Any]]) -> str:
    """Return a row: the rate with its error, medians over runs."""
    size, low, high = interval_of(found)
    none, n = f"{np.isinf(size).mean():.0%}", (DESIGNS | NOISE)[name].n
    if name in NOISE:
        return f"| {name} | {n} | none | – | – | {none} of {len(found)} | – | – |"
    r = found[0]["truth"]
    given = size[np.isfinite(size)]
    row = [name, str(n), "over 1,000" if r > LAST else f"{r:.0f}"]
    row += [share_held(r, low, high)]
    row += [f"{np.median(given):.0f}" if given.size else "–", none, f"{np.isinf(high).mean():.0%}"]
    top = np.median(high)
    return f"| {' | '.join(row)} | {np.median(low):.0f} to {'…' if np.isinf(top) else round(top)} |"


if __name__ == "__main__":
    command(__doc__ or "", [*DESIGNS, *NOISE], one, line, PAGE, count=("--runs", 100))
