"""Gram operators: dense and in tiles, over kernels, tile sizes and kinds of points."""

import time
from functools import cache

import array_api_strict
import numpy as np
import pytest
import torch
from scipy import sparse
from tests import naive
from tests.contracts.kernel import cloud
from tests.contracts.operator import GramContract

from gramian._core import parallel
from gramian._core.array import to_numpy
from gramian._core.operators import tiled
from gramian._core.operators.gram import DenseGram
from gramian._core.operators.tiled import TiledGram, cross_matmul
from gramian._core.pairs import Points
from gramian.kernels import (
    Callback,
    Columns,
    Constant,
    Cosine,
    Exponential,
    FromDistance,
    Gaussian,
    Laplacian,
    Linear,
    Matern,
    Polynomial,
)
from gramian.kernels.radial import SquaredDistance

pytestmark = pytest.mark.slow


X = cloud(23, 3)
Y = cloud(9, 3, seed=2)
SPARSE = np.where(cloud(23, 3, seed=4) > 0, X, 0.0)
gaussian, exponential = naive.gaussian(1.2), naive.exponential(0.8)

KERNELS = {
    "gaussian": (Gaussian(1.2), gaussian),
    "exponential": (Exponential(0.8), exponential),
    "linear": (Linear(), naive.linear()),
    "polynomial": (Polynomial(2, 1.0), naive.polynomial(2, 1.0, 1.0)),
    "cosine": (Cosine(), naive.cosine()),
    "laplacian": (Laplacian(1.2), naive.laplacian(1.2)),
    "squared": (SquaredDistance(1.0), lambda x, y: -0.5 * naive.squared_distance(x, y)),
    # Two distances in one tile: neither may be written over the other.
    "sum": (Gaussian(1.2) + Exponential(0.8), lambda x, y: gaussian(x, y) + exponential(x, y)),
    "product": (
        Gaussian(1.2) * Matern(nu=0.5, scale=0.8),
        lambda x, y: gaussian(x, y) * exponential(x, y),
    ),
    "columns": (
        Columns(Gaussian(1.2), [0]) + Columns(Gaussian(1.2), [1, 2]),
        lambda x, y: gaussian(x[:1], y[:1]) + gaussian(x[1:], y[1:]),
    ),
    "normalized": (
        (Linear() + 1).normalized(),
        lambda x, y: naive.cosine()([*x, 1.0], [*y, 1.0]),
    ),
    "callback": (Callback(lambda X, Y: X @ Y.T), naive.linear()),
}
kernels = pytest.mark.parametrize("name", KERNELS)


@pytest.fixture
def small_tiles(monkeypatch):
    """Six tiles a side, the last one smaller."""
    monkeypatch.setattr(tiled, "tile_rows", lambda n, like: 4)


@cache
def truth(name, kind="dense"):
    return naive.pairwise(KERNELS[name][1], X if kind == "dense" else SPARSE)


def new_rows(name, kind=np.asarray, training=X):
    """Rows of a kind, and what the twins say of them beside the training rows."""
    twin = KERNELS[name][1]
    return kind(Y), naive.pairwise(twin, Y, training), [twin(y, y) for y in Y]


@kernels
class TestTiledGram(GramContract):
    @pytest.fixture
    def case(self, name, small_tiles):
        return TiledGram(KERNELS[name][0], Points(X)), truth(name)

    @pytest.fixture
    def beside(self, name):
        return new_rows(name)


@pytest.fixture
def compiled(monkeypatch):
    """One compiled loop for as few points as here, in six tiles a side, the last one smaller."""
    monkeypatch.setattr(tiled, "MIN_COMPILED_POINTS", 1)
    monkeypatch.setattr(tiled, "CACHE_TILE_ROWS", {4: 4, 8: 4})


@pytest.mark.usefixtures("compiled")
class TestTiledGramOfOneLoop(GramContract):
    @pytest.fixture
    def case(self):
        gram = TiledGram(Gaussian(1.2), Points(X))
        assert gram._is_compiled
        return gram, truth("gaussian")

    @pytest.fixture
    def beside(self):
        return new_rows("gaussian")


@pytest.mark.parametrize("columns", [1, 5])
@pytest.mark.parametrize("kind", ["f4", "f8"])
def test_one_loop_gives_the_numbers_of_tiles(compiled, monkeypatch, kind, columns):
    rows, V = cloud(70, 9).astype(kind), cloud(70, columns, seed=5).astype(kind)
    image = TiledGram(Gaussian(2.0), Points(rows)).matmul(V)
    monkeypatch.setattr(tiled, "MIN_COMPILED_POINTS", 1_000)
    tiles = TiledGram(Gaussian(2.0), Points(rows)).matmul(V)
    assert image.dtype == V.dtype
    np.testing.assert_allclose(image, tiles, rtol=1e-12 if kind == "f8" else 1e-4, atol=1e-5)


def test_one_loop_is_for_distances_that_need_no_mending(compiled):
    """Two bunches far apart: expanded, distances within a bunch would have no digit."""
    rows = np.r_[X, X + 1e9]
    gram = TiledGram(Gaussian(1.2), Points(rows))
    assert not gram._is_compiled
    K = naive.pairwise(gaussian, X)
    V = cloud(len(rows), 2, seed=5)
    np.testing.assert_allclose(gram.matmul(V)[: len(X)], K @ V[: len(X)], rtol=1e-6)
    assert not TiledGram(Exponential(1.2), Points(X))._is_compiled


@pytest.mark.parametrize("name", [name for name in KERNELS if KERNELS[name][0].takes_sparse])
@pytest.mark.filterwarnings("ignore:X has 3 row")  # of zeros, which have no cosine
class TestTiledGramOfSparseRows(GramContract):
    @pytest.fixture
    def case(self, name, small_tiles):
        points = Points(sparse.csr_array(SPARSE))
        return TiledGram(KERNELS[name][0], points), truth(name, "sparse")

    @pytest.fixture
    def beside(self, name):
        return new_rows(name, sparse.csr_array, SPARSE)


@pytest.mark.parametrize("library", [torch, array_api_strict], ids=["torch", "strict"])
@pytest.mark.parametrize("name", ["gaussian", "sum", "columns", "linear", "polynomial"])
class TestTiledGramOfOtherLibraries(GramContract):
    @pytest.fixture
    def case(self, name, library, small_tiles):
        return TiledGram(KERNELS[name][0], Points(library.asarray(X))), truth(name)

    @pytest.fixture
    def beside(self, name, library):
        return new_rows(name, library.asarray)


class TestTiledGramOfObjects(GramContract):
    @pytest.fixture
    def case(self, small_tiles):
        gram = TiledGram(FromDistance(apart, scale=1.2), Points(WORDS))
        return gram, naive.pairwise(gaussian, lengths(WORDS))

    @pytest.fixture
    def beside(self):
        new = ["k", "kkkk"]
        return new, naive.pairwise(gaussian, lengths(new), lengths(WORDS)), [1.0, 1.0]


WORDS = ["k" * (1 + (5 * i) % 11) for i in range(23)]


def lengths(words):
    return np.array([[float(len(word))] for word in words])


def apart(A, B):
    return np.abs(lengths(A) - lengths(B).T)


@pytest.mark.parametrize("library", [np, torch, array_api_strict], ids=["numpy", "torch", "strict"])
class TestDenseGram(GramContract):
    @pytest.fixture
    def case(self, library):
        K = naive.pairwise(gaussian, X)
        return DenseGram(library.asarray(K)), K


@pytest.mark.parametrize("size", [1, 7, 22, 23, 24, 512])
def test_the_size_of_the_tiles_does_not_matter(size, monkeypatch):
    monkeypatch.setattr(tiled, "tile_rows", lambda n, like: size)
    gram, V = TiledGram(KERNELS["sum"][0], Points(X)), cloud(23, 2, seed=6)
    np.testing.assert_allclose(gram.dense(), truth("sum"), rtol=1e-12)
    np.testing.assert_allclose(gram.matmul(V), truth("sum") @ V, rtol=0, atol=1e-12)


def test_a_tiled_gram_never_makes_the_whole_matrix(monkeypatch):
    sizes = []
    block = Gaussian.block

    def recording(self, pairs):
        K = block(self, pairs)
        sizes.append(K.size)
        return K

    monkeypatch.setattr(Gaussian, "block", recording)
    monkeypatch.setattr(tiled, "tile_rows", lambda n, like: 4)
    TiledGram(Gaussian(1.2), Points(X)).matmul(np.ones((23, 1)))
    assert max(sizes) == 16
    assert len(sizes) == 1 + 6 * 7 // 2  # the upper triangle, and one to prepare


@pytest.mark.parametrize("size", [4, 512])
@kernels
def test_cross_matmul(name, size, monkeypatch):
    monkeypatch.setattr(tiled, "tile_rows", lambda n, like: size)
    kernel, twin = KERNELS[name]
    V = cloud(23, 2, seed=6)
    old = Points(X)
    product, diagonal = cross_matmul(kernel, Points(Y, old), old, V)
    expected = naive.pairwise(twin, Y, X) @ V
    np.testing.assert_allclose(product, expected, rtol=0, atol=1e-12 * np.abs(expected).max())
    np.testing.assert_allclose(diagonal, [twin(y, y) for y in Y], rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("kinds", ["sparse on dense", "dense on sparse", "sparse on sparse"])
def test_cross_matmul_of_mixed_kinds(kinds):
    new, old = kinds.split(" on ")
    new_values, V = SPARSE[:9] + 0.0, cloud(23, 2, seed=6)
    points = Points(sparse.csr_array(SPARSE) if old == "sparse" else SPARSE)
    rows = Points(sparse.csr_array(new_values) if new == "sparse" else new_values, points)
    product, _ = cross_matmul(Gaussian(1.2), rows, points, V)
    expected = naive.pairwise(gaussian, new_values, SPARSE) @ V
    np.testing.assert_allclose(product, expected, atol=1e-12)


def test_cross_matmul_on_torch():
    V = cloud(23, 2, seed=6)
    old = Points(torch.asarray(X))
    product, _ = cross_matmul(Gaussian(1.2), Points(torch.asarray(Y), old), old, torch.asarray(V))
    assert isinstance(product, torch.Tensor)
    np.testing.assert_allclose(to_numpy(product), naive.pairwise(gaussian, Y, X) @ V, atol=1e-12)


def test_float32_points_give_float32_products():
    points = Points(X.astype("f4"))
    gram = TiledGram(Gaussian(1.2), points)
    V = cloud(23, 2, seed=6).astype("f4")
    assert gram.matmul(V).dtype == gram.dense().dtype == np.float32
    np.testing.assert_allclose(gram.matmul(V), naive.pairwise(gaussian, X) @ V, atol=1e-4)


class Slow(Gaussian):
    """A kernel that takes its time to make what it keeps with the points."""

    def evaluate(self, pairs):
        for points in {id(p): p for p in (pairs.A, pairs.B)}.values():
            points.memoize("slow", lambda: self._make())
        return super().evaluate(pairs)

    def _make(self):
        self.made = getattr(self, "made", 0) + 1
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("work", "sets"),
    [
        (lambda kernel, old: TiledGram(kernel, old).matmul(np.ones((23, 1))), 1),
        (lambda kernel, old: TiledGram(kernel, old).dense(), 1),
        (lambda kernel, old: TiledGram(kernel, old).cross(Y), 2),
        (lambda kernel, old: cross_matmul(kernel, Points(Y, old), old, np.ones((23, 1))), 2),
    ],
    ids=["matmul", "dense", "cross", "cross_matmul"],
)
def test_what_threads_share_is_made_before_they_start(work, sets, small_tiles, monkeypatch):
    monkeypatch.setattr(parallel, "n_threads", lambda: 4)
    kernel = Slow(1.2)
    work(kernel, Points(X))
    assert kernel.made == sets


def test_hundreds_of_tiles_are_summed_in_double_precision(monkeypatch):
    """Half a unit from each tile: single precision would drop it from a sum of 2²⁴."""
    monkeypatch.setattr(tiled, "tile_rows", lambda n, like: 4)
    V = np.full((400, 1), 0.125, dtype="f4")
    V[0] = 2.0**24
    product = TiledGram(Constant(1.0), Points(np.zeros((400, 1), "f4"))).matmul(V)
    assert product.dtype == np.float32
    assert np.array_equal(product, np.full((400, 1), np.float32(2.0**24 + 399 * 0.125)))
