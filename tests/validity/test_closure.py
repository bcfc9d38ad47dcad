"""Kernels are closed under sums, products, limits and pull-backs, and not under much else."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import expm

from gramian.kernels import Exponential, Gaussian, Laplacian, Linear, Matern, Polynomial
from gramian.validity import is_psd

few = settings(max_examples=60, deadline=None, derandomize=True)
LEAVES = [Gaussian(0.8), Exponential(1.5), Laplacian(1.0), Matern(2.5, 1.0), Polynomial(2, 0.5)]


def halves(X):
    return 0.5 * X


@st.composite
def kernels(draw, depth=3):
    """A random expression of kernels."""
    if depth == 0 or draw(st.integers(0, 3)) == 0:
        return draw(st.sampled_from(LEAVES))
    k = draw(kernels(depth=depth - 1))
    step = draw(st.sampled_from(["sum", "product", "scale", "power", "exp", "poly", "on", "unit"]))
    if step in ("sum", "product"):
        other = draw(kernels(depth=depth - 1))
        return k + other if step == "sum" else k * other
    return {
        "scale": lambda: draw(st.floats(0.0, 3.0)) * k,
        "power": lambda: k**2,
        "exp": lambda: (0.05 * k.normalized()).exp(),
        "poly": lambda: k.polynomial((0.5, 1.0, 0.25)),
        "on": lambda: k.on(halves),
        "unit": lambda: k.normalized(),
    }[step]()


@pytest.mark.slow
@few
@given(kernels(), st.integers(0, 2**32 - 1))
def test_expressions_of_kernels_are_kernels(kernel, seed):
    assert kernel.psd is True
    X = np.random.default_rng(seed).standard_normal((12, 2))
    assert is_psd(kernel.pairwise(X))


def test_differences_are_not():
    X = np.random.default_rng(0).standard_normal((12, 2))
    assert not is_psd(Gaussian(2.0).pairwise(X) - Gaussian(1.0).pairwise(X))


@pytest.mark.parametrize("seed", range(5))
def test_the_product_is_entrywise(seed):
    """Schur: the entrywise product of two Gram matrices is one; the matrix product is not."""
    X = np.random.default_rng(seed).standard_normal((8, 2))
    K, L = Gaussian(1.0).pairwise(X), Linear().pairwise(X)
    assert is_psd(K * L)
    product = K @ L
    assert not np.allclose(product, product.T)


def test_the_exponential_is_entrywise_too():
    """The matrix exponential of any symmetric matrix is positive: it proves nothing of e^k."""
    K = -np.eye(3) - np.ones((3, 3))
    assert is_psd(expm(K)) and not is_psd(np.exp(K) - 1.0)
    X = np.random.default_rng(0).standard_normal((8, 2))
    np.testing.assert_allclose(Linear().exp().pairwise(X), np.exp(X @ X.T), rtol=1e-12)
    assert is_psd(np.exp(X @ X.T))
