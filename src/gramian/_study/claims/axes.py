"""Claims about axes: which stand above noise, which variables or rows make them, what they show.

Groups and supplementary columns that no test is valid for are described beside their axis.
"""

from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from gramian._nulls.corrections import ALPHA
from gramian._nulls.p_values import count_axes
from gramian._study.evidence import MAX_CELLS
from gramian._study.language import Fixed, Listed, Name, Number, P, Sentence, Share, names, rows
from gramian._study.methods import MAPS
from gramian._study.record import Claim, NullTest, Study, axis_p_value, claim, side_key
from gramian.evidence import AxesEvidence
from gramian.evidence.axes import OBJECTS

_FIRST_FLOOR = 0.01  # of the p-values after the first draws
_COUNTS = "margins"  # a null that is valid for individuals counted independently
_OWN_NULLS = ("questions", "grouped", "margins", "counts")  # schemes of factor methods
_MAX_SIDE_NAMES = 4  # variables named on each side
_MAX_ELEMENTS = 3  # columns or categories named on each side
_MIN_CORRELATION = 0.3  # of a variable that is named, however significant
_MIN_SIZE_COLUMNS, _MIN_SIZE_CORRELATION = 4, 0.6  # of an axis of overall size
_MIN_SHARE = 0.5  # of the largest correlation of an axis, for a variable that is described
_MIN_DOMINANT, _NEAR_MAX = 0.7, 0.9  # of one that dominates an axis with others; of the largest
_MAX_END_ROWS = 4  # named at each end of an axis
_MAX_TABLE_ENDS = 2  # rows and columns of a contingency table
MIN_ETA2, MIN_CORRELATION = 0.05, 0.2  # under which nothing is described, nor in a summary
NOT_FOUND = "claim.group.axis.not_found"  # tested, described all the same
_MIN_V_TEST = 1.96  # of a category that is not in the middle
_MAX_CATEGORIES = 3  # described on each side


def axes_test(study: Study) -> NullTest:
    """Return the null and the assumption of the test of axes."""
    assert study.evidence.axes is not None
    scheme = study.evidence.axes.scheme
    if scheme not in _OWN_NULLS and not study.has_columns:
        scheme = "kernel"
    return NullTest("axes", f"null.axes.{scheme}", f"holds.{scheme}")


def axes_claims(study: Study) -> list[Claim]:
    """State how many axes stand above noise, or that none does, or that they were not tested."""
    evidence, axes, q = study.evidence, study.evidence.axes, study.evidence.q
    if axes is None or not evidence.tested:
        reason = evidence.failures.get("axes") or _reason_not_tested(study)
        return [claim("not-tested", Sentence("claim.untested.axes", {"reason": reason}), "axes")]
    if q == 0:
        sentence = Sentence("claim.none.axes", {"p": _p(study, axes, 1)})
        p, test = evidence.family.axes[0], axes_test(study)
        return [claim("nothing", sentence, "axes", p_value=p, test=test)]
    share, p = Share(float(study.shares[:q].sum())), evidence.family.axes[q - 1]
    key = "axes.counts" if axes.scheme == _COUNTS else "axes"
    sentence = Sentence(f"claim.{key}", {"count": q, "share": share, "p": _p(study, axes, q)})
    test = axes_test(study)
    return [claim("axes", sentence, "axes", p_value=p, effect=q, effect_name="axes", test=test)]


def independence_claims(study: Study) -> list[Claim]:
    """State whether the rows and columns of a contingency table are independent."""
    found = study.evidence.independence
    if found is None:
        return []
    p = found.p_value
    values = {"chi2": Number(found.statistic, 4), "df": found.df, "v": Fixed(found.cramer_v)}
    values |= {"p": P(p, found.floor)}
    test = NullTest("independence", "null.independence", "holds.margins")
    none = "axes" if study.q else "none"  # one axis may hold what is little beside all cells
    key, kind = ("found", "axes") if p < ALPHA else (none, "nothing")
    sentence = Sentence(f"claim.independence.{key}", values)
    what: dict[str, Any] = {"effect": found.cramer_v, "effect_name": "Cramér's V", "test": test}
    return [claim(kind, sentence, "independence", p_value=p, **what)]


def axis_claims(study: Study, k: int) -> list[Claim]:
    """State what one axis carries, and whether that is above noise."""
    evidence, axes, share = study.evidence, study.evidence.axes, float(study.shares[k - 1])
    values = {"k": k, "share": Share(share)}
    effect: dict[str, Any] = {"axis": k, "effect": share, "effect_name": "share of inertia"}
    if axes is None or not evidence.tested or k > len(evidence.family.axes):
        key = "data.axis.untested" if not evidence.tested else "data.axis.after"
        if study.fit.is_map and study.subject.kind == "fit":
            key = "data.axis.map"
        return [claim("data", Sentence(f"claim.{key}", values), subject=f"axis {k}", **effect)]
    above = k <= evidence.q
    key = "data.axis"
    if above:
        key = "axes.k.deflated" if k in axes.deflated else "axes.k"
        key = "axes.k.counts" if axes.scheme == _COUNTS else key
    sentence = Sentence(f"claim.{key}", {**values, "p": _p(study, axes, k)})
    effect |= {"p_value": evidence.family.axes[k - 1], "test": axes_test(study)}
    return [claim("axes" if above else "nothing", sentence, subject=f"axis {k}", **effect)]


def _p(study: Study, axes: AxesEvidence, k: int) -> P:
    """Return the corrected p-value; a clear answer takes fewer draws, whose floor is higher."""
    p, own = study.evidence.family.axes[k - 1], float(axes.p_values[k - 1])
    return P(p, p if own <= max(axes.floor, _FIRST_FLOOR) else 0.0)


def _reason_not_tested(study: Study) -> Sentence:
    key, axes, values = _obstacle(study), study.evidence.axes, dict[str, Any]()
    if axes is not None and axes.scheme == "counts":  # valid where individuals were counted once
        count = count_axes(axes.p_values, axes.alpha)
        values = {"count": count, "p": P(float(axes.p_values[count - 1]), axes.floor)}
    return Sentence(f"claim.untested.reason.{key}", values)


def _obstacle(study: Study) -> str:
    subject = study.subject
    if subject.has_weights:
        return "weights"
    if study.fit.is_external:
        return "map"
    if subject.method == "ca":
        if study.evidence.axes is not None:
            return "dispersion"
        return "flocks" if subject.X.size <= MAX_CELLS else "large"
    if subject.kind == "table" and subject.method in MAPS:
        return "distances"
    if not study.has_columns and subject.n >= OBJECTS:
        if study.fit.is_precomputed:
            return "flat"
        return "distances" if study.fit.is_map else "kernel"
    if study.fit.n_components_ < 2:
        return "single"
    return "rows" if study.evidence.scheme == "none" else "few"


def variable_claims(study: Study, k: int) -> list[Claim]:
    """Name the variables of an axis; one sentence states all of them, each is a claim."""
    loadings, table = study.evidence.loadings, study.subject.table
    if table is None or not study.has_columns:
        return []
    if loadings is None or k not in loadings.table.index.get_level_values(0):
        return _described_variables(study, table, k)
    named = loadings.named(k)
    named = named[named.abs() >= _MIN_CORRELATION]
    if not len(named):
        return _described_variables(study, table, k)
    high, low = (part.iloc[:_MAX_SIDE_NAMES] for part in (named[named > 0], named[named < 0]))
    mark = "size" if _is_size(loadings.table.loc[k]["correlation"], k) else "tested"
    sentence = _variable_sentence(table.columns, k, high, low, mark)
    every, corrected = (loadings.table.loc[k][name] for name in ("correlation", "corrected"))
    test = NullTest("loadings", "null.loadings", f"holds.{loadings.scheme}")
    same: dict[str, Any] = {"effect_name": "correlation", "test": test}
    out = []
    for j, r in pd.concat([high, low]).items():
        name, p = table.columns[j], corrected.loc[j]
        out.append(claim("axis-variable", sentence, name, k, p_value=p, effect=r, **same))
    if len(named) > len(out):  # no silent cut
        count = {"count": len(named), "p": table.shape[1], "k": k}
        sentence = Sentence("claim.data.loading", count)
        return [*out, claim("data", sentence, f"axis {k}", k, effect_name="variables")]
    return [*out, *_described_variables(study, table, k, every, named.index)]


def _described_variables(
    study: Study, table: pd.DataFrame, k: int, r: pd.Series | None = None, named: Any = ()
) -> list[Claim]:
    """Name the columns most correlated with an axis, which no test has named."""
    every = correlations(study, table, k) if r is None else r
    least, share = (_MIN_DOMINANT, _NEAR_MAX) if len(named) else (_MIN_CORRELATION, _MIN_SHARE)
    r = every.drop(list(named))
    r = r[r.abs() >= max(least, share * float(every.abs().max()))]
    r = r.iloc[np.argsort(-r.abs().to_numpy(), kind="stable")]
    if not len(r):
        return []
    high, low = (part.iloc[:_MAX_SIDE_NAMES] for part in (r[r > 0], r[r < 0]))
    mark = "size.described" if _is_size(every, k) else "described"
    sentence = _variable_sentence(table.columns, k, high, low, mark)
    same: dict[str, Any] = {"effect_name": "correlation"}
    named = pd.concat([high, low]).items()
    return [
        claim("axis-variable", sentence, table.columns[j], k, effect=x, **same) for j, x in named
    ]


def _is_size(r: pd.Series, k: int) -> bool:
    """Whether all columns go the same way on the first axis, each of them clearly."""
    if k > 1 or len(r) < _MIN_SIZE_COLUMNS:
        return False
    return bool(r.abs().min() >= _MIN_SIZE_CORRELATION and abs(np.sign(r).sum()) == len(r))


def correlations(study: Study, columns: pd.DataFrame, k: int) -> pd.Series:
    """Return the correlations of columns with an axis, by position, over rows that have both."""
    f = np.asarray(study.fit.coordinates_, dtype=float)[:, k - 1]
    X = columns.to_numpy(dtype=float, na_value=np.nan)
    live = np.isfinite(X)
    count = np.maximum(live.sum(axis=0), 1)
    X = np.where(live, X, 0.0)
    Z = np.where(live, X - X.sum(axis=0) / count, 0.0)
    F = np.where(live, f[:, None] - (f[:, None] * live).sum(axis=0) / count, 0.0)
    size = np.sqrt((Z**2).sum(axis=0) * (F**2).sum(axis=0))
    return pd.Series((Z * F).sum(axis=0) / np.where(size > 0, size, np.inf))


def _variable_sentence(
    labels: pd.Index, k: int, high: pd.Series, low: pd.Series, mark: str = "tested"
) -> Sentence:
    named: dict[str, Any] = {"mark": Sentence(f"mark.{mark}")}
    for side, part in (("positive", high), ("negative", low)):
        pairs = [
            {"name": Name(labels[int(j)]), "r": Fixed(float(r))}
            for j, r in zip(part.index, part, strict=True)
        ]
        parts = tuple(Sentence("variable.r", values) for values in pairs)
        named[side] = Listed(parts, _MAX_SIDE_NAMES)
    if len(high) and len(low):
        return Sentence("claim.variable.opposes", {"k": k, **named})
    side, count = "positive" if len(high) else "negative", max(len(high), len(low))
    values = {"k": k, "names": named[side], "count": count, "mark": named["mark"]}
    return Sentence(f"claim.variable.{side}", values)


def element_claims(study: Study, k: int) -> list[Claim]:
    """Name the columns, or categories and numbers, that contribute more than their share."""
    table = study.fit.axis_elements()
    if table is None or ("contribution", k) not in table.columns:
        return []
    share = table["contribution", k].to_numpy(dtype=float)
    order = np.argsort(-share, kind="stable")
    strong = table.iloc[order[share[order] > 1 / len(table)]]
    side = strong["coordinate", k]
    high, low = (list(part.index[:_MAX_ELEMENTS]) for part in (strong[side > 0], strong[side < 0]))
    if not high and not low:
        return []
    key = side_key(low, high)
    key = f"{key}.counts" if study.subject.method == "ca" else key  # which has points of rows, too
    values = {"k": k, "high": names(high), "low": names(low)}
    sentence = Sentence(f"claim.data.elements.{key}", values)
    return [claim("data", sentence, subject=f"axis {k}", axis=k, effect_name="elements")]


def end_claims(study: Study, k: int) -> list[Claim]:
    """State which rows stand at the ends of an axis that has no variables."""
    if study.has_columns or study.subject.method in ("mca", "famd", "mfa"):
        return []
    f = np.asarray(study.fit.coordinates_, dtype=float)[:, k - 1]
    order = np.argsort(f, kind="stable")
    count = min(_MAX_END_ROWS, max(1, len(f) // 4))
    index = study.subject.index
    low, high = (rows(index[some[:count]]) for some in (order, order[::-1]))
    if study.subject.method == "ca" and study.subject.content == "contingency":
        g = study.fit.variables()["coordinate", k]
        cut = min(_MAX_TABLE_ENDS, count)
        far = g.iloc[np.argsort(g.to_numpy(), kind="stable")].index
        least = max(1, min(_MAX_TABLE_ENDS, len(g) // 3))
        values = {"k": k, "low": rows(index[order[:cut]]), "high": rows(index[order[::-1][:cut]])}
        values |= {"left": names(far[:least]), "right": names(far[::-1][:least])}
        sentence = Sentence("claim.data.ends.table", values)
        return [claim("data", sentence, subject=f"axis {k}", axis=k, effect_name="ends")]
    counts = ".counts" if study.subject.method == "ca" else ""  # which has points of columns, too
    sentence = Sentence(f"claim.data.ends{counts}", {"k": k, "low": low, "high": high})
    return [claim("data", sentence, subject=f"axis {k}", axis=k, effect_name="ends")]


def described_group_claims(study: Study, k: int) -> list[Claim]:
    """Describe what groupings explain of an axis that no test has found, and who is where."""
    groups = study.subject.groups
    tests = study.evidence.groups
    if groups is None or "eta2" not in getattr(study.fit, "categories", dict)(groups):
        return []
    others = [name for name in groups.columns if axis_p_value(study.evidence, name, k) >= ALPHA]
    if not others or not groups.columns.is_unique:
        return []
    table = study.fit.categories(groups[others])
    out = []
    for name in others:
        if name not in table.index.get_level_values(0):
            continue
        own = table.xs(name, level=0)
        eta2 = float(own["eta2", k].iloc[0])
        if eta2 >= MIN_ETA2:
            values = {"k": k, "group": Name(name), "eta2": Share(eta2)}
            values |= {"sides": _sides(own["v_test", k])}
            tested = name in tests and tests[name].p_value is not None
            sentence = Sentence(NOT_FOUND if tested else "claim.group.axis.described", values)
            out.append(claim("axis-group", sentence, name, k, effect=eta2, effect_name="eta2"))
    return sorted(out, key=lambda c: -(c.effect or 0.0))


def _sides(v_test: pd.Series) -> Sentence:
    """Return the categories on either side of the axis, the farthest first."""
    v = v_test[v_test.abs() >= _MIN_V_TEST].sort_values(kind="stable")
    low, high = v[v < 0], v[v > 0].iloc[::-1]
    sides = {
        side: names(part.index, _MAX_CATEGORIES) for side, part in (("low", low), ("high", high))
    }
    return Sentence(f"claim.sides.{side_key(low, high)}", sides)


def described_tie_claims(study: Study, k: int) -> list[Claim]:
    """Describe the correlations of supplementary columns that were not tested with an axis."""
    extra, numbers = study.subject.supplementary, study.evidence.numbers
    if extra is None:
        return []
    tested = set()
    if numbers is not None:
        table = numbers.table[numbers.table["p_value"].notna()]
        tested = {int(j) for j, _ in table.index}
    r = correlations(study, extra, k)
    # Few rows are correlated by chance: what is smaller than that describes nothing.
    t2, free = stats.t.isf(ALPHA / 2, max(study.subject.n - 2, 1)) ** 2, max(study.subject.n - 2, 1)
    least = max(MIN_CORRELATION, float(np.sqrt(t2 / (t2 + free))))
    some = [j for j in r.index if j not in tested and abs(r[j]) >= least]
    out = []
    for j in sorted(some, key=lambda j: -abs(r[j])):
        values = {"name": Name(extra.columns[j]), "k": k, "r": Fixed(float(r[j]))}
        sentence = Sentence("claim.tie.described", values)
        what: dict[str, Any] = {"effect": float(r[j]), "effect_name": "correlation"}
        out.append(claim("tie", sentence, extra.columns[j], k, **what))
    return out


def merged(claims: list[Claim]) -> list[Claim]:
    """Return the claims, an axis that is no larger than noise but shows groups said in one."""
    related: dict[int, list[str]] = {}
    for each in claims:
        if each.kind in ("axis-group", "tie") and each.tested and each.axis is not None:
            related.setdefault(each.axis, []).append(each.subject)
    return [_but(c, related[c.axis]) if c.axis in related else c for c in claims]


def _but(each: Claim, subjects: list[str]) -> Claim:
    sentence = each.sentence
    if sentence.key not in ("claim.data.axis", "claim.data.axis.after"):
        return each
    values = {**sentence.values, "names": names(dict.fromkeys(subjects))}
    key = Sentence(f"{sentence.key}.but", values)
    what: dict[str, Any] = {
        "p_value": each.p_value,
        "effect": each.effect,
        "effect_name": each.effect_name,
    }
    return claim(each.kind, key, each.subject, each.axis, test=each.test, **what)
