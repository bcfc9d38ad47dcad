"""Which files and objects can be read block by block."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from gramian._core.array import is_array
from gramian._core.check import flag, invalid, is_list, text
from gramian._core.check import path as checked_path
from gramian._core.chunked.passes import Progress
from gramian._core.frames import is_annotated
from gramian._core.parallel import budget_bytes
from gramian._study.language import quoted
from gramian.errors import InputError, InputTypeError
from gramian.io.notes import Note, note
from gramian.io.opening import check_plain
from gramian.io.raw import Options, Raw, words
from gramian.io.roles import named_rows
from gramian.io.scan_arrays import SLICED, Sliced, is_zarr, of_object
from gramian.io.scan_arrow import Arrow, arrow_file, csv_file, parquet_file
from gramian.io.scan_table import ROW_COPIES, Scan, check_columns

BUDGET_SHARE = 16  # of the budget that a block takes: copies of it are made on the way
FEW_ROWS, MOST_ROWS = 256, 1 << 18  # of a block
NAMING_ROWS = 1 << 10  # that show which column names the rows
_ARROW: dict[str, Callable[[Path], Arrow]] = {
    ".parquet": parquet_file,
    ".pq": parquet_file,
    ".arrow": arrow_file,
    ".feather": arrow_file,
    ".ipc": arrow_file,
}
TEXT = {".csv": None, ".tsv": "\t"}  # what parts columns, None where that is to be found
KINDS = (*_ARROW, *TEXT, *SLICED)


def scan(
    source: Any,
    *,
    columns: Sequence[Any] | None = None,
    layer: str | None = None,
    na_values: Sequence[str] = (),
    header: bool | None = None,
    memory: int | float | str = "1GB",
    progress: bool | Callable[[int, int], None] = False,
    checkpoint: str | Path | None = None,
) -> Scan:
    """Return a table that is read block by block, as often as it is needed.

    Estimators take it in place of rows: ``gm.PCA(5).fit(scan)`` reads it once,
    ``fit.transform(scan)`` gives coordinates that are computed when they are asked for, and
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
        files goes on there, to the same result. It is removed when the fit is done.

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
    rows = _of_source(source, columns, layer, _written(na_values, header), budget_bytes(memory))
    if rows.columns is not None:
        rows._require_memory(len(rows.columns))
    report = Progress(rows.name, progress)
    if report.report is not False:
        rows = replace(rows, progress=report)
    if checkpoint is not None:
        rows = replace(rows, checkpoint=checked_path(checkpoint, "checkpoint"))
    return rows


def _written(na_values: Any, header: Any) -> dict[str, Any]:
    """Return what was said of how a table of text is written."""
    options: dict[str, Any] = {"na_values": words(na_values)} if len(words(na_values)) else {}
    return options | ({} if header is None else {"header": flag(header, "header")})


def _of_source(source: Any, columns: Any, layer: Any, written: dict[str, Any], budget: int) -> Scan:
    """Return the rows of anything that has some."""
    if columns is not None and (not is_list(columns) or not len(columns)):
        raise InputTypeError("columns must be a list of names")
    if layer is not None:
        text(layer, "layer")
    if isinstance(source, Scan):
        return source if columns is None else source.take(columns)
    if isinstance(source, list | tuple) and all(getattr(b, "ndim", 0) == 2 for b in source):
        return _chosen(Scan(lambda: iter(source), "the blocks", budget=budget), columns)
    if is_annotated(source):
        return _of_slices([_of_annotated(source, layer)], "the AnnData", columns, budget)
    if _is_on_disk(source):
        return _of_slices([of_object(source)], "the array", columns, budget)
    if callable(source) and not isinstance(source, type):
        return _chosen(Scan(lambda: _iterator(source), "the blocks", budget=budget), columns)
    if type(source).__name__ == "LazyFrame" and hasattr(source, "collect_batches"):
        return _of_lazy(source, columns, budget)
    return _of_path(checked_path(source, "source"), columns, layer, written, budget)


def _is_on_disk(source: Any) -> bool:
    """Whether slices of rows can be read from an array that somebody opened."""
    kind = type(source).__module__.partition(".")[0]
    return isinstance(source, np.memmap) or (
        kind in ("h5py", "zarr") and not is_array(source) and hasattr(source, "chunks")
    )


def _of_annotated(adata: Any, layer: str | None) -> Sliced:
    """Return the matrix of an AnnData object, which may be on disk."""
    if layer is not None and layer not in adata.layers:
        raise InputError(f"layer={layer[:80]!r} is not in the AnnData: {list(adata.layers)[:8]}")
    names = [str(name) for name in adata.var_names]
    X = adata.X if layer is None else adata.layers[layer]
    return of_object(X, "the AnnData", names, [str(name) for name in adata.obs_names])


def _iterator(make: Callable[[], Any]) -> Iterator[Any]:
    blocks = make()
    if not hasattr(blocks, "__iter__") or hasattr(blocks, "shape"):
        raise InputTypeError(
            f"source returned {type(blocks).__name__}: return an iterator over blocks of rows"
        )
    return iter(blocks)


def _chosen(rows: Scan, columns: Sequence[Any] | None) -> Scan:
    return rows if columns is None else rows.take(columns)


def _rows(budget: int, columns: int) -> int:
    """Return how many rows a block has."""
    row = 8 * max(columns, 1)
    few = max(1.0, min(FEW_ROWS, budget / (ROW_COPIES * row)))
    return int(np.clip(budget / (BUDGET_SHARE * row), few, MOST_ROWS))


def _of_lazy(frame: Any, columns: Sequence[Any] | None, budget: int) -> Scan:
    schema = frame.collect_schema()
    numbers = [name for name, kind in schema.items() if kind.is_numeric()]
    others = [name for name in schema if name not in numbers]
    names, notes = _names(numbers, others, columns, "LazyFrame")
    size = _rows(budget, len(names))

    def make() -> Iterator[Any]:
        for batch in frame.select(names).collect_batches(chunk_size=size):
            yield batch.to_pandas()

    left = _left(numbers, others)
    return Scan(make, "the LazyFrame", names, None, notes, budget, _left=left)


def _of_path(
    path: Path,
    columns: Sequence[Any] | None,
    layer: str | None,
    written: dict[str, Any],
    budget: int,
) -> Scan:
    files = _files_of(path)
    kind = _kind_of(files[0])
    for name, value in {} if kind in TEXT else written.items():
        raise invalid(name, value, f"is for tables of text: leave it out for {path.name}")
    if kind in SLICED:
        parts = [SLICED[kind](file, layer, budget) for file in files]
        return _of_slices(parts, path.name, columns, budget, tuple(files))
    if layer is not None:
        raise InputError(f"layer={layer[:80]!r}: {path.name} has only one table: leave it out")
    if kind in TEXT:
        opened = [csv_file(file, TEXT[kind], columns=columns, **written) for file in files]
    else:
        opened = [_ARROW[kind](file) for file in files]
    numbers, others = opened[0].columns()
    named = opened[0].row_names() or _names_of_rows(opened[0], numbers, others, path.name)
    names, notes = _names(numbers, others, columns, path.name, named)
    notes = (*opened[0].notes, *notes)
    named = [name for name in named if name not in names and named.count(name) == 1]
    for file, each in zip(files[1:], opened[1:], strict=True):
        lacking = [name for name in [*names, *named] if name not in each.schema.names]
        if lacking:
            raise InputError(f"{file.name} has no column {lacking[0]!r}, which {files[0].name} has")
    size = _rows(budget, len(names))
    counts = [each.n_rows for each in opened]
    n_rows = None if None in counts else sum(c for c in counts if c is not None)

    def make() -> Iterator[Any]:
        for file, each in zip(files, opened, strict=True):
            yield from each.blocks(names, size, file.name, named)

    left = _left(numbers, others, named)
    whole = Scan(lambda: _ahead(make()), path.name, names, n_rows, notes, budget, tuple(files))
    return replace(whole, _left=left)


def _names_of_rows(file: Arrow, numbers: list[str], others: list[str], name: str) -> list[str]:
    """Return the column that names the rows, as `read` would of the first of them."""
    few = [file.schema.names[0], *others, *numbers[:2]]
    frame = file.first(list(dict.fromkeys(few)), NAMING_ROWS, name)
    found = named_rows(Raw(frame), Options())
    return [found] if found is not None and any(column != found for column in numbers) else []


def _of_slices(
    parts: list[Sliced],
    name: str,
    columns: Sequence[Any] | None,
    budget: int,
    files: tuple[Path, ...] = (),
) -> Scan:
    """Return arrays on disk, one after the other."""
    size = _rows(budget, parts[0].shape[1])

    def make() -> Iterator[Any]:
        for part in parts:
            yield from part.slices(size)

    n_rows = sum(part.shape[0] for part in parts)
    read = (
        (lambda: _ahead(make())) if files else make
    )  # what others opened may bear one thread only
    return _chosen(Scan(read, name, list(parts[0].columns), n_rows, (), budget, files), columns)


def _left(numbers: list[Any], others: list[Any], row_names: Sequence[Any] = ()) -> dict[Any, str]:
    """Return why each column is not read, where it is not."""
    why = dict.fromkeys(numbers, "is not among the columns that were taken")
    why |= dict.fromkeys(row_names, "holds the names of the rows")
    return why | dict.fromkeys(others, "is no column of numbers")


def _names(
    numbers: list[Any],
    others: list[Any],
    columns: Sequence[Any] | None,
    name: str,
    row_names: Sequence[Any] = (),
) -> tuple[list[Any], tuple[Note, ...]]:
    """Return the columns to read, and what is left out."""
    if columns is not None:
        return check_columns(columns, numbers, _left(numbers, others), name), ()
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
    files = _listed(path)
    kinds = sorted({_kind_of(file) for file in files})
    if len(kinds) != 1 or kinds[0] not in KINDS:
        found = ", ".join(kinds) or "nothing"
        raise InputError(
            f"source: {path.name} holds {found}: give files of one kind, {', '.join(KINDS)}, or "
            "a function that returns blocks"
        )
    for file in files:
        if kinds != [".zarr"]:
            check_plain(file)
    return files


def can_scan(path: str | Path) -> bool:
    """Whether a path names what can be read block by block: a file of a kind, or some of one.

    >>> can_scan("table.xlsx")
    False
    """
    kinds = {_kind_of(file) for file in _listed(Path(path))}
    return len(kinds) == 1 and kinds <= set(KINDS)


def _listed(path: Path) -> list[Path]:
    """Return a file, or those of a folder that is no zarr store."""
    if not path.is_dir() or is_zarr(path):
        return [path]
    return sorted(p for p in path.iterdir() if not p.name.startswith((".", "_")))


def _kind_of(file: Path) -> str:
    """Return the ending of a file, that of zarr for a store."""
    return ".zarr" if is_zarr(file) else file.suffix.lower()


def _ahead(blocks: Iterator[Any]) -> Iterator[Any]:
    """Go through blocks of which the next is read while one is worked on.

    >>> list(_ahead(iter([1, 2, 3])))
    [1, 2, 3]
    """
    with ThreadPoolExecutor(1) as reader:
        following = reader.submit(next, blocks, None)
        while (block := following.result()) is not None:
            following = reader.submit(next, blocks, None)
            yield block
