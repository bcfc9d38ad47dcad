"""What every plot takes: a panel of another figure, a size, colours, a theme."""

import inspect
import io

import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.image import imread
from matplotlib.text import Text

import gramian as gm
from gramian.errors import InputError, InputTypeError
from gramian.plots.record import Arrows, HeatMap, Labels, Points


def maps(pca, iris, species):
    return {
        "individuals": lambda **o: gm.plots.individuals(pca, color=species, **o),
        "numbers": lambda **o: gm.plots.individuals(pca, color=iris.data.iloc[:, 0], **o),
        "variables": lambda **o: gm.plots.variables(pca, **o),
        "biplot": lambda **o: gm.plots.biplot(pca, **o),
        "scree": lambda **o: gm.plots.scree(pca, **o),
        "contributions": lambda **o: gm.plots.contributions(pca, of="variables", **o),
        "gram": lambda **o: gm.plots.gram(pca, **o),
        "pairs": lambda **o: gm.plots.pairs(pca, 3, color=species, **o),
        "map3d": lambda **o: gm.plots.map3d(pca, color=species, **o),
        "correlations": lambda **o: gm.plots.correlations(iris.data, **o),
    }


PLOTS = [*maps(None, None, None)]


@pytest.mark.slow
@pytest.mark.parametrize("name", PLOTS)
@pytest.mark.parametrize("theme", ["screen", "paper", "talk"])
def test_a_figure_has_the_size_that_is_asked_for(name, theme, pca, iris, species):
    draw = maps(pca, iris, species)[name]
    record = draw(figsize=(6.0, 5.0), theme=theme, backend="none")
    assert (record.width, record.height) == pytest.approx((432.0, 360.0))
    for panel in record.panels:
        assert panel.left >= 0 and panel.left + panel.width <= 432.0 + 1e-6
        assert panel.bottom >= 0 and panel.bottom + panel.height <= 360.0 + 1e-6
    figure = draw(figsize=(6.0, 5.0), theme=theme)
    assert figure.get_size_inches() == pytest.approx([6.0, 5.0])


def inked(figure):
    """Return how far from the edges of the page the outermost ink is, in pixels."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=100)
    buffer.seek(0)
    dark = imread(buffer)[..., :3].min(axis=2) < 0.95
    rows, columns = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    return min(rows[0], columns[0], dark.shape[0] - 1 - rows[-1], dark.shape[1] - 1 - columns[-1])


@pytest.mark.slow
@pytest.mark.parametrize("name", PLOTS)
@pytest.mark.parametrize("options", [{}, {"figsize": (4.5, 4.0), "theme": "paper"}])
def test_nothing_is_cut_at_the_edge(name, options, pca, iris, species):
    assert inked(maps(pca, iris, species)[name](**options)) > 0


def test_a_theme_changes_the_size_of_everything_alike(pca, species):
    screen, talk = (
        gm.plots.individuals(pca, color=species, theme=theme, backend="none")
        for theme in ("screen", "talk")
    )
    assert talk.width / screen.width == pytest.approx(14 / 9)
    for a, b in zip(screen.layers(Points), talk.layers(Points), strict=True):
        assert b.size == pytest.approx(a.size * 14 / 9)
        np.testing.assert_array_equal(a.at, b.at)
    for a, b in zip(screen.layers(Labels), talk.layers(Labels), strict=True):
        assert b.size == pytest.approx(a.size * 14 / 9) and a.texts == b.texts


@pytest.mark.slow
def test_a_dark_theme_has_light_letters(pca, species):
    figure = gm.plots.biplot(pca, color=species, theme="dark")
    assert figure.get_facecolor()[:3] < (0.2, 0.2, 0.2)
    texts = [text for text in figure.axes[0].texts if text.get_text()]
    assert texts and all(np.mean(_rgb(text.get_color())) > 0.5 for text in texts)
    assert np.mean(_rgb(figure.axes[0].xaxis.label.get_color())) > 0.8
    page = gm.plots.biplot(pca, color=species, theme="dark", backend="plotly").layout
    assert page.paper_bgcolor == page.plot_bgcolor == "#16191d"


def _rgb(color):
    from matplotlib.colors import to_rgb

    return to_rgb(color)


@pytest.mark.slow
def test_panels_of_a_figure_of_one_s_own(pca, species):
    figure = Figure(figsize=(7.0, 3.0))
    left, right = figure.subplots(1, 2)
    assert gm.plots.individuals(pca, color=species, ax=left, theme="paper", title="a") is left
    gm.plots.variables(pca, ax=right, theme="paper", title="b")
    assert isinstance(left, Axes) and left.get_title(loc="left") == "a"
    names = [text.get_text() for text in left.get_legend().get_texts()]
    assert names == ["setosa", "versicolor", "virginica"]
    sizes = {text.get_fontsize() for ax in (left, right) for text in ax.get_xticklabels()}
    assert sizes == {7.0}
    offsets = np.vstack([c.get_offsets() for c in left.collections])
    expected = np.asarray(pca.coordinates_)[:, :2]
    assert sorted(map(tuple, offsets.round(9))) == sorted(map(tuple, expected.round(9)))


@pytest.mark.slow
def test_names_are_placed_for_the_room_there_is(genes):
    figure = Figure(figsize=(2.5, 2.5))
    small = gm.plots.individuals(genes, ax=figure.subplots())
    roomy = gm.plots.individuals(genes).axes[0]
    assert 0 < len(small.texts) <= len(roomy.texts)
    figure.draw_without_rendering()
    boxes = [Text.get_window_extent(text) for text in small.texts]  # without its line
    met = [a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[:k]]
    assert not any(met)


def test_a_palette_of_one_s_own(pca, species):
    mine = ["#111111", "#aa0000", "#00aa00"]
    record = gm.plots.individuals(pca, color=species, palette=mine, backend="none")
    assert [layer.color for layer in record.layers(Points)] == mine


@pytest.mark.parametrize("backend", ["none", "matplotlib", "plotly"])
def test_a_palette_of_names(backend, pca, species):
    """Those of CSS, and of matplotlib's lists; values as in CSS and in ColorBrewer's Set2."""
    names = {("red", "rebeccapurple", "#0072B2"): ["#ff0000", "#663399", "#0072b2"]}
    names |= {"Set2": ["#66c2a5", "#fc8d62", "#8da0cb"]}
    for palette, colors in names.items():
        figure = gm.plots.individuals(pca, color=species, palette=palette, backend=backend)
        if backend == "none":
            assert [layer.color for layer in figure.layers(Points)] == colors
        elif backend == "plotly":
            assert [t.marker.color for t in figure.data if len(t.x) > 1] == colors
        else:
            marks = [c.get_facecolor()[0] for c in figure.axes[0].collections]
            assert [to_hex(color) for color in marks] == colors


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"figsize": 3}, InputError, "figsize=3 must be width and height"),
        ({"figsize": (1.0, 0.6)}, InputError, "no room"),
        ({"theme": "neon"}, InputError, "theme='neon'"),
        ({"palette": ["redd"]}, InputError, r"palette=\['redd'\] must be"),
        ({"palette": []}, InputError, r"palette=\[\] must be"),
        ({"palette": "rainbows"}, InputError, "palette='rainbows' must be"),
        ({"palette": "viridis"}, InputError, "palette='viridis' must be"),
        ({"ax": 3}, InputTypeError, "ax=3 must be a SubFigure"),
        ({"ax": Figure().subplots(), "backend": "plotly"}, InputError, "leave backend"),
        ({"ax": Figure().subplots(), "figsize": (3, 3)}, InputError, "leave backend, figsize"),
        ({"backend": "paper"}, InputError, "backend='paper'"),
    ],
)
def test_refusals(pca, options, error, words):
    with pytest.raises(error, match=words):
        gm.plots.individuals(pca, **options)


@pytest.mark.slow
def test_several_panels_are_not_one(pca):
    with pytest.raises(InputError, match="ax is one panel, the figure has 6"):
        gm.plots.pairs(pca, 3, ax=Figure().subplots())
    with pytest.raises(InputError, match="space"):
        gm.plots.map3d(pca, ax=Figure().subplots())


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["cos2", "contribution", "quality"])
def test_colours_of_quality(measure, pca):
    record = gm.plots.variables(pca, color=measure, backend="none")
    readings = pca.variables()
    if measure == "contribution":
        share = pca.eigenvalues_[:2] / pca.eigenvalues_[:2].sum()
        expected = readings["contribution"][[1, 2]].to_numpy() @ share
    else:
        expected = readings["cos2"][[1, 2] if measure == "cos2" else [1, 2, 3, 4]].sum(axis=1)
    (arrows,) = record.layers(Arrows)
    np.testing.assert_allclose(arrows.color, expected, atol=1e-12)
    assert record.color_bar is not None
    gm.plots.variables(pca, color=measure)
    figure = gm.plots.variables(pca, color=measure, backend="plotly")
    lines = [t for t in figure.data if t.mode == "lines+markers"]
    assert len(lines) == 4
    assert (len({t.line.color for t in lines}) == 4) == (measure != "quality")  # all are 1


@pytest.mark.slow
def test_more_groups_than_colours_are_named(iris):
    rng = np.random.default_rng(0)
    group = np.arange(600) % 12
    fit = gm.PCA(3).fit(4 * rng.standard_normal((12, 4))[group] + rng.standard_normal((600, 4)))
    names = [f"kind {k:02d}" for k in group]
    for plot in (gm.plots.individuals, gm.plots.map3d):
        record = plot(fit, color=names, backend="none")
        shown = {text for layer in record.layers(Labels) for text in layer.texts}
        assert {f"kind {k:02d}" for k in range(12)} <= shown
        looks = {(layer.color, layer.marker, layer.filled) for layer in record.layers(Points)}
        assert len(looks) == 12
        for backend in ("matplotlib", "plotly"):
            plot(fit, color=names, backend=backend)


@pytest.mark.slow
def test_a_long_legend_is_in_columns(iris):
    names = [f"group {k}" for k in range(30)] * 5
    fit = gm.PCA(2).fit(iris.data)
    record = gm.plots.individuals(fit, color=names, labels=False, backend="none")
    assert record.legend.rows < 30
    assert inked(gm.plots.individuals(fit, color=names, labels=False)) > 0
    page = gm.plots.individuals(fit, color=names, labels=False, backend="plotly")
    keys = [t.legend for t in page.data if t.showlegend is not False]
    assert len(keys) == 30 and set(keys) == {"legend", "legend2"}


def test_hulls_hold_their_groups(pca, species):
    record = gm.plots.individuals(pca, color=species, ellipses="hull", backend="none")
    for name, hull in record.numbers["ellipses"].items():
        Z = np.asarray(pca.coordinates_)[(species == name).to_numpy(), :2]
        corners = hull.corners
        edges = np.roll(corners, -1, axis=0) - corners
        away = Z[:, None] - corners
        assert (edges[:, 0] * away[..., 1] - edges[:, 1] * away[..., 0] >= -1e-9).all()
        assert {tuple(c) for c in corners} <= {tuple(z) for z in Z}


def test_no_line_runs_through_a_number():
    fit = gm.PCA(4, scale=True).fit(gm.datasets.wine().data)
    record = gm.plots.scree(fit, backend="none")
    (labels,), panel = record.layers(Labels), record.panels[0]
    share = record.numbers["cumulated"]
    x = panel.width * (np.arange(1, 5) - panel.x.limits[0]) / np.ptp(panel.x.limits)
    y = panel.height * (share - panel.y.limits[0]) / np.ptp(panel.y.limits)
    along = np.linspace(x[0], x[-1], 2000)
    line = np.interp(along, x, y)
    for left, bottom, right, top in labels.boxes:
        inside = (along > left) & (along < right) & (line > bottom) & (line < top)
        assert not inside.any()


def test_correlations_are_those_of_numpy(iris):
    record = gm.plots.correlations(iris.data, order=None, backend="none")
    (picture,) = record.layers(HeatMap)
    np.testing.assert_allclose(picture.values, np.corrcoef(iris.data.T), atol=1e-12)
    constant = iris.data.assign(one=1.0)
    assert "1 constant" in gm.plots.correlations(constant, backend="none").notes[0]


def test_images_are_the_rows():
    digits = gm.datasets.digits().data
    fit = gm.PCA(3).fit(digits)
    record = gm.plots.images(fit, shape=(8, 8), backend="none")
    pictures = [layer.values for layer in record.layers(HeatMap)]
    np.testing.assert_array_equal(np.reshape(pictures, (3, 64)), fit.components_)
    again = fit.inverse_transform(fit.transform(digits[:4]))
    both = gm.plots.images(digits[:4], again, shape=(8, 8), backend="none")
    assert len(both.panels) == 8
    with pytest.raises(InputError, match="not an image of 7 × 8"):
        gm.plots.images(fit, shape=(7, 8))


@pytest.mark.slow
def test_texts_stay_texts(pca):
    figure = gm.plots.variables(pca)
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg")
    assert b"petal length" in buffer.getvalue()
    buffer = io.BytesIO()
    figure.savefig(buffer, format="pdf")
    assert b"/FontFile2" in buffer.getvalue()


PLOTS = [name for name in gm.plots.__all__ if name.islower()]


@pytest.mark.parametrize("name", sorted(set(PLOTS) - {"draw", "plotly_config", "register", "show"}))
def test_every_parameter_of_a_plot_is_described_once(name):
    plot = getattr(gm.plots, name)
    text = inspect.getdoc(plot)
    section = text.split("\nParameters\n----------\n")[1].split("\n\nReturns\n-------\n")[0]
    heads = [line for line in section.split("\n") if not line.startswith(" ")]
    described = [word for head in heads for word in head.split(" : ")[0].split(", ")]
    assert described == list(inspect.signature(plot).parameters)
    assert text.count("\nReturns\n") == text.count("\nExamples\n") == 1
