"""Exact counts against the enumeration of all subsets; estimates against exact counts."""

import networkx as nx
import numpy as np
import pytest
from tests.kernels.graph import naive

from gramian.errors import InputError, MemoryBudgetError
from gramian.kernels import graph
from gramian.kernels.graph._motifs import MOTIFS
from gramian.kernels.graph.graphlet import patterns


def sparse_and_dense(seed, n_graphs, largest):
    rng = np.random.default_rng(seed)
    return [
        naive.random_graph(rng, int(rng.integers(1, largest)), labels=False)
        for _ in range(n_graphs)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("k", [3, 4, 5])
@pytest.mark.parametrize("seed", range(3))
def test_gram_matrix_by_enumeration(k, seed):
    X = sparse_and_dense(seed, 8, 11)
    found = [naive.graphlets(G, k) for G in X]
    expected = [[naive.dot(a, b) for b in found] for a in found]
    np.testing.assert_array_equal(graph.Graphlet(k=k).pairwise(X), expected)


@pytest.mark.parametrize("k", [3, 4, 5])
def test_every_pattern_by_enumeration(k):
    X = sparse_and_dense(7, 30, 10)
    counts = graph.Graphlet(k=k).counts(X)
    known = patterns(k)
    for G, got in zip(X, counts, strict=True):
        A = nx.to_numpy_array(G).astype(int)
        expected = np.zeros(known.connected.size, dtype=int)
        for nodes in naive.combinations(range(len(A)), k):
            pairs = naive.combinations(nodes, 2)
            expected[known.kind[sum(A[u, v] << bit for bit, (u, v) in enumerate(pairs))]] += 1
        np.testing.assert_array_equal(got, expected)


def test_the_patterns():
    sizes = [(p.connected.size, p.connected.sum()) for p in map(patterns, (3, 4, 5))]
    assert sizes == [(4, 2), (11, 6), (34, 21)]
    of_five = {patterns(5).of(edges) for edges, _ in MOTIFS.values() if "4" in edges}
    assert of_five == set(np.flatnonzero(patterns(5).connected))


@pytest.mark.slow
def test_a_dense_graph_in_closed_form():
    n = 30
    counts = graph.Graphlet(k=5).counts([nx.complete_graph(n), nx.empty_graph(n)])
    total = n * (n - 1) * (n - 2) * (n - 3) * (n - 4) // 120
    assert counts[0].tolist() == [0] * 33 + [total]
    assert counts[1].tolist() == [total] + [0] * 33


def test_frequencies_sum_to_one_and_small_graphs_have_none():
    kernel = graph.Graphlet(k=4, frequencies=True)
    features = kernel.features([nx.path_graph(6), nx.path_graph(3)]).counts
    np.testing.assert_allclose(features.sum(axis=1), [1.0, 0.0])


@pytest.mark.slow
@pytest.mark.parametrize("k", [3, 4, 5])
def test_sampled_counts_are_unbiased_and_seeded(k):
    G = nx.gnp_random_graph(14, 0.4, seed=k)
    exact = graph.Graphlet(k=k).counts([G])[0]
    kernel = graph.Graphlet(k=k, samples=40_000, random_state=3)
    estimate = kernel.counts([G])[0]
    share = exact / exact.sum()
    error = np.abs(estimate / exact.sum() - share)
    assert (error <= 5 * np.sqrt(share * (1 - share) / 40_000)).all()
    np.testing.assert_array_equal(kernel.counts([nx.path_graph(9), G])[1], estimate)
    assert (graph.Graphlet(k=k, samples=40_000, random_state=4).counts([G])[0] != estimate).any()


@pytest.mark.parametrize("bad", [{"k": 2}, {"k": 6}, {"k": True}, {"samples": 0}, {"k": 3.5}])
def test_refusals(bad):
    with pytest.raises(InputError, match=next(iter(bad))):
        graph.Graphlet(**bad).pairwise([nx.path_graph(4)])


def test_cliques_are_counted_some_at_a_time(monkeypatch):
    X = [nx.complete_graph(9), nx.gnp_random_graph(14, 0.7, seed=1)]
    whole = graph.Graphlet(k=5).counts(X)
    monkeypatch.setattr("gramian.kernels.graph._motifs.CLIQUES_AT_ONCE", 7)
    np.testing.assert_array_equal(graph.Graphlet(k=5).counts(X), whole)
    assert whole[0, -1] == 126


def test_a_list_of_cliques_that_does_not_fit_is_refused(monkeypatch):
    monkeypatch.setattr("gramian.kernels.graph._motifs.budget_bytes", lambda _: 500_000)
    with pytest.raises(MemoryBudgetError, match=r"cliques of 4 nodes.*samples="):
        graph.Graphlet(k=4).counts([nx.complete_graph(30)])
