"""The work of a study, part by part, and its tables; what is done may be kept in a file."""

from __future__ import annotations

import io
import json
import time
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from gramian._core.check import answer
from gramian._core.check import path as checked_path
from gramian._core.parallel import map_in_order
from gramian._nulls.p_values import p_values
from gramian.errors import InputError
from gramian.io.content import file_bytes
from gramian.io.files import atomic_write, check_writable
from gramian.networks.finder import Similarity
from gramian.networks.infer import Edges, as_network
from gramian.networks.learning import (
    FAMILIES,
    UNCERTAIN_FAMILIES,
    Estimate,
    Family,
    change_of,
    mean_of,
    recommend,
)
from gramian.networks.resampling import (
    SHUFFLES,
    Unit,
    compare_experiments,
    experiment_p_values,
    separation_statistics,
    similarities_at_random,
    similarities_by_signs,
    trim_contrasts,
    unpack_networks,
)
from gramian.networks.result import ReplicateStudy
from gramian.networks.structure import MEASURES

_SHUFFLES_PER_PART = 10
_EXPERIMENTS = 20  # tests of smaller experiments, at each size
_EXPERIMENTS_PER_PART = 4
_ERROR_FACTOR = 1.1  # of jackknife errors: without it intervals were too narrow by as much
_VERSION = 4
_SAVE_SECONDS = 5.0  # between two saves
_MAX_BYTES = 4_000_000_000  # unpacked

Part = dict[str, np.ndarray]
Parts = dict[str, Part]  # by name


@dataclass(frozen=True, eq=False)
class Plan:
    """The data and what is to be computed of them."""

    values: np.ndarray
    codes: np.ndarray
    units: list[Unit]
    seen: list[int]  # sizes of which there are two disjoint experiments
    n_resamples: int
    n_permutations: int  # 0 for no test of conditions
    seed: int
    similarity: Similarity
    uncertain: bool = False  # whether the number of links was counted in few contrasts
    first: int = 0  # the number of the first unit: parts of other units have other names

    @property
    def numbers(self) -> range:
        """The numbers of the units."""
        return range(self.first, self.first + len(self.units))

    def unit(self, number: int) -> Unit:
        """Return a unit by its number."""
        return self.units[number - self.first]

    @property
    def families(self) -> dict[str, Family]:
        """The learning curves."""
        return UNCERTAIN_FAMILIES if self.uncertain else FAMILIES

    @property
    def experiments(self) -> list[int]:
        """The sizes of smaller experiments in which the test is repeated."""
        if self.n_permutations < SHUFFLES:
            return []
        largest = int(np.bincount(self.codes).min()) // 2
        return sorted({max(3, largest // 2), largest})

    def parts(self) -> list[tuple[str, int, int]]:
        """Return the name and the two numbers of every part of the work, in order."""
        units = self.numbers
        parts = [(f"unit {c} {r}", c, r) for r in self.seen for c in units]
        parts += [(f"chance {c}", c, self.seen[-1]) for c in units]
        parts += [(f"signs {c}", c, self.seen[-1]) for c in units if self.unit(c).few]
        if self.n_permutations:
            end, step = self.n_permutations + 1, _SHUFFLES_PER_PART
            parts += [(f"test {a}", a, min(a + step, end)) for a in range(0, end, step)]
        starts = range(0, _EXPERIMENTS, _EXPERIMENTS_PER_PART)
        return parts + [(f"power {r} {a}", r, a) for r in self.experiments for a in starts]


def work(plan: Plan, done: Checkpoint, report: Callable[[int, int], None] | None) -> None:
    """Do the parts that are not done yet; each has random numbers of its own."""
    parts = plan.parts()
    left = [part for part in parts if part[0] not in done.parts]
    answers = map_in_order(_part, left, plan)
    for k, (name, _, _) in enumerate(parts):
        if name not in done.parts:
            done.store(name, next(answers))
        if report is not None:
            answer(report, "progress", k + 1, len(parts))


def _part(part: tuple[str, int, int], plan: Plan) -> Part:
    """Return the arrays of one part of the work, by the first word of its name."""
    (name, a, b), similarity = part, plan.similarity
    kind = name.split()[0]

    def rng(*key: int) -> np.random.Generator:
        return np.random.default_rng([plan.seed, *key])

    if kind == "unit":  # the same orders at every size
        return compare_experiments(plan.unit(a), b, plan.n_resamples, similarity, rng(1, a))
    if kind == "chance":
        return {"S": similarities_at_random(plan.unit(a), b, similarity, rng(3, a))}
    if kind == "signs":
        S = similarities_by_signs(plan.unit(a), b, plan.n_resamples, similarity, rng(1, a))
        return {"S": S}
    if kind == "test":  # shuffle number 0 leaves the samples where they are
        Z, codes = trim_contrasts(plan.values, plan.codes)
        shuffles = [(rng(2, k), k > 0) for k in range(a, b)]
        return {"T": separation_statistics(Z, codes, similarity, shuffles)}
    tests = a, _EXPERIMENTS_PER_PART, similarity, rng(4, a, b)
    return {"p": experiment_p_values(plan.values, plan.codes, *tests)}


class CheckpointError(InputError):
    """A file that is no checkpoint, or one of other data or options."""

    def __init__(self, message: str, damaged: bool) -> None:
        self.damaged = damaged
        super().__init__(message)


class Checkpoint:
    """Parts of a long computation under their names; with a path, a file of arrays and text."""

    def __init__(self, path: str | Path | None, digest: str) -> None:
        self.path, self.digest = path, digest
        self.parts: Parts = {}
        self.saved = time.monotonic()
        if path is not None and checked_path(path, "checkpoint").exists():
            self._load(file_bytes(path))
        if path is not None:
            check_writable(path)

    def store(self, name: str, part: Part) -> None:
        """Keep a part, and save now and then."""
        self.parts[name] = part
        if self.path is not None and time.monotonic() - self.saved > _SAVE_SECONDS:
            self.save()

    def save(self) -> None:
        """Write all parts; the old file stays until the new one is complete."""
        if self.path is None:
            return
        head = json.dumps({"version": _VERSION, "digest": self.digest})
        arrays = {"head": np.frombuffer(head.encode(), dtype=np.uint8)}
        for name, part in self.parts.items():
            arrays |= {f"{name}|{key}": array for key, array in part.items()}
        with atomic_write(self.path, "wb") as file:
            np.savez(file, **arrays)  # type: ignore[arg-type]
        self.saved = time.monotonic()

    def _load(self, data: bytes) -> None:
        name = f"checkpoint={str(self.path)[-120:]!r}"
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                if sum(info.file_size for info in archive.infolist()) > _MAX_BYTES:
                    raise ValueError("it is too large")
            with np.load(io.BytesIO(data), allow_pickle=False) as file:
                arrays = {key: file[key] for key in file.files}
            head = json.loads(arrays.pop("head").tobytes())
            version, digest = head["version"], head["digest"]
            for key, array in arrays.items():
                part, _, title = key.rpartition("|")
                self.parts.setdefault(part, {})[title] = array
        except Exception as error:  # a spoiled archive fails in a dozen ways
            reason = f"{name} is not a checkpoint that can be read: remove it"
            raise CheckpointError(reason, damaged=True) from error
        if version != _VERSION or digest != self.digest:
            reason = f"{name} belongs to other data or options: remove it, or give another path"
            raise CheckpointError(reason, damaged=False)


def assemble(
    parts: Parts, plan: Plan, sizes: list[int] | None, known: dict[str, Any]
) -> ReplicateStudy:
    """Return the study from its parts; `known` holds the attributes that are known already."""
    target, level, alpha = known["target"], known["level"], known["alpha"]
    units = {(c, r): parts[f"unit {c} {r}"] for r in plan.seen for c in plan.numbers}
    df = int(sum(len(u.strata) - len(np.unique(u.strata)) for u in plan.units))
    changes = {(c, r): change_of(part, plan.unit(c).strata) for (c, r), part in units.items()}
    by_condition = _by_condition(units, changes, plan, float(stats.t.ppf(0.5 + 0.5 * level, df)))
    # Samples of different conditions are independent.
    each = [[changes[c, r] for c in plan.numbers] for r in plan.seen]
    change, se = np.array([mean_of(estimates) for estimates in each]).T
    s = 1.0 - change
    chance = float(np.mean([parts[f"chance {c}"]["S"].mean() for c in plan.numbers]))
    signs = parts.get("signs 0", {"S": None})["S"]  # few contrasts make one unit
    options = chance, target, level, df, signs, plan.families
    advice = recommend(np.array(plan.seen), s, _ERROR_FACTOR * se, *options)
    curve = advice.curve(plan.seen, level, sizes, plan.experiments)
    curve["dispersion"] = 1.0 - curve["agreement"]
    curve.loc[plan.seen, "observed"] = s
    for key in ("distance", *MEASURES):
        curve.loc[plan.seen, key] = by_condition[key].groupby(level="size").mean()
    power = _rates(parts, plan, alpha)
    curve["told_apart"] = power
    p_value = _p_value(parts)
    pool = {(plan.unit(c).name, r): unpack_networks(part) for (c, r), part in units.items()}
    everyone = _all_networks(plan, list(known["replicates"]))
    table, S = _on_map(pool, everyone, plan.similarity)
    return ReplicateStudy(
        recommended=advice.size,
        interval=(advice.low, advice.high),
        extrapolated=advice.extrapolated,
        reason=advice.reason,
        curve=curve,
        by_condition=by_condition,
        per_condition=_per_condition(parts, changes, plan, target, level),
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


def _per_condition(
    parts: Parts,
    changes: dict[tuple[int, int], Estimate],
    plan: Plan,
    target: float,
    level: float,
) -> pd.DataFrame:
    """Return the number of replicates that each condition needs by itself; none for one unit."""
    rows: dict[str, dict[str, Any]] = {}
    for c in plan.numbers if len(plan.units) > 1 else ():
        s, variance = np.array([changes[c, r] for r in plan.seen]).T
        unit, chance = plan.unit(c), float(parts[f"chance {c}"]["S"].mean())
        options = chance, target, level, len(unit.strata) - 1, None, plan.families
        se = _ERROR_FACTOR * np.sqrt(variance)
        found = recommend(np.array(plan.seen), 1.0 - s, se, *options)
        size = np.nan if found.size is None else float(found.size)
        rows[unit.name] = {"recommended": size, "low": found.low, "high": found.high}
    columns = ["recommended", "low", "high"]
    return pd.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("condition")


def _by_condition(
    units: dict[tuple[int, int], Part],
    changes: dict[tuple[int, int], Estimate],
    plan: Plan,
    t: float,
) -> pd.DataFrame:
    rows, labels = [], []
    for (c, r), part in units.items():
        half, s = t * np.sqrt(changes[c, r].variance), 1.0 - changes[c, r].value
        row = {"agreement": s, "agreement_low": max(s - half, -1.0)}
        row |= {"agreement_high": min(s + half, 1.0), "distance": np.sqrt(part["far"].mean())}
        rows.append(row | {key: 1.0 - float(part[key].mean()) for key in MEASURES})
        labels.append((plan.unit(c).name, r))
    index = pd.MultiIndex.from_tuples(labels, names=["condition", "size"])
    return pd.DataFrame(rows, index=index)


def _rates(parts: Parts, plan: Plan, alpha: float) -> pd.Series:
    """Return the share of smaller experiments whose test finds that conditions differ."""
    rates: dict[int, float] = {}
    for r in plan.experiments:
        p = [part["p"] for name, part in parts.items() if name.startswith(f"power {r} ")]
        rates[r] = float(np.mean(np.concatenate(p) <= alpha))
    return pd.Series(rates, dtype=float, name="told_apart").rename_axis("size")


def networks_differ(parts: Parts, alpha: float) -> bool:
    """Whether the test says that conditions have different networks."""
    return bool(_p_value(parts) <= alpha)


def _p_value(parts: Parts) -> float:
    """Return the p-value of the test that conditions have different networks; NaN without one."""
    chunks = sorted((int(name.split()[1]), name) for name in parts if name.startswith("test"))
    if not chunks:
        return float("nan")
    T = np.concatenate([parts[name]["T"] for _, name in chunks])
    return float(p_values(T[0], T[1:]))


def _all_networks(plan: Plan, conditions: list[str]) -> dict[str, Edges]:
    """Return the network of all replicates of each unit, and of each condition besides."""
    tables = {unit.name: unit.table(np.arange(len(unit.strata))) for unit in plan.units}
    if len(conditions) > 1:
        for c, name in enumerate(conditions):
            tables.setdefault(name, plan.values[plan.codes == c])
    return dict(zip(tables, plan.similarity.finder.many(list(tables.values())), strict=True))


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
