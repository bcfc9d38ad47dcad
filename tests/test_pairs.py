"""Pairs of points: what kernels are functions of."""

import numpy as np
import pytest
import torch
from scipy import sparse
from tests import naive
from tests.contracts.kernel import cloud

from gramian._core.array import to_numpy
from gramian._core.pairs import Pairs, Points

X, Y = cloud(), cloud(7, seed=9)
SPARSE = np.where(X > 0, X, 0.0)
KINDS = {"numpy": np.asarray, "torch": torch.asarray, "sparse": sparse.csr_array}
kinds = pytest.mark.parametrize("kind", KINDS)


def both(kind):
    A = Points(KINDS[kind](X))
    return A, Points(KINDS[kind](Y), A)


@kinds
@pytest.mark.parametrize("scale", [1.0, 0.3, 1e-120, 1e120], ids=str)
def test_squared_distances(kind, scale):
    A, B = both(kind)
    actual = to_numpy(Pairs(A, B).squared_distance(scale * 1.0))
    expected = naive.pairwise(naive.squared_distance, X, Y)
    np.testing.assert_allclose(actual * scale * scale, expected, rtol=1e-12)


@kinds
def test_inner_products(kind):
    A, B = both(kind)
    np.testing.assert_allclose(to_numpy(Pairs(A, B).dot()), X @ Y.T, rtol=1e-12, atol=1e-14)


@kinds
def test_sums_of_absolute_differences(kind):
    A, B = both(kind)
    expected = naive.pairwise(naive.manhattan, X, Y) / 0.7
    np.testing.assert_allclose(to_numpy(Pairs(A, B).l1(0.7)), expected, rtol=1e-12)


@kinds
def test_lengths(kind):
    A, B = both(kind)
    pairs = Pairs(A, B, slice(2, 9), slice(1, 3))
    np.testing.assert_allclose(
        to_numpy(pairs.norms("rows")), np.linalg.norm(X[2:9], axis=1), rtol=1e-13
    )
    np.testing.assert_allclose(
        to_numpy(pairs.norms("cols")), np.linalg.norm(Y[1:3], axis=1), rtol=1e-13
    )


@pytest.mark.parametrize("factor", [1e-200, 1e200], ids=str)
def test_lengths_at_the_ends_of_the_range(factor):
    lengths = Pairs(Points(X * factor)).norms("rows")
    np.testing.assert_allclose(lengths / factor, np.linalg.norm(X, axis=1), rtol=1e-13)


def test_same_points_are_recognised():
    A = Points(X)
    assert Pairs(A).same and Pairs(A, A).same
    assert Pairs(A, A, slice(0, 3), slice(0, 3)).same
    assert not Pairs(A, A, slice(0, 3), slice(1, 4)).same
    assert not Pairs(A, Points(X, A)).same


@kinds
def test_a_point_is_at_distance_zero_of_itself(kind):
    A = Points(KINDS[kind](X + 1e5))
    assert not np.diagonal(to_numpy(Pairs(A).squared_distance())).any()


@pytest.mark.parametrize("slope", [np.inf, 0.5], ids=str)
def test_digits_of_near_pairs_far_from_the_centre(slope):
    """Twins a hair's breadth apart, at the end of a long cloud."""
    Z = np.round(np.linspace(0, 2**20, 30)[:, None] * [1.0, 2.0])
    Z[1::2] = Z[::2] + 2.0**-20
    expected = naive.pairwise(naive.squared_distance, Z)
    actual = Pairs(Points(Z)).squared_distance(1.0, slope)
    error = np.abs(actual - expected)
    allowed = 1e-12 * (expected if slope == np.inf else np.maximum(expected, 1 / slope))
    assert np.all(error <= allowed)


def test_squared_distances_are_never_negative():
    Z = np.ones((20, 3)) + 1e-9 * cloud(20, 3)
    assert Pairs(Points(Z)).squared_distance().min() >= 0


def test_new_points_share_the_centre_and_the_unit():
    A = Points(X + 100.0)
    B = Points(Y, A)
    assert B.centre is A.centre and B.unit == A.unit


def test_new_points_take_the_form_of_the_old_ones():
    assert sparse.issparse(Points(Y, Points(sparse.csr_array(X))).X)
    assert isinstance(Points(sparse.csr_array(Y), Points(X)).X, np.ndarray)


def test_the_centre_is_not_dragged_away_by_an_outlier():
    Z = np.vstack([X, np.full((1, 4), 1e12)])
    assert np.abs(Points(Z).centre).max() <= np.abs(X).max()


def test_the_unit_is_a_power_of_two_near_the_spread():
    for factor in (1e-200, 1.0, 1e200):
        unit = Points(X * factor).unit
        assert np.frexp(unit)[0] == 0.5
        assert 0.5 < np.abs(X * factor - Points(X * factor).centre).max() / unit / 2 <= 1


def test_maps_are_applied_once_to_each_set():
    calls = []

    def mapping(Z):
        calls.append(len(Z))
        return Z[:, :1]

    A = Points(X)
    B = Points(Y, A)
    for rows in (slice(0, 5), slice(5, 23)):
        pairs = Pairs(A, B, rows).through("one column", mapping)
        np.testing.assert_allclose(pairs.dot(), X[rows, :1] @ Y[:, :1].T, rtol=1e-12)
    assert calls == [23, 7]


def test_a_map_of_the_same_pairs_is_the_same():
    assert Pairs(Points(X)).through("key", np.abs).same


def test_what_is_asked_twice_is_computed_once():
    pairs = Pairs(Points(X))
    assert pairs.dot() is pairs.dot()


def test_float32_points_give_float32():
    pairs = Pairs(Points(X.astype("f4")))
    assert pairs.squared_distance().dtype == pairs.dot().dtype == pairs.l1(1.0).dtype == np.float32


def test_objects_have_a_length():
    points = Points(["a", "bb", "ccc"])
    assert len(points) == 3 and not points.is_dense
    assert Pairs(points, None, slice(0, 2)).X == ["a", "bb"]
