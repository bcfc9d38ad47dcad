"""The small parts of plots: looks, ticks, outlines and the documentation that plots share."""

import inspect

import numpy as np
import pandas as pd
import pytest

import gramian as gm
from gramian.plots.backends import palette_of
from gramian.plots.backends.plotly import literal
from gramian.plots.groups import contour_lines, density, ellipse, hull, place_outlines
from gramian.plots.layout import tick_count
from gramian.plots.scree import _log_axis
from gramian.plots.style import (
    across,
    look,
    look_of,
    looking,
    n_looks,
    natural_order,
    point_size,
    text_color,
    text_size,
)


def test_looks_of_groups_differ():
    assert n_looks() == 100
    assert len({look_of(k) for k in range(n_looks())}) == 100


def test_letters_are_darker_than_marks_and_marks_of_crowds_smaller():
    assert text_color("#56B4E9") == "#4590ba"
    assert (point_size(10), point_size(100_000)) == (6.0, 2.0)
    assert palette_of(["#FF0000", "#0000ff"]) == ("#FF0000", "#0000ff")


def test_a_look_holds_inside_only():
    assert look().theme.text == 9.0 and text_size(8.0) == 8.0
    with looking(wide=0.5):
        assert across(400.0) == 200.0
    assert across(400.0) == 400.0


def test_ticks_are_as_many_as_there_is_room_for():
    assert (tick_count(400.0), tick_count(100.0)) == (7, 3)
    expected = ((-1.0, "0.1"), (0.0, "1"), (1.0, "10"))
    assert _log_axis("λ", np.array([0.03, 40.0])).ticks == expected


def test_names_that_are_counted_stand_in_the_order_of_their_numbers():
    names = ["group 1", "group 10", "group 2"]
    assert [names[k] for k in natural_order(names)] == ["group 1", "group 2", "group 10"]
    assert natural_order(["low", "high"]) == [0, 1]


def test_texts_for_plotly_are_no_markup():
    assert literal("<b> $x$ & co") == "&lt;b&gt; &#36;x&#36; &amp; co"


def test_outlines():
    square = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]])
    shape = ellipse(square, np.ones(4), "concentration", 0.95).shape
    np.testing.assert_allclose(shape, [[7.989, 0.0], [0.0, 7.989]], atol=5e-4)
    inner = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [0.5, 0.5]])
    assert hull(inner).corners.tolist() == [[0.0, 0.0], [2.0, 0.0], [0.0, 2.0]]
    places = pd.DataFrame([[1.0, 0.0, 2.0, 1.0, 90.0]])
    assert next(place_outlines(places))[0].round(3).tolist() == [1.0, 2.0]


def test_lines_of_equal_height():
    D = np.array([[0.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 0.0]])
    (line,) = contour_lines(D, np.arange(3.0), np.arange(3.0), 1.0)
    assert line.tolist() == [[0.5, 1.0], [1.0, 0.5], [1.5, 1.0], [1.0, 1.5], [0.5, 1.0]]
    Z = np.random.default_rng(0).standard_normal((4000, 2))
    lines = density(Z, np.ones(4000), 0.9).lines
    assert [round(float(np.hypot(*line.T).mean()), 1) for line in lines] == [1.2, 2.1]


@pytest.mark.parametrize("scaling", ["form", "covariance"])
def test_products_of_a_biplot_are_the_centred_table(scaling):
    X = np.array([[1.0, 0.0], [0.0, 2.0], [5.0, 4.0]])
    numbers = gm.plots.biplot(gm.PCA().fit(X), scaling=scaling, backend="none").numbers
    products = numbers["rows"].to_numpy() @ numbers["columns"].to_numpy().T
    np.testing.assert_allclose(products, X - X.mean(axis=0), atol=1e-12)


def test_parameters_that_plots_share_are_documented_in_each():
    text = inspect.getdoc(gm.plots.cos2)
    section = text.split("Parameters\n----------\n")[1].split("\n\n")[0]
    assert section.startswith(
        "fitted : fitted estimator\n    The fit to draw.\naxis : int or several"
    )
    assert "\ntheme : " in section and "Returns\n-------\n" in text


@pytest.mark.parametrize(("axes", "text"), [(2, "axis 2"), ((1, 2, 3), "axes 1, 2 and 3")])
def test_axes_are_named_in_words(axes, text):
    fit = gm.PCA(scale=True).fit(gm.datasets.iris().data)
    record = gm.plots.cos2(fit, axes, backend="none")
    assert record.panels[0].x.title == f"cos² on {text}"


def test_like_rows_of_a_matrix_stand_side_by_side():
    D = np.array([[0.0, 9.0, 1.0], [9.0, 0.0, 8.0], [1.0, 8.0, 0.0]])
    assert gm.plots.gram(D, backend="none").numbers["order"].tolist() == [1, 2, 0]
