"""Whatever a user may call a kernel: objects, names, callables, scikit-learn's kernels."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.gaussian_process import kernels as gp
from sklearn.metrics.pairwise import rbf_kernel
from tests.contracts.kernel import cloud

import gramian as gm
from gramian.kernels import Callback, Gaussian, Kernel, as_kernel
from gramian.kernels.registry import short_names

X, Y = cloud(), cloud(7, seed=9)


@pytest.mark.parametrize("name", short_names())
def test_every_name_means_a_kernel_with_its_defaults(name):
    kernel = as_kernel(name)
    assert isinstance(kernel, Kernel)
    assert kernel == type(kernel)()
    fitted = gm.KernelPCA(2, kernel=name, indefinite="clip").fit(X)
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
