"""Blocks and tasks of dask. The one place that knows dask.

Every computation is a graph of pure tasks that dask runs where it likes: in threads, or on the
workers of whatever Client there is. Nothing is started here, and nothing comes back but answers.
"""

from __future__ import annotations

import math
import operator
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
import pandas as pd

from gramian._blocks import alone, one_blas_thread
from gramian._chunks import said_of
from gramian.errors import ClusterError, InputError, InputTypeError

__all__ = [
    "Names",
    "RawBlocks",
    "computed",
    "dask_array",
    "dask_frame",
    "delayed_call",
    "delayed_sum",
    "delayed_value",
    "library",
    "lost",
    "of_graph",
    "raw_blocks",
    "summed",
    "told",
]

_FEW = 8  # answers that are added up by one task
_REMEDY = "X.dropna() or X.fillna(X.mean()) of a dask DataFrame"  # of holes
_LOST = ("distributed", "tornado")  # libraries whose errors are about machines


def library() -> Any:
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


class Place(str):
    """The words for a block, and the number of its first row where its rows have no labels."""

    start: int

    def __new__(cls, words: str, start: int) -> Place:
        place = super().__new__(cls, words)
        place.start = start
        return place

    def __reduce__(self) -> tuple[type, tuple[str, int]]:
        return Place, (str(self), self.start)


@dataclass(frozen=True, eq=False)
class RawBlocks:
    """The blocks of a dask array or data frame as they are, one task each."""

    tasks: list[Any]
    sizes: tuple[int, ...] | None  # rows of each, None where nobody knows before they are made
    p: int
    columns: list[Any] | None
    dtype: np.dtype

    def place(self, k: int) -> Place:
        """Return the words for a block."""
        where = f" (from row {sum(self.sizes[:k]):,} on)" if self.sizes else ""
        # Rows of a frame have labels of their own, in what is said too.
        return Place(f"block {k + 1} of X{where}", 0 if self.columns else self.start(k))

    def start(self, k: int) -> int:
        """Return the number of the first row of a block, 0 where it is not known."""
        return sum(self.sizes[:k]) if self.sizes else 0

    def mapped(
        self, function: Callable[..., Any], *args: Any, beside: Sequence[Any] | None = None
    ) -> list[Any]:
        """Return the tasks function(block, first row, size, what is beside it, *args)."""
        task, count = library().delayed(told), len(self.tasks)
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
    dask = library()
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
    array = library().array
    sizes = raw.sizes or [math.nan] * len(tasks)
    parts = [
        array.from_delayed(task, (size, columns), dtype=dtype)
        for task, size in zip(tasks, sizes, strict=True)
    ]
    return array.concatenate(parts, axis=0, allow_unknown_chunksizes=True)


def dask_frame(tasks: Sequence[Any], meta: pd.DataFrame) -> Any:
    """Return a lazy data frame of what tasks make of the blocks."""
    return library().dataframe.from_delayed(list(tasks), meta=meta, verify_meta=False)


def delayed_sum(tasks: Sequence[Any], add: Callable[[Any, Any], Any] = operator.add) -> Any:
    """Return the task of a sum, a tree whose shape depends on the number of tasks alone."""
    plus = library().delayed(_plus)
    while len(tasks) > 1:
        # One by one: dask would make a graph of its own of a list.
        tasks = [plus(add, *tasks[k : k + _FEW]) for k in range(0, len(tasks), _FEW)]
    return tasks[0]


def delayed_value(value: Any) -> Any:
    """Return a value as a task of its own, so that it travels once to wherever it is needed."""
    return library().delayed(value, traverse=False)


def delayed_call(function: Callable[..., Any], *args: Any) -> Any:
    """Return the task function(*args), which has a core to itself."""
    return library().delayed(told)(function, None, *args)


def of_graph(
    name: str, graph: dict[Any, Any], keys: Sequence[Any], inputs: Sequence[Any]
) -> list[Any]:
    """Return tasks of a graph that is written out, by their keys."""
    from dask.delayed import Delayed
    from dask.highlevelgraph import HighLevelGraph

    layers = HighLevelGraph.from_collections(name, graph, dependencies=inputs)
    return [Delayed(key, layers, layer=name) for key in keys]


@dataclass(frozen=True)
class Names:
    """The keys of the tasks of a graph."""

    name: str

    def __call__(self, what: str, *numbers: int) -> tuple[Any, ...]:
        return (f"{what}-{self.name}", *numbers)


def summed(graph: dict[Any, Any], at: Names, row: int, parts: list[Any]) -> Any:
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


def told(function: Callable[..., Any], place: str | None, *args: Any) -> Any:
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
        raise said_of(error, place, getattr(place, "start", 0), _REMEDY) from error


def computed(*tasks: Any) -> tuple[Any, ...]:
    """Return what tasks give, computed together."""
    dask = library()
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
