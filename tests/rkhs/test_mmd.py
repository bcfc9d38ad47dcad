"""Two samples: the estimates by their definitions, the level and the power of the tests."""

import math
import tracemalloc

import numpy as np
import pytest
import torch
from scipy.stats import binom
from tests.contracts.kernel import cloud

import gramian as gm
from gramian import rkhs
from gramian.kernels import Gaussian, Laplacian, Linear, Polynomial
from gramian.kernels.sequence import Spectrum

X, Y = cloud(14, 3), cloud(9, 3, seed=4) + 0.5
KERNELS = [Gaussian(1.2), Laplacian(1.0), Linear(), Polynomial(2, 1.0), Gaussian(1.0) + Linear()]


def naive(kernel, X, Y, biased):
    """Sums over pairs, k(x, x) left out for the unbiased estimate."""
    n, m = len(X), len(Y)
    K, L, M = kernel.pairwise(X), kernel.pairwise(Y), kernel.pairwise(X, Y)
    if biased:
        return K.mean() + L.mean() - 2 * M.mean()
    inside = sum(K[i, j] for i in range(n) for j in range(n) if i != j) / (n * (n - 1))
    inside += sum(L[i, j] for i in range(m) for j in range(m) if i != j) / (m * (m - 1))
    return inside - 2 * M.mean()


@pytest.mark.parametrize("kernel", KERNELS, ids=repr)
@pytest.mark.parametrize("estimate", ["biased", "unbiased"])
def test_the_estimates_are_their_definitions(kernel, estimate):
    found = rkhs.mmd(kernel, X, Y, estimate=estimate, n_permutations=5)
    assert found.statistic == pytest.approx(naive(kernel, X, Y, estimate == "biased"), rel=1e-10)


def test_unbiased_is_the_default_and_biased_is_a_distance_of_barycentres():
    kernel = Gaussian(1.2)
    assert rkhs.mmd(kernel, X, Y, n_permutations=1).statistic == pytest.approx(
        naive(kernel, X, Y, False), rel=1e-10
    )
    biased = rkhs.mmd(kernel, X, Y, estimate="biased", n_permutations=0)
    mu, nu = rkhs.mean_embedding(kernel, X), rkhs.mean_embedding(kernel, Y)
    assert math.sqrt(biased.statistic) == pytest.approx(mu.distance(nu), rel=1e-10)
    assert math.isnan(biased.p_value) and biased.reference.size == 0


def test_for_the_linear_kernel_it_is_the_distance_of_the_means_far_from_the_origin():
    found = rkhs.mmd(Linear(), X + 1e8, Y + 1e8, estimate="biased", n_permutations=0)
    far = (X + 1e8) - 1e8, (Y + 1e8) - 1e8
    expected = np.sum((far[0].mean(axis=0) - far[1].mean(axis=0)) ** 2)
    assert found.statistic == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize("estimate", ["biased", "unbiased"])
def test_the_reference_values_are_those_of_relabelled_points(estimate):
    """The same seed draws the same labels, in one pass or many, stored or in tiles."""
    kernel = Gaussian(1.2)
    found = rkhs.mmd(kernel, X, Y, estimate=estimate, n_permutations=20, random_state=3)
    labels = np.r_[np.ones(14), np.zeros(9)]
    rng, Z = np.random.default_rng(3), np.vstack([X, Y])
    for value in found.reference:
        drawn = rng.permuted(labels[None], axis=1)[0] == 1
        expected = naive(kernel, Z[drawn], Z[~drawn], estimate == "biased")
        assert value == pytest.approx(expected, rel=1e-9, abs=1e-14)
    assert found.p_value == (1 + np.sum(found.reference >= found.statistic)) / 21
    tight = rkhs.mmd(
        kernel, X, Y, estimate=estimate, n_permutations=20, random_state=3, memory=5000
    )
    np.testing.assert_allclose(tight.reference, found.reference, rtol=1e-12)


@pytest.mark.slow
def test_linear_time_is_the_mean_of_independent_terms():
    kernel, n = Gaussian(1.2), 1000
    big, other = cloud(n, 2), cloud(n, 2, seed=1) + np.array([1.5, 0.0])
    found = rkhs.mmd(kernel, big, other, estimate="linear", n_permutations=199)
    full = naive_fast(kernel, big, other)
    assert found.statistic == pytest.approx(full, abs=4 * 0.4 / math.sqrt(n / 2))
    assert found.p_value == 1 / 200
    assert found.reference.std() == pytest.approx(0.4 / math.sqrt(n / 2), rel=0.5)


def naive_fast(kernel, X, Y):
    n = len(X)
    K, L, M = kernel.pairwise(X), kernel.pairwise(Y), kernel.pairwise(X, Y)
    return (K.sum() + L.sum() - 2 * n) / (n * (n - 1)) - 2 * M.mean()


@pytest.mark.slow
@pytest.mark.parametrize("estimate", ["biased", "unbiased", "linear"])
def test_level_and_power(estimate):
    """200 pairs of samples of one law: 5 % are rejected, within what chance allows."""
    rng = np.random.default_rng(0)
    options = {"estimate": estimate, "n_permutations": 99}
    rejected = power = 0
    for seed in range(200):
        A, B = rng.standard_normal((16, 2)), rng.standard_normal((24, 2))
        rejected += rkhs.mmd(Gaussian(1.0), A, B, random_state=seed, **options).p_value <= 0.05
        if seed < 40:
            shifted = rkhs.mmd(Gaussian(1.0), A, B + 2.0, random_state=seed, **options)
            power += shifted.p_value <= 0.05
    low, high = binom(200, 0.05).interval(0.999)
    assert low <= rejected <= high
    assert power >= (36 if estimate != "linear" else 20)


def test_the_same_seed_gives_the_same_numbers():
    one, two = (rkhs.mmd("gaussian", X, Y, random_state=7) for _ in range(2))
    assert one.p_value == two.p_value and np.array_equal(one.reference, two.reference)


def test_the_median_is_that_of_both_samples():
    both = gm.kernels.median_scale(np.vstack([X, Y]))
    expected = naive(Gaussian(both), X, Y, False)
    assert rkhs.mmd("gaussian", X, Y, n_permutations=0).statistic == pytest.approx(expected)


def test_words_and_torch():
    one, two = ["banana", "bandana", "cabana"], ["zzz", "zzzz", "zyz", "zzy"]
    found = rkhs.mmd(Spectrum(k=2), one, two, n_permutations=99)
    assert found.statistic == pytest.approx(naive(Spectrum(k=2), one, two, False), rel=1e-12)
    t = rkhs.mmd(Gaussian(1.2), torch.asarray(X), torch.asarray(Y), n_permutations=20)
    n = rkhs.mmd(Gaussian(1.2), X, Y, n_permutations=20)
    np.testing.assert_allclose(t.reference, n.reference, rtol=1e-9, atol=1e-14)


@pytest.mark.slow
def test_memory_does_not_grow_with_the_square():
    """4,000 + 4,000 points: a Gram matrix would take 512 MB."""
    A, B = cloud(4000, 2), cloud(4000, 2, seed=1)
    tracemalloc.start()
    rkhs.mmd(Gaussian(1.0), A, B, n_permutations=0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 60e6


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"estimate": "quick"}, "estimate"),
        ({"n_permutations": -1}, "n_permutations"),
        ({"n_permutations": 2.5}, "n_permutations"),
        ({"Y": Y[:, :2]}, "columns"),
        ({"Y": Y[:1]}, "at least 2"),
        ({"Y": Y * np.nan}, "NaN"),
    ],
    ids=["estimate", "negative", "fraction", "columns", "one row", "nan"],
)
def test_refusals(options, words):
    given = {"kernel": "gaussian", "X": X, "Y": Y} | options
    with pytest.raises(gm.errors.InputError, match=words):
        rkhs.mmd(**given)


def test_torch_rows_give_the_same_test_as_numpy_rows():
    rng = np.random.default_rng(3)
    X, Y = rng.normal(size=(40, 3)), rng.normal(size=(30, 3)) + 0.3
    here = rkhs.mmd(Gaussian(1.2), X, Y, n_permutations=300, random_state=0)
    there = rkhs.mmd(
        Gaussian(1.2), torch.asarray(X), torch.asarray(Y), n_permutations=300, random_state=0
    )
    assert there.statistic == pytest.approx(here.statistic, rel=1e-12)
    np.testing.assert_allclose(there.reference, here.reference, atol=1e-13)
