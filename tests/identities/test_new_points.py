"""The training rows projected are their coordinates, in one batch or one by one."""

import numpy as np
import pytest
from hypothesis import given
from scipy import sparse
from tests import naive

import gramian as gm
from gramian.kernels import Gaussian, Linear, Polynomial

from .clouds import PCAS, assert_same_axes, clouds, few

METHODS = PCAS | {
    "gaussian": lambda q: gm.KernelPCA(q),
    "exponential": lambda q: gm.KernelPCA(q, kernel="exponential"),
    "laplacian": lambda q: gm.KernelPCA(q, kernel="laplacian"),
    "cosine": lambda q: gm.KernelPCA(q, kernel="cosine"),
    "linear": lambda q: gm.KernelPCA(q, kernel="linear"),
    "composite": lambda q: gm.KernelPCA(q, kernel=(Gaussian() + 1).normalized() * 2),
    "span": lambda q: gm.KernelPCA(q, formulation="span"),
    "span linear": lambda q: gm.KernelPCA(q, kernel="linear", formulation="span"),
    "krylov": lambda q: gm.KernelPCA(q, solver="krylov"),
    "krylov, loose": lambda q: gm.KernelPCA(q, solver="krylov", tol=1e-3),
    "clip": lambda q: gm.KernelPCA(q, kernel="exponential", indefinite="clip"),
    "MDS": lambda q: gm.ClassicalMDS(q),
    "MDS krylov": lambda q: gm.ClassicalMDS(q, solver="krylov"),
}


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
@few
@given(clouds(max_columns=8))
def test_transform_of_the_training_rows_is_coordinates(method, cloud):
    X, _, q = cloud
    fitted = METHODS[method](q).fit(X)
    scale = np.abs(fitted.coordinates_).max()
    batch = fitted.transform(X)
    np.testing.assert_allclose(batch, fitted.coordinates_, rtol=0, atol=1e-9 * scale)
    for i in (0, len(X) // 2, len(X) - 1):
        alone = fitted.transform(X[i : i + 1])[0]
        np.testing.assert_allclose(alone, batch[i], rtol=0, atol=1e-11 * scale)
    assert np.array_equal(METHODS[method](q).fit_transform(X), fitted.coordinates_)


@pytest.mark.slow
@few
@given(clouds(max_columns=8))
def test_sparse_and_dense_new_rows_agree(cloud):
    X, new, q = cloud
    for make in (METHODS["gaussian"], METHODS["PCA"]):
        fitted = make(q).fit(X)
        scale = np.abs(fitted.coordinates_).max()
        actual = fitted.transform(sparse.csr_array(new))
        np.testing.assert_allclose(actual, fitted.transform(new), atol=1e-9 * scale)


@pytest.mark.slow
@few
@given(clouds(max_columns=6))
def test_the_two_formulations_differ_by_a_constant_per_axis(cloud):
    X, new, q = cloud
    for kernel in ("gaussian", "linear", Polynomial(2, 1.0, 1.0 / np.abs(X).max() ** 2)):
        centred = gm.KernelPCA(q, kernel=kernel).fit(X)
        span = gm.KernelPCA(q, kernel=kernel, formulation="span").fit(X)
        assert np.array_equal(span.eigenvalues_, centred.eigenvalues_)
        shift = span.coordinates_ - centred.coordinates_
        scale = np.abs(span.coordinates_).max()
        np.testing.assert_allclose(shift, np.tile(shift[0], (len(X), 1)), atol=1e-9 * scale)
        moved = span.transform(new) - centred.transform(new)
        np.testing.assert_allclose(moved, np.tile(shift[0], (3, 1)), atol=1e-9 * scale)


@pytest.mark.slow
@few
@given(clouds(max_columns=6))
def test_span_coordinates_are_the_values_of_the_axes_as_functions(cloud):
    """⟨φ(x), v⟩ for v = Σ c_i (φ(x_i) − mean): the point itself is not centred."""
    X, new, q = cloud
    scale = gm.kernels.median_scale(X)
    fitted = gm.KernelPCA(q, kernel=Gaussian(scale), formulation="span").fit(X)
    values, U = naive.eigh(naive.inertia_matrix(naive.pairwise(naive.gaussian(scale), X)))
    c = U[:, :q] / np.sqrt(len(X) * values[:q])
    for rows, actual in ((X, fitted.coordinates_), (new, fitted.transform(new))):
        K = naive.pairwise(naive.gaussian(scale), rows, X)
        expected = (K - K.mean(axis=1, keepdims=True)) @ c
        assert_same_axes(actual, expected, 1e-7)


@few
@given(clouds(max_columns=6))
def test_a_point_given_twice_is_projected_twice(cloud):
    X, new, q = cloud
    fitted = gm.KernelPCA(q).fit(X)
    twice = fitted.transform(np.vstack([new, new]))
    scale = np.abs(fitted.coordinates_).max()
    np.testing.assert_allclose(twice[:3], twice[3:], atol=1e-12 * scale)


@few
@given(clouds(max_columns=6))
def test_pca_projects_by_its_components(cloud):
    X, new, q = cloud
    fitted = gm.PCA(q).fit(X)
    expected = (new - X.mean(axis=0)) @ fitted.components_.T
    scale = np.abs(fitted.coordinates_).max()
    np.testing.assert_allclose(fitted.transform(new), expected, atol=1e-9 * scale)
    kernel = gm.KernelPCA(q, kernel=Linear()).fit(X)
    assert_same_axes(kernel.transform(new), expected, 1e-9)
