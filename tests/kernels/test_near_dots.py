"""Distances of near points under kernels of the product that users write, in 60 digits."""

import mpmath
import numpy as np
import pytest
import torch
from scipy import sparse

from gramian import rkhs
from gramian.kernels import Columns, Dot, Gaussian


class Quartic(Dot):
    psd = True

    def profile(self, s):
        return s**4


class Exponential(Dot):
    psd = True

    def profile(self, s):
        return np.exp(s) if isinstance(s, np.ndarray) or not hasattr(s, "exp") else s.exp()


class Geometric(Dot):
    psd = True

    def profile(self, s):
        return 1.0 / (9.0 - s)


TRUTH = {
    Quartic: lambda s: s**4,
    Exponential: mpmath.exp,
    Geometric: lambda s: 1 / (9 - s),
}
X = np.random.default_rng(71).standard_normal((6, 3)) * 0.8


def exact(function, x, y):
    with mpmath.workdps(60):
        x, y = ([mpmath.mpf(float(v)) for v in row] for row in (x, y))
        a, b, s = (mpmath.fdot(p, q) for p, q in ((x, x), (y, y), (x, y)))
        return mpmath.sqrt(function(a) + function(b) - 2 * function(s))


@pytest.mark.parametrize("step", [1e-1, 1e-3, 1e-6, 1e-9, 1e-12])
@pytest.mark.parametrize("kernel", TRUTH, ids=lambda kernel: kernel.__name__)
@pytest.mark.parametrize("of", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
def test_near_points_keep_their_distance(kernel, step, of):
    Y = X + step * np.random.default_rng(72).standard_normal(X.shape)
    D = rkhs.distance(kernel(), of(X), of(Y))
    truth = [float(exact(TRUTH[kernel], x, y)) for x, y in zip(X, Y, strict=True)]
    np.testing.assert_allclose(D.diagonal(), truth, rtol=2e-12)


def test_points_on_a_sphere_and_equal_points():
    x = np.array([[1.0, 0.0], [np.cos(1e-7), np.sin(1e-7)], [1.0, 0.0]])
    D = rkhs.distance(Quartic(), x)
    assert D[0, 2] == 0.0
    np.testing.assert_allclose(D[0, 1], float(exact(TRUTH[Quartic], x[0], x[1])), rtol=1e-12)


def test_single_precision_and_torch():
    Y = (X + 1e-3).astype("f4")
    A = X.astype("f4")
    truth = [float(exact(TRUTH[Quartic], x, y)) for x, y in zip(A, Y, strict=True)]
    for of in (np.asarray, torch.asarray):
        D = np.asarray(rkhs.distance(Quartic(), of(A), of(Y)))
        np.testing.assert_allclose(D.diagonal(), truth, rtol=1e-5)


def test_inside_sums_products_and_columns():
    x = np.array([[1.0, 0.5, 2.0], [1.0 + 1e-9, 0.5, 2.0]])
    near = rkhs.distance(Quartic(), x[:, :2])[0, 1]
    columns = rkhs.distance(Columns(Quartic(), [0, 1]), x)[0, 1]
    total = rkhs.distance(Columns(Quartic(), [0, 1]) + Gaussian(1.0), x)[0, 1]
    np.testing.assert_allclose(columns, near, rtol=1e-12)
    np.testing.assert_allclose(total**2, near**2 + 1e-18 * (x[1, 0] - 1.0) ** 2 / 1e-18, rtol=1e-9)


def test_a_switch_is_not_continued():
    class Bent(Dot):
        def profile(self, s):
            return np.where(s > 1.0, 2.0 * s - 1.0, s * s) if isinstance(s, np.ndarray) else s * s

    x = np.array([[1.0], [1.0 + 1e-3]])
    a, b, s = 1.0, x[1, 0] ** 2, x[1, 0]
    truth = a + (2.0 * b - 1.0) - 2.0 * (2.0 * s - 1.0)
    np.testing.assert_allclose(rkhs.distance(Bent(), x)[0, 1] ** 2, truth, rtol=1e-8)
