"""What takes graphs and sequences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations, product
from typing import Any

import numpy as np
from tests.kernels.graph import naive

from gramian.kernels import graph, sequence  # noqa: F401

from ..cell import Entry
from ..truth import Real
from .text import read


def counted(histogram: Callable[[Any], Counter[Any]]) -> Any:
    """The Gram matrix of what is counted."""

    def gram(X: Any) -> np.ndarray:
        counts = [histogram(x) for x in X]
        return np.array([[sum(a[u] * b[u] for u in a) for b in counts] for a in counts], dtype=Real)

    return gram


def runs(k: int) -> Any:
    return counted(lambda x: Counter(tuple(x[i : i + k]) for i in range(len(x) - k + 1)))


def spelled(x: Any) -> Counter[Any]:
    """Subsequences of two, each worth 0.5 to the length it spans."""
    worth: Counter[Any] = Counter()
    for i, j in combinations(range(len(x)), 2):
        worth[x[i], x[j]] += Real(0.5) ** (j - i + 1)
    return worth


def close(X: Any) -> np.ndarray:
    """Pairs of letters at one mismatch at most, over the letters of the collection."""
    letters = sorted({c for x in X for c in x})
    F = [
        [
            sum((x[i] != u) + (x[i + 1] != w) <= 1 for i in range(len(x) - 1))
            for u, w in product(letters, repeat=2)
        ]
        for x in X
    ]
    F = np.array(F, dtype=Real).reshape(len(X), -1)
    return F @ F.T


def several(X: Any) -> bool:
    return len(X) > 2 and not all(len(x) == len(X[0]) == 0 for x in X)


def walks(X: Any) -> np.ndarray:
    gram = naive.gram(lambda G, H: naive.random_walk(G, H, 0.01, "geometric", False), X)
    return gram.astype(Real)


# kernel: Gram matrix
WORDS = {
    "sequence.Spectrum(2)": runs(2),
    "sequence.Subsequence(2)": counted(spelled),
    "sequence.Mismatch(2, 1)": close,
}
NETS = {
    "graph.ShortestPath()": counted(naive.path_histogram),
    "graph.WeisfeilerLehman(2)": counted(lambda G: naive.weisfeiler_lehman(G, 2)),
    "graph.VertexHistogram()": counted(naive.vertex_histogram),
    "graph.EdgeHistogram()": counted(naive.ends_histogram),
    "graph.Graphlet(3)": counted(lambda G: naive.graphlets(G, 3)),
    "graph.RandomWalk(0.01)": walks,
}
VALUES = """
{kernel}.pairwise(x) | r ~ gram(t)
{kernel}.pairwise(v, x) | r ~ gram(t) | | skips="None"
{kernel}.diag(x) | r ~ gram(t).diagonal()
"""
FACES = """
KernelPCA(kernel={kernel}).fit(x) | spectrum(r, np.maximum(Square(gram(t)).inertias, 0)) | several
KernelPCA(kernel={kernel}).fit_transform(x) | gram_of(r) ~ centred(gram(t)) | several
KernelPCA(kernel={kernel}).fit(v).transform(x) | gram_of(r) ~ centred(gram(t)) | several
KernelPCA(kernel={kernel}).fit(x).individuals() | np.ravel(r["distance2"]) ~
    centred(gram(t)).diagonal() | several
rkhs.distance({kernel}, x) | np.asarray(r, Real) ** 2 ~ (d := (G := gram(t)).diagonal())[:, None] +
    d - 2 * G | several
rkhs.mean_embedding({kernel}, x).norm() ** 2 | r ~ gram(t).mean() | several
rkhs.mmd({kernel}, v, x, estimate="biased", n_permutations=0).statistic | r + (size := gram(t).max()
    + 1) ~ size | several
Nystrom(len(v), kernel={kernel}).fit_transform(x) | gram_of(r) ~ gram(t) | several
"""


def entries(table: dict[str, Any], arguments: str) -> list[Entry]:
    """Return the entries of kernels, and of what uses the first two of them."""
    found = []
    for k, (kernel, gram) in enumerate(table.items()):
        text = (VALUES + FACES.lstrip() if k < 2 else VALUES).format(kernel=kernel)
        found += read(text, {**globals(), "gram": gram}, arguments)
    return found


SEQUENCES = entries(WORDS, "X Y points rank landmarks sequences sequence alphabet")
GRAPH = "X Y G points rank landmarks graphs graph labels adjacency label weight edges nodes kernel"
# What is no list cannot be asked one by one.
ONE = """
[graph.as_graph(g).n_edges for g in x] |
    r ~ [g.number_of_edges() for g in t] | | skips="no graphs,None,an object"
"""
GRAPHS = entries(NETS, GRAPH) + read(ONE, globals(), GRAPH)
