"""Rows of blocks: put together, some of them by chance, and without missing values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from gramian._array import is_sparse
from gramian._check import generator, is_label, one_of, short, whole
from gramian.errors import InputError

__all__ = [
    "check_columns",
    "check_how",
    "columns_like",
    "counted_on",
    "filled",
    "names_of",
    "sampled",
    "together",
    "without_holes",
]

_HOW = ("drop-rows", "mean")  # what can be done about holes, block by block


def together(parts: Sequence[Any]) -> Any:
    """Return blocks as one table."""
    if hasattr(parts[0], "columns"):
        return pd.concat(parts)
    if is_sparse(parts[0]):
        from scipy import sparse

        return sparse.vstack(parts, format="csr")
    return np.concatenate([np.asarray(part) for part in parts])


def sampled(blocks: Iterable[Any], n_rows: int, n: int, random_state: Any) -> Any:
    """Return n of the rows, each as likely as any other, in their order, by one pass."""
    rng = generator(random_state)
    chosen = np.sort(rng.choice(n_rows, min(whole(n, "n", 1), n_rows), replace=False))
    parts, first = [], 0
    for block in blocks:
        start, stop = np.searchsorted(chosen, [first, first + block.shape[0]])
        at = chosen[start:stop] - first
        parts.append(block.iloc[at] if hasattr(block, "iloc") else block[at])
        first += block.shape[0]
    return together([part for part in parts if part.shape[0]])


def check_columns(
    columns: Sequence[Any], known: Sequence[Any], left: Mapping[Any, str], name: str
) -> list[Any]:
    """Return columns that are known; of others, `left` says why they were left out."""
    for column in columns:
        if not is_label(column) or column not in known:
            why = left.get(column) if is_label(column) else None
            raise InputError(f"columns: {short(column)} {why or 'is no column'} of {name}")
    return list(columns)


def columns_like(block: Any, columns: list[Any] | None, place: str) -> list[Any]:
    """Return the columns of a block; they must be those of the blocks before, if there are any."""
    names = list(block.columns) if hasattr(block, "columns") else None
    if columns is None:
        return names if names is not None else list(range(block.shape[1]))
    if block.shape[1] != len(columns):
        raise InputError(
            f"{place} has {block.shape[1]} columns, but the blocks before have {len(columns)}: "
            "give blocks of the same columns"
        )
    if names is not None and names != columns:
        k = next(k for k, name in enumerate(names) if name != columns[k])
        raise InputError(
            f"{place} has the column {names[k]!r} where the blocks before have {columns[k]!r}: "
            "give the same columns in the same order"
        )
    return columns


def counted_on(block: Any, start: int) -> Any:
    """Return a block whose rows, where they are counted from 0, are counted from the first block.

    >>> counted_on(pd.DataFrame({"a": [1.0, 2.0]}), 7).index
    RangeIndex(start=7, stop=9, step=1)
    """
    index = getattr(block, "index", None)
    if not start or not isinstance(index, pd.RangeIndex) or index.start != 0:
        return block
    return block.set_axis(pd.RangeIndex(start, start + len(index)))


def names_of(block: Any, names: pd.Index | None = None) -> pd.Index | None:
    """Return the names of the rows of a block where it has some, else those it was made with."""
    index = getattr(block, "index", None)
    own = isinstance(index, pd.Index) and not isinstance(index, pd.RangeIndex)
    return index if own else names


def without_holes(block: Any) -> Any:
    """Return the rows of a block that miss no number.

    >>> without_holes(np.array([[1.0, np.nan], [2.0, 3.0]]))
    array([[2., 3.]])
    """
    if is_sparse(block):
        rows = np.repeat(np.arange(block.shape[0]), np.diff(block.indptr))
        return block[~np.isin(np.arange(block.shape[0]), rows[np.isnan(block.data)])]
    if hasattr(block, "index"):  # those that stay keep their numbers, in this block or another
        block = block.set_axis(pd.Index(np.asarray(block.index))) if _counts(block) else block
    return block[np.asarray(~pd.isna(block).any(axis=1))]


def _counts(block: pd.DataFrame) -> bool:
    return isinstance(block.index, pd.RangeIndex)


def filled(blocks: Callable[[], Iterator[Any]], columns: list[Any]) -> Callable[[Any], Any]:
    """Return what puts the means of all rows, which one pass gives, in the place of holes."""
    count, mean = np.zeros(len(columns)), np.zeros(len(columns))
    for block in blocks():
        if is_sparse(block):
            raise InputError("how='mean': blocks are sparse: use 'drop-rows'")
        X = np.asarray(block, dtype=float)
        known = ~np.isnan(X)
        n = known.sum(axis=0)
        count += n
        # About the mean so far, so that an offset costs no digits.
        gap = np.where(known, X - mean, 0.0).sum(axis=0)
        mean += np.divide(gap, count, out=np.zeros_like(mean), where=count > 0)
    if not count.all():
        name = columns[int((count == 0).argmax())]
        raise InputError(f"how='mean': the column {name!r} has no value: leave it out with take")

    def fill(block: Any) -> Any:
        if hasattr(block, "fillna"):
            return block.astype(float).fillna(dict(zip(block.columns, mean, strict=True)))
        return np.where(np.isnan(block), mean, block)

    return fill


def check_how(how: Any) -> str:
    """Return what is to be done about holes."""
    return str(one_of(how, "how", _HOW))
