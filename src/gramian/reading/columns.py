"""Supplementary columns: any table, as numbers and categories on the rows of a fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd

from gramian._array import is_array, is_numpy, to_numpy
from gramian._check import is_label, is_list
from gramian._numbers import as_array, foreign_floats, refuse_masks, refuse_rounding
from gramian._validate import column_names
from gramian.errors import InputError

__all__ = ["Factor", "Numeric", "Supplement", "columns", "frame_of", "variables_of"]


@dataclass(frozen=True)
class Numeric:
    """A numeric column; NaN where a value is missing."""

    name: Any
    values: np.ndarray  # (n,)


@dataclass(frozen=True)
class Factor:
    """A categorical column; the code −1 where a value is missing."""

    name: Any
    codes: np.ndarray  # (n,)
    labels: pd.Index


@dataclass(frozen=True)
class Supplement:
    """The columns of a table, by what can be done with them."""

    numeric: list[Numeric]
    factors: list[Factor]


def columns(table: Any, n: int, index: pd.Index | None = None) -> Supplement:
    """Return the columns of a table whose rows are the n rows of the fit.

    Rows go together by position; where both have the same labels in another order, by label.
    """
    native = frame_of(table)
    rows = native.shape[0]
    if rows != n:
        raise InputError(f"table has {rows} rows but the fit has {n}: give the same rows")
    order = _order(getattr(native, "index", None), index)
    numeric: list[Numeric] = []
    factors: list[Factor] = []
    for variable in variables_of(native):
        if isinstance(variable, Numeric):
            numeric.append(Numeric(variable.name, variable.values[order]))
        else:
            factors.append(Factor(variable.name, variable.codes[order], variable.labels))
    return Supplement(numeric, factors)


def variables_of(native: Any, what: str = "table") -> list[Numeric | Factor]:
    """Return the columns of a data frame as numbers and categories."""
    return [
        _column(name, native.iloc[:, k] if hasattr(native, "iloc") else native[name], what)
        for k, name in enumerate(column_names(native) or ())
    ]


def frame_of(table: Any, what: str = "table") -> Any:
    """Return a data frame of some library."""
    if table is None:
        raise InputError(f"{what} is None: give a data frame with the rows of the fit")
    if isinstance(table, pd.DataFrame):
        return table
    if isinstance(table, pd.Index | pd.api.extensions.ExtensionArray):  # a Categorical, for one
        table = pd.Series(table)
    wrapped = nw.from_native(table, eager_only=True, allow_series=True, pass_through=True)
    if isinstance(wrapped, nw.DataFrame):
        return table
    if isinstance(wrapped, nw.Series):
        return wrapped.alias(wrapped.name or "x0").to_frame().to_native()
    if isinstance(table, dict):
        table = _columns_of(table)
        return pd.DataFrame(table)
    if isinstance(table, np.ma.MaskedArray):  # a masked entry is a missing one
        numbers = table.dtype.kind in "fiu"
        gap: Any = np.nan if numbers else None
        data = table.data.astype(float if numbers else object)
        known = np.where(np.ma.getmaskarray(table), gap, data)
        return pd.DataFrame(known).infer_objects().add_prefix("x")
    refuse_masks(table, what)
    foreign = is_array(table) and not is_numpy(table)
    values = to_numpy(foreign_floats(table, what)) if foreign else as_array(table, what)
    if values.ndim not in (1, 2) or values.dtype.names:
        kind = "fields" if values.dtype.names else f"{values.ndim} dimensions"
        raise InputError(f"{what} has {kind}: give a data frame or a 2D array")
    values = values.astype(values.dtype.newbyteorder("="), copy=False)
    values = values[:, None] if values.ndim == 1 else values
    return pd.DataFrame(values, columns=[f"x{j}" for j in range(values.shape[1])])


def _columns_of(table: dict[Any, Any]) -> dict[Any, Any]:
    """Return columns by name, after the check that they are of one length."""
    lengths = {len(column) if is_list(column) else -1 for column in table.values()}
    if -1 in lengths or len(lengths) != 1:
        raise InputError("table is a dict whose columns differ in length, or are none: give lists")
    return table


def _order(index: pd.Index | None, fitted: pd.Index | None) -> Any:
    """Return the table's rows in the order of the fit's."""
    if index is None or fitted is None or index.equals(fitted):
        return slice(None)
    if index.is_unique and fitted.is_unique and index.isin(fitted).all():
        return index.get_indexer(fitted)
    if _is_plain(index) or _is_plain(fitted):
        return slice(None)
    other = next(a for a, b in zip(index, fitted, strict=True) if a is not b and a != b)
    raise InputError(
        f"table has other row labels than the fit (for example {other!r}): give the same rows, or "
        "table.reset_index(drop=True) to go by position"
    )


def _is_plain(index: pd.Index) -> bool:
    """Whether the labels only count the rows."""
    return index.equals(pd.RangeIndex(len(index)))


def _column(name: Any, column: Any, what: str) -> Numeric | Factor:
    """Return one column as numbers or categories."""
    if isinstance(column, pd.Series) and column.dtype == object and not _starts_with_text(column):
        column = column.infer_objects()
        if column.dtype == object and not all(is_label(value) for value in column):
            raise InputError(f"{what} holds lists in column {name!r}: give numbers or texts")
    series = nw.from_native(column, series_only=True)
    if series.dtype.is_numeric():
        return Numeric(name, _numbers(name, series, what))
    if series.dtype in (nw.Boolean, nw.String, nw.Categorical, nw.Enum, nw.Object):
        categories = pd.Categorical(*_values(series))
        codes, labels = np.asarray(categories.codes), categories.categories
        there = np.bincount(codes[codes >= 0], minlength=len(labels)) > 0
        if there.all():
            return Factor(name, codes, labels)
        place = np.append(np.cumsum(there) - 1, -1)
        return Factor(name, place[codes], labels[there])
    raise InputError(
        f"{what} has a column that is neither numbers nor categories: {name!r} holds "
        f"{series.dtype}: drop it, or convert it to numbers or text"
    )


def _starts_with_text(column: pd.Series) -> bool:
    """Whether the first value of a column is a text: then it is no column of numbers."""
    return len(column) > 0 and isinstance(column.iloc[0], str)


def _numbers(name: Any, series: nw.Series, what: str) -> np.ndarray:
    if series.dtype.is_integer():
        refuse_rounding(series.drop_nulls().to_numpy(), f"{what}, column {name!r},")
    values = np.asarray(series.cast(nw.Float64).to_numpy(), dtype=float)
    if np.isinf(values).any():
        row = int(np.flatnonzero(np.isinf(values))[0])
        raise InputError(f"{what} has {values[row]} in column {name!r}, row {row}: drop or fill it")
    if np.isnan(values).all():
        raise InputError(f"{what} has no value in column {name!r}: drop it")
    return values


def _values(series: nw.Series) -> tuple[Any, ...]:
    """Return values (and categories, where they have an order of their own) of a column."""
    native = series.to_native()
    if isinstance(native, pd.Series):
        return (native,)
    if isinstance(series.dtype, nw.Enum):
        return series.to_list(), list(series.dtype.categories)
    return (series.to_list(),)
