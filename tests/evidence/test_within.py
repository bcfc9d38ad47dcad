"""Spread and correlations of groups, moderated variances, and numbers against columns."""

import numpy as np
import pytest
from scipy import special, stats

import gramian as gm
from gramian.evidence import groups, numbers
from gramian.evidence.groups import _smallest_p_value, moderated_p_values, prior
from gramian.evidence.within import _scores, correlations, spread, unequal_columns


def normal(seed, sizes, p):
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.repeat(np.arange(len(sizes)), sizes))
    return rng, rng.standard_normal((len(y), p)), y


def test_groups_that_are_wider_are_so_by_spread_alone():
    rng, X, y = normal(0, (30, 30), 8)
    X[y == 1] *= 2.0
    record = groups(X, None, y, rng=rng)
    assert record.p_value > 0.05 and record.correlation.p_value > 0.05
    assert record.spread.p_value == record.spread.floor
    assert record.spread.values.idxmax() == 1 and 1.6 < record.spread.effect < 2.4


@pytest.mark.slow
def test_the_distances_are_those_of_betadisper():
    _, X, y = normal(1, (12, 20), 3)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    ours = spread(X, y, ["a", "b"], lambda n, count: np.tile(np.arange(n), (count, 1))).values
    theirs = gm.ecology.dispersion(X, y, bias_adjust=True, n_permutations=1).groups["mean"]
    np.testing.assert_allclose(ours, theirs, rtol=1e-4)


@pytest.mark.slow
def test_a_pair_of_columns_that_turns_its_sign_is_named():
    rng, X, y = normal(2, (30, 30), 6)
    X[:, 4] = np.where(y == 1, 0.8, -0.8) * X[:, 2] + 0.6 * X[:, 4]
    found = groups(X, None, y, rng=rng).correlation
    assert found.p_value == found.floor and found.pair == (2, 4) and found.effect > 1.0
    assert found.values.idxmax() == 1
    # The scores have the ranks of their group.
    for k in (0, 1):
        own, scores = X[y == k], _scores(X, y)[y == k]
        assert (stats.rankdata(own, axis=0) == stats.rankdata(scores, axis=0)).all()


def test_neither_means_nor_scales_are_a_difference_of_correlations():
    _, X, y = normal(3, (15, 25), 5)
    X[:, 1] += X[:, 0]
    before = groups(X, None, y, rng=0).correlation
    after = groups(np.where((y == 1)[:, None], 7.0 * X + 20.0, X), None, y, rng=0).correlation
    assert before.p_value == after.p_value and before.pair == after.pair


@pytest.mark.slow
def test_small_groups_and_single_columns_have_no_spread_or_correlation():
    rng, X, y = normal(4, (2, 12), 3)
    record = groups(X, None, y, rng=rng)
    assert record.spread is None and record.correlation is None
    assert groups(X[:, :1], None, np.arange(14) % 2, rng=rng).correlation is None
    assert groups(X, None, np.arange(14) % 2, rng=rng, within=False).spread is None


def test_equal_spreads_are_tested_as_by_levene():
    _, X, y = normal(5, (9, 14, 7), 4)
    truth = [stats.levene(*(X[y == k, j] for k in range(3)), center="median") for j in range(4)]
    np.testing.assert_allclose(unequal_columns(X, y), [each.pvalue for each in truth])


@pytest.mark.parametrize(
    ("sizes", "p"), [((3, 3), 0.1), ((4, 4), 2 / 70), ((3, 5), 1 / 56), ((2, 2, 2), 6 / 90)]
)
def test_the_smallest_p_value_counts_the_assignments(sizes, p):
    assert _smallest_p_value(np.array(sizes)) == pytest.approx(p)


def test_the_prior_of_variances_is_the_one_they_were_drawn_from():
    """s² = s₀²·F(d, d₀), Smyth's hierarchical model."""
    rng = np.random.default_rng(6)
    d0, s02 = prior(2.5 * rng.f(6, 10, 20_000), 6.0)
    assert d0 == pytest.approx(10, rel=0.1) and s02 == pytest.approx(2.5, rel=0.02)
    # Its moments: mean and variance of log s².
    s2 = rng.f(4, 8, 50) * np.exp(1)
    d0, s02 = prior(s2, 4.0)
    z = np.log(s2)
    assert z.var(ddof=1) == pytest.approx(special.polygamma(1, 2.0) + special.polygamma(1, d0 / 2))
    shift = special.digamma(2.0) - np.log(2.0) - special.digamma(d0 / 2) + np.log(d0 / 2)
    assert z.mean() == pytest.approx(np.log(s02) + shift)


def test_variances_that_agree_leave_a_chi_square():
    d0, s02 = prior(np.full(40, 3.0), 6.0)
    assert d0 >= 1e8
    within, between = np.full(40, 18.0), np.r_[60.0, np.full(39, 1.0)]
    p = moderated_p_values(between, within, 2, 8)
    assert p[0] == pytest.approx(40 * stats.chi2.sf(60.0 / s02, 1), rel=1e-3)


@pytest.mark.slow
def test_wide_tables_of_few_rows_are_tested_all_the_same():
    rng, X, y = normal(7, (4, 4), 300)
    assert groups(X, None, y, rng=rng).p_value > 0.05
    X[y == 1, :30] += 3.0
    record = groups(X * np.geomspace(1, 2, 300), None, y, rng=rng)
    named = record.columns.index[record.columns["p_value"] < 0.05]
    assert record.test == "moderated" and record.p_value < 0.01 and record.floor == 0.0
    assert len(named) >= 10 and (named < 30).mean() > 0.8
    assert groups(X[:, :10], None, y, rng=rng).test == "permutation"


def test_a_number_is_found_in_the_column_it_goes_with():
    rng = np.random.default_rng(8)
    X = rng.standard_normal((50, 8))
    z = 0.8 * X[:, 5] + 0.6 * rng.standard_normal(50)
    found = numbers(X[:, :2], np.column_stack([z, rng.standard_normal(50)]), X=X, rng=rng)
    hits = found.columns.index[found.columns["p_value"] < 0.05]
    assert hits.tolist() == [(0, 5)] and found.columns.index.names == ["column", "variable"]
    assert found.columns["correlation"][0, 5] == pytest.approx(np.corrcoef(X[:, 5], z)[0, 1])
    assert (found.table["p_value"] > 0.05).all()


def test_a_tie_of_ranks_is_found_behind_long_tails():
    rng = np.random.default_rng(9)
    X = rng.standard_normal((40, 5))
    z = X[:, 0] + 0.7 * rng.standard_normal(40)
    found = numbers(X[:, 1:2], np.exp(3 * z)[:, None], X=np.exp(3 * X), rng=rng)
    assert found.columns["p_value"][0, 0] < 0.01


@pytest.mark.slow
def test_correlations_of_six_rows_are_not_taken_for_differences():
    """Ranks of six rows agree perfectly in one table of thirteen; so they must in the draws."""
    codes, found = np.repeat([0, 1], [6, 54]), []
    for seed in range(100):
        rng = np.random.default_rng([seed, 2])
        table = np.random.default_rng([seed, 1]).standard_normal((60, 8))
        dealt = lambda n, count, rng=rng: rng.permuted(np.tile(np.arange(n), (count, 1)), axis=1)  # noqa: E731
        found.append(correlations(table, codes, "ab", dealt).p_value)
    assert stats.binomtest(int(np.sum(np.array(found) <= 0.05)), 100, 0.05).pvalue > 0.05
