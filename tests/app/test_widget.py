"""The widget in Python: the selection is read and set, shared, and drawn without a browser."""

import base64

import numpy as np
import pytest

import gramian as gm
from gramian.errors import InputError

IRIS = gm.datasets.iris()
FIT = gm.PCA(3, scale=True).fit(IRIS.data)


@pytest.mark.slow
def test_selected_rows_are_read_and_set():
    made = gm.widget(FIT)
    assert made.selected.size == 0
    made.selected = np.array([7, 3, 3])
    assert made.selected.tolist() == [3, 7]
    assert made.labels == ["flower_004", "flower_008"]
    made.rows = [1, 0]  # as the page sends it
    assert made.selected.tolist() == [0, 1]
    made.selected = np.arange(150) > 147
    assert made.selected.tolist() == [148, 149]
    made.selected = None
    assert made.selected.size == 0


@pytest.mark.parametrize("rows", [[150], [-1], [1.5], ["a"], [[1]], np.ones(3, dtype=bool)])
def test_rows_that_are_none_are_refused(rows):
    made = gm.widget(FIT)
    with pytest.raises(InputError, match="selected"):
        made.selected = rows


@pytest.mark.slow
def test_two_maps_share_a_selection():
    first = gm.widget(FIT)
    second = gm.widget(gm.KernelPCA(2).fit(IRIS.data), link=first)
    first.selected = [5]
    assert second.selected.tolist() == [5]
    second.selected = [8, 9]
    assert first.selected.tolist() == [8, 9]
    with pytest.raises(InputError, match="link"):
        gm.widget(gm.PCA(2).fit(IRIS.data.iloc[:90]), link=first)


def test_columns_to_colour_by():
    made = gm.widget(FIT, table=IRIS.groups, color="species")
    keys = {c["name"]: c["key"] for c in made.header["columns"]}
    assert made.options["colour"] == keys["species"]
    with pytest.raises(InputError, match="color"):
        gm.widget(FIT, color="nothing")
    with pytest.raises(InputError, match="axes"):
        gm.widget(FIT, axes=(1, 9))
    with pytest.raises(InputError, match="language"):
        gm.widget(FIT, language="de")


@pytest.mark.slow
def test_an_exported_notebook_shows_a_picture():
    data, _ = gm.widget(FIT)._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert base64.b64decode(data["image/png"]).startswith(b"\x89PNG")


def test_the_coordinates_are_those_of_the_fit():
    made = gm.widget(FIT)
    axis = made.header["coordinates"]
    codes = np.frombuffer(made.buffers[axis["data"]["buffer"]], "<u2").reshape(3, 150)
    low, high = np.array(axis["low"])[:, None], np.array(axis["high"])[:, None]
    assert np.allclose(low + codes / 65_535 * (high - low), FIT.coordinates_.T, atol=2e-4)
