"""Regions of a classifier and evidence for kernels, as numbers."""

import numpy as np
import pytest

import gramian as gm
from gramian.plots import record as r

RINGS = gm.datasets.rings(150)
FIT = gm.KernelLogisticRegression().fit(RINGS.data, RINGS.groups["ring"])


def inside(x, y, curve):
    """Whether a point is inside a closed line, by the winding number."""
    a, b = np.arctan2(curve.y - y, curve.x - x), 2 * np.pi
    turns = np.diff(np.append(a, a[0]))
    return round(float(((turns + np.pi) % b - np.pi).sum() / b)) != 0


@pytest.mark.slow
def test_regions_are_what_is_predicted():
    figure = gm.plots.regions(FIT, RINGS.data, RINGS.groups["ring"], backend="none")
    shades = list(figure.layers(r.Curve))
    assert len(shades) == 2
    rng = np.random.default_rng(0)
    places = rng.uniform(-2.5, 2.5, (60, 2))
    frame = RINGS.data.iloc[:60] * 0 + places
    sure = np.abs(FIT.decision_function(frame)) > 0.2
    for (x, y), label in zip(places[sure], FIT.predict(frame)[sure], strict=True):
        assert [inside(x, y, shade) for shade in shades] == list(FIT.classes_ == label)


@pytest.mark.slow
def test_points_are_coloured_by_what_is_known():
    groups = RINGS.groups["ring"].to_numpy()
    figure = gm.plots.regions(FIT, RINGS.data, groups, backend="none")
    sizes = {layer.name: len(layer.at) for layer in figure.layers(r.Points)}
    assert sizes == {label: int((groups == label).sum()) for label in FIT.classes_}
    predicted = gm.plots.regions(FIT, RINGS.data, backend="none")
    sizes = {layer.name: len(layer.at) for layer in predicted.layers(r.Points)}
    assert sum(sizes.values()) == 150 and predicted.legend.title == "predicted"


def test_other_columns_are_held_at_their_medians():
    iris = gm.datasets.iris()
    fit = gm.PrincipalComponentClassifier(3, penalty=1.0).fit(iris.data, iris.groups["species"])
    names = list(iris.data.columns)
    figure = gm.plots.regions(
        fit, iris.data, columns=(names[3], names[2]), resolution=20, backend="none"
    )
    numbers = figure.numbers
    place = iris.data.median().to_frame().T
    place[names[3]], place[names[2]] = numbers["x"][4], numbers["y"][11]
    assert fit.predict(place)[0] == numbers["classes"][11, 4]
    assert figure.panels[0].x.title == names[3] and "medians" in figure.notes[0]


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"columns": (0, 5)}, "columns"),
        ({"columns": (1, 1)}, "two different"),
        ({"resolution": 1}, "resolution"),
        ({"y": np.zeros(150)}, "classes"),
        ({"y": np.zeros(3)}, "rows"),
    ],
)
def test_regions_refuse(arguments, match):
    with pytest.raises(ValueError, match=match):
        gm.plots.regions(FIT, RINGS.data, backend="none", **arguments)


def test_regions_of_something_else():
    with pytest.raises(TypeError, match="classifier"):
        gm.plots.regions(gm.PCA(), RINGS.data)


@pytest.mark.slow
def test_selection_marks_the_choice():
    found = gm.kernels.select(RINGS.data, criterion="contrast")
    figure = gm.plots.selection(found, backend="none")
    (line,) = figure.layers(r.Guide)
    assert list(found.kernels)[int(line.at) - 1] == found.label
    hollow = [layer for layer in figure.layers(r.Points) if not layer.filled]
    assert sum(len(layer.at) for layer in hollow) == (found.table["verdict"] != "useful").sum()
    with pytest.raises(ValueError, match="criterion"):
        gm.plots.selection(found, "verdict")
    with pytest.raises(TypeError, match="select"):
        gm.plots.selection(RINGS.data)
