"""Claims about rows that stand apart."""

from __future__ import annotations

from gramian.language import Fixed, Row, Sentence, rows
from gramian.studies.claim import Claim, Grounds, claim
from gramian.studies.makers.case import Case, reasons, why

__all__ = ["row_claims"]

_MOST = 20  # rows that get a sentence of their own
_NAMED = 8


def row_claims(case: Case) -> list[Claim]:
    """Name the rows that stand apart, the farthest first, with the columns that set them apart."""
    record = case.evidence.rows
    if record is None or not record.rows:
        return []
    positions = [int(case.evidence.rows_tested[i]) for i in record.rows]
    labels = rows([case.subject.index[i] for i in positions], _NAMED)
    summary = Sentence("claim.rows", {"count": len(positions), "names": labels})
    out = [
        claim("data", summary, subject="rows", effect=len(positions), effect_name="rows"),
        *(_row(case, int(i)) for i in record.rows[:_MOST]),
    ]
    return out


def _row(case: Case, i: int) -> Claim:
    record, position = case.evidence.rows, int(case.evidence.rows_tested[i])
    along, across = float(record.along[i]), float(record.across[i])
    label = case.subject.index[position]
    values = {
        "row": Row(label),
        "x": Fixed(max(along, across)),
        "where": Sentence(f"claim.where.{'along' if along >= across else 'across'}"),
        "why": why("row", reasons(case, position)),
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
