"""p-values against counts written out, and against exact levels."""

import numpy as np
import pytest
from scipy import stats

from gramian._nulls.p_values import (
    count_axes,
    joint_p_value,
    p_value_of_count,
    p_values,
    permutation_p_value,
    smallest_p_value,
)


def test_the_observed_value_counts_as_a_draw():
    assert p_value_of_count(0, 99) == smallest_p_value(99) == 0.01
    assert p_value_of_count(np.array([0, 4, 99]), 99).tolist() == [0.01, 0.05, 1.0]


def test_values_that_are_reached_are_counted():
    rng = np.random.default_rng(0)
    drawn, observed = rng.standard_normal(50), rng.standard_normal(7)
    truth = [(1 + sum(d >= x for d in drawn)) / 51 for x in observed]
    assert p_values(observed, drawn).tolist() == pytest.approx(truth)


@pytest.mark.parametrize("value", [3.0, -3.0])
def test_a_draw_that_is_the_data_but_for_rounding_is_counted(value):
    near = value * (1 + np.array([-1e-12, 1e-12]))
    assert p_values(value, near) == 1.0
    far = value - np.abs(value) * 1e-6
    assert p_values(value, [far, far]) == pytest.approx(1 / 3)


@pytest.mark.parametrize("alternative", ["greater", "less", "two-sided"])
def test_alternatives_are_those_of_scipy(alternative):
    """All permutations of six values between two groups of three."""
    x, y = np.array([1.0, 2.0, 9.0]), np.array([0.5, 3.0, 4.0])
    mean = lambda a, b: np.mean(a) - np.mean(b)  # noqa: E731
    test = stats.permutation_test((x, y), mean, alternative=alternative, n_resamples=np.inf)
    null = test.null_distribution  # holds the data themselves
    rest = np.delete(null, np.abs(null - test.statistic).argmin())
    mine = permutation_p_value(test.statistic, rest, alternative)
    assert mine == pytest.approx(test.pvalue)


@pytest.mark.slow
def test_the_best_of_several_statistics_is_exact():
    """Of exchangeable rows the joint p-value of the first is at most u with probability u."""
    rng = np.random.default_rng(1)
    p = [joint_p_value(rng.standard_normal((100, 3))) for _ in range(1000)]
    for level in (0.05, 0.1, 0.5):
        assert np.mean(np.array(p) <= level) <= level + 3 * np.sqrt(level * (1 - level) / 1000)
    assert np.mean(np.array(p) <= 0.1) > 0.04
    # The best by its first column: of the 20 rows only the best of the second is as good.
    data = np.vstack([[9.0, -9.0], np.column_stack([np.arange(19.0), np.arange(19.0)]) / 10])
    assert joint_p_value(data) == pytest.approx(2 / 20)
    assert joint_p_value(np.zeros((5, 2))) == 1.0


def test_axes_are_counted_up_to_the_first_failure():
    assert count_axes(np.array([0.01, 0.05, 0.2, 0.01]), 0.05) == 2
    assert count_axes(np.array([3 / 60]), 0.05) == 1  # equal to the level, whatever the rounding
    assert count_axes(np.array([]), 0.05) == 0
