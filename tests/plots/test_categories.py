"""Maps of columns of counts and of categories."""

import numpy as np
import pandas as pd
import pytest

import gramian as gm
from gramian.errors import InputError
from gramian.plots.record import Points

COUNTS = pd.DataFrame([[20, 5, 1], [6, 18, 6], [2, 7, 25]], columns=["a", "b", "c"])


def points(figure):
    return [layer for layer in figure.layers() if isinstance(layer, Points)]


def test_columns_stand_where_the_fit_has_them():
    fit = gm.CA().fit(COUNTS)
    (layer,) = points(gm.plots.categories(fit, backend="none"))
    assert list(layer.labels) == ["a", "b", "c"]
    np.testing.assert_allclose(layer.at, fit.variables()["coordinate"][[1, 2]])


def test_categories_have_names_that_say_something():
    table = pd.DataFrame(
        {"milk": list("ynnnn"), "tea": ["green", "black", "black", "green", "green"]}
    )
    fit = gm.MCA().fit(table)
    (layer,) = points(gm.plots.categories(fit, backend="none"))
    assert set(layer.labels) == {"milk: n", "milk: y", "black", "green"}
    bars = gm.plots.contributions(fit, of="categories", backend="none").numbers
    assert bars["values"].sum() == pytest.approx(100)


def test_a_fit_without_categories_is_refused():
    fit = gm.PCA(2).fit(COUNTS)
    with pytest.raises(InputError, match="give a CA, MCA or FAMD"):
        gm.plots.categories(fit)
    with pytest.raises(InputError, match="has none of its own"):
        gm.plots.contributions(fit, of="categories")
