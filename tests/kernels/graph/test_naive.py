"""Every kernel against its definition on small random graphs."""

import networkx as nx
import numpy as np
import pytest
from scipy.linalg import expm
from tests.kernels.graph import naive

from gramian.kernels import graph
from gramian.kernels.graph._graph import as_graphs
from gramian.kernels.graph.random_walk import radius_bounds


def collection(seed, n_graphs=7, **options):
    rng = np.random.default_rng(seed)
    return [naive.random_graph(rng, **options) for _ in range(n_graphs)]


HISTOGRAMS = [
    (graph.VertexHistogram(), naive.vertex_histogram),
    (graph.EdgeHistogram(), naive.ends_histogram),
    (graph.ShortestPath(), naive.path_histogram),
    (graph.ShortestPath(labelled=False), lambda G: naive.path_histogram(G, labelled=False)),
    (graph.ShortestPath(weighted=True), lambda G: naive.path_histogram(G, weighted=True)),
    (graph.WeisfeilerLehman(n_iter=0), naive.vertex_histogram),
    (graph.WeisfeilerLehman(n_iter=3), lambda G: naive.weisfeiler_lehman(G, 3)),
    (
        graph.WeisfeilerLehman(2, graph.EdgeHistogram()),
        lambda G: naive.weisfeiler_lehman(G, 2, naive.ends_histogram),
    ),
    (
        graph.WeisfeilerLehman(2, graph.ShortestPath()),
        lambda G: naive.weisfeiler_lehman(G, 2, naive.path_histogram),
    ),
]


@pytest.mark.slow
@pytest.mark.parametrize(("kernel", "histogram"), HISTOGRAMS, ids=range(len(HISTOGRAMS)))
@pytest.mark.parametrize("seed", range(4))
def test_what_is_counted(kernel, histogram, seed):
    X, Y = collection(seed, weights=True), collection(seed + 100, 4, weights=True)
    expected = naive.gram(lambda G, H: naive.dot(histogram(G), histogram(H)), X + Y)
    np.testing.assert_array_equal(kernel.pairwise(X), expected[:7, :7])
    np.testing.assert_array_equal(kernel.pairwise(X, Y), expected[:7, 7:])
    np.testing.assert_array_equal(kernel.diag(Y), np.diag(expected)[7:])


@pytest.mark.parametrize("seed", range(3))
def test_optimal_assignment_is_the_intersection_of_histograms(seed):
    X = collection(seed)
    found = [naive.weisfeiler_lehman(G, 2) for G in X]
    expected = [[(a & b).total() for b in found] for a in found]
    kernel = graph.OptimalAssignment(graph.WeisfeilerLehman(n_iter=2))
    np.testing.assert_array_equal(kernel.pairwise(X), expected)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["geometric", "exponential"])
@pytest.mark.parametrize("labelled", [False, True])
@pytest.mark.parametrize("weights", [False, True])
@pytest.mark.parametrize("steps", [None, 0, 3])
@pytest.mark.parametrize("many", [512, -1], ids=["series", "eigenpairs"])
def test_random_walk(monkeypatch, many, kind, labelled, weights, steps):
    monkeypatch.setattr("gramian.kernels.graph.random_walk.MAX_STEPS", many)
    X = collection(5, weights=weights)
    kernel = graph.RandomWalk(0.015, kind, labelled, steps)
    expected = naive.gram(lambda G, H: naive.random_walk(G, H, 0.015, kind, labelled, steps), X)
    np.testing.assert_allclose(kernel.pairwise(X), expected, rtol=1e-12)
    np.testing.assert_allclose(kernel.pairwise(X[:2], X[2:]), expected[:2, 2:], rtol=1e-12)
    np.testing.assert_allclose(kernel.diag(X), np.diag(expected), rtol=1e-12)


def test_bounds_of_the_largest_eigenvalues():
    X = [*collection(8, 40, weights=True), nx.star_graph(30), nx.cycle_graph(8), nx.empty_graph(3)]
    X.append(nx.disjoint_union(nx.complete_graph(9), nx.path_graph(2)))
    exact = np.array([np.linalg.eigvalsh(nx.to_numpy_array(G))[-1] for G in X])
    bounds = radius_bounds(as_graphs(X))
    assert (bounds >= exact * (1 - 1e-15)).all()
    assert (bounds <= 1.2 * exact + 1e-12).all()


@pytest.mark.parametrize("labelled", [False, True])
def test_a_random_walk_close_to_divergence(labelled):
    G = nx.complete_graph(6)
    nx.set_node_attributes(G, "a", "label")
    decay = (1 - 1e-4) / 25  # the largest eigenvalue is 5: 4 digits are lost
    value = graph.RandomWalk(decay, labelled=labelled).pairwise([G])[0, 0]
    assert value == pytest.approx(36 / (1 - 25 * decay), rel=1e-10)


@pytest.mark.slow
def test_weisfeiler_lehman_over_a_kernel_that_does_not_count():
    X = collection(11)
    walk = graph.RandomWalk(0.01, labelled=True)
    levels = [X]
    for _ in range(2):
        levels.append([naive.refined(G) for G in levels[-1]])
    expected = sum(walk.pairwise(level) for level in levels)
    kernel = graph.WeisfeilerLehman(n_iter=2, base=walk)
    np.testing.assert_allclose(kernel.pairwise(X), expected, rtol=1e-12)
    np.testing.assert_allclose(kernel.diag(X), np.diag(expected), rtol=1e-12)
    cosine = graph.WeisfeilerLehman(1, base=graph.ShortestPath().normalized()).pairwise(X)
    parts = [graph.ShortestPath().normalized().pairwise(level) for level in levels[:2]]
    np.testing.assert_allclose(cosine, sum(parts), rtol=1e-12)


def test_edges_by_their_own_labels():
    rng = np.random.default_rng(3)
    X = collection(3, labels=False)
    for G in X:
        for u, v in G.edges:
            G.edges[u, v]["label"] = int(rng.integers(2))
    counts = [
        [list(nx.get_edge_attributes(G, "label").values()).count(c) for c in (0, 1)] for G in X
    ]
    counts = np.array(counts, dtype=float)
    np.testing.assert_array_equal(graph.EdgeHistogram().pairwise(X), counts @ counts.T)
    sizes = counts.sum(axis=1)
    plain = graph.EdgeHistogram(by="none").pairwise(X)
    np.testing.assert_array_equal(plain, np.outer(sizes, sizes))


NODES = [f"n{k}" for k in range(6)]


def functions_of_the_laplacian():
    one = np.eye(6)
    yield graph.Diffusion(0.7), lambda L: expm(-0.7 * L)
    yield graph.Laplacian(2.0), lambda L: np.linalg.inv(one + 2.0 * L)


@pytest.mark.parametrize(("kernel", "function"), list(functions_of_the_laplacian()))
def test_functions_of_the_laplacian(kernel, function):
    X = collection(2, n=6, weights=True, labels=False)
    F = [function(naive.laplacian(G, NODES)) for G in X]
    expected = [[(a * b).sum() for b in F] for a in F]
    np.testing.assert_allclose(kernel.pairwise(X), expected, rtol=1e-12)
    np.testing.assert_allclose(
        kernel.pairwise(X[:3], X[3:]), np.array(expected)[:3, 3:], rtol=1e-12
    )
    own = function(naive.laplacian(X[0], list(X[0])))
    np.testing.assert_allclose(kernel.matrix(X[0]), own, atol=1e-14)


def test_the_scaled_laplacian():
    X = collection(9, n=6, density=0.4, weights=True, labels=False)
    F = [expm(-nx.normalized_laplacian_matrix(G, NODES).toarray()) for G in X]
    expected = [[(a * b).sum() for b in F] for a in F]
    np.testing.assert_allclose(graph.Diffusion(scaled=True).pairwise(X), expected, rtol=1e-12)


@pytest.mark.parametrize("value", ["presence", "sign", "weight"])
def test_edge_overlap(value):
    X = collection(4, weights=True, labels=False)
    rng = np.random.default_rng(0)
    for G in X:
        for u, v in G.edges:
            G.edges[u, v]["weight"] *= rng.choice([-1, 1])

    def overlap(G, H):
        shared = [(G.edges[e]["weight"], H.edges[e]["weight"]) for e in G.edges if H.has_edge(*e)]
        f = {"presence": lambda w: 1, "sign": np.sign, "weight": float}[value]
        return sum(f(a) * f(b) for a, b in shared)

    kernel = graph.EdgeOverlap(value)
    np.testing.assert_allclose(kernel.pairwise(X), naive.gram(overlap, X), rtol=1e-13, atol=1e-15)
    assert np.linalg.eigvalsh(kernel.pairwise(X))[0] > -1e-13
