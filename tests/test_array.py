"""One set of names for the arrays of every library."""

import array_api_strict
import numpy as np
import pytest
import torch
from scipy import sparse

from gramian._core.array import (
    as_kind,
    eps,
    exp,
    is_array,
    is_numpy,
    is_sparse,
    mirror_upper,
    namespace,
    power_of_two,
    slice_rows,
    take,
    to_numpy,
    with_diagonal,
)

A = np.arange(6.0).reshape(2, 3)


@pytest.mark.parametrize(
    ("thing", "numpy", "array", "is_a_matrix_with_zeros"),
    [
        (A, True, True, False),
        (torch.asarray(A), False, True, False),
        (array_api_strict.asarray(A), False, True, False),
        (sparse.csr_array(A), False, False, True),
        (sparse.csc_matrix(A), False, False, True),
        ([[1.0]], False, False, False),
        ("text", False, False, False),
        (None, False, False, False),
    ],
    ids=lambda x: type(x).__name__,
)
def test_kinds(thing, numpy, array, is_a_matrix_with_zeros):
    assert is_numpy(thing) is numpy
    assert is_array(thing) is array
    assert is_sparse(thing) is is_a_matrix_with_zeros


def test_namespaces():
    assert namespace(A).__name__.endswith("numpy")
    assert namespace(sparse.csr_array(A)).__name__.endswith("numpy")
    assert "torch" in namespace(torch.asarray(A)).__name__
    with pytest.raises(TypeError):
        namespace(A, torch.asarray(A))


def test_to_numpy():
    assert to_numpy(A) is A
    for other in (torch.asarray(A), torch.asarray(A, requires_grad=True)):
        assert np.array_equal(to_numpy(other), A)
    assert np.array_equal(to_numpy(array_api_strict.asarray(A)), A)
    elsewhere = array_api_strict.asarray(A, device=array_api_strict.Device("device1"))
    assert np.array_equal(to_numpy(elsewhere), A)


@pytest.mark.parametrize("values", [A, A[:, ::-1], A.T, A[::-1]], ids=["C", "-", "F", "rows -"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_as_kind(values, dtype):
    """Any view of a NumPy array becomes an array of the library and precision of another."""
    like = A.astype(dtype)
    for target in (like, torch.asarray(like), sparse.csr_array(like)):
        made = as_kind(values, target)
        assert isinstance(made, torch.Tensor) == isinstance(target, torch.Tensor)
        assert str(made.dtype).endswith(dtype)
        assert np.array_equal(to_numpy(made), values)


def test_eps():
    assert eps(np.float64) == 2.0**-52
    assert eps(np.float32) == 2.0**-23
    assert eps(torch.float32, namespace(torch.ones(1))) == 2.0**-23


@pytest.mark.parametrize("library", [np.asarray, torch.asarray], ids=["numpy", "torch"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_exp_is_exp_until_the_denormal_numbers(library, dtype):
    x = np.array([[-1e9, -800.0, -100.0], [-80.0, -1.0, 0.0]], dtype=dtype)
    expected = np.exp(x.astype("f8"))
    actual = to_numpy(exp(library(x.copy())))
    assert str(actual.dtype) == dtype
    tiny = np.finfo(dtype).tiny
    usual = expected > tiny
    rtol = 1e-14 if dtype == "float64" else 1e-6
    np.testing.assert_allclose(actual[usual], expected[usual], rtol=rtol)
    assert np.all(actual[~usual] >= 0) and np.all(actual[~usual] <= 2 * tiny)
    assert np.all((actual == 0) | (actual >= tiny))


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_exp_of_a_large_tile_has_no_denormal_numbers(dtype):
    x = -np.logspace(-3, 4, 40_000).astype(dtype).reshape(200, 200)
    expected = np.exp(x.astype("f8"))
    lowest = -708.0 if dtype == "float64" else -87.0
    far = x < lowest
    actual = exp(x.copy())
    assert np.all(actual[far] == 0)
    rtol = 1e-14 if dtype == "float64" else 1e-6
    np.testing.assert_allclose(actual[~far], expected[~far], rtol=rtol)


def test_exp_of_nothing():
    assert exp(np.zeros((0, 3))).shape == (0, 3)


LIBRARIES = pytest.mark.parametrize(
    "library",
    [np.asarray, torch.asarray, array_api_strict.asarray],
    ids=["numpy", "torch", "strict"],
)


@LIBRARIES
def test_rows_and_columns_at_positions(library):
    a, positions = library(A), np.array([1, 0, 1])
    assert np.array_equal(to_numpy(take(a, positions, axis=0)), A[positions])
    assert np.array_equal(to_numpy(take(a, library(positions), axis=1)), A[:, positions])
    assert np.array_equal(to_numpy(slice_rows(a, slice(1, 2))), A[1:2])


def test_a_part_of_what_is_no_array():
    assert slice_rows(["a", "b", "c"], slice(1, 3)) == ["b", "c"]
    assert np.array_equal(slice_rows(sparse.csr_array(A), slice(1, 2)).toarray(), A[1:2])


@LIBRARIES
@pytest.mark.parametrize("d", [0.0, np.array([7.0, 8.0, 9.0])], ids=["number", "array"])
def test_with_diagonal(library, d):
    K = np.arange(9.0).reshape(3, 3)
    actual = to_numpy(with_diagonal(library(K.copy()), d if isinstance(d, float) else library(d)))
    expected = K.copy()
    np.fill_diagonal(expected, d)
    assert np.array_equal(actual, expected)


@LIBRARIES
def test_mirror_upper(library):
    M = np.arange(16.0).reshape(4, 4)
    S = to_numpy(mirror_upper(library(M)))
    assert np.array_equal(S, S.T)
    assert np.array_equal(np.triu(S), np.triu(M))


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (1.0, 1.0),
        (1.5, 1.0),
        (2.0, 2.0),
        (0.3, 0.25),
        (-5.0, 4.0),
        (0.0, 1.0),
        (np.inf, 1.0),
        (np.nan, 1.0),
        (1e308, 2.0**1022),
        (5e-324, 2.0**-1021),
    ],
)
def test_power_of_two(x, expected):
    assert power_of_two(x) == expected
    assert np.isfinite(1.0 / power_of_two(x))
