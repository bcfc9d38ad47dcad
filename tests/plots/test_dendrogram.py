"""The tree of classes, and classes as colours."""

import numpy as np
import pytest
from scipy.cluster.hierarchy import leaves_list
from tests.contracts.plot import PlotContract

import gramian as gm
from gramian.errors import InputTypeError
from gramian.plots.record import Curve, Points


@pytest.fixture(scope="module")
def found(pca):
    return gm.clusters.find(pca, 3, n_axes=2)


class TestDendrogram(PlotContract):
    @pytest.fixture
    def plot(self, found):
        return lambda backend: gm.plots.dendrogram(found, title="Flowers", backend=backend)


def test_every_union_stands_at_what_it_costs(found):
    record = gm.plots.dendrogram(found, backend="none")
    lines = np.vstack([np.column_stack([c.x, c.y]) for c in record.layers(Curve)])
    brackets = lines.reshape(-1, 5, 2)
    np.testing.assert_allclose(np.sort(brackets[:, 1, 1]), np.sort(found.tree.gains))
    assert set(record.numbers["order"]) == set(leaves_list(found.tree.merges))
    # Every row once, at the bottom, in the colour of its class.
    sizes = {layer.name: len(layer.at) for layer in record.layers(Points)}
    assert sizes == {str(k): size for k, size in found.sizes.items()}


def test_few_rows_are_named(iris):
    few = gm.clusters.find(gm.PCA(2).fit(iris.data.iloc[::10]), 2)
    ticks = gm.plots.dendrogram(few, backend="none").panels[0].x.ticks
    assert {text for _, text in ticks} == set(iris.data.index[::10])


@pytest.mark.parametrize("plot", ["individuals", "biplot", "pairs", "map3d"])
def test_classes_are_colours(plot, pca, found):
    draw = getattr(gm.plots, plot)
    for color in (found, found.labels):
        record = draw(pca, color=color, backend="none")
        names = {layer.name for layer in record.layers(Points)}
        assert {"1", "2", "3"} <= names


def test_many_classes_are_groups_too(pca):
    many = gm.clusters.find(pca, 12)
    record = gm.plots.individuals(pca, color=many, backend="none")
    assert {"1", "12"} <= {layer.name for layer in record.layers(Points)}
    with pytest.raises(InputTypeError, match=r"gm\.clusters\.find"):
        gm.plots.dendrogram(pca)
