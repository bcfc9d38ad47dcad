"""Claims about groups and supplementary columns."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from gramian._nulls.corrections import ALPHA
from gramian._study.claim import Claim, Grounds, claim
from gramian._study.language import Fixed, Listed, Name, P, Sentence, Share
from gramian._study.record import Study

_LARGE, _SOME = 0.5, 0.1  # share of an axis that a grouping explains: separates, is linked to
_ASIDE = 1.96  # v-test of a category that is not in the middle
_SIDES = 3  # categories named on each side
_COLUMNS = 5  # columns named


def group_claims(study: Study) -> list[Claim]:
    """Say of each grouping whether its groups differ, whatever the axes are."""
    return [_group(study, name, record) for name, record in study.evidence.groups.items()]


def _group(study: Study, name: Any, record: Any) -> Claim:
    p = study.evidence.group_p_values[name]
    if record.p_value is None:
        reason = Sentence(
            f"claim.untested.group.{record.reason or 'scheme'}", {"group": Name(name)}
        )
        return claim("not-tested", reason, subject="groups")
    values: dict[str, Any] = {"group": Name(name), "p": P(p, _floor(study, name, p))}
    values["among"] = _among(study, record)
    if p >= ALPHA:
        sentence = Sentence("claim.data.group", values)
        return claim("nothing", sentence, subject=name, p_value=p, grounds=group_grounds(record))
    columns = record.columns if study.has_columns else None
    key = "group.objects" if columns is None else "group.whole"
    effect = None
    if columns is not None:
        columns = columns[np.maximum(columns["p_value"], p) < ALPHA]
        columns = columns.sort_values("eta2", ascending=False, kind="stable")
        effect = float(record.columns["eta2"].max())
        if len(columns):
            key = "group.columns"
            values["columns"] = Listed(_eta2(study, columns), _COLUMNS)
    return claim(
        "group",
        Sentence(f"claim.{key}", values),
        subject=name,
        p_value=p,
        effect=effect,
        effect_name="eta2" if effect is not None else "",
        grounds=group_grounds(record),
    )


def _eta2(study: Study, columns: pd.DataFrame) -> tuple[Sentence, ...]:
    assert study.subject.table is not None
    labels = study.subject.table.columns
    return tuple(
        Sentence("claim.group.column", {"name": Name(labels[j]), "eta2": Share(float(eta2))})
        for j, eta2 in zip(columns.index.to_list(), columns["eta2"], strict=True)
    )


def _floor(study: Study, name: Any, p: float) -> float:
    """Return the p-value itself where it is the smallest that its draws, corrected, can give."""
    record, least = study.evidence.groups[name], study.evidence.group_p_values[name]
    return p if record.p_value <= 1.000001 * record.floor and p <= 1.000001 * least else 0.0


def group_grounds(record: Any) -> Grounds:
    """What a test of groups holds them against."""
    return _grounds("groups", record.scheme)


def _grounds(test: str, scheme: str) -> Grounds:
    null = f"null.{test}.shifts" if scheme == "shifts" else f"null.{test}"
    holds = scheme if scheme in ("copies", "shifts") else "labels"
    return Grounds(test, null, f"holds.{holds}")


def axis_group_claims(study: Study, k: int) -> list[Claim]:
    """Say which groupings an axis goes with, those that explain most of it first."""
    out = []
    for name, record in study.evidence.groups.items():
        p = study.evidence.group_p_values[name]
        if record.axes is None or k not in record.axes.index or not p < ALPHA:
            continue
        row = record.axes.loc[k]
        if (p := max(p, float(row["p_value"]))) < ALPHA:
            out.append(_axis_group(study, k, name, record, float(row["eta2"]), p))
    return sorted(out, key=lambda c: -(c.effect or 0.0))


def _axis_group(study: Study, k: int, name: Any, record: Any, eta2: float, p: float) -> Claim:
    size = "separates" if eta2 >= _LARGE else "linked" if eta2 >= _SOME else "little"
    values = {"k": k, "group": Name(name), "eta2": Share(eta2), "p": P(p, _floor(study, name, p))}
    values |= {"among": _among(study, record), "sides": _sides(record, k)}
    return claim(
        "axis-group",
        Sentence(f"claim.group.axis.{size}", values),
        subject=name,
        axis=k,
        p_value=p,
        effect=eta2,
        effect_name="eta2",
        grounds=group_grounds(record),
    )


def _among(study: Study, record: Any) -> Sentence:
    """Return how many rows have a group, where not all do."""
    n = len(study.evidence.rows_tested)
    if record.scheme == "copies" or record.n_rows == n:
        return Sentence("claim.among.all")
    return Sentence("claim.among.some", {"count": record.n_rows, "n": n})


def _sides(record: Any, k: int) -> Sentence:
    """Return the categories that stand on a side of the axis, each with its v-test."""
    table = record.categories.xs(k, level=1)
    table = table[(table["v_test"].abs() >= _ASIDE) & (table["p_value"] < ALPHA)]
    table = table.sort_values("v_test", kind="stable")
    low, high = table[table["v_test"] < 0], table[table["v_test"] > 0].iloc[::-1]
    key = (
        "both" if len(low) and len(high) else "low" if len(low) else "high" if len(high) else "none"
    )
    return Sentence(f"claim.sides.{key}", {"low": _named(low), "high": _named(high)})


def _named(table: pd.DataFrame) -> Listed:
    parts = [
        Sentence("category.v", {"name": Name(label), "v": Fixed(v, 1)})
        for label, v in table["v_test"].items()
    ]
    return Listed(tuple(parts), _SIDES)


def tie_claims(study: Study, k: int) -> list[Claim]:
    """Say which supplementary columns go with an axis."""
    numbers, extra = study.evidence.numbers, study.subject.supplementary
    if numbers is None or extra is None:
        return []
    table = numbers.table.xs(k, level=1) if k in numbers.table.index.get_level_values(1) else None
    if table is None:
        return []
    table = table[table["p_value"] < ALPHA].sort_values("p_value", kind="stable")
    return [
        _tie(extra.columns[j], k, float(row["correlation"]), float(row["p_value"]), numbers)
        for j, row in table.iterrows()
    ]


def _tie(name: Any, k: int, r: float, p: float, numbers: Any) -> Claim:
    floor = p if p <= 1.000001 * numbers.floor * len(numbers.table) else 0.0
    values = {"name": Name(name), "k": k, "r": Fixed(r), "p": P(p, floor)}
    return claim(
        "tie",
        Sentence("claim.tie", values),
        subject=name,
        axis=k,
        p_value=p,
        effect=r,
        effect_name="correlation",
        grounds=_grounds("numbers", numbers.scheme),
    )
