"""What a kernel is: a record of parameters and one function of pairs."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from functools import wraps
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias, TypeGuard

import numpy as np

from gramian._core.array import Array, is_array, is_sparse, mirror_upper, namespace, with_diagonal
from gramian._core.check import positive, short
from gramian._core.frames import column_names
from gramian._core.pairs import Pairs, Points
from gramian._core.table import Table, table
from gramian._core.types import RowsLike, TableLike
from gramian._core.views import brief, facts_html
from gramian.distances import mixed
from gramian.errors import InputError, InputTypeError

if TYPE_CHECKING:
    from gramian.kernels.for_sklearn import SklearnKernel

# What a common shift of all the points changes: no value, terms that centring takes off, or more.
Change: TypeAlias = Literal["nothing", "means", "values"]
Names: TypeAlias = Sequence[Any] | None  # of columns
Weights: TypeAlias = np.ndarray | None  # of rows, of sum 1
_DIFFERENCE_STEP = float(np.finfo(float).eps ** (1 / 3))  # in units of the points
# Words of other libraries → ours.
_SYNONYMS = {"coef0": "offset"} | dict.fromkeys(("sigma", "length_scale", "bandwidth"), "scale")
_DIAGONAL_ROWS = 32  # rows that are compared with each other for the sake of the diagonal


class Gamma:
    """γ as an attribute of a kernel: a function of its scale, which setting γ changes.

    `unset` is the default of the scale: a kernel takes one of the two names, not both.
    """

    def __init__(
        self, of_scale: Callable[[Any], Any], to_scale: Callable[[float], float], unset: float | str
    ) -> None:
        self.of_scale, self.to_scale, self.unset = of_scale, to_scale, unset

    def __get__(self, kernel: Any, owner: type | None = None) -> Any:
        if kernel is None:
            return self
        if isinstance(kernel.scale, str):
            raise AttributeError(
                f"gamma is not known for scale={short(kernel.scale)}, which waits for a table: "
                "read kernel_.gamma of a fit, or set a number"
            )
        value = self.of_scale(np.asarray(kernel.scale, dtype=float))
        return float(value) if np.ndim(value) == 0 else value

    def __set__(self, kernel: Any, gamma: float) -> None:
        kernel.scale = self.to_scale(positive(gamma, "gamma"))

    def start(self, kernel: Any, scale: Any, gamma: float) -> None:
        """Set the scale of a new kernel by its other name."""
        if not (isinstance(scale, type(self.unset)) and scale == self.unset):
            raise InputError(
                f"gamma={short(gamma)} and scale={short(scale)} are two names for one parameter: "
                "give one of them"
            )
        self.__set__(kernel, gamma)


class Parameters:
    """Constructor arguments as parameters, in scikit-learn's manner (grid search, clone, repr)."""

    aliases: frozenset[str] = frozenset()  # arguments that are other names of parameters

    def __init_subclass__(cls, **options: object) -> None:
        """Have the constructor answer names that it does not know with those that it knows."""
        super().__init_subclass__(**options)
        if "__init__" in vars(cls):
            cls.__init__ = _with_names_explained(vars(cls)["__init__"])  # type: ignore[method-assign]

    @classmethod
    def _names(cls) -> list[str]:
        if cls.__init__ is object.__init__:
            return []
        own = inspect.signature(cls.__init__).parameters
        return [name for name in own if name != "self" and name not in cls.aliases]

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

    def set_params(self, **params: object) -> Self:
        """Set parameters, nested ones as outer__inner."""
        for name, value in params.items():
            outer, _, inner = name.partition("__")
            known = [*self._names(), *self.aliases]
            if outer not in known:
                hint = f"use one of {', '.join(known)}" if known else "there are none"
                raise InputError(f"{type(self).__name__} has no parameter {outer!r}: {hint}")
            if inner:
                getattr(self, outer).set_params(**{inner: value})
            else:
                setattr(self, outer, value)
        return self

    def __repr__(self) -> str:
        arguments = ", ".join(
            f"{name}={value!r}" for name, value in self.get_params(deep=False).items()
        )
        return f"{type(self).__name__}({arguments})"

    def _repr_html_(self) -> str:
        own = self.get_params(deep=False)
        return facts_html(type(self).__name__, {name: brief(value) for name, value in own.items()})

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return False
        mine, theirs = self.get_params(deep=False), other.get_params(deep=False)
        return all(_equal(value, theirs[name]) for name, value in mine.items())

    def __hash__(self) -> int:
        # Of the class alone: parameters may be set anew, and equal ones must hash alike.
        return hash(type(self))


def _with_names_explained(init: Callable[..., None]) -> Callable[..., None]:
    """Return a constructor that says what to write for a name that it does not know."""
    own = inspect.signature(init).parameters
    takes_any = any(p.kind is p.VAR_KEYWORD for p in own.values())
    known = list(own)[1:]

    @wraps(init)
    def wrapper(self: object, *arguments: object, **options: object) -> None:
        unknown = next((name for name in options if name not in own), None)
        if unknown is not None and not takes_any:
            word = _SYNONYMS.get(unknown)
            near = [word] if word in own else get_close_matches(unknown, known, 1)
            hint = f"use {near[0]}=" if near else f"its parameters are {', '.join(known)}"
            raise InputTypeError(f"{type(self).__name__} has no parameter {short(unknown)}: {hint}")
        init(self, *arguments, **options)

    return wrapper


def _equal(a: Array, b: Array) -> bool:
    return bool(np.array_equal(a, b)) if is_array(a) or is_array(b) else bool(a == b)


def one_value(X: Array, value: float) -> Array:
    """Return the same number for every row, an array of the kind of X."""
    if is_array(X) and not is_sparse(X):
        return namespace(X).full(X.shape[0], value, dtype=X.dtype, device=X.device)
    n = X.shape[0] if hasattr(X, "shape") else len(X)
    return np.full(n, float(value), getattr(X, "dtype", float))


class Kernel(Parameters):
    """A symmetric function k(x, y), the base of all kernels.

    A subclass writes `evaluate(pairs)` and `self_similarity(X)`; `Radial` and `Dot` reduce that
    to a `profile`. `psd` is True where k is positive semi-definite whatever the points, False where
    it is known not to be, None where it is unknown; composed kernels inherit it. The same holds for
    `shift_changes`, what a common shift of all points changes: "nothing" for a radial kernel,
    "means" for the linear one (terms of x or y alone, which centring removes), else "values".

    >>> kernel = 2.0 * gm.kernels.Gaussian(scale=1.0) + gm.kernels.Linear() ** 2
    >>> kernel.psd, float(kernel([[1.0]], [[1.0]])[0, 0])
    (True, 3.0)
    """

    psd: bool | None = None
    takes_sparse = False
    takes_vectors = True  # False for kernels on graphs, strings and other objects
    takes_categories = False  # whether it compares categories; of several, whether one does
    any_precision = False  # whether single-precision rows give single-precision values
    shift_changes: Change = "values"
    differentiable: bool = False  # whether `gradient` is exact, not by differences

    def evaluate(self, pairs: Pairs) -> Array:
        """Return k(x, y) for every pair of the block, (m, n)."""
        raise NotImplementedError

    def self_similarity(self, X: Array) -> Array:
        """Return k(x, x) for validated rows, (n,)."""
        raise NotImplementedError

    def diag(self, X: RowsLike) -> Array:
        """Return k(x, x) for every row, (n,)."""
        kernel = self.for_table(X)
        rows = kernel.rows(X, "X")
        return kernel.with_positions(column_names(X), rows).self_similarity(rows)

    def resolve(self, points: Points, weights: Weights = None, names: Names = None) -> Kernel:
        """Return the kernel with what depends on the data (a median scale, names) set from X."""
        return self._map_parts(lambda part: part.resolve(points, weights, names), copy=True)

    def with_positions(self, names: Names, X: Array) -> Kernel:
        """Return the kernel with column names turned into positions."""
        return self._map_parts(lambda part: part.with_positions(names, X))

    def _map_parts(self, change: Callable[[Kernel], Kernel], *, copy: bool = False) -> Kernel:
        """Return the kernel of changed parts; itself where it has none, unless a copy is needed."""
        params = self.get_params(deep=False)
        parts = {k: change(v) for k, v in params.items() if isinstance(v, Kernel)}
        return type(self)(**params | parts) if parts or copy else self

    def for_table(self, X: RowsLike) -> Kernel:
        """Return the kernel that reads a table: itself, or with the categories of the table."""
        reader = mixed.reader_of(X) if self.takes_categories else None
        if reader is None:
            return self
        from gramian.kernels.mixed import MixedTable

        return MixedTable(self.with_reader(reader, column_names(X)), reader)

    def with_reader(self, reader: mixed.Gower, names: Names = None) -> Kernel:
        """Return the kernel for tables that `reader` turns into numbers and codes.

        A kernel that would take categories for numbers is an error.
        """
        if not any(isinstance(v, Kernel) for v in self.get_params(deep=False).values()):
            self._refuse_categories(reader, names)
        return self._map_parts(lambda part: part.with_reader(reader, names))

    def _refuse_categories(self, reader: mixed.Gower, names: Names) -> None:
        categories = np.flatnonzero(reader.is_category)
        if categories.size:
            column = short(int(categories[0]) if names is None else names[categories[0]])
            raise InputError(
                f"kernel: {type(self).__name__} compares numbers, and column {column} of X holds "
                f"categories: use Gower(), or Columns({type(self).__name__}(…), the numbers) + "
                "Columns(Gower(), the categories)"
            )

    def about(self, points: Points) -> Kernel:
        """Return a kernel equal to this one after centring, which loses no digits to an offset.

        ⟨x − c, y − c⟩ in place of ⟨x, y⟩, c the centre of the points: at an offset of 1e8 products
        of 1e16 would have to cancel. For callers that centre; the kernel itself stays as it is.
        """
        if self.shift_changes != "means":
            return self._parts_about(points)
        from gramian.kernels.pullback import subtract_offset

        return subtract_offset(self, points)

    def _parts_about(self, points: Points) -> Kernel:
        """Return the kernel with those of its parts shifted that a shift leaves alone."""
        return self

    def squared_distance(self, pairs: Pairs) -> Array:
        """Return |φ(x) − φ(y)|² for every pair of the block, (m, n); never clipped.

        k(x, x) + k(y, y) − 2k(x, y) by default. For close points the three terms cancel (the
        Gaussian of two points 1e-9 apart is 1 to the last bit), so that kernels write a form that
        keeps its digits: `Radial` by `gap`, sums and products by the distances of their parts.
        """
        a, b = self.diagonals(pairs)
        K = self.block(pairs)
        return (a - K) + (b - K)

    def diagonals(self, pairs: Pairs) -> tuple[Array, Array]:
        """Return k(x, x) as a column and k(y, y) as a row."""
        a = self.self_similarity(pairs.X)
        return a[:, None], (a if pairs.same else self.self_similarity(pairs.Y))[None, :]

    def block(self, pairs: Pairs) -> Array:
        """Return `evaluate`, made symmetric to the last bit where rows and columns are the same."""
        K = self.evaluate(pairs)
        if pairs.same:
            return with_diagonal(mirror_upper(K), self.self_similarity(pairs.X))
        return K

    def pairwise(self, X: RowsLike, Y: RowsLike | None = None) -> Array:
        """Return the matrix k(x, y), x over the rows of X and y over those of Y (or of X)."""
        kernel = self.for_table(X)
        A = Points(kernel.rows(X, "X"))
        kernel = kernel.resolve(A, names=column_names(X))
        B = A if Y is None or Y is X else Points(kernel.rows(Y, "Y"), A)
        if self.takes_vectors and A.X.shape[1] != B.X.shape[1]:
            raise InputError(f"Y has {B.X.shape[1]} columns but X has {A.X.shape[1]}")
        return kernel.block(Pairs(A, B, exact=True))

    def gradient(self, X: RowsLike, Y: RowsLike | None = None) -> Array:
        """Return ∂k(x, y)/∂x, x over the rows of X and y over those of Y (or of X), (m, n, p).

        Exact for radial and inner product kernels, the cosine and the Laplacian kernel, and for
        sums, products and other formulas of them on selected, shifted or scaled columns; by central
        differences for others (functions, maps, metrics). At a kink (x = y for the exponential
        kernel, for example) it is 0, the mean over all directions.

        >>> gm.kernels.Gaussian(scale=1.0).gradient([[0.0, 0.0]], [[1.0, 1.0]]).round(4).tolist()
        [[[0.3679, 0.3679]]]
        """
        if not self.takes_vectors or self.takes_categories:
            raise InputError(
                f"kernel: {type(self).__name__} compares objects or categories, which have no "
                "derivative: use a kernel of numbers"
            )
        A = Points(_dense_rows(self.rows(X, "X")))
        kernel = self.resolve(A, names=column_names(X))
        B = A if Y is None or Y is X else Points(_dense_rows(kernel.rows(Y, "Y")), A)
        if A.X.shape[1] != B.X.shape[1]:
            raise InputError(f"Y has {B.X.shape[1]} columns but X has {A.X.shape[1]}")
        return kernel.slope(Pairs(A, B, exact=True))

    def slope(self, pairs: Pairs) -> Array:
        """Return ∂k(x, y)/∂x for every pair of a block of dense rows, (m, n, p)."""
        xp, steps = namespace(pairs.X), []
        for j in range(pairs.X.shape[1]):
            h = _DIFFERENCE_STEP * pairs.A.unit
            ends = []
            for side in (h, -h):
                X = xp.asarray(pairs.X, copy=True)
                X[:, j] += side
                ends.append((X, self.evaluate(Pairs(Points(X, pairs.A), Points(pairs.Y, pairs.A)))))
            width = (ends[0][0][:, j] - ends[1][0][:, j])[:, None]
            steps.append((ends[0][1] - ends[1][1]) / width)
        return xp.stack(steps, axis=2)

    def slope_of_diagonal(self, X: Array) -> Array:
        """Return the derivative of k(x, x), (m, p): twice that of k(x, y) at y = x."""
        xp, parts = namespace(X), []
        for start in range(0, X.shape[0], _DIAGONAL_ROWS):
            S = self.slope(Pairs(Points(X[start : start + _DIAGONAL_ROWS, :])))
            at = np.arange(S.shape[0])
            parts.append(2.0 * S[at, at, :])
        return xp.concat(parts)

    def __call__(self, X: RowsLike, Y: RowsLike | None = None) -> Array:
        """Return `pairwise(X, Y)`; of two single rows, as some of scikit-learn calls it, a number.

        >>> gm.kernels.Linear()(np.array([1.0, 2.0]), np.array([3.0, 4.0]))
        11.0
        """
        if self.takes_vectors and Y is not None and is_row(X) and is_row(Y):
            return float(self.require_resolved().pairwise(X[None, :], Y[None, :])[0, 0])
        # Whoever calls a kernel on two tables calls it again on others: SVC at its predictions.
        return (self if Y is None or Y is X else self.require_resolved()).pairwise(X, Y)

    def require_resolved(self) -> Kernel:
        """Return this kernel, or raise an error if a parameter must first be set from a table."""
        for name, value in self.get_params().items():
            if name.rpartition("__")[2] == "scale" and isinstance(value, str):
                raise InputError(
                    f"scale={short(value)} waits for a table, and is asked of single rows or of "
                    f"parts of one: give a number, {type(self).__name__}(scale="
                    "gm.kernels.median_scale(X))"
                )
        return self

    def for_sklearn(self) -> SklearnKernel:
        """Return this kernel as a Gaussian process kernel of scikit-learn, its parameters fixed.

        GaussianProcessRegressor, KernelRidge and pairwise_kernels then evaluate whole tables at
        once. Unconverted, it is a callable for SVC and, pair by pair, for the last two.

        >>> from sklearn.gaussian_process import GaussianProcessRegressor
        >>> X = np.arange(6.0)[:, None]
        >>> kernel = gm.kernels.Matern(nu=1.5, scale=2.0).for_sklearn()
        >>> model = GaussianProcessRegressor(kernel).fit(X, X[:, 0] ** 2)
        >>> model.predict([[2.0]]).round(6).tolist()
        [4.0]
        """
        from gramian.kernels.for_sklearn import SklearnKernel

        return SklearnKernel(self.require_resolved())

    def rows(self, X: RowsLike, name: str = "X") -> Array:
        """Return the validated rows or objects that this kernel compares."""
        if not self.takes_vectors:
            return self._objects(X, name)
        values = self.table(X, name, min_rows=1).values
        return values.toarray() if is_sparse(values) and not self.takes_sparse else values

    def table(self, X: TableLike, name: str, min_rows: int) -> Table:
        """Return rows of numbers with their labels, checked."""
        return table(X, name, min_rows=min_rows)

    def _objects(self, X: RowsLike, name: str) -> Array:
        """Return objects that are no vectors the way this kernel's parts take them."""
        for part in self.get_params(deep=False).values():
            if isinstance(part, Kernel) and not part.takes_vectors:
                X = part._objects(X, name)
        return X

    def __add__(self, other: Kernel | float) -> Kernel:
        return _combine("Sum", self, as_operand(other))

    def __mul__(self, other: Kernel | float) -> Kernel:
        return _combine("Product", self, as_operand(other))

    def __rmul__(self, other: float) -> Kernel:
        return _combine("Product", as_operand(other), self)

    def __radd__(self, other: float) -> Kernel:
        return as_operand(other) + self

    def __truediv__(self, other: object) -> Kernel:
        raise InputTypeError(f"a kernel is not divided: multiply it by 1 / {short(other)}")

    def __pow__(self, exponent: int) -> Kernel:
        return _combine("Power", self, exponent)

    def exp(self) -> Kernel:
        """Return e^{k}, positive semi-definite if k is."""
        return _combine("Exp", self)

    def polynomial(self, coefs: Sequence[float]) -> Kernel:
        """Return Σ c_i k^i, the coefficients from the constant term up, none negative."""
        return _combine("PolynomialOf", self, coefs)

    def on(self, mapping: Callable[[Any], Any]) -> Kernel:
        """Return k(φ(x), φ(y)) for a map φ of the whole table of points."""
        from gramian.kernels.pullback import Mapped

        return Mapped(self, mapping)

    def normalized(self) -> Kernel:
        """Return k(x, y)/√(k(x, x) k(y, y)), the cosine in feature space."""
        return _combine("Normalized", self)


KernelLike: TypeAlias = Kernel | str | Callable[[Any, Any], Any]  # what `as_kernel` takes


def _dense_rows(X: Array) -> Array:
    return X.toarray() if is_sparse(X) else X


def is_row(x: object) -> TypeGuard[np.ndarray]:
    """Whether something is one row of numbers, an array of one dimension."""
    return isinstance(x, np.ndarray) and x.ndim == 1 and x.dtype.kind in "fiub"


def as_operand(value: Kernel | float) -> Kernel:
    """Return a kernel: itself, or the constant one for a number that is not negative."""
    return value if isinstance(value, Kernel) else _combine("Constant", value)


def _combine(name: str, *arguments: object) -> Kernel:
    """Return a kernel made of kernels, of a class of the module that imports this one."""
    from gramian.kernels import composite

    kernel: Kernel = getattr(composite, name)(*arguments)
    return kernel


def no_spectral_law(kernel: Kernel) -> InputError:
    """Return the error for a kernel without a spectral law."""
    return InputError(
        f"approximation: {type(kernel).__name__} has no random Fourier features: use Nystrom(), or "
        "write frequencies(rng, p, m), its spectral law, on the class"
    )
