"""The median heuristic."""

import numpy as np
import pytest
import torch
from scipy import sparse
from tests import naive
from tests.contracts.kernel import cloud

import gramian as gm
from gramian.kernels import Gaussian, median_scale
from gramian.kernels.bandwidth import EXACT_UP_TO, weighted_median

X = cloud(20, 3)


@pytest.mark.parametrize("n", [2, 3, 8, 9, 20])
def test_median_by_definition(n):
    assert median_scale(X[:n]) == pytest.approx(naive.median_scale(X[:n]), rel=1e-12)


def test_the_gaussian_is_one_over_e_at_the_median_distance():
    points = np.array([[0.0], [1.0], [3.0]])  # squared distances 1, 4, 9
    K = Gaussian().pairwise(points)
    assert K[1, 2] == pytest.approx(np.exp(-1), rel=1e-14)


def test_pairs_at_distance_zero_do_not_count():
    assert median_scale(np.repeat(X, 3, axis=0)) == pytest.approx(median_scale(X), rel=1e-12)


def test_whole_weights_are_repeated_rows():
    weight = np.array([1, 3, 2, 1, 1, 2, 1, 4, 1, 1, 2, 3, 1, 1, 1, 2, 1, 1, 3, 1])
    expected = naive.median_scale(X, weight.tolist())
    assert median_scale(X, weight) == pytest.approx(expected, rel=1e-12)
    assert median_scale(np.repeat(X, weight, axis=0)) == pytest.approx(expected, rel=1e-12)


def test_weight_zero_does_not_count():
    weight = np.r_[np.ones(15), np.zeros(5)]
    assert median_scale(X, weight) == pytest.approx(median_scale(X[:15]), rel=1e-12)


def test_even_number_of_pairs_takes_the_mean_of_the_middle_two():
    points = np.array([[0.0], [1.0], [3.0], [7.0]])  # 1, 4, 9, 16, 36, 49
    assert median_scale(points) == pytest.approx(np.sqrt(12.5 / 2), rel=1e-14)


@pytest.mark.parametrize("factor", [1e-200, 1e-8, 1e8, 1e150], ids=str)
def test_scale_follows_the_data(factor):
    assert median_scale(X * factor) == pytest.approx(median_scale(X) * factor, rel=1e-12)


def test_an_offset_changes_nothing():
    assert median_scale(np.round(X * 2**10) / 2**10 + 2**30) == pytest.approx(
        median_scale(np.round(X * 2**10) / 2**10), rel=1e-12
    )


def test_other_kinds_of_arrays():
    expected = median_scale(X)
    assert median_scale(torch.asarray(X)) == pytest.approx(expected, rel=1e-12)
    assert median_scale(sparse.csr_array(X)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.slow
def test_a_large_table_is_sampled_the_same_way_every_time():
    Z = cloud(EXACT_UP_TO + 500, 2)
    scale = median_scale(Z)
    assert median_scale(Z) == scale
    # 2,000 rows make two million pairs: the sampled median is within a few percent.
    first = median_scale(Z[:EXACT_UP_TO])
    assert scale != first and scale == pytest.approx(first, rel=0.05)


@pytest.mark.parametrize("points", [np.ones((5, 2)), np.zeros((2, 1))], ids=str)
def test_equal_rows_have_no_scale(points):
    with pytest.raises(gm.errors.InputError, match="constant"):
        median_scale(points)


def test_kernel_pca_uses_the_weights():
    weight = np.arange(1, 21)
    fitted = gm.KernelPCA(2).fit(X, sample_weight=weight)
    expected = naive.median_scale(X, weight.tolist())
    assert fitted.kernel_.scale == pytest.approx(expected, rel=1e-12)


def sorted_median(d2, p):
    """The definition: all pairs in order, and where half of their mass is reached."""
    i, j = np.triu_indices(len(d2), 1)
    pairs = sorted((d2[a, b], p[a] * p[b]) for a, b in zip(i, j, strict=True) if d2[a, b] > 0)
    values, mass = (np.array(part) for part in zip(*pairs, strict=True))
    reached = np.cumsum(mass) / mass.sum()
    low, high = (min((reached < 0.5 + e).sum(), len(values) - 1) for e in (-1e-12, 1e-12))
    return 0.5 * (values[low] + values[high])


@pytest.mark.parametrize("table", ["normal", "ties", "one far row", "equal distances"])
def test_a_weighted_median_is_that_of_sorted_pairs(table):
    rng = np.random.default_rng(0)
    for n in (3, 8, 31):
        X = rng.integers(0, 4, (n, 2)).astype(float) if table == "ties" else rng.normal(size=(n, 2))
        X = np.eye(n) if table == "equal distances" else X
        X[0] *= 1e6 if table == "one far row" else 1.0
        d2 = ((X[:, None] - X[None]) ** 2).sum(axis=-1)
        p = rng.multinomial(n, np.full(n, 1.0 / n)) + 0.25
        assert weighted_median(d2, p) == pytest.approx(sorted_median(d2, p), rel=1e-14)
        there = weighted_median(torch.asarray(d2), p)
        assert there == pytest.approx(sorted_median(d2, p), rel=1e-14)
