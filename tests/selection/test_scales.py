"""Scales that rules suggest, against loops over pairs."""

import math

import numpy as np
import pytest
from scipy import sparse

import gramian as gm

X = np.random.default_rng(5).standard_normal((23, 3)) * [1.0, 2.0, 0.5]


def naive(X):
    n, p = X.shape
    D = [[math.dist(x, y) for y in X] for x in X]
    d2 = [D[i][j] ** 2 for i in range(n) for j in range(i) if D[i][j] > 0]
    near = [sorted(v for v in row if v > 0)[6] for row in D]
    sigma = math.sqrt(np.mean([np.var(column) for column in X.T]))
    return {
        "median": math.sqrt(np.median(d2) / 2),
        "mean": math.sqrt(np.mean(d2) / 2),
        "quantile 0.1": math.sqrt(np.quantile(d2, 0.1) / 2),
        "quantile 0.9": math.sqrt(np.quantile(d2, 0.9) / 2),
        "neighbour": np.median(near),
        "silverman": sigma * (4 / ((p + 2) * n)) ** (1 / (p + 4)),
        "scott": sigma * n ** (-1 / (p + 4)),
    }


def test_against_loops():
    found, expected = gm.kernels.scales(X), naive(X)
    assert list(found.index) == list(expected)
    np.testing.assert_allclose(found, list(expected.values()), rtol=1e-12)
    assert found["median"] == pytest.approx(gm.kernels.median_scale(X), rel=1e-12)


@pytest.mark.parametrize("unit", [1e-200, 1e-5, 1e200])
def test_scales_have_the_unit_of_the_data(unit):
    np.testing.assert_allclose(gm.kernels.scales(X * unit), gm.kernels.scales(X) * unit, rtol=1e-12)


def test_an_offset_costs_nothing():
    np.testing.assert_allclose(gm.kernels.scales(X + 1e6), gm.kernels.scales(X), rtol=1e-8)


def test_sparse_rows():
    S = np.where(np.abs(X) > 0.5, X, 0.0)
    np.testing.assert_allclose(
        gm.kernels.scales(sparse.csr_array(S)), gm.kernels.scales(S), rtol=1e-10
    )


def test_copies_do_not_count_as_pairs():
    twice = np.vstack([X, X])
    found = gm.kernels.scales(twice)[["mean", "quantile 0.1"]]
    np.testing.assert_allclose(found, gm.kernels.scales(X)[["mean", "quantile 0.1"]], rtol=0.02)


def test_few_points_and_constant_ones():
    assert gm.kernels.scales([[0.0], [2.0]])["neighbour"] == 2.0
    with pytest.raises(ValueError, match="constant"):
        gm.kernels.scales(np.ones((5, 2)))
