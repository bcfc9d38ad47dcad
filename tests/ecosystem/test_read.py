"""Reductions made elsewhere are read like the fits made here."""

import numpy as np
import pandas as pd
import pytest
from sklearn import decomposition, manifold
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import gramian as gm
from gramian.errors import InputError, InputTypeError

pytestmark = pytest.mark.slow


IRIS = gm.datasets.iris()
X, GROUPS = IRIS.data[::3], IRIS.groups[::3]
MAPS = {
    "PCA": decomposition.PCA(2),
    "TruncatedSVD": decomposition.TruncatedSVD(2),
    "KernelPCA": decomposition.KernelPCA(2, kernel="rbf", gamma=0.3),
    "MDS": manifold.MDS(2, n_init=1, init="classical_mds"),
    "Isomap": manifold.Isomap(n_components=2, n_neighbors=20),
    "TSNE": manifold.TSNE(2, perplexity=8, max_iter=250, init="pca"),
    "Pipeline": make_pipeline(StandardScaler(), decomposition.PCA(2)),
}


@pytest.fixture(scope="module", params=MAPS)
def reading(request):
    return gm.read_map(MAPS[request.param].fit(X), X)


def test_every_reading(reading):
    rows = reading.individuals()
    assert list(rows.index) == list(X.index)
    np.testing.assert_allclose(rows["coordinate"].to_numpy(), reading.coordinates_)
    assert rows["cos2"].to_numpy().min() >= 0
    assert rows["quality"].to_numpy().max() <= 1 + 1e-9
    np.testing.assert_allclose(rows["contribution"][[1, 2]].sum(), 1.0)
    Z = reading.coordinates_
    table = reading.categories(GROUPS)["coordinate"]
    for species, barycentre in table.loc["species"].iterrows():
        mine = Z[(GROUPS["species"] == species).to_numpy()].mean(axis=0)
        shift = Z.mean(axis=0)
        both = np.allclose(barycentre, mine) or np.allclose(barycentre, mine - shift)
        assert both
    r = reading.variables(X)["correlation"].to_numpy()
    np.testing.assert_allclose(r, np.corrcoef(X.T, Z.T)[:4, 4:], atol=1e-9)
    assert reading.space_ in str(reading.summary()) or str(reading.summary())


def test_neighbourhoods_are_those_of_scikit_learn(reading):
    table = reading.neighbourhoods(n_neighbors=[3, 7])
    for k in (3, 7):
        there = manifold.trustworthiness(X, reading.coordinates_, n_neighbors=k)
        back = manifold.trustworthiness(reading.coordinates_, X, n_neighbors=k)
        # Rows at the same distance have no order of their own.
        np.testing.assert_allclose(table.loc[k], [there, back], atol=2e-3)


@pytest.mark.parametrize("plot", ["individuals", "scree", "pairs", "cos2", "contributions", "gram"])
def test_every_figure(reading, plot):
    assert getattr(gm.plots, plot)(reading, backend="none") is not None


def test_a_pca_read_is_the_pca():
    known = gm.PCA(2).fit(X)
    read = gm.read_map(decomposition.PCA(2).fit(X), X)
    assert read.space_ == "table"
    np.testing.assert_allclose(read.eigenvalues_, known.eigenvalues_)
    np.testing.assert_allclose(read.inertia_, known.inertia_)
    for table in ("individuals", "variables"):
        mine, theirs = getattr(read, table)(), getattr(known, table)()
        np.testing.assert_allclose(mine["cos2"], theirs["cos2"], atol=1e-9)
        np.testing.assert_allclose(mine["contribution"], theirs["contribution"], atol=1e-9)
    mine, theirs = read.categories(GROUPS), known.categories(GROUPS)
    np.testing.assert_allclose(mine["distance2"], theirs["distance2"])
    np.testing.assert_allclose(mine["v_test"].abs(), theirs["v_test"].abs())
    np.testing.assert_allclose(
        read.individuals(X[:4])["cos2"], known.individuals(X[:4])["cos2"], atol=1e-9
    )


@pytest.mark.parametrize("ddof", [0, 1])
def test_a_map_of_scaled_columns_is_known(ddof):
    """prince divides by n, scanpy's `scale` by n − 1."""
    scaled = (X - X.mean()) / X.std(ddof=ddof)
    coordinates = decomposition.PCA(3).fit_transform(scaled)
    read = gm.read_map(coordinates, X)
    known = gm.PCA(3, scale=True).fit(X)
    assert read.space_ == "table"
    np.testing.assert_allclose(read.inertia_ratio_, known.inertia_ratio_)
    np.testing.assert_allclose(read.individuals()["cos2"], known.individuals()["cos2"], atol=1e-8)
    n = len(X)
    size = np.sqrt(n / (n - ddof))
    np.testing.assert_allclose(read.coordinates_, size * coordinates, atol=1e-9)


def test_a_whitened_pca_is_read_in_the_unit_of_the_table():
    read = gm.read_map(decomposition.PCA(2, whiten=True).fit(X), X)
    assert read.space_ == "table"
    np.testing.assert_allclose(read.eigenvalues_, gm.PCA(2).fit(X).eigenvalues_)


@pytest.mark.parametrize("rows", [None, X])
def test_a_kernel_pca_read_is_the_kernel_pca(rows):
    theirs = decomposition.KernelPCA(2, kernel="rbf", gamma=0.3).fit(X)
    read, known = gm.read_map(theirs, rows), gm.KernelPCA.from_sklearn(clone(theirs)).fit(X)
    assert read.space_ == "kernel"
    np.testing.assert_allclose(read.inertia_ratio_, known.inertia_ratio_)
    np.testing.assert_allclose(read.individuals()["cos2"], known.individuals()["cos2"], atol=1e-9)
    np.testing.assert_allclose(read.transform(X[:5]), theirs.transform(X[:5]), atol=1e-9)


def test_classical_distances_are_those_of_the_rows():
    read = gm.read_map(manifold.MDS(2, n_init=1, init="classical_mds").fit(X), X)
    assert read.space_ == "distances"
    squares = ((X - X.mean()) ** 2).sum(axis=1)
    F2 = (read.coordinates_ - read.coordinates_.mean(axis=0)) ** 2
    expected = F2 / np.maximum(squares.to_numpy(), F2.sum(axis=1))[:, None]
    np.testing.assert_allclose(read.individuals()["cos2"], expected, atol=1e-9)


def test_labels_pair_coordinates_and_rows():
    coordinates = pd.DataFrame(decomposition.PCA(2).fit_transform(X), index=X.index)
    shuffled = X.sample(frac=1.0, random_state=0)
    assert gm.read_map(coordinates, shuffled).space_ == "table"
    assert gm.read_map(coordinates.to_numpy(), shuffled).space_ == "map"


def test_rotated_axes_are_directions_but_not_principal():
    turned = decomposition.PCA(2).fit_transform(X) @ [[0.6, 0.8], [-0.8, 0.6]]
    read = gm.read_map(turned, X)
    assert read.space_ == "table"
    with pytest.raises(InputError, match="keeps no variables"):
        read.variables()


def test_a_fit_made_here_is_itself():
    fit = gm.PCA(2).fit(X)
    assert gm.read_map(fit) is fit


@pytest.mark.parametrize(
    ("reduction", "rows", "message"),
    [
        (decomposition.PCA(2), X, "not fitted"),
        (decomposition.PCA(2).fit(X), None, r"gm\.read_map\(fitted, X\)"),
        (np.ones((5, 2)), None, "same"),
        (np.arange(10.0).reshape(5, 2), X, "50 rows but the map has 5"),
        (np.arange(5.0), None, "2D"),
    ],
)
def test_what_cannot_be_read(reduction, rows, message):
    with pytest.raises(InputError, match=message):
        gm.read_map(reduction, rows)


def test_what_is_no_reduction():
    for thing in (3, "PCA", decomposition.PCA):
        with pytest.raises(InputTypeError, match="must be coordinates"):
            gm.read_map(thing)
    with pytest.raises(InputTypeError, match=r"not fitted: use gm\.read"):
        type(gm.read_map(X.to_numpy()))().fit(X)
    with pytest.raises(InputError, match="no place for new rows"):
        gm.read_map(X.to_numpy()).transform(X)
