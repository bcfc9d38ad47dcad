"""The best of many kernels fits something in any target: the p-value knows it."""

import numpy as np
import pytest

import gramian as gm


def outcome(rng, kind, n):
    X = rng.standard_normal((n, 4))
    if kind == "numbers":
        return X, rng.standard_normal(n)
    if kind == "skewed":
        return rng.lognormal(size=(n, 4)), rng.lognormal(0.0, 1.5, n)
    share = 0.2 if kind == "rare" else 0.5
    return X, (rng.random(n) < share).astype(int)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["numbers", "skewed", "classes", "rare"])
def test_a_target_of_chance_is_not_predicted(kind):
    rng, claims = np.random.default_rng(0), 0
    for _ in range(25):
        X, y = outcome(rng, kind, 40)
        # Alignment decides: it costs less than logistic regressions, and the test is the same.
        choice = gm.kernels.select(X, y=y, criterion="alignment", random_state=rng)
        claims += choice.table["p_value"][choice.label] <= 0.05
        silent = not any("nothing to do" in note for note in choice.notes)
        assert silent == (choice.table["p_value"][choice.label] <= 0.05)
    assert claims <= 5  # of 25, at 5 %: a chance of 1 in 800


def test_a_score_of_chance_is_told_so():
    rng = np.random.default_rng(1)
    X = rng.standard_normal((40, 5))
    choice = gm.kernels.select(X, ["linear", "gaussian"], rng.standard_normal(40), random_state=0)
    assert choice.table["p_value"].min() > 0.05
    assert any("nothing to do with the rows" in note for note in choice.notes)


@pytest.mark.slow
def test_rings_are_predicted():
    rings = gm.datasets.rings()
    choice = gm.kernels.select(rings.data, ["linear", "gaussian"], rings.groups["ring"])
    assert choice.label == "gaussian" and choice.table["p_value"]["gaussian"] == 0.01
    assert not choice.notes
    assert choice.table["p_value"]["linear"] > 0.05


@pytest.mark.slow
def test_numbers_are_predicted():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((60, 3))
    y = X[:, 0] + 0.3 * rng.standard_normal(60)
    choice = gm.kernels.select(X, y=y, random_state=0)
    assert choice.table["p_value"].min() == 0.01 and not any("p =" in n for n in choice.notes)
