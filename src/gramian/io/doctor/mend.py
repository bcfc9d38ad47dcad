"""What is put right while a table is read, and reported: texts as numbers, codes, empty rows."""

import difflib
import re
from collections.abc import Iterable, Iterator

import numpy as np
import pandas as pd

from gramian.errors import InputError
from gramian.io.doctor.numbers import columns_with_codes, without_codes
from gramian.io.doctor.texts import Reading, are_dates, number, numbers_of
from gramian.io.doctor.vocabulary import SYNONYMS, is_category
from gramian.io.formats import Options, Raw, find_columns
from gramian.io.notes import Finding, column_setting, finding

_TEXT_TYPES = ("str", "object")
_MAX_SPELLED = 100  # categories of a column whose spellings are compared
_MIN_SPELLED = 4  # letters, from which on capitals make no other category
_MIN_MISSPELLED = 6  # letters of a word that may be misspelt
_MAX_RARE = 2  # times that a misspelt word occurs
_MIN_LIKENESS = 0.9
_MIN_COLUMNS = 3  # under which a row with a name and nothing else has a gap, and is not empty


def mend_table(raw: Raw, options: Options) -> None:
    """Mend the columns of a table in place, and report what was done."""
    raw.frame = raw.frame.copy(deep=False)
    as_number = set(find_columns(options.as_number, raw.frame, "as_number"))
    as_category = set(find_columns(options.as_category, raw.frame, "as_category"))
    if both := as_number & as_category:
        raise InputError(f"as_number: column {min(both)!r:.60} is given as_category too")
    settled = raw.roles.keys() | set(find_columns(options.ignore, raw.frame, "ignore"))
    _apply_codes(raw, options.na_values)
    for column in as_category:
        raw.frame[column] = _as_texts(raw.frame[column])
    for column in raw.frame.columns[[str(kind) in _TEXT_TYPES for kind in raw.frame.dtypes]]:
        if column not in as_category and column not in settled:
            _mend_texts(raw, column, column in as_number)
    for column in raw.frame.columns[[str(kind) in _TEXT_TYPES for kind in raw.frame.dtypes]]:
        if raw.roles.get(column) != "ignored":
            _merge_spellings(raw, column)
    for coded in columns_with_codes(raw.frame):
        if coded not in as_number and coded not in settled:
            raw.frame[coded], findings = without_codes(raw.frame[coded])
            raw.warnings += findings
    _drop_empty_rows(raw)


def _apply_codes(raw: Raw, codes: Iterable[str]) -> None:
    """Take the codes for missing out of columns of numbers, and those of one column out of it."""
    for code in codes:
        name, mark, value = code.rpartition("=")
        if mark and name:  # size=12
            cells = raw.frame[name := find_columns([name], raw.frame, "na_values")[0]]
            same = pd.to_numeric(cells, errors="coerce") == number(value)
            raw.frame[name] = cells.mask(same | (cells == value))
    numbers = pd.to_numeric(pd.Series(list(codes), dtype=object), errors="coerce").dropna()
    for column in raw.frame.select_dtypes("number") if len(numbers) else ():
        spoiled = raw.frame[column].isin(numbers)
        if spoiled.any():
            raw.frame[column] = raw.frame[column].astype(float).mask(spoiled)


def _as_texts(column: pd.Series) -> pd.Series:
    """Return a column as categories; 1.0 is written 1."""
    if pd.api.types.is_float_dtype(column.dtype):
        known = column.dropna()
        if (known == np.floor(known)).all():
            column = column.astype("Int64")
    return column.astype("str").where(column.notna(), None)


def _mend_texts(raw: Raw, column: str, forced: bool) -> None:
    """Read a column of texts as numbers where they are."""
    texts = raw.frame[column]
    if not forced and (is_category(column) or are_dates(texts)):
        return
    reading = numbers_of(texts, forced=forced)
    if reading is None:
        return
    if not forced and len(reading.units) > 1 and any(reading.units):
        several = ", ".join(unit or "–" for unit, _ in reading.units.most_common(4))
        values = {"setting": column_setting("as_number", column), "units": several}
        raw.roles[column] = "ignored"
        raw.report("units", "units.mixed", column=column, default="ignored", **values)
        return
    raw.frame[column] = reading.values
    raw.warnings += () if forced else _reading_findings(column, reading)


def _merge_spellings(raw: Raw, column: str) -> None:
    """Give one spelling to categories that differ by capitals and spaces, and ask about others."""
    counts = raw.frame[column].dropna().astype(str).value_counts()
    if not 2 <= len(counts) <= min(_MAX_SPELLED, max(2, raw.frame[column].count() // 2)):
        return
    words = {str(level).strip().casefold() for level in counts.index}
    known = next((k for k in SYNONYMS if words <= k.keys()), {})
    keys: dict[str, list[str]] = {}
    for level in counts.index:  # the most frequent first
        bare = re.sub(r"[\s_]+", " ", level).strip()
        bare = bare.casefold() if len(bare) >= _MIN_SPELLED else bare
        keys.setdefault(known.get(bare.casefold(), bare), []).append(level)
    again = {other: same[0] for same in keys.values() for other in same[1:]}
    if again:
        raw.frame[column] = raw.frame[column].map(lambda cell: again.get(cell, cell))
        cells = ", ".join(f"{other!r} → {same!r}"[:60] for other, same in list(again.items())[:3])
        key = "spelling.words" if known else ""
        raw.report("spelling", key, column=column, default="merged", n=len(again), cells=cells)
    levels = [same[0] for same in keys.values()]
    alike = {level.casefold(): level for level in reversed(levels)}
    pairs = [(x, same) for x in levels if (same := alike[x.casefold()]) != x]
    for rare in (x for x in levels if counts[x] <= _MAX_RARE and len(x) >= _MIN_MISSPELLED):
        if any(letter.isdigit() for letter in rare):
            continue
        common = [x for x in levels if counts[x] >= 5 * counts[rare]]
        near = difflib.get_close_matches(rare, common, 1, _MIN_LIKENESS)
        pairs += [(rare, other) for other in near]
    for cell, other in pairs:
        values = {"cell": repr(cell)[:40], "other": repr(other)[:40]}
        raw.report("spelling", "spelling.perhaps", column=column, **values)


def _reading_findings(column: str, reading: Reading) -> Iterator[Finding]:
    """Say why a column of numbers was one of texts."""
    as_text = column_setting("as_category", column)
    for unit in filter(None, reading.units):
        key = "units.error" if unit == "±" else ""
        yield finding("units", key, column=column, setting=as_text, default="number", unit=unit)
    if reading.comma:
        cell = repr(reading.comma)
        yield finding("decimal-comma", column=column, setting=as_text, default="number", cell=cell)
    for kind, key, counts, setting in (
        ("missing-code", "missing_word", reading.words, as_text),
        ("censored", "", reading.limits, column_setting("ignore", column)),
    ):
        if counts:
            cells = ", ".join(repr(cell)[:40] for cell, _ in counts.most_common(3))
            yield finding(
                kind, key, column=column, setting=setting, default="missing", n=counts.total(),
                cells=cells,
            )  # fmt: skip


def _drop_empty_rows(raw: Raw) -> None:
    """Leave out rows that hold nothing, or a name and no value in several columns."""
    frame = raw.frame
    if frame.shape[1] < 2 or raw.is_distances:
        return
    has_names = not pd.api.types.is_numeric_dtype(frame.dtypes.iloc[0])
    has_names = has_names and raw.names is None and frame.shape[1] >= _MIN_COLUMNS
    rest = frame.iloc[:, 1:] if has_names else frame
    empty = np.asarray(rest.isna().all(axis=1))
    if not empty.any() or empty.all() or rest.shape[0] == rest.shape[1]:
        return  # the first row of a triangle of distances is empty
    raw.drop_rows(empty)
    row = int(np.flatnonzero(empty)[0]) + 1
    raw.report("empty-rows", default="skipped", n=int(empty.sum()), row=row)
