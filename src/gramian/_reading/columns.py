"""Supplementary columns: any table, as numbers and categories on the rows of a fit."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
from narwhals.typing import IntoSeries

from gramian._core.check import is_label, is_list, is_number, short
from gramian._core.frames import collect, column_names, labels_of, order_of, refuse_same_names
from gramian._core.numbers import (
    MAX_EXACT_INTEGER,
    are_exact,
    as_floats,
    cells,
    refuse_cells,
    refuse_rounding,
)
from gramian._core.types import TableLike
from gramian.errors import InputError, InputTypeError


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


def columns(
    table: TableLike, n: int, index: pd.Index | None = None, *, exact: bool = True
) -> Supplement:
    """Return the columns of a table whose rows, by position or label, are the n rows of the fit.

    With `exact`, whole numbers that doubles would round raise an error; names may be rounded.
    """
    native = frame_of(collect(table))
    rows = native.shape[0]
    if rows != n:
        raise InputError(f"table has {rows} rows but the fit has {n}: give the same rows")
    order = order_of(labels_of(native), index, "table")
    numeric: list[Numeric] = []
    factors: list[Factor] = []
    for variable in variables_of(native, exact=exact):
        if isinstance(variable, Numeric):
            numeric.append(Numeric(variable.name, variable.values[order]))
        else:
            factors.append(Factor(variable.name, variable.codes[order], variable.labels))
    return Supplement(numeric, factors)


def supplement_of(table: TableLike, n: int, index: pd.Index | None = None) -> Supplement:
    """Return the columns of a table, after the check that no two have the same name."""
    refuse_same_names(table, "table")
    return columns(table, n, index)


def variables_of(
    native: Any, what: str = "table", *, exact: bool = True, empty: bool = False
) -> list[Numeric | Factor]:
    """Return the columns of a frame as numbers and categories; refuse those without any value."""
    found = [
        _column(name, native.iloc[:, k] if hasattr(native, "iloc") else native[name], what, exact)
        for k, name in enumerate(column_names(native) or ())
    ]
    for column in () if empty else found:
        gone = column.codes < 0 if isinstance(column, Factor) else np.isnan(column.values)
        if gone.all():
            raise InputError(f"{what} has no value in column {column.name!r}: drop it")
    return found


def frame_of(table: TableLike | Mapping[Any, Any] | None, what: str = "table") -> Any:
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
    if isinstance(table, Mapping):
        return pd.DataFrame(_columns_of(table, what))
    values = cells(table, what)  # a masked entry is a missing one
    if values.ndim not in (1, 2):
        raise InputError(f"{what} has {values.ndim} dimensions: give a data frame or a 2D array")
    values = values[:, None] if values.ndim == 1 else values
    names = [f"x{j}" for j in range(values.shape[1])]
    return pd.DataFrame(values, columns=names).infer_objects()


def _columns_of(table: Mapping[Any, Any], what: str) -> dict[Any, Any]:
    """Return columns by name, after the checks that they have names and are of one length."""
    unnamed = [key for key in table if not isinstance(key, str)]
    if unnamed:  # rows by their number, as likely as columns
        raise InputTypeError(
            f"{what} is a dict with the key {short(unnamed[0])}, which names no column: give "
            f'pd.DataFrame.from_dict({what}, orient="index") if its values are rows, columns by '
            "name otherwise"
        )
    lengths = {len(column) if is_list(column) else -1 for column in table.values()}
    if -1 in lengths or len(lengths) != 1:
        raise InputError(f"{what} is a dict of columns of several lengths, or of none: give lists")
    return dict(table)


def _column(name: Hashable, column: IntoSeries, what: str, exact: bool) -> Numeric | Factor:
    if isinstance(column, pd.Series) and column.dtype == object and not _is_text(column):
        if not all(is_label(value) for value in column):
            raise InputError(f"{what} holds lists in column {name!r}: give numbers or texts")
        refuse_cells(column, f"{what}, column {name!r},")
        column = _as_numbers(column.infer_objects(), what)
    series = nw.from_native(column, series_only=True)
    if series.dtype.is_numeric():
        return Numeric(name, _numbers(name, series, what, exact))
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


def _as_numbers(column: pd.Series, what: str) -> pd.Series:
    """Return a column of decimals and fractions as numbers, any other as it is."""
    known = column.notna().to_numpy()
    if column.dtype != object or not are_exact(column[known]):
        return column
    values = np.full(len(column), np.nan)
    values[known] = as_floats(column[known].to_numpy(), f"{what}, column {short(column.name)},")
    return pd.Series(values, column.index, name=column.name)


def _is_text(column: pd.Series) -> bool:
    """Whether a column of objects holds texts and nothing else but gaps; quicker than a look."""
    return pd.api.types.infer_dtype(column, skipna=True) == "string"


def refuse_texts_among_numbers(factors: Sequence[Factor], what: str = "table") -> None:
    """Refuse columns of categories some of which are numbers, where numbers are required."""
    for factor in factors:
        texts = [label for label in factor.labels if isinstance(label, str)]
        if texts and any(is_number(label) for label in factor.labels):
            row = int((factor.codes == factor.labels.get_loc(texts[0])).argmax())
            raise InputError(
                f"{what} has the text {short(texts[0])} at row {row} among the numbers of column "
                f"{short(factor.name)}: make it a number, or all of them texts"
            )


def _numbers(name: Hashable, series: nw.Series[Any], what: str, exact: bool) -> np.ndarray:
    if exact and series.dtype.is_integer():
        refuse_rounding(series.drop_nulls().to_numpy(), f"{what}, column {name!r},")
    values = np.asarray(series.cast(nw.Float64).to_numpy(), dtype=float)
    if np.isinf(values).any():
        row = int(np.flatnonzero(np.isinf(values))[0])
        raise InputError(f"{what} has {values[row]} in column {name!r}, row {row}: drop or fill it")
    return values


def _values(series: nw.Series[Any]) -> tuple[Any, ...]:
    """Return values (and categories, where they have an order of their own) of a column."""
    native = series.to_native()
    if isinstance(native, pd.Series):
        return (native,)
    if isinstance(series.dtype, nw.Enum):
        return series.to_list(), list(series.dtype.categories)
    return (series.to_list(),)


def as_categories(columns: Sequence[Numeric | Factor], method: str) -> list[Numeric | Factor]:
    """Return every column as categories; whole numbers are codes, other numbers are an error."""
    return [c if isinstance(c, Factor) else _codes(c, method) for c in columns]


def rare_levels(factor: Factor, w: np.ndarray | None, share: float) -> list[object]:
    """Return the levels with less than a share of the weight, none where one or none would stay."""
    held = factor.codes >= 0
    weight = None if w is None else w[held]
    mass = np.bincount(factor.codes[held], weights=weight, minlength=len(factor.labels))
    total = len(factor.codes) if w is None else w.sum()
    rare = mass < share * total
    return [] if np.count_nonzero(~rare) < 2 else list(factor.labels[rare])


def _codes(column: Numeric, method: str) -> Factor:
    known = ~np.isnan(column.values)
    values = column.values[known]
    broken = (values != np.round(values)) | (np.abs(values) > MAX_EXACT_INTEGER)
    if broken.any():
        raise InputError(
            f"X, column {column.name!r} holds numbers that are no codes ({values[broken][0]:g}): "
            f"{method} takes categories: cut the column into classes, or use gm.FAMD"
        )
    labels, places = np.unique(values, return_inverse=True)
    codes = np.full(len(column.values), -1)
    codes[known] = places
    return Factor(column.name, codes, pd.Index([int(label) for label in labels], dtype=object))
