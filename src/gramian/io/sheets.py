"""Spreadsheets, by calamine (imported here only)."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pandas as pd

from gramian._check import invalid
from gramian.errors import InputError
from gramian.io.doctor.titles import title_findings, titles_above
from gramian.io.notes import note
from gramian.io.raw import NA_VALUES, Options, Raw, distinct
from gramian.io.workbooks import checked

__all__ = ["excel"]


def excel(data: bytes, options: Options) -> Raw:
    """Read one sheet of a workbook (xlsx, xls, xlsb, ods)."""
    try:
        import python_calamine as calamine
    except ImportError as error:
        raise InputError("Excel needs python-calamine: pip install 'gramian[io]'") from error
    book_bytes = checked(data, options.largest)
    try:
        book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(book_bytes))
        sheets = list(book.sheet_names)
        name = _chosen(sheets, options.sheet)
        rows = book.get_sheet_by_name(name).to_python(skip_empty_area=True)
    except (InputError, KeyboardInterrupt, SystemExit, MemoryError):
        raise
    except BaseException as error:  # the library's panics are no Exceptions
        raise InputError(f"the workbook cannot be read: {str(error)[:200]}") from error
    raw = _from_rows(rows, options)
    if len(sheets) > 1:
        raw.notes.append(note("sheet", name=repr(name), n=len(sheets), names=", ".join(sheets)))
    return raw


def _chosen(sheets: list[str], sheet: Any) -> str:
    if not sheets:
        raise InputError("the workbook has no sheets")
    if sheet is None:
        return sheets[0]
    if isinstance(sheet, str) and sheet in sheets:
        return sheet
    text = str(sheet)
    is_number = text.isascii() and text.isdigit() and len(text) < 9
    if is_number and 1 <= int(text) <= len(sheets):
        return sheets[int(text) - 1]
    raise invalid("sheet", sheet, f"is not there: use {', '.join(sheets)[:200]} or a number from 1")


def _from_rows(rows: list[list[Any]], options: Options) -> Raw:
    """Return rows of cells as a table; the first is the header unless it holds numbers."""
    rows = [row for row in rows if any(_known(cell) for cell in row)]
    titles = _titles(rows, options)
    top = [" ".join(_label(cell) for cell in row if _known(cell)) for row in rows[:titles]]
    rows = _trimmed(rows[titles:]) if titles else rows
    if len(rows) < 2:
        raise InputError("the sheet has fewer than two rows: there is nothing to analyse")
    first = [cell for cell in rows[0] if _known(cell)]
    has_header = options.header
    if has_header is None:
        has_header = not all(_is_number(cell) for cell in first)
    body = rows[1:] if has_header else rows
    header = rows[0] if has_header else [f"V{k + 1}" for k in range(len(rows[0]))]
    names, repeated = distinct(_label(cell) for cell in header)
    na_values = {*NA_VALUES, *options.na_values}
    columns = {
        name: _column([row[k] for row in body], na_values, options) for k, name in enumerate(names)
    }
    raw = Raw(pd.DataFrame(columns))
    raw.warnings += title_findings(top, options.skip)
    if not has_header:
        raw.notes.append(note("no_header"))
    if repeated:
        raw.warnings.append(note("duplicate_names", n=len(repeated), name=repr(repeated[0])))
    return raw


def _titles(rows: list[list[Any]], options: Options) -> int:
    """Return how many rows stand above the header."""
    if options.skip is not None:
        return options.skip
    return titles_above([[_label(cell) for cell in row] for row in rows[:200]])


def _trimmed(rows: list[list[Any]]) -> list[list[Any]]:
    """Leave out columns that are empty below the titles."""
    filled = [k for k in range(max(map(len, rows), default=0)) if any(_known(r[k]) for r in rows)]
    return [[row[k] for k in filled] for row in rows]


def _known(cell: Any) -> bool:
    return cell is not None and cell != ""


def _is_number(cell: Any) -> bool:
    return isinstance(cell, int | float) and not isinstance(cell, bool)


def _label(cell: Any) -> str:
    """Write a cell as the spreadsheet shows it: whole numbers without a point."""
    if isinstance(cell, float) and cell.is_integer():
        cell = int(cell)
    return "" if cell is None else str(cell).strip()


def _column(cells: list[Any], na_values: set[str], options: Options) -> pd.Series:
    """Return numbers, truth values, or texts."""
    values = [None if str(c).strip() in na_values or c is None else c for c in cells]
    known = [v for v in values if v is not None]
    if known and all(isinstance(v, bool) for v in known):
        return pd.Series(values, dtype=object if len(known) < len(values) else bool)
    if all(_is_number(v) for v in known):
        return pd.Series([np.nan if v is None else float(v) for v in values], dtype=float)
    texts = [None if v is None else _label(v) for v in values]
    if any(isinstance(v, str) for v in known):
        numbers = _numbers_in_texts(texts, options.decimal)
        if numbers is not None:
            return numbers
    return pd.Series(texts, dtype="str")


def _numbers_in_texts(texts: list[str | None], decimal: str | None) -> pd.Series | None:
    """Return numbers that a spreadsheet holds as texts, with the decimal mark that was told."""
    known = [text for text in texts if text is not None]
    if decimal == ",":
        comma = [text.replace(",", ".") for text in known if text.count(",") == 1]
        if len(comma) == len(known):
            texts = [None if text is None else text.replace(",", ".") for text in texts]
    numbers = pd.to_numeric(pd.Series(texts, dtype=object), errors="coerce")
    return numbers.astype(float) if int(numbers.notna().sum()) == len(known) else None
