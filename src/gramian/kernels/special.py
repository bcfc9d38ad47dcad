"""Kernels that are neither radial nor of the inner product."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gramian._array import Array, as_kind, exp, is_array, is_sparse, namespace, to_numpy
from gramian._pairs import Pairs, Points
from gramian.distances import pairwise as pairwise_distances
from gramian.errors import InputError
from gramian.kernels.base import Kernel, positive
from gramian.kernels.composite import Unary

__all__ = ["Callback", "Columns", "Constant", "FromDistance", "Function", "Precomputed"]


class Constant(Kernel):
    """The constant kernel, k(x, y) = value ≥ 0.

    >>> float(Constant(2.0)([[1.0], [5.0]])[0, 1])
    2.0
    """

    psd: bool | None = True
    takes_sparse = True
    any_precision = True

    def __init__(self, value: float = 1.0) -> None:
        if isinstance(value, bool) or not 0 <= value < np.inf:
            raise InputError(
                f"a kernel can be multiplied or shifted by {value!r} only if it is ≥ 0"
            )
        self.value = value

    def evaluate(self, pairs: Pairs) -> Array:
        """The value, for every pair."""
        return pairs.full(self.value)

    def self_similarity(self, X: Any) -> Array:
        """The value, for every row."""
        if is_array(X) and not is_sparse(X):
            return namespace(X).full(X.shape[0], self.value, dtype=X.dtype, device=X.device)
        n = X.shape[0] if hasattr(X, "shape") else len(X)
        return np.full(n, float(self.value), getattr(X, "dtype", float))


class Function(Kernel):
    """The rank-one kernel of a function, k(x, y) = g(x)·g(y).

    Parameters
    ----------
    g : callable
        Maps a table (n, p) to n numbers.

    Examples
    --------
    >>> float(Function(lambda X: X[:, 0])([[2.0], [3.0]])[0, 1])
    6.0
    """

    psd: bool | None = True

    def __init__(self, g: Callable[[Any], Any]) -> None:
        self.g = g

    def evaluate(self, pairs: Pairs) -> Array:
        """g(x)·g(y)."""
        return self._values(pairs.X)[:, None] * self._values(pairs.Y)[None, :]

    def self_similarity(self, X: Any) -> Array:
        """g(x)²."""
        return self._values(X) ** 2

    def _values(self, X: Any) -> Array:
        values = self.g(X)
        if values.shape != (X.shape[0],):
            raise InputError(
                f"g returned shape {values.shape} for {X.shape[0]} rows: one number each"
            )
        return values


class Columns(Unary):
    """A kernel on some of the columns.

    Parameters
    ----------
    kernel : Kernel
    columns : sequence of int, of column names (for data frames), or a slice

    Examples
    --------
    >>> from gramian.kernels import Linear
    >>> float(Columns(Linear(), [1])([[1.0, 2.0]], [[3.0, 4.0]])[0, 0])
    8.0
    """

    def __init__(self, kernel: Kernel, columns: Any) -> None:
        self.kernel = kernel
        self.columns = columns

    def evaluate(self, pairs: Pairs) -> Array:
        """The inner kernel on the chosen columns."""
        return self.kernel.evaluate(pairs.through(("columns", str(self.columns)), self._take))

    def self_similarity(self, X: Any) -> Array:
        """The inner diagonal on the chosen columns."""
        return self.kernel.self_similarity(self._take(X))

    def resolve(self, points: Points, weights: Any = None, names: Any = None) -> Kernel:
        """Turn names into positions, and resolve the inner kernel on the chosen columns."""
        chosen = self.named(names, points.X)
        inner = points.through(("columns", str(chosen.columns)), chosen._take)
        return Columns(self.kernel.resolve(inner, weights), chosen.columns)

    def named(self, names: Any, X: Any) -> Columns:
        """Return the kernel with column names turned into positions."""
        if isinstance(self.columns, slice):
            return self
        if isinstance(self.columns, str) or not len(self.columns):
            raise InputError(f"columns={self.columns!r} must be a list of names or positions")
        known, p = ([] if names is None else list(names)), X.shape[1]
        return Columns(self.kernel, [_position(c, known, p) for c in self.columns])

    def _take(self, X: Any) -> Any:
        if isinstance(self.columns, slice):
            return X[:, self.columns]
        xp = namespace(X)
        if is_sparse(X):
            return X[:, self.columns]
        return xp.take(X, xp.asarray(self.columns, device=X.device), axis=1)


def _position(column: Any, known: list[Any], p: int) -> int:
    if isinstance(column, bool | np.bool_):
        raise InputError("columns: a mask is not taken here: give names or positions")
    if column in known:
        return known.index(column)
    if isinstance(column, int | np.integer) and -p <= column < p:
        return int(column) % p
    raise InputError(f"columns: {column!r} is neither a column name nor a position below {p}")


# Metrics by name: whether the distances of any points are those of a Euclidean space. The root of
# the Jensen–Shannon divergence is (Fuglede and Topsøe 2004). Of those that are not, some break the
# triangle inequality, and some hold the four-cycle 1, 1, 1, 1 with diagonals 2.
_NOT_EUCLIDEAN = (
    "braycurtis bray-curtis bray_curtis chebyshev cityblock correlation cosine hamming l1 "
    "manhattan sqeuclidean"
)
_EUCLIDEAN = dict.fromkeys(_NOT_EUCLIDEAN.split(), False) | dict.fromkeys(
    ["euclidean", "l2", "minkowski", "seuclidean", "mahalanobis", "jensenshannon"], True
)


class FromDistance(Kernel):
    """k(x, y) = exp(−d(x, y)²/(2·scale²)) for a distance d of any kind.

    It is positive semi-definite for every scale exactly when d² is conditionally negative definite,
    that is when d is the distance of a Euclidean space (Schoenberg). `psd` says so for the metrics
    of which it is known; `gm.validity.is_euclidean(metric)` looks for a counterexample.

    Parameters
    ----------
    metric : str or callable
        A name of `scipy.spatial.distance`, or a function of two tables that returns distances.
    scale : positive float or "median"
        "median" is √(h/2), h the median of the squared distances between distinct points.

    Examples
    --------
    >>> float(FromDistance("cityblock", scale=1.0)([[0.0, 0.0], [0.5, 0.5]])[0, 1].round(6))
    0.606531
    """

    def __init__(self, metric: Any = "euclidean", scale: float | str = "median") -> None:
        self.metric = metric
        self.scale = scale

    @classmethod
    def from_gamma(cls, metric: Any, gamma: float) -> FromDistance:
        """Return the kernel exp(−γ·d²).

        >>> FromDistance.from_gamma("cityblock", 0.5)
        FromDistance(metric='cityblock', scale=1.0)
        """
        return cls(metric, 1.0 / float(np.sqrt(2.0 * positive(gamma, "gamma"))))

    @property
    def psd(self) -> bool | None:  # type: ignore[override]
        """True or False for metrics known to be Euclidean or not, None for others."""
        return None if callable(self.metric) else _EUCLIDEAN.get(self.metric)

    @property
    def takes_vectors(self) -> bool:  # type: ignore[override]
        """A callable may take any objects."""
        return not callable(self.metric)

    def evaluate(self, pairs: Pairs) -> Array:
        """exp(−d²/(2·scale²))."""
        d = pairwise_distances(pairs.X, None if pairs.same else pairs.Y, self.metric)
        K = exp(-0.5 * (d / positive(self.scale, "scale")) ** 2)
        return as_kind(to_numpy(K), pairs.X) if is_array(pairs.X) else K

    def self_similarity(self, X: Any) -> Array:
        """One for every point."""
        return Constant(1.0).self_similarity(X)

    def resolve(self, points: Points, weights: Any = None, names: Any = None) -> Kernel:
        """Return the kernel with its scale a number."""
        from gramian.kernels.bandwidth import weighted_median

        if self.scale != "median":
            positive(self.scale, "scale")
            return self
        d2 = to_numpy(pairwise_distances(points.X, None, self.metric)) ** 2
        return FromDistance(self.metric, float(np.sqrt(weighted_median(d2, weights) / 2.0)))


class Precomputed(Kernel):
    """A kernel given by its matrix; the points are row numbers, (n,) or (n, 1).

    >>> import numpy as np
    >>> float(Precomputed(np.array([[2.0, 1.0], [1.0, 3.0]]))([[0]], [[1]])[0, 0])
    1.0
    """

    def __init__(self, matrix: Any = None) -> None:
        self.matrix = matrix

    def evaluate(self, pairs: Pairs) -> Array:
        """The entries of the matrix."""
        return self._matrix[np.ix_(self._numbers(pairs.X), self._numbers(pairs.Y))]

    def self_similarity(self, X: Any) -> Array:
        """The diagonal entries."""
        rows = self._numbers(X)
        return self._matrix[rows, rows]

    @property
    def _matrix(self) -> np.ndarray:
        if self.matrix is None:
            raise InputError("matrix is missing: write Precomputed(K), or kernel='precomputed'")
        return np.asarray(self.matrix)

    def _numbers(self, X: Any) -> np.ndarray:
        numbers, n = np.asarray(X, dtype=float).ravel(), self._matrix.shape[0]
        rows = numbers.astype(np.int64)
        if (rows != numbers).any() or (rows < 0).any() or (rows >= n).any():
            raise InputError(f"X: the points of a precomputed kernel are row numbers below {n}")
        return rows

    def _rows(self, X: Any, name: str) -> Any:
        column = np.asarray(X)
        return super()._rows(column[:, None] if column.ndim == 1 else X, name)


class Callback(Kernel):
    """A kernel given by a vectorised function of two tables; its results are checked.

    Kernels of scikit-learn's Gaussian processes are such functions.

    >>> float(Callback(lambda X, Y: X @ Y.T)([[1.0, 2.0]], [[3.0, 4.0]])[0, 0])
    11.0
    """

    def __init__(self, function: Callable[[Any, Any], Any], psd: bool | None = None) -> None:
        self.function = function
        self.psd = psd

    def evaluate(self, pairs: Pairs) -> Array:
        """The function's values, refused if they are not a kernel's."""
        X, Y = pairs.X, pairs.Y
        K = self.function(X, Y)
        if not is_array(K) or not namespace(K).isdtype(K.dtype, "real floating"):
            K = _real(K)
        expected = (X.shape[0], Y.shape[0])
        if tuple(K.shape) != expected:
            raise InputError(
                f"kernel: the callable returned shape {tuple(K.shape)}, not {expected}"
            )
        xp = namespace(K)
        if not bool(xp.all(xp.isfinite(K))):
            raise InputError("kernel: the callable returned NaN or inf: check it on a few rows")
        if pairs.same:
            gap = float(xp.max(xp.abs(K - K.T)))
            if gap > 1e-8 * float(xp.max(xp.abs(K))):
                raise InputError(
                    f"kernel: the callable is not symmetric (a difference of {gap:.3g})"
                )
        return as_kind(to_numpy(K), X) if is_array(X) else K

    def self_similarity(self, X: Any) -> Array:
        """The function at pairs of equal points, a few rows at a time."""
        if hasattr(self.function, "diag"):  # kernels of scikit-learn's Gaussian processes
            return as_kind(self.function.diag(to_numpy(X)), X)
        xp, n = namespace(X), X.shape[0]
        parts = [
            xp.linalg.diagonal(self.evaluate(Pairs(Points(X[start : min(start + 64, n), ...]))))
            for start in range(0, n, 64)
        ]
        return xp.concat(parts)


def _real(K: Any) -> np.ndarray:
    numbers = np.asarray(K)
    if numbers.dtype.kind not in "iubf":
        raise InputError(f"kernel: the callable returned {numbers.dtype} values, not real numbers")
    return numbers.astype(float)
