"""Functions of H: the theorems, the calculus, and fewer points within a stated error."""

import math

import networkx as nx
import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from tests.contracts.kernel import cloud

import gramian as gm
from gramian import kernels as k
from gramian import rkhs
from gramian.kernels.graph import WeisfeilerLehman
from gramian.kernels.sequence import Spectrum

few = settings(max_examples=30, deadline=None, derandomize=True)
KERNELS = [
    k.Gaussian(1.1),
    k.Exponential(0.8),
    k.Laplacian(1.5),
    k.Matern(2.5, 1.2),
    k.Linear(),
    k.Polynomial(2, 1.0),
    k.Gaussian(1.0) + 0.5 * k.Linear(),
]
X, Y = cloud(17, 3), cloud(6, 3, seed=5)
ALPHA = np.random.default_rng(1).standard_normal(17)
BETA = np.random.default_rng(2).standard_normal(6)


@st.composite
def functions(draw):
    """Two functions of one kernel on different points, and a point."""
    kernel = draw(st.sampled_from(KERNELS))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, m, p = draw(st.integers(1, 12)), draw(st.integers(1, 12)), draw(st.integers(1, 4))
    f = rkhs.Function(kernel, rng.standard_normal((n, p)), rng.standard_normal(n))
    g = rkhs.Function(kernel, rng.standard_normal((m, p)), rng.standard_normal(m))
    return f, g, rng.standard_normal((1, p))


def size_of(f):
    return float(np.abs(f.coefficients) @ np.sqrt(f.kernel.diag(f.points)))


@pytest.mark.slow
@few
@given(functions())
def test_reproducing_property(case):
    """f(x) = ⟨f, k(x, ·)⟩, and k(x, y) = ⟨k(x, ·), k(y, ·)⟩."""
    f, _, x = case
    at_x = rkhs.Function(f.kernel, x, [1.0])
    tolerance = 1e-13 * size_of(f) * math.sqrt(f.kernel.diag(x)[0])
    assert f.inner(at_x) == pytest.approx(float(f(x)[0]), rel=1e-10, abs=tolerance)
    assert at_x.norm() ** 2 == pytest.approx(float(f.kernel.diag(x)[0]), rel=1e-12)


@pytest.mark.slow
@few
@given(functions())
def test_cauchy_schwarz_and_the_triangle(case):
    """|⟨f, g⟩| ≤ |f||g|, |f(x)| ≤ |f|√k(x, x), |f + g| ≤ |f| + |g|."""
    f, g, x = case
    slack = 1 + 1e-10
    assert abs(f.inner(g)) <= f.norm() * g.norm() * slack
    assert abs(float(f(x)[0])) <= f.norm() * math.sqrt(f.kernel.diag(x)[0]) * slack
    assert (f + g).norm() <= (f.norm() + g.norm()) * slack
    parallelogram = (f + g).norm() ** 2 + (f - g).norm() ** 2
    assert parallelogram == pytest.approx(2 * f.norm() ** 2 + 2 * g.norm() ** 2, rel=1e-10)


@pytest.mark.slow
@few
@given(functions(), st.floats(-5, 5))
def test_it_is_a_vector_space_with_a_symmetric_bilinear_product(case, c):
    f, g, x = case
    tolerance = 1e-12 * (size_of(f) + size_of(g)) ** 2 * (1 + abs(c))
    assert f.inner(g) == pytest.approx(g.inner(f), abs=tolerance)
    for made, value in (
        (f + g, f(x) + g(x)),
        (f - g, f(x) - g(x)),
        (c * f, c * f(x)),
        (f * c, c * f(x)),
        (-f, -f(x)),
        (f / 4.0, f(x) / 4.0),
    ):
        np.testing.assert_allclose(made(x), value, atol=10 * tolerance)
    combined = (c * f + g).inner(g)
    assert combined == pytest.approx(c * f.inner(g) + g.inner(g), abs=10 * tolerance)


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_values_inner_products_and_norms_by_the_matrices(kernel):
    f, g = rkhs.Function(kernel, X, ALPHA), rkhs.Function(kernel, Y, BETA)
    K, L, M = kernel.pairwise(X), kernel.pairwise(Y), kernel.pairwise(X, Y)
    np.testing.assert_allclose(f(Y), M.T @ ALPHA, rtol=1e-11, atol=1e-12)
    assert f.inner(g) == pytest.approx(ALPHA @ M @ BETA, rel=1e-10)
    assert f.norm() == pytest.approx(math.sqrt(ALPHA @ K @ ALPHA), rel=1e-11)
    squared = ALPHA @ K @ ALPHA + BETA @ L @ BETA - 2 * ALPHA @ M @ BETA
    assert f.distance(g) == pytest.approx(math.sqrt(squared), rel=1e-10)


def test_points_that_nearly_coincide():
    """|k(x, ·) − k(y, ·)| for |x − y| = 1e-9 is 1e-9, not the rounding of 1 − k."""
    x, y = np.array([[0.5]]), np.array([[0.5 + 1e-9]])
    f, g = (rkhs.Function(k.Gaussian(1.0), z, [1.0]) for z in (x, y))
    assert f.distance(g) == pytest.approx(float(y[0, 0] - 0.5), rel=1e-10)
    assert (f - f).norm() == 0.0


def test_functions_on_the_same_points_share_them():
    f, g = (
        rkhs.Function(k.Gaussian(1.0), X, ALPHA),
        rkhs.Function(k.Gaussian(1.0), X.copy(), 2 * ALPHA),
    )
    assert len(f + g) == 17 and np.array_equal((f + g).coefficients, 3 * ALPHA)
    assert len(f + rkhs.Function(k.Gaussian(1.0), Y, BETA)) == 23


def test_the_mean_embedding_gives_means():
    """⟨f, μ⟩ is the weighted mean of f."""
    weights = np.arange(1.0, 18.0)
    mu = rkhs.mean_embedding(k.Gaussian(1.0), X, weights)
    f = rkhs.Function(k.Gaussian(1.0), Y, BETA)
    assert f.inner(mu) == pytest.approx(np.average(f(X), weights=weights), rel=1e-12)
    plain = rkhs.mean_embedding(k.Gaussian(1.0), X)
    assert f.inner(plain) == pytest.approx(f(X).mean(), rel=1e-12)
    np.testing.assert_allclose(plain.coefficients, np.full(17, 1 / 17))


@pytest.mark.slow
def test_the_mean_embedding_of_many_points_stores_no_matrix():
    """6,000 points, whose Gram matrix would take 288 MB, at 20 places of equal weight."""
    x = np.repeat(np.linspace(0.0, 1.0, 20), 300)[:, None]
    mu = rkhs.mean_embedding(k.Gaussian(0.3), x)
    t = np.linspace(0.0, 1.0, 20)
    expected = np.exp(-((t[:, None] - t) ** 2) / (2 * 0.3**2)).mean()
    assert mu.norm() ** 2 == pytest.approx(expected, rel=1e-11)


def test_objects():
    words = ["banana", "bandana", "cabana"]
    f = rkhs.Function(Spectrum(k=2), words, [1.0, -1.0, 0.5])
    g = rkhs.Function(Spectrum(k=2), ["ananas"], [2.0])
    K = Spectrum(k=2).pairwise([*words, "ananas"])
    c = np.array([1.0, -1.0, 0.5, 2.0])
    assert (f + g).norm() == pytest.approx(math.sqrt(c @ K @ c), rel=1e-12)
    np.testing.assert_allclose(f(["ananas", "banana"]), (K[[3, 0], :3] @ c[:3]), rtol=1e-12)
    graphs = [nx.path_graph(4), nx.cycle_graph(5)]
    for graph in graphs:
        nx.set_node_attributes(graph, "c", "label")
    h = rkhs.Function(WeisfeilerLehman(n_iter=1), graphs, [1.0, -1.0])
    K = WeisfeilerLehman(n_iter=1).pairwise(graphs)
    assert h.norm() ** 2 == pytest.approx(K[0, 0] + K[1, 1] - 2 * K[0, 1], rel=1e-12)


def test_frames_torch_and_sparse():
    expected = rkhs.Function(k.Gaussian(1.0), X, ALPHA)
    frame = pd.DataFrame(X, columns=list("abc"))
    np.testing.assert_allclose(rkhs.Function(k.Gaussian(1.0), frame, ALPHA)(frame), expected(X))
    f = rkhs.Function(k.Gaussian(1.0), torch.asarray(X), ALPHA)
    assert isinstance(f(torch.asarray(Y)), torch.Tensor)
    np.testing.assert_allclose(f(torch.asarray(Y)).numpy(), expected(Y), rtol=1e-12)
    assert f.norm() == pytest.approx(expected.norm(), rel=1e-12)
    g = rkhs.Function(k.Gaussian(1.0), sparse.csr_array(X), ALPHA)
    np.testing.assert_allclose(g(sparse.csr_array(Y)), expected(Y), rtol=1e-11)
    assert (f - f).norm() == 0.0


def test_a_median_scale_is_made_definite():
    f = rkhs.Function("gaussian", X, ALPHA)
    assert f.kernel.scale == gm.kernels.median_scale(X)


def test_refusals():
    f = rkhs.Function(k.Gaussian(1.0), X, ALPHA)
    cases = [
        (lambda: rkhs.Function(k.Gaussian(1.0), X, ALPHA[:3]), "coefficients"),
        (lambda: rkhs.Function(k.Gaussian(1.0), X, [np.nan] * 17), "coefficients"),
        (lambda: f.inner(rkhs.Function(k.Gaussian(2.0), X, ALPHA)), "different kernels"),
        (lambda: f + rkhs.Function(k.Gaussian(1.0), Y[:, :2], BETA), "columns"),
        (lambda: f(Y[:, :2]), "columns"),
        (lambda: f * math.nan, "finite"),
        (lambda: f.compress(-1.0), "error"),
        (lambda: rkhs.mean_embedding("gaussian", X, [-1.0] * 17), "weights"),
    ]
    for call, words in cases:
        with pytest.raises(gm.errors.InputError, match=words):
            call()
    with pytest.raises(TypeError):
        f + 1.0
    with pytest.raises(gm.errors.IndefiniteError, match="no Hilbert space"):
        kernel = k.Sigmoid(scale=1.0, offset=-2.0)
        c = gm.validity.is_psd(kernel.pairwise(X)).witness
        rkhs.Function(kernel, X, c).norm()


def test_callables_and_names_are_kernels():
    kernel = k.Callback(lambda A, B: A @ B.T)
    f = rkhs.Function(kernel, X, ALPHA)
    assert f.norm() == pytest.approx(np.linalg.norm(X.T @ ALPHA), rel=1e-10)
    assert (
        repr(rkhs.Function(k.Gaussian(1.0), X, ALPHA)) == "Function(Gaussian(scale=1.0), 17 points)"
    )


@pytest.mark.slow
@pytest.mark.parametrize("error", [0.5, 1e-2, 1e-4, 1e-6])
@pytest.mark.parametrize("kernel", [k.Gaussian(1.0), k.Matern(1.5, 1.0), k.Linear()], ids=repr)
def test_compress_keeps_its_promise(kernel, error):
    Z = cloud(300, 2)
    f = rkhs.mean_embedding(kernel, Z) - rkhs.Function(kernel, Z[:50], np.full(50, 0.02))
    g = f.compress(error)
    assert len(g) < len(f)
    assert f.distance(g) <= error and g.error <= error
    assert g.error == pytest.approx(f.distance(g), rel=1e-3, abs=1e-6)
    new = cloud(40, 2, seed=3)
    bound = error * np.sqrt(kernel.diag(new))
    assert np.all(np.abs(f(new) - g(new)) <= bound * (1 + 1e-9) + 1e-12)


def test_compress_is_the_projection_on_its_points():
    """The residual is orthogonal to every k(z, ·) that was kept."""
    f = rkhs.Function(k.Gaussian(0.7), X, ALPHA)
    g = f.compress(0.3 * f.norm())
    np.testing.assert_allclose((f - g)(g.points), 0.0, atol=1e-12)
    assert f.norm() ** 2 == pytest.approx(g.norm() ** 2 + g.error**2, rel=1e-10)


def test_compress_needs_no_more_points_than_there_are_dimensions():
    f = rkhs.Function(k.Linear(), cloud(100, 3), np.ones(100))
    assert len(f.compress(1e-4)) <= 3
    assert len(f.compress(2 * f.norm())) == 1
    assert f.compress(2 * f.norm()).norm() == 0.0


def test_compress_to_nothing_lost_gives_the_function_back():
    f = rkhs.Function(k.Exponential(1.0), X, ALPHA)
    assert f.compress(0.0) is f


@pytest.mark.slow
def test_compress_claims_no_more_than_rounding_allows():
    """Norms below 1e-8 of the size cannot be measured in double precision, so none is promised."""
    f = rkhs.mean_embedding(k.Gaussian(1.0), cloud(400, 2))
    assert f.compress(1e-12) is f
    g = f.compress(3e-7)
    assert len(g) < 400 and 0 < g.error <= 3e-7
