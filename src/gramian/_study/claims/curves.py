"""Claims about curves and clusters, and what the kernel map adds."""

from __future__ import annotations

import pandas as pd

from gramian._nulls.corrections import ALPHA, bonferroni
from gramian._study.claim import Claim, NullTest, claim
from gramian._study.claims.groups import group_test
from gramian._study.evidence import IMPUTED
from gramian._study.language import Fixed, Name, P, Sentence, Share
from gramian._study.record import Study
from gramian.evidence import ClusterEvidence, CurveEvidence, GroupEvidence

_AGREEMENT, _PART_AGREEMENT = 0.9, 0.7  # correlations of the two maps
_MIN_ETA2_RATIO = 2.0  # of a kernel axis over a principal axis, to show more of a grouping
_LEVEL_DIVISOR = 5  # a test beside the family of axes, groups and curves has a fifth of its level
_REASONS = {"scheme": "rows", "few rows": "few", "few columns": "columns"}


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
        Sentence(f"claim.curve.{null}", {"p": P(p, _floor(p, record.p_value, record.floor))}),
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
    key, values = "cluster", {"p": P(p, _floor(p, record.p_value, record.floor)), "k": shape.axis}
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


def _floor(p: float, own: float | None, least: float) -> float:
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
        "p": P(p, _floor(p, record.p_value, record.floor)),
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
