"""Blocks from disk and the table in memory: the same eigenvalues and coordinates, to 1e-10."""

import numpy as np
import pytest
from scipy import sparse

import gramian as gm

from .test_scan_arrays import annotated


def spread(n, p, seed=0, offset=0.0):
    """Return rows with a decaying spectrum, so that axes are determined."""
    rng = np.random.default_rng(seed)
    return rng.standard_normal((n, p)) * np.geomspace(10.0, 0.5, p) + offset


def even(X):
    return list(np.array_split(X, 7))


def ragged(X):
    return [X[:1], X[1:2], X[2:900], X[900:907], X[907:]]


def cells(X, folder):
    return annotated(sparse.csr_array)(folder, X)


def thinned(X):
    return np.where(np.random.default_rng(1).random(X.shape) < 0.3, X, 0.0)


# Rows, how they are cut, whether they have weights.
CASES = {
    "tall": (spread(2100, 6), even, False),
    "wide": (spread(60, 300), even, False),
    "ragged": (spread(1000, 8), ragged, False),
    "sparse": (thinned(spread(1000, 5)), "sparse", False),
    "single": (spread(1000, 8).astype(np.float32) + np.float32(3.0), even, False),
    "weighted": (spread(1000, 8), even, True),
    "weighted single": (spread(1000, 8).astype(np.float32), ragged, True),
    "far": (spread(1000, 8, offset=1e8), even, False),
    "far and weighted": (spread(1000, 8, offset=1e8), ragged, True),
}


def case(name, folder, memory="100kB"):
    X, cut, weighted = CASES[name]
    w = np.random.default_rng(2).integers(1, 5, len(X)).astype(float) if weighted else None
    source = cells(X, folder) if cut == "sparse" else cut(X)
    return X, w, gm.io.scan(source, memory=memory)


def agree(fit, scan, whole):
    top = whole.eigenvalues_[0]
    np.testing.assert_allclose(fit.eigenvalues_, whole.eigenvalues_, atol=1e-10 * top)
    np.testing.assert_allclose(fit.inertia_, whole.inertia_, rtol=1e-10)
    np.testing.assert_allclose(fit.eigenvalues_[:2], whole.eigenvalues_[:2], rtol=1e-10)
    Z, C = np.asarray(fit.transform(scan).collect()), np.asarray(whole.coordinates_)
    assert Z.dtype == C.dtype
    digits = 1e-10 if Z.dtype == np.float64 else 2e-6  # coordinates are in the rows' precision
    np.testing.assert_allclose(Z, C, atol=digits * np.abs(C).max())


@pytest.mark.parametrize("solver", ["auto", "krylov"])
@pytest.mark.parametrize("name", CASES)
def test_pca(name, solver, tmp_path):
    X, w, scan = case(name, tmp_path, "100kB" if solver == "krylov" else "10MB")
    for scale in (False, True):
        fit = gm.PCA(3, scale=scale, solver=solver).fit(scan, sample_weight=w)
        assert fit.solver_.startswith("krylov" if solver == "krylov" else "covariance")
        whole = gm.PCA(3, scale=scale).fit(sparse.csr_array(X) if name == "sparse" else X, None, w)
        agree(fit, scan, whole)


def test_rows_without_a_weight_have_no_part():
    X = spread(500, 4)
    w = np.ones(500)
    w[200:420] = 0.0  # whole blocks of them
    fit = gm.PCA(2).fit(gm.io.scan(even(X)), sample_weight=w)
    whole = gm.PCA(2).fit(X[w > 0])
    np.testing.assert_allclose(fit.eigenvalues_, whole.eigenvalues_, rtol=1e-12)
    np.testing.assert_allclose(fit.explained_variance_, whole.explained_variance_, rtol=1e-12)


def test_wide_rows_go_by_products_where_the_matrix_has_no_room():
    X = spread(400, 200)
    scan = gm.io.scan(even(X), memory="1MB")  # 200 × 200 takes 1.28 MB to decompose
    fit = gm.PCA(3).fit(scan)
    assert "one pass a product" in fit.solver_
    agree(fit, scan, gm.PCA(3).fit(X))
    assert "one pass" not in gm.PCA(3).fit(gm.io.scan(even(X), memory="2MB")).solver_


KERNELS = {
    "gaussian": "gaussian",
    "matern": gm.kernels.Matern(nu=1.5),
    "polynomial": gm.kernels.Polynomial(degree=2, scale="columns"),
    "linear": "linear",
    "laplacian": gm.kernels.Laplacian(),
}


@pytest.mark.parametrize("name", CASES)
def test_exact_kernel_pca(name, tmp_path):
    X, w, scan = case(name, tmp_path, memory="40kB")
    fit = gm.KernelPCA(3, tol=1e-11).fit(scan, sample_weight=w)
    whole = gm.KernelPCA(3, tol=1e-11).fit(sparse.csr_array(X) if name == "sparse" else X, None, w)
    rounding = 1e-10 if X.dtype == np.float64 else 1e-6
    assert abs(fit.kernel_.scale / whole.kernel_.scale - 1.0) < rounding
    np.testing.assert_allclose(fit.eigenvalues_, whole.eigenvalues_, rtol=rounding)
    np.testing.assert_allclose(fit.inertia_, whole.inertia_, rtol=rounding)
    C = whole.coordinates_
    digits = (1e-10 if X.dtype == np.float64 else 1e-5) * np.abs(C).max()
    np.testing.assert_allclose(fit.coordinates_, C, atol=digits)
    np.testing.assert_allclose(fit.transform(X[:40]), C[:40], atol=digits)
    assert fit.certificate_.missed_probability <= 1e-6


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("options", [{}, {"scale": True}, {"formulation": "span"}])
def test_exact_kernel_pca_of_kernels(kernel, options):
    X = spread(700, 5, offset=2.0)
    scan = gm.io.scan([*ragged(X[:500]), X[500:]], memory="20kB")
    fit = gm.KernelPCA(3, kernel=KERNELS[kernel], tol=1e-11, **options).fit(scan)
    whole = gm.KernelPCA(3, kernel=KERNELS[kernel], tol=1e-11, **options).fit(X)
    np.testing.assert_allclose(fit.eigenvalues_, whole.eigenvalues_, rtol=1e-10)
    C = whole.coordinates_
    Z = fit.transform(scan).collect()
    np.testing.assert_allclose(Z, C, atol=1e-10 * np.abs(C).max())


def test_the_scale_is_that_of_the_same_rows_of_a_long_table():
    X = spread(4200, 3)
    scan = gm.io.scan(even(X), memory="300kB")
    fit, whole = gm.KernelPCA(2).fit(scan), gm.KernelPCA(2).fit(X)
    assert abs(fit.kernel_.scale / whole.kernel_.scale - 1.0) < 1e-13
    np.testing.assert_allclose(fit.eigenvalues_, whole.eigenvalues_, rtol=1e-10)
    np.testing.assert_allclose(fit.coordinates_, whole.coordinates_, atol=1e-8)


def test_rows_that_fit_the_memory_are_read_once():
    X = spread(300, 4)
    passes = []

    def blocks():
        passes.append(1)
        return iter(even(X))

    fit = gm.KernelPCA(2).fit(gm.io.scan(blocks))
    assert len(passes) <= 4 and fit.training_.kind == "table"
    np.testing.assert_array_equal(fit.eigenvalues_, gm.KernelPCA(2).fit(X).eigenvalues_)


@pytest.mark.parametrize("weighted", [False, True])
def test_nystrom_with_the_same_landmarks(weighted):
    X = spread(3000, 4)
    w = np.random.default_rng(1).integers(1, 4, len(X)).astype(float) if weighted else None
    scan = gm.io.scan(ragged(X))
    rows = np.arange(5, 3000, 50)
    for landmarks in (rows, X[rows]):
        how = gm.Nystrom(60, landmarks=landmarks)
        kernel = gm.kernels.Gaussian(10.0)
        fit = gm.KernelPCA(3, kernel=kernel, approximation=how).fit(scan, sample_weight=w)
        whole = gm.KernelPCA(3, kernel=kernel, approximation=how).fit(X, None, w)
        np.testing.assert_allclose(fit.eigenvalues_, whole.eigenvalues_, rtol=1e-9)
        np.testing.assert_allclose(fit.approximation_error_, whole.approximation_error_, rtol=1e-8)
    small = gm.io.scan(even(X[:800]))  # all of it is the sample
    v = None if w is None else w[:800]
    fit = gm.KernelPCA(3, approximation=gm.Nystrom(50)).fit(small, sample_weight=v)
    whole = gm.KernelPCA(3, approximation=gm.Nystrom(50)).fit(X[:800], None, v)
    np.testing.assert_allclose(fit.eigenvalues_, whole.eigenvalues_, rtol=1e-10)


def test_readings_of_an_exact_fit_on_blocks(tmp_path):
    X = spread(600, 4)
    fit = gm.KernelPCA(2).fit(gm.io.scan(even(X), memory="20kB"))
    whole = gm.KernelPCA(2).fit(X)
    got, table = fit.individuals(), whole.individuals()
    for measure in ("cos2", "contribution"):
        np.testing.assert_allclose(got[measure], table[measure], atol=1e-9)
    assert "600" in str(fit.summary())
    with pytest.raises(gm.errors.InputError, match="blocks"):
        gm.save(fit, tmp_path / "fit.gramian")
