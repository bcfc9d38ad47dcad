"""Eigenpairs in double precision from products most of which are in single precision."""

import numpy as np
import pytest
from tests.contracts.kernel import cloud

from gramian._core.operators.gram import CenteredGram, DenseGram
from gramian._core.spectral.refine import Corrected, refine
from gramian.kernels import Gaussian

N, Q = 300, 4
K = Gaussian(1.5)(cloud(N, 3))
CENTRED = (K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()) / N
VALUES, VECTORS = (part[..., ::-1] for part in np.linalg.eigh(CENTRED))


class Counted(DenseGram):
    """A matrix that counts its products."""

    products = 0

    def matmul(self, V):
        self.products += 1
        return super().matmul(V)


@pytest.fixture
def exact():
    return CenteredGram(Counted(K))


@pytest.fixture
def low():
    return CenteredGram(Counted(K.astype("f4")))


def near(columns, size, seed=0):
    """The leading eigenvectors with errors of some size, in single precision."""
    noise = np.random.default_rng(seed).standard_normal((N, columns))
    return (VECTORS[:, :columns] + size / np.sqrt(N) * noise).astype("f4")


def test_it_is_the_operator_where_one_side_is_in_the_span(exact, low):
    M = Corrected(exact, low, near(9, 1e-2))
    W = cloud(N, 5, seed=1)
    np.testing.assert_allclose(M.matmul(M.U), CENTRED @ M.U, atol=1e-15)
    np.testing.assert_allclose(M.U.T @ M.matmul(W), M.U.T @ CENTRED @ W, atol=1e-14)
    np.testing.assert_allclose(M.matmul(W), CENTRED @ W, atol=1e-6)
    assert not np.allclose(M.matmul(W), CENTRED @ W, rtol=0, atol=1e-10)
    np.testing.assert_allclose(M.dense(), CENTRED, atol=1e-7)
    assert M.trace() == exact.trace() and M.like is exact.like


@pytest.mark.parametrize("size", [1e-6, 1e-3, 0.3])
@pytest.mark.parametrize("tol", [1e-8, 1e-12])
def test_residuals_are_those_of_the_exact_operator(exact, low, size, tol):
    noise = low.null_level(1.0)
    before = exact.gram.products
    pairs, cheap = refine(exact, low, Q, near(8, size), tol=tol, noise=noise, scale=1.0)
    rest = np.linalg.norm(CENTRED @ pairs.vectors - pairs.vectors * pairs.values, axis=0)
    assert (rest <= tol * VALUES[0]).all() and (rest <= pairs.residuals + 1e-16).all()
    np.testing.assert_allclose(pairs.values, VALUES[:Q], rtol=1e-13)
    np.testing.assert_allclose(pairs.image, CENTRED @ pairs.vectors, atol=tol * VALUES[0])
    assert exact.gram.products - before == pairs.products <= 3
    assert cheap > 0


def test_an_operator_that_is_not_the_same_is_found_out(exact):
    """Then all products are exact."""
    other = CenteredGram(DenseGram((K + np.eye(N)).astype("f4")))
    pairs, _ = refine(exact, other, Q, near(8, 0.5), tol=1e-9, noise=1.0, scale=1.0)
    rest = np.linalg.norm(CENTRED @ pairs.vectors - pairs.vectors * pairs.values, axis=0)
    assert (rest <= 1e-9 * VALUES[0]).all()
