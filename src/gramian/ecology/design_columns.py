"""The columns that a design names: found in tables, as numbers and categories, and coded."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from gramian._core.array import column_units
from gramian._core.check import is_list, short
from gramian._core.frames import is_frame
from gramian._reading.columns import Factor, Numeric, columns
from gramian.ecology.design import Terms, refuse_missing, term_names
from gramian.errors import InputError

Known = dict[str, Numeric | Factor]


def check_parameters(formula: object, within: object, remove: object) -> None:
    """Raise an error for parameters that name no columns."""
    for name, value in (("formula", formula), ("remove", remove)):
        if value is None or isinstance(value, str):
            continue
        if not is_list(value) or not all(isinstance(part, str) for part in value):  # type: ignore[attr-defined]
            raise InputError(
                f'{name}={short(value)} must be a text such as "a + b" or a list of names'
            )
    if within is not None and not isinstance(within, str):
        raise InputError(f"within={short(within)} must be the name of a column")
    if remove is not None and any(":" in name for name in split_names(remove)):  # type: ignore[arg-type]
        raise InputError(f'remove={short(remove)} must name columns, such as "batch + run"')


def split_names(terms: Terms) -> list[str]:
    """Return the names of a text "a + b" or a list."""
    parts = terms.split("+") if isinstance(terms, str) else terms
    names = [part.strip() for part in parts]
    if not all(names):
        raise InputError(f"terms={short(terms)} names nothing between two signs: give names")
    return list(dict.fromkeys(names))


def design_names(formula: Terms | None, within: str | None, remove: Terms | None) -> list[str]:
    """Return the columns that a design uses."""
    terms = [] if formula is None else term_names(formula, ())
    names = [part.strip() for term in terms for part in term.split(":")]
    names += [] if within is None else [within]
    names += [] if remove is None else split_names(remove)
    return list(dict.fromkeys(names))


def has_columns(table: object) -> bool:
    """Whether a table has columns with names."""
    return table is not None and (is_frame(table) or isinstance(table, dict | pd.Series))


def column_at(frame: Any, position: int) -> Any:
    """Return a column of a frame of any library."""
    return frame.iloc[:, position] if hasattr(frame, "iloc") else frame[frame.columns[position]]


def known_columns(native: dict[str, Any], n: int, index: pd.Index | None) -> Known:
    """Return columns of numbers and categories by name, none of them with a gap."""
    out: Known = {}
    for name, column in native.items():
        given = {name: column} if is_list(column) else pd.Series(column).to_frame(name)
        own = columns(given, n, index)
        found: list[Numeric | Factor] = [*own.numeric, *own.factors]
        out[name] = found[0]
        refuse_missing(out[name])
    return out


def as_values(column: Numeric | Factor) -> np.ndarray:
    """Return the numbers of a column, or its labels."""
    if isinstance(column, Numeric):
        return column.values
    return np.asarray(column.labels, dtype=object)[column.codes]


def from_values(name: str, values: np.ndarray) -> Numeric | Factor:
    """Return the column of these numbers or labels."""
    if values.dtype != object:
        return Numeric(name, values)
    codes, labels = pd.factorize(values, sort=True)
    return Factor(name, codes, pd.Index(labels, dtype=object))


def levels_of(column: Numeric | Factor) -> Any:
    """Return the categories of a column, or the unit of its numbers."""
    if isinstance(column, Factor):
        return [_plain(label) for label in column.labels]
    return float(column_units(column.values[:, None])[0])


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label


def encode(removed: Sequence[Numeric | Factor], levels: list[Any], n: int) -> np.ndarray:
    """Return coded columns (n, c), by the categories and units of the fit."""
    blocks = [np.empty((n, 0))]
    for column, known in zip(removed, levels, strict=True):
        if isinstance(known, float) != isinstance(column, Numeric):
            raise InputError(
                f"table has another kind of values in {column.name!r} than the fit: give "
                f"{'numbers' if isinstance(known, float) else 'categories'}"
            )
        if isinstance(column, Numeric):
            blocks.append(column.values[:, None] / known)
            continue
        place = {label: k for k, label in enumerate(known)}
        new = [label for label in column.labels if label not in place]
        if new:
            raise InputError(
                f"table has {short(new[0])} in {column.name!r}, which the fit has not seen: its "
                "effect is not known: fit with rows of it"
            )
        own = np.array([place[label] for label in column.labels], dtype=int)[column.codes]
        blocks.append((own[:, None] == np.arange(1, len(known))).astype(float))
    return np.hstack(blocks)
