"""Gram matrices of 15 small graphs, from first principles."""

import networkx as nx
import numpy as np
import pytest
from tests.outside._reference import load

from gramian.kernels import graph

WL = graph.WeisfeilerLehman
WALK = graph.RandomWalk
CASES = [
    ("vertex_histogram", graph.VertexHistogram()),
    ("edge_histogram_undirected_once", graph.EdgeHistogram()),
    ("shortest_path_labelled_unordered_pairs", graph.ShortestPath()),
    ("shortest_path_unlabelled_unordered_pairs", graph.ShortestPath(labelled=False)),
    *((f"wl_subtree_h{h}", WL(n_iter=h)) for h in range(6)),
    *((f"wl_optimal_assignment_h{h}", graph.OptimalAssignment(WL(n_iter=h))) for h in (1, 2, 3)),
    ("wl_edge_h2_endpoint_labels", WL(n_iter=2, base=graph.EdgeHistogram())),
    ("random_walk_geometric_lambda0.01", WALK(decay=0.01)),
    ("random_walk_exponential_lambda0.1", WALK(decay=0.1, kind="exponential")),
    ("random_walk_geometric_3steps_lambda0.1", WALK(decay=0.1, steps=3)),
    ("random_walk_labelled_geometric_lambda0.01_product_graph", WALK(decay=0.01, labelled=True)),
    (
        "random_walk_labelled_exponential_lambda0.1_product_graph",
        WALK(decay=0.1, kind="exponential", labelled=True),
    ),
    ("graphlet3_counts_all", graph.Graphlet(k=3)),
    ("graphlet3_counts_connected", graph.Graphlet(k=3, connected=True)),
    ("graphlet3_frequencies_all", graph.Graphlet(k=3, frequencies=True)),
    ("graphlet4_counts_all", graph.Graphlet(k=4)),
    ("graphlet4_counts_connected", graph.Graphlet(k=4, connected=True)),
]
STORED = load("graph_kernels/textbook.json")


def graphs():
    made = []
    for entry in load("graph_kernels/graphs.json"):
        G = nx.Graph()
        for node, label in enumerate(entry["node_labels"]):
            G.add_node(node, label=label)
        for u, v, label in entry["edges"]:
            G.add_edge(u, v, label=label)
        made.append(G)
    return made


@pytest.mark.parametrize(("name", "kernel"), CASES, ids=[name for name, _ in CASES])
def test_gram_matrix(name, kernel):
    expected = np.array(STORED["textbook"][name])
    np.testing.assert_allclose(kernel.pairwise(graphs()), expected, rtol=1e-10)


@pytest.mark.parametrize(("name", "kernel"), CASES, ids=[name for name, _ in CASES])
def test_new_graphs(name, kernel):
    expected = np.array(STORED["textbook"][name])[12:, :12]
    X = graphs()
    np.testing.assert_allclose(kernel.pairwise(X[12:], X[:12]), expected, rtol=1e-10)


NORMALIZED = [case for case in CASES if case[0] in STORED["textbook_normalized"]]


@pytest.mark.parametrize(("name", "kernel"), NORMALIZED, ids=[name for name, _ in NORMALIZED])
def test_normalized(name, kernel):
    expected = np.array(STORED["textbook_normalized"][name], dtype=float)
    K = kernel.normalized().pairwise(graphs())
    np.testing.assert_allclose(K, expected, rtol=1e-10, atol=1e-15)
    np.testing.assert_array_equal(np.diag(K), 1.0)


def test_graphlet_counts():
    counts = graph.Graphlet(k=3).features(graphs()).counts.toarray()
    expected = np.array(STORED["graphlet3_counts"]["data"])
    np.testing.assert_array_equal(np.sort(counts, axis=1), np.sort(expected, axis=1))
