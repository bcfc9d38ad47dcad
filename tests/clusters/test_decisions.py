"""Levels, corrections and numbers of classes, each against what is written out."""

import itertools

import numpy as np
import pytest

import gramian as gm
from gramian.clusters.tree import consolidate_classes, number_classes
from gramian.evidence import division
from gramian.evidence.division import divide


def three_clusters(n=60):
    rng = np.random.default_rng(0)
    centres = np.array([[0.0, 0.0], [12.0, 0.0], [0.0, 12.0]])
    return centres[np.arange(n) % 3] + 0.6 * rng.standard_normal((n, 2))


@pytest.mark.slow
def test_the_level_falls_with_the_number_of_divisions():
    codes, tried = divide(three_clusters(), 0.05)
    assert codes.max() == 2 and sorted(np.bincount(codes)) == [20, 20, 20]
    assert [split.level for split in tried] == [0.05, 0.05] + [0.025] * 3
    assert [split.found for split in tried] == [True, True, False, False, False]


def test_the_clearest_class_is_divided_first(monkeypatch):
    """p-values of 4 % for all rows, then 1.5 % and 1 %, and above 5 % for the parts of these."""
    p_values = iter([0.04, 0.015, 0.01, 0.06, 0.07, 0.08, 0.09])

    def halves(F):
        side = np.arange(len(F)) >= len(F) // 2
        return division.Division(side, next(p_values))

    monkeypatch.setattr(division, "division", halves)
    codes, tried = divide(np.zeros((40, 2)), 0.05)
    assert [split.p_value for split in tried] == [0.04, 0.01, 0.015, 0.08, 0.06, 0.07, 0.09]
    assert np.bincount(codes).tolist() == [10, 10, 10, 10]


@pytest.mark.parametrize("k", [3, 4])
def test_classes_are_numbered_along_the_first_axis_whatever_their_order(k):
    for places in itertools.permutations(range(k)):
        codes = np.repeat(np.arange(k), 3)
        F = np.column_stack([np.array(places, float)[codes], np.zeros(3 * k)])
        got = number_classes(F, np.full(3 * k, 1 / (3 * k)), codes)
        assert got.tolist() == np.array(places)[codes].tolist()


def test_a_class_of_eleven_rows_is_not_divided():
    rng = np.random.default_rng(2)
    for n, found in ((11, 1), (12, 2)):
        F = np.array([[0.0], [50.0]])[np.arange(n) % 2] + rng.standard_normal((n, 1))
        assert divide(F, 0.3)[0].max() + 1 == found


@pytest.mark.slow
def test_the_p_value_of_classes_is_that_of_the_first_division():
    fit = gm.PCA(2).fit(three_clusters())
    found = gm.clusters.find(fit, random_state=0)
    assert found.n_clusters == 3 and found.p_value == found.tests["p_value"].iloc[0]


@pytest.mark.slow
def test_a_class_is_recovered_from_three_quarters_on(monkeypatch):
    shares = np.array([[0.75, 0.8, 0.2], [0.7, 0.86, 0.4]])
    monkeypatch.setattr("gramian.clusters.result.jaccard_shares", lambda *args: shares)
    found = gm.clusters.find(gm.PCA(2).fit(three_clusters()), 3).stability(2)
    assert found["recovered"].tolist() == [0.5, 1.0, 0.0]
    assert found["jaccard"].tolist() == pytest.approx([0.725, 0.83, 0.3])
    assert found["low"].tolist() == pytest.approx([0.7025, 0.803, 0.21])


@pytest.mark.slow
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
