"""Blocks of rows from tables of text: written as the first megabyte of the file tells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gramian.errors import InputError
from gramian.io.arrow import library
from gramian.io.arrow_blocks import Arrow, said
from gramian.io.delimited import Dialect, guesses, start_of_table
from gramian.io.raw import NA_VALUES, Options
from gramian.io.roles import called_like_names, spoiled_numbers

__all__ = ["csv_file"]

_FIRST = 1 << 20  # bytes of a file that tell how it is written, and the types of its columns
_CELL = re.compile(r"column #(\d+):(?: Row #(\d+):)? CSV conversion error to .*'(.*)'", re.DOTALL)


def csv_file(
    path: Path,
    sep: str | None = None,
    na_values: Sequence[str] = (),
    columns: Sequence[Any] | None = None,
    header: bool | None = None,
) -> Arrow:
    """Return a table of text: its separator, decimal mark and header are found as `read` does.

    Columns that are to be read, all by default, may not be of numbers and a word among them.
    """
    dialect = _dialect(path, Options(sep=sep, header=header, na_values=na_values))
    wanted = dialect.names if columns is None else columns
    with _named_cells(path.name, dialect):
        return _file(path, dialect, [*NA_VALUES, "null", *na_values], wanted)


def _dialect(path: Path, options: Options) -> Dialect:
    with said(path.name), open(path, "rb") as file:
        text = file.read(_FIRST)
    whole, mark, _ = text.rpartition(b"\n")
    text = whole + mark if mark and len(text) == _FIRST else text  # no part of a line
    dialect = start_of_table(text.removeprefix(b"\xef\xbb\xbf"), options)
    lines = text.rstrip(b"\r\n").splitlines()
    if len(lines) <= dialect.before + dialect.skip and len(text) < _FIRST:
        raise InputError("the file has a header and no rows: there is nothing to analyse")
    return dialect


def _file(path: Path, dialect: Dialect, na_values: list[str], wanted: Sequence[Any]) -> Arrow:
    csv = library("csv")
    options = {"null_values": na_values, "decimal_point": dialect.decimal}
    parse = csv.ParseOptions(
        delimiter=dialect.sep,
        newlines_in_values=bool(dialect.quotes.lines),
        ignore_empty_lines=True,
    )

    def reader(columns: list[str] | None, size: int, **more: Any) -> Any:
        convert = csv.ConvertOptions(include_columns=columns, **options, **more)
        skip = dialect.before + dialect.skip
        read = csv.ReadOptions(block_size=size, column_names=dialect.names, skip_rows=skip)
        return csv.open_csv(path, read, parse, convert)

    with reader(None, _FIRST) as first:
        batch = next(first, None)
        if batch is None:  # blank lines alone below the header
            raise InputError("the file has a header and no rows: there is nothing to analyse")
        types = _types(batch)
    _refuse_spoiled(path.name, batch, na_values, wanted)
    with reader(None, _FIRST, column_types=types) as again:
        schema = again.schema

    def batches(columns: list[str], rows: int) -> Iterator[Any]:
        width = max(len(schema), 1) * 12
        size = int(np.clip(rows * width, 1 << 16, 1 << 28))
        with _named_cells(path.name, dialect), reader(columns, size, column_types=types) as file:
            yield from file

    usual = (",", ".", True), ("\t", ".", True)
    is_usual = (dialect.sep, dialect.decimal, dialect.has_header) in usual
    notes = () if is_usual else tuple(guesses(dialect))
    return Arrow(schema, None, batches, notes, is_guarded=True)


def _types(first: Any) -> dict[str, Any]:
    """Return the types of columns, whatever the size of the blocks that are read later.

    Columns of numbers are of doubles, since a whole number may be followed by a fraction, but for
    whole ones called id or the like, which doubles would round. A column without a name holds those
    of the rows: texts, whatever the first of them are.
    """
    pa, types = library(""), library("types")
    known = {f.name: f.type for f in first.schema if not types.is_null(f.type)}
    whole = [name for name, t in known.items() if types.is_integer(t)]
    known |= {name: pa.float64() for name in whole if not called_like_names(name)}
    return known | dict.fromkeys([name for name in known if not name], pa.string())


def _refuse_spoiled(name: str, first: Any, na_values: list[str], wanted: Sequence[Any]) -> None:
    """Refuse a column that would be numbers but for a cell: without it, it would be left out."""
    types = library("types")
    for k, field in enumerate(first.schema):
        if not types.is_string(field.type) or not field.name or field.name not in wanted:
            continue
        cells = pd.Series(first.column(k).to_pandas(), name=field.name)
        known = cells[~cells.isin(na_values)]
        spoiled = spoiled_numbers(known)
        if spoiled is not None and spoiled[1] == "nearly_numbers":
            row = int(known.index[known == spoiled[0]][0]) + 1
            raise _bad_cell(name, field.name, spoiled[0], row)


def _bad_cell(name: str, column: str, cell: str, row: int | None) -> Exception:
    where = "" if row is None else f" (row {row:,})"
    return InputError(
        f"{name}: column {column!r} would be numbers but for {cell[:40]!r}{where}: pass "
        f"na_values={[cell[:40]]} if that means missing, or name other columns",
        argument="na_values",
        found=[cell[:40]],
    )


@contextmanager
def _named_cells(name: str, dialect: Dialect) -> Iterator[None]:
    """Say of a cell that is no number where it is, and of anything else which file it was."""
    with said(name):
        try:
            yield
        except library("lib").ArrowInvalid as error:
            found = _CELL.search(str(error))
            if found is None or int(found[1]) >= len(dialect.names):
                raise
            top = dialect.before + dialect.skip
            row = None if found[2] is None else int(found[2]) - top
            raise _bad_cell(name, dialect.names[int(found[1])], found[3], row) from error
