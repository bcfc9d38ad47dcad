"""Writing blocks of rows to a file that is there when it is whole."""

from __future__ import annotations

import os
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from gramian._core.array import is_sparse
from gramian._core.check import flag
from gramian.errors import OutputError
from gramian.io.arrow_write import writer
from gramian.io.files import aside, check_writable
from gramian.io.scan_table import Scan

_WRITTEN = {
    ".parquet": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".csv": "csv",
    ".tsv": "tsv",
}


def check_kind(path: Path) -> str:
    """Return the ending of a file that blocks can be written to; refuse others."""
    kind = path.suffix.lower()
    if kind not in (*_WRITTEN, ".npy"):
        raise OutputError(f"{path.name}: write .parquet, .arrow, .feather, .csv, .tsv or .npy")
    return kind


def write(rows: Scan, path: Path, force: bool) -> int:
    """Write blocks to a file; return how many rows."""
    kind = check_kind(path)
    if os.path.exists(path) and not flag(force, "force"):
        raise OutputError(f"{path.name} exists: pass force=True to replace it")
    check_writable(path)
    with aside(path) as name:
        count = _write_array(rows, name) if kind == ".npy" else _write_table(rows, name, kind)
        with open(name, "rb+") as file:
            os.fsync(file.fileno())
    return count


def _write_table(rows: Scan, name: str, kind: str) -> int:
    """Write a table, names of rows first where the first block has some."""
    count, blocks = 0, rows.named_blocks(rows.progress)
    first = next(blocks)
    with writer(name, _WRITTEN[kind], _headings(first[1]), first[0]) as put:
        for names, block in chain([first], blocks):
            put(_dense(block), names)
            count += block.shape[0]
    return count


def _headings(block: Any) -> list[str]:
    """Return one name for each column, two levels in one."""
    names = getattr(block, "columns", None)
    if names is None:
        return [f"axis {k + 1}" for k in range(block.shape[1])]
    flat = (name if isinstance(name, tuple) else (name,) for name in names)
    return [" ".join(str(part) for part in name if part != "") for name in flat]


def _dense(block: Any) -> np.ndarray:
    return block.toarray() if is_sparse(block) else np.asarray(block, dtype=float)


def _write_array(rows: Scan, name: str) -> int:
    """Write an array whose number of rows is put in at the end."""
    from numpy.lib import format as npy

    count, width = 0, 0
    with open(name, "wb") as file:
        file.write(bytes(128))  # the room of a header
        for block in rows:
            part = np.ascontiguousarray(_dense(block))
            count, width = count + len(part), part.shape[1]
            file.write(part.data)
        file.seek(0)
        about = {"descr": "<f8", "fortran_order": False, "shape": (count, width)}
        npy.write_array_header_1_0(file, about)
        gap = 128 - file.tell()
        if gap != 0:
            raise OutputError(f"{name}: the header of the array takes {128 - gap} bytes, not 128")
    return count
