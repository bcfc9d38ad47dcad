"""Claims about groups, supplementary columns and classes; about curves and clusters."""

from typing import Any

import numpy as np
import pandas as pd

from gramian._nulls.corrections import ALPHA, bonferroni
from gramian._study.language import Fixed, Listed, Name, P, Row, Sentence, Share, names, rows
from gramian._study.record import (
    Claim,
    Classes,
    NullTest,
    Study,
    axis_p_value,
    claim,
    not_tested,
    side_key,
)
from gramian.evidence import ClusterEvidence, CurveEvidence, GroupEvidence, NumberEvidence
from gramian.evidence.within import WithinTest

# Share of an axis that a grouping explains, from which it separates or is linked to the groups.
_SEPARATION, _LINK = 0.5, 0.1
_MIN_V_TEST = 1.96  # of a category that is not in the middle
_MAX_SIDE_NAMES = 3  # categories named on each side
_MAX_COLUMNS = 5  # named
_MAX_CLASS_NAMES = 4  # columns or categories of a class, and rows that represent it
_AGREEMENT, _PART_AGREEMENT = 0.9, 0.7  # correlations of the two maps
_MIN_ETA2_RATIO = 2.0  # of a kernel axis over a principal axis, to show more of a grouping
GRADIENT = "R2 of a gradient"  # the effect of a supplementary column on the map
_MIN_ARCH = 0.5  # R² of axis 2 as a parabola of axis 1
_MIN_GRADIENT = 0.1  # R² of a gradient that is named
_LEVEL_DIVISOR = 5  # a test beside the family of axes, groups and curves has a fifth of its level
# What groups are compared by besides their means, and the effect of each.
WITHIN = {"spread": "ratio of distances", "correlation": "difference of correlations"}
_REASONS = {"scheme": "rows", "few rows": "few", "few columns": "columns"}


def group_claims(study: Study) -> list[Claim]:
    """State of each grouping how its groups differ, whatever the axes are."""
    out = []
    for name, record in study.evidence.groups.items():
        within = [c for kind in WITHIN for c in _within(study, name, kind)]
        units = [_units(name, record)] if getattr(record, "test", "") == "units" else []
        out += [*units, _group(study, name, record, bool(within)), *within]
    return out


def _units(name: object, record: GroupEvidence) -> Claim:
    """Return that a grouping was given to units of several rows, which are compared."""
    values: dict[str, Any] = {"group": Name(name), "count": record.n_rows}
    if record.unit is None:
        return claim("data", Sentence("claim.data.units.names", values), subject="units")
    sentence = Sentence("claim.data.units", values | {"unit": Name(record.unit)})
    return claim("data", sentence, subject="units")


def _group(study: Study, name: object, record: GroupEvidence, within: bool) -> Claim:
    """Return the claim about the means, where none differs about all that was compared."""
    p, values = study.evidence.group_p_values[name], dict[str, Any](group=Name(name))
    if record.p_value is None:
        reason = Sentence(f"claim.untested.group.{record.reason or 'scheme'}", values)
        return claim("not-tested", reason, subject="groups")
    values |= {"p": _p(study, name, p), "among": _among(study, record)}
    test = _label_test("groups", record)
    if p >= ALPHA and not within and (least := study.evidence.least_group_p(name)) >= ALPHA:
        values |= {"count": record.n_rows, "groups": record.n_groups, "least": Fixed(least)}
        key = "units" if getattr(record, "test", "") == "units" else "few"
        return claim("not-tested", Sentence(f"claim.untested.group.{key}", values), "groups")
    if p >= ALPHA:
        values["what"] = Sentence(f"claim.group.what.{'means' if within else _compared(record)}")
        return claim("nothing", Sentence("claim.data.group", values), name, p_value=p, test=test)
    if record.columns is None or not study.has_columns:
        return claim("group", Sentence("claim.group.objects", values), name, p_value=p, test=test)
    key, columns = "whole", record.columns[np.maximum(record.columns["p_value"], p) < ALPHA]
    if len(columns):
        columns = columns.sort_values("eta2", ascending=False, kind="stable")
        key, values["columns"] = "columns", Listed(_eta2(study, columns), _MAX_COLUMNS)
    sentence, eta2 = Sentence(f"claim.group.{key}", values), float(record.columns["eta2"].max())
    return claim("group", sentence, name, p_value=p, effect=eta2, effect_name="eta2", test=test)


def _compared(record: GroupEvidence) -> str:
    """Return the last that groups were compared by: "means", "spread" or "correlation"."""
    if record.correlation is not None:
        return "correlation"
    return "means" if record.spread is None else "spread"


def _within(study: Study, name: object, kind: str) -> list[Claim]:
    """Return the claim that groups differ in their spread, or in a correlation."""
    record = study.evidence.groups[name]
    found: WithinTest | None = getattr(record, kind)
    p = study.evidence.group_tests.get((name, kind), 1.0)
    if found is None or not p < ALPHA:
        return []
    low, high = found.values.idxmin(), found.values.idxmax()
    values = {"group": Name(name), "among": _among(study, record), "p": _corrected(p, found)}
    values |= {"low": Name(low), "high": Name(high), "effect": Fixed(found.effect, 1)}
    if found.pair:
        labels = _labels(study)
        values |= {"first": Name(labels[found.pair[0]]), "second": Name(labels[found.pair[1]])}
        values |= {"least": Fixed(found.values.min()), "most": Fixed(found.values.max())}
    test = NullTest("groups", f"null.groups.{kind}", "holds.labels")
    sentence = Sentence(f"claim.group.{kind}", values)
    effect: dict[str, Any] = {"effect": found.effect, "effect_name": WITHIN[kind], "test": test}
    return [claim("group", sentence, name, p_value=p, **effect)]


def _labels(study: Study) -> pd.Index:
    """Return the names of the columns, of the axes where there are none."""
    if study.subject.table is not None and study.has_columns:
        return study.subject.table.columns
    return pd.Index([f"axis {k}" for k in range(1, study.fit.n_components_ + 1)])


def _eta2(study: Study, columns: pd.DataFrame) -> tuple[Sentence, ...]:
    labels = _labels(study)
    return tuple(
        Sentence("claim.group.column", {"name": Name(labels[j]), "eta2": Share(float(eta2))})
        for j, eta2 in zip(columns.index.to_list(), columns["eta2"], strict=True)
    )


def _p(study: Study, name: object, p: float) -> P:
    """Return the corrected p-value of a grouping, or of its differences on an axis."""
    least = p <= 1.000001 * study.evidence.group_p_values[name]
    return _corrected(p, study.evidence.groups[name]) if least else P(p)


def _corrected(p: float, record: GroupEvidence | ClusterEvidence | CurveEvidence | WithinTest) -> P:
    """Return a p-value that is corrected: its floor where its own is the smallest of its draws."""
    own = record.p_value
    return P(p, p if own is not None and own <= 1.000001 * record.floor else 0.0)


def _label_test(test: str, record: GroupEvidence | NumberEvidence) -> NullTest:
    """Return the null and the assumption of a test of labels or numbers."""
    scheme = record.scheme
    if getattr(record, "test", "") == "moderated":
        return NullTest(test, f"null.{test}.moderated", "holds.moderated")
    if (by := getattr(record, "test", "")) in ("blocks", "units"):
        return NullTest(test, f"null.{test}.{by}", f"holds.{'means' if by == 'blocks' else by}")
    null = f"null.{test}.shifts" if scheme == "shifts" else f"null.{test}"
    assumption = scheme if scheme in ("copies", "shifts") else "labels"
    return NullTest(test, null, f"holds.{assumption}")


def axis_group_claims(study: Study, k: int) -> list[Claim]:
    """State which groupings an axis goes with, those that explain most of it first."""
    out = []
    for name, record in study.evidence.groups.items():
        p = axis_p_value(study.evidence, name, k)
        if record.axes is not None and p < ALPHA:
            out.append(_axis_group(study, k, name, record, float(record.axes["eta2"][k]), p))
    return sorted(out, key=lambda c: -(c.effect or 0.0))


def _axis_group(
    study: Study, k: int, name: object, record: GroupEvidence, eta2: float, p: float
) -> Claim:
    size = "separates" if eta2 >= _SEPARATION else "linked" if eta2 >= _LINK else "little"
    values = {"k": k, "group": Name(name), "eta2": Share(eta2), "p": _p(study, name, p)}
    values |= {"among": _among(study, record), "sides": _sides(record, k)}
    sentence, test = Sentence(f"claim.group.axis.{size}", values), _label_test("groups", record)
    return claim(
        "axis-group", sentence, name, k, p_value=p, effect=eta2, effect_name="eta2", test=test
    )


def _among(study: Study, record: GroupEvidence) -> Sentence:
    """Return how many rows have a group, where not all do."""
    n, state = len(study.evidence.rows_tested), study.evidence.assumptions
    copies = None if state is None else state.copies
    if copies is not None or record.n_rows == n:
        return Sentence("claim.among.all")
    return Sentence("claim.among.some", {"count": record.n_rows, "n": n})


def _sides(record: GroupEvidence, k: int) -> Sentence:
    """Return the categories that stand on a side of the axis, the farthest first."""
    assert record.categories is not None
    table = pd.DataFrame(record.categories.xs(k, level=1))
    table = table[(table["v_test"].abs() >= _MIN_V_TEST) & (table["p_value"] < ALPHA)]
    table = table.sort_values("v_test", kind="stable")
    low, high = table[table["v_test"] < 0], table[table["v_test"] > 0].iloc[::-1]
    sides = {
        side: names(part.index, _MAX_SIDE_NAMES) for side, part in (("low", low), ("high", high))
    }
    return Sentence(f"claim.sides.{side_key(low, high)}", sides)


def _category(label: object, v_test: float) -> Sentence:
    return Sentence("category.v", {"name": Name(label), "v": Fixed(float(v_test), 1)})


def tie_claims(study: Study, k: int) -> list[Claim]:
    """State which supplementary columns go with an axis."""
    numbers, extra = study.evidence.numbers, study.subject.supplementary
    if numbers is None or extra is None:
        return []
    table = numbers.table[numbers.table.index.get_level_values(1) == k].droplevel(1)
    table = table[table["p_value"] < ALPHA].sort_values("p_value", kind="stable")
    names, floor = extra.columns, 1.000001 * numbers.floor * len(extra.columns)
    same: dict[str, Any] = {"effect_name": "correlation", "test": _label_test("numbers", numbers)}
    out = []
    for j, r, p in zip(table.index, table["correlation"], table["p_value"], strict=True):
        values = {"name": Name(names[j]), "k": k, "r": Fixed(r), "p": P(p, p * (p <= floor))}
        sentence = Sentence("claim.tie", values)
        out.append(claim("tie", sentence, names[j], k, p_value=p, effect=r, **same))
    return out


def column_tie_claims(study: Study) -> list[Claim]:
    """State which columns of the table a supplementary column is correlated with."""
    numbers, extra = study.evidence.numbers, study.subject.supplementary
    if numbers is None or numbers.columns is None or extra is None:
        return []
    table, labels = numbers.columns[numbers.columns["p_value"] < ALPHA], _labels(study)
    out = []
    for j in table.index.unique(level=0):
        own = table.loc[j].sort_values("correlation", key=lambda r: -r.abs(), kind="stable")
        pairs = zip(own.index, own["correlation"], strict=True)
        listed = [{"name": Name(labels[i]), "r": Fixed(float(r))} for i, r in pairs]
        parts = tuple(Sentence("claim.tie.column", values) for values in listed)
        p, name = float(own["p_value"].min()), extra.columns[int(j)]
        floor = 1.000001 * numbers.floor * len(extra.columns)
        values = {"name": Name(name), "columns": Listed(parts, _MAX_COLUMNS)}
        sentence = Sentence("claim.tie.columns", values | {"p": P(p, p * (p <= floor))})
        test, r = _label_test("numbers", numbers), float(own["correlation"].iloc[0])
        effect: dict[str, Any] = {"effect": r, "effect_name": "correlation", "test": test}
        out.append(claim("tie", sentence, name, p_value=p, **effect))
    return out


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
    values: dict[str, Any] = {"k": int(k), "n": int(classes.found.sizes[k])}
    values |= {"rows": rows(list(typical)[:_MAX_CLASS_NAMES])}
    values |= {"high": _class_names(high), "low": _class_names(low)}
    sides = side_key(low, high) if len(high) or not len(own) else "low"
    return claim("data", Sentence(f"claim.classes.{sides}", values), subject="class")


def _class_names(table: pd.DataFrame) -> Listed:
    own = table["variable"].astype(str) + "=" + table["category"].astype(str)
    labels = table["variable"].where(table["kind"] == "number", own)
    return Listed(tuple(map(_category, labels, table["v_test"])))


def curve_claims(study: Study) -> list[Claim]:
    """State whether the cloud is bent, hollow or in clusters."""
    record = study.evidence.curves
    if record is None and study.subject.is_imputed:
        return [not_tested("curves", Sentence("claim.untested.reason.filled"))]
    if record is None:
        return []
    if record.p_value is None:
        reason = _REASONS.get(record.reason, "rows")
        return [not_tested("curves", Sentence(f"claim.untested.reason.{reason}"))]
    found = study.evidence.family.others
    bent, modes = found.get("curves", 1.0), found.get("clusters", 1.0)
    shape = record.clusters
    # Clear modes are stated where a bend is not.
    apart = record.kind == "clusters" or (bent >= ALPHA and shape.found(ALPHA))
    if apart and min(bent, modes) < ALPHA:
        own = (shape, modes) if modes <= bent else (record, bent)
        return [_clusters(study, shape, *own)]
    return [_bent(record, bent)] if record.kind == "bent" and bent < ALPHA else []


def _bent(record: CurveEvidence, p: float) -> Claim:
    null = "columns" if record.null == "independent columns" else "linear"
    test = NullTest("curves", f"null.curves.{null}", "holds.permutation")
    sentence, effect = Sentence(f"claim.curve.{null}", {"p": _corrected(p, record)}), record.effect
    name = "correlation of waves"
    return claim("curve", sentence, "curve", p_value=p, effect=effect, effect_name=name, test=test)


def _clusters(
    study: Study, shape: ClusterEvidence, record: ClusterEvidence | CurveEvidence, p: float
) -> Claim:
    """Return the claim of clusters, which `record` is the evidence of."""
    key, values = "cluster", {"p": _corrected(p, record), "k": shape.axis}
    if shape.column is not None:
        assert study.subject.table is not None
        key, values["name"] = "cluster.column", Name(study.subject.table.columns[shape.column])
    test = NullTest("clusters", "null.clusters", "holds.permutation")
    sentence, count = Sentence(f"claim.{key}", values), shape.n_clusters
    return claim(
        "cluster", sentence, "cluster", p_value=p, effect=count, effect_name="clusters", test=test
    )


def kernel_claims(study: Study) -> list[Claim]:
    """State whether the map of kernel PCA places the rows as the map of the axes does."""
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
        best, other = float(shown.max()), float(seen.max())
        if p >= ALPHA or best <= _MIN_ETA2_RATIO * other:
            continue
        values = {"group": Name(name), "kernel": Share(best), "kaxis": int(shown.argmax()) + 1}
        values |= {"pca": Share(other), "paxis": int(seen.index[int(seen.argmax())])}
        sentence = Sentence("claim.group.kernel", values | {"p": _corrected(p, record)})
        test, what = _label_test("groups", record), "eta2 on a kernel axis"
        effect: dict[str, Any] = {"effect": best, "effect_name": what, "test": test}
        out.append(claim("group", sentence, name, p_value=p, **effect))
    return out


def community_claims(study: Study) -> list[Claim]:
    """State what ecologists ask of abundances: gradients, groups, an arch, other distances."""
    found = study.evidence.community
    if found is None:
        return []
    out = _gradient_claims(study, found.gradients)
    for name, (r2, p, spread) in found.groups.items():
        key = "alike" if not spread < ALPHA else "unequal"
        values = {"group": Name(name), "r2": Share(r2), "p": P(p)}
        values["spread"] = Sentence(f"claim.community.{key}", {"p": P(spread)})
        if not np.isfinite(spread):
            values["spread"] = Sentence("claim.among.all")
        test = NullTest("groups", "null.community", "holds.labels")
        kind, what = ("group", "differ") if p < ALPHA else ("nothing", "same")
        sentence = Sentence(f"claim.community.{what}", values)
        same: dict[str, Any] = {"effect": r2, "effect_name": "R2 of PERMANOVA", "test": test}
        out.append(claim(kind, sentence, name, p_value=p, **same))
    if found.arch >= _MIN_ARCH:
        sentence = Sentence("claim.community.arch", {"r2": Share(found.arch)})
        out.append(claim("curve", sentence, "arch", effect=found.arch, effect_name="R2"))
    choice = Sentence("claim.community.choice.usual")
    if found.row is not None:
        row, k, share = found.row
        alone: dict[str, Any] = {"row": Row(row), "k": k, "share": Share(share)}
        choice = Sentence("claim.community.choice.row", alone)
    out.append(claim("data", choice, subject="note"))
    return out


def _gradient_claims(study: Study, table: pd.DataFrame | None) -> list[Claim]:
    """Name the supplementary numbers that increase in one direction of the map."""
    if table is None:
        return []
    corrected = bonferroni(table["p_value"].to_numpy(dtype=float), max(len(table), 1))
    some = table[(corrected < ALPHA) & (table["r2"] >= _MIN_GRADIENT)]
    some = some.sort_values("r2", ascending=False, kind="stable").iloc[:_MAX_COLUMNS]
    parts = tuple(
        Sentence("claim.community.gradient", {"name": Name(c), "r2": Share(float(r))})
        for c, r in zip(some.index, some["r2"], strict=True)
    )
    p = float(np.max(some["p_value"])) * len(table) if len(some) else 1.0
    sentence = Sentence("claim.community.gradients", {"names": Listed(parts), "p": P(p, p)})
    test = NullTest("numbers", "null.gradients", "holds.labels")
    same: dict[str, Any] = {"effect_name": GRADIENT, "test": test}
    rows_ = zip(some.index, some["r2"], some["p_value"] * len(table), strict=True)
    return [claim("tie", sentence, c, p_value=q, effect=float(r), **same) for c, r, q in rows_]
