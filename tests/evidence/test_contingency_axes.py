"""Axes of counts: none in noise however counts vary, those that were planted, and how many."""

import numpy as np
import pytest
from scipy import stats
from tests.evidence.designs import surely_at_most

import gramian as gm
from gramian.errors import InputError
from gramian.evidence.contingency_axes import dispersion, draw_counts, pearson, spectrum

contingency_axes = gm.evidence.contingency_axes


def means(rng, n, p, mean, spread=1.0):
    M = np.outer(rng.lognormal(0, spread, n), rng.lognormal(0, spread, p))
    return M * mean / M.mean()


def negative_binomial(rng, M, size):
    return rng.poisson(M * rng.gamma(size, 1 / size, M.shape))


def sides(n, k):
    """Cut n in k + 1 parts, +1 and −1 in turn."""
    return np.where(np.arange(n) * (k + 1) // n % 2, -1.0, 1.0)


def planted(rng, n, p, sizes):
    ties = [size * np.outer(sides(n, k), sides(p, k)) for k, size in enumerate(sizes, 1)]
    return means(rng, n, p, 30, 0.5) * (1 + sum(ties))


@pytest.mark.slow
@pytest.mark.parametrize(("n", "p", "mean"), [(8, 5, 50), (12, 6, 3), (30, 8, 3), (30, 8, 50)])
@pytest.mark.parametrize("size", [np.inf, 10, 2])
def test_independent_counts_have_no_axis_however_they_vary(n, p, mean, size):
    rng = np.random.default_rng(0)
    hits = 0
    for _ in range(40):
        M = means(rng, n, p, mean)
        N = rng.poisson(M) if np.isinf(size) else negative_binomial(rng, M, size)
        found = contingency_axes(N, n_draws=59, rng=rng)
        hits += found is not None and bool(found.n_axes)
    assert surely_at_most(hits, 40, 0.05)


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(0.5,), (0.5, 0.4), (0.35, 0.3, 0.25)])
def test_true_axes_are_counted_and_no_more(sizes):
    rng = np.random.default_rng(1)
    tables = [rng.poisson(planted(rng, 40, 12, sizes)) for _ in range(15)]
    found = np.array([contingency_axes(N, n_draws=59, rng=rng).n_axes for N in tables])
    assert (found >= len(sizes)).mean() >= 0.9
    assert surely_at_most(int((found > len(sizes)).sum()), 15, 0.05)


@pytest.mark.slow
def test_a_strong_axis_is_found_in_counts_that_vary_much():
    rng = np.random.default_rng(2)
    tables = [negative_binomial(rng, planted(rng, 40, 12, (0.6,)), 5) for _ in range(15)]
    found = [contingency_axes(N, n_draws=59, rng=rng).n_axes for N in tables]
    assert found.count(1) >= 13


@pytest.mark.parametrize("size", [4, 10])
def test_the_dispersion_is_that_of_negative_binomial_counts(size):
    rng = np.random.default_rng(3)
    N = negative_binomial(rng, means(rng, 100, 20, 30, 0.5), size)
    assert dispersion(N.astype(float), 9) == pytest.approx(1 / size, 0.15)


def test_axes_are_no_dispersion():
    rng = np.random.default_rng(3)
    N = rng.poisson(planted(rng, 100, 20, (0.5, 0.4))).astype(float)
    assert dispersion(N, 9) < 0.02 < 0.1 < dispersion(N, 1)


def test_draws_have_the_means_and_variances_that_were_asked_for():
    M = np.array([[3.0, 40.0]])
    N = draw_counts(M, 0.25, 20_000, np.random.default_rng(4))
    np.testing.assert_allclose(N.mean(axis=0), M, rtol=0.03)
    np.testing.assert_allclose(N.var(axis=0), M + 0.25 * M**2, rtol=0.05)


@pytest.mark.parametrize("shape", [(9, 5), (5, 9)])
def test_the_spectrum_of_pearson_residuals_is_that_of_ca(shape):
    N = np.random.default_rng(5).poisson(8.0, shape)
    values = spectrum(pearson(N.astype(float))[0])
    np.testing.assert_allclose(values / N.sum(), gm.CA().fit(N).eigenvalues_, atol=1e-12)
    assert values.sum() == pytest.approx(stats.chi2_contingency(N).statistic)


@pytest.mark.slow
def test_rows_or_columns_may_be_the_more_and_empty_ones_do_not_count():
    N = np.random.default_rng(6).poisson(planted(np.random.default_rng(6), 30, 8, (0.6,)))
    padded = np.zeros((32, 9))
    padded[1:31, :8] = N
    for table in (N, N.T, padded):
        found = contingency_axes(table, rng=0)
        assert found.n_axes == 1 and found.scheme == "counts"
        assert found.eigenvalues[0] == pytest.approx(gm.CA().fit(N).eigenvalues_[0])


def test_tables_that_cannot_tell_have_no_evidence():
    assert contingency_axes([[5, 3, 2], [1, 8, 2], [4, 4, 9]]) is None
    assert contingency_axes(np.full((40, 2), 5)) is None


@pytest.mark.parametrize("cell", [-1, 0.5, 1e13])
def test_what_is_no_count_is_refused(cell):
    with pytest.raises(InputError, match="must hold counts"):
        contingency_axes(np.full((8, 5), cell))
