"""Whole weights are repeated rows; rows of weight zero are supplementary."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from scipy.spatial.distance import cdist
from tests import naive

import gramian as gm

from .clouds import PCAS, assert_same_axes, clouds, few, whole_weights

METHODS = PCAS | {
    "KernelPCA": lambda q: gm.KernelPCA(q),
    "KernelPCA matern": lambda q: gm.KernelPCA(q, kernel="matern"),
    "KernelPCA linear": lambda q: gm.KernelPCA(q, kernel="linear"),
    "KernelPCA span": lambda q: gm.KernelPCA(q, formulation="span"),
    "KernelPCA krylov": lambda q: gm.KernelPCA(q, solver="krylov", tol=1e-12),
    "ClassicalMDS": lambda q: gm.ClassicalMDS(q),
}
methods = pytest.mark.parametrize("method", METHODS)


def well_apart(fitted):
    """Whether the axes, the first one left out included, are determined one by one."""
    s = fitted.record_.embedding.spectrum
    values = np.append(s.values, 0.0 if s.beyond is None else s.beyond)
    return np.abs(np.diff(values)).min() > 1e-3 * values[0]


@pytest.mark.slow
@methods
@few
@given(clouds(max_rows=14, max_columns=6), st.data())
def test_whole_weights_are_repeated_rows(method, cloud, data):
    X, new, q = cloud
    weight = np.array(data.draw(whole_weights(len(X))))
    repeated = METHODS[method](q).fit(np.repeat(X, weight, axis=0))
    weighted = METHODS[method](q).fit(X, sample_weight=weight)
    np.testing.assert_allclose(
        weighted.eigenvalues_, repeated.eigenvalues_, atol=1e-9 * repeated.eigenvalues_[0]
    )
    np.testing.assert_allclose(weighted.inertia_, repeated.inertia_, rtol=1e-9)
    if well_apart(weighted):
        copies = np.repeat(weighted.coordinates_, weight, axis=0)
        assert_same_axes(copies, repeated.coordinates_, 1e-6, sign=1.0)
        assert_same_axes(weighted.transform(new), repeated.transform(new), 1e-6, sign=1.0)


@pytest.mark.slow
@methods
@few
@given(clouds(max_rows=14, max_columns=6), st.data())
def test_rows_of_weight_zero_are_supplementary(method, cloud, data):
    X, _, q = cloud
    weight = np.array(data.draw(whole_weights(len(X))), dtype=float)
    weight[::4] = 0.0
    active = weight > 0
    q = min(q, active.sum() - 2)
    whole = METHODS[method](q).fit(X, sample_weight=weight)
    part = METHODS[method](q).fit(X[active], sample_weight=weight[active])
    np.testing.assert_allclose(whole.eigenvalues_, part.eigenvalues_, rtol=1e-12)
    assert_same_axes(whole.coordinates_[active], part.coordinates_, 1e-12, sign=1.0)
    expected = part.transform(X[~active])
    scale = np.abs(part.coordinates_).max()
    np.testing.assert_allclose(whole.coordinates_[~active], expected, atol=1e-10 * scale)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["PCA scaled", "KernelPCA", "ClassicalMDS"])
@few
@given(clouds(max_rows=12, max_columns=5), st.data(), st.sampled_from([1e-8, 0.5, 1e12]))
def test_only_proportions_matter(method, cloud, data, factor):
    X, _, q = cloud
    weight = np.array(data.draw(whole_weights(len(X))), dtype=float)
    one = METHODS[method](q).fit(X, sample_weight=weight)
    other = METHODS[method](q).fit(X, sample_weight=weight * factor)
    np.testing.assert_allclose(other.eigenvalues_, one.eigenvalues_, rtol=1e-10)
    equal, none = (
        METHODS[method](q).fit(X, sample_weight=np.full(len(X), factor)),
        METHODS[method](q),
    )
    assert np.array_equal(equal.eigenvalues_, none.fit(X).eigenvalues_)


@few
@given(clouds(max_rows=14, max_columns=6), st.data(), st.booleans())
def test_weighted_pca_is_its_twin(cloud, data, scale):
    X, _, q = cloud
    weight = data.draw(whole_weights(len(X)))
    columns = data.draw(st.lists(st.floats(0.1, 5.0), min_size=X.shape[1], max_size=X.shape[1]))
    fitted = gm.PCA(q, scale=scale, column_weight=columns).fit(X, sample_weight=weight)
    values, F, _ = naive.pca(X, q, weight, scale, columns)
    np.testing.assert_allclose(fitted.eigenvalues_, values, rtol=0, atol=1e-10 * values[0])
    if well_apart(fitted):
        assert_same_axes(fitted.coordinates_, F, 1e-8)


@pytest.mark.slow
@few
@given(clouds(max_rows=14, max_columns=6), st.data())
def test_weighted_kernel_pca_is_its_twin(cloud, data):
    X, new, q = cloud
    weight = data.draw(whole_weights(len(X)))
    scale = gm.kernels.median_scale(X)
    fitted = gm.KernelPCA(q, kernel=gm.kernels.Gaussian(scale)).fit(X, sample_weight=weight)
    G = naive.pairwise(naive.gaussian(scale), X)
    values, F = naive.kernel_pca(G, q, weight)
    np.testing.assert_allclose(fitted.eigenvalues_, values, rtol=0, atol=1e-11 * values[0])
    if well_apart(fitted):
        assert_same_axes(fitted.coordinates_, F, 1e-8)
        cross = naive.pairwise(naive.gaussian(scale), new, X)
        assert_same_axes(fitted.transform(new), naive.project(cross, G, q, weight), 1e-7)


@pytest.mark.slow
@few
@given(clouds(max_rows=14, max_columns=6), st.data())
def test_weighted_distances_and_sparse_rows(cloud, data):
    X, _, q = cloud
    weight = data.draw(whole_weights(len(X)))
    pca = gm.PCA(q).fit(X, sample_weight=weight)
    for other in (
        gm.ClassicalMDS(q, metric="precomputed").fit(cdist(X, X), sample_weight=weight),
        gm.KernelPCA(q, kernel="precomputed").fit(X @ X.T, sample_weight=weight),
        gm.PCA(q).fit(sparse.csr_array(X), sample_weight=weight),
    ):
        np.testing.assert_allclose(
            other.eigenvalues_, pca.eigenvalues_, atol=1e-9 * pca.eigenvalues_[0]
        )
        if well_apart(pca):
            assert_same_axes(other.coordinates_, pca.coordinates_, 1e-7)


@pytest.mark.slow
@few
@given(clouds(max_rows=14, max_columns=6), st.data())
def test_blocks_with_weights_are_one_table_with_weights(cloud, data):
    X, _, q = cloud
    weight = np.array(data.draw(whole_weights(len(X))), dtype=float)
    whole, parts = gm.PCA(q).fit(X, sample_weight=weight), gm.PCA(q)
    for rows in (slice(0, 5), slice(5, None)):
        parts.partial_fit(X[rows], sample_weight=weight[rows])
    np.testing.assert_allclose(parts.mean_, whole.mean_, rtol=1e-10, atol=1e-12 * np.ptp(X))
    np.testing.assert_allclose(
        parts.eigenvalues_, whole.eigenvalues_, atol=1e-10 * whole.eigenvalues_[0]
    )


@few
@given(clouds(max_rows=12, max_columns=6), st.data())
def test_whole_column_weights_are_repeated_columns(cloud, data):
    X, _, q = cloud
    weight = np.array(data.draw(whole_weights(X.shape[1])))
    weighted = gm.PCA(q, column_weight=weight).fit(X)
    repeated = gm.PCA(q).fit(np.repeat(X, weight, axis=1))
    np.testing.assert_allclose(
        weighted.eigenvalues_, repeated.eigenvalues_, atol=1e-10 * repeated.eigenvalues_[0]
    )
    if well_apart(weighted):
        assert_same_axes(weighted.coordinates_, repeated.coordinates_, 1e-8)
