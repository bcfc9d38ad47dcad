"""Kernel PCA of three circles: axes 2 and 3 share an eigenvalue, so only their plane is defined."""

import numpy as np
import pytest

import gramian as gm

from .._reference import array, assert_axes_close, assert_close, load, projector, signs, table

TOL = 1e-8
STORED = load("documents/documents.json")["results"]["doc001_circles"]
SCORES = array(STORED["scores3"])
TEST_SCORES = array(STORED["test_scores3_correct"])


def points(part: str) -> np.ndarray:
    return table(f"documents/doc001_circles_{part}.csv")[["x", "y"]].to_numpy()


@pytest.fixture(scope="module")
def kpca() -> gm.KernelPCA:
    with pytest.warns(gm.errors.TiedAxesWarning):
        return gm.KernelPCA(3, kernel=gm.kernels.Gaussian.from_gamma(4.0)).fit(points("train"))


def test_eigenvalues() -> None:
    kernel = gm.kernels.Gaussian(scale=STORED["sigma"])
    with pytest.warns(gm.errors.TiedAxesWarning):
        kpca = gm.KernelPCA(12, kernel=kernel).fit(points("train"))
    assert_close(90 * kpca.eigenvalues_, STORED["eigenvalues_top12"], TOL)
    assert_close(90 * kpca.inertia_, STORED["trace_centred"], TOL)


def test_first_axis(kpca: gm.KernelPCA) -> None:
    assert_axes_close(kpca.coordinates_[:, :1], SCORES[:, :1], TOL)
    u = kpca.coordinates_[:, :1] / np.sqrt(90 * kpca.eigenvalues_[0])
    assert_axes_close(u, array(STORED["eigenvectors3"])[:, :1], TOL)


def test_first_axis_separates_the_circles(kpca: gm.KernelPCA) -> None:
    first = kpca.coordinates_[:, 0] * signs(kpca.coordinates_[:, :1], SCORES[:, :1])
    label = table("documents/doc001_circles_train.csv")["label"].to_numpy()
    for name, limits in STORED["class_separation_train"]["comp1"].items():
        inside = first[label == int(name)]
        assert_close([inside.min(), inside.max()], limits, TOL)


def test_tied_plane(kpca: gm.KernelPCA) -> None:
    plane = kpca.coordinates_[:, 1:]
    assert_close(projector(plane), projector(SCORES[:, 1:]), rtol=0, atol=TOL)
    assert_close(plane @ plane.T, SCORES[:, 1:] @ SCORES[:, 1:].T, rtol=0, atol=TOL)


def test_new_points(kpca: gm.KernelPCA) -> None:
    """Centred with the training means; in the tied plane, products with training rows."""
    new = kpca.transform(points("test"))
    sign = signs(kpca.coordinates_[:, :1], SCORES[:, :1])
    assert_axes_close(new[:, :1], TEST_SCORES[:, :1], TOL, sign)
    products = new[:, 1:] @ kpca.coordinates_[:, 1:].T
    assert_close(products, TEST_SCORES[:, 1:] @ SCORES[:, 1:].T, rtol=0, atol=TOL)
    mean = sign * new[:, :1].mean(axis=0)
    assert_close(mean, STORED["mean_of_correct_test_scores"][:1], TOL)


def test_one_new_point_at_a_time(kpca: gm.KernelPCA) -> None:
    """A published listing centres new points among themselves, so that one alone maps to zero."""
    X = points("test")
    alone = np.vstack([kpca.transform(X[i : i + 1]) for i in range(len(X))])
    sign = signs(kpca.coordinates_[:, :1], SCORES[:, :1])
    assert_axes_close(alone[:, :1], TEST_SCORES[:, :1], TOL, sign)
    wrong = array(STORED["test_scores3_listing4_wrong"])[:, 0]
    shift = STORED["wrong_minus_correct_is_constant"][0]
    assert_close(wrong - sign * alone[:, 0], np.full(len(X), shift), TOL)
