"""Kernels as text: the traced function gives the kernel's own values."""

import types

import numpy as np
import pytest

from gramian import kernels as k
from gramian._core.operators.symbols import Untraceable, trace
from gramian.kernels.radial import Radial

# The few names of triton.language that generated text uses, for NumPy.
TL = types.SimpleNamespace(
    exp2=np.exp2,
    log2=np.log2,
    sqrt=np.sqrt,
    abs=np.abs,
    maximum=np.maximum,
    minimum=np.minimum,
    where=np.where,
)


class Cauchy(Radial):
    """A kernel as a user would write one."""

    def __init__(self, scale=1.0):
        self.scale = scale

    def profile(self, t):
        return 1.0 / (1.0 + t)


TRACEABLE = [
    k.Gaussian(scale=1.3),
    k.Exponential(scale=0.7),
    k.Matern(nu=0.5, scale=2.0),
    k.Matern(nu=1.5, scale=2.0),
    k.Matern(nu=2.5, scale=2.0),
    k.Matern(nu=np.inf, scale=2.0),
    k.RationalQuadratic(scale=1.1, alpha=0.7),
    Cauchy(scale=0.9),
    k.Linear(),
    k.Polynomial(degree=3, offset=0.5, scale=0.3),
    k.Sigmoid(scale=0.2, offset=-0.1),
    k.Gaussian(scale=1.0) + 0.5 * k.Matern(nu=1.5, scale=1.0) * k.Polynomial(degree=2),
    k.Gaussian(scale=1.0).exp(),
    k.Linear() ** 5,
    (0.1 * k.Linear()).polynomial((1.0, 0.0, 2.0)),
    k.Gaussian(scale=1.0) + 3.0,
]


@pytest.mark.parametrize("kernel", TRACEABLE, ids=[f"{i}" for i in range(len(TRACEABLE))])
@pytest.mark.parametrize("unit", [1.0, 0.25])
def test_text_gives_the_kernels_values(kernel, unit):
    rng = np.random.default_rng(0)
    X, Y = rng.standard_normal((6, 3)), rng.standard_normal((4, 3))
    d2 = ((X[:, None] - Y[None]) ** 2).sum(-1) / unit**2
    traced = trace(kernel, unit, factor=2.0)
    scope = {"tl": TL}
    exec(traced.source, scope)
    found = scope["profile"](d2, X @ Y.T, traced.constants)
    np.testing.assert_allclose(found, 2.0 * kernel(X, Y), rtol=1e-13)


def test_another_scale_is_the_same_text():
    one, two = trace(k.Matern(1.5, scale=1.0)), trace(k.Matern(1.5, scale=3.0))
    assert one.source == two.source
    assert one.constants != two.constants


def test_distances_are_told_with_their_slope():
    assert trace(k.Gaussian(scale=2.0)).radial == ((2.0, 0.5),)
    assert trace(k.Linear()).radial == ()
    assert trace(k.Linear()).uses_dot
    assert not trace(k.Gaussian(scale=2.0)).uses_dot


class Looking(Radial):
    """A profile that branches on values, which no formula can."""

    def __init__(self, scale=1.0):
        self.scale = scale

    def profile(self, t):
        return t if t.sum() > 0 else -t


@pytest.mark.parametrize(
    ("kernel", "reason"),
    [
        (k.Matern(nu=1.2, scale=1.0), "looks at values"),
        (k.Cosine(), "through"),
        (k.Laplacian(scale=1.0), "l1"),
        (k.Gaussian(scale=1.0).normalized(), "A of the pairs"),
        (k.Constant(2.0), "constant"),
        (Looking(), "sum"),
    ],
    ids=["matern", "cosine", "laplacian", "normalized", "constant", "looking"],
)
def test_what_is_no_formula_is_said_so(kernel, reason):
    with pytest.raises(Untraceable, match=reason):
        trace(kernel)
