"""Containers of tables (frames, AnnData, scans): their kind, labels, and rows matched by label.

Nothing of AnnData, polars, dask or Arrow is imported: an object is recognised by its attributes.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import product
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
from scipy import sparse

from gramian._core.array import is_array
from gramian._core.types import Frame
from gramian.errors import InputError


def is_annotated(X: object) -> bool:
    """Whether X is an AnnData object: a matrix with named rows and columns."""
    return all(hasattr(X, name) for name in ("X", "obs_names", "var_names", "obsm"))


def collect(X: Frame) -> Frame:
    """Return a table whose numbers are here: a lazy frame collected, Arrow with its index.

    A scan is collected where it fits its memory, a field of xarray is a frame, others stay as is.
    """
    if type(X).__name__ == "LazyFrame" and hasattr(X, "collect"):
        return X.collect()
    if is_scan(X):
        return X.at_hand()
    if all(hasattr(X, name) for name in ("dims", "coords", "to_numpy")) and len(X.dims) > 1:
        return _frame_of_field(X)
    schema = getattr(X, "schema", None)
    known = getattr(schema, "pandas_metadata", None)  # what pandas wrote into an Arrow table
    if known and any(isinstance(name, str) for name in known.get("index_columns", ())):
        return X.to_pandas()
    return X


def _frame_of_field(X: Any) -> pd.DataFrame:
    """Return a DataArray of xarray: rows along its first dimension, columns "lat=40.0, lon=2.5"."""
    sizes = zip(X.dims, X.shape, strict=True)
    labels = {d: X.coords[d].to_numpy() if d in X.coords else np.arange(n) for d, n in sizes}
    index = labels.pop(X.dims[0])
    texts = [[v if isinstance(v, str) else f"{d}={v}" for v in own] for d, own in labels.items()]
    columns = [", ".join(parts) for parts in product(*texts)]
    return pd.DataFrame(X.to_numpy().reshape(len(index), len(columns)), index, columns)


def is_scan(X: object) -> bool:
    """Whether X is a table that is read block by block."""
    return hasattr(X, "at_hand") and hasattr(X, "known_columns")


def labels_of(X: Frame) -> pd.Index | None:
    """Return the row labels of a frame or of a labelled column, None for anything else."""
    if is_annotated(X):
        return pd.Index(X.obs_names)
    is_plan = type(X).__name__ == "LazyFrame" or is_scan(X)
    index = getattr(X if is_plan else collect(X), "index", None)
    return index if isinstance(index, pd.Index) else None


def order_of(
    labels: pd.Index | None, reference: pd.Index | None, name: str, of: str = "the fit"
) -> slice | np.ndarray:
    """Return the positions that put labelled rows into the order of others.

    The same labels in another order are put right, other labels are refused. Where one side has
    none, or labels that only count its rows, rows go together by position.
    """
    if labels is None or reference is None or labels.equals(reference):
        return slice(None)
    if len(labels) != len(reference):  # the caller says so in its own words
        return slice(None)
    if labels.is_unique and reference.is_unique and labels.isin(reference).all():
        return labels.get_indexer(reference)
    if is_default_index(labels) or is_default_index(reference):
        return slice(None)
    pairs = zip(labels, reference, strict=True)
    own, other = next((a, b) for a, b in pairs if a is not b and a != b)
    raise InputError(
        f"{name} has other row labels than {of} (for example {str(own)[:40]!r} beside "
        f"{str(other)[:40]!r}): give the same rows, or {name}.reset_index(drop=True) to go by "
        "position"
    )


def in_order_of(column: Frame, reference: pd.Index | None, name: str, of: str = "X") -> Frame:
    """Return a labelled column or frame with its rows in the order of others; arrays stay."""
    order = order_of(labels_of(column), reference, name, of)
    if isinstance(order, slice):
        return column
    return column[order] if is_annotated(column) else collect(column).iloc[order]


def index_of(names: Iterable[Any], title: str) -> pd.Index:
    """Return names as an index under a title, of several levels where they are tuples."""
    index = pd.Index(names)
    return index.rename(title) if index.nlevels == 1 else index


def is_default_index(labels: pd.Index) -> bool:
    """Whether labels only count the rows."""
    return labels.equals(pd.RangeIndex(len(labels)))


def is_frame(X: object) -> bool:
    """Whether X is a data frame of some library."""
    if is_array(X):  # quicker to say than that it is no frame
        return False
    try:
        return isinstance(nw.from_native(X, eager_only=True, pass_through=True), nw.DataFrame)
    except nw.exceptions.DuplicateError:  # a frame, with two columns of one name
        return True


def column_names(X: object) -> list[Any] | None:
    """Return the names of the columns of a data frame, None for anything else."""
    return list(_names_of(X)) if is_frame(X) else None


def _names_of(X: object) -> Any:
    """Return the names of the columns where there are some; those of Arrow have a name apart."""
    arrow = hasattr(X, "column_names") and not hasattr(X, "iloc")
    return getattr(X, "column_names" if arrow else "columns", None)


def is_dask(X: object) -> bool:
    """Whether X is a plan of dask's: known by its module, so that dask need not be there."""
    return type(X).__module__.partition(".")[0] in ("dask", "dask_expr")


def refuse_same_names(X: object, name: str) -> None:
    """Refuse a frame with two columns of one name: every table would be ambiguous."""
    names = _names_of(X)
    if not isinstance(names, list | tuple) and not hasattr(X, "iloc"):
        return
    counts = Counter(names)
    twice = next((label for label, count in counts.items() if count > 1), None)
    if twice is not None:
        raise InputError(f"{name} has several columns named {twice!r}: give each its own name")


def is_block_stream(X: object) -> bool:
    """Whether X is an iterable of row blocks rather than one table."""
    if type(X) is np.ndarray or is_dask(X) or not isinstance(X, Iterable):
        return False  # before the next question: a Delayed of dask has every attribute
    if is_scan(X):
        return True
    # An array of any library is one table, of three dimensions too: it is refused as such.
    plain = is_frame(X) or sparse.issparse(X) or is_array(X)
    # So is one by some protocol: a DataArray of xarray, a data set of h5py.
    plain = plain or any(hasattr(X, k) for k in ("__array__", "__array_interface__", "ndim"))
    if plain or isinstance(X, str | bytes | Mapping):
        return False
    if hasattr(X, "__len__"):
        return len(X) > 0 and all(getattr(block, "ndim", 0) == 2 for block in X)  # type: ignore[arg-type]
    return True
