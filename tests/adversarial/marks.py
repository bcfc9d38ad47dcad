"""A mark of an input: equal before and after a call, unless the call changed it."""

from __future__ import annotations

import hashlib
import pickle
from typing import Any

import numpy as np


def _bytes(array: np.ndarray) -> str:
    return hashlib.sha1(np.ascontiguousarray(array).tobytes()).hexdigest()


def _array(x: np.ndarray) -> tuple[Any, ...]:
    """Numbers, type, layout and flags; the memory that a view looks into counts too."""
    shown = mark(x.ravel().tolist()) if x.dtype.hasobject else _bytes(x.view(np.ndarray))
    base = x.base if isinstance(x.base, np.ndarray) and not x.dtype.hasobject else None
    hidden = _bytes(base) if base is not None and base.size <= 10**6 else ""
    masked = _bytes(np.ma.getmaskarray(x)) if isinstance(x, np.ma.MaskedArray) else ""
    flags = (x.flags.writeable, x.flags.c_contiguous, x.flags.aligned)
    return str(x.dtype), x.shape, x.strides, flags, shown, hidden, masked


def _sparse(x: Any) -> tuple[Any, ...]:
    """The stored arrays; what SciPy remembers about them (sorted, canonical) does not count."""
    parts = ("data", "indices", "indptr", "row", "col", "offsets", "rows")
    held = [getattr(x, name, None) for name in parts]
    return (x.shape, *(_array(a) for a in held if isinstance(a, np.ndarray)))


def _tensor(x: Any) -> tuple[Any, ...]:
    about = (str(x.dtype), tuple(x.shape), x.requires_grad, str(x.device), str(x.layout))
    if x.device.type == "meta" or str(x.layout) != "torch.strided":
        return about
    return (*about, x.stride(), repr(x.detach().resolve_neg().tolist()))


def _pandas(x: Any) -> Any:
    """Labels, types and cells; what pandas remembers of them does not count."""
    if not hasattr(x, "iloc"):
        return str(getattr(x, "dtype", type(x))), repr(list(x))
    names = repr([list(axis) for axis in x.axes])
    columns = [x] if x.ndim == 1 else [x.iloc[:, j] for j in range(x.shape[1])]
    return names, [(str(column.dtype), repr(list(column))) for column in columns]


def _polars(x: Any) -> Any:
    return str(getattr(x, "schema", "")), repr(x.rows() if hasattr(x, "rows") else list(x))


def _arrow(x: Any) -> Any:
    return str(getattr(x, "schema", "")), repr(x.to_pylist())


def _plain(x: Any) -> Any:
    try:
        return pickle.dumps(x)
    except (TypeError, AttributeError, pickle.PicklingError, RecursionError):
        return type(x).__name__


def _graph(x: Any) -> Any:
    return repr((list(x.nodes(data=True)), list(x.edges(data=True))))


MARKS = {
    "scipy": _sparse,
    "torch": _tensor,
    "networkx": _graph,
    "pandas": _pandas,
    "polars": _polars,
    "pyarrow": _arrow,
}


def mark(x: Any) -> Any:
    """Return something to compare; of what cannot be looked at without using it, its type."""
    home = type(x).__module__.partition(".")[0]
    if isinstance(x, np.ndarray):
        return _array(x)
    if "GroupBy" in type(x).__name__ or "Lazy" in type(x).__name__ or hasattr(x, "__next__"):
        return type(x).__name__
    if home in MARKS or hasattr(x, "iloc"):
        return MARKS.get(home, _pandas)(x)
    if isinstance(x, list | tuple) and not (x and x[0] is x):
        return [mark(item) for item in x]
    return _plain(x)
