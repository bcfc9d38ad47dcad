"""Several descriptions of the same individuals: one kernel for each block."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, TypeAlias

import numpy as np

from gramian._core.array import Array, is_array, is_sparse
from gramian._core.check import expect
from gramian._core.frames import column_names
from gramian._core.pairs import Pairs, Points
from gramian.errors import InputError
from gramian.kernels.base import Change, Kernel, Names, Weights
from gramian.kernels.pullback import Pullback

_Index: TypeAlias = slice | np.ndarray  # of rows


@dataclass(eq=False)
class Blocks:
    """Blocks of rows of the same individuals, by name; it is indexed by rows like an array."""

    blocks: dict[str, Any]
    columns: dict[str, Any] = field(default_factory=dict)  # names of columns, by block
    readers: Mapping[str, Kernel] = field(default_factory=dict)  # of categories, by block

    def check(self) -> None:
        """Refuse blocks of different individuals."""
        sizes = {b.shape[0] if hasattr(b, "shape") else len(b) for b in self.blocks.values()}
        expect(len(sizes) == 1, "blocks of the same individuals")

    def __len__(self) -> int:
        first = next(iter(self.blocks.values()))
        return first.shape[0] if hasattr(first, "shape") else len(first)

    def __getitem__(self, rows: _Index) -> Blocks:
        return self.like({name: _part(b, rows) for name, b in self.blocks.items()})

    def like(self, blocks: Mapping[str, Any]) -> Blocks:
        """Return other blocks of the same columns."""
        return Blocks(dict(blocks), self.columns, self.readers)

    def block(self, name: str) -> Array:
        """Return the rows of one block."""
        if name not in self.blocks:
            raise InputError(f"X has no block {name!r}, only {', '.join(map(str, self.blocks))}")
        return self.blocks[name]


def _part(block: Array, rows: _Index) -> Array:
    if is_array(block) or is_sparse(block) or not isinstance(block, list | tuple):
        return block[rows]
    return [block[k] for k in np.arange(len(block))[rows]]


@dataclass(eq=False)
class GivenRows:
    """Rows of a matrix of kernel values, each against all the individuals of a fit.

    `positions` are the rows' own numbers among these individuals (−1 for new ones), and `diag`
    holds k(x, x), NaN where it is not known.
    """

    values: Annotated[np.ndarray, "(n, m)", "any"]
    positions: Annotated[np.ndarray, "(n,)", "whole", ">= -1"]
    diag: Annotated[np.ndarray, "(n,)", "nan"]

    def check(self) -> None:
        """Refuse positions of individuals that are not there."""
        m = self.values.shape[1]
        expect(bool((self.positions < m).all()), f"positions of {m} individuals")

    def __len__(self) -> int:
        return len(self.positions)

    def __getitem__(self, rows: _Index) -> GivenRows:
        return GivenRows(self.values[rows], self.positions[rows], self.diag[rows])


class Given(Kernel):
    """The kernel of a block whose values were computed before."""

    takes_vectors = False

    def evaluate(self, pairs: Pairs) -> Array:
        """The entries of the matrix."""
        return pairs.X.values[:, pairs.Y.positions]

    def self_similarity(self, X: Array) -> Array:
        """The diagonal, where it is known."""
        return X.diag


class OnBlock(Pullback):
    """A kernel on one block of the individuals."""

    takes_vectors = False
    shift_changes: Change = "values"  # blocks are shifted one by one

    def __init__(self, kernel: Kernel, name: str) -> None:
        self.kernel = kernel
        self.name = name

    def resolve(self, points: Points, weights: Weights = None, names: Names = None) -> Kernel:
        """Resolve the inner kernel on its block."""
        return super().resolve(points, weights, points.X.columns.get(self.name))

    def with_positions(self, names: Names, X: Array) -> Kernel:
        """Return the kernel with the block's column names turned into positions."""
        columns = X.columns.get(self.name)
        return OnBlock(self.kernel.with_positions(columns, self.map_rows(X)), self.name)

    def _objects(self, X: Array, name: str) -> Blocks:
        """Return the blocks with this kernel's one read, however it was given."""
        blocks = X if isinstance(X, Blocks) else Blocks(dict(X))
        block = blocks.block(self.name)
        rows = self.kernel.rows(block, f"{name}[{self.name!r}]")
        columns = blocks.columns
        if (labels := column_names(block)) is not None:
            columns = columns | {self.name: labels}
        return Blocks(blocks.blocks | {self.name: rows}, columns)

    def map_rows(self, X: Blocks) -> Array:
        """Return the rows of the block."""
        return X.block(self.name)

    @property
    def _key(self) -> Hashable:
        return ("block", self.name)
