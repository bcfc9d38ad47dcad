"""AnnData's h5ad files (h5py is imported here only)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from gramian._core.parallel import budget_bytes, format_bytes, require_memory
from gramian.errors import InputError, MemoryBudgetError
from gramian.io.content import allowance
from gramian.io.limited import Refused, read_limited
from gramian.io.notes import note
from gramian.io.opening import damage
from gramian.io.raw import Options, Raw, distinct

_BLOCK = 256  # texts that are read at once: many may point at the same one


def h5ad(data: bytes, options: Options) -> Raw:
    """Read an AnnData file: the matrix X or a layer, cells as rows, and what is known of them."""
    library = hdf5()
    # What the library hangs on, or unpacks to more than it says, it does so in a child first.
    places = ["obs", "var", _place(options)]
    try:
        read_limited("hdf5", data, "the h5ad file", options.largest, places=places)
        with library.File.in_memory(data) as file:
            limits = [allowance(size, options.largest) for size in (len(data), 10 * len(data))]
            return _from_h5ad(_Store(file, *limits), options)
    except (InputError, MemoryBudgetError):
        raise
    except Refused as error:
        reason = damage(error.values.get("reason", ""))
        raise InputError(f"the h5ad file cannot be read: {reason}") from error
    except Exception as error:  # a spoiled file fails in a dozen ways
        raise InputError(f"the h5ad file cannot be read: {damage(error)}") from error


def _place(options: Options) -> str:
    return "X" if options.layer is None else f"layers/{options.layer}"


def hdf5() -> Any:
    """Return h5py, or say that it is not installed."""
    try:
        import h5py
    except ImportError as error:
        raise InputError("h5ad and HDF5 files need h5py: pip install 'gramian[omics]'") from error
    return h5py


def own_part(group: Any, path: str) -> Iterator[Any]:
    """Go through the steps of a path, the last being what it names; a link out is refused."""
    library = hdf5()
    for name in path.split("/"):
        if isinstance(group.get(name, getlink=True), library.ExternalLink):
            raise InputError(f"{path} is a link to another file: it is refused")
        group = group[name]
        if isinstance(group, library.Dataset) and (group.external or group.is_virtual):
            raise InputError(f"{path} is stored in another file: it is refused")
        yield group


@dataclass(frozen=True)
class _Store:
    """A file whose every part is looked at before it is read."""

    file: Any
    limit: int  # bytes that a part may unpack to
    dense: int  # bytes of a sparse matrix with its zeros

    def item(self, group: Any, path: str) -> Any:
        """Return what a path names, step by step; a link out of the file is refused."""
        part = group
        for part in own_part(group, path):
            if not hasattr(part, "keys"):  # a file may promise more than it holds
                require_memory(
                    float(part.nbytes), budget_bytes(None), path, "take fewer rows or genes"
                )
                piece = math.prod(part.chunks or (0,)) * part.dtype.itemsize
                self.check(max(part.nbytes, piece), path)
        return part

    def check(self, size: float, what: str, limit: int | None = None) -> None:
        most = self.limit if limit is None else limit
        if size > most:
            room = f"{format_bytes(most)} for this file"
            raise InputError(
                f"{what[:80]} unpacks to {format_bytes(size)}, more than {room}: pass largest= if "
                "you trust it",
                argument="largest",
            )

    def values(self, group: Any, path: str) -> Any:
        """Return the numbers or texts of a part."""
        return self.read(self.item(group, path), path)

    def read(self, node: Any, path: str) -> Any:
        if not node.dtype.hasobject or node.ndim == 0:
            return node[()]
        if node.ndim > 1:
            raise InputError(f"{path[:80]} is a table of texts: a column has one a row")
        pieces, size = [node[:0]], 0
        for start in range(0, len(node), _BLOCK):
            pieces.append(node[start : start + _BLOCK])
            size += _letters(pieces[-1])
            self.check(size, path)
        return np.concatenate(pieces)


def _letters(block: np.ndarray) -> int:
    """Return how many letters the texts of a block have, also in the fields of records."""
    if block.dtype.names:
        return sum(_letters(block[name]) for name in block.dtype.names)
    return sum(len(v) for v in block if isinstance(v, bytes | str)) if block.dtype == object else 0


def _from_h5ad(store: _Store, options: Options) -> Raw:
    file = store.file
    place = _place(options)
    if place not in file:
        known = ", ".join(file["layers"]) if "layers" in file else ""
        raise InputError(f"the file has no {place}; layers: {known[:200] or 'none'}")
    obs, cells = _frame(store, "obs")
    _, genes = _frame(store, "var", columns=False)
    X = _matrix(store, place)
    if X.shape != (len(cells), len(genes)):
        raise InputError(f"{place} has shape {X.shape} for {len(cells)} obs and {len(genes)} var")
    return annotated(X, cells, genes, obs, place)


def annotated(
    X: np.ndarray, cells: list[str], genes: list[str], obs: pd.DataFrame, place: str
) -> Raw:
    """Return a matrix with what is known of its rows: numbers beside it, anything else groups."""
    names, repeated = distinct(genes)
    frame = pd.DataFrame(X, columns=names)
    obs.columns = [c if c not in frame.columns else f"{c} (obs)" for c in obs.columns]
    raw = Raw(pd.concat([obs.reset_index(drop=True), frame], axis=1), cells)
    raw.roles = dict.fromkeys(names, "active")
    numeric = [
        str(c) for c in obs if pd.api.types.is_numeric_dtype(obs[c]) and obs[c].dtype != bool
    ]
    raw.roles |= dict.fromkeys(numeric, "supplementary")
    raw.notes.append(note("layer", name=place))
    if repeated:
        raw.warnings.append(note("duplicate_names", n=len(repeated), name=repr(repeated[0])))
    return raw


def _text(values: Any) -> list[str]:
    return [v.decode("utf-8", "replace") if isinstance(v, bytes) else str(v) for v in values]


def _matrix(store: _Store, place: str) -> np.ndarray:
    """Return a dense or sparse matrix as an array, if memory has room for it."""
    node = store.item(store.file, place)
    is_group = hasattr(node, "keys")
    shape = node.attrs.get("shape", node.attrs.get("h5sparse_shape")) if is_group else node.shape
    n, p = (int(k) for k in shape)
    require_memory(
        8.0 * n * p, budget_bytes(None), "the matrix of the file", "take fewer rows or genes"
    )
    if not is_group:
        return np.asarray(node[()], dtype=float)
    store.check(8.0 * n * p, f"{place}, with its zeros,", store.dense)
    kind = str(node.attrs.get("encoding-type", node.attrs.get("h5sparse_format", "")))
    parts = tuple(np.asarray(store.values(node, key)) for key in ("data", "indices", "indptr"))
    layout = sparse.csc_array if kind.startswith("csc") else sparse.csr_array
    M = layout(parts, shape=(n, p))
    M.check_format(full_check=True)
    return np.asarray(M.toarray(), dtype=float)


def _frame(store: _Store, name: str, columns: bool = True) -> tuple[pd.DataFrame, list[str]]:
    """Return the columns and the index of an encoded data frame."""
    node = store.item(store.file, name)
    if not hasattr(node, "keys"):  # a record array, as the first versions wrote
        frame = pd.DataFrame.from_records(store.read(node, name))
        index = _text(frame.pop(frame.columns[0]))
        return frame.map(lambda v: v.decode() if isinstance(v, bytes) else v), index
    key = node.attrs.get("_index", "_index")
    key = key.decode() if isinstance(key, bytes) else str(key)
    index = _text(store.values(node, key))
    series = {}
    for column in node if columns else ():
        if column not in (key, "__categories"):
            series[str(column)] = _series(store, node, column)
    return pd.DataFrame(series, index=range(len(index))), index


def _series(store: _Store, frame: Any, name: str) -> Any:
    """Return a column: numbers, texts, categories or values with a mask."""
    node = store.item(frame, name)
    if hasattr(node, "keys"):
        if "codes" in node:
            return _coded(store, store.values(node, "codes"), store.values(node, "categories"))
        values, mask = np.asarray(store.values(node, "values")), store.values(node, "mask")
        texts = values.dtype.kind in "OS"
        cells = np.array(_text(values), dtype=object) if texts else values.astype(object)
        cells[np.asarray(mask, dtype=bool)] = None
        return cells if texts else pd.Series(cells).astype(float)
    values = store.values(frame, name)
    if "__categories" in frame and name in frame["__categories"]:
        return _coded(store, values, store.values(frame, f"__categories/{name}"))
    return np.array(_text(values), dtype=object) if values.dtype.kind in "OS" else values


def _coded(store: _Store, codes: Any, categories: Any) -> Any:
    """Return categories, if there is room for their texts in every row."""
    levels = _text(categories) if categories.dtype.kind in "OS" else categories
    codes = np.asarray(codes)
    lengths = np.array([len(str(level)) for level in levels], dtype=np.int64)
    known = codes[(codes >= 0) & (codes < len(lengths))].astype(np.intp)
    store.check(float(lengths[known].sum()), "a column of categories")
    return pd.Categorical.from_codes(codes, pd.Index(levels))
