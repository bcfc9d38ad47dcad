"""A first guess by one column at a time: it holds the axes, and what it cannot see is found."""

import numpy as np
import pytest
import torch

import gramian as gm
from gramian._core.spectral.krylov import lanczos_subspace


def centred(n, values, seed=0):
    """n times a centred matrix with these eigenvalues, and its eigenvectors."""
    rng = np.random.default_rng(seed)
    Q = np.linalg.qr(np.c_[np.ones(n), rng.standard_normal((n, n - 1))])[0][:, 1:]
    full = np.zeros(n - 1)
    full[: len(values)] = values
    return (Q * full) @ Q.T * n, Q


def test_the_guess_holds_the_leading_axes():
    values = 0.7 ** np.arange(40)
    G, Q = centred(120, values)
    V = lanczos_subspace(lambda w: G @ w / 120, 120, 4, 9, 1e-11, np.random.default_rng(1), 60)
    np.testing.assert_allclose(V.T @ V, np.eye(9), atol=1e-8)
    np.testing.assert_allclose(np.linalg.norm(V.T @ Q[:, :4], axis=0), 1.0, atol=1e-12)


def test_no_guess_where_it_takes_too_long():
    values = 1.0 - 3e-3 * np.arange(300)
    G, Q = centred(301, values)
    product = lambda w: G @ w / 301  # noqa: E731
    assert lanczos_subspace(product, 301, 3, 7, 1e-10, np.random.default_rng(1), 60) is None
    V = lanczos_subspace(product, 301, 3, 7, 1e-10, np.random.default_rng(1), 3_000)  # restarts
    np.testing.assert_allclose(np.linalg.norm(V.T @ Q[:, :3], axis=0), 1.0, atol=1e-10)


@pytest.mark.slow
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32], ids=str)
def test_columns_of_another_library(dtype):
    values = 1.0 - 3e-3 * np.arange(300)
    G, Q = centred(301, values)
    there = torch.asarray(G / 301, dtype=dtype)
    rng = np.random.default_rng(1)
    V = lanczos_subspace(lambda w: there @ w, 301, 3, 7, 1e-12, rng, 3_000, there)
    assert V.dtype == dtype
    limit = 1e-10 if dtype == torch.float64 else 1e-5
    lengths = np.linalg.norm(V.double().numpy().T @ Q[:, :3], axis=0)
    np.testing.assert_allclose(lengths, 1.0, atol=limit)


@pytest.mark.slow
def test_a_table_on_an_accelerator_is_searched_by_columns(monkeypatch):
    """As it would be there: the rows are on the processor."""
    X = torch.asarray(np.random.default_rng(5).standard_normal((1_300, 1_200)))
    monkeypatch.setattr("gramian._core.operators.feature.is_accelerated", lambda a: True)
    fit = gm.PCA(4).fit(X)
    assert "after those of one column" in fit.solver_
    Y = X.numpy() - X.numpy().mean(axis=0)
    truth = np.linalg.svd(Y, compute_uv=False)[:4] ** 2 / 1_300
    np.testing.assert_allclose(fit.eigenvalues_, truth, rtol=1e-11)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::gramian.errors.TiedAxesWarning")
@pytest.mark.parametrize("q", [2, 3, 5])
def test_axes_of_equal_eigenvalues_are_found(q):
    """Points on a grid: λ₁ = λ₂, of which one column sees one."""
    grid = np.stack(np.meshgrid(np.arange(21.0), np.arange(21.0)), -1).reshape(-1, 2)
    fit = gm.KernelPCA(q, kernel=gm.kernels.Gaussian(3.0)).fit(grid)
    K = np.exp(-((grid[:, None] - grid[None]) ** 2).sum(axis=2) / 18)
    K = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
    values = np.linalg.eigvalsh(K / len(grid))[::-1]
    assert fit.solver_.startswith("krylov")
    np.testing.assert_allclose(fit.eigenvalues_, values[:q], rtol=1e-10)
    assert (1, 2) in fit.tied_axes_


@pytest.mark.filterwarnings("ignore::gramian.errors.TiedAxesWarning")
def test_a_matrix_of_equal_eigenvalues_decomposed_for_a_few():
    """LAPACK's quick driver returns none of them."""
    X = np.random.default_rng(0).standard_normal((300, 50))
    fit = gm.KernelPCA(3, kernel=gm.kernels.Gaussian(0.01)).fit(X)
    np.testing.assert_allclose(fit.eigenvalues_, 1 / 300, rtol=1e-12)


@pytest.mark.parametrize("weighted", [False, True])
def test_the_axes_are_those_of_a_full_decomposition(weighted):
    rng = np.random.default_rng(4)
    X, p = rng.standard_normal((450, 6)), rng.random(450) if weighted else None
    k = gm.kernels.Gaussian(3.0)
    one = gm.KernelPCA(4, kernel=k).fit(X, sample_weight=p)
    whole = gm.KernelPCA(4, kernel=k, solver="dense").fit(X, sample_weight=p)
    assert one.solver_.endswith("(1 product after those of one column)")
    np.testing.assert_allclose(one.eigenvalues_, whole.eigenvalues_, rtol=1e-13)
    np.testing.assert_allclose(one.coordinates_, whole.coordinates_, atol=1e-7)
