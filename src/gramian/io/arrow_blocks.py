"""Blocks of rows from files that Arrow reads: Parquet and its own."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import is_numeric_dtype

from gramian.errors import InputError
from gramian.io.arrow import library
from gramian.io.guard import unguarded
from gramian.io.notes import Note
from gramian.io.opening import damage

__all__ = ["Arrow", "arrow_file", "parquet_file", "said"]

_ANONYMOUS = re.compile(r"(__index_level_\d+__)?")


class Arrow:
    """A file of Arrow's: its columns, its number of rows, batches of it, and what was guessed."""

    def __init__(
        self,
        schema: Any,
        n_rows: int | None,
        batches: Callable[[list[str], int], Iterator[Any]],
        notes: tuple[Note, ...] = (),
        is_guarded: bool = False,
    ) -> None:
        self.notes = notes
        self.is_guarded = is_guarded  # whether names that look like formulas have an apostrophe
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
        with said(name):
            batch = next(self._batches(columns, rows), None)
            return pd.DataFrame(columns=columns) if batch is None else batch[:rows].to_pandas()

    def blocks(
        self, columns: list[str], rows: int, name: str, named: Sequence[str] = ()
    ) -> Iterator[pd.DataFrame]:
        """Go through the rows, at most so many at a time; `named` columns hold their names."""
        with said(name):
            for batch in self._batches([*columns, *named], rows):
                for start in range(0, batch.num_rows, rows):
                    part = batch.slice(start, rows)
                    frame = _frame(part, columns)
                    yield frame.set_axis(self._index(part, named)) if named else frame

    def _index(self, batch: Any, named: Sequence[str]) -> pd.Index:
        index = _index(batch, named)
        texts = self.is_guarded and index.nlevels == 1 and not is_numeric_dtype(index.dtype)
        return index.map(_unguarded) if texts else index


def _unguarded(name: Any) -> Any:
    return unguarded(name) if isinstance(name, str) else name


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
        raise InputError(f"{name} cannot be read: {damage(error)}") from error


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
