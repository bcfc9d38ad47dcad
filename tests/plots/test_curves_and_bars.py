"""Scree plots, errors of reconstruction, bars of contributions and of cos²."""

from types import SimpleNamespace

import numpy as np
import pytest

import gramian as gm
from gramian.errors import InputError, InputTypeError
from gramian.plots.record import Bars, Curve, Guide, Labels


def layers(figure, kind):
    return list(figure.layers(kind))


def spectrum(X, scale):
    """Eigenvalues of the covariance (divisor n), by NumPy alone."""
    F = X - X.mean(axis=0)
    F = F / F.std(axis=0) if scale else F
    return np.sort(np.linalg.eigvalsh(F.T @ F / len(F)))[::-1]


def test_scree_shows_percents_and_their_sum(pca, iris):
    values = spectrum(iris.data.to_numpy(), True)
    figure = gm.plots.scree(pca, backend="none")
    (bars,) = layers(figure, Bars)
    np.testing.assert_allclose(bars.lengths, 100 * values / 4, rtol=1e-10)
    (curve,) = layers(figure, Curve)
    np.testing.assert_allclose(curve.y, 100 * np.cumsum(values) / 4, rtol=1e-10)
    np.testing.assert_array_equal(curve.x, [1, 2, 3, 4])
    assert figure.panels[0].y.limits[1] >= 100
    assert next(figure.layers(Labels)).texts[0] == "73.0"


def test_scree_of_eigenvalues(iris):
    figure = gm.plots.scree(gm.PCA().fit(iris.data), values="eigenvalues", backend="none")
    expected = spectrum(iris.data.to_numpy(), False)
    np.testing.assert_allclose(figure.numbers["inertia"], expected, rtol=1e-10)
    assert figure.panels[0].y.title == "Eigenvalue"


def test_scree_is_of_the_total_also_when_few_axes_are_kept(iris):
    whole = gm.plots.scree(gm.PCA().fit(iris.data), backend="none").numbers["inertia"]
    part = gm.plots.scree(gm.PCA(2).fit(iris.data), backend="none").numbers["inertia"]
    np.testing.assert_allclose(part, whole[:2], rtol=1e-12)


@pytest.mark.slow
def test_scree_shows_the_first_axes(genes):
    assert len(gm.plots.scree(genes, backend="none").numbers["inertia"]) == 12
    assert len(gm.plots.scree(genes, n_axes=30, backend="none").numbers["inertia"]) == 23
    without = gm.plots.scree(genes, cumulated=False, backend="none")
    assert not layers(without, Curve)


@pytest.mark.parametrize(
    ("reference", "expected"),
    [
        (1.0, {"reference": [1.0] * 4}),
        ([2.0, 1.5, 1.0], {"reference": [2.0, 1.5, 1.0]}),
        (
            {"mean": 1.0, "chance": [1.2, 1.1, 0.9, 0.8, 0.7]},
            {"mean": [1.0] * 4, "chance": [1.2, 1.1, 0.9, 0.8]},
        ),
        (SimpleNamespace(reference=np.array([1.2, 1.1])), {"reference": [1.2, 1.1]}),
    ],
)
def test_scree_draws_references_in_its_own_unit(pca, reference, expected):
    figure = gm.plots.scree(pca, reference=reference, backend="none")
    curves = {c.name: c for c in layers(figure, Curve) if c.name != "cumulated"}
    assert list(curves) == list(expected)
    for name, values in expected.items():
        np.testing.assert_allclose(curves[name].y, 25.0 * np.array(values), rtol=1e-12)
        assert curves[name].y.max() <= figure.panels[0].y.limits[1]


def test_scree_with_negative_inertia():
    rng = np.random.default_rng(0)
    K = rng.normal(size=(12, 12))
    fitted = gm.KernelPCA(kernel="precomputed", indefinite="krein").fit(K + K.T)
    figure = gm.plots.scree(fitted, backend="none")
    low, high = figure.panels[0].y.limits
    assert low < figure.numbers["inertia"].min() < 0 < figure.numbers["inertia"].max() < high


@pytest.mark.filterwarnings("ignore::gramian.errors.NotEuclideanWarning")
@pytest.mark.parametrize("weighted", [False, True])
def test_scree_of_distances_that_are_not_euclidean(weighted):
    rng = np.random.default_rng(0)
    D = rng.uniform(0.1, 4.0, size=(12, 12))  # far from Euclidean: Σλ is below λ₁ + λ₂ + …
    D = np.triu(D, 1) + np.triu(D, 1).T
    w = rng.uniform(1.0, 3.0, 12) if weighted else None
    fitted = gm.ClassicalMDS(None, metric="precomputed").fit(D, sample_weight=w)
    assert fitted.inertia_ratio_.sum() > 1.0
    figure = gm.plots.scree(fitted, n_axes=20, backend="none")
    shares, below = figure.numbers["inertia"], figure.numbers["negative"]
    assert below.size and (below < 0).all()
    np.testing.assert_allclose(shares.sum() - below.sum(), 100.0)
    assert figure.numbers["cumulated"].max() < 100.0
    (bars,) = layers(figure, Bars)
    assert bars.labels[-1] == "Axis 12" and len(bars.labels) == len(shares) + len(below)
    low, high = figure.panels[0].y.limits
    assert low < below.min() and high > shares.max()
    raw = gm.plots.scree(fitted, n_axes=20, values="eigenvalues", backend="none")
    np.testing.assert_allclose(-raw.numbers["negative"].sum(), fitted.negative_inertia_)
    title = gm.plots.individuals(fitted, backend="none").panels[0].x.title
    assert title == f"Axis 1 ({shares[0]:.1f} %)"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"values": "percentage"}, "values='percentage'"),
        ({"n_axes": 0}, "n_axes=0"),
        ({"reference": "kaiser"}, "reference"),
        ({"reference": [1.0, np.nan]}, "finite"),
        ({"reference": {"a": [[1.0]]}}, "'a'"),
    ],
)
def test_scree_refuses(pca, options, words):
    with pytest.raises(InputError, match=words):
        gm.plots.scree(pca, backend="none", **options)


def test_scree_needs_a_fit(iris):
    with pytest.raises(InputTypeError, match="fitted"):
        gm.plots.scree(gm.PCA(), backend="none")


def test_reconstruction_is_what_projections_lose(pca, iris):
    X = iris.data.to_numpy()
    F = (X - X.mean(axis=0)) / X.std(axis=0)
    _, _, Vt = np.linalg.svd(F, full_matrices=False)
    lost = [((F - F @ Vt[:q].T @ Vt[:q]) ** 2).sum() / (F**2).sum() for q in range(5)]
    figure = gm.plots.reconstruction(pca, backend="none")
    (curve,) = layers(figure, Curve)
    np.testing.assert_allclose(curve.y, 100 * np.array(lost), atol=1e-9)
    np.testing.assert_array_equal(curve.x, range(5))
    raw = gm.plots.reconstruction(pca, relative=False, backend="none")
    np.testing.assert_allclose(raw.numbers["fit"], 4 * np.array(lost), atol=1e-12)


def test_reconstruction_of_new_rows_is_a_second_curve(iris):
    fitted = gm.PCA(3).fit(iris.data.iloc[:100])
    figure = gm.plots.reconstruction(fitted, iris.data.iloc[100:], backend="none")
    assert [curve.name for curve in figure.layers(Curve)] == ["fit", "new rows"]
    new = fitted.reconstruction_error(iris.data.iloc[100:]).relative
    np.testing.assert_allclose(figure.numbers["new rows"], 100 * new, rtol=1e-12)


def test_contributions_are_sorted_with_the_uniform_line(pca):
    loadings = pca.components_[0] ** 2  # contributions of variables to an axis are squared loadings
    figure = gm.plots.contributions(pca, of="variables", backend="none")
    (bars,) = layers(figure, Bars)
    np.testing.assert_allclose(bars.lengths, 100 * np.sort(loadings)[::-1], rtol=1e-10)
    assert list(bars.labels) == list(pca.variables().index[np.argsort(-loadings)])
    (line,) = layers(figure, Guide)
    assert line.axis == "x" and line.at == 25.0 and line.name == "uniform (25 %)"


def test_contributions_of_many_variables_are_drawn_by_rank():
    X = np.random.default_rng(0).normal(size=(20, 400))
    fit = gm.PCA(2).fit(X)
    figure = gm.plots.contributions(fit, of="variables", top=8, backend="none")
    known = 100 * np.sort(fit.components_[0] ** 2)[::-1]
    (curve,) = figure.layers(Curve)
    assert curve.y == pytest.approx(known) and 10**curve.x == pytest.approx(np.arange(1, 401))
    assert figure.numbers["values"] == pytest.approx(known[:8])
    assert figure.numbers["uniform"] == 0.25


def test_contributions_of_individuals_to_several_axes(pca):
    Z = pca.coordinates_[:, :2]
    expected = (Z**2).sum(axis=1) / (Z**2).sum()
    figure = gm.plots.contributions(pca, axis=(1, 2), top=7, backend="none")
    np.testing.assert_allclose(
        figure.numbers["values"], 100 * np.sort(expected)[::-1][:7], rtol=1e-10
    )
    assert figure.notes == ("the 7 largest of 150",)
    assert figure.panels[0].x.title == "Contribution to axes 1 and 2 (%)"
    assert figure.numbers["uniform"] == pytest.approx(100 / 150)


def test_uniform_line_counts_rows_with_a_weight(iris):
    w = np.ones(150)
    w[:50] = 0.0
    fitted = gm.PCA(2).fit(iris.data, sample_weight=w)
    assert gm.plots.contributions(fitted, backend="none").numbers["uniform"] == 1.0


def test_cos2_of_individuals(pca, iris):
    X = iris.data.to_numpy()
    F = (X - X.mean(axis=0)) / X.std(axis=0)
    expected = pca.coordinates_[:, 0] ** 2 / (F**2).sum(axis=1)
    figure = gm.plots.cos2(pca, backend="none")
    np.testing.assert_allclose(figure.numbers["values"], np.sort(expected)[::-1][:20], rtol=1e-10)
    assert not layers(figure, Guide)
    assert figure.panels[0].x.title == "cos² on axis 1"


def test_bars_of_kernel_pca_and_mds(kpca, mds):
    for fitted in (kpca, mds):
        for plot in (gm.plots.contributions, gm.plots.cos2):
            assert len(plot(fitted, axis=(1, 2), backend="none").numbers["values"]) == 20


def test_bars_give_long_names_room(iris):
    names = [f"the very long name of measurement number {k} in mm" for k in range(4)]
    fitted = gm.PCA(scale=True).fit(iris.data.set_axis(names, axis=1))
    figure = gm.plots.contributions(fitted, of="variables", backend="none")
    shown = [text for _, text in figure.panels[0].y.ticks]
    assert all(len(text) <= 32 and "…" in text for text in shown) and len(set(shown)) == 4
    assert figure.panels[0].left > 150


@pytest.mark.parametrize(
    ("options", "words"),
    [({"of": "rows"}, "of='rows'"), ({"axis": 9}, "axis 9"), ({"top": 0}, "top=0")],
)
def test_bars_refuse(pca, options, words):
    for plot in (gm.plots.contributions, gm.plots.cos2):
        with pytest.raises(InputError, match=words):
            plot(pca, backend="none", **options)


def test_bars_of_variables_need_variables(kpca):
    with pytest.raises(InputError, match="table is missing"):
        gm.plots.contributions(kpca, of="variables", backend="none")
