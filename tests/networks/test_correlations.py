"""Correlations, partial correlations and sparse models against R, and their p-values."""

import numpy as np
import pytest
from scipy import stats
from sklearn.linear_model import Lasso
from tests.outside._reference import array, load, table

from gramian.errors import InputError
from gramian.networks.correlations import (
    _lassos,
    correlations,
    graphical_lasso,
    near_one,
    neighbourhoods,
    partial_correlations,
    unit_columns,
    upper,
)
from gramian.networks.infer import densest, discoveries, q_values

FILE = "gene_networks/expr40x12.json"


def test_no_mean_overflows():
    assert near_one(np.array([[1e300], [3.0]])).max() < 2


@pytest.fixture(scope="module")
def U():
    return unit_columns(table("gene_networks/expr40x12.csv").to_numpy(float))[0]


def pairs(entry):
    return array(entry)[upper(12)]


def test_shrinkage_and_shrunk_correlations_are_those_of_corpcor(U):
    found, expected = correlations(U, None), load(FILE)["corpcor"]
    assert found.shrinkage == pytest.approx(expected["lambda_cor"], rel=1e-12)
    np.testing.assert_allclose(found.values, pairs(expected["cor_shrink"]), atol=1e-13)


@pytest.mark.parametrize(
    ("shrinkage", "path"),
    [
        (None, ("corpcor", "pcor_shrink")),
        (0.2, ("corpcor_lambda0.2", "pcor_shrink")),
        (0.0, ("corpcor", "pcor_plain")),
    ],
)
def test_partial_correlations_are_those_of_corpcor(U, shrinkage, path):
    expected = load(FILE)[path[0]][path[1]]
    np.testing.assert_allclose(
        partial_correlations(U, shrinkage).values, pairs(expected), atol=1e-11
    )


@pytest.mark.parametrize("penalty", [0.05, 0.1, 0.3])
def test_graphical_lasso_is_that_of_r(U, penalty):
    expected = load(FILE)[f"glasso_cor_rho{penalty}_nopendiag"]
    found = graphical_lasso(U, penalty)
    np.testing.assert_allclose(found, pairs(expected["partial_cor"]), atol=1e-6)
    assert np.count_nonzero(np.abs(found) > 1e-6) == expected["n_edges"]


def test_fewer_rows_than_columns_take_another_way_to_the_same_numbers():
    U, _ = unit_columns(np.random.default_rng(1).standard_normal((8, 20)))
    P = np.linalg.inv(0.7 * U.T @ U + 0.3 * np.eye(20))
    d = np.sqrt(np.diag(P))
    expected = -(P / d / d[:, None])[upper(20)]
    np.testing.assert_allclose(partial_correlations(U, 0.3).values, expected, atol=1e-13)


@pytest.mark.slow
def test_the_regressions_are_lassos(U):
    B, Z = _lassos(U.T @ U, 0.12), U * np.sqrt(len(U))
    for k in range(12):
        rest = np.arange(12) != k
        lasso = Lasso(0.12, fit_intercept=False, tol=1e-12, max_iter=100_000)
        np.testing.assert_allclose(B[rest, k], lasso.fit(Z[:, rest], Z[:, k]).coef_, atol=1e-6)


def test_neighbours_choose_each_other_or_one_does(U):
    both, one = neighbourhoods(U, 0.12, "and"), neighbourhoods(U, 0.12, "or")
    B = _lassos(U.T @ U, 0.12)
    i, j = upper(12)
    np.testing.assert_array_equal(one != 0, (B[i, j] != 0) | (B[j, i] != 0))
    assert (both[one == 0] == 0).all() and 0 < np.count_nonzero(both) < np.count_nonzero(one)
    np.testing.assert_allclose(both**2, np.where(both != 0, B[i, j] * B[j, i], 0), atol=1e-14)


@pytest.mark.slow
def test_p_values_of_correlations_are_those_of_pearsons_test(U):
    X = table("gene_networks/expr40x12.csv").to_numpy(float)
    found = correlations(U, None)
    p = found.p_values(np.abs(found.values))
    i, j = upper(12)
    expected = [stats.pearsonr(X[:, a], X[:, b]).pvalue for a, b in zip(i, j, strict=True)]
    np.testing.assert_allclose(p, expected, rtol=1e-8)


def test_p_values_of_plain_partial_correlations_are_those_of_regression(U):
    X = table("gene_networks/expr40x12.csv").to_numpy(float)
    found = partial_correlations(U, 0.0)
    D = np.column_stack([X[:, 1:], np.ones(40)])
    beta, rss, _, _ = np.linalg.lstsq(D, X[:, 0], rcond=None)
    se = np.sqrt(rss[0] / (40 - 12) * np.diag(np.linalg.inv(D.T @ D)))
    expected = 2 * stats.t.sf(np.abs(beta / se), 40 - 12)[:-1]
    np.testing.assert_allclose(found.p_values(np.abs(found.values))[:11], expected, rtol=1e-8)


@pytest.mark.slow
@pytest.mark.parametrize(("n", "p"), [(15, 40), (30, 30), (80, 20)])
@pytest.mark.parametrize("shrinkage", [0.15, 0.6])
def test_p_values_of_shrunk_partial_correlations_are_uniform_in_noise(n, p, shrinkage):
    rng = np.random.default_rng(5)
    found = []
    for _ in range(15):
        scores = partial_correlations(unit_columns(rng.standard_normal((n, p)))[0], shrinkage)
        found.append(scores.p_values(np.abs(scores.values)))
    values = np.concatenate(found)
    for alpha in (0.5, 0.1, 0.02):
        # Four standard errors, values of one table counted as independent.
        assert np.mean(values <= alpha) == pytest.approx(
            alpha, abs=4 * np.sqrt(alpha / values.size) + 0.05 * alpha
        )


def test_discoveries_are_those_of_benjamini_and_hochberg(U):
    scores = correlations(U, None)
    p, q = q_values(scores)
    np.testing.assert_allclose(q, stats.false_discovery_control(p), rtol=1e-12)
    for level in (0.001, 0.05, 0.3, 1.0):
        np.testing.assert_array_equal(discoveries(scores, level), np.flatnonzero(q <= level))


def test_density_keeps_the_largest_even_among_equals():
    X = np.repeat(np.random.default_rng(0).standard_normal((6, 2)), 3, axis=1)
    scores = correlations(unit_columns(X)[0], 0.0)
    size = np.abs(scores.values)
    for density in (0.0, 0.2, 0.4, 1.0):
        kept = densest(scores, density)
        assert len(kept) == round(density * 15)
        assert size[kept].min(initial=1) >= np.delete(size, kept).max(initial=0) - 1e-15


def test_scores_do_not_depend_on_units_or_offsets():
    X = np.random.default_rng(2).standard_normal((9, 5))
    scale = np.array([1e-300, 1e150, 1.0, 1e300, 1e-5])
    for method in (correlations, partial_correlations):
        expected = method(unit_columns(X)[0], None).values
        np.testing.assert_allclose(method(unit_columns(X * scale)[0], None).values, expected)
        far = method(unit_columns(X + 1e8)[0], None).values
        np.testing.assert_allclose(far, expected, atol=1e-7)


def test_plain_partial_correlations_need_rows():
    U, _ = unit_columns(np.random.default_rng(0).standard_normal((5, 8)))
    with pytest.raises(InputError, match="more rows than columns"):
        partial_correlations(U, 0.0)
    X = np.random.default_rng(0).standard_normal((20, 3))
    with pytest.raises(InputError, match="combinations of others"):
        partial_correlations(unit_columns(np.column_stack([X, X[:, 0]]))[0], 0.0)


def test_full_shrinkage_leaves_no_ties():
    U, _ = unit_columns(np.random.default_rng(0).standard_normal((9, 4)))
    for method in (correlations, partial_correlations):
        scores = method(U, 1.0)
        assert (scores.values == 0).all() and (scores.p_values(np.zeros(2)) == 1).all()


def test_the_shrinkage_that_is_found_never_hides_the_order():
    H = np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
    assert correlations(unit_columns(H)[0], None).shrinkage == 0.999
    U, _ = unit_columns(np.random.default_rng(0).standard_normal((9, 7)))
    found = correlations(U, None)
    assert found.shrinkage == 0.999
    np.testing.assert_allclose(found.values, 0.001 * correlations(U, 0.0).values, rtol=1e-9)
