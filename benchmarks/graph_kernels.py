"""Graph kernels beside GraKeL: python benchmarks/graph_kernels.py [repeats] [--write].

Both sides start from graphs in their own form (GraKeL: dictionaries of edges and labels; Gramian:
`Graph`) and are run in turn; the best time of each counts. A side that has taken `ENOUGH` seconds
is not run again. GraKeL must be installed. With --write the table goes to
benchmarks/results/graph_kernels.md.
"""

from __future__ import annotations

import os
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import networkx as nx
import numpy as np
from grakel import graph_from_networkx
from grakel import kernels as grakel

from gramian.kernels import graph

ENOUGH = 20.0
RESULTS = Path(__file__).resolve().parent / "results" / "graph_kernels.md"
HEAD = """# Graph kernels beside GraKeL

Graphs of 20 to 60 nodes, about 4 neighbours each, 5 labels. Best of up to {repeats} runs of each
side, taken in turn, on {cores} cores that others used too ({loads}): wall time, and the processor
time of all threads. Made by `python benchmarks/graph_kernels.py --write`.

"""


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


class Timed(NamedTuple):
    """The best times of a side, and what it returned."""

    wall: float
    cpu: float
    result: Any


def best(repeats: int, *runs: Callable[[], Any]) -> list[Timed]:
    """Return the best times and the result of each run, all taken in turn."""
    found = [Timed(np.inf, np.inf, None)] * len(runs)
    spent = [0.0] * len(runs)
    for _ in range(repeats):
        for k, run in enumerate(runs):
            if spent[k] > ENOUGH:
                continue
            start, start_cpu = time.perf_counter(), time.process_time()
            result = run()
            wall, cpu = time.perf_counter() - start, time.process_time() - start_cpu
            spent[k] += wall
            found[k] = Timed(min(found[k].wall, wall), min(found[k].cpu, cpu), result)
    return found


def difference(ours: np.ndarray, theirs: np.ndarray) -> str:
    return f"{np.abs(ours / theirs - 1).max():.0e}"


def main(repeats: int, write: bool) -> None:
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
    lines = ["| kernel | GraKeL | Gramian | ratio | processor time | values |", "|" + "---|" * 6]
    load = os.getloadavg()[0]
    for name, theirs, ours, factor in rows:
        slow, fast = best(repeats, theirs, ours)
        same = "differ by definition" if factor is None else ""
        same = same or f"equal to {difference(factor * fast.result, slow.result)}"
        lines.append(
            f"| {name} | {slow.wall:.3g} s | {fast.wall:.3g} s | {slow.wall / fast.wall:.0f}× | "
            f"{slow.cpu:.3g} s, {fast.cpu:.3g} s: {slow.cpu / fast.cpu:.0f}× | {same} |"
        )
        print(lines[-1], flush=True)
    if write:
        loads = f"load {load:.0f} at the start and {os.getloadavg()[0]:.0f} at the end"
        text = HEAD.format(repeats=repeats, cores=os.cpu_count(), loads=loads)
        RESULTS.write_text(text + "\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    numbers = [int(text) for text in sys.argv[1:] if text.isdigit()]
    main(numbers[0] if numbers else 3, "--write" in sys.argv)
