"""Rows that dask holds in blocks. The one place that knows dask.

Every computation is a graph of pure tasks that dask runs where it likes: in threads, or on the
workers of whatever Client there is. Nothing is started here, and nothing comes back but answers.
"""

from __future__ import annotations

import math
import operator
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import reduce
from itertools import pairwise
from typing import Any
from uuid import uuid4

import numpy as np
import pandas as pd
from scipy import sparse

from gramian._array import Array, device_of, is_array, is_sparse, to_numpy
from gramian._blocks import alone, n_threads, one_blas_thread
from gramian._chunks import Block, Chunks
from gramian._validate import Table, plain_weights, table
from gramian.errors import ClusterError, InputError, InputTypeError

__all__ = [
    "DaskChunks",
    "RawBlocks",
    "at_hand",
    "computed",
    "dask_array",
    "dask_frame",
    "delayed_call",
    "delayed_sum",
    "delayed_value",
    "lost",
    "raw_blocks",
    "rows_of",
    "too_few",
]

_FEW = 8  # answers that are added up by one task
_GROUP_BYTES = 1 << 27  # of the rows that a task on pairs takes, on either side
_GROUP_ROWS = 256  # under which a task costs more than what it does
_LOST = ("distributed", "tornado")  # libraries whose errors are about machines


def _dask() -> Any:
    """Return dask with its arrays and frames, imported where they are needed and nowhere else."""
    try:
        import dask
        import dask.array
        import dask.dataframe
    except ImportError as error:
        raise InputError(
            "X is of dask, parts of which are missing: pip install 'gramian[dask]'"
        ) from (error)
    return dask


@dataclass(frozen=True, eq=False)
class RawBlocks:
    """The blocks of a dask array or data frame as they are, one task each."""

    tasks: list[Any]
    sizes: tuple[int, ...] | None  # rows of each, None where nobody knows before they are made
    p: int
    columns: list[Any] | None
    dtype: np.dtype

    def place(self, k: int) -> str:
        """Return the words for a block."""
        where = f" (from row {sum(self.sizes[:k]):,} on)" if self.sizes else ""
        return f"block {k + 1} of X{where}"

    def start(self, k: int) -> int:
        """Return the number of the first row of a block, 0 where it is not known."""
        return sum(self.sizes[:k]) if self.sizes else 0

    def mapped(
        self, function: Callable[..., Any], *args: Any, beside: Sequence[Any] | None = None
    ) -> list[Any]:
        """Return the tasks function(block, first row, size, what is beside it, *args)."""
        task, count = _dask().delayed(_told), len(self.tasks)
        sizes, others = self.sizes or [None] * count, beside or [None] * count
        return [
            task(function, self.place(k), raw, self.start(k), sizes[k], others[k], *args)
            for k, raw in enumerate(self.tasks)
        ]


def raw_blocks(X: Any) -> RawBlocks:
    """Return the blocks of rows of a dask array or data frame; columns are brought together."""
    raw = _raw_blocks(X)
    if raw.p == 0:
        raise InputError("X has 0 feature(s) while a minimum of 1 is required: give columns")
    return raw


def _raw_blocks(X: Any) -> RawBlocks:
    dask = _dask()
    if isinstance(X, dask.array.Array):
        if X.ndim != 2:
            raise InputError(f"Expected 2D array for X, got {X.ndim}D array instead: give rows")
        X = X if X.numblocks[1] == 1 else X.rechunk({1: -1})
        known = not any(math.isnan(size) for size in X.chunks[0])
        sizes = tuple(map(int, X.chunks[0])) if known else None
        p = X.shape[1]
        if math.isnan(p):
            raise InputError(
                "X does not know how many columns it has: use X.compute_chunk_sizes() first"
            )
        return RawBlocks(list(X.to_delayed().ravel()), sizes, int(p), None, X.dtype)
    if isinstance(X, dask.dataframe.DataFrame):
        columns = list(X.columns)
        kinds = [kind for kind in X.dtypes if isinstance(kind, np.dtype)] or [np.dtype(float)]
        dtype = np.result_type(*kinds)
        return RawBlocks(list(X.to_delayed()), None, len(columns), columns, dtype)
    raise InputTypeError(
        f"X is a dask {type(X).__name__}, which has no rows of numbers: give a dask array (n, p), "
        "a dask DataFrame, or X.compute() where it fits"
    )


def dask_array(tasks: Sequence[Any], raw: RawBlocks, columns: int, dtype: Any) -> Any:
    """Return a lazy array (n, columns) of what tasks make of the blocks."""
    array = _dask().array
    sizes = raw.sizes or [math.nan] * len(tasks)
    parts = [
        array.from_delayed(task, (size, columns), dtype=dtype)
        for task, size in zip(tasks, sizes, strict=True)
    ]
    return array.concatenate(parts, axis=0, allow_unknown_chunksizes=True)


def dask_frame(tasks: Sequence[Any], meta: pd.DataFrame) -> Any:
    """Return a lazy data frame of what tasks make of the blocks."""
    return _dask().dataframe.from_delayed(list(tasks), meta=meta, verify_meta=False)


def delayed_sum(tasks: Sequence[Any], add: Callable[[Any, Any], Any] = operator.add) -> Any:
    """Return the task of a sum, a tree whose shape depends on the number of tasks alone."""
    plus = _dask().delayed(_plus)
    while len(tasks) > 1:
        # One by one: dask would make a graph of its own of a list.
        tasks = [plus(add, *tasks[k : k + _FEW]) for k in range(0, len(tasks), _FEW)]
    return tasks[0]


def delayed_value(value: Any) -> Any:
    """Return a value as a task of its own, so that it travels once to wherever it is needed."""
    return _dask().delayed(value, traverse=False)


def delayed_call(function: Callable[..., Any], *args: Any) -> Any:
    """Return the task function(*args), which has a core to itself."""
    return _dask().delayed(_told)(function, None, *args)


def _of_graph(
    name: str, graph: dict[Any, Any], keys: Sequence[Any], inputs: Sequence[Any]
) -> list[Any]:
    """Return tasks of a graph that is written out, by their keys."""
    from dask.delayed import Delayed
    from dask.highlevelgraph import HighLevelGraph

    layers = HighLevelGraph.from_collections(name, graph, dependencies=inputs)
    return [Delayed(key, layers, layer=name) for key in keys]


@dataclass(frozen=True)
class _Names:
    """The keys of the tasks of a graph."""

    name: str

    def __call__(self, what: str, *numbers: int) -> tuple[Any, ...]:
        return (f"{what}-{self.name}", *numbers)


def _summed(graph: dict[Any, Any], at: _Names, row: int, parts: list[Any]) -> Any:
    """Write the sum of parts into a graph, a tree; return its key."""
    level = 0
    while len(parts) > 1:
        few = [parts[k : k + _FEW] for k in range(0, len(parts), _FEW)]
        parts = [at("sum", row, level, k) for k in range(len(few))]
        graph |= {key: (_plus, operator.add, *some) for key, some in zip(parts, few, strict=True)}
        level += 1
    return parts[0]


def _plus(add: Callable[[Any, Any], Any], *parts: Any) -> Any:
    there = [part for part in parts if part is not None]
    return reduce(add, there) if there else None


def _told(function: Callable[..., Any], place: str | None, *args: Any) -> Any:
    """Return function(*args) of a block; what is refused is refused with its place."""
    with alone(), _named(place or getattr(args[0], "place", None)):
        return function(*args)


@contextmanager
def _named(place: str | None) -> Iterator[None]:
    try:
        yield
    except (InputError, InputTypeError) as error:
        if place is None or str(error).startswith("block "):
            raise
        raise type(error)(f"{place}: {error}"[:399]) from error


def computed(*tasks: Any) -> tuple[Any, ...]:
    """Return what tasks give, computed together."""
    dask = _dask()
    try:
        with one_blas_thread(), warnings.catch_warnings():
            # V is part of the graph, so that a worker that is lost takes nothing with it.
            warnings.filterwarnings("ignore", message="Sending large graph")
            return dask.compute(*tasks)
    except Exception as error:
        raise lost(error) from error


def lost(error: Exception) -> Exception:
    """Return an error about machines in words, any other as it is."""
    kind = type(error)
    if kind is RuntimeError and "deserialization of the task graph" in str(error):
        return ClusterError(
            "dask's scheduler could not read the work it was sent: what is computed there "
            "(gramian, and functions of yours in the table's graph) must be installed there too, "
            "in the same versions"
        )
    ours = kind.__module__.partition(".")[0] in _LOST or kind.__name__ == "CancelledError"
    if not (ours or isinstance(error, ConnectionError)):
        return error
    return ClusterError(
        f"dask lost what it was computing ({kind.__name__}: {str(error)[:200]}): no result was "
        "kept: see that its scheduler and workers live and have memory, and start again"
    )


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
        if raw.sizes is None and sample_weight is not None and not _is_lazy(sample_weight):
            raw = replace(raw, sizes=computed(*raw.mapped(rows_of)))
        parts = _weight_parts(sample_weight, raw)
        task, named = _dask().delayed(_told), delayed_value(raw.columns)
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
        task, common = _dask().delayed(_told), [delayed_value(arg) for arg in args]
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
        at, sums = _Names(name), [[] for _ in self.tasks]  # type: tuple[_Names, list[list[Any]]]
        graph: dict[Any, Any] = {at("V", i): V[rows] for i, rows in enumerate(self.slices)}
        graph |= {at("argument", k): arg for k, arg in enumerate(args)}
        common = [at("argument", k) for k in range(len(args))]
        for i, a in enumerate(self.tasks):
            for j, b in enumerate(self.tasks[i:], i):
                other = (None, at("V", i), None) if i == j else (b.key, at("V", i), at("V", j))
                graph[at("pair", i, j)] = (_told, function, None, a.key, *other, *common)
                for k, side in ((i, 0), (j, 1))[: 1 + (i < j)]:
                    graph[at("part", i, j, side)] = (operator.getitem, at("pair", i, j), side)
                    sums[k].append(at("part", i, j, side))
        keys = [_summed(graph, at, k, parts) for k, parts in enumerate(sums)]
        return _of_graph(name, graph, keys, self.tasks)

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
            tasks = list(_dask().persist(*held))
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
        return _dask().delayed(_told)(_stacked, None, parts, cuts)

    def at(self, positions: np.ndarray) -> Table:
        """Return a few rows, in the order of their numbers."""
        task, parts = _dask().delayed(_told), []
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
    client = getattr(_dask().base.get_scheduler(), "__self__", None)
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
