"""What a kernel is: a record of parameters and one function of pairs."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from numbers import Real
from typing import Any

import numpy as np

from gramian._array import Array, is_array, is_sparse, mirror_upper, namespace
from gramian._pairs import Pairs, Points
from gramian._validate import table
from gramian.errors import InputError

__all__ = ["Dot", "Kernel", "Radial"]


class Parameters:
    """Constructor arguments as parameters, in scikit-learn's manner (grid search, clone, repr)."""

    @classmethod
    def _names(cls) -> list[str]:
        if cls.__init__ is object.__init__:
            return []
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters; with `deep`, those of nested kernels as outer__inner too."""
        own = {name: getattr(self, name) for name in self._names()}
        inner = {
            f"{name}__{key}": value
            for name, nested in own.items()
            if deep and isinstance(nested, Parameters)
            for key, value in nested.get_params().items()
        }
        return own | inner

    def set_params(self, **params: Any) -> Parameters:
        """Set parameters, nested ones as outer__inner."""
        for name, value in params.items():
            outer, _, inner = name.partition("__")
            if outer not in self._names():
                raise InputError(
                    f"{type(self).__name__} has no parameter {outer!r}: {self._names()}"
                )
            if inner:
                getattr(self, outer).set_params(**{inner: value})
            else:
                setattr(self, outer, value)
        return self

    def __repr__(self) -> str:
        given = ", ".join(
            f"{name}={value!r}" for name, value in self.get_params(deep=False).items()
        )
        return f"{type(self).__name__}({given})"

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return False
        mine, theirs = self.get_params(deep=False), other.get_params(deep=False)
        return all(_equal(value, theirs[name]) for name, value in mine.items())

    __hash__ = None  # type: ignore[assignment]


class Kernel(Parameters):
    """A symmetric function k(x, y), the base of all kernels.

    A subclass writes `evaluate(pairs)` and `self_similarity(X)`; `Radial` and `Dot` reduce that
    to a `profile`. `psd` is True where k is positive semi-definite whatever the points, False where
    it is known not to be, None where nobody knows; composition carries it along.

    Examples
    --------
    >>> from gramian.kernels import Gaussian, Linear
    >>> kernel = 2.0 * Gaussian(scale=1.0) + Linear() ** 2
    >>> kernel.psd, float(kernel([[1.0]], [[1.0]])[0, 0])
    (True, 3.0)
    """

    psd: bool | None = None
    takes_sparse = False
    takes_vectors = True  # False for kernels on graphs, strings and other objects
    any_precision = False  # whether single-precision rows give single-precision values

    def evaluate(self, pairs: Pairs) -> Array:
        """Return k(x, y) for every pair of the block, (m, n)."""
        raise NotImplementedError

    def self_similarity(self, X: Any) -> Array:
        """Return k(x, x) for rows that have passed the door, (n,)."""
        raise NotImplementedError

    def diag(self, X: Any) -> Array:
        """Return k(x, x) for every row, (n,)."""
        rows = self._rows(X, "X")
        return self.named(getattr(X, "columns", None), rows).self_similarity(rows)

    def resolve(self, points: Points, weights: Any = None, names: Any = None) -> Kernel:
        """Return the kernel with what depends on the data (a median scale, names) made definite."""
        params = self.get_params(deep=False)
        made = {
            name: value.resolve(points, weights, names) if isinstance(value, Kernel) else value
            for name, value in params.items()
        }
        return type(self)(**made)

    def named(self, names: Any, X: Any) -> Kernel:
        """Return the kernel with column names turned into positions."""
        params = self.get_params(deep=False)
        if not any(isinstance(value, Kernel) for value in params.values()):
            return self
        return type(self)(
            **{k: v.named(names, X) if isinstance(v, Kernel) else v for k, v in params.items()}
        )

    def block(self, pairs: Pairs) -> Array:
        """Return `evaluate`, made symmetric to the last bit where rows and columns are the same."""
        K = self.evaluate(pairs)
        if pairs.same:
            K = mirror_upper(K)
            index = namespace(K).arange(K.shape[0])
            K[index, index] = self.self_similarity(pairs.X)
        return K

    def pairwise(self, X: Any, Y: Any = None) -> Array:
        """Return the matrix k(x, y), x over the rows of X and y over those of Y (or of X)."""
        same = Y is None or Y is X
        A = Points(self._rows(X, "X"))
        kernel = self.resolve(A, names=getattr(X, "columns", None))
        B = A if same else Points(kernel._rows(Y, "Y"), A)
        if self.takes_vectors and A.X.shape[1] != B.X.shape[1]:
            raise InputError(f"Y has {B.X.shape[1]} columns but X has {A.X.shape[1]}")
        return kernel.block(Pairs(A, B, exact=True))

    def __call__(self, X: Any, Y: Any = None) -> Array:
        """Return `pairwise(X, Y)`."""
        return self.pairwise(X, Y)

    def rows(self, X: Any, name: str = "X") -> Any:
        """Return what was given as X, checked, as the rows or objects that this kernel compares."""
        return self._rows(X, name)

    def _rows(self, X: Any, name: str) -> Any:
        if not self.takes_vectors:
            return self._objects(X, name)
        values = table(X, name, min_rows=1).values
        return values.toarray() if is_sparse(values) and not self.takes_sparse else values

    def _objects(self, X: Any, name: str) -> Any:
        """Return objects that are no vectors the way this kernel's parts take them."""
        for part in self.get_params(deep=False).values():
            if isinstance(part, Kernel) and not part.takes_vectors:
                X = part._objects(X, name)
        return X

    def __add__(self, other: Kernel | float) -> Kernel:
        from gramian.kernels.composite import Sum

        return Sum(self, as_operand(other))

    def __mul__(self, other: Kernel | float) -> Kernel:
        from gramian.kernels.composite import Product

        return Product(self, as_operand(other))

    def __rmul__(self, other: float) -> Kernel:
        from gramian.kernels.composite import Product

        return Product(as_operand(other), self)

    def __radd__(self, other: float) -> Kernel:
        return as_operand(other) + self

    def __pow__(self, exponent: int) -> Kernel:
        from gramian.kernels.composite import Power

        return Power(self, exponent)

    def exp(self) -> Kernel:
        """Return e^{k}, positive semi-definite if k is."""
        from gramian.kernels.composite import Exp

        return Exp(self)

    def polynomial(self, coefs: Sequence[float]) -> Kernel:
        """Return Σ c_i k^i, the coefficients from the constant term up, none negative."""
        from gramian.kernels.composite import PolynomialOf

        return PolynomialOf(self, tuple(coefs))

    def on(self, mapping: Callable[[Any], Any]) -> Kernel:
        """Return k(φ(x), φ(y)) for a map φ of the whole table of points."""
        from gramian.kernels.composite import Mapped

        return Mapped(self, mapping)

    def normalized(self) -> Kernel:
        """Return k(x, y)/√(k(x, x) k(y, y)), the cosine in feature space."""
        from gramian.kernels.composite import Normalized

        return Normalized(self)


def as_operand(value: Kernel | float) -> Kernel:
    """Return a kernel: itself, or the constant one for a number that is not negative."""
    if isinstance(value, Kernel):
        return value
    from gramian.kernels.special import Constant

    return Constant(value)


class Radial(Kernel):
    """k(x, y) = profile(t), t = |x − y|²/scale²; a subclass writes `profile`.

    `slope` bounds |profile′|: it says how much an error in t can matter (infinite for kernels with
    a kink at 0, whose small distances must then be exact).

    Examples
    --------
    >>> class Cauchy(Radial):
    ...     def __init__(self, scale="median"):
    ...         self.scale = scale
    ...
    ...     def profile(self, t):
    ...         return 1.0 / (1.0 + t)
    >>> float(Cauchy(scale=2.0)([[0.0], [2.0]])[0, 1])
    0.5
    """

    psd: bool | None = True
    takes_sparse = True
    any_precision = True
    slope: float = math.inf
    scale: float | str

    def profile(self, t: Array) -> Array:
        """Return the kernel's value as a function of t = |x − y|²/scale², elementwise.

        The array t may be overwritten. With a finite `slope`, entries that should be 0 may be
        negative by rounding.
        """
        raise NotImplementedError

    def evaluate(self, pairs: Pairs) -> Array:
        """Return the profile of the scaled squared distances."""
        slope = math.inf if pairs.exact else self.slope
        return self.profile(pairs.squared_distance(positive(self.scale, "scale"), slope))

    def self_similarity(self, X: Any) -> Array:
        """Return profile(0) for every row."""
        values = X.data if is_sparse(X) else X
        xp = namespace(values)
        device = {} if is_sparse(X) else {"device": X.device}
        return self.profile(xp.zeros(X.shape[0], dtype=X.dtype, **device))

    def resolve(self, points: Points, weights: Any = None, names: Any = None) -> Kernel:
        """Return the kernel with its scale a number."""
        from gramian.kernels.bandwidth import median_of

        if isinstance(self.scale, str):
            if self.scale != "median":
                raise InputError(f'scale={self.scale!r} must be a positive number or "median"')
            return type(self)(**self.get_params(deep=False) | {"scale": median_of(points, weights)})
        positive(self.scale, "scale")
        return self


class Dot(Kernel):
    """k(x, y) = profile(s), s = ⟨x, y⟩; a subclass writes `profile`.

    Examples
    --------
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

    def profile(self, s: Array) -> Array:
        """Return the kernel's value as a function of s = ⟨x, y⟩, elementwise."""
        raise NotImplementedError

    def evaluate(self, pairs: Pairs) -> Array:
        """Return the profile of the inner products."""
        return self.profile(pairs.dot())

    def self_similarity(self, X: Any) -> Array:
        """Return the profile of |x|²."""
        if is_sparse(X):
            return self.profile(np.asarray(X.multiply(X).sum(axis=1)).ravel())
        return self.profile(namespace(X).sum(X * X, axis=1))


def _equal(a: Any, b: Any) -> bool:
    return bool(np.array_equal(a, b)) if is_array(a) or is_array(b) else bool(a == b)


def finite(value: Any, name: str) -> float:
    """Return a finite number or refuse."""
    if isinstance(value, bool) or not isinstance(value, Real) or not math.isfinite(float(value)):
        raise InputError(f"{name}={value!r} must be a finite number")
    return float(value)


def positive(value: Any, name: str) -> float:
    """Return a positive finite number or refuse."""
    if isinstance(value, bool) or not isinstance(value, Real) or not (0 < float(value) < math.inf):
        raise InputError(f"{name}={value!r} must be a positive finite number")
    return float(value)
