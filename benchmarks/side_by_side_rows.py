"""The rows of the table of `side_by_side`: what is timed, against what, and how right both are."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import linalg, sparse
from scipy.sparse.linalg import eigsh
from sklearn import decomposition, manifold
from sklearn.datasets import load_digits, load_iris

import gramian as gm
from gramian._core.operators.rows import add_column_product, by_length
from gramian._core.parallel import n_threads, parallel_map

__all__ = ["SECTIONS", "Row"]

Call = Callable[[], Any]


@dataclass(frozen=True)
class Row:
    """One piece of work, ours and the peers'; the quickest of these counts."""

    name: str
    goal: str
    ours: Call
    peers: dict[str, Call]
    repeats: int
    error: Callable[[Any], float] | None = None  # of what a call gives
    per: tuple[int, int] | None = None  # steps of the long runs, ours and theirs
    short: dict[str, Call] = field(default_factory=dict)  # runs to be taken off, by name
    floor: Call | None = None  # the bare arithmetic, without anything around it
    floor_steps: int = 1  # how often `floor` does what a row counts once
    reason: str | None = None  # why the goal is not met, or what the floor is


def _size(shape: tuple[int, ...]) -> str:
    return " × ".join(f"{side:,}" for side in shape)


def _tables() -> list[np.ndarray]:
    normal = np.random.default_rng(0).standard_normal((5_000, 100))
    return [load_iris().data, load_digits().data, normal]


def _inertias(fit: Any) -> np.ndarray:
    """Return eigenvalues with divisor n of a PCA, ours or scikit-learn's."""
    own = getattr(fit, "eigenvalues_", None)
    if own is not None:
        return np.asarray(own)
    return fit.explained_variance_ * (fit.n_samples_ - 1) / fit.n_samples_


def _against(values: np.ndarray) -> Callable[[Any], float]:
    return lambda fit: float(np.abs(_inertias(fit) / values[: len(_inertias(fit))] - 1).max())


_BARE_PCA = "floor: a copy, the means, one product, four eigenpairs; the rest is checks and records"
_BARE_KERNEL = "floor: distances, exponentials, means taken off, eigenpairs as the quickest peer's"


def _bare_pca(X: np.ndarray) -> Any:
    Y = X - X.mean(axis=0)
    last = X.shape[1] - 1
    return X.copy(), linalg.eigh(Y.T @ Y / len(Y), subset_by_index=[max(last - 3, 0), last])


def _bare_kernel_pca(X: np.ndarray, dense: bool, scale: float = 4.0) -> Any:
    squares = np.einsum("ij,ij->i", X, X)
    K = X @ X.T
    K *= 2.0
    K -= squares[:, None]
    K -= squares
    K /= 2.0 * scale**2
    np.exp(K, out=K)
    means = K.mean(axis=0)
    K -= means[:, None]
    K -= means - means.mean()
    if dense:
        return linalg.eigh(K, subset_by_index=[len(K) - 5, len(K) - 1])
    return eigsh(K, 5, which="LA")


def small_pca() -> Iterator[Row]:
    """PCA of small tables: fit, and transform of the same rows."""
    for X in _tables():
        centred = X - X.mean(axis=0)
        s = np.linalg.svd(centred, compute_uv=False)
        fits = {"scikit-learn": lambda X=X: decomposition.PCA(3).fit(X)}
        error = _against(s**2 / len(X))
        ours = lambda X=X: gm.PCA(3).fit(X)  # noqa: E731
        floor = lambda X=X: _bare_pca(X)  # noqa: E731
        name = f"PCA fit {_size(X.shape)}, 3 axes"
        yield Row(name, "1", ours, fits, 150, error, floor=floor, reason=_BARE_PCA)
    for X in _tables():
        centred = X - X.mean(axis=0)
        Z = np.abs(centred @ np.linalg.svd(centred, full_matrices=False)[2][:3].T)
        far = lambda Y, Z=Z: float(np.abs(np.abs(Y) - Z).max() / Z.max())  # noqa: E731
        own, other = gm.PCA(3).fit(X), decomposition.PCA(3).fit(X)
        peers = {"scikit-learn": lambda X=X, other=other: other.transform(X)}
        ours = lambda X=X, own=own: own.transform(X)  # noqa: E731
        yield Row(f"PCA transform {_size(X.shape)}", "1", ours, peers, 300, far)


def long_pca() -> Iterator[Row]:
    """A million rows."""
    X = np.random.default_rng(0).standard_normal((1_000_000, 100))
    mean = np.mean(X, axis=0)
    R = np.zeros((0, 100))
    for start in range(0, len(X), 100_000):
        R = np.linalg.qr(np.concatenate([R, X[start : start + 100_000] - mean]), mode="r")
    error = _against(np.linalg.svd(R, compute_uv=False) ** 2 / len(X))
    bare: dict[str, Any] = {
        "floor": lambda: X.T @ X,
        "reason": "floor: one product of the table with itself",
    }
    peers: dict[str, Call] = {"scikit-learn": lambda: decomposition.PCA(3).fit(X)}
    yield Row("PCA fit 1,000,000 × 100", "1.2", lambda: gm.PCA(3).fit(X), peers, 5, error, **bare)
    peers = {"scikit-learn": lambda: decomposition.PCA(3).fit_transform(X)}
    ours = lambda: gm.PCA(3).fit_transform(X)  # noqa: E731
    yield Row("PCA fit_transform 1,000,000 × 100", "1.2", ours, peers, 5, **bare)


def sparse_pca() -> Iterator[Row]:
    """Sparse tables, ten axes."""
    for shape, density, repeats, steps in (
        ((20_000, 2_000), 0.01, 4, 232),
        ((100_000, 20_000), 5e-4, 2, 296),
    ):
        X = sparse.random_array(shape, density=density, format="csr", rng=0)
        arpack = decomposition.PCA(10, svd_solver="arpack", random_state=0)
        peers = {"arpack": lambda X=X, arpack=arpack: arpack.fit(X)}
        name = f"PCA of a sparse {_size(shape)}, {density:g} filled, 10 axes"
        ours = lambda X=X: gm.PCA(10).fit(X)  # noqa: E731
        floor = lambda X=X, steps=steps: _bare_columns(X, steps)  # noqa: E731
        reason = f"{steps} products of one column, every row read once, on one core"
        error = _sparse_residual(X)
        yield Row(name, "1.5", ours, peers, repeats, error, floor=floor, reason=reason)


def _bare_columns(X: Any, steps: int) -> None:
    v, out = np.full(X.shape[1], 1e-3), np.zeros(X.shape[1])
    [(Y, weight)] = by_length(X, np.full(X.shape[0], 1e-3), 1)
    for _ in range(steps):
        add_column_product(Y, v, 0.0, weight, out)


def _sparse_residual(X: Any) -> Callable[[Any], float]:
    """Return how far axes are from eigenvectors of the covariance, relative to the first value."""
    mean = np.asarray(X.mean(axis=0)).ravel()

    def error(fit: Any) -> float:
        V, values = fit.components_.T, _inertias(fit)
        F = X @ V - mean @ V
        image = (X.T @ F - np.outer(mean, F.sum(axis=0))) / X.shape[0]
        return float(np.linalg.norm(image - V * values, axis=0).max() / values[0])

    return error


def _kernel_peers(X: np.ndarray, q: int, solvers: tuple[str, ...]) -> dict[str, Call]:
    def fit(solver: str) -> Any:
        options = {"kernel": "rbf", "gamma": 1 / 32, "random_state": 0}
        return decomposition.KernelPCA(q, eigen_solver=solver, **options).fit(X)

    return {solver: lambda solver=solver: fit(solver) for solver in solvers}


def _kernel_values(fit: Any) -> np.ndarray:
    own = isinstance(fit, gm.KernelPCA)
    return fit.eigenvalues_ if own else fit.eigenvalues_ / fit.eigenvectors_.shape[0]


def small_kernel_pca() -> Iterator[Row]:
    """Kernel PCA of up to a thousand rows, held against scikit-learn's fastest solver."""
    for n, repeats in ((100, 60), (200, 60), (500, 40), (1_000, 25)):
        X = np.random.default_rng(n).standard_normal((n, 20))
        K = gm.kernels.Gaussian(4.0).pairwise(X, X)
        K = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
        values = linalg.eigh(K / n, eigvals_only=True)[::-1]
        error = lambda fit, v=values: float(np.abs(_kernel_values(fit) / v[:5] - 1).max())  # noqa: E731
        peers = _kernel_peers(X, 5, ("dense", "arpack", "randomized"))
        ours = lambda X=X: gm.KernelPCA(5, kernel=gm.kernels.Gaussian(4.0)).fit(X)  # noqa: E731
        floor = lambda X=X: _bare_kernel_pca(X, len(X) < 200)  # noqa: E731
        name = f"kernel PCA {n:,} × 20, 5 axes"
        yield Row(name, "1.2", ours, peers, repeats, error, floor=floor, reason=_BARE_KERNEL)


def large_kernel_pca() -> Iterator[Row]:
    """Kernel PCA of 10,000 and 20,000 rows in both precisions."""
    goals = {(10_000, "f8"): "6", (10_000, "f4"): "8", (20_000, "f8"): "8", (20_000, "f4"): "12"}
    for (n, kind), goal in goals.items():
        X = np.random.default_rng(0).standard_normal((n, 20)).astype(kind)
        tol = 1e-8 if kind == "f8" else 1e-6
        ours = lambda X=X, tol=tol: gm.KernelPCA(  # noqa: E731
            10, kernel=gm.kernels.Gaussian(4.0), tol=tol
        ).fit(X)
        name = f"kernel PCA {n:,} × 20, 10 axes, float{8 * X.itemsize}"
        peers = _kernel_peers(X, 10, ("arpack",))
        # What a fit multiplies by: see benchmarks/results/kernel_pca.md.
        products = [("f4", 28)] * 3 + [("f4", 20)] * (3 if kind == "f8" else 1)
        products += [("f8", 20)] * (kind == "f8")
        yield Row(
            name,
            goal,
            ours,
            peers,
            2 if n == 10_000 else 1,
            _kernel_residual(X),
            floor=_bare_products(n, products),
            reason=f"{len(products)} products, of n²/2 Gaussians each: exponents and sums by BLAS",
        )


def _bare_products(n: int, products: list[tuple[str, int]]) -> Call:
    """Return the arithmetic of products with Gaussians, tiles of one place, without anything else.

    A product is a precision and a number of columns; points have 20 numbers.
    """
    sides = {"f4": 384, "f8": 320}
    rng = np.random.default_rng(0)

    def tile(kind: str, width: int, times: int) -> None:
        side = sides[kind]
        left, right, V = (
            rng.standard_normal((side, columns)).astype(kind) for columns in (22, 22, width)
        )
        left *= 0.01
        T, image, turned = np.empty((side, side), kind), V.copy(), V.T.copy()
        for _ in range(times):
            np.matmul(left, right.T, out=T)
            np.exp(T, out=T)
            np.matmul(T, V, out=image)
            np.matmul(V.T, T, out=turned)

    def work(share: Sequence[tuple[str, int, int]]) -> None:
        for kind, width, times in share:
            tile(kind, width, times)

    def call() -> None:
        counts = [(kind, width, (n / sides[kind]) ** 2 / 2) for kind, width in products]
        cores = n_threads()
        parallel_map(work, [(k, w, round(t / cores)) for k, w, t in counts for _ in range(cores)])

    return call


def _kernel_residual(X: np.ndarray) -> Callable[[Any], float]:
    """Return how far eigenvectors are from those of the centred matrix, in double precision."""

    def error(fit: Any) -> float:
        U = fit.coordinates_ if isinstance(fit, gm.KernelPCA) else fit.eigenvectors_
        U = U.astype(float) - U.mean(axis=0, dtype=float)
        U /= np.linalg.norm(U, axis=0)
        rows = X.astype(float)
        k, n = gm.kernels.Gaussian(4.0), len(X)
        blocks = (slice(start, start + 1_000) for start in range(0, n, 1_000))
        image = np.concatenate([k.pairwise(rows[block], rows) @ U for block in blocks]) / n
        image -= image.mean(axis=0)
        values = _kernel_values(fit).astype(float)
        return float(np.linalg.norm(image - U * values, axis=0).max() / values[0])

    return error


def studies() -> Iterator[Row]:
    """What fits many times."""
    X = load_digits().data

    def loop(seed: int = 0) -> np.ndarray:
        rng, Y = np.random.default_rng(seed), X - X.mean(axis=0)
        tables = (rng.permuted(Y, axis=0) for _ in range(200))
        return np.array([np.linalg.eigvalsh(Z.T @ Z)[::-1] for Z in tables]) / len(X)

    def analysis() -> np.ndarray:
        found = gm.dimension.parallel_analysis(X, n_permutations=200, random_state=0)
        return found.reference["mean"].to_numpy()

    exact = np.mean([loop(seed) for seed in (1, 2, 3)], axis=(0, 1))

    def error(drawn: np.ndarray) -> float:
        mean = drawn.mean(axis=0) if drawn.ndim == 2 else drawn
        return float(np.abs(mean[:10] / exact[:10] - 1).max())

    name = "parallel analysis of digits, 200 permutations"
    G = np.cov(X.T)
    floor = lambda: [np.linalg.eigvalsh(G) for _ in range(200)]  # noqa: E731
    reason = "floor: the eigenvalues of 200 matrices, on one core; two share them"
    peers = {"loop of shuffle, Gram, eigvalsh": loop}
    yield Row(name, "5", analysis, peers, 5, error, floor=floor, reason=reason)
    iris = load_iris().data

    def fits() -> list[Any]:
        rng = np.random.default_rng(0)
        rows = (iris[rng.integers(0, 150, 150)] for _ in range(200))
        return [decomposition.PCA(2).fit(some) for some in rows]

    study = lambda: gm.stability.bootstrap(gm.PCA(2), iris, n_resamples=200, random_state=0)  # noqa: E731
    name = "bootstrap of PCA, 200 resamples of 150 × 4"
    yield Row(name, "3", study, {"loop of scikit-learn fits": fits}, 6)


def scaling() -> Iterator[Row]:
    """One step of SMACOF: a long run less a short one."""
    rng = np.random.default_rng(0)
    points, start = rng.standard_normal((1_000, 5)), rng.standard_normal((1_000, 2))
    D = gm.distances.euclidean(points)
    reasons = {
        "ratio": "roots and divisions of the pairs take 0.44 ms of one core (3.4 cycles each)",
        "ordinal": "the loop over pairs is bound by memory: 0.42 ms of one core",
    }
    for kind, metric, goal in (("ratio", True, "12"), ("ordinal", False, "25")):

        def ours(steps: int, kind: str = kind) -> Call:
            options: dict[str, Any] = {"scaling": kind, "start": start, "n_init": 1, "tol": 1e-300}
            return lambda: gm.MDS(metric="precomputed", max_iter=steps, **options).fit(D)

        def theirs(steps: int, metric: bool = metric) -> Call:
            options: dict[str, Any] = {"metric": metric, "init": start, "n_init": 1, "eps": 0}
            options["normalized_stress"] = not metric
            return lambda: manifold.smacof(D, max_iter=steps, **options)

        yield Row(
            f"SMACOF step, n = 1,000, {'metric' if metric else 'ordinal'}",
            goal,
            ours(105),
            {"scikit-learn": theirs(15)},
            3,
            per=(100, 10),
            short={"ours": ours(5), "scikit-learn": theirs(5)},
            reason=reasons[kind],
        )


SECTIONS: dict[str, Callable[[], Iterator[Row]]] = {
    "small": small_pca,
    "kernel": small_kernel_pca,
    "studies": studies,
    "scaling": scaling,
    "long": long_pca,
    "sparse": sparse_pca,
    "large": large_kernel_pca,
}
