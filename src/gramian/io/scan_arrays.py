"""Arrays that are read by slices of their rows: .npy, HDF5, zarr, AnnData in both, CSR too."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from gramian._core.parallel import require_memory
from gramian.errors import InputError, InputTypeError
from gramian.io.omics import hdf5, own_part
from gramian.io.opening import damage
from gramian.io.raw import distinct

_ZARR = ("zarr.json", ".zarray", ".zgroup")
_MANY = 1 << 20  # names of columns that are looked at


@dataclass(frozen=True)
class Sliced:
    """Rows on disk: their shape, the names of the columns, and slices of them."""

    shape: tuple[int, int]
    columns: list[Any]
    slices: Callable[[int], Iterator[Any]]  # so many rows at a time


def of_object(
    X: Any, name: str = "the array", columns: list[Any] | None = None, index: Any = None
) -> Sliced:
    """Return an array that somebody opened: a memory map, an HDF5 or zarr array, `X` of AnnData."""
    shape, _ = _looked_at(X, name)
    named = columns is not None

    def slices(size: int) -> Iterator[Any]:
        for start in range(0, shape[0], size):
            rows = None if index is None else index[start : start + size]
            yield _block(X[start : start + size], columns if named else None, rows)

    return Sliced(shape, columns if columns is not None else list(range(shape[1])), slices)


def _block(values: Any, columns: list[Any] | None, index: Any = None) -> Any:
    """Return a slice: a frame where its columns have names, CSR as it is."""
    if sparse.issparse(values):
        return sparse.csr_array(values)
    values = np.array(values)
    return values if columns is None else pd.DataFrame(values, index, columns, copy=False)


def _looked_at(node: Any, name: str) -> tuple[tuple[int, int], bool]:
    """Return the shape of a matrix and whether it is sparse; refuse what is none."""
    if hasattr(node, "keys"):
        kind = _text(node.attrs.get("encoding-type", node.attrs.get("h5sparse_format", "")))
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


def _npy(path: Path, layer: str | None, budget: int) -> Sliced:
    def mapped() -> np.ndarray:
        with _said(path.name):
            return np.load(path, mmap_mode="r", allow_pickle=False)

    _refuse_layer(path, layer)
    first = of_object(mapped(), path.name)
    # Opened anew each time: a file that was cut is then refused, not read beyond its end.
    return Sliced(
        first.shape, first.columns, lambda size: of_object(mapped(), path.name).slices(size)
    )


def _refuse_layer(path: Path, layer: str | None) -> None:
    if layer is not None:
        raise InputError(f"layer={layer[:80]!r}: {path.name} has only one table: leave it out")


def _hdf5(path: Path, layer: str | None, budget: int) -> Sliced:
    library = hdf5()

    @contextmanager
    def opened() -> Iterator[Any]:
        with library.File(path, "r") as file:
            yield file

    def part(file: Any, place: str) -> Any:
        return list(own_part(file, place))[-1]

    return _of_store(path, layer, budget, opened, part)


def is_zarr(path: Path) -> bool:
    """Whether a folder is a zarr store."""
    return path.is_dir() and any((path / name).exists() for name in _ZARR)


def _zarr(path: Path, layer: str | None, budget: int) -> Sliced:
    try:
        import zarr
    except ImportError as error:
        raise InputError("zarr stores need zarr: pip install 'gramian[blocks]'") from error

    @contextmanager
    def opened() -> Iterator[Any]:
        yield zarr.open(path, mode="r")

    return _of_store(path, layer, budget, opened, lambda file, place: file[place])


def _of_store(
    path: Path, layer: str | None, budget: int, opened: Callable[[], Any], part: Callable[..., Any]
) -> Sliced:
    """Return a matrix in a file of several arrays."""
    with _said(path.name), opened() as file:
        place = _place(file, layer, path.name)
        node = part(file, place) if place else file
        (n, p), is_csr = _looked_at(node, f"{path.name}: {place or 'it'}")
        arrays = [part(node, key) for key in ("data", "indices", "indptr")] if is_csr else [node]
        for array in arrays:
            piece = math.prod(array.chunks or (0,)) * array.dtype.itemsize
            require_memory(
                float(piece), budget, f"a piece of {place or path.name}", "raise memory="
            )
        names = _names(file, p, part) if place else None
        cells = None if names is None else _index(file, "obs", n, part)

    def slices(size: int) -> Iterator[Any]:
        with _said(path.name), opened() as file:
            node = part(file, place) if place else file
            if _looked_at(node, path.name)[0] != (n, p):
                raise InputError(f"{path.name} has another shape than before: scan it again")
            for start in range(0, n, size):
                stop = min(start + size, n)
                rows = _csr(node, start, stop, p, part) if is_csr else node[start:stop]
                yield _block(rows, names, cells and _texts(part(file, cells)[start:stop]))

    return Sliced((n, p), names if names is not None else list(range(p)), slices)


def _place(file: Any, layer: str | None, name: str) -> str:
    """Return where the matrix is in a file: X, what was asked for, or the only table."""
    if not hasattr(file, "keys"):
        return ""
    if layer is not None:
        places = [layer, f"layers/{layer}", f"obsm/{layer}"]
        found = [place for place in places if place in file]
        if not found:
            raise InputError(
                f"layer={layer[:80]!r} is not in {name}: it holds {_listed(_tables(file))}"
            )
        return found[0]
    if "X" in file:
        return "X"
    tables = _tables(file)
    if len(tables) != 1:
        raise InputError(
            f"{name} holds {_listed(tables)}: say which is the table with layer="
            if tables
            else f"{name} holds no table of numbers"
        )
    return tables[0]


def _tables(file: Any) -> list[str]:
    """Return the paths of the tables of numbers of a file, those next to its root first."""
    places = []
    for key in file:
        node = file[key]
        inner = [key] if not hasattr(node, "keys") else [f"{key}/{name}" for name in node]
        places += [place for place in inner if len(getattr(file[place], "shape", ())) == 2]
    return places


def _listed(places: list[str]) -> str:
    return ", ".join(places[:8])[:200] or "no table of numbers"


def _names(file: Any, p: int, part: Callable[..., Any]) -> list[str] | None:
    """Return the names that AnnData gives to columns, where there are as many."""
    place = _index(file, "var", p, part)
    if place is None or p > _MANY:
        return None
    return distinct(_texts(part(file, place)[()]))[0]


def _index(file: Any, axis: str, size: int, part: Callable[..., Any]) -> str | None:
    """Return where AnnData keeps the names of rows ("obs") or columns ("var"), as many as these."""
    frame = part(file, axis) if axis in file else None
    if frame is None or not hasattr(frame, "keys"):  # a record array in first versions
        return None
    place = f"{axis}/{_text(frame.attrs.get('_index', '_index'))}"
    shape = getattr(part(file, place), "shape", None) if place in file else None
    return place if shape == (size,) else None


def _texts(values: Any) -> list[str]:
    return [_text(value) for value in values]


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _csr(node: Any, start: int, stop: int, p: int, part: Callable[..., Any]) -> Any:
    """Return some rows of a CSR matrix on disk."""
    indptr = np.asarray(part(node, "indptr")[start : stop + 1], dtype=np.int64)
    first, last = int(indptr[0]), int(indptr[-1])
    data, indices = (np.asarray(part(node, key)[first:last]) for key in ("data", "indices"))
    rows = sparse.csr_array((data, indices, indptr - first), shape=(stop - start, p))
    rows.check_format(full_check=True)
    return rows


@contextmanager
def _said(name: str) -> Iterator[None]:
    """Say of what the libraries refuse which file it was."""
    try:
        yield
    except (InputError, InputTypeError, MemoryError):
        raise
    except Exception as error:  # a spoiled file fails in a dozen ways
        raise InputError(f"{name} cannot be read: {damage(error)}") from error


SLICED: dict[str, Callable[[Path, str | None, int], Sliced]] = {
    ".npy": _npy,
    ".h5": _hdf5,
    ".hdf5": _hdf5,
    ".h5ad": _hdf5,
    ".zarr": _zarr,
}
