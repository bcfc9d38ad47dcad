"""Blocks of rows that are read once: all that is kept of them are their moments."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np
from sklearn.base import BaseEstimator

from gramian._array import Array, as_doubles, is_sparse
from gramian._check import expect, short
from gramian._validate import Table
from gramian.errors import InputError
from gramian.estimators._base import check_columns as check_like
from gramian.operators.merging import merged
from gramian.operators.moments import Moments, moments, reference_point

__all__ = [
    "Stream",
    "about_origin",
    "check_columns",
    "extended",
    "in_units",
    "packed",
    "padded",
    "refuse_filling",
    "rows_of_fit",
    "seen_by",
    "turned",
    "unpacked",
]


_SEEN = ("n_features_in_", "feature_names_in_")


@dataclass(frozen=True, eq=False)
class Stream:
    """What was seen of a stream of rows."""

    moments: Moments
    n: Annotated[int, ">= 1"]
    like: Array  # an empty array of the rows' library and precision
    seen: dict[str, Any]  # what scikit-learn records of the columns

    def check(self) -> None:
        """Refuse columns that are not those of the moments, and results of no precision."""
        p = self.moments.first.shape[0]
        expect(set(self.seen) <= set(_SEEN), "what scikit-learn records of columns")
        expect(self.seen.get("n_features_in_", p) == p, f"{p} columns")
        expect("float" in str(getattr(self.like, "dtype", "")), "an array of floating numbers")

    @property
    def names(self) -> Any:
        """The names of the columns, or None."""
        return self.seen.get("feature_names_in_")

    def __add__(self, other: Stream) -> Stream:
        """Return what was seen of two parts of a table, each on its own."""
        like = max(self.like, other.like, key=lambda a: a.dtype.itemsize)
        return Stream(merged(self.moments, other.moments), self.n + other.n, like, self.seen)


def extended(
    stream: Stream | None,
    rows: Table,
    weights: np.ndarray | None,
    seen: dict[str, Any],
    *,
    cross: bool = True,
) -> Stream:
    """Return a stream and one block more; weights are used as they are.

    Without `cross` only the variances of the columns are added up.
    """
    n = rows.values.shape[0] if weights is None else int(np.count_nonzero(weights))
    like = rows.values.data if is_sparse(rows.values) else rows.values
    w = None if weights is None else as_doubles(weights, like)
    if stream is None:
        m = moments(rows.values, w, reference_point(rows.values), cross=cross)
        return Stream(m, n, like[:0, ...], seen)
    before = stream.moments
    m = moments(rows.values, w, (before.shift, before.unit), cross=cross)
    if m.unit is not before.unit:  # the block did not fit the first one's units
        before = rescaled(before, m.unit)
    return replace(stream, moments=before + m, n=stream.n + n)


def packed(stream: Stream | None) -> dict[str, Any]:
    """Return the moments of a stream of NumPy rows as arrays by name."""
    assert stream is not None
    return vars(stream.moments) | {"n": stream.n}


def unpacked(arrays: dict[str, Any], rows: Any, seen: dict[str, Any]) -> Stream:
    """Return the stream of arrays by name, of rows like some."""
    like = rows.data if is_sparse(rows) else rows
    parts = {name: arrays[name] for name in ("shift", "unit", "first", "second")}
    m = Moments(weight=float(arrays["weight"]), **parts)
    return Stream(m, int(arrays["n"]), like[:0, ...], seen)


def rows_of_fit(owner: Any) -> Any:
    """Return the rows of a fit that `partial_fit` goes on from, None where there was none."""
    record = vars(owner).get("record_")
    if record is None:
        return None
    t = record.training
    if t.table is None:
        raise InputError(
            "partial_fit: the fit before kept neither its rows nor moments of them: make a new "
            "estimator, or start with partial_fit"
        )
    if t.weights is not None:
        raise InputError(
            "partial_fit: the fit before kept only the proportions of its sample_weight: make a "
            "new estimator, and give its rows to partial_fit too"
        )
    return t.rows


def seen_by(owner: Any) -> dict[str, Any]:
    """Return what scikit-learn recorded of the columns."""
    return {name: vars(owner)[name] for name in _SEEN if name in vars(owner)}


def check_columns(owner: BaseEstimator, seen: dict[str, Any], X: Any, rows: Table) -> None:
    """Refuse a block whose columns are not those of the blocks before."""
    estimator = type(owner)()
    vars(estimator).update(seen)
    check_like(estimator, X, rows)


def refuse_filling(owner: Any, what: str) -> None:
    """Refuse to fill in holes of rows that are not all here."""
    if owner.missing != "raise":
        raise InputError(
            f"missing={short(owner.missing)} does not go with {what}: holes are filled in from all "
            "rows at once: fill them in before, by X.complete('mean') of a scan or "
            "X.fillna(X.mean()) of dask, or give one table, X.collect() or X.compute()"
        )


def rescaled(m: Moments, unit: Array) -> Moments:
    """Return the same moments in other units."""
    ratio = m.unit / unit
    square = ratio**2 if m.second.ndim == 1 else ratio[:, None] * ratio[None, :]
    return Moments(m.shift, unit, m.weight, m.first * ratio, m.second * square)


def in_units(m: Moments) -> Moments:
    """Return moments in the unit of the features, which kernels keep near 1."""
    return rescaled(m, np.ones_like(m.unit))


def about_origin(m: Moments) -> np.ndarray:
    """Return Σ w·f·fᵀ from the moments about the shift."""
    cross = np.outer(m.shift, m.first)
    return m.second + cross + cross.T + m.weight * np.outer(m.shift, m.shift)


def padded(stream: Stream, columns: int) -> Stream:
    """Return the moments with features more, which are 0 for the rows that came before."""
    m = stream.moments
    more = columns - len(m.first)
    shift, first = (np.pad(a, (0, more)) for a in (m.shift, m.first))
    second = np.pad(m.second, (0, more))
    return replace(stream, moments=Moments(shift, np.ones(columns), m.weight, first, second))


def turned(m: Moments, Q: np.ndarray) -> Moments:
    """Return the moments of f·Q."""
    second = Q.T @ m.second @ Q
    second = 0.5 * (second + second.T)
    return Moments(m.shift @ Q, np.ones(Q.shape[1]), m.weight, m.first @ Q, second)
