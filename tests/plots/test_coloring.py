import numpy as np
import pandas as pd
import polars as pl
import pytest

from gramian.errors import InputError
from gramian.plots.backends import palette_of
from gramian.plots.coloring import coloring
from gramian.plots.style import FAINT, PALETTE, looking

ROWS = pd.Index(list("abcdef"))


def test_no_column_is_one_group_without_a_name():
    found = coloring(None, ROWS)
    assert [group.name for group in found.groups] == [""] and found.groups[0].rows.all()


def test_categories_keep_their_order_and_look():
    column = pd.Series(pd.Categorical(list("yxyxzz"), ["z", "y", "x", "w"]), ROWS, name="kind")
    found = coloring(column, ROWS)
    assert found.title == "kind" and found.scale is None
    assert [group.name for group in found.groups] == ["z", "y", "x"]
    assert [group.color for group in found.groups] == list(PALETTE[:3])
    assert np.array_equal(found.groups[1].rows, column == "y")
    assert sum(group.rows.sum() for group in found.groups) == 6


def test_numbers_give_a_scale():
    found = coloring(pd.Series([0.5, 2.5, 1.0, 7.5, 3.0, 4.0], ROWS, name="size"), ROWS)
    assert (found.scale.low, found.scale.high, found.scale.title) == (0.5, 7.5, "size")
    assert len(found.groups) == 1 and found.groups[0].rows.all()


def test_few_whole_numbers_are_groups():
    assert [g.name for g in coloring(np.array([0, 2, 1, 0, 2, 2]), ROWS).groups] == ["0", "1", "2"]
    many = pd.RangeIndex(30)
    assert coloring(np.arange(30), many).scale is not None


def test_missing_values_are_faint_and_named():
    text = coloring(pd.Series(["a", None, "b", "a", None, "b"], ROWS), ROWS)
    assert text.groups[-1].name == "missing" and text.groups[-1].color == FAINT
    assert text.groups[-1].rows.sum() == 2
    numbers = coloring(pd.Series([0.5, np.nan, 1.2, 3.3, 4.1, 2.2], ROWS), ROWS)
    assert [g.name for g in numbers.groups] == ["missing", ""] and numbers.scale.low == 0.5


def test_constant_numbers_have_a_scale_of_some_width():
    scale = coloring(np.full(6, 2.5), ROWS).scale
    assert scale.low < 2.5 < scale.high


def test_small_groups_beyond_what_can_be_told_apart_become_other():
    codes = np.repeat(np.arange(120), np.arange(1, 121))
    found = coloring([f"g{k:03d}" for k in codes], pd.RangeIndex(codes.size))
    assert len(found.groups) == 100 and found.groups[-1].name == "21 other groups"
    assert found.groups[0].name == "g021"  # the larger ones are kept
    looks = {(group.color, group.marker, group.filled) for group in found.groups[:-1]}
    assert len(looks) == 99


@pytest.mark.parametrize("count", [2, 8, 10, 30, 100])
@pytest.mark.parametrize("palette", [None, ["#000000", "#ff0000", "#00ff00", "#0000ff"]])
def test_no_two_groups_look_the_same(count, palette):
    names = [f"g{k:02d}" for k in range(count)]
    with looking(palette=palette_of(palette)):
        groups = coloring(names, pd.RangeIndex(count)).groups
    looks = [(group.color, group.marker, group.filled) for group in groups if group.color != FAINT]
    assert len(set(looks)) == len(looks) >= min(count, 39)


TEN = np.arange(10)
TEN_ROWS = pd.RangeIndex(10)


@pytest.mark.parametrize(
    "column",
    [
        pd.Categorical(TEN),
        pd.Categorical(TEN + 0.5),
        pd.CategoricalIndex(TEN),
        pd.Series(TEN, dtype="category"),
        pl.Series([str(k) for k in TEN], dtype=pl.Categorical),
        pd.array([str(k) for k in TEN], dtype="string"),
    ],
    ids=["codes", "halves", "index", "series", "polars", "strings"],
)
def test_categories_are_groups_in_every_container(column):
    found = coloring(column, TEN_ROWS)
    assert found.scale is None and len(found.groups) == 10 and found.is_crowded


def test_what_numbers_are_can_be_said():
    assert len(coloring(TEN, TEN_ROWS, "groups").groups) == 10
    assert coloring([0, 1] * 5, TEN_ROWS, "values").scale.high == 1.0
    assert coloring(pd.Categorical(TEN), TEN_ROWS, "values").numbers.tolist() == TEN.tolist()
    with pytest.raises(InputError, match="color holds 'a', which is not a number"):
        coloring(list("abcdefghij"), TEN_ROWS, "values")
    with pytest.raises(InputError, match="color_as"):
        coloring(TEN, TEN_ROWS, "colours")


def test_rounding_is_no_scale():
    scale = coloring(1.0 + 1e-15 * np.arange(10), TEN_ROWS).scale
    assert scale.high - scale.low == pytest.approx(1.0)


def test_rows_go_together_by_label():
    column = pd.Series([10.5, 20.5, 30.5, 40.5, 50.5, 60.5], list("fedcba"))
    assert coloring(column, ROWS).numbers.tolist() == [60.5, 50.5, 40.5, 30.5, 20.5, 10.5]


def test_other_libraries_and_plain_lists():
    assert [g.name for g in coloring(pl.Series("p", list("xyxyxy")), ROWS).groups] == ["x", "y"]
    assert coloring(pl.Series("p", list("xyxyxy")), ROWS).title == "p"
    assert [g.name for g in coloring([True, False] * 3, ROWS).groups] == ["False", "True"]


@pytest.mark.parametrize(
    ("column", "words"),
    [
        ([1.0, 2.0], "color has 2 rows"),
        ("temperature", "color='temperature' must be a column"),
        (pd.Series(range(6), list("uvwxyz")), "other row labels"),
        (pd.DataFrame(np.ones((6, 2))), "color has 2 columns"),
        (np.full(6, np.nan), "no value"),
    ],
)
def test_refusals(column, words):
    with pytest.raises(InputError, match=words) as caught:
        coloring(column, ROWS)
    assert len(str(caught.value)) <= 400
