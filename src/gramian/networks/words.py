"""A study of replicates in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gramian._study.language import Count, Fixed, Listed, Name, Number, P, Sentence, Share
from gramian.networks.learning import RANGE

if TYPE_CHECKING:
    from gramian.networks.result import ReplicateStudy


def summary_sentences(study: ReplicateStudy) -> list[Sentence]:
    """Return what a study says: data, recommendation, where it stands, structure, conditions."""
    return [
        _data(study),
        *_design(study),
        *recommendation(study),
        *grounds(study),
        now(study),
        structure(study),
        *conditions(study),
    ]


def _data(study: ReplicateStudy) -> Sentence:
    groups = [
        Sentence("net.group", {"name": Name(name), "count": count})
        for name, count in study.replicates.items()
    ]
    values: dict[str, Any] = {"variables": Count("variable", len(study.names))}
    values |= {"conditions": Count("condition", len(groups)), "groups": Listed(tuple(groups))}
    return Sentence("net.data", values)


def _design(study: ReplicateStudy) -> list[Sentence]:
    several = len(study.replicates) > 1
    out = [Sentence("net.pooled")] if study.design == "pooled" and several else []
    return [*out, Sentence("net.shared")] if study.shared and several else out


def recommendation(study: ReplicateStudy) -> list[Sentence]:
    """Return how many replicates are enough, or why nothing is recommended."""
    low, high = study.interval
    goal = Sentence("net.goal", {"target": Number(study.target, 2)})
    values: dict[str, Any] = {"sure": Share(study.level), "goal": goal, "low": low}
    if study.recommended is None:
        values |= {"low": low - 1, "r": _last(study), "chance": Fixed(max(study.chance, 0.0))}
        values["most"] = _most(study)
        differ = study.reason == "chance" and study.shared and study.separated
        return [Sentence("net.none.differ" if differ else f"net.none.{study.reason}", values)]
    values["number"] = study.recommended
    if np.isinf(high):
        return [Sentence("net.open", values)]
    key = "net.exactly" if low == high else "net.between"
    out = [Sentence(key, {**values, "high": int(high)})]
    return [*out, Sentence("net.safe", {"high": int(high)})] if high > study.recommended else out


def grounds(study: ReplicateStudy) -> list[Sentence]:
    """Say what a number beyond the sizes seen rests on."""
    if study.recommended is None or not study.extrapolated:
        return []
    out = [Sentence("net.beyond", {"r": _last(study)})]
    return [*out, Sentence("net.one", {"most": RANGE})] if study.curve["seen"].sum() == 1 else out


def _last(study: ReplicateStudy) -> int:
    """Return the largest size seen."""
    return int(study.curve.index[study.curve["seen"]][-1])


def _most(study: ReplicateStudy) -> Sentence:
    """Say why no more is seen; conditions together show more than each has replicates."""
    together = study.shared and len(study.replicates) > 1
    return Sentence("net.most.together" if together else "net.most", {"r": _last(study)})


def now(study: ReplicateStudy) -> Sentence:
    """Say how far the present experiment is."""
    row: Any = study.curve.loc[_last(study)]
    values: dict[str, Any] = {"r": _last(study), "chance": Fixed(max(study.chance, 0.0))}
    values["most"] = _most(study)
    values |= {
        blank: Fixed(float(row[column]))
        for blank, column in (
            ("agreement", "agreement"),
            ("seen", "observed"),
            ("low", "agreement_low"),
            ("high", "agreement_high"),
        )
    }
    return Sentence("net.now", values)


def structure(study: ReplicateStudy) -> Sentence:
    """Say what two experiments of the largest size seen have in common."""
    row: Any = study.curve.loc[_last(study)]
    values: dict[str, Any] = {"r": _last(study)}
    values |= {key: Share(round(float(row[key]), 2)) for key in ("edges", "hubs")}
    values |= {key: Fixed(float(row[key])) for key in ("degrees", "modules")}
    return Sentence("net.structure", values)


def conditions(study: ReplicateStudy) -> list[Sentence]:
    """Say whether conditions differ, and how often a smaller experiment would show it."""
    if len(study.replicates) < 2:
        return []
    if np.isnan(study.p_value):
        return [Sentence("net.untested")] if min(study.replicates.values()) < 6 else []
    key = "net.differ" if study.separated else "net.alike"
    out = [Sentence(key, {"p": P(study.p_value)})]
    if len(study.power):
        r, rate = int(study.power.index[-1]), float(study.power.iloc[-1])
        out.append(Sentence("net.power", {"r": r, "rate": Share(rate)}))
    return out
