"""Plots of one's own: found, drawn and refused like those of the library."""

import inspect
from unittest import mock

import numpy as np
import pytest
from tests.contracts.plot import PlotContract

import gramian as gm
from gramian.errors import InputError, InputTypeError
from gramian.plots.drawing import PLOTS
from gramian.plots.layout import around, single
from gramian.plots.record import Axis, Panel, Points


def distances(fitted, power=1.0, *, title="", **options):
    """Draw how far rows are from the barycentre."""
    y = fitted.individuals()["distance2", ""].to_numpy() ** (power / 2)
    Z = np.column_stack([np.arange(1.0, len(y) + 1.0), y])
    x_axis, y_axis = Axis("Row", around(Z[:, 0])), Axis("Distance", around(y, zero=True))
    panel = Panel(0.0, 0.0, 300.0, 200.0, x_axis, y_axis, ())
    return single(panel, [Points(Z)], title=title, numbers={"distances": y}, **options)


@pytest.fixture(autouse=True)
def registry():
    with mock.patch.dict(PLOTS):
        gm.plots.register(distances)
        yield


class TestRegistered(PlotContract):
    @pytest.fixture
    def plot(self, pca):
        return lambda backend: gm.plots.distances(pca, backend=backend)


def test_arguments_go_through(pca):
    plain, squared = (gm.plots.distances(pca, k, backend="none") for k in (1.0, 2.0))
    np.testing.assert_allclose(squared.numbers["distances"], plain.numbers["distances"] ** 2)
    assert gm.plots.distances(pca, title="far", notes=["n"], backend="none").notes == ("n",)


def test_it_looks_like_a_plot_of_the_library():
    assert "distances" in dir(gm.plots) and "scree" in dir(gm.plots)
    assert gm.plots.distances.__doc__ == distances.__doc__
    parameters = inspect.signature(gm.plots.distances).parameters
    looks = ["backend", "ax", "figsize", "palette", "theme"]
    assert list(parameters) == ["fitted", "power", "title", *looks, "options"]
    backend = inspect.signature(gm.plots.scree).parameters["backend"]
    assert parameters["backend"].default == backend.default
    assert parameters["backend"].kind == backend.kind


def test_one_s_own_plot_may_be_registered_again(pca):
    before = gm.plots.distances
    assert gm.plots.register(distances) is gm.plots.distances is not before


@pytest.mark.parametrize("name", ["scree", "layout", "Figure", "_secret"])
def test_names_of_the_library_are_taken(name):
    def other(fitted):
        return None

    other.__name__ = name
    with pytest.raises(InputError, match=f"the name '{name}' is taken"):
        gm.plots.register(other)


def test_other_things_are_refused(pca):
    for wrong in (3, "scree", lambda fitted: None):
        with pytest.raises(InputTypeError, match="give a named function"):
            gm.plots.register(wrong)

    def drawn(fitted, backend="plotly"):
        return None

    with pytest.raises(InputError, match="leave it out"):
        gm.plots.register(drawn)

    def nothing(fitted):
        return None

    with pytest.raises(InputTypeError, match="nothing returned NoneType: return a Figure"):
        gm.plots.register(nothing)(pca)


def test_an_unknown_plot_is_no_attribute():
    with pytest.raises(AttributeError, match="no attribute 'histogram'"):
        gm.plots.histogram  # noqa: B018
