"""Claims about what the data break: order, copies, unequal rows, long tails, counts."""

from __future__ import annotations

from typing import Any

import numpy as np

from gramian._study.claim import Claim, claim
from gramian._study.language import Fixed, Name, P, Row, Sentence, names
from gramian._study.record import Study
from gramian.evidence.order import sorting_group

_NAMED = 6


def assumption_claims(study: Study) -> list[Claim]:
    """Say what was found, and which draws the tests make for it."""
    state = study.evidence.assumptions
    if state is None:
        return []
    scheme = _scheme(study, state)
    out = [
        _finding(key, subject, finding, scheme)
        for key, subject, finding in (
            ("order", "order", state.order),
            ("unequal", "unequal rows", state.unequal),
        )
        if finding is not None
    ]
    if state.order is None and state.scheme in ("blocks", "none") and state.copies is None:
        doubt = Sentence("claim.assumption.doubt", {"scheme": scheme})
        out.append(claim("assumption", doubt, subject="order"))
    if state.copies is not None:
        out.append(_copies(study, state.copies, scheme))
    for key, subject, record in (
        ("tails", "long tails", state.tails),
        ("counts", "counts", state.counts),
    ):
        if record is not None:
            out.append(_columns(study, key, subject, record))
    return out


def _scheme(study: Study, state: Any) -> Sentence:
    """Return which draws the tests make, and the groups that may have made an order of rows."""
    scheme = Sentence(f"claim.scheme.{state.scheme}")
    groups = study.subject.groups
    if groups is None or state.scheme not in ("blocks", "shifts", "none"):
        return scheme
    group = sorting_group(groups)
    if group is None:
        return scheme
    return Sentence("claim.scheme.arranged", {"scheme": scheme, "group": Name(group)})


def _finding(key: str, subject: str, finding: Any, scheme: Sentence) -> Claim:
    name = Sentence(f"effect.{finding.effect_name}")
    values = {"name": name, "effect": Fixed(finding.effect), "p": P(finding.p_value, finding.floor)}
    return claim(
        "assumption",
        Sentence(f"claim.assumption.{key}", {**values, "scheme": scheme}),
        subject=subject,
        p_value=finding.p_value,
        effect=finding.effect,
        effect_name=finding.effect_name,
    )


def _copies(study: Study, copies: Any, scheme: Sentence) -> Claim:
    labels = np.asarray(copies.labels)
    _, first = np.unique(labels, return_index=True)
    again = np.setdiff1d(np.arange(len(labels)), first)
    label = study.subject.index[study.evidence.rows_tested[again[0]]]
    values = {"count": len(again), "name": Row(label), "scheme": scheme}
    return claim(
        "assumption",
        Sentence("claim.assumption.copies", values),
        subject="copies",
        effect=len(again),
        effect_name="rows",
    )


def _columns(study: Study, key: str, subject: str, record: Any) -> Claim:
    assert study.subject.table is not None
    labels = [study.subject.table.columns[j] for j in np.asarray(record.columns)]
    values = {"count": len(labels), "names": names(labels, _NAMED)}
    return claim(
        "assumption",
        Sentence(f"claim.assumption.{key}", values),
        subject=subject,
        effect=len(labels),
        effect_name="columns",
    )
