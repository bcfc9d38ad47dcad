"""Noise for an axis: the columns of a residual drawn anew."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from gramian.evidence.table import Table
from gramian.reading.residual import Residual, residual

__all__ = ["DRAWS", "Draw", "residual_of"]

Draw = Callable[[np.ndarray, np.random.Generator], np.ndarray]


def residual_of(table: Table, k: int, null: str) -> Residual:
    """Return what is left of a table without its first k axes, for a null model."""
    columns = np.ascontiguousarray(table.values.T)
    return residual(columns, table.axes, k, scaled=table.scaled, by_rows=null == "flips")


def permuted(noise: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Permute the values of each column, independently of the others."""
    return rng.permuted(noise, axis=1)


def flipped(noise: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Flip the sign of each entry."""
    return noise * (2.0 * rng.integers(0, 2, noise.shape, dtype=np.int8) - 1.0)


def shifted(noise: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Move the values of each column round, by a step of its own."""
    p, n = noise.shape
    places = (np.arange(n) + rng.integers(0, n, (p, 1))) % n
    return np.take_along_axis(noise, places, axis=1)


DRAWS: dict[str, Draw] = {"permutations": permuted, "flips": flipped, "shifts": shifted}
