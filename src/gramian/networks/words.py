"""A study of replicates in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from gramian.language import Count, Fixed, Listed, Name, Number, P, Sentence, Share

if TYPE_CHECKING:
    from gramian.networks.result import ReplicateStudy

__all__ = ["summary_sentences"]


def summary_sentences(study: ReplicateStudy) -> list[Sentence]:
    """Return what a study says: data, recommendation, where it stands, hubs, conditions."""
    parts = (_data(study), *_recommendation(study), _now(study), _hubs(study), *_conditions(study))
    return list(parts)


def _data(study: ReplicateStudy) -> Sentence:
    groups = [
        Sentence("net.group", {"name": Name(name), "count": count})
        for name, count in study.replicates.items()
    ]
    values: dict[str, Any] = {"variables": Count("variable", len(study.names))}
    values |= {"conditions": Count("condition", len(groups)), "groups": Listed(tuple(groups))}
    return Sentence("net.data", values)


def _recommendation(study: ReplicateStudy) -> list[Sentence]:
    low, high = study.interval
    goal = Sentence("net.goal", {"target": Number(study.target, 2)})
    values = {"sure": Share(study.level), "goal": goal, "low": low}
    if study.recommended is None:
        return [Sentence("net.none", {**values, "low": low - 1})]
    values["number"] = study.recommended
    if study.extrapolated:
        return [Sentence("net.extrapolated", values)]
    if np.isinf(high):
        return [Sentence("net.open", values)]
    key = "net.exactly" if low == high else "net.between"
    out = [Sentence(key, {**values, "high": int(high)})]
    return [*out, Sentence("net.safe", {"high": int(high)})] if high > study.recommended else out


def _now(study: ReplicateStudy) -> Sentence:
    """Say how far the present experiment is."""
    seen = study.curve[study.curve["seen"]]
    r, row = seen.index[-1], seen.iloc[-1]
    values = {"r": int(r), "edges": Share(round(float(row["edges"]), 2))}
    values |= {
        blank: Fixed(float(row[column]))
        for blank, column in (
            ("agreement", "agreement"),
            ("low", "agreement_low"),
            ("high", "agreement_high"),
        )
    }
    return Sentence("net.now", values)


def _hubs(study: ReplicateStudy) -> Sentence:
    seen = study.curve[study.curve["seen"]]
    first, last = (Share(round(float(seen["hubs"].iloc[i]), 2)) for i in (0, -1))
    values = {"first": first, "last": last, "count": len(seen)}
    return Sentence("net.hubs", {**values, "low": int(seen.index[0]), "high": int(seen.index[-1])})


def _conditions(study: ReplicateStudy) -> list[Sentence]:
    p = study.curve["p_adjusted"]
    if p.isna().all():
        return []
    key = "net.differ" if study.separated else "net.alike"
    return [Sentence(key, {"p": P(float(p.min()))})]
