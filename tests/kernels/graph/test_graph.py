"""The door: what graphs may be given as, and what is refused."""

from types import SimpleNamespace

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from gramian.errors import InputError, InputTypeError
from gramian.kernels import graph
from gramian.kernels.graph._graph import as_graph, as_graphs

A = np.array([[0.0, 2.0, 0.0], [2.0, 0.0, 0.5], [0.0, 0.5, 0.0]])
NAMES = ["x", "y", "z"]


def as_networkx():
    G = nx.Graph()
    G.add_nodes_from(NAMES)
    G.add_edge("y", "x", weight=2.0)
    G.add_edge("y", "z", weight=0.5)
    return G


FORMS = {
    "array": A,
    "list": A.tolist(),
    "read-only": np.frombuffer(A.tobytes()).reshape(3, 3),
    "csr": sparse.csr_array(A),
    "csc matrix": sparse.csc_matrix(A),
    "coo with parts": sparse.coo_array(
        ([2.0, 2.0, 0.25, 0.25, 0.5], ([0, 1, 1, 1, 2], [1, 0, 2, 2, 1]))
    ),
    "explicit zeros": sparse.csr_array((A.ravel(), (np.repeat([0, 1, 2], 3), [0, 1, 2] * 3))),
    "tuple": (A, ["a", "b", "c"]),
    "tuple with names": (sparse.csr_array(A), ["a", "b", "c"], NAMES),
    "networkx": as_networkx(),
    "data frame": pd.DataFrame(A, index=NAMES, columns=NAMES),
    "network": SimpleNamespace(adjacency=sparse.csr_array(A), names=NAMES),
    "graph": graph.Graph(A),
}


@pytest.mark.parametrize("form", list(FORMS))
def test_forms(form):
    G = as_graph(FORMS[form])
    np.testing.assert_array_equal(G.adjacency.toarray(), A)
    assert (G.n_nodes, G.n_edges) == (3, 2)
    named = form in ("tuple with names", "networkx", "data frame", "network")
    assert G.names == (NAMES if named else None)
    assert G.labels == (["a", "b", "c"] if "tuple" in form else None)


def test_a_stack_of_matrices_and_a_series_are_collections():
    assert len(as_graphs(np.stack([A, A]))) == 2
    assert len(as_graphs(pd.Series([as_networkx(), as_networkx()]))) == 2
    assert len(as_graphs((as_networkx(),))) == 1


def test_the_caller_keeps_what_was_given():
    given = sparse.coo_array(([1.0, 1.0, 1.0, 1.0], ([0, 0, 1, 1], [1, 1, 0, 0])), shape=(2, 2))
    assert graph.Graph(given).weights.tolist() == [2.0, 2.0]
    assert given.nnz == 4
    B = A.copy()
    graph.Diffusion().pairwise([B])
    np.testing.assert_array_equal(B, A)


def test_rounding_is_evened_out():
    B = A.copy()
    B[0, 1] += 1e-15
    G = graph.Graph(B)
    assert G.adjacency.toarray()[0, 1] == G.adjacency.toarray()[1, 0]


def test_equal_labels_of_different_types_match():
    edge = [[0, 1], [1, 0]]
    X = [
        (edge, [1, 2]),
        (edge, [1.0, 2.0]),
        (edge, np.array([1, 2], dtype=np.int8)),
        (edge, ["1", 2]),
    ]
    K = graph.VertexHistogram().pairwise(X)
    np.testing.assert_array_equal(K[0], [2, 2, 2, 1])
    tuples = [(edge, [("a", 1), ("b",)]), (edge, [("b",), ("a", 1.0)])]
    np.testing.assert_array_equal(graph.VertexHistogram().pairwise(tuples), 2.0)


def test_from_edges_and_repr():
    G = graph.Graph.from_edges(3, [(0, 1), (2, 1)], weights=[2.0, 0.5], labels="abc", names=NAMES)
    np.testing.assert_array_equal(G.adjacency.toarray(), A)
    assert repr(G) == "Graph(3 nodes, 2 edges, with labels and names)"
    assert graph.Graph.from_edges(2, []).n_edges == 0


BAD_GRAPHS = [
    (nx.DiGraph([(0, 1)]), "directed"),
    (nx.MultiGraph([(0, 1)]), "parallel"),
    (nx.Graph(), "no nodes"),
    (np.zeros((0, 0)), "no nodes"),
    (nx.Graph([(0, 0), (0, 1)]), "loop"),
    (np.eye(2), "loop"),
    ([[0, 1], [0, 0]], "directed"),
    ([[0, 1], [2, 0]], "directed"),
    ([[0, 1, 0], [1, 0, 1]], "square"),
    ([0, 1], "square"),
    ([[0, np.nan], [np.nan, 0]], "nan"),
    ([[0, np.inf], [np.inf, 0]], "inf"),
    ([[0, 1j], [1j, 0]], "complex"),
    ([["a", "b"], ["c", "d"]], "real numbers"),
    ((A, ["a"]), "1 for 3 nodes"),
    ((A, None, ["x", "x", "y"]), "same name"),
    ((A, ["a", "b", None]), "None"),
    ((A, ["a", "b", float("nan")]), "nan"),
    ((A, ["a", "b", {}]), "unhashable"),
    (pd.DataFrame(A, index=list("abc"), columns=list("bca")), "same nodes"),
]


@pytest.mark.parametrize(("bad", "message"), BAD_GRAPHS, ids=[m for _, m in BAD_GRAPHS])
def test_graphs_that_are_refused(bad, message):
    with pytest.raises(InputError, match=message) as caught:
        graph.Graphlet().pairwise([A, bad])
    assert str(caught.value).startswith("X[1]")
    assert len(str(caught.value)) <= 400


def partly_labelled(what):
    G = nx.path_graph(3)
    if what == "node":
        G.nodes[0]["label"] = "a"
    else:
        G.edges[0, 1]["label"] = "a"
    return G


@pytest.mark.parametrize("what", ["node", "edge"])
def test_labels_are_for_all_or_none(what):
    with pytest.raises(InputError, match=f'of . {what}s have no "label"'):
        graph.WeisfeilerLehman().pairwise([partly_labelled(what)])


BAD_COLLECTIONS = [
    (as_networkx(), "list of graphs"),
    (graph.Graph(A), "list of graphs"),
    (A, "list of graphs"),
    (sparse.csr_array(A), "list of graphs"),
    ("abc", "list of graphs"),
    ({"a": A}, "list of graphs"),
    (3, "list of graphs"),
    (["abc"], "not a graph"),
    ([None], "not a graph"),
]


@pytest.mark.parametrize(("bad", "message"), BAD_COLLECTIONS, ids=lambda v: type(v).__name__)
def test_collections_that_are_refused(bad, message):
    with pytest.raises(InputTypeError, match=message):
        graph.Graphlet().pairwise(bad)


def test_an_empty_list_is_refused():
    with pytest.raises(InputError, match="0 graphs"):
        graph.Graphlet().pairwise([])


LABELLED = [
    graph.VertexHistogram(),
    graph.EdgeHistogram(by="ends"),
    graph.ShortestPath(labelled=True),
    graph.WeisfeilerLehman(labelled=True),
    graph.RandomWalk(labelled=True),
]


@pytest.mark.parametrize("kernel", LABELLED, ids=repr)
def test_missing_labels_are_refused(kernel):
    with pytest.raises(InputError, match=r"X\[1\] has no node labels"):
        kernel.pairwise([(A, ["a", "b", "c"]), A])


@pytest.mark.parametrize(
    "kernel", [graph.ShortestPath(), graph.WeisfeilerLehman(), graph.RandomWalk(labelled=None)]
)
def test_new_graphs_must_have_labels_if_the_first_had(kernel):
    with pytest.raises(InputError, match="no node labels"):
        kernel.pairwise([(A, ["a", "b", "c"])], [A])
    assert kernel.pairwise([A], [(A, ["a", "b", "c"])]).shape == (1, 1)  # decided without labels


def test_edge_labels_are_refused_where_they_are_missing():
    with pytest.raises(InputError, match="no edge labels"):
        graph.EdgeHistogram(by="label").pairwise([A])
    labelled = nx.path_graph(3)
    nx.set_edge_attributes(labelled, "s", "label")
    with pytest.raises(InputError, match=r"X\[1\] has no edge labels"):
        graph.EdgeHistogram().pairwise([labelled, A])
    K = graph.EdgeHistogram().pairwise([labelled, nx.empty_graph(2)])  # no edges, nothing missing
    np.testing.assert_array_equal(K, [[4, 0], [0, 0]])


NEGATIVE = [
    graph.ShortestPath(weighted=True),
    graph.RandomWalk(),
    graph.RandomWalk(labelled=True),
    graph.Diffusion(),
    graph.Laplacian(),
]


@pytest.mark.parametrize("kernel", NEGATIVE, ids=repr)
def test_negative_weights_are_refused_where_they_mean_nothing(kernel):
    with pytest.raises(InputError, match=r"X\[1\] has an edge of weight -2"):
        kernel.pairwise([(A, "abc"), (-A, "abc")])


BAD_PARAMETERS = [
    (graph.WeisfeilerLehman(n_iter=-1), "n_iter"),
    (graph.WeisfeilerLehman(n_iter=True), "n_iter"),
    (graph.WeisfeilerLehman(n_iter=1.5), "n_iter"),
    (graph.EdgeHistogram(by="colour"), "by="),
    (graph.EdgeOverlap(value="size"), "value="),
    (graph.RandomWalk(decay=0.0), "decay"),
    (graph.RandomWalk(decay=float("nan")), "decay"),
    (graph.RandomWalk(kind="linear"), "kind"),
    (graph.RandomWalk(steps=-1), "steps"),
    (graph.RandomWalk(decay=1.0), "decay below"),
    (graph.RandomWalk(decay=1.0, labelled=True), "diverges"),
    (graph.RandomWalk(decay=1e4, kind="exponential"), "overflows"),
    (graph.RandomWalk(decay=1e4, kind="exponential", labelled=True), "overflows"),
    (graph.RandomWalk(decay=1e200, steps=9), "overflows"),
    (graph.Diffusion(time=0.0), "time"),
    (graph.Laplacian(time=-1.0), "time"),
    (graph.OptimalAssignment(graph.RandomWalk()), "does not count"),
    (graph.OptimalAssignment(graph.EdgeOverlap(value="weight")), "no whole numbers"),
    (graph.WeisfeilerLehman(base=graph.EdgeHistogram(by="label")), "edge labels"),
]


@pytest.mark.parametrize(("kernel", "message"), BAD_PARAMETERS, ids=lambda v: repr(v)[:50])
def test_parameters_that_are_refused(kernel, message):
    triangle = [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    with pytest.raises(InputError, match=message) as caught:
        kernel.pairwise([(A, "aab"), (triangle, "aaa")])
    assert len(str(caught.value)) <= 400


def test_names_for_some_graphs_only():
    with pytest.raises(InputError, match=r"X\[1\] has no node names but X\[0\] has"):
        graph.EdgeOverlap().pairwise([as_networkx(), A])
    with pytest.raises(InputError, match="other nodes"):
        graph.Diffusion().pairwise([as_networkx()], [nx.Graph([("x", "y")])])


def test_nodes_without_names_are_known_by_position():
    K = graph.EdgeOverlap().pairwise([A], [nx.path_graph(3), nx.star_graph(2)])
    np.testing.assert_array_equal(K, [[2, 1]])


class OfIgraph:
    """What a graph of igraph looks like from outside."""

    class Attributes(dict):
        def attributes(self):
            return list(self)

    def __init__(self, n, edges, nodes=(), arcs=(), directed=False):
        self.n, self.edges, self.directed = n, edges, directed
        self.vs, self.es = self.Attributes(nodes), self.Attributes(arcs)

    def is_directed(self):
        return self.directed

    def has_multiple(self):
        return len(set(map(frozenset, self.edges))) < len(self.edges)

    def vcount(self):
        return self.n

    def get_edgelist(self):
        return self.edges


def test_graphs_of_igraph():
    arcs = {"weight": [0.5, 2.0], "label": ["s", "d"]}
    G = as_graph(OfIgraph(3, [(2, 1), (0, 1)], {"name": NAMES, "label": ["a", "b", "c"]}, arcs))
    np.testing.assert_array_equal(G.adjacency.toarray(), A)
    assert (G.names, G.labels) == (NAMES, ["a", "b", "c"])
    same = as_networkx()
    same.edges["x", "y"]["label"], same.edges["y", "z"]["label"] = "d", "s"
    np.testing.assert_array_equal(G.edge_codes, as_graph(same).edge_codes)
    assert as_graph(OfIgraph(2, [])).n_edges == 0
    with pytest.raises(InputError, match="directed"):
        as_graph(OfIgraph(2, [(0, 1)], directed=True))
    with pytest.raises(InputError, match="parallel"):
        as_graph(OfIgraph(2, [(0, 1), (1, 0)]))
    with pytest.raises(InputError, match="loop"):
        as_graph(OfIgraph(2, [(0, 0), (1, 0)]))
    with pytest.raises(InputTypeError, match="list of graphs"):
        as_graphs(OfIgraph(2, [(0, 1)]))


def test_attributes_of_some_edges():
    G = nx.path_graph(4)
    G.edges[0, 1]["weight"] = 2.0
    np.testing.assert_array_equal(
        np.triu(as_graph(G).adjacency.toarray()).sum(axis=1), [2, 1, 1, 0]
    )
    G.edges[0, 1].pop("weight")
    for edge, name in zip(G.edges, ("weight", "colour", "label"), strict=True):
        G.edges[edge][name] = 1.0
    with pytest.raises(InputError, match="2 of 3 edges"):
        as_graph(G)
