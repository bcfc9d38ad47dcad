"""Squared distances of near points under kernels of the product, in 60 digits."""

import mpmath
import numpy as np
import pytest
import torch
from mpmath import mp, mpf
from scipy import sparse

from gramian._core.pairs import Pairs, Points
from gramian.kernels import Dot, Linear, Polynomial, Sigmoid

# A kernel, and the exact function of the product.
TRUTH = {
    "polynomial": (Polynomial(4, 0.5), lambda s: (s + mpf(0.5)) ** 4),
    "exp": (Linear().exp(), mpmath.exp),
    "sigmoid": (Sigmoid(0.3, -0.2), lambda s: mp.tanh(mpf(0.3) * s - mpf(0.2))),
    "falling sigmoid": (Sigmoid(-0.3, 0.7), lambda s: mp.tanh(mpf(-0.3) * s + mpf(0.7))),
}
X = np.random.default_rng(71).standard_normal((6, 3)) * 0.8


def exact(function, x, y):
    with mp.workdps(60):
        x, y = ([mpf(float(v)) for v in row] for row in (x, y))
        a, b, s = (mpmath.fdot(p, q) for p, q in ((x, x), (y, y), (x, y)))
        return float(function(a) + function(b) - 2 * function(s))


def distances(kernel, X, Y):
    A = Points(X)
    return np.asarray(kernel.squared_distance(Pairs(A, Points(Y, A)))).diagonal()


@pytest.mark.parametrize("step", [1e-1, 1e-3, 1e-6, 1e-9])
@pytest.mark.parametrize("name", TRUTH)
@pytest.mark.parametrize("of", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
def test_near_points_keep_their_distance(name, step, of):
    """Nothing is lost but what rounding takes of |x|² − |y|²."""
    kernel, function = TRUTH[name]
    Y = X + step * np.random.default_rng(72).standard_normal(X.shape)
    truth = [exact(function, x, y) for x, y in zip(X, Y, strict=True)]
    lost = 1e-12 + 4e-15 / step
    np.testing.assert_allclose(distances(kernel, of(X), of(Y)), truth, rtol=lost)


@pytest.mark.parametrize("name", TRUTH)
def test_single_precision_and_torch(name):
    kernel, function = TRUTH[name]
    A, Y = X.astype("f4"), (X + 1e-1).astype("f4")
    truth = [exact(function, x, y) for x, y in zip(A, Y, strict=True)]
    for of in (np.asarray, torch.asarray):
        np.testing.assert_allclose(distances(kernel, of(A), of(Y)), truth, rtol=1e-4)


def test_a_sigmoid_of_numbers_whose_exponential_overflows():
    far, near = X * 1e3, X * 1e3 + 1e-3
    truth = [exact(lambda s: mp.tanh(s), x, y) for x, y in zip(far, near, strict=True)]
    np.testing.assert_allclose(distances(Sigmoid(), far, near), truth, atol=1e-15)
    K = Sigmoid().derivative(np.array([-1e4, 0.0, 1e4]))
    assert K.tolist() == [0.0, 1.0, 0.0]


class Quartic(Dot):
    psd = True

    def profile(self, s):
        return s**4


@pytest.mark.parametrize("step", [1e-1, 1e-6])
def test_a_custom_profile_keeps_the_digits_of_its_values(step):
    Y = X + step
    truth = [exact(lambda s: s**4, x, y) for x, y in zip(X, Y, strict=True)]
    size = Quartic().diag(X) + Quartic().diag(Y)
    error = np.abs(distances(Quartic(), X, Y) - truth)
    assert (error <= 8 * np.finfo(float).eps * size).all()


def test_a_saturated_sigmoid_is_not_seen_from_another_origin():
    """Its distances of 1e-30 and less are true, but below the rounding of its values."""
    points = Points(X + 20.0)
    kernel = Sigmoid(1.0, 1.0)
    assert kernel.about(points) is kernel
