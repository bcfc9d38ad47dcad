"""What the methods that start from distances share: the metric and the door."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Number
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted, validate_data

from gramian._array import Array, as_kind, is_array, is_numpy, is_sparse, to_numpy
from gramian._pairs import Points
from gramian._validate import Table, is_frame, table
from gramian.distances import pairwise
from gramian.distances.dissimilarities import dissimilarities
from gramian.distances.mixed import Gower
from gramian.errors import InputError
from gramian.kernels.base import Kernel
from gramian.rkhs.distance import distance

__all__ = ["Distance", "DistanceInput", "as_given"]


@dataclass(frozen=True)
class Distance:
    """A metric, and Gower's ranges and categories where it is that one."""

    metric: Any
    gower: Gower | None = None

    def __call__(self, A: Any, B: Any = None) -> Array:
        """Return the distances between rows, (m, n); rows are codes for Gower's."""
        if self.gower is not None:
            return self.gower.between(A, A if B is None else B)
        if isinstance(self.metric, Kernel):
            return distance(self.metric, A, B)
        return pairwise(A, B, self.metric)


@dataclass(frozen=True)
class _Coded(Table):
    """Rows of numbers and categories as codes, with the distance that reads them."""

    gower: Gower | None = None


class DistanceInput:
    """The parameter `metric` and what it asks of X."""

    metric: Any
    _takes_missing = False  # whether X may hold unknown distances, NaN

    @property
    def _is_precomputed(self) -> bool:
        return self._is_metric("precomputed")

    @property
    def _is_euclidean(self) -> bool:
        return self._is_metric("euclidean") or self._is_metric("l2")

    def _is_metric(self, name: str) -> bool:
        return isinstance(self.metric, str) and self.metric == name

    def _door(self, X: Any) -> Table:
        if not (isinstance(self.metric, str) or callable(self.metric)):
            raise InputError(f"metric={self.metric!r} must be a name or a function")
        if self._is_precomputed:
            return dissimilarities(X, missing=self._takes_missing)
        if self._is_metric("gower"):
            return _coded(X)
        if self._takes_objects(X):
            if len(X) < 2:
                raise InputError(f"X has {len(X)} sample(s) while a minimum of 2 is required")
            return Table(_objects(X))
        return table(X, "X", allow_sparse=self._is_euclidean)

    def _takes_objects(self, X: Any) -> bool:
        if isinstance(self.metric, Kernel):
            return not self.metric.takes_vectors
        return callable(self.metric) and _are_objects(X)

    def _distance_of(self, rows: Table) -> Distance:
        if isinstance(self.metric, Kernel):
            return Distance(self.metric.resolve(Points(rows.values), None, rows.columns))
        return Distance(self.metric, getattr(rows, "gower", None))

    def _table_of(self, values: Any, columns: Any) -> Table:
        """Return the rows of a fit as its door gave them, categories with what their codes mean."""
        gower = self._distance.gower  # type: ignore[attr-defined]
        return Table(values, columns=columns) if gower is None else _Coded(values, gower=gower)

    def _names_seen(self, X: Any, rows: Table) -> dict[str, Any]:
        if getattr(rows.values, "ndim", 2) == 1:  # objects have no columns
            return {"_index": None, "_columns": None}
        return super()._names_seen(X, rows)  # type: ignore[misc]

    def _new_rows(self, X: Any, door: Any = None) -> Table:
        check_is_fitted(self)
        distance: Distance = self._distance  # type: ignore[attr-defined]
        if distance.gower is not None:
            validate_data(self, X, reset=False, skip_check_array=True)
            return Table(distance.gower.encode(X), getattr(X, "index", None))
        if self._takes_objects(X):
            return Table(_objects(X))
        return super()._new_rows(X)  # type: ignore[misc]


def as_given(Z: Any, X: Any) -> Array:
    """Return coordinates in the library and the precision of the rows X they belong to."""
    if not is_array(X) or (is_numpy(X) and X.dtype != np.float32):
        return Z
    return as_kind(to_numpy(Z), X)


def _coded(X: Any) -> _Coded:
    if is_sparse(X):
        raise InputError('X is sparse, which metric="gower" does not take: use toarray()')
    gower, codes = Gower.of(X)
    if len(codes) < 2:
        raise InputError("X has 1 sample while a minimum of 2 is required: give more rows")
    columns = list(X.columns) if is_frame(X) else None
    return _Coded(codes, getattr(X, "index", None), columns, gower)


def _are_objects(X: Any) -> bool:
    """Whether X is a sequence of things that are no rows of numbers: texts, graphs, …"""
    if is_frame(X) or is_sparse(X) or not isinstance(X, Sequence | np.ndarray):
        return False
    if isinstance(X, np.ndarray):
        return X.ndim == 1 and X.dtype.kind in "OUS"
    if not len(X):
        return False
    return isinstance(X[0], str | bytes) or not isinstance(X[0], Sequence | np.ndarray | Number)


def _objects(X: Any) -> np.ndarray:
    """Return objects as a vector, so that rows can be taken out of it by a mask."""
    out = np.empty(len(X), dtype=object)
    for k, x in enumerate(X):  # one by one: arrays of one shape would be taken for a table
        out[k] = x
    return out
