"""Cells that may be numbers, texts or other labels: what a data frame can hold, or a refusal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from gramian._core.array import is_array, is_numpy, to_numpy
from gramian._core.check import is_label, is_whole, short
from gramian._core.numbers import as_array, foreign_floats, refuse_masks
from gramian.errors import InputError, InputTypeError

_LARGEST = 2**1023  # beyond it a whole number has no double


def cells(X: Any, name: str) -> np.ndarray:
    """Return a table that is no frame as an array of what pandas holds; masked cells are gaps.

    >>> cells([[1, "a"], [2, "b"]], "X").shape
    (2, 2)
    >>> cells(np.ma.array([[1.0, 2.0]], mask=[[False, True]]), "X").tolist()
    [[1.0, nan]]
    """
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


def are_exact(values: Any) -> bool:
    """Whether all cells are exact numbers, decimals or fractions, which pandas takes for objects.

    >>> are_exact([Decimal("1.5"), Fraction(1, 3)]), are_exact([1, "a"]), are_exact([])
    (True, False, False)
    """
    return len(values) > 0 and all(isinstance(value, Decimal | Fraction) for value in values)


def refuse_cells(values: Any, name: str) -> None:
    """Refuse objects that are neither numbers that doubles can hold nor labels.

    >>> refuse_cells(np.array([1, "a"], dtype=object), "X")
    """
    for where, value in np.ndenumerate(np.asarray(values, dtype=object)):
        if not is_label(value):
            raise InputTypeError(
                f"{name} has {short(value)} at {where}: argument must be a string or a number, or "
                "another label: give one value a cell"
            )
        # NumPy counts lengths of time among whole numbers.
        whole = is_whole(value) and not isinstance(value, np.timedelta64)
        if whole and abs(int(value)) >= _LARGEST:
            raise InputError(
                f"{name} has a number too large for double precision at {where}: rescale it"
            )


def groups_of_rows(labels: Any, n: int | None, name: str) -> pd.Series:
    """Return one label for each of n rows (None: of any), none missing, or say what is wrong.

    >>> groups_of_rows(["a", "b", "a"], 3, "groups").tolist()
    ['a', 'b', 'a']
    """
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
        raise InputError(f"{name} has {column[row]} at row {row}, which is no label: give another")
    return column
