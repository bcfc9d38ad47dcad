"""The number of axes: planted ones are found, units do not matter."""

import numpy as np
import pytest
from tests.missing.test_impute import AIR, planted

import gramian as gm


@pytest.mark.slow
@pytest.mark.parametrize("criterion", ["cv", "kfold", "loo", "gcv"])
@pytest.mark.parametrize("q", [0, 1, 2])
def test_planted_axes_are_found(criterion, q):
    _, lost = planted(1, 30, 6, q, 0.4)
    choice = gm.missing.choose(lost, criterion=criterion, max_components=3)
    assert choice.n_components == q and choice.method == criterion
    assert choice.criterion.index[0] == 0 and len(choice.criterion) > q


@pytest.mark.slow
def test_kfold_repeats():
    one, two = (gm.missing.choose(AIR, random_state=3).criterion for _ in range(2))
    np.testing.assert_array_equal(one, two)


@pytest.mark.slow
def test_errors_are_in_deviations():
    factors = [1e4, 1.0, 1e-3, 1.0]
    ours, theirs = (gm.missing.choose(X, criterion="gcv").criterion for X in (AIR, AIR * factors))
    np.testing.assert_allclose(ours, theirs, rtol=1e-6)
    assert ours[0] == pytest.approx(1.0)


def test_q_0_hidden_cells_are_told_by_the_means_of_the_others():
    X, _ = planted(2, 12, 3)
    errors = gm.missing.choose(X, criterion="loo", max_components=1, standardized=False).criterion
    n = len(X)
    np.testing.assert_allclose(errors[0], np.mean(((X - X.mean(0)) * n / (n - 1)) ** 2))


def test_small_tables_are_refused():
    with pytest.raises(gm.errors.InputError, match="3 rows and 2 columns"):
        gm.missing.choose(AIR[["ozone"]].dropna())
