"""The conclusion of a study of replicates, in plain language."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from gramian.networks.result import ReplicateStudy

__all__ = ["words"]


def words(study: ReplicateStudy) -> str:
    """Say what was done, how many replicates are enough, and whether conditions differ."""
    lines = [_data(study), _recommendation(study), _now(study), _hubs(study), _conditions(study)]
    return "\n".join(line for line in lines if line)


def _data(study: ReplicateStudy) -> str:
    groups = ", ".join(f"{name}: {count}" for name, count in study.replicates.items())
    p = len(study._names)
    many = f"{len(study.replicates)} conditions" if len(study.replicates) > 1 else "1 condition"
    return f"Networks of {p} variables in {many} ({groups} replicates)."


def _recommendation(study: ReplicateStudy) -> str:
    low, high = study.interval
    sure = f"{100 * study.level:.0f} %"
    goal = f"an agreement of {study.target:g} between two independent experiments"
    if study.recommended is None:
        return (
            f"No number of replicates in reach gives {goal}: more than {low - 1} are needed "
            f"({sure} confidence). Networks with fewer or stronger edges may be more stable."
        )
    number = f"{study.recommended} replicates per condition"
    if study.extrapolated:
        return (
            f"About {number} would give {goal}, by extrapolation; the data themselves say "
            f"{low} or more ({sure} confidence)."
        )
    if np.isinf(high):
        return f"{number} give {goal}; with {sure} confidence {low} or more are needed."
    span = f"exactly {low}" if low == high else f"between {low} and {high:.0f}"
    safe = f" To be safe, take {high:.0f}." if high > study.recommended else ""
    return f"{number} give {goal}; with {sure} confidence {span} are needed.{safe}"


def _now(study: ReplicateStudy) -> str:
    """Say how far the present experiment is."""
    seen = study.curve[study.curve["seen"]]
    r, row = seen.index[-1], seen.iloc[-1]
    band = f"{row['agreement_low']:.2f} to {row['agreement_high']:.2f}"
    text = f"At {r} replicates, the most that can be judged, agreement is {row['agreement']:.2f}"
    return f"{text} ({band}); {100 * row['edges']:.0f} % of the edges are found again."


def _hubs(study: ReplicateStudy) -> str:
    seen = study.curve[study.curve["seen"]]
    first, last = seen["hubs"].iloc[0], seen["hubs"].iloc[-1]
    if len(seen) == 1:
        return f"{100 * last:.0f} % of the hubs are the same in both experiments."
    return (
        f"The share of hubs found again goes from {100 * first:.0f} % at {seen.index[0]} "
        f"replicates to {100 * last:.0f} % at {seen.index[-1]}."
    )


def _conditions(study: ReplicateStudy) -> str:
    p = study.curve["p_adjusted"]
    if p.isna().all():
        return ""
    if study.separated:
        first = p.index[p <= study.alpha][0]
        return (
            f"The networks of the conditions differ (p = {p.min():.3g}, for all sizes together); "
            f"networks of {first} replicates show it."
        )
    return (
        f"No difference between the networks of the conditions was found (p = {p.min():.2g}); "
        "different mean levels do not count as one."
    )
