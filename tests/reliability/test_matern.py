"""Matern kernels of any smoothness against the Bessel function in high precision."""

from functools import cache

import numpy as np
import pytest
from mpmath import mp, mpf

import gramian as gm

pytestmark = pytest.mark.slow


NU = [0.3, 0.5, 1.0, 1.5, 2.5, 3.7, 40.0, np.inf]
DISTANCES = [
    *[5e-324, 1e-300, 1e-160, 1e-100, 1e-30, 1e-16, 1e-12, 1e-8, 1e-6, 1e-4, 1e-3, 0.01, 0.1],
    *[0.3, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0, 8.0, 13.0, 20.0, 35.0, 60.0, 100.0, 250.0, 600.0],
]


@cache
def matern(nu, d, scale=1.0):
    """2^(1-nu)/Gamma(nu) x^nu K_nu(x) with x = sqrt(2 nu) d/scale; Gaussian for nu = inf."""
    with mp.workdps(40):
        d = mpf(float(d)) / mpf(float(scale))
        if np.isinf(nu):
            return mp.exp(-(d**2) / 2)
        v = mpf(float(nu))
        x = mp.sqrt(2 * v) * d
        if x == 0:
            return mpf(1)
        return 2 ** (1 - v) / mp.gamma(v) * x**v * mp.besselk(v, x)


def column(nu, distances, scale=1.0):
    X = np.asarray(distances, dtype=float)[:, None]
    return gm.kernels.Matern(nu=nu, scale=scale).pairwise(X, np.zeros((1, 1)))[:, 0]


@pytest.mark.parametrize("nu", [*NU, 0.05, 10.0, 150.0])
def test_twelve_digits_from_very_near_to_very_far(nu):
    computed = column(nu, DISTANCES)
    for d, value in zip(DISTANCES, computed, strict=True):
        truth = matern(nu, d)
        assert np.isfinite(value), (d, value)
        if truth > 1e-290:
            assert abs(mpf(float(value)) - truth) <= mpf("1e-12") * truth, (d, value, float(truth))
        else:
            assert 0 <= value <= 1e-289, (d, value)


@pytest.mark.parametrize("scale", [1e-3, 0.7, 1e6])
@pytest.mark.parametrize("nu", NU)
def test_the_scale_divides_the_distance(nu, scale):
    distances = scale * np.array([1e-9, 0.01, 0.5, 1.0, 4.0, 12.0])
    for d, value in zip(distances, column(nu, distances, scale), strict=True):
        truth = matern(nu, d, scale)
        assert abs(mpf(float(value)) - truth) <= mpf("1e-12") * truth


@pytest.mark.parametrize("nu", NU)
def test_it_falls_from_one_without_a_jump(nu):
    distances = np.concatenate([[0.0], np.geomspace(1e-320, 1e3, 1500)])
    values = column(nu, distances)
    assert values[0] == 1.0
    assert np.all(np.diff(values) <= 8 * np.finfo(float).eps)
    assert np.all((values >= 0) & (values <= 1))


@pytest.mark.parametrize("nu", NU)
def test_what_is_missing_to_one_is_right_near_zero(nu):
    distances = np.geomspace(1e-20, 1e-2, 40)
    for d, value in zip(distances, column(nu, distances), strict=True):
        assert abs(mpf(float(value)) - matern(nu, d)) <= 1e-14


@pytest.mark.parametrize("nu", [0.5, 1.5, 2.5])
def test_half_integers_agree_with_their_neighbours(nu):
    d = np.geomspace(1e-6, 20.0, 60)
    np.testing.assert_allclose(column(np.nextafter(nu, 9), d), column(nu, d), rtol=1e-12)
    np.testing.assert_allclose(column(np.nextafter(nu, 0), d), column(nu, d), rtol=1e-12)


@pytest.mark.parametrize("nu", [0.0, -1.0, np.nan, -np.inf])
def test_an_impossible_smoothness_is_refused(nu):
    with pytest.raises((ValueError, TypeError), match="nu"):
        column(nu, [1.0])
