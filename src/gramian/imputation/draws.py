"""Several completed tables: how much of what was filled in is not known."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from gramian.errors import InputError
from gramian.imputation.iterate import Completed, Recipe, complete, filler_of
from gramian.imputation.metrics import Numbers

__all__ = ["Draws", "draws"]


@dataclass(frozen=True, eq=False)
class Draws:
    """Tables that could have been, around one that is the most likely."""

    values: np.ndarray  # (b, n, p)
    base: Completed
    reconstruction: np.ndarray  # (n, p), of the q axes without shrinkage
    sigma: float  # deviation of the noise, in deviations of the columns where they are scaled


def draws(
    X: np.ndarray, w: np.ndarray, recipe: Recipe, count: int, rng: np.random.Generator
) -> Draws:
    """Return completed tables that differ as much as what was filled in is uncertain.

    The table is x = signal + noise, with a signal of q axes. New tables are drawn around the
    estimated signal, with the same holes, and completed: their signals vary as the estimate does. To
    each of them noise is added in the holes.
    """
    base = complete(X[None], w[None], recipe)
    loose = replace(recipe, method="em")
    signal = filler_of(base.values, w[None], loose).reconstruct(base.values)
    spread = _spread(base.values[0], recipe)
    sigma = _sigma(X, signal[0], spread, recipe.q)
    holes = np.isnan(X)
    noise = sigma * spread * rng.standard_normal((count, *X.shape))
    tables = np.where(holes, np.nan, signal + noise)
    weights = np.broadcast_to(w, (count, len(w)))
    again = complete(tables, weights, recipe).values
    signals = filler_of(again, weights, loose).reconstruct(again)
    noise = sigma * spread * rng.standard_normal((count, *X.shape))
    return Draws(np.where(holes, signals + noise, X), base, signal[0], sigma)


def _spread(table: np.ndarray, recipe: Recipe) -> np.ndarray:
    """Return the unit of the noise of each column: its deviation (n − 1) where it is scaled."""
    scaled = isinstance(recipe.metric, Numbers) and recipe.metric.scale
    spread = table.std(axis=0, ddof=1) if scaled else np.ones(table.shape[1])
    return np.where(spread > 0, spread, 1.0)


def _sigma(X: np.ndarray, signal: np.ndarray, spread: np.ndarray, q: int) -> float:
    """Return the deviation of the noise: what the axes leave of known cells, by what is free."""
    n, p = X.shape
    known = ~np.isnan(X)
    free = int(known.sum()) - p - q * (n - 1 + p - q)
    if free <= 0:
        raise InputError(
            f"n_components={q} leaves nothing to measure the noise by: {int(known.sum())} values "
            f"are known; take fewer axes"
        )
    return float(np.sqrt((((X - signal) / spread)[known] ** 2).sum() / free))
