"""Claims about how far axes turn when rows are drawn anew, and about rows that carry them."""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian._study.claim import Claim, claim
from gramian._study.language import Fixed, Listed, Sentence, Share, rows
from gramian._study.makers.rows import reasons, why
from gramian._study.record import Study

_FIRM, _FAIR = 15.0, 35.0  # degrees that an axis turns
_SAME, _LEFT = 30.0, 0.5  # degrees under which, and part of its inertia from which an axis stays


def axis_stability_claims(study: Study, k: int) -> list[Claim]:
    """Say how far an axis turns, and which rows carry it."""
    if study.subject.table is not None and study.subject.table.shape[1] < 2:
        return []  # a single column has nowhere to turn to
    carried = study.evidence.carried
    out = [_carried(study, k, carried[k])] if k in carried else []
    if study.evidence.tested and k > study.evidence.q:
        return out  # directions of axes that are noise are not worth a sentence
    record = study.evidence.directions
    return [*(_by_rows(k, study.stability) if record is None else _by_columns(k, record)), *out]


def _by_columns(k: int, record: Any) -> list[Claim]:
    """Say how far an axis turns among the variables."""
    if k > len(record.angles) or any(k in group for group in record.together):
        return []
    if bool(record.identified[k - 1]):
        return [_turned(k, float(record.angles[k - 1]))]
    return [claim("stability", Sentence("claim.stability.tied", {"k": k}), axis=k)]


def _by_rows(k: int, stability: Any) -> list[Claim]:
    """Say how far the axis of a map without columns turns, as seen on its points."""
    if stability is None or k not in stability.axes.index:
        return []
    if not bool(stability.axes.loc[k, "identified"]):
        return []
    return [_turned(k, float(stability.axes.loc[k, "angle"]))]


def _degrees(angle: float) -> Fixed:
    """Return an angle in whole degrees, or tenths where it is none."""
    return Fixed(angle, 0 if angle >= 1.0 else 1)


def _turned(k: int, angle: float) -> Claim:
    key = "firm" if angle < _FIRM else "fair" if angle < _FAIR else "loose"
    return claim(
        "stability",
        Sentence(f"claim.stability.{key}", {"k": k, "angle": _degrees(angle)}),
        subject=f"axis {k}",
        axis=k,
        effect=angle,
        effect_name="angle in degrees",
    )


def _carried(study: Study, k: int, record: Any) -> Claim:
    """Say which rows make an axis, and what is left of it without them."""
    positions = [int(study.evidence.rows_tested[i]) for i in record.rows]
    one = len(positions) == 1
    stays = record.angle < _SAME and record.share_without >= _LEFT * record.share
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
        values["why"] = why("carried", reasons(study, positions[0], weights, 1.5))
    return claim(
        "stability",
        Sentence(f"claim.stability.carried{'' if one else '.several'}", values),
        subject=", ".join(str(study.subject.index[i]) for i in positions),
        axis=k,
        effect=record.contribution,
        effect_name="share of an axis",
    )


def stability_claims(study: Study) -> list[Claim]:
    """Say which axes are to be read together."""
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
    key = "together" if angle < _FAIR else "together.loose"
    return claim(
        "stability",
        Sentence(f"claim.stability.{key}", {"axes": numbers, "angle": _degrees(angle)}),
        subject=f"axes {', '.join(map(str, group))}",
        effect=angle,
        effect_name="angle in degrees",
    )
