"""What KernelPCA says about an approximation that disagrees with it."""

import numpy as np
import pytest

import gramian as gm

X = np.random.default_rng(0).standard_normal((40, 3))


@pytest.mark.parametrize("make", [gm.Nystrom, gm.RandomFourier], ids=["nystrom", "fourier"])
def test_a_kernel_of_its_own_is_refused(make):
    other = gm.kernels.Laplacian(1.0)
    with pytest.raises(gm.errors.InputError, match="kernel of its own, Laplacian"):
        gm.KernelPCA(2, approximation=make(10, kernel=other)).fit(X)


def test_the_same_kernel_twice_is_one_kernel():
    kernel = gm.kernels.Laplacian(1.0)
    twice = gm.KernelPCA(2, kernel=kernel, approximation=gm.Nystrom(10, kernel=kernel)).fit(X)
    once = gm.KernelPCA(2, kernel=kernel, approximation=gm.Nystrom(10)).fit(X)
    np.testing.assert_array_equal(twice.eigenvalues_, once.eigenvalues_)


def test_sparse_rows_have_landmarks_too():
    from scipy import sparse

    S = sparse.random_array((60, 20), density=0.3, rng=np.random.default_rng(0), format="csr")
    kernel = gm.kernels.Gaussian(2.0)
    features = gm.Nystrom(60, kernel=kernel).fit(S)
    F = features.transform(S)
    np.testing.assert_allclose(F @ F.T, kernel(S.toarray()), atol=1e-7)
