"""Kernels of the inner product: the base class and the usual ones."""

import numpy as np

from gramian._core.array import Array, is_sparse, namespace, to_numpy, unit_within
from gramian._core.check import is_number, number, positive, short, warn
from gramian._core.pairs import Pairs, Points, refuse_long
from gramian.errors import InputError, ZeroRowWarning
from gramian.kernels.base import Change, Gamma, Kernel, Names, Weights
from gramian.kernels.composite import Parts
from gramian.kernels.pullback import change_origin
from gramian.kernels.registry import register


class Dot(Kernel):
    """k(x, y) = profile(s), s = ⟨x, y⟩; a subclass writes `profile`.

    A class that writes `derivative`, profile′, has exact gradients (`gm.importance.gradient`).

    >>> class Quartic(Dot):
    ...     psd = True
    ...
    ...     def profile(self, s):
    ...         return s**4
    >>> float(Quartic()([[2.0]], [[1.0]])[0, 0])
    16.0
    """

    takes_sparse = True
    any_precision = True

    def _parts_about(self, points: Points) -> Kernel:
        return change_origin(self, points, float(abs(self.profile(np.zeros(1))[0])))

    def profile(self, s: Array) -> Array:
        """Return the kernel's value as a function of s = ⟨x, y⟩, elementwise."""
        raise NotImplementedError

    def derivative(self, s: Array) -> Array:
        """Return profile′(s), elementwise."""
        name = type(self).__name__
        raise InputError(f"kernel: {name} has no derivative: write derivative(s), profile′(s)")

    @property
    def differentiable(self) -> bool:  # type: ignore[override]
        """Whether the class writes `derivative`."""
        return type(self).derivative is not Dot.derivative

    def evaluate(self, pairs: Pairs) -> Array:
        """Return the profile of the inner products."""
        return self.profile(pairs.dot())

    def slope(self, pairs: Pairs) -> Array:
        """profile′(⟨x, y⟩)·y, by differences where the class has no derivative."""
        if not self.differentiable:
            return super().slope(pairs)
        return self.derivative(pairs.dot())[:, :, None] * pairs.Y[None, :, :]

    def self_similarity(self, X: Array) -> Array:
        """Return the profile of |x|²."""
        refuse_long(Points(X))
        if is_sparse(X):
            return self.profile(np.asarray(X.multiply(X).sum(axis=1)).ravel())
        return self.profile(namespace(X).sum(X * X, axis=1))


@register
class Linear(Dot):
    """The linear kernel, k(x, y) = ⟨x, y⟩; its kernel PCA is PCA.

    >>> float(Linear()([[1.0, 2.0]], [[3.0, 4.0]])[0, 0])
    11.0
    """

    psd: bool | None = True
    shift_changes: Change = "means"

    def profile(self, s: Array) -> Array:
        """The identity."""
        return s

    def derivative(self, s: Array) -> Array:
        """One."""
        return namespace(s).ones_like(s)

    def squared_distance(self, pairs: Pairs) -> Array:
        """|x − y|²."""
        return pairs.squared_distance()


class _ScaledDot(Dot):
    """A profile of scale·⟨x, y⟩ + offset; a scale of "columns" is 1/p."""

    scale: float | str
    gamma = Gamma(lambda scale: scale, lambda gamma: gamma, 1.0)
    aliases = frozenset({"gamma"})

    def resolve(self, points: Points, weights: Weights = None, names: Names = None) -> Kernel:
        """Return the kernel with its scale a number."""
        if not (isinstance(self.scale, str) and self.scale == "columns"):
            return self
        return type(self)(**self.get_params(deep=False) | {"scale": 1.0 / points.X.shape[1]})


@register("polynomial", "poly")
class Polynomial(_ScaledDot):
    """The polynomial kernel, k(x, y) = (scale·⟨x, y⟩ + offset)^degree.

    Parameters
    ----------
    degree : int
        The exponent, at least 1.
    offset : float
        The constant added to the inner product; negative values lose positive definiteness.
    scale : float or "columns"
        The factor of the inner product; "columns" is 1/p for p columns, scikit-learn's default.
    gamma : float, optional
        scikit-learn's name for `scale`, which it replaces.

    >>> float(Polynomial(degree=2, offset=1.0)([[1.0, 2.0]], [[3.0, 4.0]])[0, 0])
    144.0
    """

    def __init__(
        self,
        degree: int = 3,
        offset: float = 1.0,
        scale: float | str = 1.0,
        *,
        gamma: float | None = None,
    ) -> None:
        self.degree = degree
        self.offset = offset
        self.scale = scale
        if gamma is not None:
            _ScaledDot.gamma.start(self, scale, gamma)

    @property
    def psd(self) -> bool | None:  # type: ignore[override]
        """True for a non-negative offset; a negative one gives negative coefficients."""
        return True if number(self.offset, "offset") >= 0 else None

    @property
    def shift_changes(self) -> Change:  # type: ignore[override]
        """The means, of degree 1; more of any other."""
        return "means" if self.degree == 1 else "values"

    def about(self, points: Points) -> Kernel:
        """Return scale·⟨x − c, y − c⟩ of degree 1, without the offset that centring takes off."""
        plain = self.degree != 1 or self.offset == 0
        return super().about(points) if plain else Polynomial(1, 0.0, self.scale).about(points)

    def profile(self, s: Array) -> Array:
        """(scale·s + offset)^degree."""
        return self._base(s) ** self._degree

    def derivative(self, s: Array) -> Array:
        """degree·scale·(scale·s + offset)^(degree − 1)."""
        return self._degree * positive(self.scale, "scale") * self._base(s) ** (self._degree - 1)

    @property
    def _degree(self) -> int:
        whole = is_number(self.degree) and float(self.degree).is_integer()
        if not whole or self.degree < 1:
            raise InputError(f"degree={short(self.degree)} must be a whole number of at least 1")
        return int(self.degree)

    def _base(self, s: Array) -> Array:
        return positive(self.scale, "scale") * s + number(self.offset, "offset")

    def squared_distance(self, pairs: Pairs) -> Array:
        """That of a power of scale·⟨x, y⟩ + offset."""
        scale, offset = positive(self.scale, "scale"), number(self.offset, "offset")
        inner = Parts.of(Linear(), pairs)
        a, b, K = (scale * part + offset for part in (inner.a, inner.b, inner.K))
        return (Parts(a, b, K, scale * inner.D) ** self._degree).D


@register
class Sigmoid(_ScaledDot):
    """The sigmoid, tanh(scale·⟨x, y⟩ + offset): used as a kernel, but not positive semi-definite.

    The parameters are those of `Polynomial`, without the degree.

    >>> float(Sigmoid(scale=0.5)([[1.0, 0.0]], [[1.0, 0.0]])[0, 0].round(6))
    0.462117
    """

    psd: bool | None = False

    def __init__(
        self, scale: float | str = 1.0, offset: float = 0.0, *, gamma: float | None = None
    ) -> None:
        self.scale = scale
        if gamma is not None:
            _ScaledDot.gamma.start(self, scale, gamma)
        self.offset = offset

    def profile(self, s: Array) -> Array:
        """tanh(scale·s + offset)."""
        return namespace(s).tanh(self._base(s))

    def derivative(self, s: Array) -> Array:
        """scale/cosh²(scale·s + offset)."""
        xp = namespace(s)
        decay = xp.exp(-2.0 * xp.abs(self._base(s)))  # of the larger half, which may overflow
        return number(self.scale, "scale") * 4.0 * decay / (1.0 + decay) ** 2

    def squared_distance(self, pairs: Pairs) -> Array:
        """2(cosh(m)·sinh(d) − sinh²(h)·sinh(k))/(cosh a·cosh b·cosh k), which loses no digits.

        a, b and k are the arguments of tanh for (x, x), (y, y) and (x, y), m ± h = a, b and
        d = m − k = ½·scale·|x − y|².
        """
        inner = Parts.of(Linear(), pairs)
        xp, scale = namespace(inner.D), number(self.scale, "scale")
        a, b, k = (self._base(part) for part in (inner.a, inner.b, inner.K))
        d, h = 0.5 * scale * inner.D, 0.5 * scale * (inner.a - inner.b)
        most = 28.0 if a.dtype == xp.float32 else 230.0  # three factors stay within the numbers
        small = (xp.abs(a) < most) & (xp.abs(b) < most) & (xp.abs(k) < most)
        zero = xp.zeros_like(inner.D)
        a, b, k, d, h = (xp.where(small, part + zero, zero) for part in (a, b, k, d, h))
        bend = xp.cosh(k + d) * xp.sinh(d) - xp.sinh(h) ** 2 * xp.sinh(k)
        D = 2.0 * bend / (xp.cosh(a) * xp.cosh(b) * xp.cosh(k))
        return D if bool(xp.all(small)) else xp.where(small, D, super().squared_distance(pairs))

    def _base(self, s: Array) -> Array:
        return number(self.scale, "scale") * s + number(self.offset, "offset")


@register
class Cosine(Kernel):
    """The cosine, k(x, y) = ⟨x, y⟩/(|x|·|y|).

    A row of zeros has no direction: its cosine with every row, itself included, is set to 0 and a
    `ZeroRowWarning` is issued.

    >>> float(Cosine()([[3.0, 4.0]], [[1.0, 0.0]])[0, 0])
    0.6
    """

    psd: bool | None = True
    takes_sparse = True
    any_precision = True
    differentiable = True

    def slope(self, pairs: Pairs) -> Array:
        """(y/|y| − cos·x/|x|)/|x|, 0 for a row of zeros."""
        length = pairs.norms("rows")
        safe = namespace(length).where(length > 0, length, namespace(length).ones_like(length))
        units = pairs.through("unit rows", _unit_rows)
        along = self.evaluate(pairs)[:, :, None] * units.X[:, None, :]
        slope = (units.Y[None, :, :] - along) / safe[:, None, None]
        return slope * namespace(length).astype(length > 0, length.dtype)[:, None, None]

    def evaluate(self, pairs: Pairs) -> Array:
        """Return the inner products of the rows brought to length 1."""
        C = pairs.through("unit rows", _unit_rows).dot()
        return namespace(C).clip(C, -1.0, 1.0)

    def squared_distance(self, pairs: Pairs) -> Array:
        """|x/|x| − y/|y||²."""
        return pairs.through("unit rows", _unit_rows).squared_distance()

    def self_similarity(self, X: Array) -> Array:
        """One, or zero for a zero row."""
        length = Pairs(Points(_of_common_size(X))).norms("rows")
        return namespace(length).astype(length > 0, length.dtype)

    def _parts_about(self, points: Points) -> Kernel:
        return change_origin(self, points)


def _of_common_size(X: Array) -> Array:
    """Return rows whose lengths keep their digits: cosines are the same in any unit."""
    values = X.data if is_sparse(X) else X
    xp = namespace(values)
    unit = unit_within(float(xp.max(xp.abs(values))) if values.shape[0] else 1.0, values)
    low, high = (1e-30, 1e30) if str(values.dtype).endswith("float32") else (1e-290, 1e290)
    return X if low < unit < high else X * (1.0 / unit)


def _unit_rows(X: Array) -> Array:
    X = _of_common_size(X)
    length = Pairs(Points(X)).norms("rows")
    zero = np.flatnonzero(to_numpy(length) == 0)
    if zero.size:
        warn(
            f"X has {zero.size} row(s) of zeros (the first is {zero[0]}), which have no direction: "
            "their cosine with every row counts as 0; drop them if that is not intended",
            ZeroRowWarning,
        )
    safe = namespace(length).where(length > 0, length, namespace(length).ones_like(length))
    if is_sparse(X):
        return (X.multiply(1.0 / safe[:, None])).tocsr()
    return X / safe[:, None]
