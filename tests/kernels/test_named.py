"""Whatever a user may call a kernel: objects, names, callables, scikit-learn's kernels."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.gaussian_process import kernels as gp
from sklearn.linear_model import LogisticRegression
from sklearn.metrics.pairwise import pairwise_kernels, rbf_kernel
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from tests.contracts.kernel import cloud

import gramian as gm
from gramian.errors import InputError
from gramian.kernels import Callback, Gaussian, Kernel, as_kernel
from gramian.kernels.registry import short_names

X, Y = cloud(), cloud(7, seed=9)


@pytest.mark.parametrize("name", short_names())
def test_every_name_means_a_kernel_with_its_defaults(name):
    kernel = as_kernel(name)
    assert isinstance(kernel, Kernel)
    assert kernel == type(kernel)()
    fitted = gm.KernelPCA(2, kernel=name, indefinite="clip").fit(abs(X))
    assert isinstance(fitted.kernel_, type(kernel))


@pytest.mark.parametrize(
    ("alias", "name"), [("rbf", "gaussian"), ("poly", "polynomial")], ids=["rbf", "poly"]
)
def test_aliases_of_scikit_learn(alias, name):
    assert as_kernel(alias) == as_kernel(name)


def test_a_kernel_is_itself():
    kernel = Gaussian(2.0)
    assert as_kernel(kernel) is kernel


def test_an_unknown_name_is_refused_with_the_known_ones():
    with pytest.raises(gm.errors.InputError, match="gaussian"):
        as_kernel("gausian")
    with pytest.raises(gm.errors.InputError, match="'gausian'"):
        gm.KernelPCA(kernel="gausian").fit(X)


def test_a_class_is_refused_with_what_to_write():
    with pytest.raises(gm.errors.InputTypeError, match=r"Gaussian\(\)"):
        gm.KernelPCA(kernel=Gaussian).fit(X)


@pytest.mark.parametrize("thing", [None, 3.0, np.eye(3), ["gaussian"]], ids=type)
def test_other_things_are_refused(thing):
    with pytest.raises((gm.errors.InputError, gm.errors.InputTypeError), match="kernel"):
        gm.KernelPCA(kernel=thing).fit(X)


def test_a_callable_of_two_tables():
    fitted = gm.KernelPCA(3, kernel=rbf_kernel).fit(X)
    expected = gm.KernelPCA(3, kernel=Gaussian.from_gamma(1 / 4)).fit(X)
    assert isinstance(fitted.kernel_, Callback)
    np.testing.assert_allclose(fitted.coordinates_, expected.coordinates_, atol=1e-12)
    np.testing.assert_allclose(fitted.transform(Y), expected.transform(Y), atol=1e-12)


GAUSSIAN_PROCESS = {
    "RBF": gp.RBF(1.3),
    "Matern 5/2": gp.Matern(1.3, nu=2.5),
    "RationalQuadratic": gp.RationalQuadratic(1.3, alpha=0.7),
    "DotProduct": gp.DotProduct(0.5),
    "constant times RBF": gp.ConstantKernel(2.0) * gp.RBF(1.3),
    "one scale a column": gp.RBF([1.0, 2.0, 3.0, 4.0]),
    "with noise": gp.RBF(1.3) + gp.WhiteKernel(0.1),
    "exponentiated": gp.Exponentiation(gp.RBF(1.3), 2),
}


@pytest.mark.parametrize("name", GAUSSIAN_PROCESS)
def test_kernels_of_gaussian_processes(name):
    kernel = GAUSSIAN_PROCESS[name]
    taken = as_kernel(kernel)
    np.testing.assert_allclose(taken.pairwise(X), kernel(X), rtol=1e-12)
    np.testing.assert_allclose(taken.pairwise(X, Y), kernel(X, Y), rtol=1e-12)
    np.testing.assert_allclose(taken.diag(X), kernel.diag(X), rtol=1e-12)
    fitted = gm.KernelPCA(3, kernel=kernel).fit(X)
    expected = gm.KernelPCA(3, kernel="precomputed").fit(kernel(X))
    np.testing.assert_allclose(fitted.coordinates_, expected.coordinates_, atol=1e-11)
    np.testing.assert_allclose(fitted.transform(Y), expected.transform(kernel(Y, X)), atol=1e-11)


def test_a_gaussian_process_kernel_in_the_algebra_and_in_clone():
    kernel = Callback(gp.RBF(1.3)) + Gaussian(1.3)
    np.testing.assert_allclose(kernel.pairwise(X), 2 * Gaussian(1.3).pairwise(X), rtol=1e-12)
    model = clone(gm.KernelPCA(2, kernel=gp.RBF(1.3)))
    assert model.set_params(kernel__length_scale=2.0).kernel.length_scale == 2.0


def test_precomputed_is_a_name_of_kernel_pca():
    K, C = Gaussian(1.0).pairwise(X), Gaussian(1.0).pairwise(Y, X)
    fitted = gm.KernelPCA(3, kernel="precomputed").fit(K)
    expected = gm.KernelPCA(3, kernel=Gaussian(1.0)).fit(X)
    np.testing.assert_allclose(fitted.coordinates_, expected.coordinates_, atol=1e-12)
    np.testing.assert_allclose(fitted.transform(C), expected.transform(Y), atol=1e-12)


def test_linear_as_an_object_needs_no_more_memory_than_its_name():
    Z = cloud(2000, 3)
    options = {"n_components": None, "memory": "50MB"}
    by_name = gm.KernelPCA(kernel="linear", **options).fit(Z)
    as_object = gm.KernelPCA(kernel=gm.kernels.Linear(), **options).fit(Z)
    assert np.array_equal(by_name.eigenvalues_, as_object.eigenvalues_)


def test_a_device_that_does_not_exist_is_refused():
    with pytest.raises((gm.errors.InputError, gm.errors.InputTypeError), match="device"):
        gm.KernelPCA(2, device="nowhere").fit(X)


@pytest.mark.parametrize(
    ("kernel", "theirs"),
    [("gaussian", "rbf"), ("laplacian", "laplacian"), ("chi2", "chi2"), ("polynomial", "poly")],
)
def test_gamma_is_the_gamma_of_scikit_learn(kernel, theirs):
    """Given, set, read, and set through an estimator, it means what it means there."""
    extra = {"coef0": 1, "degree": 3} if theirs == "poly" else {}
    truth = pairwise_kernels(abs(X), metric=theirs, gamma=0.3, filter_params=True, **extra)
    given = type(as_kernel(kernel))(gamma=0.3)
    by_estimator = gm.KernelPCA(kernel=kernel).set_params(kernel__gamma=0.3).kernel
    for each in (given, as_kernel(kernel).set_params(gamma=0.3), by_estimator):
        np.testing.assert_allclose(each(abs(X)), truth, rtol=1e-12)
        assert each.gamma == pytest.approx(0.3, rel=1e-14)
        assert "gamma" not in each.get_params()  # one number, one parameter: grids, files, repr
    assert clone(gm.KernelPCA(kernel=given)).kernel == given == eval(repr(given), vars(gm.kernels))


@pytest.mark.slow
def test_gamma_is_searchable_and_named_where_it_is_missed():
    pipe = make_pipeline(gm.KernelPCA(2), LogisticRegression())
    grid = GridSearchCV(pipe, {"kernelpca__kernel__gamma": [0.01, 1.0]}, cv=2)
    best = grid.fit(X, X[:, 0] > 0).best_estimator_[0]
    assert best.kernel_.gamma == pytest.approx(grid.best_params_["kernelpca__kernel__gamma"])
    with pytest.raises(InputError, match=r"kernel__gamma=.* or kernel__scale="):
        pipe.set_params(kernelpca__gamma=0.1)
    with pytest.raises(InputError, match=r"kernel__degree="):
        gm.KernelPCA(kernel="poly").set_params(degree=2)


def test_gamma_and_scale_are_one_parameter():
    with pytest.raises(InputError, match="two names"):
        Gaussian(2.0, gamma=0.1)
    with pytest.raises(InputError, match="gamma=-1"):
        Gaussian(gamma=-1)
    with pytest.raises(AttributeError, match="waits for a table"):
        Gaussian().gamma  # noqa: B018


def test_chi2_is_for_counts():
    with pytest.raises(InputError, match="negative"):
        gm.KernelPCA(kernel="chi2").fit(X)
