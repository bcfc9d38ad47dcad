"""The block Krylov solver on operators with known eigenpairs."""

import numpy as np
import pytest
import torch

import gramian as gm
from gramian._core.spectral.krylov import basis_columns, block_krylov

from .matrices import Matrix, subspace_error, with_spectrum

N, Q = 160, 5

SPECTRA = {
    "geometric": 0.8 ** np.arange(N),
    "power law": 1.0 / np.arange(1, N + 1) ** 1.5,
    "gap": np.r_[np.linspace(10.0, 6.0, Q), np.linspace(1.0, 0.0, N - Q)],
    "flat": np.linspace(1.0, 0.9, N),
    "low rank": np.linspace(2.0, 1.0, 12),
    "with negative ones": np.r_[0.7 ** np.arange(80), -0.5 * 0.8 ** np.arange(80)],
}


@pytest.mark.slow
@pytest.mark.parametrize("tol", [1e-4, 1e-10], ids=str)
@pytest.mark.parametrize("name", SPECTRA)
def test_the_tolerance_is_met_and_the_residuals_are_true(name, tol):
    values = np.sort(SPECTRA[name])[::-1]
    A, _ = with_spectrum(values, N)
    found = block_krylov(A, Q, tol=tol)
    U = found.vectors
    true = np.linalg.norm(A.M @ U - U * found.values, axis=0)
    assert found.converged
    assert np.all(true <= tol * values[0] + 1e-14)
    np.testing.assert_allclose(found.residuals, true, rtol=0.5, atol=1e-14)
    assert np.all(np.abs(found.values - values[:Q]) <= tol * values[0] + 1e-14)
    np.testing.assert_allclose(U.T @ U, np.eye(Q), atol=1e-12)
    np.testing.assert_allclose(found.image, A.M @ U, atol=1e-12)
    assert found.products == A.products


def test_vectors_are_the_leading_axes():
    values = SPECTRA["gap"]
    A, U = with_spectrum(values)
    found = block_krylov(A, Q, tol=1e-12)
    overlap = np.abs(np.sum(found.vectors * U[:, :Q], axis=0))
    np.testing.assert_allclose(overlap, 1.0, atol=1e-12)


@pytest.mark.parametrize("multiplicity", [2, 5, 9, 40])
def test_multiple_eigenvalues(multiplicity):
    """A block finds several copies at once; what is found lies in their common space."""
    values = np.r_[np.full(multiplicity, 3.0), 0.5 ** np.arange(N - multiplicity)]
    A, U = with_spectrum(values)
    found = block_krylov(A, Q, tol=1e-10)
    same = min(multiplicity, Q)
    np.testing.assert_allclose(found.values, values[:Q], rtol=1e-9)
    assert subspace_error(U[:, :multiplicity], found.vectors[:, :same]) < 1e-8


@pytest.mark.parametrize("gap", [1e-3, 1e-5, 1e-7], ids=str)
def test_close_eigenvalues_are_told_apart(gap):
    values = np.r_[1.0 + gap, 1.0, 0.5 * 0.9 ** np.arange(N - 2)]
    A, U = with_spectrum(values)
    found = block_krylov(A, 2, tol=1e-12)
    np.testing.assert_allclose(found.values, values[:2], rtol=0, atol=1e-12)
    assert 1 - abs(found.vectors[:, 0] @ U[:, 0]) < (1e-11 / gap) ** 2 + 1e-12


@pytest.mark.slow
def test_restarts_keep_the_basis_within_its_size():
    widths = []

    class Watched(Matrix):
        def matmul(self, V):
            widths.append(V.shape[1])
            return super().matmul(V)

    A = Watched(with_spectrum(SPECTRA["flat"])[0].M)
    found = block_krylov(A, Q, tol=1e-10)
    block, largest = basis_columns(Q)
    assert found.converged
    assert max(widths) <= block
    assert sum(widths) > 2 * largest  # there were restarts
    np.testing.assert_allclose(found.values, SPECTRA["flat"][:Q], atol=1e-10)


def test_converged_axes_stay_while_others_converge():
    """Soft locking: an axis found early is as good at the end."""
    values = np.r_[100.0, 0.9 ** np.arange(N - 1)]
    A, U = with_spectrum(values)
    early = block_krylov(A, Q, tol=1e-30, max_products=7)
    late = block_krylov(A, Q, tol=1e-12, max_products=200)
    assert early.residuals[0] < 1e-10 < early.residuals[-1]
    assert not early.converged and late.converged
    assert late.residuals[0] <= max(early.residuals[0], 1e-11)
    assert 1 - abs(late.vectors[:, 0] @ U[:, 0]) < 1e-12


@pytest.mark.parametrize("rank", [1, 3, 5, 9, 14])
def test_an_invariant_subspace_ends_the_iteration(rank):
    values = np.linspace(2.0, 1.0, rank)
    A, U = with_spectrum(values, N)
    found = block_krylov(A, Q, tol=1e-12)
    k = min(rank, Q)
    np.testing.assert_allclose(found.values[:k], values[:k], rtol=1e-12)
    assert np.all(np.abs(found.values[k:]) < 1e-12)
    assert subspace_error(U, found.vectors[:, :k]) < 1e-12
    assert found.products <= 3


def test_the_identity_is_found_at_once():
    found = block_krylov(Matrix(np.eye(N)), Q)
    assert found.products == 1 and found.converged
    np.testing.assert_allclose(found.values, 1.0, rtol=1e-13)


def test_a_zero_operator():
    found = block_krylov(Matrix(np.zeros((50, 50))), 2)
    assert np.array_equal(found.values, np.zeros(2))
    assert np.all(np.isfinite(found.vectors))


@pytest.mark.parametrize("n", [6, 9, 20])
def test_operators_hardly_larger_than_a_block(n):
    values = np.arange(n, 0, -1.0)
    found = block_krylov(with_spectrum(values)[0], Q, tol=1e-12)
    np.testing.assert_allclose(found.values, values[:Q], rtol=1e-12)


def test_a_warm_start_saves_products():
    values = SPECTRA["power law"]
    A, U = with_spectrum(values)
    noise = 1e-6 * np.random.default_rng(3).standard_normal((N, 10))
    cold = block_krylov(A, Q, tol=1e-10)
    warm = block_krylov(A, Q, tol=1e-10, start=U[:, :10] + noise)
    assert warm.converged and warm.products < cold.products
    np.testing.assert_allclose(warm.values, values[:Q], atol=1e-10)


def test_a_poor_start_is_repaired():
    A, _ = with_spectrum(SPECTRA["gap"])
    start = np.ones((N, 3))  # one direction, three times
    found = block_krylov(A, Q, tol=1e-10, start=start)
    assert found.converged
    np.testing.assert_allclose(found.values, SPECTRA["gap"][:Q], rtol=1e-9)


def test_too_few_products_are_admitted():
    A, _ = with_spectrum(SPECTRA["flat"])
    found = block_krylov(A, Q, tol=1e-12, max_products=4)
    assert found.products == 4 and not found.converged
    assert found.residuals.max() > 1e-12


def test_negative_ritz_values_bound_the_negative_inertia_from_below():
    values = SPECTRA["with negative ones"]
    found = block_krylov(with_spectrum(values)[0], Q, tol=1e-10)
    assert 0 < found.negative <= -values[values < 0].sum() * (1 + 1e-12)


def test_the_same_seed_gives_the_same_bits():
    A, _ = with_spectrum(SPECTRA["power law"])
    first = block_krylov(A, Q, rng=np.random.default_rng(7))
    again = block_krylov(A, Q, rng=np.random.default_rng(7))
    other = block_krylov(A, Q, rng=np.random.default_rng(8))
    assert np.array_equal(first.vectors, again.vectors)
    assert np.array_equal(first.vectors, block_krylov(A, Q, rng=np.random.default_rng(7)).vectors)
    assert not np.array_equal(first.vectors, other.vectors)


@pytest.mark.parametrize("factor", [1e-200, 1e-30, 1e30, 1e150], ids=str)
def test_the_scale_of_the_operator_does_not_matter(factor):
    values = SPECTRA["power law"]
    A, _ = with_spectrum(values)
    found = block_krylov(Matrix(A.M * factor), Q, tol=1e-10)
    np.testing.assert_allclose(found.values, values[:Q] * factor, rtol=1e-9)


@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=str)
def test_torch(dtype):
    values = SPECTRA["gap"]
    A, _ = with_spectrum(values)
    found = block_krylov(Matrix(torch.asarray(A.M, dtype=dtype)), Q, tol=1e-10)
    assert isinstance(found.vectors, torch.Tensor) and found.vectors.dtype == dtype
    np.testing.assert_allclose(
        found.values, values[:Q], rtol=1e-9 if dtype == torch.float64 else 1e-5
    )


def test_float32_stops_at_what_single_precision_can_show():
    A, _ = with_spectrum(SPECTRA["gap"])
    found = block_krylov(Matrix(A.M.astype("f4")), Q, tol=1e-12)
    assert found.vectors.dtype == np.float32
    assert found.residuals.max() < 1e-4
    np.testing.assert_allclose(found.values, SPECTRA["gap"][:Q], rtol=1e-5)


@pytest.mark.slow
def test_a_search_ends_where_rounding_does():
    # All points look alike to this kernel: products round at 1e-7, the axes hold 1e-5.
    X = np.random.default_rng(0).standard_normal((2500, 5))
    kernel = gm.kernels.Gaussian(300.0)
    fit = gm.KernelPCA(3, kernel=kernel, tol=1e-7, solver="krylov").fit(X.astype(np.float32))
    K = np.asarray(kernel(X))
    K = K - K.mean(axis=0) - K.mean(axis=1, keepdims=True) + K.mean()
    truth = np.linalg.eigvalsh(K / len(X))[::-1][:3]
    assert np.allclose(fit.eigenvalues_, truth, rtol=1e-3)
    assert int(fit.solver_.split("(")[-1].split(" ")[0]) < 12  # 200 where nothing stops it


@pytest.mark.slow
def test_an_axis_close_behind_the_last_is_known_well_enough_to_be_tied():
    # The start holds the three axes, and the fourth, which is tied to the third, only roughly.
    values = np.r_[3.0, 2.0, 1.0, 1.0, np.linspace(0.99, 0.5, N - 4)]
    A, V = with_spectrum(values, N)
    rough = V[:, 3:4] + 3e-4 * np.random.default_rng(1).standard_normal((N, 1))
    found = block_krylov(A, 3, tol=1e-8, start=np.hstack([V[:, :3], rough]))
    assert found.beyond == pytest.approx(1.0, abs=1e-7)


def test_a_start_that_holds_many_axes_nearly_alike_is_not_lost():
    """Ten of 30 axes are wanted; a block has 20 columns, the start 40."""
    values = np.concatenate([np.linspace(1.01, 1.0, 30), np.linspace(0.04, 0.0, 470)])
    A, U = with_spectrum(values)
    noise = 1e-3 * np.random.default_rng(1).standard_normal((500, 40))
    found = block_krylov(A, 10, tol=1e-8, start=U[:, :40] + noise)
    assert found.products <= 5
    np.testing.assert_allclose(found.values, values[:10], rtol=1e-12)
