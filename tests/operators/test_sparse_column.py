"""Sparse rows are multiplied as they are: one column by a compiled loop, units taken off later."""

import numpy as np
import pytest
from scipy import sparse
from tests import naive

from gramian._core.operators import rows
from gramian._core.operators.feature import CovarianceOperator
from gramian._core.operators.moments import moments

N, P = 3_000, 400


def table(index=np.int32, spread=1.0):
    S = sparse.random_array((N, P), density=0.1, format="csr", rng=0)
    S.indices, S.indptr = S.indices.astype(index), S.indptr.astype(index)
    S.data *= (spread ** np.linspace(-1, 1, P))[S.indices]
    return S


def operator(S, p=None):
    factor = np.linspace(1.0, 2.0, P)
    F = naive.features(S.toarray(), p) * factor
    w = naive.weights(N, p)[:, None]
    A = CovarianceOperator(S, moments(S, p, cross=False), factor, p, "primal")
    return A, F.T @ (w * F)


@pytest.mark.slow
@pytest.mark.parametrize("index", [np.int32, np.int64])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("without_numba", [False, True])
def test_one_column(monkeypatch, index, weighted, without_numba):
    if without_numba:
        monkeypatch.setattr(rows, "has_numba", lambda: False)
    p = np.random.default_rng(1).dirichlet(np.ones(N)) if weighted else None
    A, C = operator(table(index), p)
    v = np.random.default_rng(2).standard_normal((P, 1))
    assert rows.pays(A.rows.Y, 1) is not without_numba
    np.testing.assert_allclose(A.matmul(v), C @ v, rtol=1e-11, atol=1e-12 * np.abs(C @ v).max())


@pytest.mark.slow
def test_rows_of_every_length():
    """Empty ones, and up to two whole turns of a loop that takes four numbers at a time."""
    rng = np.random.default_rng(3)
    S = np.zeros((40, 9))
    for i in range(40):
        S[i, rng.permutation(9)[: i % 10]] = rng.standard_normal(i % 10)
    weight, v = rng.random(40), rng.standard_normal(9)
    parts = rows.by_length(sparse.csr_array(S), weight, 3)
    lengths = [np.diff(Y.indptr) for Y, _ in parts]
    assert sum(map(len, lengths)) == 40 and all((np.diff(part) >= 0).all() for part in lengths)
    assert max(map(np.sum, lengths)) - min(map(np.sum, lengths)) <= 10  # each core has its share
    out = np.zeros(9)
    total = sum(rows.add_column_product(Y, v, 0.3, w, out) for Y, w in parts)
    s = weight * (S @ v - 0.3)
    np.testing.assert_allclose(out, S.T @ s, rtol=1e-13)
    np.testing.assert_allclose(total, s.sum(), rtol=1e-13)


@pytest.mark.slow
def test_entries_in_range_are_not_copied():
    S = table(spread=1e9)
    A, C = operator(S)
    assert A.rows.Y.data is S.data
    np.testing.assert_allclose(A.matmul(np.eye(P)), C, rtol=1e-9)


@pytest.mark.slow
def test_entries_whose_squares_leave_the_range_are_brought_to_units():
    S = table()
    S.data *= 1e-200
    m = moments(S)
    exact = np.cov(S.toarray() * 1e200, rowvar=False, bias=True)
    np.testing.assert_allclose(m.covariance * m.unit * 1e200 * (m.unit * 1e200)[:, None], exact,
                               atol=1e-14)  # fmt: skip
    factor = np.ones(P) / m.unit
    A = CovarianceOperator(S, m, factor, None, "primal")
    unit = factor * 1e-200
    np.testing.assert_allclose(A.matmul(np.eye(P)), exact * unit * unit[:, None], atol=1e-13)


def test_moments_of_a_full_column_far_from_the_origin():
    S = table()
    S = sparse.csr_array(sparse.hstack([S, np.full((N, 1), 1e9) + S[:, [0]].toarray()]))
    m = moments(S)
    np.testing.assert_allclose(m.deviation[-1], S[:, [0]].toarray().std(), rtol=1e-7)
