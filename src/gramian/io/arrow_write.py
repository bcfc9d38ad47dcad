"""Blocks of rows to files that Arrow writes: Parquet, Arrow's own, CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pandas as pd

from gramian._study.language.labels import escape_controls
from gramian.errors import InputError
from gramian.io.arrow import library
from gramian.io.guard import guarded

_SEPARATORS = {"csv": ",", "tsv": "\t"}


@contextmanager
def writer(
    path: str, kind: str, columns: Sequence[str], names: pd.Index | None = None
) -> Iterator[Callable[[Any, pd.Index | None], None]]:
    """Yield a function that writes one block more to a file, with names of rows like some."""
    pa = library("")
    first = _Names.of(names, kind, columns)
    heads = [] if first is None else [(first.heading, first.type)]
    titles = [escape_controls(str(name)) if kind in _SEPARATORS else str(name) for name in columns]
    schema = pa.schema([*heads, *((title, pa.float64()) for title in titles)])
    if first is not None and kind not in _SEPARATORS:
        schema = _with_index(schema, first.heading)
    if kind == "parquet":
        file = library("parquet").ParquetWriter(path, schema)
    elif kind in _SEPARATORS:
        csv = library("csv")
        options = csv.WriteOptions(delimiter=_SEPARATORS[kind])
        file = csv.CSVWriter(path, schema, write_options=options)
    else:
        file = library("ipc").new_file(path, schema)

    def write(block: Any, names: pd.Index | None) -> None:
        values = np.asarray(block, dtype=float)
        arrays = [] if first is None else [first.array(names, len(values))]
        arrays += [pa.array(values[:, k]) for k in range(values.shape[1])]
        file.write_batch(pa.record_batch(arrays, schema=schema))

    with file:
        yield write


class _Names:
    """The column of the names of rows: its heading, its type, and those of a block."""

    def __init__(self, heading: str, type_: Any, guards: bool) -> None:
        self.heading, self.type, self.guards = heading, type_, guards

    @classmethod
    def of(cls, names: pd.Index | None, kind: str, columns: Sequence[str]) -> _Names | None:
        """Return the column of names like some; pandas knows one without a name by its own."""
        if names is None:
            return None
        pa, text = library(""), kind in _SEPARATORS
        heading = " ".join(str(name) for name in names.names if name is not None)
        numbers = pd.api.types.is_integer_dtype(names.dtype)
        if not heading or heading in columns:
            heading = "" if text else "__index_level_0__"
        if text:
            heading = escape_controls(heading)
        return cls(heading, pa.int64() if numbers else pa.string(), text and not numbers)

    def array(self, names: pd.Index | None, n: int) -> Any:
        """Return the names of the n rows of a block; a spreadsheet runs none of them."""
        pa = library("")
        if names is None:
            raise InputError("a block has rows without names, where the blocks before have some")
        if self.type == pa.int64():
            return pa.array(names, self.type)
        labels = (name if isinstance(name, tuple) else (name,) for name in names)
        texts = [" ".join(str(part) for part in label) for label in labels]
        return pa.array([guarded(text) if self.guards else text for text in texts], self.type)


def _with_index(schema: Any, heading: str) -> Any:
    """Return a schema that tells pandas, and who reads like it, which column names the rows."""
    pa = library("")
    empty = {field.name: pd.Series(dtype="float64") for field in schema}
    frame = pd.DataFrame(empty).set_index(heading)
    told = pa.Schema.from_pandas(frame).metadata
    return schema.with_metadata(told)
