"""Blocks of rows from files that Arrow reads: Parquet, Arrow's own, CSV."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gramian.errors import InputError
from gramian.io.arrow import library
from gramian.io.roles import called_like_names

__all__ = ["Arrow", "arrow_file", "csv_file", "parquet_file", "writer"]

_FIRST = 1 << 20  # bytes of a CSV file that types are guessed from
_ANONYMOUS = re.compile(r"(__index_level_\d+__)?")


class Arrow:
    """A file of Arrow's: its columns, its number of rows, and batches of it."""

    def __init__(
        self, schema: Any, n_rows: int | None, batches: Callable[[list[str], int], Iterator[Any]]
    ) -> None:
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

    def blocks(
        self, columns: list[str], rows: int, name: str, named: Sequence[str] = ()
    ) -> Iterator[pd.DataFrame]:
        """Go through the rows, at most so many at a time; `named` columns hold their names."""
        with said(name):
            for batch in self._batches([*columns, *named], rows):
                for start in range(0, batch.num_rows, rows):
                    part = batch.slice(start, rows)
                    frame = _frame(part, columns)
                    yield frame.set_axis(_index(part, named)) if named else frame


def _index(batch: Any, named: Sequence[str]) -> pd.Index:
    """Return the names of rows; pandas writes an index without a name under one of its own."""
    levels = [batch.column(name).to_pandas() for name in named]
    names = [None if _ANONYMOUS.fullmatch(name) else name for name in named]
    if len(levels) == 1:
        return pd.Index(levels[0]).rename(names[0])
    return pd.MultiIndex.from_arrays(levels, names=names)


def _frame(batch: Any, columns: Sequence[str]) -> pd.DataFrame:
    """Return a batch of numbers as one matrix with names."""
    parts = [_numbers(batch.column(name)) for name in columns]
    kinds = {part.dtype for part in parts}
    single = kinds == {np.dtype(np.float32)}
    X = np.empty((batch.num_rows, len(parts)), np.float32 if single else np.float64, order="F")
    for k, part in enumerate(parts):
        X[:, k] = part
    return pd.DataFrame(X, columns=list(columns), copy=False)


def _numbers(column: Any) -> np.ndarray:
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
def said(name: str) -> Iterator[None]:
    """Say of what Arrow refuses which file it was."""
    try:
        yield
    except (library("lib").ArrowException, OSError, UnicodeDecodeError) as error:
        raise InputError(f"{name} cannot be read: {str(error)[:200]}") from error


def parquet_file(path: Path) -> Arrow:
    """Return a Parquet file, read by row groups."""
    parquet = library("parquet")
    with said(path.name):
        file = parquet.ParquetFile(path)
        schema, n_rows = file.schema_arrow, file.metadata.num_rows
        file.close()

    def batches(columns: list[str], rows: int) -> Iterator[Any]:
        with parquet.ParquetFile(path) as again:
            # Group by group: what Arrow keeps of a pass over all of them is as large as the file.
            for group in range(again.num_row_groups):
                yield from again.iter_batches(rows, row_groups=[group], columns=columns)

    return Arrow(schema, n_rows, batches)


def arrow_file(path: Path) -> Arrow:
    """Return an Arrow or Feather file."""
    ipc, pa = library("ipc"), library("")
    with said(path.name), pa.memory_map(str(path)) as source, ipc.open_file(source) as file:
        schema = file.schema

    def batches(columns: list[str], rows: int) -> Iterator[Any]:
        with pa.memory_map(str(path)) as source, ipc.open_file(source) as file:
            for k in range(file.num_record_batches):
                yield file.get_batch(k).select(columns)

    return Arrow(schema, None, batches)


def csv_file(path: Path, sep: str | None = None) -> Arrow:
    """Return a CSV file with a line of names; its first megabyte tells the types."""
    csv = library("csv")
    mark = sep or _separator(path)

    def reader(columns: list[str] | None, size: int) -> Any:
        convert = csv.ConvertOptions(include_columns=columns, column_types=_types(path, mark))
        parse = csv.ParseOptions(delimiter=mark)
        return csv.open_csv(path, csv.ReadOptions(block_size=size), parse, convert)

    with said(path.name), reader(None, _FIRST) as first:
        schema = first.schema

    def batches(columns: list[str], rows: int) -> Iterator[Any]:
        width = max(len(schema), 1) * 12
        with reader(columns, int(np.clip(rows * width, 1 << 16, 1 << 28))) as file:
            yield from file

    return Arrow(schema, None, batches)


def _separator(path: Path) -> str:
    """Return the mark that parts the names of the first line: a comma, or a semicolon."""
    with said(path.name), open(path, "rb") as file:
        first = file.readline(_FIRST)
    return ";" if first.count(b";") > first.count(b",") else ","


def _types(path: Path, sep: str) -> dict[str, Any]:
    """Return the types of columns, whatever the size of the blocks that are read later.

    Columns of numbers are of doubles, since a whole number may be followed by a fraction, but for
    whole ones called id or the like, which doubles would round. A column without a name holds those
    of the rows: texts, whatever the first of them are.
    """
    csv, pa, types = library("csv"), library(""), library("types")
    options = csv.ReadOptions(block_size=_FIRST)
    with csv.open_csv(path, options, csv.ParseOptions(delimiter=sep)) as first:
        known = {f.name: f.type for f in first.schema if not types.is_null(f.type)}
    whole = [name for name, t in known.items() if types.is_integer(t)]
    known |= {name: pa.float64() for name in whole if not called_like_names(name)}
    return known | dict.fromkeys([name for name in known if not name], pa.string())


@contextmanager
def writer(path: str, kind: str, columns: Sequence[Any]) -> Iterator[Callable[[Any], None]]:
    """Yield a function that writes one block more to a file."""
    pa = library("")
    schema = pa.schema([(str(name), pa.float64()) for name in columns])
    if kind == "parquet":
        file = library("parquet").ParquetWriter(path, schema)
    elif kind in ("csv", "tsv"):
        csv = library("csv")
        options = csv.WriteOptions(delimiter="," if kind == "csv" else "\t")
        file = csv.CSVWriter(path, schema, write_options=options)
    else:
        file = library("ipc").new_file(path, schema)

    def write(block: Any) -> None:
        values = np.asarray(block, dtype=float)
        arrays = [pa.array(values[:, k]) for k in range(values.shape[1])]
        file.write_batch(pa.record_batch(arrays, schema=schema))

    with file:
        yield write
