"""A common shift of all the points changes no digit of what is centred, whatever the kernel."""

from functools import cache

import numpy as np
import pytest
import scipy.sparse
import torch

import gramian as gm
from gramian import kernels as k
from gramian._core.pairs import Points

from .exact import assert_digits, covariance, eigenvalues

pytestmark = pytest.mark.slow


N, P = 24, 4
# Whole multiples of 2⁻¹⁰ and shifts of whole numbers: X + c is exact up to 2⁴².
SHIFTS = [1e3, 1e6, 1e8]
COLUMNS = np.array([1.0, -2.0, 3.0, -1.0])


def dyadic(n, seed):
    Z = np.random.default_rng(seed).standard_normal((n, P)) * [3.0, 2.0, 1.0, 0.5]
    return np.round(Z * 2**10) / 2**10


X, NEW = dyadic(N, 41), dyadic(6, 42)
Y = (X[:, 0] + X[:, 1] + 2.0 * np.random.default_rng(43).standard_normal(N) > 0).astype(int)
WEIGHT = np.random.default_rng(44).integers(1, 4, N).astype(float)


def first_column(A):
    return A[:, 0]


# Each with what it is on a space where the linear part is plain: factors of the columns, squared.
LINES = {
    "linear": (k.Linear(), [1, 1, 1, 1]),
    "multiple": (2 * k.Linear(), [2, 2, 2, 2]),
    "multiple of a multiple": (0.5 * (6.0 * k.Linear()), [3, 3, 3, 3]),
    "of degree 1": (k.Polynomial(1, offset=5.0, scale=2.0), [2, 2, 2, 2]),
    "power of 1": (k.Linear() ** 1, [1, 1, 1, 1]),
    "polynomial": (k.Linear().polynomial([1.0, 3.0, 0.0]), [3, 3, 3, 3]),
    "on columns": (k.Columns(k.Linear(), [0, 1, 3]), [1, 1, 0, 1]),
    "weighted columns": (
        3.0 * k.Columns(k.Linear(), [0, 2]) + k.Columns(4.0 * k.Linear(), [1, 3]) + 7.0,
        [3, 4, 3, 4],
    ),
}
CURVES = {
    "with a Gaussian": k.Linear() + k.Gaussian(3.0),
    "with a Laplacian": k.Laplacian(4.0) + 0.5 * k.Linear(),
    "with what a shift changes": k.Columns(k.Linear(), [0, 1]) + k.Columns(k.Gaussian(2.0), [2, 3]),
    "product of Gaussians": k.Linear() + k.Gaussian(3.0) * k.Exponential(4.0),
    "function": k.Function(first_column) + k.Gaussian(2.0),
}
MAKES = {name: kernel for name, (kernel, _) in LINES.items()} | CURVES


def shift(A, c):
    return A + c * COLUMNS


@cache
def line_truth(name, c):
    factors = np.sqrt(np.asarray(LINES[name][1], dtype=float))
    A = shift(X, c)
    C = covariance(A)
    for i in range(P):
        for j in range(P):
            C[i, j] *= factors[i] * factors[j]
    return eigenvalues(C)


@pytest.mark.parametrize("c", [0.0, *SHIFTS])
@pytest.mark.parametrize("name", LINES)
def test_against_exact_numbers(name, c):
    fit = gm.KernelPCA(2, kernel=LINES[name][0]).fit(shift(X, c))
    assert_digits(fit.eigenvalues_, line_truth(name, c)[:2], 13)


LIBRARIES = {
    "numpy": np.asarray,
    "sparse": scipy.sparse.csr_array,
    "torch": lambda A: torch.asarray(A.copy()),
}


def numbers(fit, new):
    return [
        fit.eigenvalues_,
        np.atleast_1d(fit.inertia_),
        np.asarray(fit.coordinates_),
        np.asarray(fit.transform(new)),
        fit.individuals().to_numpy(),
        fit.individuals(new).to_numpy(),
    ]


def assert_same(one, other, rtol=1e-12):
    for a, b in zip(one, other, strict=True):
        a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
        np.testing.assert_allclose(b, a, rtol=0, atol=rtol * np.abs(a).max())


@pytest.mark.parametrize("weight", [None, WEIGHT], ids=["equal", "weights"])
@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", MAKES)
def test_readings_and_new_points(name, library, weight):
    if library == "sparse" and not MAKES[name].takes_sparse:
        library = "numpy"
    of = LIBRARIES[library]

    def fitted(c):
        fit = gm.KernelPCA(2, kernel=MAKES[name]).fit(of(shift(X, c)), sample_weight=weight)
        return numbers(fit, of(shift(NEW, c)))

    here = fitted(0.0)
    for c in (1e3, 1e8):
        assert_same(here, fitted(c))


@pytest.mark.parametrize("solver", ["dense", "krylov"])
def test_every_solver(solver):
    fits = [
        gm.KernelPCA(2, kernel=2 * k.Linear(), solver=solver).fit(shift(X, c)) for c in (0.0, 1e8)
    ]
    assert_same(*(numbers(fit, shift(NEW, c)) for fit, c in zip(fits, (0.0, 1e8), strict=True)))


@pytest.mark.parametrize("rank", [2, 8, N])
@pytest.mark.parametrize("landmarks", ["rpcholesky", "uniform", "leverage", "kmeans"])
@pytest.mark.parametrize("kernel", [k.Linear(), k.Linear() + k.Gaussian(3.0)], ids=["line", "sum"])
def test_landmarks(kernel, landmarks, rank):
    by = gm.Nystrom(rank, landmarks=landmarks, random_state=0)

    def fitted(c):
        fit = gm.KernelPCA(2, kernel=kernel, approximation=by).fit(shift(X, c))
        return numbers(fit, shift(NEW, c))

    here = fitted(0.0)
    for c in (1e3, 1e8):
        assert_same(here, fitted(c))
    if rank == N and isinstance(kernel, k.Linear):
        assert_digits(fitted(1e8)[0], line_truth("linear", 0.0)[:2], 12)


def test_landmarks_that_are_given():
    for landmarks in (np.arange(6), None):

        def fitted(c, landmarks=landmarks):
            given = shift(X[:6], c) if landmarks is None else landmarks
            by = gm.Nystrom(6, landmarks=given, refine=landmarks is None)
            fit = gm.KernelPCA(2, kernel="linear", approximation=by).fit(shift(X, c))
            return numbers(fit, shift(NEW, c))

        assert_same(fitted(0.0), fitted(1e8))


def test_features_on_their_own_are_the_kernel_s():
    """Nystrom alone is a map whose products are the kernel's values, offset and all."""
    A = shift(X, 1e3)
    F = gm.Nystrom(N, kernel="linear").fit_transform(A)
    np.testing.assert_allclose(F @ F.T, A @ A.T, rtol=1e-12)


BLOCKS = {"one": [0, 1], "two": [2, 3]}


def blocks(A):
    return {name: A[:, columns] for name, columns in BLOCKS.items()}


@pytest.mark.parametrize("combine", ["statis", "mean", "umkl", "sparse-umkl"])
@pytest.mark.parametrize("balance", ["inertia", "norm", "axis", None])
def test_several_kernels(combine, balance):
    kernels = {"one": "linear", "two": k.Linear() + k.Gaussian(2.0)}

    def fitted(c):
        est = gm.MultiKernelPCA(2, kernels=kernels, combine=combine, balance=balance)
        fit, new = est.fit(blocks(shift(X, c))), blocks(shift(NEW, c))
        tables = [fit.partial(), fit.partial(new), fit.blocks(), fit.rv_]
        readings = [fit.eigenvalues_, fit.coordinates_, fit.transform(new)]
        return [*readings, *(table.to_numpy() for table in tables)]

    here = fitted(0.0)
    for c in (1e3, 1e8):
        assert_same(here, fitted(c), 1e-10)


def test_several_kernels_without_stored_matrices():
    def fitted(c):
        est = gm.MultiKernelPCA(2, kernels=dict.fromkeys(BLOCKS, "linear"), memory=30_000)
        return [est.fit(blocks(shift(X, c))).eigenvalues_]

    assert_same(fitted(0.0), fitted(1e8))


@pytest.mark.parametrize("c", [1e2, 1e3, 1e4])
@pytest.mark.parametrize("name", MAKES)
def test_single_precision(name, c):
    A, B = (shift(M, c).astype("f4") for M in (X, NEW))
    low = gm.KernelPCA(2, kernel=MAKES[name]).fit(A)
    high = gm.KernelPCA(2, kernel=MAKES[name]).fit(A.astype("f8"))
    np.testing.assert_allclose(low.eigenvalues_, high.eigenvalues_, rtol=2e-6)
    places = high.transform(B.astype("f8"))
    np.testing.assert_allclose(low.transform(B), places, rtol=0, atol=1e-5 * np.abs(places).max())


@pytest.mark.parametrize("c", [1e3, 1e4])
def test_single_precision_of_blocks_landmarks_and_classes(c):
    A, B = (shift(M, c).astype("f4") for M in (X, NEW))
    kernels = dict.fromkeys(BLOCKS, "linear")
    makes = [
        lambda M: gm.MultiKernelPCA(2, kernels=kernels, balance=None).fit(blocks(M)).eigenvalues_,
        *(
            lambda M, by=by: (
                gm.KernelPCA(
                    2,
                    kernel="linear",
                    approximation=gm.Nystrom(8, landmarks=by, random_state=0),
                )
                .fit(M)
                .eigenvalues_
            )
            for by in ("rpcholesky", "uniform", "leverage", "kmeans")
        ),
    ]
    for make in makes:
        np.testing.assert_allclose(make(A), make(A.astype("f8")), rtol=5e-6)
    for kernel in (k.Linear(), k.Linear() + k.Gaussian(2.0)):
        low, high = (
            gm.KernelLogisticRegression(kernel=kernel).fit(M, Y).predict_proba(new)
            for M, new in ((A, B), (A.astype("f8"), B.astype("f8")))
        )
        np.testing.assert_allclose(low, high, atol=2e-6)


def test_new_rows_of_the_other_precision():
    """Rows of doubles among singles, and the other way round, are moved before they are cut."""
    for fit_type, new_type in (("f8", "f4"), ("f4", "f8")):
        A, B = shift(X, 1e3).astype(fit_type), shift(NEW, 1e3).astype(new_type)
        low = gm.KernelPCA(2, kernel=2 * k.Linear()).fit(A).transform(B)
        high = gm.KernelPCA(2, kernel=2 * k.Linear()).fit(A.astype("f8")).transform(B.astype("f8"))
        np.testing.assert_allclose(low, high, rtol=0, atol=2e-6 * np.abs(high).max())


CLASSES = {"two": Y, "three": np.digitize(X[:, 0] + X[:, 2], [-1.0, 1.0])}


@pytest.mark.parametrize("weight", [None, WEIGHT - 1.0], ids=["equal", "some without"])
@pytest.mark.parametrize("classes", CLASSES)
@pytest.mark.parametrize("name", ["linear", "of degree 1", "weighted columns", "with a Gaussian"])
def test_logistic_regression(name, classes, weight):
    def fitted(c):
        est = gm.KernelLogisticRegression(kernel=MAKES[name])
        fit = est.fit(shift(X, c), CLASSES[classes], sample_weight=weight)
        return [fit.predict_proba(shift(NEW, c)), fit.dual_coef_]

    here = fitted(0.0)
    for c in (1e3, 1e8):
        assert_same(here, fitted(c), 1e-10)


def test_logistic_regression_is_that_of_scikit_learn():
    from sklearn.linear_model import LogisticRegression

    truth = LogisticRegression(tol=1e-12, max_iter=10_000).fit(X, Y).predict_proba(NEW)
    for c in (0.0, 1e8):
        fit = gm.KernelLogisticRegression(kernel="linear").fit(shift(X, c), Y)
        np.testing.assert_allclose(fit.predict_proba(shift(NEW, c)), truth, atol=1e-6)


@pytest.mark.parametrize("name", ["linear", "weighted columns", "with a Gaussian"])
def test_the_functions_of_a_logistic_regression_are_in_the_kernel_s_own_values(name):
    kernel, A, B = MAKES[name], X + 2.0, NEW + 2.0
    fit = gm.KernelLogisticRegression(kernel=kernel).fit(A, Y)
    f = kernel(B, A) @ fit.dual_coef_ + fit.intercept_
    np.testing.assert_allclose(f[:, 0], fit.decision_function(B), atol=1e-10)


@pytest.mark.parametrize("rank", [2, 8])
def test_logistic_regression_on_landmarks(rank):
    def fitted(c):
        by = gm.Nystrom(rank, random_state=0)
        est = gm.KernelLogisticRegression(kernel="linear", approximation=by)
        return [est.fit(shift(X, c), Y).predict_proba(shift(NEW, c))]

    assert_same(fitted(0.0), fitted(1e8))


@pytest.mark.parametrize("name", ["linear", "multiple", "with a Gaussian"])
def test_regression_and_classes_on_components(name):
    def fitted(c):
        A, B = shift(X, c), shift(NEW, c)
        line = gm.PrincipalComponentRegression(2, kernel=MAKES[name]).fit(A, X[:, 0] ** 2)
        tuned = gm.PrincipalComponentRegression("cv", kernel=MAKES[name]).fit(A, X[:, 0] ** 2)
        curve = gm.PrincipalComponentClassifier(1, kernel=MAKES[name]).fit(A, Y)
        return [line.predict(B), tuned.predict(B), curve.predict_proba(B)]

    assert_same(fitted(0.0), fitted(1e8), 1e-11)


@pytest.mark.parametrize("name", ["linear", "multiple", "of degree 1", "with a Gaussian"])
def test_studies(name):
    def studied(c):
        A = shift(X, c)
        est = gm.KernelPCA(2, kernel=MAKES[name])
        fit = est.fit(A)
        return [
            gm.stability.jackknife(est, A).points.to_numpy(),
            gm.stability.bootstrap(est, A, n_resamples=3, random_state=0).eigenvalues.to_numpy(),
            gm.importance.gradient(fit).to_numpy(),
            gm.importance.permutation(fit, n_permutations=2, random_state=0).to_numpy(),
            gm.dimension.parallel_analysis(
                A, estimator=est, n_permutations=19, random_state=0
            ).reference,
        ]

    assert_same(studied(0.0), studied(1e8), 1e-9)


@pytest.mark.parametrize("name", ["multiple", "with a Gaussian"])
def test_axes_as_functions_keep_their_offset(name):
    """Under "span" coordinates are ⟨φ(x), axis⟩ of the kernel itself, whatever is centred."""
    A = X + 3.0
    fit = gm.KernelPCA(2, kernel=MAKES[name], formulation="span").fit(A)
    values = np.column_stack([axis(A) for axis in fit.axes()])
    np.testing.assert_allclose(fit.coordinates_, values, atol=1e-12 * np.abs(values).max())
    centred = gm.KernelPCA(2, kernel=MAKES[name]).fit(A)
    np.testing.assert_allclose(
        fit.coordinates_ - fit.coordinates_.mean(axis=0), centred.coordinates_, atol=1e-11
    )
    far = gm.KernelPCA(2, kernel=MAKES[name], formulation="span").fit(shift(A, 1e8))
    np.testing.assert_allclose(far.eigenvalues_, fit.eigenvalues_, rtol=1e-12)


def test_many_rows_go_through_single_precision_first():
    """Above 4,096 rows the iteration starts in single precision, where the shift is taken off."""
    rng = np.random.default_rng(45)
    A = np.round(rng.standard_normal((4200, 3)) * [3.0, 2.0, 1.0] * 2**10) / 2**10
    kernel = k.Columns(k.Linear(), [0, 1, 2]) + k.Gaussian(4.0)
    one, other = (gm.KernelPCA(2, kernel=kernel).fit(A + c) for c in (0.0, 2.0**27))
    assert one.solver_ == other.solver_
    np.testing.assert_array_equal(one.eigenvalues_, other.eigenvalues_)


@pytest.mark.parametrize("name", ["multiple", "weighted columns", "with a Gaussian"])
def test_files(name, tmp_path):
    fits = [
        gm.KernelPCA(2, kernel=MAKES[name]).fit(shift(X, 1e8)),
        gm.KernelPCA(2, kernel=MAKES[name], approximation=gm.Nystrom(6)).fit(shift(X, 1e8)),
        gm.KernelLogisticRegression(kernel=MAKES[name]).fit(shift(X, 1e8), Y),
    ]
    for n, fit in enumerate(fits):
        gm.save(fit, tmp_path / f"{n}.gramian")
        again = gm.load(tmp_path / f"{n}.gramian")
        of = "predict_proba" if n == 2 else "transform"
        new = shift(NEW, 1e8)
        np.testing.assert_array_equal(getattr(again, of)(new), getattr(fit, of)(new))


@pytest.mark.parametrize("kernel", [k.Polynomial(2), k.Linear() * k.Gaussian(2.0), k.Cosine()])
def test_kernels_whose_answer_a_shift_changes_are_left_alone(kernel):
    assert kernel.about(Points(X + 5.0)) is kernel
    one, other = (gm.KernelPCA(2, kernel=kernel).fit(A).eigenvalues_ for A in (X, X + 5.0))
    assert abs(one[0] / other[0] - 1.0) > 1e-3


CHANGES = [
    (k.Linear(), "means"),
    (k.Gaussian(1.0), "nothing"),
    (k.Laplacian(1.0) * k.Gaussian(1.0), "nothing"),
    (k.Gaussian(1.0).normalized().exp() + 1.0, "nothing"),
    (k.Linear() + k.Gaussian(1.0), "means"),
    (k.Linear() * k.Gaussian(1.0), "values"),
    (k.Linear() * k.Linear(), "values"),
    (k.Linear() ** 2, "values"),
    (k.Linear().exp(), "values"),
    (k.Linear().normalized(), "values"),
    (k.Linear().on(np.log), "values"),
    (k.Polynomial(2), "values"),
    (k.Constant(2.0) * (k.Constant(3.0) * k.Polynomial(1)), "means"),
]


@pytest.mark.parametrize(("kernel", "change"), CHANGES, ids=[str(kernel) for kernel, _ in CHANGES])
def test_what_a_shift_changes_is_what_is_said(kernel, change):
    assert kernel.shift_changes == change
    A, B = np.exp(X[:8] / 4.0), np.exp(X[:8] / 4.0) + 0.5
    K, L = kernel(A), kernel(B)
    H = np.eye(8) - 1.0 / 8.0
    assert np.allclose(K, L) == (change == "nothing")
    assert np.allclose(H @ K @ H, H @ L @ H) == (change != "values")
