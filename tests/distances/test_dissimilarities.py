"""Square tables, vectors of pairs and corrections, on numbers small enough to read."""

import numpy as np

from gramian.distances.corrections import goodness_of_fit, lingoes
from gramian.distances.square import number_of_points, to_condensed, to_square


def test_a_vector_of_pairs_is_a_square_table_and_back():
    pairs = np.array([3.0, 4.0, 5.0])
    square = to_square(pairs, "X")
    assert square.tolist() == [[0.0, 3.0, 4.0], [3.0, 0.0, 5.0], [4.0, 5.0, 0.0]]
    assert to_condensed(square).tolist() == pairs.tolist()


def test_the_number_of_points_of_so_many_pairs():
    assert [number_of_points(k) for k in (1, 3, 10, 11, 0)] == [2, 3, 5, 0, 0]


def test_two_points_need_no_constant():
    assert lingoes(np.array([[0.0, 1.0], [1.0, 0.0]])) == 0.0


def test_both_shares_where_some_inertia_is_negative():
    fit = goodness_of_fit(np.array([3.0]), 3.5, 0.5, known=True)
    assert (fit.signed, fit.positive) == (3.0 / 4.5, 3.0 / 4.0)
