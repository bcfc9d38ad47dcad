"""Kernels defined by their values or by distances: a function, a matrix, a metric."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np

from gramian._core.array import Array, as_kind, exp, is_array, namespace, to_numpy
from gramian._core.check import answer, positive
from gramian._core.numbers import as_array, as_floats
from gramian._core.pairs import Pairs, Points
from gramian._core.table import pair_table, square
from gramian._core.types import RowsLike
from gramian.distances import pairwise as pairwise_distances
from gramian.distances.communities import EUCLIDEAN_OF
from gramian.errors import InputError, InputTypeError
from gramian.kernels.bandwidth import weighted_median
from gramian.kernels.base import Kernel, Names, Weights, one_value
from gramian.kernels.registry import register

_Metric: TypeAlias = str | Callable[[Any, Any], Any]  # a name, or a function of two tables

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
_EUCLIDEAN |= dict.fromkeys(EUCLIDEAN_OF, True)  # after a transform


class Function(Kernel):
    """The rank-one kernel of a function, k(x, y) = g(x)·g(y), g from a table (n, p) to n numbers.

    >>> float(Function(lambda X: X[:, 0])([[2.0], [3.0]])[0, 1])
    6.0
    """

    psd: bool | None = True

    def __init__(self, g: Callable[[Any], Any]) -> None:
        self.g = g

    def evaluate(self, pairs: Pairs) -> Array:
        """g(x)·g(y)."""
        return self._values(pairs.X)[:, None] * self._values(pairs.Y)[None, :]

    def squared_distance(self, pairs: Pairs) -> Array:
        """(g(x) − g(y))²."""
        return (self._values(pairs.X)[:, None] - self._values(pairs.Y)[None, :]) ** 2

    def self_similarity(self, X: Array) -> Array:
        """g(x)²."""
        return self._values(X) ** 2

    def _parts_about(self, points: Points) -> Kernel:
        """Return the function less one of its values: centring takes a constant off."""
        values = self._values(points.X)
        middle = float(namespace(values).sort(values)[values.shape[0] // 2])
        return Function(lambda X: self.g(X) - middle)

    def _values(self, X: Array) -> Array:
        values = answer(self.g, "g", X)
        if not is_array(values):
            values = as_kind(as_floats(values, "g: its result"), X)
        if values.shape != (X.shape[0],):
            raise InputError(
                f"g returned shape {values.shape} for {X.shape[0]} rows: one number each"
            )
        return values


class Callback(Kernel):
    """A kernel defined by a vectorised function of two tables, whose results are checked.

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
        try:
            K = answer(self.function, "kernel", X, Y)
        except (TypeError, ValueError):  # a function of two rows may raise these
            self._refuse_of_rows(X, Y)
            raise
        if not is_array(K) or not namespace(K).isdtype(K.dtype, "real floating"):
            K = as_array(K, "kernel: the callable's result")
            if K.dtype.kind not in "iubf":
                found = f"{K.dtype} values, not real numbers"
                raise InputError(f"kernel: the callable returned {found}")
            K = K.astype(float)
        expected = (X.shape[0], Y.shape[0])
        if tuple(K.shape) != expected:
            self._refuse_of_rows(X, Y)
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

    def _refuse_of_rows(self, X: Array, Y: Array) -> None:
        """Say what to write, if the function takes two rows, as scikit-learn's callables do."""
        try:
            is_number = np.ndim(to_numpy(self.function(X[0, ...], Y[0, ...]))) == 0
        except Exception:  # of whatever kind a function of tables raises at two rows
            return
        if is_number:
            raise InputTypeError(
                "kernel: the callable is a function f of two rows, and a kernel here is one of two "
                "tables: write kernel=lambda X, Y: [[f(x, y) for y in Y] for x in X]"
            )

    def self_similarity(self, X: Array) -> Array:
        """The function at pairs of equal points, a few rows at a time."""
        if hasattr(self.function, "diag"):  # kernels of scikit-learn's Gaussian processes
            return as_kind(self.function.diag(to_numpy(X)), X)
        xp, n = namespace(X), X.shape[0]
        parts = [
            xp.linalg.diagonal(self.evaluate(Pairs(Points(X[start : min(start + 64, n), ...]))))
            for start in range(0, n, 64)
        ]
        return xp.concat(parts)


@register(short=False)
class Precomputed(Kernel):
    """A kernel defined by its matrix; the points are row numbers, (n,) or (n, 1).

    >>> float(Precomputed(np.array([[2.0, 1.0], [1.0, 3.0]]))([[0]], [[1]])[0, 0])
    1.0
    """

    def __init__(self, matrix: Array | None = None) -> None:
        self.matrix = matrix

    def evaluate(self, pairs: Pairs) -> Array:
        """The entries of the matrix."""
        return self._matrix[np.ix_(self._numbers(pairs.X), self._numbers(pairs.Y))]

    def self_similarity(self, X: Array) -> Array:
        """The diagonal entries."""
        rows = self._numbers(X)
        return self._matrix[rows, rows]

    @property
    def _matrix(self) -> np.ndarray:
        if self.matrix is None:
            raise InputError("matrix is missing: write Precomputed(K), or kernel='precomputed'")
        return as_floats(self.matrix, "matrix")

    def resolve(self, points: Points, weights: Weights = None, names: Names = None) -> Kernel:
        """Return this kernel, its matrix checked."""
        self._check_matrix()
        return self

    def _check_matrix(self) -> None:
        if self.matrix is not None:
            known = pair_table(self.matrix, "matrix", "kernel", min_rows=1)
            square(known, "matrix", "kernel")

    def _numbers(self, X: Array) -> np.ndarray:
        numbers, n = np.asarray(X, dtype=float).ravel(), min(self._matrix.shape)
        rows = numbers.astype(np.int64)
        if (rows != numbers).any() or (rows < 0).any() or (rows >= n).any():
            raise InputError(
                f"X: the points of a precomputed kernel are row numbers: they must lie below {n}"
            )
        return rows

    def rows(self, X: RowsLike, name: str = "X") -> Array:
        """Return row numbers as a column."""
        self._check_matrix()
        column = to_numpy(X) if is_array(X) else as_array(X, name)
        return super().rows(column[:, None] if column.ndim == 1 else X, name)


@register(short=False)
class FromDistance(Kernel):
    """k(x, y) = exp(−d(x, y)²/(2·scale²)) for a distance d of any kind.

    It is positive semi-definite for every scale exactly when d² is conditionally negative definite,
    that is when d is the distance of a Euclidean space (Schoenberg). `psd` is set for metrics of
    which this is known; `gm.validity.is_euclidean(metric)` looks for a counterexample.

    `metric` is a name that `gm.distances.pairwise` takes, or a function of two tables that returns
    distances. `scale` is a number, or "median", which is √(h/2), h the median of the squared
    distances between distinct points.

    >>> float(FromDistance("cityblock", scale=1.0)([[0.0, 0.0], [0.5, 0.5]])[0, 1].round(6))
    0.606531
    """

    def __init__(self, metric: _Metric = "euclidean", scale: float | str = "median") -> None:
        self.metric = metric
        self.scale = scale

    @classmethod
    def from_gamma(cls, metric: _Metric, gamma: float) -> FromDistance:
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
        K = exp(self._exponent(pairs))
        return as_kind(to_numpy(K), pairs.X) if is_array(pairs.X) else K

    def squared_distance(self, pairs: Pairs) -> Array:
        """2(1 − exp(−d²/(2·scale²)))."""
        exponent = self._exponent(pairs)
        D = -2.0 * namespace(exponent).expm1(exponent)
        return as_kind(to_numpy(D), pairs.X) if is_array(pairs.X) else D

    def _exponent(self, pairs: Pairs) -> Array:
        self._refuse_data_metrics()
        d = pairwise_distances(pairs.X, None if pairs.same else pairs.Y, self.metric)
        return -0.5 * (d / positive(self.scale, "scale")) ** 2

    def _refuse_data_metrics(self) -> None:
        """Refuse what depends on all rows: χ² on sums of columns, Gower's on their ranges."""
        metric = self.metric if isinstance(self.metric, str) else ""
        if metric == "gower":
            raise InputError(
                "metric='gower' depends on the ranges of all rows, which a kernel of two rows does "
                "not know: use kernels.Gower(), or its exponential kernels.Gower().exp()"
            )
        if metric in ("chi2", "chisq"):
            raise InputError(
                f"metric={metric!r} depends on the sums of all rows, which a kernel of two "
                'rows does not know: give gm.ecology.transform(X, "chi2") to kernels.Gaussian()'
            )

    def self_similarity(self, X: Array) -> Array:
        """One for every point."""
        return one_value(X, 1.0)

    def resolve(self, points: Points, weights: Weights = None, names: Names = None) -> Kernel:
        """Return the kernel with its scale a number."""
        if not (isinstance(self.scale, str) and self.scale == "median"):
            positive(self.scale, "scale")
            return self
        self._refuse_data_metrics()
        d2 = to_numpy(pairwise_distances(points.X, None, self.metric)) ** 2
        return FromDistance(self.metric, float(np.sqrt(weighted_median(d2, weights) / 2.0)))
