"""What is not known of a table with holes, on its map."""

import numpy as np
import pandas as pd
import pytest
from tests.contracts.plot import PlotContract

import gramian as gm
from gramian.errors import InputError, InputTypeError
from gramian.plots.record import Arrows, Curve, Points

AIR = gm.datasets.airquality().data


@pytest.fixture(scope="module")
def many():
    return gm.missing.multiple(AIR, 2, n_tables=20, random_state=0)


class TestImputations(PlotContract):
    @pytest.fixture
    def plot(self, many):
        return lambda backend: gm.plots.imputations(many, title="Air", backend=backend)


def test_a_region_for_each_row_with_holes_and_arrows_for_variables(many):
    figure = gm.plots.imputations(many, backend="none")
    people, columns = figure.panels
    outlines = [layer for layer in people.layers if isinstance(layer, Curve)]
    assert len(outlines) == AIR.isna().any(axis=1).sum() == 42
    (arrows,) = [layer for layer in columns.layers if isinstance(layer, Arrows)]
    np.testing.assert_allclose(arrows.at, many.fit.variables()["correlation"][[1, 2]])
    (cloud,) = [layer for layer in columns.layers if isinstance(layer, Points)]
    assert len(cloud.at) == 20 * 4
    assert {layer.name for layer in people.layers if layer.name} == {
        "complete",
        "with missing values",
    }
    names = [text for layer in people.layers for text in getattr(layer, "texts", ())]
    assert "May 5" in names  # two of its four values are missing


def test_the_map_of_individuals_takes_the_regions(many):
    figure = gm.plots.individuals(many.fit, ellipses=many, backend="none")
    pd.testing.assert_frame_equal(figure.numbers["ellipses"], many.ellipses())


def test_answers_have_no_arrows():
    rng = np.random.default_rng(0)
    answers = pd.DataFrame(rng.integers(3, size=(40, 4)).astype(str), columns=list("abcd"))
    answers.iloc[3, 2] = None
    figure = gm.plots.imputations(gm.missing.multiple(answers, 2, n_tables=5), backend="none")
    assert len(figure.panels) == 1


def test_refusals(many):
    with pytest.raises(InputTypeError, match=r"the result of gm\.missing\.multiple"):
        gm.plots.imputations(many.fit)
    with pytest.raises(InputError, match="level"):
        gm.plots.imputations(many, level=2)
    with pytest.raises(InputError, match="axes"):
        gm.plots.imputations(many, (1, 3))
