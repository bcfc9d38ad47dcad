"""What the methods that start from distances share: the metric, and validation of rows."""

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from numbers import Number
from typing import Any, TypeAlias, TypeGuard

import numpy as np

from gramian._core.array import Array, is_sparse
from gramian._core.check import expect, invalid
from gramian._core.frames import collect, column_names, is_frame
from gramian._core.pairs import Points
from gramian._core.table import Table, pair_table, table
from gramian._core.types import DataLike
from gramian.distances import pairwise
from gramian.distances.mixed import Gower
from gramian.distances.square import dissimilarities
from gramian.errors import InputError
from gramian.kernels import Kernel
from gramian.kernels.objects import Objects

MetricLike: TypeAlias = str | Kernel | Callable[..., Any]


@dataclass(frozen=True)
class Distance:
    """A metric, and Gower's ranges and categories where it is that one."""

    metric: Any
    gower: Gower | None = None

    def check(self) -> None:
        """Refuse a metric that is no name and no kernel, and codes that it does not use."""
        expect(isinstance(self.metric, str | Kernel), "the name of a metric or a kernel")
        expect(is_metric(self.metric, "gower") == (self.gower is not None), "codes of Gower's")

    def __call__(self, A: Array, B: Array | None = None) -> Array:
        """Return the distances between rows, (m, n); rows are codes for Gower's."""
        if self.gower is not None:
            return self.gower.between(A, A if B is None else B)
        if isinstance(self.metric, Kernel):
            from gramian.rkhs import distance

            return distance(self.metric, A, B)
        return pairwise(A, B, self.metric)


def is_metric(metric: MetricLike, *names: str) -> bool:
    """Whether a metric is one of these names (it may be a function, or a kernel)."""
    return isinstance(metric, str) and metric in names


def is_euclidean(metric: MetricLike) -> bool:
    """Whether a metric is the distance of PCA."""
    return is_metric(metric, "euclidean", "l2")


def distance_rows(X: DataLike, metric: MetricLike, *, missing: bool = False) -> Table:
    """Return the rows that a metric is for; with `missing`, distances may be NaN."""
    if not (isinstance(metric, str) or callable(metric)):
        raise invalid("metric", metric, "must be a name or a function")
    if is_metric(metric, "precomputed"):
        return dissimilarities(X, missing=missing)
    if is_metric(metric, "gower"):
        return _gower_table(X)
    if _are_objects(X, metric):
        if len(X) < 2:
            raise InputError(f"X has {len(X)} sample(s) while a minimum of 2 is required")
        return Table(_objects(X, metric))
    return table(X, "X", allow_sparse=is_euclidean(metric))


def new_distance_rows(X: DataLike, metric: MetricLike, gower: Gower | None) -> Table:
    """Return new rows for the metric of a fit."""
    if gower is not None:
        X = collect(X)
        columns = column_names(X)
        return Table(gower.encode(X), getattr(X, "index", None), columns)
    if _are_objects(X, metric):
        return Table(_objects(X, metric))
    if is_metric(metric, "precomputed"):
        return pair_table(X, "X", "distance", min_rows=1, allow_sparse=True)
    return table(X, "X", min_rows=1)


def distance_of(metric: MetricLike, rows: Table) -> Distance:
    """Return a metric as rows are measured by it."""
    if isinstance(metric, Kernel):
        own = copy.deepcopy(metric)
        return Distance(own.resolve(Points(rows.values), None, rows.columns))
    return Distance(metric, rows.reader if isinstance(rows.reader, Gower) else None)


def _are_objects(X: DataLike, metric: MetricLike) -> TypeGuard[Sequence[Any]]:
    if isinstance(metric, Kernel):
        return not metric.takes_vectors
    return callable(metric) and _is_sequence_of_objects(X)


def _gower_table(X: DataLike) -> Table:
    X = collect(X)
    if is_sparse(X):
        raise InputError('X is sparse, which metric="gower" does not take: use toarray()')
    gower, codes = Gower.of(X)
    if len(codes) < 2:
        raise InputError("X has 1 sample while a minimum of 2 is required: give more rows")
    columns = column_names(X)
    return Table(codes, getattr(X, "index", None), columns, gower)


def _is_sequence_of_objects(X: DataLike) -> bool:
    """Whether X is a sequence of things that are no rows of numbers: texts, graphs, …"""
    if is_frame(X) or is_sparse(X) or not isinstance(X, Sequence | np.ndarray):
        return False
    if isinstance(X, np.ndarray):
        return X.ndim == 1 and X.dtype.kind in "OUS"
    if not len(X):
        return False
    return isinstance(X[0], str | bytes) or not isinstance(X[0], Sequence | np.ndarray | Number)


def _objects(X: Sequence[Any], metric: MetricLike) -> Any:
    """Return objects as a kernel reads them, or as a vector, whose rows a mask takes out."""
    if isinstance(metric, Kernel):
        rows = copy.deepcopy(metric).rows(X, "X")
        return rows if isinstance(rows, Objects) else list(rows)
    out = np.empty(len(X), dtype=object)
    for k, x in enumerate(X):  # one by one: arrays of one shape would be taken for a table
        out[k] = x
    return out


def refuse_vanished(X: Array, precomputed: bool) -> None:
    """Refuse rows that differ although their distances do not."""
    if not precomputed and Points(X).varies:
        raise InputError(
            "metric: all distances are zero although rows of X differ: numbers so small vanish: "
            "multiply the data by a power of two"
        )
