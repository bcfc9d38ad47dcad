"""Operators over blocks of rows: the matrices of the whole table, within the memory of a panel."""

import tracemalloc
from itertools import pairwise

import dask.array as da
import numpy as np
import pytest
from scipy import sparse
from tests.contracts.operator import GramContract, SymmetricContract
from tests.operators.test_gram import KERNELS, SPARSE, X, new_rows, truth

import gramian as gm
from gramian._pairs import Points
from gramian._validate import table
from gramian.chunked.dask import DaskChunks
from gramian.chunked.files import FileChunks
from gramian.chunked.gram import ChunkedGram, ChunkedRows
from gramian.operators.feature import CovarianceOperator
from gramian.operators.moments import moments
from gramian.spectral.choose import krylov_bytes

CUTS = [0, 1, 9, 10, 23, 10**6]


def cut(rows):
    parts = [rows[a:b] for a, b in pairwise(CUTS)]
    return [part for part in parts if part.shape[0]]


def files(rows, panel=7, weights=None):
    chunks = FileChunks(gm.io.scan(cut(rows)), read, weights)
    chunks.panel = panel
    return chunks


def of_dask(rows, panel=7, weights=None):
    cuts = [a.shape[0] for a in cut(rows)]
    D = da.from_array(rows, chunks=(cuts, rows.shape[1]))
    return DaskChunks.of(D, read, weights)


def read(block):
    return table(block, "X", min_rows=0)


KINDS = {"panels of 7": files, "panels of 16": lambda X: files(X, 16), "dask": of_dask}
KINDS["one panel"] = lambda X: files(X, 10**6)


def gram(rows, name, kind):
    return ChunkedGram(KERNELS[name][0], KINDS[kind](rows), Points(rows[:20]))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ["gaussian", "sum", "linear", "polynomial", "laplacian"])
class TestChunkedGram(GramContract):
    @pytest.fixture
    def case(self, name, kind):
        return gram(X, name, kind), truth(name)

    @pytest.fixture
    def beside(self, name):
        return new_rows(name)


@pytest.mark.parametrize("name", ["gaussian", "linear"])
class TestChunkedGramOfSparseRows(GramContract):
    @pytest.fixture
    def case(self, name):
        return gram(sparse.csr_array(SPARSE), name, "panels of 7"), truth(name, "sparse")

    @pytest.fixture
    def beside(self, name):
        return new_rows(name, sparse.csr_array, SPARSE)


@pytest.mark.parametrize("side", ["primal", "dual"])
@pytest.mark.parametrize("kind", [files, of_dask])
class TestCovariance(SymmetricContract):
    @pytest.fixture
    def case(self, kind, side):
        rows = X + 5.0
        w = np.random.default_rng(3).random(len(rows))
        factor, m = np.linspace(0.5, 2.0, rows.shape[1]), moments(rows, w)
        A = CovarianceOperator(ChunkedRows(kind(rows, weights=w), m, factor), m, factor, None, side)
        p = w / w.sum()
        F = np.sqrt(p)[:, None] * (rows - p @ rows) * factor
        return A, F.T @ F if side == "primal" else F @ F.T


@pytest.mark.parametrize("kind", ["panels of 7", "dask"])
def test_single_precision_is_near(kind):
    K = truth("gaussian")
    low = gram(X, "gaussian", kind).lowered()
    V = np.random.default_rng(0).standard_normal((len(X), 3)).astype(np.float32)
    assert low.matmul(V).dtype == np.float32
    np.testing.assert_allclose(low.matmul(V), K @ V, atol=1e-4)


def peak_of(work):
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


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


def test_the_memory_of_pairs_is_kept(tmp_path):
    """The table is 20 MB; 2000 rows of it, which a scale would be found on, are 16 MB."""
    wide = np.random.default_rng(0).standard_normal((2500, 1000)) * 0.5 ** np.arange(1000.0)
    np.save(tmp_path / "wide.npy", wide)
    rows = gm.io.scan(tmp_path / "wide.npy", memory="12MB")
    exact = gm.KernelPCA(1, kernel=gm.kernels.Gaussian(5.0), tol=1e-3, care=None)
    exact.fit(rows)  # what is imported and made once
    assert peak_of(lambda: exact.fit(rows)) < 12e6 + 16e6 + krylov_bytes(2500, 1, 20)
