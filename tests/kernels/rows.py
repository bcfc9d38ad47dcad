"""The kernels under contract: one row each."""

import numpy as np
from mpmath import mp, mpf
from sklearn.gaussian_process import kernels as gp
from tests import naive
from tests.contracts.kernel import Row, cloud

from gramian.kernels import (
    Callback,
    Chi2,
    Columns,
    Cosine,
    Exponential,
    FromDistance,
    Function,
    Gaussian,
    Gower,
    Laplacian,
    Linear,
    Matern,
    Polynomial,
    Precomputed,
    RationalQuadratic,
    Sigmoid,
)
from gramian.kernels.radial import SquaredDistance


def first_squared(X):
    return X[:, 0] ** 2


def halved(X):
    return 0.5 * X


def inner_products(X, Y):
    return X @ Y.T


gaussian, linear = naive.gaussian(1.5), naive.linear()
FEW = {"X": cloud(9), "Y": cloud(3, seed=9)}  # 30 digits of a Bessel function take their time
polynomial = naive.polynomial(2, 1.0, 0.5)


def bessel(nu):
    """Matérn's profile in numbers of mpmath."""

    def profile(t):
        z = mp.sqrt(2 * mpf(nu) * t)
        return 2 ** (1 - mpf(nu)) / mp.gamma(mpf(nu)) * z ** mpf(nu) * mp.besselk(mpf(nu), z)

    return profile


def matern(name, nu, **points):
    return Row(
        f"matern {name}",
        Matern(nu=nu, scale=1.5),
        naive.matern(nu, 1.5),
        profile=bessel(nu),
        **points,
    )


def bell(t):
    return mp.exp(-t / 2)


RADIAL = [
    Row("gaussian", Gaussian(scale=1.5), gaussian, profile=bell),
    Row(
        "exponential",
        Exponential(scale=1.5),
        naive.exponential(1.5),
        profile=lambda t: mp.exp(-mp.sqrt(t)),
    ),
    matern("0.3", 0.3, **FEW),
    matern("1/2", 0.5),
    matern("1", 1.0, **FEW),
    matern("3/2", 1.5),
    matern("5/2", 2.5),
    matern("3.7", 3.7, **FEW),
    Row("matern inf", Matern(nu=np.inf, scale=1.5), gaussian, profile=bell),
    Row(
        "rational quadratic",
        RationalQuadratic(scale=1.5, alpha=0.7),
        naive.rational_quadratic(1.5, 0.7),
        profile=lambda t: (1 + t / (2 * mpf(0.7))) ** -mpf(0.7),
    ),
    Row(
        "squared distance",
        SquaredDistance(scale=2.0),
        lambda x, y: -naive.squared_distance(x, y) / 8,
        profile=lambda t: -t / 2,
    ),
]
DOT = [
    Row("linear", Linear(), linear, profile=lambda s: s),
    Row(
        "polynomial",
        Polynomial(degree=2, offset=1.0, scale=0.5),
        polynomial,
        profile=lambda s: (s / 2 + 1) ** 2,
    ),
    Row(
        "polynomial -1",
        Polynomial(degree=3, offset=-1.0),
        naive.polynomial(3, -1.0, 1.0),
        rtol=1e-10,
        profile=lambda s: (s - 1) ** 3,
    ),
    Row(
        "sigmoid",
        Sigmoid(scale=0.5, offset=-0.1),
        naive.sigmoid(0.5, -0.1),
        profile=lambda s: mp.tanh(s / 2 - mpf(0.1)),
    ),
]
OTHER = [
    Row("laplacian", Laplacian(scale=1.5), naive.laplacian(1.5)),
    Row(
        "chi2",
        Chi2(scale=1.5),
        naive.chi2(1.5),
        X=np.maximum(cloud(), 0.0),  # with columns that are 0 in both rows
        Y=np.maximum(cloud(n=7, seed=9), 0.0),
    ),
    Row("cosine", Cosine(), naive.cosine()),
    Row(
        "function",
        Function(first_squared),
        lambda x, y: float(x[0]) ** 2 * float(y[0]) ** 2,
        code=True,
    ),
    Row("callback", Callback(inner_products), linear, code=True),
    Row("from distance", FromDistance("euclidean", scale=1.5), gaussian),
]
MADE = [
    Row("sum", Gaussian(1.5) + Linear(), lambda x, y: gaussian(x, y) + linear(x, y)),
    Row(
        "sum of radial",
        Gaussian(1.5) + Exponential(1.5),
        lambda x, y: gaussian(x, y) + naive.exponential(1.5)(x, y),
    ),
    Row("shifted", 2.0 + Linear(), lambda x, y: 2 + linear(x, y)),
    Row("scaled", 0.5 * Gaussian(1.5), lambda x, y: 0.5 * gaussian(x, y)),
    Row(
        "product",
        Matern(nu=1.5, scale=1.5) * Gaussian(1.5),
        lambda x, y: naive.matern(1.5, 1.5)(x, y) * gaussian(x, y),
    ),
    Row("power", Linear() ** 3, lambda x, y: linear(x, y) ** 3, rtol=1e-10),
    Row("polynomial of", Linear().polynomial([1, 0, 2]), lambda x, y: 1 + 2 * linear(x, y) ** 2),
    Row("exp", (0.2 * Linear()).exp(), lambda x, y: np.exp(0.2 * linear(x, y))),
    Row("on a map", Gaussian(1.5).on(halved), naive.gaussian(3.0), code=True),
    Row(
        "normalized",
        Polynomial(2, 1.0, 0.5).normalized(),
        lambda x, y: polynomial(x, y) / np.sqrt(polynomial(x, x) * polynomial(y, y)),
    ),
    Row(
        "columns",
        Columns(Gaussian(1.5), [2, 0]),
        lambda x, y: gaussian((x[2], x[0]), (y[2], y[0])),
    ),
    Row(
        "gower",
        Columns(Gower([1.5, 0.0, 2.5]), [0, 1, 2]),
        lambda x, y: naive.gower([1.5, 0.0, 2.5])(x[:3], y[:3]),
    ),
    Row("columns slice", Columns(Linear(), slice(1, 3)), lambda x, y: linear(x[1:3], y[1:3])),
    Row(
        "nested",
        (0.3 * Columns(Gaussian(1.5), [1]) + Linear() ** 2).normalized(),
        lambda x, y: _nested(x, y) / np.sqrt(_nested(x, x) * _nested(y, y)),
    ),
]
# Kernels that see NumPy arrays only, by what they are given.
NUMPY = [
    Row(
        "city blocks",
        FromDistance("cityblock", scale=1.5),
        lambda x, y: np.exp(-(naive.manhattan(x, y) ** 2) / 4.5),
    ),
    Row("scikit-learn's", Callback(2.0 * gp.RBF(1.5)), lambda x, y: 2 * gaussian(x, y), code=True),
]
# Points that are row numbers.
NUMBERED = [
    Row(
        "precomputed",
        Precomputed(np.outer(np.arange(30.0), np.arange(30.0)) + np.eye(30)),
        lambda x, y: float(x[0] * y[0]) + float(x[0] == y[0]),
        X=np.arange(23)[:, None],
        Y=np.arange(20, 27)[:, None],
    ),
]


def _nested(x, y):
    return 0.3 * gaussian(x[1:2], y[1:2]) + linear(x, y) ** 2


VECTOR = [*RADIAL, *DOT, *OTHER, *MADE]
EVERY = [*VECTOR, *NUMPY, *NUMBERED]
