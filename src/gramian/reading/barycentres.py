"""Weighted means of training points: their coordinates and squared distances to the origin."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from gramian._array import Array, as_kind, namespace, part, to_numpy
from gramian._blocks import row_blocks
from gramian.embedding.pipeline import Embedding
from gramian.features.lowrank import ApproximateFeatures
from gramian.operators.base import Gram
from gramian.operators.feature import FeatureMap

__all__ = ["feature_barycentres", "gram_barycentres"]

_ENTRIES = 1 << 22  # numbers held at a time


def feature_barycentres(
    features: FeatureMap, X: Any, V: Array, W: sparse.csr_array
) -> tuple[np.ndarray, np.ndarray]:
    """Return coordinates (c, q) and squared norms (c,) of the means Wᵀf(X), W (n, c)."""
    n, columns = W.shape[0], V.shape[0]
    means = np.zeros((W.shape[1], columns))
    for rows in row_blocks(n, max(1, _ENTRIES // columns)):
        block = part(X, rows)
        if isinstance(features, ApproximateFeatures):
            block = features.kernel_map(block)
        means += W[rows].T @ to_numpy(features(block)).astype(np.float64)
    return means @ to_numpy(V).astype(np.float64), np.sum(means**2, axis=1)


def gram_barycentres(
    gram: Gram, e: Embedding, W: sparse.csr_array
) -> tuple[np.ndarray, np.ndarray]:
    """Return the same from kernel values: a mean is a point whose row of the Gram matrix is WᵀG."""
    assert e.centering is not None
    coordinates, distance2 = [], []
    for some in row_blocks(W.shape[1], max(1, _ENTRIES // gram.n)):
        w = as_kind(W[:, some].toarray(), e.coefficients)
        product = gram.matmul(w)
        z, k_p = e.project(product.T)
        norm2 = namespace(w).sum(product * w, axis=0)
        coordinates.append(to_numpy(z))
        distance2.append(to_numpy(e.centering.distance2(k_p, norm2)))
    return np.concatenate(coordinates), np.concatenate(distance2)
