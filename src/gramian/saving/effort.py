"""How much work a trial of a model would be."""

from __future__ import annotations

from collections.abc import Sized
from typing import Any

import numpy as np

from gramian._array import is_sparse
from gramian.embedding import (
    GramModel,
    Record,
    is_table,
)
from gramian.estimators.inside import MapModel
from gramian.kernels import Kernel
from gramian.kernels.blocks import Blocks, GivenRows
from gramian.kernels.graph import Graph
from gramian.kernels.objects import Objects
from gramian.operators import DistanceGram
from gramian.saving.kernels import is_quick

__all__ = ["SMALL", "is_quick_record", "size_of_rows", "work"]

SMALL = 1 << 16  # numbers in rows that are tried


def is_quick_record(record: Record) -> bool:
    """Whether the kernels of a model have no parameter that might be rounds of a loop."""
    operator = getattr(record.model, "operator", None)
    by = getattr(getattr(record.model, "principal", None), "features", None)
    metric = getattr(getattr(operator, "metric", None), "metric", None)
    holders = (operator, getattr(by, "kernel_map", None))
    kernels = [getattr(holder, "kernel", None) for holder in holders] + [metric]
    return all(is_quick(kernel) for kernel in kernels if isinstance(kernel, Kernel))


def work(record: Record) -> int:
    """Return about how many numbers a trial looks at: those of the rows, and of their pairs."""
    m, size = record.model, size_of_rows(record.training.require().values)
    if isinstance(m, MapModel):
        return size + m.arrangement.delta.size
    by_pairs = isinstance(m, GramModel) and isinstance(m.operator, DistanceGram)
    return size + (record.training.n_live**2 if by_pairs else 0)


def size_of_rows(rows: Any) -> int:
    """Return about how many numbers are in rows."""
    if is_sparse(rows):
        return int(rows.nnz)
    if is_table(rows):
        return int(rows.shape[0] * rows.shape[1])
    if isinstance(rows, Blocks):
        return sum(size_of_rows(block) for block in rows.blocks.values())
    if isinstance(rows, GivenRows):
        return int(rows.values.size)
    if isinstance(rows, Objects | list | np.ndarray):
        return sum(_size_of(item) for item in rows)
    return SMALL + 1


def _size_of(item: Any) -> int:
    """Return the size of an object; most kernels of objects grow with its square."""
    if isinstance(item, Graph):
        return item.n_nodes**2 + item.n_edges
    return len(item) ** 2 if isinstance(item, Sized) else 1
