"""The Hamming–Ipsen–Mikhailov distance against numerical integration, and its kernel."""

import networkx as nx
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

from gramian.errors import InputError
from gramian.kernels import graph


def spectral_distance(A, B, width):
    def density(A):
        values = np.linalg.eigvalsh(np.diag(A.sum(axis=0)) - A)[1:]
        omega = np.sqrt(np.clip(values, 0.0, None))

        def curve(x):
            return (width / ((x - omega) ** 2 + width**2)).sum()

        area = quad(curve, 0, 5, limit=400)[0] + quad(curve, 5, np.inf, limit=400)[0]
        return lambda x: curve(x) / area

    a, b = density(A), density(B)
    gap = [
        quad(lambda x: (a(x) - b(x)) ** 2, *ends, limit=400)[0] for ends in ((0, 5), (5, np.inf))
    ]
    return np.sqrt(sum(gap))


def networks(n, seed=0, number=3):
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.random((number, n, n)) * (rng.random((number, n, n)) < 0.5), 1)
    return list(upper + upper.transpose(0, 2, 1))


@pytest.mark.slow
@pytest.mark.parametrize("n", [2, 3, 7, 15])
@pytest.mark.parametrize("xi", [0.0, 1.0, 2.5])
def test_distance(n, xi):
    empty, full = np.zeros((n, n)), 1.0 - np.eye(n)
    width = brentq(lambda w: spectral_distance(empty, full, w) - 1.0, 0.1, 2.0, xtol=1e-13)
    X = [*networks(n), empty, full]
    D = graph.HIM(spectral_weight=xi, definite=False).distance(X)
    for i in range(len(X)):
        for j in range(i):
            H = np.abs(X[i] - X[j]).sum() / (n * (n - 1))
            S = spectral_distance(X[i], X[j], width)
            assert D[i, j] == pytest.approx(np.sqrt((H**2 + xi * S**2) / (1 + xi)), abs=1e-9)
    assert D[-1, -2] == pytest.approx(1.0, abs=1e-13)


def test_the_kernel_of_the_distance():
    X = networks(6, number=5)
    for kernel in (graph.HIM(scale=0.2), graph.HIM(scale=0.2, definite=False)):
        expected = np.exp(-0.5 * (kernel.distance(X) / 0.2) ** 2)
        np.testing.assert_allclose(kernel.pairwise(X), expected, rtol=1e-13)
    made = graph.HIM()
    D2 = made.distance(X)[np.triu_indices(5, 1)] ** 2
    gauss = np.exp(-0.5 * made.distance(X) ** 2 / (np.median(D2) / 2))
    np.testing.assert_allclose(made.pairwise(X), gauss, rtol=1e-13)


def test_the_published_form_is_indefinite_and_says_so():
    rng = np.random.default_rng(0)
    X = [nx.gnp_random_graph(10, rng.random(), seed=k) for k in range(30)]
    assert np.linalg.eigvalsh(graph.HIM(definite=False).pairwise(X))[0] < -1e-3
    assert np.linalg.eigvalsh(graph.HIM().pairwise(X))[0] > -1e-13
    assert graph.HIM(definite=False).psd is None
    assert graph.HIM().psd is True


def test_nodes_are_matched_by_name():
    path = nx.Graph([("a", "b"), ("b", "c")])
    same = nx.Graph([("c", "b"), ("b", "a")])
    other = nx.Graph([("b", "a"), ("a", "c")])
    D = graph.HIM(definite=False, spectral_weight=0.0).distance([path, same, other])
    np.testing.assert_allclose(D, np.array([[0, 0, 2], [0, 0, 2], [2, 2, 0]]) / 3)


@pytest.mark.parametrize(
    ("X", "message"),
    [
        ([[[0, 2], [2, 0]]], "between 0 and 1"),
        ([[[0, -1], [-1, 0]]], "not negative"),
        ([[[0]]], "one node"),
        ([nx.path_graph(3), nx.path_graph(4)], "other nodes"),
        ([nx.Graph([("a", "b")]), nx.Graph([("a", "c")])], "other nodes"),
    ],
)
def test_refusals(X, message):
    with pytest.raises(InputError, match=message):
        graph.HIM(scale=1.0).pairwise(X)
    with pytest.raises(InputError, match="spectral_weight"):
        graph.HIM(scale=1.0, spectral_weight=-1).pairwise([nx.path_graph(3)])
    with pytest.raises(InputError, match="scale"):
        graph.HIM(scale=0).pairwise([nx.path_graph(3)])
