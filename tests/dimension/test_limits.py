"""Levels of rules that read eigenvalues alone, where near formulas differ."""

import numpy as np
import pytest

from gramian._reading.spectrum_rules import kaiser, karlis


def test_the_level_of_karlis_counts_columns_and_rows_less_one():
    """1 + 2√(9/40) = 1.949; with 10/41 it would be 1.988."""
    values = np.array([3.0, 1.96, 1.0, 0.9, 0.8, 0.7, 0.6, 0.5, 0.3, 0.24])
    choice = karlis(values, 10.0, 10, 41)
    assert choice == 2 and choice.reference == pytest.approx(1 + 2 * np.sqrt(9 / 40))


def test_equal_axes_are_all_average_and_one_is_kept():
    assert kaiser(np.ones(4), 4.0, 4) == 1
    assert kaiser(np.array([1.0 + 1e-9, 1.0, 1.0, 1.0 - 1e-9]), 4.0, 4) == 1
