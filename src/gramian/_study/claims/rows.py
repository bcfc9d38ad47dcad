"""Claims about rows that stand apart or carry axes, and how far axes turn under resampling."""

from typing import Any

import numpy as np

from gramian._study.language import Fixed, Listed, Name, Row, Sentence, Share, rows
from gramian._study.record import Claim, NullTest, Study, claim
from gramian.evidence import Carried, Directions, RowsEvidence
from gramian.stability import Stability

_MAX_SENTENCES = 20  # rows with a sentence each
_MAX_NAMES = 8
_MAX_REASONS = 3
_SMALL_ANGLE, _FAIR_ANGLE = 15.0, 35.0  # degrees that an axis turns
# Degrees under which, and part of its inertia from which an axis remains without some rows.
_SAME_ANGLE, _SAME_SHARE = 30.0, 0.5


def row_claims(study: Study) -> list[Claim]:
    """Name the rows that stand apart, the farthest first, with the columns that set them apart."""
    record = study.evidence.rows
    if record is None or not record.rows:
        return []
    positions = [int(study.evidence.rows_tested[i]) for i in record.rows]
    labels = rows([study.subject.index[i] for i in positions], _MAX_NAMES)
    summary = Sentence("claim.rows", {"count": len(positions), "names": labels})
    return [
        claim("data", summary, subject="rows", effect=len(positions), effect_name="rows"),
        *(_row(study, record, int(i)) for i in record.rows[:_MAX_SENTENCES]),
    ]


def _row(study: Study, record: RowsEvidence, i: int) -> Claim:
    position = int(study.evidence.rows_tested[i])
    along, across = float(record.along[i]), float(record.across[i])
    label = study.subject.index[position]
    values = {
        "row": Row(label),
        "x": Fixed(max(along, across)),
        "where": Sentence(f"claim.where.{'along' if along >= across else 'across'}"),
        "why": _why("row", _reasons(study, position)),
    }
    return claim(
        "row",
        Sentence("claim.row", values),
        subject=label,
        p_value=record.p_values[i],
        effect=max(along, across),
        effect_name="times the limit",
        test=NullTest("rows", "null.rows", "holds.tails" if record.tails else "holds.rows"),
    )


def _reasons(
    study: Study, position: int, weights: np.ndarray | None = None, least: float = 2.0
) -> list[Sentence]:
    """Return the columns that set a row apart, in deviations from the mean.

    With weights (those of an axis, signed) the columns are those that push the row along it.
    """
    if study.subject.table is None:
        return []
    X = study.subject.table.to_numpy(dtype=float)
    sd = X.std(axis=0)
    z = (X[position] - X.mean(axis=0)) / np.where(sd > 0, sd, 1.0)
    push = np.abs(z) if weights is None else z * weights
    order = [j for j in np.argsort(-push, kind="stable")[:_MAX_REASONS] if abs(z[j]) >= least]
    return [_reason(study.subject.table.columns[j], float(z[j])) for j in order]


def _reason(name: object, z: float) -> Sentence:
    key = "why.high" if z > 0 else "why.low"
    return Sentence(key, {"name": Name(name), "z": Fixed(z, 1, signed=True)})


def _why(key: str, causes: list[Sentence]) -> Sentence:
    """Return the reasons as a part of a sentence, empty where there are none."""
    if not causes:
        return Sentence(f"claim.{key}.nowhy")
    return Sentence(f"claim.{key}.why", {"why": Listed(tuple(causes))})


def axis_stability_claims(study: Study, k: int) -> list[Claim]:
    """State how far an axis turns, and which rows carry it."""
    if study.subject.table is not None and study.subject.table.shape[1] < 2:
        return []  # a single column has nowhere to turn to
    carried = study.evidence.carried
    out = [_carriers(study, k, carried[k])] if k in carried else []
    if study.evidence.tested and k > study.evidence.q:
        return out  # directions of axes that are noise are not worth a sentence
    record = study.evidence.directions
    return [*(_by_rows(k, study.stability) if record is None else _by_columns(k, record)), *out]


def _by_columns(k: int, record: Directions) -> list[Claim]:
    """State how far an axis turns among the variables."""
    if k > len(record.angles) or any(k in group for group in record.together):
        return []
    if bool(record.identified[k - 1]):
        return [_turn(k, float(record.angles[k - 1]))]
    return [claim("stability", Sentence("claim.stability.tied", {"k": k}), axis=k)]


def _by_rows(k: int, stability: Stability | None) -> list[Claim]:
    """State how far the axis of a map without columns turns, as seen on its points."""
    if stability is None or k not in stability.axes.index:
        return []
    if not bool(stability.axes.loc[k, "identified"]):
        return []
    return [_turn(k, float(stability.axes["angle"][k]))]


def _degrees(angle: float) -> Fixed:
    """Return an angle in whole degrees, or tenths where it is none."""
    return Fixed(angle, 0 if angle >= 1.0 else 1)


def _turn(k: int, angle: float) -> Claim:
    key = "firm" if angle < _SMALL_ANGLE else "fair" if angle < _FAIR_ANGLE else "loose"
    return claim(
        "stability",
        Sentence(f"claim.stability.{key}", {"k": k, "angle": _degrees(angle)}),
        subject=f"axis {k}",
        axis=k,
        effect=angle,
        effect_name="angle in degrees",
    )


def _carriers(study: Study, k: int, record: Carried) -> Claim:
    """State which rows make an axis, and what is left of it without them."""
    positions = [int(study.evidence.rows_tested[i]) for i in record.rows]
    one = len(positions) == 1
    stays = record.angle < _SAME_ANGLE and record.share_without >= _SAME_SHARE * record.share
    rest: dict[str, Any] = {"angle": Fixed(record.angle, 0), "share": Share(record.share_without)}
    rest |= {"rows": Sentence(f"claim.{'it' if one else 'them'}")}
    values = {
        "names": rows([study.subject.index[i] for i in positions]),
        "k": k,
        "share": Share(record.contribution),
        "rest": Sentence(f"claim.carried.{'stays' if stays else 'turns'}", rest),
    }
    if one:
        f = float(np.asarray(study.fit.coordinates_)[positions[0], k - 1])
        weights = np.asarray(study.fit.components_)[k - 1] * np.sign(f)
        values["why"] = _why("carried", _reasons(study, positions[0], weights, 1.5))
    return claim(
        "stability",
        Sentence(f"claim.stability.carried{'' if one else '.several'}", values),
        subject=", ".join(str(study.subject.index[i]) for i in positions),
        axis=k,
        effect=record.contribution,
        effect_name="share of an axis",
    )


def stability_claims(study: Study) -> list[Claim]:
    """State which axes are to be read together."""
    record = study.evidence.directions
    if record is not None:
        pairs = zip(record.together, record.together_angles, strict=True)
        most = study.evidence.q
        return [_together(group, float(angle)) for group, angle in pairs if min(group) <= most]
    stability = study.stability
    if stability is None:
        return []
    spans = stability.axes["subspace"].to_numpy()
    groups = [g for g in stability.unidentified if min(g) in study.read]
    return [_together(g, float(spans[min(max(g), len(spans)) - 1])) for g in groups]


def _together(group: tuple[int, ...], angle: float) -> Claim:
    numbers = Listed(tuple(str(k) for k in group))
    key = "together" if angle < _FAIR_ANGLE else "together.loose"
    return claim(
        "stability",
        Sentence(f"claim.stability.{key}", {"axes": numbers, "angle": _degrees(angle)}),
        subject=f"axes {', '.join(map(str, group))}",
        effect=angle,
        effect_name="angle in degrees",
    )
