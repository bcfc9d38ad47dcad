"""What Gram operators and symmetric operators promise."""

import numpy as np
import pytest

from gramian._core.array import as_kind, to_numpy
from gramian._core.operators.gram import Gram
from gramian.errors import InputError


def columns(n, r=3):
    return np.random.default_rng(17).standard_normal((n, r))


class GramContract:
    """For Gram operators; a subclass gives `case`, a pair (gram, its matrix by the twins).

    One whose operator knows new rows gives `beside` too: (rows, k(rows, training), k(x, x)).
    """

    @pytest.fixture
    def case(self):
        raise NotImplementedError

    @pytest.fixture
    def beside(self):
        return None

    @pytest.fixture
    def tolerance(self, case):
        return {"rtol": 0, "atol": 1e-12 * np.abs(case[1]).max()}

    def test_dense_is_the_matrix(self, case, tolerance):
        gram, K = case
        actual = to_numpy(gram.dense())
        assert gram.n == len(K)
        np.testing.assert_allclose(actual, K, **tolerance)
        assert np.array_equal(actual, actual.T)

    def test_matmul_is_the_dense_product(self, case, tolerance):
        gram, K = case
        V = columns(gram.n)
        atol = tolerance["atol"] * np.abs(V).sum(axis=0).max()
        actual = to_numpy(gram.matmul(as_kind(V, gram.like)))
        np.testing.assert_allclose(actual, K @ V, rtol=0, atol=atol)

    def test_matmul_leaves_its_argument_alone(self, case):
        gram, _ = case
        V = as_kind(columns(gram.n), gram.like)
        gram.matmul(V)
        assert np.array_equal(to_numpy(V), columns(gram.n))

    def test_matmul_twice_is_the_same_to_the_last_bit(self, case):
        gram, _ = case
        V = as_kind(columns(gram.n), gram.like)
        assert np.array_equal(to_numpy(gram.matmul(V)), to_numpy(gram.matmul(V)))

    def test_diag(self, case, tolerance):
        gram, K = case
        np.testing.assert_allclose(to_numpy(gram.diag()), np.diag(K), **tolerance)

    def test_block(self, case, tolerance):
        gram, K = case
        n = gram.n
        for rows, cols in [((0, 5), (0, 5)), ((3, 9), (4, n)), ((n - 1, n), (0, n))]:
            rows, cols = slice(*rows), slice(*cols)
            actual = to_numpy(gram.block(rows, cols))
            np.testing.assert_allclose(actual, K[rows, cols], **tolerance)

    def test_like_is_of_the_kind_of_the_results(self, case):
        gram, _ = case
        result = gram.matmul(as_kind(columns(gram.n), gram.like))
        assert type(result) is type(gram.like)
        assert result.dtype == gram.like.dtype == gram.dense().dtype == gram.diag().dtype

    def test_cross_is_the_block_of_new_rows(self, case, beside):
        gram, _ = case
        if type(gram).cross is Gram.cross:
            with pytest.raises(InputError, match=r"cannot place new rows: define cross\(X_new\)"):
                gram.cross(np.zeros((1, 1)))
            return
        assert beside is not None, "the operator defines cross: give the fixture `beside`"
        rows, K, _ = beside
        actual = gram.cross(rows)
        assert type(actual) is type(gram.like)
        assert actual.dtype == gram.like.dtype
        np.testing.assert_allclose(to_numpy(actual), K, rtol=0, atol=1e-12 * np.abs(K).max())

    def test_cross_diag_is_that_of_new_rows_or_unknown(self, case, beside):
        gram, _ = case
        if type(gram).cross_diag is Gram.cross_diag:
            assert gram.cross_diag(np.zeros((1, 1))) is None
            return
        rows, _, diagonal = beside
        actual = to_numpy(gram.cross_diag(rows))
        np.testing.assert_allclose(actual, diagonal, rtol=1e-12, atol=1e-15)


class SymmetricContract:
    """For what solvers see; a subclass gives `case`, a pair (operator, its matrix by the twins)."""

    @pytest.fixture
    def case(self):
        raise NotImplementedError

    @pytest.fixture
    def atol(self, case):
        return 1e-12 * np.abs(case[1]).max()

    def test_dense_is_the_matrix(self, case, atol):
        A, M = case
        actual = to_numpy(A.dense())
        assert A.n == len(M)
        np.testing.assert_allclose(actual, M, rtol=0, atol=atol)
        np.testing.assert_allclose(actual, actual.T, rtol=0, atol=1e-3 * atol)

    def test_matmul_is_the_dense_product(self, case, atol):
        A, M = case
        V = columns(A.n)
        actual = to_numpy(A.matmul(as_kind(V, A.like)))
        np.testing.assert_allclose(actual, M @ V, rtol=0, atol=atol * A.n)

    def test_trace(self, case, atol):
        A, M = case
        assert A.trace() == pytest.approx(np.trace(M), abs=atol * A.n)

    def test_like_is_of_the_kind_of_the_results(self, case):
        A, _ = case
        result = A.matmul(as_kind(columns(A.n), A.like))
        assert type(result) is type(A.like)
        assert result.dtype == A.like.dtype == A.dtype
