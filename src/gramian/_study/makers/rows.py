"""Claims about rows that stand apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian._study.claim import Claim, Grounds, claim
from gramian._study.language import Fixed, Listed, Name, Row, Sentence, rows
from gramian._study.record import Study

_SENTENCES = 20  # rows that get a sentence of their own
_NAMED = 8
_REASONS = 3


def row_claims(study: Study) -> list[Claim]:
    """Name the rows that stand apart, the farthest first, with the columns that set them apart."""
    record = study.evidence.rows
    if record is None or not record.rows:
        return []
    positions = [int(study.evidence.rows_tested[i]) for i in record.rows]
    labels = rows([study.subject.index[i] for i in positions], _NAMED)
    summary = Sentence("claim.rows", {"count": len(positions), "names": labels})
    out = [
        claim("data", summary, subject="rows", effect=len(positions), effect_name="rows"),
        *(_row(study, int(i)) for i in record.rows[:_SENTENCES]),
    ]
    return out


def _row(study: Study, i: int) -> Claim:
    record, position = study.evidence.rows, int(study.evidence.rows_tested[i])
    along, across = float(record.along[i]), float(record.across[i])
    label = study.subject.index[position]
    values = {
        "row": Row(label),
        "x": Fixed(max(along, across)),
        "where": Sentence(f"claim.where.{'along' if along >= across else 'across'}"),
        "why": why("row", reasons(study, position)),
    }
    return claim(
        "row",
        Sentence("claim.row", values),
        subject=label,
        p_value=record.p_values[i],
        effect=max(along, across),
        effect_name="times the limit",
        grounds=Grounds("rows", "null.rows", "holds.tails" if record.tails else "holds.rows"),
    )


def reasons(study: Study, position: int, weights: Any = None, least: float = 2.0) -> list[Sentence]:
    """Return the columns that set a row apart, in deviations from the mean.

    With weights (those of an axis, signed) the columns are those that push the row along it.
    """
    if study.subject.table is None:
        return []
    X = study.subject.table.to_numpy(dtype=float)
    sd = X.std(axis=0)
    z = (X[position] - X.mean(axis=0)) / np.where(sd > 0, sd, 1.0)
    push = np.abs(z) if weights is None else z * weights
    order = [j for j in np.argsort(-push, kind="stable")[:_REASONS] if abs(z[j]) >= least]
    return [_reason(study.subject.table.columns[j], float(z[j])) for j in order]


def _reason(name: Any, z: float) -> Sentence:
    key = "why.high" if z > 0 else "why.low"
    return Sentence(key, {"name": Name(name), "z": Fixed(z, 1, signed=True)})


def why(key: str, causes: list[Sentence]) -> Sentence:
    """Return the reasons as a part of a sentence, empty where there are none."""
    if not causes:
        return Sentence(f"claim.{key}.nowhy")
    return Sentence(f"claim.{key}.why", {"why": Listed(tuple(causes))})
