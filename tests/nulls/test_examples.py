"""Small examples of private functions, one each."""

import numpy as np

from gramian._nulls.corrections import bonferroni, family
from gramian._nulls.deflation import finite_size, noise_ratio
from gramian._nulls.draws import (
    Grams,
    Turns,
    flip_signs,
    normal_columns,
    permute_columns,
    row_orders,
)
from gramian._nulls.p_values import (
    count_axes,
    draw_until,
    p_value_of_count,
    p_values,
    permutation_p_value,
    two_looks,
)


def test_bonferroni():
    assert bonferroni(np.array([0.01, 0.4]), 3).tolist() == [0.03, 1.0]


def test_family():
    assert family([0.001, 0.02], {"groups": 0.04}).axes == (0.002, 0.04)


def test_noise_ratio():
    ratio = noise_ratio(np.eye(4) - 0.25, np.full((4, 1), 0.5))
    assert ratio.round(3).tolist() == [1.155] * 4


def test_finite_size():
    assert finite_size(100, 100, 0) == 1.0


def test_permute_columns():
    assert np.sort(permute_columns(np.array([[3.0, 1.0, 2.0]]), 0)).tolist() == [[1.0, 2.0, 3.0]]


def test_normal_columns():
    assert normal_columns(np.zeros((2, 5)), 0).shape == (2, 5)


def test_flip_signs():
    assert np.abs(flip_signs(np.array([[-1.0, 1.0]]), 0)).tolist() == [[1.0, 1.0]]


def test_row_orders():
    orders = row_orders(4, 9, np.random.default_rng(0), np.array([0, 1, 0, 1]))
    assert (orders % 2 == [0, 1, 0, 1]).all()


def test_turns():
    turns = Turns(np.array([[1.0, 2.0, 3.0]]))
    assert np.sort(turns(turns.columns, 0)).tolist() == [[1.0, 2.0, 3.0]]


def test_grams():
    turns = Turns(np.array([[1.0, 2.0, 4.0], [3.0, 0.0, 1.0]]))
    table = turns(turns.columns, 5)
    assert np.allclose(Grams(turns, [5])[0], np.tril(table @ table.T))


def test_p_value_of_count():
    assert p_value_of_count(1, 3) == 0.5


def test_p_values():
    assert p_values(np.array([0.5, 3.0]), [1.0, 2.0, 4.0]).tolist() == [1.0, 0.5]


def test_permutation_p_value():
    assert permutation_p_value(3.0, np.array([1.0, 2.0, 4.0]), "greater") == 0.5


def test_count_axes():
    assert count_axes(np.array([0.01, 0.02, 0.4, 0.01]), 0.05) == 2


def test_draw_until():
    assert draw_until(np.ones, [2, 5, 9], lambda drawn: drawn.sum() > 4).shape == (5,)


def test_two_looks():
    assert two_looks(399) == [99, 399] and two_looks(39) == [39]
