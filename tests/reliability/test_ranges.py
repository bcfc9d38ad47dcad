"""Numbers near the ends of their range: the right answer, or a refusal that says what is so."""

import numpy as np
import pytest
import scipy.sparse
import torch

import gramian as gm
from gramian import kernels as k

from .refusals import refuses

RNG = np.random.default_rng(61)
N = 14
X = RNG.standard_normal((N, 4)) * [3.0, 2.0, 1.0, 0.5] + 1.0
NEW = RNG.standard_normal((4, 4))
Y = np.arange(N) % 2
UNTRUE = ("converge", "lapack", "submatrix", "eigenvalue", "minor", "indices", "constant)")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings(
        "ignore::gramian.errors.ConvergenceWarning", "ignore::gramian.errors.NotEuclideanWarning"
    ),
]

# Methods whose shares do not depend on the unit of the data.
FREE = {
    "PCA": lambda: gm.PCA(2),
    "PCA dense": lambda: gm.PCA(2, solver="dense"),
    "PCA krylov": lambda: gm.PCA(2, solver="krylov"),
    "KernelPCA gaussian": lambda: gm.KernelPCA(2),
    "KernelPCA laplacian": lambda: gm.KernelPCA(2, kernel="laplacian"),
    "KernelPCA exponential": lambda: gm.KernelPCA(2, kernel="exponential"),
    "KernelPCA Matern": lambda: gm.KernelPCA(2, kernel=k.Matern(1.7)),
    "KernelPCA linear": lambda: gm.KernelPCA(2, kernel="linear"),
    "KernelPCA cosine": lambda: gm.KernelPCA(2, kernel="cosine"),
    "KernelPCA columns": lambda: gm.KernelPCA(2, kernel=k.Columns(k.Gaussian(), [0, 2])),
    "landmarks": lambda: gm.KernelPCA(2, approximation=gm.Nystrom(8, landmarks=np.arange(8))),
    "ClassicalMDS": lambda: gm.ClassicalMDS(2),
    "ClassicalMDS dense": lambda: gm.ClassicalMDS(2, solver="dense"),
    "ClassicalMDS cityblock": lambda: gm.ClassicalMDS(2, metric="cityblock"),
    "ClassicalMDS kernel": lambda: gm.ClassicalMDS(2, metric=k.Linear()),
    "ClassicalMDS gower": lambda: gm.ClassicalMDS(2, metric="gower"),
    "MDS": lambda: gm.MDS(2, n_init=1, max_iter=30),
    "MDS ordinal": lambda: gm.MDS(2, scaling="ordinal", n_init=1, max_iter=30),
    "MultiKernelPCA": lambda: gm.MultiKernelPCA(2),
}
# Methods whose kernel is a power of the data: its values leave the range first.
POWERS = {
    "multiple": lambda: gm.KernelPCA(2, kernel=2.0 * k.Linear()),
    "multiple krylov": lambda: gm.KernelPCA(2, kernel=2.0 * k.Linear(), solver="krylov"),
    "degree 1": lambda: gm.KernelPCA(2, kernel=k.Polynomial(1)),
    "normalized": lambda: gm.KernelPCA(2, kernel=k.Polynomial(2, offset=0.0).normalized()),
    "blocks": lambda: gm.MultiKernelPCA(2, kernels={"X": "linear"}),
    **{
        f"landmarks {by}": lambda by=by: gm.KernelPCA(
            2, kernel="linear", approximation=gm.Nystrom(8, landmarks=by, random_state=0)
        )
        for by in ("rpcholesky", "uniform", "leverage", "kmeans")
    },
    "squares": lambda: gm.ClassicalMDS(2, metric="sqeuclidean"),
}
SCALES = [
    ("f4", 1e20),
    ("f4", 1e-25),
    ("f4", 1e30),
    ("f4", 1e37),
    ("f8", 1e160),
    ("f8", 1e300),
    ("f8", 2e307),
    ("f8", 1e-160),
    ("f8", 1e-300),
    ("f8", 1e-310),
]


def say(call):
    """Return what a call gives, or the words it refuses with, which must be clear and true."""
    try:
        return call()
    except ValueError as error:
        text = str(error)
        assert isinstance(error, gm.errors.InputError), error
        assert len(text) <= 400
        assert not any(word in text.lower() for word in UNTRUE), text
        return text


def shares(make, A, of=np.asarray):
    def call():
        fit = make().fit(of(A))
        places = np.asarray(fit.transform(of(A)), dtype=float)
        assert np.isfinite(places).all()
        assert np.isfinite(np.asarray(fit.coordinates_, dtype=float)).all()
        return np.asarray(fit.inertia_ratio_, dtype=float)

    return say(call)


@pytest.mark.parametrize(("dtype", "scale"), SCALES)
@pytest.mark.parametrize("name", FREE)
def test_any_unit(name, dtype, scale):
    answer = shares(FREE[name], (X * scale).astype(dtype))
    if isinstance(answer, str):  # sums of the largest numbers overflow, and it says so
        assert scale == 2e307 and "overflow" in answer
        return
    rtol = 2e-4 if dtype == "f4" else 1e-9
    expected = FREE[name]().fit(X.astype(dtype)).inertia_ratio_
    np.testing.assert_allclose(answer, expected, rtol=rtol)


@pytest.mark.parametrize(("dtype", "scale"), SCALES)
@pytest.mark.parametrize("name", POWERS)
def test_kernels_that_leave_the_range(name, dtype, scale):
    answer = shares(POWERS[name], (X * scale).astype(dtype))
    if isinstance(answer, str):
        large = scale > 1.0
        words = ("overflow",) if large else ("vanish", "lose their digits", "zero")
        assert any(word in answer for word in words), answer
        return
    expected = POWERS[name]().fit(X.astype(dtype)).inertia_ratio_
    np.testing.assert_allclose(answer, expected, rtol=2e-4 if dtype == "f4" else 1e-5)


@pytest.mark.parametrize("of", [scipy.sparse.csr_array, torch.asarray], ids=["sparse", "torch"])
@pytest.mark.parametrize(("dtype", "scale"), [("f4", 1e20), ("f4", 1e-25), ("f8", 1e300)])
@pytest.mark.parametrize("name", ["PCA", "KernelPCA gaussian", "KernelPCA linear", "ClassicalMDS"])
def test_other_containers(name, of, dtype, scale):
    answer = shares(FREE[name], (X * scale).astype(dtype), of)
    np.testing.assert_allclose(answer, FREE[name]().fit(X).inertia_ratio_, rtol=2e-4)


def test_differences_that_overflow():
    A = np.random.default_rng(62).uniform(-1.0, 1.0, (N, 4)) * 1.7e308
    for make in (*FREE.values(), *POWERS.values()):
        answer = shares(make, A)
        if isinstance(answer, str):
            assert "overflow" in answer
        else:
            np.testing.assert_allclose(answer, make().fit(A / 2.0**20).inertia_ratio_, rtol=1e-9)


@pytest.mark.parametrize("nu", [0.5, 1.5, 2.5, 1.7, np.inf])
@pytest.mark.parametrize("scale", [1e-320, 1e-310, 1e-200])
def test_a_scale_below_every_distance(nu, scale):
    """Every point resembles only itself: K is the identity, and its inertias are 1/n."""
    fit = gm.KernelPCA(3, kernel=k.Matern(nu, scale), indefinite="clip")
    with pytest.warns(gm.errors.TiedAxesWarning):
        fit.fit(X)
    np.testing.assert_allclose(fit.eigenvalues_, 1.0 / N, rtol=1e-12)
    np.testing.assert_allclose(fit.transform(NEW), fit.transform(NEW[:1])[[0] * 4], atol=1e-12)


MAPS = {
    "log": (np.log, "log gives nan"),
    "sqrt": (np.sqrt, "sqrt gives nan"),
    "exp": (lambda A: np.exp(1e3 * A), "gives inf"),
}
METHODS = {
    "KernelPCA": lambda kernel: gm.KernelPCA(2, kernel=kernel).fit(X),
    "krylov": lambda kernel: gm.KernelPCA(2, kernel=kernel, solver="krylov").fit(X),
    "ClassicalMDS": lambda kernel: gm.ClassicalMDS(2, metric=kernel).fit(X),
    "MDS": lambda kernel: gm.MDS(2, metric=kernel).fit(X),
    "MultiKernelPCA": lambda kernel: gm.MultiKernelPCA(2, kernels={"X": kernel}).fit(X),
    "Nystrom": lambda kernel: gm.Nystrom(6, kernel=kernel).fit(X),
    "uniform": lambda kernel: gm.Nystrom(6, kernel=kernel, landmarks="uniform").fit(X),
    "leverage": lambda kernel: gm.Nystrom(6, kernel=kernel, landmarks="leverage").fit(X),
    "logistic": lambda kernel: gm.KernelLogisticRegression(kernel=kernel).fit(X, Y),
    "parallel": lambda kernel: gm.KernelPCA("parallel", kernel=kernel).fit(X),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", MAPS)
def test_a_map_that_is_not_defined(name, method):
    mapping, words = MAPS[name]
    refuses(lambda: METHODS[method](k.Linear().on(mapping)), "kernel: the map", words)
    refuses(lambda: METHODS[method](k.Gaussian().on(mapping)), words)


def test_a_map_that_is_not_defined_at_new_rows():
    fit = gm.KernelPCA(2, kernel=k.Linear().on(np.log)).fit(np.abs(X) + 1.0)
    refuses(lambda: fit.transform(X), "log gives nan", "row 0")


class Root(k.Radial):
    """A profile that ends at distance 1."""

    def __init__(self, scale=1.0):
        self.scale = scale

    def profile(self, t):
        with np.errstate(invalid="ignore"):
            return np.sqrt(1.0 - t)


class Log(k.Dot):
    """A profile of positive products alone."""

    def profile(self, s):
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.log(s)


@pytest.mark.filterwarnings("ignore:invalid value")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    "kernel",
    [Root(), Log(), Root() + k.Gaussian(1.0), 2.0 * Log(), k.Columns(Root(), [0, 1])],
    ids=["radial", "dot", "sum", "multiple", "columns"],
)
def test_a_profile_that_gives_nan(kernel, method):
    refuses(lambda: METHODS[method](kernel), "NaN", "kernel")


@pytest.mark.parametrize("scale", [1e-310, 1e-320])
def test_coefficients_that_overflow(scale):
    refuses(lambda: gm.PCA(2, scale=True).fit(X * scale), "power of two")
    # Of numbers near 1e-320 four digits are left.
    words = "overflow" if scale > 1e-314 else "lose their digits"
    for make in (gm.PrincipalComponentRegression, gm.PrincipalComponentClassifier):
        refuses(lambda make=make: make(2, kernel="linear").fit(X * scale, Y), words)
    by = gm.RandomFourier(8)
    refuses(lambda: gm.KernelPCA(2, approximation=by).fit(X * scale), words)


def test_rows_too_far_from_the_fit():
    fit = gm.KernelPCA(2, kernel=k.Polynomial(3)).fit(X)
    refuses(lambda: fit.transform(np.vstack([X, 1e200 * X[:1]])), f"row {N}", "overflow")


def test_single_precision_of_logistic_regression():
    for scale in (1e20, 1e30):
        A, B = (X * scale).astype("f4"), (NEW * scale).astype("f4")
        low = gm.KernelLogisticRegression(kernel="linear").fit(A, Y).predict_proba(B)
        high = gm.KernelLogisticRegression(kernel="linear").fit(A.astype("f8"), Y)
        np.testing.assert_allclose(low, high.predict_proba(B.astype("f8")), atol=1e-12)
    refuses(
        lambda: gm.KernelLogisticRegression(kernel="linear").fit(X * 1e-160, Y), "lose their digits"
    )
    refuses(lambda: gm.KernelLogisticRegression(kernel="linear").fit(X * 1e-300, Y), "vanish")


def test_constant_rows_are_told_apart_from_small_ones():
    refuses(lambda: gm.KernelPCA(1, kernel=2.0 * k.Linear()).fit(np.ones((5, 2))), "constant")
    by = gm.Nystrom(3)
    refuses(
        lambda: gm.KernelPCA(1, kernel="linear", approximation=by).fit(np.ones((5, 2))), "constant"
    )
    refuses(lambda: gm.KernelPCA(1, kernel=2.0 * k.Linear()).fit(X * 1e-200), "vanish")


def test_directions_that_rounding_leaves():
    A = X * [1.0, 1.0, 1.0, 1e9]
    words = ("only 1 of the kernel's directions", "fewer axes")
    by = gm.Nystrom(8)
    refuses(lambda: gm.KernelPCA(2, kernel="linear", approximation=by).fit(A), *words)


def test_a_small_line_does_not_drown_in_a_constant():
    for kernel in (k.Polynomial(1), k.Linear() + 1.0, k.Linear().polynomial([1.0, 1.0])):
        fit = gm.KernelPCA(2, kernel=kernel).fit(X * 1e-12)
        np.testing.assert_allclose(fit.inertia_ratio_, gm.PCA(2).fit(X).inertia_ratio_, rtol=1e-9)
