"""Figures in panels of the user's own figure, and shown from a script."""

from functools import cache, partial
from itertools import pairwise
from types import SimpleNamespace

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Annotation, Text
from sklearn.neighbors import KNeighborsClassifier

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


@cache
def fits():
    """What the figures are drawn from, made once."""
    X, Z = WINE.data, (WINE.data - WINE.data.mean()) / WINE.data.std()
    cut = {name: pd.cut(X[name], 3, labels=list("abc")).astype(str) for name in ("alcohol", "ash")}
    rng = np.random.default_rng(0)
    genes = np.repeat(rng.standard_normal((16, 4)), 3, axis=1) + rng.standard_normal((16, 12))
    options = {"n_resamples": 4, "n_permutations": 0, "infer": {"density": 12 / 66}}
    cities = gm.datasets.cities().distances
    with pytest.warns(gm.errors.NotEuclideanWarning):
        mds = gm.ClassicalMDS(3, metric="precomputed").fit(cities)
    return SimpleNamespace(
        Z=Z,
        cities=cities,
        mds=mds,
        kernel=gm.KernelPCA(3, scale=True).fit(X),
        factors=gm.MCA(2).fit(pd.DataFrame(cut | {"cultivar": CULTIVAR})),
        clusters=gm.clusters.find(FIT, 3),
        choices=gm.dimension.choose(X, scale=True, quick=True),
        noise=gm.dimension.parallel_analysis(Z, n_permutations=19, random_state=0),
        kernels=gm.kernels.select(Z, criterion="contrast", random_state=0),
        classifier=KNeighborsClassifier(9).fit(Z.iloc[:, :2], CULTIVAR),
        study=gm.networks.replicate_study(genes, np.repeat(["a", "b"], 8), **options),
    )


# Every figure of one panel, those with much around their panel in two ways; p is `gm.plots`.
FIGURES = {
    "individuals": lambda p, f: partial(p.individuals, FIT, color=CULTIVAR, ellipses="hull"),
    "individuals by trust": lambda p, f: partial(p.individuals, FIT, color="trust", lost=True),
    "variables": lambda p, f: partial(p.variables, FIT),
    "variables in colours": lambda p, f: partial(p.variables, FIT, color="contribution"),
    "biplot": lambda p, f: partial(p.biplot, f.kernel, color=CULTIVAR),
    "categories": lambda p, f: partial(p.categories, f.factors),
    "scree": lambda p, f: partial(p.scree, f.mds),
    "scree of logarithms": lambda p, f: partial(p.scree, FIT, scale="log-log"),
    "contributions": lambda p, f: partial(p.contributions, FIT, of="variables"),
    "cos2": lambda p, f: partial(p.cos2, FIT, (1, 2, 3)),
    "reconstruction": lambda p, f: partial(p.reconstruction, FIT),
    "correlations": lambda p, f: partial(p.correlations, WINE.data),
    "gram": lambda p, f: partial(p.gram, f.cities),
    "shepard": lambda p, f: partial(p.shepard, f.mds),
    "dendrogram": lambda p, f: partial(p.dendrogram, f.clusters),
    "outliers": lambda p, f: partial(p.outliers, FIT),
    "film": lambda p, f: partial(p.film, FIT),
    "procrustes": lambda p, f: partial(p.procrustes, FIT, f.kernel),
    "dimension": lambda p, f: partial(p.dimension, f.choices),
    "dimension by noise": lambda p, f: partial(p.dimension, f.noise),
    "selection": lambda p, f: partial(p.selection, f.kernels),
    "regions": lambda p, f: partial(
        p.regions, f.classifier, f.Z.iloc[:, :2], CULTIVAR, resolution=40
    ),
    "scatter": lambda p, f: partial(p.scatter, WINE.data, (0, 1), color=CULTIVAR),
    "network": lambda p, f: partial(p.network, f.study.consensus()),
    "replicates": lambda p, f: partial(p.replicates, f.study, what="agreement"),
}
OF_SEVERAL_PANELS = {"pairs", "map3d", "images", "imputations", "networks"}


def cells(fig):
    """Return the cell of each panel of a grid, (left, bottom, right, top), in pixels."""
    W, H = fig.bbox.size
    for ax in fig.axes:
        spec = ax.get_subplotspec()
        rows, columns = spec.get_gridspec().get_geometry()
        i, j = spec.rowspan.start, spec.colspan.start
        yield ax, (j * W / columns, H - (i + 1) * H / rows, (j + 1) * W / columns, H - i * H / rows)


def shown_texts(ax):
    """Return the texts of a panel; ticks beyond its limits are not drawn."""
    axes = [ax, *ax.child_axes]
    ticks = [tick for a in axes for axis in (a.xaxis, a.yaxis) for tick in axis.get_major_ticks()]
    drawn = [tick for a in axes for axis in (a.xaxis, a.yaxis) for tick in axis._update_ticks()]
    idle = {id(t) for tick in ticks if tick not in drawn for t in (tick.label1, tick.label2)}
    texts = ax.findobj(Text)
    return [t for t in texts if t.get_text() and t.get_visible() and id(t) not in idle]


@pytest.mark.slow
def test_every_figure_of_one_panel_is_measured():
    named = {name.split()[0] for name in FIGURES} | OF_SEVERAL_PANELS
    other = {"draw", "register", "show", "plotly_config"}
    assert named == {name for name in gm.plots.__all__ if name.islower()} - other


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, len(FIGURES), 4))
@pytest.mark.parametrize(
    ("size", "layout"),
    [((7, 6), None), ((7, 6), "tight"), ((7, 6), "constrained"), ((10, 7), "constrained")],
)
def test_every_figure_keeps_to_its_cell(size, layout, start):
    """All that is drawn is in the cell of its panel, where no text is on another."""
    fig, axes = plt.subplots(2, 2, figsize=size, layout=layout)
    for ax, name in zip(axes.flat, list(FIGURES)[start : start + 4], strict=False):
        FIGURES[name](gm.plots, fits())(ax=ax)
        ax.set_label(name)
    fig.canvas.draw()
    renderer = fig.canvas.get_renderer()
    for ax, cell in cells(fig):
        if not (name := ax.get_label()):
            continue  # no figure is left for it
        box, panel = ax.get_tightbbox(renderer), ax.get_window_extent(renderer)
        beyond = np.array([cell[0] - box.x0, cell[1] - box.y0, box.x1 - cell[2], box.y1 - cell[3]])
        assert beyond.max() <= 1.0, (name, "left, bottom, right, top", beyond)
        assert panel.width > 0.3 * (cell[2] - cell[0]), name
        assert panel.height > 0.3 * (cell[3] - cell[1]), name
        texts = [(t.get_text(), Text.get_window_extent(t, renderer)) for t in shown_texts(ax)]
        for k, (text, a) in enumerate(texts):
            for other, b in texts[:k]:
                wide, high = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
                assert min(wide, high) <= 2.0, (name, text, other)


@pytest.mark.slow
@pytest.mark.parametrize("shape, size", [((1, 3), (10, 3.2)), ((3, 3), (9, 9))])
def test_smaller_cells(shape, size):
    names = ["variables in colours", "correlations", "contributions", "film"]
    fig, axes = plt.subplots(*shape, figsize=size, layout="tight")
    for ax, name in zip(axes.flat, names, strict=False):
        FIGURES[name](gm.plots, fits())(ax=ax)
    fig.canvas.draw()
    for ax, cell in list(cells(fig))[: len(names)]:
        box = ax.get_tightbbox(fig.canvas.get_renderer())
        assert box.x0 >= cell[0] - 1 and box.x1 <= cell[2] + 1
        assert box.y0 >= cell[1] - 1 and box.y1 <= cell[3] + 1
    # Names of variables stand near the tips of their arrows.
    panel, tips = axes.flat[0], FIT.variables()["correlation"][[1, 2]]
    for note in (child for child in panel.get_children() if isinstance(child, Annotation)):
        assert np.hypot(*(note.xy - tips.to_numpy()).T).min() < 1e-9
        assert np.hypot(*note.get_position()) < 0.72 * panel.bbox.width


@pytest.mark.slow
def test_shared_axes_show_the_points_of_every_panel():
    fig, (a, b) = plt.subplots(1, 2, figsize=(8, 4), sharex=True, sharey=True)
    gm.plots.individuals(FIT, ax=a)
    gm.plots.individuals(gm.KernelPCA(2, scale=True).fit(WINE.data), ax=b)
    assert a.get_xlim() == b.get_xlim() and a.get_ylim() == b.get_ylim()
    x, y = FIT.coordinates_[:, :2].T
    (left, right), (low, high) = a.get_xlim(), a.get_ylim()
    assert ((left < x) & (x < right) & (low < y) & (y < high)).all()
    fig.canvas.draw()


@pytest.mark.slow
def test_pictures_in_a_part_of_a_figure_are_square():
    fit = gm.PCA(6).fit(gm.datasets.digits().data)
    with pytest.raises(gm.errors.InputError, match="subfigures"):
        gm.plots.images(fit, shape=(8, 8), ax=plt.subplots()[1])
    fig = plt.figure(figsize=(8, 4))
    left, right = fig.subfigures(1, 2)
    gm.plots.images(fit, shape=(8, 8), ax=left)
    for ax in left.axes[:6]:
        box = ax.get_window_extent()
        assert box.width == pytest.approx(box.height, rel=0.01)
    gm.plots.pairs(FIT, ax=right)
    fig.canvas.draw()
    titles = [ax.xaxis.label for ax in right.axes if ax.get_xlabel()]
    boxes = sorted((t.get_window_extent() for t in titles), key=lambda box: box.x0)
    assert len(boxes) == 4 and all(a.x1 <= b.x0 for a, b in pairwise(boxes))


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.parametrize("after", [False, True])
def test_two_panels_of_a_journal(after):
    """One column and a half, 180 mm wide, where tight_layout may be called after drawing."""
    fig, ax = plt.subplots(1, 2, figsize=(180 * MM, 80 * MM))
    gm.plots.variables(FIT, ax=ax[0])
    gm.plots.scree(FIT, ax=ax[1])
    if after:
        fig.tight_layout()
    assert_in_place(fig)


@pytest.mark.slow
def test_small_panels_are_readable():
    """On 7 × 6 inches: legends meet no bars, names no names, titles are as long as their axes."""
    fig, ax = plt.subplots(2, 2, figsize=(7, 6))
    gm.plots.contributions(FIT, ax=ax[0, 0])
    gm.plots.reconstruction(FIT, ax=ax[0, 1])
    gm.plots.dimension(gm.dimension.choose(WINE.data), ax=ax[1, 0])
    gm.plots.shepard(gm.ClassicalMDS(2).fit(WINE.data), ax=ax[1, 1])
    assert_in_place(fig)
    renderer = fig.canvas.get_renderer()
    for panel in ax.flat:
        box = panel.get_window_extent(renderer)
        if (legend := panel.get_legend()) is not None:
            assert legend.get_window_extent(renderer).y1 < box.y0
        assert panel.yaxis.label.get_window_extent(renderer).height <= 1.25 * box.height
        for axis, side in ((panel.xaxis, 0), (panel.yaxis, 1)):
            names = [t for t in axis.get_ticklabels(which="major") if t.get_text()]
            ends = [t.get_window_extent(renderer).get_points()[:, side] for t in names]
            ends.sort(key=lambda pair: pair[0])
            overlap = [a[1] - b[0] for a, b in pairwise(ends)]
            assert max(overlap, default=0.0) <= 4.0, axis


@pytest.mark.slow
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


def test_negative_eigenvalues_are_drawn():
    """Those of the doubly centred squared distances, by NumPy."""
    D = gm.datasets.cities().distances.to_numpy(dtype=float)
    n = len(D)
    J = np.eye(n) - 1.0 / n
    values = np.linalg.eigvalsh(-0.5 * J @ (D**2) @ J)
    with pytest.warns(gm.errors.NotEuclideanWarning):
        fit = gm.ClassicalMDS(None, metric="precomputed").fit(D)
    drawn = gm.plots.scree(fit, backend="none").numbers
    truth = 100 * values[values < -1e-6][::-1] / np.abs(values).sum()
    np.testing.assert_allclose(drawn["negative"], truth, rtol=1e-6)
    assert len(drawn["negative"]) == 3 and drawn["inertia"].sum() < 100


def test_densities_of_an_axis_that_is_constant_within_groups():
    """Each stands at the value of its group."""
    rng = np.random.default_rng(0)
    group = np.repeat([0, 1, 2], 30)
    places = np.column_stack([np.array([-1.0, 0.0, 2.0])[group], rng.standard_normal(90)])
    record = gm.plots.pairs(gm.read_map(places), 2, color=[f"g{k}" for k in group], backend="none")
    diagonal = next(p for p in record.panels if all(hasattr(c, "fill") for c in p.layers))
    tops = [curve.x[np.argmax(curve.y)] for curve in diagonal.layers if len(curve.x) > 2]
    np.testing.assert_allclose(sorted(tops), [-1.0, 0.0, 2.0], atol=0.05)


def test_a_box_in_space_has_the_proportions_of_its_axes():
    places = np.random.default_rng(0).standard_normal((50, 3)) * [10.0, 3.0, 0.3]
    figure = gm.plots.map3d(gm.read_map(places), labels=None)
    (ax,) = figure.axes
    spans = [high - low for low, high in (ax.get_xlim(), ax.get_ylim(), ax.get_zlim())]
    box = np.asarray(ax.get_box_aspect())
    np.testing.assert_allclose(box / box[0], np.array(spans) / spans[0], rtol=1e-6)
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    (points,) = ax.collections
    assert not points.get_clip_on()  # points at the ends of a long box are seen
    shown = [text for text in ax.zaxis.get_ticklabels() if -1.0 < text.get_position()[0] < 1.0]
    assert len(shown) <= 3


def test_raw_columns_keep_their_names():
    record = gm.plots.scatter(WINE.data[["alcohol", "ash"]], backend="none")
    (panel,) = record.panels
    assert (panel.x.title, panel.y.title) == ("alcohol", "ash")
    np.testing.assert_array_equal(panel.layers[0].at, WINE.data[["alcohol", "ash"]])
