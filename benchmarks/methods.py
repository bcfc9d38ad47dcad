"""What is timed: each method fits X and returns eigenvalues (as inertias) and eigenvectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

__all__ = ["METHODS"]

Result = tuple[np.ndarray, np.ndarray]


def _ours(X: np.ndarray, q: int, scale: float, **options: Any) -> Result:
    from gramian import KernelPCA
    from gramian.kernels import Gaussian

    fit = KernelPCA(q, kernel=Gaussian(scale), **options).fit(X)
    return fit.eigenvalues_, fit.coordinates_


def _sklearn(X: np.ndarray, q: int, scale: float, **options: Any) -> Result:
    from sklearn.decomposition import KernelPCA

    gamma = 0.5 / scale**2
    fit = KernelPCA(q, kernel="rbf", gamma=gamma, random_state=0, copy_X=False, **options).fit(X)
    return fit.eigenvalues_ / X.shape[0], fit.eigenvectors_


def _ours_transform(X: np.ndarray, q: int, scale: float) -> Callable[[], Result]:
    from gramian import KernelPCA
    from gramian.kernels import Gaussian

    fit = KernelPCA(q, kernel=Gaussian(scale)).fit(X)
    new = X[::-1] + 0.01
    return lambda: (fit.eigenvalues_, fit.transform(new))


def _sklearn_transform(X: np.ndarray, q: int, scale: float) -> Callable[[], Result]:
    from sklearn.decomposition import KernelPCA

    fit = KernelPCA(q, kernel="rbf", gamma=0.5 / scale**2, eigen_solver="arpack").fit(X)
    new = X[::-1] + 0.01
    return lambda: (fit.eigenvalues_ / X.shape[0], fit.transform(new))


def _ours_nystrom(X: np.ndarray, q: int, scale: float, rank: int, landmarks: str) -> Result:
    from gramian import Nystrom

    return _ours(X, q, scale, approximation=Nystrom(rank, landmarks=landmarks))


def _sklearn_nystrom(X: np.ndarray, q: int, scale: float, rank: int) -> Result:
    from sklearn.decomposition import PCA
    from sklearn.kernel_approximation import Nystroem

    F = Nystroem(gamma=0.5 / scale**2, n_components=rank, random_state=0).fit_transform(X)
    fit = PCA(q)
    Z = fit.fit_transform(F)
    return fit.explained_variance_ * (1 - 1 / len(X)), Z


def _ours_pca(X: np.ndarray, q: int, scale: float) -> Result:
    from gramian import PCA

    fit = PCA(q).fit(X)
    return fit.eigenvalues_, fit.components_.T


def _sklearn_pca(X: np.ndarray, q: int, scale: float, solver: str) -> Result:
    from sklearn.decomposition import PCA

    fit = PCA(q, svd_solver=solver, random_state=0).fit(X)
    return fit.explained_variance_ * (1 - 1 / len(X)), fit.components_.T


def _sklearn_incremental(X: np.ndarray, q: int, scale: float) -> Result:
    from sklearn.decomposition import IncrementalPCA

    fit = IncrementalPCA(q).fit(X)
    return fit.explained_variance_ * (1 - 1 / len(X)), fit.components_.T


METHODS: dict[str, Callable[..., Any]] = {
    "gramian": _ours,
    "sklearn": _sklearn,
    "gramian transform": _ours_transform,
    "sklearn transform": _sklearn_transform,
    "gramian nystrom": _ours_nystrom,
    "sklearn nystrom": _sklearn_nystrom,
    "gramian pca": _ours_pca,
    "sklearn pca": _sklearn_pca,
    "sklearn incremental": _sklearn_incremental,
}
