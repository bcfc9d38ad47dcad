"""gm.KernelPCA against scikit-learn's KernelPCA, on the rows kernlab was given too."""

from typing import Any

import numpy as np
import pytest
from scipy.spatial.distance import cdist

import gramian as gm

from ._reference import array, assert_axes_close, assert_close, load, signs, table

TOL = 1e-8
STORED = load("sklearn_skbio/kernel_pca.json")
RESULTS = STORED["results"]
NAMES = [name for name, result in RESULTS.items() if "scores" in result and "params" in result]


def points() -> tuple[np.ndarray, np.ndarray]:
    train, new = table("kernlab/iris30_train.csv"), table("kernlab/iris6_new.csv")
    return train.to_numpy(), new.to_numpy()


def kernel_of(name: str) -> gm.kernels.Kernel:
    """The kernel that scikit-learn's parameters and defaults (degree 3, coef0 1) mean."""
    params, gamma = RESULTS[name]["params"], RESULTS[name]["gamma_used"]
    offset = params.get("coef0", 1)
    match params["kernel"]:
        case "rbf":
            return gm.kernels.Gaussian.from_gamma(gamma)
        case "poly":
            return gm.kernels.Polynomial(degree=params.get("degree", 3), offset=offset, scale=gamma)
        case "sigmoid":
            return gm.kernels.Sigmoid(scale=gamma, offset=offset)
        case "cosine":
            return gm.kernels.Cosine()
        case _:
            return gm.kernels.Linear()


def estimator(kernel: Any, name: str) -> gm.KernelPCA:
    """scikit-learn drops the slightly negative eigenvalues of the sigmoid."""
    indefinite = "clip" if name.startswith("sigmoid") else "raise"
    return gm.KernelPCA(4, kernel=kernel, indefinite=indefinite)


def check(kpca: gm.KernelPCA, name: str, new: np.ndarray) -> None:
    stored = RESULTS[name]
    assert_close(len(kpca.coordinates_) * kpca.eigenvalues_, array(stored["eigenvalues"]), TOL)
    scores = array(stored["scores"])
    assert_axes_close(kpca.coordinates_, scores, TOL)
    sign = signs(kpca.coordinates_, scores)
    assert_axes_close(kpca.transform(new), array(stored["transform_new"]), TOL, sign)


@pytest.mark.parametrize("name", NAMES)
def test_kernel_pca(name: str) -> None:
    X, new = points()
    check(estimator(kernel_of(name), name).fit(X), name, new)


@pytest.mark.parametrize("name", NAMES)
def test_signs_follow_the_largest_entry(name: str) -> None:
    """scikit-learn's rule for eigenvectors is the library's too: no alignment is needed.

    The linear kernel has the signs of PCA, whose largest loadings are positive.
    """
    X, _ = points()
    scores = estimator(kernel_of(name), name).fit_transform(X)
    stored = array(RESULTS[name]["scores"])
    if name == "linear":
        loadings = (X - X.mean(axis=0)).T @ stored
        stored = stored * np.sign(loadings[np.abs(loadings).argmax(axis=0), range(4)])
    assert_axes_close(scores, stored, TOL, sign=1.0)


@pytest.mark.parametrize("name", NAMES)
def test_all_axes(name: str) -> None:
    """The axes scikit-learn finds positive, down to rounding of the largest eigenvalue."""
    X, _ = points()
    expected = array(RESULTS[name]["all_positive_eigenvalues"])
    kpca = estimator(kernel_of(name), name).set_params(n_components=None).fit(X)
    actual = len(X) * np.asarray(kpca.eigenvalues_)[: expected.size]
    np.testing.assert_allclose(actual, expected, rtol=TOL, atol=1e-12 * expected[0])


def test_precomputed_gaussian() -> None:
    X, new = points()
    kernel = gm.kernels.Gaussian.from_gamma(0.5)
    name = "precomputed_rbf_gamma0.5"
    kpca = estimator("precomputed", name).fit(kernel.pairwise(X, X))
    check(kpca, name, kernel.pairwise(new, X))


def test_centred_gram_of_train_and_new_rows() -> None:
    """With every axis kept, coordinates multiply back to scikit-learn's centred Gram."""
    X, new = points()
    stored = RESULTS["precomputed_rbf_gamma0.5"]
    kpca = gm.KernelPCA(kernel=gm.kernels.Gaussian.from_gamma(0.5)).fit(X)
    F = np.asarray(kpca.coordinates_)
    assert_close(F @ F.T, array(stored["centered_train"]), rtol=0, atol=TOL)
    assert_close(kpca.transform(new) @ F.T, array(stored["centered_new"]), rtol=0, atol=TOL)


def test_clearly_indefinite_sigmoid_is_refused() -> None:
    X, _ = points()
    assert "ValueError" in RESULTS["sigmoid_gamma0.001_coef0_RAISES"]["error"]
    with pytest.raises(gm.errors.IndefiniteError):
        gm.KernelPCA(4, kernel=gm.kernels.Sigmoid(scale=0.001, offset=0.0)).fit(X)


def test_minus_distance_is_conditionally_positive() -> None:
    """Not positive semidefinite, but its centred Gram is: it fits without complaint."""
    X, _ = points()
    stored = STORED["indefinite_behaviour"]["precomputed_minus_distance"]
    K = -cdist(X, X)
    kpca = gm.KernelPCA(3, kernel="precomputed").fit(K)
    assert_close(len(X) * kpca.eigenvalues_, array(stored["eigenvalues"]), TOL)
    every = gm.KernelPCA(kernel="precomputed").fit(K)
    spectrum = array(stored["true_eigs"])[:29]
    assert_close(len(X) * np.asarray(every.eigenvalues_)[:29], spectrum, TOL)
    assert_close(len(X) * every.inertia_, spectrum.sum(), TOL)


def test_saturated_sigmoid_has_no_axes() -> None:
    """tanh is 1 to rounding for every pair: scikit-learn returns zeros, the library refuses."""
    X, _ = points()
    assert not any(STORED["indefinite_behaviour"]["sigmoid_gamma1_coef1"]["eigenvalues"])
    kernel = gm.kernels.Sigmoid(scale=1.0, offset=1.0)
    with pytest.raises(gm.errors.InputError, match="inertia is zero"):
        gm.KernelPCA(3, kernel=kernel, indefinite="clip").fit(X)
