"""Rows of two tables go together by their labels: the one rule, for every place that pairs two."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from gramian._core.annotated import at_hand, is_annotated, is_scan, row_labels
from gramian.errors import InputError


def labels_of(X: Any) -> pd.Index | None:
    """Return the row labels of a frame or of a labelled column, None for anything else.

    >>> labels_of(pd.Series([1.0, 2.0], index=["a", "b"])).tolist()
    ['a', 'b']
    """
    if is_annotated(X):
        return row_labels(X)
    is_plan = type(X).__name__ == "LazyFrame" or is_scan(X)
    index = getattr(X if is_plan else at_hand(X), "index", None)
    return index if isinstance(index, pd.Index) else None


def order_of(
    labels: pd.Index | None, reference: pd.Index | None, name: str, of: str = "the fit"
) -> slice | np.ndarray:
    """Return the positions that put labelled rows into the order of others.

    The same labels in another order are put right, other labels are refused. Where one side has
    none, or labels that only count its rows, rows go together by position.

    >>> order_of(pd.Index(["b", "a"]), pd.Index(["a", "b"]), "Y").tolist()
    [1, 0]
    """
    if labels is None or reference is None or labels.equals(reference):
        return slice(None)
    if len(labels) != len(reference):  # the caller says so in its own words
        return slice(None)
    if labels.is_unique and reference.is_unique and labels.isin(reference).all():
        return labels.get_indexer(reference)
    if only_count(labels) or only_count(reference):
        return slice(None)
    pairs = zip(labels, reference, strict=True)
    own, other = next((a, b) for a, b in pairs if a is not b and a != b)
    raise InputError(
        f"{name} has other row labels than {of} (for example {str(own)[:40]!r} beside "
        f"{str(other)[:40]!r}): give the same rows, or {name}.reset_index(drop=True) to go by "
        "position"
    )


def in_order_of(column: Any, reference: pd.Index | None, name: str, of: str = "X") -> Any:
    """Return a labelled column or frame with its rows in the order of others; arrays stay.

    >>> weight = pd.Series([2.0, 1.0], index=["b", "a"])
    >>> in_order_of(weight, pd.Index(["a", "b"]), "sample_weight").tolist()
    [1.0, 2.0]
    """
    order = order_of(labels_of(column), reference, name, of)
    if isinstance(order, slice):
        return column
    return column[order] if is_annotated(column) else at_hand(column).iloc[order]


def only_count(labels: pd.Index) -> bool:
    """Whether labels only count the rows.

    >>> only_count(pd.Index([0, 1, 2])), only_count(pd.Index([0, 2, 1]))
    (True, False)
    """
    return labels.equals(pd.RangeIndex(len(labels)))
