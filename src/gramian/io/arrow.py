"""The one place that imports pyarrow: quick reading of CSV, Parquet and Feather."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from gramian._blocks import budget_bytes, human, require
from gramian.errors import InputError, MemoryBudgetError
from gramian.io.arrow_sizes import unpacked_size
from gramian.io.content import allowance
from gramian.io.raw import Options

__all__ = ["feather", "has_arrow", "library", "parquet", "quick_csv"]


def has_arrow() -> bool:
    """Whether pyarrow is installed."""
    return importlib.util.find_spec("pyarrow") is not None


def library(part: str) -> Any:
    """Return a module of pyarrow's, or say that it is not installed."""
    _need("such files block by block")
    return importlib.import_module(f"pyarrow.{part}" if part else "pyarrow")


def quick_csv(
    data: bytes, names: list[str], skip: int, sep: str, decimal: str, na_values: Sequence[str]
) -> pd.DataFrame | None:
    """Return a table of UTF-8 text, or None where the patient reader must say what is wrong.

    Parameters
    ----------
    names : list of str
        The columns, distinct.
    skip : int
        Lines before the data.
    """
    import pyarrow as pa
    from pyarrow import csv

    quoted = b'"' in data
    convert = csv.ConvertOptions(
        null_values=list(na_values), strings_can_be_null=True, decimal_point=decimal
    )
    parse = csv.ParseOptions(delimiter=sep, newlines_in_values=quoted)
    # Types are guessed from the first block: where a later one differs, all is one block.
    for block in (1 << 22, min(len(data) + 1, (1 << 31) - 1)):
        options = csv.ReadOptions(
            column_names=names, skip_rows_after_names=skip, block_size=max(block, 1 << 16)
        )
        try:
            table = csv.read_csv(pa.BufferReader(data), options, parse, convert)
        except (pa.ArrowInvalid, pa.ArrowNotImplementedError, pa.ArrowKeyError):
            continue
        return _plain(table).to_pandas()
    return None


def _plain(table: Any) -> Any:
    """Return dates and times as the texts they are."""
    import pyarrow as pa

    schema = [
        pa.field(f.name, pa.string() if pa.types.is_temporal(f.type) else f.type)
        for f in table.schema
    ]
    return table.cast(pa.schema(schema))


def _need(what: str) -> None:
    if not has_arrow():
        raise InputError(f"reading {what} needs pyarrow: pip install 'gramian[io]'")


def parquet(data: bytes, options: Options) -> pd.DataFrame:
    """Return the table of a Parquet file."""
    _need("Parquet")
    import pyarrow as pa
    from pyarrow import parquet as pq

    bounds = _Bounds("Parquet", len(data), allowance(len(data), options.largest))

    def read() -> Any:
        file = pq.ParquetFile(pa.BufferReader(data))
        size, schema = file.metadata, file.schema_arrow
        need = 8.0 * size.num_rows * size.num_columns
        require(need, budget_bytes(None), "the table of the file", "take fewer rows or columns")
        groups = [size.row_group(k) for k in range(size.num_row_groups)]
        columns = [g.column(k) for g in groups for k in range(g.num_columns)]
        bounds.check(max(need, sum(column.total_uncompressed_size for column in columns)))
        # A text that stands in the file once is not copied for each row before they are counted.
        texts = [field.name for field in schema if _is_text(field.type)]
        plain = [field.name for field in schema if _is_plain(field.type)]
        names = None if len(plain) == len(schema) else plain
        file = pq.ParquetFile(pa.BufferReader(data), read_dictionary=texts)
        return _spread(file.read(columns=names), schema, bounds)

    return _whole(read, "Parquet")


def feather(data: bytes, options: Options) -> pd.DataFrame:
    """Return the table of a Feather (Arrow) file."""
    _need("Feather")
    import pyarrow as pa
    from pyarrow import feather as fe

    bounds = _Bounds("Feather", len(data), allowance(len(data), options.largest))

    def read() -> Any:
        bounds.check(unpacked_size(data))
        table = fe.read_table(pa.BufferReader(data))
        plain = [k for k, field in enumerate(table.schema) if _is_plain(field.type)]
        return _spread(table.select(plain), table.schema, bounds)

    return _whole(read, "Feather")


@dataclass(frozen=True)
class _Bounds:
    """What a packed table may unpack to."""

    what: str
    size: int
    limit: int

    def check(self, size: float) -> None:
        if size > self.limit:
            what = f"the {self.what} file ({human(self.size)})"
            raise InputError(
                f"{what} unpacks to {human(size)}, more than {human(self.limit)}: pass largest= "
                "if you trust it",
                argument="largest",
            )


def _is_text(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_string(kind) or types.is_binary(kind) or _is_view(kind))


def _is_view(kind: Any) -> bool:
    from pyarrow import types

    return bool(types.is_string_view(kind) or types.is_binary_view(kind))


def _is_plain(kind: Any) -> bool:
    """Whether a column has one cell a row: no lists, no records, no runs."""
    from pyarrow import types

    if types.is_dictionary(kind):
        return _is_plain(kind.value_type)
    numbers = types.is_primitive(kind) or types.is_null(kind) or types.is_decimal(kind)
    texts = types.is_large_string(kind) or types.is_large_binary(kind) or _is_text(kind)
    return bool(numbers or texts)


def _spread(table: Any, schema: Any, bounds: _Bounds) -> Any:
    """Return a table with its texts in every row that shows them, if there is room for them.

    Columns that are no plain ones are empty in it, and told like others that say nothing.
    """
    import pyarrow as pa

    bounds.check(sum(_letters(chunk) for column in table.columns for chunk in column.chunks))
    fields = [_plain_field(field) for field in schema if _is_plain(field.type)]
    if not fields:
        raise InputError(f"the {bounds.what} file has no column of numbers or texts")
    table = table.cast(pa.schema(fields, table.schema.metadata))
    for k, field in enumerate(schema):
        if not _is_plain(field.type):
            table = table.add_column(k, field.name, pa.nulls(len(table), pa.float64()))
    return table


def _plain_field(field: Any) -> Any:
    import pyarrow as pa

    return field.with_type(pa.large_string()) if _is_view(field.type) else field


def _letters(chunk: Any) -> int:
    """Return how many bytes the texts of a column take that stand once for many rows."""
    from pyarrow import compute, types

    if _is_view(chunk.type):  # sixteen bytes a cell, the first four its length
        cells = np.frombuffer(chunk.buffers()[1], dtype=np.int32).reshape(-1, 4)
        return int(cells[chunk.offset : chunk.offset + len(chunk), 0].sum(dtype=np.int64))
    if types.is_dictionary(chunk.type) and not types.is_primitive(chunk.type.value_type):
        if _is_view(chunk.type.value_type):
            raise InputError("a column of categories in views: write its texts as strings")
        lengths = compute.binary_length(chunk.dictionary).cast("int64")
        return compute.sum(compute.take(lengths, chunk.indices)).as_py() or 0
    return 0


def _whole(read: Callable[[], Any], what: str) -> pd.DataFrame:
    """Return a table after a look at all of it: spoiled texts would be found much later."""
    try:
        table = read()
        table.validate(full=True)
        return table.to_pandas()
    except (MemoryBudgetError, InputError):
        raise
    except Exception as error:  # a spoiled file fails in a dozen ways
        raise InputError(f"the {what} file is broken: {str(error)[:200]}") from error
