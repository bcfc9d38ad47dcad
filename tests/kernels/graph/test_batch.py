"""Runs of numbers and of costs."""

import numpy as np

from gramian.kernels.graph._batch import cut
from gramian.kernels.objects import ranges


def test_ranges_stand_one_after_the_other():
    assert ranges(np.array([5, 1]), np.array([2, 3])).tolist() == [5, 6, 1, 2, 3]


def test_a_run_costs_no_more_than_allowed_or_is_one_item():
    cost = np.array([1, 2, 9, 1, 1, 1])
    assert list(cut(cost, 3)) == [(0, 2), (2, 3), (3, 6)]
    assert list(cut(np.array([]), 3)) == []
