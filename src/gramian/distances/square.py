"""Validation of dissimilarities: a square table with labels, or a condensed vector."""

from collections.abc import Sequence
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
from scipy.spatial.distance import squareform

from gramian._core.array import Array, is_numpy
from gramian._core.frames import collect, is_frame, refuse_same_names
from gramian._core.numbers import as_floats, cells, refuse_rounding
from gramian._core.parallel import parallel_map, row_blocks
from gramian._core.table import Table, distance_matrix, pair_table, square_labels
from gramian._core.types import TableLike
from gramian.errors import InputError

_TILE_ROWS = 512


def number_of_points(pairs: int) -> int:
    """Return n for n(n−1)/2 pairs, 0 if there is none."""
    n = round((1.0 + np.sqrt(1.0 + 8.0 * pairs)) / 2.0)
    return n if n * (n - 1) // 2 == pairs and n > 1 else 0


def dissimilarities(X: TableLike, name: str = "X", *, missing: bool = False) -> Table:
    """Return a validated square table, of one or of a vector of the pairs i < j row by row.

    With `missing`, NaN and masked entries are allowed, and one of two mirrored ones is enough.
    """
    rows: Array = to_square(_pairs(X, name), name) if _is_vector(X) else X
    rows, gaps = fill_gaps(rows) if missing else (rows, None)
    square = pair_table(rows, name, "distance")
    values, labels = square.values, square.index
    if values.shape[0] == values.shape[1]:  # before symmetry, which other labels explain
        labels = square_labels(labels, square.columns, name)
    if gaps is not None and values.shape[0] == values.shape[1]:
        values = np.where(gaps, values.T, values)
        np.fill_diagonal(gaps, False)
    values = _symmetric(Table(values, square.index, square.columns), name)
    if gaps is not None:
        values = np.where(gaps & gaps.T, np.nan, values)
    return Table(values, labels, square.columns)


def _pairs(X: Array, name: str) -> np.ndarray:
    """Return a vector of numbers, NaN where it is masked."""
    if not isinstance(X, np.ma.MaskedArray):
        return as_floats(X, name)
    values, gaps = _numbers_and_gaps(X, name)
    return np.where(gaps, np.nan, values)


def _is_vector(X: Array) -> bool:
    if isinstance(X, list | tuple):
        return len(X) > 0 and all(np.isscalar(value) for value in X)
    return getattr(X, "ndim", 0) == 1 and len(X) > 0


def to_square(v: np.ndarray, name: str) -> np.ndarray:
    """Return the symmetric matrix, zero on its diagonal, of a condensed vector."""
    n = number_of_points(len(v))
    if n == 0:
        raise InputError(
            f"{name} is a vector of {len(v)} values, which is n(n−1)/2 for no n: give a square "
            "matrix, or the pairs i < j row by row"
        )
    return np.asarray(squareform(v.astype(float), checks=False))


def to_condensed(D: np.ndarray) -> np.ndarray:
    """Return the pairs i < j of a symmetric matrix row by row."""
    return np.asarray(squareform(D, checks=False))


def fill_gaps(X: Array) -> tuple[Array, np.ndarray | None]:
    """Return X with 0 in the place of missing entries, and where they were."""
    X = collect(X)
    if is_frame(X):
        refuse_same_names(X, "X")
        frame = nw.from_native(X, eager_only=True)
        kinds = frame.schema.values()
        if not kinds or not all(kind.is_float() or kind.is_integer() for kind in kinds):
            return X, None
        values = np.column_stack([_with_nan(series) for series in frame.iter_columns()])
        gaps = np.isnan(values)
        if not gaps.any():
            return X, None
        rows = getattr(X, "index", None)
        return pd.DataFrame(np.where(gaps, 0.0, values), rows, list(frame.columns)), gaps
    if not (is_numpy(X) or isinstance(X, list | tuple)):
        return X, None
    values, gaps = _numbers_and_gaps(X, "X")
    return (values, gaps) if gaps.any() else (X, None)


def _numbers_and_gaps(X: TableLike, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Return the numbers of an array or of lists, 0 where they are missing, and where they are."""
    values = cells(X, name)
    gaps = np.asarray(pd.isna(values))
    return (as_floats(np.where(gaps, 0.0, values), name) if gaps.any() else values), gaps


def _with_nan(series: nw.Series[Any]) -> np.ndarray:
    """Return a column of numbers, NaN where there is none."""
    if series.dtype.is_integer():
        refuse_rounding(series.drop_nulls().to_numpy(), f"X, column {series.name!r},")
    return np.asarray(series.cast(nw.Float64).to_numpy(), dtype=float)


def _symmetric(D: Table, name: str) -> Array:
    """Return the distances, symmetric to the last bit; refuse what is no matrix of distances.

    A quick look over tiles spares most of the work and all of the memory.
    """
    values = D.values
    n, m = values.shape
    if n == m and is_numpy(values) and _is_plain(values):
        return values
    distance_matrix(D, name)
    return 0.5 * (values + values.T)


def _is_plain(D: np.ndarray) -> bool:
    """Whether D is symmetric to the last bit, not negative and zero on its diagonal."""
    if np.diagonal(D).any():
        return False
    blocks = list(row_blocks(len(D), _TILE_ROWS))

    def work(tiles: Sequence[tuple[slice, slice]]) -> bool:
        for rows, cols in tiles:
            tile = D[rows, cols]
            if tile.min() < 0 or not np.array_equal(tile, D[cols, rows].T):
                return False
        return True

    return all(parallel_map(work, [(a, b) for k, a in enumerate(blocks) for b in blocks[k:]]))
