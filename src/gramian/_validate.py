"""The door: what comes in is an array of finite numbers with its labels, or a clear refusal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from os import PathLike
from typing import Any

import narwhals as nw
import numpy as np
from scipy import sparse

from gramian._array import Array, is_array, is_numpy, is_sparse, namespace, to_numpy
from gramian._blocks import row_blocks, spread
from gramian.errors import InputError, InputTypeError

__all__ = ["Table", "distance_matrix", "is_frame", "require_finite", "square", "table", "weights"]

_MANY = 1 << 22  # numbers from which on threads pay


@dataclass(frozen=True)
class Table:
    """Numbers with the labels they came with."""

    values: Array  # (n, p) dense array or CSR matrix, floating point, finite
    index: Any = None  # row labels (a pandas Index), or None
    columns: list[Any] | None = None
    reader: Any = None  # what gives the values a meaning: the kernel meant, or Gower's codes


def is_frame(X: Any) -> bool:
    """Whether X is a data frame of some library."""
    if is_array(X):  # quicker to say than that it is no frame
        return False
    try:
        return isinstance(nw.from_native(X, eager_only=True, pass_through=True), nw.DataFrame)
    except nw.exceptions.DuplicateError:  # a frame, with two columns of one name
        return True


def table(
    X: Any, name: str = "X", *, min_rows: int = 2, allow_sparse: bool = True, finite: bool = True
) -> Table:
    """Return X as a table of finite floating-point numbers, or say what is wrong with it.

    Without `finite` an array on a device is not searched for NaN: whoever reads it must.
    """
    index = columns = None
    _check_is_here(X, name)
    _check_column_names(X, name)
    if is_frame(X):
        values, index, columns = _frame(X, name)
    elif sparse.issparse(X):
        values = _sparse(X, name, allow_sparse)
    elif is_array(X) and not is_numpy(X):
        values = _foreign(X, name)
    else:
        _check_is_data(X, name)
        values = _numpy(X, name)
    _check_shape(values, name, min_rows)
    data = Table(values, index, columns)
    if finite or is_numpy(values) or is_sparse(values):
        require_finite(data, name)
    return data


def _check_is_here(X: Any, name: str) -> None:
    """Refuse arrays and frames that are only a plan of their numbers."""
    if type(X).__module__.partition(".")[0] in ("dask", "dask_expr"):
        raise InputTypeError(
            f"{name} is a dask {type(X).__name__}, whose numbers are elsewhere: give "
            f"{name}.compute() where they fit, or a Gram operator over its chunks to KernelPCA"
        )


def _check_is_data(X: Any, name: str) -> None:
    """Refuse the name of a file, and the records that hold a table."""
    if isinstance(X, str | PathLike):
        raise InputTypeError(
            f"{name} is the text {str(X)[:60]!r}, not a table: read the file first, with "
            "gm.io.read(path).data, or with a data frame library"
        )
    if hasattr(X, "roles") or hasattr(X, "truth"):  # of a Source, of a Dataset
        raise InputTypeError(f"{name} is a {type(X).__name__}, not a table: give {name}.data")


def _check_column_names(X: Any, name: str) -> None:
    """Refuse a pandas frame with two columns of one name: every table would be ambiguous."""
    names = getattr(X, "columns", None)
    if hasattr(X, "iloc") and names is not None and not names.is_unique:
        twice = names[names.duplicated()][0]
        raise InputError(f"{name} has several columns named {twice!r}: give each its own name")


def _frame(X: Any, name: str) -> tuple[np.ndarray, Any, list[Any]]:
    """Return the numbers of a data frame; refuse a column that holds something else."""
    index = getattr(X, "index", None)
    columns = list(X.columns)
    plain = _plain_numbers(X, name)
    if plain is not None:
        return plain, index, columns
    frame = nw.from_native(X, eager_only=True)
    numbers = []
    for position, label in enumerate(columns):
        column = X.iloc[:, position] if hasattr(X, "iloc") else X[label]
        series = nw.from_native(column, series_only=True)
        if series.null_count():
            row = int(np.flatnonzero(series.is_null().to_numpy())[0])
            where = row if index is None else index[row]
            raise InputError(
                f"{name} has a missing value (NaN) at row {where!r}, column {label!r}: "
                "drop or fill the missing values first"
            )
        if not (series.dtype.is_numeric() or series.dtype in (nw.Boolean, nw.Object)):
            raise InputError(
                f"{name} has a column that is not numeric: {label!r} holds {series.dtype} "
                f"(first value {str(series[0])[:30]!r}): drop it, or give it to categories()"
            )
        numbers.append(_numpy(series.to_numpy(), f"{name}, column {label!r}"))
    dtype = np.result_type(*numbers) if numbers else np.dtype(float)
    values = np.empty((frame.shape[0], len(columns)), dtype=dtype)
    for position, column in enumerate(numbers):
        values[:, position] = column
    return values, index, columns


def _plain_numbers(X: Any, name: str) -> np.ndarray | None:
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
    if len({(kind.kind == "f", kind.itemsize) for kind in kinds}) > 1:
        return None  # mixed columns: each must be looked at before it is converted
    values = _numpy(X.to_numpy(), name)
    return None if np.isnan(values.sum()) else values


def _sparse(X: Any, name: str, allowed: bool) -> sparse.csr_array:
    if not allowed:
        raise InputTypeError(
            f"{name} is a sparse matrix, which is not supported here: use toarray()"
        )
    if X.dtype.kind not in "fiub":
        raise InputError(f"{name} is a sparse matrix of {X.dtype}: numbers are needed")
    X = sparse.csr_array(X)
    return X if X.dtype in (np.float32, np.float64) else X.astype(np.float64)


def _foreign(X: Array, name: str) -> Array:
    xp = namespace(X)
    if getattr(X, "requires_grad", False):
        X = X.detach()  # a fit is not part of a graph of derivatives
    if xp.isdtype(X.dtype, "complex floating"):
        raise InputError(
            f"Complex data not supported: {name} has dtype {X.dtype}: take its real part"
        )
    if X.dtype in (xp.float32, xp.float64):
        return X
    small = xp.isdtype(X.dtype, "real floating")  # half precisions: compute in float32
    return xp.astype(X, xp.float32 if small else xp.float64)


def _numpy(X: Any, name: str) -> np.ndarray:
    if isinstance(X, np.matrix):
        raise InputTypeError(
            f"{name} is a np.matrix, which is not supported: use np.asarray({name})"
        )
    if isinstance(X, np.ma.MaskedArray):
        if np.ma.getmaskarray(X).any():
            where = tuple(int(k[0]) for k in np.nonzero(np.ma.getmaskarray(X)))
            raise InputError(f"{name} has masked entries (the first at {where}): fill or drop them")
        X = X.data
    try:
        array = np.asarray(X)
    except ValueError as error:
        raise InputError(f"{name} is not a rectangular table: {str(error)[:200]}") from error
    kind = array.dtype.kind
    if kind == "c":
        raise InputError(f"Complex data not supported: {name} has dtype {array.dtype}")
    if kind == "O":
        return _from_objects(array, name)
    if kind not in "fiub":
        raise InputError(
            f"{name} holds {array.dtype} values, not numbers: convert them with astype(float)"
            f"{_hint(array)}"
        )
    if array.dtype in (np.float32, np.float64):
        return array
    if kind in "iu" and array.dtype.itemsize == 8 and array.size and _beyond_doubles(array):
        raise InputError(
            f"{name} has integers beyond 2^53, which double precision cannot hold: subtract a "
            "common offset first"
        )
    with np.errstate(over="ignore"):
        return array.astype(np.float32 if array.dtype == np.float16 else np.float64)


def _hint(array: np.ndarray) -> str:
    """Say what a list of objects needs."""
    if array.ndim != 1:
        return ""
    return "; graphs or sequences need kernel= one of gm.kernels.graph or gm.kernels.sequence"


def _beyond_doubles(array: np.ndarray) -> bool:
    return int(array.max()) > 2**53 or int(array.min()) < -(2**53)


def _from_objects(array: np.ndarray, name: str) -> np.ndarray:
    """Convert an object array of numbers; name the first entry that is none."""
    for where, value in np.ndenumerate(array):
        if isinstance(value, complex):
            raise InputError(f"Complex data not supported: {name} has {value!r} at {where}")
        if not isinstance(value, int | float | np.number | np.bool_):
            # scikit-learn's own contract wants these words for values that are no numbers.
            text = (
                f"{name} has {str(value)[:30]!r} at {where}: argument must be a string or a number"
            )
            raise InputTypeError(f"{text}, and strings must be converted first{_hint(array)}")
    try:
        return array.astype(np.float64)
    except OverflowError as error:
        raise InputError(f"{name} has a number too large for double precision: rescale") from error


def _check_shape(values: Array, name: str, min_rows: int) -> None:
    if values.ndim != 2:
        got = "a scalar" if values.ndim == 0 else f"{values.ndim}D array"
        raise InputError(
            f"Expected 2D array for {name}, got {got} instead. Reshape your data: "
            f"{name}.reshape(-1, 1) for one column, {name}.reshape(1, -1) for one row"
        )
    n, p = values.shape
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


def _total(flat: Array) -> Any:
    """Return the sum of the numbers, shared between the cores where there are many."""

    def part(blocks: Sequence[slice]) -> Any:
        with np.errstate(over="ignore", invalid="ignore"):
            return sum(namespace(flat).sum(flat[rows, ...]) for rows in blocks)

    n = flat.shape[0]
    if not is_numpy(flat) or flat.size < _MANY:
        return part([slice(0, n)])
    with np.errstate(over="ignore", invalid="ignore"):
        return sum(spread(part, list(row_blocks(n, -(-n // 16)))))


def require_finite(data: Table, name: str = "X") -> None:
    """Refuse NaN and infinity, and say where the first one is."""
    values, index, columns = data.values, data.index, data.columns
    xp = namespace(values)
    flat = values.data if is_sparse(values) else values
    # The sum of a finite array is finite or overflows: only then is it worth a second look.
    if bool(xp.isfinite(_total(flat))):
        return
    dense = values.tocoo() if is_sparse(values) else values
    finite = xp.isfinite(dense.data if is_sparse(values) else dense)
    if bool(xp.all(finite)):
        return
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
        "not allowed: drop or fill these values first"
    )


def weights(sample_weight: Any, n: int, name: str = "sample_weight") -> np.ndarray | None:
    """Return weights that sum to 1, or None for equal ones."""
    if sample_weight is None:
        return None
    raw = to_numpy(sample_weight) if is_array(sample_weight) else sample_weight
    w = np.asarray(_numpy(raw, name), dtype=np.float64)
    if w.ndim == 0:
        w = np.full(n, float(w))
    if w.shape != (n,):
        raise InputError(f"{name} has shape {w.shape} but there are {n} of them: give one each")
    if not np.isfinite(w).all() or (w < 0).any():
        k = int(np.flatnonzero(~(np.isfinite(w) & (w >= 0)))[0])
        raise InputError(f"{name}[{k}] is {w[k]}: weights must be finite and not negative")
    largest = w.max()
    if largest == 0:
        raise InputError(f"{name} is all zero: at least one weight must be positive")
    w = w / largest
    return None if (w == 1).all() else w / w.sum()


def square(K: Table, name: str, what: str) -> None:
    """Refuse a matrix that is not square or not symmetric."""
    values = K.values
    n, m = values.shape
    if n != m:
        raise InputError(f"{name} must be a square {what} matrix, but its shape is ({n}, {m})")
    xp = namespace(values)
    gap = xp.abs(values - values.T)
    tolerance = 1e-10 if values.dtype != xp.float32 else 1e-5
    if float(xp.max(gap)) > tolerance * float(xp.max(xp.abs(values))):
        k = int(xp.argmax(xp.reshape(gap, (-1,))))
        i, j = divmod(k, n)
        raise InputError(
            f"{name} is not symmetric: entry ({i}, {j}) is {float(values[i, j]):.6g} but "
            f"({j}, {i}) is {float(values[j, i]):.6g}: give (K + K.T)/2 if the difference is noise"
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


def is_block_stream(X: Any) -> bool:
    """Whether X is an iterable of row blocks rather than one table."""
    if is_frame(X) or sparse.issparse(X) or is_array(X) or isinstance(X, str | bytes | dict):
        return False
    if not isinstance(X, Iterable):
        return False
    if hasattr(X, "__len__"):
        return len(X) > 0 and all(getattr(block, "ndim", 0) == 2 for block in X)  # type: ignore[arg-type]
    return True
