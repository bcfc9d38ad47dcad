"""One scale for each column of a Gaussian kernel."""

import numpy as np
import pytest

import gramian as gm
from gramian.errors import InputError

RNG = np.random.default_rng(0)
X, Y = RNG.standard_normal((30, 3)), RNG.standard_normal((5, 3))
SCALES = [0.5, 2.0, np.inf]


def brute(A, B):
    t = sum(((A[:, None, j] - B[None, :, j]) / s) ** 2 for j, s in enumerate(SCALES))
    return np.exp(-0.5 * t)


def test_values():
    kernel = gm.kernels.Gaussian(scale=SCALES)
    assert np.allclose(kernel.pairwise(X, Y), brute(X, Y), atol=1e-14)
    assert np.allclose(kernel(X), brute(X, X), atol=1e-14)
    same = gm.kernels.Gaussian(scale=[2.0] * 3)(X)
    assert np.allclose(same, gm.kernels.Gaussian(scale=2.0)(X))


@pytest.mark.slow
def test_a_fit_with_new_rows_and_saving(tmp_path):
    fit = gm.KernelPCA(3, kernel=gm.kernels.Gaussian(scale=SCALES)).fit(X)
    again = gm.KernelPCA(3, kernel="precomputed").fit(brute(X, X))
    assert np.allclose(fit.eigenvalues_, again.eigenvalues_)
    assert np.allclose(np.abs(fit.transform(Y)), np.abs(again.transform(brute(Y, X))))
    off = Y + np.array([0.0, 0.0, 100.0])
    assert np.allclose(fit.transform(off), fit.transform(Y))
    gm.save(fit, tmp_path / "k.gramian")
    assert np.array_equal(gm.load(tmp_path / "k.gramian").transform(Y), fit.transform(Y))


@pytest.mark.parametrize("scale", [[1.0, 2.0], [1.0, 2.0, 0.0], [1.0, -1.0, 1.0]])
def test_errors(scale):
    with pytest.raises(InputError, match="scale"):
        gm.KernelPCA(2, kernel=gm.kernels.Gaussian(scale=scale)).fit(X)
