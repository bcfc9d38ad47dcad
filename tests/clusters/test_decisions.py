"""Levels, corrections and numbers of classes, each against what is written out."""

import itertools

import numpy as np
import pytest
from scipy.cluster.hierarchy import linkage

import gramian as gm
from gramian.clusters import number
from gramian.clusters.number import along_curve, divide
from gramian.clusters.tree import consolidate_classes, number_classes
from gramian.evidence.clusters import dip, dip_p_values


def three_clusters(n=60):
    rng = np.random.default_rng(0)
    centres = np.array([[0.0, 0.0], [12.0, 0.0], [0.0, 12.0]])
    return centres[np.arange(n) % 3] + 0.6 * rng.standard_normal((n, 2))


def test_a_class_is_tried_at_its_part_of_the_level():
    """(m − 1)/(n − 1) of alpha (Meinshausen 2008): classes of one depth share no more than it."""
    F = three_clusters()
    codes, tried = divide(F, linkage(F, "ward"), 0.05, np.random.default_rng(0))
    assert codes.max() == 2 and {split.rows for split in tried} >= {60, 40, 20}
    for split in tried:
        assert split.level == pytest.approx(0.05 * (split.rows - 1) / 59)
        assert split.found == (split.p_value <= split.level)
    assert sum(split.level for split in tried if split.rows == 20) < 0.05


def test_a_small_class_needs_a_smaller_p_value(monkeypatch):
    """A p-value of 2 % divides all rows and no part of them."""
    F = three_clusters()
    monkeypatch.setattr(number, "_apart", lambda *args: (0.02, 1.0))
    monkeypatch.setattr(number, "_apart_along_a_curve", lambda F: 0.0)
    _, tried = divide(F, linkage(F, "ward"), 0.05, np.random.default_rng(0))
    assert [split.rows for split in tried if split.found] == [60, 40]


def test_a_curve_that_was_fitted_costs_a_factor_of_five():
    rng = np.random.default_rng(1)
    for shift in (1.2, 1.4, 1.6):
        side = np.repeat([-shift, shift], 30)
        F = np.column_stack([side + rng.standard_normal(60), 0.1 * rng.standard_normal(60)])
        plain = float(dip_p_values(np.array([dip(along_curve(F))]), 60)[0])
        assert number._apart_along_a_curve(F) == pytest.approx(min(1.0, 5 * plain))


def test_rows_are_not_divided_where_a_curve_has_no_gap(monkeypatch):
    F = three_clusters()
    monkeypatch.setattr(number, "_apart_along_a_curve", lambda F: 0.06)
    codes, tried = divide(F, linkage(F, "ward"), 0.05, np.random.default_rng(0))
    assert codes.max() == 0 and [split.p_value for split in tried] == [0.06]


@pytest.mark.parametrize("k", [3, 4])
def test_classes_are_numbered_along_the_first_axis_whatever_their_order(k):
    for places in itertools.permutations(range(k)):
        codes = np.repeat(np.arange(k), 3)
        F = np.column_stack([np.array(places, float)[codes], np.zeros(3 * k)])
        got = number_classes(F, np.full(3 * k, 1 / (3 * k)), codes)
        assert got.tolist() == np.array(places)[codes].tolist()


def test_a_class_of_seven_rows_is_not_divided():
    rng = np.random.default_rng(2)
    for n, tries in ((14, 1), (16, 3)):
        F = np.repeat([[0.0], [50.0]], n // 2, axis=0) + rng.standard_normal((n, 1))
        _, tried = divide(F, linkage(F, "ward"), 0.05, np.random.default_rng(0))
        assert len(tried) == tries


def test_the_p_value_of_classes_is_that_of_the_first_division():
    fit = gm.PCA(2).fit(three_clusters())
    found = gm.clusters.find(fit, random_state=0)
    assert found.n_clusters == 3 and found.p_value == found.tests["p_value"].iloc[0]


def test_the_curve_of_a_class_is_held_against_the_whole_level(monkeypatch):
    """3 % along the curve divides a class of a third of the rows, whose own level is 1.6 %."""
    F = three_clusters()
    monkeypatch.setattr(number, "_apart", lambda *args: (1e-9, 1.0))
    monkeypatch.setattr(number, "_apart_along_a_curve", lambda F: 0.03)
    _, tried = divide(F, linkage(F, "ward"), 0.05, np.random.default_rng(0))
    assert all(split.found for split in tried if split.rows == 20)
    assert {split.p_value for split in tried} == {1e-9}


def test_a_class_is_recovered_from_three_quarters_on(monkeypatch):
    shares = np.array([[0.75, 0.8, 0.2], [0.7, 0.86, 0.4]])
    monkeypatch.setattr("gramian.clusters.result.jaccard_shares", lambda *args: shares)
    found = gm.clusters.find(gm.PCA(2).fit(three_clusters()), 3).stability(2)
    assert found["recovered"].tolist() == [0.5, 1.0, 0.0]
    assert found["jaccard"].tolist() == pytest.approx([0.725, 0.83, 0.3])
    assert found["low"].tolist() == pytest.approx([0.7025, 0.803, 0.21])


def test_a_row_moves_where_inertia_within_classes_falls():
    """The sum of squares of every other place of a row is larger, all four rows together."""
    rng = np.random.default_rng(3)
    for _ in range(20):
        F, w = rng.standard_normal((12, 2)), rng.dirichlet(np.ones(12))
        codes = consolidate_classes(F, w, np.arange(12) % 3)

        def within(codes, F=F, w=w):
            return sum(
                w[codes == c]
                @ (
                    (F[codes == c] - np.average(F[codes == c], axis=0, weights=w[codes == c])) ** 2
                ).sum(axis=1)
                for c in set(codes)
            )

        for i, c in itertools.product(range(12), range(3)):
            other = codes.copy()
            other[i] = c
            if len(set(other)) == 3:
                assert within(other) >= within(codes) * (1 - 1e-9)
