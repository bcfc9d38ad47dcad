"""Validation of several blocks of the same individuals."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeGuard

import numpy as np
from scipy import sparse

from gramian._core.array import is_sparse, to_numpy
from gramian._core.embedding import count
from gramian._core.frames import is_default_index, labels_of, order_of
from gramian._core.table import Table, pair_table, square, table
from gramian._core.types import DataLike
from gramian._estimators.base import kernel_rows
from gramian.distances.mixed import Gower
from gramian.errors import InputError, InputTypeError
from gramian.kernels import Kernel
from gramian.kernels.blocks import Blocks, Given, GivenRows, OnBlock
from gramian.kernels.mixed import MixedTable


def is_several(X: DataLike) -> TypeGuard[Mapping[str, Any]]:
    """Whether X is a dict of blocks (some sparse matrices are dicts too)."""
    return isinstance(X, Mapping) and not sparse.issparse(X)


def read_one_table(X: DataLike, kernels: Mapping[str, Kernel], min_rows: int) -> Table:
    """Return the one table that all kernels look at, with its categories where one takes them."""
    for name, kernel in kernels.items():
        if not kernel.takes_vectors:
            raise InputTypeError(
                f"X is one table, but kernels[{name!r}] does not take its rows: give a dict with a "
                "block for each kernel"
            )
    readers = [kernel.for_table(X) for kernel in kernels.values()]
    reader = next((kernel for kernel in readers if isinstance(kernel, MixedTable)), None)
    if reader is not None:
        return replace(reader.table(X, "X", min_rows), reader=reader.reader)
    rows = table(X, "X", min_rows=min_rows)
    if is_sparse(rows.values) and not all(kernel.takes_sparse for kernel in kernels.values()):
        return replace(rows, values=rows.values.toarray())
    return rows


def on_points(rows: Table, kernels: Mapping[str, Kernel]) -> dict[str, Kernel]:
    """Return the kernel of each block on the rows as they were read."""
    if isinstance(rows.values, Blocks):
        kernels = {**kernels, **rows.values.readers}
        return {name: OnBlock(kernel, name) for name, kernel in kernels.items()}
    reader = rows.reader
    if not isinstance(reader, Gower):
        return dict(kernels)
    return {n: MixedTable(k.with_reader(reader, rows.columns), reader) for n, k in kernels.items()}


def read_blocks(X: Mapping[str, Any], kernels: Mapping[str, Kernel], min_rows: int) -> Table:
    """Return the blocks, each read as its kernel takes it, with the labels they share.

    Blocks with the same row labels in another order are put in one; other labels are refused.
    """
    for name in kernels:
        if name not in X:
            raise InputError(f"X has no block {name!r}: give one block for each of {list(kernels)}")
    for name in X:
        if name not in kernels:
            raise InputError(f"X has a block {name!r} without a kernel: add one to kernels=")
    X, index = _in_one_order(X, kernels, min_rows > 1)
    read = {name: _read(X[name], kernel, name, min_rows) for name, kernel in kernels.items()}
    counts = {name: count(rows.values) for name, rows in read.items()}
    if len(set(counts.values())) > 1:
        text = ", ".join(f"{name!r} has {n}" for name, n in counts.items())
        raise InputError(f"X: the blocks must have the same rows, but {text}"[:390])
    columns = {name: rows.columns for name, rows in read.items() if rows.columns is not None}
    readers = {n: rows.reader for n, rows in read.items() if isinstance(rows.reader, MixedTable)}
    blocks = Blocks({name: rows.values for name, rows in read.items()}, columns, readers)
    return Table(blocks, index)


def _read(block: Any, kernel: Kernel, name: str, min_rows: int) -> Table:
    if isinstance(kernel, Given):
        return _read_matrix(block, name, min_rows)
    try:
        rows = kernel_rows(block, kernel, min_rows)
    except (InputError, InputTypeError) as error:
        raise type(error)(f"block {name!r}: {error}"[:399]) from error
    values = rows.values
    if not kernel.takes_vectors:
        return rows
    # Blocks are added up in double precision, where the rounding of a single one would be seen.
    return replace(rows, values=(values if is_sparse(values) else to_numpy(values)).astype(float))


def _read_matrix(block: Any, name: str, min_rows: int) -> Table:
    """Return a matrix of kernel values; of new rows, (K, diag) where k(x, x) is known."""
    diag = None
    if isinstance(block, tuple) and len(block) == 2:
        block, diag = block
    rows = pair_table(block, f"X[{name!r}]", "kernel", min_rows=min_rows)
    K = to_numpy(rows.values).astype(np.float64)
    if min_rows > 1:  # a fit
        square(rows, f"X[{name!r}]", "kernel")
        K = 0.5 * (K + K.T)
        return Table(GivenRows(K, np.arange(len(K)), K.diagonal()), rows.index)
    known = np.full(len(K), np.nan) if diag is None else np.asarray(diag, dtype=np.float64)
    if known.shape != (len(K),):
        raise InputError(f"X[{name!r}]: k(x, x) has shape {known.shape}, not ({len(K)},)")
    return Table(GivenRows(K, np.full(len(K), -1), known), rows.index)


def _in_one_order(
    X: Mapping[str, Any], kernels: Mapping[str, Kernel], fits: bool
) -> tuple[dict[str, Any], Any]:
    """Return the blocks with their rows in the order of the first labelled one, and the labels."""
    index, blocks = None, dict(X)
    for name, block in X.items():
        given = isinstance(block, tuple) and len(block) == 2
        own = labels_of(block[0] if given else block)
        order = order_of(own, index, f"X[{name!r}]", "the blocks before")
        if not isinstance(order, slice):
            blocks[name] = _reorder(block, order, both=fits and isinstance(kernels[name], Given))
        elif index is None or (own is not None and is_default_index(index)):
            index = own
    return blocks, None if index is None or is_default_index(index) else index


def _reorder(block: Any, order: np.ndarray, *, both: bool) -> Any:
    """Return the rows of a block in another order, of kernel values over the rows both sides."""
    if isinstance(block, tuple):  # kernel values of new rows and their k(x, x)
        return block[0].iloc[order], np.asarray(block[1])[order]
    return block.iloc[order, order] if both else block.iloc[order]


def check_like_fit(new: Blocks, fitted: Blocks) -> None:
    """Refuse new blocks whose columns are not those of the fit."""
    for name, block in new.blocks.items():
        width, expected = _width(block), _width(fitted.blocks[name])
        if width != expected:
            raise InputError(
                f"X[{name!r}] has {width} columns, but the fit had {expected}: give the same ones"
            )
        mine, theirs = new.columns.get(name), fitted.columns.get(name)
        if mine is not None and theirs is not None and mine != theirs:
            k = next(k for k in range(len(mine)) if mine[k] != theirs[k])
            raise InputError(
                f"X[{name!r}]: column {k} is {mine[k]!r}, but {theirs[k]!r} in the fit: give the "
                "same columns in the same order"
            )


def _width(block: Any) -> int | None:
    values = block.values if isinstance(block, GivenRows) else block
    return values.shape[1] if len(getattr(values, "shape", ())) == 2 else None
