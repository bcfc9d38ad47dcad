"""Procrustes without scaling: units are those of the user."""

import numpy as np
import pytest
from scipy.linalg import orthogonal_procrustes

from gramian.stability import procrustes
from gramian.stability.procrustes import largest_angle, rotate_to


@pytest.mark.parametrize("factor", [0.5, 1.0, 2.0, 3.7, 1e-6])
def test_without_scaling_a_map_keeps_its_size(factor):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((20, 2))
    Y = factor * (X @ np.array([[0.0, 1.0], [-1.0, 0.0]])) + 3.0
    fit = procrustes(X, Y, scale=False)
    A, B = X - X.mean(axis=0), Y - Y.mean(axis=0)
    R = orthogonal_procrustes(B, A)[0]
    np.testing.assert_allclose(fit.fitted, B @ R + X.mean(axis=0), atol=1e-10)
    assert fit.scale == pytest.approx(1.0)
    assert fit.statistic == pytest.approx(((A - B @ R) ** 2).sum(), abs=1e-12)


def test_many_maps_at_once():
    X = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 2.0]])
    np.testing.assert_allclose(rotate_to(X, X[None, :, ::-1] + 5)[0], X, atol=1e-6)
    angle = largest_angle(np.array([[[1.0], [0.0]]]), np.array([[[1.0], [1.0]]]))
    np.testing.assert_allclose(angle, np.pi / 4)


def test_with_scaling_both_units_are_met():
    X = np.random.default_rng(1).standard_normal((20, 2))
    fit = procrustes(X, 2.0 * X)
    assert fit.scale == pytest.approx(0.5) and fit.statistic == pytest.approx(0.0, abs=1e-20)
