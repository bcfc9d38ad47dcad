"""Every plot with every backend; what backends must not do."""

import io
import subprocess
import sys
from functools import partial

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.collections import PathCollection
from matplotlib.text import Annotation
from tests.contracts.plot import PlotContract

import gramian as gm

pytestmark = pytest.mark.slow


PLOTS = {
    "scree": lambda f, b: gm.plots.scree(f["pca"], reference=1.0, backend=b),
    "scree of kernel PCA": lambda f, b: gm.plots.scree(f["kpca"], backend=b),
    "individuals": lambda f, b: gm.plots.individuals(f["pca"], backend=b),
    "individuals in groups": lambda f, b: gm.plots.individuals(
        f["pca"],
        color=f["groups"],
        barycentres=True,
        ellipses="confidence",
        supplementary=f["X"].iloc[:3] + 1.0,
        title="A title",
        backend=b,
    ),
    "individuals by numbers": lambda f, b: gm.plots.individuals(
        f["kpca"], color=f["X"].iloc[:, 1], size="cos2", alpha="cos2", backend=b
    ),
    "variables": lambda f, b: gm.plots.variables(f["pca"], backend=b),
    "variables on a kernel PCA": lambda f, b: gm.plots.variables(
        f["kpca"], table=f["X"], select=3, backend=b
    ),
    "biplot": lambda f, b: gm.plots.biplot(f["pca"], color=f["groups"], backend=b),
    "contributions": lambda f, b: gm.plots.contributions(f["pca"], backend=b),
    "cos2": lambda f, b: gm.plots.cos2(f["pca"], of="variables", backend=b),
    "pairs": lambda f, b: gm.plots.pairs(f["pca"], 3, color=f["groups"], backend=b),
    "gram": lambda f, b: gm.plots.gram(f["kpca"], backend=b),
    "gram of few": lambda f, b: gm.plots.gram(f["X"].iloc[:12].T.corr(), backend=b),
    "shepard": lambda f, b: gm.plots.shepard(f["mds"], backend=b),
    "reconstruction": lambda f, b: gm.plots.reconstruction(f["pca"], backend=b),
    "map3d": lambda f, b: gm.plots.map3d(
        f["pca"], color=f["groups"], barycentres=True, backend=b
    ),
    "regions": lambda f, b: gm.plots.regions(
        f["classifier"], f["X"].iloc[:, 2:], f["groups"], backend=b
    ),
    "selection": lambda f, b: gm.plots.selection(f["kernels"], backend=b),
    "outliers": lambda f, b: gm.plots.outliers(f["pca"], backend=b),
    "film": lambda f, b: gm.plots.film(f["pca"], 2, backend=b),
}  # fmt: skip


@pytest.fixture(scope="module")
def fits(pca, kpca, mds, iris, species):
    classifier = gm.KernelLogisticRegression().fit(iris.data.iloc[:, 2:], species)
    kernels = gm.kernels.select(iris.data, criterion="contrast")
    fitted = {"pca": pca, "kpca": kpca, "mds": mds, "classifier": classifier, "kernels": kernels}
    return fitted | {"X": iris.data, "groups": species}


@pytest.mark.parametrize("name", PLOTS)
class TestPlots(PlotContract):
    @pytest.fixture
    def plot(self, fits, name):
        return partial(PLOTS[name], fits)


def test_drawn_texts_do_not_overlap(genes, plants):
    """Rectangles of the texts as matplotlib really draws them."""
    groups = plants.groups["temperature"]
    for figure in (
        gm.plots.individuals(genes, color=groups, barycentres=True),
        gm.plots.variables(genes),
    ):
        renderer = FigureCanvasAgg(figure).get_renderer()
        figure.draw(renderer)
        texts = [a for a in figure.axes[0].get_children() if isinstance(a, Annotation)]
        boxes = [matplotlib.text.Text.get_window_extent(a, renderer) for a in texts]
        assert len(boxes) > 20
        for i, a in enumerate(boxes):
            for b in boxes[:i]:
                assert a.x0 >= b.x1 or b.x0 >= a.x1 or a.y0 >= b.y1 or b.y0 >= a.y1


HOSTILE = ["$x^2$", "<b>bold</b>", "a & b", "%{x}", "\\$100", "<a href='x'>y</a>"]
HOSTILE += ["</script><script>0"]


@pytest.fixture(scope="module")
def hostile():
    rng = np.random.default_rng(0)
    X = pd.DataFrame(rng.normal(size=(7, 7)), HOSTILE, HOSTILE)
    return gm.PCA(scale=True).fit(X), pd.Series(HOSTILE, X.index, name="<i>$g$</i>")


def all_texts(ax):
    return [t.get_text() for t in ax.findobj(matplotlib.text.Text) if t.get_text()]


def test_matplotlib_shows_hostile_labels_literally(hostile):
    fitted, groups = hostile
    for figure in (
        gm.plots.individuals(fitted, color=groups),
        gm.plots.variables(fitted),
        gm.plots.contributions(fitted, of="variables"),
        gm.plots.gram(fitted),
    ):
        texts = all_texts(figure)
        assert set(HOSTILE) <= set(texts)
        for text in figure.findobj(matplotlib.text.Text):
            if text.get_text() in HOSTILE:
                assert not text.get_parse_math() and not text.get_usetex()
        figure.savefig(io.BytesIO(), format="svg")


def test_plotly_escapes_hostile_labels(hostile):
    fitted, groups = hostile
    for figure in (
        gm.plots.individuals(fitted, color=groups, backend="plotly"),
        gm.plots.variables(fitted, backend="plotly"),
        gm.plots.contributions(fitted, of="variables", backend="plotly"),
        gm.plots.gram(fitted, backend="plotly"),
        gm.plots.map3d(fitted, color=groups, backend="plotly"),
    ):
        text = str(figure.to_dict())
        assert "</script><script>" not in figure.to_html(include_plotlyjs=False)
        assert "$" not in text and "<a " not in text and "<b>bold" not in text
        assert "&lt;b&gt;bold&lt;/b&gt;" in text and "&#36;x^2&#36;" in text


def test_pyplot_is_not_touched():
    code = (
        "import sys, numpy as np, gramian as gm\n"
        "fit = gm.PCA().fit(np.random.default_rng(0).normal(size=(9, 4)))\n"
        "for name in ('scree', 'individuals', 'variables', 'pairs', 'gram', 'map3d'):\n"
        "    getattr(gm.plots, name)(fit)\n"
        "assert 'matplotlib' in sys.modules and 'matplotlib.pyplot' not in sys.modules\n"
        "assert 'plotly' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_none_needs_no_library_and_the_others_say_what_to_install():
    code = (
        "import sys\n"
        "sys.modules['matplotlib'] = sys.modules['plotly'] = None\n"
        "import numpy as np, gramian as gm\n"
        "fit = gm.PCA().fit(np.random.default_rng(0).normal(size=(9, 4)))\n"
        "for name in ('scree', 'individuals', 'variables', 'biplot', 'contributions', 'cos2',\n"
        "             'pairs', 'gram', 'shepard', 'reconstruction', 'map3d'):\n"
        "    assert getattr(gm.plots, name)(fit, backend='none').panels\n"
        "    for backend in ('matplotlib', 'plotly'):\n"
        "        try:\n"
        "            getattr(gm.plots, name)(fit, backend=backend)\n"
        "        except ImportError as error:\n"
        "            assert 'gramian[plot]' in str(error) and backend in str(error)\n"
        "        else:\n"
        "            raise AssertionError(name)\n"
        "gm.plots.plotly_config()\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def png(figure):
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png", dpi=50, metadata={"Software": None})
    return buffer.getvalue()


def test_the_readers_settings_neither_change_the_figure_nor_are_changed(pca, species):
    plain = png(gm.plots.individuals(pca, color=species))
    odd = {"font.size": 30.0, "axes.facecolor": "black", "text.color": "red", "lines.linewidth": 9}
    odd |= {"axes.grid": True, "xtick.labelsize": 30, "axes.prop_cycle": "cycler('color', 'r')"}
    with matplotlib.rc_context(odd):
        before = dict(matplotlib.rcParams)
        assert png(gm.plots.individuals(pca, color=species)) == plain
        assert dict(matplotlib.rcParams) == before


def test_figures_repeat_to_the_byte(pca, species):
    first, again = (png(gm.plots.individuals(pca, color=species)) for _ in range(2))
    assert first == again
    first, again = (gm.plots.biplot(pca, backend="plotly").to_json() for _ in range(2))
    assert first == again


def test_notebooks_show_the_figure(pca):
    assert gm.plots.scree(pca)._repr_png_().startswith(b"\x89PNG")


def test_crowds_are_pixels_in_vector_files_and_on_the_graphics_card(crowd):
    fitted, region = crowd
    figure = gm.plots.individuals(fitted)
    marks = [a for a in figure.axes[0].get_children() if isinstance(a, PathCollection)]
    assert len(marks) == 1 and marks[0].get_rasterized()
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg", dpi=100)
    assert len(buffer.getvalue()) < 2_000_000
    options = {"color": region, "ellipses": "concentration", "barycentres": True}
    plotly = gm.plots.individuals(fitted, **options, backend="plotly")
    # The card draws above everything else: ellipses and barycentres must go with the points.
    assert {trace.type for trace in plotly.data if trace.showlegend is False} == {"scattergl"}


def test_small_figures_are_not_drawn_on_the_graphics_card(pca):
    assert {t.type for t in gm.plots.individuals(pca, backend="plotly").data} == {"scatter"}


def test_nothing_is_sent_or_fetched(pca):
    config = gm.plots.plotly_config()
    assert config["showSendToCloud"] is False and config["displaylogo"] is False
    assert config["plotlyServerURL"] == ""
    page = gm.plots.individuals(pca, backend="plotly").to_html(include_plotlyjs=False)
    assert '"showSendToCloud": false' in page and '"displaylogo": false' in page
    assert "http://" not in page and "https://" not in page
    own = gm.plots.scree(pca, backend="plotly").to_html(
        include_plotlyjs=False, config={"displayModeBar": False}
    )
    assert '"displayModeBar": false' in own and '"displaylogo": false' in own


def test_documents_figures_are_one_line(genes, plants):
    map_of_samples = gm.plots.individuals(genes, color=plants.groups["temperature"])
    map_of_genes = gm.plots.variables(genes, select=0.96, by="cos2")
    for figure in (map_of_samples, map_of_genes):
        assert figure.axes[0].get_xlabel().startswith("Axis 1 (")


def test_public_surface():
    fixed = ["scree", "individuals", "variables", "biplot", "contributions", "cos2", "pairs"]
    fixed += ["gram", "shepard", "reconstruction", "map3d", "plotly_config", "draw", "Figure"]
    fixed += ["regions", "register", "selection", "dimension", "network", "networks", "replicates"]
    assert sorted(set(fixed) - set(gm.plots.__all__)) == []  # adding is free
    assert "plots" in gm.__all__
