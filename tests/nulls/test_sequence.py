"""The sequence of tests of axes: maxima, nulls, draws, residuals of weighted rows."""

import numpy as np
import pytest

from gramian._nulls import deflation
from gramian._nulls.deflation import (
    NULLS,
    axis_tests,
    finite_size,
    has_equal_sizes,
    noise_ratio,
    residual,
)
from gramian._nulls.draws import column_draw, row_orders, row_rotations
from gramian._nulls.p_values import p_values
from gramian._nulls.spectra import Reference


def columns(n=30, p=6, seed=0):
    X = np.random.default_rng(seed).standard_normal((p, n))
    return X - X.mean(axis=1, keepdims=True)


def with_p_values(monkeypatch, p):
    """Let the tests have these p-values of 99 draws, null after null."""
    counts = iter(round(100 * each) - 1 for each in p)
    calls = []

    def compare(observed, noise, spectra, draw, rng, **options):
        reached = next(counts)
        calls.append(draw)
        drawn = np.append(np.full(reached, 2 * observed), np.zeros(99 - reached))
        return Reference(observed, drawn[:, None])

    monkeypatch.setattr(deflation, "compare", compare)
    return calls


def test_an_axis_is_no_surer_than_those_before_it(monkeypatch):
    with_p_values(monkeypatch, [0.03, 0.01, 0.04, 0.2])
    tests = axis_tests(columns(), ("permutation",), np.random.default_rng(0))
    assert [test.p_value for test in tests] == pytest.approx([0.03, 0.03, 0.04, 0.2])


def test_every_null_must_fail_and_none_is_drawn_after_one_that_holds(monkeypatch):
    calls = with_p_values(monkeypatch, [0.01, 0.04, 0.3])
    tests = axis_tests(columns(), NULLS["permutation"], np.random.default_rng(0))
    assert [test.p_value for test in tests] == pytest.approx([0.04, 0.3]) and len(calls) == 3
    assert NULLS["permutation"] == ("permutation", "signflip")
    assert NULLS["shifts"] == ("shifts", "signflip")


@pytest.mark.parametrize(("n", "p", "count"), [(30, 4, 3), (5, 9, 3), (30, 1, 1)])
def test_the_last_axis_is_not_tested(n, p, count, monkeypatch):
    with_p_values(monkeypatch, [0.01] * 10)
    assert len(axis_tests(columns(n, p), ("permutation",), np.random.default_rng(0))) == count


def test_the_level_itself_still_passes(monkeypatch):
    with_p_values(monkeypatch, [0.05, 0.06])
    assert len(axis_tests(columns(), ("permutation",), np.random.default_rng(0))) == 2


@pytest.mark.slow
def test_a_clear_axis_takes_the_first_look_and_a_doubtful_one_all_draws():
    X = columns(40, 8)
    X[:4] += 3 * np.random.default_rng(1).standard_normal(40)
    X -= X.mean(axis=1, keepdims=True)
    clear, *_ = axis_tests(X, ("permutation",), np.random.default_rng(0), n_draws=399)
    assert clear.n_draws == 99
    doubtful = [
        axis_tests(columns(30, 6, seed), ("permutation",), np.random.default_rng(0), n_draws=399)[0]
        for seed in range(12)
    ]
    for test in doubtful:
        early = p_values(test.eigenvalue, test.spectra[:99, 0]) > 0.3
        assert test.n_draws == (99 if early else 399)
    assert {test.n_draws for test in doubtful} == {99, 399}
    (exact, *_) = axis_tests(
        X, ("permutation",), np.random.default_rng(0), n_draws=59, exactly=True
    )
    assert exact.n_draws == 59


def test_the_level_of_an_axis_is_a_quantile_of_its_draws():
    test = axis_tests(columns(), ("permutation",), np.random.default_rng(0), n_draws=99, alpha=0.1)[
        0
    ]
    assert test.level == pytest.approx(np.quantile(test.spectra[:, 0], 0.9))
    assert test.mean == pytest.approx(test.spectra[:, 0].mean())


@pytest.mark.slow
def test_weighted_rows_lose_what_their_axes_took():
    """Equal weights, six strong axes: the noise behind them, drawn from its own law."""
    rng = np.random.default_rng(2)
    n, p, k = 40, 24, 6
    strong = 40 * rng.standard_normal((p, k)) @ rng.standard_normal((k, n))
    X = strong + rng.standard_normal((p, n))
    X -= X.mean(axis=1, keepdims=True)
    weights = np.full(n, 1 / n)
    tests = axis_tests(X, ("permutation",), rng, n_draws=99, exactly=True, weights=weights)
    assert len(tests) == k + 1
    U, _, Vt = np.linalg.svd(X, full_matrices=False)
    left, right = np.eye(p) - U[:, :k] @ U[:, :k].T, np.eye(n) - Vt[:k].T @ Vt[:k]
    truth = [
        np.linalg.norm(left @ (E - E.mean(axis=1, keepdims=True)) @ right, 2) ** 2 / n
        for E in rng.standard_normal((60, p, n))
    ]
    assert finite_size(n - 1, p, k) > 1.15  # what the test would miss without it
    assert tests[k].mean == pytest.approx(np.mean(truth), rel=0.06)


def test_draws_of_scaled_weighted_columns_keep_their_size():
    X = columns(20, 4)
    w = np.random.default_rng(3).dirichlet(np.ones(20))
    Z = X - (X @ w)[:, None]
    Z /= np.sqrt(Z**2 @ w)[:, None]
    test = axis_tests(
        Z, ("signflip",), np.random.default_rng(0), n_draws=39, scaled=True, weights=w
    )
    assert test[0].spectra.sum(axis=1) == pytest.approx(4.0)


def test_columns_of_one_size():
    X = columns()
    X /= X.std(axis=1, keepdims=True)
    assert has_equal_sizes(X) and has_equal_sizes(5 * X)
    X[0] *= 1.001
    assert not has_equal_sizes(X)


def test_orders_of_rows_stay_within_strata():
    rng = np.random.default_rng(0)
    strata = np.array([2, 0, 2, 1, 0, 2])
    orders = row_orders(6, 3000, rng, strata)
    assert (strata[orders] == strata).all() and (np.sort(orders, axis=1) == np.arange(6)).all()
    counts = np.unique(orders, axis=0, return_counts=True)[1]
    assert len(counts) == 12 and counts.min() > 150  # 3!·2! orders, alike
    free = row_orders(3, 3000, rng)
    assert np.unique(free, axis=0, return_counts=True)[1].min() > 380
    assert set(row_rotations(5, 200, rng)[:, 0]) == {1, 2, 3, 4}


def test_draws_keep_what_their_null_keeps():
    X = columns()
    for seed in range(3):
        permuted = column_draw("permutation", X)(X, seed)
        assert np.allclose(np.sort(permuted), np.sort(X)) and not np.allclose(permuted, X)
        flipped = column_draw("signflip", X)(X, seed)
        assert np.allclose(np.abs(flipped), np.abs(X))
        share = (np.sign(flipped) == np.sign(X)).mean()
        assert 0.3 < share < 0.7


@pytest.mark.parametrize("k", [0, 1, 3])
def test_noise_has_the_variance_that_its_rows_lost_to_the_axes(k):
    """(n − 1)/(n − 1 − k) of the rows, and of each column what `noise_ratio` gives."""
    X = columns(12, 5)
    V, s, Ut = np.linalg.svd(X / np.sqrt(12), full_matrices=False)
    rest = X - np.sqrt(12) * (V[:, :k] * s[:k]) @ Ut[:k]
    found = residual(X, (Ut.T, s, V), k)
    truth = rest * noise_ratio(rest.T, V[:, :k])[:, None] * np.sqrt(11 / (11 - k))
    np.testing.assert_allclose(found.noise, truth, atol=1e-12)
    assert found.value == pytest.approx(s[k] ** 2)


def test_an_eigenvalue_drawn_again_but_for_rounding_counts():
    observed = np.array([2.0, 1e-17])
    reference = Reference(observed, np.array([[2.0 * (1 - 1e-13), 0.0], [1.9, 0.0]]))
    assert reference.exceedances().tolist() == [1, 2]
    assert reference.p_values().tolist() == pytest.approx([2 / 3, 1.0])
