"""Coordinates of large tables, which wait until they are asked for."""

import pickle

import numpy as np
import pytest
import torch

import gramian as gm
from gramian._core.embedding import training as module


@pytest.fixture
def table():
    return np.random.default_rng(0).standard_normal((60, 5)) * [5.0, 3.0, 2.0, 1.0, 0.5] + 10.0


@pytest.fixture(autouse=True)
def small_is_large(monkeypatch):
    monkeypatch.setattr(module, "MIN_LENT_SIZE", 10)


def test_coordinates_wait_and_are_those_of_the_svd(table):
    fit = gm.PCA(3).fit(table)
    assert "coordinates" not in vars(fit.record_)
    U, s, _ = np.linalg.svd(table - table.mean(axis=0), full_matrices=False)
    expected = U[:, :3] * s[:3]
    np.testing.assert_allclose(np.abs(fit.coordinates_), np.abs(expected), atol=1e-12)
    assert "coordinates" in vars(fit.record_)
    np.testing.assert_array_equal(fit.coordinates_, fit.transform(table))


def test_readings_are_those_of_a_fit_that_did_not_wait(table, monkeypatch):
    waiting = gm.PCA(2, scale=True).fit(table).individuals()
    monkeypatch.setattr(module, "MIN_LENT_SIZE", 10**9)
    np.testing.assert_array_equal(waiting, gm.PCA(2, scale=True).fit(table).individuals())


CHANGES = ["scaled", "shifted", "one row", "order", "two rows", "two cells", "last digit"]


@pytest.mark.parametrize("kind", ["numpy", "single", "torch"])
@pytest.mark.parametrize("change", CHANGES)
def test_rows_changed_in_place_are_noticed(table, change, kind):
    given = table.astype("f4") if kind == "single" else table
    fit = gm.PCA(2).fit(torch.from_numpy(given) if kind == "torch" else given)
    table = given
    if change == "scaled":
        table *= 2.0
    elif change == "shifted":
        table += 1.0
    elif change == "order":
        table[:] = table[::-1].copy()
    elif change == "two rows":
        table[[31, 32]] = table[[32, 31]]
    elif change == "two cells":
        table[31, [1, 2]] = table[31, [2, 1]]
    elif change == "last digit":
        table[31, 2] = np.nextafter(table[31, 2], np.inf, dtype=table.dtype)
    else:
        table[0] = 100.0
    with pytest.raises(gm.errors.InputError, match="changed since the fit"):
        fit.coordinates_  # noqa: B018


def test_a_file_is_not_written_of_rows_that_have_changed(table, tmp_path):
    fit = gm.PCA(2).fit(table)
    table[31] = 0.0
    with pytest.raises(gm.errors.InputError, match="changed since the fit"):
        gm.save(fit, tmp_path / "fit.gramian")


def test_sparse_rows_and_rows_in_another_order_are_copied(table):
    from scipy import sparse

    S = sparse.csr_array(np.where(np.abs(table - 10.0) > 1.0, table, 0.0))
    F = np.asfortranarray(table)
    for rows in (S, F):
        fit = gm.PCA(2).fit(rows)
        expected = fit.transform(rows)
        (rows.data if rows is S else rows)[:] = 1.0
        np.testing.assert_allclose(fit.coordinates_, expected, atol=1e-12)


def test_a_second_fit_forgets_the_first_one(table):
    fit = gm.PCA(2).fit(table)
    first = fit.coordinates_
    assert fit.fit(table[:30]).coordinates_.shape == (30, 2)
    assert first.shape == (60, 2)


def test_rows_without_weight_get_coordinates(table):
    w = np.ones(60)
    w[:7] = 0.0
    fit = gm.PCA(2).fit(table, sample_weight=w)
    alone = gm.PCA(2).fit(table[7:])
    np.testing.assert_allclose(fit.coordinates_, alone.transform(table), atol=1e-12)


def test_a_waiting_fit_can_be_pickled_and_saved(table, tmp_path):
    fit = gm.PCA(2).fit(table)
    copy = pickle.loads(pickle.dumps(fit))
    gm.save(fit, tmp_path / "fit.gramian")
    again = gm.load(tmp_path / "fit.gramian")
    assert "coordinates" not in vars(fit.record_)
    for other in (copy, again):
        np.testing.assert_array_equal(other.coordinates_, fit.coordinates_)


def test_missing_attributes_stay_missing(table):
    assert not hasattr(gm.PCA(), "coordinates_")
    assert not hasattr(gm.PCA(2).fit(iter([table[:30], table[30:]])), "coordinates_")
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        gm.PCA(2).fit(table).nothing  # noqa: B018
