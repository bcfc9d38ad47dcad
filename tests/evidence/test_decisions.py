"""Corrections, floors and thresholds of the tests, each by brute force or an identity."""

import numpy as np
import pytest
from scipy import stats
from tests.evidence.designs import surely_at_most

import gramian as gm
from gramian.evidence.assumptions import _scheme
from gramian.evidence.clusters import FLOOR, _directions
from gramian.evidence.groups import Moments, between, between_p_values, rest
from gramian.evidence.shapes import calm, far_p_value
from gramian.evidence.table import in_order, table_of

ev = gm.evidence


def test_the_limit_of_a_row_is_one_of_all_rows():
    """Any of 40 rows of a normal cloud: one table of twenty, not nine of ten."""
    rng = np.random.default_rng(0)
    tables = rng.standard_normal((150, 40, 5)) * [3.0, 1.0, 1.0, 1.0, 1.0]
    hits = sum(ev.carried(X, 1, least=0.0, alpha=0.05) is not None for X in tables)
    assert hits > 0 and surely_at_most(hits, 150, 0.05)


def test_a_row_carries_an_axis_from_a_share_on():
    X = np.random.default_rng(1).standard_normal((60, 4))
    X[3] += 8.0
    record = ev.carried(X, 1)
    assert record.rows == (3,) and record.contribution > 0.3
    assert ev.carried(X, 1, least=record.contribution + 0.01) is None


def test_a_group_of_rows_that_happen_to_be_close_is_not_known_exactly():
    """The variance of a group has two degrees of freedom of all groups beside its own."""
    rng = np.random.default_rng(2)
    Y = rng.standard_normal((33, 1))
    codes = np.repeat([0, 1, 2], [15, 15, 3])
    Y[codes == 2] = 0.9 + 1e-6 * rng.standard_normal((3, 1))
    Y -= Y.mean()
    moments = Moments.of(codes, Y, Y**2)
    pooled = sum(((Y[codes == k] - Y[codes == k].mean()) ** 2).sum() for k in range(3)) / 30
    alone = [(np.sum(codes == k) - 1, Y[codes == k].var(ddof=1)) for k in range(3)]
    own = [max(s2, (d * s2 + 2 * pooled) / (d + 2)) for d, s2 in alone]
    np.testing.assert_allclose(moments.variances()[:, 0], own)
    assert moments.variances()[2, 0] == pytest.approx(pooled / 2)
    sizes, means = np.bincount(codes), [Y[codes == k].mean() for k in range(3)]
    error = sum((1 - n / 33) * s2 for n, s2 in zip(sizes, own, strict=True))
    F = sum(n * m**2 for n, m in zip(sizes, means, strict=True)) / error
    assert between(moments, moments.variances())[0] == pytest.approx(F)
    assert abs(rest(moments, moments.variances())[0][2, 0]) < 3  # beyond 1,000 without the floor


def test_the_square_of_welchs_t_for_two_groups():
    rng = np.random.default_rng(3)
    x, y = rng.standard_normal(9), 3 * rng.standard_normal(20) + 1
    Y = np.append(x, y)[:, None]
    Y = Y - Y.mean()
    codes = np.repeat([0, 1], [9, 20])
    moments = Moments.of(codes, Y, Y**2)
    own = np.array([[x.var(ddof=1)], [y.var(ddof=1)]])
    t = stats.ttest_ind(x, y, equal_var=False).statistic
    assert between(moments, own)[0] == pytest.approx(t**2)
    assert abs(rest(moments, own)[0][0, 0]) == pytest.approx(abs(t))


@pytest.mark.slow
def test_directions_of_clusters_are_corrected_for_their_number():
    """Four axes, and four turns between the first two that are no axes."""
    assert _directions(4).shape == (4, 8) and _directions(1).shape == (1, 1)
    rng = np.random.default_rng(4)
    X = rng.standard_normal((60, 4))
    X[:30, 0] += 30.0
    record = ev.clusters(X, X, 4, rng=0)
    # the rows also fall apart by the division, whose own p-value is smaller than the draws allow
    assert record.p_value <= 8 * FLOOR <= record.floor


def test_an_order_of_labels_is_doubted_at_a_fifth():
    rng = np.random.default_rng(5)
    hits = sum(in_order(rng.permutation(np.repeat([0, 1], 15)), rng) for _ in range(150))
    assert hits >= 10 and surely_at_most(hits, 150, 0.2)
    assert in_order(np.repeat([0, 1], 15), rng)


@pytest.mark.slow
def test_resamples_are_trusted_where_no_value_is_far_out():
    rng = np.random.default_rng(6)
    tables = rng.standard_normal((40, 30, 4))
    assert surely_at_most(sum(not calm(X, rng) for X in tables), 40, 0.2)
    X = tables[0].copy()
    X[0, 0] = 30.0
    assert far_p_value(X, rng) < 0.02 and not calm(X, rng)


def test_names_are_at_least_half_as_tied_as_the_first():
    rng = np.random.default_rng(7)
    f = rng.standard_normal(200)
    X = f[:, None] * [1.0, 1.0, 1.0, 0.35] + 0.2 * rng.standard_normal((200, 4))
    X[:, 3] += rng.standard_normal(200)
    table = ev.loadings((X - X.mean(axis=0)) / X.std(axis=0), 1, rng=0).table.loc[1]
    r = table["correlation"].abs()
    assert table.loc[3, "corrected"] < 0.01 and r[3] < 0.5 * r.max()
    assert table["named"].tolist() == [True, True, True, False]


def test_numbers_are_corrected_for_their_columns_by_holm():
    rng = np.random.default_rng(8)
    F = rng.standard_normal((40, 2))
    Z = np.column_stack([F[:, 0] + 0.1 * rng.standard_normal(40), rng.standard_normal((40, 3))])
    alone = ev.numbers(F, Z[:, :1], rng=0, n_draws=199).table["p_value"].to_numpy()
    among = ev.numbers(F, Z, rng=0, n_draws=199).table.loc[0, "p_value"].to_numpy()
    assert alone[0] == 1 / 200
    assert among[0] == pytest.approx(4 * alone[0])


@pytest.mark.slow
def test_columns_with_tails_are_named_at_a_rate_of_five_percent():
    rng = np.random.default_rng(9)
    named = [ev.assumptions(X, rng=rng).tails for X in rng.standard_normal((25, 20, 4))]
    assert surely_at_most(sum(found is not None for found in named), 25, 0.05)


@pytest.mark.slow
def test_a_pair_of_nulls_for_rows_of_unequal_size():
    """An axis is no scale: rows of one strong factor are equal."""
    rng = np.random.default_rng(10)
    hits = 0
    for _ in range(12):
        X = 3 * np.outer(rng.standard_normal(50), np.ones(6)) + rng.standard_normal((50, 6))
        hits += ev.assumptions(X, rng=rng).unequal is not None
    assert surely_at_most(hits, 12, 0.01)


def test_the_limit_along_the_axes_is_for_all_rows_and_both_distances():
    """1 is a distance that a row of a normal cloud exceeds with probability α/2n."""
    X = np.random.default_rng(11).standard_normal((30, 5))
    X -= X.mean(axis=0)
    U = np.linalg.svd(X, full_matrices=False)[0][:, :2]
    d2 = (U**2).sum(axis=1) * 30 / 29
    limit = stats.beta.isf(0.05 / 60, 1.0, 13.5)
    np.testing.assert_allclose(ev.rows(X, 2, rng=0).along, np.sqrt(d2 / limit))


def test_a_row_is_looked_at_along_the_axes_and_across_and_pays_for_both():
    X = np.random.default_rng(12).standard_normal((60, 6))
    X[9, 2] += 12
    X[:, 0] *= 40
    record = ev.rows(X, 1, rng=0)
    assert record.rows == (9,)
    assert record.p_values[9] == record.floor == pytest.approx(2 / 200)


@pytest.mark.slow
@pytest.mark.parametrize("n_draws", [39, 79])
def test_models_fitted_to_the_table_cost_a_factor_of_two(n_draws):
    angle = np.linspace(0, 2 * np.pi, 80, endpoint=False)
    rng = np.random.default_rng(13)
    X = np.column_stack([np.cos(angle), np.sin(angle), 0.05 * rng.standard_normal(80)])
    record = ev.curves(X, None, 2, rng=0, n_draws=n_draws)
    assert record.p_value == pytest.approx(2 / (n_draws + 1)) == record.floor
    assert ev.curves(X, None, 0, rng=0, n_draws=n_draws).floor == pytest.approx(1 / (n_draws + 1))


@pytest.mark.parametrize("families", [1, 2])
def test_the_normal_test_of_groups_counts_each_family(families):
    """Three rows of 30 apart: their variance is known badly, which permutations do not see."""
    rng = np.random.default_rng(14)
    X = rng.standard_normal((30, 1))
    codes = np.repeat([0, 1], [3, 27])
    X[:3] = [[3.0], [4.5], [6.0]]
    F = np.tile(X, families - 1) if families == 2 else None
    Y = (X - X.mean()) / X.std()
    normal = between_p_values(Moments.of(codes, Y, Y**2))[0]
    record = ev.groups(X, F, codes, rng=0, n_draws=999)
    assert record.floor < normal < 0.2
    # Columns have four fifths of the level where there are axes too.
    assert record.p_value == pytest.approx([1.0, 1.25][families - 1] * normal)


@pytest.mark.parametrize(
    ("n", "p", "scheme"),
    [
        (60, 0.01, "blocks"),  # a finding
        (60, 0.02, "blocks"),  # a doubt, in a table of fewer than 100 rows
        (60, 0.021, "permutation"),
        (120, 0.02, "permutation"),
        (120, 0.01, "blocks"),
        (20, 0.02, "none"),  # too short for its past to be told
        (20, 0.021, "permutation"),
        (10, 0.05, "none"),
        (10, 0.051, "permutation"),
    ],
)
def test_an_order_is_reason_enough_to_leave_the_permutation(n, p, scheme):
    table = table_of(np.random.default_rng(15).standard_normal((n, 4)))
    series = ev.Finding(p, 0.5, "autocorrelation")
    rng = np.random.default_rng(0)
    assert _scheme(table, series, None, None, 0.01, rng) == scheme
