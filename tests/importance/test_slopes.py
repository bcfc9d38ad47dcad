"""Derivatives of profiles against mpmath."""

import mpmath
import numpy as np
import pytest

import gramian as gm
from gramian.kernels.slopes import profile_slope

K = gm.kernels


def matern(nu):
    def k(t):
        z = mpmath.sqrt(2 * nu * t)
        return 2 ** (1 - nu) / mpmath.gamma(nu) * z**nu * mpmath.besselk(nu, z)

    return k


CASES = [
    (K.Gaussian(scale=1.0), lambda t: mpmath.exp(-t / 2)),
    (K.Exponential(scale=1.0), lambda t: mpmath.exp(-mpmath.sqrt(t))),
    (K.RationalQuadratic(scale=1.0, alpha=0.7), lambda t: (1 + t / 1.4) ** mpmath.mpf(-0.7)),
    *[
        (K.Matern(nu=nu, scale=1.0), matern(mpmath.mpf(nu)))
        for nu in (0.5, 0.8, 1.5, 2.0, 2.5, 4.3)
    ],
    (K.Linear(), lambda s: s),
    (K.Polynomial(degree=3, offset=0.5, scale=2.0), lambda s: (2 * s + 0.5) ** 3),
    (K.Sigmoid(scale=0.3, offset=0.1), lambda s: mpmath.tanh(mpmath.mpf(0.3) * s + 0.1)),
]


@pytest.mark.parametrize(("kernel", "profile"), CASES, ids=[repr(k) for k, _ in CASES])
@pytest.mark.parametrize("t", [1e-6, 0.3, 1.0, 7.0])
def test_against_mpmath(kernel, profile, t):
    with mpmath.workdps(40):
        expected = float(mpmath.diff(profile, mpmath.mpf(t)))
    assert profile_slope(kernel)(np.array([t]))[0] == pytest.approx(expected, rel=1e-7)


def test_at_zero():
    for kernel, _ in CASES:
        assert np.isfinite(profile_slope(kernel)(np.zeros(2))).all()
    assert profile_slope(K.Matern(nu=4.3))(np.zeros(1))[0] == pytest.approx(-4.3 / 6.6)


def test_unknown_kernels_have_none():
    assert profile_slope(K.Laplacian(scale=1.0)) is None
    assert profile_slope(K.Gaussian(scale=1.0) + K.Linear()) is None
