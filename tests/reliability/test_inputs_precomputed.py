"""Matrices that are no kernel or no distance, and functions that are no kernel, are refused."""

import numpy as np
import pytest

import gramian as gm

from .refusals import assert_same_fit, numbers, refuses

pytestmark = pytest.mark.slow


X = np.random.default_rng(49).standard_normal((12, 4))
K = X @ X.T
D = np.sqrt(((X[:, None] - X[None]) ** 2).sum(axis=2))


def changed(A, *entries):
    B = A.copy()
    for i, j, value in entries:
        B[i, j] = value
    return B


def star():
    """Path lengths in a star of unequal branches: a metric that no Euclidean space holds."""
    branches = np.array([0.0, 1.0, 1.3, 1.7])
    S = branches[:, None] + branches
    np.fill_diagonal(S, 0.0)
    return S


BAD_KERNELS = {
    "not square": (K[:, :5], ("X", "square")),
    "not symmetric": (changed(K, (3, 5, K[3, 5] + 0.1)), ("X", "symmetric", "3", "5")),
    "hardly symmetric": (changed(K, (3, 5, K[3, 5] * (1 + 1e-6))), ("X", "symmetric")),
    "nan": (changed(K, (3, 5, np.nan), (5, 3, np.nan)), ("X", "nan", "3", "5")),
    "inf": (changed(K, (3, 5, np.inf), (5, 3, np.inf)), ("X", "inf", "3", "5")),
    "complex": (K + 0j, ("X", "complex")),
    "strings": (K.astype(str), ("X",)),
    "zero": (np.zeros((12, 12)), ("X",)),
    "constant": (np.full((12, 12), 2.5), ("X",)),
    "one point": (np.ones((1, 1)), ("X",)),
    "empty": (np.empty((0, 0)), ("X",)),
    "masked": (np.ma.masked_array(K, mask=np.eye(12, dtype=bool)), ("X", "mask")),
}
SOLVERS = ["auto", "dense", "krylov"]


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("case", BAD_KERNELS)
def test_precomputed_kernels(case, solver):
    A, words = BAD_KERNELS[case]
    est = gm.KernelPCA(n_components=2, kernel="precomputed", solver=solver)
    refuses(lambda: est.fit(A), *words)


INDEFINITE = {
    "minus a kernel": -K,
    "mixed signs": np.diag(np.r_[np.ones(8), -np.ones(4)]) + 0.1,
    "one small negative": K - 0.05 * np.outer(D[0], D[0]),
}


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("case", INDEFINITE)
def test_indefinite_kernels(case, solver):
    A = INDEFINITE[case]
    C = np.eye(12) - 1 / 12
    assert np.linalg.eigvalsh(C @ A @ C)[0] < -1e-3
    est = gm.KernelPCA(n_components=2, kernel="precomputed", solver=solver)
    with pytest.raises(gm.errors.IndefiniteError) as caught:
        est.fit(A)
    assert isinstance(caught.value, ValueError)
    assert len(str(caught.value)) <= 400
    assert "indefinite" in str(caught.value)


@pytest.mark.parametrize("policy", ["clip", "flip", "krein"])
def test_other_policies_never_give_nan(policy):
    est = gm.KernelPCA(n_components=2, kernel="precomputed", indefinite=policy)
    est.fit(INDEFINITE["one small negative"])
    assert all(np.all(np.isfinite(v)) for v in numbers(est).values())


def test_rounding_is_not_called_indefinite_or_asymmetric():
    noise = np.random.default_rng(1).uniform(-1, 1, (12, 12)) * 1e-15
    est = gm.KernelPCA(n_components=2, kernel="precomputed").fit(K * (1 + noise))
    reference = gm.KernelPCA(n_components=2, kernel="precomputed").fit(K)
    assert_same_fit(est, reference, rtol=1e-11)


BAD_DISTANCES = {
    "not square": (D[:, :5], ("X", "square")),
    "negative": (changed(D, (3, 5, -1.0), (5, 3, -1.0)), ("X", "negative", "3", "5")),
    "all negative": (-D, ("X", "negative")),
    "not symmetric": (changed(D, (3, 5, D[3, 5] + 0.1)), ("X", "symmetric", "3", "5")),
    "diagonal": (changed(D, (4, 4, 0.5)), ("X", "diagonal", "4")),
    "small diagonal": (changed(D, (4, 4, 1e-6)), ("X", "diagonal", "4")),
    "similarities": (np.exp(-D), ("X", "diagonal")),
    "nan": (changed(D, (3, 5, np.nan), (5, 3, np.nan)), ("X", "nan", "3", "5")),
    "inf": (changed(D, (3, 5, np.inf), (5, 3, np.inf)), ("X", "inf", "3", "5")),
    "complex": (D + 0j, ("X", "complex")),
    "zero": (np.zeros((12, 12)), ("X",)),
    "one point": (np.zeros((1, 1)), ("X",)),
    "masked": (np.ma.masked_array(D, mask=np.eye(12, dtype=bool)), ("X", "mask")),
}


@pytest.mark.parametrize("case", BAD_DISTANCES)
def test_precomputed_distances(case):
    A, words = BAD_DISTANCES[case]
    refuses(lambda: gm.ClassicalMDS(metric="precomputed").fit(A), *words)


def test_distances_that_are_not_euclidean_warn_and_give_no_nan():
    with pytest.warns(gm.errors.NotEuclideanWarning):
        est = gm.ClassicalMDS(n_components=2, metric="precomputed").fit(star())
    assert all(np.all(np.isfinite(v)) for v in numbers(est).values())


@pytest.mark.parametrize("correction", ["lingoes", "cailliez"])
def test_corrected_distances_are_euclidean(correction):
    make = gm.ClassicalMDS(n_components=2, metric="precomputed", correction=correction)
    est = make.fit(star())
    assert all(np.all(np.isfinite(v)) for v in numbers(est).values())
    assert est.inertia_ratio_.sum() <= 1 + 1e-12


def fit_with(function, solver="auto", data=X, memory=None):
    est = gm.KernelPCA(n_components=2, kernel=function, solver=solver, memory=memory)
    return lambda: est.fit(data)


BAD_FUNCTIONS = {
    "wrong shape": lambda A, B: np.ones((3, 3)),
    "transposed shape": lambda A, B: np.ones((len(B) + 1, len(A))),
    "vector": lambda A, B: np.ones(len(A)),
    "scalar": lambda A, B: 1.0,
    "None": lambda A, B: None,
    "nan": lambda A, B: np.where(np.eye(len(A), len(B)) == 1, np.nan, 1.0),
    "inf": lambda A, B: np.full((len(A), len(B)), np.inf),
    "complex": lambda A, B: A @ B.T + 0j,
    "strings": lambda A, B: (A @ B.T).astype(str),
    "not symmetric": lambda A, B: A[:, :1] + 2 * B[:, :1].T,
    "not positive": lambda A, B: -(A @ B.T),
}


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("case", BAD_FUNCTIONS)
def test_functions_that_are_no_kernel(case, solver):
    refuses(fit_with(BAD_FUNCTIONS[case], solver), "kernel")


@pytest.mark.parametrize("case", BAD_FUNCTIONS)
def test_functions_that_are_no_kernel_tile_by_tile(case):
    rows = np.random.default_rng(52).standard_normal((700, 4)) * [4.0, 3.0, 2.0, 1.0]
    refuses(fit_with(BAD_FUNCTIONS[case], "krylov", rows, "1MB"), "kernel")


def test_a_good_function_is_the_kernel_it_computes():
    est = fit_with(lambda A, B: (A @ B.T + 1) ** 2)()
    reference = gm.KernelPCA(n_components=2, kernel="precomputed").fit((K + 1) ** 2)
    assert_same_fit(est, reference, rtol=1e-11)
