"""gm.kernels against scikit-learn's pairwise and Gaussian process kernels."""

from typing import Any

import numpy as np
import pytest
from sklearn.gaussian_process import kernels as gp
from sklearn.metrics import pairwise

import gramian as gm

from ._reference import array, assert_close, load

TOL = 1e-8
RESULTS = load("sklearn_skbio/pairwise_kernels.json")["results"]
X, Y = array(RESULTS["X"]), array(RESULTS["Y"])

LIBRARY = {
    "rbf_gamma0.3": gm.kernels.Gaussian.from_gamma(0.3),
    "laplacian_L1_gamma0.3": gm.kernels.Laplacian(scale=1 / 0.3),
    "poly_d3_g0.2_c1": gm.kernels.Polynomial(degree=3, offset=1.0, scale=0.2),
    "sigmoid_g0.05_c0.5": gm.kernels.Sigmoid(scale=0.05, offset=0.5),
    "cosine": gm.kernels.Cosine(),
    "linear": gm.kernels.Linear(),
    "matern_nu0.5_l1.5": gm.kernels.Matern(nu=0.5, scale=1.5),
    "matern_nu1.5_l1.5": gm.kernels.Matern(nu=1.5, scale=1.5),
    "matern_nu2.5_l1.5": gm.kernels.Matern(nu=2.5, scale=1.5),
    "matern_nu0.8_l1.5": gm.kernels.Matern(nu=0.8, scale=1.5),
    "matern_nu3.7_l0.9": gm.kernels.Matern(nu=3.7, scale=0.9),
    "matern_inf_l1.5_is_rbf": gm.kernels.Matern(nu=np.inf, scale=1.5),
    "rational_quadratic_l1.2_a0.6": gm.kernels.RationalQuadratic(scale=1.2, alpha=0.6),
    "gp_rbf_l1.3": gm.kernels.Gaussian(scale=1.3),
    "dot_product_s0.4": gm.kernels.Linear() + gm.kernels.Constant(0.4**2),
}
# Kernels handed over as scikit-learn has them: Gaussian process objects and plain functions.
BORROWED: dict[str, Any] = {
    "gp_rbf_l1.3": gp.RBF(1.3),
    "matern_nu0.8_l1.5": gp.Matern(1.5, nu=0.8),
    "rational_quadratic_l1.2_a0.6": gp.RationalQuadratic(1.2, 0.6),
    "exp_sine_squared_l1.1_p2.3": gp.ExpSineSquared(1.1, 2.3),
    "dot_product_s0.4": gp.DotProduct(0.4),
    "additive_chi2": pairwise.additive_chi2_kernel,
    "chi2_gamma0.7": lambda A, B: pairwise.chi2_kernel(A, B, gamma=0.7),
}


def test_every_stored_kernel_is_compared() -> None:
    assert {*LIBRARY, *BORROWED} == set(RESULTS) - {"X", "Y"}


@pytest.mark.parametrize("name", LIBRARY)
def test_library_kernel(name: str) -> None:
    kernel, stored = LIBRARY[name], RESULTS[name]
    assert_close(kernel.pairwise(X, X), array(stored["XX"]), TOL)
    assert_close(kernel.pairwise(X, Y), array(stored["XY"]), TOL)
    assert_close(kernel.diag(X), np.diag(array(stored["XX"])), TOL)


@pytest.mark.parametrize("name", BORROWED)
def test_borrowed_kernel(name: str) -> None:
    """additive chi2 is only conditionally positive, which centring makes enough."""
    stored = RESULTS[name]
    K = array(stored["XX"])
    kpca = gm.KernelPCA(3, kernel=BORROWED[name]).fit(X)
    H = np.eye(8) - 1 / 8
    expected = np.linalg.eigvalsh(H @ K @ H)[::-1]
    assert_close(8 * kpca.eigenvalues_, expected[:3], TOL)
    assert_close(8 * kpca.inertia_, expected.sum(), TOL)
    assert_close(kpca.kernel_.pairwise(X, Y), array(stored["XY"]), TOL)
    cross = array(stored["XY"]).T
    centred = cross - cross.mean(axis=1, keepdims=True) - K.mean(axis=0) + K.mean()
    scores = centred @ kpca.coordinates_ / (8 * kpca.eigenvalues_)
    assert_close(kpca.transform(Y), scores, rtol=0, atol=TOL)
