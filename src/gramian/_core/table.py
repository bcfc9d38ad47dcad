"""Validation of tables, of weights and of square matrices of pairs: numbers or a clear error."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from os import PathLike
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
from scipy import sparse

from gramian._core.array import Array, Values, is_array, is_numpy, is_sparse, namespace
from gramian._core.frames import (
    collect,
    column_names,
    in_order_of,
    is_annotated,
    is_dask,
    is_frame,
    labels_of,
    refuse_same_names,
)
from gramian._core.numbers import as_floats, foreign_floats
from gramian._core.parallel import parallel_map, row_blocks
from gramian._core.sparse import csr_rows
from gramian._core.types import Frame, VectorLike, WeightsLike
from gramian.errors import InputError, InputTypeError

# What can be done about missing values, for error messages.
HOW_TO_FILL = "gm.missing.impute(X).table, or missing='iterative' where an estimator has it"
_PAIR_REMEDIES = {  # of missing values that are no table's
    "kernel": "leave out the points that have one",
    "distance": "leave out the points that have one, or use gm.MDS, which takes missing distances",
}
HOW_TO_LEAVE_OUT = "drop it, or give it to categories()"  # of a column that is no numbers
_TINY_SUM = 1e-20  # of a sum: below it the largest number is looked for
_MIN_THREADED_SIZE = 1 << 22  # numbers from which on threads pay


@dataclass(frozen=True)
class Table:
    """Numbers with the labels they came with."""

    values: Array  # (n, p) dense array or CSR matrix, floating point, finite
    index: Any = None  # row labels (a pandas Index), or None
    columns: list[Any] | None = None
    reader: Any = None  # what gives the values a meaning: the kernel meant, or Gower's codes


def object_table(objects: Values, X: object, reader: object) -> Table:
    """Return things that are no numbers with the labels that X, which they came from, has."""
    return Table(objects, labels_of(X), reader=reader)


def table(
    X: object,
    name: str = "X",
    *,
    min_rows: int = 2,
    allow_sparse: bool = True,
    finite: bool = True,
) -> Table:
    """Return X as a table of finite floating-point numbers, or say what is wrong with it.

    Without `finite` a dense array without labels is not searched for NaN: its reader must.
    """
    ready = type(X) is np.ndarray and X.dtype in (np.float32, np.float64)
    data = Table(X) if ready else _convert(X, name, allow_sparse)
    _check_shape(data.values, name, min_rows)
    if finite or is_sparse(data.values) or data.index is not None or data.columns is not None:
        total = require_finite(data, name)  # the reader of an array knows no labels
    else:  # one number that is not tiny is enough
        total = float(np.abs(data.values[0]).max()) if is_numpy(data.values) else 1.0
    if min_rows > 1 and abs(total) < _TINY_SUM:  # else a number is large enough
        _refuse_subnormal(data.values, name)
    return data


def pair_table(
    X: object, name: str, what: str, *, min_rows: int = 2, allow_sparse: bool = False
) -> Table:
    """Return values of pairs of points ("kernel" or "distance"); missing ones are not filled in."""
    try:
        return table(X, name, min_rows=min_rows, allow_sparse=allow_sparse)
    except InputError as error:
        if HOW_TO_FILL not in str(error):
            raise
        raise InputError(str(error).replace(HOW_TO_FILL, _PAIR_REMEDIES[what])) from error


def _convert(X: Frame, name: str, allow_sparse: bool) -> Table:
    """Return anything that holds a table as floating-point numbers with their labels."""
    _check_is_here(X, name)
    X = collect(X)
    if is_annotated(X):
        return _of_annotated(X, name, allow_sparse)
    refuse_same_names(X, name)
    if is_frame(X):
        return Table(*_frame(X, name))
    if sparse.issparse(X):
        return Table(_sparse(X, name, allow_sparse))
    if is_array(X) and not is_numpy(X):
        return Table(foreign_floats(X, name))
    _check_is_data(X, name)
    return Table(as_floats(X, name))


def _check_is_here(X: object, name: str) -> None:
    """Refuse arrays and frames that are only a plan, or only a part, of a table."""
    if type(X).__name__ == "RecordBatch":
        raise InputTypeError(
            f"{name} is a RecordBatch of Arrow: give pyarrow.Table.from_batches([{name}])"
        )
    if is_dask(X):
        raise InputTypeError(
            f"{name} is a dask {type(X).__name__}, whose numbers are not in memory: give "
            f"{name}.compute() where they fit, or use PCA or KernelPCA"
        )


def _of_annotated(X: Frame, name: str, allow_sparse: bool) -> Table:
    """Return the matrix of an AnnData object with the names of its rows and columns."""
    columns = list(X.var_names)
    refuse_same_names(pd.DataFrame(columns=columns), name)
    values = X.X if sparse.issparse(X.X) else np.asarray(X.X)
    return replace(_convert(values, name, allow_sparse), index=labels_of(X), columns=columns)


def _check_is_data(X: object, name: str) -> None:
    """Refuse the name of a file, and the records that hold a table."""
    if isinstance(X, str | PathLike):
        raise InputTypeError(
            f"{name} is the text {str(X)[:60]!r}, not a table: read the file first, with "
            "gm.io.read_file(path).data, or with a data frame library"
        )
    if hasattr(X, "data_vars"):
        first = next(map(str, X.data_vars), "name")
        raise InputTypeError(f"{name} is a Dataset of xarray: give an array, {name}[{first!r}]")
    if hasattr(X, "roles") or hasattr(X, "truth"):  # of a Source, of a Dataset
        raise InputTypeError(f"{name} is a {type(X).__name__}, not a table: give {name}.data")


def _frame(X: Frame, name: str) -> tuple[np.ndarray, pd.Index | None, list[Any]]:
    """Return the numbers of a data frame; refuse a column that holds something else."""
    index = getattr(X, "index", None)
    columns = column_names(X) or []
    plain = _plain_numbers(X, name)
    if plain is not None:
        return plain, index, columns
    frame = nw.from_native(X, eager_only=True)
    numbers = []
    for position, label in enumerate(columns):
        column = _dense(X.iloc[:, position]) if hasattr(X, "iloc") else X[label]
        series = nw.from_native(column, series_only=True)
        if series.null_count():
            row = int(np.flatnonzero(series.is_null().to_numpy())[0])
            where = row if index is None else index[row]
            raise InputError(
                f"{name} has a missing value (NaN) at row {where!r}, column {label!r}: "
                f"drop or fill the missing values first: {HOW_TO_FILL}"
            )
        if not (series.dtype.is_numeric() or series.dtype in (nw.Boolean, nw.Object)):
            raise InputError(
                f"{name} has a column that is not numeric: {label!r} holds {series.dtype} "
                f"(first value {str(series[0])[:30]!r}): {HOW_TO_LEAVE_OUT}"
            )
        numbers.append(as_floats(series.to_numpy(), f"{name}, column {label!r}"))
    dtype = np.result_type(*numbers) if numbers else np.dtype(float)
    values = np.empty((frame.shape[0], len(columns)), dtype=dtype)
    for position, column in enumerate(numbers):
        values[:, position] = column
    return values, index, columns


def _dense(column: Frame) -> Frame:
    """Return a column of pandas with every value written out, those of a sparse one too."""
    sparse = type(column.dtype).__name__ == "SparseDtype"
    return column.astype(column.dtype.subtype) if sparse else column


def _plain_numbers(X: Frame, name: str) -> np.ndarray | None:
    """Return the values at once where every column is of plain numbers and none is missing.

    Looking at thousands of columns one by one takes longer than analysing them.
    """
    kinds = getattr(X, "dtypes", ())
    if not all(isinstance(kind, np.dtype) and kind.kind in "fiub" for kind in kinds):
        return None
    if (
        not hasattr(X, "iloc")
        or X.shape[1] == 0
        or any(kind.kind == "f" and kind.itemsize > 8 for kind in kinds)
    ):
        return None
    if len({(kind.kind, kind.itemsize) for kind in kinds}) > 1:
        return None  # mixed columns: each must be looked at before it is converted
    values = as_floats(X.to_numpy(), name)
    return None if np.isnan(values.sum()) else values


def _sparse(X: sparse.sparray, name: str, allowed: bool) -> sparse.csr_array:
    if not allowed:
        raise InputTypeError(
            f"{name} is a sparse matrix, which is not supported here: use toarray()"
        )
    _check_shape(X, name, 0)
    return csr_rows(X, name)


def _check_shape(values: Array, name: str, min_rows: int) -> None:
    if values.ndim != 2:
        got = "a scalar" if values.ndim == 0 else f"{values.ndim}D array"
        remedy = f"{name}.reshape(-1, 1) for one column, {name}.reshape(1, -1) for one row"
        if values.ndim > 2:
            remedy = f"{name}.reshape(len({name}), -1), or take one slice, {name}[0]"
        raise InputError(
            f"Expected 2D array for {name}, got {got} instead. Reshape your data: {remedy}"
        )
    check_size(values, name, min_rows)


def check_size(rows: Array, name: str, min_rows: int) -> None:
    """Refuse a table with too few rows, or without columns."""
    n, p = rows.shape
    if n < min_rows:
        only = "1 sample" if n == 1 else f"{n} sample(s)"
        raise InputError(
            f"{name} has {only} (shape=({n}, {p})) while a minimum of {min_rows} is required: "
            "give more rows"
        )
    if p == 0:
        raise InputError(
            f"{name} has 0 feature(s) (shape=({n}, 0)) while a minimum of 1 is required."
        )


def _total(flat: Array) -> Array:
    """Return the sum of the numbers, shared between the cores where there are many."""

    def part(blocks: Sequence[slice]) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):
            return sum(namespace(flat).sum(flat[rows, ...]) for rows in blocks)

    n = flat.shape[0]
    if not is_numpy(flat) or flat.size < _MIN_THREADED_SIZE:
        return part([slice(0, n)])
    with np.errstate(over="ignore", invalid="ignore"):
        return sum(parallel_map(part, list(row_blocks(n, -(-n // 16)))))


def _refuse_subnormal(values: Array, name: str) -> None:
    """Refuse rows to learn from that are all so small that a quarter of their digits is lost."""
    flat = values.data if is_sparse(values) else values
    xp = namespace(flat)
    largest = float(xp.max(xp.abs(flat))) if 0 not in flat.shape else 0.0
    kind = xp.finfo(flat.dtype)
    least = float(kind.smallest_normal) * float(kind.eps) ** 0.25
    if 0.0 < largest < least:
        raise InputError(
            f"{name}: all its numbers are below {least:.2g}, where they lose their digits: "
            "multiply it by a power of two"
        )


def require_finite(data: Table, name: str = "X") -> float:
    """Refuse NaN and infinity, and say where the first one is; return the sum of the numbers."""
    values, index, columns = data.values, data.index, data.columns
    xp = namespace(values)
    flat = values.data if is_sparse(values) else values
    # The sum of a finite array is finite or overflows: only then is it worth a second look.
    total = float(_total(flat))
    if math.isfinite(total):
        return total
    dense = values.tocoo() if is_sparse(values) else values
    finite = xp.isfinite(dense.data if is_sparse(values) else dense)
    if bool(xp.all(finite)):
        return total
    if is_sparse(values):
        k = int(np.flatnonzero(~finite)[0])
        row, column, value = int(dense.row[k]), int(dense.col[k]), float(dense.data[k])
    else:
        row, column = (int(k[0]) for k in xp.nonzero(~finite))
        value = float(values[row, column])
    text = "NaN" if value != value else "inf" if value > 0 else "-inf"
    at_row = row if index is None else index[row]
    at_column = column if columns is None else columns[column]
    raise InputError(
        f"{name} contains {text} at row {at_row!r}, column {at_column!r}: NaN and infinity are "
        f"not allowed: drop or fill these values first{f': {HOW_TO_FILL}' if text == 'NaN' else ''}"
    )


def weights(
    sample_weight: WeightsLike, n: int, name: str = "sample_weight", index: pd.Index | None = None
) -> np.ndarray | None:
    """Return weights that sum to 1, or None for equal ones."""
    w = raw_weights(sample_weight, n, name, index)
    if w is None:
        return None
    w = w / w.max()
    return None if (w == 1).all() else w / w.sum()


def column_name_error(column: str, name: str = "sample_weight") -> InputTypeError:
    """Return the refusal of the name of a column in the place of its numbers."""
    named = repr(column[:40])
    return InputTypeError(
        f"{name}={named} must be numbers, one for each row: give the column, X[{named}] of a "
        f"data frame or X.take([{named}]) of a scan, and leave it out of X"
    )


def raw_weights(
    sample_weight: WeightsLike, n: int, name: str = "sample_weight", index: pd.Index | None = None
) -> np.ndarray | None:
    """Return weights as they are, one for each of n; one number is the weight of all.

    Labelled weights go to the rows by label, where these have labels too: `index`.
    """
    if sample_weight is None:
        return None
    if isinstance(sample_weight, str):
        raise column_name_error(sample_weight, name)
    ordered = in_order_of(sample_weight, index, name)
    w = np.asarray(as_floats(ordered, name), dtype=np.float64)
    if w.ndim == 0:
        w = np.full(n, float(w))
    if hasattr(sample_weight, "dims"):  # a field of xarray: its places are columns, in this order
        w = w.ravel()
    if w.shape != (n,):
        raise InputError(f"{name} has shape {w.shape}, not ({n},): give one weight for each")
    if not np.isfinite(w).all() or (w < 0).any():
        k = int(np.flatnonzero(~(np.isfinite(w) & (w >= 0)))[0])
        raise InputError(f"{name}[{k}] is {w[k]}: weights must be finite and not negative")
    if w.max(initial=0.0) == 0:
        raise InputError(f"{name} is all zero: at least one weight must be positive")
    return w


def plain_weights(
    sample_weight: VectorLike | None,
    n: int,
    name: str = "sample_weight",
    index: pd.Index | None = None,
) -> np.ndarray | None:
    """Return weights as they are, where sums and products of them keep their digits."""
    w = raw_weights(sample_weight, n, name, index)
    if w is not None and not (w[w > 0].min() > 1e-150 and w.max() < 1e150):
        raise InputError(f"{name} has weights beyond 1e-150 or 1e150: divide all by one number")
    return w


def square(K: Table, name: str, what: str) -> None:
    """Refuse a matrix that is not square, not symmetric or not labelled alike on both sides."""
    values = K.values
    n, m = values.shape
    if n != m:
        raise InputError(f"{name} must be a square {what} matrix, but its shape is ({n}, {m})")
    square_labels(K.index, K.columns, name)
    xp = namespace(values)
    gap = xp.abs(values - values.T)
    tolerance = 1e-10 if values.dtype != xp.float32 else 1e-5
    if float(xp.max(gap)) > tolerance * float(xp.max(xp.abs(values))):
        if _is_permuted(K.index, K.columns):
            raise _other_orders(name)
        k = int(xp.argmax(xp.reshape(gap, (-1,))))
        i, j = divmod(k, n)
        raise InputError(
            f"{name} is not symmetric: entry ({i}, {j}) is {float(values[i, j]):.6g} but "
            f"({j}, {i}) is {float(values[j, i]):.6g}: give (K + K.T)/2 if the difference is noise"
        )


def square_labels(index: pd.Index | None, columns: list[Any] | None, name: str) -> pd.Index | None:
    """Return the labels of the points: those of the rows, or of the columns where rows have none.

    Other labels on the two sides, or the same in another order, would pair the value of one point
    with the name of another.
    """
    if columns is None or index is None or type(index).__name__ == "RangeIndex":
        return index if columns is None else pd.Index(columns)
    rows, across = [str(label) for label in index], [str(label) for label in columns]
    if rows == across or columns == list(range(len(columns))):
        return index
    if sorted(rows) == sorted(across):
        raise _other_orders(name)
    k = next((k for k, pair in enumerate(zip(rows, across, strict=False)) if pair[0] != pair[1]), 0)
    raise InputError(
        f"{name} has the label {rows[k][:40]!r} on row {k} but {across[k][:40]!r} on column {k}: "
        "rows and columns are the same points: label them alike, or drop one of the two"
    )


def _is_permuted(index: pd.Index | None, columns: list[Any] | None) -> bool:
    """Whether both sides have the same labels, of counted rows too, in other orders."""
    if index is None or columns is None or list(index) == columns:
        return False
    return set(index) == set(columns)


def _other_orders(name: str) -> InputError:
    return InputError(
        f"{name} has the labels of its rows and of its columns in different orders: use "
        f"{name}.loc[{name}.columns]"
    )


def distance_matrix(D: Table, name: str = "X") -> None:
    """Refuse a matrix that cannot hold distances."""
    square(D, name, "distance")
    values = D.values
    xp = namespace(values)
    if float(xp.min(values)) < 0:
        i, j = divmod(int(xp.argmin(xp.reshape(values, (-1,)))), values.shape[0])
        raise InputError(
            f"{name} has a negative distance, {float(values[i, j]):.6g} at ({i}, {j}): "
            "give distances (not similarities)"
        )
    diagonal = xp.linalg.diagonal(values)
    if float(xp.max(xp.abs(diagonal))) > 1e-12 * float(xp.max(values)):
        i = int(xp.argmax(xp.abs(diagonal)))
        raise InputError(
            f"{name} has {float(diagonal[i]):.6g} on its diagonal at {i}: the distance of a point "
            "to itself must be 0 (is this a similarity matrix?)"
        )
