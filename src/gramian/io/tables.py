"""From the columns of a file to a source: names of rows, roles, and what to be warned of."""

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from gramian._core.check import invalid
from gramian._core.hashing import mix
from gramian._core.table import Table, distance_matrix
from gramian._study.language import Count, Setting, Share, Voice, quoted
from gramian.errors import InputError
from gramian.io.csv_cells import unescape_column
from gramian.io.doctor.kinds import content_findings
from gramian.io.doctor.layout import rearrange, take_odd_rows
from gramian.io.doctor.mend import mend_table
from gramian.io.doctor.vocabulary import is_category
from gramian.io.expression import are_counts, join_samples, read_sheet, tidy_counts
from gramian.io.formats import Options, Raw, distinct, find_columns
from gramian.io.notes import Finding, Note, column_setting, finding, note
from gramian.io.roles import (
    are_genes,
    find_spoiled_number,
    is_numbers,
    roles_of,
    row_name_column,
    sheet_roles,
)
from gramian.io.source import ROLES, Source, few

_MIN_REPEATED_ROWS = 30  # from which on few different answers must repeat
_ROUNDING_GAP = 1e-8  # what rounding makes
_MAX_ASYMMETRY = 0.1  # what distances that were measured or judged twice may differ by


def source_of_raw(raw: Raw, options: Options) -> Source:
    """Return a table or distances from what stood in a file."""
    raw.frame.columns = pd.Index([str(c) for c in raw.frame.columns])
    _clean(raw)
    _drop_empty(raw)
    is_genes = False
    if not raw.is_distances and options.kind != "distances":
        if options.transpose and options.ignore is not None:  # what describes the variables, too
            raw.frame = raw.frame.drop(columns=find_columns(options.ignore, raw.frame, "ignore"))
            options = replace(options, ignore=None)
        is_genes = tidy_counts(raw, options.row_names)
        take_odd_rows(raw, options)
        mend_table(raw, options)
    names = _take_row_names(raw, options)
    if not raw.is_distances and options.kind in (None, "table") and not options.transpose:
        names = rearrange(raw, names, options)
    names = _orient(raw, names, options, is_genes)
    has_roles = any(o is not None for o in (options.active, options.supplementary, options.group))
    square = _without_similarities(raw.frame)
    labels = names if square is raw.frame else None
    is_square = options.kind is None and not has_roles and looks_like_distances(square, labels)
    if options.kind == "distances" or raw.is_distances or is_square:
        if is_square and not raw.is_distances:
            raw.notes.append(note("distances" if square is raw.frame else "similarities"))
            raw.frame = square
        return _distances(raw, names)
    return _table(raw, names, options)


def _orient(
    raw: Raw, names: list[str] | None, options: Options, is_genes: bool
) -> list[str] | None:
    """Put samples in rows, and beside them what a sheet or rows of the file say of them."""
    turned, about = is_genes if options.transpose is None else options.transpose, raw.conditions
    if options.samples is not None:
        across, sheet = join_samples(raw.frame.columns, names, read_sheet(options.samples))
        turned = across if options.transpose is None else turned
        about = sheet if about is None else pd.concat([sheet, about.set_axis(sheet.index)], axis=1)
    elif about is not None and options.transpose is None:
        turned = True  # its columns are described, so that they are individuals
    if turned:
        names = _transpose(raw, names)
        expressed = is_genes or options.samples is not None
        if expressed and not raw.content and options.content is None and are_counts(raw.frame):
            raw.content = "expression"
    if about is None:
        return names
    about = about.set_axis(distinct(about.columns)[0], axis=1).reset_index(drop=True)
    if len(about) != len(raw.frame):
        raise InputError(f"samples has {len(about)} rows for {len(raw.frame)} samples of the data")
    raw.roles |= sheet_roles(about)
    raw.frame = pd.concat([about, raw.frame], axis=1)
    return names


def _clean(raw: Raw) -> None:
    """Take spaces off texts; a column without any value counts as numbers."""
    for c, kind in zip(raw.frame.columns, raw.frame.dtypes, strict=True):
        if kind == "str":
            texts = raw.frame[c].str.strip()
            raw.frame[c] = unescape_column(texts) if raw.is_escaped else texts
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


def _take_row_names(raw: Raw, options: Options) -> list[str] | None:
    """Take the names of the rows out of the table."""
    column = row_name_column(raw, options)
    if column is not None:
        names = _labels(raw.frame[column])
        if options.row_names is None and column != str(raw.frame.columns[0]):
            if str(raw.frame.columns[0]).strip() == "":  # it numbers rows that have names
                raw.frame = raw.frame.iloc[:, 1:]
            setting, key = Setting("row_names", (False,)), "row_names_found"
            found = finding("row-names", key, column=column, setting=setting, default="names")
            raw.warnings.append(found)
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
    texts = [c for c, kind in raw.frame.dtypes.items() if not is_numbers(kind)]
    settled = options.transpose is not None or options.samples is not None
    if not settled and n > p > 3 * len(texts) + 1 and are_genes(title, names):
        setting = Setting("transpose", (True,))
        name = repr(names[0])[:40]
        raw.report("genes-in-rows", "genes", setting=setting, name=name, n=n, p=p)


def _labels(column: pd.Series) -> list[str]:
    if is_numbers(column) and column.notna().all() and bool((column == np.floor(column)).all()):
        column = column.astype("int64")
    return [str(value) for value in column.fillna("?")]


def _transpose(raw: Raw, names: list[str] | None) -> list[str]:
    texts = [str(c) for c, kind in raw.frame.dtypes.items() if not is_numbers(kind)]
    if texts and (names is None or len(texts) == raw.frame.shape[1]):
        raise InputError(
            f"transpose: column {repr(texts[0])[:60]} holds texts: name the rows with row_names"
        )
    if texts:  # what is said of the variables
        raw.frame = raw.frame.drop(columns=texts)
        raw.notes.append(note("annotation", n=len(texts), names=", ".join(texts[:6])))
    labels = names or [f"V{k + 1}" for k in range(len(raw.frame))]
    individuals = [str(c) for c in raw.frame.columns]
    raw.frame = pd.DataFrame(raw.frame.to_numpy(dtype=float).T, columns=labels)
    raw.notes = [n for n in raw.notes if n.key != "numbered"]
    raw.notes.append(note("transposed"))
    raw.warnings = [text for text in raw.warnings if text.key != "genes"]
    raw.roles = {}
    return individuals


def _table(raw: Raw, names: list[str] | None, options: Options) -> Source:
    frame = raw.frame
    roles, found = roles_of(raw, options, names)
    content, findings = found.content, found.findings
    if not len(frame):
        raise InputError("the table has no rows below its header: give at least one")
    if not {"active", "group"} & set(roles.values()):
        columns, at = Voice().write(quoted(frame, 4)), [n for n in raw.notes if n.key == "sheet"]
        sheets = f", or choose a sheet (sheet=): {at[0].sentence.values['names']}" if at else ""
        raise InputError(
            "the table has no column of numbers, and categories alone are not analysed: "
            f"{columns}{_first_value(frame)}; where numbers were meant, check the separator and "
            f"the decimal mark (sep=, decimal=){sheets}"
        )
    labels = names if names is not None else [str(k + 1) for k in range(len(frame))]
    frame.index = pd.Index(labels)
    counts = {role: list(roles.values()).count(role) for role in ROLES}
    notes = [*raw.notes, note("roles", **counts)]
    groups = [c for c, role in roles.items() if role == "group"]
    if options.group is None and len(groups) == 1:
        levels = frame[groups[0]].nunique()
        notes.append(note("group", name=repr(groups[0])[:60], levels=levels))
    elif options.group is None and groups:
        notes.append(note("groups", n=len(groups), names=few(groups)))
    active = frame[[c for c, role in roles.items() if role == "active"]]
    stated = content_findings(content, active.astype(float)) if active.shape[1] else ()
    warnings = [*raw.warnings, *stated, *findings, *_mistaken_texts(frame, roles)]
    reported = {f.column for f in warnings if isinstance(f, Finding)}
    warnings += _cautions(frame, roles, options, reported)
    kind = raw.content or content.kind
    return Source("table", labels, frame, roles, notes=notes, warnings=warnings, content=kind)


def _first_value(frame: pd.DataFrame) -> str:
    for c in frame:
        known = frame[c].dropna()
        if len(known):
            return f"; the first value of {c!r:.40} is {str(known.iloc[0])[:30]!r}"
    return ""


def _mistaken_texts(frame: pd.DataFrame, roles: dict[Hashable, str]) -> list[Note]:
    """Warn of columns of text that were meant to be numbers."""
    out: list[Note] = []
    for c in (c for c, role in roles.items() if role in ("ignored", "group")):
        if roles[c] == "group" and is_category(str(c)):
            continue
        suspect = find_spoiled_number(frame[c])
        if suspect is not None:
            wrong, key = suspect
            row = frame.index[int((frame[c].astype(str) == wrong[0]).to_numpy().argmax())]
            setting = Setting("na_values", ([wrong[0][:40]],))
            values: dict[str, Any] = {"cell": repr(wrong[0])[:40], "row": row, "default": roles[c]}
            if key == "nearly_numbers" and len(wrong) > 1:  # one option for all of them
                key, setting = "nearly_numbers.words", column_setting("as_number", c)
                values |= {"cells": few(wrong), "n": len(wrong)}
            out.append(finding("spoiled-numbers", key, column=c, setting=setting, **values))
    return out


def _cautions(
    frame: pd.DataFrame, roles: dict[Hashable, str], options: Options, reported: set[str | None]
) -> list[Note]:
    """Warn of missing, infinite, constant and repeated values in the active columns."""
    active = [c for c, role in roles.items() if role == "active"]
    X = frame[active].astype(float).to_numpy()
    out: list[Note] = []
    gaps = np.isnan(X)
    if gaps.any():
        holes = [c for c, hole in zip(active, gaps.any(axis=0), strict=True) if hole]
        columns, rows = len(holes), int(gaps.any(axis=1).sum())
        setting = Setting("missing", ("drop-rows", "drop-columns", "iterative", "mean"))
        size: dict[str, Any] = {"columns": Count("active", columns), "rows": Count("row", rows)}
        out.append(finding("missing", setting=setting, n=int(gaps.sum()), names=few(holes), **size))
    if np.isinf(X).any():
        row, column = (int(k[0]) for k in np.nonzero(np.isinf(X)))
        setting = Setting("na_values", (["inf"],))
        out.append(
            finding("infinite", column=active[column], setting=setting, row=frame.index[row])
        )
    low, high = np.where(gaps, np.inf, X).min(axis=0), np.where(gaps, -np.inf, X).max(axis=0)
    flat = [c for c, a, b in zip(active, low, high, strict=True) if a >= b]
    if flat:
        only, setting = flat[0] if len(flat) == 1 else None, column_setting("ignore", *flat[:20])
        out.append(finding("constant", column=only, setting=setting, n=len(flat), names=few(flat)))
    again = _duplicate_rows(X)
    if again.size:  # what two rows share in the numbers may differ in a text
        again = np.flatnonzero(frame.astype(str).duplicated().to_numpy())
    if again.size and not _must_repeat(frame):
        first = repr(frame.index[again[0]])[:60]
        out.append(finding("copied-rows", "duplicate_rows", n=again.size, name=first))
    if options.ignore is None:  # say which columns are ignored, and why
        ignored = [c for c, r in roles.items() if r == "ignored" and c not in reported]
        single = [c for c in ignored if frame[c].nunique() < 2]
        others = [c for c in ignored if c not in single and not is_numbers(frame[c])]
        reasons = (("one_value", single), ("ignored", others))
        out += [note(key, n=len(names), names=few(names)) for key, names in reasons if names]
    return out


def _must_repeat(frame: pd.DataFrame) -> bool:
    """Whether rows cannot but repeat: there are few different answers for so many."""
    if len(frame) < _MIN_REPEATED_ROWS:
        return False
    levels = frame.nunique(dropna=False).to_numpy(dtype=float)
    return bool(np.log(np.maximum(levels, 1.0)).sum() < np.log(50.0 * max(len(frame), 1)))


def _duplicate_rows(X: np.ndarray) -> np.ndarray:
    """Return the rows equal to an earlier one (by a code of 64 bits for each row)."""
    bits = np.ascontiguousarray(X + 0.0).view(np.uint64)
    code = np.zeros(len(X), dtype=np.uint64)
    for column in bits.T:
        code = mix(code + column)
    return np.flatnonzero(pd.Series(code).duplicated())


def mirror_triangle(D: np.ndarray) -> np.ndarray:
    """Return one triangle as a symmetric matrix with a zero diagonal where it is empty."""
    lower, diagonal = np.tril(D, -1), np.diagonal(D)
    return lower + lower.T + np.diag(np.where(np.isnan(diagonal), 0.0, diagonal))


def looks_like_distances(frame: pd.DataFrame, names: list[str] | None) -> bool:
    """Whether a table can only be distances: square, symmetric, not negative, zero diagonal."""
    n, p = frame.shape
    if n != p or n < 3 or not all(is_numbers(kind) for kind in frame.dtypes):
        return False
    numbered = names is not None and names == [str(k + 1) for k in range(n)]
    if names is not None and names != list(frame.columns) and not numbered:
        return False
    D = frame.to_numpy(dtype=float)
    if np.isnan(D).any():
        D = _from_triangle(D)
    if not np.isfinite(D).all() or (D < 0).any() or np.diagonal(D).any() or not D.any():
        return False
    told = names is not None and not numbered
    return _asymmetry(D) <= (_MAX_ASYMMETRY if told else _ROUNDING_GAP)


def _without_similarities(frame: pd.DataFrame) -> pd.DataFrame:
    """Return distances in the place of similarities with 1, or 100 per cent, on the diagonal."""
    n, p = frame.shape
    if n != p or n < 3 or not all(is_numbers(kind) for kind in frame.dtypes):
        return frame
    S = _from_triangle(frame.to_numpy(dtype=float, na_value=np.nan))
    S = S / 100 if S[0, 0] == 100 else S
    like = (np.diagonal(S) == 1).all() and (np.abs(S) <= 1).all() and (S % 1).any()
    if not like or np.abs(S - S.T).max() > _ROUNDING_GAP:
        return frame
    return pd.DataFrame(np.sqrt(2 - 2 * S), columns=frame.columns)


def _asymmetry(D: np.ndarray) -> float:
    """Return how far distances are from their mirror image, in parts of their mean."""
    n = len(D)
    return float(np.sqrt(((D - D.T) ** 2).sum() / (n * (n - 1))) / (D.sum() / (n * (n - 1))))


def _from_triangle(D: np.ndarray) -> np.ndarray:
    """Return a triangle that was written alone as a full matrix; anything else as it is."""
    for M in (D, D.T):
        lower, upper = np.tril_indices_from(M, -1), np.triu_indices_from(M, 1)
        if np.isnan(M[upper]).all() and not np.isnan(M[lower]).any():
            return mirror_triangle(M)
    return D


def _distances(raw: Raw, names: list[str] | None) -> Source:
    """Return a square table as distances, or say why it holds none."""
    frame = raw.frame
    n, p = frame.shape
    if n != p:
        raise InputError(f"distances need a square table, but this one has shape ({n}, {p})")
    other = next((c for c in frame if not is_numbers(frame[c])), None)
    if other is not None:
        raise InputError(f"distances must be numbers, but column {other!r} holds others")
    if names is not None and names != list(frame) and set(names) == set(frame):
        raise InputError("distances: rows and columns have the same names in another order")
    labels = names if names is not None else [str(c) for c in frame]
    D = frame.to_numpy(dtype=float)
    notes = [n for n in raw.notes if n.key != "numbered"]
    warnings = [*raw.warnings]
    if np.isnan(D).any():
        D = _from_triangle(D)
        if not np.isnan(D).any():
            notes.append(note("triangle"))
        else:
            warnings.append(note("missing_distances", n=int(np.isnan(D).sum())))
    if not np.isnan(D).any():
        gap = _asymmetry(D) if D.any() and (D >= 0).all() else 0.0
        if _ROUNDING_GAP < gap <= _MAX_ASYMMETRY:  # the mean of both triangles is taken
            pairs = int((np.abs(D - D.T) > _ROUNDING_GAP * D.max()).sum()) // 2
            setting, done, share = Setting("kind", ("table",)), "averaged", Share(gap)
            warnings.append(
                finding("asymmetric", setting=setting, default=done, n=pairs, share=share)
            )
            D = (D + D.T) / 2
    distance_matrix(Table(np.nan_to_num(D)), "the distances")
    square = pd.DataFrame(D, index=labels, columns=labels)
    return Source("distances", labels, distances=square, notes=notes, warnings=warnings)
