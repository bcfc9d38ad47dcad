"""What only files have: a memory that decides how rows are read, and readings of exact fits."""

import tracemalloc

import numpy as np
import pytest
from tests.chunks.cases import agree, spread

import gramian as gm
from gramian._core.spectral.solve import krylov_bytes


def even(X):
    return list(np.array_split(X, 7))


@pytest.mark.slow
def test_wide_rows_go_by_products_where_the_matrix_has_no_room():
    X = spread(400, 200)
    scan = gm.io.scan(even(X), memory="1MB")  # 200 × 200 takes 1.28 MB to decompose
    fit = gm.PCA(3).fit(scan)
    assert "one pass a product" in fit.solver_
    agree(fit, scan, gm.PCA(3).fit(X))
    assert "one pass" not in gm.PCA(3).fit(gm.io.scan(even(X), memory="2MB")).solver_


@pytest.mark.slow
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


@pytest.mark.slow
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


def peak_of(work):
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.slow
def test_the_memory_is_kept(tmp_path):
    """The table is 24 MB: a fit takes the memory of its scan, and what its axes take."""
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((30_000, 100)) * np.geomspace(9.0, 1.0, 100)
    np.save(tmp_path / "rows.npy", rows)
    scan = gm.io.scan(tmp_path / "rows.npy", memory="6MB")
    gm.PCA(2).fit(scan)  # what is imported and made once
    assert peak_of(lambda: gm.PCA(2).fit(scan)) < 6e6
    fit = gm.PCA(2).fit(scan)
    places = tmp_path / "map.npy"
    assert peak_of(lambda: fit.transform(scan).write(places)) < 6e6


@pytest.mark.slow
def test_the_memory_of_pairs_is_kept(tmp_path):
    """The table is 20 MB; 2000 rows of it, which a scale would be found on, are 16 MB."""
    wide = np.random.default_rng(0).standard_normal((2500, 1000)) * 0.5 ** np.arange(1000.0)
    np.save(tmp_path / "wide.npy", wide)
    rows = gm.io.scan(tmp_path / "wide.npy", memory="12MB")
    exact = gm.KernelPCA(1, kernel=gm.kernels.Gaussian(5.0), tol=1e-3, care=None)
    exact.fit(gm.io.scan(even(wide[:210]), memory="1MB"))  # what is imported and made once
    assert peak_of(lambda: exact.fit(rows)) < 12e6 + 16e6 + krylov_bytes(2500, 1) + 20 * 20_000
