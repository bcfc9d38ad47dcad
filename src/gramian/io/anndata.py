"""AnnData: h5ad files and objects in memory as tables, and fits written into objects."""

from __future__ import annotations

from collections.abc import Iterable
from types import ModuleType
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, TypeVar

import numpy as np
import pandas as pd
from scipy import sparse

from gramian._core.array import to_numpy
from gramian._core.check import invalid, short, text
from gramian._core.frames import is_annotated, order_of
from gramian._core.parallel import budget_bytes, format_bytes, require_memory
from gramian.errors import InputError, InputTypeError, MissingExtraError
from gramian.io.content import allowance, name_damage, too_large
from gramian.io.formats import Options, Raw, distinct, duplicate_notes
from gramian.io.limited import read_limited
from gramian.io.notes import note

if TYPE_CHECKING:
    import h5py

    Node: TypeAlias = h5py.Group | h5py.Dataset


class AnnDataLike(Protocol):
    """What is used of an AnnData object: a matrix with named rows and columns, and their tables."""

    X: Any
    obs: Any
    obs_names: Any
    var_names: Any
    obsm: Any
    varm: Any
    layers: Any
    uns: Any


Annotated = TypeVar("Annotated", bound=AnnDataLike)


def read_h5ad(data: bytes, options: Options) -> Raw:
    """Read an AnnData file: the matrix X or a layer, cells as rows, and what is known of them."""
    library = hdf5()
    # What the library hangs on, or unpacks to more than it may, it does so in a child first.
    place = "X" if options.layer is None else f"layers/{options.layer}"
    read_limited("hdf5", data, "the h5ad file", options.largest, places=["obs", "var", place])
    limits = [allowance(size, options.largest) for size in (len(data), 10 * len(data))]
    with name_damage("the h5ad file cannot be read"), library.File.in_memory(data) as file:
        return _raw_of_file(file, place, *limits)


def hdf5() -> ModuleType:
    """Return h5py, or raise an error that it is not installed."""
    try:
        import h5py
    except ImportError as error:
        text = "h5ad and HDF5 files need h5py: pip install 'gramian[omics]'"
        raise MissingExtraError(text) from error
    return h5py


def own_part(group: Node, path: str) -> Node:
    """Return what a path in an HDF5 file or group names; a link out of it is refused."""
    library = hdf5()
    for name in path.split("/"):
        if isinstance(group.get(name, getlink=True), library.ExternalLink):
            raise InputError(f"{path} is a link to another file: it is refused")
        group = group[name]
        if isinstance(group, library.Dataset) and (group.external or group.is_virtual):
            raise InputError(f"{path} is stored in another file: it is refused")
    return group


def _values(group: Node, path: str) -> np.ndarray:
    """Return the numbers or texts of a part."""
    return np.asarray(own_part(group, path)[()])


def _raw_of_file(file: Node, place: str, limit: int, dense_limit: int) -> Raw:
    """Return a table of parts that unpack to at most `limit`, a sparse matrix to `dense_limit`."""
    if place not in file:
        known = ", ".join(file["layers"]) if "layers" in file else ""
        raise InputError(f"the file has no {place}; layers: {known[:200] or 'none'}")
    obs, cells = _frame(file, "obs", limit)
    _, genes = _frame(file, "var")
    X = _matrix(file, place, dense_limit)
    if X.shape != (len(cells), len(genes)):
        raise InputError(f"{place} has shape {X.shape} for {len(cells)} obs and {len(genes)} var")
    return _raw_of_matrix(X, cells, genes, obs, place)


def _raw_of_matrix(
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
    raw.warnings += duplicate_notes(repeated)
    return raw


def texts_of(values: Iterable[object]) -> list[str]:
    """Return texts that HDF5 may hold as bytes."""
    return [v.decode("utf-8", "replace") if isinstance(v, bytes) else str(v) for v in values]


def _check_size(size: float, limit: int, what: str) -> None:
    if size > limit:
        text = f"{what} unpacks to {format_bytes(size)}, more than {format_bytes(limit)}"
        raise too_large(f"{text} for this file")


def _matrix(file: Node, place: str, limit: int) -> np.ndarray:
    """Return a dense or sparse matrix as an array, if memory has room for it."""
    node = own_part(file, place)
    is_group = hasattr(node, "keys")
    shape = node.attrs.get("shape", node.attrs.get("h5sparse_shape")) if is_group else node.shape
    n, p = (int(k) for k in shape)
    require_memory(
        8.0 * n * p, budget_bytes(None), "the matrix of the file", "take fewer rows or genes"
    )
    if not is_group:
        return np.asarray(node[()], dtype=float)
    _check_size(8.0 * n * p, limit, f"{place[:80]}, with its zeros,")
    kind = str(node.attrs.get("encoding-type", node.attrs.get("h5sparse_format", "")))
    parts = tuple(_values(node, key) for key in ("data", "indices", "indptr"))
    layout = sparse.csc_array if kind.startswith("csc") else sparse.csr_array
    M = layout(parts, shape=(n, p))
    M.check_format(full_check=True)
    return np.asarray(M.toarray(), dtype=float)


def _frame(file: Node, name: str, limit: int | None = None) -> tuple[pd.DataFrame, list[str]]:
    """Return the columns, with a limit of their bytes, and the index of an encoded data frame."""
    node = own_part(file, name)
    if not hasattr(node, "keys"):  # a record array, as the first versions wrote
        frame = pd.DataFrame.from_records(node[()])
        index = texts_of(frame.pop(frame.columns[0]))
        return frame.map(lambda v: v.decode() if isinstance(v, bytes) else v), index
    key = texts_of([node.attrs.get("_index", "_index")])[0]
    index = texts_of(_values(node, key))
    columns = () if limit is None else [c for c in node if c not in (key, "__categories")]
    series = {str(column): _series(node, column, limit or 0) for column in columns}
    return pd.DataFrame(series, index=range(len(index))), index


def _series(frame: Node, name: str, limit: int) -> np.ndarray | pd.Series | pd.Categorical:
    """Return a column: numbers, texts, categories or values with a mask."""
    node = own_part(frame, name)
    if hasattr(node, "keys"):
        if "codes" in node:
            return _categorical(_values(node, "codes"), _values(node, "categories"), limit)
        values, mask = _values(node, "values"), _values(node, "mask")
        texts = values.dtype.kind in "OS"
        cells = np.array(texts_of(values), dtype=object) if texts else values.astype(object)
        cells[np.asarray(mask, dtype=bool)] = None
        return cells if texts else pd.Series(cells).astype(float)
    values = _values(frame, name)
    if "__categories" in frame and name in frame["__categories"]:
        return _categorical(values, _values(frame, f"__categories/{name}"), limit)
    return np.array(texts_of(values), dtype=object) if values.dtype.kind in "OS" else values


def _categorical(codes: np.ndarray, categories: np.ndarray, limit: int) -> pd.Categorical:
    """Return categories, if there is room for their texts in every row."""
    levels = texts_of(categories) if categories.dtype.kind in "OS" else categories
    lengths = np.array([len(str(level)) for level in levels], dtype=np.int64)
    known = codes[(codes >= 0) & (codes < len(lengths))].astype(np.intp)
    _check_size(float(lengths[known].sum()), limit, "a column of categories")
    return pd.Categorical.from_codes(codes, pd.Index(levels))


def raw_of_anndata(adata: AnnDataLike, layer: str | None) -> Raw:
    """Return X, a layer or an embedding of an AnnData object, with its `obs` as groups."""
    place, values, names = _object_matrix(adata, layer)
    n, p = values.shape
    require_memory(
        8.0 * n * p, budget_bytes(None), f"{place} of the AnnData", "take fewer rows or genes"
    )
    dense = values.toarray() if sparse.issparse(values) else np.asarray(values)
    cells = [str(name) for name in adata.obs_names]
    obs = pd.DataFrame(adata.obs).reset_index(drop=True)
    return _raw_of_matrix(dense.astype(float), cells, names, obs, place)


def _object_matrix(adata: AnnDataLike, layer: str | None) -> tuple[str, Any, list[str]]:
    """Return where the matrix is, the matrix and the names of its columns."""
    if layer is None:
        return "X", adata.X, [str(name) for name in adata.var_names]
    if layer in adata.layers:
        return f"layers/{layer}", adata.layers[layer], [str(name) for name in adata.var_names]
    if layer not in adata.obsm:
        known = ", ".join([*adata.layers, *adata.obsm])
        raise invalid("layer", layer, f"is not in the AnnData: use one of {known[:200]}")
    values = adata.obsm[layer]
    columns = getattr(values, "columns", None)
    names = [f"{layer} {k + 1}" for k in range(values.shape[1])]
    return f"obsm/{layer}", values, names if columns is None else [str(name) for name in columns]


def write_anndata(fitted: Any, adata: Annotated, key: str = "pca") -> Annotated:
    """Write a fit into an AnnData object, where scanpy and its plots expect it.

    `obsm["X_" + key]` gets the coordinates, `uns[key]` the inertias as "variance" and
    "variance_ratio", and `varm` the axes of a PCA ("PCs" for the key "pca", else key + "_PCs").

    Parameters
    ----------
    fitted : fitted estimator
        A fit of the rows of `adata`; labelled rows are matched to `obs_names`.
    adata : AnnData
        The object, which is modified in place.
    key : str
        Prefix of the names under which coordinates and loadings are stored.

    Returns
    -------
    adata

    Examples
    --------
    >>> class Cells:  # what is needed of an AnnData
    ...     X, obs_names, var_names = [[0.0, 1.0], [2.0, 0.0], [3.0, 3.0]], list("uvw"), list("ab")
    ...     obsm, varm, uns, layers = {}, {}, {}, {}
    >>> fitted = gm.PCA(1).fit(Cells())
    >>> write_anndata(fitted, Cells()).obsm["X_pca"].shape
    (3, 1)
    """
    if not is_annotated(adata):
        raise InputTypeError(f"adata={short(adata)} must be an AnnData object")
    text(key, "key")
    Z = getattr(fitted, "coordinates_", None)
    if Z is None:
        raise InputTypeError(f"fitted={short(fitted)} has no coordinates_: give a fitted map")
    if len(Z) != len(adata.obs_names):
        raise InputError(f"adata has {len(adata.obs_names)} rows but the fit has {len(Z)}")
    labels = getattr(getattr(fitted, "training_", None), "index", None)
    order = order_of(labels, pd.Index(adata.obs_names), "fitted", "adata")
    adata.obsm[f"X_{key}"] = np.asarray(to_numpy(Z), dtype=float)[order]
    ratio = np.asarray(fitted.inertia_ratio_, dtype=float)
    variance = np.asarray(fitted.eigenvalues_, dtype=float)
    params = {"estimator": type(fitted).__name__, "n_components": len(variance)}
    adata.uns[key] = {"params": params, "variance": variance, "variance_ratio": ratio}
    axes = getattr(fitted, "components_", None)
    if axes is not None and axes.shape[1] == len(adata.var_names):
        adata.varm["PCs" if key == "pca" else f"{key}_PCs"] = np.asarray(to_numpy(axes)).T
    return adata
