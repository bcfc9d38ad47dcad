"""Pre-images: training points come back, the nearest image is found, noise is taken off."""

import numpy as np
import pandas as pd
import pytest
import torch
from scipy import sparse
from scipy.optimize import minimize

import gramian as gm
from gramian._core.pairs import Points
from gramian.preimage import fixed_point, learned

RNG = np.random.default_rng(6)
X = RNG.standard_normal((40, 3)) * [2.0, 1.0, 0.5]
K = gm.kernels
RADIAL = [
    K.Gaussian(scale=1.0),
    K.Matern(nu=1.5, scale=1.5),
    K.Matern(nu=2.2, scale=1.5),
    K.RationalQuadratic(scale=1.0, alpha=0.8),
    K.Exponential(scale=1.5),
]


@pytest.mark.parametrize("kernel", RADIAL, ids=repr)
@pytest.mark.parametrize("formulation", ["centered", "span"])
def test_training_points_come_back(kernel, formulation):
    """With every axis the projection is the point itself, and so is its pre-image."""
    fit = gm.KernelPCA(None, kernel=kernel, formulation=formulation).fit(X)
    np.testing.assert_allclose(fit.inverse_transform(fit.coordinates_), X, atol=1e-5)


def gaussian(d):
    return np.exp(-0.5 * d**2)


def matern(d):
    z = np.sqrt(5.0) * d / 2.0
    return (1 + z + z**2 / 3) * np.exp(-z)


@pytest.mark.slow
@pytest.mark.parametrize("approximation", [None, gm.Nystrom(40)], ids=["exact", "landmarks"])
@pytest.mark.parametrize(
    ("kernel", "naive"),
    [(K.Gaussian(scale=1.0), gaussian), (K.Matern(nu=2.5, scale=2.0), matern)],
    ids=["gaussian", "matern"],
)
def test_the_nearest_image_is_found(kernel, naive, approximation):
    """A general optimiser, from the result and from some of the points, finds nothing nearer."""
    fit = gm.KernelPCA(4, kernel=kernel, approximation=approximation).fit(X)
    Z = fit.transform(RNG.standard_normal((5, 3)))
    found = fit.inverse_transform(Z)
    exact = gm.KernelPCA(4, kernel=kernel).fit(X)
    A = np.column_stack([axis.coefficients for axis in exact.axes()])
    signs = np.sign((exact.transform(X) * fit.transform(X)).sum(axis=0))

    def value(x, g):
        return -float(naive(np.linalg.norm(x - X, axis=1)) @ g)

    for x, g in zip(found, 1 / 40 + (Z * signs) @ A.T, strict=True):
        best = min(minimize(value, start, (g,)).fun for start in [x, *X[::8]])
        assert value(x, g) <= best + 1e-7


def test_noise_is_taken_off():
    """Points near a circle, four axes: the pre-images make a thinner ring."""
    angle = RNG.uniform(0, 2 * np.pi, 150)
    noisy = np.column_stack([np.cos(angle), np.sin(angle)]) + 0.12 * RNG.standard_normal((150, 2))
    fit = gm.KernelPCA(4, kernel=K.Gaussian(scale=0.7)).fit(noisy)
    clean = fit.inverse_transform(fit.coordinates_)
    before, after = (np.linalg.norm(Y, axis=1).std() for Y in (noisy, clean))
    assert after < 0.5 * before
    np.testing.assert_allclose(np.linalg.norm(clean, axis=1), 1.0, atol=0.25)


@pytest.mark.parametrize("formulation", ["centered", "span"])
def test_the_linear_kernel_is_exact(formulation):
    Y = X + 5.0
    fit = gm.KernelPCA(2, kernel="linear", formulation=formulation).fit(Y)
    pca = gm.PCA(2).fit(Y)
    expected = pca.inverse_transform(pca.transform(Y))
    np.testing.assert_allclose(fit.inverse_transform(fit.coordinates_), expected, atol=1e-10)


def test_offset_and_unit_cost_nothing():
    kernel, far = K.Gaussian(scale=1.0), K.Gaussian(scale=1e-3)
    fit = gm.KernelPCA(3, kernel=kernel).fit(X)
    other = gm.KernelPCA(3, kernel=far).fit(1e-3 * X + 1e4)
    a, b = (f.inverse_transform(f.coordinates_) for f in (fit, other))
    np.testing.assert_allclose((b - 1e4) * 1e3, a, atol=1e-3)


@pytest.mark.parametrize(
    "kernel",
    [K.Polynomial(degree=2), K.Laplacian(scale=2.0), K.Gaussian(scale=2.0) + K.Linear()],
    ids=repr,
)
def test_other_kernels_learn_a_map(kernel):
    fit = gm.KernelPCA(9, kernel=kernel).fit(X)
    back = fit.inverse_transform(fit.coordinates_)
    assert ((back - X) ** 2).sum() < 0.1 * ((X - X.mean(axis=0)) ** 2).sum()
    with pytest.raises(ValueError, match="learned"):
        fit.inverse_transform(fit.coordinates_, method="fixed_point")


def test_a_learned_map_generalises():
    Z = RNG.uniform(-1, 1, (200, 2))
    new = RNG.uniform(-0.8, 0.8, (50, 2))
    f = lambda A: np.column_stack([np.sin(2 * A[:, 0]), A[:, 0] * A[:, 1]])  # noqa: E731
    np.testing.assert_allclose(learned(Z, f(Z), new), f(new), atol=1e-3)


def test_rows_without_a_weight_are_no_part():
    w = np.r_[np.zeros(5), np.ones(35)]
    a = gm.KernelPCA(3, kernel=K.Gaussian(scale=1.0)).fit(X, sample_weight=w)
    b = gm.KernelPCA(3, kernel=K.Gaussian(scale=1.0)).fit(X[5:])
    for method in ("fixed_point", "learned"):
        np.testing.assert_allclose(
            a.inverse_transform(a.coordinates_[5:], method=method),
            b.inverse_transform(b.coordinates_, method=method),
            atol=1e-6,
        )


@pytest.mark.slow
def test_kinds_of_rows():
    frame = gm.KernelPCA(3).fit(pd.DataFrame(X, columns=list("abc")))
    tensor = gm.KernelPCA(3).fit(torch.asarray(X))
    plain = gm.KernelPCA(3).fit(X)
    low = gm.KernelPCA(3).fit(sparse.csr_array(np.where(np.abs(X) > 0.3, X, 0.0)))
    Z = plain.inverse_transform(plain.coordinates_)
    np.testing.assert_allclose(frame.inverse_transform(frame.coordinates_), Z)
    assert isinstance(tensor.inverse_transform(tensor.coordinates_), torch.Tensor)
    np.testing.assert_allclose(tensor.inverse_transform(tensor.coordinates_).numpy(), Z, atol=1e-6)
    assert low.inverse_transform(low.coordinates_).shape == (40, 3)


def test_never_worse_than_any_point():
    points, gamma = Points(X), RNG.standard_normal((5, 40))
    kernel = K.Gaussian(scale=1.0)
    found = fixed_point(kernel, points, gamma)
    at_result = (gamma * kernel(found, X)).sum(axis=1)
    assert (at_result >= (gamma @ kernel(X)).max(axis=1) - 1e-12).all()


def test_refusals():
    fit = gm.KernelPCA(2).fit(X)
    with pytest.raises(ValueError, match="axes"):
        fit.inverse_transform(X)
    with pytest.raises(ValueError, match="method"):
        fit.inverse_transform(fit.coordinates_, method="best")
    matrix = gm.KernelPCA(2, kernel="precomputed").fit(K.Gaussian(scale=1.0)(X))
    with pytest.raises(ValueError, match="precomputed"):
        matrix.inverse_transform(matrix.coordinates_)
    with pytest.raises(ValueError, match="radial"):
        fixed_point(K.Linear(), Points(X), np.ones((1, 40)))
