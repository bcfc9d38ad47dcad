"""Mercer's expansion: the closed form on the line, and what is estimated from points."""

import math

import numpy as np
import pytest
from scipy.stats import norm
from tests.contracts.kernel import cloud

import gramian as gm
from gramian import rkhs
from gramian.kernels import Gaussian, Linear, Sigmoid
from gramian.kernels.sequence import Spectrum


@pytest.mark.parametrize(("scale", "deviation"), [(1.0, 1.0), (0.5, 2.0), (3.0, 0.7)])
def test_the_closed_form_solves_the_integral_equation(scale, deviation):
    """∫ k(x, y) ψ(y) dP(y) = λψ(x), by quadrature; ψ orthonormal; Σλψψ = k."""
    expansion = rkhs.GaussianMercer(scale, deviation, 5)
    y = np.linspace(-12 * deviation, 12 * deviation, 4001)  # smooth and decaying: sums are exact
    mass = np.exp(-((y / deviation) ** 2) / 2)
    mass /= mass.sum()
    psi = expansion.eigenfunctions(y[:, None])
    x = np.array([0.3, -1.1, 2.0])
    K = np.exp(-((x[:, None] - y) ** 2) / (2 * scale**2))
    image = K @ (mass[:, None] * psi)
    expected = expansion.eigenvalues * expansion.eigenfunctions(x[:, None])
    np.testing.assert_allclose(image, expected, atol=1e-12)
    np.testing.assert_allclose(psi.T @ (mass[:, None] * psi), np.eye(5), atol=1e-11)


def test_the_closed_form_adds_up_to_the_kernel():
    expansion = rkhs.GaussianMercer(0.8, 1.0, 80)
    x = np.linspace(-1.5, 1.5, 11)[:, None]
    F = expansion.features(x)
    np.testing.assert_allclose(F @ F.T, Gaussian(0.8).pairwise(x), atol=1e-10)
    assert expansion.eigenvalues.sum() == pytest.approx(1.0, abs=1e-10)
    assert expansion.error < 1e-10


@pytest.mark.slow
def test_the_estimate_approaches_the_closed_form():
    """Quantiles of the normal law in place of draws: no chance is left in the comparison."""
    n = 1500
    x = norm.ppf((np.arange(n) + 0.5) / n)[:, None]
    exact = rkhs.GaussianMercer(1.0, 1.0, 5)
    found = rkhs.mercer(Gaussian(1.0), x, 5)
    np.testing.assert_allclose(found.eigenvalues, exact.eigenvalues, rtol=0.01)
    at = np.linspace(-1.5, 1.5, 9)[:, None]
    actual, expected = found.eigenfunctions(at), exact.eigenfunctions(at)
    signs = np.sign((actual * expected).sum(axis=0))
    np.testing.assert_allclose(actual * signs, expected, atol=0.05)
    draws = np.random.default_rng(0).standard_normal((2000, 1))
    sampled = rkhs.mercer(Gaussian(1.0), draws, 3)
    np.testing.assert_allclose(sampled.eigenvalues, exact.eigenvalues[:3], rtol=0.1)


X = cloud(30, 2)


@pytest.mark.parametrize("weights", [None, np.arange(1.0, 31.0)], ids=["equal", "weights"])
def test_it_diagonalises_the_integral_operator_of_the_points(weights):
    kernel = Gaussian(1.0)
    p = np.full(30, 1 / 30) if weights is None else weights / weights.sum()
    found = rkhs.mercer(kernel, X, 6, weights=weights)
    psi, K = found.eigenfunctions(X), kernel.pairwise(X)
    np.testing.assert_allclose(K @ (p[:, None] * psi), psi * found.eigenvalues, atol=1e-12)
    np.testing.assert_allclose(psi.T @ (p[:, None] * psi), np.eye(6), atol=1e-9)
    values = np.linalg.eigvalsh(np.sqrt(np.outer(p, p)) * K)[::-1]
    np.testing.assert_allclose(found.eigenvalues, values[:6], rtol=1e-10)
    assert found.total == pytest.approx(1.0, rel=1e-14)
    assert found.error == pytest.approx(1 - values[:6].sum(), rel=1e-9)


def test_all_terms_give_the_kernel_back():
    found = rkhs.mercer(Gaussian(0.5), X)
    F = found.features(X)
    np.testing.assert_allclose(F @ F.T, Gaussian(0.5).pairwise(X), atol=1e-10)
    new = cloud(8, 2, seed=3)
    K, C = Gaussian(0.5).pairwise(X), Gaussian(0.5).pairwise(new, X)
    nystrom = C @ np.linalg.solve(K, C.T)
    G = found.features(new)
    np.testing.assert_allclose(G @ G.T, nystrom, atol=1e-7)


def test_a_share_of_the_trace():
    found = rkhs.mercer(Gaussian(1.0), X, 0.9)
    assert found.error <= 0.1 < found.error + found.eigenvalues[-1]


def test_eigenfunctions_are_functions_of_h():
    """|ψ| = 1/√λ in H, orthogonal there too."""
    found = rkhs.mercer(Gaussian(1.0), X, 4)
    for i, f in enumerate(found.functions):
        assert f.norm() == pytest.approx(1 / math.sqrt(found.eigenvalues[i]), rel=1e-9)
        np.testing.assert_allclose(f(X), found.eigenfunctions(X)[:, i], atol=1e-12)
    first, second = found.functions[:2]
    assert abs(first.inner(second)) < 1e-8 * first.norm() * second.norm()


@pytest.mark.slow
def test_the_iterative_solver_agrees():
    Z = cloud(900, 2)
    quick = rkhs.mercer(Gaussian(1.0), Z, 4, solver="krylov")
    exact = rkhs.mercer(Gaussian(1.0), Z, 4, solver="dense")
    np.testing.assert_allclose(quick.eigenvalues, exact.eigenvalues, rtol=1e-10)
    at = Z[:20]
    signs = np.sign((quick.eigenfunctions(at) * exact.eigenfunctions(at)).sum(axis=0))
    np.testing.assert_allclose(
        quick.eigenfunctions(at) * signs, exact.eigenfunctions(at), atol=1e-6
    )


def test_words_and_the_linear_kernel():
    words = ["banana", "bandana", "cabana", "ananas", "anagram"]
    found = rkhs.mercer(Spectrum(k=2), words)
    F = found.features(words)
    np.testing.assert_allclose(F @ F.T, Spectrum(k=2).pairwise(words), atol=1e-10)
    plain = rkhs.mercer(Linear(), X)
    assert len(plain.eigenvalues) == 2
    np.testing.assert_allclose(
        plain.eigenvalues, np.linalg.eigvalsh(X.T @ X / 30)[::-1], rtol=1e-10
    )


@pytest.mark.slow
def test_refusals():
    with pytest.raises(gm.errors.IndefiniteError, match="Mercer"):
        rkhs.mercer(Sigmoid(1.0, -1.0), X)
    for call, words in (
        (lambda: rkhs.mercer("gaussian", X, 0), "n_components"),
        (lambda: rkhs.mercer("gaussian", X, weights=[0.0] + [1.0] * 29), "weights"),
        (lambda: rkhs.GaussianMercer(-1.0), "scale"),
        (lambda: rkhs.GaussianMercer(1.0, 1.0, 0), "n_components"),
        (lambda: rkhs.GaussianMercer(1.0).eigenfunctions(X), "columns"),
    ):
        with pytest.raises(gm.errors.InputError, match=words):
            call()
