"""Claims about groups, supplementary columns and classes; about curves and clusters."""

from typing import Any

import numpy as np
import pandas as pd

from gramian._nulls.corrections import ALPHA, bonferroni
from gramian._study.evidence import IMPUTED
from gramian._study.language import Fixed, Listed, Name, P, Sentence, Share, rows
from gramian._study.record import Claim, Classes, NullTest, Study, claim
from gramian.evidence import ClusterEvidence, CurveEvidence, GroupEvidence, NumberEvidence

# Share of an axis that a grouping explains, from which it separates or is linked to the groups.
_SEPARATION, _LINK = 0.5, 0.1
_MIN_V_TEST = 1.96  # of a category that is not in the middle
_MAX_SIDE_NAMES = 3  # categories named on each side
_MAX_COLUMNS = 5  # named
_MAX_CLASS_NAMES = 4  # columns or categories of a class, and rows that represent it
_AGREEMENT, _PART_AGREEMENT = 0.9, 0.7  # correlations of the two maps
_MIN_ETA2_RATIO = 2.0  # of a kernel axis over a principal axis, to show more of a grouping
_LEVEL_DIVISOR = 5  # a test beside the family of axes, groups and curves has a fifth of its level
_REASONS = {"scheme": "rows", "few rows": "few", "few columns": "columns"}


def group_claims(study: Study) -> list[Claim]:
    """State of each grouping whether its groups differ, whatever the axes are."""
    return [_group(study, name, record) for name, record in study.evidence.groups.items()]


def _group(study: Study, name: object, record: GroupEvidence) -> Claim:
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
        return claim("nothing", sentence, subject=name, p_value=p, test=group_test(record))
    tested = record.columns if study.has_columns else None
    key = "group.objects" if tested is None else "group.whole"
    effect = None
    if tested is not None:
        columns = tested[np.maximum(tested["p_value"], p) < ALPHA]
        columns = columns.sort_values("eta2", ascending=False, kind="stable")
        effect = float(tested["eta2"].max())
        if len(columns):
            key = "group.columns"
            values["columns"] = Listed(_eta2(study, columns), _MAX_COLUMNS)
    return claim(
        "group",
        Sentence(f"claim.{key}", values),
        subject=name,
        p_value=p,
        effect=effect,
        effect_name="eta2" if effect is not None else "",
        test=group_test(record),
    )


def _eta2(study: Study, columns: pd.DataFrame) -> tuple[Sentence, ...]:
    assert study.subject.table is not None
    labels = study.subject.table.columns
    return tuple(
        Sentence("claim.group.column", {"name": Name(labels[j]), "eta2": Share(float(eta2))})
        for j, eta2 in zip(columns.index.to_list(), columns["eta2"], strict=True)
    )


def _floor(study: Study, name: object, p: float) -> float:
    """Return the p-value itself where it is the smallest that its draws, corrected, can give."""
    record, least = study.evidence.groups[name], study.evidence.group_p_values[name]
    own = 1.0 if record.p_value is None else record.p_value
    return p if own <= 1.000001 * record.floor and p <= 1.000001 * least else 0.0


def group_test(record: GroupEvidence) -> NullTest:
    """Return the null and the assumption of a test of groups."""
    return _label_test("groups", record.scheme)


def _label_test(test: str, scheme: str) -> NullTest:
    null = f"null.{test}.shifts" if scheme == "shifts" else f"null.{test}"
    assumption = scheme if scheme in ("copies", "shifts") else "labels"
    return NullTest(test, null, f"holds.{assumption}")


def axis_group_claims(study: Study, k: int) -> list[Claim]:
    """State which groupings an axis goes with, those that explain most of it first."""
    out = []
    for name, record in study.evidence.groups.items():
        p = study.evidence.group_p_values[name]
        if record.axes is None or k not in record.axes.index or not p < ALPHA:
            continue
        own, eta2 = (float(record.axes[name][k]) for name in ("p_value", "eta2"))
        if (p := max(p, own)) < ALPHA:
            out.append(_axis_group(study, k, name, record, eta2, p))
    return sorted(out, key=lambda c: -(c.effect or 0.0))


def _axis_group(
    study: Study, k: int, name: object, record: GroupEvidence, eta2: float, p: float
) -> Claim:
    size = "separates" if eta2 >= _SEPARATION else "linked" if eta2 >= _LINK else "little"
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
        test=group_test(record),
    )


def _among(study: Study, record: GroupEvidence) -> Sentence:
    """Return how many rows have a group, where not all do."""
    n = len(study.evidence.rows_tested)
    if record.scheme == "copies" or record.n_rows == n:
        return Sentence("claim.among.all")
    return Sentence("claim.among.some", {"count": record.n_rows, "n": n})


def _sides(record: GroupEvidence, k: int) -> Sentence:
    """Return the categories that stand on a side of the axis, each with its v-test."""
    assert record.categories is not None
    table = pd.DataFrame(record.categories.xs(k, level=1))
    table = table[(table["v_test"].abs() >= _MIN_V_TEST) & (table["p_value"] < ALPHA)]
    table = table.sort_values("v_test", kind="stable")
    low, high = table[table["v_test"] < 0], table[table["v_test"] > 0].iloc[::-1]
    key = (
        "both" if len(low) and len(high) else "low" if len(low) else "high" if len(high) else "none"
    )
    return Sentence(f"claim.sides.{key}", {"low": _categories(low), "high": _categories(high)})


def _categories(table: pd.DataFrame) -> Listed:
    parts = [_category(label, v) for label, v in table["v_test"].items()]
    return Listed(tuple(parts), _MAX_SIDE_NAMES)


def _category(label: object, v_test: float) -> Sentence:
    return Sentence("category.v", {"name": Name(label), "v": Fixed(float(v_test), 1)})


def tie_claims(study: Study, k: int) -> list[Claim]:
    """State which supplementary columns go with an axis."""
    numbers, extra = study.evidence.numbers, study.subject.supplementary
    if numbers is None or extra is None:
        return []
    table = numbers.table[numbers.table.index.get_level_values(1) == k].droplevel(1)
    table = table[table["p_value"] < ALPHA].sort_values("p_value", kind="stable")
    names = extra.columns[table.index.to_numpy(dtype=int)]
    readings = zip(names, table["correlation"], table["p_value"], strict=True)
    return [_tie(name, k, float(r), float(p), numbers) for name, r, p in readings]


def _tie(name: object, k: int, r: float, p: float, numbers: NumberEvidence) -> Claim:
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
        test=_label_test("numbers", numbers.scheme),
    )


def class_claims(study: Study) -> list[Claim]:
    """State how many classes there are, by a test or as requested, and describe each."""
    if study.classes is None:
        return []
    found = study.classes.found
    values: dict[str, Any] = {"count": found.n_clusters, "axes": study.classes.n_axes}
    p = found.p_value
    if p is not None:
        values["p"] = P(p)
    key = "asked" if p is None else "one" if found.n_clusters == 1 else "found"
    out = [claim("data", Sentence(f"claim.classes.{key}", values), subject="classes", p_value=p)]
    if found.n_clusters > 1:
        out += [_class(study.classes, k) for k in found.sizes.index]
    return out


def _class(classes: Classes, k: int) -> Claim:
    own = classes.table[classes.table["class"] == k]
    high = own[own["v_test"] > 0].nlargest(_MAX_CLASS_NAMES, "v_test")
    low = own[(own["v_test"] < 0) & (own["kind"] == "number")]
    low = low.nsmallest(_MAX_CLASS_NAMES, "v_test")
    typical = classes.paragons[classes.paragons["class"] == k]["row"]
    values = {
        "k": int(k),
        "n": int(classes.found.sizes[k]),
        "rows": rows(list(typical)[:_MAX_CLASS_NAMES]),
        "high": _class_names(high),
        "low": _class_names(low),
    }
    sides = "both" if len(high) and len(low) else "high" if len(high) else "low"
    sides = sides if len(own) else "none"
    return claim("data", Sentence(f"claim.classes.{sides}", values), subject="class")


def _class_names(table: pd.DataFrame) -> Listed:
    own = table["variable"].astype(str) + "=" + table["category"].astype(str)
    labels = table["variable"].where(table["kind"] == "number", own)
    return Listed(tuple(map(_category, labels, table["v_test"])))


def curve_claims(study: Study) -> list[Claim]:
    """State whether the cloud is bent, hollow or in clusters, and how the kernel map compares."""
    return [*_shape_claims(study), *_kernel_claims(study)]


def _shape_claims(study: Study) -> list[Claim]:
    record = study.evidence.curves
    if record is None:
        return [_not_tested("filled")] if study.subject.missing in IMPUTED else []
    if record.p_value is None:
        return [_not_tested(_REASONS.get(record.reason, "rows"))]
    found = study.evidence.family.others
    bent, modes = found.get("curves", 1.0), found.get("clusters", 1.0)
    shape = record.clusters
    # Clear modes are stated where a bend is not.
    apart = record.kind == "clusters" or (bent >= ALPHA and shape.found(ALPHA))
    if apart and min(bent, modes) < ALPHA:
        own = (shape, modes) if modes <= bent else (record, bent)
        return [_clusters(study, shape, *own)]
    return [_bent(record, bent)] if record.kind == "bent" and bent < ALPHA else []


def _not_tested(reason: str) -> Claim:
    why = Sentence(f"claim.untested.reason.{reason}")
    values = {"part": Sentence("claim.part.curves"), "reason": why}
    return claim("not-tested", Sentence("claim.untested.part", values), subject="curves")


def _bent(record: CurveEvidence, p: float) -> Claim:
    null = "columns" if record.null == "independent columns" else "linear"
    return claim(
        "curve",
        Sentence(f"claim.curve.{null}", {"p": P(p, _p_floor(p, record.p_value, record.floor))}),
        subject="curve",
        p_value=p,
        effect=record.effect,
        effect_name="correlation of waves",
        test=NullTest("curves", f"null.curves.{null}", "holds.permutation"),
    )


def _clusters(
    study: Study, shape: ClusterEvidence, record: ClusterEvidence | CurveEvidence, p: float
) -> Claim:
    """Return the claim of clusters, which `record` is the evidence of."""
    floor = _p_floor(p, record.p_value, record.floor)
    key, values = "cluster", {"p": P(p, floor), "k": shape.axis}
    if shape.column is not None:
        assert study.subject.table is not None
        key, values["name"] = "cluster.column", Name(study.subject.table.columns[shape.column])
    return claim(
        "cluster",
        Sentence(f"claim.{key}", values),
        subject="cluster",
        p_value=p,
        effect=shape.n_clusters,
        effect_name="clusters",
        test=NullTest("clusters", "null.clusters", "holds.permutation"),
    )


def _p_floor(p: float, own: float | None, least: float) -> float:
    """Return a p-value that is corrected, where its own is the smallest that its draws give."""
    return p if own is not None and own <= 1.000001 * least else 0.0


def _kernel_claims(study: Study) -> list[Claim]:
    """State whether the two maps place the rows alike."""
    if study.kernel_map is None:
        return []
    t = study.kernel_map.agreement
    key = "agree" if t >= _AGREEMENT else "part" if t >= _PART_AGREEMENT else "differ"
    sentence = Sentence(f"claim.data.kernel.{key}", {"t": Fixed(t)})
    return [claim("data", sentence, subject="kernel", effect=t, effect_name="correlation")]


def kernel_group_claims(study: Study) -> list[Claim]:
    """State which groupings a kernel axis shows and no principal axis does."""
    out = []
    for name, record in study.kernel_groups.items():
        principal = study.evidence.groups.get(name)
        if record.p_value is None or record.columns is None:
            continue
        if principal is None or principal.axes is None:
            continue
        p = float(bonferroni(record.p_value, len(study.kernel_groups) * _LEVEL_DIVISOR))
        shown, seen = record.columns["eta2"], principal.axes["eta2"]
        if p < ALPHA and float(shown.max()) > _MIN_ETA2_RATIO * float(seen.max()):
            out.append(_kernel_group(name, record, p, shown, seen))
    return out


def _kernel_group(
    name: object, record: GroupEvidence, p: float, shown: pd.Series, seen: pd.Series
) -> Claim:
    values = {
        "group": Name(name),
        "kernel": Share(float(shown.max())),
        "kaxis": int(shown.argmax()) + 1,
        "pca": Share(float(seen.max())),
        "paxis": int(seen.index[int(seen.argmax())]),
        "p": P(p, _p_floor(p, record.p_value, record.floor)),
    }
    return claim(
        "group",
        Sentence("claim.group.kernel", values),
        subject=name,
        p_value=p,
        effect=float(shown.max()),
        effect_name="eta2 on a kernel axis",
        test=group_test(record),
    )
