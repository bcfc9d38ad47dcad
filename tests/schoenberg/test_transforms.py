"""Schoenberg's transforms: values, measures, and the theorem in both directions."""

import math

import numpy as np
import pandas as pd
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf
from scipy.integrate import quad
from scipy.spatial.distance import pdist, squareform
from scipy.special import gamma
from tests.outside._reference import load

import gramian as gm
from gramian import schoenberg
from gramian.validity import is_cnd, is_psd

few = settings(max_examples=30, deadline=None, derandomize=True)
STORED = load("documents/documents.json")["results"]["doc004_schoenberg"]
T, A, P = STORED["t"], STORED["a"], STORED["p"]

# the transform, and the measure dg(λ) = g(λ) dλ it is the integral of
TRANSFORMS = {
    "power": (lambda D2: schoenberg.power(D2, P), lambda x: P / gamma(1 - P) * x**-P),
    "log": (lambda D2: schoenberg.log(D2, A), lambda x: math.exp(-A * x)),
    "rational": (lambda D2: schoenberg.rational(D2, A), lambda x: x * math.exp(-A * x)),
    "exponential": (lambda D2: schoenberg.exponential(D2, A), None),
}


def test_against_the_recomputed_numbers():
    for name, key in (("exponential", "phi1"), ("log", "phi2"), ("rational", "phi3")):
        assert float(TRANSFORMS[name][0]([T])[0]) == pytest.approx(STORED[key][-1], rel=1e-12)
    assert float(TRANSFORMS["power"][0]([T])[0]) == pytest.approx(STORED["phi4"][1], rel=1e-12)
    assert float(schoenberg.identity([T])[0]) == T


@pytest.mark.parametrize("name", ["power", "log", "rational"])
@pytest.mark.parametrize("t", [0.2, 1.7, 5.0])
def test_they_are_the_integrals_of_their_measures(name, t):
    """Φ(t) = ∫ (1 − e^{−λt})/λ g(λ) dλ."""
    transform, g = TRANSFORMS[name]

    def integrand(x):
        return -math.expm1(-x * t) / x * g(x)

    value = quad(integrand, 0, 1, limit=300)[0] + quad(integrand, 1, np.inf, limit=300)[0]
    assert float(transform([t])[0]) == pytest.approx(value, rel=1e-6)


@pytest.mark.parametrize("name", TRANSFORMS)
def test_they_are_bernstein_functions(name):
    """Φ ≥ 0 and (−1)^(k−1) Φ^(k) ≥ 0: it is Φ′ that is completely monotone, not Φ."""
    with mp.workdps(40):
        a, p = mpf(A), mpf(P)
        exact = {
            "power": lambda t: t**p,
            "log": lambda t: mp.log(1 + t / a),
            "rational": lambda t: t / (a * (a + t)),
            "exponential": lambda t: (1 - mp.exp(-a * t)) / a,
        }[name]
        for t in (0.3, 1.7, 6.0):
            assert float(TRANSFORMS[name][0]([t])[0]) == pytest.approx(
                float(exact(mpf(t))), rel=1e-13
            )
            for k in range(1, 6):
                assert (-1) ** (k - 1) * mp.diff(exact, mpf(t), k) > 0


@st.composite
def clouds(draw):
    n, p = draw(st.integers(2, 14)), draw(st.integers(1, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    return squareform(pdist(rng.standard_normal((n, p)))) ** 2 * 10.0 ** draw(st.integers(-3, 3))


@pytest.mark.slow
@few
@given(clouds(), st.floats(0.05, 1.0), st.floats(1e-3, 1e3))
def test_squared_distances_stay_squared_distances(D2, p, a):
    both = schoenberg.compose((schoenberg.power, p), (schoenberg.log, a))
    for new in (
        schoenberg.identity(D2),
        schoenberg.power(D2, p),
        schoenberg.log(D2, a),
        schoenberg.rational(D2, a),
        schoenberg.exponential(D2, a),
        both(D2),
        2.0 * schoenberg.power(D2, p) + schoenberg.log(D2, a),
    ):
        assert is_cnd(new)
        assert not new.diagonal().any() and np.array_equal(new, new.T)
        assert is_psd(np.exp(-new / new.max()))


NOT = {
    "t^1.5": lambda t: t**1.5,
    "t^2": lambda t: t**2,
    "e^t − 1": lambda t: np.expm1(np.minimum(t, 50.0)),
    "sin": lambda t: 1.0 - np.cos(t),
    "a step": lambda t: (t > 1.0).astype(float),
    "min(t, 1)": lambda t: np.minimum(t, 1.0),
    "t/(1 + t²)": lambda t: t / (1.0 + t**2),
    "(1 − e^{−t})²": lambda t: np.expm1(-t) ** 2,
}


@pytest.mark.parametrize("name", NOT)
def test_functions_that_are_none_are_caught(name):
    """The other direction: for each there are points whose distances do not survive."""
    found = schoenberg.is_transform(NOT[name])
    assert not found
    D2 = NOT[name](squareform(pdist(found.points)) ** 2)
    c = found.witness
    assert abs(c.sum()) < 1e-12 and c @ D2 @ c > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", TRANSFORMS)
def test_the_search_finds_nothing_against_true_ones(name):
    found = schoenberg.is_transform(TRANSFORMS[name][0])
    assert found and not found.certain


def test_exponential_is_half_the_squared_distance_in_a_gaussian_feature_space():
    X = np.random.default_rng(0).standard_normal((9, 2))
    D2 = gm.distances.squared_euclidean(X)
    d = gm.rkhs.distance(gm.kernels.Gaussian.from_gamma(0.7), X)
    np.testing.assert_allclose(0.7 * schoenberg.exponential(D2, 0.7), 0.5 * d**2, rtol=1e-12)


def test_small_and_large_numbers():
    tiny, huge = np.array([1e-300, 1e-20]), np.array([1e300])
    for transform in (schoenberg.log, schoenberg.rational, schoenberg.exponential):
        np.testing.assert_allclose(transform(tiny, 1.0), tiny, rtol=1e-14)
        assert np.isfinite(transform(huge, 1.0)).all()
    assert float(schoenberg.exponential(huge, 2.0)[0]) == 0.5
    assert float(schoenberg.rational(huge, 2.0)[0]) == 0.5
    assert float(schoenberg.log(huge, 1e-300)[0]) == pytest.approx(600 * math.log(10), rel=1e-14)
    np.testing.assert_allclose(schoenberg.exponential([2.0], 1e-12), [2.0], rtol=1e-11)
    np.testing.assert_allclose(schoenberg.power(huge, 0.5), [1e150], rtol=1e-14)


def test_kinds_and_shapes():
    D2 = np.array([[0, 4], [4, 0]])
    expected = np.array([[0.0, 2.0], [2.0, 0.0]])
    assert np.array_equal(schoenberg.power(D2, 0.5), expected)
    assert np.array_equal(schoenberg.power(pd.DataFrame(D2), 0.5), expected)
    t = schoenberg.power(torch.asarray(D2), 0.5)
    assert isinstance(t, torch.Tensor) and np.array_equal(t.numpy(), expected)
    assert schoenberg.power(D2.astype("f4"), 0.5).dtype == np.float32
    assert schoenberg.log(4.0, 2.0) == pytest.approx(math.log(3.0))


@pytest.mark.parametrize(
    "call",
    [
        lambda: schoenberg.power([1.0], 0.0),
        lambda: schoenberg.power([1.0], 1.5),
        lambda: schoenberg.power([1.0], True),
        lambda: schoenberg.log([1.0], 0.0),
        lambda: schoenberg.rational([1.0], -1.0),
        lambda: schoenberg.exponential([1.0], np.inf),
        lambda: schoenberg.power([-1.0, 2.0], 0.5),
        lambda: schoenberg.log([np.nan], 1.0),
        lambda: schoenberg.identity(["a"]),
        lambda: schoenberg.compose(),
    ],
    ids=["p 0", "p 1.5", "p True", "a 0", "a < 0", "a inf", "negative", "nan", "text", "none"],
)
def test_refusals(call):
    with pytest.raises(gm.errors.InputError):
        call()
