"""Small examples of private functions, one each."""

import numpy as np

from gramian.evidence.clusters import dip, dip_p_values
from gramian.evidence.contingency_axes import dispersion, tells_dispersion
from gramian.evidence.directions import join_pairs
from gramian.evidence.order import innovations
from gramian.evidence.table import (
    as_data_frame,
    coordinates,
    encode_labels,
    finite_table,
    normal_scores,
    row_scheme,
    supplementary_columns,
)


def test_dip():
    assert round(dip(np.array([0.0, 0.1, 0.2, 5.0, 5.1, 5.2])), 3) == 0.24


def test_dip_p_values():
    p = dip_p_values(np.array([0.02, 0.05112, 0.2]), 100)
    assert p.round(4).tolist() == [1.0, 0.05, 0.0005]


def test_tells_dispersion():
    assert tells_dispersion(8, 5)
    assert not tells_dispersion(4, 4) and not tells_dispersion(40, 2)


def test_dispersion():
    rng = np.random.default_rng(0)
    M = np.outer(rng.lognormal(3, 1, 60), np.ones(12))
    assert round(dispersion(rng.poisson(M * rng.gamma(4, 1 / 4, M.shape)), 5), 2) == 0.25


def test_join_pairs():
    assert join_pairs([(0, 1), (1, 2), (4, 5)]) == [(0, 1, 2), (4, 5)]


def test_innovations():
    assert innovations(np.cumsum(np.ones((9, 1)), axis=0)).shape == (8, 1)


def test_normal_scores():
    scores = normal_scores(np.array([[1.0], [10.0], [1000.0]]))
    assert scores.ravel().round(3).tolist() == [-1.225, 0.0, 1.225]


def test_finite_table():
    assert finite_table([[1, 2], [3, 4]]).tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_coordinates():
    assert coordinates([[1, 2], [3, 4]], 2).shape == (2, 2)
    assert coordinates(None, 2) is None


def test_supplementary_columns():
    Z = np.array([[1.0], [np.nan]])
    assert np.array_equal(supplementary_columns(Z.tolist(), 2), Z, equal_nan=True)


def test_encode_labels():
    codes, names = encode_labels(["b", "a", None, "b"], 4)
    assert codes.tolist() == [0, 1, -1, 0] and list(names) == ["b", "a"]


def test_row_scheme():
    assert row_scheme("copies", 4, ["a", "b", "a", "c"]).rows.tolist() == [0, 1, 3]


def test_as_data_frame():
    assert as_data_frame(np.eye(2), 2).shape == (2, 2)
