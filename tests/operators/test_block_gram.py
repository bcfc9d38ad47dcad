"""Operators over blocks of rows: the matrices of the whole table, within the memory of a panel."""

import tracemalloc
from itertools import pairwise

import numpy as np
import pytest
from scipy import sparse
from tests.contracts.operator import GramContract, SymmetricContract

import gramian as gm
from gramian._pairs import Points
from gramian.operators.block_covariance import BlockCovariance
from gramian.operators.block_gram import BlockGram
from gramian.operators.moments import moments
from gramian.spectral.choose import krylov_bytes

from .test_gram import KERNELS, SPARSE, X, new_rows, truth

CUTS = [0, 1, 9, 10, 23, 10**6]


def cut(rows):
    parts = [rows[a:b] for a, b in pairwise(CUTS)]
    return [part for part in parts if part.shape[0]]


def gram(rows, name, panel, **options):
    origin = Points(rows[:20])
    return BlockGram(KERNELS[name][0], origin, lambda: iter(cut(rows)), len(X), panel, **options)


@pytest.mark.parametrize("panel", [7, 16, 10**6])
@pytest.mark.parametrize("name", ["gaussian", "sum", "linear", "polynomial", "laplacian"])
class TestBlockGram(GramContract):
    @pytest.fixture
    def case(self, name, panel):
        return gram(X, name, panel), truth(name)

    @pytest.fixture
    def beside(self, name):
        return new_rows(name)


@pytest.mark.parametrize("name", ["gaussian", "linear"])
class TestBlockGramOfSparseRows(GramContract):
    @pytest.fixture
    def case(self, name):
        return gram(sparse.csr_array(SPARSE), name, 10), truth(name, "sparse")

    @pytest.fixture
    def beside(self, name):
        return new_rows(name, sparse.csr_array, SPARSE)


class TestBlockCovariance(SymmetricContract):
    @pytest.fixture
    def case(self):
        rows = X + 5.0
        p = np.random.default_rng(3).random(len(rows))
        p /= p.sum()
        shares = cut(p)
        factor = np.linspace(0.5, 2.0, rows.shape[1])
        A = BlockCovariance(lambda: zip(cut(rows), shares, strict=True), moments(rows, p), factor)
        F = (rows - p @ rows) * factor
        return A, F.T @ (p[:, None] * F)


def test_single_precision_is_near():
    K = truth("gaussian")
    low = gram(X, "gaussian", 7).lowered()
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
