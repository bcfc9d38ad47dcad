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
from gramian.io.arrow import Arrow, arrow_file, csv_file, parquet_file
from gramian.io.content import check_plain
from gramian.io.formats import Options, Raw, check_na_values
from gramian.io.notes import Note, note
from gramian.io.roles import row_name_column
from gramian.io.scan_arrays import (
    ARRAY_READERS,
    Sliced,
    is_zarr,
    slices_of_anndata,
    slices_of_array,
)
from gramian.io.scan_table import ROW_COPIES, Block, Scan, check_columns

if TYPE_CHECKING:
    import polars as pl

BUDGET_SHARE = 16  # of the budget that a block takes: copies of it are made on the way
MIN_BLOCK_ROWS, MAX_BLOCK_ROWS = 256, 1 << 18
NAMING_ROWS = 1 << 10  # that show which column names the rows
_ARROW_READERS: dict[str, Callable[[Path], Arrow]] = {
    ".parquet": parquet_file,
    ".pq": parquet_file,
    ".arrow": arrow_file,
    ".feather": arrow_file,
    ".ipc": arrow_file,
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
    """Return a table that is read block by block, as often as it is needed.

    Estimators take it in place of rows: ``gm.PCA(5).fit(scan)`` reads it once,
    ``fit.transform(scan)`` gives coordinates that are computed when they are needed, and
    ``fit.transform(scan).write("map.parquet")`` writes them without holding them.

    Parameters
    ----------
    source : path, folder, array on disk, AnnData, polars LazyFrame, or function
        A file (.parquet, .arrow, .feather, .csv, .tsv, .npy, .h5, .h5ad), a
        zarr store, a folder of such files (taken in the order of their names), an open memory map,
        HDF5 or zarr array, a backed AnnData object, a LazyFrame, a list of blocks, or a function
        that returns an iterator over blocks each time it is called.
    columns : list, optional
        Those to read; by default all of numbers. Others, and an index that pandas wrote, are left
        out, which `notes` say.
    layer : str, optional
        The array of an HDF5 file or a zarr store, where it holds several; of AnnData, the layer in
        place of X.
    na_values : sequence of str
        Of .csv and .tsv, texts that mean missing, besides the empty one, NA and NaN. A column of
        numbers with any other text among them is refused.
    header : bool, optional
        Of .csv and .tsv, whether the first line holds names; found by default, as are the
        separator and the decimal mark: `notes` say unusual ones.
    memory : int, float or str
        What a block and what is made of it may take; one that has no room for a row is refused.
    progress : bool or function of (done, total)
        Whether to write how far a pass is, with the time that is left, to standard error.
    checkpoint : path, optional
        A folder where a fit keeps what it has done so far: after a kill the same fit of the same
        files resumes there, to the same result. It is removed when the fit is done.

    Returns
    -------
    Scan

    Examples
    --------
    >>> import numpy as np
    >>> import gramian as gm
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
    report = Progress(rows.name, progress)
    if report.report is not False:
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
    if isinstance(source, Scan):
        return _take(source, columns)
    if isinstance(source, list | tuple) and all(getattr(b, "ndim", 0) == 2 for b in source):
        return _take(Scan(lambda: iter(source), "the blocks", budget=budget), columns)
    if is_annotated(source):
        return _scan_slices([slices_of_anndata(source, layer)], "the AnnData", columns, budget)
    if _is_on_disk(source):
        return _scan_slices([slices_of_array(source)], "the array", columns, budget)
    if callable(source) and not isinstance(source, type):
        return _take(Scan(lambda: _iterator(source), "the blocks", budget=budget), columns)
    if type(source).__name__ == "LazyFrame" and hasattr(source, "collect_batches"):
        return _scan_lazy(source, columns, budget)
    path = checked_path(source, "source")
    files = _files_of(path)
    kind = _suffix(files[0])
    for name, value in {} if kind in TEXT_SEPARATORS else text_options.items():
        raise invalid(name, value, f"is for tables of text: leave it out for {path.name}")
    if kind in ARRAY_READERS:
        parts = [ARRAY_READERS[kind](file, layer, budget) for file in files]
        return _scan_slices(parts, path.name, columns, budget, tuple(files))
    if layer is not None:
        raise InputError(f"layer={layer[:80]!r}: {path.name} has only one table: leave it out")
    if kind in TEXT_SEPARATORS:
        sep = TEXT_SEPARATORS[kind]
        tables = [csv_file(file, sep, columns=columns, **text_options) for file in files]
    else:
        tables = [_ARROW_READERS[kind](file) for file in files]
    return _scan_tables(path.name, files, tables, columns, budget)


def _is_on_disk(source: object) -> bool:
    """Whether slices of rows can be read from an open array."""
    kind = type(source).__module__.partition(".")[0]
    return isinstance(source, np.memmap) or (
        kind in ("h5py", "zarr") and not is_array(source) and hasattr(source, "chunks")
    )


def _iterator(make: Callable[[], Iterator[Block]]) -> Iterator[Block]:
    blocks = make()
    if not hasattr(blocks, "__iter__") or hasattr(blocks, "shape"):
        raise InputTypeError(
            f"source returned {type(blocks).__name__}: return an iterator over blocks of rows"
        )
    return iter(blocks)


def _take(rows: Scan, columns: Sequence[Hashable] | None) -> Scan:
    return rows if columns is None else rows.take(columns)


def _block_rows(budget: int, columns: int) -> int:
    row = 8 * max(columns, 1)
    few = max(1.0, min(MIN_BLOCK_ROWS, budget / (ROW_COPIES * row)))
    return int(np.clip(budget / (BUDGET_SHARE * row), few, MAX_BLOCK_ROWS))


def _scan_lazy(frame: pl.LazyFrame, columns: Sequence[Hashable] | None, budget: int) -> Scan:
    schema = frame.collect_schema()
    numbers = [name for name, kind in schema.items() if kind.is_numeric()]
    others = [name for name in schema if name not in numbers]
    names, notes = _names(numbers, others, columns, "LazyFrame")
    size = _block_rows(budget, len(names))

    def make() -> Iterator[Block]:
        for batch in frame.select(names).collect_batches(chunk_size=size):
            yield batch.to_pandas()

    left = _reasons(numbers, others)
    return Scan(make, "the LazyFrame", names, None, notes, budget, _left=left)


def _scan_tables(
    name: str,
    files: list[Path],
    tables: list[Arrow],
    columns: Sequence[Hashable] | None,
    budget: int,
) -> Scan:
    """Return tables that Arrow reads, one after the other."""
    first = tables[0]
    numbers, others = first.columns()
    row_names = first.row_names() or _find_row_names(first, numbers, others, name)
    names, notes = _names(numbers, others, columns, name, row_names)
    row_names = [c for c in row_names if c not in names and row_names.count(c) == 1]
    for file, table in zip(files[1:], tables[1:], strict=True):
        lacking = [c for c in [*names, *row_names] if c not in table.schema.names]
        if lacking:
            raise InputError(f"{file.name} has no column {lacking[0]!r}, which {files[0].name} has")
    size = _block_rows(budget, len(names))
    counts = [table.n_rows for table in tables if table.n_rows is not None]
    n_rows = sum(counts) if len(counts) == len(tables) else None

    def make() -> Iterator[Block]:
        for file, table in zip(files, tables, strict=True):
            yield from table.blocks(names, size, file.name, row_names)

    return Scan(
        lambda: _read_ahead(make()), name, names, n_rows, (*first.notes, *notes), budget,
        tuple(files), _left=_reasons(numbers, others, row_names),
    )  # fmt: skip


def _find_row_names(table: Arrow, numbers: list[str], others: list[str], name: str) -> list[str]:
    """Return the column that names the rows, as `read` would of the first of them."""
    few = [table.schema.names[0], *others, *numbers[:2]]
    frame = table.first(list(dict.fromkeys(few)), NAMING_ROWS, name)
    found = row_name_column(Raw(frame), Options())
    return [found] if found is not None and any(column != found for column in numbers) else []


def _scan_slices(
    parts: list[Sliced],
    name: str,
    columns: Sequence[Hashable] | None,
    budget: int,
    files: tuple[Path, ...] = (),
) -> Scan:
    """Return arrays on disk, one after the other."""
    size = _block_rows(budget, parts[0].shape[1])

    def make() -> Iterator[Block]:
        for part in parts:
            yield from part.slices(size)

    n_rows = sum(part.shape[0] for part in parts)
    # What others opened may bear one thread only.
    read = (lambda: _read_ahead(make())) if files else make
    return _take(Scan(read, name, list(parts[0].columns), n_rows, (), budget, files), columns)


def _reasons(
    numbers: list[str], others: list[str], row_names: Sequence[str] = ()
) -> dict[Hashable, str]:
    """Return why each column is not read, where it is not."""
    why: dict[Hashable, str] = dict.fromkeys(numbers, "is not among the columns that were taken")
    why |= dict.fromkeys(row_names, "holds the names of the rows")
    return why | dict.fromkeys(others, "is no column of numbers")


def _names(
    numbers: list[str],
    others: list[str],
    columns: Sequence[Hashable] | None,
    name: str,
    row_names: Sequence[str] = (),
) -> tuple[list[Any], tuple[Note, ...]]:
    """Return the columns to read, and notes of what is left out."""
    if columns is not None:
        return check_columns(columns, numbers, _reasons(numbers, others), name), ()
    numbers = [column for column in numbers if column not in row_names]
    if not numbers:
        raise InputError(f"{name} has no column of numbers")
    others = [column for column in others if column not in row_names]
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
    """Go through blocks of which the next is read while one is worked on.

    >>> list(_read_ahead(iter([1, 2, 3])))
    [1, 2, 3]
    """
    with ThreadPoolExecutor(1) as reader:
        following = reader.submit(next, blocks, None)
        while (block := following.result()) is not None:
            following = reader.submit(next, blocks, None)
            yield block
