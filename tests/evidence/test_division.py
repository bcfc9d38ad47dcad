"""Edges across a cut, against lines of random points; dimensions that are known."""

import numpy as np
import pytest

from gramian.evidence.division import _dimension, _edges, _p_line, division


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
    assert _edges(Z, side) == count


@pytest.mark.parametrize("d", [1, 2, 3])
def test_the_dimension_of_a_cube(d):
    assert _dimension(np.random.default_rng(d).random((1000, d))) == pytest.approx(d, rel=0.12)


CLOUDS = {
    "normal": lambda rng: rng.standard_normal((60, 4)),
    "heavy": lambda rng: rng.standard_t(3, (60, 4)),
    "lognormal": lambda rng: rng.lognormal(size=(60, 4)),
    "cube": lambda rng: rng.random((60, 3)),
    "segment": lambda rng: np.outer(rng.random(60), [1.0, 2.0]) + 0.02 * rng.random((60, 2)),
    "arc": lambda rng: (lambda t: np.column_stack([np.cos(t), np.sin(t)]))(2.0 * rng.random(60)),
}


@pytest.mark.parametrize("cloud", CLOUDS)
def test_one_cloud_is_rarely_divided(cloud):
    """At 5 % each, four or more of ten have a chance of 0.1 %."""
    rng = np.random.default_rng(4)
    assert sum(division(CLOUDS[cloud](rng)).p_value <= 0.05 for _ in range(10)) <= 3


def test_units_and_equal_rows_do_not_matter():
    F = np.random.default_rng(5).standard_normal((40, 3)) + 9.0 * (np.arange(40) < 8)[:, None]
    one, other = division(F), division(1e-9 * F + 3.0)
    assert (one.side == other.side).all() and one.p_value == pytest.approx(other.p_value, rel=1e-6)
    assert division(np.ones((40, 3))).p_value == 1.0
    assert division(np.repeat([[0.0], [1.0]], 20, axis=0)).p_value < 0.05
