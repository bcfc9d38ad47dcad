"""Kernels about another origin: the numbers they are made of, by hand."""

import numpy as np

from gramian._core.pairs import Pairs, Points
from gramian.kernels import Linear, Polynomial
from gramian.kernels.composite import Parts
from gramian.kernels.pullback import Rooted, Shifted, change_origin, subtract_offset


def test_a_shift_far_away_loses_nothing():
    kernel = Shifted(Linear(), np.array([1e8]))
    assert kernel([[1e8 + 1.0]], [[1e8 + 3.0]])[0, 0] == 3.0


def test_a_rooted_kernel_is_the_inner_product_of_differences():
    kernel = Rooted(Polynomial(2), np.array([1.0]))
    assert kernel([[2.0]], [[3.0]])[0, 0] == (1 + 6) ** 2 - (1 + 2) ** 2 - (1 + 3) ** 2 + 2**2


def test_points_near_the_origin_keep_their_kernel():
    points = Points(np.array([[7.0], [8.0], [19.0]]))
    assert change_origin(Polynomial(2), points) == Polynomial(2)


def test_the_offset_that_is_taken_off_is_the_middle():
    shifted = subtract_offset(Linear(), Points(np.array([[7.0], [8.0], [9.0]])))
    assert shifted.centre.tolist() == [8.0]


def test_a_power_has_the_distances_of_its_own_feature_space():
    """(x² − y²)² of two points 2⁻³⁰ apart, which the values themselves have lost."""
    one = Parts.of(Linear(), Pairs(Points(np.array([[1.0], [1.0 + 2.0**-30]]))))
    assert float((one**2).D[0, 1].round(24)) == 3.469447e-18
