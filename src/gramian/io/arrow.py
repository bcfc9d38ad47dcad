"""Files that Arrow reads: Parquet and Feather as a whole; these and tables of text by blocks."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from gramian.errors import InputError, MissingExtraError
from gramian.io.content import name_damage
from gramian.io.csv_cells import unescape_formula
from gramian.io.delimited import Dialect, guesses, has_arrow, start_of_table
from gramian.io.formats import NA_VALUES, Options, Raw
from gramian.io.limited import read_limited
from gramian.io.notes import Note
from gramian.io.roles import find_spoiled_number, is_name_label, row_name_column
from gramian.io.scan_table import Part

if TYPE_CHECKING:
    import pyarrow as pa

    ArrowArray: TypeAlias = pa.Array | pa.ChunkedArray
    ArrowField: TypeAlias = pa.Field
    ArrowType: TypeAlias = pa.DataType


def library(part: str) -> ModuleType:
    """Return a module of pyarrow's, or raise an error that it is not installed."""
    _require_arrow("such files block by block")
    return import_module(f"pyarrow.{part}" if part else "pyarrow")


def _require_arrow(what: str) -> None:
    if not has_arrow():
        raise MissingExtraError(f"reading {what} needs pyarrow: pip install 'gramian[io]'")


def _read_packed(what: str, data: bytes, options: Options) -> pd.DataFrame:
    """Return the table of a Parquet or Feather file, which a child process unpacks in limits."""
    _require_arrow(what)
    out = read_limited(what.lower(), data, f"the {what} file", options.largest)
    with name_damage(f"the {what} file is broken"):  # or pandas' own notes in it
        frame: pd.DataFrame = library("ipc").open_stream(out).read_all().to_pandas()
        return frame


read_parquet, read_feather = partial(_read_packed, "Parquet"), partial(_read_packed, "Feather")


_ANONYMOUS = re.compile(r"(__index_level_\d+__)?")
_NAMING_ROWS = 1 << 10  # that show which column names the rows
_FIRST_BYTES = 1 << 20  # bytes of a table of text that show how it is written, and its types
_READ_BYTES = 1 << 21  # of a table of text read at a time: Arrow reads up to 32 times as much ahead
_CELL_BYTES = 64  # of a cell, that a line of many columns fits into what is read
_CELL_ERROR = re.compile(
    r"column #(\d+):(?: Row #(\d+):)? CSV conversion error to .*'(.*)'", re.DOTALL
)


def _arrow_part(
    name: str,
    schema: pa.Schema,
    batches: Callable[[list[str], int], Iterator[pa.RecordBatch | pa.Table]],
    n_rows: int | None = None,
    notes: tuple[Note, ...] = (),
    is_escaped: bool = False,
) -> Part:
    """Return a file that Arrow reads; in an escaped one formulas have an apostrophe before them."""
    types = library("types")
    kinds = types.is_integer, types.is_floating, types.is_boolean, types.is_decimal
    numbers = [field.name for field in schema if any(kind(field.type) for kind in kinds)]
    others = [field.name for field in schema if field.name not in numbers]

    def blocks(columns: list[str], named: Sequence[str], rows: int) -> Iterator[pd.DataFrame]:
        with _name_errors(name):
            for batch in batches([*columns, *named], rows):
                for start in range(0, batch.num_rows, rows):
                    part = batch.slice(start, rows)
                    frame = _frame(part, columns)
                    yield frame.set_axis(_index(part, named, is_escaped)) if named else frame

    def row_names() -> list[str]:
        """Return pandas' index, columns without a name, or the one that `read` would take."""
        index = (schema.pandas_metadata or {}).get("index_columns", ())
        named = [column for column in index if isinstance(column, str)]  # a range is no column
        known = [column for column in schema.names if column in named or not column]
        if known:
            return known
        few = list(dict.fromkeys([schema.names[0], *others, *numbers[:2]]))
        with _name_errors(name):
            batch = next(batches(few, _NAMING_ROWS), None)
            rows = pd.DataFrame(columns=few) if batch is None else batch[:_NAMING_ROWS].to_pandas()
        found = row_name_column(Raw(rows), Options())
        return [found] if found is not None and any(column != found for column in numbers) else []

    return Part(numbers, blocks, n_rows, others, notes=notes, row_names=row_names)


def _index(batch: pa.RecordBatch, named: Sequence[str], is_escaped: bool) -> pd.Index:
    """Return the names of rows; pandas writes an index without a name under one of its own."""
    levels = [batch.column(name).to_pandas() for name in named]
    names = [None if _ANONYMOUS.fullmatch(name) else name for name in named]
    if len(levels) > 1:
        return pd.MultiIndex.from_arrays(levels, names=names)
    index: pd.Index = pd.Index(levels[0]).rename(names[0])
    if is_escaped and not is_numeric_dtype(index.dtype):
        return index.map(lambda text: unescape_formula(text) if isinstance(text, str) else text)
    return index


def _frame(batch: pa.RecordBatch, columns: Sequence[str]) -> pd.DataFrame:
    """Return a batch of numbers as one matrix with names."""
    parts = [_numbers(batch.column(name)) for name in columns]
    single = {part.dtype for part in parts} == {np.dtype(np.float32)}
    X = np.empty((batch.num_rows, len(parts)), np.float32 if single else np.float64, order="F")
    for k, part in enumerate(parts):
        X[:, k] = part
    return pd.DataFrame(X, columns=list(columns), copy=False)


def _numbers(column: ArrowArray) -> np.ndarray:
    """Return a column as numbers, NaN where a value is missing."""
    kind = library("types")
    if kind.is_boolean(column.type) or kind.is_decimal(column.type):
        column = column.cast("float64")
    values: np.ndarray = column.to_numpy(zero_copy_only=False)
    if values.dtype.kind in "iu" and values.dtype.itemsize == 8 and values.size:
        largest = max(abs(int(values.min())), abs(int(values.max())))
        if largest > 2**53:
            raise InputError(
                f"a column holds {largest}, which has no exact floating-point value: leave it out"
            )
    return values


def _name_errors(name: str) -> AbstractContextManager[None]:
    """Say of what Arrow refuses which file it was."""
    kinds = (library("lib").ArrowException, OSError, UnicodeDecodeError)
    return name_damage(f"{name} cannot be read", kinds)


def parquet_file(path: Path) -> Part:
    """Return a Parquet file, read by row groups."""
    parquet = library("parquet")
    with _name_errors(path.name):
        file = parquet.ParquetFile(path)
        schema, n_rows = file.schema_arrow, file.metadata.num_rows
        file.close()

    def batches(columns: list[str], rows: int) -> Iterator[pa.RecordBatch]:
        with parquet.ParquetFile(path) as again:
            # Group by group: what Arrow keeps of a pass over all of them is as large as the file.
            for group in range(again.num_row_groups):
                yield from again.iter_batches(rows, row_groups=[group], columns=columns)

    return _arrow_part(path.name, schema, batches, n_rows)


def arrow_file(path: Path) -> Part:
    """Return an Arrow or Feather file."""
    ipc, memory_map = library("ipc"), library("").memory_map
    with _name_errors(path.name), memory_map(str(path)) as source, ipc.open_file(source) as file:
        schema = file.schema

    def batches(columns: list[str], rows: int) -> Iterator[pa.RecordBatch]:
        with memory_map(str(path)) as source, ipc.open_file(source) as file:
            for k in range(file.num_record_batches):
                yield file.get_batch(k).select(columns)

    return _arrow_part(path.name, schema, batches)


def csv_file(
    path: Path,
    sep: str | None = None,
    na_values: Sequence[str] = (),
    columns: Sequence[Hashable] | None = None,
    header: bool | None = None,
) -> Part:
    """Return a table of text: its separator, decimal mark and header are found as `read` does.

    Columns that are to be read, all by default, may not be of numbers and a word among them.
    """
    dialect = _dialect(path, Options(sep=sep, header=header, na_values=na_values))
    wanted = dialect.names if columns is None else columns
    with _locate_cells(path.name, dialect):
        return _text_file(path, dialect, [*NA_VALUES, "null", *na_values], wanted)


def _dialect(path: Path, options: Options) -> Dialect:
    with _name_errors(path.name), open(path, "rb") as file:
        text = file.read(_FIRST_BYTES)
    whole, mark, _ = text.rpartition(b"\n")
    text = whole + mark if mark and len(text) == _FIRST_BYTES else text  # no part of a line
    dialect = start_of_table(text.removeprefix(b"\xef\xbb\xbf"), options)
    lines = text.rstrip(b"\r\n").splitlines()
    if len(lines) <= dialect.before + dialect.skip and len(text) < _FIRST_BYTES:
        raise InputError("the file has a header and no rows: there is nothing to analyse")
    return dialect


def _text_file(
    path: Path, dialect: Dialect, na_values: list[str], wanted: Sequence[Hashable]
) -> Part:
    csv = library("csv")
    options = {"null_values": na_values, "decimal_point": dialect.decimal}
    parse = csv.ParseOptions(
        delimiter=dialect.sep,
        newlines_in_values=bool(dialect.quotes.lines),
        ignore_empty_lines=True,
    )

    def reader(columns: list[str] | None, size: int, **more: Any) -> pa.csv.CSVStreamingReader:
        convert = csv.ConvertOptions(include_columns=columns, **options, **more)
        skip = dialect.before + dialect.skip
        read = csv.ReadOptions(block_size=size, column_names=dialect.names, skip_rows=skip)
        return csv.open_csv(path, read, parse, convert)

    with reader(None, _FIRST_BYTES) as first:
        batch = next(first, None)
        if batch is None:  # blank lines alone below the header
            raise InputError("the file has a header and no rows: there is nothing to analyse")
        types = _column_types(batch)
    _refuse_spoiled(path.name, batch, na_values, wanted)
    with reader(None, _FIRST_BYTES, column_types=types) as again:
        schema = again.schema

    def batches(columns: list[str], rows: int) -> Iterator[pa.Table]:
        size = max(_READ_BYTES, _CELL_BYTES * len(schema))
        with _locate_cells(path.name, dialect), reader(columns, size, column_types=types) as file:
            table = file.schema.empty_table()
            for batch in file:
                table = library("").concat_tables([table, table.from_batches([batch])])
                while table.num_rows >= rows:
                    yield table.slice(0, rows)
                    table = table.slice(rows)
            yield table

    is_usual = dialect.sep in ",\t" and dialect.decimal == "." and dialect.has_header
    notes = () if is_usual else tuple(guesses(dialect))
    return _arrow_part(path.name, schema, batches, notes=notes, is_escaped=True)


def _column_types(first: pa.RecordBatch) -> dict[str, ArrowType]:
    """Return the types of columns, whatever the size of the blocks that are read later."""
    pa, types = library(""), library("types")
    known = {f.name: f.type for f in first.schema if not types.is_null(f.type)}
    for name, kind in known.items():
        # A whole number may be followed by a fraction; numbers called id would be rounded.
        if types.is_integer(kind) and not is_name_label(name):
            known[name] = pa.float64()
        if not name:  # the names of the rows: texts, whatever the first of them are
            known[name] = pa.string()
    return known


def _refuse_spoiled(
    name: str, first: pa.RecordBatch, na_values: list[str], wanted: Sequence[Hashable]
) -> None:
    """Refuse a column that would be numbers but for a cell: without it, it would be left out."""
    types = library("types")
    for k, field in enumerate(first.schema):
        if not types.is_string(field.type) or not field.name or field.name not in wanted:
            continue
        cells = pd.Series(first.column(k).to_pandas(), name=field.name)
        known = cells[~cells.isin(na_values)]
        spoiled = find_spoiled_number(known)
        if spoiled is not None and spoiled[1] == "nearly_numbers":
            row = int(known.index[known == spoiled[0]][0]) + 1
            raise _bad_cell(name, field.name, spoiled[0], row)


def _bad_cell(name: str, column: str, cell: str, row: int | None) -> Exception:
    where = "" if row is None else f" (row {row:,})"
    return InputError(
        f"{name}: column {column!r} would be numbers but for {cell[:40]!r}{where}: pass "
        f"na_values={[cell[:40]]!r} if that means missing, or name other columns",
        argument="na_values",
        found=[cell[:40]],
    )


@contextmanager
def _locate_cells(name: str, dialect: Dialect) -> Iterator[None]:
    """Say of a cell that is no number where it is, and of anything else which file it was."""
    with _name_errors(name):
        try:
            yield
        except library("lib").ArrowInvalid as error:
            found = _CELL_ERROR.search(str(error))
            if found is None or int(found[1]) >= len(dialect.names):
                raise
            top = dialect.before + dialect.skip
            row = None if found[2] is None else int(found[2]) - top
            raise _bad_cell(name, dialect.names[int(found[1])], found[3], row) from error
