"""Random columns that bound what was left out: the level holds, and is sharp."""

import warnings
from dataclasses import replace

import numpy as np
import pytest

import gramian as gm
from gramian._core.spectral.krylov import KrylovResult, Ritz
from gramian._core.spectral.probe import Goals, Probe, _Measure
from gramian._core.spectral.solve import SOLVERS, Solver, decompose, search_axes
from gramian._core.spectral.spectrum import Choice, Request, Spectrum

from .matrices import Matrix, basis, with_spectrum

k = gm.kernels


class Axes:
    """A number of axes."""

    rule = None

    def __init__(self, q):
        self.q = q


def bound(A, U, values, seed, goal=0.0, probability=1e-6, following=None):
    pairs = KrylovResult(values, U, A.M @ U, np.zeros(len(values)), 1, True, None)
    pairs = replace(pairs, following=following)
    probe = Probe(A, np.random.default_rng(seed), probability)
    return probe.upper_bound(A, pairs, Goals(goal, goal, np.inf, 12))


SPECTRA = {
    "power law": lambda n: 1.0 / np.arange(1, n + 1),
    "geometric": lambda n: 0.7 ** np.arange(n),
    "flat": lambda n: np.linspace(1.0, 0.5, n),
    "isolated points": lambda n: np.r_[5.0, 5.0, 4.0, np.ones(n - 3)],
    "many copies": lambda n: np.r_[np.full(30, 2.0), np.ones(n - 30)],
    "with negative ones": lambda n: np.r_[1.0 / np.arange(1, n), -0.9],
}


@pytest.mark.slow
@pytest.mark.parametrize("left_out", [(0,), (2,), (0, 1, 2), ()], ids=str)
@pytest.mark.parametrize("name", SPECTRA)
def test_no_eigenvalue_outside_exceeds_the_level(name, left_out):
    """Axes that a search might return with any of the first left out."""
    values = SPECTRA[name](300)
    A, V = with_spectrum(values)
    kept = [i for i in range(8) if i not in left_out]
    outside = np.delete(values, kept).max()
    for seed in range(15):
        found = bound(A, V[:, kept], values[kept], seed, goal=1.5 * outside)
        assert outside <= found.level * (1 + 1e-12)
        assert found.largest <= outside * (1 + 1e-12)
        assert found.level <= 1.5 * outside  # sharp after a few products
        assert found.products <= 6


@pytest.mark.slow
def test_a_small_probability_is_a_probability():
    """With few products and a large probability the level breaks about as often as it may."""
    values = np.r_[1.0, np.full(299, 0.05)]
    A = Matrix(np.block([[np.eye(1), np.zeros((1, 300))], [np.zeros((300, 1)), np.diag(values)]]))
    U = np.eye(301)[:, :1]
    broken = 0
    for seed in range(200):
        found = bound(A, U, np.ones(1), seed, goal=np.inf, probability=0.3)
        broken += found.level * (1 + 1e-12) < 1.0  # rounding differs from machine to machine
    assert broken <= 0.3 * 200 + 3 * np.sqrt(0.21 * 200)


@pytest.mark.parametrize("degree", [1, 2, 4])
def test_the_christoffel_function_is_the_least_integral(degree):
    """min ∫p² dμ over polynomials with p(x) = 1, by constrained least squares."""
    rng = np.random.default_rng(degree)
    points = np.sort(rng.uniform(0, 1, 12))[::-1]
    Y = rng.standard_normal((12, 3))
    x = 1.3
    V = np.polynomial.legendre.legvander(2 * points - 1, degree)
    M = V.T @ ((Y**2).sum(axis=1)[:, None] * V)
    at = np.polynomial.legendre.legvander(np.array([2 * x - 1]), degree)[0]
    assert _Measure(points, Y, degree).inverse_christoffel(x) == pytest.approx(
        at @ np.linalg.solve(M, at), rel=1e-9
    )


@pytest.mark.slow
def test_an_invariant_start_is_not_all_there_is():
    """Eigenvectors of the wrong eigenvalues converge at once: the search goes on."""
    values = np.r_[6.0, 5.0, 4.0, np.linspace(1.0, 0.1, 397)]
    A, V = with_spectrum(values)
    request = Request(Axes(4), start=V[:, 3:7])
    found = search_axes(A, 4, request)
    np.testing.assert_allclose(found.krylov.values, values[:4], rtol=1e-9)
    assert found.completeness.reached
    assert values[4] <= found.completeness.level <= 1.01 * values[3]


@pytest.mark.slow
def test_approximate_eigenvectors_sharpen_the_level():
    """Vectors off by 1e-3 after the axes: the level holds, and ends where they end."""
    values = np.r_[np.linspace(1.0, 0.9, 20), np.linspace(0.3, 0.1, 380)]
    A, V = with_spectrum(values)
    rng = np.random.default_rng(5)
    Y = np.linalg.qr(V[:, :20] + 1e-3 * rng.standard_normal((400, 20)) / 20)[0]
    Y[:, :4] = V[:, :4]
    Y = np.linalg.qr(Y)[0]
    theta, S = np.linalg.eigh(Y[:, 4:].T @ A.M @ Y[:, 4:])
    Y = Y[:, 4:] @ S[:, ::-1]
    residuals = np.linalg.norm(A.M @ Y - Y * theta[::-1], axis=0)
    following = Ritz(theta[::-1], Y, A.M @ Y, residuals)
    for seed in range(15):
        plain = bound(A, V[:, :4], values[:4], seed, goal=np.inf)
        sharp = bound(A, V[:, :4], values[:4], seed, goal=np.inf, following=following)
        assert values[4] <= sharp.level < values[3] < plain.level


@pytest.mark.slow
@pytest.mark.parametrize("spectrum", ["flat", "power law", "geometric"])
def test_nothing_left_out_exceeds_the_last_axis(spectrum):
    values = SPECTRA[spectrum](500)
    A, _ = with_spectrum(values)
    found = search_axes(A, 3, Request(Axes(3)))
    assert found.completeness.reached
    assert values[3] * (1 - 1e-9) <= found.completeness.level <= 1.01 * values[2]


@pytest.mark.slow
@pytest.mark.parametrize("left_out", [0, 1, 2])
@pytest.mark.parametrize("gap", [1e-1, 1e-2, 1e-3, 1e-5, 1e-7])
def test_an_axis_barely_larger_than_the_last_is_not_missed(left_out, gap):
    """A start that is blind to it, in a spectrum that falls slowly."""
    values = np.r_[1.0 + gap * np.array([3.0, 2.0, 1.0]), np.linspace(1.0, 0.5, 497)]
    A, V = with_spectrum(values)
    kept = [i for i in range(6) if i != left_out]
    found = search_axes(A, 3, Request(Axes(3), start=V[:, kept]))
    np.testing.assert_allclose(found.krylov.values, values[:3], rtol=1e-10)
    assert found.completeness.reached


def test_no_care_costs_no_products_and_proves_nothing():
    A, _ = with_spectrum(SPECTRA["geometric"](300))
    found = search_axes(A, 3, Request(Axes(3), care=None))
    assert found.completeness is None
    assert A.products == found.krylov.products
    fitted = gm.KernelPCA(2, solver="krylov", care=None).fit(basis(60)[:, :4])
    assert np.isnan(fitted.certificate_.level)
    assert not fitted.certificate_.complete
    assert fitted.certificate_.text.startswith("whether an axis is missing was not checked")


@pytest.mark.parametrize("care", [1.0, 0.5, -2, np.nan, np.inf, "much", True])
def test_care_is_a_number_above_one(care):
    with pytest.raises(gm.errors.InputError, match="care="):
        gm.KernelPCA(2, care=care).fit(np.eye(5))


def test_a_level_that_is_not_reached_is_said():
    """A solver of somebody else's that leaves out the first axis."""
    A, V = with_spectrum(np.r_[9.0, 1.0, 0.5, 0.1 * np.ones(97)])

    def run(A, choice, request):
        return Spectrum(np.array([1.0, 0.5]), V[:, 1:3], A.trace(), np.zeros(2), str(choice))

    SOLVERS["forgetful"] = Solver("forgetful", lambda n, r: None, run)
    try:
        with pytest.warns(gm.errors.ConvergenceWarning, match="may have been left out"):
            spectrum = decompose(A, Choice("forgetful", "a test"), Request(Axes(2)))
    finally:
        del SOLVERS["forgetful"]
    assert spectrum.completeness.level >= 9.0
    assert not spectrum.certificate().complete
    assert spectrum.certificate().text.startswith("an axis may be missing")


def groups(n, size, count, seed=0):
    """Isolated points, among them groups of equal ones: eigenvalues of about `size` and 1."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, 10)) * 10
    order = rng.permutation(n)
    for j in range(count):
        X[order[size * j : size * (j + 1)]] = X[order[size * j]]
    return X


@pytest.mark.slow
@pytest.mark.parametrize("rank", [20, 50, 200])
def test_a_nystrom_start_misses_no_group(rank):
    X = groups(1500, 5, 10)
    start = gm.Nystrom(rank=rank, refine=True)
    fitted = gm.KernelPCA(6, kernel=k.Gaussian(1.0), approximation=start)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gm.errors.TiedAxesWarning)
        fitted.fit(X)
    np.testing.assert_allclose(fitted.eigenvalues_ * 1500, 5.0, rtol=0.01)


@pytest.mark.slow
def test_a_sample_misses_no_group():
    X = groups(4500, 6, 3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", gm.errors.TiedAxesWarning)
        fitted = gm.KernelPCA(3, kernel=k.Gaussian(1.0)).fit(X)
    np.testing.assert_allclose(fitted.eigenvalues_ * 4500, 6.0, rtol=0.01)


CIRCLE = np.linspace(0, 2 * np.pi, 500, endpoint=False)
CIRCLE = np.c_[np.cos(CIRCLE), np.sin(CIRCLE)]


@pytest.mark.slow
@pytest.mark.parametrize("solver", ["dense", "krylov"])
@pytest.mark.parametrize(
    ("q", "ties"), [(1, [(1, 2)]), (2, [(1, 2)]), (3, [(1, 2), (3, 4)]), (5, [(1, 2), (3, 4)])]
)
def test_ties_at_the_border_are_seen(q, ties, solver):
    with pytest.warns(gm.errors.TiedAxesWarning):
        fitted = gm.KernelPCA(q, solver=solver).fit(CIRCLE)
    assert fitted.tied_axes_[: len(ties)] == ties
    with pytest.warns(gm.errors.TiedAxesWarning):
        assert gm.PCA(1, solver=solver).fit(CIRCLE).tied_axes_ == [(1, 2)]


@pytest.mark.parametrize("n", [5, 14, 20])
@pytest.mark.parametrize("q", [1, 2, 4])
def test_few_rows_in_single_precision(n, q):
    """A basis of the whole space holds nothing but rounding beyond it."""
    X = np.random.default_rng(n).standard_normal((n, 4)).astype("f4")
    fitted = gm.KernelPCA(q, solver="krylov").fit(X)
    exact = gm.KernelPCA(q, solver="dense").fit(X.astype(float))
    np.testing.assert_allclose(fitted.eigenvalues_, exact.eigenvalues_, rtol=1e-5)


@pytest.mark.parametrize("solver", ["dense", "krylov"])
def test_the_certificate_of_a_fit(solver):
    X = np.random.default_rng(0).standard_normal((450, 5))
    fitted = gm.KernelPCA(3, solver=solver).fit(X)
    K = fitted.kernel_.pairwise(X, X)
    K = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
    true = np.linalg.eigvalsh(K / 450)[::-1]
    certificate = fitted.certificate_
    np.testing.assert_array_equal(certificate.residuals, fitted.residuals_)
    assert true[3] * (1 - 1e-9) <= certificate.level <= true[2]
    assert certificate.complete and certificate.text.startswith("no axis is missing")
    assert certificate.missed_probability == 0.0  # of a matrix in memory nothing is left to chance
    assert f"{certificate.level:.3g}" in certificate.text
    assert certificate.text in fitted.summary().facts["certificate"]


def test_the_level_is_in_the_units_of_the_data():
    X = np.random.default_rng(0).standard_normal((50, 4))
    one, two = (gm.PCA(2).fit(c * X).certificate_.level for c in (1.0, 1e160))
    assert two == pytest.approx(one * 1e160 * 1e160, rel=1e-9) or np.isinf(two)
    assert one == pytest.approx(np.linalg.eigvalsh(np.cov(X.T, bias=True))[1], rel=1e-9)
