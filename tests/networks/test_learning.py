"""Learning curves: they find curves of every family again, and say what they do not know."""

import numpy as np
import pytest

from gramian.networks.learning import FAMILIES, curves


def curve_of(family, sizes, rho, b, c):
    x = np.log(sizes - 1.0) - np.log(rho - 1.0)
    s = family.back(family.scale(np.array(0.8)) + b * x + c * x**2)
    return np.minimum.accumulate(s[::-1])[::-1]  # level before the parabola turns


@pytest.mark.slow
@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("rho", [6, 10, 18])
def test_a_curve_of_each_family_is_found_again(name, rho):
    family, sizes = FAMILIES[name], np.arange(3, 13)
    away = np.log((rho - 1) / 10)
    b, c = (m + t * away for m, t in zip(family.mean, family.trend, strict=True))
    s = curve_of(family, sizes, rho, b, c)
    found = curves(sizes, s, np.full(10, 0.02), 48)
    low, middle, high = found.least(0.8, (0.025, 0.5, 0.975))
    assert low <= rho <= high
    assert abs(middle - rho) <= max(1, 0.15 * rho)
    assert np.abs(found.at(sizes, (0.5,))[0] - s).max() < 0.03


@pytest.mark.slow
def test_more_error_more_doubt():
    sizes, s = np.array([3, 5, 8, 12]), np.array([0.05, 0.25, 0.5, 0.7])
    spans = []
    for se in (0.01, 0.04, 0.16):
        low, high = curves(sizes, s, np.full(4, se), 48).least(0.8, (0.025, 0.975))
        spans.append(high / low)
    assert spans[0] < spans[1] < spans[2]


def test_three_sizes_bound_the_number():
    seen = curves(np.array([3, 5, 8]), np.array([0.2, 0.5, 0.75]), np.full(3, 0.02), 40)
    assert seen.least(0.8, (0.025, 0.5, 0.975)).tolist() == [9, 10, 12]


def test_far_below_the_target_there_is_no_end():
    found = curves(np.array([3]), np.array([0.04]), np.array([0.04]), 12)
    assert found.least(0.8, (0.975,))[0] == np.inf


@pytest.mark.slow
def test_curves_never_fall_and_weights_are_shares():
    found = curves(np.array([3, 6]), np.array([0.2, 0.4]), np.array([0.05, 0.05]), 24)
    assert (np.diff(found.values, axis=1) >= 0).all()
    assert found.weights.sum() == pytest.approx(1) and found.values.shape[1] == 23
    assert sum(found.families.values()) == pytest.approx(1)


def test_another_target_is_read_off_the_same_curves():
    found = curves(np.arange(3, 13), np.linspace(0.1, 0.8, 10), np.full(10, 0.02), 48)
    half, most = found.least(0.5, (0.5,))[0], found.least(0.9, (0.5,))[0]
    assert half < 12 < most
