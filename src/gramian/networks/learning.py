"""Agreement against the number of replicates, beyond what the data show, and how many are enough.

Three families of learning curves are fitted at once. Each has a scale on which agreement is near
to a parabola in x = log(r − 1) − log(ρ − 1), ρ the number of replicates at which it is 0.8:

    g(s) = g(0.8) + b·x + c·x²,   g(s) = log(s/(1 − s)), Φ⁻¹(s) or −log(1 − s).

r − 1 is what r replicates leave once their mean is known. What b and c may be is stated below as a
prior; ρ is any number, on a logarithmic scale. The curves that remain, weighted by how well they
fit, give the band, the number of replicates and its interval.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy import stats
from scipy.special import expit, logit, ndtr, ndtri

_ANCHOR = 0.8
RANGE = 200  # replicates with which all designs of the prior reach it
_MAX_REPLICATES = 3000.0  # replicates at which it may be reached
_N_SCALES = 160  # values of ρ
_DRAWS = 48  # of (b, c) for each
_MIN_AGREEMENT, _MAX_AGREEMENT = 0.02, 0.98  # agreements beyond which scales have no end
_MIN_USED_AGREEMENT = 0.05  # agreement from which a size has a say
_DECAY = 0.25  # errors at two sizes have the correlation exp(−0.25·|log of their ratio|)
_MISFIT = 0.08  # of a curve to its family, on the scale of log-odds
_NEGLIGIBLE = 1e-6  # of the best curve's weight
_MIN_VARIANCE = 0.1  # of the jackknife's, below which taking its noise off does not bring it
_CEILINGS = (0.7, 0.85)  # limits that agreement may have
_P_LIMITED = 0.01  # the weight of each before anything is seen, beside 1 of those without a limit
_NEAR = 0.9  # of a limit, beyond which agreement is not believed to have it
_REACH = 4  # how far beyond the sizes seen to look, in the largest of them
_MAX_NUMBER = 50  # that is recommended from however few sizes
_EXTRA_SIZES = 8  # of a curve, beyond those that were seen
_ABOVE_CHANCE = 0.05  # by how much agreement must be above it, of what is left to 1


class Family(NamedTuple):
    """A scale for agreement, and the parabolas that agreement follows on it."""

    scale: Callable[[np.ndarray], np.ndarray]
    back: Callable[[np.ndarray], np.ndarray]
    slope: Callable[[np.ndarray], np.ndarray]
    mean: tuple[float, float]  # of b and c, where ρ = 11
    trend: tuple[float, float]  # by how much it changes when ρ − 1 is e times as large
    sd: tuple[float, float]
    correlation: float
    reach: float = 1.5  # of log(ρ − 1), to both sides of log 10, over which the mean changes
    ceiling: float = 1.0  # which agreement never exceeds; ρ and the scale are those of s/ceiling
    weight: float = 1.0  # before anything is seen


# Means and trends are the regressions of b and c on log(ρ − 1) over random designs
# (benchmarks/replicate_prior.py): 100 with a gap between links and no links, which reach an
# agreement of 0.8 with at most 50 replicates (30 to 150 genes in modules, links from 0.6 to 0.99,
# normal, t with 3 degrees of freedom and lognormal, as many edges as are planted), and 60 of graded
# links, which reach it with at most 200 (chains, trees, hubs, modules and factors of unequal
# loadings, as many edges as are significant). Curves of the latter are much flatter. Spreads are
# 1.4 to 2.2 times what these leave. The power law's c is held so low that agreement can be 0.
_GAP = {
    "log-odds": Family(
        scale=logit,
        back=expit,
        slope=lambda s: 1.0 / (s * (1.0 - s)),
        mean=(2.68, -0.27),
        trend=(-0.71, 0.23),
        sd=(0.72, 0.4),
        correlation=0.6,
    ),
    "probit": Family(
        scale=ndtri,
        back=ndtr,
        slope=lambda s: np.sqrt(2.0 * np.pi) * np.exp(0.5 * ndtri(s) ** 2),
        mean=(1.61, -0.17),
        trend=(-0.4, 0.16),
        sd=(0.41, 0.22),
        correlation=0.5,
    ),
    "power": Family(
        scale=lambda s: -np.log1p(-s),
        back=lambda y: -np.expm1(-np.maximum(y, 0.0)),
        slope=lambda s: 1.0 / (1.0 - s),
        mean=(2.05, 0.62),
        trend=(-0.45, -0.2),
        sd=(0.55, 0.41),
        correlation=0.93,
    ),
}
_GRADED: dict[str, dict[str, Any]] = {
    "log-odds": {"mean": (1.47, 0.09), "trend": (-0.42, -0.11), "sd": (0.4, 0.25)},
    "probit": {"mean": (0.85, 0.02), "trend": (-0.23, -0.05), "sd": (0.23, 0.13)},
    "power": {"mean": (1.14, 0.30), "trend": (-0.24, -0.12), "sd": (0.34, 0.19)},
}
GRADED, LIMITED = "graded ", "limited "
FAMILIES = _GAP | {
    GRADED + name: _GAP[name]._replace(**law, reach=3.0) for name, law in _GRADED.items()
}


def limited(
    families: dict[str, Family], ceilings: tuple[float, ...], weight: float
) -> dict[str, Family]:
    """Return families whose agreement never exceeds a ceiling, each of this weight."""
    # Where links are as strong as others that are not taken, or more edges are taken than there are
    # links, networks never agree by 0.8.
    return {
        f"{LIMITED}{ceiling} {name}": family._replace(ceiling=ceiling, weight=weight)
        for name, family in families.items()
        for ceiling in ceilings
    }


_FREE = {name: FAMILIES[name] for name in ("log-odds", GRADED + "log-odds")}
FAMILIES |= limited(_FREE, _CEILINGS, _P_LIMITED)
# Links that are counted in few contrasts are often fewer than there are, and then some of those of
# equal strength, which no experiment finds again.
UNCERTAIN_FAMILIES = FAMILIES | limited(_FREE, _CEILINGS, 10.0 * _P_LIMITED)


@dataclass(frozen=True, eq=False)
class Curves:
    """Curves that agree with the data, at sizes 2, 3, …, and how probable each is."""

    sizes: np.ndarray
    values: np.ndarray  # (curves, sizes), never falling
    weights: np.ndarray
    families: dict[str, float]

    def at(self, sizes: np.ndarray, shares: tuple[float, ...]) -> np.ndarray:
        """Return quantiles of agreement at some sizes, (shares, sizes)."""
        columns = self.values[:, np.asarray(sizes) - self.sizes[0]]
        return np.array([_quantiles(column, self.weights, shares) for column in columns.T]).T

    def least(self, target: float, shares: tuple[float, ...]) -> np.ndarray:
        """Return quantiles of the least size with this agreement; infinite beyond the last."""
        good = self.values >= target
        first = np.where(good.any(axis=1), self.sizes[good.argmax(axis=1)], np.inf)
        return _quantiles(first, self.weights, shares)


def curves(
    sizes: np.ndarray,
    agreement: np.ndarray,
    se: np.ndarray,
    last: int,
    families: dict[str, Family] = FAMILIES,
) -> Curves:
    """Return the curves, up to a last size, that agreements and their standard errors allow."""
    # Where next to nothing is found again a curve is not what it is near the target.
    used = (agreement >= _MIN_USED_AGREEMENT) | (sizes == sizes[-1])
    x = np.log(sizes[used] - 1.0)
    grid = np.arange(2, last + 1)
    # One size shows no slope: then the prior alone bounds the number, within its own range.
    farthest = RANGE - 1.0 if len(sizes) == 1 else _MAX_REPLICATES
    scales = np.linspace(np.log(0.5), np.log(farthest), _N_SCALES)
    fits = [_fit(family, agreement[used], se[used], x, scales) for family in families.values()]
    best = max(float(fit.weight.max()) for fit in fits)
    weights = [np.exp(fit.weight - best) for fit in fits]
    kept = [weight > _NEGLIGIBLE for weight in weights]
    ends = np.cumsum([0, *(int(each.sum()) for each in kept)])
    values = np.empty((ends[-1], _DRAWS, grid.size))
    for family, fit, each, start, end in zip(
        families.values(), fits, kept, ends[:-1], ends[1:], strict=True
    ):
        _draw_curves(family, fit, scales, np.log(grid - 1.0), each, out=values[start:end])
    shares = {name: float(w.sum()) for name, w in zip(families, weights, strict=True)}
    total = sum(shares.values())
    known = {name: share / total for name, share in shares.items()}
    weight = np.concatenate([w[each] / _DRAWS for w, each in zip(weights, kept, strict=True)])
    weight = np.repeat(weight, _DRAWS)
    return Curves(grid, values.reshape(-1, grid.size), weight / weight.sum(), known)


class _Fit(NamedTuple):
    """For each scale ρ: its log-likelihood, and the law of (b, c)."""

    weight: np.ndarray  # (m,)
    mean: np.ndarray  # (m, 2)
    root: np.ndarray  # (m, 2, 2)


def _fit(family: Family, s: np.ndarray, se: np.ndarray, x: np.ndarray, scales: np.ndarray) -> _Fit:
    """Return what the data say of each ρ, b and c being normal given it."""
    near = family.ceiling < 1.0 and float(s.max()) > _NEAR * family.ceiling
    s = np.clip(s / family.ceiling, _MIN_AGREEMENT, _MAX_AGREEMENT)
    se = se / family.ceiling
    steep = family.slope(s)
    sd = se * steep
    noise = np.exp(-_DECAY * np.abs(x[:, None] - x)) * np.outer(sd, sd)
    far = 1.0 + x[-1] - x  # smaller sizes say less of what lies beyond the largest
    noise += np.diag((_MISFIT * far * steep * s * (1.0 - s)) ** 2)
    spread = np.array(family.sd)
    away = np.clip(scales - np.log(10.0), -family.reach, family.reach)
    mean = np.array(family.mean) + away[:, None] * np.array(family.trend)  # (m, 2)
    off = family.correlation * spread.prod()
    V = np.array([[spread[0] ** 2, off], [off, spread[1] ** 2]])
    L = x - scales[:, None]
    A = np.stack([L, L**2], axis=2)  # (m, k, 2)
    gap = family.scale(s) - family.scale(np.array(_ANCHOR)) - np.einsum("mkj,mj->mk", A, mean)
    K = noise + A @ V @ A.transpose(0, 2, 1)
    solved = np.linalg.solve(K, np.concatenate([gap[:, :, None], A], axis=2))
    lost = 0.5 * np.einsum("mk,mk->m", gap, solved[:, :, 0]) + 0.5 * np.linalg.slogdet(K)[1]
    shift = V @ A.transpose(0, 2, 1)
    left = V - shift @ solved[:, :, 1:] @ V
    left = 0.5 * (left + left.transpose(0, 2, 1)) + 1e-9 * np.eye(2)
    # Densities on different scales are compared on that of agreement itself.
    weight = np.log(steep / family.ceiling).sum() - lost + np.log(family.weight)
    if near:  # so near to its limit a curve would be seen to level off
        weight = weight + np.log(_NEGLIGIBLE)
    return _Fit(weight, mean + (shift @ solved[:, :, :1])[:, :, 0], np.linalg.cholesky(left))


def _draw_curves(
    family: Family,
    fit: _Fit,
    scales: np.ndarray,
    x: np.ndarray,
    kept: np.ndarray,
    out: np.ndarray,
) -> None:
    """Draw curves from the law of (b, c), the same for the same data, into (m, draws, sizes)."""
    half = np.random.default_rng(0).standard_normal((_DRAWS // 2, 2))
    z = np.concatenate([half, -half])
    both = fit.mean[kept][:, None] + z @ fit.root[kept].transpose(0, 2, 1)  # (m, draws, 2)
    b, c = both[..., :1], both[..., 1:]
    turn = -b / (2.0 * np.where(c == 0.0, 1e-12, c))  # level beyond the vertex
    low, high = np.where(c > 0, turn, -np.inf), np.where(c > 0, np.inf, turn)
    anchor = family.scale(np.array(_ANCHOR))
    for height, scale, *each in zip(out, scales[kept], b, c, low, high, strict=True):
        slope, bend, least, most = each
        L = np.minimum(np.maximum(x - scale, least), most)  # one scale at a time: it stays in cache
        np.multiply(slope, L, out=height)
        height += anchor
        np.multiply(L, L, out=L)
        L *= bend
        height += L
        np.maximum.accumulate(height, axis=1, out=height)
        height[:] = family.back(height)
        if family.ceiling != 1.0:
            height *= family.ceiling


def _quantiles(values: np.ndarray, weights: np.ndarray, shares: tuple[float, ...]) -> np.ndarray:
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    at = np.minimum(np.searchsorted(reached, shares), values.size - 1)
    return values[order[at]]


class Estimate(NamedTuple):
    """A number and its variance."""

    value: float
    variance: float


class Recommendation(NamedTuple):
    """The least number of replicates, and an interval for it (to infinity where open).

    `reason` says why there is no number: "chance" (networks agree no more than those of tables
    without links), "kernel" (those agree as much as is required) or "far" (it is out of reach).
    """

    size: int | None
    low: int
    high: float
    extrapolated: bool
    reason: str
    curves: Curves

    def curve(
        self,
        seen: Sequence[int],
        level: float,
        sizes: Sequence[int] | None = None,
        further: Iterable[int] = (),
    ) -> pd.DataFrame:
        """Return agreement with its band at some sizes, by default those seen and some beyond."""
        last = int(self.curves.sizes[-1])
        if sizes is None:
            ends = [end for end in (self.size or 0, self.high) if np.isfinite(end)]
            end = min(last, max(2 * int(seen[-1]), round(1.25 * max(ends))))
            more = np.geomspace(seen[-1], end, _EXTRA_SIZES).round()
            sizes = sorted({int(r) for r in (*seen, *further, *more)})
        index = pd.Index([r for r in sizes if r <= last], name="size")
        shares = (0.5 - 0.5 * level, 0.5, 0.5 + 0.5 * level)
        low, middle, high = self.curves.at(index.to_numpy(), shares)
        columns = {"agreement": middle, "agreement_low": low, "agreement_high": high}
        return pd.DataFrame(columns, index).assign(seen=index.isin(seen), observed=np.nan)


def change_of(part: dict[str, np.ndarray], strata: np.ndarray) -> Estimate:
    """Return the expected change between two experiments, with its variance."""
    # That is the jackknife's, Σ_s (n_s − 1)/n_s·Σ_i (θ_i − mean)² over strata s, θ_i without thing
    # i, less what the finite number of orders adds to it, plus the variance of their mean.
    values, without = part["change"], part["change_without"]
    theta, B = without.mean(axis=1), values.size
    raw = noise = 0.0
    for s in np.unique(strata):
        own = strata == s
        share = (own.sum() - 1.0) / own.sum()
        raw += share * float(((theta[own] - theta[own].mean()) ** 2).sum())
        noise += share**2 * float((without[own] - values).var(axis=1, ddof=1).sum()) / B
    spread = float(values.var(ddof=1)) / B
    return Estimate(float(values.mean()), max(raw - noise, _MIN_VARIANCE * raw) + spread)


def mean_of(estimates: list[Estimate]) -> tuple[float, float]:
    """Return the mean of independent numbers and its standard error."""
    values, variances = np.array(estimates).T
    return float(values.mean()), float(np.sqrt(variances.sum())) / len(estimates)


def is_above_chance(agreement: float, chance: float) -> bool:
    """Whether an agreement is above chance by a twentieth of what is left to 1."""
    return bool(agreement > chance + _ABOVE_CHANCE * (1.0 - chance))


def recommend(
    sizes: np.ndarray,
    agreement: np.ndarray,
    se: np.ndarray,
    chance: float,
    target: float,
    level: float,
    df: int,
    signs: np.ndarray | None = None,
    families: dict[str, Family] = FAMILIES,
) -> Recommendation:
    """Return the least r whose agreement is at least the target, and what the data leave for it."""
    # It is the median over the curves that the data allow; the interval holds the share `level` of
    # them. An end beyond four times the largest size seen, and beyond the range of the prior, is
    # left open. No number is given beyond four times the largest size and 50, nor where the
    # agreement seen is not above chance.
    # Of so few samples that a jackknife says nothing `signs` has an agreement, then those by
    # chance.
    t = float(stats.t.ppf(0.5 + 0.5 * level, df))
    wide = t / float(stats.norm.ppf(0.5 + 0.5 * level))
    last = max(_REACH * int(sizes[-1]), RANGE)
    fits = curves(sizes, agreement, wide * se, last, families)
    low, middle, high = fits.least(target, (0.5 - 0.5 * level, 0.5, 0.5 + 0.5 * level))
    reason = ""
    if chance >= target:
        reason = "kernel"
    elif signs is not None:
        reason = "chance" if (signs[1:] >= signs[0]).any() else ""
    elif not is_above_chance(agreement[-1] - t * se[-1], chance):
        reason = "chance"
    if not reason and middle > max(_REACH * int(sizes[-1]), _MAX_NUMBER):
        reason = "far"
    high = np.inf if reason in ("kernel", "chance") else float(high)
    size = None if reason else int(middle)
    beyond = size is None or size > sizes[-1]
    return Recommendation(size, int(min(low, last)), high, beyond, reason, fits)
