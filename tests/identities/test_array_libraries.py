"""One analysis, whatever library holds the numbers: the same values, in arrays of that library."""

import array_api_strict
import numpy as np
import pandas as pd
import pytest
import torch

import gramian as gm
from gramian import kernels as k
from gramian._core.array import is_array, to_numpy

pytestmark = pytest.mark.slow


def read_only(a):
    a = np.array(a)
    a.flags.writeable = False
    return a


ELSEWHERE = array_api_strict.Device("device1")  # arrays there mix with no others
LIBRARIES = {
    "strict": array_api_strict.asarray,
    "strict device": lambda a: array_api_strict.asarray(a, device=ELSEWHERE),
    "torch": torch.asarray,
    "read-only": read_only,
}
SHAPES = {"long": (60, 4), "wide": (12, 30)}
WEIGHTS = {"equal": lambda n: None, "weights": lambda n: np.arange(1.0, n + 1.0)}
KERNELS = {
    "gaussian": "gaussian",
    "linear": "linear",
    "polynomial": k.Polynomial(degree=2, offset=1.0, scale=0.1),
    "sum": k.Gaussian(2.0) + 0.1 * k.Linear(),
    "exponential": k.Exponential("median"),
}
MODELS = {f"PCA {solver}": gm.PCA(3, solver=solver) for solver in ("covariance", "dense", "krylov")}
MODELS |= {"PCA scaled": gm.PCA(3, scale=True), "PCA all": gm.PCA()}
MODELS |= {
    f"{name} {solver}": gm.KernelPCA(3, kernel=kernel, solver=solver, tol=1e-13)
    for name, kernel in KERNELS.items()
    for solver in ("dense", "krylov")
}
MODELS["linear covariance"] = gm.KernelPCA(3, kernel="linear", solver="covariance")
MODELS["span"] = gm.KernelPCA(3, formulation="span")

libraries = pytest.mark.parametrize("library", LIBRARIES)
shapes = pytest.mark.parametrize("shape", SHAPES)
weighted = pytest.mark.parametrize("weight", WEIGHTS)
models = pytest.mark.parametrize("model", MODELS)


def cloud(shape, seed=0):
    """Rows with axes that are well apart."""
    n, p = shape
    return np.random.default_rng(seed).standard_normal((n, p)) / np.sqrt(1.0 + np.arange(p)) + 2.0


def fitted(model, X, w=None):
    estimator = MODELS[model]
    return type(estimator)(**estimator.get_params(deep=False)).fit(X, sample_weight=w)


def assert_same(actual, expected, atol=1e-10):
    scale = max(float(np.abs(np.nan_to_num(expected)).max()), 1.0)
    actual = to_numpy(actual) if is_array(actual) else actual
    np.testing.assert_allclose(actual, expected, rtol=0, atol=atol * scale)


@libraries
@weighted
@shapes
@models
def test_fits_and_new_points(model, shape, weight, library):
    X, new = cloud(SHAPES[shape]), cloud((5, SHAPES[shape][1]), seed=1)
    w, convert = WEIGHTS[weight](len(X)), LIBRARIES[library]
    usual, other = fitted(model, X, w), fitted(model, convert(X), w)
    Z = other.transform(convert(new))
    assert type(other.coordinates_) is type(Z) is type(convert(X))
    assert other.coordinates_.device == Z.device == convert(X).device
    assert_same(other.eigenvalues_, usual.eigenvalues_)
    assert other.inertia_ == pytest.approx(usual.inertia_, rel=1e-12)
    assert_same(other.coordinates_, usual.coordinates_)
    assert_same(Z, usual.transform(new))


@libraries
@models
def test_rows_without_a_weight(model, library):
    X, convert = cloud(SHAPES["long"]), LIBRARIES[library]
    w = np.arange(len(X)) % 4.0
    usual, other = fitted(model, X, w), fitted(model, convert(X), w)
    assert type(other.coordinates_) is type(convert(X))
    assert_same(other.coordinates_, usual.coordinates_)
    assert_same(other.individuals(), usual.individuals().to_numpy(), atol=1e-8)


@libraries
@pytest.mark.parametrize("kernel", ["gaussian", k.Exponential(), "linear"], ids=str)
def test_rows_far_from_the_origin(kernel, library):
    """Whole multiples of 2⁻¹⁰, so that an offset of 2²⁴ changes nothing but the offset."""
    X, convert = np.round(cloud((40, 3)) * 2.0**10) / 2.0**10, LIBRARIES[library]
    near = gm.KernelPCA(2, kernel=kernel).fit(X)
    far = gm.KernelPCA(2, kernel=kernel).fit(convert(X + 2.0**24))
    assert_same(far.eigenvalues_, near.eigenvalues_)
    assert_same(far.coordinates_, near.coordinates_)


@libraries
@pytest.mark.parametrize(("shape", "weight"), [("long", "weights"), ("wide", "equal")])
@models
def test_readings(model, shape, weight, library):
    X, new = cloud(SHAPES[shape]), cloud((5, SHAPES[shape][1]), seed=1)
    w, convert = WEIGHTS[weight](len(X)), LIBRARIES[library]
    usual, other = fitted(model, X, w), fitted(model, convert(X), w)
    side = pd.DataFrame({"side": np.where(X[:, 0] > 2.0, "right", "left")})
    sums = pd.DataFrame({"sum": X.sum(axis=1), "first": X[:, 0]})
    readings = {
        "individuals": lambda fit, rows: fit.individuals(),
        "new individuals": lambda fit, rows: fit.individuals(rows),
        "categories": lambda fit, rows: fit.categories(side),
        "variables": lambda fit, rows: fit.variables(sums),
        "errors": lambda fit, rows: fit.reconstruction_error().points,
        "new errors": lambda fit, rows: fit.reconstruction_error(rows).points,
    }
    if model.startswith("PCA"):
        readings["columns"] = lambda fit, rows: fit.variables()
    for read in readings.values():
        assert_same(read(other, convert(new)), read(usual, new).to_numpy(), atol=1e-8)
    texts = [str(fit.summary()).partition("Eigenvalues")[2][:200] for fit in (other, usual)]
    assert texts[0] == texts[1]
