"""Files that Arrow reads: Parquet and Feather as a whole; these and tables of text by blocks."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from gramian.errors import InputError
from gramian.io.content import damage
from gramian.io.csv_cells import unescape_formula
from gramian.io.delimited import Dialect, guesses, has_arrow, start_of_table
from gramian.io.formats import NA_VALUES, Options
from gramian.io.limited import Refused, read_limited
from gramian.io.notes import Note
from gramian.io.roles import find_spoiled_number, is_name_label

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
        raise InputError(f"reading {what} needs pyarrow: pip install 'gramian[io]'")


def read_parquet(data: bytes, options: Options) -> pd.DataFrame:
    """Return the table of a Parquet file."""
    return _read_packed("parquet", "Parquet", data, options)


def read_feather(data: bytes, options: Options) -> pd.DataFrame:
    """Return the table of a Feather (Arrow) file."""
    return _read_packed("feather", "Feather", data, options)


def _read_packed(reader: str, what: str, data: bytes, options: Options) -> pd.DataFrame:
    """Return a table that a child process unpacked within limits."""
    _require_arrow(what)
    try:
        out = read_limited(reader, data, f"the {what} file", options.largest)
    except Refused as error:
        if error.key == "broken":
            reason = damage(error.values["reason"])
            raise InputError(f"the {what} file is broken: {reason}") from error
        raise InputError(f"the {what} file has no column of numbers or texts") from error
    try:
        frame: pd.DataFrame = library("ipc").open_stream(out).read_all().to_pandas()
        return frame
    except Exception as error:  # spoiled notes of pandas' own fail in a dozen ways
        raise InputError(f"the {what} file is broken: {damage(error)}") from error


_ANONYMOUS = re.compile(r"(__index_level_\d+__)?")
_FIRST_BYTES = 1 << 20  # bytes of a table of text that show how it is written, and its types
_CELL_ERROR = re.compile(
    r"column #(\d+):(?: Row #(\d+):)? CSV conversion error to .*'(.*)'", re.DOTALL
)


class Arrow:
    """A file of Arrow's: its columns, its number of rows, batches of it, and what was guessed."""

    def __init__(
        self,
        schema: pa.Schema,
        n_rows: int | None,
        batches: Callable[[list[str], int], Iterator[pa.RecordBatch]],
        notes: tuple[Note, ...] = (),
        is_escaped: bool = False,
    ) -> None:
        self.notes = notes
        self.is_escaped = is_escaped  # whether names that look like formulas have an apostrophe
        self.schema = schema
        self.n_rows = n_rows
        self._batches = batches

    def columns(self) -> tuple[list[str], list[str]]:
        """Return the names of the columns of numbers, and of the others."""
        types = library("types")
        numbers = [
            field.name
            for field in self.schema
            if types.is_integer(field.type)
            or types.is_floating(field.type)
            or types.is_boolean(field.type)
            or types.is_decimal(field.type)
        ]
        return numbers, [field.name for field in self.schema if field.name not in numbers]

    def row_names(self) -> list[str]:
        """Return the columns that name rows: pandas' index, and those without a name."""
        index = (self.schema.pandas_metadata or {}).get("index_columns", ())
        named = [name for name in index if isinstance(name, str)]  # a range is no column
        return [name for name in self.schema.names if name in named or not name]

    def first(self, columns: list[str], rows: int, name: str) -> pd.DataFrame:
        """Return some columns of the first rows, texts too."""
        with _naming(name):
            batch = next(self._batches(columns, rows), None)
            return pd.DataFrame(columns=columns) if batch is None else batch[:rows].to_pandas()

    def blocks(
        self, columns: list[str], rows: int, name: str, named: Sequence[str] = ()
    ) -> Iterator[pd.DataFrame]:
        """Go through the rows, at most so many at a time; `named` columns hold their names."""
        with _naming(name):
            for batch in self._batches([*columns, *named], rows):
                for start in range(0, batch.num_rows, rows):
                    part = batch.slice(start, rows)
                    frame = _frame(part, columns)
                    yield frame.set_axis(self._index(part, named)) if named else frame

    def _index(self, batch: pa.RecordBatch, named: Sequence[str]) -> pd.Index:
        index = _index(batch, named)
        texts = self.is_escaped and index.nlevels == 1 and not is_numeric_dtype(index.dtype)
        if not texts:
            return index
        return pd.Index(
            [unescape_formula(k) if isinstance(k, str) else k for k in index], name=index.name
        )


def _index(batch: pa.RecordBatch, named: Sequence[str]) -> pd.Index:
    """Return the names of rows; pandas writes an index without a name under one of its own."""
    levels = [batch.column(name).to_pandas() for name in named]
    names = [None if _ANONYMOUS.fullmatch(name) else name for name in named]
    if len(levels) == 1:
        index: pd.Index = pd.Index(levels[0]).rename(names[0])
        return index
    return pd.MultiIndex.from_arrays(levels, names=names)


def _frame(batch: pa.RecordBatch, columns: Sequence[str]) -> pd.DataFrame:
    """Return a batch of numbers as one matrix with names."""
    parts = [_numbers(batch.column(name)) for name in columns]
    kinds = {part.dtype for part in parts}
    single = kinds == {np.dtype(np.float32)}
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
                f"a column holds {largest}, which no floating-point number is: leave it out"
            )
    return values


@contextmanager
def _naming(name: str) -> Iterator[None]:
    """Say of what Arrow refuses which file it was."""
    try:
        yield
    except (library("lib").ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(f"{name} cannot be read: {damage(error)}") from error


def parquet_file(path: Path) -> Arrow:
    """Return a Parquet file, read by row groups."""
    parquet = library("parquet")
    with _naming(path.name):
        file = parquet.ParquetFile(path)
        schema, n_rows = file.schema_arrow, file.metadata.num_rows
        file.close()

    def batches(columns: list[str], rows: int) -> Iterator[pa.RecordBatch]:
        with parquet.ParquetFile(path) as again:
            # Group by group: what Arrow keeps of a pass over all of them is as large as the file.
            for group in range(again.num_row_groups):
                yield from again.iter_batches(rows, row_groups=[group], columns=columns)

    return Arrow(schema, n_rows, batches)


def arrow_file(path: Path) -> Arrow:
    """Return an Arrow or Feather file."""
    ipc, memory_map = library("ipc"), library("").memory_map
    with _naming(path.name), memory_map(str(path)) as source, ipc.open_file(source) as file:
        schema = file.schema

    def batches(columns: list[str], rows: int) -> Iterator[pa.RecordBatch]:
        with memory_map(str(path)) as source, ipc.open_file(source) as file:
            for k in range(file.num_record_batches):
                yield file.get_batch(k).select(columns)

    return Arrow(schema, None, batches)


def csv_file(
    path: Path,
    sep: str | None = None,
    na_values: Sequence[str] = (),
    columns: Sequence[Hashable] | None = None,
    header: bool | None = None,
) -> Arrow:
    """Return a table of text: its separator, decimal mark and header are found as `read` does.

    Columns that are to be read, all by default, may not be of numbers and a word among them.
    """
    dialect = _dialect(path, Options(sep=sep, header=header, na_values=na_values))
    wanted = dialect.names if columns is None else columns
    with _locate_cells(path.name, dialect):
        return _text_file(path, dialect, [*NA_VALUES, "null", *na_values], wanted)


def _dialect(path: Path, options: Options) -> Dialect:
    with _naming(path.name), open(path, "rb") as file:
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
) -> Arrow:
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

    def batches(columns: list[str], rows: int) -> Iterator[pa.RecordBatch]:
        width = max(len(schema), 1) * 12
        size = int(np.clip(rows * width, 1 << 16, 1 << 28))
        with _locate_cells(path.name, dialect), reader(columns, size, column_types=types) as file:
            yield from file

    usual = (",", ".", True), ("\t", ".", True)
    is_usual = (dialect.sep, dialect.decimal, dialect.has_header) in usual
    notes = () if is_usual else tuple(guesses(dialect))
    return Arrow(schema, None, batches, notes, is_escaped=True)


def _column_types(first: pa.RecordBatch) -> dict[str, ArrowType]:
    """Return the types of columns, whatever the size of the blocks that are read later.

    Columns of numbers are of doubles, since a whole number may be followed by a fraction, but for
    whole ones called id or the like, which doubles would round. A column without a name holds those
    of the rows: texts, whatever the first of them are.
    """
    pa, types = library(""), library("types")
    known = {f.name: f.type for f in first.schema if not types.is_null(f.type)}
    whole = [name for name, t in known.items() if types.is_integer(t)]
    known |= {name: pa.float64() for name in whole if not is_name_label(name)}
    return known | dict.fromkeys([name for name in known if not name], pa.string())


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
    with _naming(name):
        try:
            yield
        except library("lib").ArrowInvalid as error:
            found = _CELL_ERROR.search(str(error))
            if found is None or int(found[1]) >= len(dialect.names):
                raise
            top = dialect.before + dialect.skip
            row = None if found[2] is None else int(found[2]) - top
            raise _bad_cell(name, dialect.names[int(found[1])], found[3], row) from error
