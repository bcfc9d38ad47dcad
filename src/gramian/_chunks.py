"""Rows in blocks that are elsewhere: what is asked of each of them, and how answers are added up.

Operators over blocks are written against this contract, and never see where the blocks are.
"""

from __future__ import annotations

import operator
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gramian._array import Array
from gramian._validate import FILL, LEAVE, Table

__all__ = ["Block", "Chunks", "said_of"]

_ROW = re.compile(r"at row (\d+),")


def said_of(
    error: Exception, place: str, start: int | None, remedy: str, leave: str = LEAVE
) -> Exception:
    """Return a refusal of a block with its place, rows that are counted being those of the table.

    `remedy` is what can be done about holes there, `leave` about a column of texts.

    >>> from gramian.errors import InputError
    >>> print(said_of(InputError("X contains inf at row 5, column 1"), "block 2 of X", 20, ""))
    block 2 of X: X contains inf at row 25, column 1
    """
    text = str(error).replace(FILL, remedy).replace(LEAVE, leave)
    if start:
        text = _ROW.sub(lambda found: f"at row {start + int(found[1])},", text)
    return type(error)(f"{place}: {text}"[:399])


@dataclass(frozen=True, eq=False)
class Block:
    """Some of the rows, looked at, with their weights (as given) where there are any."""

    rows: Table
    weights: np.ndarray | None = None
    number: int = 0
    place: str | None = None  # the words for it

    @property
    def values(self) -> Array:
        """The numbers, (m, p)."""
        return self.rows.values

    def __len__(self) -> int:
        return int(self.rows.values.shape[0])

    @property
    def live(self) -> Block:
        """The rows that have a weight."""
        w = self.weights
        if w is None or w.all():
            return self
        return replace(self, rows=Table(self.values[w > 0]), weights=w[w > 0])


class Chunks(ABC):
    """Blocks of rows. Functions of them must be pure: a lost answer is computed again."""

    sizes: tuple[int, ...]  # rows of each block
    p: int  # columns

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows and of columns."""
        return sum(self.sizes), self.p

    @property
    def n(self) -> int:
        """The number of rows."""
        return sum(self.sizes)

    @property
    def slices(self) -> list[slice]:
        """Which rows each block holds."""
        ends = np.cumsum(self.sizes).tolist()
        return [slice(end - size, end) for end, size in zip(ends, self.sizes, strict=True)]

    @abstractmethod
    def each(self, function: Callable[..., Any], *args: Any, cut: Array | None = None) -> list[Any]:
        """Return function(block, *args) of every block.

        With `cut`, an array (n, r), function(block, rows of cut, *args).
        """

    @abstractmethod
    def total(
        self,
        function: Callable[..., Any],
        *args: Any,
        cut: Array | None = None,
        add: Callable[[Any, Any], Any] = operator.add,
    ) -> Any:
        """Return the sum of the same over the blocks, in an order that is always the same.

        Where a function returns None, a block has nothing to add.
        """

    @abstractmethod
    def at(self, positions: np.ndarray) -> Table:
        """Return the rows at some positions, ascending."""

    @abstractmethod
    def symmetric(self, function: Callable[..., Any], V: Array, *args: Any) -> Array:
        """Return the product of a symmetric matrix with V, (n, r), every pair of blocks met once.

        function(a, b, rows of V of a, rows of V of b, *args) returns the part of the rows of a and
        that of the rows of b; where b would be a itself, it is None, and so is its part.
        """
