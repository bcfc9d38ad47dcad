"""Bars of what categories contribute to an axis, and their map."""

import pandas as pd
import pytest

import gramian as gm
from gramian.errors import InputError
from gramian.plots.record import Points


def test_categories_have_names_that_say_something():
    tea = ["green", "black", "black", "green", "green"]
    fit = gm.MCA().fit(pd.DataFrame({"milk": list("ynnnn"), "tea": tea}))
    bars = gm.plots.contributions(fit, of="categories", backend="none").numbers
    assert set(bars["labels"]) == {"milk=n", "milk=y", "black", "green"}
    assert bars["values"].sum() == pytest.approx(100)


def test_columns_of_counts_contribute_as_the_fit_says():
    counts = pd.DataFrame([[20, 5, 1], [6, 18, 6], [2, 7, 25]], columns=["a", "b", "c"])
    fit = gm.CA().fit(counts)
    bars = gm.plots.contributions(fit, 1, of="categories", backend="none").numbers
    expected = fit.variables()["contribution", 1]
    assert dict(zip(bars["labels"], bars["values"], strict=True)) == pytest.approx(
        (100 * expected).to_dict()
    )
    with pytest.raises(InputError, match="has none of its own"):
        gm.plots.contributions(gm.PCA(2).fit(counts), of="categories")


def test_categories_have_the_colour_of_their_question():
    X = pd.DataFrame({"milk": list("ynnny"), "tea": list("ggbbg"), "time": list("mmeae")})
    drawn = gm.plots.categories(gm.MCA(2).fit(X), backend="none")
    of = {layer.name: layer for layer in drawn.layers(Points)}
    assert {name: len(layer.at) for name, layer in of.items()} == {"milk": 2, "tea": 2, "time": 3}
    assert len({layer.color for layer in of.values()}) == 3
