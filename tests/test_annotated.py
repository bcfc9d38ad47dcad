"""Tables of other libraries: AnnData, lazy frames, Arrow, sparse pandas, torch beside NumPy."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import torch
from scipy import sparse

import gramian as gm
from gramian.errors import InputError, InputTypeError

RNG = np.random.default_rng(3)
N = 20
FRAME = pd.DataFrame(RNG.standard_normal((N, 4)), [f"cell{i}" for i in range(N)], list("abcd"))
OBS = pd.DataFrame(
    {"type": pd.Categorical(["B", "T"] * (N // 2)), "depth": RNG.random(N)}, index=FRAME.index
)
KNOWN = gm.PCA(2, scale=True).fit(FRAME)


def cells(X=None):
    """What is used of an AnnData object; its own class needs more than the tests may ask for."""
    X = FRAME.to_numpy() if X is None else X
    layers = {"counts": sparse.csr_matrix(np.round(np.abs(FRAME.to_numpy()) * 5))}
    return SimpleNamespace(
        X=X,
        obs=OBS,
        obs_names=FRAME.index,
        var_names=FRAME.columns,
        layers=layers,
        obsm={"X_umap": FRAME.to_numpy()[:, :2]},
        varm={},
        uns={},
    )


TABLES = {
    "lazy frame": pl.DataFrame(FRAME.to_dict("list")).lazy(),
    "arrow": pa.Table.from_pandas(FRAME),
    "arrow without an index": pa.Table.from_pandas(FRAME, preserve_index=False),
    "sparse pandas": FRAME.astype(pd.SparseDtype(float, 0.0)),
    "anndata": cells(),
    "sparse anndata": cells(sparse.csr_matrix(FRAME.to_numpy())),
}


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("estimator", [gm.PCA(2, scale=True), gm.KernelPCA(2), gm.ClassicalMDS(2)])
def test_every_table_is_the_frame(name, estimator):
    known = type(estimator)(**estimator.get_params()).fit(FRAME)
    fit = estimator.fit(TABLES[name])
    np.testing.assert_allclose(np.abs(fit.coordinates_), np.abs(known.coordinates_), atol=1e-9)
    new = fit.transform(TABLES[name])
    np.testing.assert_allclose(np.abs(new), np.abs(known.coordinates_), atol=1e-9)
    assert list(fit.feature_names_in_) == list("abcd")
    if name in ("arrow", "sparse pandas", "anndata", "sparse anndata"):
        assert list(fit.individuals().index) == list(FRAME.index)


def test_labels_of_an_arrow_table_pair_rows():
    shuffled = FRAME.sample(frac=1.0, random_state=0)
    one = gm.stability.procrustes(pa.Table.from_pandas(FRAME), pa.Table.from_pandas(shuffled))
    assert one.statistic == pytest.approx(0.0, abs=1e-12)
    assert gm.stability.procrustes(cells(), shuffled).statistic == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("estimator", [gm.PCA(2), gm.KernelPCA(2), gm.Nystrom(8)])
def test_torch_and_numpy_go_together(estimator):
    X = FRAME.to_numpy()
    known = estimator.fit(X).transform(X[:5])
    there = estimator.fit(torch.tensor(X)).transform(X[:5])
    assert isinstance(there, np.ndarray)
    np.testing.assert_allclose(there @ there.T, known @ known.T, atol=1e-8)
    back = estimator.fit(X).transform(torch.tensor(X[:5]))
    assert isinstance(back, torch.Tensor)
    np.testing.assert_allclose(back @ back.T, known @ known.T, atol=1e-8)


def test_texts_of_numpy_and_the_labels_of_a_series():
    words = ["kernel", "kernels", "tree", "trees"]
    kernel = gm.kernels.sequence.Spectrum(k=2)
    known = gm.KernelPCA(2, kernel=kernel).fit(words)
    fit = gm.KernelPCA(2, kernel=kernel).fit(np.array(words))
    np.testing.assert_allclose(fit.eigenvalues_, known.eigenvalues_)
    labelled = gm.KernelPCA(2, kernel=kernel).fit(pd.Series(words, index=list("wxyz")))
    assert list(labelled.individuals().index) == list("wxyz")
    groups = pd.Series(["t", "t", "k", "k"], index=list("zywx"), name="of")
    assert labelled.categories(groups)["coordinate", 1].abs().min() > 0.5


@pytest.mark.parametrize("layer", [None, "counts", "X_umap"])
def test_anndata_is_a_source(layer):
    source = gm.io.as_source(cells(), **({} if layer is None else {"layer": layer}))
    assert source.columns("group") == ["type"]
    assert source.columns("supplementary") == ["depth"]
    assert source.names == list(FRAME.index)
    expected = {
        None: FRAME.to_numpy(),
        "counts": cells().layers["counts"].toarray(),
        "X_umap": FRAME.to_numpy()[:, :2],
    }[layer]
    np.testing.assert_allclose(source.active().to_numpy(), expected)
    assert list(source.groups()["type"]) == list(OBS["type"])


def test_a_layer_that_is_not_there():
    with pytest.raises(InputError, match="use one of counts, X_umap"):
        gm.io.as_source(cells(), layer="raw")


def test_a_fit_is_written_where_scanpy_looks():
    adata = cells()
    shuffled = FRAME.sample(frac=1.0, random_state=0)
    fit = gm.PCA(2, scale=True).fit(shuffled)
    assert gm.io.write_anndata(fit, adata) is adata
    np.testing.assert_allclose(np.abs(adata.obsm["X_pca"]), np.abs(KNOWN.coordinates_), atol=1e-9)
    np.testing.assert_allclose(adata.uns["pca"]["variance_ratio"], KNOWN.inertia_ratio_)
    np.testing.assert_allclose(adata.varm["PCs"].T, fit.components_)
    gm.io.write_anndata(gm.KernelPCA(2).fit(FRAME), adata, key="kpca")
    assert adata.obsm["X_kpca"].shape == (N, 2)
    assert set(adata.varm) == {"PCs"}


def test_what_cannot_be_written():
    with pytest.raises(InputTypeError, match="AnnData"):
        gm.io.write_anndata(KNOWN, {})
    with pytest.raises(InputTypeError, match="no coordinates_"):
        gm.io.write_anndata(3, cells())
    with pytest.raises(InputError, match="20 rows but the fit has 5"):
        gm.io.write_anndata(gm.PCA(1).fit(FRAME[:5]), cells())


@pytest.mark.filterwarnings("ignore:the distances are not Euclidean")
@pytest.mark.parametrize(
    "estimator", [gm.FAMD(2), gm.KernelPCA(2, kernel="gower"), gm.ClassicalMDS(2, metric="gower")]
)
def test_a_lazy_frame_with_categories_is_collected(estimator):
    eager = pl.DataFrame(FRAME.to_dict("list") | {"type": ["B", "T"] * (N // 2)})
    known = estimator.fit(eager).transform(eager)
    fit = estimator.fit(eager.lazy())
    np.testing.assert_allclose(fit.transform(eager.lazy()), known)
    assert list(fit.feature_names_in_) == [*"abcd", "type"]


@pytest.mark.slow
def test_holes_of_a_lazy_frame_are_filled_in():
    numbers = FRAME.to_dict("list")
    eager = pl.DataFrame(numbers | {"a": [None, *numbers["a"][1:]], "type": ["B", "T"] * (N // 2)})
    known = gm.missing.impute(eager).table
    assert gm.missing.impute(eager.lazy()).table.equals(known)
