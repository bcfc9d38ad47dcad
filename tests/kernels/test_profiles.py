"""Derivatives and gaps of kernels that users write, against mpmath."""

import math

import numpy as np
import pytest
from mpmath import mp, mpf
from scipy import special
from tests.contracts.kernel import exact_slope

import gramian as gm
from gramian._core.array import exp, namespace, sqrt
from gramian._core.pairs import Pairs, Points
from gramian.kernels import Dot, Gaussian, Matern, Radial
from gramian.kernels.radial import gap_by_integration, numerical_derivative

pytestmark = pytest.mark.slow


def matern_7_2(t):
    z = sqrt(7.0 * t)
    return (1.0 + z + 2.0 * z * z / 5.0 + z * z * z / 15.0) * exp(-z)


def wendland(t):
    xp = namespace(t)
    r = xp.sqrt(xp.clip(t, 0.0, None))
    return xp.clip(1.0 - r, 0.0, None) ** 4 * (4.0 * r + 1.0)


def exact_wendland(t):
    r = mp.sqrt(t)
    return max(1 - r, 0) ** 4 * (4 * r + 1)


def sinc(t):
    r = np.sqrt(t)
    return np.where(t > 0, np.sin(r) / np.where(t > 0, r, 1.0), 1.0)


def exact_matern_7_2(t):
    z = mp.sqrt(7 * t)
    return (1 + z + 2 * z**2 / 5 + z**3 / 15) * mp.exp(-z)


# A profile, and the same in numbers of mpmath.
PROFILES = {
    "cauchy": (lambda t: 1.0 / (1.0 + t), lambda t: 1 / (1 + t)),
    "wide": (lambda t: 1.0 / (1.0 + 1e-8 * t), lambda t: 1 / (1 + mpf(1e-8) * t)),
    "narrow": (lambda t: 1.0 / (1.0 + 1e8 * t), lambda t: 1 / (1 + mpf(1e8) * t)),
    "twice": (lambda t: 2.0 * exp(-3.0 * t), lambda t: 2 * mp.exp(-3 * t)),
    "inverse multiquadric": (lambda t: (1.0 + t) ** -0.5, lambda t: 1 / mp.sqrt(1 + t)),
    "log": (lambda t: 1.0 / (1.0 + np.log1p(t)), lambda t: 1 / (1 + mp.log(1 + t))),
    "kink": (lambda t: exp(-sqrt(t)), lambda t: mp.exp(-mp.sqrt(t))),
    "matern 7/2": (matern_7_2, exact_matern_7_2),
    "wendland": (wendland, exact_wendland),
    "hyperbolic": (lambda t: 1.0 / np.cosh(np.sqrt(t)), lambda t: 1 / mp.cosh(mp.sqrt(t))),
    "sinc": (sinc, lambda t: mp.sin(mp.sqrt(t)) / mp.sqrt(t) if t else mpf(1)),
    "power 0.3": (lambda t: np.exp(-(t**0.3)), lambda t: mp.exp(-(t ** mpf(0.3)))),
    "power 0.9": (lambda t: np.exp(-(t**0.9)), lambda t: mp.exp(-(t ** mpf(0.9)))),
}
T = np.array([1e-200, 1e-60, 1e-24, 1e-18, 1e-12, 1e-9, 1e-6, 1e-4, 1e-2, 0.1, 0.3, 0.9, 2.0, 7.0])


def exact_derivative(name, t):
    if t == 0 or (name == "wendland" and t >= 1):
        return 0.0
    profile = PROFILES[name][1]
    with mp.workdps(500):
        h = mpf(t) * mpf(10) ** -30
        return float((profile(t + h) - profile(t - h)) / (2 * h))


def exact_gaps(name):
    with mp.workdps(450):
        return [float(PROFILES[name][1](mpf(0)) - PROFILES[name][1](mpf(t))) for t in T]


@pytest.mark.parametrize("name", PROFILES)
def test_a_derivative_that_nobody_wrote_has_nine_digits_where_the_profile_has_moved(name):
    profile, exact = PROFILES[name]
    moved = T[np.abs(exact_gaps(name)) >= 1e-4 * float(exact(mpf(0)))]
    expected = [exact_derivative(name, t) for t in moved]
    actual = numerical_derivative(profile, moved)
    np.testing.assert_allclose(actual, expected, rtol=1e-9, atol=1e-14)


SMOOTH = [name for name in PROFILES if name != "kink" and "power" not in name]


@pytest.mark.parametrize("name", SMOOTH)
def test_a_derivative_that_nobody_wrote_near_zero(name):
    """What counts for a gradient is φ′(t)·√t."""
    expected = np.array([exact_derivative(name, t) for t in T])
    error = np.abs(numerical_derivative(PROFILES[name][0], T) - expected) * np.sqrt(T)
    assert error.max() < 1e-7


AT_ZERO = {"cauchy": -1.0, "matern 7/2": -0.7, "wendland": -10.0, "kink": 0.0, "sinc": -1 / 6}


@pytest.mark.parametrize("name", AT_ZERO)
def test_derivatives_at_zero(name):
    actual = numerical_derivative(PROFILES[name][0], np.array([0.0, 1.0]))[0]
    assert actual == pytest.approx(AT_ZERO[name], rel=1e-3)


@pytest.mark.parametrize("name", PROFILES)
def test_gaps_follow_from_an_exact_derivative_to_twelve_digits(name):
    profile, _ = PROFILES[name]

    def derivative(t):
        return np.array([exact_derivative(name, x) for x in t])

    few = slice(None, None, 4)
    actual = gap_by_integration(profile, derivative, T[few])
    np.testing.assert_allclose(actual, exact_gaps(name)[few], rtol=1e-12)


@pytest.mark.parametrize("name", PROFILES)
def test_gaps_without_a_derivative_have_the_digits_of_the_profile(name):
    class Custom(Radial):
        def __init__(self, scale=1.0):
            self.scale = scale

        def profile(self, t):
            return PROFILES[name][0](t)

    top = float(PROFILES[name][1](mpf(0)))
    np.testing.assert_allclose(Custom().gap(T), exact_gaps(name), rtol=1e-13, atol=4e-16 * top)


def test_an_integral_ends_where_the_profile_switches():
    """Both sides of the switch are met at 1, with other derivatives."""

    def profile(t):
        return np.where(t < 1e-4, 1.0 - t, 1.0 - 1e-4 - 3.0 * (t - 1e-4))

    def derivative(t):
        return np.where(t < 1e-4, -1.0, -3.0)

    t = np.array([1e-12, 5e-5, 2e-4, 1e-3])
    actual = gap_by_integration(profile, derivative, t)
    np.testing.assert_allclose(actual, [1e-12, 5e-5, 4e-4, 2.8e-3], rtol=1e-11)


class Bounded(Radial):
    """A profile whose derivative is at most 1."""

    steepness = 1.0

    def __init__(self, scale="median"):
        self.scale = scale

    def profile(self, t):
        return 1.0 / (1.0 + t)


def test_the_bound_decides_how_exact_small_distances_are():
    """With the bound as large as it is, kernel values keep 12 digits far from the origin."""
    x = np.random.default_rng(0).standard_normal((40, 3)) * 1e-4
    far = np.vstack([x + 1.0, x - 1.0])
    expected = np.array([[1 / (1 + float(((a - b) ** 2).sum()) * 1e6) for b in far] for a in far])
    actual = gm.kernels.Kernel.block(Bounded(1e-3), Pairs(Points(far)))
    np.testing.assert_allclose(actual, expected, rtol=1e-12)


class Other(Gaussian):
    """Another profile: what the Gaussian says of its own is not this one's."""

    def profile(self, t):
        return 1.0 / (1.0 + t)


def test_a_new_profile_has_its_own_derivative_gap_and_bound():
    t = np.array([1e-3, 1.0])
    np.testing.assert_allclose(Other(1.0).derivative(t), -1.0 / (1.0 + t) ** 2, rtol=1e-9)
    np.testing.assert_allclose(Other(1.0).gap(t), t / (1.0 + t), rtol=1e-12)
    assert Other.steepness == math.inf
    with pytest.raises(gm.errors.InputError, match="no random Fourier features"):
        Other(1.0).frequencies(np.random.default_rng(0), 2, 3)


class Bessel(Radial):
    """A profile that calls SciPy."""

    def __init__(self, scale="median"):
        self.scale = scale

    def profile(self, t):
        return special.j0(np.sqrt(np.maximum(t, 0.0)))


class BesselWithDerivative(Bessel):
    def derivative(self, t):
        r = np.sqrt(t)
        return -0.5 * np.where(r > 0, special.j1(r) / np.where(r > 0, r, 1.0), 0.5)


def test_gradients_and_pre_images_without_a_derivative():
    X = np.random.default_rng(1).standard_normal((15, 2))
    plain, exact = (gm.KernelPCA(2, kernel=kind(3.0)).fit(X) for kind in KINDS)
    gradients = (gm.importance.gradient(fitted).to_numpy() for fitted in (plain, exact))
    np.testing.assert_allclose(*gradients, rtol=1e-8)
    images = [
        fitted.inverse_transform(fitted.coordinates_, method="fixed_point")
        for fitted in (plain, exact)
    ]
    np.testing.assert_allclose(*images, atol=1e-6)


KINDS = (Bessel, BesselWithDerivative)


def test_a_derivative_that_a_class_writes_is_enough_for_its_gap():
    t = np.array([1e-24, 1e-12, 1e-6])
    with mp.workdps(60):
        expected = [float(1 - mp.besselj(0, mp.sqrt(mpf(x)))) for x in t]
    assert BesselWithDerivative(1.0).differentiable
    np.testing.assert_allclose(BesselWithDerivative(1.0).gap(t), expected, rtol=1e-12)


@pytest.mark.parametrize("nu", [0.8, 1.00005, 1.2, 2.0, 2.00005, 4.3, 12.0, 29.4, 40.0, 200.0])
def test_matern_of_any_smoothness(nu):
    def profile(t):
        z = mp.sqrt(2 * mpf(nu) * t)
        return 2 ** (1 - mpf(nu)) / mp.gamma(mpf(nu)) * z ** mpf(nu) * mp.besselk(mpf(nu), z)

    t = np.array([1e-20, 1e-10, 1e-5, 1e-3, 0.1, 2.0])
    expected = [exact_slope(profile, x) for x in t]
    np.testing.assert_allclose(Matern(nu, 1.0).derivative(t), expected, rtol=1e-11)
    with mp.workdps(80):
        expected = [float(1 - profile(mpf(x))) for x in t]
    np.testing.assert_allclose(Matern(nu, 1.0).gap(t), expected, rtol=1e-11)


class Quartic(Dot):
    psd = True

    def profile(self, s):
        return s**4


class QuarticWithDerivative(Quartic):
    def derivative(self, s):
        return 4.0 * s**3


def test_kernels_of_the_inner_product():
    assert not Quartic().differentiable and QuarticWithDerivative().differentiable
    with pytest.raises(gm.errors.InputError, match=r"Quartic.* write derivative\(s\)"):
        Quartic().derivative(np.ones(2))
    X = np.random.default_rng(1).standard_normal((15, 2))
    plain, exact = (
        gm.importance.gradient(gm.KernelPCA(2, kernel=kernel()).fit(X)).to_numpy()
        for kernel in (Quartic, QuarticWithDerivative)
    )
    np.testing.assert_allclose(plain, exact, rtol=1e-5)
    assert not (Quartic() + Gaussian(1.0)).differentiable
    assert gm.kernels.Laplacian(1.0).differentiable
