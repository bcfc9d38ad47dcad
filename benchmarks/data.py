"""Data for benchmarks: smooth, clustered and structureless clouds of any size."""

from __future__ import annotations

import numpy as np

__all__ = ["KINDS", "make"]


def _gauss(n: int, p: int, rng: np.random.Generator) -> np.ndarray:
    """Isotropic: nearly equal eigenvalues, the hardest for an iteration."""
    return rng.standard_normal((n, p))


def _clusters(n: int, p: int, rng: np.random.Generator) -> np.ndarray:
    """Twelve balanced groups."""
    centres = 4.0 * rng.standard_normal((12, p))
    return centres[rng.integers(12, size=n)] + rng.standard_normal((n, p))


def _roll(n: int, p: int, rng: np.random.Generator) -> np.ndarray:
    """A rolled sheet in three dimensions, a little noise in the others."""
    t, height = 1.5 * np.pi * (1 + 2 * rng.random(n)), 21 * rng.random(n)
    X = 0.1 * rng.standard_normal((n, p))
    X[:, 0], X[:, 1], X[:, 2] = t * np.cos(t), height, t * np.sin(t)
    return X


def _rare(n: int, p: int, rng: np.random.Generator) -> np.ndarray:
    """One tight crowd and fifty distant groups of a few points each."""
    X = 0.05 * rng.standard_normal((n, p))
    few = max(n // 5000, 2)
    for k in range(50):
        X[k * few : (k + 1) * few] += 6.0 * rng.standard_normal(p)
    return X


def _decaying(n: int, p: int, rng: np.random.Generator) -> np.ndarray:
    """Columns mixed so that the variances fall like 1/k."""
    return rng.standard_normal((n, p)) / np.sqrt(np.arange(1, p + 1))


def _low_rank(n: int, p: int, rng: np.random.Generator) -> np.ndarray:
    """Twenty strong directions and a little noise."""
    signal = rng.standard_normal((n, 20)) * np.linspace(10, 1, 20)
    return signal @ rng.standard_normal((20, p)) + 0.1 * rng.standard_normal((n, p))


KINDS = {
    "gauss": _gauss,
    "clusters": _clusters,
    "roll": _roll,
    "rare": _rare,
    "decaying": _decaying,
    "low rank": _low_rank,
}


def make(kind: str, n: int, p: int, dtype: str = "float64") -> np.ndarray:
    """Return the same n rows every time."""
    return KINDS[kind](n, p, np.random.default_rng(0)).astype(dtype)
