"""Kernels on graphs.

They take lists of networkx graphs, of adjacency matrices, of (adjacency, labels) or of `Graph`,
and do not depend on how nodes are numbered. Whole collections are computed at once.

| kernel | two graphs are similar when they share |
|---|---|
| `VertexHistogram`, `EdgeHistogram` | labels of nodes, kinds of edges |
| `ShortestPath` | pairs of nodes equally far apart |
| `WeisfeilerLehman`, `OptimalAssignment` | neighbourhoods, refined step by step |
| `RandomWalk` | walks |
| `Graphlet` | small induced subgraphs |
| `EdgeOverlap`, `Diffusion`, `Laplacian`, `HIM` | edges between the same, named, nodes |

>>> path, triangle = [[0, 1, 0], [1, 0, 1], [0, 1, 0]], [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
>>> float(gm.kernels.graph.WeisfeilerLehman(n_iter=1).normalized()([path, triangle])[0, 1].round(6))
0.755929
"""

from gramian.kernels.graph._graph import Graph, as_graph
from gramian.kernels.graph.graphlet import Graphlet
from gramian.kernels.graph.him import HIM
from gramian.kernels.graph.labels import (
    EdgeHistogram,
    OptimalAssignment,
    VertexHistogram,
    WeisfeilerLehman,
)
from gramian.kernels.graph.on_nodes import Diffusion, EdgeOverlap, Laplacian
from gramian.kernels.graph.random_walk import RandomWalk
from gramian.kernels.graph.shortest_path import ShortestPath

__all__ = [
    "HIM",
    "Diffusion",
    "EdgeHistogram",
    "EdgeOverlap",
    "Graph",
    "Graphlet",
    "Laplacian",
    "OptimalAssignment",
    "RandomWalk",
    "ShortestPath",
    "VertexHistogram",
    "WeisfeilerLehman",
    "as_graph",
]
