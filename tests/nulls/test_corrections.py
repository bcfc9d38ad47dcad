import numpy as np
import pytest

from gramian import evidence
from gramian._nulls.corrections import bonferroni


def naive_holm(p):
    order = sorted(range(len(p)), key=p.__getitem__)
    out, worst = [0.0] * len(p), 0.0
    for step, k in enumerate(order):
        worst = max(worst, min(1.0, (len(p) - step) * p[k]))
        out[k] = worst
    return out


def naive_benjamini_hochberg(p):
    order = sorted(range(len(p)), key=p.__getitem__, reverse=True)
    out, least = [0.0] * len(p), 1.0
    for step, k in enumerate(order):
        least = min(least, len(p) * p[k] / (len(p) - step))
        out[k] = least
    return out


@pytest.mark.parametrize("m", [1, 2, 7, 40])
def test_the_definitions(m):
    p = np.random.default_rng(m).random(m) ** 3
    assert np.allclose(evidence.holm(p), naive_holm(list(p)))
    assert np.allclose(evidence.benjamini_hochberg(p), naive_benjamini_hochberg(list(p)))
    assert np.allclose(bonferroni(p, m), [min(1.0, m * each) for each in p])


@pytest.mark.parametrize("correct", [evidence.holm, evidence.benjamini_hochberg])
def test_what_was_not_tested_does_not_count(correct):
    p = np.array([0.01, np.nan, 0.03, np.nan])
    assert np.allclose(correct(p)[[0, 2]], correct([0.01, 0.03]))
    assert np.isnan(correct(p)[[1, 3]]).all()
    assert len(correct([])) == 0
