"""When draws end: looks, clear cases, and decisions that more draws would not change."""

import numpy as np
import pytest
from scipy import stats

from gramian._nulls.p_values import (
    HOPELESS,
    doubling_looks,
    draw_until,
    is_clear,
    is_count_of_axes_decided,
    two_looks,
)


def test_draws_end_at_the_first_look_that_settles():
    sizes = []

    def draw(count):
        sizes.append(count)
        return np.zeros(count)

    assert len(draw_until(draw, [10, 30, 90], lambda drawn: len(drawn) >= 30)) == 30
    assert sizes == [10, 20]
    assert len(draw_until(draw, [10, 30, 90], lambda drawn: False)) == 90


def test_looks():
    assert doubling_looks() == [100, 200, 400, 800, 1600, 1999]
    assert two_looks(399) == [99, 399] and two_looks(59) == [59] and two_looks(60, 20) == [20, 60]


def test_a_clear_case_is_far_above_its_draws_or_deep_among_them():
    drawn = np.random.default_rng(0).standard_normal(99) + 10
    top, p = drawn.max(), 0.01
    assert is_clear(drawn.mean() + 6.5 * drawn.std(), drawn, p)
    assert not is_clear(max(top, drawn.mean() + 4 * drawn.std()), drawn, p)
    wild = np.append(drawn, 100.0)  # one draw beyond: deviations are no measure
    assert not is_clear(100.5, wild, p)
    assert is_clear(drawn.mean(), drawn, HOPELESS + 0.01)
    assert not is_clear(drawn.mean(), drawn, HOPELESS - 0.01)


@pytest.mark.parametrize(("reached", "decided"), [(0, False), (5, False), (20, True), (60, True)])
def test_a_hundred_draws_decide_what_is_far_from_the_level(reached, decided):
    """0 of 100 has probability 0.006 at 5 %: more than the risk of one look."""
    assert is_count_of_axes_decided(np.array([reached]), 100, 0.05) is decided


def test_the_axes_behind_a_clear_failure_do_not_matter():
    assert is_count_of_axes_decided(np.array([0, 60, 10]), 200, 0.05)
    assert not is_count_of_axes_decided(np.array([10, 60, 0]), 200, 0.05)


def bounds(B, alpha):
    """The most exceedances in B draws that end them as significant, and the fewest as idle."""

    def ends(b):
        return is_count_of_axes_decided(np.array([b]), B, alpha)

    middle = int(alpha * B)
    assert not ends(middle)
    few = next((b for b in range(middle, -1, -1) if ends(b)), -1)
    return few, next((b for b in range(middle, B + 1) if ends(b)), B + 1)


@pytest.mark.slow
@pytest.mark.parametrize("alpha", [0.05, 0.2])
def test_the_risk_of_an_early_end_is_what_is_promised(alpha):
    """Exactly, for an axis whose p-value is the level itself: there either end is a mistake."""
    open_ended, before = np.ones(1), 0  # chance of each number of exceedances, draws going on
    risk = np.zeros(2)
    for B in doubling_looks()[:-1]:  # the last look is no early one
        step = stats.binom.pmf(np.arange(B - before + 1), B - before, alpha)
        open_ended, before = np.convolve(open_ended, step), B
        few, many = bounds(B, alpha)
        risk += open_ended[: few + 1].sum(), open_ended[many:].sum()
        open_ended[: few + 1] = open_ended[many:] = 0.0
    assert (risk <= 1e-3).all()
    assert (risk >= 1e-4).all()  # nor is it so small that draws go on for nothing
