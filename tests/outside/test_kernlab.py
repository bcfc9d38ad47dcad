"""gm.kernels and gm.KernelPCA against kernlab's kernelMatrix, kpca and predict."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from scipy.special import gamma, jv

import gramian as gm

from ._reference import array, assert_axes_close, assert_close, load, signs, table

RESULTS = load("kernlab/iris30_kpca.json")["results"]
GRAM_TOL, EIGENVALUE_TOL, SCORE_TOL = 1e-8, 1e-8, 1e-6


def bessel(sigma: float, order: int, degree: int) -> Callable:
    limit = 1 / (gamma(order + 1) * 2**order)

    def kernel(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
        z = sigma * cdist(X, Y)
        safe = np.where(z > 1e-8, z, 1.0)
        return np.where(z > 1e-8, jv(order, safe) * safe**-order / limit, 1.0) ** degree

    return kernel


def anova(sigma: float, degree: int) -> Callable:
    def kernel(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
        return np.exp(-sigma * (X[:, None] - Y[None]) ** 2).sum(axis=2) ** degree

    return kernel


def spline(X: np.ndarray, Y: np.ndarray) -> np.ndarray:
    x, y = X[:, None], Y[None]
    low = np.minimum(x, y)
    return np.prod(1 + x * y * (1 + low) - (x + y) / 2 * low**2 + low**3 / 3, axis=2)


def library_kernel(name: str) -> gm.kernels.Kernel:
    """The kernel of the library that means what kernlab's does."""
    par = RESULTS[name]["kpar"]
    match name.split("_")[0]:
        case "rbf":
            return gm.kernels.Gaussian.from_gamma(par["sigma"])
        case "poly":
            return gm.kernels.Polynomial(**par)
        case "laplace":
            return gm.kernels.Exponential(scale=1 / par["sigma"])
        case "tanh":
            return gm.kernels.Sigmoid(**par)
        case _:
            return gm.kernels.Linear()


CALLABLES = {
    "bessel_o1": bessel(**RESULTS["bessel_o1"]["kpar"]),
    "bessel_o2": bessel(**RESULTS["bessel_o2"]["kpar"]),
    "anova": anova(**RESULTS["anova"]["kpar"]),
    "spline": spline,
}
LIBRARY = [name for name in RESULTS if name not in CALLABLES]


def kernel_of(name: str) -> Any:
    return CALLABLES[name] if name in CALLABLES else library_kernel(name)


def points() -> tuple[np.ndarray, np.ndarray]:
    train, new = table("kernlab/iris30_train.csv"), table("kernlab/iris6_new.csv")
    return train.to_numpy(), new.to_numpy()


def estimator(name: str, kernel: Any) -> gm.KernelPCA:
    """As many axes as kernlab kept; tanh is not positive semidefinite and kernlab clips it."""
    indefinite = "clip" if name == "tanh" else "raise"
    return gm.KernelPCA(RESULTS[name]["features"], kernel=kernel, indefinite=indefinite)


def check(kpca: gm.KernelPCA, name: str, new: np.ndarray) -> None:
    """Eigenvalues, scores and the projection of new points, in the usual scaling."""
    stored = RESULTS[name]
    n, q = len(kpca.coordinates_), stored["features"]
    assert_close(kpca.eigenvalues_, array(stored["eig"]), EIGENVALUE_TOL)
    spectrum = array(stored["eigenvalues_centred_K"])
    assert_close(n * kpca.eigenvalues_, spectrum[:q], EIGENVALUE_TOL)
    scores = array(stored["scores_standard"])
    assert_axes_close(kpca.coordinates_, scores, SCORE_TOL)
    sign = signs(kpca.coordinates_, scores)
    assert_axes_close(kpca.transform(new), array(stored["predict_new_standard"]), SCORE_TOL, sign)
    assert_axes_close(np.sqrt(n) * kpca.coordinates_, array(stored["rotated"]), SCORE_TOL, sign)


@pytest.mark.parametrize("name", LIBRARY)
def test_gram_of_library_kernels(name: str) -> None:
    kernel, (X, new) = library_kernel(name), points()
    K = array(RESULTS[name]["K_train"])
    assert_close(kernel.pairwise(X, X), K, GRAM_TOL)
    assert_close(kernel.pairwise(new, X), array(RESULTS[name]["K_new_train"]), GRAM_TOL)
    assert_close(kernel.diag(X), np.diag(K), GRAM_TOL)


@pytest.mark.parametrize("name", CALLABLES)
def test_gram_of_callables(name: str) -> None:
    X, new = points()
    kernel = estimator(name, CALLABLES[name]).fit(X).kernel_
    assert_close(kernel.pairwise(X, X), array(RESULTS[name]["K_train"]), GRAM_TOL)
    assert_close(kernel.pairwise(new, X), array(RESULTS[name]["K_new_train"]), GRAM_TOL)


@pytest.mark.parametrize("name", RESULTS)
def test_kpca(name: str) -> None:
    X, new = points()
    check(estimator(name, kernel_of(name)).fit(X), name, new)


@pytest.mark.parametrize("name", RESULTS)
def test_precomputed(name: str) -> None:
    stored = RESULTS[name]
    kpca = estimator(name, "precomputed").fit(array(stored["K_train"]))
    check(kpca, name, array(stored["K_new_train"]))


@pytest.mark.parametrize("name", [name for name in RESULTS if name != "tanh"])
def test_inertia_is_the_trace(name: str) -> None:
    X, _ = points()
    trace = array(RESULTS[name]["eigenvalues_centred_K"]).sum()
    kpca = estimator(name, kernel_of(name)).fit(X)
    assert_close(len(X) * kpca.inertia_, trace, EIGENVALUE_TOL)


def test_tanh_is_refused_unless_asked() -> None:
    X, _ = points()
    with pytest.raises(gm.errors.IndefiniteError):
        gm.KernelPCA(4, kernel=library_kernel("tanh")).fit(X)
