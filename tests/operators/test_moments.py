"""Means and covariances in one pass: merging, weights, sparse rows, overflow."""

from itertools import pairwise

import numpy as np
import pytest
import torch
from scipy import sparse
from tests import naive
from tests.contracts.kernel import cloud

from gramian._core.array import to_numpy
from gramian._core.operators.moments import Moments, moments, reference_point

N, P = 300, 4
X = cloud(N, P) * [1.0, 30.0, 1e-3, 2.0] + [0.0, 7.0, 1e3, -4.0]
W = np.random.default_rng(1).integers(1, 5, N).astype(float)


def covariance(m: Moments):
    """The covariance in the data's own units."""
    unit = to_numpy(m.unit)
    return to_numpy(m.covariance) * np.outer(unit, unit)


def expected(rows, weight=None):
    F, p = naive.features(rows, weight), naive.weights(len(rows), weight)
    return (F * p[:, None]).T @ F


@pytest.mark.parametrize("weight", [None, W], ids=["equal", "weighted"])
@pytest.mark.parametrize("kind", ["numpy", "torch", "sparse", "fortran"])
def test_mean_covariance_and_deviation(kind, weight):
    make = {"torch": torch.asarray, "sparse": sparse.csr_array, "fortran": np.asfortranarray}
    convert = make.get(kind, np.asarray)
    w = torch.asarray(weight) if kind == "torch" and weight is not None else weight
    m = moments(convert(X), w)
    p = naive.weights(N, weight)
    C = expected(X, weight)
    np.testing.assert_allclose(to_numpy(m.mean), p @ X, rtol=1e-14)
    np.testing.assert_allclose(covariance(m), C, rtol=1e-11, atol=1e-13 * np.abs(C).max())
    np.testing.assert_allclose(to_numpy(m.deviation), np.sqrt(np.diag(C)), rtol=1e-12)
    assert m.weight == p.size if weight is None else W.sum()


def test_only_the_diagonal():
    m, full = moments(X, cross=False), moments(X)
    assert m.second.shape == (P,)
    np.testing.assert_allclose(m.deviation, full.deviation, rtol=1e-14)
    np.testing.assert_allclose(m.mean, full.mean, rtol=1e-15)


@pytest.mark.parametrize("cuts", [[1], [150], [10, 20, 290]], ids=str)
@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_parts_add_up(cuts, kind):
    rows = X if kind == "dense" else sparse.csr_array(np.where(X > 0, X, 0.0))
    reference = reference_point(rows)
    edges = [0, *cuts, N]
    parts = [moments(rows[a:b], W[a:b], reference) for a, b in pairwise(edges)]
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    whole = moments(rows, W, reference)
    assert total.weight == whole.weight
    np.testing.assert_allclose(total.first, whole.first, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(total.second, whole.second, rtol=1e-12, atol=1e-10)


def test_whole_weights_are_repeated_rows():
    weighted, repeated = moments(X, W), moments(np.repeat(X, W.astype(int), axis=0))
    np.testing.assert_allclose(weighted.mean, repeated.mean, rtol=1e-14)
    C = covariance(repeated)
    np.testing.assert_allclose(covariance(weighted), C, rtol=1e-11, atol=1e-12 * np.abs(C).max())


def test_units_are_powers_of_two_and_shifts_are_rows_values():
    shift, unit = reference_point(X)
    assert np.array_equal(np.frexp(unit)[0], np.full(P, 0.5))
    for j in range(P):
        assert shift[j] in X[:, j]
        spread = np.abs(X[:, j] - shift[j]).max()
        assert unit[j] <= spread < 2 * unit[j]


def test_a_constant_column_has_unit_one_and_no_deviation():
    Z = X.copy()
    Z[:, 1] = 7.7
    m = moments(Z)
    assert m.unit[1] == 1.0 and m.deviation[1] == 0.0 and m.mean[1] == 7.7


@pytest.mark.parametrize("rare", [False, True])
def test_the_reference_is_the_same_for_other_arrays(rare):
    Z = np.zeros((1000, 3))
    Z[:, 0] = np.random.default_rng(0).standard_normal(1000)
    Z[:, 1] = 5.0
    Z[7, 2] = 6.0 * rare  # a row that the sample does not hold
    theirs = reference_point(torch.asarray(Z))
    for ours, other in zip(reference_point(Z), theirs, strict=True):
        assert isinstance(other, torch.Tensor) and other.dtype == torch.float64
        assert np.array_equal(ours, other.numpy())
    assert theirs[1][1:].tolist() == [1.0, 4.0 if rare else 1.0]


@pytest.mark.parametrize("offset", [1e8, 1e12, -1e15], ids=str)
def test_an_offset_costs_no_digits(offset):
    Z = np.round(X[:, [0, 3]] * 2**3) / 2**3  # still exact after the move
    moved = moments(Z + offset)
    np.testing.assert_allclose(covariance(moved), expected(Z), rtol=1e-12)


def test_sparse_columns_without_zeros_are_shifted():
    Z = np.where(cloud(N, P, seed=3) > 0, X, 0.0)
    Z[:, 0] = np.round(cloud(N, 1)[:, 0] * 8) / 8 + 1e8
    m = moments(sparse.csr_array(Z))
    exact = Z.copy()
    exact[:, 0] -= 1e8
    C = expected(exact)
    np.testing.assert_allclose(covariance(m), C, rtol=1e-11, atol=1e-13 * np.abs(C).max())
    assert m.shift[0] > 9e7 and not m.shift[1:].any()


def test_a_value_far_outside_the_sampled_spread():
    """The spread is taken from a sample of rows; the square of what it missed overflows."""
    Z = np.random.default_rng(0).standard_normal((5000, 2))
    Z[1, 0] = 1e200  # the sample takes every fourth row, from the first
    m = moments(Z)
    assert np.isfinite(m.second).all()
    assert m.mean[0] == pytest.approx(1e200 / 5000, rel=1e-12)
    assert m.deviation[0] == pytest.approx(1e200 * np.sqrt(1 / 5000 - 1 / 5000**2), rel=1e-12)
    assert m.deviation[1] == pytest.approx(Z[:, 1].std(), rel=1e-12)


@pytest.mark.parametrize("factor", [1e-300, 1e-160, 1e160, 1e300], ids=str)
def test_squares_that_leave_the_range_of_the_numbers(factor):
    m = moments(X[:, :2] * factor)
    C = expected(X[:, :2])
    np.testing.assert_allclose(m.deviation / factor, np.sqrt(np.diag(C)), rtol=1e-12)
    scaled = m.covariance * np.outer(m.unit / factor, m.unit / factor)
    np.testing.assert_allclose(scaled, C, rtol=1e-11, atol=1e-12)


def test_float32_rows_are_summed_in_double_precision():
    Z = (X[:, [0, 3]] + 1e4).astype("f4")
    m = moments(Z)
    assert m.second.dtype == np.float64
    np.testing.assert_allclose(covariance(m), expected(Z.astype("f8")), rtol=1e-11)


def test_many_blocks_and_threads_change_only_rounding(monkeypatch):
    from gramian._core.operators import moments as module

    whole = moments(X)
    monkeypatch.setattr(module, "_BLOCK_ROWS", 64)
    parts = moments(X)
    np.testing.assert_allclose(parts.second, whole.second, rtol=1e-13, atol=1e-12)
    assert parts.weight == whole.weight == N


@pytest.mark.parametrize("shape", [(150, 4), (40, 90), (1_000, 80)])
def test_the_layout_of_a_table_changes_no_bit(shape):
    X = np.random.default_rng(0).standard_normal(shape) + 3.0
    ours, others = moments(X), moments(np.asfortranarray(X))
    assert np.array_equal(ours.shift, others.shift) and np.array_equal(ours.first, others.first)
    assert np.array_equal(ours.second, others.second)
