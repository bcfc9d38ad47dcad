"""Collections of graphs: networkx, adjacency matrices, and what is no graph."""

import numpy as np
from scipy import sparse
from tests.optional import library

from ..cell import either, refused, right

nx = library("networkx")
LABELS = "abc"


def cycle(n, make=nx.cycle_graph, kind=None):
    """A graph with labels in turn."""
    G = make(n) if kind is None else kind(make(n))
    for node in G:
        G.nodes[node]["label"] = LABELS[hash(node) % 3]
    return G


def graphs():
    return [
        cycle(4),
        cycle(5),
        cycle(3, nx.path_graph),
        cycle(4, nx.complete_graph),
        cycle(6, nx.path_graph),
    ]


def pair(G, kind=np.asarray):
    return kind(nx.to_numpy_array(G)), [G.nodes[v]["label"] for v in G]


def first(change):
    """The collection with one graph changed in place."""
    G = graphs()
    change(G[0])
    return G


def weight(value):
    return lambda: first(lambda G: G.edges[0, 1].update(weight=value))


def label(value):
    return lambda: first(lambda G: G.nodes[0].update(label=value))


def matrix(change, kind=np.asarray):
    """Matrices, the first one changed."""
    pairs = [pair(G) for G in graphs()]
    A, labels = pairs[0]
    change(A)
    return [(kind(A), labels), *pairs[1:]]


def lone(n=1):
    G = nx.empty_graph(n)
    nx.set_node_attributes(G, "a", "label")
    return G


def put(value, *at):
    return lambda A: [A.__setitem__(place, value) for place in at]


def relabelled(names):
    return [nx.relabel_nodes(G, dict(zip(G, names, strict=False))) for G in graphs()]


FAMILIES = {
    "graphs": [
        right("networkx", graphs),
        right("a tuple of graphs", lambda: tuple(graphs()), graphs),
        right("adjacency and labels", lambda: [pair(G) for G in graphs()], graphs),
        right("sparse adjacency", lambda: [pair(G, sparse.csr_matrix) for G in graphs()], graphs),
        right("coo adjacency", lambda: [pair(G, sparse.coo_array) for G in graphs()], graphs),
        right(
            "int adjacency", lambda: [(A.astype(int), s) for A, s in map(pair, graphs())], graphs
        ),
        right("bool adjacency", lambda: [(A > 0, s) for A, s in map(pair, graphs())], graphs),
        right(
            "read-only adjacency",
            lambda: [(np.broadcast_to(A, A.shape), s) for A, s in map(pair, graphs())],
            graphs,
        ),
        right("nodes named by words", lambda: relabelled("uvwxyz")),
        right("nodes named by tuples", lambda: relabelled([(i, i) for i in range(6)])),
        right("one node", lambda: [lone(), *graphs()]),
        right("no edges", lambda: [lone(4), *graphs()]),
        right("disconnected", lambda: [nx.disjoint_union(cycle(3), cycle(4)), *graphs()]),
        right("equal graphs", lambda: [cycle(4), cycle(4), cycle(5)]),
        right("a star", lambda: [cycle(7, nx.star_graph), *graphs()]),
        either("one graph", lambda: [cycle(4)]),
        either("only single nodes", lambda: [lone(), lone(), lone()]),
        either("a graph without nodes", lambda: [nx.Graph(), *graphs()]),
        either("an object array", lambda: np.array([*graphs(), None], dtype=object)[:-1], graphs),
        either("numbers as labels", lambda: [nx.relabel_nodes(G, {}) for G in graphs()]),
        either("very large weights", weight(1e300)),
        either("edges of weight 0", weight(0.0), lambda: first(lambda G: G.remove_edge(0, 1))),
        refused("weight NaN", weight(np.nan)),
        refused("weight inf", weight(np.inf)),
        refused("weight of text", weight("7")),
        refused("weight None", weight(None)),
        refused("weight complex", weight(1j)),
        refused("self loop", lambda: first(lambda G: G.add_edge(0, 0))),
        refused("directed", lambda: [nx.DiGraph(G) for G in graphs()]),
        refused("directed one way", lambda: [*graphs(), nx.DiGraph([(0, 1), (1, 2)])]),
        refused("multi-edges", lambda: [nx.MultiGraph([(0, 1), (0, 1)]), *graphs()]),
        refused("a label NaN", label(np.nan)),
        refused("a label None", label(None)),
        refused("a label that has no hash", label(["a"])),
        refused("a label is missing", lambda: first(lambda G: G.nodes[0].pop("label"))),
        refused("adjacency NaN", lambda: matrix(put(np.nan, (0, 1), (1, 0)))),
        refused("adjacency inf", lambda: matrix(put(np.inf, (0, 1), (1, 0)))),
        refused("adjacency asymmetric", lambda: matrix(put(0.0, (0, 1)))),
        refused("adjacency with a loop", lambda: matrix(put(1.0, (0, 0)))),
        refused(
            "adjacency sparse NaN", lambda: matrix(put(np.nan, (0, 1), (1, 0)), sparse.csr_matrix)
        ),
        refused("adjacency not square", lambda: matrix(lambda A: None, lambda A: A[:, :3])),
        refused("adjacency complex", lambda: matrix(lambda A: None, lambda A: A + 1j)),
        refused("adjacency of words", lambda: matrix(lambda A: None, lambda A: A.astype(str))),
        refused(
            "adjacency masked", lambda: matrix(lambda A: None, lambda A: np.ma.array(A, mask=A > 0))
        ),
        refused(
            "csr index out of range",
            lambda: matrix(
                lambda A: None,
                lambda A: (S := sparse.csr_matrix(A), S.indices.__setitem__(0, 10**6))[0],
            ),
        ),
        refused("too few labels", lambda: [(A, s[:-1]) for A, s in map(pair, graphs())]),
        refused("None among graphs", lambda: [*graphs(), None]),
        refused("text among graphs", lambda: [*graphs(), "graph"]),
        refused("a number among graphs", lambda: [*graphs(), 3.0]),
        refused("one graph, not a list", lambda: cycle(4)),
        refused("no graphs", list),
        refused("None", lambda: None),
        refused("a table", lambda: np.ones((5, 3))),
        refused("words", lambda: ["a", "b"]),
        refused("an object", object),
    ],
}
