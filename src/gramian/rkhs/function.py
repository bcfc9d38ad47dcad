"""Functions of a reproducing kernel Hilbert space, as objects one can compute with."""

from __future__ import annotations

import math

import numpy as np
from scipy.linalg import solve_triangular

from gramian._core.array import Array, as_kind, eps, is_numpy, namespace, power_of_two, to_numpy
from gramian._core.check import is_number, number
from gramian._core.numbers import as_floats
from gramian._core.operators.tiled import TiledGram, cross_matmul
from gramian._core.pairs import Pairs, Points
from gramian._core.types import RowsLike, VectorLike
from gramian.errors import IndefiniteError, InputError, InputTypeError
from gramian.kernels.base import Kernel, KernelLike
from gramian.rkhs.points import Induced, are_same, beside, join, points_of, weighted_points

_MIN_RESIDUAL = 1e-10  # what must be left of k(x, x), as a share, for a point to be worth taking


class Function:
    """f = Σ αᵢ k(xᵢ, ·), an element of the Hilbert space H of a kernel.

    Functions of one kernel add, subtract and scale; f(X) evaluates at the rows of X. The inner
    product is ⟨f, g⟩ = Σ αᵢβⱼ k(xᵢ, yⱼ), so that ⟨f, k(x, ·)⟩ = f(x). No n × n array is stored.

    Parameters
    ----------
    kernel : Kernel, name or callable
        A scale "median" is that of the points.
    points, coefficients : array (n, p) or n objects, array (n,)
        The points xᵢ, and the coefficients αᵢ.

    Attributes
    ----------
    error : float
        Bound on |f − g| if this g was made by `compress` from f, 0 otherwise.

    Examples
    --------
    >>> f = Function(gm.kernels.Gaussian(1.0), [[0.0], [1.0]], [1.0, -1.0])
    >>> g = Function(f.kernel, [[0.0]], [1.0])
    >>> round(float(f([[0.0]])[0]), 6), round(f.inner(g), 6), round(f.norm() ** 2, 6)
    (0.393469, 0.393469, 0.786939)
    """

    def __init__(self, kernel: KernelLike, points: RowsLike, coefficients: VectorLike) -> None:
        self.kernel, self._points = points_of(kernel, points, "points")
        self._alpha = _coefficients(coefficients, len(self._points), self._like)
        self.error = 0.0

    @classmethod
    def of_points(
        cls, kernel: Kernel, points: Points, alpha: Array, error: float = 0.0
    ) -> Function:
        """Return a function from validated parts."""
        f = cls.__new__(cls)
        f.kernel, f._points, f.error = kernel, points, error
        f._alpha = _coefficients(alpha, len(points), f._like)
        return f

    @property
    def points(self) -> Array:
        """The points xᵢ, as the kernel takes them."""
        return self._points.X

    @property
    def coefficients(self) -> Array:
        """The coefficients αᵢ, (n,)."""
        return self._alpha

    @property
    def _like(self) -> Array:
        return TiledGram(self.kernel, self._points).like

    def __len__(self) -> int:
        return len(self._points)

    def __repr__(self) -> str:
        return f"Function({self.kernel!r}, {len(self)} points)"

    def __call__(self, X: RowsLike) -> Array:
        """Return f(x) for every row x of X, (m,)."""
        new = beside(Points(self.kernel.rows(X, "X")), self._points, "X")
        return cross_matmul(self.kernel, new, self._points, self._alpha[:, None])[0][:, 0]

    def inner(self, other: Function) -> float:
        """Return ⟨f, g⟩ = Σ αᵢβⱼ k(xᵢ, yⱼ).

        It is computed as −½Σ αᵢβⱼ|φ(xᵢ) − φ(yⱼ)|² and two products of sums, which loses no digits
        where the coefficients of f or of g add up to 0.
        """
        self._check(other)
        Q = beside(other._points, self._points)
        induced = Induced(self.kernel)
        a, b = to_numpy(self._alpha).astype(float), to_numpy(other._alpha).astype(float)
        if Q is self._points:
            product = TiledGram(induced, Q).matmul(other._alpha[:, None])
        else:
            product = cross_matmul(induced, self._points, Q, as_kind(b, self._alpha)[:, None])[0]
        form = float(a @ to_numpy(product)[:, 0])
        sums = math.fsum(b) * float(a @ self._lengths) + math.fsum(a) * float(b @ other._lengths)
        return form + 0.5 * sums

    @property
    def _lengths(self) -> np.ndarray:
        """k(x, x) of the points."""
        return to_numpy(self.kernel.self_similarity(self._points.X)).astype(float)

    @property
    def _size(self) -> float:
        """(Σ|αᵢ||φ(xᵢ)|)²: what rounding in ⟨f, f⟩ is relative to."""
        return float(np.abs(to_numpy(self._alpha)) @ np.sqrt(np.abs(self._lengths))) ** 2

    def norm(self) -> float:
        """Return |f| = √⟨f, f⟩."""
        unit = power_of_two(float(np.abs(to_numpy(self._alpha)).max(initial=0.0)))
        f = self if unit == 1.0 else self * (1.0 / unit)  # squares of small coefficients vanish
        square = f.inner(f)
        slack = 1e-9 if eps(f._like.dtype, namespace(f._like)) < 1e-10 else 1e-4
        if square < -slack * f._size:
            raise IndefiniteError(
                f"kernel: ⟨f, f⟩ = {square:.3g} is negative: {str(self.kernel)[:80]} is not "
                "positive semi-definite and has no Hilbert space: choose another kernel"
            )
        return unit * math.sqrt(max(square, 0.0))

    def distance(self, other: Function) -> float:
        """Return |f − g|."""
        self._check(other)
        return (self - other).norm()

    def compress(self, error: float) -> Function:
        """Return g on fewer of the points with |f − g| ≤ error.

        Then |f(x) − g(x)| ≤ error·√k(x, x) for every x. Points are taken one by one, each the one
        that brings the projection of f nearest to f; `g.error` bounds the distance that is left.
        Errors below rounding, about 5e-8·Σ|αᵢ|√k(xᵢ, xᵢ), cannot be guaranteed: f is returned.
        """
        allowed = number(error, "error", least=0.0)
        basis = _Newton(self)
        again = 0  # number of points at which the error is next computed, from n² kernel values
        while True:
            k = len(basis.chosen)
            if basis.left <= allowed**2 and k >= again:
                g = basis.projection()
                if g.error <= allowed:
                    return g
                again = k + 1 + k // 8
            if k == len(self) - 1 or not basis.grow():
                g = basis.projection()
                return g if g.error <= allowed else self

    def __add__(self, other: Function) -> Function:
        self._check(other)
        error = self.error + other.error
        if are_same(self._points, other._points):
            beta = as_kind(to_numpy(other._alpha), self._alpha)
            return Function.of_points(self.kernel, self._points, self._alpha + beta, error)
        points = join(self._points, other._points)
        alpha = np.concatenate([to_numpy(self._alpha), to_numpy(other._alpha)])
        return Function.of_points(self.kernel, points, alpha, error)

    def __sub__(self, other: Function) -> Function:
        return self + (-other) if isinstance(other, Function) else NotImplemented

    def __neg__(self) -> Function:
        return -1.0 * self

    def __mul__(self, number: float) -> Function:
        if not is_number(number):
            return NotImplemented
        if not math.isfinite(number):
            raise InputError(f"a function cannot be multiplied by {number!r}: give a finite number")
        c = float(number)
        return Function.of_points(self.kernel, self._points, c * self._alpha, abs(c) * self.error)

    __rmul__ = __mul__

    def __truediv__(self, number: float) -> Function:
        return self * (1.0 / number)

    def _check(self, other: object) -> None:
        if not isinstance(other, Function):
            raise InputTypeError(f"{type(other).__name__} is not a Function: write Function(...)")
        if self.kernel != other.kernel:
            raise InputError(
                f"the two functions have different kernels, {str(self.kernel)[:60]} and "
                f"{str(other.kernel)[:60]}: they live in different spaces"
            )


def _coefficients(alpha: VectorLike, n: int, like: Array) -> Array:
    """Return the coefficients in the library of the points; NumPy's are doubles."""
    values = np.asarray(as_floats(alpha, "coefficients"), dtype=np.float64)
    if values.shape != (n,):
        raise InputError(
            f"coefficients has shape {values.shape}: give one number for each of the {n} points"
        )
    if not np.isfinite(values).all():
        k = int(np.flatnonzero(~np.isfinite(values))[0])
        raise InputError(f"coefficients[{k}] is {values[k]}: give finite numbers")
    return values if is_numpy(like) else as_kind(values, like)


def mean_embedding(kernel: KernelLike, X: RowsLike, weights: VectorLike | None = None) -> Function:
    """Return the barycentre of the points in feature space, μ = Σ pᵢ k(xᵢ, ·).

    ⟨f, μ⟩ is the mean of f over the points, for every f of H. X is an array (n, p), or n objects;
    of weights (n,) only proportions matter.

    >>> mu = mean_embedding(gm.kernels.Linear(), [[1.0, 0.0], [3.0, 4.0]])
    >>> float(mu([[1.0, 1.0]])[0])
    4.0
    """
    return Function.of_points(*weighted_points(kernel, X, weights))


class _Newton:
    """Newton's basis v₁, v₂, … of the chosen points, orthonormal in H, and the residual of f.

    A point x lowers |f − g|² by r(x)²/w(x), r the residual at x and w what is left of k(x, x).
    """

    def __init__(self, f: Function) -> None:
        self.f = f
        gram = TiledGram(f.kernel, f._points)
        self.r = to_numpy(gram.matmul(f._alpha[:, None]))[:, 0].astype(float)
        self.w = f._lengths
        self.least = _MIN_RESIDUAL * self.w
        self.left = f.norm() ** 2
        self.V = np.empty((len(f), 8))
        self.chosen: list[int] = []
        self.steps: list[float] = []

    def grow(self) -> bool:
        """Take the point that brings the projection nearest to f; False if none brings anything."""
        live = self.w > self.least
        gain = np.where(live, self.r**2 / np.where(live, self.w, 1.0), 0.0)
        i = int(gain.argmax())
        if gain[i] == 0.0:
            return False
        k, size = len(self.chosen), np.sqrt(self.w[i])
        if k == self.V.shape[1]:
            self.V = np.concatenate([self.V, np.empty_like(self.V)], axis=1)
        points, V = self.f._points, self.V
        column = self.f.kernel.evaluate(Pairs(points, points.take(np.array([i]))))
        V[:, k] = (to_numpy(column)[:, 0] - V[:, :k] @ V[i, :k]) / size
        self.steps.append(float(self.r[i] / size))
        self.r = self.r - self.steps[-1] * V[:, k]
        self.w = self.w - V[:, k] ** 2
        self.w[i] = 0.0
        self.left -= self.steps[-1] ** 2
        self.chosen.append(i)
        return True

    def projection(self) -> Function:
        """Return the projection of f on the chosen points, its distance to f measured."""
        f, rows, k = self.f, np.array(self.chosen or [0]), len(self.chosen)
        beta = np.zeros(1)
        if k:
            beta = solve_triangular(self.V[rows, :k].T, np.array(self.steps), lower=False)
        rest = to_numpy(f._alpha).astype(float).copy()
        rest[rows] -= beta
        left = Function.of_points(f.kernel, f._points, rest)
        # A bound, so that what rounding hides counts as error too.
        hidden = 8.0 * eps(f._like.dtype, namespace(f._like)) * left._size
        error = f.error + float(np.sqrt(left.norm() ** 2 + hidden))
        return Function.of_points(f.kernel, f._points.take(rows), beta, error)
