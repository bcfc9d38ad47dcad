"""Kernels from here in estimators of scikit-learn, and options that scikit-learn has."""

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_iris
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import LogisticRegression
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

import gramian as gm
from gramian.errors import InputError, InputTypeError

X, y = load_iris(return_X_y=True)
X, y = X[::3], y[::3]
TARGET = X[:, 3] ** 2
GAUSSIAN = gm.kernels.Gaussian.from_gamma(0.3)


def test_kernels_can_be_keys():
    assert {gm.kernels.Gaussian(2.0): "a"}[gm.kernels.Gaussian(2.0)] == "a"
    assert gm.kernels.Gaussian(2.0) != gm.kernels.Gaussian(3.0)
    kernel = gm.kernels.Gaussian(2.0)
    before = hash(kernel)
    assert hash(kernel.set_params(scale=3.0)) == before


@pytest.mark.slow
@pytest.mark.parametrize("kernel", [GAUSSIAN, GAUSSIAN.for_sklearn()], ids=["itself", "theirs"])
def test_they_work_in_its_callers(kernel):
    np.testing.assert_allclose(
        pairwise_kernels(X[:9], X[:5], metric=kernel),
        pairwise_kernels(X[:9], X[:5], metric="rbf", gamma=0.3),
    )
    few, target = X[::3], TARGET[::3]
    mine, theirs = KernelRidge(kernel=kernel), KernelRidge(kernel="rbf", gamma=0.3)
    np.testing.assert_allclose(
        mine.fit(few, target).predict(few + 0.1), theirs.fit(few, target).predict(few + 0.1)
    )
    mine, theirs = SVC(kernel=kernel), SVC(kernel="rbf", gamma=0.3)
    np.testing.assert_allclose(
        mine.fit(X, y).decision_function(X + 0.1), theirs.fit(X, y).decision_function(X + 0.1)
    )


def test_a_gaussian_process():
    mine = GaussianProcessRegressor(gm.kernels.Gaussian(1.5).for_sklearn(), alpha=1e-3)
    theirs = GaussianProcessRegressor(RBF(1.5), alpha=1e-3, optimizer=None)
    for answer, known in zip(
        mine.fit(X, TARGET).predict(X + 0.1, return_std=True),
        theirs.fit(X, TARGET).predict(X + 0.1, return_std=True),
        strict=True,
    ):
        np.testing.assert_allclose(answer, known, atol=1e-7)


@pytest.mark.slow
def test_a_scale_that_waits_for_a_table():
    """A median of the rows to predict would be another kernel than that of the fit."""
    model = SVC(kernel=gm.kernels.Gaussian()).fit(X, y)
    with pytest.raises(InputError, match=r"scale='median' waits for a table.*median_scale\(X\)"):
        model.predict(X[:3])
    with pytest.raises(InputError, match="waits for a table"):
        gm.kernels.Gaussian().for_sklearn()


@pytest.mark.parametrize(
    "f", [lambda x, y: float(x @ y), lambda x, y: np.exp(-np.abs(x - y).sum())]
)
def test_a_function_of_two_rows(f):
    with pytest.raises(InputTypeError, match=r"write kernel=lambda X, Y: \[\[f\(x, y\)"):
        gm.KernelPCA(2, kernel=f).fit(X)
    fit = gm.KernelPCA(2, kernel=lambda X, Y: [[f(x, y) for y in Y] for x in X]).fit(X[:20])
    known = np.array([[f(a, b) for b in X[:20]] for a in X[:20]])
    other = gm.KernelPCA(2, kernel="precomputed").fit(known)
    np.testing.assert_allclose(fit.eigenvalues_, other.eigenvalues_)


@pytest.mark.slow
def test_a_grid_over_the_scale_of_a_named_kernel():
    pipeline = make_pipeline(gm.KernelPCA(2), SVC())
    grid = {"kernelpca__kernel__scale": [0.5, 2.0], "kernelpca__kernel": ["gaussian"]}
    search = GridSearchCV(pipeline, grid, cv=2).fit(X, y)
    assert search.best_estimator_[0].kernel == gm.kernels.Gaussian(
        search.best_params_["kernelpca__kernel__scale"]
    )
    with pytest.raises(InputError, match="has no parameters"):
        gm.KernelPCA(kernel="precomputed").set_params(kernel__scale=1.0)


@pytest.mark.parametrize("kernel", ["gaussian", "linear", gm.kernels.Polynomial(2), "laplacian"])
def test_scaled_kernel_pca_is_a_pipeline(kernel):
    table = pd.DataFrame(X * [1.0, 10.0, 0.1, 3.0], columns=list("abcd"))
    mine = gm.KernelPCA(3, kernel=kernel, scale=True).fit(table[10:])
    theirs = make_pipeline(StandardScaler(), gm.KernelPCA(3, kernel=kernel)).fit(table[10:])
    np.testing.assert_allclose(mine.eigenvalues_, theirs[-1].eigenvalues_, rtol=1e-8)
    np.testing.assert_allclose(
        np.abs(mine.transform(table)), np.abs(theirs.transform(table)), atol=1e-8
    )
    np.testing.assert_allclose(mine.transform(table[10:]), mine.coordinates_, atol=1e-8)


def test_scale_with_weights_counts_rows():
    w = np.r_[2.0, np.zeros(3), np.ones(len(X) - 4)]
    repeated = np.repeat(X, w.astype(int), axis=0)
    one = gm.KernelPCA(2, scale=True).fit(X, sample_weight=w)
    two = gm.KernelPCA(2, scale=True).fit(repeated)
    np.testing.assert_allclose(one.eigenvalues_, two.eigenvalues_)
    np.testing.assert_allclose(one.coordinates_[1:4], two.transform(X[1:4]), atol=1e-9)


def test_scale_is_refused_where_there_are_no_columns():
    with pytest.raises(InputError, match="scale=True does not go with precomputed"):
        gm.KernelPCA(2, kernel="precomputed", scale=True).fit(np.eye(4))
    with pytest.raises(InputError, match="scale=True needs columns"):
        gm.KernelPCA(1, kernel=gm.kernels.sequence.Spectrum(k=2), scale=True).fit(["ab", "abc"])
    with pytest.raises(InputError, match="scale=3 must be True or False"):
        gm.KernelPCA(1, scale=3).fit(X)


@pytest.mark.parametrize("weight", ["balanced", {0: 3.0, 2: 0.5}])
def test_class_weights_are_theirs(weight):
    keep = np.r_[0:17, 17:24, 34:50]  # unequal classes
    mine = gm.KernelLogisticRegression(1.0, kernel="linear", class_weight=weight)
    theirs = LogisticRegression(C=1.0, class_weight=weight, tol=1e-10, max_iter=10_000)
    answer = mine.fit(X[keep], y[keep]).predict_proba(X)
    known = theirs.fit(X[keep], y[keep]).predict_proba(X)
    np.testing.assert_allclose(answer, known, atol=1e-5)


def test_class_weights_are_weights_of_rows():
    texts = np.array(["a", "b", "c"])[y]
    one = gm.KernelLogisticRegression(class_weight={"b": 4.0}).fit(X, texts)
    two = gm.KernelLogisticRegression().fit(X, texts, np.where(texts == "b", 4.0, 1.0))
    np.testing.assert_allclose(one.predict_proba(X), two.predict_proba(X), atol=1e-10)


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        ("even", "must be None"),
        ({"no": 1.0}, "no class of y"),
        ({0: -1.0}, "must be a finite number"),
        ({0: 0.0}, "leave the rows"),
    ],
)
def test_class_weights_that_are_none(weight, message):
    with pytest.raises(InputError, match=message):
        gm.KernelLogisticRegression(class_weight=weight).fit(X, y)


@pytest.mark.parametrize("scale", ["columns", "median_all"])
def test_scales_by_name(scale):
    d2 = ((X[:, None] - X) ** 2).sum(axis=-1)
    expected = {"columns": np.sqrt(X.shape[1] / 2), "median_all": np.sqrt(np.median(d2) / 2)}
    fit = gm.KernelPCA(2, kernel=gm.kernels.Gaussian(scale)).fit(X)
    assert fit.kernel_.scale == pytest.approx(expected[scale])
    with pytest.raises(InputError, match=r'"median_all" or "columns"'):
        gm.KernelPCA(2, kernel=gm.kernels.Gaussian("mean")).fit(X)


def test_the_median_of_all_pairs_counts_repeated_rows_as_weights():
    w = np.r_[3, np.ones(len(X) - 1, dtype=int)]
    kernel = gm.kernels.Gaussian("median_all")
    one = gm.KernelPCA(2, kernel=kernel).fit(X, sample_weight=w)
    two = gm.KernelPCA(2, kernel=kernel).fit(np.repeat(X, w, axis=0))
    assert one.kernel_.scale == pytest.approx(two.kernel_.scale)
    same = np.repeat(X[:1], 9, axis=0)
    with pytest.raises(InputError, match="leaves them out"):
        gm.KernelPCA(1, kernel=kernel).fit(np.vstack([same, X[:2]]))
