"""Single kernel values: Matérn, a feature map, the median heuristic, distances in feature space."""

import math

import numpy as np
import pytest
from sklearn.datasets import load_iris

import gramian as gm

from .._reference import array, assert_close, load

TOL = 1e-8
RESULTS = load("documents/documents.json")["results"]
MATERN = RESULTS["doc002_matern"]
IRIS6 = RESULTS["doc000"]["gaussian_sigma1_iris6"]


@pytest.mark.parametrize(
    ("nu", "key"),
    [
        (0.5, "nu12_correct"),
        (1.5, "nu32_correct"),
        (1.5, "nu32_bessel"),
        (2.5, "nu52_correct"),
        (2.5, "nu52_bessel"),
    ],
)
def test_matern_values(nu: float, key: str) -> None:
    kernel = gm.kernels.Matern(nu=nu, scale=MATERN["gamma"])
    d = array(MATERN["d"])[:, None]
    assert_close(kernel.pairwise(np.zeros((1, 1)), d)[0], MATERN[key], TOL)


@pytest.mark.parametrize(("nu", "name"), [(1.5, "nu32"), (2.5, "nu52")])
def test_matern_is_positive_where_the_printed_formula_is_not(nu: float, name: str) -> None:
    smallest = MATERN["min_eig_25_points_on_0_3"]
    x = np.linspace(0, 3, 25)[:, None]
    K = gm.kernels.Matern(nu=nu, scale=1.0).pairwise(x, x)
    assert_close(np.linalg.eigvalsh(K)[0], smallest[f"{name}_correct"], TOL)
    assert smallest[f"{name}_printed"] < 0 < smallest[f"{name}_correct"]
    assert K.max() <= 1 < max(MATERN[f"{name}_printed"])


def test_gaussian_feature_map() -> None:
    """exp(-d^2 / gamma^2) is the inner product of an explicit infinite sequence."""
    stored = RESULTS["doc002_misc"]["gaussian_feature_map"]
    x, y, gamma = stored["x"], stored["y"], stored["gamma"]

    def feature(t: float) -> np.ndarray:
        terms = [(math.sqrt(2) * t / gamma) ** j / math.sqrt(math.factorial(j)) for j in range(40)]
        return math.exp(-((t / gamma) ** 2)) * np.array(terms)

    kernel = gm.kernels.Gaussian(scale=gamma / math.sqrt(2))
    value = kernel.pairwise(np.array([[x]]), np.array([[y]]))[0, 0]
    assert_close(value, stored["kernel"], TOL)
    assert_close(value, stored["series"], TOL)
    assert_close(value, feature(x) @ feature(y), TOL)


def test_median_scale_of_iris() -> None:
    stored = RESULTS["doc002_misc"]["median_heuristic_iris"]
    X = load_iris().data
    scale = gm.kernels.median_scale(X)
    assert_close(scale, stored["c_offdiagonal"], TOL)
    assert_close(2 * scale**2, stored["h_offdiagonal"], TOL)
    assert_close(math.sqrt(2) * scale, stored["median_distance_offdiagonal"], TOL)
    assert abs(scale - stored["c_incl_diagonal"]) > 0.01


def test_median_is_the_default_scale() -> None:
    stored = RESULTS["doc002_misc"]["median_heuristic_iris"]
    kpca = gm.KernelPCA(2).fit(load_iris().data)
    assert_close(kpca.kernel_.scale, stored["c_offdiagonal"], TOL)


def test_distances_in_feature_space() -> None:
    """|phi(x) - phi(y)|^2 = k(x, x) - 2 k(x, y) + k(y, y), from the values of the kernel."""
    X = load_iris().data[:6]
    kernel = gm.kernels.Gaussian(scale=1.0)
    K, diagonal = kernel.pairwise(X, X), kernel.diag(X)
    assert_close(K, array(IRIS6["K"]), TOL)
    squared = diagonal[:, None] - 2 * K + diagonal[None]
    assert_close(np.sqrt(np.maximum(squared, 0)), array(IRIS6["kernel_distance"]), TOL, atol=1e-7)
    assert_close(np.sqrt(2 - 2 * K), array(IRIS6["closed_form"]), TOL, atol=1e-7)


def test_coordinates_keep_distances_and_the_barycentre() -> None:
    """On all axes, kernel PCA is an isometry of feature space, its origin the barycentre."""
    X = load_iris().data[:6]
    kpca = gm.KernelPCA(kernel=gm.kernels.Gaussian(scale=1.0)).fit(X)
    F = np.asarray(kpca.coordinates_)
    assert_close(np.linalg.norm(F, axis=1), IRIS6["distance_to_barycentre"], TOL)
    between = np.linalg.norm(F[:, None] - F[None], axis=2)
    assert_close(between, array(IRIS6["kernel_distance"]), TOL, atol=1e-7)
    assert_close(kpca.inertia_, np.mean(array(IRIS6["distance_to_barycentre"]) ** 2), TOL)
