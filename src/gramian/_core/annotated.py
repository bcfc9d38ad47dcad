"""Tables of other libraries as their numbers and labels: AnnData, lazy frames, Arrow with an index.

Nothing of these libraries is imported: an object is known by what it has.
"""

from __future__ import annotations

from typing import Any

import pandas as pd


def is_annotated(X: Any) -> bool:
    """Whether X is an AnnData object: a matrix with named rows and columns."""
    return all(hasattr(X, name) for name in ("X", "obs_names", "var_names", "obsm"))


def at_hand(X: Any) -> Any:
    """Return a table whose numbers are here: a lazy frame collected, Arrow with its index.

    A scan is collected where it fits the memory that it has. Anything else is returned as it is.

    >>> at_hand([[1.0]])
    [[1.0]]
    """
    if type(X).__name__ == "LazyFrame" and hasattr(X, "collect"):
        return X.collect()
    if is_scan(X):
        return X.at_hand()
    schema = getattr(X, "schema", None)
    known = getattr(schema, "pandas_metadata", None)  # what pandas wrote into an Arrow table
    if known and any(isinstance(name, str) for name in known.get("index_columns", ())):
        return X.to_pandas()
    return X


def is_scan(X: Any) -> bool:
    """Whether X is a table that is read block by block."""
    return hasattr(X, "at_hand") and hasattr(X, "known_columns")


def row_labels(X: Any) -> pd.Index:
    """Return the names of the rows of an AnnData object."""
    return pd.Index(X.obs_names)
