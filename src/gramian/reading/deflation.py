"""Parallel analysis after deflation: each axis against the noise left without those before it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from scipy import optimize, stats

from gramian.reading.null import Progress, Spectra, compare, p_values
from gramian.reading.parallel import NullTable
from gramian.reading.residual import residual
from gramian.reading.shuffle import Draw, quickest

__all__ = ["deflated", "deterministic", "noise_law"]

Noise = tuple[float, np.ndarray, Spectra, float]
AxisTest = tuple[float, float, float, float]  # p-value, mean and level of the null, eigenvalue


def residuals(table: NullTable) -> Iterator[tuple[int, np.ndarray, np.ndarray]]:
    """Yield k, the columns less their first k principal components, and the eigenvalues."""
    n = table.values.shape[1]
    root = np.full(n, n**-0.5) if table.weights is None else np.sqrt(table.weights)
    U, s, Vt = np.linalg.svd(table.values * root, full_matrices=False)
    # In the rows' own metric: the columns of the residual keep their weighted mean of zero.
    for k in range(min(len(s), n - 1)):
        rest = (U[:, k:] * s[k:]) @ Vt[k:] / root
        yield k, rest, s**2


def deflated(
    table: NullTable,
    spectra: Spectra,
    draw: Draw,
    rng: np.random.Generator,
    *,
    n_draws: int | None,
    alpha: float,
    by_rows: bool = False,
    progress: Progress | None = None,
) -> dict[str, Any]:
    """Test axis k + 1 against draws of the table without its first k axes, until one fails."""
    tests: list[AxisTest] = []
    most = drawn_before = 0
    for value, noise, top, c in _noises(table, spectra, by_rows):
        reference = compare(
            np.array([value / c]),
            noise,
            top,
            quickest(draw, noise, drawn_before),  # where many axes stood out, more are ahead
            rng,
            n_draws=n_draws,
            alpha=alpha,
            progress=progress,
        )
        most = max(most, len(reference.drawn))
        drawn_before += len(reference.drawn)
        drawn = reference.drawn[:, 0] * c
        level = float(np.quantile(drawn, 1 - alpha))
        tests.append((p_values(reference)[0], float(drawn.mean()), level, value))
        if tests[-1][0] > alpha * (1.0 + 1e-12):
            break
    return _fields(tests, table.square_unit, most, alpha)


def _noises(table: NullTable, spectra: Spectra, by_rows: bool) -> Iterator[Noise]:
    """Yield an eigenvalue, the noise to draw from, its largest eigenvalue and a factor of it.

    With weights the noise is the residual, and what it lost is made good by a factor for all.
    """
    p, n = table.values.shape
    if table.weights is not None:
        for k, rest, values in residuals(table):
            yield float(values[k]), rest, partial(_first, spectra), finite_size(n - 1, p, k)
        return
    U, s, Vt = np.linalg.svd(table.values.T, full_matrices=False)
    for k in range(min(len(s), n - 1)):
        left = residual(table.values, (U, s, Vt.T), k, scaled=table.scaled, by_rows=by_rows)
        yield float(s[k] ** 2 / n), left.noise, partial(_first, left.spectrum, n=n), 1.0


def _first(spectra: Spectra, columns: np.ndarray, n: int = 1) -> np.ndarray:
    return spectra(columns)[:1] / n


def finite_size(N: int, p: int, k: int) -> float:
    """Return what noise without k of its axes loses by being drawn over all rows and columns.

    The residual has N − k free rows and p − k free columns, but a draw spreads its inertia over N
    and p: its largest eigenvalue is too small by the ratio of the edges (√a + √b)² of both.

    >>> finite_size(100, 100, 0)
    1.0
    """
    edge = (np.sqrt(N - k) + np.sqrt(p - k)) ** 2 / (np.sqrt(N) + np.sqrt(p)) ** 2
    return float(edge * N * p / ((N - k) * (p - k)))


def deterministic(table: NullTable, alpha: float) -> dict[str, Any]:
    """Test axis k + 1 against the law of the largest eigenvalue of noise of the same variances."""
    p, n = table.values.shape
    w = table.weights
    N = n - 1 if w is None else 1.0 / float((w * w).sum()) - 1.0
    tests: list[AxisTest] = []
    for k, rest, values in residuals(table):
        variances = (rest * rest).mean(axis=1) if w is None else (rest * rest) @ w
        # The noise of each column, without what the k axes took of it.
        variances = variances * n / (n - 1) * (p / (p - k)) * (N / (N - k))
        edge, deviation = noise_law(variances, N - k, keep=p - k)
        edge, deviation = (x * (N - k) / (N + 1) for x in (edge, deviation))
        standard = (values[k] - edge) / deviation
        survival = float(stats.gamma.sf(standard + 9.84801, 46.446, scale=0.186054))
        level = edge + deviation * (stats.gamma.isf(alpha, 46.446, scale=0.186054) - 9.84801)
        tests.append((survival, float(edge - 1.2065 * deviation), float(level), float(values[k])))
        if survival > alpha:
            break
    return _fields(tests, table.square_unit, 0, alpha)


def noise_law(variances: np.ndarray, N: float, keep: int | None = None) -> tuple[float, float]:
    """Return the edge and the scale of fluctuation of the largest eigenvalue of YᵀY/N.

    Y has N rows of independent columns with these variances. The edge is the maximum of
    z(c) = 1/c + Σ t/(1 − t·c)/N over 0 < c < 1/max t (Silverstein); around it the eigenvalue
    follows the Tracy–Widom law with scale σ·N^{−2/3}, σ³ = (1 + Σ (t·c/(1 − t·c))³/N)/c³
    (El Karoui 2007). With `keep`, the sums count as many columns.
    """
    t = variances[variances > 0]
    share = 1.0 if keep is None else keep / len(variances)

    def slope(u: float) -> float:  # c = u/max t
        x = t * (u / t.max())
        return float(share * np.sum((x / (1.0 - x)) ** 2) / N - 1.0)

    u = optimize.brentq(slope, 1e-12, 1.0 - 1e-12, xtol=1e-15)
    c = u / t.max()
    x = t * c
    edge = (1.0 + share * np.sum(x / (1.0 - x)) / N) / c
    sigma = (1.0 + share * np.sum((x / (1.0 - x)) ** 3) / N) ** (1 / 3) / c
    return float(edge), float(sigma * N ** (-2 / 3))


def _fields(tests: list[AxisTest], square: float, n_draws: int, alpha: float) -> dict[str, Any]:
    p, mean, level, values = (np.array(column) for column in zip(*tests, strict=True))
    failing = np.flatnonzero(p > alpha * (1.0 + 1e-12))
    axes = pd.RangeIndex(1, len(p) + 1, name="axis")
    return {
        "n_components": int(failing[0]) if failing.size else len(p),
        "p_values": p,
        "reference": pd.DataFrame({"mean": mean * square, "quantile": level * square}, index=axes),
        "eigenvalues": values * square,
        "n_permutations": n_draws,
    }
