"""Features that are taken from the rows block by block, near the origin and far from it."""

import tracemalloc

import numpy as np
import pytest

import gramian as gm
from gramian._core.operators import rows
from gramian._core.operators.feature import CovarianceOperator
from gramian._core.operators.moments import moments

SHAPES = {"wide": (200, 6_000), "long": (4_000, 1_100)}


def table(shape, offset=0.0):
    """Whole numbers, so that an offset changes nothing but the offset."""
    rng = np.random.default_rng(0)
    scale = 1.0 / np.arange(1, shape[1] + 1) ** 0.5
    return np.round(1000.0 * scale * rng.standard_normal(shape)) + offset


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_a_table_near_the_origin_is_not_copied(shape):
    X = table(shape)
    gm.PCA(3).fit(X)  # whatever is imported late
    tracemalloc.start()
    gm.PCA(3).fit(X)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < X.nbytes / 2


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES.values(), ids=SHAPES)
def test_an_offset_changes_nothing(shape):
    near, far = (gm.PCA(3).fit(table(shape, offset)) for offset in (0.0, 1e9))
    np.testing.assert_allclose(far.eigenvalues_, near.eigenvalues_, rtol=1e-12)
    np.testing.assert_allclose(far.components_, near.components_, atol=1e-10)
    Z = table(shape) - table(shape).mean(axis=0)
    s = np.linalg.svd(Z, compute_uv=False)[:3]
    np.testing.assert_allclose(near.eigenvalues_, s**2 / shape[0], rtol=1e-12)


@pytest.mark.parametrize("offset", [0.0, 1e9], ids=["near", "far"])
@pytest.mark.parametrize("side", ["primal", "dual"])
@pytest.mark.parametrize("weighted", [False, True], ids=["equal", "weights"])
def test_products_are_those_of_the_matrix(side, offset, weighted):
    X = table((30, 70), offset)
    p = np.arange(1.0, 31.0) / 465.0 if weighted else None
    w = np.full(30, 1.0 / 30) if p is None else p
    factor = np.linspace(1.0, 2.0, 70)
    F = (table((30, 70)) - w @ table((30, 70))) * factor * np.sqrt(w)[:, None]
    M = F.T @ F if side == "primal" else F @ F.T
    A = CovarianceOperator(X, moments(X, p, cross=False), factor, p, side)
    V = np.random.default_rng(1).standard_normal((A.n, 4))
    largest = np.abs(M).max()
    np.testing.assert_allclose(A.dense(), M, atol=1e-12 * largest)
    assert A.trace() == pytest.approx(np.trace(M), rel=1e-12)
    W = np.random.default_rng(2).standard_normal((30, 4))
    np.testing.assert_allclose(A.rmatmul(W), F.T @ W, atol=1e-12 * largest)
    np.testing.assert_allclose(A.matmul(V), M @ V, atol=1e-11 * largest)
    np.testing.assert_allclose(A.rmatmul(W), F.T @ W, atol=1e-12 * largest)


@pytest.mark.parametrize("offset", [0.0, 4.0], ids=["centred", "offset"])
@pytest.mark.parametrize("decay", [0.5, 0.0], ids=["power law", "flat"])
def test_a_search_in_single_precision_ends_in_double(monkeypatch, decay, offset):
    monkeypatch.setattr(rows, "MIN_SINGLE_ENTRIES", 1)
    rng = np.random.default_rng(3)
    X = (rng.standard_normal((1_300, 1_100)) + offset) * np.arange(1, 1_101) ** -decay
    weight = rng.uniform(0.5, 2.0, len(X))
    fit = gm.PCA(2).fit(X, sample_weight=weight)
    p = weight / weight.sum()
    Z = (X - p @ X) * np.sqrt(p)[:, None]
    _, d, Vt = np.linalg.svd(Z, full_matrices=False)
    assert "single precision" in fit.solver_
    assert fit.certificate_.complete
    assert fit.certificate_.level >= d[2] ** 2
    np.testing.assert_allclose(fit.eigenvalues_, d[:2] ** 2, rtol=1e-11)
    overlap = np.abs((fit.components_ * Vt[:2]).sum(axis=1))
    np.testing.assert_allclose(overlap, 1.0, atol=1e-11)
    # The residual that is reported is that of the covariance matrix, in double precision.
    C = Z.T @ Z
    truth = np.linalg.norm(C @ fit.components_.T - fit.components_.T * fit.eigenvalues_, axis=0)
    assert (truth <= fit.residuals_ + 1e-13 * d[0] ** 2).all()


def test_there_is_no_copy_beyond_the_budget_or_the_range(monkeypatch):
    monkeypatch.setattr(rows, "MIN_SINGLE_ENTRIES", 1)

    def low(X, budget):
        m = moments(X, None, cross=False)
        return CovarianceOperator(X, m, np.ones(X.shape[1]), None, "primal", budget).to_single()

    X = table((60, 40))
    assert low(X, 4 * X.size - 1) is None
    assert low(X * 2.0**60, 1e9) is None  # squares would overflow
    single = low(X, 4 * X.size)
    M = np.cov(X.T, bias=True)
    V = np.random.default_rng(1).standard_normal((40, 3)).astype(np.float32)
    image = single.matmul(V)
    assert image.dtype == np.float32
    error = np.linalg.norm(image - M @ V, axis=0) / np.linalg.norm(V, axis=0)
    assert (error <= single.null_level(np.linalg.eigvalsh(M)[-1])).all()
