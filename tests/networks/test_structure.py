"""What two networks share: against plain counts, and where ties and chance decide."""

import networkx as nx
import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score, roc_auc_score

from gramian.errors import InputError
from gramian.kernels.graph import EdgeOverlap
from gramian.networks.finder import similarity_of
from gramian.networks.infer import Edges, Recipe
from gramian.networks.structure import clustered_modules, hub_order, modules_of, structure_change

P = 12


def edges(graph):
    """Return a networkx graph on 0 … 11 as the pairs of its edges."""
    number = {pair: k for k, pair in enumerate(zip(*np.triu_indices(P, 1), strict=True))}
    pairs = sorted(number[min(e), max(e)] for e in graph.edges)
    return Edges(np.array(pairs, dtype=np.int64), np.ones(len(pairs)))


def cliques(*sets):
    graph = nx.Graph()
    graph.add_nodes_from(range(P))
    for nodes in sets:
        graph.add_edges_from((a, b) for a in nodes for b in nodes if a < b)
    return graph


def test_the_same_network_shares_everything():
    found = structure_change(*[edges(cliques(range(4), range(4, 9)))] * 2, P)
    assert found[0] == found[3] == 0 and found[1] == pytest.approx(0)
    assert found[2] == 0  # the hubs are the larger clique, wholly before all other nodes


def test_hubs_of_a_clique_are_not_drawn_by_lot():
    """A link lost here and there does not make other hubs."""
    whole = cliques(range(6))
    one, two = whole.copy(), whole.copy()
    one.remove_edge(0, 1)
    two.remove_edge(2, 3)
    assert 1 - structure_change(edges(one), edges(two), P)[2] > 0.75


def test_hub_order_is_the_area_under_the_curve():
    rng = np.random.default_rng(0)
    degree, other = rng.integers(0, 6, 40), rng.integers(0, 6, 40)
    hub = degree >= np.sort(degree)[::-1][3]
    assert hub_order(degree, other) == pytest.approx(roc_auc_score(hub, other))
    assert hub_order(np.full(5, 2), np.arange(5)) == 0.5
    assert hub_order(np.array([3, 3, 1, 0]), np.array([2, 5, 2, 1])) == 0.875


def test_one_false_edge_does_not_join_modules():
    graph = cliques(range(4), range(5, 9))
    graph.add_edge(0, 5)
    found = modules_of(edges(graph), P)
    assert [set(np.flatnonzero(found == k)) for k in (1, 2)] == [set(range(4)), set(range(5, 9))]
    star = nx.star_graph(4)
    star.add_nodes_from(range(P))
    assert set(np.flatnonzero(modules_of(edges(star), P))) == set(range(5))


def test_modules_are_compared_by_the_adjusted_rand_index():
    a, b = edges(cliques(range(4), range(4, 9))), edges(cliques(range(5), range(5, 9)))
    left, right = modules_of(a, P)[:9], modules_of(b, P)[:9]
    expected = adjusted_rand_score(left, right)
    assert 1 - structure_change(a, b, P)[3] == pytest.approx(expected)


def test_networks_without_edges_share_nothing():
    empty = Edges(np.empty(0, dtype=np.int64), np.empty(0))
    assert structure_change(empty, empty, P) == (1.0, 1.0, 0.5, 1.0)
    assert structure_change(empty, edges(cliques(range(3))), P)[0] == 1.0


def test_edges_and_degrees_are_plain_counts():
    rng = np.random.default_rng(1)
    one, two = (nx.gnp_random_graph(P, 0.3, seed=int(s)) for s in rng.integers(99, size=2))
    common = len(set(map(frozenset, one.edges)) & set(map(frozenset, two.edges)))
    change = structure_change(edges(one), edges(two), P)
    assert 1 - change[0] == pytest.approx(
        2 * common / (one.number_of_edges() + two.number_of_edges())
    )
    degrees = [[graph.degree(k) for k in range(P)] for graph in (one, two)]
    assert 1 - change[1] == pytest.approx(np.corrcoef(degrees)[0, 1])


def test_agreement_of_modules_is_the_adjusted_rand_index():
    rng = np.random.default_rng(0)
    X = np.repeat(rng.normal(size=(2, 12, 4)), 5, axis=2) + 0.5 * rng.normal(size=(2, 12, 20))
    similarity = similarity_of(None, Recipe(density=40 / 190), X[0], 6, "modules")
    networks, S = similarity.compare(list(X))
    parts = [clustered_modules(x, n.pairs.size) for x, n in zip(X, networks, strict=True)]
    alone = [np.where(m == 0, 100 + np.arange(20), m) for m in parts]
    assert S[0, 1] == pytest.approx(adjusted_rand_score(*alone)) and S[0, 1] > 0.2


def test_agreement_of_weights_is_the_cosine_of_sixth_powers():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2, 12, 7))
    similarity = similarity_of(None, Recipe(density=0.2), X[0], 6, "weights")
    _, S = similarity.compare(list(X))
    a, b = (np.corrcoef(x.T)[np.triu_indices(7, 1)] for x in X)
    a, b = np.sign(a) * a**6, np.sign(b) * b**6
    assert S[0, 1] == pytest.approx(a @ b / np.sqrt(a @ a * (b @ b)), abs=1e-6)
    with pytest.raises(InputError, match="kernel compares links"):
        similarity_of(EdgeOverlap(), Recipe(density=0.2), X[0], 6, "weights")
