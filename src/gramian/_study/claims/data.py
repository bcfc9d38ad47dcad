"""Claims that describe the data as they were read, and the assumptions that they break."""

from typing import Any

import numpy as np

from gramian._study.language import Count, Fixed, Name, P, Row, Sentence, Share, names
from gramian._study.record import Claim, Study, claim
from gramian.evidence import Assumptions, Copies, Counts, Finding, Tails
from gramian.evidence.order import sorting_group
from gramian.io import Finding as IoFinding

_FEW_ROWS = 10
_NEIGHBOUR_MEASURES = ("trustworthiness", "continuity")
_MAX_NAMES = 6


def size_claims(study: Study) -> list[Claim]:
    """State how large the data are."""
    subject = study.subject
    values: dict[str, Any] = {"n": subject.n, "estimator": study.fit.method_name}
    key = subject.kind
    if subject.kind == "table":
        values |= {"columns": Count("column", subject.X.shape[1])}
        values |= {"rows": Count("row", subject.n)}
    if _is_contingency(study):
        key, total = "counts", int(subject.X.to_numpy().sum())
        values |= {"total": total, "p": subject.X.shape[1]}
    return [claim("data", Sentence(f"claim.data.{key}", values), subject="size")]


def _is_contingency(study: Study) -> bool:
    """Whether rows are categories in which individuals were counted: they are no sample."""
    subject = study.subject
    return any(found.kind == "contingency" for found in subject.findings) and subject.method == "ca"


def data_claims(study: Study) -> list[Claim]:
    """State how the data were read, and what to know of them."""
    subject = study.subject
    out = [_note(text, "note") for text in subject.notes]
    own = _own_findings(study)
    out += [
        _note(text, "finding")
        for text in subject.findings
        if text.key not in own and not _is_answered(study, text)
    ]
    known = {str(text) for text in subject.findings}
    out += [_note(text, "warning") for text in subject.warnings if str(text) not in known]
    if subject.method_reason is not None:
        out.append(claim("data", subject.method_reason, subject="method"))
    out += [*_neighbours(study), *_missing_answers(study)]
    if subject.dropped:
        out.append(_warning("constant", names=names(subject.dropped)))
    if subject.n <= _FEW_ROWS and not _is_contingency(study):
        out.append(_warning("few_rows", n=subject.n))
    if subject.table is not None and subject.table.shape[1] > subject.n:
        out.append(_warning("wide", n=subject.n, p=subject.table.shape[1]))
    negative = abs(float(getattr(study.fit, "negative_inertia_", 0.0) or 0.0))
    if negative:
        share = Share(negative / (float(study.fit.inertia_) + negative))
        out.append(_warning("negative", share=share))
    else:
        out += [_warning("text", text=text) for text in study.fit_warnings]
    return out


def _is_answered(study: Study, finding: IoFinding) -> bool:
    """Whether a finding advises the method requested, or asks what that answers."""
    setting, settings = getattr(finding, "setting", None), study.subject.settings
    asked = None if settings is None else settings.method
    if finding.key == "counts.perhaps":
        return asked != "auto"
    return setting is not None and setting.name == "method" and setting.values == (asked,)


def _own_findings(study: Study) -> set[str]:
    """Return the findings that a study states in its own words, such as copies of rows."""
    if study.subject.table is None:
        return set()
    state = study.evidence.assumptions
    copies = state is not None and state.copies is not None
    return {"constant", "duplicate_rows"} if copies else {"constant"}


def _missing_answers(study: Study) -> list[Claim]:
    """State of which questions a missing answer is a level like the others."""
    questions = study.fit.questions
    if not questions:
        return []
    gaps = [v.name for v in study.fit.coding_.variables if v.has_holes and v.name in questions]
    return [_warning("unanswered", names=names(gaps))] if gaps else []


def _neighbours(study: Study) -> list[Claim]:
    """State how well a map of another library preserves neighbours, where its table is known."""
    fit = study.fit
    has_table = getattr(fit, "n_features_in_", None) is not None
    if not (fit.is_external and has_table) or study.subject.n < _FEW_ROWS:
        return []
    table = fit.neighbourhoods(n_neighbors=min(15, study.subject.n // 2))
    trust, kept = (Fixed(float(table[name].iloc[0])) for name in _NEIGHBOUR_MEASURES)
    values: dict[str, Any] = {"count": int(table.index[0]), "trust": trust, "kept": kept}
    return [claim("data", Sentence("claim.data.neighbours", values), subject="note")]


def _note(text: str, subject: str) -> Claim:
    sentence = getattr(text, "sentence", None) or Sentence("claim.data.text", {"text": str(text)})
    return claim("data", sentence, subject=subject)


def _warning(key: str, **values: Any) -> Claim:
    return claim("data", Sentence(f"claim.data.{key}", values), subject="warning")


def assumption_claims(study: Study) -> list[Claim]:
    """State what was found, and which draws the tests make for it."""
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


def _scheme(study: Study, state: Assumptions) -> Sentence:
    """Return which draws the tests make, and the groups that may have made an order of rows."""
    scheme = Sentence(f"claim.scheme.{state.scheme}")
    groups = study.subject.groups
    if groups is None or state.scheme not in ("blocks", "shifts", "none"):
        return scheme
    group = sorting_group(groups)
    if group is None:
        return scheme
    return Sentence("claim.scheme.arranged", {"scheme": scheme, "group": Name(group)})


def _finding(key: str, subject: str, finding: Finding, scheme: Sentence) -> Claim:
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


def _copies(study: Study, copies: Copies, scheme: Sentence) -> Claim:
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


def _columns(study: Study, key: str, subject: str, record: Tails | Counts) -> Claim:
    assert study.subject.table is not None
    labels = [study.subject.table.columns[j] for j in np.asarray(record.columns)]
    values = {"count": len(labels), "names": names(labels, _MAX_NAMES)}
    return claim(
        "assumption",
        Sentence(f"claim.assumption.{key}", values),
        subject=subject,
        effect=len(labels),
        effect_name="columns",
    )
