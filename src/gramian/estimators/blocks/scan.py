"""Rows that are read block by block, as estimators take them: checked, with their weights."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gramian._array import is_sparse
from gramian._validate import Table, plain_weights, weights
from gramian.errors import InputError
from gramian.estimators._base import columns_seen
from gramian.estimators.blocks.stream import check_columns
from gramian.io.scan_checkpoint import Checkpoint
from gramian.io.scan_progress import Progress
from gramian.io.scan_table import Scan
from gramian.operators.block_gram import stacked

__all__ = ["Blocks", "Scan"]


def _one_column(weights: Any) -> Any:
    """Return weights that are a column of a scan as an array, others as they are."""
    if not isinstance(weights, Scan):
        return weights
    if weights.shape[1] != 1:
        raise InputError(
            f"sample_weight is a scan of {weights.shape[1]} columns: give one, as take([name]) does"
        )
    return np.asarray(weights).ravel()


@dataclass(eq=False)
class Blocks:
    """The blocks of a scan as an estimator reads them.

    Parameters
    ----------
    owner : estimator
    rows : Scan
    read : function
        Makes a table of a block, or says what is wrong with it.
    weights : array (n,), optional
        As they were given.
    """

    owner: Any
    rows: Scan
    read: Callable[[Any], Table]
    weights: np.ndarray | None = None
    point: Checkpoint = field(default_factory=Checkpoint)  # what was done so far
    seen: dict[str, Any] | None = None  # what scikit-learn records of the columns

    @classmethod
    def of(cls, owner: Any, rows: Scan, read: Callable[[Any], Table], sample_weight: Any) -> Blocks:
        """Return the blocks with their weights, one for each row."""
        w = None
        if sample_weight is not None:
            w = plain_weights(_one_column(sample_weight), rows.count())
        options = {name: repr(value) for name, value in owner.get_params().items()}
        return cls(owner, rows, read, w, rows.point(type(owner).__name__, options, w))

    def __iter__(self) -> Iterator[tuple[Table, np.ndarray | None]]:
        """Go through the blocks from the beginning, each with its weights."""
        return self.read_through(self.rows.progress)

    def read_through(self, progress: Progress | None) -> Iterator[tuple[Table, np.ndarray | None]]:
        """Go through the blocks, and tell somebody how far it is, or nobody."""
        sizes: list[int] = []
        for block in self.rows.blocks(progress):
            start = sum(sizes)
            with self.rows.told(sizes, block):
                part = self.read(block)
                if self.seen is None:
                    self.seen = columns_seen(block, part)
                check_columns(self.owner, self.seen, block, part)
            sizes.append(int(block.shape[0]))
            yield part, self.of_rows(start, start + sizes[-1])

    def of_rows(self, start: int, stop: int) -> np.ndarray | None:
        """Return the weights of some rows, None for equal ones."""
        return None if self.weights is None else self.weights[start:stop]

    def resumed(
        self, name: str, state: Callable[[], dict[str, Any]]
    ) -> tuple[dict[str, Any] | None, Iterator[tuple[Table, np.ndarray | None]]]:
        """Return the state of a pass that was broken off, and the blocks that are left of it.

        Parameters
        ----------
        name : str
            Of the pass.
        state : function
            Returns what is to be kept of the blocks so far, as arrays.
        """
        before = self.point.load(name)
        return before, self._left(name, before, state)

    def _left(
        self, name: str, before: dict[str, Any] | None, state: Callable[[], dict[str, Any]]
    ) -> Iterator[tuple[Table, np.ndarray | None]]:
        done = 0 if before is None else int(before["blocks"])
        if before is not None and before["whole"]:
            next(iter(self))  # for what is known of the columns
            return
        count = 0
        for part in self:
            count += 1
            if count > done:
                yield part
                if self.point.is_due:
                    self.point.save(name, state() | {"blocks": count, "whole": False})
        self.point.save(name, state() | {"blocks": count, "whole": True})

    def values(self) -> Iterator[Any]:
        """Go through the rows alone, and tell nobody."""
        for part, _ in self.read_through(None):
            yield part.values

    def at(self, positions: np.ndarray) -> Table:
        """Return the rows at some positions, ascending, by one pass."""
        parts: list[Any] = []
        rows: np.ndarray | None = None
        at = 0
        for X in self.values():
            first, at = at, at + X.shape[0]
            start, stop = np.searchsorted(positions, [first, at])
            some = X[positions[start:stop] - first]
            if is_sparse(X):
                parts.append(some)
                continue
            if rows is None:  # filled in, so that they are there once
                rows = np.empty((len(positions), X.shape[1]), X.dtype)
            rows[start:stop] = some
        return Table(stacked(parts) if rows is None else rows)

    @property
    def names(self) -> Any:
        """The names of the columns, or None."""
        return (self.seen or {}).get("feature_names_in_")

    @property
    def shares(self) -> np.ndarray | None:
        """The weights with sum 1, None for equal ones; each row must have one."""
        p = weights(self.weights, self.n)
        if p is not None and (p == 0).any():
            raise InputError("sample_weight: a row of a scan has no weight: leave it out of it")
        return p

    @property
    def n(self) -> int:
        """How many rows there are; at least 2 are needed."""
        n = self.rows.count()
        if n < 2:
            raise InputError(f"X has {n} sample(s) while a minimum of 2 is required: give more")
        return n
