"""What each axis says: variables, groups and rows, as records that words are made from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from gramian.estimators.pca import PCA
from gramian.report.correction import holm
from gramian.report.outliers import Why

__all__ = ["AxisStory", "Carrier", "GroupTie", "Pull", "Tie", "stories"]

_NAMED = 6  # variables named on each side
_ASIDE = 1.96  # v-test from which on a group is not in the middle
_SIDES = 3  # groups named on each side
_ENDS = 4  # rows named at each end
_ALPHA = 0.05


@dataclass(frozen=True)
class Tie:
    """A variable and its correlation with the axis."""

    name: Any
    r: float
    share: float = np.nan  # contribution
    p_value: float = np.nan


@dataclass(frozen=True)
class GroupTie:
    """A grouping, the share of the axis it explains, and where its groups stand."""

    name: Any
    eta2: float
    p_value: float  # corrected for the number of groupings and axes
    low: tuple[Any, ...]  # groups on the negative side, farthest first
    high: tuple[Any, ...]


@dataclass(frozen=True)
class Pull:
    """A row that makes much of an axis by itself."""

    name: Any
    share: float
    coordinate: float
    why: tuple[Why, ...]


@dataclass(frozen=True)
class Carrier:
    """How many rows make half of an axis."""

    half: int
    pulls: tuple[Pull, ...]


@dataclass(frozen=True)
class AxisStory:
    """An axis read."""

    axis: int
    share: float
    cumulated: float
    p_value: float  # against noise; NaN where no test applies
    angle: float  # median angle over resampled rows, degrees; NaN where unknown
    identified: bool
    positive: tuple[Tie, ...]
    negative: tuple[Tie, ...]
    tied: int  # variables with |r| ≥ 0.5
    groups: tuple[GroupTie, ...]
    numbers: tuple[Tie, ...]  # supplementary variables
    ends: tuple[tuple[Any, ...], tuple[Any, ...]]  # rows at the negative and the positive end
    carrier: Carrier


def stories(
    fit: Any,
    count: int,
    *,
    table: pd.DataFrame | None,
    illustrative: pd.DataFrame | None,
    p_values: np.ndarray | None,
    stability: Any,
) -> list[AxisStory]:
    """Return the reading of the first axes."""
    rows = fit.individuals()
    own = fit.variables() if isinstance(fit, PCA) else None
    outside = _outside(fit, count, illustrative)
    ratio = np.asarray(fit.inertia_ratio_, dtype=float)
    out = []
    for k in range(1, count + 1):
        ties = _variables(own, k)
        groups, numbers = outside.get(k, ((), ()))
        out.append(
            AxisStory(
                axis=k,
                share=float(ratio[k - 1]),
                cumulated=float(ratio[:k].sum()),
                p_value=_at(p_values, k),
                angle=_of_axis(stability, k, "angle", np.nan),
                identified=bool(_of_axis(stability, k, "identified", True)),
                positive=tuple(t for t in ties if t.r > 0)[:_NAMED],
                negative=tuple(t for t in ties if t.r < 0)[:_NAMED],
                tied=0 if own is None else int((own["correlation", k].abs() >= 0.5).sum()),
                groups=groups,
                numbers=numbers,
                ends=_ends(rows, k),
                carrier=_carrier(rows, fit, k, table),
            )
        )
    return out


def _at(values: np.ndarray | None, k: int) -> float:
    return float(values[k - 1]) if values is not None and len(values) >= k else np.nan


def _of_axis(stability: Any, k: int, column: str, default: Any) -> Any:
    if stability is None or k not in stability.axes.index:
        return default
    return stability.axes.loc[k, column]


def _ends(rows: pd.DataFrame, k: int) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """Return the rows at the ends of an axis, beyond its middle half, the farthest first."""
    f = rows["coordinate", k].to_numpy()
    order = np.argsort(f, kind="stable")
    count = min(_ENDS, max(1, len(f) // 4))
    return tuple(rows.index[order[:count]]), tuple(rows.index[order[::-1][:count]])


def _variables(own: pd.DataFrame | None, k: int) -> list[Tie]:
    """Return the variables that contribute more than the average, the most first."""
    if own is None:
        return []
    r, share = own["correlation", k].to_numpy(), own["contribution", k].to_numpy()
    order = np.argsort(-share, kind="stable")
    order = order[share[order] >= min(1.0 / len(share), share.max())]
    return [Tie(own.index[j], float(r[j]), float(share[j])) for j in order]


def _outside(
    fit: Any, count: int, illustrative: pd.DataFrame | None
) -> dict[int, tuple[tuple[GroupTie, ...], tuple[Tie, ...]]]:
    """Return the columns that did not make the axes and are tied to them, axis by axis."""
    if illustrative is None or count == 0:
        return {}
    # Described alone, without the variables of the fit, whose ties are no fair test.
    ties = fit.describe(illustrative, alpha=1.0)
    ties = ties[(ties["axis"] <= count) & ties["name"].isin(list(illustrative.columns))]
    tested = ties[ties["kind"] != "category"].copy()
    if tested.empty:
        return {}
    tested["p_value"] = holm(tested["p_value"])
    tested = tested[tested["p_value"] < _ALPHA]
    centres = fit.categories(illustrative) if (ties["kind"] == "qualitative").any() else None
    out = {}
    for k in range(1, count + 1):
        here = tested[tested["axis"] == k].sort_values("p_value", kind="stable")
        groups = [
            _group(centres, k, row.name_, row.statistic, row.p_value)
            for row in here[here["kind"] == "qualitative"]
            .rename(columns={"name": "name_"})
            .itertuples()
        ]
        numbers = [
            Tie(row.name_, row.statistic, p_value=row.p_value)
            for row in here[here["kind"] == "quantitative"]
            .rename(columns={"name": "name_"})
            .itertuples()
        ]
        out[k] = (tuple(groups), tuple(numbers))
    return out


def _group(centres: Any, k: int, name: Any, eta2: float, p: float) -> GroupTie:
    rows = centres.loc[[name]]
    at = rows["coordinate", k]
    # A group in the middle is on neither side; two groups are one on each.
    aside = rows["v_test", k].abs().to_numpy() >= _ASIDE
    at = pd.Series(at.to_numpy(), index=at.index.get_level_values(1))
    if (at[aside] < 0).any() and (at[aside] > 0).any():
        at = at[aside]
    at = at.sort_values(kind="stable")
    low = [label for label, f in at.items() if f < 0][:_SIDES]
    high = [label for label, f in at.items() if f >= 0][::-1][:_SIDES]
    return GroupTie(name, float(eta2), float(p), tuple(low), tuple(high))


def _carrier(rows: pd.DataFrame, fit: Any, k: int, table: pd.DataFrame | None) -> Carrier:
    """Return the rows that make an axis: one in ten of it each, and five times the average."""
    share = rows["contribution", k].to_numpy()
    order = np.argsort(-share, kind="stable")
    half = int(np.searchsorted(np.cumsum(share[order]), 0.5) + 1)
    level = max(0.1, 5.0 / len(share))
    pulls = []
    for i in order[:_SIDES]:
        if share[i] >= level:
            f = float(rows["coordinate", k].to_numpy()[i])
            pulls.append(Pull(rows.index[i], float(share[i]), f, _why(fit, k, int(i), table, f)))
    return Carrier(half, tuple(pulls))


def _why(fit: Any, k: int, i: int, table: pd.DataFrame | None, f: float) -> tuple[Why, ...]:
    """Return the variables that push a row along an axis: the largest terms of its coordinate."""
    if table is None or not isinstance(fit, PCA):
        return ()
    X = table.to_numpy(dtype=float)
    sd = X.std(axis=0)
    z = (X[i] - X.mean(axis=0)) / np.where(sd > 0, sd, 1.0)
    push = z * np.asarray(fit.components_)[k - 1] * np.sign(f)
    order = np.argsort(-push, kind="stable")[:3]
    return tuple(Why(table.columns[j], float(z[j])) for j in order if abs(z[j]) >= 1.5)
