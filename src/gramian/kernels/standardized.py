"""A kernel of columns that are brought to mean 0 and standard deviation 1 first."""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian._array import Array, as_kind, to_numpy
from gramian._pairs import Pairs, Points
from gramian.errors import InputError
from gramian.kernels.base import Change, Kernel
from gramian.kernels.composite import Unary
from gramian.kernels.registry import register


@register(short=False)
class Standardized(Unary):
    """k((x − mean)/deviation, (y − mean)/deviation), a kernel of standardised columns.

    Parameters
    ----------
    kernel : Kernel
    mean, deviation : array (p,), optional
        Of the columns; by default the weighted ones (divisor n) of the rows it is fitted to. A
        constant column is left as it is, less its mean.

    Examples
    --------
    >>> from gramian.kernels import Linear
    >>> Standardized(Linear())([[1.0], [3.0]]).tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """

    takes_sparse = False  # less their means, zeros are numbers

    def __init__(self, kernel: Kernel, mean: Any = None, deviation: Any = None) -> None:
        self.kernel = kernel
        self.mean = mean
        self.deviation = deviation

    def evaluate(self, pairs: Pairs) -> Array:
        """The inner kernel of the standardised columns."""
        return self.kernel.evaluate(pairs.through(self._key(), self._standard))

    def squared_distance(self, pairs: Pairs) -> Array:
        """The inner distances of the standardised columns."""
        return self.kernel.squared_distance(pairs.through(self._key(), self._standard))

    def self_similarity(self, X: Any) -> Array:
        """The inner diagonal of the standardised columns."""
        if self.mean is None or self.deviation is None:
            return self.resolve(Points(X)).self_similarity(X)
        return self.kernel.self_similarity(self._standard(X))

    def resolve(self, points: Points, weights: Any = None, names: Any = None) -> Kernel:
        """Return the kernel with means and deviations made definite, and the inner one on these."""
        mean, deviation = self.mean, self.deviation
        if mean is None or deviation is None:
            mean, deviation = _moments(to_numpy(points.X).astype(np.float64), weights)
        definite = Standardized(self.kernel, mean, deviation)
        inner = self.kernel.resolve(definite._points(points), weights, names)
        return Standardized(inner, mean, deviation)

    def reading(self, reader: Any, names: Any = None) -> Kernel:
        """Refuse categories, which have no mean."""
        if reader.is_category.any():
            raise InputError(
                "scale=True brings columns to mean 0, and X holds categories: leave it out, since "
                "Gower() divides numbers by their ranges, or use Columns(Standardized(…), numbers)"
            )
        return super().reading(reader, names)

    @property
    def shift_changes(self) -> Change:  # type: ignore[override]
        """What it changes of the inner kernel."""
        return self.kernel.shift_changes

    def _parts_about(self, points: Points) -> Kernel:
        inner = self.kernel.about(self._points(points))
        return Standardized(inner, self.mean, self.deviation)

    def _about_centre(self, points: Points) -> Kernel:
        return self._parts_about(points)

    def _points(self, points: Points) -> Points:
        return points.through(self._key(), self._standard)

    def _key(self) -> tuple[Any, ...]:
        parts = (np.asarray(part, dtype=np.float64) for part in (self.mean, self.deviation))
        return ("standardized", *(part.tobytes() for part in parts))

    def _standard(self, X: Any) -> Array:
        mean, deviation = (
            np.asarray(part, dtype=np.float64) for part in (self.mean, self.deviation)
        )
        if mean.shape != (X.shape[1],) or deviation.shape != mean.shape:
            raise InputError(
                f"mean and deviation have {mean.size} and {deviation.size} entries but X has "
                f"{X.shape[1]} columns: give one each"
            )
        return (X - as_kind(mean, X)) / as_kind(np.where(deviation > 0, deviation, 1.0), X)


def _moments(X: np.ndarray, weights: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return weighted means and standard deviations of the columns, 0 for a constant one."""
    p = np.full(len(X), 1.0 / len(X)) if weights is None else np.asarray(weights, dtype=np.float64)
    first = X[0]
    mean = first + p @ (X - first)
    deviation = np.sqrt(p @ (X - mean) ** 2)
    return mean, np.where(np.ptp(X, axis=0) > 0, deviation, 0.0)
