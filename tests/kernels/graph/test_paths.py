"""The compiled search and its twin, in one piece and in many."""

import networkx as nx
import numpy as np
import pytest

from gramian.kernels import graph
from gramian.kernels.graph import shortest_path
from gramian.kernels.graph._batch import batch_of
from gramian.kernels.graph._graph import as_graphs


def graphs():
    return [nx.gnp_random_graph(n, 2.5 / n, seed=n) for n in (1, 2, 9, 30, 41, 17)]


@pytest.mark.slow
@pytest.mark.parametrize("worth", [0, 1 << 60], ids=["compiled", "scipy"])
@pytest.mark.parametrize("at_once", [1, 100, 1 << 22])
def test_steps(monkeypatch, worth, at_once):
    monkeypatch.setattr(shortest_path, "WORTH_COMPILING", worth)
    monkeypatch.setattr(shortest_path, "PAIRS_AT_ONCE", at_once)
    X = graphs()
    whole = nx.disjoint_union_all(X)
    expected = dict(nx.all_pairs_shortest_path_length(whole))
    expected = {(u, v, d) for u in expected for v, d in expected[u].items() if u < v}
    found = [
        zip(*map(np.ndarray.tolist, part), strict=True)
        for part in shortest_path.steps(batch_of(as_graphs(X)))
    ]
    found = [triple for part in found for triple in part]
    assert len(found) == len(expected)
    assert set(found) == expected


def test_bins_and_lists_count_the_same(monkeypatch):
    X = [(nx.to_numpy_array(G), [v % 3 for v in G]) for G in graphs()]
    K = graph.ShortestPath().pairwise(X)
    monkeypatch.setattr(shortest_path, "MAX_BINS", 0)
    np.testing.assert_array_equal(graph.ShortestPath().pairwise(X), K)


def test_whole_lengths_are_steps_and_order_of_adding_does_not_matter():
    X = graphs()
    np.testing.assert_array_equal(
        graph.ShortestPath(weighted=True).pairwise(X), graph.ShortestPath().pairwise(X)
    )
    lengths = [0.1, 0.2, 0.3, 0.7, 1000.0]
    G, H = nx.Graph(), nx.Graph()
    for path, order in ((G, lengths), (H, lengths[::-1])):
        for k, w in enumerate(order):
            path.add_edge(k, k + 1, weight=w)
    K = graph.ShortestPath(weighted=True).pairwise([G, H])
    assert K[0, 1] == K[0, 0] == K[1, 1]
