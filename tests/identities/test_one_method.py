"""PCA, kernel PCA with a linear kernel and classical MDS of Euclidean distances are one method."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.spatial.distance import cdist
from tests import naive

import gramian as gm
from gramian.kernels import Callback, Gaussian, Linear

from .clouds import assert_same_axes, assert_same_fit, clouds, few, signs_between


def inner(A, B):
    return A @ B.T


# name: how to fit q axes to rows, and how new rows are given to the fitted estimator
METHODS = {
    "linear": (lambda q, X: gm.KernelPCA(q, kernel="linear").fit(X), lambda Y, X: Y),
    "linear by tiles": (lambda q, X: gm.KernelPCA(q, kernel=Linear() ** 1).fit(X), lambda Y, X: Y),
    "linear callable": (lambda q, X: gm.KernelPCA(q, kernel=inner).fit(X), lambda Y, X: Y),
    "precomputed products": (
        lambda q, X: gm.KernelPCA(q, kernel="precomputed").fit(X @ X.T),
        lambda Y, X: Y @ X.T,
    ),
    "classical MDS": (lambda q, X: gm.ClassicalMDS(q).fit(X), lambda Y, X: Y),
    "MDS of distances": (
        lambda q, X: gm.ClassicalMDS(q, metric="precomputed").fit(cdist(X, X)),
        lambda Y, X: cdist(Y, X),
    ),
    "MDS by a callable": (lambda q, X: gm.ClassicalMDS(q, metric=cdist).fit(X), lambda Y, X: Y),
    "torch PCA": (lambda q, X: gm.PCA(q).fit(torch.asarray(X)), lambda Y, X: torch.asarray(Y)),
    "torch MDS": (
        lambda q, X: gm.ClassicalMDS(q).fit(torch.asarray(X)),
        lambda Y, X: torch.asarray(Y),
    ),
    "sparse PCA": (
        lambda q, X: gm.PCA(q).fit(sparse.csr_array(X)),
        lambda Y, X: sparse.csr_array(Y),
    ),
    "blocks of rows": (lambda q, X: gm.PCA(q).fit(iter([X[:4], X[4:]])), lambda Y, X: Y),
}


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@few
@given(clouds())
def test_every_face_gives_the_axes_of_pca(method, cloud):
    X, new, q = cloud
    fit, given_as = METHODS[method]
    pca, other = gm.PCA(q).fit(X), fit(q, X)
    np.testing.assert_allclose(
        other.eigenvalues_, pca.eigenvalues_, rtol=0, atol=1e-9 * pca.eigenvalues_[0]
    )
    np.testing.assert_allclose(other.inertia_, pca.inertia_, rtol=1e-9)
    np.testing.assert_allclose(other.inertia_ratio_, pca.inertia_ratio_, atol=1e-9)
    trained = other.transform(given_as(X, X))
    sign = signs_between(trained, pca.coordinates_)
    assert_same_axes(trained, pca.coordinates_, 1e-8, sign)
    assert_same_axes(other.transform(given_as(new, X)), pca.transform(new), 1e-8, sign)


@few
@given(clouds(), st.booleans())
def test_pca_is_its_twin(cloud, scale):
    X, _, q = cloud
    fitted = gm.PCA(q, scale=scale).fit(X)
    values, F, V = naive.pca(X, q, scale=scale)
    np.testing.assert_allclose(fitted.eigenvalues_, values, rtol=0, atol=1e-10 * values[0])
    gaps = np.abs(np.diff(naive.pca(X, q + 1, scale=scale)[0])) / values[0]
    if gaps.size == q and gaps.min() > 1e-3:  # scaling may bring axes together
        assert_same_axes(fitted.coordinates_, F, 1e-9)
        assert_same_axes(fitted.components_.T, V.T, 1e-9)


@few
@given(clouds())
def test_coordinates_have_the_inertias_as_variances_and_are_uncorrelated(cloud):
    X, _, q = cloud
    for fitted in (gm.PCA(q).fit(X), gm.KernelPCA(q).fit(X), gm.ClassicalMDS(q).fit(X)):
        F, values = fitted.coordinates_, fitted.eigenvalues_
        np.testing.assert_allclose(F.mean(axis=0), 0, atol=1e-9 * np.sqrt(values[0]))
        np.testing.assert_allclose(F.T @ F / len(X), np.diag(values), atol=1e-9 * values[0])


@few
@given(clouds())
def test_all_axes_give_the_inertia_and_the_distances_back(cloud):
    X, *_ = cloud
    fitted = gm.PCA().fit(X)
    assert fitted.eigenvalues_.sum() == pytest.approx(fitted.inertia_, rel=1e-10)
    np.testing.assert_allclose(
        cdist(fitted.coordinates_, fitted.coordinates_), cdist(X, X), atol=1e-9 * np.ptp(X)
    )
    np.testing.assert_allclose(
        fitted.inverse_transform(fitted.coordinates_), X, atol=1e-9 * np.abs(X).max()
    )


@pytest.mark.slow
@few
@given(clouds(max_columns=6), st.sampled_from([0.5, 1.0, 3.0]))
def test_kernel_pca_is_its_twin_and_so_are_new_points(cloud, width):
    X, new, q = cloud
    scale = width * gm.kernels.median_scale(X)
    kernel, twin = Gaussian(scale), naive.gaussian(scale)
    fitted = gm.KernelPCA(q, kernel=kernel).fit(X)
    G, cross = naive.pairwise(twin, X), naive.pairwise(twin, new, X)
    values, F = naive.kernel_pca(G, q)
    np.testing.assert_allclose(fitted.eigenvalues_, values, rtol=0, atol=1e-11 * values[0])
    sign = signs_between(fitted.coordinates_, F)
    assert_same_axes(fitted.coordinates_, F, 1e-7, sign)
    assert_same_axes(fitted.transform(new), naive.project(cross, G, q), 1e-6, sign)
    assert fitted.inertia_ == pytest.approx(np.trace(naive.inertia_matrix(G)), rel=1e-11)


@pytest.mark.slow
@few
@given(clouds(max_columns=6))
def test_a_kernel_its_callable_its_matrix_and_torch_agree(cloud):
    X, _, q = cloud
    kernel = Gaussian(gm.kernels.median_scale(X))
    expected = gm.KernelPCA(q, kernel=kernel).fit(X)
    K = kernel.pairwise(X)
    for other in (
        gm.KernelPCA(q, kernel=Callback(kernel.pairwise, psd=True)).fit(X),
        gm.KernelPCA(q, kernel="precomputed").fit(K),
        gm.KernelPCA(q, kernel="precomputed").fit(torch.asarray(K)),
        gm.KernelPCA(q, kernel=kernel).fit(torch.asarray(X)),
        gm.ClassicalMDS(q, metric="precomputed").fit(np.sqrt(2 * (1 - K))),
    ):
        assert_same_fit(other, expected, 1e-7)


@pytest.mark.slow
@few
@given(clouds(max_columns=6))
def test_classical_mds_is_its_twin(cloud):
    X, _, q = cloud
    D = cdist(X, X)
    fitted = gm.ClassicalMDS(q, metric="precomputed").fit(D)
    values, F = naive.classical_mds(D, q)
    np.testing.assert_allclose(fitted.eigenvalues_, values, rtol=0, atol=1e-10 * values[0])
    assert_same_axes(fitted.coordinates_, F, 1e-8)


@st.composite
def crooked_distances(draw):
    """Distances that no Euclidean space can hold."""
    n = draw(st.integers(5, 9))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    D = rng.uniform(1.0, 2.0, (n, n)) * 10.0 ** draw(st.integers(-2, 2))
    return np.triu(D, 1) + np.triu(D, 1).T


@pytest.mark.slow
@pytest.mark.parametrize("correction", ["lingoes", "cailliez"])
@few
@given(crooked_distances())
def test_corrections_are_the_smallest_constants(correction, D):
    fitted = gm.ClassicalMDS(None, metric="precomputed", correction=correction).fit(D)
    twin = {"lingoes": naive.lingoes, "cailliez": naive.cailliez}[correction]
    c = twin(D)
    assert fitted.correction_constant_ == pytest.approx(c, rel=1e-8)
    off = ~np.eye(len(D), dtype=bool)
    wanted = np.where(off, np.sqrt(D**2 + 2 * c) if correction == "lingoes" else D + c, 0.0)
    F = fitted.coordinates_
    np.testing.assert_allclose(cdist(F, F), wanted, atol=1e-6 * wanted.max())
    np.testing.assert_allclose(fitted.transform(D), F, atol=1e-6 * wanted.max())
    assert fitted.negative_inertia_ == 0.0


@pytest.mark.filterwarnings("ignore::gramian.errors.NotEuclideanWarning")
@few
@given(crooked_distances())
def test_negative_inertia_is_reported_in_full(D):
    fitted = gm.ClassicalMDS(1, metric="precomputed").fit(D)
    values = np.linalg.eigvalsh(naive.inertia_matrix(-0.5 * D**2))
    assert fitted.negative_inertia_ == pytest.approx(-values[values < 0].sum(), rel=1e-9)
    assert fitted.inertia_ == pytest.approx(values.sum(), rel=1e-9)
    assert fitted.inertia_ratio_[0] == pytest.approx(values[-1] / values.sum(), rel=1e-9)
