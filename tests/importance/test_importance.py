"""Importance of variables: derivatives against differences, known variables found."""

import numpy as np
import pandas as pd
import pytest

import gramian as gm
from gramian._estimators.why import differences, kernel_parts
from gramian.importance import _kernel_squares, _mean_squares

RNG = np.random.default_rng(4)
X = RNG.standard_normal((40, 5)) * [3.0, 1.0, 1.0, 0.5, 0.2]
K = gm.kernels


@pytest.mark.parametrize(
    "kernel",
    [
        K.Gaussian(scale=2.0),
        K.Matern(nu=1.5, scale=3.0),
        K.Exponential(scale=2.0),
        K.RationalQuadratic(scale=2.0, alpha=0.7),
        K.Polynomial(degree=2, offset=1.0, scale=0.5),
    ],
    ids=repr,
)
def test_derivatives_are_those_of_transform(kernel):
    fit = gm.KernelPCA(3, kernel=kernel).fit(X)
    new = X[:12] + 0.1 * RNG.standard_normal((12, 5))
    p = np.full(12, 1 / 12)
    exact = _kernel_squares(kernel_parts(fit), new, p)
    found = [p @ slope**2 for slope in differences(fit, new, np.ones(5))]
    np.testing.assert_allclose(exact, found, rtol=1e-6, atol=1e-12)


@pytest.mark.parametrize("scale", [False, True])
def test_pca_has_its_loadings(scale):
    fit = gm.PCA(3, scale=scale).fit(X)
    expected = np.abs(fit.components_.T) * (1.0 if scale else X.std(axis=0)[:, None])
    found = gm.importance.gradient(fit)["gradient"][[1, 2, 3]]
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


def test_the_linear_kernel_is_pca():
    a = gm.importance.gradient(gm.PCA(3).fit(X))
    b = gm.importance.gradient(gm.KernelPCA(3, kernel="linear").fit(X))
    pd.testing.assert_frame_equal(a, b)


@pytest.mark.slow
def test_any_other_kernel_goes_by_differences():
    kernel = K.Gaussian(scale=2.0) + 0.0 * K.Linear()
    a = gm.importance.gradient(gm.KernelPCA(2, kernel=kernel).fit(X))
    b = gm.importance.gradient(gm.KernelPCA(2, kernel=K.Gaussian(scale=2.0)).fit(X))
    np.testing.assert_allclose(a, b, rtol=1e-6)


def test_shares_and_labels():
    frame = pd.DataFrame(X, columns=list("abcde"))
    found = gm.importance.gradient(gm.KernelPCA(2).fit(frame))
    assert list(found.index) == list("abcde")
    assert found[("share", "")].sum() == pytest.approx(1.0)
    assert sorted(found[("rank", "")]) == [1, 2, 3, 4, 5]
    squares = (found["gradient"][[1, 2]] ** 2).sum(axis=1)
    np.testing.assert_allclose(found[("gradient", "total")] ** 2, squares)


def test_weights_count():
    w = RNG.integers(0, 3, 40)
    a = gm.importance.gradient(gm.KernelPCA(2).fit(X, sample_weight=w))
    b = gm.importance.gradient(gm.KernelPCA(2).fit(np.repeat(X, w, axis=0)))
    np.testing.assert_allclose(a, b, rtol=1e-6)


def test_a_constant_variable_has_no_part():
    Y = X.copy()
    Y[:, 2] = 7.0
    found = gm.importance.gradient(gm.KernelPCA(2).fit(Y))
    assert found.loc[2, ("share", "")] == 0.0
    turned = gm.importance.permutation(gm.KernelPCA(2).fit(Y), n_permutations=2)
    assert turned.loc[2, ("distance", "total")] == pytest.approx(0.0, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("refit", [True, False])
@pytest.mark.parametrize("estimator", [gm.PCA(2), gm.KernelPCA(2)], ids=["PCA", "KernelPCA"])
def test_permutation_finds_the_variables_that_make_groups(estimator, refit):
    """Two of eight variables hold four groups; the others are noise."""
    rng = np.random.default_rng(0)
    Y = rng.standard_normal((80, 8))
    Y[:, [1, 4]] += 8.0 * np.array([[0, 0], [0, 1], [1, 0], [1, 1]])[np.arange(80) % 4]
    fit = estimator.fit(Y)
    for found in (
        gm.importance.permutation(fit, n_permutations=3, refit=refit),
        gm.importance.gradient(fit),
    ):
        assert set(found[("rank", "")].nsmallest(2).index) == {1, 4}


def test_distance_by_hand():
    fit = gm.PCA(2).fit(X)
    found = gm.importance.permutation(fit, n_permutations=1, random_state=3)
    order = np.random.default_rng(3).permutation(40)
    moved = X.copy()
    moved[:, 1] = X[order, 1]

    def projector(Y, k):
        U = np.linalg.svd(Y - Y.mean(axis=0))[0][:, :k]
        return U @ U.T

    for k in (1, 2):
        gap = np.linalg.norm(projector(X, k) - projector(moved, k)) / np.sqrt(2)
        assert found.loc[1, ("distance", k)] == pytest.approx(gap, abs=1e-7)


@pytest.mark.slow
def test_seeds():
    fit = gm.KernelPCA(2).fit(X)
    a, b, c = (gm.importance.permutation(fit, n_permutations=2, random_state=s) for s in (1, 1, 2))
    pd.testing.assert_frame_equal(a, b)
    assert not a.equals(c)


def test_refusals():
    with pytest.raises(ValueError, match="precomputed"):
        gm.importance.gradient(gm.KernelPCA(2, kernel="precomputed").fit(K.Gaussian(1.0)(X)))
    with pytest.raises(ValueError, match="n_permutations"):
        gm.importance.permutation(gm.PCA(2).fit(X), n_permutations=0)
    with pytest.raises(ValueError, match="columns"):
        gm.importance.gradient(gm.PCA(2).fit(X), X[:, :2])
    with pytest.raises(TypeError, match="coordinates"):
        gm.importance.gradient(gm.KernelLogisticRegression().fit(X, np.arange(40) % 2))


def test_mean_squares_of_new_rows():
    fit = gm.KernelPCA(2).fit(X)
    assert _mean_squares(fit, X[:3], np.full(3, 1 / 3), np.ones(5)).shape == (5, 2)
    assert gm.importance.gradient(fit, X[:3]).shape == (5, 5)
