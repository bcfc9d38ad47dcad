"""Random Fourier features: their inner products are the kernel on average."""

import numpy as np
import pytest

import gramian as gm
from gramian.kernels import Cosine, Exponential, Gaussian, Laplacian, Matern, RationalQuadratic

X = np.random.default_rng(7).standard_normal((30, 3)) + 1e6
KERNELS = [
    Gaussian(1.5),
    Laplacian(3.0),
    Exponential(2.0),
    Matern(1.5, 2.0),
    Matern(np.inf, 2.0),
    RationalQuadratic(1.5, 0.7),
]


@pytest.mark.slow
@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
def test_the_average_is_the_kernel(kernel):
    F = gm.RandomFourier(rank=40_000, kernel=kernel).fit_transform(X)
    np.testing.assert_allclose(F @ F.T, kernel(X), atol=5 / np.sqrt(20_000))
    np.testing.assert_allclose((F**2).sum(axis=1), 1.0, rtol=1e-12)


def test_new_points_use_the_same_frequencies():
    est = gm.RandomFourier(rank=50, kernel=Gaussian(1.0))
    np.testing.assert_allclose(est.fit_transform(X), est.transform(X), atol=1e-12)


def test_kernel_pca_takes_them():
    est = gm.KernelPCA(2, kernel=Gaussian(1.5), approximation=gm.RandomFourier(4000)).fit(X)
    exact = gm.KernelPCA(2, kernel=Gaussian(1.5)).fit(X)
    np.testing.assert_allclose(est.eigenvalues_, exact.eigenvalues_, rtol=0.1)
    np.testing.assert_allclose(est.transform(X), est.coordinates_, atol=1e-12)


def test_a_kernel_without_a_spectral_law_is_refused():
    with pytest.raises(ValueError, match="Cosine"):
        gm.RandomFourier(kernel=Cosine()).fit(X)
