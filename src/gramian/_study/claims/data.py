"""Claims that describe the data as they were read, and the assumptions that they break."""

from typing import Any

import numpy as np

from gramian._study.language import Count, Fixed, Listed, Name, P, Row, Sentence, Share, names
from gramian._study.record import Claim, Study, claim
from gramian._study.subject import RESTATED
from gramian.evidence import Arrangement, Assumptions, Copies, Counts, Finding, Tails
from gramian.io import Finding as IoFinding

_FEW_ROWS = 10
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
    return subject.content == "contingency" and subject.method == "ca"


def data_claims(study: Study) -> list[Claim]:
    """State how the data were read, and what to know of them."""
    subject = study.subject
    out = [_note(text, "note") for text in subject.notes]
    own, state = set[str](), study.evidence.assumptions  # what is stated in other words below
    if subject.table is not None:
        exact = state is not None and state.copies is not None and not state.copies.near
        own = set(RESTATED) if exact else {"constant"}
    others = [text for text in subject.findings if text.key not in own]
    out += [_note(text, "finding") for text in others if not _is_answered(study, text)]
    known = {str(text) for text in subject.findings}
    out += [_note(text, "warning") for text in subject.warnings if str(text) not in known]
    if subject.lost is not None:
        out.append(claim("data", subject.lost, subject="lost"))
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
    if finding.key == f"content.{study.subject.content}":  # the sentence on the method states it
        return study.subject.method_reason is not None
    asked = None if settings is None else settings.method
    if finding.key == "counts.perhaps":
        return asked != "auto"
    return setting is not None and setting.name == "method" and setting.values == (asked,)


def _missing_answers(study: Study) -> list[Claim]:
    """State of which questions a missing answer is a level like the others."""
    questions = study.fit.questions
    if not questions:
        return []
    coded = vars(study.fit).get("fit_", study.fit).coding_.variables  # of rotated axes
    gaps = [v.name for v in coded if v.has_holes and v.name in questions]
    return [_warning("unanswered", names=names(gaps))] if gaps else []


def _neighbours(study: Study) -> list[Claim]:
    """State how well a map of another library preserves neighbours, where its table is known."""
    fit = study.fit
    has_table = getattr(fit, "n_features_in_", None) is not None
    if not (fit.is_external and has_table) or study.subject.n < _FEW_ROWS:
        return []
    table = fit.neighbourhoods(n_neighbors=min(15, study.subject.n // 2))
    measures = ("trustworthiness", "continuity")
    trust, kept = (Fixed(float(table[name].iloc[0])) for name in measures)
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
    scheme, out = _scheme(state), list[Claim]()
    if state.order is not None:
        out.append(_finding("order", "order", state.order, scheme))
    if state.arrangement is not None:
        out.append(_arrangement(state.arrangement))
    if state.unequal is not None:
        out.append(_finding("unequal", "unequal rows", state.unequal, scheme))
    if state.order is None and state.scheme in ("blocks", "none"):
        doubt = Sentence("claim.assumption.doubt", {"scheme": scheme})
        out.append(claim("assumption", doubt, "order"))
    near = state.near_columns
    out += [_near_several(study, near)] if len(near) > 1 else [_near(study, *p) for p in near]
    if state.copies is not None:
        out.append(_copies(study, state.copies, scheme))
    if state.tails is not None:
        out.append(_columns(study, "tails", "long tails", state.tails))
    if state.counts is not None:
        out.append(_columns(study, "counts", "counts", state.counts))
    return out


def _scheme(state: Assumptions) -> Sentence:
    """Return which draws the tests make, and the option for an order that means nothing."""
    scheme = Sentence(f"claim.scheme.{state.scheme}")
    ordered = state.scheme in ("blocks", "shifts", "none")
    return Sentence("claim.scheme.ordered", {"scheme": scheme}) if ordered else scheme


def _arrangement(layout: Arrangement) -> Claim:
    """State what explains the order of the rows."""
    causes = []
    if layout.names:
        causes.append(Sentence("claim.cause.groups", {"names": names(layout.names)}))
    if layout.by_row_names:
        causes.append(Sentence("claim.cause.labels"))
    if layout.sorted_by:
        causes.append(Sentence("claim.cause.sorted", {"names": names(layout.sorted_by)}))
    if layout.n_steps:
        causes.append(Sentence("claim.cause.steps", {"count": layout.n_steps}))
    if layout.period:
        causes.append(Sentence("claim.cause.turns", {"count": layout.period}))
    sentence = Sentence("claim.assumption.arranged", {"causes": Listed(tuple(causes))})
    return claim("assumption", sentence, "arrangement")


def _finding(key: str, subject: str, finding: Finding, scheme: Sentence) -> Claim:
    p, effect, name = finding.p_value, finding.effect, finding.effect_name
    values = {"name": Sentence(f"effect.{name}"), "effect": Fixed(effect), "p": P(p, finding.floor)}
    sentence = Sentence(f"claim.assumption.{key}", {**values, "scheme": scheme})
    return claim("assumption", sentence, subject, p_value=p, effect=effect, effect_name=name)


def _copies(study: Study, copies: Copies, scheme: Sentence) -> Claim:
    _, first = np.unique(copies.labels, return_index=True)
    again = np.setdiff1d(np.arange(len(copies.labels)), first)
    label = study.subject.index[study.evidence.rows_tested[again[0]]]
    values = {"count": len(again), "name": Row(label), "scheme": scheme}
    key = "near_rows" if copies.near else "copies"
    sentence = Sentence(f"claim.assumption.{key}", values)
    return claim("assumption", sentence, "copies", effect=len(again), effect_name="rows")


def _near(study: Study, j: int, first: int, r: float) -> Claim:
    """State that a column nearly repeats another."""
    assert study.subject.table is not None
    labels = study.subject.table.columns
    values = {"name": Name(labels[j]), "other": Name(labels[first]), "r": Fixed(r, 3)}
    sentence = Sentence("claim.assumption.near", values)
    what: dict[str, Any] = {"effect": r, "effect_name": "correlation"}
    return claim("assumption", sentence, labels[j], **what)


def _near_several(study: Study, pairs: tuple[tuple[int, int, float], ...]) -> Claim:
    """State which columns nearly repeat others, in one sentence."""
    assert study.subject.table is not None
    labels = study.subject.table.columns[[j for j, _, _ in pairs]]
    least = min((r for _, _, r in pairs), key=abs)
    values = {"count": len(labels), "names": names(labels, _MAX_NAMES), "r": Fixed(abs(least), 3)}
    sentence = Sentence("claim.assumption.near.several", values)
    return claim("assumption", sentence, "columns", effect=least, effect_name="correlation")


def _columns(study: Study, key: str, subject: str, record: Tails | Counts) -> Claim:
    assert study.subject.table is not None
    labels = [study.subject.table.columns[j] for j in np.asarray(record.columns)]
    values = {"count": len(labels), "names": names(labels, _MAX_NAMES)}
    sentence = Sentence(f"claim.assumption.{key}", values)
    return claim("assumption", sentence, subject, effect=len(labels), effect_name="columns")
