"""Which files and objects can be read block by block."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gramian._core.array import Array, is_array
from gramian._core.check import flag, invalid, is_list, text
from gramian._core.check import path as checked_path
from gramian._core.chunked.passes import Progress
from gramian._core.frames import is_annotated
from gramian._core.parallel import budget_bytes
from gramian._study.language import quoted
from gramian.errors import InputError, InputTypeError
from gramian.io.anndata import AnnDataLike
from gramian.io.arrow import arrow_file, csv_file, parquet_file
from gramian.io.content import check_plain
from gramian.io.formats import check_na_values
from gramian.io.notes import Note, note
from gramian.io.scan_arrays import (
    ARRAY_READERS,
    is_zarr,
    part_of_anndata,
    part_of_array,
    refuse_layer,
)
from gramian.io.scan_table import ROW_COPIES, Block, Part, Scan, check_columns

if TYPE_CHECKING:
    import polars as pl

BUDGET_SHARE = 16  # of the budget that a block takes: copies of it are made on the way
MIN_BLOCK_ROWS, MAX_BLOCK_ROWS = 256, 1 << 18
_ARROW_READERS: dict[str, Callable[[Path], Part]] = {
    **dict.fromkeys((".parquet", ".pq"), parquet_file),
    **dict.fromkeys((".arrow", ".feather", ".ipc"), arrow_file),
}
TEXT_SEPARATORS = {".csv": None, ".tsv": "\t"}  # None where it is to be found
SUFFIXES = (*_ARROW_READERS, *TEXT_SEPARATORS, *ARRAY_READERS)


def scan(
    source: (
        str
        | PathLike[str]
        | Array
        | AnnDataLike
        | pl.LazyFrame
        | Sequence[Block]
        | Callable[[], Iterator[Block]]
        | Scan
    ),
    *,
    columns: Sequence[Hashable] | None = None,
    layer: str | None = None,
    na_values: Sequence[str] = (),
    header: bool | None = None,
    memory: int | float | str = "1GB",
    progress: bool | Callable[[int, int], None] = False,
    checkpoint: str | PathLike[str] | None = None,
) -> Scan:
    """Open a table that is read block by block, and never held in memory as a whole.

    Estimators accept it as X: ``gm.PCA(5).fit(scan)`` reads it once, ``fit.transform(scan)``
    returns coordinates that are computed on demand, and
    ``fit.transform(scan).write("map.parquet")`` writes them block by block.

    Parameters
    ----------
    source : path, folder, array on disk, AnnData, polars LazyFrame, or function
        A file (.parquet, .arrow, .feather, .csv, .tsv, .npy, .h5, .h5ad), a
        zarr store, a folder of such files (taken in the order of their names), an open memory map,
        HDF5 or zarr array, a backed AnnData object, a LazyFrame, a list of blocks, or a function
        that returns an iterator over blocks each time it is called.
    columns : list, optional
        Columns to read; by default all numeric ones. Others, and an index written by pandas, are
        left out, as reported in `notes`.
    layer : str, optional
        The array of an HDF5 file or a zarr store with several; the layer of AnnData instead of X.
    na_values : sequence of str
        For .csv and .tsv, texts to read as missing values, besides the empty one, NA and NaN. Any
        other text in a column of numbers is an error.
    header : bool, optional
        For .csv and .tsv, whether the first line holds names; detected by default, as are the
        separator and the decimal mark (`notes` report unusual ones).
    memory : int, float or str
        Memory for a block and what is computed from it; it must be enough for one row.
    progress : bool or function of (done, total)
        Whether to show the progress of a pass and the remaining time on standard error.
    checkpoint : path, optional
        A folder in which a fit saves its state: if it is interrupted, the same fit of the same
        files resumes from it, with the same result. It is removed when the fit is done.

    Examples
    --------
    >>> X = np.random.default_rng(0).standard_normal((1000, 3))
    >>> rows = gm.io.scan(lambda: (X[k : k + 100] for k in range(0, 1000, 100)))
    >>> fit, whole = gm.PCA(2).fit(rows), gm.PCA(2).fit(X)
    >>> bool(np.allclose(fit.eigenvalues_, whole.eigenvalues_))
    True
    >>> fit.transform(rows).collect().shape
    (1000, 2)
    """
    text_options: dict[str, Any] = {}  # how a table of text is written
    if words := check_na_values(na_values):
        text_options["na_values"] = words
    if header is not None:
        text_options["header"] = flag(header, "header")
    rows = _scan_source(source, columns, layer, text_options, budget_bytes(memory))
    if rows.columns is not None:
        rows._require_memory(len(rows.columns))
    if (report := Progress(rows.name, progress)).report is not False:
        rows = replace(rows, progress=report)
    if checkpoint is not None:
        rows = replace(rows, checkpoint=checked_path(checkpoint, "checkpoint"))
    return rows


def _scan_source(
    source: Any,
    columns: Sequence[Hashable] | None,
    layer: str | None,
    text_options: dict[str, Any],
    budget: int,
) -> Scan:
    """Return the rows of anything that has some."""
    if columns is not None and (not is_list(columns) or not len(columns)):
        raise InputTypeError("columns must be a list of names")
    if layer is not None:
        text(layer, "layer")
    is_list_of_blocks = isinstance(source, list | tuple) and all(
        getattr(b, "ndim", 0) == 2 for b in source
    )
    if is_annotated(source):
        return _scan_parts([part_of_anndata(source, layer)], "the AnnData", columns, budget)
    if _is_on_disk(source):
        return _scan_parts([part_of_array(source)], "the array", columns, budget)
    is_function = callable(source) and not isinstance(source, type)
    if isinstance(source, Scan) or is_list_of_blocks or is_function:
        make = (lambda: _iterator(source)) if is_function else lambda: iter(source)
        rows = source if isinstance(source, Scan) else Scan(make, budget=budget)
        return rows if columns is None else rows.take(columns)
    if type(source).__name__ == "LazyFrame" and hasattr(source, "collect_batches"):
        return _scan_parts([_part_of_lazy(source)], "the LazyFrame", columns, budget)
    path = checked_path(source, "source")
    files = _files_of(path)
    kind = _suffix(files[0])
    for name, value in {} if kind in TEXT_SEPARATORS else text_options.items():
        raise invalid(name, value, f"is for tables of text: leave it out for {path.name}")
    if kind in ARRAY_READERS:
        parts = [ARRAY_READERS[kind](file, layer, budget) for file in files]
        return _scan_parts(parts, path.name, columns, budget, files)
    refuse_layer(layer, path)
    if kind in TEXT_SEPARATORS:
        sep = TEXT_SEPARATORS[kind]
        parts = [csv_file(file, sep, columns=columns, **text_options) for file in files]
    else:
        parts = [_ARROW_READERS[kind](file) for file in files]
    return _scan_parts(parts, path.name, columns, budget, files)


def _is_on_disk(source: object) -> bool:
    """Whether slices of rows can be read from an open array."""
    is_store = type(source).__module__.partition(".")[0] in ("h5py", "zarr")
    is_array_of_store = is_store and not is_array(source) and hasattr(source, "chunks")
    return isinstance(source, np.memmap) or is_array_of_store


def _iterator(make: Callable[[], Iterator[Block]]) -> Iterator[Block]:
    blocks = make()
    if not hasattr(blocks, "__iter__") or hasattr(blocks, "shape"):
        raise InputTypeError(
            f"source returned {type(blocks).__name__}: return an iterator over blocks of rows"
        )
    return iter(blocks)


def _block_rows(budget: int, columns: int) -> int:
    row = 8 * max(columns, 1)
    few = max(1.0, min(MIN_BLOCK_ROWS, budget / (ROW_COPIES * row)))
    return int(np.clip(budget / (BUDGET_SHARE * row), few, MAX_BLOCK_ROWS))


def _part_of_lazy(frame: pl.LazyFrame) -> Part:
    schema = frame.collect_schema()
    numbers = [name for name, kind in schema.items() if kind.is_numeric()]

    def blocks(names: list[str], row_names: Sequence[str], size: int) -> Iterator[Block]:
        for batch in frame.select(names).collect_batches(chunk_size=size):
            yield batch.to_pandas()

    return Part(numbers, blocks, others=[name for name in schema if name not in numbers])


def _scan_parts(
    parts: list[Part],
    name: str,
    columns: Sequence[Hashable] | None,
    budget: int,
    files: Sequence[Path] = (),
) -> Scan:
    """Return tables on disk, one after the other."""
    first = parts[0]
    row_names = first.row_names()
    names, notes = _names(first, columns, name, row_names)
    row_names = [c for c in row_names if c not in names and row_names.count(c) == 1]
    for file, part in zip(files[1:], parts[1:], strict=False):
        lacking = {*names, *row_names} - {*part.numbers, *part.others}
        if lacking and not part.width:  # which blocks of arrays say themselves
            column = next(c for c in [*names, *row_names] if c in lacking)
            raise InputError(f"{file.name} has no column {column!r}, which {files[0].name} has")
    size = _block_rows(budget, first.width or len(names))
    counts = [part.n_rows for part in parts if part.n_rows is not None]

    def make() -> Iterator[Block]:
        for part in parts:
            yield from part.blocks(names, row_names, size)

    return Scan(
        (lambda: _read_ahead(make())) if files else make,  # others' arrays may bear one thread only
        name,
        names,
        sum(counts) if len(counts) == len(parts) else None,
        (*first.notes, *notes),
        budget,
        tuple(files),
        _left=_reasons(first, row_names),
    )


def _reasons(part: Part, row_names: Sequence[str] = ()) -> dict[Hashable, str]:
    """Return why each column is not read, where it is not."""
    why = dict.fromkeys(part.numbers, "is not among the columns that were taken")
    why |= dict.fromkeys(row_names, "holds the names of the rows")
    return why | dict.fromkeys(part.others, "is no column of numbers")


def _names(
    part: Part, columns: Sequence[Hashable] | None, name: str, row_names: Sequence[str]
) -> tuple[list[Any], tuple[Note, ...]]:
    """Return the columns to read, and notes of what is left out."""
    if columns is not None:
        return check_columns(columns, part.numbers, _reasons(part), name), ()
    numbers = [column for column in part.numbers if column not in row_names]
    if not numbers:
        raise InputError(f"{name} has no column of numbers")
    others = [column for column in part.others if column not in row_names]
    left = {"scan.names": row_names, "scan.texts": others}
    return numbers, tuple(
        note(key, n=len(these), names=quoted(these)) for key, these in left.items() if these
    )


def _files_of(path: Path) -> list[Path]:
    """Return the files of a path, all of one kind."""
    if not path.exists():
        raise InputError(f"source: there is no file {str(path)[-200:]}")
    files = _list_files(path)
    kinds = sorted({_suffix(file) for file in files})
    if len(kinds) != 1 or kinds[0] not in SUFFIXES:
        found = ", ".join(kinds) or "nothing"
        raise InputError(
            f"source: {path.name} holds {found}: give files of one kind, {', '.join(SUFFIXES)}, "
            "or a function that returns blocks"
        )
    for file in files:
        if kinds != [".zarr"]:
            check_plain(file)
    return files


def can_scan(path: str | Path) -> bool:
    """Whether a path names what can be read block by block: a file of a kind, or some of one."""
    kinds = {_suffix(file) for file in _list_files(Path(path))}
    return len(kinds) == 1 and kinds <= set(SUFFIXES)


def _list_files(path: Path) -> list[Path]:
    """Return a file, or those of a folder that is no zarr store."""
    if not path.is_dir() or is_zarr(path):
        return [path]
    return sorted(p for p in path.iterdir() if not p.name.startswith((".", "_")))


def _suffix(file: Path) -> str:
    return ".zarr" if is_zarr(file) else file.suffix.lower()


def _read_ahead(blocks: Iterator[Block]) -> Iterator[Block]:
    """Go through blocks of which the next is read while one is worked on."""
    with ThreadPoolExecutor(1) as reader:
        following = reader.submit(next, blocks, None)
        while (block := following.result()) is not None:
            following = reader.submit(next, blocks, None)
            yield block
