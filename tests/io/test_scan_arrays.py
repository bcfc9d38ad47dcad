"""HDF5, zarr and AnnData, read by slices of their rows: the numbers of the table in memory."""

from types import SimpleNamespace

import h5py
import numpy as np
import pandas as pd
import pytest
import zarr
from scipy import sparse

import gramian as gm
from gramian.errors import InputError, MemoryBudgetError

from .files import h5ad

NAMES = ["g1", "g2", "g3", "g4", "g5"]


def rows(n=900, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 5)) * [5, 4, 3, 2, 1]
    X[rng.random(X.shape) < 0.6] = 0.0
    return X


def hdf5(folder, X):
    with h5py.File(folder / "rows.h5", "w") as file:
        file.create_dataset("deep/table", data=X, chunks=(100, 5), compression="gzip")
        file["label"] = np.arange(len(X))
    return folder / "rows.h5"


def hdf5_open(folder, X):
    return h5py.File(hdf5(folder, X), "r")["deep/table"]


def zarr_array(folder, X):
    array = zarr.create_array(folder / "rows.zarr", shape=X.shape, chunks=(70, 5), dtype=X.dtype)
    array[:] = X
    return folder / "rows.zarr"


def zarr_open(folder, X):
    return zarr.open(zarr_array(folder, X), mode="r")


def zarr_csr(folder, X):
    """Write a sparse matrix by AnnData's specification."""
    store = zarr.open_group(folder / "cells.zarr", mode="w")
    group, S = store.create_group("X"), sparse.csr_array(X)
    group.attrs.update({"encoding-type": "csr_matrix", "shape": list(X.shape)})
    for key in ("data", "indices", "indptr"):
        part = getattr(S, key)
        group.create_array(key, shape=part.shape, dtype=part.dtype, chunks=(200,))[:] = part
    return folder / "cells.zarr"


def annotated(matrix):
    def make(folder, X):
        cells = [f"c{k}" for k in range(len(X))]
        (folder / "cells.h5ad").write_bytes(h5ad(matrix(X), cells, NAMES, {}))
        return folder / "cells.h5ad"

    return make


def memory_map(folder, X):
    np.save(folder / "rows.npy", X)
    return np.load(folder / "rows.npy", mmap_mode="r")


def backed(folder, X):
    """Return what is needed of an AnnData object whose X is on disk."""
    return SimpleNamespace(
        X=hdf5_open(folder, X),
        obs_names=[str(k) for k in range(len(X))],
        var_names=NAMES,
        obsm={},
        layers={"twice": sparse.csr_array(2.0 * X)},
    )


SOURCES = {
    "hdf5": hdf5,
    "hdf5 object": hdf5_open,
    "zarr": zarr_array,
    "zarr object": zarr_open,
    "zarr csr": zarr_csr,
    "h5ad": annotated(lambda X: X),
    "h5ad csr": annotated(sparse.csr_array),
    "memory map": memory_map,
    "AnnData backed": backed,
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", SOURCES)
def test_the_fit_is_that_of_the_table_in_memory(kind, tmp_path):
    X = rows()
    scan = gm.io.scan(SOURCES[kind](tmp_path, X), memory="100kB")
    assert scan.n_rows == 900
    fit, whole = gm.PCA(3).fit(scan), gm.PCA(3).fit(X)
    assert len(list(scan)) > 2
    np.testing.assert_allclose(fit.eigenvalues_, whole.eigenvalues_, rtol=1e-12)
    Z = np.asarray(fit.transform(scan).collect())
    np.testing.assert_allclose(Z, whole.coordinates_, atol=1e-10)
    assert np.asarray(gm.io.scan(scan).take(scan.columns[1:3]).collect().shape).tolist() == [900, 2]


def test_columns_of_annotated_data_have_names(tmp_path):
    scan = gm.io.scan(SOURCES["h5ad"](tmp_path, rows()))
    assert scan.columns == NAMES and list(scan.head(2).columns) == NAMES
    assert list(gm.PCA(2).fit(scan).variables().index) == NAMES
    assert gm.io.scan(SOURCES["h5ad csr"](tmp_path, rows())).columns == NAMES
    adata = backed(tmp_path, rows())
    doubled = gm.io.scan(adata, layer="twice").collect()
    np.testing.assert_array_equal(doubled.toarray(), 2.0 * rows())


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "first"), [("h5ad", "c0"), ("AnnData backed", "0")])
def test_rows_of_annotated_data_have_names(tmp_path, kind, first):
    X = rows()
    scan = gm.io.scan(SOURCES[kind](tmp_path, X), memory="100kB")
    table = gm.PCA(2).fit(scan).individuals(scan).collect()
    assert len(list(scan)) > 2 and table.index[0] == first
    assert list(table.index) == [first[:-1] + str(k) for k in range(len(X))]


def test_several_files_follow_one_another(tmp_path):
    X = rows()
    for k, part in enumerate(np.array_split(X, 3)):
        with h5py.File(tmp_path / f"part{k}.h5", "w") as file:
            file["table"] = part
    np.testing.assert_array_equal(gm.io.scan(tmp_path).collect(), X)


def test_one_of_several_arrays_is_named(tmp_path):
    with h5py.File(tmp_path / "two.h5", "w") as file:
        file["a"], file["b/c"] = rows(), 3.0 * rows()
    with pytest.raises(InputError, match=r"holds a, b/c: say which is the table with layer="):
        gm.io.scan(tmp_path / "two.h5")
    with pytest.raises(InputError, match=r"layer='d' is not in two\.h5"):
        gm.io.scan(tmp_path / "two.h5", layer="d")
    scan = gm.io.scan(tmp_path / "two.h5", layer="b/c")
    np.testing.assert_array_equal(scan.collect(), 3.0 * rows())


def test_what_cannot_be_read_is_refused(tmp_path):
    path = annotated(sparse.csc_array)(tmp_path, rows())
    with pytest.raises(InputError, match=r"stored by columns \(CSC\).*tocsr"):
        gm.io.scan(path)
    path.write_bytes(b"no HDF5 at all")
    with pytest.raises(InputError, match=r"cells\.h5ad cannot be read"):
        gm.io.scan(path)
    with h5py.File(path, "w") as file:
        file["X"] = h5py.ExternalLink("other.h5", "X")
    with pytest.raises(InputError, match="link to another file"):
        gm.io.scan(path)
    np.save(tmp_path / "row.npy", np.arange(3.0))
    with pytest.raises(InputError, match="1-D: a table is needed"):
        gm.io.scan(tmp_path / "row.npy")
    with pytest.raises(InputError, match="has only one table"):
        gm.io.scan(tmp_path / "row.npy", layer="X")


def test_a_piece_larger_than_the_budget_is_refused(tmp_path):
    with h5py.File(tmp_path / "rows.h5", "w") as file:
        file.create_dataset("X", shape=(10**6, 100), chunks=(10**6, 100), dtype="f8", fillvalue=0.0)
    with pytest.raises(MemoryBudgetError, match="a piece of X needs 800 MB"):
        gm.io.scan(tmp_path / "rows.h5", memory="100MB")


def test_indices_of_a_sparse_matrix_are_looked_at(tmp_path):
    path = annotated(sparse.csr_array)(tmp_path, rows())
    with h5py.File(path, "r+") as file:
        file["X/indices"][7] = 99
    with pytest.raises(InputError, match=r"cells\.h5ad cannot be read"):
        gm.PCA(2).fit(gm.io.scan(path))


def test_a_file_that_changes_between_passes_is_named(tmp_path):
    X = rows()
    path = memory_map(tmp_path, X).filename
    scan = gm.io.scan(path)
    fit = gm.PCA(2).fit(scan)
    np.save(path, 2.0 * X)  # as many rows, other numbers
    with pytest.raises(InputError, match=r"rows\.npy changed while it was read"):
        fit.transform(scan).collect()
    parquet = tmp_path / "rows.parquet"
    pd.DataFrame(X, columns=NAMES).to_parquet(parquet)
    scan = gm.io.scan(parquet, memory="100kB")
    blocks = iter(scan)
    next(blocks)
    pd.DataFrame(X + 1.0, columns=NAMES).to_parquet(parquet)
    with pytest.raises(InputError, match=r"rows\.parquet (changed|cannot be read)"):
        list(blocks)
