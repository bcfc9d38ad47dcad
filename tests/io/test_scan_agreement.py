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
    "tall": (spread(3000, 6), even, False),
    "wide": (spread(60, 300), even, False),
    "ragged": (spread(1500, 8), ragged, False),
    "sparse": (thinned(spread(1500, 5)), "sparse", False),
    "single": (spread(1500, 8).astype(np.float32) + np.float32(3.0), even, False),
    "weighted": (spread(1500, 8), even, True),
    "weighted single": (spread(1500, 8).astype(np.float32), ragged, True),
    "far": (spread(1500, 8, offset=1e8), even, False),
    "far and weighted": (spread(1500, 8, offset=1e8), ragged, True),
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
