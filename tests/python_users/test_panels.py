"""Figures in panels of the user's own figure, and shown from a script."""

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pytest

import gramian as gm

WINE = gm.datasets.wine()
FIT = gm.PCA(5, scale=True).fit(WINE.data)
CULTIVAR = WINE.groups.iloc[:, 0]
MM = 1 / 25.4


@pytest.fixture(autouse=True)
def windowless():
    mpl.use("agg")
    yield
    plt.close("all")


def assert_in_place(fig):
    """Nothing that belongs to one panel reaches into another or out of the figure."""
    fig.canvas.draw()
    renderer, (W, H) = fig.canvas.get_renderer(), fig.bbox.size
    boxes = [ax.get_tightbbox(renderer) for ax in fig.axes]
    for k, a in enumerate(boxes):
        assert a.x0 >= -1 and a.y0 >= -1 and a.x1 <= W + 1 and a.y1 <= H + 1, f"panel {k} is cut"
        for b in boxes[:k]:
            wide, high = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
            assert min(wide, high) <= 1, f"panel {k} meets another"


@pytest.mark.parametrize("layout", [None, "tight", "constrained", "compressed"])
def test_four_panels_of_a_talk(layout):
    fig, ax = plt.subplots(2, 2, figsize=(10, 7), layout=layout)
    gm.plots.individuals(FIT, color=CULTIVAR, ax=ax[0, 0])
    gm.plots.biplot(FIT, ax=ax[0, 1])
    gm.plots.scree(FIT, ax=ax[1, 0])
    gm.plots.contributions(FIT, ax=ax[1, 1])
    for panel, letter in zip(ax.flat, "abcd", strict=True):
        panel.set_title(letter, loc="left")
    assert_in_place(fig)


@pytest.mark.parametrize("after", [False, True])
def test_two_panels_of_a_journal(after):
    """One column and a half, 180 mm wide, where tight_layout may be called after drawing."""
    fig, ax = plt.subplots(1, 2, figsize=(180 * MM, 80 * MM))
    gm.plots.variables(FIT, ax=ax[0])
    gm.plots.scree(FIT, ax=ax[1])
    if after:
        fig.tight_layout()
    assert_in_place(fig)


def test_a_map_in_space_takes_axes_in_space():
    fig, ax = plt.subplots(1, 2, figsize=(9, 4), subplot_kw={"projection": "3d"})
    gm.plots.map3d(FIT, color=CULTIVAR, ax=ax[0])
    assert len(ax[0].collections) >= 3
    with pytest.raises(gm.errors.InputError, match="plane"):
        gm.plots.individuals(FIT, ax=ax[1])
    with pytest.raises(gm.errors.InputError, match="projection"):
        gm.plots.map3d(FIT, ax=plt.subplots()[1])
    fig.canvas.draw()


def test_the_scree_has_one_axis_and_ends_at_the_share_of_all():
    figure = gm.plots.scree(FIT)
    assert len(figure.axes) == 1
    record = gm.plots.scree(FIT, backend="none")
    assert record.numbers["cumulated"][-1] == pytest.approx(100 * FIT.inertia_ratio_.sum())


def test_figures_are_shown_from_a_script(monkeypatch):
    shown = []
    monkeypatch.setattr(plt, "get_backend", lambda: "qtagg")
    monkeypatch.setattr(plt, "show", lambda block=None: shown.append(plt.get_fignums()))
    figure = gm.plots.scree(FIT)
    gm.plots.show(figure)
    assert len(shown[0]) == 1 and figure.canvas.manager is not None
    gm.plots.show(plt.subplots()[1])  # axes, of a figure that pyplot has already
    with pytest.raises(TypeError, match="figure="):
        gm.plots.show("scree")


def test_mean_and_components_in_a_grid_with_their_own_greys():
    fit = gm.PCA(24).fit(gm.datasets.digits().data)
    record = gm.plots.images(
        fit, shape=(8, 8), n_images=24, columns=5, mean=True, each=True, backend="none"
    )
    assert len(record.panels) == 25 and record.width < 1.5 * record.height
    scales = [panel.layers[0].scale for panel in record.panels]
    np.testing.assert_allclose(record.panels[0].layers[0].values.ravel(), fit.mean_)
    for scale, image in zip(scales, record.numbers["images"], strict=True):
        assert (scale.low, scale.high) == (image.min(), image.max())


def test_parallel_analysis_is_drawn():
    analysis = gm.dimension.parallel_analysis(WINE.data, n_permutations=19, random_state=0)
    record = gm.plots.dimension(analysis, backend="none")
    assert record.numbers["q"] == analysis.n_components
    np.testing.assert_array_equal(record.numbers["eigenvalues"], analysis.eigenvalues)


def test_shares_of_distances_that_are_not_euclidean_stay_below_all():
    """With every axis the shares of Σ|λ|, as those of R's cmdscale (GOF 0.958 of two axes)."""
    D = gm.datasets.cities().data
    with pytest.warns(gm.errors.NotEuclideanWarning):
        fit = gm.ClassicalMDS(2, metric="precomputed").fit(D)
    share = gm.plots.scree(fit, backend="none").numbers["cumulated"]
    assert share[-1] == pytest.approx(100 * fit.goodness_of_fit_[0], rel=1e-9) and share[-1] < 100
