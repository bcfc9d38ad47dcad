"""From the columns of a file to a source: names of rows, roles, and what to be warned of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from gramian._core.check import invalid
from gramian._core.hashing import mix
from gramian._study.language import Count, Setting, Voice, quoted
from gramian.errors import InputError
from gramian.io.doctor.finding import Finding, finding, named
from gramian.io.doctor.mend import mended
from gramian.io.doctor.vocabulary import is_category
from gramian.io.guard import unguarded_column
from gramian.io.matrices import as_distances, looks_like_distances
from gramian.io.notes import Note, note
from gramian.io.raw import Options, Raw, distinct
from gramian.io.roles import are_genes, is_numbers, named_rows, roles_of, spoiled_numbers
from gramian.io.source import ROLES, Source, few


def finished(raw: Raw, options: Options) -> Source:
    """Return a table or distances from what stood in a file."""
    raw.frame.columns = pd.Index([str(c) for c in raw.frame.columns])
    _clean(raw)
    _drop_empty(raw)
    if not raw.is_distances and options.kind != "distances":
        mended(raw, options)
    names = _rows_named(raw, options)
    if options.transpose:
        names = _transposed(raw, names)
    has_roles = any(o is not None for o in (options.active, options.supplementary, options.group))
    is_square = options.kind is None and not has_roles and looks_like_distances(raw.frame, names)
    if options.kind == "distances" or raw.is_distances or is_square:
        if is_square and not raw.is_distances:
            raw.notes.append(note("distances"))
        return _distances(raw, names)
    return _table(raw, names, options)


def _clean(raw: Raw) -> None:
    """Take spaces off texts; a column without any value counts as numbers."""
    for c, kind in zip(raw.frame.columns, raw.frame.dtypes, strict=True):
        if kind == "str":
            texts = raw.frame[c].str.strip()
            raw.frame[c] = unguarded_column(texts) if raw.is_guarded else texts
        elif pd.api.types.is_object_dtype(kind):
            raw.frame[c] = raw.frame[c].map(lambda v: v.strip() if isinstance(v, str) else v)
            if raw.frame[c].isna().all():
                raw.frame[c] = raw.frame[c].astype(float)


def _drop_empty(raw: Raw) -> None:
    """Leave out columns without a name and without a value, as trailing separators make."""
    frame = raw.frame
    empty = [c for c in frame.columns if not c.split(" (")[0] and frame[c].isna().all()]
    if empty:
        raw.frame = frame.drop(columns=empty)
        raw.notes.append(note("empty_columns", n=len(empty)))
    if raw.frame.shape[1] == 0:
        raise InputError(
            "the table has no columns with values: give at least one column of numbers"
        )


def _rows_named(raw: Raw, options: Options) -> list[str] | None:
    """Take the names of the rows out of the table."""
    column = named_rows(raw, options)
    if column is not None:
        names = _labels(raw.frame[column])
        if options.row_names is None and column != str(raw.frame.columns[0]):
            raw.frame = _without_counter(raw.frame)
            raw.warnings.append(_named_elsewhere(column))
        raw.frame = raw.frame.drop(columns=column)
        if raw.frame.shape[1] == 0:
            raise invalid("row_names", column, "is the only column: nothing is left to analyse")
        raw.notes.append(note("row_names", name=repr(column) if column else "1"))
        _warn_of_genes(raw, column, names, options)
    elif raw.names is not None:
        names = raw.names
        _warn_of_genes(raw, "", names, options)
    else:
        if not raw.is_distances:
            raw.notes.append(note("numbered"))
        return None
    unique, repeated = distinct(names)
    if repeated:
        raw.warnings.append(note("duplicate_names", n=len(repeated), name=repr(repeated[0])[:60]))
    return unique


def _warn_of_genes(raw: Raw, title: str, names: list[str], options: Options) -> None:
    """Ask where rows look like the variables and columns like the individuals."""
    n, p = raw.frame.shape
    numbers = all(is_numbers(kind) for kind in raw.frame.dtypes)
    if options.transpose is None and n > p > 1 and numbers and are_genes(title, names):
        setting = Setting("transpose", (True,))
        told = finding(
            "genes-in-rows", "genes", setting=setting, name=repr(names[0])[:40], n=n, p=p
        )
        raw.warnings.append(told)


def _without_counter(frame: pd.DataFrame) -> pd.DataFrame:
    """Leave out a first column without a name: it numbers rows that have names elsewhere."""
    return frame.iloc[:, 1:] if str(frame.columns[0]).strip() == "" else frame


def _named_elsewhere(column: str) -> Finding:
    setting = Setting("row_names", (False,))
    return finding("row-names", "row_names_found", column=column, setting=setting, default="names")


def _labels(column: pd.Series) -> list[str]:
    if is_numbers(column) and column.notna().all() and bool((column == np.floor(column)).all()):
        column = column.astype("int64")
    return [str(value) for value in column.fillna("?")]


def _transposed(raw: Raw, names: list[str] | None) -> list[str]:
    kinds = zip(raw.frame.columns, raw.frame.dtypes, strict=True)
    other = next((c for c, kind in kinds if not is_numbers(kind)), None)
    if other is not None:
        raise InputError(
            f"transpose: column {repr(other)[:60]} holds texts: name the rows with row_names"
        )
    labels = names or [f"V{k + 1}" for k in range(len(raw.frame))]
    individuals = [str(c) for c in raw.frame.columns]
    raw.frame = pd.DataFrame(raw.frame.to_numpy(dtype=float).T, columns=labels)
    raw.notes = [n for n in raw.notes if getattr(n, "key", "") != "numbered"]
    raw.notes.append(note("transposed"))
    raw.roles = {}
    return individuals


def _distances(raw: Raw, names: list[str] | None) -> Source:
    D, notes, warnings = as_distances(raw.frame, names)
    rest = [n for n in raw.notes if getattr(n, "key", "") != "numbered"]
    return Source(
        "distances",
        [str(label) for label in D.index],
        distances=D,
        notes=[*rest, *notes],
        warnings=[*raw.warnings, *warnings],
    )


def _table(raw: Raw, names: list[str] | None, options: Options) -> Source:
    frame = raw.frame
    roles, findings = roles_of(raw, options)
    if not len(frame):
        raise InputError("the table has no rows below its header: give at least one")
    if not {"active", "group"} & set(roles.values()):
        columns = Voice().write(quoted(frame, 4))
        raise InputError(
            "the table has no column of numbers, and categories alone are not analysed: "
            f"{columns}{_first_value(frame)}; where numbers were meant, check the separator and "
            "the decimal mark (sep=, decimal=)"
        )
    labels = names if names is not None else [str(k + 1) for k in range(len(frame))]
    frame.index = pd.Index(labels)
    counts = {role: list(roles.values()).count(role) for role in ROLES}
    notes = [*raw.notes, note("roles", **counts)]
    if options.group is None:
        notes += _grouped(frame, [c for c, role in roles.items() if role == "group"])
    warnings = [*raw.warnings, *findings, *_suspects(frame, roles)]
    told = {f.column for f in warnings if isinstance(f, Finding)}
    warnings += _cautions(frame, roles, options, told)
    return Source("table", labels, frame, roles, notes=notes, warnings=warnings)


def _grouped(frame: pd.DataFrame, columns: list[Any]) -> list[Note]:
    """Say which columns were taken as groups, in one sentence."""
    if len(columns) == 1:
        (c,) = columns
        return [note("group", name=repr(c)[:60], levels=frame[c].nunique())]
    return [note("groups", n=len(columns), names=few(columns))] if columns else []


def _first_value(frame: pd.DataFrame) -> str:
    for c in frame:
        known = frame[c].dropna()
        if len(known):
            return f"; the first value of {c!r:.40} is {str(known.iloc[0])[:30]!r}"
    return ""


def _suspects(frame: pd.DataFrame, roles: dict[Any, str]) -> list[Note]:
    """Warn of columns of text that were meant to be numbers."""
    out: list[Note] = []
    for c in (c for c, role in roles.items() if role in ("ignored", "group")):
        if roles[c] == "group" and is_category(str(c)):
            continue
        suspect = spoiled_numbers(frame[c])
        if suspect is not None:
            wrong, key = suspect
            row = frame.index[int((frame[c].astype(str) == wrong).to_numpy().argmax())]
            setting = Setting("na_values", ([wrong[:40]],))
            values = {"cell": repr(wrong)[:40], "row": row, "default": roles[c]}
            out.append(finding("spoiled-numbers", key, column=c, setting=setting, **values))
    return out


def _cautions(
    frame: pd.DataFrame, roles: dict[Any, str], options: Options, told: set[str | None]
) -> list[Note]:
    """Warn of missing, infinite, constant and repeated values in the active columns."""
    active = [c for c, role in roles.items() if role == "active"]
    X = frame[active].astype(float).to_numpy()
    out: list[Note] = []
    gaps = np.isnan(X)
    if gaps.any():
        holes = [c for c, hole in zip(active, gaps.any(axis=0), strict=True) if hole]
        counts = {
            "columns": Count("active", len(holes)),
            "rows": Count("row", int(gaps.any(axis=1).sum())),
        }
        setting = Setting("missing", ("drop-rows", "drop-columns", "iterative", "mean"))
        values: dict[str, Any] = {"n": int(gaps.sum()), "names": few(holes), **counts}
        out.append(finding("missing", setting=setting, **values))
    if np.isinf(X).any():
        row, column = (int(k[0]) for k in np.nonzero(np.isinf(X)))
        setting = Setting("na_values", (["inf"],))
        out.append(
            finding("infinite", column=active[column], setting=setting, row=frame.index[row])
        )
    low, high = np.where(gaps, np.inf, X).min(axis=0), np.where(gaps, -np.inf, X).max(axis=0)
    flat = [c for c, a, b in zip(active, low, high, strict=True) if a >= b]
    if flat:
        only, setting = flat[0] if len(flat) == 1 else None, named("ignore", *flat[:20])
        out.append(finding("constant", column=only, setting=setting, n=len(flat), names=few(flat)))
    again = _repeated_rows(X)
    if again.size:  # what two rows share in the numbers may differ in a text
        again = np.flatnonzero(frame.astype(str).duplicated().to_numpy())
    if again.size:
        first = repr(frame.index[again[0]])[:60]
        out.append(finding("copied-rows", "duplicate_rows", n=again.size, name=first))
    if options.ignore is None:
        out += _left_out(frame, [c for c, r in roles.items() if r == "ignored" and c not in told])
    return out


def _left_out(frame: pd.DataFrame, columns: list[Any]) -> list[Note]:
    """Say which columns are ignored, and why."""
    single = [c for c in columns if frame[c].nunique() < 2]
    others = [c for c in columns if c not in single]
    reasons = (("one_value", single), ("ignored", others))
    return [note(key, n=len(names), names=few(names)) for key, names in reasons if names]


def _repeated_rows(X: np.ndarray) -> np.ndarray:
    """Return the rows equal to an earlier one (by a code of 64 bits for each row)."""
    bits = np.ascontiguousarray(X + 0.0).view(np.uint64)
    code = np.zeros(len(X), dtype=np.uint64)
    for column in bits.T:
        code = mix(code + column)
    _, first = np.unique(code, return_index=True)
    again = np.ones(len(X), dtype=bool)
    again[first] = False
    return np.flatnonzero(again)
