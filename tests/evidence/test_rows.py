"""Rows that stand apart: level on normal tables, planted rows, long tails."""

import numpy as np
import pytest
from tests.evidence.designs import NOISE, factor, standard, surely_at_least, surely_at_most

import gramian as gm

rows = gm.evidence.rows


@pytest.mark.slow
@pytest.mark.parametrize("size", [(8, 3), (8, 20), (12, 6), (60, 8), (15, 200)])
def test_normal_tables_seldom_have_a_row_apart(size):
    rng = np.random.default_rng(0)
    tables = [(standard(NOISE["normal"](rng, *size)), q) for q in (0, 1, 2) * 8]
    tables += [(standard(factor(rng, *size)), 1) for _ in range(16)]
    hits = sum(bool(rows(X, q, rng=rng).rows) for X, q in tables)
    assert surely_at_most(hits, len(tables), 0.06)


@pytest.mark.slow
def test_a_large_normal_table():
    X = np.random.default_rng(1).standard_normal((3000, 6))
    assert rows(X, 2, rng=0).rows == ()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["t3", "Cauchy", "lognormal", "Poisson", "Bernoulli"])
def test_the_ends_of_long_tails_do_not_stand_apart(kind):
    rng = np.random.default_rng(2)
    found = [rows(standard(NOISE[kind](rng, 80, 6)), 0, rng=rng) for _ in range(12)]
    assert surely_at_most(sum(bool(record.rows) for record in found), 12, 0.07)
    if kind in ("Cauchy", "lognormal"):
        assert all(record.ends and record.tails for record in found)


@pytest.mark.slow
@pytest.mark.parametrize("q", [0, 1])
@pytest.mark.parametrize(("n", "p"), [(20, 6), (60, 8), (40, 60)])
def test_planted_rows_are_found(n, p, q):
    rng = np.random.default_rng(3)
    hits = 0
    for _ in range(10):
        X = factor(rng, n, p) if q else rng.standard_normal((n, p))
        X[5] += 7 * rng.choice([-1.0, 1.0], p)
        hits += 5 in rows(standard(X), q, rng=rng).rows
    assert surely_at_least(hits, 10, 0.95)


@pytest.mark.slow
def test_one_long_tail_does_not_silence_the_other_columns():
    rng = np.random.default_rng(7)
    found, false, ends = 0, 0, 0
    for _ in range(12):
        X = np.column_stack([rng.lognormal(0, 1.5, 60), rng.standard_normal((60, 7))])
        record = rows(standard(X), 0, rng=rng)
        false, ends = false + bool(record.rows), ends + bool(record.ends)
        X[5, 1:4] += 9 * rng.choice([-1.0, 1.0], 3)
        found += rows(standard(X), 0, rng=rng).rows == (5,)
    assert found >= 9 and surely_at_most(false, 12, 0.06)
    assert ends >= 6  # far by the long tail alone


def test_one_wild_cell_is_found_and_comes_first():
    X = np.random.default_rng(4).standard_normal((60, 6))
    X[9, 2] += 12
    evidence = rows(X, 0, rng=0)
    assert evidence.rows[0] == 9 and not evidence.tails
    assert evidence.p_values[9] == evidence.floor and evidence.across[9] > 1.5


def test_along_the_axes_the_law_is_exact():
    """With every column an axis the distances are Mahalanobis', d²/(n − 1) ~ Beta(p/2, …)."""
    from scipy import stats

    X = np.random.default_rng(5).standard_normal((30, 3))
    evidence = rows(X, 3, rng=0)
    C = X - X.mean(axis=0)
    d2 = np.einsum("ij,jk,ik->i", C, np.linalg.inv(np.cov(X.T)), C)
    exact = 30 * stats.beta.sf(d2 * 30 / 29**2, 1.5, 13)
    np.testing.assert_allclose(evidence.p_values, np.minimum(1, exact), rtol=1e-6)


def test_small_tables_and_refusals():
    assert rows(np.ones((5, 2)), 1, rng=0).rows == ()
    assert rows(np.eye(3), 2, rng=0).rows == ()
    with pytest.raises(gm.errors.InputError, match="q="):
        rows(np.eye(3), -1)
