"""Kernels given by a constant, a function, a matrix, a distance or a callable."""

import numpy as np
import pytest
import torch
from scipy.spatial.distance import cdist
from tests import naive
from tests.contracts.kernel import cloud

import gramian as gm
from gramian.kernels import (
    Callback,
    Constant,
    Cosine,
    FromDistance,
    Function,
    Gaussian,
    Linear,
    Precomputed,
    Sigmoid,
)

X, Y = cloud(), cloud(7, seed=9)


def test_whole_numbers_have_whole_inner_products():
    Z = np.random.default_rng(3).integers(-9, 9, (40, 3))
    assert np.array_equal(Linear().pairwise(Z), Z @ Z.T)
    assert np.array_equal(Linear().diag(Z), (Z * Z).sum(axis=1))


def test_constant():
    assert np.array_equal(Constant(2.5).pairwise(X, Y), np.full((23, 7), 2.5))
    assert np.array_equal(Constant(2.5).diag(X), np.full(23, 2.5))
    values = torch.asarray(X, dtype=torch.float32)
    assert Constant(2.5).pairwise(values).dtype == torch.float32


def test_a_constant_kernel_has_no_inertia():
    with pytest.raises(gm.errors.InputError, match="inertia is zero"):
        gm.KernelPCA(1, kernel=Constant(2.0)).fit(X)


def test_adding_a_constant_does_not_move_the_axes():
    plain, shifted = gm.KernelPCA(3).fit(X), gm.KernelPCA(3, kernel=Gaussian() + 5.0).fit(X)
    np.testing.assert_allclose(shifted.coordinates_, plain.coordinates_, atol=1e-12)
    np.testing.assert_allclose(shifted.inertia_, plain.inertia_, rtol=1e-12)


def test_function_has_rank_one():
    kernel = Function(lambda X: X[:, 1] ** 3)
    values = np.linalg.eigvalsh(kernel.pairwise(X))
    assert values[-1] == pytest.approx((X[:, 1] ** 6).sum(), rel=1e-12)
    assert abs(values[:-1]).max() < 1e-12 * values[-1]


def test_function_of_the_wrong_shape_is_refused():
    with pytest.raises(gm.errors.InputError, match="shape"):
        Function(lambda X: X).pairwise(X)


def test_function_kernel_pca_is_the_variance_of_the_function():
    fitted = gm.KernelPCA(1, kernel=Function(lambda X: X[:, 0])).fit(X)
    np.testing.assert_allclose(fitted.eigenvalues_, [X[:, 0].var()], rtol=1e-12)


NUMBERS = np.arange(23)[:, None]


def test_precomputed_is_the_matrix():
    K = Gaussian(1.0).pairwise(X)
    some = np.array([[4], [1], [4]])
    assert np.array_equal(Precomputed(K).pairwise(NUMBERS), K)
    assert np.array_equal(Precomputed(K).pairwise(some, NUMBERS[:2]), K[np.ix_([4, 1, 4], [0, 1])])
    assert np.array_equal(Precomputed(K).diag(NUMBERS), np.ones(23))


def test_precomputed_inside_a_sum():
    K = Gaussian(1.0).pairwise(X)
    both = 0.5 * Precomputed(K) + Precomputed(X @ X.T)
    np.testing.assert_allclose(both.pairwise(NUMBERS), 0.5 * K + X @ X.T, rtol=1e-14)
    fitted = gm.KernelPCA(2, kernel=both).fit(NUMBERS)
    expected = gm.KernelPCA(2, kernel=0.5 * Gaussian(1.0) + Linear()).fit(X)
    np.testing.assert_allclose(fitted.coordinates_, expected.coordinates_, atol=1e-12)


@pytest.mark.parametrize("number", [0.5, -1, 23, 1e9], ids=str)
def test_precomputed_refuses_what_is_no_row_number(number):
    with pytest.raises(gm.errors.InputError):
        Precomputed(np.eye(23)).pairwise([[number]], [[0]])


def test_precomputed_takes_a_flat_list_of_row_numbers():
    K = np.array([[2.0, 1.0], [1.0, 3.0]])
    assert np.array_equal(Precomputed(K).pairwise([1, 0]), K[::-1, ::-1])


def test_precomputed_without_a_matrix_is_refused():
    with pytest.raises((gm.errors.InputError, gm.errors.InputTypeError)):
        Precomputed().pairwise([[0]])


@pytest.mark.parametrize("metric", ["cityblock", "chebyshev", "canberra", "euclidean"])
def test_from_distance(metric):
    expected = np.exp(-(cdist(X, Y, metric) ** 2) / (2 * 1.7**2))
    actual = FromDistance(metric, scale=1.7).pairwise(X, Y)
    np.testing.assert_allclose(actual, expected, rtol=1e-12)


def test_from_distance_of_a_callable():
    def metric(A, B):
        return np.abs(A[:, None, 0] - B[None, :, 0])

    actual = FromDistance(metric, scale=1.7).pairwise(X, Y)
    np.testing.assert_allclose(actual, Gaussian(1.7).pairwise(X[:, :1], Y[:, :1]), rtol=1e-12)


def test_from_distance_median():
    fitted = gm.KernelPCA(2, kernel=FromDistance("euclidean")).fit(X)
    assert fitted.kernel_.scale == pytest.approx(naive.median_scale(X), rel=1e-12)
    manhattan = gm.KernelPCA(2, kernel=FromDistance("cityblock"), indefinite="clip").fit(X)
    pairs = cdist(X, X, "cityblock")[np.triu_indices(23, 1)]
    assert manhattan.kernel_.scale == pytest.approx(np.sqrt(np.median(pairs**2) / 2), rel=1e-12)


def test_from_distance_of_an_unknown_name_is_refused():
    with pytest.raises(gm.errors.InputError, match="no such metric"):
        FromDistance("no such metric", scale=1.0).pairwise(X)


WORDS = ["ant", "antelope", "bee", "beetle", "cat", "caterpillar", "dog"]


def lengths_apart(A, B):
    return np.array([[float(abs(len(a) - len(b))) for b in B] for a in A])


def test_from_distance_on_objects():
    K = FromDistance(lengths_apart, scale=2.0).pairwise(WORDS)
    size = np.array([[len(word)] for word in WORDS], dtype=float)
    np.testing.assert_allclose(K, Gaussian(2.0).pairwise(size), rtol=1e-12)


@pytest.mark.parametrize("weight", [None, [1, 2, 1, 1, 3, 1, 1], [1, 2, 0, 1, 3, 1, 0]], ids=str)
def test_kernel_pca_on_objects(weight):
    size = np.array([[len(word)] for word in WORDS], dtype=float)
    kernel = FromDistance(lengths_apart, scale=2.0)
    fitted = gm.KernelPCA(2, kernel=kernel).fit(WORDS, sample_weight=weight)
    expected = gm.KernelPCA(2, kernel=Gaussian(2.0)).fit(size, sample_weight=weight)
    np.testing.assert_allclose(fitted.coordinates_, expected.coordinates_, atol=1e-12)
    new = fitted.transform(["mouse", "elephant"])
    np.testing.assert_allclose(new, expected.transform([[5.0], [8.0]]), atol=1e-12)


def test_callback_sees_both_tables():
    seen = []

    def k(A, B):
        seen.append((A.shape, B.shape))
        return A @ B.T

    np.testing.assert_allclose(Callback(k).pairwise(X, Y), X @ Y.T, rtol=1e-14)
    assert ((23, 4), (7, 4)) in seen


CALLBACKS = {
    "shape": lambda A, B: np.ones((3, 3)),
    "NaN": lambda A, B: np.full((len(A), len(B)), np.nan),
    "inf": lambda A, B: np.full((len(A), len(B)), np.inf),
    "not symmetric": lambda A, B: np.add.outer(A[:, 0], 2 * B[:, 0]),
    "complex": lambda A, B: (A @ B.T).astype(complex),
    "text": lambda A, B: np.full((len(A), len(B)), "k"),
}


@pytest.mark.parametrize("case", CALLBACKS)
def test_a_callback_that_is_no_kernel_is_refused(case):
    with pytest.raises(gm.errors.InputError, match="kernel"):
        Callback(CALLBACKS[case]).pairwise(X)


def test_a_callback_may_return_integers_or_lists():
    def signs(A, B):
        return [[int(np.sign(a[0] * b[0])) for b in B] for a in A]

    expected = np.sign(np.outer(X[:, 0], X[:, 0]))
    assert np.array_equal(Callback(signs).pairwise(X), expected)


def test_callback_diagonal_needs_no_full_matrix():
    largest = []

    def k(A, B):
        largest.append(len(A) * len(B))
        return A @ B.T

    Z = cloud(500)
    np.testing.assert_allclose(Callback(k).diag(Z), (Z**2).sum(axis=1), rtol=1e-12)
    assert max(largest) < 500 * 500 / 4


def test_cosine_never_leaves_its_range():
    Z = np.outer(np.linspace(0.1, 3.0, 50), np.ones(3) / 3)
    K = Cosine().pairwise(Z, Z.copy())
    assert K.max() <= 1.0 and K.min() > 1 - 1e-15


@pytest.mark.slow
def test_indefinite_policies_by_explicit_formulas():
    """Refuse, leave out, take absolute values, keep signed; the total is what is then analysed."""
    kernel = Sigmoid(scale=0.8, offset=-0.5)
    values = np.linalg.eigvalsh(naive.inertia_matrix(kernel.pairwise(X)))[::-1]
    negative = -values[values < -1e-12].sum()
    positive = values[values > 1e-12]
    totals = {
        "clip": positive.sum(),
        "flip": np.abs(values).sum(),
        "krein": values.sum(),
    }
    with pytest.raises(gm.errors.IndefiniteError):
        gm.KernelPCA(kernel=kernel).fit(X)
    for policy, total in totals.items():
        fitted = gm.KernelPCA(kernel=kernel, indefinite=policy).fit(X)
        assert fitted.inertia_ == pytest.approx(total, rel=1e-10)
        assert fitted.negative_inertia_ == pytest.approx(negative, rel=1e-10)
        expected = positive if policy == "clip" else values[np.abs(values) > 1e-12]
        expected = np.abs(expected) if policy == "flip" else expected
        order = np.argsort(-np.abs(expected), kind="stable")
        np.testing.assert_allclose(fitted.eigenvalues_, expected[order], rtol=1e-8)
        assert np.all(np.isfinite(fitted.coordinates_))


def test_krein_coordinates_give_the_kernel_back_with_the_signs():
    kernel = Sigmoid(scale=0.8, offset=-0.5)
    fitted = gm.KernelPCA(kernel=kernel, indefinite="krein").fit(X)
    F, sign = fitted.coordinates_, np.sign(fitted.eigenvalues_)
    np.testing.assert_allclose((F * sign) @ F.T, naive.centred(kernel.pairwise(X)), atol=1e-12)
    np.testing.assert_allclose(fitted.transform(X), F, atol=1e-10)
