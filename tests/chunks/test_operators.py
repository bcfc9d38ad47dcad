"""Operators over blocks of rows: the matrices of the whole table, within the memory of a panel."""

from itertools import pairwise

import dask.array as da
import numpy as np
import pytest
from scipy import sparse
from tests.contracts.operator import GramContract, SymmetricContract
from tests.operators.test_gram import KERNELS, SPARSE, X, new_rows, truth

import gramian as gm
from gramian._core.chunked.dask_chunks import DaskChunks
from gramian._core.chunked.files import FileChunks
from gramian._core.chunked.operators import ChunkedGram, ChunkedRows
from gramian._core.operators.feature import CovarianceOperator
from gramian._core.operators.moments import moments
from gramian._core.pairs import Points
from gramian._core.table import table

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
    low = gram(X, "gaussian", kind).to_single()
    V = np.random.default_rng(0).standard_normal((len(X), 3)).astype(np.float32)
    assert low.matmul(V).dtype == np.float32
    np.testing.assert_allclose(low.matmul(V), K @ V, atol=1e-4)
