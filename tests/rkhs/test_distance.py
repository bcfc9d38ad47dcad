"""Distances in feature space: exact values, near duplicates in 50 digits, graphs and words."""

import math

import networkx as nx
import numpy as np
import pytest
import torch
from mpmath import besselk, mp, mpf
from mpmath import gamma as mp_gamma
from scipy import sparse
from scipy.spatial.distance import cdist
from sklearn.datasets import load_iris
from tests.contracts.kernel import cloud
from tests.kernels.rows import NUMPY, VECTOR
from tests.outside._reference import array, load

import gramian as gm
from gramian import rkhs
from gramian.kernels import (
    Chi2,
    Constant,
    Exponential,
    Gaussian,
    Laplacian,
    Linear,
    Matern,
    Polynomial,
    Precomputed,
    RationalQuadratic,
    Sigmoid,
)
from gramian.kernels.graph import ShortestPath, WeisfeilerLehman
from gramian.kernels.sequence import Spectrum

pytestmark = pytest.mark.slow


X, Y = cloud(23, 3), cloud(7, 3, seed=9)

KERNELS = [
    *(row.kernel for row in [*VECTOR, *NUMPY] if row.kernel.psd),
    Matern(1.7, 1.3),
    Matern(3.0, 1.3),
    Polynomial(3, 0.5, 0.8),
    Constant(2.0),
    Gaussian(1.0) * Linear(),
    Linear().polynomial((1.0, 0.5, 0.0, 2.0)),
]


IDS = [f"{i} {type(kernel).__name__}" for i, kernel in enumerate(KERNELS)]


@pytest.mark.parametrize("kernel", KERNELS, ids=IDS)
@pytest.mark.parametrize("same", [True, False], ids=["set", "two sets"])
def test_distances_are_those_of_the_definition(kernel, same):
    # the kernel of counts takes no negative numbers
    A, B = (np.abs(X), np.abs(Y)) if isinstance(kernel, Chi2) else (X, Y)
    other = A if same else B
    a, b = kernel.diag(A), kernel.diag(other)
    squared = a[:, None] + b[None, :] - 2 * kernel.pairwise(A, other)
    actual = rkhs.distance(kernel, A, None if same else B)
    np.testing.assert_allclose(actual**2, squared, rtol=1e-11, atol=1e-13 * (a.max() + b.max()))
    if same:
        assert np.array_equal(actual, actual.T) and not actual.diagonal().any()


def exact_gap(kernel, x, y):
    """k(x, x) + k(y, y) − 2k(x, y) in 50 digits, for points on the line."""
    d, m = abs(mpf(x) - mpf(y)), {}
    m[Gaussian] = lambda: mp.exp(-(d**2) / (2 * mpf(kernel.scale) ** 2))
    m[Exponential] = m[Laplacian] = lambda: mp.exp(-d / mpf(kernel.scale))

    def rational():
        alpha = mpf(kernel.alpha)
        return (1 + d**2 / (2 * alpha * mpf(kernel.scale) ** 2)) ** -alpha

    m[RationalQuadratic] = rational

    def matern():
        nu = mpf(kernel.nu)
        z = mp.sqrt(2 * nu) * d / mpf(kernel.scale)
        return 2 ** (1 - nu) / mp_gamma(nu) * z**nu * besselk(nu, z)

    m[Matern] = matern
    return 2 * (1 - m[type(kernel)]())


@pytest.mark.parametrize(
    "kernel",
    [
        Gaussian(1.3),
        Exponential(1.3),
        Laplacian(1.3),
        RationalQuadratic(1.3, 0.7),
        Matern(0.5, 1.3),
        Matern(0.3, 1.3),
        Matern(1.5, 1.3),
        Matern(1.7, 1.3),
        Matern(2.5, 1.3),
        Matern(3.3, 1.3),
        Matern(1.0, 1.3),
        Matern(2.0, 1.3),
        Matern(3.0, 1.3),
        Matern(1.001, 1.3),
        Matern(12.0, 1.3),
        Matern(29.4, 1.3),
    ],
    ids=repr,
)
@pytest.mark.parametrize("offset", [0.0, 1e8])
def test_near_duplicates_keep_their_digits(kernel, offset):
    x = np.array([[offset], [offset + 1.0]])
    y = x + np.array([[2.0**-20], [2.0**-9]]) * (1.0 if offset == 0 else 2.0)
    actual = rkhs.distance(kernel, x, y)
    with mp.workdps(50):
        expected = [[float(mp.sqrt(exact_gap(kernel, a, b))) for b in y[:, 0]] for a in x[:, 0]]
    np.testing.assert_allclose(actual, expected, rtol=1e-11)


@pytest.mark.parametrize("step", [1e-3, 1e-6, 1e-9, 1e-12])
def test_composite_kernels_keep_their_digits_too(step):
    """Relative to the size of the points, distances of 1e-9 have lost nothing but rounding."""
    x, y = np.array([[0.7]]), np.array([[0.7 + step]])
    d = float(y[0, 0]) - 0.7
    with mp.workdps(60):
        a, b = mpf(0.7), mpf(float(y[0, 0]))

        def gap(k):
            return float(mp.sqrt(k(a, a) + k(b, b) - 2 * k(a, b)))

        gaussian = lambda s, t: mp.exp(-((s - t) ** 2) / 2)  # noqa: E731
        cases = [
            (Gaussian(1.0) * Gaussian(1.0), lambda s, t: gaussian(s, t) ** 2, 1e-12),
            (Gaussian(1.0) ** 3, lambda s, t: gaussian(s, t) ** 3, 1e-12),
            (3.0 * Gaussian(1.0) + Linear(), lambda s, t: 3 * gaussian(s, t) + s * t, 1e-12),
            (Gaussian(1.0).exp(), lambda s, t: mp.exp(gaussian(s, t)), 1e-12),
            (Gaussian(1.0) * Linear(), lambda s, t: gaussian(s, t) * s * t, 1e-12),
            (Polynomial(3, 1.0), lambda s, t: (s * t + 1) ** 3, 4e-16 / d + 1e-12),
        ]
        for kernel, exact, tolerance in cases:
            actual = float(rkhs.distance(kernel, x, y)[0, 0])
            assert actual == pytest.approx(gap(exact), rel=tolerance), kernel


def test_against_the_documents_six_flowers():
    stored = load("documents/documents.json")["results"]["doc000"]["gaussian_sigma1_iris6"]
    flowers = load_iris().data[:6]
    actual = rkhs.distance(Gaussian(1.0), flowers)
    np.testing.assert_allclose(actual, array(stored["closed_form"]), rtol=1e-8, atol=1e-12)
    to_set = rkhs.distance_to_set(Gaussian(1.0), flowers, flowers)
    np.testing.assert_allclose(to_set, array(stored["distance_to_barycentre"]), rtol=1e-8)


def test_linear_distances_are_euclidean_far_from_the_origin():
    far = X + 1e8
    np.testing.assert_allclose(
        rkhs.distance(Linear(), far, far[:4]), cdist(far, far[:4]), rtol=1e-9
    )
    actual = rkhs.distance_to_set(Linear(), far, far[:9])
    expected = np.linalg.norm((far - 1e8) - (far[:9] - 1e8).mean(axis=0), axis=1)
    np.testing.assert_allclose(actual, expected, rtol=1e-7)


@pytest.mark.parametrize("weights", [None, [1, 2, 3, 1, 1, 0, 4]], ids=str)
def test_distance_to_set_is_to_the_barycentre(weights):
    kernel = Gaussian(1.1)
    w = np.full(7, 1 / 7) if weights is None else np.array(weights) / 12
    K = kernel.pairwise(Y)
    expected = np.sqrt(1 - 2 * kernel.pairwise(X, Y) @ w + w @ K @ w)
    actual = rkhs.distance_to_set(kernel, X, Y, weights)
    np.testing.assert_allclose(actual, expected, rtol=1e-12)
    nearest = rkhs.distance(kernel, X, Y).min(axis=1)
    assert not np.allclose(actual, nearest)


def test_distance_to_a_set_of_equal_points_near_by():
    S = np.full((50, 2), 0.3)
    x = S[:1] + 1e-8
    expected = math.sqrt(2) * (x[0, 0] - 0.3) / 1.0
    assert rkhs.distance_to_set(Gaussian(1.0), x, S)[0] == pytest.approx(expected, rel=1e-9)
    assert rkhs.distance_to_set(Gaussian(1.0), S, S).max() < 1e-15


def test_a_wide_kernel_does_not_drown_the_distances():
    """Scale 1e6: all kernel values are 1 − 1e-12, and distances still have their digits."""
    actual = rkhs.distance_to_set(Gaussian(1e6), X, Y)
    expected = np.linalg.norm(X - Y.mean(axis=0), axis=1) / 1e6
    np.testing.assert_allclose(actual, expected, rtol=1e-9)


GRAPHS = [nx.path_graph(4), nx.cycle_graph(5), nx.star_graph(4), nx.complete_graph(4)]
WORDS = ["banana", "bandana", "cabana", "ananas"]


@pytest.mark.parametrize(
    ("kernel", "objects"),
    [(ShortestPath(), GRAPHS), (WeisfeilerLehman(n_iter=2), GRAPHS), (Spectrum(k=2), WORDS)],
    ids=["ShortestPath", "WeisfeilerLehman", "Spectrum"],
)
def test_objects(kernel, objects):
    for graph in GRAPHS:
        nx.set_node_attributes(graph, "c", "label")
    K = kernel.pairwise(objects)
    d = K.diagonal()
    np.testing.assert_allclose(
        rkhs.distance(kernel, objects), np.sqrt(d[:, None] + d - 2 * K), rtol=1e-12
    )
    np.testing.assert_allclose(
        rkhs.distance(kernel, objects[:2], objects[1:]),
        np.sqrt(d[:2, None] + d[1:] - 2 * K[:2, 1:]),
        rtol=1e-12,
    )
    expected = np.sqrt(d - 2 * K[:, :3].mean(axis=1) + K[:3, :3].mean())
    np.testing.assert_allclose(rkhs.distance_to_set(kernel, objects, objects[:3]), expected)


def test_a_precomputed_kernel():
    K = Gaussian(1.0).pairwise(X)
    numbers = np.arange(23)
    expected = np.sqrt(2 - 2 * K)
    np.testing.assert_allclose(rkhs.distance(Precomputed(K), numbers), expected, atol=1e-14)


def test_torch_and_sparse_and_single_precision():
    expected = rkhs.distance(Gaussian(1.2), X, Y)
    t = rkhs.distance(Gaussian(1.2), torch.asarray(X), torch.asarray(Y))
    assert isinstance(t, torch.Tensor)
    np.testing.assert_allclose(t.numpy(), expected, rtol=1e-12)
    s = rkhs.distance(Gaussian(1.2), sparse.csr_array(X), sparse.csr_array(Y))
    np.testing.assert_allclose(s, expected, rtol=1e-11)
    f = rkhs.distance(Gaussian(1.2), X.astype("f4"), Y.astype("f4"))
    assert f.dtype == np.float32
    np.testing.assert_allclose(f, expected, rtol=1e-5)
    to_set = rkhs.distance_to_set(Gaussian(1.2), torch.asarray(X), torch.asarray(Y))
    np.testing.assert_allclose(
        to_set.numpy(), rkhs.distance_to_set(Gaussian(1.2), X, Y), rtol=1e-12
    )


def test_an_indefinite_kernel_has_no_distances_and_says_so():
    with pytest.raises(gm.errors.IndefiniteError, match="not positive semi-definite"):
        rkhs.distance(Sigmoid(scale=1.0, offset=-2.0), X)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("gaussian", X, cloud(5, 2)), "columns"),
        (("gaussian", [[np.nan]]), "NaN"),
        (("no such kernel", X), "not a known name"),
        (("gaussian", np.zeros((0, 3))), "sample"),
    ],
    ids=["columns", "nan", "name", "empty"],
)
def test_refusals(arguments, words):
    with pytest.raises(gm.errors.InputError, match=words):
        rkhs.distance(*arguments)


@pytest.mark.parametrize("unit", [1e-300, 1e-200, 1e200, 1e300])
def test_units_near_the_ends_of_the_range(unit):
    """The right answer where there is one, a refusal where the kernel's own values do not exist."""
    expected = rkhs.distance(Gaussian(1.3), X, Y)
    scaled = rkhs.distance(Gaussian(1.3 * unit), X * unit, Y * unit)
    np.testing.assert_allclose(scaled, expected, rtol=1e-11)
    np.testing.assert_allclose(rkhs.distance(Linear(), X * unit, Y * unit) / unit, cdist(X, Y))
    for call in (
        lambda: rkhs.distance_to_set(Linear(), X * unit, Y * unit),
        lambda: rkhs.mmd(Linear(), X * unit, Y * unit),
        lambda: rkhs.mean_embedding(Linear(), X * unit),
        lambda: rkhs.hsic(Linear(), Linear(), X * unit, X),
    ):
        with pytest.raises(gm.errors.InputError, match="rescale"):
            call()


def test_single_precision_differences_are_not_called_indefinite():
    f = rkhs.Function(Gaussian(1.0), X.astype("f4"), np.ones(23))
    g = rkhs.Function(Gaussian(1.0), (X + 1e-6).astype("f4"), np.ones(23))
    assert f.distance(g) < 1e-2
    t = rkhs.Function(Gaussian(1.0), torch.asarray(X), np.ones(23)).compress(0.5)
    assert len(t) < 23 and t.error <= 0.5
