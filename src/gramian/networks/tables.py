"""From the parts of a study to its tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from gramian._check import share
from gramian.networks import agreement, separation
from gramian.networks.finder import Similarity
from gramian.networks.recipe import Edges
from gramian.networks.resampling import largest_size, unpacked
from gramian.networks.result import ReplicateStudy, network_of

__all__ = ["Options", "assemble"]

_ON_MAP = 20  # networks of each condition and size on the map


@dataclass(frozen=True)
class Options:
    """What counts as the same, and how sure one wants to be."""

    agreement: float
    level: float
    alpha: float

    def __post_init__(self) -> None:
        for name in ("agreement", "level", "alpha"):
            share(getattr(self, name), name)


def assemble(
    parts: dict[str, dict[str, np.ndarray]],
    plan: Any,
    similarity: Similarity,
    names: list[Any],
    conditions: list[str],
    method: str,
    options: Options,
) -> ReplicateStudy:
    """Return the study from its parts."""
    counts = np.bincount(plan.codes)
    units = {(c, r): parts[f"unit {c} {r}"] for r in plan.sizes for c in range(len(conditions))}
    df = int((counts - 1).sum())
    t = float(stats.t.ppf(0.5 + 0.5 * options.level, df))
    rows = {key: _row([units[key]], counts[key[0] : key[0] + 1], key[1], t) for key in units}
    by_condition = pd.DataFrame(rows.values(), index=_index(rows, conditions))
    every = [_row([units[c, r] for c in range(len(conditions))], counts, r, t) for r in plan.sizes]
    curve = pd.DataFrame(every, index=pd.Index(plan.sizes, name="size"))
    seen = curve["seen"].to_numpy(dtype=bool)
    sizes, change = np.array(plan.sizes)[seen], curve["dispersion"].to_numpy(dtype=float)[seen]
    se = (curve.pop("se").to_numpy(dtype=float))[seen]
    by_condition = by_condition.drop(columns="se")
    advice = agreement.recommend(sizes, change, se, 1.0 - options.agreement, options.level, df)
    _fill(curve, sizes, change, t * se[-1], ~seen)
    separated = _test(curve, parts, options.alpha)
    pool = {(conditions[c], r): unpacked(unit) for (c, r), unit in units.items()}
    everyone = _all_networks(plan, conditions)
    table, S = _on_map(pool, everyone, similarity)
    return ReplicateStudy(
        recommended=advice.size,
        interval=(advice.low, advice.high),
        extrapolated=advice.extrapolated,
        curve=curve,
        by_condition=by_condition,
        separated=separated,
        networks=table,
        similarities=S,
        full={name: network_of(names, edges) for name, edges in everyone.items()},
        replicates=dict(zip(conditions, counts.tolist(), strict=True)),
        target=options.agreement,
        level=options.level,
        alpha=options.alpha,
        method=method,
        names=names,
        _pool=pool,
    )


def _index(rows: dict[tuple[int, int], Any], conditions: list[str]) -> pd.MultiIndex:
    labels = [(conditions[c], r) for c, r in rows]
    return pd.MultiIndex.from_tuples(labels, names=["condition", "size"])


def _row(
    units: list[dict[str, np.ndarray]], counts: np.ndarray, r: int, t: float
) -> dict[str, Any]:
    """Return a row of the curve: means over conditions, whose samples are independent."""
    pairs = list(zip(units, counts.tolist(), strict=True))
    change = [agreement.change_of(unit, n, r) for unit, n in pairs]
    far = [agreement.distance_of(unit) for unit in units]
    d, se = _mean(change)
    f, f_se = _mean(far)
    shares = {}
    for key in ("edges", "hubs"):
        each = [agreement.change_of(unit, n, r, key).value for unit, n in pairs]
        shares[key] = float(np.clip(1.0 - np.mean(each), 0.0, 1.0))
    low, high = np.clip([1.0 - d - t * se, 1.0 - d + t * se], -1.0, 1.0)
    return {
        "agreement": 1.0 - d,
        "agreement_low": low,
        "agreement_high": high,
        "seen": r <= largest_size(int(counts.min())),
        "dispersion": d,
        "distance": np.sqrt(f),
        "distance_low": np.sqrt(max(f - t * f_se, 0.0)),
        "distance_high": np.sqrt(f + t * f_se),
        **shares,
        "se": se,
    }


def _mean(estimates: list[agreement.Estimate]) -> tuple[float, float]:
    values, variances = np.array(estimates).T
    return float(values.mean()), float(np.sqrt(variances.sum())) / len(estimates)


def _fill(
    curve: pd.DataFrame, sizes: np.ndarray, change: np.ndarray, margin: float, beyond: np.ndarray
) -> None:
    """Put extrapolated agreements where none was seen; they have no band."""
    if beyond.any():
        at = curve.index[beyond]
        values = agreement.extrapolated(sizes, change, at.to_numpy(dtype=float), margin)
        curve.loc[at, "dispersion"] = values
        curve.loc[at, "agreement"] = 1.0 - values
        curve.loc[at, ["agreement_low", "agreement_high"]] = np.nan


def _test(curve: pd.DataFrame, parts: dict[str, dict[str, np.ndarray]], alpha: float) -> bool:
    """Add the test that the conditions have different networks."""
    chunks = sorted((int(name.split()[1]), name) for name in parts if name.startswith("test"))
    if not chunks:
        curve[["separation", "p_value", "p_adjusted"]] = np.nan
        return False
    T = np.concatenate([parts[name]["T"] for _, name in chunks])  # (B + 1, sizes)
    p = separation.p_values(T)
    curve["separation"] = T[0]
    curve["p_value"] = p[0]
    curve["p_adjusted"] = separation.adjusted(p)
    return bool((curve["p_adjusted"] <= alpha).any())


def _all_networks(plan: Any, conditions: list[str]) -> dict[str, Edges]:
    """Return the network of all replicates of each condition."""
    return {
        name: plan.finder.many(plan.values, [np.flatnonzero(plan.codes == c)])[0]
        for c, name in enumerate(conditions)
    }


def _on_map(
    pool: dict[tuple[str, int], list[Edges]], everyone: dict[str, Edges], similarity: Similarity
) -> tuple[pd.DataFrame, np.ndarray]:
    """Return the networks of the map, those of all replicates last, and their similarities."""
    rows: list[tuple[str, int, bool]] = []
    shown: list[Edges] = []
    largest = max(size for _, size in pool)
    for (name, size), networks in pool.items():
        some = networks[:_ON_MAP]
        rows += [(name, size, False)] * len(some)
        shown += some
    for name, edges in everyone.items():
        rows.append((name, largest, True))
        shown.append(edges)
    return pd.DataFrame(rows, columns=["condition", "size", "all"]), similarity(shown)
