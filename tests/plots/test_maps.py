"""The map of individuals: what is drawn, in numbers."""

import numpy as np
import pandas as pd
import pytest

import gramian as gm
from gramian.errors import InputError, InputTypeError
from gramian.plots.record import Curve, Labels, Points


def record(fitted, **options):
    return gm.plots.individuals(fitted, backend="none", **options)


def points(figure, name=None):
    """Positions of the markers, of one name or of all."""
    layers = [k for k in figure.layers(Points) if name is None or k.name == name]
    return np.vstack([layer.at for layer in layers])


def by_rows(Z):
    return Z[np.lexsort(Z.T)]


def names(figure):
    return [text for layer in figure.layers(Labels) for text in layer.texts]


def test_points_are_the_coordinates(pca):
    figure = record(pca)
    np.testing.assert_array_equal(points(figure), pca.coordinates_[:, :2])
    other = record(pca, axes=(3, 2))
    np.testing.assert_array_equal(points(other), pca.coordinates_[:, [2, 1]])


def test_titles_tell_the_inertia(pca):
    panel = record(pca, axes=(1, 3)).panels[0]
    assert panel.x.title == "Axis 1 (73.0 %)"
    assert panel.y.title == f"Axis 3 ({100 * pca.inertia_ratio_[2]:.1f} %)"


@pytest.mark.slow
def test_a_unit_is_as_long_on_both_axes(pca, genes, mds):
    for fitted in (pca, genes, mds):
        panel = record(fitted).panels[0]
        units = panel.to_page(np.array([[0.0, 0.0], [1.0, 1.0]]))
        dx, dy = units[1] - units[0]
        assert panel.equal and dx == pytest.approx(dy, rel=1e-12)
        spots = panel.to_page(fitted.coordinates_[:, :2])
        assert (spots > 0).all() and (spots < [panel.width, panel.height]).all()


def test_each_group_is_a_layer_and_an_entry_of_the_legend(pca, species):
    figure = record(pca, color=species, labels=False)
    assert figure.legend.title == "species"
    for name in species.cat.categories:
        np.testing.assert_array_equal(
            points(figure, name), pca.coordinates_[(species == name).to_numpy(), :2]
        )


@pytest.mark.slow
def test_numbers_are_a_colour_scale(pca, iris):
    width = iris.data.iloc[:, 1]
    figure = record(pca, color=width)
    (layer,) = figure.layers(Points)
    np.testing.assert_array_equal(layer.color, width)
    assert figure.color_bar.scale is layer.scale and figure.legend is None
    assert (layer.scale.low, layer.scale.high) == (width.min(), width.max())


@pytest.mark.slow
def test_barycentres_are_those_of_the_categories(pca, species):
    centres = record(pca, color=species, barycentres=True).numbers["barycentres"]
    expected = pca.categories(species)["coordinate"][[1, 2]]
    np.testing.assert_allclose(centres, expected, atol=1e-12)
    means = pd.DataFrame(pca.coordinates_[:, :2]).groupby(species.to_numpy(), observed=True).mean()
    np.testing.assert_allclose(centres, means, atol=1e-12)


def test_barycentres_are_weighted(iris, species):
    w = np.random.default_rng(0).uniform(0.1, 2.0, 150)
    fitted = gm.PCA(2).fit(iris.data, sample_weight=w)
    centres = record(fitted, color=species, barycentres=True).numbers["barycentres"]
    for name in species.cat.categories:
        rows = (species == name).to_numpy()
        mean = np.average(fitted.coordinates_[rows], axis=0, weights=w[rows])
        np.testing.assert_allclose(centres.loc[name], mean, atol=1e-12)


@pytest.mark.parametrize("kind", ["concentration", "confidence"])
def test_one_ellipse_for_each_group(pca, species, kind):
    figure = record(pca, color=species, ellipses=kind, labels=False)
    found = figure.numbers["ellipses"]
    assert list(found) == list(species.cat.categories)
    outlines = list(figure.layers(Curve))
    assert len(outlines) == 3
    for name, curve in zip(found, outlines, strict=True):
        Z = pca.coordinates_[(species == name).to_numpy(), :2]
        np.testing.assert_allclose(found[name].centre, Z.mean(axis=0), atol=1e-12)
        panel = figure.panels[0]
        spots = panel.to_page(np.column_stack([curve.x, curve.y]))
        assert (spots >= 0).all() and (spots <= [panel.width, panel.height]).all()
        if kind == "concentration":
            assert found[name].holds(Z).mean() > 0.85


@pytest.mark.slow
def test_supplementary_rows_are_placed_by_transform(pca, iris):
    new = (iris.data.iloc[:4] * 1.1).set_axis([f"new {k}" for k in range(4)])
    figure = record(pca, supplementary=new, labels=False)
    np.testing.assert_allclose(
        points(figure, "supplementary"), pca.transform(new)[:, :2], atol=1e-12
    )
    hollow = [k for k in figure.layers(Points) if not k.filled]
    assert [k.name for k in hollow] == ["supplementary"] and hollow[0].marker == "diamond"
    assert "new 2" in names(record(pca, supplementary=new))


def test_supplementary_rows_of_a_precomputed_kernel_need_no_diagonal(iris):
    X = iris.data.to_numpy()
    K = X @ X.T
    fitted = gm.KernelPCA(2, kernel="precomputed").fit(K[:100, :100])
    figure = record(fitted, supplementary=K[100:, :100], labels=False)
    np.testing.assert_allclose(
        points(figure, "supplementary"), fitted.transform(K[100:, :100]), atol=1e-10
    )


def test_rows_of_weight_zero_are_supplementary(iris):
    w = np.ones(150)
    w[[3, 70]] = 0.0
    fitted = gm.PCA(2).fit(iris.data, sample_weight=w)
    figure = record(fitted, labels=False)
    np.testing.assert_array_equal(points(figure, "supplementary"), fitted.coordinates_[[3, 70]])
    assert len(points(figure, "")) == 148


@pytest.mark.parametrize("by", ["contribution", "cos2"])
def test_the_best_are_selected(pca, by):
    table = pca.individuals()
    if by == "cos2":
        measure = table["quality"][2]
    else:
        share = pca.eigenvalues_[:2] / pca.eigenvalues_[:2].sum()
        measure = table["contribution"][[1, 2]] @ share
    expected = measure.sort_values(ascending=False).index[:7]
    figure = record(pca, select=7, by=by)
    assert set(table.index[figure.numbers["selected"]]) == set(expected)
    assert sorted(len(layer.at) for layer in figure.layers(Points)) == [7, 143]
    assert set(names(figure)) <= set(expected)


@pytest.mark.slow
def test_a_threshold_selects(pca):
    quality = pca.individuals()["quality"][2].to_numpy()
    figure = record(pca, select=0.95, by="cos2")
    np.testing.assert_array_equal(figure.numbers["selected"], quality >= 0.95)


def test_labels_or_a_mask_select(pca, iris):
    wanted = ["flower_042", "flower_119"]
    by_label = record(pca, select=wanted).numbers["selected"]
    by_mask = record(pca, select=iris.data.index.isin(wanted)).numbers["selected"]
    assert list(iris.data.index[by_label]) == wanted and np.array_equal(by_label, by_mask)


@pytest.mark.slow
def test_names_of_few_all_of_many_the_best(genes, pca, plants):
    assert sorted(names(record(genes))) == sorted(plants.data.index)
    assert 0 < len(names(record(pca))) <= 12
    assert names(record(pca, labels=False)) == []
    assert sorted(names(record(pca, labels=["flower_042"]))) == ["flower_042"]
    assert len(names(record(pca, labels=25))) == 25
    assert len(names(record(pca, labels=True))) > 40


def test_row_numbers_are_shown_on_request_only():
    X = np.random.default_rng(0).normal(size=(200, 3))
    assert names(record(gm.PCA(2).fit(X))) == names(record(gm.PCA(2).fit(X[:5]))) == []
    assert sorted(names(record(gm.PCA(2).fit(X[:5]), labels=True))) == list("01234")


@pytest.mark.slow
def test_names_never_overlap(genes, pca, species, plants):
    for figure in (
        record(genes, color=plants.groups["co2"], barycentres=True),
        record(pca, color=species, labels=True, barycentres=True),
    ):
        boxes = np.vstack([layer.boxes for layer in figure.layers(Labels)])
        left, bottom, right, top = boxes.T
        meet = (
            (left[:, None] < right) & (left < right[:, None])
            & (bottom[:, None] < top) & (bottom < top[:, None])
        )  # fmt: skip
        assert meet.sum() == len(boxes)  # each only with itself


def test_cos2_is_shown_by_area_or_opacity(pca):
    quality = pca.individuals()["quality"][2].to_numpy()
    (layer,) = record(pca, size="cos2", labels=False).layers(Points)
    area = layer.size**2
    np.testing.assert_allclose(np.corrcoef(area, quality)[0, 1], 1.0, atol=1e-12)
    (layer,) = record(pca, alpha="cos2", labels=False).layers(Points)
    np.testing.assert_allclose(np.corrcoef(layer.alpha, quality)[0, 1], 1.0, atol=1e-12)
    assert layer.alpha.min() >= 0.08 and layer.alpha.max() <= 0.95
    assert "cos²" in record(pca, size="cos2").notes[0]


@pytest.mark.slow
def test_a_crowd_is_small_light_and_drawn_in_turns(crowd):
    fitted, region = crowd
    figure = record(fitted, color=region)
    layers = list(figure.layers(Points))
    assert sum(len(layer.at) for layer in layers) == 20_000
    np.testing.assert_array_equal(by_rows(points(figure)), by_rows(fitted.coordinates_[:, :2]))
    assert max(np.max(layer.size) for layer in layers) <= 2.5
    order = [layer.name for layer in layers]
    assert order[:4] == sorted(set(region)) and order[:4] == order[4:8]  # no group on top of all
    assert len(names(figure)) <= 12


def test_hover_tells_labels_and_quality(pca, iris):
    (layer,) = record(pca).layers(Points)
    assert list(layer.labels) == list(iris.data.index)
    quality = pca.individuals()["quality"][2]
    np.testing.assert_allclose(layer.details["cos²"], quality, rtol=1e-12)
    assert layer.details["contribution"].sum() == pytest.approx(1.0)


@pytest.mark.slow
def test_kernel_pca_and_mds_have_the_same_map(kpca, mds, species):
    for fitted in (kpca, mds):
        figure = record(fitted, color=species, ellipses="confidence", barycentres=True)
        assert sum(len(k.at) for k in figure.layers(Points)) == 150 + 3


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"axes": (1, 9)}, "axis 9 is not between 1 and 4"),
        ({"axes": (1, 0)}, "axis 0"),
        ({"axes": (1, 2, 3)}, "must name 2 axes"),
        ({"axes": (1, True)}, "axis True"),
        ({"size": "weight"}, "size='weight' must be \"cos2\""),
        ({"labels": "some"}, "labels='some'"),
        ({"labels": ["nobody"]}, "'nobody'"),
        ({"select": 0}, "select=0"),
        ({"select": 1.5}, "select=1.5"),
        ({"select": ["nobody"]}, "'nobody'"),
        ({"by": "inertia", "select": 3}, "by='inertia'"),
        ({"ellipses": "square"}, "ellipses='square'"),
        ({"ellipses": "confidence", "level": 1.0}, "level=1.0"),
        ({"barycentres": True}, "barycentres=True needs groups"),
        ({"color": [1, 2]}, "color has 2 rows"),
    ],
)
def test_refusals(pca, options, words):
    with pytest.raises(InputError, match=words) as caught:
        record(pca, **options)
    assert len(str(caught.value)) <= 400


def test_one_axis_is_not_a_map(iris):
    with pytest.raises(InputError, match="larger n_components"):
        record(gm.PCA(1).fit(iris.data))


def test_what_is_not_fitted_is_refused(iris):
    for wrong in (gm.PCA(), iris.data, 3):
        with pytest.raises(InputTypeError, match="fitted must be a fitted estimator"):
            record(wrong)


class Bare:
    """A fitted method that has coordinates and nothing to read: no inertia, no tables."""

    def __init__(self, Z):
        self.coordinates_, self.n_components_ = Z, Z.shape[1]

    def transform(self, X):
        return np.asarray(X)[:, : self.n_components_]


def test_a_method_with_coordinates_only_has_a_map():
    Z = np.random.default_rng(0).normal(size=(12, 2))
    figure = record(Bare(Z), supplementary=[[0.5, 0.5, 9.0]], color=list("ab") * 6)
    assert figure.panels[0].x.title == "Axis 1"
    np.testing.assert_array_equal(by_rows(np.vstack([points(figure, k) for k in "ab"])), by_rows(Z))
    np.testing.assert_array_equal(points(figure, "supplementary"), [[0.5, 0.5]])
    with pytest.raises(InputError, match='size="cos2" needs'):
        record(Bare(Z), size="cos2")


def test_rows_whose_names_are_their_positions_have_none():
    X = pd.DataFrame(np.random.default_rng(0).normal(size=(6, 3)))
    for names_of_rows in ("012345", "123456"):
        assert names(record(gm.PCA(2).fit(X.set_axis(list(names_of_rows))))) == []
    assert len(names(record(gm.PCA(2).fit(X.set_axis(list("234567")))))) == 6
