"""Tests of axes one after the other, each against the noise left without those before it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy import optimize, stats

from gramian._nulls.draws import column_draw
from gramian._nulls.p_values import count_axes, is_clear, two_looks
from gramian._nulls.spectra import Progress, Reference, TableSpectrum, compare

# Flips come second: a few rows of another variance, which no check sees in a small table, make an
# axis against permuted columns and none against flipped signs.
NULLS = {
    "permutation": ("permutation", "signflip"),
    "signflip": ("signflip",),
    "normal": ("normal",),
    "shifts": ("shifts", "signflip"),
}
USUAL_DRAWS = 199  # for each null and axis
_EQUAL_SIZES = 1e-6  # relative: columns of one size are standardised columns
_LEVERAGE = 0.45  # of a column on the axes, over which its noise cannot be separated from others'
_MAX_LEVERAGE = 0.95  # of a column on the axes, for any estimate
_LEAST_SHARE = 0.5  # of the variance of a residual, where others leak into it


@dataclass(frozen=True)
class AxisTest:
    """The test of one axis."""

    p_value: float  # the largest so far: an axis is above noise only after those before it
    eigenvalue: float
    mean: float  # of the largest eigenvalue under the first null
    level: float  # its quantile of order 1 − alpha
    n_draws: int = 0
    spectra: np.ndarray | None = None  # of the draws of the first null, (B, m)


def axis_tests(
    columns: np.ndarray,
    nulls: Sequence[str],
    rng: np.random.Generator,
    *,
    n_draws: int | None = None,
    exactly: bool = False,
    alpha: float = 0.05,
    scaled: bool | None = None,
    weights: np.ndarray | None = None,
    progress: Progress | None = None,
) -> list[AxisTest]:
    """Test axis k + 1 of centred columns, (p, n), against draws of their residual without k axes.

    Every one of the nulls must fail, so the largest p-value counts, and after one that holds no
    other is drawn. The tests end with the first axis that noise reaches with probability above
    alpha, so that the chance of one axis too many is alpha, whatever their number. The last axis
    has nothing beside it and is not tested.

    `n_draws` is at most for each null, 99 where they leave no doubt, or `exactly` so many.
    `scaled` tells whether columns are standardised; None: where their sizes are equal.
    """
    n_draws = USUAL_DRAWS if n_draws is None else n_draws
    looks = [n_draws] if exactly else two_looks(n_draws)
    scaled = has_equal_sizes(columns) if scaled is None else scaled
    p, n = columns.shape
    axes = _axes(columns, weights)
    tests: list[AxisTest] = []
    largest = 0.0
    for k in range(max(min(p, n - 1) - 1, 1)):
        first: Reference | None = None
        for null in nulls:
            rest = _residual_under(null, columns, axes, k, scaled=scaled, weights=weights)
            reference = compare(
                np.array([rest.value]),
                rest.noise,
                rest.spectrum,
                column_draw(null, rest.noise),
                rng,
                looks=looks,
                is_settled=None if exactly else _is_clear,
                progress=progress,
            )
            largest = max(largest, float(reference.p_values()[0]))
            first = reference if first is None else first
            if not count_axes(np.array([largest]), alpha):
                break
        assert first is not None
        top = first.drawn[:, 0]
        level = float(np.quantile(top, 1 - alpha))
        test = (largest, rest.value, float(top.mean()), level, len(top), first.drawn)
        tests.append(AxisTest(*test))
        if not count_axes(np.array([largest]), alpha):
            break
    return tests


def _is_clear(reference: Reference) -> bool:
    observed, p = float(reference.observed[0]), float(reference.p_values()[0])
    return is_clear(observed, reference.drawn[:, 0], p)


def has_equal_sizes(columns: np.ndarray) -> bool:
    """Whether columns, (p, n), have one size, as standardised ones have."""
    sizes = columns.std(axis=1)
    sizes = sizes[sizes > 0]
    return bool(sizes.size and np.ptp(sizes) <= _EQUAL_SIZES * sizes.max())


Axes = tuple[np.ndarray, np.ndarray, np.ndarray]


def _axes(columns: np.ndarray, weights: np.ndarray | None) -> Axes:
    """Return U, s and V of the table, with rows in the metric of their weights."""
    n = columns.shape[1]
    root = np.full(n, n**-0.5) if weights is None else np.sqrt(weights)
    V, s, Ut = np.linalg.svd(columns * root, full_matrices=False)
    return Ut.T, s, V


def _without(columns: np.ndarray, axes: Axes, k: int, weights: np.ndarray | None) -> np.ndarray:
    """Return the columns less their first k principal components, of weighted mean zero."""
    U, s, V = axes
    n = columns.shape[1]
    root = np.full(n, n**-0.5) if weights is None else np.sqrt(weights)
    return np.asarray(columns - (V[:, :k] * s[:k]) @ U[:, :k].T / root)


def _residual_under(
    null: str, columns: np.ndarray, axes: Axes, k: int, *, scaled: bool, weights: np.ndarray | None
) -> Residual | WeightedResidual:
    """Return the residual without k axes, for a null model."""
    if weights is None:
        return residual(columns, axes, k, scaled=scaled, by_rows=null == "signflip")
    # What draws of weighted rows lack is made good by one factor for all.
    factor = finite_size(columns.shape[1] - 1, len(columns), k)
    spectrum = null_spectrum(columns, weights, null, scaled and k == 0)
    spectrum = replace(spectrum, factor=factor)
    return WeightedResidual(_without(columns, axes, k, weights), spectrum, float(axes[1][k] ** 2))


class WeightedResidual(NamedTuple):
    """The residual of weighted rows, the eigenvalues of its draws, and the largest of its own."""

    noise: np.ndarray
    spectrum: TableSpectrum
    value: float


def null_spectrum(
    columns: np.ndarray, weights: np.ndarray | None, null: str, scaled: bool
) -> TableSpectrum:
    """Return the spectrum function for tables drawn from a null model of PCA."""
    size = columns if weights is None else columns * np.sqrt(weights)
    redraws = null != "permutation" or weights is not None
    norms = np.sqrt(np.einsum("ij,ij->i", size, size)) if scaled and redraws else None
    return TableSpectrum(weights, centre=null != "permutation", norms=norms)


@dataclass(frozen=True)
class Residual:
    """The residual of a centred table without its first k axes, and the noise to draw from.

    The residual is (I − UUᵀ)·E·(I − VVᵀ), E the noise. `noise` is E as well as it is known, and
    every draw of it loses the directions U and V as the data did: under heavy tails a wild cell
    keeps all its weight but (1 − u²)(1 − v²), in the draws as in the data.
    """

    noise: np.ndarray  # (p, n), by columns
    U: np.ndarray  # (n, k)
    V: np.ndarray  # (p, k)
    value: float  # the largest eigenvalue of the data's residual
    norms: np.ndarray | None  # sizes that columns of a draw are brought back to

    def spectrum(self, columns: np.ndarray) -> np.ndarray:
        """Return the eigenvalues of a draw, (p, n), in descending order."""
        E = columns - columns.mean(axis=1, keepdims=True)
        if self.norms is not None:
            size = np.sqrt(np.einsum("ij,ij->i", E, E))
            E *= (self.norms / np.where(size > 0, size, 1.0))[:, None]
        E, A, B = (E.T, self.V, self.U) if len(E) <= E.shape[1] else (E, self.U, self.V)
        G = E.T @ E
        if A.shape[1]:
            # Of (I − BBᵀ)·E·(I − AAᵀ), without a table of its size: few axes, a small matrix.
            lost = B.T @ E
            G -= lost.T @ lost
            G -= A @ (A.T @ G)
            G -= (G @ A) @ A.T
        return np.asarray(np.maximum(np.linalg.eigvalsh(G)[::-1], 0.0) / columns.shape[1])


def residual(
    columns: np.ndarray, axes: Axes, k: int, *, scaled: bool = False, by_rows: bool = False
) -> Residual:
    """Return what is left of centred columns, (p, n), without their first k axes, and its noise."""
    # `by_rows` is for rows of their own variances, which lose their own part of them.
    n = columns.shape[1]
    U, s, V = axes
    U, V = U[:, :k], V[:, :k]
    rest = _without(columns, axes, k, None)
    if by_rows:
        mean = np.full((n, 1), n**-0.5)  # the columns' means are taken off too
        rows = noise_ratio(rest, np.hstack([mean, U]))
    else:
        rows = np.full(n, np.sqrt((n - 1) / (n - 1 - k)))
    noise = rest * noise_ratio(rest.T, V)[:, None] * rows
    norms = np.sqrt(np.einsum("ij,ij->i", rest, rest)) if scaled and k == 0 else None
    return Residual(np.ascontiguousarray(noise), U, V, float(s[k] ** 2), norms)


def noise_ratio(rest: np.ndarray, V: np.ndarray) -> np.ndarray:
    """Return, per column, the deviation of the noise divided by that of the residual."""
    # The residual of column j has variance d_j·(1 − 2h_j) + v_jᵀ·(Σ d_l v_l v_lᵀ)·v_j, where h_j is
    # |v_j|² and d the variances of the noise: solved for d by iteration.
    variance = np.einsum("ij,ij->j", rest, rest)
    variance = np.where(variance > 0, variance, 1.0)
    h = np.minimum(np.einsum("jk,jk->j", V, V), _MAX_LEVERAGE)
    # Where all columns have one variance it is this, and between these bounds in any case.
    one = variance.sum() / (1.0 - h).sum()
    d = alike = np.clip(one, variance, variance / (1.0 - h))
    own = h < _LEVERAGE
    for _ in range(5):
        leak = np.einsum("jk,kl,jl->j", V, (V * d[:, None]).T @ V, V)
        solved = (variance - leak) / np.where(own, 1.0 - 2.0 * h, 1.0)
        d = np.where(own, np.clip(solved, _LEAST_SHARE * variance, variance / (1 - h) ** 2), alike)
    ratio: np.ndarray = np.sqrt(d / variance)
    return ratio


def finite_size(N: int, p: int, k: int) -> float:
    """Return what noise without k of its axes loses by being drawn over all rows and columns."""
    # The residual has N − k free rows and p − k free columns, but a draw spreads its inertia over N
    # and p: its largest eigenvalue is too small by the ratio of the edges (√a + √b)² of both.
    edge = (np.sqrt(N - k) + np.sqrt(p - k)) ** 2 / (np.sqrt(N) + np.sqrt(p)) ** 2
    return float(edge * N * p / ((N - k) * (p - k)))


def deterministic_tests(
    columns: np.ndarray, weights: np.ndarray | None, alpha: float
) -> list[AxisTest]:
    """Test axis k + 1 against the law of the largest eigenvalue of noise of the same variances."""
    (p, n), w = columns.shape, weights
    N = n - 1 if w is None else 1.0 / float((w * w).sum()) - 1.0
    tests: list[AxisTest] = []
    axes = _axes(columns, weights)
    for k in range(min(len(axes[1]), n - 1)):
        rest, value = _without(columns, axes, k, weights), float(axes[1][k] ** 2)
        variances = (rest * rest).mean(axis=1) if w is None else (rest * rest) @ w
        # The noise of each column, without what the k axes took of it.
        variances = variances * n / (n - 1) * (p / (p - k)) * (N / (N - k))
        edge, deviation = noise_law(variances, N - k, keep=p - k)
        edge, deviation = (x * (N - k) / (N + 1) for x in (edge, deviation))
        standard = (value - edge) / deviation
        survival = float(stats.gamma.sf(standard + 9.84801, 46.446, scale=0.186054))
        level = edge + deviation * (stats.gamma.isf(alpha, 46.446, scale=0.186054) - 9.84801)
        mean = float(edge - 1.2065 * deviation)
        tests.append(AxisTest(survival, value, mean, float(level)))
        if survival > alpha:
            break
    return tests


def noise_law(variances: np.ndarray, N: float, keep: int | None = None) -> tuple[float, float]:
    """Return the edge and the scale of fluctuation of the largest eigenvalue of YᵀY/N."""
    # Y has N rows of independent columns with these variances. The edge is the maximum of z(c) =
    # 1/c + Σ t/(1 − t·c)/N over 0 < c < 1/max t (Silverstein); around it the eigenvalue follows the
    # Tracy–Widom law with scale σ·N^{−2/3}, σ³ = (1 + Σ (t·c/(1 − t·c))³/N)/c³ (El Karoui 2007).
    # With `keep`, the sums count as many columns.
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
