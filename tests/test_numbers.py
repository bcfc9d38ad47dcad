"""Cells of tables that are no frames."""

from decimal import Decimal

import numpy as np
import pytest

from gramian._core.numbers import cells, groups_of_rows
from gramian.errors import InputError, InputTypeError


def test_masked_cells_are_gaps():
    masked = np.ma.array([[1, 2], [3, 4]], mask=[[0, 1], [0, 0]])
    assert np.isnan(cells(masked, "X")[0, 1])
    assert np.isnan(cells(list(masked), "X").astype(float)[0, 1])


@pytest.mark.parametrize("cell", [[1], {1: 2}, 10**400, np.array([1.0])], ids=repr)
def test_what_is_neither_a_number_nor_a_label_is_refused(cell):
    table = np.empty((2, 1), dtype=object)
    table[0, 0], table[1, 0] = 1.0, cell
    with pytest.raises((InputError, InputTypeError), match="X has"):
        cells(table, "X")


@pytest.mark.parametrize("span", [np.timedelta64(3, "D"), np.datetime64("2020-01-01")], ids=repr)
def test_times_are_labels(span):
    assert cells(np.array([[span], ["a"]], dtype=object), "X").shape == (2, 1)


def test_groups_are_one_label_a_row():
    assert groups_of_rows((1, 2, 1), 3, "groups").tolist() == [1, 2, 1]
    for wrong in ("abc", {1, 2}, [1, 2], [1, None, 2], [1, np.inf, 2]):
        with pytest.raises((InputError, InputTypeError), match="groups"):
            groups_of_rows(wrong, 3, "groups")
    assert groups_of_rows([Decimal(1), Decimal(2)], 2, "groups").size == 2
