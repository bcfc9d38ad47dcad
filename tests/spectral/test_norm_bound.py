"""The bound of a matrix in memory: its norm outside the axes, which no eigenvalue there exceeds."""

import numpy as np
import pytest

import gramian as gm
from gramian._core.operators.gram import CenteredGram, DenseGram
from gramian._core.spectral.krylov import KrylovResult, Ritz
from gramian._core.spectral.probe import norm_bound
from gramian.kernels import Gaussian

RANDOM = np.random.default_rng(0)
X = RANDOM.standard_normal((60, 3))
WEIGHTS = [None, RANDOM.dirichlet(np.ones(60))]
ids = ["equal", "weighted"]


def operator(p, size=1.0):
    """Return the centred operator, its matrix by the formula, and the matrix's eigenpairs."""
    K = size * Gaussian(1.5)(X)
    q = np.full(60, 1 / 60) if p is None else p
    H = np.eye(60) - np.ones((60, 1)) * q
    M = np.sqrt(q)[:, None] * (H @ K @ H.T) * np.sqrt(q)
    values, V = np.linalg.eigh(M)
    return CenteredGram(DenseGram(K), p), M, values[::-1], V[:, ::-1]


def pairs(M, V, columns, following=None):
    U = V[:, columns]
    values = np.diag(U.T @ M @ U)
    return KrylovResult(values, U, M @ U, np.zeros(len(values)), 0, True, None, following=following)


@pytest.mark.parametrize("size", [1.0, 1e-200, 1e200])
@pytest.mark.parametrize("p", WEIGHTS, ids=ids)
def test_the_level_is_the_norm_of_what_is_left(p, size):
    A, M, values, V = operator(p)
    A = CenteredGram(DenseGram(size * A.gram.K), p)
    level = norm_bound(A, pairs(size * M, V, slice(0, 4))).level
    assert level == pytest.approx(size * np.sqrt((values[4:] ** 2).sum()), rel=1e-9)


@pytest.mark.parametrize("missing", range(5))
def test_an_axis_that_is_missing_is_below_the_level(missing):
    A, M, values, V = operator(None)
    others = [k for k in range(6) if k != missing]
    assert norm_bound(A, pairs(M, V, others)).level >= values[missing]


@pytest.mark.parametrize("p", WEIGHTS, ids=ids)
def test_approximate_eigenvectors_sharpen_the_level_and_it_holds(p):
    A, M, values, V = operator(p)
    for seed in range(20):
        noise = np.random.default_rng(seed).standard_normal((60, 10))
        Y = np.linalg.qr(V[:, :14] + np.c_[np.zeros((60, 4)), 1e-4 * noise])[0][:, 4:]
        theta, S = np.linalg.eigh(Y.T @ M @ Y)
        theta, Y = theta[::-1], Y @ S[:, ::-1]
        residuals = np.linalg.norm(M @ Y - Y * theta, axis=0)
        following = Ritz(theta, Y, M @ Y, residuals)
        plain = norm_bound(A, pairs(M, V, slice(0, 4))).level
        sharp = norm_bound(A, pairs(M, V, slice(0, 4), following)).level
        assert values[4] <= sharp < 0.8 * plain


def test_an_operator_out_of_memory_has_none():
    class Products(CenteredGram):
        def dense_parts(self):
            return None

    A, M, _, V = operator(None)
    assert norm_bound(Products(A.gram), pairs(M, V, slice(0, 4))) is None


def test_a_spectrum_that_decays_is_certain_and_a_flat_one_is_probed():
    curve = np.linspace(0.0, 3.0, 450)[:, None] ** [1.0, 2.0, 3.0]
    certain = gm.KernelPCA(3, kernel=Gaussian(3.0)).fit(curve).certificate_
    assert certain.complete
    assert certain.missed_probability == 0.0
    assert "norm" in certain.method
    flat = gm.KernelPCA(3, kernel=Gaussian(4.0)).fit(RANDOM.standard_normal((450, 12))).certificate_
    assert flat.complete
    assert flat.missed_probability > 0.0
    assert "random columns" in flat.method
