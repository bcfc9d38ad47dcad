"""Rows that dask holds in blocks: looked at, counted, and computed with where they are."""

from __future__ import annotations

import math
import operator
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any
from uuid import uuid4

import numpy as np
from pandas.api.types import is_bool_dtype, is_numeric_dtype, is_object_dtype
from scipy import sparse

from gramian._array import Array, device_of, is_array, is_sparse, to_numpy
from gramian._blocks import n_threads
from gramian._chunks import Block, Chunks
from gramian._dask import (
    Names,
    RawBlocks,
    computed,
    delayed_sum,
    delayed_value,
    library,
    of_graph,
    raw_blocks,
    summed,
    told,
)
from gramian._validate import Table, plain_weights, refuse_name, table
from gramian.errors import InputError, InputTypeError

__all__ = ["DaskChunks", "at_hand", "refuse_texts", "rows_of", "too_few"]

_GROUP_BYTES = 1 << 27  # of the rows that a task on pairs takes, on either side
_GROUP_ROWS = 256  # under which a task costs more than what it does


@dataclass(frozen=True, eq=False)
class DaskChunks(Chunks):
    """Blocks of rows that were looked at: tables of numbers of the same columns, with weights."""

    tasks: list[Any]  # each gives a Block
    sizes: tuple[int, ...] | None  # type: ignore[assignment]
    p: int
    columns: list[Any] | None
    weighted: bool

    @classmethod
    def of(
        cls, X: Any, sample_weight: Any = None, reader: Callable[[Any], Table] | None = None
    ) -> DaskChunks:
        """Return the blocks of a dask array or data frame.

        Parameters
        ----------
        sample_weight : array (n,), dask array or dask Series like X, optional
        reader : function
            Makes a table of a block; `table` by default.
        """
        raw = raw_blocks(X)
        if reader is None:
            refuse_texts(X)
        if raw.sizes is None and sample_weight is not None and not _is_lazy(sample_weight):
            raw = replace(raw, sizes=computed(*raw.mapped(rows_of)))
        parts = _weight_parts(sample_weight, raw)
        task, named = library().delayed(told), delayed_value(raw.columns)
        sizes = raw.sizes or [None] * len(raw.tasks)
        tasks = [
            task(_read, raw.place(k), block, size, parts[k], raw.p, named, reader, k, raw.place(k))
            for k, (block, size) in enumerate(zip(raw.tasks, sizes, strict=True))
        ]
        weighted = sample_weight is not None
        return cls(tasks, raw.sizes, raw.p, raw.columns, weighted)._without_empty()

    @property
    def header(self) -> Table:
        """No rows at all, with the columns of X."""
        return Table(np.empty((0, self.p)), columns=self.columns)

    def sized(self) -> DaskChunks:
        """Return the same with the number of rows of each block, computed where nobody knew it."""
        if self.sizes is not None:
            return self
        return replace(self, sizes=tuple(self.each(len)))._without_empty()

    def _without_empty(self) -> DaskChunks:
        if self.sizes is None or all(self.sizes):
            return self
        some = [(task, size) for task, size in zip(self.tasks, self.sizes, strict=True) if size]
        return replace(self, tasks=[t for t, _ in some], sizes=tuple(size for _, size in some))

    def each(self, function: Callable[..., Any], *args: Any, cut: Array | None = None) -> list[Any]:
        """Return function(block, *args) of every block."""
        return list(computed(*self._tasks(function, args, cut))) if self.tasks else []

    def total(
        self,
        function: Callable[..., Any],
        *args: Any,
        cut: Array | None = None,
        add: Callable[[Any, Any], Any] = operator.add,
    ) -> Any:
        """Return the sum over the blocks, added up in a tree where they are."""
        if not self.tasks:
            return None
        return computed(delayed_sum(self._tasks(function, args, cut), add))[0]

    def _tasks(
        self, function: Callable[..., Any], args: Sequence[Any], cut: Array | None
    ) -> list[Any]:
        task, common = library().delayed(told), [delayed_value(arg) for arg in args]
        parts = [()] * len(self.tasks) if cut is None else [(cut[rows],) for rows in self.slices]
        return [
            task(function, None, block, *part, *common)
            for block, part in zip(self.tasks, parts, strict=True)
        ]

    def symmetric(self, function: Callable[..., Any], V: Array, *args: Any) -> Array:
        """Return a symmetric matrix times V: one task for each pair of blocks, sums in trees."""
        return np.concatenate(computed(*self.symmetric_tasks(function, V, *args)))

    def symmetric_tasks(self, function: Callable[..., Any], V: Array, *args: Any) -> list[Any]:
        """Return the tasks of the rows of such a product, one for each block.

        As one graph, in dask's own words: tasks that are made one by one take as long as small
        products, and all workers wait meanwhile.
        """
        name = f"product-{uuid4().hex}"
        at, sums = Names(name), [[] for _ in self.tasks]  # type: tuple[Names, list[list[Any]]]
        graph: dict[Any, Any] = {at("V", i): V[rows] for i, rows in enumerate(self.slices)}
        graph |= {at("argument", k): arg for k, arg in enumerate(args)}
        common = [at("argument", k) for k in range(len(args))]
        for i, a in enumerate(self.tasks):
            for j, b in enumerate(self.tasks[i:], i):
                other = (None, at("V", i), None) if i == j else (b.key, at("V", i), at("V", j))
                graph[at("pair", i, j)] = (told, function, None, a.key, *other, *common)
                for k, side in ((i, 0), (j, 1))[: 1 + (i < j)]:
                    graph[at("part", i, j, side)] = (operator.getitem, at("pair", i, j), side)
                    sums[k].append(at("part", i, j, side))
        keys = [summed(graph, at, k, parts) for k, parts in enumerate(sums)]
        return of_graph(name, graph, keys, self.tasks)

    def held(self) -> DaskChunks:
        """Return the rows in blocks made for work on pairs, kept where dask keeps them.

        With T threads there are about 4√T of them: eight pairs for everybody, so that nobody waits
        long for the last ones, and a table that travels no more than 2√T times a product.
        """
        chunks = self.sized()
        n, p = chunks.shape
        groups = max(math.ceil(4 * math.sqrt(_threads())), -(-8 * n * p // _GROUP_BYTES))
        groups = max(1, min(groups, n // _GROUP_ROWS))
        bounds = np.linspace(0, n, groups + 1).astype(int).tolist()
        held = [chunks._rows(start, stop) for start, stop in pairwise(bounds)]
        with _untold():
            tasks = list(library().persist(*held))
        sizes = tuple(stop - start for start, stop in pairwise(bounds))
        return replace(chunks, tasks=tasks, sizes=sizes)

    def _rows(self, start: int, stop: int) -> Any:
        """Return the task of a block of rows, cut out of others."""
        parts, cuts = [], []
        for task, rows in zip(self.tasks, self.slices, strict=True):
            low, high = max(start, rows.start), min(stop, rows.stop)
            if low < high:
                parts.append(task)
                cuts.append(slice(low - rows.start, high - rows.start))
        return library().delayed(told)(_stacked, None, parts, cuts)

    def at(self, positions: np.ndarray) -> Table:
        """Return a few rows, in the order of their numbers."""
        task, parts = library().delayed(told), []
        for block, rows in zip(self.tasks, self.slices, strict=True):
            start, stop = np.searchsorted(positions, [rows.start, rows.stop])
            if start < stop:
                parts.append(task(_taken, None, block, positions[start:stop] - rows.start))
        return Table(_vstack(computed(*parts)))


def too_few(n: int) -> InputError:
    """Return the refusal of less than two rows that count."""
    return InputError(f"X has {n} sample(s) with a weight while a minimum of 2 is required")


def _threads() -> int:
    """Return how many tasks run at a time: those of the Client, or of this machine."""
    client = getattr(library().base.get_scheduler(), "__self__", None)
    if client is not None and hasattr(client, "nthreads"):
        return max(1, sum(client.nthreads().values()))
    return n_threads()


@contextmanager
def _untold() -> Iterator[None]:
    """Return a context that leaves out dask's word about large graphs."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sending large graph")
        yield


def _is_lazy(w: Any) -> bool:
    return hasattr(w, "to_delayed")


def _weight_parts(w: Any, raw: RawBlocks) -> list[Any]:
    """Return the weights of each block, as they are."""
    count = len(raw.tasks)
    if w is None:
        return [None] * count
    if not _is_lazy(w):
        if isinstance(w, str):
            raise refuse_name(w)
        assert raw.sizes is not None
        if raw.columns is not None and hasattr(w, "index"):
            raise InputError(
                "sample_weight has labels that are not in the order of X's partitions for sure: "
                "give a column of the dask DataFrame, or an array"
            )
        whole = plain_weights(w, sum(raw.sizes))
        ends = np.cumsum(raw.sizes)
        return [whole[end - size : end] for end, size in zip(ends, raw.sizes, strict=True)]  # type: ignore[index]
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
    tasks = list(np.ravel(w.to_delayed()))
    if len(tasks) != count:
        raise InputError(
            f"sample_weight has {len(tasks)} blocks but X has {count}: give weights that are cut "
            "like X, such as one of its columns"
        )
    return tasks


def rows_of(raw: Any, start: int, size: int | None, beside: None) -> int:
    """Return the number of rows of a block."""
    if not hasattr(raw, "shape"):
        raise InputTypeError(f"it is {type(raw).__name__}, no table of rows")
    return int(raw.shape[0])


def _read(
    raw: Any,
    size: int | None,
    weights: Any,
    p: int,
    columns: list[Any] | None,
    reader: Callable[[Any], Table] | None,
    k: int,
    place: str,
) -> Block:
    """Return a block of rows after every check: that its numbers are what X said they would be."""
    rows = table(raw, "X", min_rows=0) if reader is None else reader(raw)
    rows = replace(rows, values=at_hand(rows.values))
    n, found = rows.values.shape
    if found != p:
        raise InputError(
            f"it has {found} columns, but X says {p}: give blocks of the same columns, and the "
            "meta that is true of them"
        )
    if columns is not None and rows.columns != columns:
        raise InputError(
            f"its columns are {str(rows.columns)[:80]}, but X says {str(columns)[:80]}: give the "
            "same columns in the same order"
        )
    if size is not None and n != size:
        raise InputError(f"it has {n} rows, but X says {size}: use X.compute_chunk_sizes() first")
    if weights is None:
        return Block(rows, None, k, place)
    w = np.asarray(weights)
    if w.shape == (n,) and not w.any():  # none of these rows counts
        return Block(rows, np.zeros(n), k, place)
    return Block(rows, plain_weights(weights, n, index=rows.index), k, place)


def refuse_texts(X: Any) -> None:
    """Refuse a data frame with a column that is of no numbers, before a block of it is made."""
    for name, kind in getattr(X, "dtypes", {}).items():
        plain = is_numeric_dtype(kind) or is_bool_dtype(kind) or is_object_dtype(kind)
        if not plain:
            raise InputError(
                f"X has a column that is not numeric: {name!r} holds {kind}: leave it out, as "
                "X.select_dtypes('number') does"
            )


def at_hand(X: Any) -> Any:
    """Return blocks of another library that lie in this memory as NumPy's, which all steps take."""
    return to_numpy(X) if is_array(X) and str(device_of(X)) == "cpu" else X


def _stacked(parts: list[Block], cuts: list[slice]) -> Block:
    values = _vstack([part.values[cut] for part, cut in zip(parts, cuts, strict=True)])
    if parts[0].weights is None:
        return Block(Table(values))
    weights = [part.weights[cut] for part, cut in zip(parts, cuts, strict=True)]  # type: ignore[index]
    return Block(Table(values), np.concatenate(weights))


def _taken(block: Block, rows: np.ndarray) -> Array:
    return block.values[rows]


def _vstack(parts: Sequence[Any]) -> Any:
    if is_sparse(parts[0]):
        return sparse.csr_array(sparse.vstack(parts, format="csr"))
    return parts[0] if len(parts) == 1 else np.concatenate(parts)
