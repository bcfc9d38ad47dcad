"""Limits, degrees of freedom and factors of the tests, each written out on a few numbers."""

from importlib import import_module

import numpy as np
import pytest
from scipy import stats

import gramian as gm
from gramian.evidence.arrangement import _log_chance, _sorted_runs
from gramian.evidence.assumptions import _scheme
from gramian.evidence.clusters import ClusterEvidence, _log_likelihood
from gramian.evidence.contingency_axes import (
    _Analysis,
    _draw_overdispersed,
    _remainder,
    dispersion,
    noise_remainder,
)
from gramian.evidence.curves import _kind
from gramian.evidence.directions import tie_p_values
from gramian.evidence.groups import Moments, between_p_values, rest_p_values
from gramian.evidence.loadings import _by_sides, _p_values, _regressions, _scores
from gramian.evidence.shapes import _has_excess_zeros, _kurtosis, far_p_value
from gramian.evidence.table import axes_without, row_scheme, table_of

ev = gm.evidence


def module(name):
    """Return a module whose name is that of a function too."""
    return import_module(f"gramian.evidence.{name}")


def column_of(*contributions, others=20):
    """Return a column whose first rows have these shares of its sum of squares."""
    first = np.sqrt(contributions) * (-1.0) ** np.arange(len(contributions))
    mean = -first.sum() / others
    rest = (1.0 - np.sum(contributions)) / others - mean**2
    return np.append(first, mean + np.sqrt(rest) * np.resize([1.0, -1.0], others))[:, None]


def test_a_row_carries_an_axis_beyond_the_limit_of_all_rows():
    limit = stats.beta.isf(0.01 / 21, 0.5, 9.5)
    assert ev.carried(column_of(1.01 * limit), 1, least=0.0).rows == (0,)
    assert ev.carried(column_of(0.99 * limit), 1, least=0.0) is None


def test_the_second_row_goes_with_the_first_from_half_its_weight_on():
    limit = stats.beta.isf(0.01 / 22, 0.5, 10)
    first = 1.05 * limit
    assert ev.carried(column_of(first, 0.55 * first), 1, least=0.0).rows == (0, 1)
    assert ev.carried(column_of(first, 0.45 * first), 1, least=0.0).rows == (0,)


def test_p_values_along_the_axes_are_corrected_for_the_rows():
    X = np.random.default_rng(0).standard_normal((25, 2))
    X[3] *= 3
    U = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[0]
    d2 = (U**2).sum(axis=1) * 25 / 24
    truth = np.minimum(1.0, 25 * stats.beta.sf(d2, 1.0, 11.0))
    np.testing.assert_allclose(ev.rows(X, 2, rng=0).p_values, truth)


def test_the_limit_across_the_axes_is_a_quantile_of_the_largest(monkeypatch):
    largest = np.arange(1.0, 200.0) / 40
    monkeypatch.setattr(module("rows"), "tails", lambda *args: None)
    monkeypatch.setattr(module("rows"), "_draw_largest", lambda *args: largest)
    X = np.random.default_rng(1).standard_normal((30, 4))
    Z = X - X.mean(axis=0)
    U, s, Vt = np.linalg.svd(Z, full_matrices=False)
    t = np.cbrt(((Z - (U[:, :1] * s[:1]) @ Vt[:1]) ** 2).sum(axis=1))
    spread = 1.4826 * np.median(np.abs(t - np.median(t)))
    limit = np.median(t) + spread * np.quantile(largest, 0.975)
    np.testing.assert_allclose(ev.rows(X, 1, rng=0).across, (t / limit) ** 1.5)


def small_group(seed, columns):
    """Return a small group of rows apart: permutations see more in it than its variance allows."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((30, columns))
    X[:3] += 2.5
    return X, np.repeat([0, 1], [3, 27])


def moments(X, codes):
    Y = (X - X.mean(axis=0)) / X.std(axis=0)
    return Moments.of(codes, Y, Y**2)


def test_columns_of_groups_are_as_sure_as_holms_rule_lets_them_be():
    X, codes = small_group(0, 6)
    normal = between_p_values(moments(X, codes))
    record = ev.groups(X, None, codes, rng=0, n_draws=999)
    p = record.columns["p_value"].to_numpy()
    assert (p >= ev.holm(normal) - 1e-12).all()
    assert np.isclose(p, ev.holm(normal)).any() and not np.isclose(ev.holm(normal), normal).all()


def test_categories_are_as_sure_as_holms_rule_lets_them_be():
    X, codes = small_group(1, 3)
    X[:, 0] += 20.0 * codes
    normal = ev.holm(rest_p_values(moments(X, codes)).ravel())
    record = ev.groups(X[:, :1], X, codes, rng=0, n_draws=999)
    p = record.categories["p_value"].to_numpy()
    assert (p >= normal - 1e-12).all() and np.isclose(p, normal).any()


def test_names_are_corrected_on_each_side_of_an_axis():
    """Three names in each correction, those of the other side with p = 1."""
    p = _by_sides(np.array([0.01, 0.04, 0.03]), np.array([0.9, 0.8, -0.7]))
    assert p.tolist() == pytest.approx([0.03, 0.06, 0.09])


def test_the_correlation_with_an_axis_is_tested_as_pearson_does():
    rng = np.random.default_rng(2)
    a, A = _scores(rng.standard_normal((1, 15))), _scores(rng.standard_normal((1, 1, 15)))
    r = (a * A[0]).sum(axis=1)[None]
    truth = stats.pearsonr(a[0], A[0, 0]).pvalue
    assert _p_values(a, A, r, "permutation")[0, 0] == pytest.approx(truth)


def test_the_regression_on_the_other_columns_is_an_f_test():
    a = _scores(np.random.default_rng(3).standard_normal((4, 20)))
    for j in range(4):
        rest = np.delete(a, j, axis=0)
        e = a[j] - rest.T @ np.linalg.lstsq(rest.T, a[j], rcond=None)[0]
        F = (a[j] @ a[j] - e @ e) / 3 / (e @ e / 16)
        assert _regressions(a)[j] == pytest.approx(stats.f.sf(F, 3, 16), rel=1e-6)


def test_the_better_of_two_tests_of_a_name_counts_twice():
    X = np.random.default_rng(4).standard_normal((40, 4))
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    a, A = _scores(X.T), _scores(axes_without(X, 1).transpose(1, 0, 2))
    r = np.einsum("jn,kjn->kj", a, A)
    both = np.minimum(_p_values(a, A, r, "permutation")[0], _regressions(a))
    table = ev.loadings(X, 1, rng=0).table
    np.testing.assert_allclose(table["p_value"], np.minimum(2 * both, 1.0))


def test_many_columns_of_numbers_take_more_draws():
    rng = np.random.default_rng(5)
    assert ev.numbers(rng.standard_normal((8, 1)), rng.standard_normal((8, 30)), rng=0).floor == (
        1 / 1200
    )


def test_few_clusters_are_more_than_one_and_fewer_than_six():
    few = [ClusterEvidence(0.01, 1, False, k, 0.01).few for k in (0, 1, 2, 5, 6)]
    assert few == [False, False, True, True, False]


def test_the_likelihood_of_one_cloud_is_that_of_a_normal_law():
    Z = np.random.default_rng(6).standard_normal((50, 2)) @ [[1.0, 0.4], [0.0, 0.7]]
    S = np.cov(Z.T, ddof=0) + 1e-6 * np.eye(2)
    law = stats.multivariate_normal(Z.mean(axis=0), S)
    truth = law.logpdf(Z).sum()
    assert _log_likelihood(Z, 1, np.random.default_rng(0)) == pytest.approx(truth)


@pytest.mark.parametrize(
    ("p", "modes", "hollow", "clusters", "column", "kind"),
    [
        (0.05, 0.9, False, 1, None, "bent"),
        (0.051, 0.9, False, 1, None, None),
        (0.2, 0.05, False, 2, None, "clusters"),
        (0.2, 0.05, True, 2, None, None),
        (0.01, 0.25, False, 3, None, "clusters"),
        (0.01, 0.26, False, 3, None, "bent"),
        (0.01, 0.25, False, 6, None, "bent"),  # as many as there may be: a curve
        (0.01, 0.01, False, 3, 0, "bent"),  # modes of a single column
        (0.2, 0.01, False, 3, 0, "clusters"),
    ],
)
def test_what_a_bend_is_called(p, modes, hollow, clusters, column, kind):
    record = ClusterEvidence(modes, 1, hollow, clusters, 0.01, column)
    assert _kind(p, record, 0.05) == kind


def test_two_eigenvalues_are_compared_as_anderson_did():
    """p = exp(−g²/8v), v the largest of three variances over n."""
    scores = np.array([[2.0, 1.0], [-2.0, 1.0], [2.0, -1.0], [-2.0, -1.0]])
    values = np.array([4.0, 1.0])
    # Σf₁²f₂²/n = 4, ¼(16 + 1 − 8) = 2.25, (2.5)² = 6.25.
    assert tie_p_values(scores, values)[0] == pytest.approx(np.exp(-9.0 / (8.0 * 6.25 / 4)))
    wild = np.array([[4.0, 0.5], [0.0, 0.5], [0.0, -2.0], [0.0, 0.0]])
    f = wild**2
    v = max((f[:, 0] * f[:, 1]).mean(), 0.25 * ((f[:, 0] - f[:, 1]) ** 2).mean(), 2.25) / 4
    assert tie_p_values(wild, np.array([2.0, 1.0]))[0] == pytest.approx(np.exp(-1.0 / (8.0 * v)))


def test_the_interval_of_an_eigenvalue_has_its_level():
    X = np.random.default_rng(8).standard_normal((200, 3)) * [5.0, 2.0, 1.0]
    record = ev.directions(X, 1, rng=0, level=0.9, n_resamples=2)
    U = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[0]
    deviation = np.sqrt(((200 * U[:, 0] ** 2 - 1) ** 2).mean() / 200)
    half = 0.5 * np.log(record.high_eigenvalue[0] / record.low_eigenvalue[0])
    assert half == pytest.approx(stats.norm.ppf(0.95) * deviation)


def test_a_gap_must_stand_out_in_every_dimension(monkeypatch):
    """One draw of ten reaches the gap in the first dimension, none in the others."""
    calls = []

    def cloud(radii, d, rng):
        calls.append(d)
        gap = 1e6 if d == calls[0] and len(calls) % 10 == 0 else 1.0
        return np.append(gap, np.ones(len(radii) - 1))

    monkeypatch.setattr(module("axes"), "_cloud", cloud)
    X = np.random.default_rng(9).standard_normal((30, 12))
    X[:, 0] *= 30
    record = ev.kernel_axes(X @ X.T, rng=0)
    assert len(set(calls)) > 1 and record.n_axes == 0
    assert record.p_values[0] == pytest.approx((1 + 19) / 200)


@pytest.mark.parametrize(("k", "h"), [(0, 3), (1, 3), (2, 4)])
def test_the_noise_of_counts_is_measured_in_the_last_half_of_the_axes(k, h, monkeypatch):
    draws = np.random.default_rng(10).random((7, 5)) + 1.0
    at = []
    home = module("contingency_axes")
    monkeypatch.setattr(home, "_spectra", lambda *args: draws)
    monkeypatch.setattr(home, "dispersion", lambda N, h: at.append(h))
    monkeypatch.setattr(home, "noise_remainder", lambda *args: 0.0)
    s = np.array([5.0, 4.0, 3.0, 2.0, 1.0, 0.0])
    analysis = _Analysis(np.ones((8, 6)), np.ones((8, 6)), np.eye(8)[:, :6], s, np.eye(6))
    truth = draws[:, k] * (s[h:5] ** 2).sum() / draws[:, h:].sum(axis=1)
    np.testing.assert_allclose(_draw_overdispersed(analysis, k, 7, None), truth)
    assert at == [h]


def test_the_dispersion_leaves_as_little_as_a_tenth_of_white_noise():
    rng = np.random.default_rng(11)
    N = rng.poisson(30 * rng.gamma(3, 1 / 3, (14, 7))).astype(float)
    level, b = noise_remainder(N.shape, 3, 0.1), dispersion(N, 3)
    assert _remainder(N, b, 3) <= level < _remainder(N, 0.97 * b, 3)


@pytest.mark.slow
def test_values_and_rows_that_are_far_out_are_two_questions():
    """Twice the smaller p-value: of the columns after Simes, of the distances of the rows."""
    X = np.random.default_rng(12).standard_normal((40, 3))
    X[0] = [2.5, 2.5, -2.5]
    rng = np.random.default_rng(0)
    d2 = rng.chisquare(3, (399, 40))
    null = (d2**2).mean(axis=1) * (3 / d2.mean(axis=1)) ** 2
    normal = stats.kurtosis(rng.standard_normal((40, 999)), fisher=False)
    U = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[0]
    mardia = ((40 * (U**2).sum(axis=1)) ** 2).mean()
    own = [(1 + (normal >= k).sum()) / 1000 for k in stats.kurtosis(X, fisher=False)]
    simes = min(3 * p / rank for rank, p in enumerate(sorted(own), 1))
    truth = min(1.0, 2 * min(simes, (1 + (null >= mardia).sum()) / 400))
    assert 0.01 < truth < 0.9
    assert far_p_value(X, np.random.default_rng(0)) == pytest.approx(truth)


def test_more_zeros_than_a_poisson_law_has():
    for zeros in range(4, 16):
        numbers = np.append(np.zeros(zeros), np.resize([1.0, 2.0, 3.0], 20 - zeros))
        p = stats.binom.sf(zeros - 1, 20, np.exp(-numbers.mean()))
        assert _has_excess_zeros(numbers) == (p < 0.01)


@pytest.mark.parametrize(("n", "lost"), [(10, 1), (19, 1), (20, 2), (30, 2)])
def test_the_farthest_values_are_no_tail(n, lost):
    x = np.append(np.arange(n - lost, dtype=float) ** 1.5, np.full(lost, 1e4))
    truth = stats.kurtosis(x[: n - lost], fisher=False)
    assert _kurtosis(x[:, None])[0] == pytest.approx(truth)


def test_the_chance_that_a_column_is_sorted():
    assert np.exp(_log_chance(np.arange(4.0))) == pytest.approx(2 / 24)
    assert np.exp(_log_chance(np.array([1.0, 1.0, 2.0]))) == pytest.approx(2 / 3)
    up = np.arange(12.0)
    runs, columns = _sorted_runs(np.column_stack([up % 5, -up]))
    assert runs.tolist() == [0] * 12 and columns == [1]
    assert _sorted_runs(up[:11, None]) is None
    runs, _ = _sorted_runs(np.tile(up, 3)[:, None])
    np.testing.assert_array_equal(runs, np.repeat([0, 1, 2], 12))
    assert _sorted_runs(np.random.default_rng(0).standard_normal((60, 5))) is None


def test_the_floor_of_rotations_is_one_of_the_rows_or_of_the_draws():
    assert row_scheme("shifts", 50, None).floor(50, 50) == 1 / 50
    assert row_scheme("shifts", 60, None).floor(60, 50) == 1 / 51
    assert row_scheme("permutation", 9, None).floor(9, 50) == 1 / 51


@pytest.mark.parametrize(
    ("n", "effect", "scheme"),
    [(249, 0.39, "none"), (250, 0.39, "shifts"), (250, -0.39, "shifts"), (250, 0.4, "none")],
)
def test_a_weak_order_of_many_rows_is_rotated(n, effect, scheme, monkeypatch):
    monkeypatch.setattr(module("assumptions"), "_by_past", lambda *args: False)
    table = table_of(np.random.default_rng(13).standard_normal((n, 2)))
    series = ev.Finding(0.005, effect, "autocorrelation")
    assert _scheme(table, series, None, None, 0.01, None) == scheme
