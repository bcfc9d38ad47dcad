"""Blocks and tasks of dask, in the one module that imports it.

Every computation is a graph of pure tasks that dask runs where it likes: in threads, or on the
workers of whatever Client there is. Nothing is started here, and only results come back.
"""

from __future__ import annotations

import math
import operator
import warnings
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import pairwise
from typing import TYPE_CHECKING, Any, TypeAlias, cast
from uuid import uuid4

import numpy as np
import numpy.typing as npt
import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype, is_object_dtype

from gramian._core.array import Array
from gramian._core.chunked.blocks import Block, Chunks, PairProduct, Place, T, concatenate, stack
from gramian._core.parallel import cluster_failure, n_threads, one_blas_thread, single_threaded
from gramian._core.table import Table, column_name_error, plain_weights
from gramian._core.types import Frame, VectorLike
from gramian.errors import ClusterError, InputError, InputTypeError

if TYPE_CHECKING:
    import dask.array
    import dask.dataframe
    from dask.delayed import Delayed

Key: TypeAlias = tuple[str, int]  # of a task in a graph
FAN_IN = 8  # results that one task adds up
GROUP_BYTES = 1 << 27  # of the rows that a task on pairs takes, on either side
GROUP_ROWS = 256  # under which a task costs more than what it does
WIDE_BYTES = 4 * 8 * 4_000**2  # of covariances that cost more than passes over the rows
REMEDY = "X.dropna() or X.fillna(X.mean()) of a dask DataFrame"  # of missing values


def library() -> Any:
    """Return dask with its arrays and frames, imported when they are needed."""
    try:
        import dask
        import dask.array
        import dask.dataframe
        import dask.optimization
    except ImportError as error:
        raise InputError(
            "X is of dask, parts of which are missing: pip install 'gramian[dask]'"
        ) from error
    return dask


def run(function: Callable[..., T], place: Place | None, *args: object) -> T:
    """Return function(*args) by one thread; errors name the place, or that of the first block."""
    with single_threaded(), place or getattr(args[0], "place", None) or nullcontext():
        return function(*args)


class Graph:
    """Tasks as one graph: made one by one they would take as long as small products."""

    def __init__(self, inputs: Sequence[Any]) -> None:
        self.inputs, self.name = list(inputs), f"gramian-{uuid4().hex}"
        self.tasks: dict[Any, Any] = {}

    def add(self, task: object) -> Key:
        """Add a task, or a value that travels once to wherever it is needed; return its key."""
        key = (self.name, len(self.tasks))
        self.tasks[key] = task
        return key

    def call(self, function: Callable[..., object], place: Place | None, *args: object) -> Key:
        """Add the task function(*args), arguments being values or keys."""
        return self.add((run, function, place, *args))

    def sum(self, keys: Sequence[Key], add: Callable[[Any, Any], Any] = operator.add) -> Key:
        """Add the tasks of a sum, a tree whose shape depends on the number of keys alone."""
        while len(keys) > 1:
            few = [keys[k : k + FAN_IN] for k in range(0, len(keys), FAN_IN)]
            keys = [self.add((_plus, add, *some)) for some in few]
        return keys[0]

    def delayed(self, keys: Sequence[Key]) -> list[Delayed]:
        """Return tasks by their keys, as dask's users have them."""
        from dask.delayed import Delayed
        from dask.highlevelgraph import HighLevelGraph

        graph = HighLevelGraph.from_collections(self.name, self.tasks, dependencies=self.inputs)
        return [Delayed(key, graph, layer=self.name) for key in keys]


def _plus(add: Callable[[T, T], T], *parts: T | None) -> T | None:
    some = [part for part in parts if part is not None]
    return reduce(add, some) if some else None


@dataclass(frozen=True, eq=False)
class RawBlocks:
    """The blocks of a dask array or data frame as they are, one task each."""

    tasks: list[Delayed]
    sizes: tuple[int, ...] | None  # rows of each, None where they are known after computing
    p: int
    columns: list[Any] | None
    dtype: np.dtype

    def start(self, k: int) -> int:
        """Return the number of the first row of a block, 0 where it is not known."""
        return sum(self.sizes[:k]) if self.sizes else 0

    def place(self, k: int) -> Place:
        """Return the words for a block."""
        where = f" (from row {self.start(k):,} on)" if self.sizes else ""
        # Rows of a frame have labels, which messages name too.
        return Place(f"block {k + 1} of X{where}", 0 if self.columns else self.start(k), REMEDY)

    def with_sizes(self) -> RawBlocks:
        """Return the same with the sizes of the blocks, which are computed if need be."""
        if self.sizes is not None:
            return self
        graph = Graph(self.tasks)
        keys = [graph.call(_count, self.place(k), raw.key) for k, raw in enumerate(self.tasks)]
        return replace(self, sizes=self.compute(graph.delayed(keys)))

    def compute(self, tasks: Sequence[Delayed], *, keep: bool = False) -> tuple[Any, ...]:
        """Return what tasks give, computed together; errors of the graph of X name their block.

        With `keep`, tasks whose results stay where dask keeps them.
        """
        try:
            with one_blas_thread(), warnings.catch_warnings():
                # V is part of the graph, so that a lost worker takes nothing with it.
                warnings.filterwarnings("ignore", message="Sending large graph")
                return (library().persist if keep else library().compute)(*tasks)
        except (InputError, InputTypeError, MemoryError):
            raise
        except Exception as error:
            named = cluster_failure(error)
            if named is None:
                place = self._place_of(error)
                if place is None:
                    raise
                raise place.failure(error) from error
            raise ClusterError(self._killer(error) + named) from error

    def _killer(self, error: Exception) -> str:
        """Return the words for the one block whose task ended all its workers."""
        if not (key := str(getattr(error, "task", ""))):
            return ""
        cull = library().optimization.cull
        graphs = (cull(dict(task.dask), [task.key])[0] for task in self.tasks)
        which = [k for k, graph in enumerate(graphs) if key in map(str, graph)]
        if len(which) == 1:
            return f"{self.place(which[0]).words}: "
        # Dask names the last task that was lost, which may be one that needs several blocks.
        place = self._place_of(error)
        return "" if place is None else f"{place.words}: "

    def _place_of(self, error: Exception) -> Place | None:
        """Return the block that raises such an error, found by making one after the other."""
        for k, raw in enumerate(self.tasks):
            try:
                library().compute(library().delayed(_forget)(raw))
            except type(error):
                return self.place(k)
        return None


def _forget(raw: object) -> None:
    return None


def _count(raw: Frame) -> int:
    if not hasattr(raw, "shape"):
        raise InputTypeError(f"it is {type(raw).__name__}, no table of rows")
    return int(raw.shape[0])


def raw_blocks(X: Frame) -> RawBlocks:
    """Return the blocks of rows of a dask array or data frame; columns are brought together."""
    dask = library()
    if isinstance(X, dask.array.Array):
        if X.ndim != 2:
            raise InputError(f"Expected 2D array for X, got {X.ndim}D array instead: give rows")
        X = X if X.numblocks[1] == 1 else X.rechunk({1: -1})
        if math.isnan(X.shape[1]):
            raise InputError(
                "X does not know how many columns it has: use X.compute_chunk_sizes() first"
            )
        known = not any(math.isnan(size) for size in X.chunks[0])
        sizes = tuple(map(int, X.chunks[0])) if known else None
        raw = RawBlocks(list(X.to_delayed().ravel()), sizes, int(X.shape[1]), None, X.dtype)
    elif isinstance(X, dask.dataframe.DataFrame):
        kinds = [kind for kind in X.dtypes if isinstance(kind, np.dtype)] or [np.dtype(float)]
        tasks, names = list(X.to_delayed()), list(X.columns)
        raw = RawBlocks(tasks, None, len(names), names, np.result_type(*kinds))
    else:
        raise InputTypeError(
            f"X is a dask {type(X).__name__}, which has no rows of numbers: give a dask array "
            "(n, p), a dask DataFrame, or X.compute() where it fits"
        )
    if raw.p == 0:
        raise InputError("X has 0 feature(s) while a minimum of 1 is required: give columns")
    return raw


def lazy_array(
    tasks: Sequence[Delayed], raw: RawBlocks, columns: int, dtype: npt.DTypeLike
) -> dask.array.Array:
    """Return a lazy array (n, columns) of what tasks make of the blocks."""
    array, sizes = library().array, raw.sizes or [math.nan] * len(tasks)
    parts = [
        array.from_delayed(task, (size, columns), dtype=dtype)
        for task, size in zip(tasks, sizes, strict=True)
    ]
    return array.concatenate(parts, axis=0, allow_unknown_chunksizes=True)


def lazy_frame(tasks: Sequence[Delayed], meta: pd.DataFrame) -> dask.dataframe.DataFrame:
    """Return a lazy data frame of what tasks make of the blocks."""
    return library().dataframe.from_delayed(list(tasks), meta=meta, verify_meta=False)


@dataclass(frozen=True, eq=False)
class DaskChunks(Chunks):
    """Validated blocks: tables of numbers of the same columns, with weights."""

    raw: RawBlocks
    tasks: list[Delayed]  # each gives a Block
    known_sizes: tuple[int, ...] | None
    weighted: bool
    budget = WIDE_BYTES
    panel = 1 << 62  # rows are held by the workers

    @classmethod
    def of(
        cls, X: Frame, reader: Callable[[Frame], Table], sample_weight: VectorLike | None = None
    ) -> DaskChunks:
        """Return the blocks of a dask array or data frame.

        Parameters
        ----------
        reader : function
            Makes a table of a block, or says what is wrong with it.
        sample_weight : array (n,), dask array or dask Series like X, optional
        """
        raw = raw_blocks(X)
        if sample_weight is not None and not hasattr(sample_weight, "to_delayed"):
            raw = raw.with_sizes()
        parts = _weight_parts(sample_weight, raw)
        lazy = [part for part in parts if hasattr(part, "dask")]
        graph = Graph([*raw.tasks, *lazy])
        keys = [
            graph.call(
                *(_read, raw.place(k), task.key),
                *(None if raw.sizes is None else raw.sizes[k], getattr(part, "key", part)),
                *(raw.p, raw.columns, reader, k, raw.place(k)),
            )
            for k, (task, part) in enumerate(zip(raw.tasks, parts, strict=True))
        ]
        whole = cls(raw, graph.delayed(keys), raw.sizes, sample_weight is not None)
        return whole if raw.sizes is None else whole._of_sizes(raw.sizes)

    def _of_sizes(self, sizes: Sequence[int]) -> DaskChunks:
        """Return the same with the sizes of the blocks, those without rows left out."""
        some = [(task, size) for task, size in zip(self.tasks, sizes, strict=True) if size]
        return replace(self, tasks=[t for t, _ in some], known_sizes=tuple(s for _, s in some))

    def with_sizes(self) -> DaskChunks:
        """Return the blocks that have rows, their sizes known."""
        return self._of_sizes(self.sizes)

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
        return np.concatenate(self.each(_weights)) if self.weighted else None

    def each(self, function: Callable[..., T], *args: object, cut: Array | None = None) -> list[T]:
        """Return function(block, *args) of every block."""
        graph = Graph(self.tasks)
        return list(self.raw.compute(graph.delayed(self._calls(graph, function, args, cut))))

    def total(
        self,
        function: Callable[..., T],
        *args: object,
        cut: Array | None = None,
        add: Callable[[Any, Any], Any] = operator.add,
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
                keys.append(graph.call(_take, None, block.key, positions[start:stop] - rows.start))
        return Table(stack(self.raw.compute(graph.delayed(keys))))

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


def _take(block: Block, rows: np.ndarray) -> Array:
    return block.values[rows]


def _weights(block: Block) -> np.ndarray:
    assert block.weights is not None
    return block.weights


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
                "sample_weight has labels that are not in the order of X's partitions for sure: "
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
    tasks = list(np.ravel(w.to_delayed()))
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
    if width != p:
        raise InputError(
            f"it has {width} columns, but X says {p}: give blocks of the same columns, and the "
            "meta that is true of them"
        )
    if columns is not None and rows.columns != columns:
        raise InputError(
            f"its columns are {str(rows.columns)[:80]}, but X says {str(columns)[:80]}: give the "
            "same columns in the same order"
        )
    check_size(n, size)
    if weights is not None:
        w = np.asarray(weights)
        none = w.shape == (n,) and not w.any()  # no row of the block counts
        weights = np.zeros(n) if none else plain_weights(weights, n, index=rows.index)
    return Block(rows, weights, k, place)


def check_size(n: int, size: int | None) -> None:
    """Refuse a block with another number of rows than X says."""
    if size is not None and n != size:
        raise InputError(f"it has {n} rows, but X says {size}: use X.compute_chunk_sizes() first")


def refuse_texts(X: Frame) -> None:
    """Refuse a data frame with a column that is not of numbers, before a block of it is made."""
    for name, kind in X.dtypes.items() if isinstance(X, library().dataframe.DataFrame) else ():
        if not (is_numeric_dtype(kind) or is_bool_dtype(kind) or is_object_dtype(kind)):
            raise InputError(
                f"X has a column that is not numeric: {name!r} holds {kind}: leave it out, as "
                "X.select_dtypes('number') does"
            )
