"""The design of a study: what its factors explain, and batches removed before the analysis."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

import gramian as gm
from gramian._core.embedding import count
from gramian._estimators.pca import PCA
from gramian._nulls.corrections import ALPHA, weighted_holm
from gramian._study.evidence import Runner
from gramian._study.language import Name, P, Sentence, Share
from gramian._study.record import Claim, Evidence, NullTest, Study, Subject, claim
from gramian.errors import InputError
from gramian.io import Source

_PERMUTATIONS = 999
_FEW_PERMUTATIONS = 199  # of large tables
_LARGE_TABLE = 200_000  # numbers
_MAX_MAPS = 4  # terms that have a figure
_ROW_WEIGHT = 1e-6  # of all rows together on the map of a term, whose axes are those of its cells
_COLUMN_METHODS = ("pca", "kernel-pca", "classical-mds", "mds")  # whose rows are numbers
_NULLS = {"rows": "rows", "rows of a subject": "within", "subjects": "subjects"}


@dataclass(frozen=True, eq=False)
class TermMap:
    """The axes of one term, with the rows on them."""

    fit: PCA
    labels: list[str]  # the cell of each point: first the cells themselves, then the rows


@dataclass(frozen=True, eq=False)
class Designed:
    """What the factors of a design explain of the rows."""

    design: Any  # a fitted gm.Design
    lines: pd.DataFrame  # of its test
    p_values: dict[str, float]  # of the terms, corrected for their number
    maps: dict[str, TermMap]


def set_apart(design: Any, source: Source) -> Source:
    """Return the source with the columns of the design out of the analysis."""
    names = design.column_names
    columns = [] if source.table is None else [str(name) for name in source.table.columns]
    for name in names:
        if name not in columns:
            known = ", ".join(columns[:10]) or "none"
            odd = "" if name.isidentifier() else ", a formula is names joined by + * or :"
            text = f"design: {name!r} is not a column of the data{odd}"
            raise InputError(f"{text}: use others (columns found: {known})")
    roles = {k: "ignored" if str(k) in names else role for k, role in source.roles.items()}
    return replace(source, roles=roles)


def design_table(subject: Subject, names: list[str]) -> pd.DataFrame:
    """Return the columns of a design, on the rows of a study."""
    assert subject.everything is not None
    table = subject.everything.set_axis([str(k) for k in subject.everything.columns], axis=1)
    table = table.loc[subject.index, names] if len(table) != subject.n else table[names]
    gaps = [name for name in names if table[name].isna().any()]
    if gaps:
        raise InputError(f"design: {gaps[0]!r} has missing values: leave these rows out")
    return table


def adjusted(subject: Subject, design: Any, table: pd.DataFrame) -> Subject:
    """Return the subject with the effects of `remove` taken out of its columns."""
    if design.remove is None:
        return subject
    if subject.kind != "table" or subject.method not in _COLUMN_METHODS:
        raise InputError(
            "remove= needs columns of numbers: use method='pca', 'kernel-pca' or 'classical-mds'"
        )
    values = gm.Design(design.formula, remove=design.remove).fit_transform(subject.X, table)
    X = pd.DataFrame(values, index=subject.X.index, columns=subject.X.columns)
    return replace(subject, X=X, table=None if subject.table is None else X, placed=None)


def explain(subject: Subject, design: Any, table: pd.DataFrame, runner: Runner) -> Designed | None:
    """Return what each term explains of the rows as they were read."""
    fit = gm.Design(design.formula, design.within, design.remove, estimator=_space(subject))
    fit.fit(subject.X, table)
    size = fit.values_.size
    draws = _PERMUTATIONS if size <= _LARGE_TABLE else _FEW_PERMUTATIONS
    lines = runner.run("design", lambda rng: fit.test(n_permutations=draws, random_state=rng))
    if lines is None:
        return None
    tested = lines["p_value"].dropna()
    corrected = weighted_holm(tested.to_numpy(dtype=float), np.ones(len(tested)))
    p = dict(zip(tested.index, corrected.tolist(), strict=True))
    maps = {name: _map(fit, name) for name in list(p)[:_MAX_MAPS]}
    return Designed(fit, lines, p, maps)


def _space(subject: Subject) -> Any:
    """Return the estimator in whose space rows are compared, without weights."""
    if subject.method == "pca":
        return PCA(scale=subject.estimator.scale)
    if subject.method == "ca":
        return gm.ClassicalMDS(metric="hellinger")
    if subject.method == "mds":
        return gm.ClassicalMDS(metric=subject.estimator.metric)
    return subject.estimator


def _map(design: Any, name: str) -> TermMap:
    """Return the axes of a term with rows on them that have next to no weight."""
    fit = design.map(name)
    training = fit.training_
    w = np.asarray(training.weights, dtype=float)
    n = count(training.rows)
    cells = int((w > 0).sum())
    w = w + np.where(w > 0, 0.0, _ROW_WEIGHT / max(n - cells, 1))
    X = pd.DataFrame(np.asarray(training.rows), index=training.index, columns=training.columns)
    axes = PCA(min(2, *X.shape)).fit(X, sample_weight=w)
    labels = [str(label) for label in training.index[:cells]]
    return TermMap(axes, [*labels, *design.cells(name)])


def no_tests(subject: Subject, within: str, runner: Runner) -> Evidence:
    """Return the evidence of rows that are not independent: none, and the reason."""
    names = ["axes", "curves", "rows", "directions"]
    names += ["groups"] if subject.groups is not None else []
    names += ["numbers"] if subject.supplementary is not None else []
    runner.skip(names, Sentence("claim.untested.reason.within", {"name": Name(within)}))
    return Evidence(np.arange(subject.n), failures=runner.failures)


def design_claims(study: Study) -> list[Claim]:
    """State what is removed, and what each term explains."""
    found = study.designed
    assert found is not None
    lines, out = found.lines, []
    shares = {str(name): Share(float(x)) for name, x in lines["share"].items()}
    design = found.design
    if design.remove is not None:
        name = lines.index[0]
        values = {"name": Name(name), "share": shares[str(name)]}
        out.append(claim("data", Sentence("claim.design.removed", values), "design"))
    for name in design.terms:
        values = {"name": Name(name), "share": shares[name]}
        if name not in found.p_values:
            reason = Sentence("claim.design.untested", values)
            out.append(claim("not-tested", reason, "design"))
            continue
        p, permuted = found.p_values[name], str(lines.loc[name, "permuted"])
        test = NullTest(
            "design", f"null.design.{_NULLS[permuted]}", f"holds.design.{_NULLS[permuted]}"
        )
        values["p"] = P(p)
        key, kind = ("term", "design") if p < ALPHA else ("none", "nothing")
        out.append(
            claim(
                kind,
                Sentence(f"claim.design.{key}", values),
                name,
                p_value=p,
                effect=float(lines.loc[name, "share"]),
                effect_name="share of the inertia",
                test=test,
            )
        )
    if design.within is not None:
        values = {"name": Name(design.within), "share": shares[design.within]}
        out.append(claim("data", Sentence("claim.design.within", values), "design"))
    return out
