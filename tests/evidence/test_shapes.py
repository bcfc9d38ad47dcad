"""Rows that are far out: seen where a few decide what resamples show, and hardly elsewhere."""

import numpy as np
import pytest
from tests.evidence.designs import NOISE, surely_at_least, surely_at_most

from gramian.evidence import assumptions
from gramian.evidence.shapes import calm, far_p_value, near_rows


def elliptic(rng, n, p, degrees):
    return rng.standard_normal((n, p)) / np.sqrt(rng.chisquare(degrees, (n, 1)) / degrees)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "p"), [(12, 6), (60, 5), (30, 40), (100, 8)])
def test_normal_rows_are_calm_in_four_tables_of_five(n, p):
    rng = np.random.default_rng(1)
    hits = sum(far_p_value(rng.standard_normal((n, p)), rng) <= 0.2 for _ in range(60))
    assert surely_at_most(hits, 60, 0.2)


@pytest.mark.slow
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


def repeated(seed, n, p, times, noise):
    """Rows measured several times, in any order, and which of them belong together."""
    rng = np.random.default_rng(seed)
    who = rng.permutation(np.repeat(np.arange(n), times))
    return rng.standard_normal((n, p))[who] + noise * rng.standard_normal((len(who), p)), who


@pytest.mark.slow
@pytest.mark.parametrize(("n", "p", "times"), [(30, 8, 2), (20, 40, 3), (15, 6, 4)])
def test_rows_measured_several_times_are_near_copies(n, p, times):
    X, who = repeated(0, n, p, times, 0.1)
    found = near_rows(X)
    assert found is not None and found.near
    # No group has rows of two, and nearly all of one are together.
    assert len(set(zip(found.labels, who, strict=True))) == found.n_groups <= 1.3 * n
    state = assumptions(X, rng=0)
    assert state.scheme == "copies" and state.copies.n_groups == found.n_groups


@pytest.mark.parametrize("law", list(NOISE))
def test_noise_has_no_near_copies(law):
    rng = np.random.default_rng(2)
    assert sum(near_rows(NOISE[law](rng, 60, 6)) is not None for _ in range(10)) == 0


def test_clusters_of_ten_and_walks_are_no_near_copies():
    rng = np.random.default_rng(3)
    centres = 8.0 * rng.standard_normal((6, 5))
    assert near_rows(np.repeat(centres, 10, axis=0) + rng.standard_normal((60, 5))) is None
    assert near_rows(rng.standard_normal((60, 5)).cumsum(axis=0)) is None
    assert near_rows(np.ones((20, 3))) is None and near_rows(rng.random((7, 3))) is None
