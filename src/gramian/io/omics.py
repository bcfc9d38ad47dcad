"""Files of the omics world: GCT texts and AnnData's h5ad (h5py is imported here only)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from gramian._blocks import budget_bytes, require
from gramian.errors import InputError, MemoryBudgetError
from gramian.io.content import decoded, lines_of
from gramian.io.notes import note
from gramian.io.raw import NA_VALUES, Options, Raw, distinct

__all__ = ["gct", "h5ad"]


@dataclass(frozen=True)
class _Cells:
    """The cells of a GCT file; the columns of names and annotations come first."""

    header: list[str]
    about: list[list[str]]  # annotations of the samples, one row each
    rows: list[list[str]]  # one a gene
    first: int  # the column of the first sample


def gct(data: bytes, options: Options) -> Raw:
    """Read a GCT file (1.2 or 1.3); its columns, the samples, become rows."""
    text, _ = decoded(data, options.encoding)
    cells = _gct_cells(text.decode("utf-8"))
    values = _gct_numbers(cells.rows, cells.first, {*NA_VALUES, *options.na_values})
    genes, repeated = distinct(row[0] for row in cells.rows)
    frame = pd.DataFrame(values.T, columns=genes)
    about = {row[0]: row[cells.first :] for row in cells.about}
    extra = pd.DataFrame(about, dtype="str").apply(_maybe_numbers)
    extra.columns = [c if c not in frame else f"{c} (sample)" for c in extra]
    raw = Raw(pd.concat([extra, frame], axis=1), cells.header[cells.first :])
    raw.roles = dict.fromkeys(genes, "active")
    raw.roles |= {str(c): "supplementary" for c in extra if extra[c].dtype == float}
    raw.notes.append(note("transposed"))
    if repeated:
        raw.warnings.append(note("duplicate_names", n=len(repeated), name=repr(repeated[0])))
    return raw


def _gct_cells(text: str) -> _Cells:
    """Return the cells of a file that holds as many as it says."""
    lines = [line.split("\t") for line in lines_of(text) if line.strip()]
    try:
        sizes = [int(cell) for cell in lines[1] if cell]
        n, m = sizes[:2]
        row_meta, column_meta = sizes[2:4] if lines[0][0].startswith("#1.3") else (1, 0)
        header, rows = lines[2], lines[3:]
    except (IndexError, ValueError) as error:
        raise InputError(
            "the GCT file must give its sizes in line 2 and names in line 3: it is cut off"
        ) from error
    wide = 1 + row_meta + m
    if len(header) != wide or len(rows) != column_meta + n:
        raise InputError(
            f"the GCT file says {n} rows and {m} columns but holds {len(rows) - column_meta} and "
            f"{len(header) - 1 - row_meta}: it is cut off or edited"
        )
    wrong = next((k for k, row in enumerate(rows) if len(row) != wide), None)
    if wrong is not None:
        raise InputError(
            f"line {wrong + 4} of the GCT file has {len(rows[wrong])} cells, not {wide}"
        )
    return _Cells(header, rows[:column_meta], rows[column_meta:], 1 + row_meta)


def _gct_numbers(rows: list[list[str]], start: int, na_values: set[str]) -> np.ndarray:
    out = np.empty((len(rows), len(rows[0]) - start if rows else 0))
    for k, row in enumerate(rows):
        try:
            out[k] = [np.nan if c.strip() in na_values else float(c) for c in row[start:]]
        except ValueError as error:
            raise InputError(f"row {row[0][:60]!r} of the GCT file: {str(error)[:90]}") from error
    return out


def _maybe_numbers(column: pd.Series) -> pd.Series:
    cleaned = column.mask(column.isin(list(NA_VALUES)))
    numbers = pd.to_numeric(cleaned, errors="coerce")
    return numbers.astype(float) if numbers.notna().sum() == cleaned.notna().sum() else cleaned


def h5ad(data: bytes, options: Options) -> Raw:
    """Read an AnnData file: the matrix X or a layer, cells as rows, and what is known of them."""
    try:
        import h5py
    except ImportError as error:
        raise InputError("h5ad files need h5py: pip install 'gramian[omics]'") from error
    _check_heaps(data)
    try:
        with h5py.File.in_memory(data) as file:
            return _from_h5ad(file, options)
    except (InputError, MemoryBudgetError):
        raise
    except (OSError, LookupError, ValueError, TypeError, RuntimeError, OverflowError) as error:
        raise InputError(f"the h5ad file cannot be read: {str(error)[:200]}") from error


def _check_heaps(data: bytes) -> None:
    """Refuse heaps of texts whose entries do not fill them: on these the HDF5 library may hang."""
    start = data.find(b"GCOL\x01")
    while start >= 0:
        end = start + int.from_bytes(data[start + 8 : start + 16], "little")
        at = start + 16
        while at + 16 <= min(end, len(data)):
            size = int.from_bytes(data[at + 8 : at + 16], "little")
            is_free = data[at : at + 2] == b"\0\0"
            step = size if is_free else 16 + (size + 7) // 8 * 8
            if step < 16 or at + step > end:
                raise InputError("the h5ad file is damaged: a heap of texts is not whole")
            at += step
        start = data.find(b"GCOL\x01", start + 1)


def _from_h5ad(file: Any, options: Options) -> Raw:
    place = "X" if options.layer is None else f"layers/{options.layer}"
    if place not in file:
        known = ", ".join(file["layers"]) if "layers" in file else ""
        raise InputError(f"the file has no {place}; layers: {known or 'none'}")
    X = _matrix(_item(file, place))
    obs, cells = _frame(_item(file, "obs"))
    _, genes = _frame(_item(file, "var"), columns=False)
    if X.shape != (len(cells), len(genes)):
        raise InputError(f"{place} has shape {X.shape} for {len(cells)} obs and {len(genes)} var")
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


def _item(group: Any, path: str) -> Any:
    """Return what a path names, step by step; a link out of the file is refused."""
    import h5py

    for name in path.split("/"):
        if isinstance(group.get(name, getlink=True), h5py.ExternalLink):
            raise InputError(f"{path} is a link to another file: it is refused")
        group = group[name]
        if isinstance(group, h5py.Dataset) and (group.external or group.is_virtual):
            raise InputError(f"{path} is stored in another file: it is refused")
        if isinstance(group, h5py.Dataset):  # a file may promise more than it holds
            require(float(group.nbytes), budget_bytes(None), path, "take fewer rows or genes")
    return group


def _text(values: Any) -> list[str]:
    return [v.decode("utf-8", "replace") if isinstance(v, bytes) else str(v) for v in values]


def _matrix(node: Any) -> np.ndarray:
    """Return a dense or sparse matrix as an array, if memory has room for it."""
    is_group = hasattr(node, "keys")
    shape = node.attrs.get("shape", node.attrs.get("h5sparse_shape")) if is_group else node.shape
    n, p = (int(k) for k in shape)
    require(8.0 * n * p, budget_bytes(None), "the matrix of the file", "take fewer rows or genes")
    if not is_group:
        return np.asarray(node[()], dtype=float)
    kind = str(node.attrs.get("encoding-type", node.attrs.get("h5sparse_format", "")))
    parts = tuple(np.asarray(_item(node, key)[()]) for key in ("data", "indices", "indptr"))
    layout = sparse.csc_array if kind.startswith("csc") else sparse.csr_array
    M = layout(parts, shape=(n, p))
    M.check_format(full_check=True)
    return np.asarray(M.toarray(), dtype=float)


def _frame(node: Any, columns: bool = True) -> tuple[pd.DataFrame, list[str]]:
    """Return the columns and the index of an encoded data frame."""
    if not hasattr(node, "keys"):  # a record array, as the first versions wrote
        frame = pd.DataFrame.from_records(node[()])
        index = _text(frame.pop(frame.columns[0]))
        return frame.map(lambda v: v.decode() if isinstance(v, bytes) else v), index
    key = node.attrs.get("_index", "_index")
    key = key.decode() if isinstance(key, bytes) else str(key)
    index = _text(_item(node, key)[()])
    series = {}
    for name in node if columns else ():
        if name not in (key, "__categories"):
            series[str(name)] = _series(_item(node, name), node, name)
    return pd.DataFrame(series, index=range(len(index))), index


def _series(node: Any, frame: Any, name: str) -> Any:
    """Return a column: numbers, texts, categories or values with a mask."""
    if hasattr(node, "keys"):
        if "codes" in node:
            return _coded(_item(node, "codes")[()], _item(node, "categories")[()])
        values, mask = np.asarray(_item(node, "values")[()]), _item(node, "mask")[()]
        texts = values.dtype.kind in "OS"
        cells = np.array(_text(values), dtype=object) if texts else values.astype(object)
        cells[np.asarray(mask, dtype=bool)] = None
        return cells if texts else pd.Series(cells).astype(float)
    values = node[()]
    if "__categories" in frame and name in frame["__categories"]:
        return _coded(values, _item(frame, f"__categories/{name}")[()])
    return np.array(_text(values), dtype=object) if values.dtype.kind in "OS" else values


def _coded(codes: Any, categories: Any) -> Any:
    levels = _text(categories) if categories.dtype.kind in "OS" else categories
    return pd.Categorical.from_codes(np.asarray(codes), pd.Index(levels))
