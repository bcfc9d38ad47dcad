"""A table that is read block by block, as often as it is needed, and never held as a whole."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from gramian import _check
from gramian._blocks import budget_bytes, require
from gramian._check import is_list, short, whole
from gramian._check import path as checked_path
from gramian.errors import InputError, InputTypeError
from gramian.io.scan_checkpoint import Checkpoint, digest
from gramian.io.scan_passes import Mark, Told, check_marks, mark_of
from gramian.io.scan_progress import Progress
from gramian.io.scan_rows import (
    check_columns,
    check_how,
    columns_like,
    counted_on,
    filled,
    names_of,
    sampled,
    together,
    without_holes,
)

__all__ = ["Scan"]


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
    _named: Callable[[], Iterator[tuple[Any, Any]]] | None = None  # blocks, with names of rows
    _sizes: list[int] = field(default_factory=list)  # of the blocks of the first whole pass
    _left: dict[Any, str] = field(default_factory=dict)  # columns that are not read, and why

    def __repr__(self) -> str:
        rows = "some" if self.n_rows is None else f"{self.n_rows:,}"
        columns = "" if self.columns is None else f" × {len(self.columns)} columns"
        return f"Scan of {self.name}: {rows} rows{columns}, read block by block"

    def __iter__(self) -> Iterator[Any]:
        """Go through the blocks from the beginning."""
        return self.blocks(self.progress)

    def blocks(self, progress: Progress | None = None) -> Iterator[Any]:
        """Go through the blocks from the beginning, and tell somebody how far it is, or nobody."""
        return (block for _, block in self.named_blocks(progress))

    def named_blocks(self, progress: Progress | None = None) -> Iterator[tuple[Any, Any]]:
        """Go through the blocks, each with the names of its rows, or None."""
        seen: list[int] = []
        check_marks(self.files, self._marks)
        if progress is not None:
            progress.begin()
        for names, block in self._made():
            if getattr(block, "ndim", 0) != 2:
                raise InputTypeError(
                    f"{self._place(seen)} is {type(block).__name__}: give tables of rows"
                )
            if not block.shape[0]:
                continue
            self._check_like_before(block, seen)
            block = counted_on(block, sum(seen))
            seen.append(int(block.shape[0]))
            yield names_of(block, names), block
            if progress is not None:
                progress.say(sum(seen), self.n_rows)
        check_marks(self.files, self._marks)
        if (self._sizes and sum(seen) != sum(self._sizes)) or (not self._sizes and not seen):
            raise self._changed(seen, f"ends after {sum(seen):,} rows")
        self._sizes = self._sizes or seen
        self.n_rows = sum(seen)

    def _made(self) -> Iterator[tuple[Any, Any]]:
        """Go through the blocks as they are made, with names that they do not hold themselves."""
        if self._named is not None:
            return self._named()
        return ((None, block) for block in self.make())

    def _check_like_before(self, block: Any, seen: list[int]) -> None:
        self.columns = columns_like(block, self.columns, self._place(seen))
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
        return replace(self.along(function, name), n_rows=None, _named=None)

    def along(self, function: Callable[[Any], Any], name: str | None = None) -> Scan:
        """Return the same of a function that gives a row for each row, which keeps its name."""
        _check.function(function, "function", "of a block")
        return replace(
            self,
            make=lambda: (block for _, block in self._mapped(function)),
            _named=lambda: self._mapped(function),
            name=name or self.name,
            columns=None,
            notes=(),
            progress=None,  # the rows themselves tell
            _sizes=[],
        )

    def _mapped(self, function: Callable[[Any], Any]) -> Iterator[tuple[Any, Any]]:
        seen: list[int] = []
        for names, block in self.named_blocks(self.progress):
            with self.told(seen, block):
                out = _check.answer(function, "function", block)
            yield names, out
            seen.append(int(block.shape[0]))

    def told(self, seen: list[int], block: Any) -> Told:
        """Return a context that says of an error in which block it was."""
        return Told(self._place(seen), 0 if hasattr(block, "index") else sum(seen))

    def collect(self, memory: int | float | str | None = None) -> Any:
        """Return all rows as one table, if memory (half of what is free by default) has room."""
        return self._collected(budget_bytes(memory), "write them with write(path)")

    def _collected(self, budget: int, remedy: str) -> Any:
        parts, seen, n_rows = [], 0, self.n_rows
        for block in self:
            parts.append(block)
            seen += block.shape[0]
            size = 2.0 * (n_rows or seen) * block.shape[1] * 8  # the parts and the whole
            require(size, budget, f"all rows of {self.name}", remedy, least=n_rows is None)
        return together(parts)

    def at_hand(self) -> Any:
        """Return all rows as one table where they fit the memory of the scan.

        It is what a function that needs them all does with a scan; `collect` asks for more memory.
        """
        return self._collected(self.budget, "give collect() of the scan, or sample() of its rows")

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self.at_hand(), dtype=dtype)

    def sample(self, n: int = 1000, *, random_state: Any = None) -> Any:
        """Return some rows by chance as one table, in their order: for a map, or to look at.

        Rows without names have their numbers, counted from 0. One pass over the blocks is made,
        and one more where the number of rows is not known.

        Examples
        --------
        >>> import numpy as np
        >>> X = np.arange(12.0).reshape(6, 2)
        >>> Scan(lambda: (X[k : k + 4] for k in (0, 4))).sample(3)[:, 0]
        array([ 6.,  8., 10.])
        """
        return sampled(self.blocks(), self.count(), n, random_state)

    def complete(self, how: str = "drop-rows") -> Scan:
        """Return the rows without missing values (NaN).

        Parameters
        ----------
        how : {"drop-rows", "mean"}
            Leave out the rows that have one, or put the mean of the column in its place: that of
            all rows, for which one pass is made at once.

        Examples
        --------
        >>> import numpy as np
        >>> X = np.array([[1.0, 2.0], [np.nan, 3.0], [5.0, 7.0]])
        >>> rows = Scan(lambda: iter([X[:2], X[2:]]))
        >>> rows.complete().collect().shape, rows.complete("mean").collect()[1].tolist()
        ((2, 2), [3.0, 3.0])
        """
        if check_how(how) == "drop-rows":
            return replace(self.map(without_holes), columns=self.columns)
        return replace(self.along(filled(self.blocks, self.known_columns())), columns=self.columns)

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
        known = self.known_columns()
        names = check_columns(columns, known, self._left, self.name)
        at = [known.index(column) for column in names]

        def some(block: Any) -> Any:
            return block[names] if hasattr(block, "iloc") else block[:, at]

        return replace(self.along(some), columns=names)

    @property
    def shape(self) -> tuple[int | None, int]:
        """The number of rows, None as long as it is not known, and of columns."""
        return self.n_rows, len(self.known_columns())

    def known_columns(self) -> list[Any]:
        """Return the names of the columns, for which the first block is read if need be."""
        if self.columns is not None:
            return self.columns
        first = self.head(1)
        return list(first.columns) if hasattr(first, "columns") else list(range(first.shape[1]))

    def write(self, path: Any, *, force: bool = False) -> int:
        """Write the rows block by block: .parquet, .arrow, .csv, .tsv or .npy; return their number.

        Names of rows are the first column, but of .npy, which has none. The file is there when all
        of it is written, or not at all.
        """
        from gramian.io.scan_write import write

        return write(self, checked_path(path), force)
