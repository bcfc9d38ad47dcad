"""Eigenpairs of a covariance matrix, small ones included."""

import numpy as np
import pytest
import torch
from mpmath import mp

from gramian._core.spectral.dense import GRADED_RATIO, eigh, eigh_graded, is_graded


def correlation(p, seed=0):
    """A well-conditioned correlation matrix."""
    R = np.random.default_rng(seed).standard_normal((6 * p, p))
    R = R.T @ R
    s = np.sqrt(np.diag(R))
    return R / np.outer(s, s)


def exact(C, d):
    """Eigenvalues of D·C·D in 80 digits, largest first."""
    with mp.workdps(80):
        p = len(d)
        M = mp.matrix(p, p)
        for i in range(p):
            for j in range(p):
                M[i, j] = mp.mpf(float(C[i, j])) * mp.mpf(float(d[i])) * mp.mpf(float(d[j]))
        return sorted((float(v) for v in mp.eigsy(M, eigvals_only=True)), reverse=True)


GRADES = {
    "mild": np.array([1.0, 0.5, 2.0, 1.0, 3.0]),
    "five orders": 10.0 ** np.array([0, -1, -2, -4, -5]),
    "thirty orders": 10.0 ** np.array([0, -8, -15, -22, -30]),
    "large and small": 10.0 ** np.array([12, -12, 0, 5, -3]),
    "one small": np.array([1.0, 1.0, 1.0, 1.0, 1e-20]),
    "one large": np.array([1.0, 1.0, 1e20, 1.0, 1.0]),
}


@pytest.mark.parametrize("case", GRADES)
def test_every_eigenvalue_has_its_digits(case):
    C, d = correlation(5), GRADES[case]
    values, V = eigh_graded(C, d)
    np.testing.assert_allclose(values, exact(C, d), rtol=1e-12)
    np.testing.assert_allclose(V.T @ V, np.eye(5), atol=1e-13)
    assert np.all(np.diff(values) <= 0)


def test_the_usual_solver_would_lose_them():
    """Why the other way exists: the smallest eigenvalue is not even of the right size."""
    C, d = correlation(5), GRADES["large and small"]
    usual, _ = eigh(C * np.outer(d, d))
    assert abs(usual[-1] / exact(C, d)[-1] - 1) > 1


def test_axes_of_graded_columns():
    C, d = correlation(5), GRADES["five orders"]
    values, V = eigh_graded(C, d)
    M = C * np.outer(d, d)
    for k in range(5):
        # Relative to the axis itself in the units of the columns, not to the largest axis.
        residual = (M @ V[:, k] - values[k] * V[:, k]) / d
        assert np.linalg.norm(residual) <= 1e-13 * np.sqrt(values[0])


def test_the_order_of_the_columns_does_not_matter():
    C, d = correlation(5), GRADES["large and small"]
    order = np.array([3, 0, 4, 2, 1])
    values, V = eigh_graded(C, d)
    again, W = eigh_graded(C[np.ix_(order, order)], d[order])
    np.testing.assert_allclose(again, values, rtol=1e-12)
    np.testing.assert_allclose(np.abs(W), np.abs(V[order]), atol=1e-9)


def test_constant_and_dependent_columns_leave_null_axes_out():
    F = np.random.default_rng(1).standard_normal((40, 3))
    F = np.column_stack([F, F[:, 0] + F[:, 1], np.zeros(40)])
    C = F.T @ F / 40
    d = np.array([1.0, 1e-6, 1e3, 1.0, 1.0])
    values, V = eigh_graded(C, d)
    assert values.shape == (3,) and V.shape == (5, 3)
    assert not V[4].any()
    np.testing.assert_allclose(V.T @ V, np.eye(3), atol=1e-12)


def test_torch_in_torch_out():
    C, d = correlation(5), GRADES["five orders"]
    values, V = eigh_graded(torch.asarray(C), torch.asarray(d))
    assert isinstance(V, torch.Tensor) and isinstance(values, np.ndarray)
    np.testing.assert_allclose(values, exact(C, d), rtol=1e-12)


@pytest.mark.parametrize(
    ("d", "expected"),
    [
        ([1.0, 1.0], False),
        ([1.0, 0.99 / GRADED_RATIO], True),
        ([1.0, 1.01 / GRADED_RATIO], False),
        ([1.0, 0.0], False),  # a column of weight 0 has no axis to lose
        ([1e-200, 1e200], True),
        ([5.0], False),
    ],
    ids=str,
)
def test_is_graded(d, expected):
    assert is_graded(np.array(d)) is expected


def test_axes_of_columns_scaled_on_both_sides():
    C, d = correlation(4), np.array([1.0, 2.0, 3.0, 4.0])
    values, V = eigh(C * np.outer(d, d))
    np.testing.assert_allclose((V * values) @ V.T, C * np.outer(d, d), atol=1e-13)
