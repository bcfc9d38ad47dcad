"""Rows that are far out: seen where a few decide what resamples show, and hardly elsewhere."""

import numpy as np
import pytest
from tests.evidence.designs import NOISE, surely_at_least, surely_at_most

from gramian.evidence.shapes import calm, far_p_value


def elliptic(rng, n, p, degrees):
    return rng.standard_normal((n, p)) / np.sqrt(rng.chisquare(degrees, (n, 1)) / degrees)


@pytest.mark.parametrize(("n", "p"), [(12, 6), (60, 5), (30, 40), (100, 8)])
def test_normal_rows_are_calm_in_four_tables_of_five(n, p):
    rng = np.random.default_rng(1)
    hits = sum(far_p_value(rng.standard_normal((n, p)), rng) <= 0.2 for _ in range(60))
    assert surely_at_most(hits, 60, 0.2)


def test_rows_and_columns_with_long_tails_are_not():
    rng = np.random.default_rng(2)
    rows = [elliptic(rng, 60, 5, 3) for _ in range(60)]
    assert surely_at_least(sum(not calm(X, rng) for X in rows), 60, 0.995)
    columns = [NOISE["lognormal"](rng, 60, 5) for _ in range(20)]
    assert surely_at_least(sum(not calm(X, rng) for X in columns), 20, 0.995)


def test_one_wild_row_is_enough():
    rng = np.random.default_rng(3)
    X = rng.standard_normal((60, 5))
    X[7] *= 6.0
    assert not calm(X, rng)
    assert calm(rng.random((60, 5)), rng) and calm(np.ones((9, 2)) * np.arange(9)[:, None], rng)
