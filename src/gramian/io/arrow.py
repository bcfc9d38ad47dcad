"""The one place that imports pyarrow here: CSV, and what a child read of Parquet and Feather."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Sequence
from typing import Any

import pandas as pd

from gramian.errors import InputError
from gramian.io.limited import Refused, read_limited
from gramian.io.opening import damage
from gramian.io.raw import Options


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
    return _packed("parquet", "Parquet", data, options)


def feather(data: bytes, options: Options) -> pd.DataFrame:
    """Return the table of a Feather (Arrow) file."""
    return _packed("feather", "Feather", data, options)


def _packed(reader: str, what: str, data: bytes, options: Options) -> pd.DataFrame:
    """Return a table that a child process unpacked within limits."""
    _need(what)
    try:
        out = read_limited(reader, data, f"the {what} file", options.largest)
    except Refused as error:
        if error.key == "broken":
            reason = damage(error.values["reason"])
            raise InputError(f"the {what} file is broken: {reason}") from error
        raise InputError(f"the {what} file has no column of numbers or texts") from error
    try:
        return library("ipc").open_stream(out).read_all().to_pandas()
    except Exception as error:  # spoiled notes of pandas' own fail in a dozen ways
        raise InputError(f"the {what} file is broken: {damage(error)}") from error
