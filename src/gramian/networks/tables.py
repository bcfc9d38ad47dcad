"""From the parts of a study to its tables."""

from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from gramian._nulls.p_values import p_values
from gramian.networks.contrasts import Samples
from gramian.networks.finder import Similarity
from gramian.networks.infer import Edges, as_network
from gramian.networks.learning import Recommendation, change_of, mean_of, recommend
from gramian.networks.resampling import unpack_networks
from gramian.networks.result import ReplicateStudy
from gramian.networks.structure import MEASURES
from gramian.networks.work import Plan

_EXTRA_SIZES = 8  # of the curve, beyond those that were seen


def assemble(
    parts: dict[str, dict[str, np.ndarray]],
    plan: Plan,
    similarity: Similarity,
    sizes: list[int] | None,
    known: dict[str, Any],
) -> ReplicateStudy:
    """Return the study from its parts; `known` holds the attributes that are known already."""
    target, level, alpha = known["target"], known["level"], known["alpha"]
    units = {(c, r): parts[f"unit {c} {r}"] for r in plan.seen for c in range(len(plan.units))}
    df = int(sum(len(u.strata) - len(np.unique(u.strata)) for u in plan.units))
    by_condition = _by_condition(units, plan, level, df)
    # Samples of different conditions are independent.
    strata = [unit.strata for unit in plan.units]
    observed = np.array(
        [mean_of([change_of(units[c, r], own) for c, own in enumerate(strata)]) for r in plan.seen]
    )
    s, se = 1.0 - observed[:, 0], observed[:, 1]
    chance = float(np.mean([parts[f"chance {c}"]["S"].mean() for c in range(len(plan.units))]))
    signs = parts.get("signs 0", {"S": None})["S"]  # few contrasts make one unit
    advice = recommend(np.array(plan.seen), s, se, chance, target, level, df, signs)
    curve = _curve(advice, plan, sizes, level)
    curve.loc[plan.seen, "observed"] = s
    for key in ("distance", *MEASURES):
        curve.loc[plan.seen, key] = by_condition[key].groupby(level="size").mean()
    power = _rates(parts, plan, alpha)
    curve["told_apart"] = power
    p_value = _p_value(parts)
    pool = {(plan.units[c].name, r): unpack_networks(part) for (c, r), part in units.items()}
    everyone = _all_networks(plan, list(known["replicates"]))
    table, S = _on_map(pool, everyone, similarity)
    return ReplicateStudy(
        recommended=advice.size,
        interval=(advice.low, advice.high),
        extrapolated=advice.extrapolated,
        reason=advice.reason,
        curve=curve,
        by_condition=by_condition,
        families=advice.curves.families,
        chance=chance,
        p_value=p_value,
        power=power,
        separated=bool(p_value <= alpha),
        networks=table,
        similarities=S,
        full={name: as_network(known["names"], edges) for name, edges in everyone.items()},
        shared=plan.units[0].lost > 0,
        _pool=pool,
        **known,
    )


def _by_condition(
    units: dict[tuple[int, int], dict[str, np.ndarray]], plan: Plan, level: float, df: int
) -> pd.DataFrame:
    """Return what was seen of each condition and size."""
    t = float(stats.t.ppf(0.5 + 0.5 * level, df))
    rows, labels = [], []
    for (c, r), part in units.items():
        change = change_of(part, plan.units[c].strata)
        half = t * np.sqrt(change.variance)
        s = 1.0 - change.value
        row = {"agreement": s, "agreement_low": max(s - half, -1.0)}
        row |= {"agreement_high": min(s + half, 1.0), "distance": np.sqrt(part["far"].mean())}
        rows.append(row | {key: 1.0 - float(part[key].mean()) for key in MEASURES})
        labels.append((plan.units[c].name, r))
    index = pd.MultiIndex.from_tuples(labels, names=["condition", "size"])
    return pd.DataFrame(rows, index=index)


def _curve(
    advice: Recommendation, plan: Plan, sizes: list[int] | None, level: float
) -> pd.DataFrame:
    """Return the curve with its band, at the sizes seen and at some beyond."""
    last = int(advice.curves.sizes[-1])
    if sizes is None:
        ends = [end for end in (advice.size or 0, advice.high) if np.isfinite(end)]
        end = min(last, max(2 * plan.seen[-1], round(1.25 * max(ends))))
        more = np.geomspace(plan.seen[-1], end, _EXTRA_SIZES).round().astype(int)
        sizes = sorted({*plan.seen, *plan.experiments, *more.tolist()})
    index = [r for r in sizes if r <= last]
    shares = (0.5 - 0.5 * level, 0.5, 0.5 + 0.5 * level)
    low, middle, high = advice.curves.at(np.array(index), shares)
    columns = {"agreement": middle, "agreement_low": low, "agreement_high": high}
    curve = pd.DataFrame(columns, index=pd.Index(index, name="size"))
    curve["seen"] = curve.index.isin(plan.seen)
    curve["observed"] = np.nan
    curve["dispersion"] = 1.0 - curve["agreement"]
    return curve


def _rates(parts: dict[str, dict[str, np.ndarray]], plan: Plan, alpha: float) -> pd.Series:
    """Return the share of smaller experiments whose test finds that conditions differ."""
    rates: dict[int, float] = {}
    for r in plan.experiments:
        p = [part["p"] for name, part in parts.items() if name.startswith(f"power {r} ")]
        rates[r] = float(np.mean(np.concatenate(p) <= alpha))
    return pd.Series(rates, dtype=float, name="told_apart").rename_axis("size")


def _p_value(parts: dict[str, dict[str, np.ndarray]]) -> float:
    """Return the p-value of the test that conditions have different networks; NaN without one."""
    chunks = sorted((int(name.split()[1]), name) for name in parts if name.startswith("test"))
    if not chunks:
        return float("nan")
    T = np.concatenate([parts[name]["T"] for _, name in chunks])
    return float(p_values(T[0], T[1:]))


def _all_networks(plan: Plan, conditions: list[str]) -> dict[str, Edges]:
    """Return the network of all replicates of each unit, and of each condition besides."""
    pools = {unit.name: (unit.pool, np.arange(len(unit.strata))) for unit in plan.units}
    if len(conditions) > 1:
        every = Samples(plan.values)
        for c, name in enumerate(conditions):
            pools.setdefault(name, (every, np.flatnonzero(plan.codes == c)))
    return {name: plan.finder.many(pool, [rows])[0] for name, (pool, rows) in pools.items()}


def _on_map(
    pool: dict[tuple[str, int], list[Edges]], everyone: dict[str, Edges], similarity: Similarity
) -> tuple[pd.DataFrame, np.ndarray]:
    """Return the networks of the map, those of all replicates last, and their similarities."""
    rows: list[tuple[str, int, bool]] = []
    shown: list[Edges] = []
    largest = max(size for _, size in pool)
    for (name, size), networks in pool.items():
        rows += [(name, size, False)] * len(networks)
        shown += networks
    for name, edges in everyone.items():
        rows.append((name, largest, True))
        shown.append(edges)
    return pd.DataFrame(rows, columns=["condition", "size", "all"]), similarity(shown)
