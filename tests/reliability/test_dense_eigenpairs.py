"""The dense solver on LAPACK's own test matrices, by LAPACK's own ratios."""

import numpy as np
import pytest

from gramian._core.spectral.dense import eigh

from .lapack_matrices import EPS, KINDS, matrix

pytestmark = pytest.mark.slow


def ratios(A, values, vectors):
    """|AV - VL| / (|A| n eps) and |VtV - I| / (n eps) in the 1-norm, in long double."""
    n = len(A)
    top = np.abs(A).max()
    unit = 2.0 ** -np.frexp(top)[1] if top > 0 else 1.0
    A = np.asarray(np.ldexp(A, int(np.log2(unit))), dtype=np.longdouble)
    w = np.asarray(np.ldexp(values, int(np.log2(unit))), dtype=np.longdouble)
    V = np.asarray(vectors, dtype=np.longdouble)
    norm = np.abs(A).sum(axis=0).max()
    residual = np.abs(A @ V - V * w).sum(axis=0).max()
    first = residual / (norm * n * EPS) if norm > 0 else residual
    second = np.abs(V.T @ V - np.eye(n)).sum(axis=0).max() / (n * EPS)
    return float(first), float(second)


def check(A, known=None):
    given = A.copy()
    A.setflags(write=False)
    values, vectors = eigh(A)
    n = len(A)
    assert np.array_equal(A, given)
    assert values.shape == (n,)
    assert vectors.shape == (n, n)
    assert np.all(np.isfinite(values)) and np.all(np.isfinite(vectors))
    assert np.all(values[:-1] >= values[1:])
    first, second = ratios(A, values, vectors)
    assert first <= 10
    assert second <= 10
    if known is not None:
        assert np.all(np.abs(values - known) <= 10 * n * EPS * np.abs(known).max())


@pytest.mark.parametrize("n", [1, 2, 3, 60, 130])
@pytest.mark.parametrize("kind", KINDS)
def test_lapack_kinds(kind, n):
    check(*matrix(kind, n))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("kind", [8, 9, 10, 13, 17, 18, 21])
def test_other_draws_of_the_dense_kinds(kind, seed):
    check(*matrix(kind, 60, seed=50 + seed))


@pytest.mark.parametrize("size", [1e-300, 1e-200, 1e200, 1e300])
@pytest.mark.parametrize("kind", [2, 4, 8, 13, 16])
def test_close_to_overflow_and_underflow(kind, size):
    A, known = matrix(kind, 60)
    check(A * size, None if known is None else known * size)


def test_multiplicity():
    Q = np.linalg.qr(np.random.default_rng(1).standard_normal((60, 60)))[0]
    known = np.repeat([3.0, 2.0, 1.0, 0.0], 15)
    A = (Q * known) @ Q.T
    check((A + A.T) / 2, known)


def test_wilkinson():
    m = np.abs(np.arange(61) - 30.0)
    check(np.diag(m) + np.diag(np.ones(60), 1) + np.diag(np.ones(60), -1))


def test_rank_one_and_block_structure():
    x = np.random.default_rng(2).standard_normal(60)
    check(np.outer(x, x))
    check(np.kron(np.eye(20), np.ones((3, 3))))
