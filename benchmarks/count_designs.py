"""Tables of counts with a known answer, for the count of false and missed claims."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd

from benchmarks.claim_designs import Design, Maker, Rng, frame

__all__ = ["COUNTS"]

Noise = Callable[[Rng, np.ndarray], np.ndarray]


def independent(rng: Rng, M: np.ndarray) -> np.ndarray:
    """Return counts of individuals, each counted once."""
    return rng.multinomial(round(M.sum()), (M / M.sum()).ravel()).reshape(M.shape)


def negative_binomial(size: float) -> Noise:
    """Return counts of variances M + M²/size."""
    return lambda rng, M: rng.poisson(M * rng.gamma(size, 1 / size, M.shape))


def clustered(rng: Rng, M: np.ndarray) -> np.ndarray:
    """Return counts of variances 4·M, of individuals that come in clusters."""
    return rng.poisson(rng.gamma(M / 3, 3.0))


def dirichlet_rows(rng: Rng, M: np.ndarray) -> np.ndarray:
    """Return rows each of which has shares of its own, of which individuals are drawn."""
    shares = rng.gamma(19 * M / M.sum(axis=1, keepdims=True))
    shares = (shares + 1e-9) / (shares + 1e-9).sum(axis=1, keepdims=True)
    return np.array([rng.multinomial(round(m.sum()), s) for m, s in zip(M, shares, strict=True)])


def _sides(rng: Rng, n: int, count: int) -> np.ndarray:
    """Return ±1, which cut n in more and more parts."""
    waves = np.cos(np.pi * np.outer(np.arange(n) + 0.5, np.arange(1, count + 1)) / n)
    return np.where(waves >= 0, 1.0, -1.0)[rng.permutation(n)]


def counted(
    n: int, p: int, mean: float, spread: float, noise: Noise, axes: tuple[float, ...] = ()
) -> Maker:
    """Return counts by rows and columns of lognormal totals, with axes of such sizes."""

    def make(rng: Rng) -> pd.DataFrame:
        M = np.outer(rng.lognormal(0, spread, n), rng.lognormal(0, spread, p))
        M *= mean / M.mean()
        M *= 1 + (_sides(rng, n, len(axes)) * np.array(axes)) @ _sides(rng, p, len(axes)).T
        return frame(noise(rng, M))

    return make


_LAWS: list[tuple[str, Noise]] = [
    ("independent counts", independent),
    ("negative binomial(10)", negative_binomial(10)),
    ("negative binomial(2)", negative_binomial(2)),
]
_SIZES = [(8, 5), (12, 6), (30, 8), (100, 20), (200, 40)]
_TIES = {1: (0.5,), 2: (0.5, 0.4), 3: (0.35, 0.3, 0.25)}


def _tied(n: int, p: int, count: int, mean: float, name: str, noise: Noise) -> Design:
    noun = "axis" if count == 1 else "axes"
    title = f"{name} {n} × {p}, {count} true {noun}"
    make = counted(n, p, mean, 0.5, noise, _TIES[count])
    return Design(title, make, ("axes",), ("axes",), axes=count, method="ca")


def _untied(title: str, make: Maker, noise: Noise) -> Design:
    return Design(title, make, method="ca", counted_once=noise is independent)


COUNTS = [
    *(
        _untied(f"{name} {n} × {p}", counted(n, p, 50, 1.0, noise), noise)
        for n, p in _SIZES
        for name, noise in _LAWS
    ),
    *(
        _untied(f"{name}, equal totals {n} × {p}", counted(n, p, 50, 0.1, noise), noise)
        for n, p in _SIZES[:3]
        for name, noise in _LAWS[1:]
    ),
    *(
        _untied(f"{name}, mean of 4, {n} × {p}", counted(n, p, 4, 0.3, noise), noise)
        for n, p in _SIZES[1:4]
        for name, noise in (_LAWS[0], _LAWS[2])
    ),
    *(
        _untied(f"{name} {n} × {p}", counted(n, p, 20, 0.7, noise), noise)
        for n, p in _SIZES[:3]
        for name, noise in (("clustered counts", clustered), ("Dirichlet rows", dirichlet_rows))
    ),
    *(_tied(*size, 1, 30, *_LAWS[k]) for size in _SIZES[:4] for k in (0, 1)),
    *(_tied(*size, 2, 30, *_LAWS[k]) for size in _SIZES[1:4] for k in (0, 1)),
    *(_tied(*size, 3, 30, *_LAWS[k]) for size in _SIZES[2:] for k in (0, 1)),
]
