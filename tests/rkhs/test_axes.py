"""Principal axes as functions: orthonormal in H, values = coordinates, inertia = eigenvalue."""

import numpy as np
import pytest
import torch
from tests.contracts.kernel import cloud

import gramian as gm
from gramian.kernels import Gaussian, Linear, Polynomial, Precomputed
from gramian.kernels.sequence import Spectrum

X, NEW = cloud(40, 3) * [3.0, 1.0, 0.5], cloud(9, 3, seed=2)
WEIGHTS = np.r_[np.arange(1.0, 36.0), np.zeros(5)]


def gram_of(axes):
    return np.array([[f.inner(g) for g in axes] for f in axes])


FITS = {
    "gaussian": lambda: gm.KernelPCA(4, kernel=Gaussian(2.0)).fit(X),
    "wide gaussian": lambda: gm.KernelPCA(3, kernel=Gaussian(1e3)).fit(X),
    "weights": lambda: gm.KernelPCA(4, kernel=Gaussian(2.0)).fit(X, sample_weight=WEIGHTS),
    "polynomial": lambda: gm.KernelPCA(4, kernel=Polynomial(2, 1.0)).fit(X),
    "linear": lambda: gm.KernelPCA(3, kernel=Linear()).fit(X),
    "linear far away": lambda: gm.KernelPCA(3, kernel=Linear()).fit(X + 1e6),
    "span": lambda: gm.KernelPCA(4, kernel=Gaussian(2.0), formulation="span").fit(X),
    "nystrom": lambda: gm.KernelPCA(4, kernel=Gaussian(2.0), approximation=gm.Nystrom(rank=15)).fit(
        X
    ),
    "uniform": lambda: gm.KernelPCA(
        4, kernel=Gaussian(2.0), approximation=gm.Nystrom(rank=15, landmarks="uniform")
    ).fit(X),
}


@pytest.mark.parametrize("name", FITS)
def test_axes_are_orthonormal(name):
    axes = FITS[name]().axes()
    np.testing.assert_allclose(gram_of(axes), np.eye(len(axes)), atol=1e-7)


@pytest.mark.parametrize("name", FITS)
def test_values_are_coordinates_up_to_their_mean(name):
    """⟨φ(x), axis⟩ less its weighted mean over the training points is the centred coordinate."""
    fitted = FITS[name]()
    rows = X + 1e6 if "far" in name else X
    values = np.column_stack([f(rows) for f in fitted.axes()])
    new = np.column_stack([f(NEW) for f in fitted.axes()])
    if name == "span":
        np.testing.assert_allclose(values, fitted.coordinates_, atol=1e-10)
        return
    p = WEIGHTS / WEIGHTS.sum() if name == "weights" else np.full(40, 1 / 40)
    mean = p @ values
    scale = np.abs(values).max()
    np.testing.assert_allclose(values - mean, fitted.coordinates_, atol=1e-9 * scale)
    np.testing.assert_allclose(new - mean, fitted.transform(NEW), atol=1e-9 * max(scale, 1))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["gaussian", "weights", "linear", "polynomial"])
def test_projected_inertia_is_the_eigenvalue(name):
    """The weighted variance of the values of an axis is its eigenvalue, and no axis has more."""
    fitted = FITS[name]()
    p = WEIGHTS / WEIGHTS.sum() if name == "weights" else np.full(40, 1 / 40)
    axes = fitted.axes()
    for f, value in zip(axes, fitted.eigenvalues_, strict=True):
        v = f(X)
        assert p @ (v - p @ v) ** 2 == pytest.approx(value, rel=1e-9)
    rng = np.random.default_rng(0)
    for _ in range(20):
        g = gm.rkhs.Function(fitted.kernel_, X, rng.standard_normal(40))
        v = g(X) / g.norm()
        assert p @ (v - p @ v) ** 2 <= fitted.eigenvalues_[0] * (1 + 1e-9)


def test_an_axis_is_an_eigenfunction_of_the_covariance_operator():
    """Γf = Σ pᵢ (f(xᵢ) − f̄)·(φ(xᵢ) − μ) = λf."""
    fitted = FITS["gaussian"]()
    mu = gm.rkhs.mean_embedding(fitted.kernel_, X)
    for f, value in zip(fitted.axes(), fitted.eigenvalues_, strict=True):
        c = (f(X) - f(X).mean()) / 40
        image = gm.rkhs.Function(fitted.kernel_, X, c) - float(c.sum()) * mu
        assert image.distance(value * f) < 1e-9 * value


def test_a_precomputed_kernel_with_weights():
    K = Gaussian(2.0).pairwise(X)
    given = gm.KernelPCA(3, kernel="precomputed").fit(K, sample_weight=WEIGHTS)
    axes = given.axes()
    assert isinstance(axes[0].kernel, Precomputed) and len(axes[0]) == 35
    np.testing.assert_allclose(gram_of(axes), np.eye(3), atol=1e-9)
    expected = gm.KernelPCA(3, kernel=Gaussian(2.0)).fit(X, sample_weight=WEIGHTS)
    np.testing.assert_allclose(axes[0].coefficients, expected.axes()[0].coefficients, atol=1e-9)


@pytest.mark.slow
def test_words_and_torch():
    words = ["banana", "bandana", "cabana", "ananas", "anagram", "canal"]
    fitted = gm.KernelPCA(2, kernel=Spectrum(k=2)).fit(words)
    axes = fitted.axes()
    np.testing.assert_allclose(gram_of(axes), np.eye(2), atol=1e-12)
    values = np.column_stack([f(words) for f in axes])
    np.testing.assert_allclose(values - values.mean(axis=0), fitted.coordinates_, atol=1e-12)
    axes = gm.KernelPCA(2, kernel=Gaussian(2.0)).fit(torch.asarray(X)).axes()
    np.testing.assert_allclose(gram_of(axes), np.eye(2), atol=1e-9)


def test_random_features_have_no_axes_in_the_space_of_the_kernel():
    fitted = gm.KernelPCA(2, kernel=Gaussian(2.0), approximation=gm.RandomFourier(50)).fit(X)
    with pytest.raises(gm.errors.InputError, match="approximation"):
        fitted.axes()


def test_not_fitted():
    with pytest.raises(ValueError, match="not fitted"):
        gm.KernelPCA(2).axes()
