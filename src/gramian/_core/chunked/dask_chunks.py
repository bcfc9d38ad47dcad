"""Rows of a dask array or data frame as blocks: one task a block, and only results come back."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from typing import Any, cast

import numpy as np

from gramian._core.array import Array
from gramian._core.chunked.blocks import (
    Add,
    Block,
    Chunks,
    PairProduct,
    Place,
    T,
    check_same_columns,
    concatenate,
)
from gramian._core.chunked.dask import (
    Graph,
    Key,
    RawBlocks,
    Task,
    check_size,
    library,
    parts_of,
    raw_blocks,
)
from gramian._core.parallel import n_threads
from gramian._core.table import Table, column_name_error, plain_weights
from gramian._core.types import Frame, VectorLike
from gramian.errors import InputError

GROUP_BYTES = 1 << 27  # of the rows that a task on pairs takes, on either side
GROUP_ROWS = 256  # under which a task costs more than what it does
WIDE_BYTES = 4 * 8 * 4_000**2  # of covariances that cost more than passes over the rows


@dataclass(frozen=True, eq=False)
class DaskChunks(Chunks):
    """Validated blocks: tables of numbers of the same columns, with weights."""

    raw: RawBlocks
    tasks: list[Task]  # each gives a Block
    known_sizes: tuple[int, ...] | None
    weighted: bool
    budget = WIDE_BYTES
    panel = 1 << 62  # rows are held by the workers

    @classmethod
    def of(
        cls, X: Frame, reader: Callable[[Frame], Table], sample_weight: VectorLike | None = None
    ) -> DaskChunks:
        """Return the blocks of a dask array or data frame, as a reader makes tables of them.

        Weights are an array (n,), or a dask array or Series that is cut like X.
        """
        raw = raw_blocks(X)
        if sample_weight is not None and not hasattr(sample_weight, "to_delayed"):
            raw = raw.with_sizes()
        parts = _weight_parts(sample_weight, raw)
        lazy = [part for part in parts if hasattr(part, "dask")]
        graph, keys = Graph([*raw.tasks, *lazy]), []
        sizes = raw.sizes or [None] * len(raw.tasks)
        for k, (task, size, part) in enumerate(zip(raw.tasks, sizes, parts, strict=True)):
            said = size, getattr(part, "key", part), raw.p, raw.columns
            keys.append(graph.call(_read, raw.place(k), task.key, *said, reader, k, raw.place(k)))
        whole = cls(raw, graph.delayed(keys), raw.sizes, sample_weight is not None)
        return whole if raw.sizes is None else whole.with_sizes()

    def with_sizes(self) -> DaskChunks:
        """Return the blocks that have rows, their sizes known."""
        some = [(task, size) for task, size in zip(self.tasks, self.sizes, strict=True) if size]
        return replace(self, tasks=[t for t, _ in some], known_sizes=tuple(s for _, s in some))

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The number of rows of each block, computed where it was not known."""
        return tuple(self.each(len)) if self.known_sizes is None else self.known_sizes

    @property
    def n(self) -> int:  # type: ignore[override]
        """The number of rows."""
        return sum(self.sizes)

    @property
    def p(self) -> int:  # type: ignore[override]
        """The number of columns."""
        return self.raw.p

    @property
    def slices(self) -> list[slice]:
        """Which rows each block holds."""
        bounds = np.cumsum([0, *self.sizes]).tolist()
        return [slice(start, stop) for start, stop in pairwise(bounds)]

    @property
    def header(self) -> Table:
        """A table of no rows, with the names of the columns."""
        return Table(np.empty((0, self.p)), columns=self.raw.columns)

    @property
    def row_weights(self) -> np.ndarray | None:
        """The weights of all rows, fetched."""
        return np.concatenate(self.each(attrgetter("weights"))) if self.weighted else None

    def each(self, function: Callable[..., T], *args: object, cut: Array | None = None) -> list[T]:
        """Return function(block, *args) of every block."""
        graph = Graph(self.tasks)
        return list(self.raw.compute(graph.delayed(self._calls(graph, function, args, cut))))

    def _sum(
        self, function: Callable[..., T], args: tuple[object, ...], cut: Array | None, add: Add
    ) -> T:
        """Return the sum over the blocks, added up in a tree by the workers."""
        if not self.tasks:
            return cast(T, None)
        graph = Graph(self.tasks)
        key = graph.sum(self._calls(graph, function, args, cut), add)
        return cast(T, self.raw.compute(graph.delayed([key]))[0])

    def _calls(
        self,
        graph: Graph,
        function: Callable[..., object],
        args: Sequence[object],
        cut: Array | None,
    ) -> list[Key]:
        common = [graph.add(arg) for arg in args]
        parts = [()] * len(self.tasks) if cut is None else [(cut[rows],) for rows in self.slices]
        return [
            graph.call(function, None, block.key, *map(graph.add, part), *common)
            for block, part in zip(self.tasks, parts, strict=True)
        ]

    def symmetric(self, function: PairProduct, V: Array, *args: object) -> Array:
        """Return a symmetric matrix times V: one task for each pair of blocks, sums in trees."""
        graph = Graph(self.tasks)
        common, parts = [graph.add(arg) for arg in args], [graph.add(V[s]) for s in self.slices]
        sums: list[list[Key]] = [[] for _ in self.tasks]
        for i, a in enumerate(self.tasks):
            for j, b in enumerate(self.tasks[i:], i):
                other = (None, parts[i], None) if i == j else (b.key, parts[i], parts[j])
                pair = graph.call(function, None, a.key, *other, *common)
                for k, side in ((i, 0), (j, 1))[: 1 + (i < j)]:
                    sums[k].append(graph.add((operator.getitem, pair, side)))
        return np.concatenate(self.raw.compute(graph.delayed([graph.sum(s) for s in sums])))

    def at(self, positions: np.ndarray) -> Table:
        """Return a few rows, in the order of their numbers."""
        graph, keys = Graph(self.tasks), []
        for block, rows in zip(self.tasks, self.slices, strict=True):
            start, stop = np.searchsorted(positions, [rows.start, rows.stop])
            if start < stop:
                keys.append(
                    graph.call(Block.take, None, block.key, positions[start:stop] - rows.start)
                )
        return concatenate(self.raw.compute(graph.delayed(keys))).rows

    def for_pairs(self) -> DaskChunks:
        """Return the rows in blocks made for work on pairs, kept where dask keeps them.

        With T threads there are about 4√T of them: eight pairs for everybody, so that nobody waits
        long for the last ones, and a table that travels no more than 2√T times a product.
        """
        n, p = self.shape
        groups = max(math.ceil(4 * math.sqrt(_threads())), -(-8 * n * p // GROUP_BYTES))
        groups = max(1, min(groups, n // GROUP_ROWS))
        bounds = np.linspace(0, n, groups + 1).astype(int).tolist()
        graph = Graph(self.tasks)
        keys = [self._rows(graph, start, stop) for start, stop in pairwise(bounds)]
        tasks = list(self.raw.compute(graph.delayed(keys), keep=True))
        return replace(self, tasks=tasks, known_sizes=tuple(b - a for a, b in pairwise(bounds)))

    def _rows(self, graph: Graph, start: int, stop: int) -> Key:
        """Add the task of a block of rows, cut out of others; return its key."""
        keys, cuts = [], []
        for task, rows in zip(self.tasks, self.slices, strict=True):
            low, high = max(start, rows.start), min(stop, rows.stop)
            if low < high:
                keys.append(task.key)
                cuts.append(slice(low - rows.start, high - rows.start))
        return graph.call(_join, None, cuts, *keys)


def _threads() -> int:
    """Return how many tasks run at a time: those of the Client, or of this machine."""
    client = getattr(library().base.get_scheduler(), "__self__", None)
    if client is not None and hasattr(client, "nthreads"):
        return max(1, sum(client.nthreads().values()))
    return n_threads()


def _join(cuts: list[slice], *blocks: Block) -> Block:
    return concatenate([block.take(rows) for block, rows in zip(blocks, cuts, strict=True)])


def _weight_parts(w: Frame, raw: RawBlocks) -> list[Any]:
    """Return the weights of each block, as they are."""
    if w is None:
        return [None] * len(raw.tasks)
    if not hasattr(w, "to_delayed"):
        if isinstance(w, str):
            raise column_name_error(w)
        assert raw.sizes is not None
        if raw.columns is not None and hasattr(w, "index"):
            raise InputError(
                "sample_weight has labels whose order may differ from X's partitions: "
                "give a column of the dask DataFrame, or an array"
            )
        return np.split(plain_weights(w, sum(raw.sizes)), np.cumsum(raw.sizes)[:-1])  # type: ignore[arg-type]
    if w.ndim != 1:
        raise InputError(
            f"sample_weight is a dask {type(w).__name__} of {w.ndim} dimensions: give 1"
        )
    if raw.sizes is not None and hasattr(w, "rechunk"):
        if w.shape[0] != sum(raw.sizes):
            raise InputError(
                f"sample_weight has {w.shape[0]} entries but X has {sum(raw.sizes)} rows: give one "
                "each"
            )
        w = w.rechunk((raw.sizes,))
    tasks = parts_of(w)
    if len(tasks) != len(raw.tasks):
        raise InputError(
            f"sample_weight has {len(tasks)} blocks but X has {len(raw.tasks)}: give weights that "
            "are cut like X, such as one of its columns"
        )
    return tasks


def _read(
    raw: Frame,
    size: int | None,
    weights: VectorLike | None,
    p: int,
    columns: list[Any] | None,
    reader: Callable[[Frame], Table],
    k: int,
    place: Place,
) -> Block:
    """Return a block of rows after every check: that its numbers are what X said they would be."""
    rows = reader(raw)
    n, width = rows.values.shape
    names = None if columns is None else rows.columns
    check_same_columns(names, width, columns or range(p), "X says")
    check_size(n, size)
    if weights is not None:
        w = np.asarray(weights)
        none = w.shape == (n,) and not w.any()  # no row of the block counts
        weights = np.zeros(n) if none else plain_weights(weights, n, index=rows.index)
    return Block(rows, weights, k, place)
