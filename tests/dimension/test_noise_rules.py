"""Rules for white noise of unknown variance: scikit-learn, published numbers, simulation."""

import numpy as np
import pytest
from scipy import integrate, optimize, stats
from sklearn.decomposition import PCA as SklearnPCA
from tests.outside._reference import table

from gramian import dimension
from gramian._reading import spectrum_rules

from .designs import planted, surely_at_least, surely_at_most


@pytest.mark.parametrize("shape", [(50, 4), (100, 12), (300, 30)])
def test_minka_is_that_of_scikit_learn(shape):
    X = np.random.default_rng(1).standard_normal(shape) * np.linspace(3, 1, shape[1])
    expected = SklearnPCA("mle", svd_solver="full").fit(X).n_components_
    assert dimension.minka(X) == expected


def test_minka_on_usarrests():
    assert dimension.minka(table("data/USArrests.csv")) == 3


def test_minka_refuses_wide_tables():
    with pytest.raises(ValueError, match="more rows than columns"):
        dimension.minka(np.random.default_rng(0).standard_normal((5, 9)))


# Gavish and Donoho (2014), table of ω(β).
@pytest.mark.parametrize(("beta", "omega"), [(0.05, 1.5194), (0.5, 2.1711), (1.0, 2.8582)])
def test_gavish_donoho_factor(beta, omega):
    found = spectrum_rules.shrinkage_limit(beta) / np.sqrt(spectrum_rules.mp_median(beta))
    assert found == pytest.approx(omega, abs=3e-4)


def omega(beta):
    """Gavish and Donoho's factor by their formulas, the median by bisection of the density."""
    low, high = (1 - np.sqrt(beta)) ** 2, (1 + np.sqrt(beta)) ** 2

    def below(x):
        density = lambda t: np.sqrt((high - t) * (t - low)) / (2 * np.pi * beta * t)  # noqa: E731
        return integrate.quad(density, low, x)[0] - 0.5

    median = optimize.brentq(below, low + 1e-9, high)
    best = 2 * (beta + 1) + 8 * beta / (beta + 1 + np.sqrt(beta**2 + 14 * beta + 1))
    return np.sqrt(best / median)


# The rows that are left after centring make the ratio: n − 1 of them, near the number of columns.
@pytest.mark.parametrize(("n", "p", "beta"), [(40, 39, 1.0), (21, 19, 19 / 20), (7, 5, 5 / 6)])
def test_gavish_donoho_counts_the_rows_left_after_centring(n, p, beta):
    Y = np.random.default_rng(n).standard_normal((n - 1, p))
    basis = np.linalg.svd(np.eye(n) - 1 / n)[0][:, : n - 1]  # orthogonal to the constant
    singular = np.linalg.svd(Y, compute_uv=False)  # those of the centred table too
    level = dimension.gavish_donoho(basis @ Y).threshold
    assert level * n == pytest.approx((omega(beta) * np.median(singular)) ** 2, rel=1e-6)
    if beta == 1.0:  # as in their table, whose last digit is rough
        assert omega(beta) == pytest.approx(2.8582, abs=3e-4)


@pytest.mark.parametrize("beta", [0.1, 0.5, 0.9])
def test_median_of_marchenko_pastur_halves_its_density(beta):
    low, high = (1 - np.sqrt(beta)) ** 2, (1 + np.sqrt(beta)) ** 2

    def density(x):
        return np.sqrt((high - x) * (x - low)) / (2 * np.pi * beta * x)

    half = integrate.quad(density, low, spectrum_rules.mp_median(beta))[0]
    assert half == pytest.approx(0.5, abs=1e-7)


# Quantiles of the real Tracy–Widom law in the literature (Bornemann 2010).
@pytest.mark.parametrize(("alpha", "value"), [(0.1, 0.4501), (0.05, 0.9793), (0.01, 2.0234)])
def test_tracy_widom_quantiles(alpha, value):
    assert spectrum_rules.tracy_widom(alpha) == pytest.approx(value, abs=0.012)


@pytest.mark.slow
@pytest.mark.parametrize("shape", [(60, 20), (20, 60)])
def test_marchenko_pastur_finds_three_axes(shape):
    n, p = shape
    draws, hits = 60, 0
    for seed in range(draws):
        rng = np.random.default_rng(seed)
        X = planted(rng, n, p, [30.0, 20.0, 12.0], rng.standard_normal(shape))
        hits += dimension.marchenko_pastur(X, alpha=0.01) == 3
    assert surely_at_least(hits, draws, 0.9)


@pytest.mark.slow
@pytest.mark.parametrize("rule", [dimension.marchenko_pastur, dimension.gavish_donoho])
@pytest.mark.parametrize("shape", [(100, 40), (40, 100)])
def test_white_noise_has_no_axis(rule, shape):
    found = [rule(np.random.default_rng(s).standard_normal(shape)) for s in range(100)]
    # The median is a rough measure of the noise: a little more than 5 % is its price.
    assert surely_at_most(sum(q > 0 for q in found), 100, 0.08)


def test_gavish_donoho_keeps_strong_axes_only():
    rng = np.random.default_rng(3)
    X = planted(rng, 200, 50, [40.0, 25.0], rng.standard_normal((200, 50)))
    assert dimension.gavish_donoho(X) == 2
    assert dimension.gavish_donoho(1e8 + 1e-3 * X) == 2


@pytest.mark.parametrize(("n", "p"), [(12, 30), (30, 8), (9, 9)], ids=str)
def test_levels_of_marchenko_and_pastur_are_their_quantiles(n, p):
    m = min(n - 1, p)
    values = np.sort(np.random.default_rng(5).exponential(size=m))[::-1]
    for k, level in enumerate(spectrum_rules.marchenko_pastur_levels(values, n, p)):
        rows, columns = (n - 1, p - k) if p < n else (n - 1 - k, p)
        a, b = np.sqrt(rows - 0.5), np.sqrt(columns - 0.5)
        quantile = stats.gamma.ppf(0.95, 46.446, scale=0.186054) - 9.84801
        edge = (a + b) ** 2 + quantile * (a + b) * (1 / a + 1 / b) ** (1 / 3)
        unit = np.median(values[k:m]) / law_median(min(rows, columns) / max(rows, columns))
        assert level == pytest.approx(unit * edge / max(rows, columns), rel=1e-6)


def law_median(beta):
    """Return the median of the Marchenko–Pastur law, by integrating its density."""
    low, high = (1 - np.sqrt(beta)) ** 2, (1 + np.sqrt(beta)) ** 2

    def mass(x):
        angle = np.arccos(1 - 2 * (x - low) / (high - low))  # no poles at the ends
        at = lambda t: low + (high - low) * (1 - np.cos(t)) / 2  # noqa: E731
        density = lambda t: ((high - low) * np.sin(t) / 2) ** 2 / (2 * np.pi * beta * at(t))  # noqa: E731
        return integrate.quad(density, 0, angle)[0]

    return optimize.brentq(lambda x: mass(x) - 0.5, low + 1e-9, high - 1e-9)
