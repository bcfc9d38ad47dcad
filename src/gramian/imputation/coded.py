"""Tables with holes as numbers and back: the holes are NaN, and only they change."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd

from gramian._array import to_numpy
from gramian._validate import is_frame, table
from gramian._warn import warn
from gramian.distances.dissimilarities import without_gaps
from gramian.errors import InputError, NearlyEmptyWarning

__all__ = ["Coded", "coded", "has_holes"]

_LITTLE = 0.2  # share of the columns below which a row is nearly empty
_FEW = 0.1  # share of the rows below which a column is nearly empty


@dataclass(frozen=True, eq=False)
class Coded:
    """A table with holes: what it was given as, and its numbers."""

    source: Any
    values: np.ndarray  # (n, p), NaN in the holes
    index: Any = None  # row labels, or None
    columns: list[Any] | None = None

    @property
    def holes(self) -> np.ndarray:
        """Which cells are missing, (n, p)."""
        return np.isnan(self.values)

    @property
    def row_labels(self) -> pd.Index:
        """The labels of the rows, or 0, 1, …."""
        return pd.RangeIndex(len(self.values)) if self.index is None else pd.Index(self.index)

    @property
    def column_labels(self) -> list[Any]:
        """The names of the columns, or x0, x1, …."""
        names = self.columns
        return [f"x{j}" for j in range(self.values.shape[1])] if names is None else list(names)

    def framed(self, values: np.ndarray) -> pd.DataFrame:
        """Return numbers under the labels of the table."""
        return pd.DataFrame(values, index=self.row_labels, columns=self.column_labels)

    def table(self, values: np.ndarray) -> Any:
        """Return the table as it was given, with values in its holes."""
        return put(self.source, values, self.holes)


def coded(X: Any, name: str = "X", *, min_rows: int = 2) -> Coded:
    """Return a table whose holes (NaN, None, masked) are NaN; infinity is refused."""
    numbers, gaps = without_gaps(X)
    rows = table(numbers, name, min_rows=min_rows, allow_sparse=False)
    values = np.array(to_numpy(rows.values), dtype=np.float64)
    if gaps is not None:
        values[gaps] = np.nan
    return Coded(X, values, rows.index, rows.columns)


def has_holes(X: Any) -> bool:
    """Whether a table of numbers has holes.

    >>> has_holes(np.eye(2)), has_holes([[1.0, np.nan]])
    (False, True)
    """
    return without_gaps(X)[1] is not None


def put(source: Any, values: np.ndarray, holes: np.ndarray) -> Any:
    """Return a table like `source` with values in its holes; other cells are as they were."""
    if not is_frame(source):
        kind = getattr(source, "dtype", np.dtype(float))
        single = kind in (np.float32, np.float16)
        return values.astype(np.float32) if single else values
    if isinstance(source, pd.DataFrame):
        out = source.copy()
        for k in np.flatnonzero(holes.any(axis=0)):
            out.isetitem(int(k), pd.Series(values[:, k], index=source.index))
        return out
    frame = nw.from_native(source, eager_only=True)
    new = [
        nw.new_series(frame.columns[k], values[:, k], backend=frame.implementation)
        for k in np.flatnonzero(holes.any(axis=0))
    ]
    return (frame.with_columns(*new) if new else frame).to_native()


def refuse_empty(data: Coded) -> None:
    """Refuse rows and columns without a value, by name."""
    for what, empty, labels in (
        ("row", data.holes.all(axis=1), data.row_labels),
        ("column", data.holes.all(axis=0), data.column_labels),
    ):
        if empty.any():
            raise InputError(f"X has no value in {_named(what, empty, labels)}: drop it first")


def warn_of_nearly_empty(data: Coded, q: int) -> None:
    """Say which rows and columns know too little for what is filled in to mean much."""
    known = ~data.holes
    n, p = known.shape
    of_rows, of_columns = known.sum(axis=1), known.sum(axis=0)
    rows = (of_rows < p) & ((of_rows <= min(q, p - 1)) | (of_rows < _LITTLE * p))
    columns = (of_columns < n) & ((of_columns <= q + 1) | (of_columns < _FEW * n))
    for what, bare, labels, size in (
        ("row", rows, data.row_labels, of_rows),
        ("column", columns, data.column_labels, of_columns),
    ):
        if bare.any():
            few = int(size[bare].max())
            warn(
                f"{_named(what, bare, labels)} of X: no more than {few} known values each; what is "
                f"filled in there rests on the other {what}s nearly alone: leave them out, or "
                "read them with care",
                NearlyEmptyWarning,
            )


def _named(what: str, mask: np.ndarray, labels: Any) -> str:
    """Write a few names, and how many more there are."""
    names = [repr(labels[k])[:40] for k in np.flatnonzero(mask)[:5]]
    more = int(mask.sum()) - len(names)
    return f"{what}{'s' * (mask.sum() > 1)} {', '.join(names)}" + (f" and {more} more" * (more > 0))
