"""Statements of docs/conventions.md that no other test makes."""

import numpy as np
import pytest
import torch
from tests import naive
from tests.contracts.kernel import cloud

import gramian as gm

X = cloud(25, 4) * [3.0, 2.0, 1.0, 0.5]


def test_kaiser_compares_with_the_average_axis():
    """The average over the columns that vary where the axes are those of PCA, else over n − 1."""
    values = naive.pca(X, 4)[0]
    assert gm.PCA("kaiser").fit(X).n_components_ == np.sum(values > values.sum() / 4)
    constant = np.column_stack([X, np.ones(25), np.full(25, 7.0)])
    assert gm.PCA("kaiser").fit(constant).n_components_ == np.sum(values > values.sum() / 4)
    for same in (gm.ClassicalMDS("kaiser"), gm.KernelPCA("kaiser", kernel="linear")):
        assert same.fit(constant).n_components_ == np.sum(values > values.sum() / 4)
    D = np.sqrt(((X[:, None] - X) ** 2).sum(axis=2))
    kept = gm.ClassicalMDS("kaiser", metric="precomputed").fit(D).n_components_
    assert kept == np.sum(values > values.sum() / 24)
    kernel = gm.kernels.Gaussian(2.0)
    values = naive.kernel_pca(kernel.pairwise(X), 25)[0]
    kept = gm.KernelPCA("kaiser", kernel=kernel).fit(X).n_components_
    assert kept == np.sum(values > values.sum() / 24)


def test_kaiser_of_scaled_data_is_one():
    values = naive.pca(X, 4, scale=True)[0]
    assert gm.PCA("kaiser", scale=True).fit(X).n_components_ == np.sum(values > 1)


def test_scaled_inertia_is_the_number_of_columns_that_vary():
    constant = np.column_stack([X, np.ones(25)])
    with pytest.warns(gm.errors.ConstantColumnWarning):
        assert gm.PCA(scale=True).fit(constant).inertia_ == pytest.approx(4, rel=1e-12)


def test_explained_variance_counts_the_rows_that_have_a_weight():
    weight = np.r_[np.ones(20), np.zeros(5)]
    fitted = gm.PCA().fit(X, sample_weight=weight)
    np.testing.assert_allclose(fitted.explained_variance_, fitted.eigenvalues_ * 20 / 19)
    np.testing.assert_allclose(fitted.singular_values_, np.sqrt(20 * fitted.eigenvalues_))


def test_column_weights_are_not_normalised():
    fitted = gm.PCA(column_weight=[2.0, 2.0, 2.0, 2.0]).fit(X)
    assert fitted.inertia_ == pytest.approx(2 * gm.PCA().fit(X).inertia_, rel=1e-12)


@pytest.mark.parametrize("make", [gm.PCA, gm.KernelPCA, gm.ClassicalMDS])
@pytest.mark.parametrize(
    ("given", "expected"),
    [("f2", "f4"), ("f4", "f4"), ("f8", "f8"), ("i4", "f8"), ("longdouble", "f8")],
)
def test_precision_follows_the_data(make, given, expected):
    fitted = make(2).fit((8 * X).astype(given))
    assert fitted.coordinates_.dtype == fitted.transform((8 * X).astype(given)).dtype == expected
    for numbers in (fitted.eigenvalues_, fitted.residuals_, fitted.inertia_ratio_):
        assert isinstance(numbers, np.ndarray) and numbers.dtype == np.float64
    assert isinstance(fitted.inertia_, float)


@pytest.mark.parametrize("make", [gm.PCA, gm.KernelPCA, gm.ClassicalMDS])
def test_doubles_of_numpy_also_for_torch(make):
    fitted = make(2).fit(torch.asarray(X, dtype=torch.float32))
    assert fitted.coordinates_.dtype == torch.float32
    assert fitted.eigenvalues_.dtype == fitted.residuals_.dtype == np.float64


def test_signs_of_pca_are_on_the_loadings_and_of_kernel_pca_on_the_points():
    V = gm.PCA().fit(X).components_
    assert np.all(V[np.arange(4), np.abs(V).argmax(axis=1)] > 0)
    for fitted in (gm.KernelPCA(3).fit(X), gm.ClassicalMDS(3).fit(X)):
        F = fitted.coordinates_
        assert np.all(F[np.abs(F).argmax(axis=0), np.arange(3)] > 0)


def test_the_laplacian_uses_the_euclidean_median():
    fitted = gm.KernelPCA(2, kernel="laplacian").fit(X)
    assert fitted.kernel_.scale == pytest.approx(naive.median_scale(X), rel=1e-12)


def test_whole_numbers_beyond_double_precision_are_refused():
    big = np.array([[2**53 + 1, 0], [2**53 + 3, 1], [0, 5]])
    with pytest.raises(gm.errors.InputError, match=r"2\^53"):
        gm.PCA().fit(big)
    assert gm.PCA().fit(np.array([[2**53, 0], [0, 1], [1, 5]])).inertia_ > 0


def test_shares_of_mds_may_add_up_to_more_than_one():
    rng = np.random.default_rng(0)
    D = rng.uniform(1.0, 2.0, (8, 8))
    D = np.triu(D, 1) + np.triu(D, 1).T
    with pytest.warns(gm.errors.NotEuclideanWarning):
        assert gm.ClassicalMDS(None, metric="precomputed").fit(D).inertia_ratio_.sum() > 1


@pytest.mark.parametrize("correction", ["lingoes", "cailliez"])
def test_corrected_distances_of_equal_points_project_where_they_were(correction):
    """Two points at distance 0 stay one point: the others are made Euclidean around it."""
    D = np.array([[0, 0, 1, 5.0], [0, 0, 1, 5], [1, 1, 0, 1], [5, 5, 1, 0]])
    fitted = gm.ClassicalMDS(1, metric="precomputed", correction=correction).fit(D)
    np.testing.assert_allclose(fitted.transform(D), fitted.coordinates_, atol=1e-9)
    np.testing.assert_allclose(fitted.coordinates_[0], fitted.coordinates_[1], atol=1e-9)
    once = gm.ClassicalMDS(1, metric="precomputed", correction=correction).fit(D[1:, 1:])
    assert fitted.correction_constant_ == pytest.approx(once.correction_constant_, rel=1e-9)
