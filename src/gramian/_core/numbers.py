"""Numbers and labels in cells: exact floating point or a clear error."""

import math
from collections.abc import Iterable, Mapping, Sequence, Set
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from gramian._core.array import Array, is_array, is_numpy, namespace, to_numpy
from gramian._core.check import is_label, is_whole, short
from gramian._core.types import Frame
from gramian.errors import InputError, InputTypeError

MAX_EXACT_INTEGER = 2**53  # beyond it double precision leaves out whole numbers
_MAX_DEPTH = 3  # lists in lists, beyond which there is no table: a list may hold itself
_NUMBER_KINDS = (int, float, bool, np.bool_, np.integer, np.floating)
_EXACT_KINDS = (int, np.integer, Decimal, Fraction)
_MAX_WHOLE_NUMBER = 2**1023  # beyond it a whole number has no double


def as_floats(X: object, name: str) -> np.ndarray:
    """Return numbers as a NumPy array of float64, or of float32 where they are no longer."""
    if is_array(X) and not is_numpy(X):
        return to_numpy(foreign_floats(X, name))
    if isinstance(X, np.matrix):
        raise InputTypeError(
            f"{name} is a np.matrix, which is not supported: use np.asarray({name})"
        )
    refuse_masks(X, name)
    array = as_array(X, name)
    kind = array.dtype.kind
    if kind == "c":
        raise InputError(
            f"Complex data not supported: {name} has dtype {array.dtype}: take its real part"
        )
    if kind == "O":
        return _from_objects(array, name)
    if kind not in "fiub":
        raise InputError(
            f"{name} holds {array.dtype} values, not numbers: convert them with astype(float)"
            f"{_hint(array, name)}"
        )
    if isinstance(X, list | tuple) and kind == "f":
        _refuse_rounded_items(X, array, name)
    if array.dtype in (np.float32, np.float64):
        return array
    refuse_rounding(array, name)
    with np.errstate(over="ignore"):
        return array.astype(np.float32 if array.dtype == np.float16 else np.float64)


def vector(values: object, name: str) -> np.ndarray:
    """Return a flat list of finite numbers, at least one, as float64."""
    numbers = np.asarray(as_floats(values, name), dtype=np.float64)
    if numbers.ndim != 1 or numbers.size == 0 or not np.isfinite(numbers).all():
        raise InputError(f"{name}={short(values)} must be a list of finite numbers")
    return numbers


def require_square(size: float, what: str, whose: str = "the data") -> None:
    """Refuse a length whose square overflows or loses its digits; 0 has one."""
    if size != 0 and not 1e-150 < size < 1e150:
        raise InputError(
            f"{what} is {size:.3g}, the square of which is out of range: multiply {whose} by a "
            "power of two"
        )


def require_squares(X: np.ndarray, names: Iterable[object], name: str = "X") -> None:
    """Refuse columns, NaN among their numbers, whose squares would overflow or vanish."""
    for label, top in zip(names, np.nanmax(np.abs(X), axis=0), strict=True):
        require_square(top, f"{name}, column {short(label)}: its largest number", "the column")


def foreign_floats(X: Array, name: str) -> Array:
    """Return an array of another library than NumPy in floating point, on its device."""
    _refuse_without_numbers(X, name)
    xp = namespace(X)
    if getattr(X, "requires_grad", False):
        X = X.detach()  # a fit is not part of a graph of derivatives
    if hasattr(X, "resolve_neg"):
        X = X.resolve_neg()  # numbers whose sign is only noted down
    if xp.isdtype(X.dtype, "complex floating"):
        raise InputError(
            f"Complex data not supported: {name} has dtype {X.dtype}: take its real part"
        )
    if X.dtype in (xp.float32, xp.float64):
        return X
    if xp.isdtype(X.dtype, "integral") and "64" in str(X.dtype):
        refuse_rounding(to_numpy(X), name)  # torch has no maximum of unsigned integers
    small = xp.isdtype(X.dtype, "real floating")  # half precisions: compute in float32
    return xp.astype(X, xp.float32 if small else xp.float64)


def refuse_rounding(array: np.ndarray, name: str) -> None:
    """Refuse integers that double precision cannot hold."""
    if array.dtype.kind not in "iu" or array.dtype.itemsize < 8 or not array.size:
        return
    if int(array.max()) > MAX_EXACT_INTEGER or int(array.min()) < -MAX_EXACT_INTEGER:
        raise _beyond(name)


def _beyond(name: str) -> InputError:
    return InputError(
        f"{name} has integers beyond 2^53, which double precision cannot hold: subtract a common "
        "offset first"
    )


def _refuse_without_numbers(X: Array, name: str) -> None:
    """Refuse tensors of torch whose numbers are not all there, one beside the other."""
    layout = str(getattr(X, "layout", "torch.strided"))
    if getattr(X, "is_nested", False):
        raise InputTypeError(f"{name} is a nested tensor: give a rectangular one")
    if getattr(X, "is_meta", False):
        raise InputTypeError(
            f"{name} is a tensor on the device 'meta', which holds no numbers: give one that does"
        )
    if layout != "torch.strided":
        raise InputTypeError(
            f"{name} is a sparse tensor ({layout}): use {name}.to_dense(), or a matrix of "
            "scipy.sparse"
        )


def refuse_masks(X: object, name: str, depth: int = _MAX_DEPTH) -> None:
    """Refuse masked entries, in an array and in lists of rows, which NumPy would unmask."""
    if isinstance(X, np.ma.MaskedArray):
        if np.ma.getmaskarray(X).any():
            where = tuple(int(k[0]) for k in np.nonzero(np.atleast_1d(np.ma.getmaskarray(X))))
            raise InputError(f"{name} has masked entries (the first at {where}): fill or drop them")
    elif depth and isinstance(X, list | tuple):
        for k, part in enumerate(X):
            if isinstance(part, np.ma.MaskedArray | list | tuple):
                refuse_masks(part, f"{name}[{k}]", depth - 1)


def as_array(X: object, name: str) -> np.ndarray:
    """Return anything as a NumPy array, of objects if need be; refuse rows of several lengths."""
    try:
        return np.asarray(X)
    except (ValueError, TypeError, RuntimeError) as error:
        reason = " ".join(str(error).split())[:200]
        raise InputError(
            f"{name} is not a rectangular table of numbers: {reason}: give rows of one length"
        ) from error


def _hint(array: np.ndarray, name: str) -> str:
    """Say what a list of objects needs."""
    if array.ndim != 1 or name not in ("X", "Y"):
        return ""
    return "; graphs or sequences need kernel= one of gm.kernels.graph or gm.kernels.sequence"


def _refuse_rounded_items(X: Iterable[object], array: np.ndarray, name: str) -> None:
    """Refuse long integers among the floats of lists, which NumPy has rounded by then."""
    with np.errstate(invalid="ignore"):
        large = array.size and (np.abs(array) >= MAX_EXACT_INTEGER).any()
    if large and any(_is_rounded(value) for value in _items(X)):
        raise _beyond(name)


def _items(X: Iterable[object]) -> Iterable[object]:
    """Walk over the numbers of nested lists."""
    for part in X:
        if isinstance(part, list | tuple):
            yield from _items(part)
        elif isinstance(part, np.ndarray):
            yield from part.ravel()
        else:
            yield part


def _is_rounded(value: object) -> bool:
    """Whether a number is exact and beyond what double precision holds."""
    if isinstance(value, int | np.integer):
        return abs(int(value)) > MAX_EXACT_INTEGER
    if not isinstance(value, Decimal | Fraction) or not math.isfinite(value):
        return False
    exact = Fraction(value)
    if not MAX_EXACT_INTEGER < abs(exact) < 10**300:
        return False
    return exact.denominator == 1 and exact != Fraction(float(exact))


def _is_real(value: object) -> bool:
    """Whether a cell of an object array is a number; durations are none, though NumPy thinks so."""
    if isinstance(value, np.timedelta64) or (isinstance(value, Decimal) and value.is_snan()):
        return False
    return isinstance(value, (*_NUMBER_KINDS, Decimal, Fraction))


def _from_objects(array: np.ndarray, name: str) -> np.ndarray:
    """Convert an object array of numbers; name the first entry that is none."""
    kinds = {type(value) for value in array.flat}
    if not all(
        issubclass(kind, _NUMBER_KINDS) and not issubclass(kind, np.timedelta64) for kind in kinds
    ):
        for where, value in np.ndenumerate(array):
            _refuse_cell(value, name, where, array)
    exact = any(issubclass(kind, _EXACT_KINDS) for kind in kinds)
    if exact and any(_is_rounded(value) for value in array.flat):
        raise _beyond(name)
    try:
        return array.astype(np.float64)
    except (OverflowError, ValueError) as error:
        raise InputError(f"{name} has a number too large for double precision: rescale") from error


def _refuse_cell(value: object, name: str, where: tuple[int, ...], array: np.ndarray) -> None:
    if isinstance(value, complex | np.complexfloating):
        raise InputError(
            f"Complex data not supported: {name} has {value!r} at {where}: take its real part"
        )
    if isinstance(value, np.ma.MaskedArray):
        raise InputError(f"{name} has masked entries (the first at {where}): fill or drop them")
    if not where:
        kind = type(value).__name__
        raise InputTypeError(f"{name} is a {kind}, not numbers: give an array, a list or a frame")
    if not _is_real(value):
        # scikit-learn's own contract wants these words for values that are no numbers.
        text = f"{name} has {str(value)[:30]!r} at {where}: argument must be a string or a number"
        raise InputTypeError(f"{text}, and strings must be converted first{_hint(array, name)}")


def cells(X: object, name: str) -> np.ndarray:
    """Return a table that is no frame as an array of what pandas holds; masked cells are gaps."""
    if is_array(X) and not is_numpy(X):
        return to_numpy(foreign_floats(X, name))
    if isinstance(X, list | tuple):
        if any(isinstance(row, np.ma.MaskedArray) and row.ndim for row in X):
            X = [_with_gaps(row) if isinstance(row, np.ma.MaskedArray) else row for row in X]
        refuse_masks(X, name)  # one value in a list of texts, which NumPy would write "--"
    array = _with_gaps(X) if isinstance(X, np.ma.MaskedArray) else as_array(X, name)
    kind = array.dtype.kind
    if kind == "V":
        what = "records with fields" if array.dtype.names else f"bytes without a type ({kind})"
        raise InputTypeError(f"{name} holds {what}, not cells: give a data frame or a 2D array")
    if kind in "mM" and np.datetime_data(array.dtype)[0] == "generic":
        raise InputTypeError(
            f"{name} holds {array.dtype} without a unit: give numbers, such as days since the first"
        )
    if kind == "f" and array.dtype.itemsize > 8:
        with np.errstate(over="ignore"):  # inf is refused where it matters
            return array.astype(np.float64)
    if kind == "O":
        refuse_cells(array, name)
    return array.astype(array.dtype.newbyteorder("="), copy=False)


def _with_gaps(X: np.ma.MaskedArray) -> np.ndarray:
    """Return masked values with a gap where they are masked; `filled(None)` would put texts."""
    numbers = X.dtype.kind in "fiu"
    gap: Any = np.nan if numbers else None
    known = X.data.astype(float if X.dtype.kind == "f" else object)
    return np.where(np.ma.getmaskarray(X), gap, known)


def are_exact(values: Sequence[object] | pd.Series) -> bool:
    """Whether all cells are decimals or fractions, exact numbers that pandas takes for objects."""
    return len(values) > 0 and all(isinstance(value, Decimal | Fraction) for value in values)


def refuse_cells(values: object, name: str) -> None:
    """Refuse objects that are neither numbers that doubles can hold nor labels."""
    for where, value in np.ndenumerate(np.asarray(values, dtype=object)):
        if not is_label(value):
            raise InputTypeError(
                f"{name} has {short(value)} at {where}: argument must be a string or a number, or "
                "another label: give one value a cell"
            )
        # NumPy counts lengths of time among whole numbers.
        whole = is_whole(value) and not isinstance(value, np.timedelta64)
        if whole and abs(int(value)) >= _MAX_WHOLE_NUMBER:
            raise InputError(
                f"{name} has a number too large for double precision at {where}: rescale it"
            )


def groups_of_rows(labels: Frame, n: int | None, name: str) -> pd.Series:
    """Return one label for each of n rows (None: of any), none missing, or say what is wrong."""
    refuse_masks(labels, name)
    if is_array(labels):
        labels = to_numpy(labels)
    elif hasattr(labels, "__array__") and not hasattr(labels, "to_list"):
        labels = np.asarray(labels)
    several = isinstance(labels, Iterable) and not isinstance(labels, str | bytes | Mapping | Set)
    if not several or getattr(labels, "ndim", 1) != 1:
        raise InputTypeError(f"{name}={short(labels)} must be a list, one label a row")
    items = labels.to_list() if hasattr(labels, "to_list") else list(labels)
    if n is not None and len(items) != n:
        raise InputError(f"{name} has {len(items)} labels for {n} rows: give one each")
    column = pd.Series(items, dtype=None if items else object)
    if column.dtype == object:
        refuse_cells(column, name)
    missing = column.isna()
    if missing.any():
        row = int(np.flatnonzero(missing)[0])
        raise InputError(f"{name} is missing at row {row}: drop the row, or give it a label")
    odd = [isinstance(v, complex | np.complexfloating) or v in (np.inf, -np.inf) for v in column]
    if any(odd):
        row = odd.index(True)
        raise InputError(f"{name} has {column[row]} at row {row}, not a label: give another")
    return column
