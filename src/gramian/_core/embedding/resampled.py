"""Principal axes of one table under many sets of weights, all at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from gramian._core.embedding.principal import Principal
from gramian._core.spectral.covariance import GRADED
from gramian._core.spectral.spectrum import column_signs

_HELD = 1 << 22  # products of entries of a row that are kept for all rows


@dataclass(frozen=True)
class ResampledAxes:
    """The first q axes of each of B sets of weights, in the unit of the data."""

    values: np.ndarray  # (B, q)
    vectors: np.ndarray  # (B, p, q)
    coordinates: np.ndarray  # (B, n, q), of every row, those without a weight too
    plain: np.ndarray  # (B,), whether the axes are found with no more care than is taken here


def resampled_axes(
    X: np.ndarray, principal: Principal, counts: np.ndarray, q: int, *, scale: bool
) -> ResampledAxes:
    """Return the principal axes of the rows of X under each row of counts, (B, n).

    The covariances of all sets are one product, and their eigenproblems are solved together. A set
    is not `plain` where a column is constant or much smaller than another, or where fewer than q
    axes carry inertia.

    Parameters
    ----------
    X : array (n, p) of doubles
    principal : Principal
        The axes of all rows, whose features are drawn from.
    counts : array (B, n)
    q : int
    scale : bool
        Whether columns are brought to the same variance anew in each set.
    """
    s = principal.standard
    F = principal.features(X)
    W = counts / counts.sum(axis=1, keepdims=True)
    means = W @ F
    C = _second_moments(F, W) - means[:, :, None] * means[:, None, :]
    deviation = np.sqrt(np.maximum(np.diagonal(C, axis1=1, axis2=2), 0.0))
    rounding = 4.0 * 2.0**-52 * np.abs(s.mean * s.factor + means)
    plain = (deviation > rounding).all(axis=1)
    plain &= deviation.max(axis=1) <= GRADED * deviation.min(axis=1)
    size = np.ones_like(deviation)
    if scale:
        size = s.factor * s.deviation / np.where(deviation > 0, deviation, 1.0)
        C = C * size[:, :, None] * size[:, None, :]
    values, V = np.linalg.eigh(C)
    values, V = values[:, ::-1][:, :q], V[:, :, ::-1][:, :, :q]
    plain &= values[:, -1] > 10.0 * F.shape[1] * 2.0**-52 * values[:, 0]
    B, p, _ = V.shape
    V = V * column_signs(V.transpose(1, 0, 2).reshape(p, B * q)).reshape(B, 1, q)
    turned = size[:, :, None] * V
    Z = np.matmul(F, turned) - np.matmul(means[:, None, :], turned)
    return ResampledAxes(values * s.unit**2, V, Z * s.unit, plain)


def _second_moments(F: np.ndarray, W: np.ndarray) -> np.ndarray:
    """Return Σ w·f·fᵀ under each row of W, (B, p, p)."""
    n, p = F.shape
    if n * p * p <= _HELD:
        return (W @ (F[:, :, None] * F[:, None, :]).reshape(n, p * p)).reshape(-1, p, p)
    return np.stack([(F * w[:, None]).T @ F for w in W])
