"""What describes a plane of points best: one cloud, clusters, or a ring?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.special import logsumexp

MOST = 6  # clusters
_STARTS = 8
_STEPS = 12
_ROWS = 600  # looked at


@dataclass(frozen=True)
class Outline:
    """The number of clusters that describes points best, and whether a ring is better still."""

    n_clusters: int
    hollow: bool


def outline_of(F: np.ndarray, rng: np.random.Generator) -> Outline:
    """Compare normal clusters of one covariance with a ring, by Schwarz's criterion.

    The plane is first brought to variance 1 in all directions. A ring has normal distances to its
    centre and any angle.
    """
    F = F[rng.choice(len(F), _ROWS, replace=False)] if len(F) > _ROWS else F
    size = F.std(axis=0)
    Z = (F - F.mean(axis=0))[:, size > 1e-12 * size.max(initial=1e-300)] / size[size > 0]
    most = min(MOST, len(Z) // 4)
    scores = [_clusters(Z, k, rng) for k in range(1, most + 1)]
    best = int(np.argmax(scores)) if scores else 0
    return Outline(best + 1, Z.shape[1] == 2 and bool(scores) and _ring(Z) > scores[best])


def _clusters(Z: np.ndarray, k: int, rng: np.random.Generator) -> float:
    """Return the log-likelihood of k clusters, less the price of their parameters."""
    n, d = Z.shape
    codes = _split(Z, k, rng)
    centres = np.stack([Z[codes == j].mean(axis=0) for j in range(k)])
    weight = np.bincount(codes, minlength=k) / n
    rest = Z - centres[codes]
    W = rest.T @ rest / n + 1e-6 * np.eye(d)
    gaps = Z[:, None, :] - centres
    far = np.einsum("njd,de,nje->nj", gaps, np.linalg.inv(W), gaps)
    logs = np.log(weight) - 0.5 * far - 0.5 * np.linalg.slogdet(2.0 * np.pi * W)[1]
    parameters = k * d + k - 1 + d * (d + 1) / 2
    return float(logsumexp(logs, axis=1).sum()) - 0.5 * parameters * np.log(n)


def _split(Z: np.ndarray, k: int, rng: np.random.Generator) -> np.ndarray:
    """Return the best of several partitions into k parts around their means."""
    tries = [_around(Z, Z[_apart(Z, k, rng)]) for _ in range(_STARTS if k > 1 else 1)]
    cost, codes = min(tries, key=lambda attempt: attempt[0])
    return codes if cost < np.inf else np.arange(len(Z)) % k


def _around(Z: np.ndarray, centres: np.ndarray) -> tuple[float, np.ndarray]:
    """Return what a partition around centres that become its means costs, and the partition."""
    k = len(centres)
    for _ in range(_STEPS):
        d2 = ((Z[:, None, :] - centres) ** 2).sum(axis=2)
        codes = d2.argmin(axis=1)
        if len(np.unique(codes)) < k:
            return np.inf, codes
        before, centres = centres, np.stack([Z[codes == j].mean(axis=0) for j in range(k)])
        if np.array_equal(centres, before):
            break  # nothing would move in another step
    return float(d2.min(axis=1).sum()), codes


def _apart(Z: np.ndarray, k: int, rng: np.random.Generator) -> list[int]:
    """Return k rows, each drawn the more likely the farther it is from those before it."""
    rows = [int(rng.integers(len(Z)))]
    while len(rows) < k:
        d2 = ((Z[:, None, :] - Z[rows]) ** 2).sum(axis=2).min(axis=1)
        rows.append(int(rng.choice(len(Z), p=d2 / d2.sum())) if d2.sum() > 0 else 0)
    return rows


def _ring(Z: np.ndarray) -> float:
    """Return the log-likelihood of a ring, less the price of its four parameters."""
    n = len(Z)
    # The circle of least squares: |z|² = 2⟨c, z⟩ + constant.
    c = np.linalg.lstsq(np.column_stack([2.0 * Z, np.ones(n)]), (Z**2).sum(axis=1), rcond=None)[0]
    radius = np.maximum(np.linalg.norm(Z - c[:2], axis=1), 1e-12)
    deviation = max(float(radius.std()), 1e-3)
    z = (radius - radius.mean()) / deviation
    logs = -np.log(2.0 * np.pi * radius) - 0.5 * z**2 - np.log(deviation * np.sqrt(2.0 * np.pi))
    return float(logs.sum()) - 2.0 * np.log(n)
