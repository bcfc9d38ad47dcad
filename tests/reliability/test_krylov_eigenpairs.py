"""The iterative solver against known spectra, the dense solver, and its own stated residuals."""

import warnings

import numpy as np
import pytest

import gramian as gm

pytestmark = pytest.mark.slow


N, Q = 240, 6


def gram(values, seed=3):
    """Symmetric matrix with these eigenvalues on axes orthogonal to ones (centring is a no-op)."""
    rng = np.random.default_rng(seed)
    values = np.asarray(values, dtype=float)
    B = rng.standard_normal((N, len(values)))
    U = np.linalg.qr(np.column_stack([np.ones(N), B]))[0][:, 1:]
    K = (U * values) @ U.T
    return (K + K.T) / 2, U


SPECTRA = {
    "fast decay": 0.5 ** np.arange(40),
    "slow decay": 1.0 / np.arange(1, N) ** 1.5,
    "flat": np.linspace(1.0, 0.9, N - 1),
    "flat after six": np.r_[np.linspace(2.0, 1.5, Q), np.linspace(1.0, 0.99, N - 1 - Q)],
    "clustered": np.r_[1 + 1e-5 * np.arange(4)[::-1], 0.5 - 1e-5 * np.arange(4), 0.1 * np.ones(9)],
    "double": np.r_[np.repeat(0.7 ** np.arange(10), 2), 1e-3 * np.ones(50)],
    "sixfold": np.r_[np.ones(6), 0.3 ** np.arange(1, 20)],
    "twentyfold": np.r_[3.0, np.ones(20), 0.1 * np.ones(20)],
    "rank ten": np.linspace(1.0, 0.1, 10),
}


def fit(K, solver, **options):
    """Fit, with the warning about ties allowed: several of the spectra are tied on purpose."""
    est = gm.KernelPCA(n_components=Q, kernel="precomputed", solver=solver, **options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gm.errors.TiedAxesWarning)
        return est.fit(K)


def relative_gaps(values):
    """Distance of each of the first Q eigenvalues to the nearest other one, over the largest."""
    others = np.abs(values[:Q, None] - np.r_[values, 0.0][None, :])
    others[np.arange(Q), np.arange(Q)] = np.inf
    return others.min(axis=1) / values[0]


@pytest.mark.parametrize("name", SPECTRA)
def test_krylov_and_dense_agree_with_the_known_spectrum(name):
    values = SPECTRA[name]
    K, U = gram(values)
    known = np.sort(values)[::-1][:Q] / N
    for solver in ("krylov", "dense"):
        est = fit(K, solver)
        assert est.solver_ is not None
        assert np.all(np.abs(est.eigenvalues_ - known) <= 1e-7 * known[0]), solver
        assert abs(est.inertia_ - values.sum() / N) <= 1e-12 * est.inertia_
        # Each computed axis lies in the span of the axes whose eigenvalue it has.
        for k in range(Q):
            u = est.coordinates_[:, k] / np.linalg.norm(est.coordinates_[:, k])
            near = np.abs(values / N - est.eigenvalues_[k]) <= 0.01 * known[0]
            outside = u - U[:, near] @ (U[:, near].T @ u)
            assert np.linalg.norm(outside) <= 1e-7 / 0.01, (solver, k)


@pytest.mark.parametrize("name", ["fast decay", "slow decay", "flat after six", "rank ten"])
def test_krylov_and_dense_coordinates_agree(name):
    K, _ = gram(SPECTRA[name])
    krylov, dense = fit(K, "krylov"), fit(K, "dense")
    # A residual r turns an axis by r over the gap.
    allowed = 1e-7 * np.sqrt(N * dense.eigenvalues_) / relative_gaps(SPECTRA[name])
    difference = np.linalg.norm(krylov.coordinates_ - dense.coordinates_, axis=0)
    assert np.all(difference <= np.maximum(allowed, 1e-7 * np.sqrt(N * dense.eigenvalues_[0])))


def true_residuals(K, vectors, values):
    """|Au - lu| / |u| for A = (I - 11t/n) K (I - 11t/n) / n, in long double."""
    K = np.asarray(K, dtype=np.longdouble)
    A = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
    A = A / len(K)
    U = np.asarray(vectors, dtype=np.longdouble)
    U = U / np.sqrt((U**2).sum(axis=0))
    R = A @ U - U * np.asarray(values, dtype=np.longdouble)
    return np.sqrt((R**2).sum(axis=0)).astype(float)


def gaussian_gram():
    X = np.random.default_rng(5).standard_normal((N, 4))
    D2 = ((X[:, None] - X[None]) ** 2).sum(axis=2)
    return np.exp(-D2 / 8)


@pytest.mark.parametrize("tol", [1e-2, 1e-4, 1e-8])
@pytest.mark.parametrize("name", [*SPECTRA, "gaussian"])
@pytest.mark.parametrize("solver", ["krylov", "dense"])
def test_reported_residuals_are_true_within_a_factor_two(name, solver, tol):
    K = gaussian_gram() if name == "gaussian" else gram(SPECTRA[name])[0]
    est = fit(K, solver, tol=tol)
    true = true_residuals(K, est.record_.embedding.spectrum.vectors, est.eigenvalues_)
    # Below this a residual is rounding, whoever computes it.
    floor = N * np.finfo(float).eps * est.eigenvalues_[0]
    assert est.residuals_.shape == (Q,)
    assert np.all(true <= 2 * est.residuals_ + floor)
    assert np.all(est.residuals_ <= 2 * true + floor)
    assert np.all(est.residuals_ <= tol * est.eigenvalues_[0] + floor)
    # Coordinates are the images of the vectors, one product further: they are no worse.
    assert np.all(true_residuals(K, est.coordinates_, est.eigenvalues_) <= 2 * true + floor)


def test_centring_matters_and_is_done():
    K = gaussian_gram() + 100.0
    for solver in ("krylov", "dense"):
        est = fit(K, solver)
        clean = fit(gaussian_gram(), "dense")
        np.testing.assert_allclose(est.eigenvalues_, clean.eigenvalues_, rtol=1e-7)
        np.testing.assert_allclose(est.inertia_, clean.inertia_, rtol=1e-11)
