"""Logarithmic scree plots, lines of density, the colours of dark paper, unknown options."""

import numpy as np
import pytest
from matplotlib.path import Path
from tests.plots import gallery

import gramian as gm
from gramian.errors import InputTypeError
from gramian.plots.groups import contour_lines, density
from gramian.plots.record import Curve, Points


def test_a_power_law_is_a_straight_line_of_its_slope():
    fit = gallery.indefinite()
    record = gm.plots.scree(fit, n_axes=60, scale="log-log", backend="none")
    (line,), (below,) = record.layers(Curve), record.layers(Points)
    x, y = np.append(line.x, below.at[:, 0]), np.append(line.y, below.at[:, 1])
    slope, offset = np.polyfit(x, y, 1)
    assert slope == pytest.approx(-1.5, abs=0.08)  # centring changes the kernel a little
    np.testing.assert_allclose(y, slope * x + offset, atol=0.12)
    values = np.asarray(fit.eigenvalues_)
    assert len(below.at) == (values < 0).sum() > 10
    share = 100 * values / fit.inertia_
    np.testing.assert_allclose(line.y, np.log10(share[values > 0]))
    np.testing.assert_allclose(below.at[:, 1], np.log10(-share[values < 0]))


def test_ticks_of_a_logarithmic_scale_stand_at_their_values(pca):
    panel = gm.plots.scree(pca, scale="log", reference=0.5, backend="none").panels[0]
    assert len(panel.y.ticks) > 2
    for at, text in panel.y.ticks:
        assert 10**at == pytest.approx(float(text), rel=1e-4)
    for backend in ("matplotlib", "plotly"):
        gm.plots.scree(pca, scale="log", backend=backend)


def test_lines_of_density_hold_what_they_say():
    rng = np.random.default_rng(1)
    Z = np.vstack([rng.normal(size=(3000, 2)), rng.normal(size=(1000, 2)) * 0.4 + [6.0, 0.0]])
    found = density(Z, np.ones(len(Z)), 0.9)
    assert found.levels == (0.5, 0.9)
    inside = np.zeros(len(Z), dtype=int)
    for line in found.lines:
        assert (line[0] == line[-1]).all()
        inside += Path(line).contains_points(Z)
    # Half of the points are inside two lines, nine tenths inside one or two.
    assert np.mean(inside >= 2) == pytest.approx(0.5, abs=0.02)
    assert np.mean(inside >= 1) == pytest.approx(0.9, abs=0.02)
    assert len(found.lines) == 4  # two clouds, two lines each


def test_a_line_of_one_height_is_a_circle_where_it_should_be():
    x = np.linspace(-3, 3, 121)
    D = np.exp(-(x[:, None] ** 2 + x[None, :] ** 2) / 2)
    (line,) = contour_lines(D, x, x, float(np.exp(-2.0)))
    np.testing.assert_allclose(np.hypot(*line.T), 2.0, atol=2e-3)


def test_saddles_and_edges_close():
    D = np.array([[1.0, 0.0], [0.0, 1.0]])
    apart, joined = (contour_lines(D, np.arange(2.0), np.arange(2.0), h) for h in (0.6, 0.4))
    assert len(apart) == 2 and len(joined) == 1


@pytest.mark.slow
def test_density_around_groups(pca, species):
    options = {"color": species, "ellipses": "density", "level": 0.9}
    record = gm.plots.individuals(pca, **options, backend="none")
    assert set(record.numbers["ellipses"]) == {"setosa", "versicolor", "virginica"}
    for backend in ("matplotlib", "plotly"):
        gm.plots.individuals(pca, **options, backend=backend)


def luminance(color):
    return np.dot(np.asarray(color[:3]), [0.2126, 0.7152, 0.0722])


@pytest.mark.slow
def test_no_colour_of_a_scale_is_lost_on_dark_paper(pca):
    figure = gm.plots.individuals(pca, color="cos2", labels=False, theme="dark")
    paper = luminance(figure.get_facecolor())
    faces = figure.axes[0].collections[0].get_facecolors()
    assert min(luminance(face) for face in faces) > paper + 0.2
    light = gm.plots.individuals(pca, color="cos2", labels=False)
    assert min(luminance(f) for f in light.axes[0].collections[0].get_facecolors()) < 0.15
    page = gm.plots.individuals(pca, color="cos2", labels=False, theme="dark", backend="plotly")
    scales = [t.marker.colorscale for t in page.data if t.marker.colorscale is not None]
    first = scales[0][0][1]
    assert np.mean([int(part) for part in first[4:-1].split(",")]) > 80


def test_an_unknown_option_is_not_passed_over(pca):
    with pytest.raises(InputTypeError, match=r"scree.*unexpected keyword argument 'scales'"):
        gm.plots.scree(pca, scales="log")
