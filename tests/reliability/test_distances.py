"""Squared distances to twelve digits, pair by pair, where the usual expansion loses them all."""

from functools import cache

import numpy as np
import pytest
import torch

import gramian as gm

from .exact import integers, squared_distances

pytestmark = pytest.mark.slow


N = 24


def base(p, n=N):
    return np.random.default_rng(100 + p).standard_normal((n, p))


def two_clusters(p, n=N):
    return base(p, n) + np.where(np.arange(n) % 2, 1e8, -1e8)[:, None]


def outlier(p, n=N):
    X = base(p, n)
    X[n // 3] += 1e12
    return X


def ten_clusters(p, n=N):
    return base(p, n) + np.linspace(1e6, 1e7, 10)[np.arange(n) % 10, None]


def near_duplicates(p, n=N):
    X = base(p, n)
    X[1::2] = X[::2] + 1e-9 * np.random.default_rng(1).standard_normal((n // 2, p))
    return X


def far_near_duplicates(p, n=N):
    """Pairs 1e-9 apart in a cloud that also holds a far cluster."""
    X = near_duplicates(p, n)
    X[: n // 4] += 1e5
    return X


CLOUDS = {
    "plain": base,
    "offset 1e8": lambda p, n=N: base(p, n) + 1e8,
    "two clusters": two_clusters,
    "outlier at 1e12": outlier,
    "ten clusters": ten_clusters,
    "near duplicates": near_duplicates,
    "near duplicates, far cluster": far_near_duplicates,
    "mixed columns": lambda p, n=N: base(p, n) * np.geomspace(1e-6, 1e6, p),
}


@cache
def cloud(name, p, n=N):
    X = CLOUDS[name](p, n)
    X.setflags(write=False)
    return X


def assert_exact_digits(D2, truth, digits=12):
    """Every pair to `digits` digits; exact zeros where rows are equal."""
    exact, s = truth
    computed, t = integers(np.asarray(D2, dtype=float))
    assert computed.shape == exact.shape
    error = np.abs(computed * 4**s - exact * 2**t) * 10**digits
    bad = error > exact * 2**t
    assert not bad.any(), f"{bad.sum()} of {bad.size} pairs, first {np.argwhere(bad)[0]}"


def brute(X, Y):
    """Differences in long double, for sizes where integers are slow (about 18 digits)."""
    D2 = np.empty((len(X), len(Y)), dtype=np.longdouble)
    for i, x in enumerate(X.astype(np.longdouble)):
        D2[i] = ((x - Y) ** 2).sum(axis=1)
    return D2


@pytest.mark.parametrize("p", [1, 2, 20, 300])
@pytest.mark.parametrize("name", CLOUDS)
def test_every_pair_has_twelve_digits(name, p):
    X = cloud(name, p)
    D2 = gm.distances.squared_euclidean(X)
    assert_exact_digits(D2, squared_distances(X))
    assert np.array_equal(D2, D2.T)
    assert np.all(np.diag(D2) == 0)
    assert np.all(D2 >= 0)


@pytest.mark.parametrize("p", [1, 2, 20, 300])
@pytest.mark.parametrize("name", CLOUDS)
def test_every_pair_of_two_sets_has_twelve_digits(name, p):
    X = cloud(name, p)
    Y = np.vstack([X[5:9], X[::3] + 0.25, X[:2] + 1e-9])
    D2 = gm.distances.squared_euclidean(X, Y)
    assert_exact_digits(D2, squared_distances(X, Y))
    assert np.all(D2 >= 0)
    for k in range(4):
        assert D2[5 + k, k] == 0


@pytest.mark.parametrize("p", [2, 40])
@pytest.mark.parametrize("name", CLOUDS)
def test_sizes_that_are_cut_in_tiles(name, p):
    X = cloud(name, p, 1200)
    D2 = gm.distances.squared_euclidean(X)
    rows = np.arange(0, 1200, 7)
    truth = brute(X[rows], X)
    assert np.all(np.abs(D2[rows] - truth) <= 1e-12 * truth)
    assert np.array_equal(D2, D2.T)
    assert np.all(np.diag(D2) == 0)
    assert D2.min() >= 0


@pytest.mark.parametrize("name", CLOUDS)
def test_two_sets_that_are_cut_in_tiles(name):
    X, Y = cloud(name, 20, 1200)[::2], cloud(name, 20, 1200)[1::2]
    D2 = gm.distances.squared_euclidean(X, Y)
    rows = np.arange(0, len(X), 5)
    truth = brute(X[rows], Y)
    assert np.all(np.abs(D2[rows] - truth) <= 1e-12 * truth)


@pytest.mark.parametrize("name", CLOUDS)
def test_torch_tensors_keep_the_digits(name):
    X = cloud(name, 20)
    D2 = gm.distances.squared_euclidean(torch.from_numpy(X.copy()))
    assert isinstance(D2, torch.Tensor)
    assert_exact_digits(D2.numpy(), squared_distances(X))


@pytest.mark.parametrize("p", [1, 3, 64])
def test_equal_rows_are_at_distance_zero(p):
    X = np.repeat(base(p, 10) * 1e3 + 1e6, 5, axis=0)
    D2 = gm.distances.squared_euclidean(X)
    same = np.arange(50)[:, None] // 5 == np.arange(50) // 5
    assert np.all(D2[same] == 0)
    assert np.all(D2[~same] > 0)
    assert np.array_equal(gm.distances.squared_euclidean(X, X.copy()) == 0, same)


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"])
def test_integers_are_promoted_before_squaring(dtype):
    info = np.iinfo(dtype)
    low, high = max(info.min, -(2**52)), min(info.max, 2**52)
    rng = np.random.default_rng(3)
    X = rng.integers(low, high, (15, 4), endpoint=True).astype(dtype)
    X[0], X[1] = low, high
    D2 = gm.distances.squared_euclidean(X)
    assert D2.dtype == np.float64
    assert_exact_digits(D2, squared_distances(X))
    assert_exact_digits(gm.distances.squared_euclidean(X[:6], X), squared_distances(X[:6], X))


@pytest.mark.parametrize("dtype", ["i8", "u8"])
def test_integers_that_float64_cannot_hold_are_right_or_refused(dtype):
    X = np.array([[2**60], [2**60 + 1], [2**60 + 300]], dtype=dtype)
    try:
        D2 = gm.distances.squared_euclidean(X)
    except (ValueError, TypeError) as error:
        assert "X" in str(error)
    else:
        assert np.array_equal(D2, [[0, 1, 300**2], [1, 0, 299**2], [300**2, 299**2, 0]])


def test_booleans_count_the_differences():
    X = np.random.default_rng(4).random((12, 9)) < 0.5
    expected = [[sum(a != b for a, b in zip(x, y, strict=True)) for y in X] for x in X]
    assert np.array_equal(gm.distances.squared_euclidean(X), expected)


@pytest.mark.parametrize("offset", [0.0, 1e2, 1e4])
@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_short_floats_are_taken_as_exact(dtype, offset):
    X = (base(6) + offset).astype(dtype)
    D2 = gm.distances.squared_euclidean(X)
    assert_exact_digits(D2, squared_distances(X), digits=6)
    assert np.array_equal(D2, D2.T)


@pytest.mark.parametrize("scale", [1e-150, 1e-100, 1e100, 1e150])
def test_scales_whose_squares_are_still_representable(scale):
    X = base(5) * scale
    assert_exact_digits(gm.distances.squared_euclidean(X), squared_distances(X))
