"""Heat maps, Shepard diagrams, pair plots and views of space."""

import numpy as np
import pandas as pd
import pytest
import torch
from mpl_toolkits.mplot3d import proj3d
from scipy.spatial.distance import cdist, pdist

import gramian as gm
from gramian.errors import InputError, InputTypeError
from gramian.plots.individuals import _project
from gramian.plots.record import Curve, HeatMap, Labels, Points


def gram(*args, **options):
    return gm.plots.gram(*args, backend="none", **options)


def shepard(*args, **options):
    return gm.plots.shepard(*args, backend="none", **options)


def test_gram_of_a_kernel_pca_is_its_kernel_in_another_order(kpca, iris):
    figure = gram(kpca)
    order = figure.numbers["order"]
    assert sorted(order) == list(range(150))
    K = np.exp(-cdist(iris.data, iris.data, "sqeuclidean") / (2 * kpca.kernel_.scale**2))
    np.testing.assert_allclose(figure.numbers["matrix"], K[np.ix_(order, order)], atol=1e-12)
    (heat,) = figure.layers(HeatMap)
    assert list(heat.rows) == list(iris.data.index[order]) and heat.scale.title == "k(x, y)"


def test_gram_of_a_pca_is_of_centred_and_scaled_rows(pca, iris):
    X = iris.data.to_numpy()
    F = (X - X.mean(axis=0)) / X.std(axis=0)
    figure = gram(pca, order=None)
    np.testing.assert_allclose(figure.numbers["matrix"], F @ F.T, atol=1e-10)
    scale = next(figure.layers(HeatMap)).scale
    assert scale.name == "RdBu_r" and scale.low == -scale.high


def test_gram_of_mds_is_its_distances(mds, iris):
    figure = gram(mds, order=None)
    np.testing.assert_allclose(figure.numbers["matrix"], cdist(iris.data, iris.data), atol=1e-10)
    assert next(figure.layers(HeatMap)).scale.title == "distance"


def test_clusters_stand_together():
    rng = np.random.default_rng(0)
    group = rng.permutation(np.repeat(range(4), 10))
    X = 20.0 * np.eye(4)[group] + rng.normal(size=(40, 4))
    for matrix in (cdist(X, X), X @ X.T):
        ordered = group[gram(matrix).numbers["order"]]
        assert (np.diff(ordered) != 0).sum() == 3  # each group is one run
    assert gram(cdist(X, X), order=None).numbers["order"].tolist() == list(range(40))


def test_gram_of_new_rows(kpca, iris):
    figure = gram(kpca, iris.data.iloc[:5], order=None)
    K = kpca.kernel_.pairwise(iris.data.iloc[:5].to_numpy())
    np.testing.assert_allclose(figure.numbers["matrix"], K, rtol=1e-12)


def test_gram_of_precomputed_matrices(iris):
    D = cdist(iris.data, iris.data)
    K = np.exp(-(D**2))
    a = gram(gm.KernelPCA(2, kernel="precomputed").fit(K), order=None)
    np.testing.assert_allclose(a.numbers["matrix"], K, atol=1e-15)
    b = gram(gm.ClassicalMDS(2, metric="precomputed").fit(D), order=None)
    np.testing.assert_allclose(b.numbers["matrix"], D, atol=1e-12)


@pytest.mark.slow
def test_a_sample_is_drawn_of_many_rows(crowd):
    fitted, _ = crowd
    figure = gram(fitted)
    assert figure.numbers["matrix"].shape == (1000, 1000)
    assert figure.notes == ("a sample of 1000 of 20000 rows",)
    again = gram(fitted)
    np.testing.assert_array_equal(figure.numbers["order"], again.numbers["order"])
    rows = figure.numbers["order"][:3]
    F = fitted.coordinates_[rows]  # all axes are kept: products are exact
    np.testing.assert_allclose(figure.numbers["matrix"][:3, :3], F @ F.T, atol=1e-9)


def test_names_are_shown_beside_small_matrices(iris):
    assert len(gram(gm.PCA().fit(iris.data.iloc[:20])).panels[0].y.ticks) == 20
    assert gram(gm.PCA().fit(iris.data)).panels[0].y.ticks == []


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        (np.ones((3, 4)), "square"),
        (np.array([[1.0, 2.0], [0.0, 1.0]]), "not symmetric"),
        (np.array([[1.0, np.nan], [np.nan, 1.0]]), "NaN"),
    ],
)
def test_gram_refuses_what_is_no_such_matrix(matrix, words):
    with pytest.raises(InputError, match=words):
        gram(matrix)


def test_gram_refusals(pca):
    with pytest.raises(InputError, match="order='x'"):
        gram(pca, order="x")
    with pytest.raises(InputTypeError, match="fitted"):
        gram(gm.PCA())


@pytest.mark.parametrize("scale", [False, True])
def test_shepard_compares_all_pairs(iris, scale):
    X = iris.data.to_numpy()
    F = (X - X.mean(axis=0)) / (X.std(axis=0) if scale else 1.0)
    fitted = gm.PCA(scale=scale).fit(iris.data)
    numbers = shepard(fitted).numbers
    np.testing.assert_allclose(numbers["given"], pdist(F), atol=1e-12)
    np.testing.assert_allclose(numbers["map"], pdist(fitted.coordinates_[:, :2]), atol=1e-10)
    assert (numbers["map"] <= numbers["given"] + 1e-12).all()  # a projection brings points nearer
    everything = shepard(fitted, n_axes=4).numbers
    np.testing.assert_allclose(everything["map"], everything["given"], atol=1e-12)


@pytest.mark.slow
def test_shepard_of_mds_uses_all_its_axes(iris):
    D = cdist(iris.data, iris.data, "cityblock")
    fitted = gm.ClassicalMDS(3, metric="precomputed", correction="lingoes").fit(D)
    figure = shepard(fitted)
    np.testing.assert_allclose(figure.numbers["given"], pdist(iris.data, "cityblock"), atol=1e-10)
    np.testing.assert_allclose(figure.numbers["map"], pdist(fitted.coordinates_), atol=1e-10)
    assert figure.panels[0].y.title == "Distance in the map (3 axes)"
    np.testing.assert_allclose(shepard(fitted, D).numbers["given"], figure.numbers["given"])


def test_shepard_of_a_kernel_uses_distances_in_feature_space(kpca, iris):
    K = kpca.kernel_.pairwise(iris.data.to_numpy())
    i, j = np.triu_indices(150, 1)
    np.testing.assert_allclose(shepard(kpca).numbers["given"], np.sqrt(2 - 2 * K[i, j]), atol=1e-10)


@pytest.mark.slow
def test_shepard_leaves_out_rows_of_weight_zero_or_keeps_them_in_place(iris):
    w = np.ones(150)
    w[[0, 10]] = 0.0
    for fitted in (
        gm.ClassicalMDS(2).fit(iris.data, sample_weight=w),
        gm.KernelPCA(2).fit(iris.data, sample_weight=w),
        gm.PCA(4).fit(iris.data, sample_weight=w),
    ):
        numbers = shepard(fitted).numbers
        assert numbers["correlation"] > 0.95  # a shift of rows would spoil it


@pytest.mark.slow
def test_shepard_of_many_rows_is_a_sample(crowd):
    figure = shepard(crowd[0])
    assert len(figure.numbers["given"]) == 20_000
    assert figure.notes[0].startswith("20,000 of 199,990,000 pairs")


def test_shepard_draws_what_the_method_asks_for(mds):
    (line,) = shepard(mds).layers(Curve)
    np.testing.assert_array_equal(line.x, line.y)


def test_shepard_of_an_ordinal_scaling_has_monotone_steps(mds):
    from gramian.plots.matrices import _line

    rng = np.random.default_rng(0)
    delta = rng.uniform(0, 1, 60)
    d = delta**2 + rng.normal(0, 0.1, 60)
    steps = _line("ordinal", delta, d)
    assert (np.diff(steps.x) >= 0).all() and (np.diff(steps.y) >= -1e-12).all()
    assert steps.y.mean() == pytest.approx(d.mean())
    line = _line("interval", delta, 3.0 + 2.0 * delta)
    np.testing.assert_allclose(line.y, 3.0 + 2.0 * line.x, rtol=1e-10)


def test_shepard_refusals(pca, iris):
    with pytest.raises(InputError, match="n_axes=9"):
        shepard(pca, n_axes=9)
    with pytest.raises(InputError, match="X has 300 rows"):
        shepard(pca, pd.concat([iris.data, iris.data]))


def test_pairs_has_every_plane_once(pca, species):
    figure = gm.plots.pairs(pca, color=species, backend="none")
    assert len(figure.panels) == 4 + 6
    planes = [p for p in figure.panels if any(isinstance(k, Points) for k in p.layers)]
    assert len(planes) == 6
    seen = set()
    for panel in planes:
        Z = np.vstack([k.at for k in panel.layers if isinstance(k, Points)])
        columns = [
            next(k for k in range(4) if np.allclose(np.sort(pca.coordinates_[:, k]), np.sort(z)))
            for z in Z.T
        ]
        seen.add(tuple(columns))
    assert seen == {(j, i) for i in range(4) for j in range(i)}
    titles = {p.x.title for p in figure.panels} | {p.y.title for p in figure.panels}
    assert {"Axis 1 (73.0 %)", "Axis 4 (0.5 %)"} <= titles


def test_pairs_densities_have_the_weights_of_the_groups(pca, species):
    figure = gm.plots.pairs(pca, 2, color=species, backend="none")
    first = figure.panels[0]
    areas = [np.trapezoid(c.y[:160], c.x[:160]) for c in first.layers]
    np.testing.assert_allclose(areas, 1 / 3, atol=0.02)


def test_pairs_of_a_fit_with_two_axes(mds):
    assert len(gm.plots.pairs(mds, backend="none").panels) == 3
    with pytest.raises(InputError, match="n_axes=1"):
        gm.plots.pairs(mds, 1, backend="none")


def test_map_in_space(pca, species):
    figure = gm.plots.map3d(pca, color=species, barycentres=True, backend="none")
    Z = np.vstack([k.at for k in figure.layers(Points)])
    assert Z.shape == (153, 3)
    panel = figure.panels[0]
    assert panel.z.title == f"Axis 3 ({100 * pca.inertia_ratio_[2]:.1f} %)"
    texts = [text for k in figure.layers(Labels) for text in k.texts]
    assert {"setosa", "versicolor", "virginica"} <= set(texts)
    boxes = np.vstack([k.boxes for k in figure.layers(Labels)])
    for i in range(len(boxes)):
        for j in range(i):
            apart = (boxes[i, :2] >= boxes[j, 2:]) | (boxes[j, :2] >= boxes[i, 2:])
            assert apart.any()


@pytest.mark.slow
@pytest.mark.parametrize("view", [(20.0, -60.0), (70.0, 15.0)])
def test_the_projection_is_that_of_matplotlib(pca, view):
    """Where the record puts points of space is where they are drawn, up to one shift."""
    panel = gm.plots.map3d(pca, view=view, backend="none").panels[0]
    figure = gm.plots.map3d(pca, view=view)
    figure.draw_without_rendering()
    ax = figure.axes[0]
    Z = pca.coordinates_[:40, :3]
    u, v, _ = proj3d.proj_transform(*Z.T, ax.get_proj())
    drawn = ax.transData.transform(np.column_stack([u, v])) * 72 / figure.dpi
    shift = drawn - _project(panel, Z)
    np.testing.assert_allclose(shift, shift.mean(axis=0) * np.ones((40, 1)), atol=0.1)


def test_three_axes_are_needed(mds):
    with pytest.raises(InputError, match="axis 3"):
        gm.plots.map3d(mds, backend="none")


def edits(A, B):
    """Differences between words, letter by letter and in length."""
    return np.array(
        [
            [abs(len(a) - len(b)) + sum(x != y for x, y in zip(a, b, strict=False)) for b in B]
            for a in A
        ],
        dtype=float,
    )


def test_matrices_of_everything_that_can_be_fitted(iris):
    X = iris.data.iloc[::5].to_numpy()
    D = pdist(X)
    condensed = gm.ClassicalMDS(2, metric="precomputed").fit(D)
    np.testing.assert_allclose(shepard(condensed).numbers["given"], D, atol=1e-10)
    on_torch = gm.PCA().fit(torch.tensor(X))
    np.testing.assert_allclose(shepard(on_torch).numbers["given"], D, atol=1e-12)
    kernel = gm.KernelPCA(2, kernel="linear").fit(X)
    np.testing.assert_allclose(gram(kernel, order=None).numbers["matrix"], X @ X.T, rtol=1e-12)
    words = ["abc", "abd", "xyz", "xyzz", "hello", "help", "yelp"]
    metric = gm.ClassicalMDS(2, metric=edits, correction="cailliez").fit(words)
    np.testing.assert_array_equal(gram(metric, order=None).numbers["matrix"], edits(words, words))
    part = gm.ClassicalMDS(2, landmarks=12).fit(X)
    figure = shepard(part)
    order = gram(part, order=None).numbers["order"]
    np.testing.assert_allclose(figure.numbers["map"], pdist(part.coordinates_[order]), atol=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("unit", [1e-150, 1e-8, 1e8, 1e150])
def test_any_unit_gives_the_same_picture(iris, unit):
    usual = gm.plots.individuals(gm.PCA(2).fit(iris.data), labels=5, backend="none")
    scaled = gm.plots.individuals(gm.PCA(2).fit(iris.data * unit), labels=5, backend="none")
    a, b = (next(figure.layers(Points)).at for figure in (usual, scaled))
    pages = (usual.panels[0].to_page(a), scaled.panels[0].to_page(b))
    np.testing.assert_allclose(*pages, atol=1e-6)
    gm.plots.individuals(gm.PCA(2).fit(iris.data * unit)).draw_without_rendering()


def test_correlations_of_a_fit_are_those_of_its_table():
    data = gm.datasets.iris().data
    drawn = gm.plots.correlations(gm.PCA(2).fit(data), order=None, backend="none")
    assert drawn.numbers["correlations"] == pytest.approx(data.corr().to_numpy())
