"""One level for all findings, against closed forms and simulated nulls."""

import numpy as np
import pytest

from gramian._nulls.corrections import ALPHA, family
from gramian.evidence import holm


def test_one_axis_and_two_kinds_are_corrected_as_holm_does():
    rng = np.random.default_rng(0)
    for p in rng.uniform(0, 0.06, (200, 3)):
        found = family(p[:1], {"groups": p[1], "curves": p[2]})
        mine = np.array([found.axes[0], found.others["groups"], found.others["curves"]])
        np.testing.assert_array_equal(mine < ALPHA, holm(p) < ALPHA)


def test_an_axis_hands_its_part_to_the_next():
    found = family([0.001, 0.012, 0.02], {"groups": 0.5, "curves": 0.5})
    assert found.axes == pytest.approx((0.003, 0.036, 0.06)) and found.n_axes == 2


def test_a_kind_that_is_found_hands_its_part_to_the_others():
    assert family([0.03], {"groups": 0.2}).n_axes == 0
    assert family([0.03], {"groups": 0.001}).n_axes == 1
    alone = family([0.04], {})
    assert alone.axes == (0.04,) and alone.n_axes == 1


def test_what_was_not_tested_takes_no_part():
    assert family([0.04], {"groups": np.nan}).n_axes == 1
    assert family([], {"curves": 0.03}).others == {"curves": 0.03}
    assert family([], {}).n_axes == 0


@pytest.mark.slow
def test_the_level_holds_under_every_null():
    """Uniform p-values, some of them true effects: false findings in one table of twenty."""
    rng = np.random.default_rng(1)
    for true_axes in (0, 1, 2):
        false = 0
        for _ in range(4000):
            p = rng.uniform(size=5)
            chain = np.maximum.accumulate(np.append(np.zeros(true_axes), p[:2]))
            found = family(chain, {"groups": p[2], "curves": p[3]})
            false += found.n_axes > true_axes or min(found.others.values()) < ALPHA
        assert false / 4000 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 4000)


def test_a_kind_at_the_level_itself_is_not_found_and_keeps_its_part():
    found = family([0.025], {"groups": 0.04})
    assert found.axes == (0.05,) and found.n_axes == 0 and found.others == {"groups": 0.08}


def test_nothing_is_surer_than_what_was_found_before_it():
    assert family([0.02, 0.001], {}).axes == (0.02, 0.02)
    found = family([0.01], {"groups": 0.02, "curves": 0.016})
    assert found.axes == pytest.approx((0.03,))
    assert found.others == pytest.approx({"curves": 0.032, "groups": 0.032})
