import dataclasses

import numpy as np
import pandas as pd
import pytest

import gramian as gm
from gramian.datasets import Dataset

ROWS = ["a", "b"]
TABLE = pd.DataFrame({"x": [0.0, 1.0], "y": [2.0, 3.0]}, index=ROWS)
SQUARE = pd.DataFrame([[0.0, 2.0], [2.0, 0.0]], index=ROWS, columns=ROWS)


def test_groups_default_to_no_column_on_the_same_rows():
    toy = Dataset("toy", "Two points.", TABLE)
    assert toy.groups.shape == (2, 0)
    assert toy.groups.index.equals(TABLE.index)
    assert toy.target is toy.groups
    assert toy.truth == {}


def test_a_record_cannot_be_reassigned():
    with pytest.raises(dataclasses.FrozenInstanceError):
        Dataset("toy", "Two points.", TABLE).name = "other"


def test_distances_exist_only_for_distances():
    assert Dataset("far", "Two places.", SQUARE, kind="distances").distances is SQUARE
    assert not hasattr(Dataset("toy", "Two points.", TABLE), "distances")


def test_parts_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="same row labels"):
        Dataset("toy", "Two points.", TABLE, pd.DataFrame({"g": [1, 2]}))
    with pytest.raises(ValueError, match="rows and columns"):
        Dataset("far", "Two places.", TABLE, kind="distances")


def test_repr_tells_sizes_groups_and_truth():
    groups = pd.DataFrame(
        {"g": pd.Categorical(["u", "v"]), "weight": [1.5, 2.5]},
        index=ROWS,
    )
    text = repr(Dataset("toy", "Two points.", TABLE, groups, {"radius": 1.0}))
    assert "2 rows × 2 columns" in text
    assert "g (u: 1, v: 1); weight (1.5 to 2.5)" in text
    assert "radius" in text
    assert "Two points." in text


def test_repr_shortens_long_lists():
    wide = pd.DataFrame(0.0, index=ROWS, columns=[f"x{j}" for j in range(30)])
    assert "x5, … (30)" in repr(Dataset("wide", "Wide.", wide))


@pytest.mark.slow
@pytest.mark.parametrize("name", gm.datasets.names())
def test_the_code_of_a_data_set_makes_it_again(name):
    d = gm.datasets.load(name)
    assert d.code == f"gm.datasets.{name}()"
    again = eval(d.code, {"gm": gm})
    pd.testing.assert_frame_equal(again.data, d.data)


def test_the_code_holds_the_options_that_were_given():
    d = gm.datasets.rings(60, noise=0.2, random_state=3)
    assert d.code == "gm.datasets.rings(n=60, noise=0.2, random_state=3)"
    pd.testing.assert_frame_equal(eval(d.code, {"gm": gm}).data, d.data)
    assert gm.datasets.rings(random_state=np.random.default_rng(0)).code == ""
