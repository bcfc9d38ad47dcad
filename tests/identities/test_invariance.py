"""What must not matter, and what must scale: order, units, rotations, solvers."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import gramian as gm
from gramian._core.operators import tiled

from .clouds import assert_same_axes, assert_same_fit, clouds, few, signs_between

METHODS = {
    "PCA": lambda q: gm.PCA(q),
    "PCA dense": lambda q: gm.PCA(q, solver="dense"),
    "KernelPCA": lambda q: gm.KernelPCA(q),
    "KernelPCA linear": lambda q: gm.KernelPCA(q, kernel="linear"),
    "ClassicalMDS": lambda q: gm.ClassicalMDS(q),
}
methods = pytest.mark.parametrize("method", METHODS)


@pytest.mark.slow
@methods
@few
@given(clouds(), st.integers(0, 2**32 - 1))
def test_rows_in_another_order(method, cloud, seed):
    X, new, q = cloud
    order = np.random.default_rng(seed).permutation(len(X))
    one, other = METHODS[method](q).fit(X), METHODS[method](q).fit(X[order])
    np.testing.assert_allclose(
        other.eigenvalues_, one.eigenvalues_, atol=1e-11 * one.eigenvalues_[0]
    )
    assert_same_axes(other.coordinates_, one.coordinates_[order], 1e-7, sign=1.0)
    assert_same_axes(other.transform(new), one.transform(new), 1e-6, sign=1.0)


@pytest.mark.slow
@methods
@few
@given(clouds(), st.sampled_from([1e-120, 1e-3, 7.0, 1e120]))
def test_units(method, cloud, factor):
    X, new, q = cloud
    one, other = METHODS[method](q).fit(X), METHODS[method](q).fit(X * factor)
    size = 1.0 if method == "KernelPCA" else factor  # the median scale follows the data
    ratio = np.sqrt(other.eigenvalues_ / one.eigenvalues_) / size
    np.testing.assert_allclose(ratio, 1.0, rtol=1e-9)
    np.testing.assert_allclose(other.inertia_ratio_, one.inertia_ratio_, rtol=1e-9)
    assert_same_axes(other.coordinates_ / size, one.coordinates_, 1e-8, sign=1.0)
    assert_same_axes(other.transform(new * factor) / size, one.transform(new), 1e-7, sign=1.0)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["KernelPCA", "KernelPCA linear", "ClassicalMDS"])
@few
@given(clouds(max_columns=8), st.integers(0, 2**32 - 1))
def test_rotations_and_translations(method, cloud, seed):
    X, new, q = cloud
    rng = np.random.default_rng(seed)
    R = np.linalg.qr(rng.standard_normal((X.shape[1], X.shape[1])))[0]
    move = rng.standard_normal(X.shape[1]) * np.abs(X).max()
    one, other = METHODS[method](q).fit(X), METHODS[method](q).fit(X @ R + move)
    # The signs of the linear kernel are those of PCA: of loadings, which a rotation changes.
    linear = method == "KernelPCA linear"
    sign = signs_between(other.coordinates_, one.coordinates_) if linear else 1.0
    assert_same_fit(other, one, 1e-7, sign)
    assert_same_axes(other.transform(new @ R + move), one.transform(new), 1e-6, sign=sign)


@few
@given(clouds(max_columns=8), st.integers(0, 2**32 - 1))
def test_columns_in_another_order_and_in_other_units(cloud, seed):
    X, _, q = cloud
    rng = np.random.default_rng(seed)
    order = rng.permutation(X.shape[1])
    one = gm.PCA(q, scale=True).fit(X)
    other = gm.PCA(q, scale=True).fit(X[:, order] * 10.0 ** rng.integers(-6, 6, X.shape[1]))
    np.testing.assert_allclose(
        other.eigenvalues_, one.eigenvalues_, rtol=0, atol=1e-9 * one.eigenvalues_[0]
    )
    assert one.inertia_ == pytest.approx(X.shape[1], rel=1e-10)


@pytest.mark.slow
@few
@given(clouds(max_rows=40))
def test_solvers_of_pca_agree(cloud):
    X, new, q = cloud
    expected = gm.PCA(q, solver="covariance").fit(X)
    for solver in ("auto", "dense", "krylov"):
        fitted = gm.PCA(q, solver=solver).fit(X)
        assert_same_fit(fitted, expected, 1e-8)
        assert_same_axes(fitted.components_.T, expected.components_.T, 1e-8, sign=1.0)
        assert_same_axes(fitted.transform(new), expected.transform(new), 1e-8, sign=1.0)


@pytest.mark.slow
@few
@given(clouds(max_rows=40, max_columns=8))
def test_solvers_of_kernel_pca_and_mds_agree(cloud):
    X, new, q = cloud
    for make in (
        lambda **o: gm.KernelPCA(q, tol=1e-12, **o),
        lambda **o: gm.KernelPCA(q, kernel="linear", tol=1e-12, **o),
        lambda **o: gm.ClassicalMDS(q, **o),
    ):
        dense, krylov = make(solver="dense").fit(X), make(solver="krylov").fit(X)
        assert_same_fit(krylov, dense, 1e-7)
        assert_same_axes(krylov.transform(new), dense.transform(new), 1e-6, sign=1.0)


@pytest.mark.parametrize(
    "make",
    [
        lambda: gm.KernelPCA(3, solver="krylov", tol=1e-12),
        lambda: gm.KernelPCA(3, kernel="linear", solver="krylov"),
        lambda: gm.PCA(3, solver="krylov"),
        lambda: gm.PCA(3, solver="dense"),
        lambda: gm.ClassicalMDS(3, solver="krylov"),
    ],
    ids=["KernelPCA", "KernelPCA linear", "PCA", "PCA dense", "ClassicalMDS"],
)
def test_every_solver_runs_on_torch(make):
    X = np.random.default_rng(5).standard_normal((60, 5)) * [5.0, 4.0, 3.0, 2.0, 1.0]
    fitted = make().fit(torch.asarray(X))
    assert isinstance(fitted.coordinates_, torch.Tensor)
    assert_same_fit(fitted, make().fit(X), 1e-8)


@pytest.mark.parametrize("kernel", ["gaussian", "exponential", "cosine", "sum"])
def test_stored_and_tiled_gram_agree(kernel, monkeypatch):
    """The same fit with the matrix kept, and with tiles that are made and forgotten."""
    X = np.random.default_rng(4).standard_normal((60, 3))
    if kernel == "sum":
        kernel = gm.kernels.Gaussian(1.0) + gm.kernels.Exponential(2.0)
    stored = gm.KernelPCA(3, kernel=kernel, tol=1e-12).fit(X)
    monkeypatch.setattr(tiled, "tile_rows", lambda n, like: 16)
    monkeypatch.setattr("gramian._core.embedding.pipeline.MAX_STORED_ROWS", 10)
    by_tiles = gm.KernelPCA(3, kernel=kernel, solver="krylov", tol=1e-12).fit(X)
    assert_same_fit(by_tiles, stored, 1e-8)


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.3, 0.6, 0.9, 0.99])
@few
@given(clouds(max_columns=8))
def test_a_share_of_the_inertia_is_reached_and_by_no_axis_more(share, cloud):
    X, *_ = cloud
    for make in (gm.PCA, gm.KernelPCA, gm.ClassicalMDS):
        fitted = make(share).fit(X)
        reached = np.cumsum(fitted.inertia_ratio_)
        assert reached[-1] >= share - 1e-9
        assert len(reached) == 1 or reached[-2] < share


@pytest.mark.slow
@few
@given(clouds())
def test_fewer_axes_are_the_first_of_more(cloud):
    X, _, q = cloud
    for make in (gm.PCA, gm.KernelPCA, gm.ClassicalMDS):
        more, fewer = make(q).fit(X), make(1).fit(X)
        np.testing.assert_allclose(fewer.eigenvalues_, more.eigenvalues_[:1], rtol=1e-10)
        assert_same_axes(fewer.coordinates_, more.coordinates_[:, :1], 1e-8, sign=1.0)
        assert fewer.inertia_ == pytest.approx(more.inertia_, rel=1e-12)
