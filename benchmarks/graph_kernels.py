"""Graph kernels beside GraKeL: python benchmarks/graph_kernels.py [repeats].

Both sides start from graphs in their own form (GraKeL: dictionaries of edges and labels; Gramian:
`Graph`) and are run in turn; the best time of each counts. GraKeL must be installed.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import networkx as nx
import numpy as np
from grakel import graph_from_networkx
from grakel import kernels as grakel

from gramian.kernels import graph


def random_graphs(n_graphs: int, seed: int = 0) -> list[graph.Graph]:
    """Return graphs of 20 to 60 nodes with about 4 neighbours each and 5 labels.

    No node is isolated: GraKeL drops those from graphs given by their edges.
    """
    rng = np.random.default_rng(seed)
    made = []
    for n in rng.integers(20, 61, n_graphs):
        upper = np.triu(rng.random((n, n)) < 4.0 / n, 1)
        alone = np.flatnonzero(~(upper | upper.T).any(axis=0))
        upper[np.minimum(alone, n - 2), np.minimum(alone, n - 2) + 1] = True
        made.append(graph.Graph(upper | upper.T, labels=rng.integers(0, 5, n)))
    return made


def for_grakel(graphs: list[graph.Graph]) -> list[Any]:
    """Return the graphs as GraKeL takes them."""
    data = []
    for g in graphs:
        tails = np.repeat(np.arange(g.n_nodes), np.diff(g.indptr))
        edges = {(int(u), int(v)): 1.0 for u, v in zip(tails, g.indices, strict=True)}
        data.append([edges, dict(enumerate(g.labels or []))])
    return data


def for_networkx(g: graph.Graph) -> nx.Graph:
    G = nx.from_scipy_sparse_array(g.adjacency)
    nx.set_node_attributes(G, dict(enumerate(g.labels or [])), "label")
    return G


def best(repeats: int, *runs: Callable[[], Any]) -> list[tuple[float, Any]]:
    """Return the best time and the result of each run, all taken in turn."""
    found = [(np.inf, None)] * len(runs)
    for _ in range(repeats):
        for k, run in enumerate(runs):
            start = time.perf_counter()
            result = run()
            found[k] = min(found[k][0], time.perf_counter() - start), result
    return found


def difference(ours: np.ndarray, theirs: np.ndarray) -> str:
    return f"{np.abs(ours / theirs - 1).max():.0e}"


def main(repeats: int) -> None:
    warnings.simplefilter("ignore")
    graphs = random_graphs(1000)
    data, from_networkx = for_grakel(graphs), [for_networkx(g) for g in graphs]
    subtree = {"n_iter": 5, "base_graph_kernel": grakel.VertexHistogram}
    rows = [
        (
            "Weisfeiler-Lehman h=5, 1000 graphs",
            lambda: grakel.WeisfeilerLehman(**subtree).fit_transform(data),
            lambda: graph.WeisfeilerLehman(n_iter=5).pairwise(graphs),
            1,
        ),
        (
            "the same from networkx graphs",
            lambda: grakel.WeisfeilerLehman(**subtree).fit_transform(
                graph_from_networkx(from_networkx, node_labels_tag="label")
            ),
            lambda: graph.WeisfeilerLehman(n_iter=5).pairwise(from_networkx),
            1,
        ),
        (
            "shortest path, labelled, 1000 graphs",
            lambda: grakel.ShortestPath().fit_transform(data),
            lambda: graph.ShortestPath(labelled=True).pairwise(graphs),
            None,  # ordered pairs there: no multiple of the kernel of unordered pairs
        ),
        (
            "shortest path, unlabelled, 1000 graphs",
            lambda: grakel.ShortestPath(with_labels=False).fit_transform(data),
            lambda: graph.ShortestPath(labelled=False).pairwise(graphs),
            4,
        ),
        (
            "geometric random walk, 300 graphs",
            lambda: grakel.RandomWalk(lamda=0.001).fit_transform(data[:300]),
            lambda: graph.RandomWalk(decay=0.001).pairwise(graphs[:300]),
            1,
        ),
        (
            "labelled random walk, 100 graphs",
            lambda: grakel.RandomWalkLabeled(lamda=0.001).fit_transform(data[:100]),
            lambda: graph.RandomWalk(decay=0.001, labelled=True).pairwise(graphs[:100]),
            None,  # walks start from pairs that do not match there
        ),
        (
            "graphlets k=4, 1000 graphs: 100 samples there, exact here",
            lambda: grakel.GraphletSampling(
                k=4, sampling={"n_samples": 100}, random_state=0
            ).fit_transform(data),
            lambda: graph.Graphlet(k=4).pairwise(graphs),
            None,
        ),
        (
            "graphlets k=5, 1000 graphs: 100 samples there, exact here",
            lambda: grakel.GraphletSampling(
                k=5, sampling={"n_samples": 100}, random_state=0
            ).fit_transform(data),
            lambda: graph.Graphlet(k=5).pairwise(graphs),
            None,
        ),
    ]
    print(f"{'':58} {'GraKeL':>9} {'Gramian':>9} {'ratio':>7}  relative difference")
    for name, theirs, ours, factor in rows:
        (slow, K), (fast, ours_K) = best(repeats, theirs, ours)
        same = "" if factor is None else difference(factor * ours_K, K)
        print(f"{name:58} {slow:8.3f}s {fast:8.4f}s {slow / fast:6.0f}x  {same}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
