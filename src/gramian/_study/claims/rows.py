"""Claims about rows that stand apart or carry axes, and how far axes turn under resampling."""

from typing import Any

import numpy as np

import gramian as gm
from gramian._study.evidence import table_values
from gramian._study.language import Count, Fixed, Listed, Name, Row, Sentence, Share, rows
from gramian._study.record import Claim, NullTest, Study, claim
from gramian.evidence import Carried, Directions, RowsEvidence

_MAX_SENTENCES = 20  # rows with a sentence each
_MAX_NAMES = 8
_MAX_REASONS = 3
_FIRM_MAP, _FAIR_MAP = 0.9, 0.7  # share of the variance of places that resamples share
_SMALL_ANGLE, _FAIR_ANGLE = 15.0, 35.0  # degrees that an axis turns
# Degrees under which, and part of its inertia from which an axis remains without some rows.
_SAME_ANGLE, _SAME_SHARE = 30.0, 0.5


_MAX_ROBUST_CELLS = 100_000  # numbers of a table whose robust axes are computed
_MIN_KEPT = 0.8  # of the inertia on robust axes, that axes keep where no rows have turned them
_MAX_WILD = 0.3  # of the rows: more are no outliers but a part of the data


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


def robust_claims(study: Study) -> list[Claim]:
    """State that a few rows have turned the first axis or plane, where robust axes differ."""
    table, q = study.subject.table, min(study.q, 2)
    if table is None or not study.has_columns or table.size > _MAX_ROBUST_CELLS:
        return []
    own = np.asarray(study.fit.components_, dtype=float)
    Z = table_values(study.fit, table)
    C = Z - np.median(Z, axis=0)  # the axes of directions: quick, and seldom turned by a few rows
    size = np.linalg.norm(C, axis=1, keepdims=True)
    quick = np.linalg.svd(C / np.maximum(size, 1e-300), full_matrices=False)[2]
    near = C[size[:, 0] <= np.quantile(size, 1.0 - _MAX_WILD)]
    for k in range(1, q + 1):
        if _kept(own[:k], quick[:k], near) >= _MIN_KEPT:
            continue
        fit = gm.RobustPCA(k, random_state=study.seed).fit(Z)
        wild = fit.outliers()["outlier"].to_numpy()
        rest = Z[~wild] - Z[~wild].mean(axis=0)
        kept = _kept(own[:k], np.asarray(fit.components_), rest)
        if kept < _MIN_KEPT and 0 < wild.mean() <= _MAX_WILD:
            values = {"count": int(wild.sum()), "share": Share(kept), "axes": Count("axis", k)}
            sentence = Sentence("claim.robust", values)
            name = "share of robust inertia"
            return [claim("data", sentence, "robust", effect=kept, effect_name=name)]
    return []


def _kept(own: np.ndarray, other: np.ndarray, C: np.ndarray) -> float:
    """Return what axes carry of rows, over what other axes carry of them."""
    return float(((C @ own.T) ** 2).sum() / max(((C @ other.T) ** 2).sum(), 1e-300))


def _row(study: Study, record: RowsEvidence, i: int) -> Claim:
    position = int(study.evidence.rows_tested[i])
    along, across = float(record.along[i]), float(record.across[i])
    label = study.subject.index[position]
    p, times = record.p_values[i], max(along, across)
    where = Sentence(f"claim.where.{'along' if along >= across else 'across'}")
    values = {"row": Row(label), "x": Fixed(times), "where": where}
    sentence = Sentence("claim.row", values | {"why": _why("row", _reasons(study, position))})
    test = NullTest("rows", "null.rows", "holds.tails" if record.tails else "holds.rows")
    return claim(
        "row", sentence, label, p_value=p, effect=times, effect_name="times the limit", test=test
    )


def _reasons(
    study: Study, position: int, weights: np.ndarray | None = None, least: float = 2.0
) -> list[Sentence]:
    """Return the columns that set a row apart, in deviations from the mean."""
    # With weights (those of an axis, signed) the columns are those that push the row along it.
    if study.subject.table is None:
        return []
    X = study.subject.table.to_numpy(dtype=float)
    sd = X.std(axis=0)
    z = (X[position] - X.mean(axis=0)) / np.where(sd > 0, sd, 1.0)
    push = np.abs(z) if weights is None else z * weights
    order = [j for j in np.argsort(-push, kind="stable")[:_MAX_REASONS] if abs(z[j]) >= least]
    names = study.subject.table.columns
    return [
        Sentence(
            "why.high" if z[j] > 0 else "why.low",
            {"name": Name(names[j]), "z": Fixed(float(z[j]), 1, signed=True)},
        )
        for j in order
    ]


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
    if (study.evidence.tested and k > study.evidence.q) or (out and not _stays(carried[k])):
        return out  # noise has no direction to speak of, nor has an axis that a few rows make
    record, stability = study.evidence.directions, study.stability
    if record is not None:
        return [*_by_columns(k, record, len(study.evidence.rows_tested)), *out]
    # A map without columns turns as seen on its points.
    if stability is not None and k in stability.axes.index and stability.axes["identified"][k]:
        out.insert(0, _turn(k, float(stability.axes["angle"][k]), len(stability.points)))
    return out


def _by_columns(k: int, record: Directions, n: int) -> list[Claim]:
    """State how far an axis turns among the variables."""
    if k > len(record.angles) or any(k in group for group in record.together):
        return []
    if bool(record.identified[k - 1]):
        return [_turn(k, float(record.angles[k - 1]), n)]
    return [claim("stability", Sentence("claim.stability.tied", {"k": k}), axis=k)]


def _degrees(angle: float) -> Fixed:
    """Return an angle in whole degrees, or tenths where it is none."""
    return Fixed(angle, 0 if angle >= 1.0 else 1)


def _turn(k: int, angle: float, n: int) -> Claim:
    key = "firm" if angle < _SMALL_ANGLE else "fair" if angle < _FAIR_ANGLE else "loose"
    values: dict[str, Any] = {"k": k, "angle": _degrees(angle)}
    if key == "fair":
        # sin² of the angle falls as 1/n; two digits are all that it is good for
        more = n * ((np.sin(np.radians(angle)) / np.sin(np.radians(_SMALL_ANGLE))) ** 2 - 1.0)
        values |= {"more": int(float(f"{max(more, 1.0):.2g}")), "small": int(_SMALL_ANGLE)}
    sentence = Sentence(f"claim.stability.{key}", values)
    return claim(
        "stability", sentence, f"axis {k}", k, effect=angle, effect_name="angle in degrees"
    )


def _stays(record: Carried) -> bool:
    """Whether an axis is there without the rows that carry it."""
    return record.angle < _SAME_ANGLE and record.share_without >= _SAME_SHARE * record.share


def _carriers(study: Study, k: int, record: Carried) -> Claim:
    """State which rows make an axis, and what is left of it without them."""
    positions = [int(study.evidence.rows_tested[i]) for i in record.rows]
    one = len(positions) == 1
    stays = _stays(record)
    rest: dict[str, Any] = {"angle": Fixed(record.angle, 0), "share": Share(record.share_without)}
    rest |= {"rows": Sentence(f"claim.{'it' if one else 'them'}")}
    labels, share = [study.subject.index[i] for i in positions], record.contribution
    values = {"names": rows(labels), "k": k, "share": Share(share)}
    values |= {"rest": Sentence(f"claim.carried.{'stays' if stays else 'turns'}", rest)}
    if one:
        f = float(np.asarray(study.fit.coordinates_)[positions[0], k - 1])
        weights = np.asarray(study.fit.components_)[k - 1] * np.sign(f)
        values["why"] = _why("carried", _reasons(study, positions[0], weights, 1.5))
    sentence = Sentence(f"claim.stability.carried{'' if one else '.several'}", values)
    subject = ", ".join(map(str, labels))
    return claim("stability", sentence, subject, k, effect=share, effect_name="share of an axis")


def map_claims(study: Study) -> list[Claim]:
    """State how far rows keep their places on the map when rows are resampled."""
    steady = study.steadiness
    if steady is None or not np.isfinite(steady):
        return []
    key = "firm" if steady >= _FIRM_MAP else "fair" if steady >= _FAIR_MAP else "loose"
    sentence = Sentence(f"claim.map.{key}", {"share": Share(max(steady, 0.0))})
    return [claim("stability", sentence, "map", effect=steady, effect_name="share of variance")]


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
    sentence = Sentence(f"claim.stability.{key}", {"axes": numbers, "angle": _degrees(angle)})
    subject = f"axes {', '.join(map(str, group))}"
    return claim("stability", sentence, subject, effect=angle, effect_name="angle in degrees")
