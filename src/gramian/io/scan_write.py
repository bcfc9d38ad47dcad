"""Writing blocks of rows to a file that is there when it is whole."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from gramian._core.array import is_sparse
from gramian._core.check import flag
from gramian._study.language.labels import escape_controls
from gramian.errors import InputError, OutputError
from gramian.io.arrow import library
from gramian.io.csv_cells import escape_formula
from gramian.io.files import check_writable, replacement_file
from gramian.io.scan_table import Block, Scan

if TYPE_CHECKING:
    from gramian.io.arrow import ArrowArray, ArrowField, ArrowType

_SEPARATORS = {".csv": ",", ".tsv": "\t"}
_HEADER_BYTES = 128  # of .npy


def check_kind(path: Path) -> str:
    """Return the suffix of a file that blocks can be written to; refuse others."""
    kind = path.suffix.lower()
    if kind not in (".parquet", ".arrow", ".feather", *_SEPARATORS, ".npy"):
        raise OutputError(f"{path.name}: write .parquet, .arrow, .feather, .csv, .tsv or .npy")
    return kind


def write(rows: Scan, path: Path, force: bool) -> int:
    """Write blocks to a file; return how many rows."""
    kind = check_kind(path)
    if os.path.exists(path) and not flag(force, "force"):
        raise OutputError(f"{path.name} exists: pass force=True to replace it")
    check_writable(path)
    with replacement_file(path) as name:
        count = _write_array(rows, name) if kind == ".npy" else _write_table(rows, name, kind)
        with open(name, "rb+") as file:
            os.fsync(file.fileno())
    return count


def _write_table(rows: Scan, name: str, kind: str) -> int:
    """Write a table, names of rows first where the first block has some."""
    count, blocks = 0, rows.named_blocks(rows.progress)
    first = next(blocks)
    with _table_writer(name, kind, _headings(first.block), first.names) as put:
        for block, names, _ in chain([first], blocks):
            put(_dense(block), names)
            count += block.shape[0]
    return count


def _headings(block: Block) -> list[str]:
    """Return one name for each column, two levels in one."""
    names = getattr(block, "columns", None)
    if names is None:
        return [f"axis {k + 1}" for k in range(block.shape[1])]
    flat = (name if isinstance(name, tuple) else (name,) for name in names)
    return [" ".join(str(part) for part in name if part != "") for name in flat]


def _dense(block: Block) -> np.ndarray:
    return block.toarray() if is_sparse(block) else np.asarray(block, dtype=float)


def _write_array(rows: Scan, name: str) -> int:
    """Write an array whose number of rows is put in at the end."""
    from numpy.lib import format as npy

    count, width = 0, 0
    with open(name, "wb") as file:
        file.write(bytes(_HEADER_BYTES))
        for block in rows:
            part = np.ascontiguousarray(_dense(block))
            count, width = count + len(part), part.shape[1]
            file.write(part.data)
        file.seek(0)
        header = {"descr": "<f8", "fortran_order": False, "shape": (count, width)}
        npy.write_array_header_1_0(file, header)
        if file.tell() != _HEADER_BYTES:
            raise OutputError(
                f"{name}: the header of the array takes {file.tell()} bytes, not {_HEADER_BYTES}"
            )
    return count


@contextmanager
def _table_writer(
    path: str, kind: str, columns: Sequence[str], names: pd.Index | None
) -> Iterator[Callable[[np.ndarray, pd.Index | None], None]]:
    """Yield a function that writes one more block, with names of rows like the first ones."""
    pa, is_text = library(""), kind in _SEPARATORS
    index = None if names is None else _index_field(names, is_text, columns)
    titles = [escape_controls(str(name)) if is_text else str(name) for name in columns]
    schema = pa.schema([(title, pa.float64()) for title in titles])
    if index is not None:
        schema = schema.insert(0, index)
        if not is_text:  # pandas, and who reads like it, learns which column names the rows
            empty = {field.name: pd.Series(dtype="float64") for field in schema}
            frame = pd.DataFrame(empty).set_index(index.name)
            schema = schema.with_metadata(pa.Schema.from_pandas(frame).metadata)
    if kind == ".parquet":
        file = library("parquet").ParquetWriter(path, schema)
    elif is_text:
        csv = library("csv")
        options = csv.WriteOptions(delimiter=_SEPARATORS[kind])
        file = csv.CSVWriter(path, schema, write_options=options)
    else:
        file = library("ipc").new_file(path, schema)

    def write(values: np.ndarray, names: pd.Index | None) -> None:
        arrays = [] if index is None else [_index_array(names, index.type, is_text)]
        arrays += [pa.array(values[:, k]) for k in range(values.shape[1])]
        file.write_batch(pa.record_batch(arrays, schema=schema))

    with file:
        yield write


def _index_field(names: pd.Index, is_text: bool, columns: Sequence[str]) -> ArrowField:
    """Return the field of the names of rows; pandas knows one without a name by its own."""
    pa = library("")
    heading = " ".join(str(name) for name in names.names if name is not None)
    if not heading or heading in columns:
        heading = "" if is_text else "__index_level_0__"
    is_whole = pd.api.types.is_integer_dtype(names.dtype)
    kind = pa.int64() if is_whole else pa.string()
    return pa.field(escape_controls(heading) if is_text else heading, kind)


def _index_array(names: pd.Index | None, kind: ArrowType, is_text: bool) -> ArrowArray:
    """Return the names of the rows of a block; a spreadsheet runs none of them."""
    pa = library("")
    if names is None:
        raise InputError("a block has rows without names, where the blocks before have some")
    if kind == pa.int64():
        return pa.array(names, kind)
    labels = (name if isinstance(name, tuple) else (name,) for name in names)
    texts = (" ".join(str(part) for part in label) for label in labels)
    return pa.array([escape_formula(text) if is_text else text for text in texts], kind)
