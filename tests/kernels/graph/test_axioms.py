"""What holds for every graph kernel, on 200 random collections each."""

from functools import cache

import numpy as np
import pytest
from tests.kernels.graph import naive

from gramian._core.pairs import Pairs, Points
from gramian.kernels import graph
from gramian.kernels.graph._graph import as_graphs

pytestmark = pytest.mark.slow


N_COLLECTIONS = 200
KERNELS = [
    graph.VertexHistogram(),
    graph.EdgeHistogram(),
    graph.ShortestPath(),
    graph.ShortestPath(weighted=True),
    graph.WeisfeilerLehman(n_iter=3),
    graph.WeisfeilerLehman(n_iter=1, base=graph.ShortestPath()),
    graph.OptimalAssignment(graph.WeisfeilerLehman(n_iter=2)),
    graph.RandomWalk(decay=0.02),
    graph.RandomWalk(decay=0.1, kind="exponential"),
    graph.RandomWalk(decay=0.02, labelled=True),
    graph.RandomWalk(decay=0.1, kind="exponential", labelled=True),
    graph.Graphlet(k=3),
    graph.Graphlet(k=4, frequencies=True),
    graph.Graphlet(k=5, connected=True),
    graph.EdgeOverlap(value="weight"),
    graph.WeisfeilerLehman(n_iter=2).normalized(),
    0.5 * graph.VertexHistogram() + graph.VertexHistogram() * graph.EdgeHistogram(),
]
ON_COMMON_NODES = [
    graph.Diffusion(time=0.5),
    graph.Diffusion(time=0.5, scaled=True),
    graph.Laplacian(time=0.5),
    graph.HIM(scale=0.3),
    graph.EdgeOverlap().normalized(),
]


@cache
def collections(common):
    """Graphs and the same renumbered; on common nodes, if asked for."""
    made = []
    for seed in range(N_COLLECTIONS):
        rng = np.random.default_rng(seed)
        sizes = [int(rng.integers(2, 9))] * 5 if common else rng.integers(1, 8, 4).tolist()
        X = [naive.random_graph(rng, n, weights=True, labels=not common) for n in sizes]
        made.append((as_graphs(X).items, as_graphs([naive.renumbered(G, rng) for G in X]).items))
    return made


def axioms(kernel, X, renumbered):
    K = kernel.pairwise(X + renumbered)
    n, scale = len(X), np.abs(K).max() or 1.0
    assert (K == K.T).all()
    assert np.linalg.eigvalsh(K)[0] >= -1e-12 * scale
    assert np.abs(K[:n, n:] - K[:n, :n]).max() <= 1e-12 * scale
    assert np.abs(K[n:, n:] - K[:n, :n]).max() <= 1e-12 * scale
    new = kernel.pairwise(X[:2], X[2:])  # as if X[:2] came after a fit to the others
    assert np.abs(new - K[:2, 2:n]).max() <= 1e-12 * scale


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_axioms(kernel):
    for X, renumbered in collections(common=False):
        axioms(kernel, X, renumbered)


@pytest.mark.parametrize("kernel", ON_COMMON_NODES, ids=repr)
def test_axioms_on_common_nodes(kernel):
    for X, renumbered in collections(common=True):
        axioms(kernel, X, renumbered)


@pytest.mark.parametrize("kernel", [*KERNELS, *ON_COMMON_NODES], ids=repr)
def test_blocks_are_parts_of_the_whole(kernel):
    rng = np.random.default_rng(1)
    X = [naive.random_graph(rng, 6, weights=True) for _ in range(9)]
    K = kernel.pairwise(X)
    points = Points(kernel.rows(X, "X"))
    kernel = kernel.resolve(points)
    rows, cols = slice(2, 5), slice(3, 9)
    block = kernel.block(Pairs(points, points, rows, cols))
    np.testing.assert_allclose(block, K[rows, cols], rtol=1e-13, atol=1e-15)
    part = points.take(np.array([4, 1, 7]))
    np.testing.assert_allclose(
        kernel.evaluate(Pairs(part, points)), K[[4, 1, 7]], rtol=1e-13, atol=1e-15
    )
    np.testing.assert_allclose(kernel.self_similarity(part.X), np.diag(K)[[4, 1, 7]], rtol=1e-13)
    mask = np.arange(9) % 2 == 0
    np.testing.assert_allclose(kernel.pairwise(points.X[mask]), K[np.ix_(mask, mask)], rtol=1e-13)


def test_parameters_are_checked_copied_and_compared():
    kernel = graph.WeisfeilerLehman(n_iter=2, base=graph.ShortestPath(labelled=True))
    assert kernel.get_params()["base__labelled"] is True
    kernel.set_params(base__labelled=False, n_iter=1)
    assert kernel == graph.WeisfeilerLehman(1, graph.ShortestPath(labelled=False))
    assert repr(graph.RandomWalk(0.5)) == (
        "RandomWalk(decay=0.5, kind='geometric', labelled=False, steps=None)"
    )
