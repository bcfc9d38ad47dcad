"""A large mean costs PCA no digits, on any path."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
import scipy.sparse
import torch

import gramian as gm

from .exact import assert_digits, covariance, digits_of, eigenvalues

pytestmark = pytest.mark.slow


SHAPES = {"tall": (40, 4), "wide": (7, 12)}
OFFSETS = {0.0: 13, 1e4: 13, 1e8: 13, 1e10: 12}


@cache
def data(shape, offset, dtype="float64"):
    """Rows with column variances between 9 and 0.2, then moved by offset, columns apart."""
    n, p = SHAPES[shape]
    rng = np.random.default_rng(7)
    spread = np.geomspace(3.0, 0.5, p)
    shift = offset * np.linspace(1.0, 2.0, p) * np.where(np.arange(p) % 2, -1.0, 1.0)
    X = (rng.standard_normal((n, p)) * spread + shift).astype(dtype)
    X.setflags(write=False)
    return X


@cache
def weights(n):
    return np.random.default_rng(8).uniform(0.5, 3.0, n)


@cache
def truth(shape, offset, weighted=False, scale=False, dtype="float64"):
    X = data(shape, offset, dtype)
    A = covariance(X, weights(len(X)) if weighted else None, scale)
    rank = min(len(X) - 1, X.shape[1])
    return eigenvalues(A)[:rank], sum(A[j, j] for j in range(X.shape[1]))


def blocks(X):
    """Uneven blocks of rows, one of a single row."""
    cuts = [0, 1, 3, len(X) // 2 + 1, len(X)]
    return [X[a:b].copy() for a, b in pairwise(cuts)]


def streamed(est, X):
    return est.fit(blocks(X))


def generated(est, X):
    return est.fit(block for block in blocks(X))


def partial(est, X):
    for block in blocks(X)[1:]:
        est.partial_fit(block)
    return est.partial_fit(X[:1])


PATHS = {
    "dense": lambda est, X: est.fit(X),
    "sparse": lambda est, X: est.fit(scipy.sparse.csr_matrix(X)),
    "list of blocks": streamed,
    "generator of blocks": generated,
    "partial_fit": partial,
    "torch": lambda est, X: est.fit(torch.from_numpy(X.copy())),
}


def check(est, expected, digits):
    values, total = expected
    assert_digits(est.eigenvalues_[: len(values)], values, digits)
    assert_digits([float(est.inertia_)], [total], digits)
    rest = np.asarray(est.eigenvalues_[len(values) :], dtype=float)
    assert np.all(np.abs(rest) <= 1e-13 * float(total))


@pytest.mark.parametrize("scale", [False, True], ids=["raw", "scaled"])
@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("path", PATHS)
def test_eigenvalues_keep_their_digits(path, shape, offset, scale):
    est = PATHS[path](gm.PCA(scale=scale), data(shape, offset))
    check(est, truth(shape, offset, scale=scale), OFFSETS[offset])


@pytest.mark.parametrize("scale", [False, True], ids=["raw", "scaled"])
@pytest.mark.parametrize("offset", OFFSETS)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("path", ["dense", "sparse", "torch"])
def test_weighted_eigenvalues_keep_their_digits(path, shape, offset, scale):
    X = data(shape, offset)
    given = {
        "dense": X,
        "sparse": scipy.sparse.csr_matrix(X),
        "torch": torch.from_numpy(X.copy()),
    }[path]
    est = gm.PCA(scale=scale).fit(given, sample_weight=weights(len(X)))
    check(est, truth(shape, offset, weighted=True, scale=scale), OFFSETS[offset])


@pytest.mark.parametrize("offset", [0.0, 1e2, 1e4])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("path", PATHS)
def test_float32_input_keeps_its_digits(path, shape, offset):
    est = PATHS[path](gm.PCA(), data(shape, offset, "float32"))
    values, total = truth(shape, offset, dtype="float32")
    assert_digits(est.eigenvalues_[: len(values)], values, 6.5)
    assert_digits([float(est.inertia_)], [total], 6.5)


def test_a_sparse_matrix_with_empty_cells_and_one_far_column():
    rng = np.random.default_rng(9)
    X = np.where(rng.random((60, 5)) < 0.2, rng.standard_normal((60, 5)), 0.0)
    X[:, 2] = 1e8 + rng.standard_normal(60)
    est = gm.PCA().fit(scipy.sparse.csr_matrix(X))
    assert_digits(est.eigenvalues_, eigenvalues(covariance(X)), 13)


def test_a_stream_whose_first_block_is_far_from_the_rest():
    rng = np.random.default_rng(10)
    X = rng.standard_normal((50, 3)) * [3.0, 1.0, 0.3]
    X[:2] += 1e4
    est = gm.PCA().fit([X[:2], X[2:20], X[20:]])
    expected = eigenvalues(covariance(X))
    # The far rows carry an inertia of 1e6: what is left of 16 digits bounds the small axes.
    for value, exact in zip(est.eigenvalues_, expected, strict=True):
        assert abs(value - float(exact)) <= 1e-14 * float(expected[0])


def test_the_textbook_formula_would_fail_here():
    X = data("tall", 1e8)
    expected, _ = truth("tall", 1e8)
    m = X.mean(axis=0)
    naive = np.linalg.eigvalsh(X.T @ X / len(X) - np.outer(m, m))[::-1]
    centred = X - X[0]
    centred = centred - centred.mean(axis=0)
    good = np.linalg.svd(centred, compute_uv=False) ** 2 / len(X)
    assert digits_of(naive, expected) < 3
    assert digits_of(good, expected) > 14
