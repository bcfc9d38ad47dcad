"""Claims that describe the data as they were read."""

from __future__ import annotations

from typing import Any

from gramian._study.claim import Claim, claim
from gramian._study.language import Count, Fixed, Sentence, Share, names
from gramian._study.record import Study

_FEW = 10  # rows
_KEPT = ("trustworthiness", "continuity")


def size_claim(study: Study) -> Claim:
    """Say how large the data are."""
    subject = study.subject
    values: dict[str, Any] = {"n": subject.n, "estimator": study.fit.method_name}
    key = subject.kind
    if subject.kind == "table":
        values |= {"columns": Count("column", subject.X.shape[1])}
        values |= {"rows": Count("row", subject.n)}
    if _is_contingency(study):
        key, total = "counts", int(subject.X.to_numpy().sum())
        values |= {"total": total, "p": subject.X.shape[1]}
    return claim("data", Sentence(f"claim.data.{key}", values), subject="size")


def _is_contingency(study: Study) -> bool:
    """Whether rows are categories in which individuals were counted: they are no sample."""
    subject = study.subject
    return any(found.kind == "contingency" for found in subject.findings) and subject.method == "ca"


def data_claims(study: Study) -> list[Claim]:
    """Say how the data were read, and what to know of them."""
    subject = study.subject
    out = [_noted(text, "note") for text in subject.notes]
    retold = _retold(study)
    out += [
        _noted(text, "finding")
        for text in subject.findings
        if text.key not in retold and not _heeded(study, text)
    ]
    told = {str(text) for text in subject.findings}
    out += [_noted(text, "warning") for text in subject.warnings if str(text) not in told]
    out += [*_chosen(study), *_neighbours(study), *_unanswered(study)]
    if subject.dropped:
        out.append(_warning("constant", names=names(subject.dropped)))
    if subject.n <= _FEW and not _is_contingency(study):
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


def _heeded(study: Study, finding: Any) -> bool:
    """Whether a finding advises the method that was asked for, or asks what that answers."""
    setting, settings = getattr(finding, "setting", None), study.subject.settings
    asked = None if settings is None else settings.method
    if finding.key == "counts.perhaps":
        return asked != "auto"
    return setting is not None and setting.name == "method" and setting.values == (asked,)


def _retold(study: Study) -> set[str]:
    """Return what a study says in its own words, as it does of copies that matter to its tests."""
    if study.subject.table is None:
        return set()
    state = study.evidence.assumptions
    copies = state is not None and state.copies is not None
    return {"constant", "duplicate_rows"} if copies else {"constant"}


def _chosen(study: Study) -> list[Claim]:
    """Say which method was chosen, where it was not the usual one and nobody asked for it."""
    sentence = study.subject.chosen
    return [] if sentence is None else [claim("data", sentence, subject="method")]


def _unanswered(study: Study) -> list[Claim]:
    """Say of which questions a missing answer is a level like the others."""
    questions = study.fit.questions
    if not questions:
        return []
    holes = [v.name for v in study.fit.coding_.variables if v.has_holes and v.name in questions]
    return [_warning("unanswered", names=names(holes))] if holes else []


def _neighbours(study: Study) -> list[Claim]:
    """Say how well a map that was made elsewhere keeps neighbours, where its table is known."""
    fit = study.fit
    has_table = getattr(fit, "n_features_in_", None) is not None
    if not (fit.is_external and has_table) or study.subject.n < _FEW:
        return []
    table = fit.neighbourhoods(n_neighbors=min(15, study.subject.n // 2))
    trust, kept = (Fixed(float(table[name].iloc[0])) for name in _KEPT)
    values: dict[str, Any] = {"count": int(table.index[0]), "trust": trust, "kept": kept}
    return [claim("data", Sentence("claim.data.neighbours", values), subject="note")]


def _noted(text: Any, subject: str) -> Claim:
    sentence = getattr(text, "sentence", None) or Sentence("claim.data.text", {"text": str(text)})
    return claim("data", sentence, subject=subject)


def _warning(key: str, **values: Any) -> Claim:
    return claim("data", Sentence(f"claim.data.{key}", values), subject="warning")
