"""Kernels made of kernels: the closure of the positive semi-definite cone, node by node."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from gramian._core.array import Array, namespace
from gramian._core.check import is_list, is_number, number, short, whole
from gramian._core.pairs import Pairs, Points
from gramian.distances import mixed
from gramian.errors import InputError, InputTypeError
from gramian.kernels.base import Change, Kernel, Names, one_value
from gramian.kernels.registry import register

_CHANGES: tuple[Change, ...] = ("nothing", "means", "values")


@register(short=False)
class Constant(Kernel):
    """The constant kernel, k(x, y) = value ≥ 0.

    >>> float(Constant(2.0)([[1.0], [5.0]])[0, 1])
    2.0
    """

    psd: bool | None = True
    takes_sparse = True
    any_precision = True
    shift_changes: Change = "nothing"
    differentiable = True

    def __init__(self, value: float = 1.0) -> None:
        if not is_number(value) or not 0 <= value < np.inf:
            raise InputError(
                f"a kernel can be multiplied or shifted by {short(value)} only if it is ≥ 0"
            )
        self.value = value

    def with_reader(self, reader: mixed.Gower, names: Names = None) -> Kernel:
        """Return itself: it compares nothing."""
        return self

    def evaluate(self, pairs: Pairs) -> Array:
        """The value, for every pair."""
        return pairs.full(self.value)

    def slope(self, pairs: Pairs) -> Array:
        """Zero."""
        return 0.0 * (pairs.X[:, None, :] + 0.0 * pairs.Y[None, :, :])

    def squared_distance(self, pairs: Pairs) -> Array:
        """Zero: every point has the same image."""
        return 0.0 * self.evaluate(pairs)

    def self_similarity(self, X: Array) -> Array:
        """The value, for every row."""
        return one_value(X, self.value)


class Parts:
    """Values K, both diagonals a and b, and squared distances D = a + b − 2K of a kernel."""

    def __init__(self, a: Array, b: Array, K: Array, D: Array) -> None:
        self.a, self.b, self.K, self.D = a, b, K, D

    @classmethod
    def of(cls, kernel: Kernel, pairs: Pairs) -> Parts:
        """Return the parts of a kernel."""
        return cls(*kernel.diagonals(pairs), kernel.block(pairs), kernel.squared_distance(pairs))

    def __mul__(self, other: Parts) -> Parts:
        """Return the parts of the product of two kernels.

        With h = ½(k(x, x) − k(y, y)) and s = ½(k(x, x) + k(y, y)) = k(x, y) + ½D of each,
        a₁a₂ + b₁b₂ − 2k₁k₂ = 2h₁h₂ + k₁D₂ + s₂D₁.
        """
        h = 0.5 * (self.a - self.b) * (other.a - other.b)
        D = h + self.K * other.D + 0.5 * (other.a + other.b) * self.D
        return Parts(self.a * other.a, self.b * other.b, self.K * other.K, D)

    def __pow__(self, exponent: int) -> Parts:
        """Return the parts of k^exponent, for an exponent of at least 1."""
        total = self
        for _ in range(exponent - 1):
            total = total * self
        return total


def _flag_of_parts(name: str, combine: Callable[..., bool] = all) -> property:
    """Return a property: whether all parts of a kernel have a flag, or any of them."""

    def value(kernel: Composite) -> bool:
        return combine(getattr(part, name) for part in kernel._inner_kernels())

    return property(value, doc=f"Whether {combine.__name__} of its parts have it.")


class Composite(Kernel):
    """A function of other kernels' values, `value`, which has a flag where its parts have it."""

    part_names: tuple[str, ...] = ("kernel",)

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    def _inner_kernels(self) -> list[Kernel]:
        return [inner(getattr(self, name), name) for name in self.part_names]

    def value(self, *k: Array) -> Array:
        """Return the function of the parts' values, elementwise."""
        raise NotImplementedError

    def evaluate(self, pairs: Pairs) -> Array:
        """The function of the parts' values."""
        return self.value(*(part.evaluate(pairs) for part in self._inner_kernels()))

    def partials(self, *k: Array) -> Sequence[Array]:
        """Return the derivatives of `value` in each part's values, elementwise."""
        raise NotImplementedError

    def slope(self, pairs: Pairs) -> Array:
        """The chain rule; by differences where the derivative of a part is not known."""
        if not self.differentiable:
            return super().slope(pairs)
        parts = self._inner_kernels()
        weights = self.partials(*(part.evaluate(pairs) for part in parts))
        slopes = [w[:, :, None] * k.slope(pairs) for w, k in zip(weights, parts, strict=True)]
        return sum(slopes[1:], start=slopes[0])

    def self_similarity(self, X: Array) -> Array:
        """The function of the parts' diagonals."""
        return self.value(*(part.self_similarity(X) for part in self._inner_kernels()))

    @property
    def is_affine(self) -> bool:
        """Whether the function is affine in each part, which leaves means what they are."""
        return False

    @property
    def shift_changes(self) -> Change:  # type: ignore[override]
        """The largest change of its parts; of means, all where the function is not affine."""
        change = max((k.shift_changes for k in self._inner_kernels()), key=_CHANGES.index)
        return change if self.is_affine or change == "nothing" else "values"

    def _parts_about(self, points: Points) -> Kernel:
        return self._map_parts(lambda part: part.about(points)) if self.is_affine else self

    @property
    def psd(self) -> bool | None:  # type: ignore[override]
        """True when all parts are; otherwise unknown."""
        return True if all(part.psd for part in self._inner_kernels()) else None

    takes_sparse = _flag_of_parts("takes_sparse")
    any_precision = _flag_of_parts("any_precision")
    takes_vectors = _flag_of_parts("takes_vectors")
    differentiable = _flag_of_parts("differentiable")
    takes_categories = _flag_of_parts("takes_categories", any)


def inner(kernel: object, name: str) -> Kernel:
    """Return a part of a kernel, which is a kernel itself."""
    if not isinstance(kernel, Kernel):
        raise InputTypeError(f"{name}={short(kernel)} must be a Kernel, such as Linear()")
    return kernel


class Binary(Composite):
    """Two kernels on the same points."""

    part_names = ("left", "right")

    def __init__(self, left: Kernel, right: Kernel) -> None:
        self.left = left
        self.right = right


@register(short=False)
class Sum(Binary):
    """k₁ + k₂.

    >>> float(Sum(gm.kernels.Linear(), gm.kernels.Constant(1.0))([[2.0]], [[3.0]])[0, 0])
    7.0
    """

    is_affine = True

    def value(self, *k: Array) -> Array:
        """k₁ + k₂."""
        return k[0] + k[1]

    def partials(self, *k: Array) -> Sequence[Array]:
        """Ones."""
        return [namespace(part).ones_like(part) for part in k]

    def squared_distance(self, pairs: Pairs) -> Array:
        """The sum of the two squared distances."""
        return self.left.squared_distance(pairs) + self.right.squared_distance(pairs)

    def about(self, points: Points) -> Kernel:
        """Return the sum without a constant, which centring takes off: small values drown in it."""
        if is_constant(self.left) or is_constant(self.right):
            return (self.right if is_constant(self.left) else self.left).about(points)
        return super().about(points)


@register(short=False)
class Product(Binary):
    """k₁ · k₂; `0.5 * k` is the product with a constant.

    >>> float(Product(gm.kernels.Constant(0.5), gm.kernels.Linear())([[2.0]], [[3.0]])[0, 0])
    3.0
    """

    def value(self, *k: Array) -> Array:
        """k₁ · k₂."""
        return k[0] * k[1]

    def partials(self, *k: Array) -> Sequence[Array]:
        """The other value."""
        return k[1], k[0]

    def squared_distance(self, pairs: Pairs) -> Array:
        """By the rule of a product."""
        return (Parts.of(self.left, pairs) * Parts.of(self.right, pairs)).D

    @property
    def is_affine(self) -> bool:
        """Whether it is a multiple: means that are multiplied are no means."""
        return is_constant(self.left) or is_constant(self.right)


def is_constant(kernel: Kernel) -> bool:
    """Whether a kernel is a number, or a formula of numbers."""
    if isinstance(kernel, Binary):
        return is_constant(kernel.left) and is_constant(kernel.right)
    return isinstance(kernel, Constant)


@register(short=False)
class Power(Composite):
    """k^exponent for a whole exponent of at least 1.

    >>> float(Power(gm.kernels.Linear(), 2)([[2.0]], [[3.0]])[0, 0])
    36.0
    """

    def __init__(self, kernel: Kernel, exponent: int) -> None:
        whole(exponent, "exponent")
        self.kernel = kernel
        self.exponent = exponent

    @property
    def is_affine(self) -> bool:
        """Whether it is the kernel itself."""
        return self.exponent == 1

    def value(self, *k: Array) -> Array:
        """k^exponent."""
        return k[0] ** int(self.exponent)

    def partials(self, *k: Array) -> Sequence[Array]:
        """exponent·k^(exponent − 1)."""
        return [int(self.exponent) * k[0] ** (int(self.exponent) - 1)]

    def squared_distance(self, pairs: Pairs) -> Array:
        """By the rule of a product, repeatedly."""
        return (Parts.of(self.kernel, pairs) ** int(self.exponent)).D


@register(short=False)
class Exp(Composite):
    """e^k.

    >>> float(Exp(gm.kernels.Linear())([[0.0]], [[3.0]])[0, 0])
    1.0
    """

    def value(self, *k: Array) -> Array:
        """e^k."""
        return namespace(k[0]).exp(k[0])

    def partials(self, *k: Array) -> Sequence[Array]:
        """e^k."""
        return [self.value(*k)]

    def squared_distance(self, pairs: Pairs) -> Array:
        """e^a + e^b − 2e^k = 2e^k·(expm1(½D) + 2·e^{½D}·sinh²(½h)), h = ½(a − b)."""
        p = Parts.of(self.kernel, pairs)
        xp = namespace(p.D)
        half = 0.5 * p.D
        bend = 2.0 * xp.exp(half) * xp.sinh(0.25 * (p.a - p.b)) ** 2
        return 2.0 * xp.exp(p.K) * (xp.expm1(half) + bend)


@register(short=False)
class PolynomialOf(Composite):
    """Σ c_i k^i, coefficients from the constant term up.

    >>> float(PolynomialOf(gm.kernels.Linear(), (1.0, 0.0, 2.0))([[1.0]], [[3.0]])[0, 0])
    19.0
    """

    def __init__(self, kernel: Kernel, coefs: Sequence[float]) -> None:
        if not is_list(coefs) or not len(coefs):
            raise InputError(f"coefs={short(coefs)} must be a list of numbers, at least one")
        for c in coefs:
            number(c, "coefs", least=0.0)
        self.kernel = kernel
        self.coefs = coefs if isinstance(coefs, tuple) else tuple(coefs)

    @property
    def is_affine(self) -> bool:
        """Whether no power above the first has a part."""
        return not any(self.coefs[2:])

    def about(self, points: Points) -> Kernel:
        """Return the multiple of a line, without the constant that centring takes off."""
        if not self.is_affine or len(self.coefs) < 2:
            return self
        return (Constant(self.coefs[1]) * self.kernel).about(points)

    def value(self, *k: Array) -> Array:
        """Horner's scheme."""
        total = namespace(k[0]).zeros_like(k[0])
        for c in reversed(self.coefs):
            total = total * k[0] + float(c)
        return total

    def partials(self, *k: Array) -> Sequence[Array]:
        """Σ i·c_i k^(i − 1)."""
        lower = [i * float(c) for i, c in enumerate(self.coefs)][1:] or [0.0]
        return [PolynomialOf(self.kernel, lower).value(*k)]

    def squared_distance(self, pairs: Pairs) -> Array:
        """The sum of those of the powers."""
        one = Parts.of(self.kernel, pairs)
        power, total = one, 0.0 * one.D
        for c in self.coefs[1:]:
            total = total + float(c) * power.D
            power = power * one
        return total


@register(short=False)
class Normalized(Composite):
    """k(x, y)/√(k(x, x)·k(y, y)): every point brought to length 1 in feature space.

    >>> float(Normalized(gm.kernels.Linear())([[3.0, 4.0]], [[1.0, 0.0]])[0, 0])
    0.6
    """

    def evaluate(self, pairs: Pairs) -> Array:
        """The inner values over the two lengths."""
        rows, cols = self._lengths(pairs.A)[pairs.rows], self._lengths(pairs.B)[pairs.cols]
        return self.kernel.evaluate(pairs) / (rows[:, None] * cols[None, :])

    def slope(self, pairs: Pairs) -> Array:
        """∂k/√(ab) − ½·k/√(ab)·∂a/a, a = k(x, x) and b = k(y, y)."""
        if not self.differentiable:
            return Kernel.slope(self, pairs)
        rows, cols = self._lengths(pairs.A)[pairs.rows], self._lengths(pairs.B)[pairs.cols]
        size = (rows[:, None] * cols[None, :])[:, :, None]
        turn = self.kernel.slope_of_diagonal(pairs.X) / (rows**2)[:, None]
        return (
            self.kernel.slope(pairs) / size
            - 0.5 * (self.kernel.evaluate(pairs)[:, :, None] / size) * turn[:, None, :]
        )

    def squared_distance(self, pairs: Pairs) -> Array:
        """2 − 2k/√(ab) = (D − (√a − √b)²)/√(ab); a point of length 0 stays at the origin."""
        p = Parts.of(self.kernel, pairs)
        xp = namespace(p.D)
        live = (p.a > 0) & (p.b > 0)
        one = xp.ones_like(p.D)
        size = xp.where(live, xp.sqrt(xp.abs(p.a)) * xp.sqrt(xp.abs(p.b)), one)
        apart = xp.sqrt(xp.abs(p.a)) - xp.sqrt(xp.abs(p.b))
        a, b = self.diagonals(pairs)
        return xp.where(live, (p.D - apart**2) / size, a + b)

    def _lengths(self, points: Points) -> Array:
        """√k(x, x), computed once; a point of length 0 keeps its zero values."""

        def make() -> Array:
            d = self.kernel.self_similarity(points.X)
            xp = namespace(d)
            if not bool(xp.all(xp.isfinite(d))):
                raise InputError("X: the values of the kernel overflow: rescale the data")
            return xp.sqrt(xp.where(d > 0, d, xp.ones_like(d)))

        # The kernel goes into the value, so that its identity is not given to another one.
        return points.memoize(("length of", id(self.kernel)), lambda: (self.kernel, make()))[1]

    def self_similarity(self, X: Array) -> Array:
        """One, or zero for a point of length 0."""
        d = self.kernel.self_similarity(X)
        return namespace(d).astype(d > 0, d.dtype)
