"""What is put right while a table is read, and told: texts as numbers, codes, empty rows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np
import pandas as pd

from gramian.errors import InputError
from gramian.io.columns import known_columns
from gramian.io.doctor.finding import Finding, finding, named
from gramian.io.doctor.numbers import code_for_missing
from gramian.io.doctor.texts import Reading, are_dates, numbers_of
from gramian.io.doctor.vocabulary import is_category
from gramian.io.raw import Options, Raw

_TEXT = ("str", "object")
_SAME = ({"9"}, {"8"}, {"7"})
_BEYOND = 1e20
_FEW = 2  # columns, of which a row with a name and nothing else has a gap, and is not empty


def mended(raw: Raw, options: Options) -> None:
    """Mend the columns of a table in place, and say what was done."""
    raw.frame = raw.frame.copy(deep=False)
    as_number = set(known_columns(options.as_number, raw.frame, "as_number"))
    as_category = set(known_columns(options.as_category, raw.frame, "as_category"))
    if both := as_number & as_category:
        raise InputError(f"as_number: column {min(both)!r:.60} is given as_category too")
    left_out = set(known_columns(options.ignore, raw.frame, "ignore"))
    told = raw.roles.keys() | left_out
    _apply_codes(raw, options.na_values)
    for column in as_category:
        raw.frame[column] = _as_texts(raw.frame[column])
    for column in raw.frame.columns[[str(kind) in _TEXT for kind in raw.frame.dtypes]]:
        if column not in as_category and column not in told:
            _mend_texts(raw, column, column in as_number)
    for column in _suspects(raw.frame):
        if column not in as_number and column not in told:
            _mend_code(raw, column)
    _drop_empty_rows(raw)


def _apply_codes(raw: Raw, codes: Iterable[str]) -> None:
    """Take the codes for missing out of columns of numbers: 999 is 999.0 there."""
    numbers = [value for value in map(_number, codes) if value is not None]
    if not numbers:
        return
    for column in raw.frame.select_dtypes("number"):
        spoiled = raw.frame[column].isin(numbers)
        if spoiled.any():
            raw.frame[column] = raw.frame[column].astype(float).mask(spoiled)


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _as_texts(column: pd.Series) -> pd.Series:
    """Return a column as categories; 1.0 is written 1."""
    if pd.api.types.is_float_dtype(column.dtype):
        known = column.dropna()
        if (known == np.floor(known)).all():
            column = column.astype("Int64")
    return column.astype("str").where(column.notna(), None)


def _mend_texts(raw: Raw, column: Any, forced: bool) -> None:
    """Read a column of texts as numbers where they are."""
    texts = raw.frame[column]
    if not forced and (is_category(column) or are_dates(texts)):
        return
    reading = numbers_of(texts, forced=forced)
    if reading is None:
        return
    if forced:
        raw.frame[column] = reading.values
        return
    mixed = [unit for unit in reading.units if unit]
    if mixed and len(reading.units) > 1:
        several = ", ".join(unit or "–" for unit, _ in reading.units.most_common(4))
        told = finding(
            "units", "units.mixed", column=column, setting=named("as_number", column),
            default="ignored", units=several,
        )  # fmt: skip
        raw.roles[str(column)] = "ignored"
        raw.warnings.append(told)
        return
    raw.frame[column] = reading.values
    raw.warnings += _told(column, reading)


def _told(column: Any, reading: Reading) -> Iterable[Finding]:
    """Say why a column of numbers was one of texts."""
    as_text = named("as_category", column)
    for unit in [unit for unit in reading.units if unit]:
        yield finding("units", column=column, setting=as_text, default="number", unit=unit)
    if reading.comma:
        yield finding(
            "decimal-comma", column=column, setting=as_text, default="number",
            cell=repr(reading.comma),
        )  # fmt: skip
    for kind, cells, setting in (
        ("missing-code", reading.words, as_text),
        ("censored", reading.limits, named("ignore", column)),
    ):
        if cells:
            key = {"missing-code": "missing_word"}.get(kind, "")
            yield finding(
                kind, key, column=column, setting=setting, default="missing",
                n=sum(cells.values()), cells=_few(cells),
            )  # fmt: skip


def _few(cells: Counter[str]) -> str:
    return ", ".join(repr(cell)[:40] for cell, _ in cells.most_common(3))


def _suspects(frame: pd.DataFrame) -> list[Any]:
    """Return the columns whose least or greatest number may be a code, many columns at once."""
    numbers = frame.select_dtypes("number")
    if not len(frame) or not numbers.shape[1]:
        return []
    ends = zip(numbers.columns, _ends(numbers, "min"), _ends(numbers, "max"), strict=True)
    return [c for c, a, b in ends if _looks_coded(float(a)) or _looks_coded(float(b))]


def _ends(numbers: pd.DataFrame, which: str) -> np.ndarray:
    """Return the least or the greatest number of each column.

    Columns of Arrow one by one: pandas has no row of long integers and doubles of them.
    """
    plain = all(isinstance(kind, np.dtype) for kind in numbers.dtypes)
    ends = getattr(numbers, which)() if plain else numbers.apply(getattr(pd.Series, which))
    return np.asarray(ends.to_numpy(dtype=float, na_value=np.nan))


def _looks_coded(x: float) -> bool:
    """Whether a number is written with one digit, as 999 and -88 are, or is beyond all measure."""
    return x >= _BEYOND or set(f"{x:.10g}".strip("-").replace(".", "")) in _SAME


def _mend_code(raw: Raw, column: Any) -> None:
    """Take codes for missing out of a column of numbers."""
    raw.frame[column], told = _without_codes(raw.frame[column], np.empty(0))
    raw.warnings += told


def mended_beside(
    frame: pd.DataFrame, known: pd.DataFrame, as_number: Iterable[Any] = ()
) -> tuple[pd.DataFrame, list[Finding]]:
    """Return new rows without codes for missing, which those of a fit tell from true values.

    >>> known = pd.DataFrame({"x": [4.0, 5.0, 6.0, 5.5, 4.5, 5.2, 4.8, 6.1, 3.9, 5.0]})
    >>> mended_beside(pd.DataFrame({"x": [5.0, -999.0]}), known)[0]["x"].tolist()
    [5.0, nan]
    """
    told: list[Finding] = []
    frame = frame.copy(deep=False)
    for column in _suspects(frame[[c for c in known if c in frame]]):
        if str(column) not in set(map(str, as_number)):
            frame[column], found = _without_codes(frame[column], known[column].to_numpy())
            told += found
    return frame, told


def _without_codes(column: pd.Series, known: np.ndarray) -> tuple[pd.Series, list[Finding]]:
    """Return a column without codes for missing; what other rows are known to hold is none."""
    told: list[Finding] = []
    for _ in range(2):  # -99 and -88 may stand together
        values = np.asarray(column.to_numpy(dtype=float, na_value=np.nan), dtype=float)
        code = code_for_missing(str(column.name), np.r_[known, values[np.isfinite(values)]])
        if code is None or code in known:
            break
        blanks: dict[str, Any] = {"n": int((values == code).sum()), "code": f"{code:.10g}"}
        setting = named("as_number", column.name)
        column = column.astype(float).mask(values == code)
        told.append(
            finding(
                "missing-code", column=column.name, setting=setting, default="missing", **blanks
            )
        )
    return column, told


def _drop_empty_rows(raw: Raw) -> None:
    """Leave out rows that hold nothing, or a name and no value in several columns."""
    frame = raw.frame
    if frame.shape[1] < 2 or raw.is_distances:
        return
    first = frame.iloc[:, 0]
    named_first = not pd.api.types.is_numeric_dtype(first.dtype)
    named_rows = named_first and raw.names is None and frame.shape[1] > _FEW
    rest = frame.iloc[:, 1:] if named_rows else frame
    empty = np.asarray(rest.isna().all(axis=1))
    if not empty.any() or empty.all() or rest.shape[0] == rest.shape[1]:
        return  # the first row of a triangle of distances is empty
    raw.frame = frame[~empty].reset_index(drop=True)
    if raw.names is not None:
        raw.names = [name for name, gone in zip(raw.names, empty, strict=True) if not gone]
    row = int(np.flatnonzero(empty)[0]) + 1
    raw.warnings.append(finding("empty-rows", default="skipped", n=int(empty.sum()), row=row))
