"""Maps of variables, and biplots."""

import numpy as np
import pandas as pd
import pytest

import gramian as gm
from gramian.errors import InputError
from gramian.plots.record import Arrows, Curve, Labels, Points


def record(fitted, **options):
    return gm.plots.variables(fitted, backend="none", **options)


def names(figure):
    return [text for layer in figure.layers(Labels) for text in layer.texts]


def tips(figure):
    return np.vstack([layer.at for layer in figure.layers(Arrows)])


def correlations(X, Z):
    p = X.shape[1]
    return np.corrcoef(np.asarray(X).T, Z.T)[:p, p:]


def test_arrows_of_a_scaled_pca_are_correlations_in_the_unit_circle(pca, iris):
    figure = record(pca)
    np.testing.assert_allclose(
        tips(figure), correlations(iris.data, pca.coordinates_[:, :2]), atol=1e-12
    )
    (circle,) = figure.layers(Curve)
    np.testing.assert_allclose(np.hypot(circle.x, circle.y), 1.0, rtol=1e-12)
    assert (np.hypot(*tips(figure).T) <= 1 + 1e-12).all()
    assert sorted(names(figure)) == sorted(iris.data.columns)


@pytest.mark.slow
def test_without_scaling_arrows_are_coordinates_and_there_is_no_circle(iris):
    fitted = gm.PCA(2).fit(iris.data)
    figure = record(fitted)
    sd = iris.data.std(ddof=0).to_numpy()[:, None]
    expected = correlations(iris.data, fitted.coordinates_)
    np.testing.assert_allclose(tips(figure), expected * sd, atol=1e-12)
    assert not list(figure.layers(Curve))
    asked = record(fitted, values="correlation")
    np.testing.assert_allclose(tips(asked), expected, atol=1e-12)
    assert len(list(asked.layers(Curve))) == 1


@pytest.mark.slow
def test_of_many_variables_the_best_of_each_axis_are_arrows_with_names(genes):
    figure = record(genes)
    shares = genes.variables()["contribution"]
    orders = [shares[k].sort_values(ascending=False, kind="stable").index for k in (1, 2)]
    turns = [name for pair in zip(*orders, strict=True) for name in pair]
    in_turn = list(dict.fromkeys(turns))
    chosen = set(genes.variables().index[figure.numbers["selected"]])
    assert chosen in (set(in_turn[:25]), {*in_turn[:24], in_turn[25]})  # the last are level
    assert len(tips(figure)) == 25 and set(names(figure)) <= chosen
    (faint,) = figure.layers(Points)
    assert len(faint.at) == 2975
    assert figure.notes == ("arrows: the 25 of 3000 variables that contribute most to either axis",)
    across = np.abs(tips(figure)[:, 0]) > np.abs(tips(figure)[:, 1])
    assert 12 <= across.sum() <= 13  # half of them belong to the first axis


@pytest.mark.slow
def test_a_threshold_on_cos2_or_contribution(genes):
    table = genes.variables()
    cos2 = table["cos2"][[1, 2]].sum(axis=1).to_numpy()
    figure = record(genes, select=0.95, by="cos2")
    np.testing.assert_array_equal(figure.numbers["selected"], cos2 >= 0.95)
    share = genes.eigenvalues_[:2] / genes.eigenvalues_[:2].sum()
    contribution = table["contribution"][[1, 2]].to_numpy() @ share
    figure = record(genes, select=0.001)
    np.testing.assert_array_equal(figure.numbers["selected"], contribution >= 0.001)
    assert "contribution ≥ 0.001" in figure.notes[0]


def test_supplementary_variables_have_another_colour(pca, iris):
    extra = pd.DataFrame(
        {"area": iris.data.iloc[:, 0] * iris.data.iloc[:, 1], "noise": np.arange(150) % 7.0},
        iris.data.index,
    )
    figure = record(pca, table=extra)
    active, other = figure.layers(Arrows)
    assert (active.name, other.name) == ("active", "supplementary") and active.color != other.color
    np.testing.assert_allclose(other.at, correlations(extra, pca.coordinates_[:, :2]), atol=1e-12)


def test_columns_in_other_units_do_not_hide_the_variables_of_an_unscaled_fit(iris):
    """A sum of reads in millions beside logarithms: both are correlations, inside the circle."""
    fitted = gm.PCA(2).fit(iris.data)
    extra = pd.DataFrame({"reads": 1e6 * iris.data.iloc[:, 2]}, iris.data.index)
    active, other = record(fitted, table=extra).layers(Arrows)
    Z = fitted.coordinates_
    np.testing.assert_allclose(other.at, correlations(extra, Z), atol=1e-12)
    np.testing.assert_allclose(active.at, correlations(iris.data, Z), atol=1e-12)


@pytest.mark.parametrize("method", ["kpca", "mds"])
def test_kernel_pca_and_mds_read_a_table(method, iris, request):
    fitted = request.getfixturevalue(method)
    figure = record(fitted, table=iris.data)
    np.testing.assert_allclose(
        tips(figure), correlations(iris.data, fitted.coordinates_[:, :2]), atol=1e-10
    )
    with pytest.raises(InputError, match="table is missing"):
        record(fitted)


@pytest.mark.slow
def test_groups_of_variables(genes, plants):
    groups = pd.Series("none", plants.data.columns, name="answers to")
    for factor, chosen in plants.truth["responding"].items():
        groups[chosen] = factor
    figure = record(genes, color=groups, select=40)
    assert {layer.name for layer in figure.layers(Arrows)} <= set(groups)
    assert figure.legend.title == "answers to"


@pytest.mark.slow
def test_names_never_overlap_and_stay_inside(genes):
    figure = record(genes, select=0.96, by="cos2", labels=True)
    (layer,) = figure.layers(Labels)
    panel, boxes = figure.panels[0], layer.boxes
    assert len(boxes) > 30
    assert (boxes >= 0).all() and (boxes[:, 2:] <= [panel.width, panel.height]).all()
    for i in range(len(boxes)):
        for j in range(i):
            apart = (boxes[i, :2] >= boxes[j, 2:]) | (boxes[j, :2] >= boxes[i, 2:])
            assert apart.any()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"values": "loading"}, "values='loading'"),
        ({"color": "colour"}, "color='colour' must be a column"),
        ({"select": "nobody"}, "'nobody'"),
    ],
)
def test_refusals(pca, options, words):
    with pytest.raises(InputError, match=words):
        record(pca, **options)


def best_rank_2(F):
    U, s, Vt = np.linalg.svd(F, full_matrices=False)
    return (U[:, :2] * s[:2]) @ Vt[:2]


@pytest.mark.parametrize("scale", [False, True])
@pytest.mark.parametrize("scaling", ["form", "covariance"])
def test_biplot_products_are_the_best_approximation_of_the_table(iris, scaling, scale):
    X = iris.data.to_numpy()
    F = X - X.mean(axis=0)
    if scale:
        F = F / F.std(axis=0)
    fitted = gm.PCA(scale=scale).fit(iris.data)
    numbers = gm.plots.biplot(fitted, scaling=scaling, backend="none").numbers
    rows, columns = numbers["rows"].to_numpy(), numbers["columns"].to_numpy()
    np.testing.assert_allclose(rows @ columns.T, best_rank_2(F), atol=1e-12)
    if scaling == "form":  # distances between rows are those of the map
        np.testing.assert_allclose(rows, fitted.coordinates_[:, :2], atol=1e-12)
        np.testing.assert_allclose(columns.T @ columns, np.eye(2), atol=1e-12)
    else:  # products of columns are covariances, as well as a plane can give them
        S = best_rank_2(np.cov(F.T, ddof=0))
        np.testing.assert_allclose(columns @ columns.T, S, atol=1e-12)
        np.testing.assert_allclose(rows.T @ rows / len(F), np.eye(2), atol=1e-12)


@pytest.mark.slow
def test_biplot_of_other_axes_and_weights(iris):
    w = np.random.default_rng(1).uniform(0.5, 2.0, 150)
    fitted = gm.PCA().fit(iris.data, sample_weight=w)
    X = iris.data.to_numpy() - np.average(iris.data, axis=0, weights=w)
    total = np.zeros_like(X)
    for axes in [(1, 2), (4, 3)]:
        numbers = gm.plots.biplot(fitted, axes, scaling="covariance", backend="none").numbers
        total += numbers["rows"].to_numpy() @ numbers["columns"].to_numpy().T
    np.testing.assert_allclose(total, X, atol=1e-12)


def test_biplot_arrows_are_stretched_by_one_factor(pca, species):
    figure = gm.plots.biplot(pca, color=species, backend="none")
    factor = figure.numbers["stretch"]
    np.testing.assert_allclose(tips(figure), factor * figure.numbers["columns"], rtol=1e-12)
    assert figure.notes == (f"arrows × {factor:g}",)
    assert 0.4 < np.hypot(*tips(figure).T).max() / np.abs(pca.coordinates_[:, :2]).max() < 1.2
    assert gm.plots.biplot(pca, stretch=1, backend="none").notes == ()
    assert {"sepal width (cm)", "petal width (cm)"} <= set(names(figure))


def test_blocks_of_rows_have_variables_but_no_individuals(iris):
    fitted = gm.PCA().fit(iter([iris.data.iloc[:90], iris.data.iloc[90:]]))
    assert len(tips(record(fitted))) == 4
    for plot in (gm.plots.biplot, gm.plots.individuals, gm.plots.contributions):
        with pytest.raises(InputError, match="blocks of rows"):
            plot(fitted, backend="none")


def test_biplot_needs_variables(iris, pca):
    X = iris.data.to_numpy()
    precomputed = gm.KernelPCA(2, kernel="precomputed").fit(X @ X.T)
    with pytest.raises(InputError, match="KernelPCA has no table of numbers"):
        gm.plots.biplot(precomputed, backend="none")
    with pytest.raises(InputError, match="scaling='gh'"):
        gm.plots.biplot(pca, scaling="gh", backend="none")
