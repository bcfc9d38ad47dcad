"""Edges across a cut, against lines of random points; dimensions that are known."""

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from gramian.evidence.division import (
    _DIMENSIONS,
    _dimension,
    _edges,
    _missing_edges,
    _nearest,
    _p_line,
    divide,
    division,
)


@pytest.mark.slow
@pytest.mark.parametrize("k", [6, 10, 20])
def test_a_line_that_is_cut_loses_so_many_edges(k):
    """k(k + 1)/4 on average, and 5 % of the lines have a p-value of 5 %."""
    rng, p, edges = np.random.default_rng(k), [], []
    for _ in range(400):
        x = np.sort(rng.random(6 * k))[:, None]
        side = x[:, 0] > 0.5
        near = np.abs(x - x.T)
        np.fill_diagonal(near, np.inf)
        index = np.argsort(near, axis=1)[:, :k]
        count = int((side[index] != side[:, None]).sum())
        edges.append(count)
        p.append(_p_line(count, k))
    assert np.mean(edges) == pytest.approx(k * (k + 1) / 4, rel=0.05)
    assert 0.02 < np.mean(np.array(p) <= 0.05) < 0.09


def test_edges_are_those_of_a_loop():
    rng = np.random.default_rng(0)
    Z, side = rng.standard_normal((30, 3)), np.arange(30) < 9
    count = 0
    for i in range(30):
        far = ((Z - Z[i]) ** 2).sum(axis=1)
        far[i] = np.inf
        count += sum(side[j] != side[i] for j in np.argsort(far)[:8])
    assert _edges(_nearest(Z, 8), side) == count
    assert _edges(_nearest(Z)[:, :8], side) == count


def test_cuts_are_compared_with_those_inside_the_parts():
    """Counted one by one, at the cut and at each place in the middle third of two parts."""
    rng = np.random.default_rng(1)
    Z, side = rng.standard_normal((30, 2)), np.arange(30) >= 21
    Z[side, 0] += 3.0
    order = [*(np.argsort(Z[:21, 0])), *(21 + np.argsort(Z[21:, 0]))]
    far = cdist(Z, Z)[np.ix_(order, order)]
    np.fill_diagonal(far, np.inf)
    edges = [(i, j) for i in range(30) for j in np.argsort(far[i])[:5]]
    at = [sum((i < c) != (j < c) for i, j in edges) for c in range(30)]
    inside = min(np.mean(at[24:28]), np.mean(at[15:19]))
    expected = (inside - at[21]) / np.sqrt(inside + 1)
    assert _missing_edges(_nearest(Z), side, Z[:, 0]) == pytest.approx(expected)
    assert _missing_edges(_nearest(Z, 5), ~side, -Z[:, 0]) == pytest.approx(expected)


@pytest.mark.parametrize("d", [1, 2, 3])
def test_the_dimension_of_a_cube(d):
    X = np.random.default_rng(d).random((1000, d))
    assert _dimension(cdist(X, X)) == pytest.approx(d, rel=0.12)


def test_dimensions_are_limited():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((150, 12))
    assert _dimension(cdist(X, X)) == _DIMENSIONS[1]
    X = 0.01 * rng.standard_normal((12, 1)) + 9.0 * (np.arange(12) % 2)[:, None]
    assert _dimension(cdist(X, X)) == _DIMENSIONS[0]


CLOUDS = {
    "normal": lambda rng: rng.standard_normal((60, 4)),
    "heavy": lambda rng: rng.standard_t(3, (60, 4)),
    "lognormal": lambda rng: rng.lognormal(size=(60, 4)),
    "cube": lambda rng: rng.random((60, 3)),
    "segment": lambda rng: np.outer(rng.random(60), [1.0, 2.0]) + 0.02 * rng.random((60, 2)),
    "arc": lambda rng: (lambda t: np.column_stack([np.cos(t), np.sin(t)]))(2.0 * rng.random(60)),
}


@pytest.mark.slow
@pytest.mark.parametrize("cloud", CLOUDS)
def test_one_cloud_is_rarely_divided(cloud):
    """At 5 % each, four or more of ten have a chance of 0.1 %."""
    rng = np.random.default_rng(4)
    assert sum(division(CLOUDS[cloud](rng)).p_value <= 0.05 for _ in range(10)) <= 3


@pytest.mark.slow
def test_units_and_equal_rows_do_not_matter():
    F = np.random.default_rng(5).standard_normal((40, 3)) + 9.0 * (np.arange(40) < 8)[:, None]
    one, other = division(F), division(1e-9 * F + 3.0)
    assert (one.side == other.side).all() and one.p_value == pytest.approx(other.p_value, rel=1e-6)
    assert division(np.ones((40, 3))).p_value == 1.0
    assert division(np.repeat([[0.0], [1.0]], 20, axis=0)).p_value < 0.05


def test_parts_of_eight_rows_are_apart():
    """Centres 7 deviations apart in 5 columns: most tables are divided, normal rows are not."""
    found, false = 0, 0
    for seed in range(10):
        F = np.random.default_rng(seed).standard_normal((16, 5))
        false += division(F).p_value <= 0.05
        F[:8, 0] += 7.0
        found += division(F).p_value <= 0.05
    assert found >= 8
    assert false <= 1


@pytest.mark.parametrize("n", [16, 30])
def test_a_short_curve_is_rarely_divided(n):
    """At 5 % each, five or more of 20 have a chance of 0.3 %."""
    rng, count = np.random.default_rng(n), 0
    for _ in range(20):
        t = 2.5 * rng.random(n)
        F = np.column_stack([np.cos(t), np.sin(t)]) + 0.05 * rng.standard_normal((n, 2))
        count += division(F).p_value <= 0.05
    assert count <= 4


def curve(rng, name):
    """Rows along a curve that winds, and noise in four columns."""
    t = 3.0 * np.pi * rng.random(120)
    points = {
        "wave": (0.5 * t, np.sin(t)),
        "helix": (np.cos(1.5 * t), np.sin(1.5 * t), 0.4 * t),
        "spiral": (t * np.cos(t) / 5, t * np.sin(t) / 5),
    }[name]
    F = 0.08 * rng.standard_normal((120, 4))
    F[:, : len(points)] += np.column_stack(points)
    return F


@pytest.mark.slow
@pytest.mark.parametrize("name", ["wave", "helix", "spiral"])
def test_a_curve_that_winds_is_rarely_divided(name):
    """At 5 % each, three or more of eight have a chance of 0.6 %."""
    rng = np.random.default_rng(6)
    assert sum(division(curve(rng, name)).p_value <= 0.05 for _ in range(8)) <= 2


@pytest.mark.parametrize(("sizes", "length"), [((40, 15), 5.0), ((100, 100), 30.0)])
def test_long_parts_side_by_side_are_apart(sizes, length):
    """Six deviations across, and far more along them: one long cloud is not divided."""
    side, found = np.repeat([False, True], sizes), 0
    for seed in range(4):
        F = np.random.default_rng(seed).standard_normal((len(side), 4)) * [length, 1, 1, 1]
        assert division(F).p_value > 0.05
        F[side, 1] += 6.0
        parts = division(F)
        right = (parts.side == parts.side[0]) == (side == side[0])
        found += parts.p_value <= 0.05 and bool(right.mean() > 0.95)
    assert found >= 3


@pytest.mark.slow
@pytest.mark.parametrize("sizes", [(60, 30, 10), (40, 20, 10, 10), (30, 25, 20, 15, 10)])
def test_small_clusters_beside_several_others_are_counted(sizes):
    """Nearest centres 7 deviations apart in 6 columns, in random directions: most tables."""
    truth, right = np.repeat(np.arange(len(sizes)), sizes), 0
    for seed in range(10):
        rng = np.random.default_rng(seed)
        corners = 7.0 / np.sqrt(2.0) * np.linalg.qr(rng.standard_normal((6, 6)))[0]
        F = corners[truth] + rng.standard_normal((len(truth), 6))
        U, size, _ = np.linalg.svd(F - F.mean(axis=0), full_matrices=False)
        codes, _ = divide((U * size)[:, :5], 0.05)
        right += codes.max() + 1 == len(sizes)
    assert right >= 8
