"""Rows that carry an axis."""

import numpy as np
import pytest
from tests.evidence.designs import factor, standard, surely_at_most

import gramian as gm

carried = gm.evidence.carried


def test_a_row_that_is_the_axis():
    X = np.random.default_rng(0).standard_normal((40, 6))
    X[3] += 20 * np.array([1, 1, 1, -1, -1, -1.0])
    found = carried(X, 1)
    assert found.rows == (3,) and found.contribution > 0.9
    assert found.share > 0.7 > 0.4 > found.share_without
    rest = np.delete(X, 3, axis=0)
    V = np.linalg.svd(rest - rest.mean(axis=0))[2]
    v = np.linalg.svd(X - X.mean(axis=0))[2][0]
    cosine = np.abs(V @ v).max()
    assert found.angle == pytest.approx(np.degrees(np.arccos(cosine)))
    assert found.axis_without == np.abs(V @ v).argmax() + 1


def test_two_rows_and_an_axis_that_stays():
    rng = np.random.default_rng(1)
    X = factor(rng, 40, 6)
    v = np.linalg.svd(X - X.mean(axis=0))[2][0]
    X[[2, 7]] = 25 * v * np.array([[1.0], [-0.9]])
    found = carried(X, 1)
    assert set(found.rows) == {2, 7} and found.axis_without == 1 and found.angle < 15


def test_no_row_carries_the_axis_of_a_normal_cloud():
    rng = np.random.default_rng(2)
    tables = [factor(rng, n, 6) for n in (8, 15, 60) * 30]
    assert surely_at_most(sum(carried(X, 1) is not None for X in tables), 90, 0.02)


def test_standardised_columns_are_standardised_again():
    X = np.random.default_rng(3).standard_normal((30, 4))
    X[0] += 30
    a = carried(standard(X), 1)
    rest = standard(np.delete(X, 0, axis=0))
    values = np.linalg.svd(rest)[1] ** 2
    assert a.share_without == pytest.approx(values[a.axis_without - 1] / values.sum())


def test_a_column_that_is_constant_without_the_row():
    X = np.random.default_rng(4).standard_normal((20, 4))
    X[:, 3] = 0.0
    X[0, 3] = 50.0
    assert carried(X, 1).rows == (0,)


def test_refusals_and_small_tables():
    assert carried(np.eye(5), 1) is None
    with pytest.raises(gm.errors.InputError, match="k="):
        carried(np.eye(5), 9)
