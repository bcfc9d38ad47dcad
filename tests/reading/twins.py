"""The definitions, from the whole centred Gram matrix: what the tables must say."""

from typing import Any

import numpy as np
from scipy.spatial.distance import cdist

import gramian as gm


def gaussian(X: Any, Y: Any, scale: float) -> np.ndarray:
    return np.exp(-cdist(X, Y, "sqeuclidean") / (2 * scale**2))


def centred(K: np.ndarray, p: np.ndarray) -> np.ndarray:
    J = np.eye(len(p)) - np.outer(np.ones(len(p)), p)
    return J @ K @ J.T


def axes(K: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Eigenvalues (descending modulus) and coordinates on every axis, K centred."""
    root = np.sqrt(p)
    values, U = np.linalg.eigh(root[:, None] * K * root)
    order = np.argsort(-np.abs(values))
    values, U = values[order], U[:, order]
    live = np.abs(values) > 1e-12 * np.abs(values[0])
    return values[live], U[:, live] * np.sqrt(np.abs(values[live])) / root[:, None]


def gram_of(method: str, X: np.ndarray) -> np.ndarray:
    """The Gram matrix that each method of `METHODS` means."""
    if method.startswith("gaussian") or method == "precomputed kernel":
        return gaussian(X, X, 1.5)
    return X @ X.T


def fitted(method: str, X: np.ndarray, q: int | None = None, weight: Any = None) -> Any:
    return METHODS[method](X, q).fit(given(method, X), sample_weight=weight)


def given(method: str, X: np.ndarray, new: np.ndarray | None = None) -> np.ndarray:
    """The rows as the method wants them: vectors, or kernel values or distances to X."""
    rows = X if new is None else new
    if method == "precomputed kernel":
        return gaussian(rows, X, 1.5)
    return cdist(rows, X) if method == "precomputed distances" else rows


def _gaussian(X: np.ndarray, q: int | None) -> Any:
    return gm.KernelPCA(q, kernel=gm.kernels.Gaussian(scale=1.5))


METHODS: dict[str, Any] = {
    "pca": lambda X, q: gm.PCA(q),
    "pca, Gram": lambda X, q: gm.PCA(q, solver="dense"),
    "linear": lambda X, q: gm.KernelPCA(q, kernel="linear"),
    "mds": lambda X, q: gm.ClassicalMDS(q),
    "mds, Gram": lambda X, q: gm.ClassicalMDS(q, solver="dense"),
    "precomputed distances": lambda X, q: gm.ClassicalMDS(q, metric="precomputed"),
    "gaussian": _gaussian,
    "gaussian, span": lambda X, q: _gaussian(X, q).set_params(formulation="span"),
    "precomputed kernel": lambda X, q: gm.KernelPCA(q, kernel="precomputed"),
}
NAMES = list(METHODS)


def data(n: int = 12, p: int = 4, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(n, p)) * np.arange(1, p + 1) + 3.0


def weights(n: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).uniform(0.2, 3.0, size=n)
