"""The unit of measure changes nothing but the unit, from 1e-300 to 1e300."""

from functools import cache

import numpy as np
import pytest
from mpmath import mp, mpf

import gramian as gm

from .exact import assert_digits, covariance, eigenvalues, integers, squared_distances

FACTORS = [1e-300, 1e-150, 1e-20, 1e20, 1e150, 1e300]
N, P = 14, 4


@cache
def data():
    X = np.random.default_rng(31).standard_normal((N, P)) * [3.0, 2.0, 1.0, 0.5] + 1.0
    X.setflags(write=False)
    return X


@cache
def linear_ratios(scale=False):
    values = eigenvalues(covariance(data(), scale=scale))
    return [v / mp.fsum(values) for v in values]


@cache
def gaussian_ratios():
    """Ratios of inertia for exp(-d2/h), h the median of the squared distances over pairs."""
    D2, s = squared_distances(data())
    with mp.workdps(50):
        D2 = [[mpf(int(v)) / mpf(4) ** s for v in row] for row in D2]
        pairs = sorted(D2[i][j] for i in range(N) for j in range(i))
        half = len(pairs) // 2
        h = pairs[half] if len(pairs) % 2 else (pairs[half - 1] + pairs[half]) / 2
        K = [[mp.exp(-v / h) for v in row] for row in D2]
        means = [mp.fsum(row) / N for row in K]
        mean = mp.fsum(means) / N
        A = [[K[i][j] - means[i] - means[j] + mean for j in range(N)] for i in range(N)]
        values = eigenvalues(mp.matrix(A), 50)
        total = mp.fsum(A[i][i] for i in range(N))
        return [v / total for v in values]


def distances(X):
    M, s = integers(X)
    D2 = ((M[:, None] - M[None]) ** 2).sum(axis=2)
    with mp.workdps(40):
        return np.array([[float(mp.sqrt(mpf(int(v))) / mpf(2) ** s) for v in row] for row in D2])


@pytest.mark.parametrize("factor", [1.0, *FACTORS])
@pytest.mark.parametrize("scale", [False, True])
def test_pca(factor, scale):
    est = gm.PCA(scale=scale).fit(data() * factor)
    assert_digits(est.inertia_ratio_, linear_ratios(scale), 12)


@pytest.mark.parametrize("factor", [1.0, *FACTORS])
def test_kernel_pca(factor):
    est = gm.KernelPCA(n_components=8, kernel="gaussian").fit(data() * factor)
    assert_digits(est.inertia_ratio_, gaussian_ratios()[:8], 12)
    rows = est.transform(data() * factor)
    np.testing.assert_allclose(rows, est.coordinates_, rtol=0, atol=1e-12)


@pytest.mark.parametrize("factor", [1.0, *FACTORS])
def test_classical_mds(factor):
    est = gm.ClassicalMDS(n_components=4).fit(data() * factor)
    assert_digits(est.inertia_ratio_, linear_ratios(), 12)


@pytest.mark.parametrize("factor", [1.0, *FACTORS])
def test_classical_mds_of_distances(factor):
    D = distances(data()) * factor
    est = gm.ClassicalMDS(n_components=4, metric="precomputed").fit(D)
    assert_digits(est.inertia_ratio_, linear_ratios(), 12)


@pytest.mark.parametrize("factor", FACTORS)
@pytest.mark.parametrize(
    "make",
    [lambda: gm.PCA(n_components=4), lambda: gm.ClassicalMDS(n_components=4)],
    ids=["PCA", "ClassicalMDS"],
)
def test_coordinates_scale_with_the_data(make, factor):
    reference = make().fit(data()).coordinates_
    est = make().fit(data() * factor)
    back = est.coordinates_ / factor
    assert np.all(np.isfinite(est.coordinates_))
    np.testing.assert_allclose(back, reference, rtol=0, atol=1e-12 * np.abs(reference).max())
    rows = est.transform(data() * factor) / factor
    np.testing.assert_allclose(rows, reference, rtol=0, atol=1e-12 * np.abs(reference).max())


@pytest.mark.parametrize("exponent", [-990, -500, 500, 990])
def test_a_power_of_two_changes_no_bit(exponent):
    reference = gm.PCA().fit(data())
    est = gm.PCA().fit(np.ldexp(data(), exponent))
    np.testing.assert_array_equal(est.inertia_ratio_, reference.inertia_ratio_)
    np.testing.assert_array_equal(np.ldexp(est.coordinates_, -exponent), reference.coordinates_)


@pytest.mark.parametrize("size", [1e-150, 1e150])
def test_eigenvalues_that_are_representable_are_right(size):
    X = data() * size
    est = gm.PCA().fit(X)
    assert_digits(est.eigenvalues_, eigenvalues(covariance(X)), 12)


MIXED = {
    "five decades": [1e-5, 1.0, 1e5],
    "five decades, other order": [1e5, 1e-5, 1.0],
    "one far": [1.0, 1.0, 1e9],
    "150 decades": [1e-150, 1.0, 1e150],
}


@cache
def mixed(name, correlated):
    X = np.random.default_rng(32).standard_normal((20, 3))
    if correlated:
        X = X @ np.array([[1.0, 0.5, 0.3], [0.0, 1.0, 0.5], [0.0, 0.0, 1.0]])
    return X * MIXED[name]


@pytest.mark.parametrize("correlated", [False, True])
@pytest.mark.parametrize("name", MIXED)
def test_mixed_columns(name, correlated):
    X = mixed(name, correlated)
    est = gm.PCA().fit(X)
    # Eigenvalues 600 decades apart need as many digits to be told from zero.
    assert_digits(est.eigenvalues_, eigenvalues(covariance(X, digits=700), 700), 12)


@pytest.mark.parametrize("name", MIXED)
def test_scaled_mixed_columns(name):
    X = mixed(name, True)
    est = gm.PCA(scale=True).fit(X)
    assert_digits(est.eigenvalues_, eigenvalues(covariance(X, scale=True)), 12)
