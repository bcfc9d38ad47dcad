"""Weights, thresholds and rates of networks, each against a textbook's formula."""

import numpy as np
import pytest
from scipy import stats

from gramian.networks.differential import _statistic, differential
from gramian.networks.infer import Scores, discoveries, q_values
from gramian.networks.learning import change_of, mean_of, recommend
from gramian.networks.work import _p_value


def test_two_correlations_are_compared_as_fisher_did():
    """(z₁ − z₂)²/(1/(n₁ − 3) + 1/(n₂ − 3)), for conditions of 6 and 30 samples."""
    R, counts = np.array([[0.9, 0.1], [0.2, -0.4]]), np.array([6, 30])
    z = np.arctanh(R)
    truth = (z[0] - z[1]) ** 2 / (1 / 3 + 1 / 27)
    np.testing.assert_allclose(_statistic(R, counts), truth)


def test_three_correlations_are_compared_with_their_weighted_mean():
    R, counts = np.array([[0.5], [0.1], [-0.3]]), np.array([10, 20, 8])
    z, w = np.arctanh(R[:, 0]), np.array([7.0, 17.0, 5.0])
    mean = np.average(z, weights=w)
    assert _statistic(R, counts)[0] == pytest.approx((w * (z - mean) ** 2).sum())


def advice(last, se=1e-6, chance=0.2, target=0.8):
    agreement = np.linspace(0.5 * last, last, 6)
    sizes = np.arange(3, 9)
    return recommend(sizes, agreement, np.full(6, se), chance, target, 0.95, 5).reason


@pytest.mark.slow
def test_agreement_must_be_above_chance_by_a_twentieth_of_what_is_left():
    """Chance 0.2: 0.2 + 0.05·0.8 = 0.24."""
    assert advice(0.239) == "chance" and advice(0.241) != "chance"
    assert advice(0.5, chance=0.8) == "kernel" and advice(0.5, chance=0.79) == "chance"


@pytest.mark.slow
def test_the_error_of_agreement_counts():
    t = stats.t.ppf(0.975, 5)
    se = (0.4 - 0.24) / t
    assert advice(0.4, 1.02 * se) == "chance" and advice(0.4, 0.98 * se) != "chance"


def test_the_first_statistic_counts_among_the_shuffled():
    """Parts come in the order of their numbers, not of their names."""
    for T, p in (([3, 1, 3, 2], 0.5), ([3, 1, 2, 3 * (1 - 1e-13)], 0.5), ([9, 1, 2, 0], 0.25)):
        parts = {"test 10": {"T": np.array(T[2:], float)}, "test 9": {"T": np.array(T[:2], float)}}
        assert _p_value(parts) == p
    assert np.isnan(_p_value({"unit 0 3": {}}))


def scores(values, n=30):
    """Return scores that are correlations, with their p-values."""

    def p_values(r):
        r = np.minimum(np.abs(r), 1 - 1e-12)
        return 2 * stats.t.sf(r * np.sqrt((n - 2) / (1 - r**2)), n - 2)

    return Scores(np.asarray(values), p_values=p_values)


@pytest.mark.parametrize("level", [0.01, 0.05, 0.2])
def test_discoveries_are_those_of_benjamini_and_hochberg(level):
    rng = np.random.default_rng(0)
    for planted in (0, 5, 60):
        r = np.tanh(rng.standard_normal(300) / np.sqrt(27))
        r[:planted] = np.tanh(np.arctanh(r[:planted]) + 0.6)
        p = scores(r).p_values(np.abs(r))
        ordered = np.sort(p)
        passing = np.flatnonzero(ordered <= level * np.arange(1, 301) / 300)
        truth = np.flatnonzero(p <= ordered[passing[-1]]) if passing.size else []
        np.testing.assert_array_equal(discoveries(scores(r), level), truth)
        np.testing.assert_array_equal(np.flatnonzero(q_values(scores(r))[1] <= level), truth)


@pytest.mark.slow
def test_rates_of_links_that_differ_are_of_all_pairs():
    rng = np.random.default_rng(1)
    hub = rng.standard_normal((30, 1))
    first = np.hstack([hub, hub + 0.1 * rng.standard_normal((30, 1)), rng.normal(size=(30, 4))])
    X = np.vstack([first, rng.standard_normal((30, 6))])
    links = differential(X, np.repeat(["a", "b"], 30), random_state=0, n_permutations=40)
    assert links["p_value"].iloc[0] == pytest.approx(1 / (1 + 40 * 15))
    assert links["q_value"].iloc[0] == pytest.approx(15 * links["p_value"].iloc[0])


def test_the_error_of_a_change_is_that_of_the_jackknife():
    """(n − 1)/n·Σ(θ_i − mean)² of each stratum, less the noise of two orders."""
    change = np.array([0.2, 0.4])
    without = np.array([[0.1, 0.3], [0.5, 0.9], [0.3, 0.3], [0.2, 0.6], [0.4, 0.4]])
    strata = np.array([0, 0, 0, 1, 1])
    theta = without.mean(axis=1)
    raw = 2 / 3 * ((theta[:3] - theta[:3].mean()) ** 2).sum()
    raw += 1 / 2 * ((theta[3:] - theta[3:].mean()) ** 2).sum()
    noise = [np.var(row - change, ddof=1) / 2 for row in without]
    noise = 4 / 9 * sum(noise[:3]) + 1 / 4 * sum(noise[3:])
    found = change_of({"change": change, "change_without": without}, strata)
    assert raw - noise > 0.1 * raw
    assert found == pytest.approx((0.3, raw - noise + np.var(change, ddof=1) / 2))
    assert mean_of([found, found]) == pytest.approx((0.3, np.sqrt(2 * found.variance) / 2))
