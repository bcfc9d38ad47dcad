"""Several completed tables: how much of what was filled in is not known."""

from dataclasses import dataclass, replace

import numpy as np

from gramian._estimators.imputation.iterate import Completed, Recipe, complete, filler_of
from gramian._estimators.imputation.metrics import Numbers
from gramian.errors import InputError


@dataclass(frozen=True, eq=False)
class Draws:
    """Tables that could have been, around one that is the most likely."""

    values: np.ndarray  # (b, n, p)
    base: Completed
    reconstruction: np.ndarray  # (n, p), of the q axes without shrinkage
    sigma: float  # deviation of the noise, in deviations of the columns where they are scaled


def draws(
    X: np.ndarray,
    w: np.ndarray,
    recipe: Recipe,
    question: np.ndarray,
    count: int,
    rng: np.random.Generator,
) -> Draws:
    """Return completed tables that differ as much as what was filled in is uncertain.

    Numbers are a signal of q axes and normal noise. New tables are drawn around the estimated
    signal, with the same values missing, and completed: their signals vary as the estimate does.
    Tables with categories are completed with resampled weights of rows. Each missing value gets
    noise around its signal, or a level drawn by its shares.
    """
    base = complete(X[None], w[None], recipe)
    loose = replace(recipe, method="em")
    signal = filler_of(base.values, w[None], loose).reconstruct(base.values)[0]
    number = question < 0
    spread = _spread(base.values[0], recipe)
    sigma, free = _sigma(X, signal, spread, recipe, number) if number.any() else (0.0, 1.0)
    missing = np.isnan(X)
    # The variance of the noise is an estimate too: each table has its own.
    units = spread * sigma * np.sqrt(free / rng.chisquare(free, size=(count, 1, 1)))
    noise = units * rng.standard_normal((count, *X.shape))
    if number.all():
        weights = np.broadcast_to(w, (count, len(w)))
        again = complete(np.where(missing, np.nan, signal + noise), weights, recipe).values
        noise = units * rng.standard_normal((count, *X.shape))
        signals = filler_of(again, weights, loose).reconstruct(again)
    else:
        weights = w * rng.multinomial(len(w), np.full(len(w), 1.0 / len(w)), size=count)
        weights = weights / weights.sum(axis=1, keepdims=True)
        signals = complete(np.broadcast_to(X, (count, *X.shape)), weights, recipe).values
    values = np.where(missing, signals + np.where(number, noise, 0.0), X)
    for k in range(int(question.max()) + 1):
        own = question == k
        values[:, :, own] = _levels(values[:, :, own], missing[:, own][:, 0], rng)
    return Draws(values, base, signal, sigma)


def _levels(block: np.ndarray, missing: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return the indicators of a variable, (b, n, k), with levels drawn where they are missing."""
    share = np.maximum(block[:, missing], 0.0).cumsum(axis=2)
    share /= np.maximum(share[:, :, -1:], np.finfo(float).tiny)
    drawn = (rng.random((*share.shape[:2], 1)) >= share).sum(axis=2)
    out = block.copy()
    width = block.shape[2]
    out[:, missing] = np.minimum(drawn, width - 1)[:, :, None] == np.arange(width)
    return out


def _spread(table: np.ndarray, recipe: Recipe) -> np.ndarray:
    """Return the unit of the noise of each column: its deviation (n − 1) where it is scaled."""
    plain = isinstance(recipe.metric, Numbers) and not recipe.metric.scale
    spread = np.ones(table.shape[1]) if plain else table.std(axis=0, ddof=1)
    return np.where(spread > 0, spread, 1.0)


def _sigma(
    X: np.ndarray, signal: np.ndarray, spread: np.ndarray, recipe: Recipe, number: np.ndarray
) -> tuple[float, float]:
    """Return the deviation of the noise of numbers, what axes leave of them, and what is free."""
    q, (n, p) = recipe.q, X.shape
    known = ~np.isnan(X[:, number])
    count = int(known.sum())
    p = recipe.metric.columns(p)
    share = int(number.sum()) / p  # of the axes, that numbers pay for
    free = count - share * (p + q * (n - 1 + p - q))
    if free <= 0:
        raise InputError(
            f"n_components={q} leaves nothing to measure the noise by, with {count} known values: "
            "take fewer axes"
        )
    rest = ((X - signal) / spread)[:, number][known]
    return float(np.sqrt((rest**2).sum() / free)), float(free)
