"""Tasks of dask and the blocks of its arrays and frames, in the one module that imports it.

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
from functools import reduce
from typing import TYPE_CHECKING, Any, TypeAlias
from uuid import uuid4

import numpy as np
import numpy.typing as npt
import pandas as pd
from pandas.api.types import is_bool_dtype, is_numeric_dtype, is_object_dtype

from gramian._core.chunked.blocks import Place, T
from gramian._core.parallel import cluster_failure, one_blas_thread, single_threaded
from gramian._core.types import Frame
from gramian.errors import ClusterError, InputError, InputTypeError, MissingExtraError

if TYPE_CHECKING:
    import dask.array
    import dask.dataframe
    from dask.delayed import Delayed

Task: TypeAlias = "Delayed"
Key: TypeAlias = tuple[str, int]  # of a task in a graph
FAN_IN = 8  # results that one task adds up
REMEDY = "X.dropna() or X.fillna(X.mean()) of a dask DataFrame"  # of missing values


def library() -> Any:
    """Return dask with its arrays and frames, imported when they are needed."""
    try:
        import dask
        import dask.array
        import dask.dataframe
        import dask.optimization
    except ImportError as error:
        raise MissingExtraError(
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
                library().compute(library().delayed(type)(raw))  # made there, and not fetched
            except type(error):
                return self.place(k)
        return None


def parts_of(X: Frame) -> list[Delayed]:
    """Return the blocks of a dask collection, one task each."""
    tasks = list(np.ravel(X.to_delayed()))
    if all(task.key in task.dask for task in tasks):
        return tasks
    # Of what is persisted on a cluster dask leaves out the futures, whose keys other tasks need.
    return list(np.ravel(X.to_delayed(optimize_graph=False)))


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
                "the number of columns of X is unknown: use X.compute_chunk_sizes() first"
            )
        known = not any(math.isnan(size) for size in X.chunks[0])
        sizes = tuple(map(int, X.chunks[0])) if known else None
        raw = RawBlocks(parts_of(X), sizes, int(X.shape[1]), None, X.dtype)
    elif isinstance(X, dask.dataframe.DataFrame):
        kinds = [kind for kind in X.dtypes if isinstance(kind, np.dtype)] or [np.dtype(float)]
        tasks, names = parts_of(X), list(X.columns)
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
