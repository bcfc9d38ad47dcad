"""Every way from data to axes: estimators, solvers, and where the rows are."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any
from unittest.mock import patch

import dask
import dask.array as da
import numpy as np
import scipy.sparse as sp
import torch

import gramian as gm
from benchmarks.completeness_designs import Problem
from gramian._core.operators import Gram
from gramian._core.operators import tiled as tiled_module

SMALL = 2_600  # rows up to which every path is taken
BLOCKS = 3  # of rows that are not in one piece


@dataclass(frozen=True)
class Path:
    """A way to fit a kind of problem."""

    name: str
    fit: Callable[[Problem, int], Any]
    applies: Callable[[Problem], bool]
    single: bool = False  # whether numbers are of single precision


PATHS: dict[str, list[Path]] = {}


def path(
    kinds: str,
    name: str,
    applies: Callable[[Problem], bool] = lambda problem: problem.n <= SMALL,
    single: bool = False,
) -> Callable[[Callable[[Problem, int], Any]], Callable[[Problem, int], Any]]:
    """Register a way to fit problems of these kinds."""

    def register(fit: Callable[[Problem, int], Any]) -> Callable[[Problem, int], Any]:
        for kind in kinds.split():
            PATHS.setdefault(kind, []).append(Path(name, fit, applies, single))
        return fit

    return register


def paths_of(problem: Problem) -> list[Path]:
    """The paths of a problem, the default one first."""
    return [path for path in PATHS[problem.kind] if path.applies(problem)]


def always(problem: Problem) -> bool:
    """For problems of any size."""
    return True


class MatrixGram(Gram):
    """A Gram operator as somebody else would write it."""

    psd = True

    def __init__(self, K: np.ndarray) -> None:
        self.K, self.n = K, len(K)

    def matmul(self, V: np.ndarray) -> np.ndarray:
        return self.K @ V

    def diag(self) -> np.ndarray:
        return self.K.diagonal().copy()

    def block(self, rows: slice, cols: slice) -> np.ndarray:
        return self.K[rows, cols]

    @property
    def like(self) -> np.ndarray:
        return np.empty(0)


class UnknownGram(MatrixGram):
    """One that does not say whether it is positive."""

    psd = None


def _blocks(X: Any) -> list[Any]:
    edges = np.linspace(0, X.shape[0], BLOCKS + 1).astype(int)
    return [X[a:b] for a, b in pairwise(edges)]


def _dask(X: np.ndarray) -> Any:
    return da.from_array(X, chunks=(-(-X.shape[0] // BLOCKS), X.shape[1]))


def _kernel(problem: Problem) -> gm.kernels.Kernel:
    assert problem.kernel is not None
    name, scale = problem.kernel
    more = {"Matern": {"nu": 1.5}, "RationalQuadratic": {"alpha": 2.0}}.get(name, {})
    return getattr(gm.kernels, name)(scale=scale, **more)


def _kernel_pca(problem: Problem, q: int, **options: Any) -> Any:
    return gm.KernelPCA(q, kernel=_kernel(problem), **options)


def _tiles(problem: Problem) -> dict[str, Any]:
    """Options under which the Gram matrix has no room."""
    return {"solver": "krylov", "memory": max(20 * problem.n**2, 4_000_000)}


def _distances(K: np.ndarray) -> np.ndarray:
    """Those in feature space."""
    d = K.diagonal()
    D2 = np.maximum(d[:, None] + d[None, :] - 2 * K, 0.0)
    np.fill_diagonal(D2, 0.0)
    return np.sqrt(D2)


# Rows and a kernel


@path("points", "default", always)
def _(problem, q):
    return _kernel_pca(problem, q).fit(problem.data)


@path("points", "krylov")
def _(problem, q):
    return _kernel_pca(problem, q, solver="krylov").fit(problem.data)


@path("points", "tiled", lambda problem: 450 < problem.n <= SMALL)
def _(problem, q):
    return _kernel_pca(problem, q, **_tiles(problem)).fit(problem.data)


@path("points", "refined Nyström", always)
def _(problem, q):
    start = gm.Nystrom(rank=50, refine=True, random_state=0)
    return _kernel_pca(problem, q, approximation=start).fit(problem.data)


@path("points", "float32", always, single=True)
def _(problem, q):
    return _kernel_pca(problem, q).fit(problem.data.astype(np.float32))


@path("points", "scan")
def _(problem, q):
    n, p = problem.data.shape
    scan = gm.io.scan(_blocks(problem.data), memory=31 * n * p)  # less than four copies
    return _kernel_pca(problem, q).fit(scan)


@path("points", "dask")
def _(problem, q):
    with dask.config.set(scheduler="synchronous"):
        return _kernel_pca(problem, q).fit(_dask(problem.data))


@path("points", "torch")
def _(problem, q):
    return _kernel_pca(problem, q).fit(torch.from_numpy(problem.data))


@path("points", "Gram operator")
def _(problem, q):
    return gm.KernelPCA(q).fit(MatrixGram(problem.gram))


@path("points", "precomputed, krylov")
def _(problem, q):
    return gm.KernelPCA(q, kernel="precomputed", solver="krylov").fit(problem.gram)


@path("points", "distances, krylov")
def _(problem, q):
    mds = gm.ClassicalMDS(q, metric="precomputed", solver="krylov")
    return mds.fit(_distances(problem.gram))


@path("points", "weights")
def _(problem, q):
    return _kernel_pca(problem, q).fit(problem.data, sample_weight=np.full(problem.n, 2.0))


@path("points", "compiled", lambda problem: problem.n <= SMALL and problem.kernel[0] == "Gaussian")
def _(problem, q):
    with patch.object(tiled_module, "MIN_COMPILED_POINTS", 1):
        return _kernel_pca(problem, q, **_tiles(problem)).fit(problem.data)


@path("points", "float32, tiled", lambda problem: 450 < problem.n <= SMALL, single=True)
def _(problem, q):
    return _kernel_pca(problem, q, **_tiles(problem)).fit(problem.data.astype(np.float32))


if torch.cuda.is_available():

    @path("points", "GPU", always)
    def _(problem, q):
        return _kernel_pca(problem, q, device="cuda").fit(problem.data)


@path("points", "dense")
def _(problem, q):
    return _kernel_pca(problem, q, solver="dense").fit(problem.data)


# A Gram matrix


@path("gram", "precomputed", always)
def _(problem, q):
    return gm.KernelPCA(q, kernel="precomputed").fit(problem.data)


@path("gram", "precomputed, krylov", always)
def _(problem, q):
    return gm.KernelPCA(q, kernel="precomputed", solver="krylov").fit(problem.data)


@path("gram", "Gram operator")
def _(problem, q):
    return gm.KernelPCA(q).fit(MatrixGram(problem.data))


@path("gram", "unknown Gram operator, krylov")
def _(problem, q):
    return gm.KernelPCA(q, solver="krylov").fit(UnknownGram(problem.data))


@path("gram", "distances, krylov")
def _(problem, q):
    mds = gm.ClassicalMDS(q, metric="precomputed", solver="krylov")
    return mds.fit(_distances(problem.data))


@path("gram", "float32", single=True)
def _(problem, q):
    K = problem.data.astype(np.float32)
    return gm.KernelPCA(q, kernel="precomputed", solver="krylov", indefinite="clip").fit(K)


@path("gram", "torch, krylov")
def _(problem, q):
    K = torch.from_numpy(problem.data)
    return gm.KernelPCA(q, kernel="precomputed", solver="krylov").fit(K)


@path("gram", "precomputed, dense")
def _(problem, q):
    return gm.KernelPCA(q, kernel="precomputed", solver="dense").fit(problem.data)


# A table


def _rows(problem: Problem) -> np.ndarray:
    return problem.data.toarray() if sp.issparse(problem.data) else problem.data


@path("table sparse", "PCA", always)
def _(problem, q):
    return gm.PCA(q).fit(problem.data)


@path("table sparse", "PCA, krylov", always)
def _(problem, q):
    return gm.PCA(q, solver="krylov").fit(problem.data)


@path("sparse", "PCA of rows made dense", always)
def _(problem, q):
    return gm.PCA(q, solver="krylov").fit(_rows(problem))


@path("table sparse", "PCA, dense")
def _(problem, q):
    return gm.PCA(q, solver="dense").fit(problem.data)


@path("table sparse", "PCA, covariance", lambda problem: problem.data.shape[1] <= SMALL)
def _(problem, q):
    return gm.PCA(q, solver="covariance").fit(problem.data)


@path("table", "PCA, float32, krylov", always, single=True)
def _(problem, q):
    return gm.PCA(q, solver="krylov").fit(problem.data.astype(np.float32))


@path("table", "PCA, torch, krylov", always)
def _(problem, q):
    return gm.PCA(q, solver="krylov").fit(torch.from_numpy(problem.data))


@path("table sparse", "PCA, scan")
def _(problem, q):
    return gm.PCA(q).fit(gm.io.scan(_blocks(_rows(problem))))


@path("table sparse", "PCA, scan, krylov")
def _(problem, q):
    return gm.PCA(q, solver="krylov").fit(gm.io.scan(_blocks(_rows(problem))))


@path("table", "PCA, blocks", always)
def _(problem, q):
    return gm.PCA(q).fit(iter(_blocks(problem.data)))


@path("table", "PCA, dask, krylov", always)
def _(problem, q):
    with dask.config.set(scheduler="synchronous"):
        return gm.PCA(q, solver="krylov").fit(_dask(problem.data))


@path("table sparse", "linear kernel, krylov", always)
def _(problem, q):
    return gm.KernelPCA(q, kernel="linear", solver="krylov").fit(problem.data)


@path("table sparse", "MDS", always)
def _(problem, q):
    return gm.ClassicalMDS(q).fit(problem.data)


@path("table sparse", "MDS, krylov")
def _(problem, q):
    return gm.ClassicalMDS(q, solver="krylov").fit(_rows(problem))


# Counts and categories


@path("counts", "CA")
def _(problem, q):
    return gm.CA(q).fit(problem.data)


@path("counts", "CA, krylov")
def _(problem, q):
    return gm.CA(q, solver="krylov").fit(problem.data)


@path("counts", "CA of sparse counts, krylov")
def _(problem, q):
    return gm.CA(q, solver="krylov").fit(sp.csr_matrix(problem.data))


@path("counts", "CA, dense")
def _(problem, q):
    return gm.CA(q, solver="dense").fit(problem.data)


def _words(problem: Problem) -> np.ndarray:
    return np.array([f"c{code}" for code in range(problem.data.max() + 1)], object)[problem.data]


@path("levels", "MCA")
def _(problem, q):
    return gm.MCA(q).fit(_words(problem))


@path("levels", "MCA, krylov")
def _(problem, q):
    return gm.MCA(q, solver="krylov").fit(_words(problem))


@path("levels", "MCA, dense")
def _(problem, q):
    return gm.MCA(q, solver="dense").fit(_words(problem))
