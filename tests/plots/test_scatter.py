"""Columns of a table as they are: in a plane, in space, and in pairs."""

import numpy as np
import pandas as pd
import pytest
from tests.contracts.plot import PlotContract

import gramian as gm
from gramian.errors import InputError, InputTypeError

WINE = gm.datasets.wine()
SPHERES = gm.datasets.spheres()


@pytest.mark.parametrize("columns", [(0, 1), (0, 1, 2), (0, 1, 2, 3)])
class TestScatter(PlotContract):
    @pytest.fixture
    def plot(self, columns):
        X, group = WINE.data, WINE.groups["cultivar"]
        return lambda backend: gm.plots.scatter(X, columns, color=group, backend=backend)


def test_values_and_names_are_those_of_the_table():
    record = gm.plots.scatter(WINE.data, ["proline", "ash"], backend="none")
    panel = record.panels[0]
    assert (panel.x.title, panel.y.title) == ("proline", "ash")
    (points,) = panel.layers[:1]
    np.testing.assert_array_equal(points.at, WINE.data[["proline", "ash"]].to_numpy())
    assert panel.x.limits[0] > 100  # not centred, and no zero is put in


def test_units_are_equal_where_spreads_are_alike():
    plane = gm.plots.scatter(SPHERES.data, ["x", "y"], backend="none").panels[0]
    assert plane.equal
    assert not gm.plots.scatter(WINE.data, ["proline", "ash"], backend="none").panels[0].equal


def test_space_has_true_proportions():
    X = SPHERES.data * [1.0, 2.0, 3.0]
    ax = gm.plots.scatter(X).axes[0]
    spans = [np.ptp(limits) for limits in (ax.get_xlim(), ax.get_ylim(), ax.get_zlim())]
    box = np.asarray(ax.get_box_aspect() if hasattr(ax, "get_box_aspect") else ax._box_aspect)
    np.testing.assert_allclose(box / box[0], np.array(spans) / spans[0], rtol=1e-6)
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_zlabel()) == ("x", "y", "z")


def test_arrays_are_counted_and_constant_columns_have_no_density():
    X = np.column_stack([np.arange(20.0), np.ones(20), np.arange(20.0) ** 2, np.arange(20.0) % 7])
    record = gm.plots.scatter(X, backend="none")
    assert record.numbers["names"] == ["x1", "x2", "x3", "x4"]
    diagonal = [panel for panel in record.panels if not panel.y.line]
    assert [len(panel.layers) for panel in diagonal] == [1, 0, 1, 1]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"columns": (0,)}, "2 to 8 different"),
        ({"columns": (0, 0)}, "2 to 8 different"),
        ({"columns": range(9)}, "2 to 8 different"),
        ({"columns": ("ash", "iron")}, "'iron' is not one of the 13"),
        ({"columns": (0, 1, 2), "view": (1.0,)}, "two angles"),
    ],
)
def test_what_cannot_be_drawn_is_refused(options, message):
    with pytest.raises(InputError, match=message):
        gm.plots.scatter(WINE.data, **options)


def test_other_things_are_refused():
    with pytest.raises(InputTypeError, match="columns=3"):
        gm.plots.scatter(WINE.data, 3)
    with pytest.raises(InputError):
        gm.plots.scatter(pd.DataFrame({"a": ["x", "y"], "b": [1, 2]}))


@pytest.mark.filterwarnings("ignore::gramian.errors.RankWarning")
def test_an_axis_without_inertia_has_no_density():
    R = np.random.default_rng(0).normal(size=(40, 2))
    fit = gm.PCA(3).fit(np.column_stack([R, R @ [4.0, 2.0]]))  # a plane: rounding on axis 3
    last = gm.plots.pairs(fit, 3, backend="none").panels[-1]
    assert last.layers == () and last.y.limits[1] < 10.0


@pytest.mark.filterwarnings("ignore::gramian.errors.TiedAxesWarning")
def test_densities_of_narrow_groups_hold_their_share():
    circles = gm.datasets.circles()
    fit = gm.KernelPCA(2, kernel=gm.kernels.Gaussian(0.3)).fit(circles.data)
    record = gm.plots.pairs(fit, 2, color=circles.groups["circle"], backend="none")
    areas = [np.trapezoid(curve.y[:160], curve.x[:160]) for curve in record.panels[0].layers]
    sizes = circles.groups["circle"].value_counts(normalize=True, sort=False)
    np.testing.assert_allclose(areas, sizes, atol=0.02)
