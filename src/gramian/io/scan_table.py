"""A table that is read block by block and never held in memory as a whole."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
import pandas as pd

from gramian._core import check as _check
from gramian._core.array import is_sparse
from gramian._core.check import generator, is_label, is_list, one_of, short, whole
from gramian._core.check import path as checked_path
from gramian._core.chunked.blocks import Place, check_same_columns, stack
from gramian._core.chunked.passes import Checkpoint, Progress, digest
from gramian._core.parallel import budget_bytes, require_memory
from gramian._core.types import SeedLike
from gramian.errors import InputError, InputTypeError
from gramian.io.notes import Note

# What can be done about a column of texts in a scan, and about missing values.
LEAVE_OUT = "leave it out, as X.take(names) does with the names of the others"
REMEDY = "X.complete() leaves out rows that have one, X.complete('mean') puts means there"
ROW_COPIES = 4  # of a block that are made of it
Block: TypeAlias = Any  # rows: a two-dimensional array, a data frame or CSR
FileMark: TypeAlias = tuple[int, int, int]


class NamedBlock(NamedTuple):
    """A block, where it is, and names of its rows that it may not hold itself."""

    block: Block
    names: pd.Index | None = None
    place: Place | None = None


@dataclass(frozen=True)
class Part:
    """A table on disk: its columns, and how blocks of it are read."""

    numbers: list[Any]  # names of the columns of numbers
    # Blocks of some columns, of which others name the rows, of at most so many rows.
    blocks: Callable[[list[Any], Sequence[str], int], Iterator[Block]]
    n_rows: int | None = None
    others: Sequence[str] = ()  # columns that are not of numbers
    width: int = 0  # columns that are read whichever are taken
    notes: tuple[Note, ...] = ()
    row_names: Callable[[], list[str]] = list  # finds the columns that name rows


@dataclass(eq=False, repr=False)
class Scan:
    """A table read in blocks, from a file, a folder of files, or a function; see `scan`.

    Each iteration over a scan yields its blocks from the beginning. An error is raised if the
    number of rows differs from that of the first pass, or of `count`.

    Parameters
    ----------
    make : function
        Returns an iterator over blocks (arrays or data frames of the same columns).
    name, columns, n_rows, notes : str, list, int, tuple of str
        The name of the source; the names of the columns and the number of rows, None as long as
        they are unknown; what was left out or guessed.
    budget : int
        Memory in bytes for a block and what is computed from it.
    files : tuple of Path
        The files that are read, which must not change between passes.
    progress, checkpoint : optional
        As for `scan`.

    Examples
    --------
    >>> X = np.arange(12.0).reshape(6, 2)
    >>> rows = Scan(lambda: (X[k : k + 4] for k in (0, 4)))
    >>> [len(block) for block in rows], rows.n_rows
    ([4, 2], 6)
    >>> rows.map(lambda block: block.sum(axis=1, keepdims=True)).collect().ravel()
    array([ 1.,  5.,  9., 13., 17., 21.])
    """

    make: Callable[[], Iterator[Block]]
    name: str = "the blocks"
    columns: list[Any] | None = None
    n_rows: int | None = None
    notes: tuple[str, ...] = ()
    budget: int = 10**9
    files: tuple[Path, ...] = ()
    progress: Progress | None = None
    checkpoint: Path | None = None
    _marks: dict[Path, FileMark] = field(default_factory=dict)
    _left: dict[Hashable, str] = field(default_factory=dict)  # columns that are not read, and why

    def __repr__(self) -> str:
        rows = "some" if self.n_rows is None else f"{self.n_rows:,}"
        columns = "" if self.columns is None else f" × {len(self.columns)} columns"
        return f"Scan of {self.name}: {rows} rows{columns}, read block by block"

    def __iter__(self) -> Iterator[Block]:
        """Go through the blocks from the beginning."""
        return self.blocks(self.progress)

    def blocks(self, progress: Progress | None = None) -> Iterator[Block]:
        """Iterate over the blocks from the beginning, and report progress."""
        return (each.block for each in self.named_blocks(progress))

    def named_blocks(self, progress: Progress | None = None) -> Iterator[NamedBlock]:
        """Iterate over the blocks, each with the names of its rows, or None."""
        count = done = 0
        self._check_marks()
        if progress is not None:
            progress.begin()
        with self.place(0, 0).of_user_code():
            blocks = iter(self.make())
        while True:
            place = self.place(count, done)
            with place.of_user_code():
                block = next(blocks, None)
            if block is None:
                break
            block, names, _ = block if isinstance(block, NamedBlock) else NamedBlock(block)
            if getattr(block, "ndim", 0) != 2:
                raise InputTypeError(
                    f"{place.words} is {type(block).__name__}: give tables of rows"
                )
            if not block.shape[0]:
                continue
            own, width = getattr(block, "columns", None), int(block.shape[1])
            if self.columns is None:
                self.columns = list(range(width) if own is None else own)
            with place:
                check_same_columns(own, width, self.columns, "the blocks before have")
            self._require_memory(width)
            if self.n_rows is not None and done + block.shape[0] > self.n_rows:
                raise self._change_error(place, "has more rows than before")
            block = _continue_index(block, done)
            place = self.place(count, done, hasattr(block, "index"))
            count, done = count + 1, done + int(block.shape[0])
            yield NamedBlock(block, _names_of(block, names), place)
            if progress is not None:
                progress.say(done, self.n_rows)
        self._check_marks()
        if not done or (self.n_rows is not None and done != self.n_rows):
            raise self._change_error(place, f"ends after {done:,} rows")
        self.n_rows = done

    def _require_memory(self, columns: int) -> None:
        """Refuse a budget that has no room for one row and what is made of it."""
        need = 8.0 * ROW_COPIES * columns
        require_memory(
            need, self.budget, f"a row of {self.name}, of {columns} columns,", "raise memory="
        )

    def _change_error(self, place: Place, how: str) -> InputError:
        if not self.n_rows:
            return InputError(f"{self.name} has no rows: 0 sample(s) while at least 1 is required")
        return InputError(
            f"{place.words}: {self.name} {how}, where a first pass found {self.n_rows:,}: it "
            "changed while it was read, start again"
        )

    def _check_marks(self) -> None:
        """Refuse files that are not as they were when a first pass began, or were counted."""
        for file in self.files:
            mark = mark_of(file)
            if self._marks.setdefault(file, mark) != mark:
                raise InputError(
                    f"{file.name} changed while it was read: start again when it is complete"
                )

    def place(self, count: int, start: int, labelled: bool = False) -> Place:
        """Return where a block is, after `count` blocks of `start` rows; rows may have labels."""
        words = f"block {count + 1} of {self.name} (from row {start:,} on)"
        return Place(words, 0 if labelled else start, REMEDY, LEAVE_OUT)

    def point(self, *options: object) -> Checkpoint:
        """Return the checkpoint of a fit with some options, which holds nothing if none is kept."""
        if self.checkpoint is None:
            return Checkpoint()
        about = digest(self.name, self.columns, self.budget, *options)
        return Checkpoint(self.checkpoint, about, {f.name: mark_of(f) for f in self.files})

    def count(self) -> int:
        """Return the number of rows, counting them if it is unknown."""
        self._check_marks()  # from now on it may not change
        if self.n_rows is None:
            for _ in self:
                pass
        assert self.n_rows is not None
        return self.n_rows

    def map(self, function: Callable[[Block], Block], name: str | None = None) -> Scan:
        """Return a scan of a function of each block, evaluated lazily; errors name the block."""
        rows = self.along(function, name)
        return replace(rows, make=lambda: (each.block for each in rows.make()), n_rows=None)

    def along(self, function: Callable[[Block], Block], name: str | None = None) -> Scan:
        """Return the same for a function that maps row to row, so that names of rows are kept."""
        _check.function(function, "function", "of a block")
        return replace(
            self,
            make=lambda: self._map_blocks(function),
            name=name or self.name,
            columns=None,
            notes=(),
            progress=None,  # the rows themselves report
        )

    def _map_blocks(self, function: Callable[[Block], Block]) -> Iterator[NamedBlock]:
        for block, names, place in self.named_blocks(self.progress):
            assert place is not None
            with place, place.of_user_code():
                out = _check.answer(function, "function", block)
            yield NamedBlock(out, names)

    def collect(self, memory: int | float | str | None = None) -> Block:
        """Return all rows as one table, if memory (by default half of the free one) allows."""
        return self._collect(budget_bytes(memory), "write them with write(path)")

    def _collect(self, budget: int, remedy: str) -> Block:
        parts, seen, n_rows = [], 0, self.n_rows
        for block in self:
            parts.append(block)
            seen += block.shape[0]
            size = 2.0 * (n_rows or seen) * block.shape[1] * 8  # the parts and the whole
            require_memory(size, budget, f"all rows of {self.name}", remedy, least=n_rows is None)
        return stack(parts)

    def at_hand(self) -> Block:
        """Return all rows as one table where they fit the scan's memory; `collect` takes more."""
        return self._collect(self.budget, "give collect() of the scan, or sample() of its rows")

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> np.ndarray:
        return np.asarray(self.at_hand(), dtype=dtype)

    def sample(self, n: int = 1000, *, random_state: SeedLike = None) -> Block:
        """Return a random sample of the rows as one table, in their order.

        Rows without names are labelled by their numbers, from 0. It takes one pass over the blocks,
        or two if the number of rows is unknown.

        Examples
        --------
        >>> X = np.arange(12.0).reshape(6, 2)
        >>> Scan(lambda: (X[k : k + 4] for k in (0, 4))).sample(3)[:, 0]
        array([ 6.,  8., 10.])
        """
        n_rows, rng = self.count(), generator(random_state)
        chosen = np.sort(rng.choice(n_rows, min(whole(n, "n", 1), n_rows), replace=False))
        parts, first = [], 0
        for block in self.blocks():
            start, stop = np.searchsorted(chosen, [first, first + block.shape[0]])
            at = chosen[start:stop] - first
            parts.append(block.iloc[at] if hasattr(block, "iloc") else block[at])
            first += block.shape[0]
        return stack(parts)

    def complete(self, how: Literal["drop-rows", "mean"] = "drop-rows") -> Scan:
        """Return the rows without missing values (NaN).

        Parameters
        ----------
        how : {"drop-rows", "mean"}
            Drop rows with missing values, or replace these by the mean of the column over all rows,
            which takes one pass immediately.

        Examples
        --------
        >>> X = np.array([[1.0, 2.0], [np.nan, 3.0], [5.0, 7.0]])
        >>> rows = Scan(lambda: iter([X[:2], X[2:]]))
        >>> rows.complete().collect().shape, rows.complete("mean").collect()[1].tolist()
        ((2, 2), [3.0, 3.0])
        """
        if one_of(how, "how", ("drop-rows", "mean")) == "drop-rows":
            return replace(self.map(_without_missing), columns=self.columns)
        return replace(self.along(self._mean_filler()), columns=self.columns)

    def _mean_filler(self) -> Callable[[Block], Block]:
        """Return a function that replaces missing values by the means of all rows (one pass)."""
        columns = self.known_columns()
        count, mean = np.zeros(len(columns)), np.zeros(len(columns))
        for block in self.blocks():
            if is_sparse(block):
                raise InputError("how='mean': blocks are sparse: use 'drop-rows'")
            X = np.asarray(block, dtype=float)
            known = ~np.isnan(X)
            count += known.sum(axis=0)
            # About the mean so far, so that an offset costs no digits.
            gap = np.where(known, X - mean, 0.0).sum(axis=0)
            mean += np.divide(gap, count, out=np.zeros_like(mean), where=count > 0)
        if not count.all():
            name = columns[int((count == 0).argmax())]
            raise InputError(
                f"how='mean': the column {name!r} has no value: leave it out with take"
            )

        def fill(block: Block) -> Block:
            if hasattr(block, "fillna"):
                return block.astype(float).fillna(dict(zip(block.columns, mean, strict=True)))
            return np.where(np.isnan(block), mean, block)

        return fill

    def head(self, n: int = 5) -> Block:
        """Return the first rows."""
        whole(n, "n", 1)
        first = next(iter(self.make()), None)
        if first is None:
            raise InputError(f"{self.name} has no rows: 0 sample(s) while at least 1 is required")
        first = first.block if isinstance(first, NamedBlock) else first
        return first.iloc[:n] if hasattr(first, "iloc") else first[:n]

    def take(self, columns: Sequence[Hashable]) -> Scan:
        """Return some of the columns."""
        if not is_list(columns) or not len(columns):
            raise InputTypeError(f"columns={short(columns)} must be a list of names")
        known = self.known_columns()
        names = check_columns(columns, known, self._left, self.name)
        return replace(self.along(column_selector(names, known)), columns=names)

    @property
    def shape(self) -> tuple[int | None, int]:
        """The number of rows, None as long as it is unknown, and of columns."""
        return self.n_rows, len(self.known_columns())

    def known_columns(self) -> list[Any]:
        """Return the names of the columns, reading the first block if necessary."""
        if self.columns is not None:
            return self.columns
        first = self.head(1)
        return list(first.columns) if hasattr(first, "columns") else list(range(first.shape[1]))

    def write(self, path: str | PathLike[str], *, force: bool = False) -> int:
        """Write the rows block by block: .parquet, .arrow, .csv, .tsv or .npy; return their number.

        Names of rows are the first column (not in .npy). The file only appears when it is complete.
        """
        from gramian.io.scan_write import write

        return write(self, checked_path(path), force)


def check_columns(
    columns: Sequence[Hashable], known: Sequence[Hashable], left: Mapping[Hashable, str], name: str
) -> list[Any]:
    """Return columns that are known; of others, `left` says why they were left out."""
    for column in columns:
        if not is_label(column) or column not in known:
            why = left.get(column) if is_label(column) else None
            raise InputError(f"columns: {short(column)} {why or 'is no column'} of {name}")
    return list(columns)


def column_selector(names: list[Any], known: list[Any]) -> Callable[[Block], Block]:
    """Return a function that takes some of the known columns out of a block."""
    at = [known.index(name) for name in names]
    return lambda block: block[names] if hasattr(block, "iloc") else block[:, at]


def _continue_index(block: Block, start: int) -> Block:
    """Return a block whose rows, if counted from 0, are counted from the first block on."""
    index = getattr(block, "index", None)
    if not start or not isinstance(index, pd.RangeIndex) or index.start != 0:
        return block
    return block.set_axis(pd.RangeIndex(start, start + len(index)))


def _names_of(block: Block, names: pd.Index | None = None) -> pd.Index | None:
    """Return the names of the rows of a block where it has some, else those it was made with."""
    index = getattr(block, "index", None)
    own = isinstance(index, pd.Index) and not isinstance(index, pd.RangeIndex)
    return index if own else names


def _without_missing(block: Block) -> Block:
    """Return the rows of a block that miss no number."""
    if is_sparse(block):
        rows = np.repeat(np.arange(block.shape[0]), np.diff(block.indptr))
        return block[~np.isin(np.arange(block.shape[0]), rows[np.isnan(block.data)])]
    if isinstance(getattr(block, "index", None), pd.RangeIndex):
        block = block.set_axis(pd.Index(np.asarray(block.index)))  # rows keep their numbers
    return block[np.asarray(~pd.isna(block).any(axis=1))]


def mark_of(path: Path) -> FileMark:
    """Return what tells a file or folder from a changed one: number, size and time of change."""
    if not path.exists():
        raise InputError(f"{path.name} no longer exists: it was there when it was scanned")
    inside = [p.stat() for p in path.rglob("*") if p.is_file()] if path.is_dir() else [path.stat()]
    number = len(inside) if path.is_dir() else inside[0].st_ino
    last = max((about.st_mtime_ns for about in inside), default=0)
    return number, sum(about.st_size for about in inside), last
