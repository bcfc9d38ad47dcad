"""Graphs and sequences enter the estimators like vectors."""

import subprocess
import sys
import warnings

import networkx as nx
import numpy as np
import pandas as pd
import pytest
from tests.kernels.graph import naive

import gramian as gm
from gramian.kernels import graph

RNG = np.random.default_rng(0)
X = [naive.random_graph(RNG, 9, 0.4) for _ in range(20)]
NEW = [naive.random_graph(RNG, 9, 0.4) for _ in range(4)]
KERNELS = [
    graph.WeisfeilerLehman(n_iter=3),
    graph.WeisfeilerLehman(n_iter=3).normalized(),
    0.5 * graph.ShortestPath() + graph.RandomWalk(0.01, labelled=True),
    graph.WeisfeilerLehman(2, base=graph.RandomWalk(0.005, labelled=True)),
    graph.HIM(),
    graph.Diffusion(),
]


def precomputed(kernel, sample_weight=None, **options):
    K, new = kernel.pairwise(X), kernel.pairwise(X, NEW).T
    fitted = gm.KernelPCA(kernel="precomputed", **options).fit(K, sample_weight=sample_weight)
    return fitted.coordinates_, fitted.transform(new)


@pytest.mark.slow
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("weighted", [False, True])
def test_kernel_pca_is_that_of_the_matrix(kernel, weighted):
    weight = RNG.integers(1, 4, len(X)) if weighted else None
    fitted = gm.KernelPCA(n_components=3, kernel=kernel).fit(X, sample_weight=weight)
    coordinates, new = precomputed(fitted.kernel_, weight, n_components=3)
    scale = np.abs(coordinates).max()
    np.testing.assert_allclose(fitted.coordinates_, coordinates, rtol=0, atol=1e-11 * scale)
    np.testing.assert_allclose(fitted.transform(NEW), new, rtol=0, atol=1e-11 * scale)
    one_by_one = np.concatenate([fitted.transform([G]) for G in NEW])
    np.testing.assert_allclose(one_by_one, fitted.transform(NEW), rtol=0, atol=1e-12 * scale)
    np.testing.assert_allclose(fitted.transform(X), fitted.coordinates_, rtol=0, atol=1e-11 * scale)


@pytest.mark.slow
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_classical_scaling_of_a_kernel_is_kernel_pca(kernel):
    pca = gm.KernelPCA(3, kernel=kernel).fit(X)
    mds = gm.ClassicalMDS(3, metric=kernel).fit(X)
    scale = np.abs(pca.coordinates_).max()
    np.testing.assert_allclose(mds.coordinates_, pca.coordinates_, rtol=0, atol=1e-9 * scale)
    np.testing.assert_allclose(mds.transform(NEW), pca.transform(NEW), rtol=0, atol=1e-9 * scale)


@pytest.mark.slow
def test_stress_scaling_of_graphs_in_every_form():
    kernel = graph.ShortestPath().normalized()
    fitted = gm.MDS(2, metric=kernel, n_init=1).fit(X)
    matrices = [nx.to_numpy_array(G, weight=None) for G in X]
    labels = [[G.nodes[v]["label"] for v in G] for G in X]
    forms = [
        list(zip(matrices, labels, strict=True)),
        [graph.Graph(A, own) for A, own in zip(matrices, labels, strict=True)],
    ]
    for form in forms:
        same = gm.MDS(2, metric=kernel, n_init=1).fit(form)
        np.testing.assert_allclose(same.coordinates_, fitted.coordinates_, atol=1e-9)
    bare = gm.ClassicalMDS(2, metric=graph.Graphlet(k=3)).fit(matrices)
    pca = gm.KernelPCA(2, kernel=graph.Graphlet(k=3)).fit(matrices)
    np.testing.assert_allclose(bare.coordinates_, pca.coordinates_, rtol=1e-8, atol=1e-8)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::gramian.errors.TiedAxesWarning")
def test_studies_and_figures_take_graphs():
    kernel = graph.WeisfeilerLehman(n_iter=2).normalized()
    model = gm.KernelPCA(3, kernel=kernel)
    fitted = gm.KernelPCA(3, kernel=kernel).fit(X)
    assert gm.dimension.choose(gm.KernelPCA(kernel=kernel), X)["q"].min() >= 0
    drawn = gm.stability.bootstrap(model, X, n_resamples=10, random_state=0)
    same = gm.stability.bootstrap(
        gm.KernelPCA(3, kernel="precomputed"), kernel.pairwise(X), n_resamples=10, random_state=0
    )
    pd.testing.assert_frame_equal(drawn.eigenvalues, same.eigenvalues)
    group = {"group": ["a", "b"] * 10}
    assert fitted.categories(group).shape[0] == 2
    K = fitted.kernel_.pairwise(X)
    shown = gm.plots.gram(fitted, backend="none").numbers
    np.testing.assert_allclose(shown["matrix"], K[np.ix_(shown["order"], shown["order"])])
    for name in ("scree", "individuals", "contributions", "cos2", "pairs", "shepard"):
        assert getattr(gm.plots, name)(fitted, backend="none") is not None


def test_graphs_of_weight_zero_are_supplementary():
    weight = np.r_[np.ones(16), np.zeros(4)]
    fitted = gm.KernelPCA(2, kernel=graph.WeisfeilerLehman()).fit(X, sample_weight=weight)
    part = gm.KernelPCA(2, kernel=graph.WeisfeilerLehman()).fit(X[:16])
    np.testing.assert_allclose(fitted.eigenvalues_, part.eigenvalues_, rtol=1e-12)
    np.testing.assert_allclose(fitted.coordinates_[16:], part.transform(X[16:]), atol=1e-11)


@pytest.mark.parametrize("n_components", [2, 0.8, "kaiser", None])
def test_ways_to_choose_the_axes(n_components):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gm.errors.TiedAxesWarning)
        fitted = gm.KernelPCA(n_components, kernel=graph.ShortestPath()).fit(X)
    assert fitted.coordinates_.shape == (20, fitted.n_components_)
    K = graph.ShortestPath().pairwise(X)
    assert fitted.inertia_ == pytest.approx(np.trace(K) / 20 - K.mean(), rel=1e-12)


def test_bad_graphs_are_refused_by_the_estimator():
    fitted = gm.KernelPCA(2, kernel=graph.WeisfeilerLehman()).fit(X)
    with pytest.raises(gm.errors.InputError, match="no node labels"):
        fitted.transform([nx.path_graph(4)])
    with pytest.raises(gm.errors.InputError, match="minimum of 2"):
        gm.KernelPCA(kernel=graph.WeisfeilerLehman()).fit(X[:1])
    with pytest.raises(gm.errors.InputError, match=r"X\[1\]: the graph is directed"):
        gm.KernelPCA(kernel=graph.WeisfeilerLehman()).fit([X[0], nx.DiGraph([(0, 1)])])


@pytest.mark.slow
def test_values_do_not_depend_on_the_process():
    code = """
import networkx as nx
from gramian.kernels import graph
G = nx.gnp_random_graph(12, 0.4, seed=1)
nx.set_node_attributes(G, {v: "abc"[v % 3] for v in G}, "label")
print(graph.WeisfeilerLehman(3).features([G]).vocabulary.tolist())
"""
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={"PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1
    assert len(found.pop()) > 100


@pytest.mark.slow
def test_the_submodules_come_when_they_are_asked_for():
    code = (
        "import sys, gramian as gm; gm.kernels.Linear; "
        "assert 'gramian.kernels.graph' not in sys.modules; "
        "gm.kernels.graph.HIM; gm.kernels.sequence.Spectrum; "
        "assert 'numba' not in sys.modules and 'networkx' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
