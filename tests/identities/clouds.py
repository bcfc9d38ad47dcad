"""Random clouds whose axes are well apart, and comparisons of what was fitted to them."""

from typing import NamedTuple

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from tests import naive

import gramian as gm
from gramian._core.array import to_numpy

few = settings(max_examples=6, deadline=None, derandomize=True)

PCAS = {
    "PCA": lambda q: gm.PCA(q),
    "PCA scaled": lambda q: gm.PCA(q, scale=True),
    "PCA dense": lambda q: gm.PCA(q, solver="dense"),
    "PCA krylov": lambda q: gm.PCA(q, solver="krylov"),
}


class Cloud(NamedTuple):
    """Rows to fit, rows to project, and the number of axes to ask for."""

    X: np.ndarray
    new: np.ndarray
    q: int


@st.composite
def clouds(draw, max_rows=30, max_columns=40):
    """More rows than columns or fewer, any scale, a centre away from the origin."""
    n, p = draw(st.integers(6, max_rows)), draw(st.integers(2, max_columns))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    r = min(n - 1, p)
    U = np.linalg.qr(np.column_stack([np.ones(n), rng.standard_normal((n, r))]))[0][:, 1:]
    V = np.linalg.qr(rng.standard_normal((p, r)))[0]
    spread = draw(st.sampled_from([0.5, 0.7, 0.8])) ** np.arange(r)
    size = 10.0 ** draw(st.integers(-3, 3))
    centre = rng.standard_normal(p) * draw(st.sampled_from([0.0, 1.0, 5.0]))
    X = size * (np.sqrt(n) * (U * spread) @ V.T + centre)
    new = X[:3] + size * 0.3 * rng.standard_normal((3, p))
    return Cloud(X, new, min(3, r))


def whole_weights(n):
    """One whole number of 1 to 4 for each of n rows, not all equal."""
    return st.lists(st.integers(1, 4), min_size=n, max_size=n).filter(lambda w: len(set(w)) > 1)


def assert_same_axes(actual, expected, tol=1e-9, sign=None):
    """Column by column the same, up to sign, relative to the largest entry of all."""
    actual, expected = to_numpy(actual), to_numpy(expected)
    assert actual.shape == expected.shape
    moved = naive.aligned(actual, expected) if sign is None else actual * sign
    np.testing.assert_allclose(moved, expected, rtol=0, atol=tol * np.abs(expected).max())


def signs_between(actual, expected):
    product = np.sum(to_numpy(actual) * to_numpy(expected), axis=0)
    return np.where(product < 0, -1.0, 1.0)


def assert_same_fit(actual, expected, tol=1e-9, sign=1.0):
    """Inertias, their total and coordinates of two fitted estimators agree, signs included."""
    np.testing.assert_allclose(
        actual.eigenvalues_, expected.eigenvalues_, rtol=0, atol=tol * expected.eigenvalues_[0]
    )
    np.testing.assert_allclose(actual.inertia_, expected.inertia_, rtol=tol)
    assert_same_axes(actual.coordinates_, expected.coordinates_, tol, sign=sign)
