"""AnnData objects in memory: read as a source, and given the results of a fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from scipy import sparse

from gramian._core.array import to_numpy
from gramian._core.check import invalid, short, text
from gramian._core.frames import is_annotated, order_of
from gramian._core.parallel import budget_bytes, require_memory
from gramian.errors import InputError, InputTypeError
from gramian.io.omics import annotated
from gramian.io.raw import Raw


def raw_of_anndata(adata: Any, layer: str | None) -> Raw:
    """Return X, a layer or an embedding of an AnnData object, with its `obs` as groups."""
    place, values, names = _matrix(adata, layer)
    n, p = values.shape
    require_memory(
        8.0 * n * p, budget_bytes(None), f"{place} of the AnnData", "take fewer rows or genes"
    )
    dense = values.toarray() if sparse.issparse(values) else np.asarray(values)
    cells = [str(name) for name in adata.obs_names]
    obs = pd.DataFrame(adata.obs).reset_index(drop=True)
    return annotated(dense.astype(float), cells, names, obs, place)


def _matrix(adata: Any, layer: str | None) -> tuple[str, Any, list[str]]:
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


def write_anndata(fitted: Any, adata: Any, key: str = "pca") -> Any:
    """Write a fit into an AnnData object, where scanpy and its plots look for one.

    `obsm["X_" + key]` gets the coordinates, `uns[key]` the inertias as "variance" and
    "variance_ratio", and `varm` the axes of a PCA ("PCs" for the key "pca", else key + "_PCs").

    Parameters
    ----------
    fitted : fitted estimator
        Of the rows of `adata`; where its rows are labelled, they go to `obs_names` by label.
    adata : AnnData
        It is changed in place.
    key : str

    Returns
    -------
    adata

    Examples
    --------
    >>> import gramian as gm
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
    adata.obsm[f"X_{key}"] = _in_order(np.asarray(to_numpy(Z), dtype=float), fitted, adata)
    ratio = np.asarray(fitted.inertia_ratio_, dtype=float)
    variance = np.asarray(fitted.eigenvalues_, dtype=float)
    params = {"estimator": type(fitted).__name__, "n_components": len(variance)}
    adata.uns[key] = {"params": params, "variance": variance, "variance_ratio": ratio}
    axes = getattr(fitted, "components_", None)
    if axes is not None and axes.shape[1] == len(adata.var_names):
        adata.varm["PCs" if key == "pca" else f"{key}_PCs"] = np.asarray(to_numpy(axes)).T
    return adata


def _in_order(Z: np.ndarray, fitted: Any, adata: Any) -> np.ndarray:
    """Return coordinates in the order of the rows of an AnnData object."""
    if len(Z) != len(adata.obs_names):
        raise InputError(f"adata has {len(adata.obs_names)} rows but the fit has {len(Z)}")
    labels = getattr(getattr(fitted, "training_", None), "index", None)
    return Z[order_of(labels, pd.Index(adata.obs_names), "fitted", "adata")]
