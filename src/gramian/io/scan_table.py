"""A table that is read block by block, as often as it is needed, and never held as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from gramian import _check
from gramian._array import is_sparse
from gramian._blocks import budget_bytes, require
from gramian._check import is_label, is_list, short, whole
from gramian._check import path as checked_path
from gramian.errors import InputError, InputTypeError
from gramian.io.scan_checkpoint import Checkpoint, digest
from gramian.io.scan_progress import Progress

__all__ = ["Scan", "ahead", "mark_of"]


@dataclass(eq=False, repr=False)
class Scan:
    """Rows in blocks: a file, a folder of files, or what a function makes of them.

    A scan is gone through like a list of tables, from the beginning each time. That later passes
    give the rows of the first is checked: a file that changes meanwhile is refused.

    Parameters
    ----------
    make : function
        Returns an iterator over blocks (arrays or data frames of the same columns).
    name : str
        What the rows are from, for messages.
    columns : list, optional
        The names of the columns.
    n_rows : int, optional
        How many rows there are, where that is known before they are read.
    notes : tuple of str
        What was left out or guessed.
    budget : int
        Bytes that a block and what is made of it may take.
    files : tuple of Path
        What is read: it must not change from one pass to the next.
    progress : Progress, optional
        Is told how far a pass is.
    checkpoint : Path, optional
        A folder for what a fit has done so far.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.arange(12.0).reshape(6, 2)
    >>> rows = Scan(lambda: (X[k : k + 4] for k in (0, 4)))
    >>> [len(block) for block in rows], rows.n_rows
    ([4, 2], 6)
    >>> rows.map(lambda block: block.sum(axis=1, keepdims=True)).collect().ravel()
    array([ 1.,  5.,  9., 13., 17., 21.])
    """

    make: Callable[[], Iterator[Any]]
    name: str = "the blocks"
    columns: list[Any] | None = None
    n_rows: int | None = None
    notes: tuple[str, ...] = ()
    budget: int = 10**9
    files: tuple[Path, ...] = ()
    progress: Progress | None = None
    checkpoint: Path | None = None
    _marks: dict[Path, Mark] = field(default_factory=dict)
    _sizes: list[int] = field(default_factory=list)  # of the blocks of the first whole pass

    def __repr__(self) -> str:
        rows = "some" if self.n_rows is None else f"{self.n_rows:,}"
        columns = "" if self.columns is None else f" × {len(self.columns)} columns"
        return f"Scan of {self.name}: {rows} rows{columns}, read block by block"

    def __iter__(self) -> Iterator[Any]:
        """Go through the blocks from the beginning."""
        return self.blocks(self.progress)

    def blocks(self, progress: Progress | None = None) -> Iterator[Any]:
        """Go through the blocks from the beginning, and tell somebody how far it is, or nobody."""
        seen: list[int] = []
        self._check_files()
        if progress is not None:
            progress.begin()
        for block in self.make():
            if getattr(block, "ndim", 0) != 2:
                raise InputTypeError(
                    f"{self._place(seen)} is {type(block).__name__}: give tables of rows"
                )
            if not block.shape[0]:
                continue
            self._check_like_before(block, seen)
            seen.append(int(block.shape[0]))
            yield block
            if progress is not None:
                progress.say(sum(seen), self.n_rows)
        self._check_files()
        if (self._sizes and sum(seen) != sum(self._sizes)) or (not self._sizes and not seen):
            raise self._changed(seen, f"ends after {sum(seen):,} rows")
        self._sizes = self._sizes or seen
        self.n_rows = sum(seen)

    def _check_files(self) -> None:
        """Refuse files that are not as they were when the first pass began."""
        for file in self.files:
            mark = mark_of(file)
            if self._marks.setdefault(file, mark) != mark:
                raise InputError(
                    f"{file.name} changed while it was read: start again, when it is written"
                )

    def _check_like_before(self, block: Any, seen: list[int]) -> None:
        names = list(block.columns) if hasattr(block, "columns") else None
        if self.columns is None:
            self.columns = names if names is not None else list(range(block.shape[1]))
        if block.shape[1] != len(self.columns):
            raise InputError(
                f"{self._place(seen)} has {block.shape[1]} columns, but the blocks before have "
                f"{len(self.columns)}: give blocks of the same columns"
            )
        if names is not None and names != self.columns:
            k = next(k for k, name in enumerate(names) if name != self.columns[k])
            raise InputError(
                f"{self._place(seen)} has the column {names[k]!r} where the blocks before have "
                f"{self.columns[k]!r}: give the same columns in the same order"
            )
        if self._sizes and sum(seen) + block.shape[0] > sum(self._sizes):
            raise self._changed(seen, "has more rows than before")

    def _changed(self, seen: list[int], how: str) -> InputError:
        if not self._sizes:
            return InputError(f"{self.name} has no rows: 0 sample(s) while at least 1 is required")
        return InputError(
            f"{self._place(seen)}: {self.name} {how}, where a first pass found "
            f"{sum(self._sizes):,}: it changed while it was read, start again"
        )

    def _place(self, seen: list[int]) -> str:
        return f"block {len(seen) + 1} of {self.name} (from row {sum(seen):,} on)"

    def point(self, *options: Any) -> Checkpoint:
        """Return the checkpoint of a fit with some options, which holds nothing if none is kept."""
        if self.checkpoint is None:
            return Checkpoint()
        about = digest(self.name, self.columns, self.budget, *options)
        return Checkpoint(self.checkpoint, about, {f.name: mark_of(f) for f in self.files})

    def count(self) -> int:
        """Return the number of rows, which is counted where it is not known."""
        if self.n_rows is None:
            for _ in self:
                pass
        assert self.n_rows is not None
        return self.n_rows

    def map(self, function: Callable[[Any], Any], name: str | None = None) -> Scan:
        """Return what a function makes of each block, when it is asked for.

        What goes wrong in it is said with the block that it went wrong in.
        """
        _check.function(function, "function", "of a block")
        return replace(
            self,
            make=lambda: self._mapped(function),
            name=name or self.name,
            columns=None,
            notes=(),
            progress=None,  # the rows themselves tell
            _sizes=[],
        )

    def _mapped(self, function: Callable[[Any], Any]) -> Iterator[Any]:
        seen: list[int] = []
        for block in self:
            with self.told(seen):
                out = _check.answer(function, "function", block)
            yield out
            seen.append(int(block.shape[0]))

    def told(self, seen: list[int]) -> _Told:
        """Return a context that says of an error in which block it was."""
        return _Told(self._place(seen))

    def collect(self, memory: int | float | str | None = None) -> Any:
        """Return all rows as one table, if memory (half of what is free by default) has room."""
        budget, parts, size = budget_bytes(memory), [], 0.0
        for block in self:
            parts.append(block)
            size += 2.0 * block.shape[0] * block.shape[1] * 8
            require(size, budget, f"all rows of {self.name}", "write them with write(path)")
        if hasattr(parts[0], "columns"):
            counted = all(isinstance(part.index, pd.RangeIndex) for part in parts)
            return pd.concat(parts, ignore_index=counted)
        if is_sparse(parts[0]):
            from scipy import sparse

            return sparse.vstack(parts, format="csr")
        return np.concatenate([np.asarray(part) for part in parts])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self.collect(), dtype=dtype)

    def head(self, n: int = 5) -> Any:
        """Return the first rows."""
        whole(n, "n", 1)
        first = next(iter(self.make()), None)
        if first is None:
            raise self._changed([], "")
        return first.iloc[:n] if hasattr(first, "iloc") else first[:n]

    def take(self, columns: Sequence[Any]) -> Scan:
        """Return some of the columns."""
        if not is_list(columns) or not len(columns):
            raise InputTypeError(f"columns={short(columns)} must be a list of names")
        names = list(columns)
        known = self.known_columns()
        for column in names:
            if not is_label(column) or column not in known:
                raise InputError(
                    f"columns: {short(column)} is not one of the columns of {self.name}"
                )
        at = [known.index(column) for column in names]

        def some(block: Any) -> Any:
            return block[names] if hasattr(block, "iloc") else block[:, at]

        return replace(self.map(some), columns=names)

    def known_columns(self) -> list[Any]:
        """Return the names of the columns, for which the first block is read if need be."""
        if self.columns is not None:
            return self.columns
        first = self.head(1)
        return list(first.columns) if hasattr(first, "columns") else list(range(first.shape[1]))

    def write(self, path: Any, *, force: bool = False) -> int:
        """Write the rows block by block: .parquet, .arrow, .csv, .tsv or .npy; return their number.

        The file is there when all of it is written, or not at all.
        """
        from gramian.io.scan_write import write

        return write(self, checked_path(path), force)


def ahead(blocks: Iterator[Any]) -> Iterator[Any]:
    """Go through blocks of which the next is read while one is worked on.

    >>> list(ahead(iter([1, 2, 3])))
    [1, 2, 3]
    """
    with ThreadPoolExecutor(1) as reader:
        following = reader.submit(next, blocks, None)
        while (block := following.result()) is not None:
            following = reader.submit(next, blocks, None)
            yield block


Mark = tuple[int, int, int]


def mark_of(path: Path) -> Mark:
    """Return what tells a file from one that was changed: its number, size and time of change.

    Of a folder, how many files it holds, their size together and the last change.
    """
    if not path.exists():
        raise InputError(f"{path.name} is gone: it was there when it was scanned")
    if not path.is_dir():
        about = path.stat()
        return about.st_ino, about.st_size, about.st_mtime_ns
    inside = [p.stat() for p in path.rglob("*") if p.is_file()]
    last = max((about.st_mtime_ns for about in inside), default=0)
    return len(inside), sum(about.st_size for about in inside), last


class _Told:
    """Says of our own refusals in which block they were."""

    def __init__(self, place: str) -> None:
        self.place = place

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if isinstance(error, InputError) and not str(error).startswith("block "):
            raise type(error)(f"{self.place}: {error}"[:399]) from error
