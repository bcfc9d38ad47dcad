"""Bases of tall arrays: by Cholesky's factor where columns are apart, by QR where they are not."""

import numpy as np
import pytest

from gramian._core.array import cholesky_basis, orthonormal

N = 5_000
W = np.random.default_rng(0).standard_normal((N, 6))


def same_span(Q, W):
    U = np.linalg.svd(W, full_matrices=False)[0]
    return np.allclose(U @ (U.T @ Q), Q, atol=1e-5 if Q.dtype == np.float32 else 1e-11)


@pytest.mark.parametrize("kind", ["f4", "f8"])
@pytest.mark.parametrize("size", [1e-30, 1.0, 1e30])
def test_columns_that_are_apart(kind, size):
    V = (W * size * np.logspace(-3, 3, 6) + size * 1e-3 * W[:, :1]).astype(kind)
    Q = cholesky_basis(V, 0.0)
    assert Q is not None and Q.dtype == kind
    np.testing.assert_allclose(Q.T @ Q, np.eye(6), atol=1e-6 if kind == "f4" else 1e-15 * N**0.5)
    assert same_span(orthonormal(V), V.astype(float))


@pytest.mark.parametrize("kind", ["f4", "f8"])
@pytest.mark.parametrize("apart", [1.0, 1e-3, 1e-7])
def test_columns_that_nearly_depend(kind, apart):
    other = np.random.default_rng(1).standard_normal(N)
    V = np.c_[W, W[:, 0] + apart * other].astype(kind)
    assert (cholesky_basis(V, 0.0) is None) == (apart < 0.01)
    Q = orthonormal(V)
    np.testing.assert_allclose(Q.T @ Q, np.eye(7), atol=1e-6 if kind == "f4" else 1e-13)


@pytest.mark.parametrize("last", [1e-200, 1e200, 0.0, np.nan])
def test_columns_out_of_range_are_left_to_qr(last):
    assert cholesky_basis(np.c_[W, np.full(N, last)], 0.0) is None


def test_short_columns_are_dropped():
    V = np.c_[W, 1e-9 * W[:, 0] + 1e-12 * W[:, 1]]
    assert orthonormal(V, floor=1e-8).shape == (N, 6)
    assert orthonormal(1e-6 * W, floor=1.0).shape == (N, 0)
