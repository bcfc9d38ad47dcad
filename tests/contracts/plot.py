"""What every plot promises: one record, drawn whole by every backend."""

import io

import numpy as np
import plotly.graph_objects as go
import pytest
from matplotlib.collections import PathCollection
from matplotlib.figure import Figure
from matplotlib.quiver import Quiver
from matplotlib.text import Annotation

import gramian as gm
from gramian.errors import InputError
from gramian.plots import record as r


def count(figure, kind):
    return sum(1 for _ in figure.layers(kind))


class PlotContract:
    """For plots; a subclass gives `plot`, a function of the backend."""

    @pytest.fixture
    def plot(self):
        raise NotImplementedError

    def test_the_record_fits_on_its_page(self, plot):
        figure = plot("none")
        assert isinstance(figure, gm.plots.Figure) and figure.panels
        for panel in figure.panels:
            assert panel.left >= 0 and panel.left + panel.width <= figure.width
            assert panel.bottom >= 0 and panel.bottom + panel.height <= figure.height
            assert panel.x.limits[0] != panel.x.limits[1] and np.isfinite(panel.x.limits).all()
        assert 250 < figure.width < 800 and 100 < figure.height < 800

    def test_the_record_holds_its_numbers(self, plot):
        assert plot("none").numbers

    @pytest.mark.slow
    def test_matplotlib_draws_every_layer(self, plot):
        figure, drawn = plot("none"), plot("matplotlib")
        assert isinstance(drawn, Figure)
        np.testing.assert_allclose(drawn.get_size_inches() * 72, [figure.width, figure.height])
        artists = [artist for ax in drawn.axes for artist in ax.get_children()]
        assert sum(isinstance(a, PathCollection) for a in artists) == count(figure, r.Points)
        assert sum(isinstance(a, Quiver) for a in artists) == count(figure, r.Arrows)
        if figure.panels[0].z is None:
            texts = [text for layer in figure.layers(r.Labels) for text in layer.texts]
            assert [a.get_text() for a in artists if isinstance(a, Annotation)] == texts
        axes = [ax for ax in drawn.axes if ax.get_label() != "<colorbar>"]
        for ax, panel in zip(axes, figure.panels, strict=False):
            assert ax.get_xlabel() == panel.x.title
            if panel.z is None:
                np.testing.assert_allclose(ax.get_xlim(), panel.x.limits)
                np.testing.assert_allclose(ax.get_ylim(), panel.y.limits)
        buffer = io.BytesIO()
        drawn.savefig(buffer, format="png")
        assert buffer.getvalue().startswith(b"\x89PNG")

    @pytest.mark.slow
    def test_plotly_draws_every_layer(self, plot):
        figure, drawn = plot("none"), plot("plotly")
        assert isinstance(drawn, go.Figure)
        kinds = (r.Points, r.Arrows, r.Curve, r.Bars, r.HeatMap)
        names = {layer.name for layer in figure.layers() if layer.name}
        assert len(drawn.data) == sum(count(figure, kind) for kind in kinds) + len(names)
        assert {t.name for t in drawn.data if t.showlegend is not False and t.name} == names
        assert len(drawn.layout.shapes) == count(figure, r.Guide)
        texts = sum(len(layer.texts) for layer in figure.layers(r.Labels))
        notes = len(figure.notes) + bool(figure.title)
        scene = len(drawn.layout.scene.annotations or ())
        assert len(drawn.layout.annotations) + scene == texts + notes
        assert drawn.layout.width == round(figure.width * 96 / 72)
        assert "</html>" in drawn.to_html(include_plotlyjs=False)

    def test_titles_stand_on_both(self, plot):
        """Axis titles are the record's, and equal units stay equal when a window is resized."""
        panel = plot("none").panels[0]
        plotly = plot("plotly").layout
        if panel.z is not None:
            assert plotly.scene.zaxis.title.text == panel.z.title
            return
        assert plotly.xaxis.title.text == panel.x.title
        assert plotly.yaxis.scaleanchor == ("x" if panel.equal else None)
        aspect = plot("matplotlib").axes[0].get_aspect()
        assert aspect == (1.0 if panel.equal else "auto")

    def test_an_unknown_backend_is_refused(self, plot):
        with pytest.raises(InputError, match="backend='bokeh' must be one of"):
            plot("bokeh")
