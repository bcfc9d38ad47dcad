"""Squared distances in feature space to full digits, k(x, x) + k(y, y) − 2k(x, y).

For points that are close the three terms cancel: the Gaussian of two points 1e-9 apart is 1 to the
last bit. So the distance is carried through the algebra of kernels: a kernel of the distance uses
expm1, a sum adds the distances, a product follows the rule of a product, and only kernels that
nothing is known of are subtracted as they stand.
"""

from __future__ import annotations

import math
from functools import singledispatch
from typing import Any

import numpy as np

from gramian._array import Array, as_kind, is_array, namespace, root, to_numpy
from gramian._pairs import Pairs
from gramian.distances import pairwise as pairwise_distances
from gramian.kernels.base import Kernel, finite, positive
from gramian.kernels.composite import (
    Exp,
    Mapped,
    Normalized,
    PolynomialOf,
    Power,
    Product,
    Sum,
    Unary,
)
from gramian.kernels.dot import Cosine, Linear, Polynomial, _unit_rows
from gramian.kernels.radial import (
    Exponential,
    Gaussian,
    Laplacian,
    Matern,
    RationalQuadratic,
)
from gramian.kernels.special import Columns, Constant, FromDistance, Function
from gramian.rkhs.matern import matern_gap

__all__ = ["Induced", "squared"]


class Induced(Unary):
    """−½|φ(x) − φ(y)|²: the kernel of classical scaling in the feature space of another one.

    It differs from k by terms of x alone and of y alone. What is centred (an axis, a difference of
    means, a covariance) is the same for both, and this one has no large numbers that cancel.

    >>> from gramian.kernels import Gaussian
    >>> float(Induced(Gaussian(1.0))([[0.0]], [[1e-9]])[0, 0])
    -5e-19
    """

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    @property
    def psd(self) -> bool | None:  # type: ignore[override]
        """False: it is positive only on differences."""
        return False

    def evaluate(self, pairs: Pairs) -> Array:
        """−½ of the squared distances in feature space."""
        return -0.5 * squared(self.kernel, pairs)

    def self_similarity(self, X: Any) -> Array:
        """Zero for every point."""
        d = self.kernel.self_similarity(X)
        return namespace(d).zeros_like(d)


@singledispatch
def squared(kernel: Kernel, pairs: Pairs) -> Array:
    """Return |φ(x) − φ(y)|² for every pair of the block, (m, n); never clipped."""
    a, b = _diagonals(kernel, pairs)
    K = kernel.block(pairs)
    return (a - K) + (b - K)


def _diagonals(kernel: Kernel, pairs: Pairs) -> tuple[Array, Array]:
    """Return k(x, x) as a column and k(y, y) as a row."""
    a = kernel.self_similarity(pairs.X)
    return a[:, None], (a if pairs.same else kernel.self_similarity(pairs.Y))[None, :]


def _twice_gap(minus: Array) -> Array:
    """Return 2(1 − e^minus)."""
    return -2.0 * namespace(minus).expm1(minus)


@squared.register
def _gaussian(kernel: Gaussian, pairs: Pairs) -> Array:
    return _twice_gap(-0.5 * pairs.squared_distance(positive(kernel.scale, "scale")))


@squared.register
def _exponential(kernel: Exponential, pairs: Pairs) -> Array:
    return _twice_gap(-root(pairs.squared_distance(positive(kernel.scale, "scale"))))


@squared.register
def _rational_quadratic(kernel: RationalQuadratic, pairs: Pairs) -> Array:
    t, alpha = pairs.squared_distance(positive(kernel.scale, "scale")), kernel.alpha
    return _twice_gap(-alpha * namespace(t).log1p(t / (2.0 * alpha)))


@squared.register
def _laplacian(kernel: Laplacian, pairs: Pairs) -> Array:
    return _twice_gap(-pairs.l1(positive(kernel.scale, "scale")))


@squared.register
def _from_distance(kernel: FromDistance, pairs: Pairs) -> Array:
    d = pairwise_distances(pairs.X, None if pairs.same else pairs.Y, kernel.metric)
    D = _twice_gap(-0.5 * (d / positive(kernel.scale, "scale")) ** 2)
    return as_kind(to_numpy(D), pairs.X) if is_array(pairs.X) else D


@squared.register
def _of_matern(kernel: Matern, pairs: Pairs) -> Array:
    t = pairs.squared_distance(positive(kernel.scale, "scale"))
    nu = kernel._nu
    if nu == math.inf:
        return _twice_gap(-0.5 * t)
    z = np.sqrt(np.maximum(2.0 * nu * to_numpy(t).astype(np.float64), 0.0))
    return as_kind(2.0 * matern_gap(z, nu), t)


@squared.register
def _linear(kernel: Linear, pairs: Pairs) -> Array:
    return pairs.squared_distance()


@squared.register
def _cosine(kernel: Cosine, pairs: Pairs) -> Array:
    return pairs.through("unit rows", _unit_rows).squared_distance()


@squared.register
def _constant(kernel: Constant, pairs: Pairs) -> Array:
    return 0.0 * kernel.evaluate(pairs)


@squared.register
def _function(kernel: Function, pairs: Pairs) -> Array:
    return (kernel._values(pairs.X)[:, None] - kernel._values(pairs.Y)[None, :]) ** 2


@squared.register
def _mapped(kernel: Mapped, pairs: Pairs) -> Array:
    return squared(kernel.kernel, pairs.through(id(kernel.mapping), kernel.mapping))


@squared.register
def _columns(kernel: Columns, pairs: Pairs) -> Array:
    return squared(kernel.kernel, pairs.through(("columns", str(kernel.columns)), kernel._take))


@squared.register
def _sum(kernel: Sum, pairs: Pairs) -> Array:
    return squared(kernel.left, pairs) + squared(kernel.right, pairs)


class Parts:
    """What a kernel is on a block of pairs: values, both diagonals and squared distances."""

    def __init__(self, a: Array, b: Array, K: Array, D: Array) -> None:
        self.a, self.b, self.K, self.D = a, b, K, D

    @classmethod
    def of(cls, kernel: Kernel, pairs: Pairs) -> Parts:
        """Return the parts of a kernel."""
        return cls(*_diagonals(kernel, pairs), kernel.block(pairs), squared(kernel, pairs))

    def __mul__(self, other: Parts) -> Parts:
        """Return the parts of the product of two kernels.

        With h = ½(k(x, x) − k(y, y)) and s = ½(k(x, x) + k(y, y)) = k(x, y) + ½D of each,
        a₁a₂ + b₁b₂ − 2k₁k₂ = 2h₁h₂ + k₁D₂ + s₂D₁.
        """
        h = 0.5 * (self.a - self.b) * (other.a - other.b)
        D = h + self.K * other.D + 0.5 * (other.a + other.b) * self.D
        return Parts(self.a * other.a, self.b * other.b, self.K * other.K, D)


def _power(parts: Parts, exponent: int) -> Parts:
    """Return the parts of k^exponent."""
    total = parts
    for _ in range(exponent - 1):
        total = total * parts
    return total


@squared.register
def _product(kernel: Product, pairs: Pairs) -> Array:
    return (Parts.of(kernel.left, pairs) * Parts.of(kernel.right, pairs)).D


@squared.register
def _of_power(kernel: Power, pairs: Pairs) -> Array:
    return _power(Parts.of(kernel.kernel, pairs), int(kernel.exponent)).D


@squared.register
def _polynomial(kernel: Polynomial, pairs: Pairs) -> Array:
    scale, offset = positive(kernel.scale, "scale"), finite(kernel.offset, "offset")
    p = Parts.of(Linear(), pairs)
    a, b, K = (scale * part + offset for part in (p.a, p.b, p.K))
    return _power(Parts(a, b, K, scale * p.D), int(kernel.degree)).D


@squared.register
def _polynomial_of(kernel: PolynomialOf, pairs: Pairs) -> Array:
    one = Parts.of(kernel.kernel, pairs)
    power, total = one, 0.0 * one.D
    for c in kernel.coefs[1:]:
        total = total + float(c) * power.D
        power = power * one
    return total


@squared.register
def _exp(kernel: Exp, pairs: Pairs) -> Array:
    """e^a + e^b − 2e^k = 2e^k·(expm1(½D) + 2·e^{½D}·sinh²(½h)), h = ½(a − b)."""
    p = Parts.of(kernel.kernel, pairs)
    xp = namespace(p.D)
    half = 0.5 * p.D
    bend = 2.0 * xp.exp(half) * xp.sinh(0.25 * (p.a - p.b)) ** 2
    return 2.0 * xp.exp(p.K) * (xp.expm1(half) + bend)


@squared.register
def _normalized(kernel: Normalized, pairs: Pairs) -> Array:
    """2 − 2k/√(ab) = (D − (√a − √b)²)/√(ab); a point of length 0 stays at the origin."""
    p = Parts.of(kernel.kernel, pairs)
    xp = namespace(p.D)
    live = (p.a > 0) & (p.b > 0)
    one = xp.ones_like(p.D)
    size = xp.where(live, xp.sqrt(xp.abs(p.a)) * xp.sqrt(xp.abs(p.b)), one)
    apart = xp.sqrt(xp.abs(p.a)) - xp.sqrt(xp.abs(p.b))
    a, b = _diagonals(kernel, pairs)
    return xp.where(live, (p.D - apart**2) / size, a + b)
