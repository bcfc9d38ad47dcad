"""Derivatives of kernels: against mpmath and central differences of kernel values."""

import mpmath
import numpy as np
import pandas as pd
import pytest

import gramian as gm
from gramian.errors import InputError
from gramian.kernels import (
    Callback,
    Columns,
    Constant,
    Cosine,
    Exponential,
    FromDistance,
    Function,
    Gaussian,
    Laplacian,
    Linear,
    Matern,
    Normalized,
    Polynomial,
    RationalQuadratic,
    Sigmoid,
)
from gramian.kernels.pullback import Rooted, Shifted, Standardized

RNG = np.random.default_rng(0)
X, Y = RNG.standard_normal((4, 3)), RNG.standard_normal((5, 3))
G = Gaussian(1.5)
KERNELS = {
    "linear": Linear(),
    "polynomial": Polynomial(3, 1.0, 0.5),
    "sigmoid": Sigmoid(0.3, 0.1),
    "gaussian": G,
    "exponential": Exponential(2.0),
    "matern": Matern(0.8, 1.2),
    "matern 5/2": Matern(2.5, 1.2),
    "rational": RationalQuadratic(1.1, 0.7),
    "laplacian": Laplacian(2.0),
    "cosine": Cosine(),
    "constant": Constant(2.0),
    "sum": G + 0.5 * Linear(),
    "product": G * Polynomial(2),
    "power": (Linear() + 1.0) ** 3,
    "exp": (0.2 * Linear()).exp(),
    "polynomial of": G.polynomial([1.0, 0.5, 2.0]),
    "normalized": Polynomial(2).normalized(),
    "normalized sum": Normalized(G + Linear()),
    "columns": Columns(G, [2, 0]),
    "slice": Columns(Polynomial(2), slice(1, 3)),
    "standardized": Standardized(G, np.array([1.0, 2.0, 3.0]), np.array([2.0, 0.0, 0.5])),
    "shifted": Shifted(Polynomial(2), np.array([1.0, 2.0, 3.0])),
    "rooted": Rooted(Polynomial(2), np.array([1.0, 2.0, 3.0])),
    "deep": (Columns(G, [0]) * Cosine() + Linear()).normalized() ** 2,
    "mapped": G.on(lambda X: X**2),
    "mapped sum": G.on(np.tanh) + Linear(),
    "normalized map": G.on(np.exp).normalized(),
    "function": Function(lambda X: X[:, 0] ** 2),
    "callable": Callback(lambda X, Y: (X @ Y.T) ** 2),
    "metric": FromDistance("cosine", 1.0),
}


def differences(kernel, X, Y, h=1e-5):
    """Richardson's central differences of kernel values."""
    out = np.empty((len(X), len(Y), X.shape[1]))
    for j in range(X.shape[1]):
        e = np.eye(X.shape[1])[j]
        one, two = (
            (kernel.pairwise(X + s * e, Y) - kernel.pairwise(X - s * e, Y)) / (2 * s)
            for s in (h, 2 * h)
        )
        out[:, :, j] = (4 * one - two) / 3
    return out


@pytest.mark.slow
@pytest.mark.parametrize("name", KERNELS)
def test_gradients_are_those_of_the_values(name):
    kernel = KERNELS[name]
    slope = kernel.gradient(X, Y)
    assert slope.shape == (4, 5, 3)
    np.testing.assert_allclose(slope, differences(kernel, X, Y), rtol=1e-6, atol=1e-8)


EXACT = {
    "gaussian": lambda d, s: mpmath.exp(-(d**2) / (2 * s**2)),
    "exponential": lambda d, s: mpmath.exp(-d / s),
    "rational": lambda d, s: (1 + d**2 / (2 * mpmath.mpf(0.7) * s**2)) ** -mpmath.mpf(0.7),
}


@pytest.mark.parametrize("name", EXACT)
def test_gradients_have_all_their_digits(name):
    mpmath.mp.dps = 40
    kernel, profile = KERNELS[name], EXACT[name]
    x, y, s = ([mpmath.mpf(float(v)) for v in row] for row in (X[0], Y[1], [kernel.scale]))

    def value(first):
        d = mpmath.sqrt((first - y[0]) ** 2 + (x[1] - y[1]) ** 2 + (x[2] - y[2]) ** 2)
        return profile(d, s[0])

    exact = float(mpmath.diff(value, x[0]))
    np.testing.assert_allclose(kernel.gradient(X, Y)[0, 1, 0], exact, rtol=1e-13)


def test_at_a_kink_it_is_zero_and_at_a_smooth_top_too():
    for kernel in (Exponential(1.0), G, Laplacian(1.0), Matern(0.5, 1.0)):
        slope = kernel.gradient(X)
        np.testing.assert_array_equal(slope[np.arange(4), np.arange(4)], 0.0)


def test_the_slope_of_the_diagonal():
    for kernel in (Polynomial(2), G + Linear() ** 2, Cosine()):
        step = 1e-6 * np.eye(3)
        ends = [kernel.diag(X[:1] + s * step) for s in (1, -1)]
        expected = (ends[0] - ends[1]) / 2e-6
        np.testing.assert_allclose(kernel.slope_of_diagonal(X)[0], expected, atol=1e-8)


def test_tables_names_scales_and_zero_rows():
    frame = pd.DataFrame(X, columns=list("abc"))
    by_name = Columns(Gaussian(), ["c", "a"]).gradient(frame, pd.DataFrame(Y, columns=list("abc")))
    scale = gm.kernels.median_scale(X[:, [2, 0]])
    np.testing.assert_allclose(by_name, Columns(Gaussian(scale), [2, 0]).gradient(X, Y))
    with pytest.warns(gm.errors.ZeroRowWarning):
        slope = Cosine().gradient([[0.0, 0.0], [1.0, 1.0]], [[1.0, 0.0]])
    assert (slope[0] == 0).all()
    from scipy import sparse

    np.testing.assert_allclose(G.gradient(sparse.csr_array(X), Y), G.gradient(X, Y))


def test_an_offset_costs_no_digits():
    np.testing.assert_allclose(G.gradient(X + 2.0**20, Y + 2.0**20), G.gradient(X, Y), atol=1e-9)


def test_libraries_and_precisions_stay():
    torch = pytest.importorskip("torch")
    for kernel in (G, Linear() * G, Columns(G, [1]), Cosine(), Laplacian(1.0)):
        there = kernel.gradient(torch.as_tensor(X), torch.as_tensor(Y))
        assert isinstance(there, torch.Tensor)
        np.testing.assert_allclose(there.numpy(), kernel.gradient(X, Y), atol=1e-12)
    assert G.gradient(X.astype(np.float32), Y.astype(np.float32)).dtype == np.float32


def test_what_has_no_derivative():
    for kernel in (gm.kernels.Gower(), gm.kernels.sequence.Spectrum(2)):
        with pytest.raises(InputError, match="have no derivative"):
            kernel.gradient(X, Y)
    with pytest.raises(InputError, match="Y has 2 columns but X has 3"):
        G.gradient(X, Y[:, :2])
