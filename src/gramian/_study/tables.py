"""What a study of a table is about, by its method: which columns make the axes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from gramian._study.methods import MAPS, Method, Settings, questions_of
from gramian._study.subject import AXES, Subject, axes_of
from gramian.errors import InputError
from gramian.io import Finding, Source
from gramian.io.notes import Note, note

_PLACED = ("kernel-pca", *MAPS)  # by similarities or distances between rows
_ROLE_NOTES = ("roles", "group", "groups")  # that categories have before a method takes them
_FLAT = (None, "euclidean")  # metrics to which constant columns are nothing
_RETOLD = ("constant", "duplicate_rows")  # what a study says in its own words


def table_subject(
    source: Source, method: Method, settings: Settings, findings: Sequence[Finding]
) -> Subject:
    """Return the subject of a table."""
    whole, (source, how) = source, _completed(_without(source, settings), method)
    massive = _constants_have_mass(method, settings)
    numbers, dropped = _varying(source, method.columns in ("numbers", "counts"), massive)
    if massive:  # they tell something here
        findings = [found for found in findings if found.kind != "constant"]
    groups, extra = source.groups(), source.supplementary()
    groups = groups.loc[:, [_is_grouping(groups.iloc[:, j]) for j in range(groups.shape[1])]]
    questions = [c for c in questions_of(source) if c in groups]
    X: Any = numbers
    if method.columns in ("categories", "both"):
        if not questions and method.name != "mfa":
            raise InputError(
                f"data: {method.name} needs columns of categories: name numbers that are codes "
                "with as_category="
            )
        if method.columns == "both" and not numbers.shape[1]:
            raise InputError(
                "data: no numeric column is left to analyse: name some with active=, or check "
                "the separator and the decimal mark (sep=, decimal=)"
            )
        X = groups[questions]
        groups = groups.drop(columns=questions)
        if method.columns == "categories":
            extra = pd.concat([extra, numbers], axis=1)
        else:
            X = pd.concat([numbers, X], axis=1)
    if method.columns == "counts":
        X, groups, extra = _with_counts(X, groups, extra)
    estimator = method.estimator(settings)
    if method.name == "mfa":
        shared = groups_by_name(X.columns)
        estimator.set_params(groups=shared)
        alone = X.drop(columns=[c for group in shared.values() for c in group])
        X = X.drop(columns=alone.columns)
        extra = pd.concat([extra, alone.select_dtypes("number")], axis=1)
        groups = pd.concat([groups, alone.select_dtypes(exclude="number")], axis=1)
    subject = Subject(
        "table",
        source.title,
        X.index,
        X,
        estimator.set_params(n_components=axes_of(len(X), _rank(X, method))),
        table=X if method.name == "pca" else None,
        supplementary=extra if extra.shape[1] else None,
        groups=groups if groups.shape[1] else None,
        notes=_notes(source, method, dropped),
        warnings=tuple(w for w in source.warnings if getattr(w, "key", "") not in _RETOLD),
        everything=source.table,
        roles=dict(source.roles),
        missing=how,
        dropped=dropped,
        method=method.name,
        settings=settings,
        findings=tuple(findings),
        kernel=settings.kernel if method.name == "kernel-pca" else None,
    )
    subject = replace(subject, placed=_placed(whole, subject, settings))
    return _standardised(subject) if method.name in _PLACED else subject


def _notes(source: Source, method: Method, dropped: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return how the table was read, the roles of columns as they are now."""
    if method.name != "pca":
        return tuple(n for n in source.notes if n.key not in _ROLE_NOTES)
    if not dropped:
        return tuple(source.notes)
    left = len(dropped)
    return tuple(_fewer(n, left) if n.key == "roles" else n for n in source.notes)


def _fewer(roles: Note, left: int) -> Note:
    """Return the note on roles without constant columns among the active ones."""
    counts = dict(roles.sentence.values)
    counts |= {"active": counts["active"] - left, "ignored": counts["ignored"] + left}
    return note("roles", **counts)


def _without(source: Source, settings: Settings) -> Source:
    """Return the table without its supplementary rows."""
    names = settings.supplementary_rows
    if not names:
        return source
    unknown = [name for name in names if name not in source.names]
    if unknown:
        raise InputError(f"supplementary_rows: there is no row {repr(unknown[0])[:60]}")
    assert source.table is not None
    kept = [name for name in source.names if name not in names]
    return replace(source, table=source.table.loc[kept], names=kept)


def _placed(whole: Source, subject: Subject, settings: Settings) -> pd.DataFrame | None:
    """Return the supplementary rows as the fit takes rows; those with holes are left out."""
    if not settings.supplementary_rows:
        return None
    columns = pd.concat([whole.active(), whole.groups().astype(object)], axis=1)
    new = columns.loc[list(settings.supplementary_rows), list(subject.X.columns)]
    new = new.dropna() if subject.method != "mca" else new
    return new if len(new) else None


def groups_by_name(columns: Any) -> dict[str, list[Any]]:
    """Return columns in groups by what their names start with, before a point, dash or space.

    Names that start as no other does are left out.

    >>> groups_by_name(["odor.fruity", "odor.smoky", "taste.sweet", "taste.sour", "label"])
    {'odor': ['odor.fruity', 'odor.smoky'], 'taste': ['taste.sweet', 'taste.sour']}
    """
    out: dict[str, list[Any]] = {}
    for column in columns:
        out.setdefault(re.split(r"[._\- :/]", str(column))[0], []).append(column)
    out = {name: group for name, group in out.items() if len(group) > 1}
    if len(out) < 2:
        raise InputError(
            "data: mfa needs groups of columns: name columns as group.column and pass "
            "groups_from_names=True",
            argument="groups_from_names",
            found=False,
        )
    return out


def _rank(X: pd.DataFrame, method: Method) -> int:
    """Return how many axes the columns can make."""
    if method.name == "mds":
        return 2  # those of stress do not stand inside each other
    if method.name in _PLACED:
        return AXES
    if method.name == "ca":
        return min(X.shape) - 1
    numbers = np.array([pd.api.types.is_numeric_dtype(dtype) for dtype in X.dtypes], dtype=bool)
    categories = (X.iloc[:, int(j)].nunique(dropna=False) - 1 for j in np.flatnonzero(~numbers))
    return int(numbers.sum()) + sum(categories)


def _standardised(subject: Subject) -> Subject:
    """Return the subject with columns of unit variance, so that no unit makes a distance."""
    X, settings = subject.X, subject.settings
    if not settings.scale or settings.metric not in (None, "euclidean"):
        return subject
    mean, sd = X.mean(), X.std(ddof=0)
    placed = None if subject.placed is None else (subject.placed.astype(float) - mean) / sd
    return replace(subject, X=(X - mean) / sd, placed=placed)


def _with_counts(
    X: pd.DataFrame, groups: pd.DataFrame, extra: pd.DataFrame
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Leave out the rows without counts, which have no profile."""
    if (X < 0).to_numpy().any():
        raise InputError("data: counts cannot be negative: method='pca' takes such numbers")
    live = (X > 0).any(axis=1).to_numpy()
    if (n := int(live.sum())) < 3:
        left = "row is left" if n == 1 else "rows are left"
        raise InputError(f"data: {n} {left}: a report needs at least 3")
    return X[live], groups[live], extra[live]


def _constants_have_mass(method: Method, settings: Settings) -> bool:
    """Whether a column that is the same in all rows has a part in what rows are compared by.

    It is a part of every profile, and of the sums by which Bray-Curtis divides.
    """
    return method.columns == "counts" or (method.name in MAPS and settings.metric not in _FLAT)


def _varying(source: Source, needed: bool, massive: bool) -> tuple[pd.DataFrame, tuple[Any, ...]]:
    """Return the active numbers that vary or have mass, and the names of the others."""
    active = source.active()
    if active.shape[1] == 0:
        if needed:
            raise InputError(
                "data: no numeric column is left to analyse: name some with active=, or check "
                "the separator and the decimal mark (sep=, decimal=)"
            )
        return active, ()
    X = active.to_numpy()
    if np.isinf(X).any():
        row, column = np.argwhere(np.isinf(X))[0]
        raise InputError(
            f"data: infinite value in row {row + 1}, column {str(active.columns[column])!r:.60}: "
            "correct it or leave the cell empty"
        )
    size = np.abs(X).max(axis=0)
    idle = np.ptp(X / np.where(size > 0, size, 1.0), axis=0) <= 1e-13
    if idle.all() and needed:
        raise InputError("data: every active column is constant: give columns whose values differ")
    if massive:
        idle = size == 0
    return active.loc[:, ~idle], tuple(active.columns[idle])


def _completed(source: Source, method: Method) -> tuple[Source, str | None]:
    """Leave out the rows with missing values; where that would cost half of them, fill them in."""
    gaps = source.missing()
    if gaps.empty or method.columns == "categories":
        return source, None
    whole = source.active().notna().all(axis=1).sum()
    how = "drop-rows" if 2 * whole >= len(source) and whole >= 3 else "iterative"
    return source.complete(how), how


def _is_grouping(column: pd.Series) -> bool:
    """Whether a column puts rows together: a name for each row does not."""
    count = column.nunique()
    return bool(1 < count <= max(2, column.notna().sum() // 2))
