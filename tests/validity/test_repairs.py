"""Repairs: the nearest matrix is nearest, constants are the smallest, losses are what they say."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests import naive
from tests.outside._reference import load, table

import gramian as gm
from gramian.validity import (
    cailliez,
    clip,
    flip,
    is_euclidean,
    is_psd,
    lingoes,
    nearest_psd,
    shift,
)

few = settings(max_examples=25, deadline=None, derandomize=True)


def symmetric(n, seed):
    A = np.random.default_rng(seed).standard_normal((n, n))
    return 0.5 * (A + A.T)


@pytest.mark.slow
@few
@given(st.integers(1, 12), st.integers(0, 2**32 - 1), st.sampled_from([1e-200, 1.0, 1e200]))
def test_by_eigenvalues(n, seed, unit):
    K = symmetric(n, seed)
    values, V = np.linalg.eigh(K)
    expected = {
        clip: (V * np.maximum(values, 0)) @ V.T,
        flip: (V * np.abs(values)) @ V.T,
        shift: K + max(-values[0], 0) * np.eye(n),
        nearest_psd: (V * np.maximum(values, 0)) @ V.T,
    }
    for repair, matrix in expected.items():
        found = repair(K * unit)
        np.testing.assert_allclose(found.matrix / unit, matrix, atol=1e-12)
        assert np.array_equal(found.matrix, found.matrix.T)
        assert is_psd(found.matrix)
        loss = np.linalg.norm(matrix - K)
        assert found.loss / unit == pytest.approx(loss, rel=1e-9, abs=1e-12)
        assert found.relative_loss == pytest.approx(loss / np.linalg.norm(K), rel=1e-9, abs=1e-12)
        negative = -values[values < 0].sum()
        assert found.negative_inertia / unit == pytest.approx(negative, rel=1e-9, abs=1e-12)


@pytest.mark.slow
@few
@given(st.integers(2, 8), st.integers(0, 2**32 - 1))
def test_nothing_is_nearer_than_the_nearest(n, seed):
    K = symmetric(n, seed)
    best = nearest_psd(K)
    rng = np.random.default_rng(seed)
    for _ in range(20):
        A = best.matrix + 0.1 * symmetric(n, rng.integers(2**31))
        values, V = np.linalg.eigh(A)
        other = (V * np.maximum(values, 0)) @ V.T
        assert np.linalg.norm(other - K) >= best.loss * (1 - 1e-12)


def test_what_is_valid_is_left_alone():
    X = np.random.default_rng(0).standard_normal((8, 3))
    K = X @ X.T + np.eye(8)
    for repair in (clip, flip, shift, nearest_psd):
        found = repair(K)
        assert np.array_equal(found.matrix, K) and found.loss == 0.0 == found.relative_loss
    D = naive_distances(X)
    for repair in (lingoes, cailliez):
        assert np.array_equal(repair(D).matrix, D) and repair(D).constant == 0.0


def naive_distances(X):
    return np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=2))


def dykstra(K, steps=20000):
    """Higham's alternating projections, the slow and simple way."""
    Y, S = K.copy(), np.zeros_like(K)
    for _ in range(steps):
        R = Y - S
        values, V = np.linalg.eigh(R)
        X = (V * np.maximum(values, 0)) @ V.T
        S = X - R
        Y = X.copy()
        np.fill_diagonal(Y, 1.0)
    return Y


HIGHAM = np.array([[2.0, -1, 0, 0], [-1, 2, -1, 0], [0, -1, 2, -1], [0, 0, -1, 2]])


@pytest.mark.slow
@pytest.mark.parametrize(
    "K",
    [HIGHAM, np.array([[1.0, 1, 0], [1, 1, 1], [0, 1, 1]]), symmetric(6, 3), -np.ones((4, 4))],
    ids=["tridiagonal", "three", "random", "all negative"],
)
def test_unit_diagonal_is_highams_nearest_correlation(K):
    found = nearest_psd(K, unit_diagonal=True)
    np.testing.assert_allclose(found.matrix, dykstra(K), atol=1e-7)
    assert np.array_equal(found.matrix.diagonal(), np.ones(len(K)))
    assert is_psd(found.matrix)
    assert found.loss == pytest.approx(np.linalg.norm(found.matrix - K), rel=1e-12)


def test_highams_example_as_published():
    """The nearest correlation matrix of tridiag(−1, 2, −1), four decimals."""
    found = nearest_psd(HIGHAM, unit_diagonal=True).matrix
    expected = [1.0, -0.8084, 0.1916, 0.1068]
    np.testing.assert_allclose(found[0], expected, atol=5e-5)


@pytest.mark.slow
def test_a_large_correlation_matrix_is_optimal():
    """X is nearest exactly when X − K = Diag(y) + N with N ⪰ 0 and N·X = 0."""
    R = np.corrcoef(np.random.default_rng(0).standard_normal((150, 400)))
    K = R + 0.2 * symmetric(150, 1)
    np.fill_diagonal(K, 1.0)
    X = nearest_psd(K, unit_diagonal=True).matrix
    y = ((X - K) @ X).diagonal()
    N = X - K - np.diag(y)
    assert np.abs(N @ X).max() < 1e-9
    assert np.linalg.eigvalsh(N)[0] > -1e-9


@pytest.mark.slow
@few
@given(st.integers(4, 10), st.integers(0, 2**32 - 1), st.sampled_from([1e-150, 1.0, 1e150]))
def test_lingoes_and_cailliez(n, seed, unit):
    rng = np.random.default_rng(seed)
    D = rng.uniform(1.0, 2.0, (n, n))
    D = np.triu(D, 1) + np.triu(D, 1).T
    off = ~np.eye(n, dtype=bool)
    for repair, twin, power in ((lingoes, naive.lingoes, 2), (cailliez, naive.cailliez, 1)):
        c = max(twin(D), 0.0)
        wanted = np.where(off, np.sqrt(D**2 + 2 * c) if power == 2 else D + c, 0.0)
        found = repair(D * unit)
        np.testing.assert_allclose(found.matrix / unit, wanted, rtol=1e-7)
        assert is_euclidean(found.matrix, tolerance=1e-7)
        if c > 1e-6:
            less = np.where(off, np.sqrt(D**2 + 1.9 * c) if power == 2 else D + 0.95 * c, 0.0)
            assert not is_euclidean(less)
        if unit == 1.0:
            assert found.constant == pytest.approx(c, rel=1e-7, abs=1e-10)
        assert found.loss / unit == pytest.approx(np.linalg.norm(wanted - D), rel=1e-6, abs=1e-9)


def test_the_nine_cities():
    stored = load("documents/documents.json")["results"]["doc004_cities"]
    D = table("documents/doc004_cities9.csv").to_numpy(float)
    assert lingoes(D).constant == pytest.approx(stored["lingoes_constant"], rel=1e-8)
    assert cailliez(D).constant == pytest.approx(stored["cailliez_constant"], rel=1e-8)
    negative = -sum(v for v in stored["eigenvalues"] if v < -1)
    assert lingoes(D).negative_inertia == pytest.approx(negative, rel=1e-8)


def test_a_repair_is_taken_as_its_matrix():
    K = np.array([[1.0, 2.0], [2.0, 1.0]])
    found = nearest_psd(K)
    assert np.array_equal(np.asarray(found), found.matrix)
    assert np.linalg.eigvalsh(found)[0] >= -1e-15
    fitted = gm.KernelPCA(1, kernel="precomputed").fit(np.asarray(flip(K)))
    assert fitted.eigenvalues_[0] > 0


@pytest.mark.parametrize("repair", [clip, flip, shift, nearest_psd, lingoes, cailliez])
def test_refusals(repair):
    for bad in ([[1.0, 2.0], [0.0, 1.0]], [[np.nan]], np.ones((2, 3))):
        with pytest.raises(gm.errors.InputError):
            repair(bad)
    with pytest.raises(gm.errors.InputError, match="rescale"):
        nearest_psd(1e5 * np.eye(3), unit_diagonal=True)
