"""Taylor arithmetic: every rule against mpmath, and refusals of what has no rule."""

import math

import mpmath
import numpy as np
import pytest
from array_api_compat import array_namespace
from scipy import special

from gramian.errors import InputError
from gramian.kernels.jets import Undifferentiable, applied

mp = mpmath.mp

# A function written with the array API, and the same in numbers of mpmath.
FUNCTIONS = {
    "exp": (lambda xp, t: xp.exp(-t), lambda t: mp.exp(-t)),
    "exp2": (lambda xp, t: np.exp2(-t), lambda t: mpmath.mpf(2) ** -t),
    "expm1": (lambda xp, t: xp.expm1(-t), lambda t: mp.exp(-t) - 1),
    "log": (lambda xp, t: xp.log(1.5 + t), lambda t: mp.log(1.5 + t)),
    "log1p": (lambda xp, t: xp.log1p(t), lambda t: mp.log(1 + t)),
    "log2": (lambda xp, t: xp.log2(1.5 + t), lambda t: mp.log(1.5 + t) / mp.log(2)),
    "log10": (lambda xp, t: xp.log10(1.5 + t), lambda t: mp.log10(1.5 + t)),
    "sqrt": (lambda xp, t: xp.sqrt(0.2 + t), lambda t: mp.sqrt(mpmath.mpf(0.2) + t)),
    "square": (lambda xp, t: xp.square(t + 1.0), lambda t: (t + 1) ** 2),
    "sin": (lambda xp, t: xp.sin(t), mp.sin),
    "cos": (lambda xp, t: xp.cos(t), mp.cos),
    "tan": (lambda xp, t: xp.tan(0.1 * t), lambda t: mp.tan(mpmath.mpf(0.1) * t)),
    "sinh": (lambda xp, t: xp.sinh(t), mp.sinh),
    "cosh": (lambda xp, t: xp.cosh(t), mp.cosh),
    "tanh": (lambda xp, t: xp.tanh(t), mp.tanh),
    "atan": (lambda xp, t: xp.atan(t), mp.atan),
    "abs": (lambda xp, t: xp.abs(t - 1.0), lambda t: abs(t - 1)),
    "maximum": (lambda xp, t: xp.maximum(t * t, t), lambda t: max(t * t, t)),
    "minimum": (lambda xp, t: xp.minimum(t * t, t), lambda t: min(t * t, t)),
    "clip": (lambda xp, t: xp.clip(t * t, 0.5, 4.0), lambda t: min(max(t * t, 0.5), 4)),
    "where": (lambda xp, t: xp.where(t < 1.0, t**3, -t), lambda t: t**3 if t < 1 else -t),
    "reciprocal": (lambda xp, t: np.reciprocal(1.0 + t), lambda t: 1 / (1 + t)),
    "pow": (lambda xp, t: xp.pow(1.0 + t, -2.5), lambda t: (1 + t) ** mpmath.mpf(-2.5)),
    "whole power": (lambda xp, t: t**5 - t**2 + t**0, lambda t: t**5 - t**2 + 1),
    "negative power": (lambda xp, t: (1.0 + t) ** -3, lambda t: (1 + t) ** -3),
    "number to a power": (lambda xp, t: 2.0**-t, lambda t: mpmath.mpf(2) ** -t),
    "power of two": (lambda xp, t: (1.0 + t) ** t, lambda t: (1 + t) ** t),
    "quotient": (lambda xp, t: (1.0 + t) / (2.0 + t * t), lambda t: (1 + t) / (2 + t * t)),
    "difference": (lambda xp, t: 3.0 - (t - 1.0), lambda t: 4 - t),
    "constants": (lambda xp, t: xp.zeros_like(t) + 2.0 * xp.ones_like(t) * t, lambda t: 2 * t),
    "numpy's functions": (
        lambda xp, t: np.where(t > 1.0, np.exp(-np.sqrt(t)), np.multiply(t, np.float64(2))),
        lambda t: mp.exp(-mp.sqrt(t)) if t > 1 else 2 * t,
    ),
    "in place": (lambda xp, t: _in_place(t), lambda t: mp.exp(-t / 2)),
    "out": (lambda xp, t: _out(t), lambda t: mp.exp(-t / 2) + 1),
    "two names": (lambda xp, t: _two_names(t), lambda t: 1 / (1 + t) ** 2),
    "a part": (lambda xp, t: _part(t), lambda t: -t if t > 2 else t * t),
}


def _in_place(t):
    t *= -0.5
    return np.exp(t, out=t)


def _out(t):
    np.multiply(t, -0.5, out=t)
    np.exp(t, out=t)
    t += 1.0
    return t


def _two_names(t):
    r = t
    r += 1.0
    r **= 2
    return 1.0 / t


def _part(t):
    square = t * t
    square[t > 2.0] = -t[t > 2.0]
    return square


T = np.array([[0.3, 0.9, 1.7], [2.2, 3.0, 5.5]])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_value_and_derivative_of_every_rule(name):
    function, exact = FUNCTIONS[name]
    value, slope = applied(
        lambda t: function(array_namespace(t), t), np.stack([T, np.ones((2, 3))])
    )
    with mp.workdps(40):
        expected = [[float(mpmath.diff(exact, mpmath.mpf(t))) for t in row] for row in T]
        values = [[float(exact(mpmath.mpf(t))) for t in row] for row in T]
    np.testing.assert_allclose(value, values, rtol=1e-14)
    np.testing.assert_allclose(slope, expected, rtol=1e-13, atol=1e-15)


SMOOTH = [
    name
    for name in FUNCTIONS
    if name not in ("where", "maximum", "minimum", "clip", "abs", "numpy's functions", "a part")
]


@pytest.mark.parametrize("name", SMOOTH)
def test_many_coefficients_are_those_of_taylor(name):
    function, exact = FUNCTIONS[name]
    coefs = np.zeros((12, 1))
    coefs[:2, 0] = 0.4, 1.0
    actual = applied(lambda t: function(array_namespace(t), t), coefs)[:, 0]
    with mp.workdps(60):
        expected = [float(c) for c in mpmath.taylor(exact, mpmath.mpf(0.4), 11)]
    np.testing.assert_allclose(actual, expected, rtol=1e-12, atol=1e-13)


def test_zeros_that_cancel():
    """sin(x)/x and √(x²) at 0, where numbers alone give 0/0."""
    x = np.zeros((14, 1))
    x[1] = 1.0
    sinc = applied(lambda t: np.sin(t) / t, x)[:, 0]
    expected = [0 if k % 2 else (-1) ** (k // 2) / math.factorial(k + 1) for k in range(13)]
    np.testing.assert_allclose(sinc, expected, atol=1e-18)
    assert applied(lambda t: np.sqrt(t * t), x)[:3, 0].tolist() == [0.0, 1.0, 0.0]


def looks(t):
    return t if t.shape[0] and float(t[0]) > 0 else -t


REFUSED = {
    "values": lambda t: np.asarray(t) * 2,
    "a look": looks,
    "a branch": lambda t: t if t > 1 else -t,
    "a sum": lambda t: t / t.sum(),
    "np.sum": lambda t: t / np.sum(t),
    "scipy": lambda t: special.j0(t),
    "an array exponent": lambda t: t ** np.ones(1),
    "rounding": lambda t: np.floor(t),
    "an iteration": lambda t: [x for x in t],
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_rule_is_refused(name):
    with pytest.raises(Undifferentiable):
        applied(REFUSED[name], np.ones((2, 3)))


def test_a_refusal_of_the_profile_itself_is_kept():
    def profile(t):
        raise InputError("alpha=-1 must be a positive finite number")

    with pytest.raises(InputError, match="alpha"):
        applied(profile, np.ones((2, 1)))


def test_a_series_without_whole_powers_is_refused():
    square = np.zeros((8, 1))
    square[2] = 1.0
    for profile in (lambda t: t**0.3, lambda t: 1.0 / t, lambda t: np.log(t)):
        with pytest.raises(Undifferentiable):
            applied(profile, square)
