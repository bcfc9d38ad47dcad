"""Nested spheres (PCA and kernel PCA), the two formulations, and noisy rings."""

import numpy as np
import pytest

import gramian as gm

from .._reference import array, assert_axes_close, assert_close, load, table

TOL = 1e-8
RESULTS = load("documents/documents.json")["results"]
UNIT = gm.kernels.Gaussian.from_gamma(1.0)


def spheres() -> np.ndarray:
    return table("documents/doc002_spheres.csv")[["x", "y", "z"]].to_numpy()


def test_spheres_pca() -> None:
    stored = RESULTS["doc002_spheres"]
    pca = gm.PCA().fit(spheres())
    assert_close(pca.eigenvalues_, stored["pca_eigenvalues_divisor_n"], TOL)
    assert_close(pca.inertia_ratio_, stored["pca_share"], TOL)


def test_spheres_kernel_pca() -> None:
    stored = RESULTS["doc002_spheres"]
    kpca = gm.KernelPCA(10, kernel=UNIT).fit(spheres())
    assert_close(300 * kpca.eigenvalues_, stored["kpca_eigenvalues_top10"], TOL)
    assert_axes_close(kpca.coordinates_[:, :2], array(stored["kpca_scores2"]), TOL)


@pytest.mark.parametrize("formulation", ["centered", "span"])
def test_two_approaches(formulation: str) -> None:
    """Maximising the variance over the unit ball, or centring in feature space: one method."""
    stored = RESULTS["doc003_two_approaches"]
    kpca = gm.KernelPCA(5, kernel=UNIT, formulation=formulation).fit(spheres()[:40])
    assert_close(40 * kpca.eigenvalues_, stored["eig_I"], TOL)
    assert_close(40 * kpca.eigenvalues_, stored["eig_II"], TOL)
    scores = kpca.coordinates_ - kpca.coordinates_.mean(axis=0)
    assert_axes_close(scores[:, :3], array(stored["scores"]), TOL)


def test_two_approaches_differ_by_a_shift_per_axis() -> None:
    X = spheres()
    fits = [
        gm.KernelPCA(5, kernel=UNIT, formulation=formulation).fit(X[:40])
        for formulation in ("span", "centered")
    ]
    for rows in (X[:40], X[40:60]):
        span, centered = (np.asarray(kpca.transform(rows)) for kpca in fits)
        shift = span - centered
        assert_close(shift, np.broadcast_to(shift[0], shift.shape), rtol=0, atol=TOL)
    assert_close(fits[0].coordinates_ - fits[1].coordinates_, np.tile(shift[0], (40, 1)), 0, TOL)


@pytest.mark.parametrize("c", ["0.1", "1", "6", "10"])
def test_rings_axes_for_ninety_percent(c: str) -> None:
    """exp(-d^2 / c); the share is of the whole trace, not of the first eigenvalues computed."""
    stored = RESULTS["doc002_logistic_table"]["rows"][c]["seed0"]
    X = table("documents/doc002_rings_train_seed0.csv")[["x", "y"]].to_numpy()
    kpca = gm.KernelPCA(0.9, kernel=gm.kernels.Gaussian.from_gamma(1 / float(c))).fit(X)
    assert kpca.n_components_ == stored["q"]
    assert_close(np.cumsum(kpca.inertia_ratio_), stored["share"], TOL)
