"""What takes graphs and sequences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations, product
from typing import Any

import numpy as np
from tests.kernels.graph import naive

import gramian as gm
from gramian.kernels import graph, sequence

from ..cell import Entry
from ..truth import Real, centred, eigenvalues
from .common import gram_of, spectrum


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


def inertias(gram: Any) -> Any:
    def pairs(fit: Any, X: Any) -> Any:
        G = gram(X)
        return spectrum(fit, np.maximum(eigenvalues(centred(G)) / len(G), 0))

    return pairs


def entries(name: str, kernel: Any, gram: Any, arguments: str, fits: Any) -> list[Entry]:
    """The doors of one kernel."""
    return [
        Entry(
            f"{name}.pairwise",
            lambda x, v: kernel.pairwise(x),
            lambda K, t: [(K, gram(t))],
            arguments,
            fits,
        ),
        Entry(
            f"{name}.pairwise(X, Y)",
            lambda x, v: kernel.pairwise(v, x),
            lambda K, t: [(K, gram(t))],
            arguments,
            fits,
            skips="None",
        ),
        Entry(
            f"{name}.diag",
            lambda x, v: kernel.diag(x),
            lambda d, t: [(d, gram(t).diagonal())],
            arguments,
            fits,
        ),
    ]


def faces(name: str, kernel: Any, gram: Any, arguments: str, fits: Any) -> list[Entry]:
    """What uses a kernel on objects."""
    return [
        Entry(
            f"KernelPCA({name}).fit",
            lambda x, v: gm.KernelPCA(kernel=kernel).fit(x),
            inertias(gram),
            arguments,
            fits,
        ),
        Entry(
            f"KernelPCA({name}).fit_transform",
            lambda x, v: gm.KernelPCA(kernel=kernel).fit_transform(x),
            lambda f, t: [(gram_of(f), centred(gram(t)))],
            arguments,
            fits,
        ),
        Entry(
            f"KernelPCA({name}).transform",
            lambda x, v: gm.KernelPCA(kernel=kernel).fit(v).transform(x),
            lambda f, t: [(gram_of(f), centred(gram(t)))],
            arguments,
            fits,
        ),
        Entry(
            f"KernelPCA({name}).individuals",
            lambda x, v: gm.KernelPCA(kernel=kernel).fit(x).individuals(),
            lambda T, t: [(T["distance2"].to_numpy().ravel(), centred(gram(t)).diagonal())],
            arguments,
            fits,
        ),
        Entry(
            f"rkhs.distance({name})",
            lambda x, v: gm.rkhs.distance(kernel, x),
            lambda D, t: [
                (
                    np.asarray(D, Real) ** 2,
                    (G := gram(t)).diagonal()[:, None] + G.diagonal() - 2 * G,
                )
            ],
            arguments,
            fits,
        ),
        Entry(
            f"rkhs.mean_embedding({name})",
            lambda x, v: gm.rkhs.mean_embedding(kernel, x).norm() ** 2,
            lambda r, t: [(r, gram(t).mean())],
            arguments + " points",
            fits,
        ),
        Entry(
            f"rkhs.mmd({name})",
            lambda x, v: gm.rkhs.mmd(kernel, v, x, estimate="biased", n_permutations=0).statistic,
            lambda r, t: [(r + (size := gram(t).max() + 1), size)],
            arguments,
            fits,
        ),
        Entry(
            f"Nystrom({name}).fit",
            lambda x, v: gm.Nystrom(len(v), kernel=kernel).fit_transform(x),
            lambda f, t: [(gram_of(f), gram(t))],
            arguments + " rank landmarks",
            fits,
        ),
    ]


def several(X: Any) -> bool:
    return len(X) > 2 and not all(len(x) == len(X[0]) == 0 for x in X)


def anything(X: Any) -> bool:
    return True


TEXT = "X Y sequences sequence alphabet"
WORDS = [
    ("Spectrum", sequence.Spectrum(2), runs(2)),
    ("Subsequence", sequence.Subsequence(2), counted(spelled)),
    ("Mismatch", sequence.Mismatch(2, 1), close),
]
SEQUENCES = [
    *(e for name, kernel, gram in WORDS for e in entries(name, kernel, gram, TEXT, anything)),
    *(e for name, kernel, gram in WORDS[:2] for e in faces(name, kernel, gram, TEXT, several)),
]

GRAPH = "X Y graphs graph labels adjacency label weight edges nodes kernel"
COUNTS = [
    ("VertexHistogram", graph.VertexHistogram(), counted(naive.vertex_histogram)),
    ("EdgeHistogram", graph.EdgeHistogram(), counted(naive.ends_histogram)),
    ("ShortestPath", graph.ShortestPath(), counted(naive.path_histogram)),
    (
        "WeisfeilerLehman",
        graph.WeisfeilerLehman(2),
        counted(lambda G: naive.weisfeiler_lehman(G, 2)),
    ),
    ("Graphlet", graph.Graphlet(3), counted(lambda G: naive.graphlets(G, 3))),
    (
        "RandomWalk",
        graph.RandomWalk(0.01),
        lambda X: naive.gram(
            lambda G, H: naive.random_walk(G, H, 0.01, "geometric", False), X
        ).astype(Real),
    ),
]
GRAPHS = [
    *(e for name, kernel, gram in COUNTS for e in entries(name, kernel, gram, GRAPH, anything)),
    *(e for name, kernel, gram in COUNTS[2:4] for e in faces(name, kernel, gram, GRAPH, several)),
    Entry(
        "kernels.graph.as_graph",
        lambda x, v: [graph.as_graph(g).n_edges for g in x],
        lambda n, t: [(n, [g.number_of_edges() for g in t])],
        GRAPH + " G",
        anything,
        skips="no graphs,None,an object",  # no list to ask one by one
    ),
]
