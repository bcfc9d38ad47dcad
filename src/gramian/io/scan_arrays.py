"""Arrays that are read by slices of their rows: .npy, HDF5, zarr, AnnData in both, CSR too."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from scipy import sparse

from gramian._core.array import Array
from gramian._core.parallel import require_memory
from gramian.errors import InputError, MissingExtraError
from gramian.io.anndata import AnnDataLike, hdf5, own_part, texts_of
from gramian.io.content import name_damage
from gramian.io.formats import distinct
from gramian.io.scan_table import Part, column_selector

if TYPE_CHECKING:
    from gramian.io.anndata import Node  # of HDF5; those of zarr have what is used of them

_ZARR_FILES = ("zarr.json", ".zarray", ".zgroup")
_MAX_NAMES = 1 << 20  # names of columns that are looked at
_MAX_LISTED = 8  # tables in a message


def part_of_array(
    X: Array,
    name: str = "the array",
    columns: list[str] | None = None,
    index: list[str] | None = None,
) -> Part:
    """Return an open array: a memory map, an HDF5 or zarr array, `X` of AnnData."""
    shape, _ = _matrix_shape(X, name)

    def slices(size: int) -> Iterator[Array]:
        for start in range(0, shape[0], size):
            rows = None if index is None else index[start : start + size]
            yield _block(X[start : start + size], columns, rows)

    return _part_of_slices(shape, columns, slices)


def _part_of_slices(
    shape: tuple[int, int], columns: list[str] | None, slices: Callable[[int], Iterator[Array]]
) -> Part:
    """Return rows on disk whose columns are read together, so many rows at a time."""
    known = columns if columns is not None else list(range(shape[1]))

    def blocks(names: list[Any], row_names: Sequence[str], size: int) -> Iterator[Array]:
        return slices(size) if names == known else map(column_selector(names, known), slices(size))

    return Part(known, blocks, shape[0], width=shape[1])


def part_of_anndata(adata: AnnDataLike, layer: str | None) -> Part:
    """Return the matrix of an AnnData object, which may be on disk."""
    if layer is not None and layer not in adata.layers:
        known = list(adata.layers)[:_MAX_LISTED]
        raise InputError(f"layer={layer[:80]!r} is not in the AnnData: {known}")
    X = adata.X if layer is None else adata.layers[layer]
    genes, cells = ([str(name) for name in names] for names in (adata.var_names, adata.obs_names))
    return part_of_array(X, "the AnnData", genes, cells)


def _block(values: Array, columns: list[str] | None, index: list[str] | None = None) -> Array:
    """Return a slice: a frame where its columns have names, CSR as it is."""
    if sparse.issparse(values):
        return sparse.csr_array(values)
    values = np.array(values)
    return values if columns is None else pd.DataFrame(values, index, columns, copy=False)


def _matrix_shape(node: Array, name: str) -> tuple[tuple[int, int], bool]:
    """Return the shape of a matrix and whether it is sparse; refuse what is none."""
    if hasattr(node, "keys"):
        kind = texts_of([node.attrs.get("encoding-type", node.attrs.get("h5sparse_format", ""))])[0]
        if kind.startswith("csc"):
            raise InputError(
                f"{name} is stored by columns (CSC), and rows cannot be read from it: write it as "
                "CSR, with adata.X.tocsr()"
            )
        if not kind.startswith("csr"):
            raise InputError(f"{name} is a group of arrays: name one of them with layer=")
        n, p = (int(k) for k in node.attrs.get("shape", node.attrs.get("h5sparse_shape")))
        return (n, p), True
    shape, kind = tuple(getattr(node, "shape", ())), np.dtype(getattr(node, "dtype", object)).kind
    if len(shape) != 2 or kind not in "fiub":
        raise InputError(
            f"{name} holds an array of {getattr(node, 'dtype', 'objects')}, {len(shape)}-D: a "
            "table is needed"
        )
    return (int(shape[0]), int(shape[1])), False


def is_zarr(path: Path) -> bool:
    """Whether a folder is a zarr store."""
    return path.is_dir() and any((path / name).exists() for name in _ZARR_FILES)


def _part_of_npy(path: Path, layer: str | None, budget: int) -> Part:
    def open_map() -> Part:
        with name_damage(f"{path.name} cannot be read"):
            rows = np.load(path, mmap_mode="r", allow_pickle=False)
        return part_of_array(rows, path.name)

    refuse_layer(layer, path)
    # Opened anew each time: a file that was cut is then refused, not read beyond its end.
    return replace(open_map(), blocks=lambda *request: open_map().blocks(*request))


def refuse_layer(layer: str | None, path: Path) -> None:
    """Refuse the name of a table in a file that has only one."""
    if layer is not None:
        raise InputError(f"layer={layer[:80]!r}: {path.name} has only one table: leave it out")


def _open_store(path: Path) -> AbstractContextManager[Node]:
    if path.suffix.lower() != ".zarr" and not is_zarr(path):
        store: AbstractContextManager[Node] = hdf5().File(path, "r")
        return store
    try:
        import zarr
    except ImportError as error:
        raise MissingExtraError("zarr stores need zarr: pip install 'gramian[blocks]'") from error
    return nullcontext(zarr.open(path, mode="r"))


def _part(node: Node, place: str) -> Node:
    """Return what a path names; a link out of an HDF5 file is refused."""
    is_hdf5 = type(node).__module__.startswith("h5py")
    return own_part(node, place) if is_hdf5 else node[place]


def _part_of_store(path: Path, layer: str | None, budget: int) -> Part:
    """Return a matrix in an HDF5 file or a zarr store."""
    unreadable = f"{path.name} cannot be read"
    with name_damage(unreadable), _open_store(path) as file:
        place = _place(file, layer, path.name)
        node = _part(file, place) if place else file
        (n, p), is_csr = _matrix_shape(node, f"{path.name}: {place or 'it'}")
        arrays = [_part(node, key) for key in ("data", "indices", "indptr")] if is_csr else [node]
        for array in arrays:
            piece = math.prod(array.chunks or (0,)) * array.dtype.itemsize
            require_memory(
                float(piece), budget, f"a piece of {place or path.name}", "raise memory="
            )
        names = _column_names(file, p) if place else None
        cells = None if names is None else _index_place(file, "obs", n)

    def slices(size: int) -> Iterator[Array]:
        with name_damage(unreadable), _open_store(path) as file:
            node = _part(file, place) if place else file
            if _matrix_shape(node, path.name)[0] != (n, p):
                raise InputError(f"{path.name} has changed its shape: scan it again")
            for start in range(0, n, size):
                stop = min(start + size, n)
                rows = _csr(node, start, stop, p) if is_csr else node[start:stop]
                index = None if cells is None else texts_of(_part(file, cells)[start:stop])
                yield _block(rows, names, index)

    return _part_of_slices((n, p), names, slices)


def _place(file: Node, layer: str | None, name: str) -> str:
    """Return where the matrix is in a file: X, the requested layer, or the only table."""
    if not hasattr(file, "keys"):
        return ""
    if layer is None and "X" in file:
        return "X"
    if layer is not None:
        places = [layer, f"layers/{layer}", f"obsm/{layer}"]
        found = next((place for place in places if place in file), None)
        if found is not None:
            return found
    tables = _tables(file)
    known = ", ".join(tables[:_MAX_LISTED])[:200] or "no table of numbers"
    if layer is not None:
        raise InputError(f"layer={layer[:80]!r} is not in {name}: it holds {known}")
    if len(tables) != 1:
        choice = ": say which is the table with layer=" if tables else ""
        raise InputError(f"{name} holds {known}{choice}")
    return tables[0]


def _tables(file: Node) -> list[str]:
    """Return the paths of the tables of numbers of a file, those next to its root first."""
    places: list[str] = []
    for key in file:
        node = file[key]
        inner = [key] if not hasattr(node, "keys") else [f"{key}/{name}" for name in node]
        places += [place for place in inner if len(getattr(file[place], "shape", ())) == 2]
    return places


def _column_names(file: Node, p: int) -> list[str] | None:
    """Return the names that AnnData gives to columns, where there are as many."""
    place = _index_place(file, "var", p)
    if place is None or p > _MAX_NAMES:
        return None
    return distinct(texts_of(_part(file, place)[()]))[0]


def _index_place(file: Node, axis: str, size: int) -> str | None:
    """Return where AnnData keeps the names of rows ("obs") or columns ("var"), as many as these."""
    frame = _part(file, axis) if axis in file else None
    if frame is None or not hasattr(frame, "keys"):  # a record array in first versions
        return None
    place = f"{axis}/{texts_of([frame.attrs.get('_index', '_index')])[0]}"
    shape = getattr(_part(file, place), "shape", None) if place in file else None
    return place if shape == (size,) else None


def _csr(node: Node, start: int, stop: int, p: int) -> sparse.csr_array:
    """Return some rows of a CSR matrix on disk."""
    indptr = np.asarray(_part(node, "indptr")[start : stop + 1], dtype=np.int64)
    first, last = int(indptr[0]), int(indptr[-1])
    data, indices = (np.asarray(_part(node, key)[first:last]) for key in ("data", "indices"))
    rows = sparse.csr_array((data, indices, indptr - first), shape=(stop - start, p))
    rows.check_format(full_check=True)
    return rows


ARRAY_READERS: dict[str, Callable[[Path, str | None, int], Part]] = {
    ".npy": _part_of_npy,
    **dict.fromkeys((".h5", ".hdf5", ".h5ad", ".zarr"), _part_of_store),
}
