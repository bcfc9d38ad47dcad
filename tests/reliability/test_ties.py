"""Tied axes are named; signs do not depend on the order of the rows."""

import numpy as np
import pytest

import gramian as gm


def axes(values, seed=4, extra=40):
    """Centred rows whose covariance (divisor n) has exactly these eigenvalues, up to rounding."""
    n = len(values) + extra
    B = np.random.default_rng(seed).standard_normal((n, len(values)))
    U = np.linalg.qr(np.column_stack([np.ones(n), B]))[0][:, 1:]
    V = np.linalg.qr(np.random.default_rng(seed + 1).standard_normal((len(values),) * 2))[0]
    return np.sqrt(n) * (U * np.sqrt(values)) @ V.T


def corners(p):
    """Points plus and minus one on each axis: every direction carries the same inertia."""
    return np.vstack([np.eye(p), -np.eye(p)])


FITS = {
    "PCA": lambda X: gm.PCA(n_components=4).fit(X),
    "PCA dense": lambda X: gm.PCA(n_components=4, solver="dense").fit(X),
    "KernelPCA dense": lambda X: kernel_pca("dense", X),
    "KernelPCA krylov": lambda X: kernel_pca("krylov", X),
    "ClassicalMDS": lambda X: gm.ClassicalMDS(n_components=4).fit(X),
}


def kernel_pca(solver, X):
    return gm.KernelPCA(n_components=4, kernel="linear", solver=solver).fit(X)


TIED = {
    "pair": ([5, 3, 3, 1], [(2, 3)]),
    "first pair": ([5, 5, 3, 1], [(1, 2)]),
    "triple": ([5, 5, 5, 1], [(1, 2, 3)]),
    "two pairs": ([5, 5, 2, 2], [(1, 2), (3, 4)]),
    "all": ([2, 2, 2, 2], [(1, 2, 3, 4)]),
    "gap 1e-9": ([5, 3, 3 * (1 - 1e-9), 1], [(2, 3)]),
}


@pytest.mark.parametrize("case", TIED)
@pytest.mark.parametrize("method", FITS)
def test_tied_axes_are_named(method, case):
    values, tied = TIED[case]
    X = axes(np.array(values, dtype=float))
    with pytest.warns(gm.errors.TiedAxesWarning) as caught:
        est = FITS[method](X)
    assert [tuple(group) for group in est.tied_axes_] == tied
    messages = [str(warning.message) for warning in caught]
    assert all(str(axis) in " ".join(messages) for group in tied for axis in group)
    assert max(map(len, messages)) <= 400


@pytest.mark.parametrize("values", [[5, 3, 2, 1], [5, 3, 3 * (1 - 1e-6), 1]])
@pytest.mark.parametrize("method", FITS)
def test_distinct_axes_are_not_called_tied(method, values):
    est = FITS[method](axes(np.array(values, dtype=float)))
    assert list(est.tied_axes_) == []


def test_exact_ties_of_a_symmetric_cloud():
    with pytest.warns(gm.errors.TiedAxesWarning):
        est = gm.PCA().fit(corners(3))
    assert [tuple(group) for group in est.tied_axes_] == [(1, 2, 3)]
    np.testing.assert_allclose(est.eigenvalues_, 1 / 3, rtol=1e-14)


@pytest.mark.parametrize("solver", ["dense", "krylov"])
def test_ties_of_a_precomputed_kernel(solver):
    with pytest.warns(gm.errors.TiedAxesWarning):
        est = gm.KernelPCA(n_components=3, kernel="precomputed", solver=solver).fit(np.eye(30))
    np.testing.assert_allclose(est.eigenvalues_, 1 / 30, rtol=1e-9)
    assert tuple(est.tied_axes_[0])[:3] == (1, 2, 3)


@pytest.mark.parametrize("make", [gm.PCA, gm.ClassicalMDS], ids=lambda cls: cls.__name__)
def test_a_tie_with_the_first_axis_left_out_is_not_silent(make):
    X = axes(np.array([5.0, 3.0, 3.0, 1.0]))
    with pytest.warns(gm.errors.TiedAxesWarning):
        make(n_components=2).fit(X)


PERMUTED = {
    "PCA": lambda: gm.PCA(n_components=3),
    "PCA scaled": lambda: gm.PCA(n_components=3, scale=True),
    "KernelPCA dense": lambda: gm.KernelPCA(n_components=3, solver="dense"),
    "KernelPCA krylov": lambda: gm.KernelPCA(n_components=3, solver="krylov"),
    "KernelPCA auto": lambda: gm.KernelPCA(n_components=3),
    "ClassicalMDS": lambda: gm.ClassicalMDS(n_components=3),
}


def assert_permutes(make, X, atol=1e-6, draws=6):
    reference = make().fit(X).coordinates_
    for seed in range(draws):
        order = np.random.default_rng(seed).permutation(len(X))
        moved = make().fit(X[order]).coordinates_
        np.testing.assert_allclose(moved, reference[order], rtol=0, atol=atol)


@pytest.mark.parametrize("n", [12, 90])
@pytest.mark.parametrize("method", PERMUTED)
def test_rows_in_another_order_give_the_same_signs(method, n):
    X = np.random.default_rng(n).standard_normal((n, 4)) * [3.0, 2.0, 1.0, 0.5]
    assert_permutes(PERMUTED[method], X)


def test_two_standardised_columns_have_loadings_of_equal_modulus():
    X = np.random.default_rng(6).standard_normal((25, 2)) @ [[1.0, -0.6], [0.0, 0.8]]
    assert_permutes(lambda: gm.PCA(scale=True), X, atol=1e-9, draws=30)


@pytest.mark.slow
@pytest.mark.parametrize(
    "make",
    [
        lambda: gm.KernelPCA(n_components=1, kernel="linear", solver="dense"),
        lambda: gm.KernelPCA(n_components=1, kernel="linear", solver="krylov"),
        lambda: gm.ClassicalMDS(n_components=1),
    ],
    ids=["KernelPCA dense", "KernelPCA krylov", "ClassicalMDS"],
)
def test_two_rows_of_equal_modulus_and_opposite_sign(make):
    # -3 and 3 tie for the largest modulus, and the cloud is not its own mirror image.
    X = np.array([[-3.0], [3.0], [-1.0], [-1.0], [2.0], [0.0]])
    assert_permutes(make, X, atol=1e-7, draws=30)
