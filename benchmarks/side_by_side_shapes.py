"""Rows of `side_by_side` on points of many shapes, drawn by seed, of sizes that are not round.

Every row of kernel PCA needs a certificate that no axis is missing: a fit without one is an error.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy import linalg
from scipy.spatial.distance import pdist
from sklearn import decomposition, kernel_approximation, pipeline

import gramian as gm
from benchmarks.side_by_side_rows import (
    _BARE_KERNEL,
    _BARE_PCA,
    Call,
    Row,
    _against,
    _bare_kernel_pca,
    _bare_pca,
    _bare_products,
    _kernel_values,
    _size,
)
from gramian._core.parallel import even_blocks, parallel_map

FAMILIES = ("isotropic", "clusters", "subspace", "roll", "heavy tails", "duplicates", "grid")


def draw(family: str, n: int, p: int, seed: int) -> np.ndarray:
    """Return n points (n, p) of a family."""
    rng = np.random.default_rng(seed)
    if family == "isotropic":
        return rng.standard_normal((n, p))
    if family == "clusters":
        return 4.0 * rng.standard_normal((10, p))[rng.integers(10, size=n)] + rng.standard_normal(
            (n, p)
        )
    if family == "subspace":
        X = rng.standard_normal((n, 3)) @ rng.standard_normal((3, p))
        return X + 0.05 * rng.standard_normal((n, p))
    if family == "roll":
        angle = rng.uniform(4.7, 14.1, n)
        rolled = np.c_[angle * np.cos(angle), rng.uniform(0, 20, n), angle * np.sin(angle)]
        return rolled @ rng.standard_normal((3, p)) + 0.1 * rng.standard_normal((n, p))
    if family == "heavy tails":
        return rng.standard_t(3, (n, p))
    if family == "duplicates":
        return rng.standard_normal((n // 4, p))[rng.integers(n // 4, size=n)]
    if family == "grid":
        return np.floor(rng.uniform(0, 4, (n, p)))
    raise ValueError(family)


def _scale(X: np.ndarray) -> float:
    return float(np.sqrt(np.median(pdist(X[:1_000], "sqeuclidean")) / 2.0))


def _complete(fit: Any) -> None:
    if isinstance(fit, gm.KernelPCA) and not fit.certificate_.complete:
        raise AssertionError("an axis may be missing")


def _peers(X: np.ndarray, q: int, gamma: float, solvers: tuple[str, ...]) -> dict[str, Call]:
    def fit(solver: str) -> Any:
        options = {"kernel": "rbf", "gamma": gamma, "random_state": 0}
        return decomposition.KernelPCA(q, eigen_solver=solver, **options).fit(X)

    return {solver: lambda solver=solver: fit(solver) for solver in solvers}


def kernel_shapes() -> Iterator[Row]:
    """Kernel PCA of 130 to 1,300 points of every family, against scikit-learn's fastest solver."""
    for n, repeats in ((130, 40), (270, 30), (520, 20), (900, 12), (1_300, 8)):
        for seed, family in enumerate(FAMILIES):
            X = draw(family, n, 12, 1000 * seed + n)
            kernel = gm.kernels.Gaussian(_scale(X))
            K = kernel.pairwise(X, X)
            K = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
            values = linalg.eigh(K / n, eigvals_only=True)[::-1][:5]

            def error(fit: Any, values: np.ndarray = values) -> float:
                _complete(fit)
                return float(np.abs(_kernel_values(fit) - values).max() / values[0])

            ours = lambda X=X, kernel=kernel: gm.KernelPCA(5, kernel=kernel).fit(X)  # noqa: E731
            peers = _peers(X, 5, kernel.gamma, ("dense", "arpack", "randomized"))
            floor = lambda X=X, s=kernel.scale: _bare_kernel_pca(X, len(X) < 200, s)  # noqa: E731
            more: dict[str, Any] = {"floor": floor, "reason": _BARE_KERNEL}
            yield Row(f"kernel PCA {n:,} × 12, {family}", "1", ours, peers, repeats, error, **more)


def _collected(call: Call) -> Call:
    """Return a call that starts with an empty garbage collector."""

    def collected() -> Any:
        gc.collect(0)
        return call()

    return collected


def pca_shapes() -> Iterator[Row]:
    """PCA of tables between 140 × 6 and 4,800 × 110, and of wide ones."""
    sizes = ((140, 6), (600, 12), (1_500, 40), (4_800, 110))
    for seed, shape in enumerate(sizes):
        X = draw("isotropic", *shape, seed) + 3.0
        values = np.linalg.svd(X - X.mean(axis=0), compute_uv=False) ** 2 / len(X)
        ours = _collected(lambda X=X: gm.PCA(3).fit(X))
        peers = {"scikit-learn": _collected(lambda X=X: decomposition.PCA(3).fit(X))}
        name = f"PCA fit {_size(shape)}, 3 axes, garbage collected between"
        floor = _collected(lambda X=X: _bare_pca(X))
        yield Row(name, "1", ours, peers, 150, _against(values), floor=floor, reason=_BARE_PCA)


def wide_pca() -> Iterator[Row]:
    """PCA of 10,000 × 5,000: low rank with noise, and a power law."""
    rng = np.random.default_rng(5)
    n, p = 10_000, 5_000
    low = rng.standard_normal((n, 20)) @ rng.standard_normal((20, p))
    low += 0.5 * rng.standard_normal((n, p))
    yield _wide("low rank", "3", low, 7)
    del low
    power = rng.standard_normal((n, p)) * np.arange(1, p + 1) ** -0.5
    yield _wide("power law", "2", power, 16)


def _wide(kind: str, goal: str, X: np.ndarray, products: int) -> Row:
    centred = X - X.mean(axis=0)
    values = linalg.eigvalsh(
        centred.T @ centred / len(X), subset_by_index=[X.shape[1] - 10, X.shape[1] - 1]
    )
    solvers = ("arpack", "randomized", "covariance_eigh")
    peers = {
        s: lambda s=s: decomposition.PCA(10, svd_solver=s, random_state=0).fit(X) for s in solvers
    }
    name = f"PCA fit 10,000 × 5,000, {kind}, 10 axes"
    reason = f"floor: the sums of the columns, a copy in single precision, {products} products of "
    more: dict[str, Any] = {"floor": lambda: _bare_wide(X, products), "reason": reason + "it"}
    return Row(name, goal, lambda: gm.PCA(10).fit(X), peers, 3, _against(values[::-1]), **more)


def _bare_wide(X: np.ndarray, products: int) -> None:
    """Read the table for its sums, copy it in single precision, and multiply by the copy."""
    blocks, low = even_blocks(len(X), 200), np.empty(X.shape, np.float32)
    V = np.ones((X.shape[1], 20), np.float32)

    def sums(rows: Any) -> Any:
        return [X[row].sum(axis=0) for row in rows]

    def copy(rows: Any) -> None:
        for row in rows:
            low[row] = X[row]

    def multiply(rows: Any) -> Any:
        return [(low[row] @ V).T @ low[row] for row in rows]

    parallel_map(sums, blocks)
    parallel_map(copy, blocks)
    for _ in range(products):
        parallel_map(multiply, blocks)


def landmarks() -> Iterator[Row]:
    """Nyström kernel PCA of 40,000 to 50,000 points, against Nystroem and PCA."""
    for n, rank, family in (
        (40_000, 150, "clusters"),
        (50_000, 400, "isotropic"),
        (40_000, 1_000, "roll"),
    ):
        X = draw(family, n, 20, rank)
        kernel = gm.kernels.Gaussian(_scale(X))

        def ours(X: np.ndarray = X, kernel: Any = kernel, rank: int = rank) -> Any:
            by = gm.Nystrom(rank, landmarks="uniform", random_state=0)
            return gm.KernelPCA(10, kernel=kernel, approximation=by).fit_transform(X)

        def theirs(X: np.ndarray = X, gamma: float = kernel.gamma, rank: int = rank) -> Any:
            features = kernel_approximation.Nystroem(
                kernel="rbf", gamma=gamma, n_components=rank, random_state=0
            )
            return pipeline.make_pipeline(features, decomposition.PCA(10)).fit_transform(X)

        name = f"Nyström kernel PCA {n:,} × 20, rank {rank:,}, {family}"
        floor = lambda X=X, rank=rank, s=kernel.scale: _bare_landmarks(X, rank, s)  # noqa: E731
        more: dict[str, Any] = {"floor": floor, "reason": _BARE_LANDMARKS}
        yield Row(name, "2", ours, {"Nystroem and PCA": theirs}, 4, **more)


_BARE_LANDMARKS = "floor: kernel values twice, one symmetric product, eigenpairs, ten columns"


def _bare_landmarks(X: np.ndarray, rank: int, scale: float) -> None:
    """Make k(x, Z) twice, for the second moment and for coordinates, and decompose the moment."""
    Z, root = X[:rank], np.ones((rank, 10))
    norms = 0.5 * np.einsum("ij,ij->i", X, X) / scale**2
    blocks = even_blocks(len(X), 512)

    def values(row: slice) -> np.ndarray:
        K = (X[row] / scale**2) @ Z.T
        K -= norms[row, None]
        K -= norms[:rank]
        return np.exp(K, out=K)

    def moment(rows: Any) -> np.ndarray:
        total = np.zeros((rank, rank))
        for row in rows:
            linalg.blas.dsyrk(1.0, values(row).T, 1.0, total.T, overwrite_c=1)
        return total

    def coordinates(rows: Any) -> Any:
        return [values(row) @ root for row in rows]

    C = sum(parallel_map(moment, blocks))
    linalg.eigh(C / len(X), subset_by_index=[rank - 10, rank - 1])
    parallel_map(coordinates, blocks)


def large_shapes() -> Iterator[Row]:
    """Exact kernel PCA of 9,000 and 10,000 points, clusters and a roll, in both precisions."""
    for n, family, kind, products in (
        (9_000, "clusters", "f8", [("f4", 28)] * 4 + [("f4", 20)] * 3 + [("f8", 20)]),
        (10_000, "roll", "f8", [("f4", 28)] * 2 + [("f4", 20)] + [("f8", 20)]),
        (9_000, "clusters", "f4", [("f4", 28)] * 4 + [("f4", 8)]),
        (10_000, "roll", "f4", [("f4", 28)] * 2),
    ):
        X = draw(family, n, 20, n).astype(kind)
        kernel, tol = gm.kernels.Gaussian(_scale(X)), 1e-8 if kind == "f8" else 1e-6
        exact = gm.KernelPCA(10, kernel=kernel, tol=1e-11).fit(X.astype(float)).eigenvalues_

        def error(fit: Any, exact: np.ndarray = exact) -> float:
            _complete(fit)
            return float(np.abs(_kernel_values(fit) - exact).max() / exact[0])

        ours = lambda X=X, kernel=kernel, tol=tol: gm.KernelPCA(10, kernel=kernel, tol=tol).fit(X)  # noqa: E731
        peers = _peers(X, 10, kernel.gamma, ("arpack",))
        name = f"kernel PCA {n:,} × 20, {family}, float{8 * X.itemsize}"
        reason = f"{len(products)} products, of n²/2 Gaussians each: exponents and sums by BLAS"
        floor = _bare_products(n, products)
        yield Row(name, "5", ours, peers, 3, error, floor=floor, reason=reason)


SHAPES: dict[str, Callable[[], Iterator[Row]]] = {
    "shapes": kernel_shapes,
    "collected": pca_shapes,
    "wide": wide_pca,
    "landmarks": landmarks,
    "large-shapes": large_shapes,
}
