"""From an operator to the spectrum that is kept: policies, rules, convergence, memory."""

import warnings
from functools import partial

import numpy as np
import pytest

import gramian as gm
from gramian._core.spectral import solve as module
from gramian._core.spectral.krylov import block_krylov
from gramian._core.spectral.solve import Solver, decompose, select
from gramian._core.spectral.spectrum import Choice, Request, Spectrum
from gramian._reading.rules import Selection
from gramian._reading.spectrum_rules import kaiser, threshold

from .matrices import Matrix, with_spectrum

N = 150
DENSE, KRYLOV = Choice("dense", "a test"), Choice("krylov", "a test")
VALUES = 0.7 ** np.arange(N)
solvers = pytest.mark.parametrize("choice", [DENSE, KRYLOV], ids=["dense", "krylov"])


def problem(q=None, rule=None, **options):
    options = {"dimension": N, "psd": True} | options
    return Request(Selection(q=q, rule=rule), **options)


def solve(A, choice, request):
    return select(decompose(A, choice, request), request)


@solvers
def test_a_number_of_axes(choice):
    A, _ = with_spectrum(VALUES)
    s = solve(A, choice, problem(q=4))
    np.testing.assert_allclose(s.values, VALUES[:4], atol=1e-8)
    assert s.total == pytest.approx(VALUES.sum(), rel=1e-12)
    assert s.solver.startswith(f"{choice.name}: a test")


@solvers
@pytest.mark.parametrize("share", [0.3, 0.5, 0.9, 0.999])
def test_a_share_of_the_inertia(choice, share):
    A, _ = with_spectrum(VALUES)
    s = solve(A, choice, problem(rule=partial(threshold, share=share)))
    expected = int(np.argmax(np.cumsum(VALUES) / VALUES.sum() >= share)) + 1
    assert len(s.values) == expected


@solvers
def test_a_rule_that_needs_more_axes_than_the_first_guess(choice):
    values = np.r_[np.linspace(2.0, 1.0, 40), np.full(N - 40, 0.01)]
    A, _ = with_spectrum(values)
    s = solve(A, choice, problem(rule=kaiser))
    assert len(s.values) == 40 == np.count_nonzero(values > values.mean())


@solvers
def test_every_axis_that_carries_inertia(choice):
    A, _ = with_spectrum(np.linspace(2.0, 1.0, 7), N)
    s = solve(A, choice, problem(q=None))
    assert len(s.values) == 7


@solvers
def test_nothing_to_find(choice):
    with pytest.raises(gm.errors.InputError, match="inertia is zero"):
        solve(Matrix(np.zeros((N, N))), choice, problem(q=2))


INDEFINITE = np.r_[4.0, 2.0, 1.0, -0.5, -3.0]
POLICIES = {
    "clip": ([4.0, 2.0, 1.0], 7.0),
    "flip": ([4.0, 3.0, 2.0, 1.0, 0.5], 10.5),
    "krein": ([4.0, -3.0, 2.0, 1.0, -0.5], 3.5),
    "drop": ([4.0, 2.0, 1.0], 3.5),
}


@pytest.mark.parametrize("policy", POLICIES)
def test_policies_for_negative_eigenvalues(policy):
    A, U = with_spectrum(INDEFINITE, 20)
    asked = problem(dimension=20, policy=policy, psd=False)
    s = solve(A, DENSE, asked)
    values, total = POLICIES[policy]
    np.testing.assert_allclose(s.values, values, rtol=1e-12)
    assert s.total == pytest.approx(total, rel=1e-12)
    assert s.negative == pytest.approx(3.5, rel=1e-12)
    position = [int(np.argmin(np.abs(np.abs(INDEFINITE) - abs(v)))) for v in values]
    np.testing.assert_allclose(np.abs(np.sum(s.vectors * U[:, position], axis=0)), 1.0, rtol=1e-12)


@solvers
def test_negative_eigenvalues_are_refused_by_default(choice):
    A, _ = with_spectrum(np.r_[VALUES, -0.5], N + 1)
    with pytest.raises(gm.errors.IndefiniteError, match="indefinite='clip'"):
        solve(A, choice, problem(q=3, psd=False))


@solvers
def test_rounding_below_zero_is_no_negative_eigenvalue(choice):
    A, _ = with_spectrum(np.r_[VALUES, -1e-16], N + 1)
    s = solve(A, choice, problem(q=3, psd=False))
    assert s.negative == 0.0


@pytest.fixture
def impatient(monkeypatch):
    """A Krylov solver that gives up after three products, of one column too."""
    monkeypatch.setattr(module, "block_krylov", partial(block_krylov, max_products=3))
    monkeypatch.setattr(module, "COLUMN_STEPS", -3)  # three of three axes


FLAT = np.linspace(1.0, 0.9, N)


@pytest.mark.slow
def test_auto_falls_back_to_the_dense_solver(impatient):
    A, _ = with_spectrum(FLAT)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        s = solve(A, KRYLOV, problem(q=3, solver="auto"))
    assert s.solver.startswith("dense: the iteration did not converge")
    np.testing.assert_allclose(s.values, FLAT[:3], rtol=1e-12)


@pytest.mark.slow
def test_krylov_on_request_warns_and_names_the_axes(impatient):
    A, _ = with_spectrum(FLAT)
    with pytest.warns(gm.errors.ConvergenceWarning, match=r"axes \[1, 2, 3\].*tol=1e-08") as caught:
        s = solve(A, KRYLOV, problem(q=3, solver="krylov"))
    assert s.solver.startswith("krylov")
    assert s.residuals.max() > 1e-8
    true = np.linalg.norm(A.M @ s.vectors - s.vectors * s.values, axis=0)
    np.testing.assert_allclose(s.residuals, true, rtol=1e-6)
    assert len(str(caught[0].message)) <= 400


@pytest.mark.slow
def test_auto_warns_where_the_dense_solver_does_not_fit(impatient):
    A, _ = with_spectrum(FLAT)
    budget = 4 * N * N * 8 - 1
    with pytest.warns(gm.errors.ConvergenceWarning):
        s = solve(A, KRYLOV, problem(q=3, solver="auto", budget=budget))
    assert s.solver.startswith("krylov")


@pytest.mark.slow
def test_the_estimators_fall_back_too(impatient):
    X = np.random.default_rng(0).standard_normal((450, 30))
    fitted = gm.KernelPCA(3, kernel=gm.kernels.Gaussian(2.0)).fit(X)
    assert fitted.solver_.startswith("dense: the iteration did not converge")
    with pytest.warns(gm.errors.ConvergenceWarning):
        gm.KernelPCA(3, kernel=gm.kernels.Gaussian(2.0), solver="krylov").fit(X)


@pytest.mark.parametrize(
    ("choice", "budget"), [(DENSE, 4 * N * N * 8 - 1), (KRYLOV, 1000)], ids=["dense", "krylov"]
)
def test_over_budget_is_refused_before_a_product(choice, budget):
    A, _ = with_spectrum(VALUES)
    with pytest.raises(gm.errors.MemoryBudgetError, match="budget"):
        decompose(A, choice, problem(q=3, budget=budget))
    assert A.products == 0


def test_residuals_of_the_dense_solver_are_true():
    A, _ = with_spectrum(VALUES)
    s = solve(A, DENSE, problem(q=5))
    true = np.linalg.norm(A.M @ s.vectors - s.vectors * s.values, axis=0)
    np.testing.assert_allclose(s.residuals, true, atol=1e-15)
    assert s.residuals.max() < 1e-13


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize(("size", "scale", "live"), [(16, 0, 1), (256, 0, 2), (256, 16, 1)])
def test_rounding_ends_at_64_units_of_the_largest_number(size, scale, live, dtype):
    """An eigenvalue of 16 units in the last place is null, one of 256 is an axis."""
    M = np.diag([1.0, size * np.finfo(dtype).eps]).astype(dtype)
    s = solve(Matrix(M), DENSE, problem(dimension=2, scale=float(scale)))
    assert len(s.values) == live


def centred_matrix(values, n=80):
    """A matrix of rows of sum 0 with these eigenvalues, and zeros."""
    U = np.random.default_rng(5).standard_normal((n, len(values)))
    U = np.linalg.qr(U - U.mean(axis=0))[0]
    M = (U * np.asarray(values)) @ U.T
    return 0.5 * (M + M.T)


@pytest.mark.parametrize("size", [1e-3, 1e-9, 1e-12])
def test_an_iteration_sees_a_small_negative_eigenvalue_that_is_no_rounding(size):
    K = centred_matrix([3.0, 2.0, 1.0, -size])
    options = {"kernel": "precomputed", "solver": "krylov"}
    with pytest.raises(gm.errors.IndefiniteError, match="negative eigenvalues add up to at least"):
        gm.KernelPCA(2, **options).fit(K)
    fitted = gm.KernelPCA(2, indefinite="clip", **options).fit(K)
    assert fitted.negative_inertia_ == pytest.approx(size / len(K), rel=1e-2)


def test_an_iteration_takes_rounding_below_0_for_what_it_is():
    K = centred_matrix([3.0, 2.0, 1.0, -1e-16])
    fitted = gm.KernelPCA(2, kernel="precomputed", solver="krylov").fit(K)
    assert fitted.negative_inertia_ == 0.0


def test_every_axis_of_an_iteration_is_every_axis():
    X = np.random.default_rng(0).standard_normal((200, 60))
    for fit in (
        gm.PCA(None, solver="krylov").fit(X),
        gm.KernelPCA(None, kernel="linear", solver="krylov").fit(X),
        gm.ClassicalMDS(None, solver="krylov").fit(X),
    ):
        assert fit.n_components_ == 60 and "every axis" in fit.solver_


BAD_SOLVERS = {
    "too few": (lambda values, U: (values[:1], U[:, :1]), "returned 1 axes, but 3"),
    "ascending": (lambda values, U: (values[::-1], U[:, ::-1]), "descending"),
    "nan": (lambda values, U: (values * np.nan, U), "finite"),
    "shape": (lambda values, U: (values, U[:5]), "shape"),
}


@pytest.mark.parametrize("name", BAD_SOLVERS)
def test_solvers_of_others_are_looked_at(name, monkeypatch):
    spoil, words = BAD_SOLVERS[name]
    A, _ = with_spectrum(VALUES)
    true, U = np.linalg.eigh(A.dense())
    values, U = spoil(true[::-1][:3].copy(), U[:, ::-1][:, :3].copy())

    def run(A, choice, request):
        return Spectrum(values, U, A.trace(), np.zeros(len(values)), str(choice))

    monkeypatch.setitem(module.SOLVERS, "mine", Solver("mine", lambda n, r: None, run))
    with pytest.raises(gm.errors.InputError, match=words):
        solve(A, Choice("mine", "a test"), problem(q=3))


def test_residuals_of_other_solvers_are_measured(monkeypatch):
    A, _ = with_spectrum(VALUES)
    true, U = np.linalg.eigh(A.dense())
    U = U[:, ::-1][:, :3] + 1e-3

    def run(A, choice, request):
        return Spectrum(true[::-1][:3].copy(), U, A.trace(), np.zeros(3), str(choice))

    monkeypatch.setitem(module.SOLVERS, "mine", Solver("mine", lambda n, r: None, run))
    with pytest.warns(gm.errors.ConvergenceWarning, match="did not reach"):
        s = solve(A, Choice("mine", "a test"), problem(q=3))
    truth = np.linalg.norm(A.dense() @ U - U * true[::-1][:3], axis=0)
    np.testing.assert_allclose(s.residuals, truth, rtol=1e-6)
