"""gm.distances: shapes, kinds, names and refusals (its digits are tested under reliability)."""

import numpy as np
import pandas as pd
import pytest
import torch
from scipy import sparse
from scipy.spatial.distance import cdist
from tests import naive
from tests.contracts.kernel import cloud

import gramian as gm
from gramian import distances
from gramian.distances import tables

X, Y = cloud(), cloud(7, seed=9)


def test_squared_euclidean_is_the_twin():
    twin = naive.squared_distance
    np.testing.assert_allclose(distances.squared_euclidean(X, Y), naive.pairwise(twin, X, Y))
    D = distances.squared_euclidean(X)
    np.testing.assert_allclose(D, naive.pairwise(twin, X), rtol=1e-12)
    assert np.array_equal(D, D.T) and not np.diag(D).any()


def test_euclidean_is_its_root():
    np.testing.assert_allclose(distances.euclidean(X, Y), cdist(X, Y), rtol=1e-12)


@pytest.mark.parametrize("size", [1, 5, 22, 23, 100])
def test_tiles(size, monkeypatch):
    whole = distances.squared_euclidean(X)
    monkeypatch.setattr(tables, "_TILE_ROWS", size)
    D = distances.squared_euclidean(X)
    np.testing.assert_allclose(D, whole, rtol=1e-12)
    assert np.array_equal(D, D.T)
    expected = naive.pairwise(naive.squared_distance, X, Y)
    np.testing.assert_allclose(distances.squared_euclidean(X, Y), expected, rtol=1e-12)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=str)
def test_torch(dtype):
    D = distances.euclidean(torch.asarray(X, dtype=dtype), torch.asarray(Y, dtype=dtype))
    assert isinstance(D, torch.Tensor) and D.dtype == dtype
    rtol = 1e-12 if dtype == torch.float64 else 1e-5
    np.testing.assert_allclose(D.numpy(), cdist(X, Y), rtol=rtol)


def test_sparse_and_frames_and_integers():
    Z = np.round(3 * X).astype(int)
    expected = cdist(Z, Z, "sqeuclidean")
    for table in (sparse.csr_array(Z), pd.DataFrame(Z), Z.tolist(), Z.astype("i1")):
        np.testing.assert_allclose(distances.squared_euclidean(table), expected, rtol=1e-12)
    mixed = distances.squared_euclidean(sparse.csr_array(Z), Z[:3])
    np.testing.assert_allclose(mixed, expected[:, :3], rtol=1e-12, atol=1e-12)


def test_one_row_against_one():
    assert distances.euclidean([[0.0, 0.0]], [[3.0, 4.0]]).tolist() == [[5.0]]
    assert distances.euclidean([[1.0]]).tolist() == [[0.0]]


@pytest.mark.parametrize("metric", ["cityblock", "chebyshev", "correlation", "braycurtis"])
def test_names_of_scipy(metric):
    Z, W = np.abs(X), np.abs(Y)
    assert np.array_equal(distances.pairwise(Z, W, metric), cdist(Z, W, metric))
    expected = cdist(Z, Z, metric)
    np.fill_diagonal(expected, 0.0)  # not the rounding that "correlation" leaves there
    assert np.array_equal(distances.pairwise(Z, metric=metric), expected)


def test_the_default_is_euclidean():
    assert np.array_equal(distances.pairwise(X, Y), distances.euclidean(X, Y))


def test_a_callable():
    assert np.array_equal(distances.pairwise(X, Y, cdist), cdist(X, Y))
    assert np.array_equal(distances.pairwise(X, metric=cdist), cdist(X, X))


def test_refusals():
    with pytest.raises(gm.errors.InputError, match="columns"):
        distances.squared_euclidean(X, Y[:, :2])
    with pytest.raises(gm.errors.InputError, match="no such"):
        distances.pairwise(X, metric="no such")
    with pytest.raises(gm.errors.InputError, match="sparse"):
        distances.pairwise(sparse.csr_array(X), metric="cityblock")
    with pytest.raises(gm.errors.InputError, match="Tensor"):
        distances.pairwise(torch.asarray(X), metric="cityblock")
    with pytest.raises(gm.errors.InputError, match="NaN"):
        distances.euclidean(np.where(X[2, 1] == X, np.nan, X))
    with pytest.raises(gm.errors.InputError):
        distances.pairwise(X, Y[:, :2], "cityblock")
