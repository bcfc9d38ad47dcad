"""The one place that imports pyarrow: quick reading of CSV, Parquet and Feather."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Sequence
from typing import Any

import pandas as pd

from gramian._blocks import budget_bytes, require
from gramian.errors import InputError, MemoryBudgetError
from gramian.io.raw import Options

__all__ = ["feather", "has_arrow", "parquet", "quick_csv"]


def has_arrow() -> bool:
    """Whether pyarrow is installed."""
    return importlib.util.find_spec("pyarrow") is not None


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


def parquet(data: bytes, _: Options) -> pd.DataFrame:
    """Return the table of a Parquet file."""
    _need("Parquet")
    import pyarrow as pa
    from pyarrow import parquet as pq

    def read() -> Any:
        size = pq.ParquetFile(pa.BufferReader(data)).metadata
        need = 8.0 * size.num_rows * size.num_columns
        require(need, budget_bytes(None), "the table of the file", "take fewer rows or columns")
        return pq.read_table(pa.BufferReader(data))

    return _whole(read, "Parquet")


def feather(data: bytes, _: Options) -> pd.DataFrame:
    """Return the table of a Feather (Arrow) file."""
    _need("Feather")
    import pyarrow as pa
    from pyarrow import feather as fe

    return _whole(lambda: fe.read_table(pa.BufferReader(data)), "Feather")


def _whole(read: Callable[[], Any], what: str) -> pd.DataFrame:
    """Return a table after a look at all of it: spoiled texts would be found much later."""
    try:
        table = read()
        table.validate(full=True)
        return table.to_pandas()
    except MemoryBudgetError:
        raise
    except Exception as error:  # a spoiled file fails in a dozen ways
        raise InputError(f"the {what} file is broken: {str(error)[:200]}") from error
