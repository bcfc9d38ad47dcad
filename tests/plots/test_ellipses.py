import numpy as np
import pytest

from gramian.errors import InputError
from gramian.plots.groups import barycentre, ellipse

MIX = np.array([[2.0, 0.3], [0.0, 0.7]])


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95])
def test_concentration_holds_the_stated_share_of_normal_points(level):
    rng = np.random.default_rng(0)
    Z = rng.normal(size=(40_000, 2)) @ MIX + [5.0, -3.0]
    found = ellipse(Z, np.ones(len(Z)), "concentration", level)
    share = found.holds(rng.normal(size=(40_000, 2)) @ MIX + [5.0, -3.0]).mean()
    assert abs(share - level) < 4 * np.sqrt(level * (1 - level) / 40_000) + 0.002


@pytest.mark.slow
@pytest.mark.parametrize(("n", "level"), [(4, 0.9), (6, 0.95), (30, 0.8)])
def test_confidence_holds_the_true_barycentre_so_often(n, level):
    rng = np.random.default_rng(1)
    times = 4_000
    hits = sum(
        bool(ellipse(Z, np.ones(n), "confidence", level).holds(np.zeros((1, 2)))[0])
        for Z in rng.normal(size=(times, n, 2)) @ MIX
    )
    assert abs(hits / times - level) < 4 * np.sqrt(level * (1 - level) / times)


def test_only_proportions_of_weights_matter():
    rng = np.random.default_rng(2)
    Z, w = rng.normal(size=(20, 2)), rng.uniform(0.1, 3, 20)
    for kind in ("concentration", "confidence"):
        one, other = ellipse(Z, w, kind, 0.9), ellipse(Z, 17.0 * w, kind, 0.9)
        np.testing.assert_allclose(one.shape, other.shape, rtol=1e-12)
        np.testing.assert_allclose(one.centre, np.average(Z, axis=0, weights=w), rtol=1e-12)
    np.testing.assert_allclose(barycentre(Z, w), np.average(Z, axis=0, weights=w), rtol=1e-12)


def test_shape_is_the_covariance():
    rng = np.random.default_rng(3)
    Z = rng.normal(size=(25, 2)) @ MIX
    found = ellipse(Z, np.full(25, 1 / 25), "concentration", 1 - np.exp(-0.5))  # radius 1
    np.testing.assert_allclose(found.shape, np.cov(Z.T), rtol=1e-9)


def test_outline_is_where_the_inside_ends():
    found = ellipse(
        np.random.default_rng(4).normal(size=(9, 2)) @ MIX, np.ones(9), "confidence", 0.9
    )
    line = found.outline()
    np.testing.assert_allclose(line[0], line[-1], atol=1e-12)
    assert found.holds(found.centre + 0.999 * (line - found.centre)).all()
    assert not found.holds(found.centre + 1.001 * (line - found.centre)).any()


def test_too_few_points_have_none():
    assert ellipse(np.eye(2), np.ones(2), "confidence", 0.95) is None
    assert ellipse(np.ones((1, 2)), np.ones(1), "concentration", 0.95) is None


def test_points_on_a_line_have_a_flat_one():
    Z = np.column_stack([np.arange(5.0), 2.0 * np.arange(5.0)])
    line = ellipse(Z, np.ones(5), "concentration", 0.9).outline()
    assert np.isfinite(line).all()
    np.testing.assert_allclose(line[:, 1], 2.0 * line[:, 0], atol=1e-6)


def test_refusals():
    Z = np.random.default_rng(5).normal(size=(5, 2))
    with pytest.raises(InputError, match="ellipses='round'"):
        ellipse(Z, np.ones(5), "round", 0.9)
    with pytest.raises(InputError, match="level=95"):
        ellipse(Z, np.ones(5), "confidence", 95)
