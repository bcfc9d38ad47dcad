"""Which files can be read block by block, and writing such blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gramian._array import is_sparse
from gramian._blocks import budget_bytes
from gramian._check import flag, is_list
from gramian._check import path as checked_path
from gramian.errors import InputError, InputTypeError, OutputError
from gramian.io.arrow_blocks import Arrow, arrow_file, csv_file, parquet_file, writer
from gramian.io.files import aside, check_writable
from gramian.io.opening import check_plain
from gramian.io.scan_table import Scan

__all__ = ["scan", "write"]

_SHARE = 16  # of the budget that a block takes: copies of it are made on the way
_MOST = 1 << 18  # rows of a block
_ARROW: dict[str, Callable[[Path], Arrow]] = {
    ".parquet": parquet_file,
    ".pq": parquet_file,
    ".arrow": arrow_file,
    ".feather": arrow_file,
    ".ipc": arrow_file,
    ".csv": csv_file,
    ".tsv": lambda path: csv_file(path, "\t"),
}
_WRITTEN = {".parquet": "parquet", ".arrow": "arrow", ".feather": "arrow", ".csv": "csv"}


def scan(
    source: Any, *, columns: Sequence[Any] | None = None, memory: int | float | str = "1GB"
) -> Scan:
    """Return a table that is read block by block, as often as it is needed.

    Estimators take it in place of rows: ``gm.PCA(5).fit(scan)`` reads it once,
    ``fit.transform(scan)`` gives coordinates that are computed when they are asked for, and
    ``fit.transform(scan).write("map.parquet")`` writes them without holding them.

    Parameters
    ----------
    source : path, folder, polars LazyFrame, or function
        A file (.parquet, .arrow, .feather, .csv, .tsv with a line of names, .npy), a folder of such
        files (taken in the order of their names), a LazyFrame, a list of blocks, or a function that
        returns an iterator over blocks each time it is called.
    columns : list, optional
        Those to read; by default all of numbers. Others are left out, which `notes` say.
    memory : int, float or str
        What a block and what is made of it may take.

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
    budget = budget_bytes(memory)
    if columns is not None and (not is_list(columns) or not len(columns)):
        raise InputTypeError("columns must be a list of names")
    if isinstance(source, Scan):
        return source if columns is None else source.take(columns)
    if callable(source) and not isinstance(source, type):
        return _chosen(Scan(lambda: _iterator(source), "the blocks"), columns)
    if type(source).__name__ == "LazyFrame" and hasattr(source, "collect_batches"):
        return _of_lazy(source, columns, budget)
    if isinstance(source, list | tuple) and all(getattr(b, "ndim", 0) == 2 for b in source):
        return _chosen(Scan(lambda: iter(source), "the blocks"), columns)
    return _of_path(checked_path(source, "source"), columns, budget)


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
    return int(np.clip(budget / (_SHARE * 8 * max(columns, 1)), 256, _MOST))


def _of_lazy(frame: Any, columns: Sequence[Any] | None, budget: int) -> Scan:
    schema = frame.collect_schema()
    numbers = [name for name, kind in schema.items() if kind.is_numeric()]
    names, notes = _names(numbers, [n for n in schema if n not in numbers], columns, "LazyFrame")
    size = _rows(budget, len(names))

    def make() -> Iterator[Any]:
        for batch in frame.select(names).collect_batches(chunk_size=size):
            yield batch.to_pandas()

    return Scan(make, "the LazyFrame", names, None, notes)


def _of_path(path: Path, columns: Sequence[Any] | None, budget: int) -> Scan:
    files = _files(path)
    if files[0].suffix.lower() == ".npy":
        return _chosen(_of_arrays(files, path.name, budget), columns)
    opened = [_ARROW[file.suffix.lower()](file) for file in files]
    numbers, others = opened[0].columns()
    names, notes = _names(numbers, others, columns, path.name)
    for file, each in zip(files[1:], opened[1:], strict=True):
        lacking = [name for name in names if name not in each.schema.names]
        if lacking:
            raise InputError(f"{file.name} has no column {lacking[0]!r}, which {files[0].name} has")
    size = _rows(budget, len(names))
    counts = [each.n_rows for each in opened]
    n_rows = None if None in counts else sum(c for c in counts if c is not None)

    def make() -> Iterator[Any]:
        for file, each in zip(files, opened, strict=True):
            yield from each.blocks(names, size, file.name)

    return Scan(make, path.name, names, n_rows, notes)


def _names(
    numbers: list[Any], others: list[Any], columns: Sequence[Any] | None, name: str
) -> tuple[list[Any], tuple[str, ...]]:
    """Return the columns to read, and what is left out."""
    if columns is not None:
        for column in columns:
            if column not in numbers:
                what = "no column of numbers" if column in others else "no column"
                raise InputError(f"columns: {column!r} is {what} of {name}")
        return list(columns), ()
    if not numbers:
        raise InputError(f"{name} has no column of numbers")
    if not others:
        return numbers, ()
    some = ", ".join(map(str, others[:5])) + (" …" if len(others) > 5 else "")
    return numbers, (f"left out, not numbers: {some}",)


def _files(path: Path) -> list[Path]:
    """Return the files of a path, all of one kind."""
    if not path.exists():
        raise InputError(f"source: there is no file {str(path)[-200:]}")
    files = [path]
    if path.is_dir():
        files = sorted(p for p in path.iterdir() if not p.name.startswith((".", "_")))
    kinds = sorted({file.suffix.lower() for file in files})
    if len(kinds) != 1 or kinds[0] not in (*_ARROW, ".npy"):
        found = ", ".join(kinds) or "nothing"
        raise InputError(
            f"source: {path.name} holds {found}: give files of one kind, "
            f"{', '.join([*_ARROW, '.npy'])}, or a function that returns blocks"
        )
    for file in files:
        check_plain(file)
    return files


def _of_arrays(files: list[Path], name: str, budget: int) -> Scan:
    """Return arrays on disk."""
    arrays = [_mapped(file) for file in files]
    size = _rows(budget, arrays[0].shape[1])

    def make() -> Iterator[Any]:
        for file in files:
            X = _mapped(file)
            for start in range(0, len(X), size):
                yield np.array(X[start : start + size])

    columns = list(range(arrays[0].shape[1]))
    return Scan(make, name, columns, sum(len(X) for X in arrays))


def _mapped(file: Path) -> np.ndarray:
    try:
        X = np.load(file, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError) as error:
        raise InputError(f"{file.name} cannot be read: {str(error)[:200]}") from error
    if X.ndim != 2 or X.dtype.kind not in "fiub":
        raise InputError(f"{file.name} holds an array of {X.dtype}, {X.ndim}-D: a table is needed")
    return X


def write(rows: Scan, path: Path, force: bool) -> int:
    """Write blocks to a file; return how many rows."""
    kind = path.suffix.lower()
    if kind not in (*_WRITTEN, ".npy"):
        raise OutputError(f"{path.name}: write .parquet, .arrow, .feather, .csv or .npy")
    if path.exists() and not flag(force, "force"):
        raise OutputError(f"{path.name} exists: pass force=True to replace it")
    check_writable(path)
    with aside(path) as name:
        return _write_array(rows, name) if kind == ".npy" else _write_table(rows, name, kind)


def _write_table(rows: Scan, name: str, kind: str) -> int:
    count, blocks = 0, iter(rows)
    first = next(blocks)
    with writer(name, _WRITTEN[kind], _headings(first)) as put:
        put(_dense(first))
        count += first.shape[0]
        for block in blocks:
            put(_dense(block))
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
