"""Rules of the spectrum at the places where a small change would decide otherwise."""

import numpy as np
import pytest

import gramian as gm
from gramian._reading.spectrum_rules import broken_stick, kaiser, karlis, threshold


def test_the_level_of_karlis_counts_free_rows_and_columns():
    """1 + 2√(4/9) = 2.333 for 10 × 5; with 5/10 it would be 2.414."""
    values = np.array([2.37, 1.0, 0.8, 0.5, 0.33])
    found = karlis(values, 5.0, 5, 10)
    assert found == 1 and found.threshold == pytest.approx(7 / 3)
    assert karlis(np.array([2.32, 1.0, 0.8, 0.5, 0.38]), 5.0, 5, 10) == 0


def test_equal_axes_leave_kaiser_one():
    found = kaiser(np.ones(4), 4.0, 4)
    assert found == 1 and found.value == found.threshold == 1.0
    assert gm.dimension.kaiser([2.0, 2.0, 2.0]) == 1
    assert kaiser(np.array([1.5, 1.0001, 0.9, 0.5999]), 4.0, 4) == 2


def test_a_stick_is_compared_with_its_own_piece():
    """Pieces of a stick broken in three: 11/18, 5/18, 2/18."""
    pieces = np.array([11, 5, 2]) / 18
    assert broken_stick(pieces + np.array([0.01, 0.005, -0.015]), 1.0, 3) == 2
    assert broken_stick(pieces + np.array([0.01, -0.005, -0.005]), 1.0, 3) == 1


def test_a_share_that_is_met_exactly_is_met():
    assert threshold(np.array([5.0, 4.0, 1.0]), 10.0, 3, 0.9) == 2
    assert threshold(np.array([5.0, 3.9, 1.1]), 10.0, 3, 0.9) == 3
