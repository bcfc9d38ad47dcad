"""All eigenpairs of a matrix in memory."""

import numpy as np
import pytest
import torch

from gramian._core.spectral import dense
from gramian._core.spectral.dense import eigh, residual_norms
from gramian._core.spectral.krylov import tridiagonal

from .matrices import with_spectrum

VALUES = np.array([5.0, 3.0, 1.0, -2.0])


@pytest.mark.parametrize("kind", ["numpy", "torch", "fortran"])
def test_descending_pairs(kind):
    A, U = with_spectrum(VALUES)
    M = {"numpy": np.array, "torch": torch.asarray, "fortran": np.asfortranarray}[kind](A.M)
    values, V = eigh(M)
    assert values.dtype == np.float64 and isinstance(values, np.ndarray)
    assert isinstance(V, torch.Tensor) == (kind == "torch")
    np.testing.assert_allclose(values, VALUES, rtol=1e-13)
    np.testing.assert_allclose(np.abs(np.sum(np.asarray(V) * U, axis=0)), 1.0, atol=1e-13)


def test_the_matrix_is_left_alone_unless_it_may_be_overwritten():
    A, _ = with_spectrum(VALUES)
    before = A.M.copy()
    eigh(A.M)
    assert np.array_equal(A.M, before)


@pytest.mark.parametrize("factor", [1e-300, 1e-160, 1e160, 1e300], ids=str)
def test_the_ends_of_the_range_of_the_numbers(factor):
    A, _ = with_spectrum(VALUES)
    values, V = eigh(A.M * factor)
    np.testing.assert_allclose(values / factor, VALUES, rtol=1e-13)
    np.testing.assert_allclose(V.T @ V, np.eye(4), atol=1e-14)


def test_small_cases():
    values, V = eigh(np.array([[2.0]]))
    assert values.tolist() == [2.0] and abs(V[0, 0]) == 1.0
    assert eigh(np.zeros((3, 3)))[0].tolist() == [0.0, 0.0, 0.0]
    assert eigh(np.zeros((0, 0)))[0].shape == (0,)


@pytest.mark.slow
def test_float32_vectors_stay_float32():
    A, _ = with_spectrum(VALUES)
    values, V = eigh(A.M.astype("f4"))
    assert values.dtype == np.float64 and V.dtype == np.float32


@pytest.mark.parametrize("factor", [1e-200, 1.0, 1e200], ids=str)
def test_residual_norms(factor):
    A, _ = with_spectrum(VALUES)
    M = A.M * factor
    V = np.eye(4)[:, :2]
    values = np.array([1.0, 2.0]) * factor
    expected = np.linalg.norm(A.M @ V - V * [1.0, 2.0], axis=0)
    np.testing.assert_allclose(residual_norms(M @ V, V, values) / factor, expected, rtol=1e-12)


def test_no_residuals_of_nothing():
    assert residual_norms(np.zeros((3, 0)), np.zeros((3, 0)), np.zeros(0)).shape == (0,)


SPECTRA = {
    "apart": lambda n: np.linspace(1.0, 3.0, n),
    "decaying": lambda n: 0.7 ** np.arange(n),
    "of rank 3": lambda n: np.where(np.arange(n) < 3, 1.0 + np.arange(n), 0.0),
    "two tied": lambda n: np.append([5.0, 5.0, 2.0], np.linspace(0.0, 1.0, n - 3)),
    "nearly tied": lambda n: np.append(4.0 + 1e-13 * np.arange(5), np.linspace(0.0, 1.0, n - 5)),
    "all tied": lambda n: np.ones(n),
    "null": lambda n: np.zeros(n),
    "of both signs": lambda n: np.append([-9.0, -8.0], np.linspace(-1.0, 2.0, n - 2)),
}


@pytest.mark.slow
@pytest.mark.parametrize("n", [33, 64, 100, 300, 301])
@pytest.mark.parametrize("spectrum", SPECTRA)
def test_a_few_leading_pairs(spectrum, n):
    """Whatever way LAPACK goes: eigenvalues that were put in, vectors that are orthonormal."""
    true = np.sort(SPECTRA[spectrum](n))[::-1]
    A, _ = with_spectrum(true)
    values, V = eigh(A.M, count=6)
    size = np.abs(true).max() or 1.0
    assert len(values) >= 6
    np.testing.assert_allclose(values[:6], true[:6], atol=4e-14 * size)
    np.testing.assert_allclose(V.T @ V, np.eye(V.shape[1]), atol=1e-13)
    np.testing.assert_allclose(A.M @ V, V * values, atol=1e-13 * size)


def decaying(n, seed=0):
    Q = np.linalg.qr(np.random.default_rng(seed).standard_normal((n, n)))[0]
    return (Q * 0.7 ** np.arange(n)) @ Q.T


def hidden_in_the_last_rows(n):
    """Blocks that know nothing of each other: the leading axis is none of the first rows'."""
    M = np.zeros((n, n))
    M[: n // 2, : n // 2], M[n // 2 :, n // 2 :] = decaying(n // 2), 2.0 * decaying(n - n // 2)
    return M


def hidden_between(n):
    """One row alone has an axis beside those of the others, the third in order."""
    M = decaying(n)
    M[-1] = M[:, -1] = 0.0
    M[-1, -1] = 0.6
    return M


def twice(n):
    """Every axis twice, of which the first rows see one."""
    return np.kron(np.eye(2), decaying(n // 2))


@pytest.mark.parametrize("n", [100, 200, 400])
@pytest.mark.parametrize("matrix", [decaying, hidden_in_the_last_rows, hidden_between, twice])
def test_axes_that_the_first_rows_do_not_see(matrix, n):
    M = matrix(n)
    M = 0.5 * (M + M.T)
    values, V = eigh(M, count=5)
    np.testing.assert_allclose(values[:5], np.linalg.eigvalsh(M)[::-1][:5], atol=1e-14)
    np.testing.assert_allclose(M @ V, V * values, atol=1e-14)
    np.testing.assert_allclose(V.T @ V, np.eye(V.shape[1]), atol=1e-13)


@pytest.mark.parametrize(
    ("matrix", "sizes"),
    [(decaying, [52]), (hidden_in_the_last_rows, [52, 200]), (twice, [52, 200])],
)
def test_a_section_is_all_that_is_decomposed_where_it_holds_the_axes(monkeypatch, matrix, sizes):
    seen = []

    def spy(d, e, count):
        seen.append(len(d))
        return tridiagonal(d, e, count)

    monkeypatch.setattr(dense, "tridiagonal", spy)
    eigh(matrix(200), count=5)
    assert seen == sizes
