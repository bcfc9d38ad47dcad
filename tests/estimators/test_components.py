"""Regression and classification on components: least squares, weights, the number of axes."""

import numpy as np
import pytest

import gramian as gm
from gramian._estimators.predictors.components import cross_validated

RNG = np.random.default_rng(3)
X = RNG.standard_normal((60, 4)) @ np.diag([3.0, 2.0, 1.0, 0.5])
X[:, 1] += X[:, 0]
y = X @ [1.0, -1.0, 0.5, 2.0] + 0.1 * RNG.standard_normal(60)
NEW = RNG.standard_normal((9, 4))


def test_all_linear_components_are_least_squares():
    A = np.column_stack([np.ones(60), X])
    beta = np.linalg.lstsq(A, y, rcond=None)[0]
    fitted = gm.PrincipalComponentRegression(4, kernel="linear").fit(X, y)
    np.testing.assert_allclose(fitted.predict(NEW), np.column_stack([np.ones(9), NEW]) @ beta)


@pytest.mark.parametrize("formulation", ["none", "weights"])
@pytest.mark.parametrize("q", [1, 3, 7])
def test_least_squares_on_coordinates(q, formulation):
    w = None if formulation == "none" else RNG.uniform(0.2, 2.0, 60)
    fitted = gm.PrincipalComponentRegression(q).fit(X, y, sample_weight=w)
    Z = gm.KernelPCA(q).fit(X, sample_weight=w).coordinates_
    root = np.ones(60) if w is None else np.sqrt(w)
    A = np.column_stack([np.ones(60), Z])
    beta = np.linalg.lstsq(root[:, None] * A, root * y, rcond=None)[0]
    np.testing.assert_allclose(np.append(fitted.intercept_, fitted.coef_), beta, rtol=1e-9)


def test_several_columns_at_once():
    Y = np.column_stack([y, y**2])
    both = gm.PrincipalComponentRegression(3).fit(X, Y)
    assert both.predict(NEW).shape == (9, 2)
    for k in range(2):
        one = gm.PrincipalComponentRegression(3).fit(X, Y[:, k])
        np.testing.assert_allclose(both.predict(NEW)[:, k], one.predict(NEW), rtol=1e-12)


def test_numbers_may_be_any_size():
    fitted = gm.PrincipalComponentRegression(3, kernel="linear").fit(1e150 * X, 1e100 * y)
    plain = gm.PrincipalComponentRegression(3, kernel="linear").fit(X, y)
    np.testing.assert_allclose(fitted.predict(1e150 * NEW), 1e100 * plain.predict(NEW), rtol=1e-9)


MODELS = [
    (gm.PrincipalComponentRegression, y),
    (gm.PrincipalComponentClassifier, y > 0),
]


@pytest.mark.slow
@pytest.mark.parametrize(("Model", "target"), MODELS)
@pytest.mark.parametrize(
    ("n_components", "expected"),
    [(3, 3), (0.5, None), ("kaiser", None), ("elbow", None), ("parallel", None), (None, None)],
)
@pytest.mark.filterwarnings("ignore::gramian.errors.SeparationWarning")
def test_the_number_of_axes_is_that_of_kernel_pca(Model, target, n_components, expected):
    q = gm.KernelPCA(n_components).fit(X).n_components_
    assert expected in (None, q)
    assert Model(n_components).fit(X, target).n_components_ == q


@pytest.mark.parametrize(("Model", "target"), MODELS)
def test_precomputed(Model, target):
    kernel = gm.kernels.Gaussian(scale=2.0)
    a = Model(3, kernel=kernel).fit(X, target)
    b = Model(3, kernel="precomputed").fit(kernel(X), target)
    np.testing.assert_array_equal(a.predict(NEW) > 0, b.predict(kernel(NEW, X)) > 0)
    np.testing.assert_allclose(a.coef_, b.coef_, rtol=1e-8, atol=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.filterwarnings("ignore::gramian.errors.SeparationWarning")
def test_tuning_precomputed_is_tuning(weighted):
    kernel = gm.kernels.Gaussian(scale=2.0)
    w = np.r_[np.zeros(6), np.ones(54)] if weighted else None
    for Model, target in MODELS:
        a = Model("cv", kernel=kernel).fit(X, target, sample_weight=w)
        assert a.n_components_ == a.cv_results_["loss"].idxmin()
        b = Model("cv", kernel="precomputed").fit(kernel(X), target, sample_weight=w)
        assert b.cv_results_.index.equals(a.cv_results_.index)


def test_tuned_regression_finds_the_axes_that_matter():
    Z = RNG.standard_normal((120, 6)) @ np.diag([4.0, 3.0, 2.5, 0.5, 0.4, 0.3])
    target = Z[:, 2] + 0.05 * RNG.standard_normal(120)
    fitted = gm.PrincipalComponentRegression("cv", kernel="linear").fit(Z, target)
    assert fitted.n_components_ >= 3
    losses = fitted.cv_results_["loss"]
    assert losses[3] < 0.1 * losses[2]
    assert (fitted.cv_results_["se"] > 0).all()


def test_held_out_losses_by_hand():
    """Each row is predicted by axes and coefficients of the other folds."""
    axes = gm.KernelPCA(kernel=gm.kernels.Gaussian(scale=2.0))
    seen = []

    def trial(Z, Z_new, train, test):
        if Z.shape[1] == 2:
            seen.append((train, test))
            fit = gm.KernelPCA(2, kernel=axes.kernel).fit(X[train])
            np.testing.assert_allclose(Z, fit.coordinates_, atol=1e-6)
            np.testing.assert_allclose(Z_new, fit.transform(X[test]), atol=1e-6)
        return y[test] ** 2 + Z.shape[1]

    found = cross_validated(axes, X, None, y, trial, folds=4)
    np.testing.assert_allclose(found["loss"], np.mean(y**2) + found.index.to_numpy())
    held = np.sort(np.concatenate([test for _, test in seen]))
    np.testing.assert_array_equal(held, np.arange(60))
    assert all(not set(train) & set(test) for train, test in seen)


@pytest.mark.slow
def test_copies_are_held_out_together_and_order_does_not_matter():
    codes = (y > 0).astype(int)
    twice, order = np.r_[np.arange(60), np.arange(20)], RNG.permutation(80)
    a = gm.PrincipalComponentClassifier("cv", penalty=1.0).fit(X[twice], codes[twice])
    b = gm.PrincipalComponentClassifier("cv", penalty=1.0).fit(X[twice][order], codes[twice][order])
    w = np.r_[np.full(20, 2.0), np.ones(40)]
    c = gm.PrincipalComponentClassifier("cv", penalty=1.0).fit(X, codes, sample_weight=w)
    np.testing.assert_allclose(a.cv_results_["loss"], b.cv_results_["loss"], rtol=1e-8)
    np.testing.assert_allclose(a.cv_results_["loss"], c.cv_results_["loss"], rtol=1e-8)


def test_a_tie_cut_in_two_is_reported():
    square = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0], [0.0, -1.0]])
    with pytest.warns(gm.errors.TiedAxesWarning, match="arbitrary"):
        gm.PrincipalComponentRegression(1, kernel="linear").fit(square, [1.0, 2.0, 3.0, 4.0])


def test_axes_can_be_read():
    fitted = gm.PrincipalComponentRegression(3).fit(X, y)
    assert fitted.decomposition_.individuals().shape[0] == 60
    assert fitted.decomposition_.kernel_ == fitted.kernel_
