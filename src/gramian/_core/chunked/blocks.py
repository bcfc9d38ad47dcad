"""Rows in blocks that are not in memory: the contract that operators and fits are written for.

Nothing that uses `Chunks` knows where the blocks are: in files (`files.py`) or in dask
(`dask_chunks.py`).
"""

from __future__ import annotations

import operator
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Self, TypeAlias, TypeVar

import numpy as np
import pandas as pd
from scipy import sparse

from gramian._core.array import Array, device_of, is_array, is_sparse, to_numpy
from gramian._core.table import HOW_TO_FILL, HOW_TO_LEAVE_OUT, Table
from gramian.errors import BlockError, InputError, InputTypeError

T = TypeVar("T")
# Of two blocks (None for the same one) and their rows of V: the parts of both in a product.
PairProduct: TypeAlias = Callable[..., tuple[Array, Array | None]]
Add: TypeAlias = Callable[[Any, Any], Any]  # of two parts of a sum
_ROW = re.compile(r"at row (\d+),")


@dataclass(frozen=True)
class Place:
    """Where a block is; as a context, it names the block in our errors that are raised inside.

    >>> with Place("block 2 of X", 20):
    ...     raise InputError("X contains inf at row 5, column 1")
    Traceback (most recent call last):
    ...
    gramian.errors.InputError: block 2 of X: X contains inf at row 25, column 1
    """

    words: str
    start: int = 0  # number of its first row, 0 where rows have labels
    remedy: str = HOW_TO_FILL  # what can be done about missing values
    leave: str = HOW_TO_LEAVE_OUT  # and about a column of texts

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if not isinstance(error, InputError | InputTypeError) or str(error).startswith("block "):
            return
        text = str(error).replace(HOW_TO_FILL, self.remedy).replace(HOW_TO_LEAVE_OUT, self.leave)
        if self.start:
            text = _ROW.sub(lambda row: f"at row {self.start + int(row[1])},", text)
        raise type(error)(f"{self.words}: {text}"[:399]) from error

    @contextmanager
    def of_user_code(self) -> Iterator[None]:
        """Name the block in whatever code of the user raises inside."""
        try:
            yield
        except (InputError, InputTypeError, BlockError, MemoryError):
            raise
        except Exception as error:
            raise self.failure(error) from error

    def failure(self, error: Exception) -> BlockError:
        """Return the error that names the block, of which `error` is the cause."""
        return BlockError(f"{self.words}: {type(error).__name__}: {error}")


@dataclass(frozen=True, eq=False)
class Block:
    """Some of the rows, validated, with their weights (as given) where there are any."""

    rows: Table
    weights: np.ndarray | None = None
    number: int = 0
    place: Place | None = None
    start: int = 0  # number of the first row, of blocks that are read in turn

    @property
    def span(self) -> slice:
        """Which rows of the table the block holds."""
        return slice(self.start, self.start + len(self))

    @property
    def values(self) -> Array:
        """The numbers, (m, p)."""
        return self.rows.values

    def __len__(self) -> int:
        return int(self.rows.values.shape[0])

    def take(self, rows: slice | np.ndarray) -> Block:
        """Return some of the rows, by a slice, a mask or positions."""
        w = None if self.weights is None else self.weights[rows]
        return replace(self, rows=Table(self.values[rows]), weights=w)

    @property
    def live(self) -> Block:
        """The rows that have a weight."""
        w = self.weights
        return self if w is None or w.all() else self.take(w > 0)


class Chunks(ABC):
    """Blocks of rows. Functions of them must be pure: a lost answer is computed again."""

    n: int  # rows
    p: int  # columns
    budget: int  # bytes that a matrix of p × p may take
    panel: int  # rows that may be held together

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows and of columns."""
        return self.n, self.p

    @property
    @abstractmethod
    def header(self) -> Table:
        """A table of no rows, with the names of the columns."""

    @property
    @abstractmethod
    def row_weights(self) -> np.ndarray | None:
        """The weights of all rows as given, None for equal ones."""

    @abstractmethod
    def each(self, function: Callable[..., T], *args: object, cut: Array | None = None) -> list[T]:
        """Return function(block, *args) of every block.

        With `cut`, an array (n, r), function(block, rows of cut, *args).
        """

    def total(
        self,
        function: Callable[..., T],
        *args: object,
        cut: Array | None = None,
        add: Add = operator.add,
    ) -> T:
        """Return the sum of the same over the blocks, in an order that is always the same.

        A block for which the function returns None has nothing to add; the sum is None where no
        block has. Parts are arrays, numbers, and tuples or data classes of these.
        """
        return self._sum(function, args, cut, add)

    @abstractmethod
    def _sum(
        self, function: Callable[..., T], args: tuple[object, ...], cut: Array | None, add: Add
    ) -> T:
        """Return the sum over the blocks."""

    @abstractmethod
    def at(self, positions: np.ndarray) -> Table:
        """Return the rows at some positions, ascending."""

    @abstractmethod
    def symmetric(self, function: PairProduct, V: Array, *args: object) -> Array:
        """Return the product of a symmetric matrix with V, (n, r), every pair of blocks met once.

        function(a, b, rows of V of a, rows of V of b, *args) returns the part of the rows of a and
        that of the rows of b; where b would be a itself, it is None, and so is its part.
        """

    def with_sizes(self) -> Self:
        """Return the blocks that have rows, their sizes known."""
        return self

    def finish(self) -> None:
        """Drop what was kept to resume the fit, which is done."""
        return None

    def for_pairs(self) -> Self:
        """Return the same rows in blocks that suit products of pairs."""
        return self


def stack(parts: Sequence[Array]) -> Array:
    """Return blocks of rows as one array, CSR matrix or data frame."""
    parts = [part for part in parts if part.shape[0]] or list(parts[:1])
    if is_sparse(parts[0]):
        return sparse.csr_array(sparse.vstack(parts, format="csr"))
    if hasattr(parts[0], "columns"):
        return pd.concat(parts)
    return parts[0] if len(parts) == 1 else np.concatenate(parts)


def check_same_columns(
    names: Iterable[Any] | None, width: int, columns: Sequence[Any], before: str
) -> None:
    """Refuse a block of other columns than those of the blocks `before`."""
    if width != len(columns):
        raise InputError(
            f"it has {width} columns, but {before} {len(columns)}: give blocks of the same columns"
        )
    for name, known in zip(columns if names is None else names, columns, strict=True):
        if name != known:
            raise InputError(
                f"it has the column {name!r:.80} where {before} {known!r:.80}: give the same "
                "columns in the same order"
            )


def concatenate(blocks: Sequence[Block]) -> Block:
    """Return the rows of several blocks as one."""
    w = [block.weights for block in blocks if block.weights is not None]
    rows = Table(stack([block.values for block in blocks]))
    return Block(rows, np.concatenate(w) if w else None)


def in_memory(rows: Table) -> Table:
    """Return rows of another array library that lie in this memory as NumPy's."""
    X = rows.values
    here = is_array(X) and not isinstance(X, np.ndarray) and str(device_of(X)) == "cpu"
    return replace(rows, values=to_numpy(X)) if here else rows


def too_few(n: int) -> InputError:
    """Return the refusal of less than two rows that count."""
    return InputError(f"X has {n} sample(s) with a weight while a minimum of 2 is required")
